/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * An insecure setup. With the polynomials u, v, t of each wire, by their values on the powers of snarkjs' root of unity w of
 * order n, and L_j, which are 1 at w^j and 0 at the other powers:
 *
 *   L_j = (tau^n - 1)/n w^j/(tau - w^j)     u_i = sum_j A_ji L_j     v_i = sum_j B_ji L_j     t_i = sum_j C_ji L_j
 *   A_i = u_i G    B_i = v_i G    IC_i = (beta u_i + alpha v_i + t_i)/gamma G    C_i with delta in place of gamma
 *   H_j = L_(2j+1)/delta G, with L on the powers of a root of order 2n
 */
#define _XOPEN_SOURCE 700

#include <stdlib.h>

#include "base/random.h"
#include "toy_file.h"
#include "toy_groth16.h"

enum { TAU, ALPHA, BETA, GAMMA, DELTA, SECRETS };

typedef struct setup {
    sumac_context *context;
    sumac_message *why;
    FILE *r1cs, *zkey;
    const sumac_curve *g1, *g2;
    const sumac_curve_info *info; /* g1's */
    toy_field field;
    size_t bytes; /* of a scalar */
    uint32_t wires, publics, constraints, domain;
    off_t terms_start;           /* in the .r1cs */
    toy_number secrets[SECRETS]; /* times R */
    toy_number *u, *v, *rest;    /* of each wire; rest is beta u + alpha v + t */
    uint64_t term_counts[3];     /* of A, B and C */
} setup;

/* ---- The circuit ---- */

static sumac_status get(const setup *s, void *bytes, size_t count)
{
    return fread(bytes, 1, count, s->r1cs) == count
               ? SUMAC_OK
               : toy_fail(s->why, SUMAC_BAD_FILE, "the circuit is truncated, or can't be read");
}

static sumac_status find_section(const setup *s, uint32_t wanted)
{
    uint32_t type;
    uint64_t size;
    for (off_t at = 12;; at += 12 + (off_t)size) {
        if (fseeko(s->r1cs, at, SEEK_SET) != 0) {
            return toy_fail(s->why, SUMAC_BAD_FILE, "the circuit is in no regular file");
        }
        TRY(get(s, &type, sizeof type));
        TRY(get(s, &size, sizeof size));
        if (type == wanted) {
            return SUMAC_OK;
        }
    }
}

static sumac_status find_curves(setup *s, const uint8_t *order, uint32_t bytes)
{
    for (size_t i = 0; i < sumac_curve_count(); i++) {
        s->g1 = sumac_curve_at(i);
        s->info = sumac_curve_describe(s->g1);
        if (toy_is_curve(s->info) && strcmp(s->info->group, "g1") == 0 && s->info->scalar_bytes == bytes &&
            memcmp(s->info->order, order, bytes) == 0 &&
            sumac_curve_find(s->info->name, "g2", &s->g2) == SUMAC_OK) {
            s->field = toy_field_of(order, bytes);
            s->bytes = bytes;
            return SUMAC_OK;
        }
    }
    return toy_fail(s->why, SUMAC_UNKNOWN_CURVE,
                    "the circuit's prime is of no curve that this build proves with");
}

static sumac_status read_header(setup *s)
{
    char magic[4];
    uint8_t order[TOY_BYTES];
    uint32_t bytes, numbers[7],
        log2 = 0; /* numbers: wires, outputs, inputs, private inputs, labels, constraints */
    rewind(s->r1cs);
    TRY(get(s, magic, sizeof magic));
    if (memcmp(magic, "r1cs", sizeof magic) != 0) {
        return toy_fail(s->why, SUMAC_BAD_FILE, "the circuit does not begin as a .r1cs file");
    }
    TRY(find_section(s, 1));
    TRY(get(s, &bytes, sizeof bytes));
    if (bytes == 0 || bytes > sizeof order) {
        return toy_fail(s->why, SUMAC_BAD_FILE, "the circuit's prime has %u bytes", bytes);
    }
    TRY(get(s, order, bytes));
    TRY(get(s, numbers, sizeof numbers));
    TRY(find_curves(s, order, bytes));
    s->wires = numbers[0];
    s->publics = numbers[1] + numbers[2];
    s->constraints = numbers[6];
    if (s->wires <= numbers[1] || s->wires - 1 - numbers[1] < numbers[2]) {
        return toy_fail(s->why, SUMAC_BAD_FILE, "the circuit has more public wires than wires");
    }
    while (UINT64_C(1) << log2 < (uint64_t)s->constraints + s->publics + 1) {
        log2++;
    }
    if (((s->field.modulus.limbs[0] - 1) & ((UINT64_C(2) << log2) - 1)) != 0 || log2 > 31) {
        return toy_fail(s->why, SUMAC_NOT_SUPPORTED,
                        "the field of %s has no roots of unity for %u constraints", s->info->name,
                        s->constraints);
    }
    s->domain = UINT32_C(1) << log2;
    TRY(find_section(s, 2));
    s->terms_start = ftello(s->r1cs);
    return SUMAC_OK;
}

typedef struct term {
    uint32_t row, matrix, wire;
    toy_number value;
} term;

/* Hand each term of the circuit to a function, and behind them those of A's rows that bind the public inputs. */
static sumac_status for_each_term(setup *s, void (*take)(setup *s, const term *t, void *user), void *user)
{
    term t = {.row = 0};
    fseeko(s->r1cs, s->terms_start, SEEK_SET);
    for (; t.row < s->constraints; t.row++) {
        for (t.matrix = 0; t.matrix < 3; t.matrix++) {
            uint32_t left;
            TRY(get(s, &left, sizeof left));
            for (; left > 0; left--) {
                TRY(get(s, &t.wire, sizeof t.wire));
                TRY(get(s, t.value.limbs, s->bytes));
                if (t.wire >= s->wires || !toy_is_less(&s->field, t.value, s->field.modulus)) {
                    return toy_fail(s->why, SUMAC_BAD_FILE,
                                    "constraint %u of the circuit has a wire or a value that is too large",
                                    t.row);
                }
                take(s, &t, user);
            }
        }
    }
    t.matrix = 0;
    t.value = (toy_number){{1}};
    for (t.wire = 0; t.wire <= s->publics; t.wire++, t.row++) {
        take(s, &t, user);
    }
    return SUMAC_OK;
}

/* ---- Numbers ---- */

static sumac_status choose_secrets(setup *s, uint64_t seed)
{
    uint8_t secrets[SECRETS * TOY_BYTES] = {0};
    if (seed != 0) {
        TRY(toy_called(s->context, sumac_known_logarithms(s->context, s->g1, SECRETS, seed, secrets),
                       s->why));
    }
    for (size_t i = 0; i < SECRETS; i++) {
        uint8_t *secret = secrets + i * s->bytes;
        if (seed == 0 && system_random(secret, s->bytes - 1) != 0) { /* a byte less is less than r */
            return toy_fail(s->why, SUMAC_READ_FAILED, "the system gives no random numbers");
        }
        s->secrets[i] = toy_multiply(&s->field, toy_load(&s->field, secret), s->field.two);
    }
    return SUMAC_OK;
}

/* snarkjs' root of unity of order 2^log2: a power of 5, which is no square modulo the order of either curve. */
static toy_number find_root(const setup *s, uint32_t log2)
{
    toy_number exponent = {{0}};
    for (size_t i = 0; i < s->field.limbs; i++) {
        const uint64_t above = i + 1 < s->field.limbs ? s->field.modulus.limbs[i + 1] : 0;
        exponent.limbs[i] = s->field.modulus.limbs[i] >> log2 | above << (63 - log2) << 1;
    }
    return toy_power(&s->field, toy_integer(&s->field, 5), exponent);
}

/* values[j] = scale x_j/(tau - x_j) for n numbers x_j = first * ratio^j, all times R. Their differences from tau are
 * inverted together: values hold products of those before until the way back. */
static void evaluate_lagrange(const setup *s, toy_number scale, toy_number first, toy_number ratio, size_t n,
                              toy_number *values)
{
    const toy_field *f = &s->field;
    toy_number x = first, product = f->one;
    for (size_t j = 0; j < n; j++) {
        values[j] = product;
        product = toy_multiply(f, product, toy_subtract(f, s->secrets[TAU], x));
        x = toy_multiply(f, x, ratio);
    }
    toy_number inverse = toy_multiply(f, toy_invert(f, product), scale);
    const toy_number back = toy_invert(f, ratio);
    for (size_t j = n; j-- > 0;) {
        x = toy_multiply(f, x, back);
        values[j] = toy_multiply(f, x, toy_multiply(f, values[j], inverse));
        inverse = toy_multiply(f, inverse, toy_subtract(f, s->secrets[TAU], x));
    }
}

/* (tau^n - 1)/n, times R. */
static toy_number scale_of(const setup *s, uint64_t n)
{
    const toy_field *f = &s->field;
    const toy_number power = toy_power(f, s->secrets[TAU], (toy_number){{n}});
    return toy_multiply(f, toy_subtract(f, power, f->one), toy_invert(f, toy_integer(f, n)));
}

static void add_term(setup *s, const term *t, void *user)
{
    const toy_number *lagrange = user;
    toy_number *const sums[] = {s->u, s->v, s->rest};
    toy_number *sum = &sums[t->matrix][t->wire];
    *sum = toy_add(&s->field, *sum, toy_multiply(&s->field, t->value, lagrange[t->row]));
    s->term_counts[t->matrix]++;
}

static sumac_status evaluate_wires(setup *s)
{
    const toy_field *f = &s->field;
    const uint32_t log2 = (uint32_t)__builtin_ctz(s->domain);
    AUTO_FREE toy_number *lagrange = NULL;
    TRY(toy_allocate(s->domain, sizeof *lagrange, &lagrange, s->why));
    TRY(toy_allocate(s->wires, sizeof *s->u, &s->u, s->why));
    TRY(toy_allocate(s->wires, sizeof *s->v, &s->v, s->why));
    TRY(toy_allocate(s->wires, sizeof *s->rest, &s->rest, s->why));
    evaluate_lagrange(s, scale_of(s, s->domain), f->one, find_root(s, log2), s->domain, lagrange);
    TRY(for_each_term(s, add_term, lagrange));
    for (uint32_t i = 0; i < s->wires; i++) {
        s->rest[i] = toy_add(f, s->rest[i], toy_multiply(f, s->u[i], s->secrets[BETA]));
        s->rest[i] = toy_add(f, s->rest[i], toy_multiply(f, s->v[i], s->secrets[ALPHA]));
    }
    return SUMAC_OK;
}

/* ---- Points ---- */

/* The generator of a group, with a table, and memory for some multiples of it. */
typedef struct generator {
    sumac_bases *bases;
    sumac_vector *scalars, *points;
    size_t scalar_bytes, point_bytes;
    uint8_t *bytes; /* of scalars and of points */
} generator;

enum { SLICE = 1 << 14 };

static void close_generator(generator *g)
{
    sumac_bases_destroy(g->bases);
    sumac_vector_destroy(g->scalars);
    sumac_vector_destroy(g->points);
    free(g->bytes);
}

/* The table has about as many points as additions with it are to be made: 2^c points for each of 254/c windows. */
static sumac_status open_generator(const setup *s, const sumac_curve *curve, generator *g)
{
    uint8_t point[4 * TOY_BYTES];
    sumac_context *context = s->context;
    sumac_bases_config config = sumac_bases_config_default();
    const uint64_t balanced =
        16 * ((uint64_t)s->wires + s->domain) * sumac_curve_describe(curve)->point_bytes;
    const uint64_t least = (uint64_t)64 << 10, most = (uint64_t)64 << 20;
    config.check = SUMAC_CHECK_NONE; /* the curve's own generator */
    config.replicated = 1;
    config.tables = SUMAC_TABLES_AUTO;
    config.table_limit = balanced < least ? least : balanced < most ? balanced : most;
    config.typical_batch = SLICE;
    config.typical_n = 1;
    sumac_curve_generator(curve, point);
    g->scalar_bytes = s->bytes;
    g->point_bytes = sumac_curve_describe(curve)->point_bytes;
    TRY(toy_allocate(SLICE, g->point_bytes, &g->bytes, s->why));
    TRY(toy_called(context, sumac_bases_create(context, curve, point, 1, &config, &g->bases), s->why));
    TRY(toy_called(context, sumac_vector_create(context, curve, SUMAC_VECTOR_SCALARS, SLICE, &g->scalars),
                   s->why));
    return toy_called(context, sumac_vector_create(context, curve, SUMAC_VECTOR_POINTS, SLICE, &g->points),
                      s->why);
}

/* Write n numbers, each times `factor`, which is times R, times the generator. */
static sumac_status put_points(const setup *s, const generator *g, const toy_number *numbers, size_t n,
                               toy_number factor)
{
    sumac_context *context = s->context;
    sumac_msm_config config = sumac_msm_config_default();
    sumac_element_layout layout = sumac_element_layout_default();
    layout.form = SUMAC_FORM_MONTGOMERY;
    for (size_t done = 0; done < n; done += SLICE) {
        const size_t count = n - done < SLICE ? n - done : SLICE;
        for (size_t i = 0; i < count; i++) {
            toy_store(&s->field, toy_multiply(&s->field, numbers[done + i], factor),
                      g->bytes + i * g->scalar_bytes);
        }
        config.batch = (uint32_t)count;
        TRY(toy_called(context, sumac_vector_set(context, g->scalars, g->bytes, 0, count, NULL), s->why));
        TRY(toy_called(context, sumac_msm_vectors(context, g->bases, g->scalars, 0, 1, &config, g->points, 0),
                       s->why));
        TRY(toy_called(context, sumac_vector_get(context, g->points, 0, count, &layout, g->bytes), s->why));
        fwrite(g->bytes, g->point_bytes, count, s->zkey);
    }
    return SUMAC_OK;
}

static sumac_status put_section_of_points(const setup *s, uint32_t type, const generator *g,
                                          const toy_number *numbers, size_t n, toy_number factor)
{
    put_section(s->zkey, type, (uint64_t)n * g->point_bytes);
    return put_points(s, g, numbers, n, factor);
}

/* ---- The key ---- */

static sumac_status write_header(const setup *s, const generator *g1, const generator *g2)
{
    const struct {
        const generator *generator;
        int secret;
    } points[] = {{g1, ALPHA}, {g1, BETA}, {g2, BETA}, {g2, GAMMA}, {g1, DELTA}, {g2, DELTA}};
    put_head(s->zkey, "zkey", 1, 10);
    put_section(s->zkey, 1, 4);
    put32(s->zkey, 1); /* Groth16 */
    put_section(s->zkey, 2,
                5 * 4 + s->info->field_bytes + s->bytes + 3 * (g1->point_bytes + g2->point_bytes));
    put32(s->zkey, s->info->field_bytes);
    fwrite(s->info->modulus, s->info->field_bytes, 1, s->zkey);
    put32(s->zkey, s->bytes);
    fwrite(s->info->order, s->bytes, 1, s->zkey);
    put32(s->zkey, s->wires);
    put32(s->zkey, s->publics);
    put32(s->zkey, s->domain);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        TRY(put_points(s, points[i].generator, &s->secrets[points[i].secret], 1, (toy_number){{1}}));
    }
    return SUMAC_OK;
}

/* A .zkey has values times R^2. */
static void put_coefficient(setup *s, const term *t, void *user)
{
    const uint32_t *matrix = user;
    if (t->matrix == *matrix) {
        const toy_number once = toy_multiply(&s->field, t->value, s->field.two);
        const toy_number twice = toy_multiply(&s->field, once, s->field.two);
        put32(s->zkey, t->matrix);
        put32(s->zkey, t->row);
        put32(s->zkey, t->wire);
        fwrite(twice.limbs, s->bytes, 1, s->zkey);
    }
}

static sumac_status write_coefficients(setup *s)
{
    const uint64_t count = s->term_counts[0] + s->term_counts[1];
    if (count > UINT32_MAX) {
        return toy_fail(s->why, SUMAC_NOT_SUPPORTED,
                        "the circuit has %llu coefficients, and a .zkey counts to 2^32",
                        (unsigned long long)count);
    }
    put_section(s->zkey, 4, 4 + count * (12 + s->bytes));
    put32(s->zkey, count);
    for (uint32_t matrix = 0; matrix < 2; matrix++) {
        TRY(for_each_term(s, put_coefficient, &matrix));
    }
    return SUMAC_OK;
}

static sumac_status write_h(const setup *s, const generator *g1, toy_number by_delta)
{
    const toy_field *f = &s->field;
    const toy_number root = find_root(s, (uint32_t)__builtin_ctz(s->domain) + 1);
    AUTO_FREE toy_number *values = NULL;
    TRY(toy_allocate(s->domain, sizeof *values, &values, s->why));
    evaluate_lagrange(s, scale_of(s, 2 * (uint64_t)s->domain), root, toy_multiply(f, root, root), s->domain,
                      values);
    /* values are times R, and so is the factor but for this. */
    return put_section_of_points(s, 9, g1, values, s->domain, toy_multiply(f, by_delta, (toy_number){{1}}));
}

static sumac_status write_key(setup *s, const generator *g1, const generator *g2)
{
    const uint8_t no_contributions[64 + 4] = {0}; /* and a hash of the circuit */
    const toy_number by_gamma = toy_invert(&s->field, s->secrets[GAMMA]), one = s->field.one;
    const toy_number by_delta = toy_invert(&s->field, s->secrets[DELTA]);
    const size_t publics = (size_t)s->publics + 1;
    TRY(write_header(s, g1, g2));
    TRY(write_coefficients(s));
    TRY(put_section_of_points(s, 5, g1, s->u, s->wires, one));
    TRY(put_section_of_points(s, 6, g1, s->v, s->wires, one));
    TRY(put_section_of_points(s, 7, g2, s->v, s->wires, one));
    TRY(put_section_of_points(s, 3, g1, s->rest, publics, by_gamma));
    TRY(put_section_of_points(s, 8, g1, s->rest + publics, s->wires - publics, by_delta));
    TRY(write_h(s, g1, by_delta));
    put_section(s->zkey, 10, sizeof no_contributions);
    fwrite(no_contributions, sizeof no_contributions, 1, s->zkey);
    return toy_finish_file(s->zkey, s->why);
}

static void close_setup(setup *s)
{
    free(s->u);
    free(s->v);
    free(s->rest);
}

sumac_status toy_setup(sumac_context *context, FILE *r1cs, uint64_t seed, FILE *zkey, sumac_message *why)
{
    CLEANUP(close_setup) setup s = {.context = context, .why = why, .r1cs = r1cs, .zkey = zkey};
    CLEANUP(close_generator) generator g1 = {.bases = NULL}, g2 = {.bases = NULL};
    TRY(read_header(&s));
    TRY(choose_secrets(&s, seed));
    TRY(evaluate_wires(&s));
    TRY(open_generator(&s, s.g1, &g1));
    TRY(open_generator(&s, s.g2, &g2));
    return write_key(&s, &g1, &g2);
}
