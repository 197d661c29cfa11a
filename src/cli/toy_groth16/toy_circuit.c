/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A circuit of any size with a witness of it: layers of products, constraint j of a layer
 *
 *   (x_j + 3 x_(j+1)) * (x_j - x_(j+2)) = y_j        in the first columns
 *   2 b_j * b_(j+1) = b_j + b_(j+1) - y_j            in those that hold bits: exclusive or
 *
 * over the layer before; the first layer is over the inputs. Both groups of columns are cyclic. The last product is the
 * public output.
 */
#include <stdlib.h>

#include "toy_file.h"
#include "toy_groth16.h"

enum { MOST_WIDTH = 1 << 12 };

typedef struct circuit {
    toy_field field;
    size_t bytes; /* of a scalar */
    uint64_t constraints, wires;
    uint64_t width; /* columns of a layer */
    uint64_t wide;  /* so many of them, the first ones, hold no bits */
} circuit;

/* Wire 1 is the output, the last product; inputs follow, and the other products. */
static uint64_t wire_of_product(const circuit *c, uint64_t i)
{
    return i + 1 == c->constraints ? 1 : 2 + c->width + i;
}

/* The wire in the layer before that of constraint i, so many columns ahead of its column in the same group. */
static uint64_t wire_before(const circuit *c, uint64_t i, uint64_t ahead)
{
    const uint64_t layer = i / c->width, column = i % c->width;
    const uint64_t j = column < c->wide ? (column + ahead) % c->wide
                                        : c->wide + (column - c->wide + ahead) % (c->width - c->wide);
    return layer == 0 ? 2 + j : wire_of_product(c, (layer - 1) * c->width + j);
}

/* A term of a linear combination, whose factor may be negative. */
typedef struct term {
    uint64_t wire;
    int factor;
} term;

static void put_terms(const circuit *c, FILE *file, uint32_t count, const term terms[])
{
    put32(file, count);
    for (uint32_t i = 0; i < count; i++) {
        const toy_number size = {{(uint64_t)abs(terms[i].factor)}}, zero = {{0}};
        const toy_number value = terms[i].factor < 0 ? toy_subtract(&c->field, zero, size) : size;
        put32(file, terms[i].wire);
        fwrite(value.limbs, c->bytes, 1, file);
    }
}

static void write_r1cs(const circuit *c, FILE *file)
{
    enum { TERMS = 5 /* of a constraint of either kind */ };
    put_head(file, "r1cs", 1, 3);
    put_section(file, 1, 32 + c->bytes);
    put32(file, c->bytes);
    fwrite(c->field.modulus.limbs, c->bytes, 1, file);
    put32(file, c->wires);
    put32(file, 1); /* outputs */
    put32(file, 0); /* public inputs */
    put32(file, c->width);
    put64(file, c->wires); /* labels */
    put32(file, c->constraints);
    put_section(file, 2, c->constraints * (3 * 4 + TERMS * (4 + c->bytes)));
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

static void compute_products(const circuit *c, uint8_t *values)
{
    const toy_field *f = &c->field;
    for (uint64_t i = 0; i < c->constraints; i++) {
        const toy_number x = toy_load(f, values + wire_before(c, i, 0) * c->bytes);
        const toy_number next = toy_load(f, values + wire_before(c, i, 1) * c->bytes);
        toy_number y = {{x.limbs[0] ^ next.limbs[0]}};
        if (i % c->width < c->wide) {
            const toy_number sum = toy_add(f, toy_add(f, x, next), toy_add(f, next, next));
            const toy_number other = toy_load(f, values + wire_before(c, i, 2) * c->bytes);
            y = toy_multiply(f, sum, toy_multiply(f, toy_subtract(f, x, other), f->two));
        }
        toy_store(f, y, values + wire_of_product(c, i) * c->bytes);
    }
}

/* The inputs are logarithms of known bases, which are uniform; columns of bits keep the lowest bit of theirs. */
static sumac_status write_wtns(const circuit *c, sumac_context *context, const sumac_curve *curve,
                               uint64_t seed, FILE *file, sumac_message *why)
{
    AUTO_FREE uint8_t *values = NULL;
    TRY(toy_allocate((size_t)c->wires, c->bytes, &values, why));
    uint8_t *inputs = values + 2 * c->bytes;
    values[0] = 1;
    TRY(toy_called(context, sumac_known_logarithms(context, curve, (size_t)c->width, seed, inputs), why));
    for (uint64_t j = c->wide; j < c->width; j++) {
        toy_store(&c->field, (toy_number){{inputs[j * c->bytes] & 1}}, inputs + j * c->bytes);
    }
    compute_products(c, values);
    put_head(file, "wtns", 2, 2);
    put_section(file, 1, 8 + c->bytes);
    put32(file, c->bytes);
    fwrite(c->field.modulus.limbs, c->bytes, 1, file);
    put32(file, c->wires);
    put_section(file, 2, c->wires * c->bytes);
    fwrite(values, c->bytes, (size_t)c->wires, file);
    return SUMAC_OK;
}

sumac_status toy_circuit(sumac_context *context, const sumac_curve *curve, uint64_t constraints,
                         uint32_t bits_percent, uint64_t seed, FILE *r1cs, FILE *wtns, sumac_message *why)
{
    const sumac_curve_info *info = sumac_curve_describe(curve);
    if (!toy_is_curve(info)) {
        return toy_fail(why, SUMAC_NOT_SUPPORTED, "proofs are over bn254 and bls12-381, and not over %s %s",
                        info->name, info->group);
    }
    if (constraints == 0 || constraints > UINT32_MAX - 2 - MOST_WIDTH) {
        return toy_fail(why, SUMAC_BAD_ARGUMENT, "a circuit has from 1 to %u constraints, and not %llu",
                        UINT32_MAX - 2 - MOST_WIDTH, (unsigned long long)constraints);
    }
    if (bits_percent > 100) {
        return toy_fail(why, SUMAC_BAD_ARGUMENT, "bits_percent is %u, and is from 0 to 100", bits_percent);
    }
    const uint64_t width = constraints < MOST_WIDTH ? constraints : MOST_WIDTH;
    const circuit c = {.field = toy_field_of(info->order, info->scalar_bytes),
                       .bytes = info->scalar_bytes,
                       .constraints = constraints,
                       .wires = 1 + width + constraints,
                       .width = width,
                       .wide = width - width * bits_percent / 100};
    write_r1cs(&c, r1cs);
    TRY(write_wtns(&c, context, curve, seed, wtns, why));
    TRY(toy_finish_file(r1cs, why));
    return toy_finish_file(wtns, why);
}
