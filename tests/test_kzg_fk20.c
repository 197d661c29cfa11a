/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_kzg.c: all proofs of small polynomials, for every size of cells, against quotients that GMP
 * evaluates at a secret that is known here. */
#include "kzg/fk20.h"
#include "test_kzg_support.h"

enum { MOST = 64, SCALAR = 32 };

/* A polynomial, the secret, and what they are taken modulo. */
typedef struct known_setup {
    sumac_context *context;
    const sumac_curve *curve;
    size_t point_bytes;
    mpz_t order, secret;
    mpz_t f[MOST];
} known_setup;

static void to_raw(uint8_t *raw, const mpz_t value)
{
    memset(raw, 0, SCALAR);
    mpz_export(raw, NULL, -1, 1, 0, 0, value);
}

/* k*G, by one plain multiplication. */
static void multiply_generator(const known_setup *k, const mpz_t value, uint8_t *point)
{
    uint8_t raw[SCALAR];
    const uint8_t one[SCALAR] = {1};
    to_raw(raw, value);
    test_status(k->context, sumac_known_answer(k->context, k->curve, raw, one, 1, point), SUMAC_OK,
                "multiple");
}

/* The value at the secret of the quotient of f by X^l - a: q_j = f_(j + l) + a q_(j + l). */
static void divide_and_evaluate(const known_setup *k, fk20_shape shape, const mpz_t a, mpz_t value)
{
    mpz_t q[2 * MOST];
    for (size_t j = 0; j < 2 * MOST; j++) {
        mpz_init(q[j]);
    }
    mpz_set_ui(value, 0);
    for (size_t j = shape.n - shape.l; j-- > 0;) {
        mpz_mul(q[j], q[j + shape.l], a);
        mpz_add(q[j], q[j], k->f[j + shape.l]);
        mpz_mod(q[j], q[j], k->order);
        mpz_mul(value, value, k->secret);
        mpz_add(value, value, q[j]);
        mpz_mod(value, value, k->order);
    }
    for (size_t j = 0; j < 2 * MOST; j++) {
        mpz_clear(q[j]);
    }
}

static size_t log2_of(size_t n)
{
    size_t bits = 0;
    while ((size_t)1 << bits < n) {
        bits++;
    }
    return bits;
}

/* a = w^rev(c), w of order 2k. */
static void coset_constant(const known_setup *k, size_t two_k, size_t c, mpz_t a)
{
    uint8_t raw[SCALAR];
    const size_t bits = log2_of(two_k);
    size_t exponent = 0;
    for (size_t b = 0; b < bits; b++) {
        exponent |= (c >> b & 1) << (bits - 1 - b);
    }
    assert_int_equal(sumac_root_of_unity(k->curve, (uint32_t)bits, raw), SUMAC_OK);
    mpz_import(a, SCALAR, -1, 1, 0, 0, raw);
    mpz_powm_ui(a, a, exponent, k->order);
}

/* Columns of the setup of n powers of the secret. */
static sumac_bases *make_columns(const known_setup *k, fk20_shape shape)
{
    uint8_t *monomial = test_alloc(shape.n * k->point_bytes),
            *columns = test_alloc(2 * shape.n * k->point_bytes);
    sumac_bases *bases;
    mpz_t power;
    mpz_init_set_ui(power, 1);
    for (size_t i = 0; i < shape.n; i++) {
        multiply_generator(k, power, monomial + i * k->point_bytes);
        mpz_mul(power, power, k->secret);
        mpz_mod(power, power, k->order);
    }
    test_status(k->context, fk20_list_columns(k->context, k->curve, shape, monomial, columns), SUMAC_OK,
                "columns");
    test_status(k->context, sumac_bases_create(k->context, k->curve, columns, 2 * shape.n, NULL, &bases),
                SUMAC_OK, "bases");
    mpz_clear(power);
    free(monomial);
    free(columns);
    return bases;
}

/* Two polynomials at once: f, and 0, whose proofs are infinity. */
static void check_shape(const known_setup *k, fk20_shape shape)
{
    const size_t two_k = 2 * shape.n / shape.l;
    uint8_t coefficients[MOST * SCALAR], expected[192];
    uint8_t *found = test_alloc(2 * two_k * k->point_bytes);
    sumac_bases *columns = make_columns(k, shape);
    work w = work_begin(k->context, k->curve);
    sumac_vector *f = work_scalars(&w, 2 * shape.n), *proofs = work_points(&w, 2 * two_k);
    for (size_t i = 0; i < shape.n; i++) {
        to_raw(coefficients + i * SCALAR, k->f[i]);
    }
    work_write(&w, f, 0, shape.n, coefficients);
    fk20_prove(&w, shape, columns, f, 2, proofs);
    work_read(&w, proofs, 0, 2 * two_k, found);
    test_status(k->context, work_end(&w), SUMAC_OK, "prove");
    mpz_t a, value;
    mpz_inits(a, value, NULL);
    for (size_t c = 0; c < two_k; c++) {
        coset_constant(k, two_k, c, a);
        divide_and_evaluate(k, shape, a, value);
        multiply_generator(k, value, expected);
        if (memcmp(found + c * k->point_bytes, expected, k->point_bytes) != 0) {
            test_abort("n = %zu, l = %zu: proof %zu is wrong", shape.n, shape.l, c);
        }
        for (size_t i = 0; i < k->point_bytes; i++) {
            assert_int_equal(found[(two_k + c) * k->point_bytes + i], 0);
        }
    }
    mpz_clears(a, value, NULL);
    sumac_bases_destroy(columns);
    free(found);
}

static void check_curve(const char *name)
{
    known_setup k = {.context = test_context(2, 0)};
    gmp_randstate_t random;
    gmp_randinit_default(random);
    assert_int_equal(sumac_curve_find(name, "g1", &k.curve), SUMAC_OK);
    const sumac_curve_info *info = sumac_curve_describe(k.curve);
    k.point_bytes = info->point_bytes;
    mpz_inits(k.order, k.secret, NULL);
    mpz_import(k.order, 4, -1, 8, 0, 0, info->order);
    mpz_urandomm(k.secret, random, k.order);
    for (size_t i = 0; i < MOST; i++) {
        mpz_init(k.f[i]);
        mpz_urandomm(k.f[i], random, k.order);
    }
    for (size_t n = 2; n <= (options.quick ? 8 : MOST); n *= 2) {
        for (size_t l = 1; l < n; l *= 2) {
            check_shape(&k, (fk20_shape){n, l});
        }
    }
    for (size_t i = 0; i < MOST; i++) {
        mpz_clear(k.f[i]);
    }
    mpz_clears(k.order, k.secret, NULL);
    gmp_randclear(random);
    sumac_context_destroy(k.context);
}

void test_fk20_shapes(void **state)
{
    (void)state;
    check_curve("bls12-381");
    check_curve("bn254");
}
