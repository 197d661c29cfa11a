/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file makes a circuit of any size, with a witness. The circuit has layers of products. Constraint j of a layer is
 *
 *   (x_j + 3 x_(j+1)) * (x_j - x_(j+2)) = y_j        in the first columns
 *   2 b_j * b_(j+1) = b_j + b_(j+1) - y_j            in columns that hold bits: exclusive or
 *
 * The wires x_j and b_j belong to the previous layer, or to the inputs in the first layer. Both groups of columns are
 * cyclic. The last product is the public output.
 */
#include "toy_groth16.h"

#include "toy_file.h"

enum { MOST_WIDTH = 1 << 12 };

typedef struct circuit {
    sumac_context *context;
    sumac_message *why;
    const sumac_group *group;
    const uint64_t *order;
    uint64_t constraints, wires;
    uint64_t width; /* the number of columns of a layer */
    uint64_t wide;  /* the number of the first columns, which are not bits */
} circuit;

/* Return the wire of product i. Wire 1 is the last product, which is the output. The inputs follow it, and then the
 * other products. */
static uint64_t wire_of_product(const circuit *c, uint64_t i)
{
    return i + 1 == c->constraints ? 1 : 2 + c->width + i;
}

/* Return a wire of the previous layer. It is `ahead` columns after the column of constraint i, in the same group of
 * columns. */
static uint64_t wire_before(const circuit *c, uint64_t i, uint64_t ahead)
{
    const uint64_t layer = i / c->width, column = i % c->width;
    const uint64_t j = column < c->wide ? (column + ahead) % c->wide
                                        : c->wide + (column - c->wide + ahead) % (c->width - c->wide);
    return layer == 0 ? 2 + j : wire_of_product(c, (layer - 1) * c->width + j);
}

/* This is a term of a linear combination. Its factor may be negative. */
typedef struct term {
    uint64_t wire;
    int factor;
} term;

static void put_terms(const circuit *c, FILE *file, uint32_t count, const term terms[])
{
    put32(file, count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value[SCALAR_WORDS] = {0};
        if (terms[i].factor < 0) {
            memcpy(value, c->order, sizeof value);
        }
        value[0] += (uint64_t)(int64_t)terms[i].factor;
        put32(file, terms[i].wire);
        fwrite(value, sizeof value, 1, file);
    }
}

static void write_r1cs(const circuit *c, FILE *file)
{
    enum { TERMS = 5 /* the number of terms of a constraint of either kind */ };
    put_head(file, "r1cs", 1, 3);
    put_section(file, 1, 32 + SCALAR_BYTES);
    put32(file, SCALAR_BYTES);
    fwrite(c->order, SCALAR_BYTES, 1, file);
    put32(file, c->wires);
    put32(file, 1); /* outputs */
    put32(file, 0); /* public inputs */
    put32(file, c->width);
    put64(file, c->wires); /* labels */
    put32(file, c->constraints);
    put_section(file, 2, c->constraints * (3 * 4 + TERMS * (4 + SCALAR_BYTES)));
    for (uint64_t i = 0; i < c->constraints; i++) {
        const uint64_t x = wire_before(c, i, 0), next = wire_before(c, i, 1), y = wire_of_product(c, i);
        if (i % c->width < c->wide) {
            put_terms(c, file, 2, (const term[]){{x, 1}, {next, 3}});
            put_terms(c, file, 2, (const term[]){{x, 1}, {wire_before(c, i, 2), -1}});
            put_terms(c, file, 1, (const term[]){{y, 1}});
        } else {
            put_terms(c, file, 1, (const term[]){{x, 2}});
            put_terms(c, file, 1, (const term[]){{next, 1}});
            put_terms(c, file, 3, (const term[]){{x, 1}, {next, 1}, {y, -1}});
        }
    }
    put_section(file, 3, 8 * c->wires);
    for (uint64_t i = 0; i < c->wires; i++) {
        put64(file, i);
    }
}

typedef uint8_t scalar[SCALAR_BYTES];

/* Compute one layer after another. The values of each layer follow those of the previous one. The output is the last
 * value. */
static sumac_status compute_products(const circuit *c, scalar *inputs)
{
    const size_t wide = (size_t)c->wide, width = (size_t)c->width, bits = width - wide;
    CLEANUP(toy_close_vector) sumac_vector *three = NULL, *x = NULL, *next = NULL, *other = NULL;
    sumac_vector **const vectors[] = {&three, &x, &next, &other};
    AUTO_FREE scalar *row = NULL;
    TRY(toy_allocate(wide + 2, sizeof *row, &row, c->why));
    for (size_t i = 0; i < 4; i++) {
        CALL(c,
             sumac_vector_create(c->context, c->group, SUMAC_VECTOR_SCALARS, i == 0 ? 1 : wide, vectors[i]));
    }
    CALL(c, sumac_vector_fill(c->context, three, (const scalar){3}, sizeof(scalar)));
    for (uint64_t done = 0; done < c->constraints; done += c->width, inputs += width) {
        const uint64_t left = c->constraints - done, count = left < c->width ? left : c->width;
        if (wide > 0) {
            memcpy(row, inputs, wide * sizeof *row);
            for (size_t ahead = 0; ahead < 2; ahead++) {
                memcpy(row[wide + ahead], inputs[ahead % wide], sizeof *row);
            }
            CALL(c, sumac_vector_set(c->context, x, row, wide * sizeof *row, 0, wide, NULL));
            CALL(c, sumac_vector_set(c->context, next, row + 1, wide * sizeof *row, 0, wide, NULL));
            CALL(c, sumac_vector_set(c->context, other, row + 2, wide * sizeof *row, 0, wide, NULL));
            CALL(c, sumac_vector_subtract(c->context, x, other, 1, other));
            CALL(c, sumac_vector_multiply(c->context, next, three, 1, next));
            CALL(c, sumac_vector_add(c->context, x, next, 1, x));
            CALL(c, sumac_vector_multiply(c->context, x, other, 1, x));
            const size_t used = count < wide ? (size_t)count : wide;
            CALL(c, sumac_vector_get(c->context, x, 0, used, NULL, inputs + width, used * sizeof *inputs));
        }
        for (size_t j = wide; j < count; j++) {
            inputs[width + j][0] = inputs[j][0] ^ inputs[wide + (j - wide + 1) % bits][0];
        }
    }
    return SUMAC_OK;
}

/* Write the witness. Its inputs are the logarithms of known bases, because these are uniform. In columns of bits only
 * the lowest bit of each is used. */
static sumac_status write_wtns(const circuit *c, uint64_t seed, FILE *file)
{
    AUTO_FREE scalar *values = NULL;
    TRY(toy_allocate((size_t)c->wires + 1, sizeof *values, &values, c->why));
    values[0][0] = 1;
    CALL(c, sumac_known_logarithms(c->context, c->group, (size_t)c->width, seed, values + 2,
                                   (size_t)c->width * c->group->scalar_bytes));
    for (uint64_t j = c->wide; j < c->width; j++) {
        const uint8_t bit = values[2 + j][0] & 1;
        memset(values[2 + j], 0, sizeof *values);
        values[2 + j][0] = bit;
    }
    TRY(compute_products(c, values + 2));
    memcpy(values[1], values[c->wires], sizeof *values);
    put_head(file, "wtns", 2, 2);
    put_section(file, 1, 8 + SCALAR_BYTES);
    put32(file, SCALAR_BYTES);
    fwrite(c->order, SCALAR_BYTES, 1, file);
    put32(file, c->wires);
    put_section(file, 2, c->wires * SCALAR_BYTES);
    fwrite(values, SCALAR_BYTES, (size_t)c->wires, file);
    return SUMAC_OK;
}

sumac_status toy_circuit(sumac_context *context, const sumac_group *group, uint64_t constraints,
                         uint32_t bits_percent, uint64_t seed, FILE *r1cs, FILE *wtns, sumac_message *why)
{
    if (!toy_is_curve(group)) {
        return refuse(why, SUMAC_NOT_SUPPORTED, "proofs are over bn254 and bls12-381, and not over %s %s",
                      group->curve, group->name);
    }
    if (constraints == 0 || constraints > UINT32_MAX - 2 - MOST_WIDTH) {
        return refuse(why, SUMAC_BAD_ARGUMENT, "a circuit has from 1 to %u constraints, and not %llu",
                      UINT32_MAX - 2 - MOST_WIDTH, (unsigned long long)constraints);
    }
    if (bits_percent > 100) {
        return refuse(why, SUMAC_BAD_ARGUMENT, "bits_percent is %u, and is from 0 to 100", bits_percent);
    }
    const uint64_t width = constraints < MOST_WIDTH ? constraints : MOST_WIDTH;
    const circuit c = {.context = context,
                       .why = why,
                       .group = group,
                       .order = group->order,
                       .constraints = constraints,
                       .wires = 1 + width + constraints,
                       .width = width,
                       .wide = width - width * bits_percent / 100};
    write_r1cs(&c, r1cs);
    TRY(write_wtns(&c, seed, wtns));
    TRY(toy_finish_file(r1cs, why));
    return toy_finish_file(wtns, why);
}
