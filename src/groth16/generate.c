/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A circuit of any size with a witness of it: layers of products, constraint j of a layer
 *
 *   (x_j + 3 x_(j+1)) * (x_j - x_(j+2)) = y_j        of the first columns
 *   2 b_j * b_(j+1) = b_j + b_(j+1) - y_j            of those that hold bits: exclusive or
 *
 * of the layer before, the first one of the inputs. Both groups of columns are cyclic. The last product is the public
 * output.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "codec/r1cs.h"
#include "codec/wtns.h"
#include "groth16/groups.h"
#include "io/binfile_output.h"
#include "io/memory.h"
#include "sumac/groth16.h"
#include "sumac/vector.h"

enum { MOST_WIDTH = 1 << 12 };

typedef struct circuit {
    sumac_context *context;
    const groups *of;
    uint64_t constraints;
    uint64_t width; /* of a layer */
    uint64_t wide;  /* so many of its columns, the first ones, hold no bits */
    uint32_t wires;
    size_t bytes; /* of a scalar */
} circuit;

/* Wire 1 is the output, the last product; inputs follow, and the other products. */
static uint32_t wire_of_product(const circuit *c, uint64_t i)
{
    return i + 1 == c->constraints ? 1 : (uint32_t)(2 + c->width + i);
}

/* So many columns ahead in the same group. */
static uint64_t column_ahead(const circuit *c, uint64_t column, uint64_t ahead)
{
    return column < c->wide ? (column + ahead) % c->wide
                            : c->wide + (column - c->wide + ahead) % (c->width - c->wide);
}

/* x_j of the layer before that of constraint i. */
static uint32_t wire_before(const circuit *c, uint64_t i, uint64_t ahead)
{
    const uint64_t layer = i / c->width, j = column_ahead(c, i % c->width, ahead);
    return layer == 0 ? (uint32_t)(2 + j) : wire_of_product(c, (layer - 1) * c->width + j);
}

/* ---- Files ---- */

/* Of a linear combination. */
typedef struct term {
    uint32_t wire;
    const uint8_t *value;
} term;

/* The scalars that there are in constraints. */
typedef struct term_values {
    uint8_t one[MOST_SCALAR_BYTES], two[MOST_SCALAR_BYTES], three[MOST_SCALAR_BYTES],
        minus_one[MOST_SCALAR_BYTES];
} term_values;

/* Returns the combination's end. */
static uint8_t *put_terms(const circuit *c, uint8_t *at, uint32_t count, const term terms[])
{
    store_le32(at, count);
    at += 4;
    for (uint32_t i = 0; i < count; i++, at += 4 + c->bytes) {
        store_le32(at, terms[i].wire);
        memcpy(at + 4, terms[i].value, c->bytes);
    }
    return at;
}

enum { TERMS = 5 /* of a constraint, of either kind */ };

static uint8_t *put_product(const circuit *c, const term_values *of, uint64_t i, uint8_t *at)
{
    const uint32_t x = wire_before(c, i, 0);
    at = put_terms(c, at, 2, (const term[]){{x, of->one}, {wire_before(c, i, 1), of->three}});
    at = put_terms(c, at, 2, (const term[]){{x, of->one}, {wire_before(c, i, 2), of->minus_one}});
    return put_terms(c, at, 1, (const term[]){{wire_of_product(c, i), of->one}});
}

static uint8_t *put_exclusive_or(const circuit *c, const term_values *of, uint64_t i, uint8_t *at)
{
    const term x = {wire_before(c, i, 0), of->one}, next = {wire_before(c, i, 1), of->one};
    at = put_terms(c, at, 1, (const term[]){{x.wire, of->two}});
    at = put_terms(c, at, 1, &next);
    return put_terms(c, at, 3, (const term[]){x, next, {wire_of_product(c, i), of->minus_one}});
}

static sumac_status write_constraints(const circuit *c, output_file *file)
{
    enum { BLOCK = 64 };
    term_values of = {.one = {1}, .two = {2}, .three = {3}};
    uint8_t bytes[BLOCK * (3 * 4 + TERMS * (4 + MOST_SCALAR_BYTES))];
    memcpy(of.minus_one, c->of->info1->order, c->bytes);
    of.minus_one[0]--; /* r is odd */
    sumac_status status = binfile_write_section(file, R1CS_CONSTRAINTS,
                                                c->constraints * (3 * 4 + TERMS * (4 + c->bytes)), NULL);
    for (uint64_t first = 0; first < c->constraints && status == SUMAC_OK; first += BLOCK) {
        uint8_t *at = bytes;
        for (uint64_t i = first; i < first + BLOCK && i < c->constraints; i++) {
            at = i % c->width < c->wide ? put_product(c, &of, i, at) : put_exclusive_or(c, &of, i, at);
        }
        status = output_write(file, bytes, (size_t)(at - bytes));
    }
    return status;
}

/* The wires' labels: their numbers. */
static sumac_status write_labels(const circuit *c, output_file *file)
{
    sumac_status status = binfile_write_section(file, R1CS_WIRES, 8 * (uint64_t)c->wires, NULL);
    for (uint32_t i = 0; i < c->wires && status == SUMAC_OK;) {
        uint8_t bytes[8 * 512];
        size_t count = 0;
        for (; count < sizeof bytes && i < c->wires; i++, count += 8) {
            store_le64(bytes + count, i);
        }
        status = output_write(file, bytes, count);
    }
    return status;
}

static sumac_status write_r1cs(const circuit *c, output_file *file)
{
    const r1cs_header header = {.scalar_bytes = (uint32_t)c->bytes,
                                .order = (const uint8_t *)c->of->info1->order,
                                .wires = c->wires,
                                .outputs = 1,
                                .private_inputs = (uint32_t)c->width,
                                .labels = c->wires,
                                .constraints = (uint32_t)c->constraints};
    uint8_t bytes[R1CS_MOST_HEADER_BYTES];
    sumac_status status = binfile_write_head(file, R1CS_MAGIC, R1CS_VERSION, 3);
    status = status == SUMAC_OK
                 ? binfile_write_section(file, R1CS_HEADER, r1cs_encode_header(bytes, &header), bytes)
                 : status;
    status = status == SUMAC_OK ? write_constraints(c, file) : status;
    return status == SUMAC_OK ? write_labels(c, file) : status;
}

static sumac_status write_wtns(const circuit *c, output_file *file, const uint8_t *values)
{
    const wtns_header header = {(uint32_t)c->bytes, (const uint8_t *)c->of->info1->order, c->wires};
    uint8_t bytes[WTNS_MOST_HEADER_BYTES];
    sumac_status status = binfile_write_head(file, WTNS_MAGIC, WTNS_VERSION, 2);
    status = status == SUMAC_OK
                 ? binfile_write_section(file, WTNS_HEADER, wtns_encode_header(bytes, &header), bytes)
                 : status;
    return status == SUMAC_OK
               ? binfile_write_section(file, WTNS_VALUES, (uint64_t)c->wires * c->bytes, values)
               : status;
}

/* ---- The witness ---- */

typedef struct layers {
    sumac_vector *x, *a, *b, *bits, *three;
    uint64_t *rows; /* the next columns of all, and behind them those after the next */
} layers;

static sumac_status create_layers(const circuit *c, layers *l)
{
    const size_t width = (size_t)c->width;
    const uint8_t three[MOST_SCALAR_BYTES] = {3};
    sumac_vector **const vectors[] = {&l->x, &l->a, &l->b, &l->bits};
    sumac_status status = SUMAC_OK;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && status == SUMAC_OK; i++) {
        status = sumac_vector_create(c->context, c->of->g1, SUMAC_VECTOR_SCALARS, width, vectors[i]);
    }
    status = status == SUMAC_OK
                 ? sumac_vector_create(c->context, c->of->g1, SUMAC_VECTOR_SCALARS, 1, &l->three)
                 : status;
    status = status == SUMAC_OK ? sumac_vector_fill(c->context, l->three, three) : status;
    if (status == SUMAC_OK) {
        l->rows = memory_allocate(c->context, "a circuit", 2 * width * sizeof *l->rows, &status);
    }
    for (size_t j = 0; j < width && status == SUMAC_OK; j++) {
        l->rows[j] = column_ahead(c, j, 1);
        l->rows[width + j] = column_ahead(c, j, 2);
    }
    return status;
}

static void free_layers(layers *l)
{
    sumac_vector_destroy(l->x);
    sumac_vector_destroy(l->a);
    sumac_vector_destroy(l->b);
    sumac_vector_destroy(l->bits);
    sumac_vector_destroy(l->three);
    free(l->rows);
}

/* x + a - 2 x a of all columns, whose next ones are in a. */
static sumac_status compute_bits(const circuit *c, const layers *l)
{
    sumac_status status = sumac_vector_multiply(c->context, l->x, l->a, 1, l->b);
    status = status == SUMAC_OK ? sumac_vector_add(c->context, l->x, l->a, 1, l->bits) : status;
    status = status == SUMAC_OK ? sumac_vector_subtract(c->context, l->bits, l->b, 1, l->bits) : status;
    return status == SUMAC_OK ? sumac_vector_subtract(c->context, l->bits, l->b, 1, l->bits) : status;
}

/* x becomes the next layer: products in all columns, and over them the bits. */
static sumac_status step(const circuit *c, const layers *l)
{
    const size_t width = (size_t)c->width;
    const sumac_slice columns = sumac_slice_of((size_t)c->wide, (size_t)(c->width - c->wide));
    sumac_status status = sumac_vector_gather(c->context, l->x, 1, l->rows, width, l->a);
    status = status == SUMAC_OK && columns.length > 0 ? compute_bits(c, l) : status;
    status = status == SUMAC_OK ? sumac_vector_multiply(c->context, l->a, l->three, 1, l->a) : status;
    status = status == SUMAC_OK ? sumac_vector_add(c->context, l->a, l->x, 1, l->a) : status;
    status =
        status == SUMAC_OK ? sumac_vector_gather(c->context, l->x, 1, l->rows + width, width, l->b) : status;
    status = status == SUMAC_OK ? sumac_vector_subtract(c->context, l->x, l->b, 1, l->b) : status;
    status = status == SUMAC_OK ? sumac_vector_multiply(c->context, l->a, l->b, 1, l->x) : status;
    return status == SUMAC_OK && columns.length > 0
               ? sumac_vector_copy(c->context, l->bits, &columns, l->x, &columns)
               : status;
}

/* Of the logarithms of bases, which are uniform, columns of bits keep the lowest bit. */
static sumac_status make_inputs(const circuit *c, uint64_t seed, uint8_t *inputs)
{
    const sumac_status status = sumac_known_logarithms(c->context, c->of->g1, (size_t)c->width, seed, inputs);
    for (uint64_t j = c->wide; j < c->width; j++) {
        const uint8_t bit = inputs[j * c->bytes] & 1;
        memset(inputs + j * c->bytes, 0, c->bytes);
        inputs[j * c->bytes] = bit;
    }
    return status;
}

static sumac_status compute(const circuit *c, const layers *l, uint64_t seed, uint8_t *values)
{
    uint8_t *inputs = values + 2 * c->bytes, *products = inputs + c->width * c->bytes;
    values[0] = 1;
    sumac_status status = make_inputs(c, seed, inputs);
    status =
        status == SUMAC_OK ? sumac_vector_set(c->context, l->x, inputs, 0, (size_t)c->width, NULL) : status;
    for (uint64_t first = 0; first < c->constraints && status == SUMAC_OK; first += c->width) {
        const uint64_t left = c->constraints - first, count = left < c->width ? left : c->width;
        const uint64_t hidden = count == left ? count - 1 : count;
        status = step(c, l);
        if (status == SUMAC_OK && hidden > 0) {
            status = sumac_vector_get(c->context, l->x, 0, (size_t)hidden, NULL, products + first * c->bytes);
        }
        if (status == SUMAC_OK && hidden < count) {
            status = sumac_vector_get(c->context, l->x, (size_t)hidden, 1, NULL, values + c->bytes);
        }
    }
    return status;
}

static sumac_status make_witness(const circuit *c, uint64_t seed, uint8_t *values)
{
    layers l = {.rows = NULL};
    sumac_status status = create_layers(c, &l);
    status = status == SUMAC_OK ? compute(c, &l, seed, values) : status;
    free_layers(&l);
    return status;
}

/* ---- Both files ---- */

static sumac_status write_files(const circuit *c, const uint8_t *values, const char *r1cs_path,
                                const char *wtns_path)
{
    output_file r1cs, wtns;
    sumac_status status = output_open(&r1cs, c->context, r1cs_path);
    status = output_close(&r1cs, status == SUMAC_OK ? write_r1cs(c, &r1cs) : status);
    if (status != SUMAC_OK) {
        return status;
    }
    status = output_open(&wtns, c->context, wtns_path);
    return output_close(&wtns, status == SUMAC_OK ? write_wtns(c, &wtns, values) : status);
}

static sumac_status generate(const circuit *c, uint64_t seed, const char *r1cs_path, const char *wtns_path)
{
    sumac_status status;
    uint8_t *values = memory_zeros(c->context, wtns_path, c->wires * c->bytes, &status);
    status = status == SUMAC_OK ? make_witness(c, seed, values) : status;
    status = status == SUMAC_OK ? write_files(c, values, r1cs_path, wtns_path) : status;
    free(values);
    return status;
}

sumac_status sumac_groth16_generate(sumac_context *context, const sumac_curve *curve, uint64_t constraints,
                                    uint32_t bits_percent, uint64_t seed, const char *r1cs_path,
                                    const char *wtns_path)
{
    groups of;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || r1cs_path == NULL || wtns_path == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, r1cs_path and wtns_path must not be null");
    }
    if (constraints == 0 || constraints > UINT32_MAX - 2 - MOST_WIDTH) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "a circuit of %" PRIu64 " constraints: from 1 to %" PRIu32 " there can be", constraints,
                    UINT32_MAX - 2 - (uint32_t)MOST_WIDTH);
    }
    if (bits_percent > 100) {
        return fail(context, SUMAC_BAD_ARGUMENT, "bits_percent is %" PRIu32 ": from 0 to 100 it can be",
                    bits_percent);
    }
    sumac_status status = groups_find_curve(context, curve, &of);
    if (status == SUMAC_OK) {
        status = output_require_other(context, "wtns_path", wtns_path, "r1cs_path", r1cs_path);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    const uint64_t width = constraints < MOST_WIDTH ? constraints : MOST_WIDTH;
    const circuit c = {.context = context,
                       .of = &of,
                       .constraints = constraints,
                       .width = width,
                       .wide = width - width * bits_percent / 100,
                       .wires = (uint32_t)(1 + width + constraints),
                       .bytes = of.info1->scalar_bytes};
    return generate(&c, seed, r1cs_path, wtns_path);
}
