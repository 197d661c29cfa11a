/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares the field layer of one curve with GMP. It is compiled once per curve and variant. The operands are
 * all pairs of special values, and pairs of random ones, some of which have whole limbs of 0 or ~0.
 */
#include "math/curve.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SPECIAL = 400, RANDOM_PAIRS = 20000, RANDOM_INVERSES = 2000 };

static mpz_t modulus, r_mod_p, r_inverse;
static fp special[MAX_SPECIAL];
static int special_count;
static uint64_t random_state = 1;

/* This is splitmix64 (Steele, Lea, Flood 2014), which gives the same sequence in every run. */
static uint64_t random_limb(void)
{
    random_state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void mpz_from_limbs(mpz_t z, const uint64_t *limbs)
{
    mpz_import(z, FP_LIMBS, -1, sizeof limbs[0], 0, 0, limbs);
}

/* The input satisfies 0 <= z < R. */
static void limbs_from_mpz(uint64_t *limbs, const mpz_t z)
{
    memset(limbs, 0, FP_LIMBS * sizeof limbs[0]);
    mpz_export(limbs, NULL, -1, sizeof limbs[0], 0, 0, z);
}

static void assert_limbs(const fp *actual, const mpz_t expected)
{
    fp wanted;
    limbs_from_mpz(wanted.l, expected);
    assert_memory_equal(actual->l, wanted.l, sizeof wanted.l);
}

static void add_special(mpz_t z)
{
    mpz_mod(z, z, modulus);
    assert_true(special_count < MAX_SPECIAL);
    limbs_from_mpz(special[special_count++].l, z);
}

/* Make the special values. They are chosen as stored, in Montgomery form, because carries depend on the stored limbs. */
static void make_special(void)
{
    TEST_NUMBERS(z);
    for (unsigned long distance = 0; distance <= 3; distance++) {
        mpz_set_ui(z, distance);
        add_special(z);
        mpz_sub_ui(z, modulus, distance + 1);
        add_special(z);
        mpz_tdiv_q_2exp(z, modulus, 1);
        mpz_add_ui(z, z, distance);
        add_special(z);
    }
    for (unsigned bit = 1; bit < FP_BITS; bit += bit % 64 == 63 || bit % 64 == 0 ? 1 : 21) {
        mpz_set_ui(z, 0);
        mpz_setbit(z, bit);
        add_special(z);
        mpz_sub_ui(z, z, 1);
        add_special(z);
        mpz_sub(z, modulus, z);
        add_special(z);
    }
    /* The limbs of these values are 0 or all ones. A second value of each pattern has the top limb of p, so that it is
     * close to p. */
    for (unsigned pattern = 0; pattern < 64; pattern++) {
        uint64_t limbs[FP_LIMBS];
        for (int i = 0; i < FP_LIMBS; i++) {
            limbs[i] = (pattern >> (i % 6)) & 1 ? UINT64_MAX : 0;
        }
        mpz_from_limbs(z, limbs);
        add_special(z);
        limbs[FP_LIMBS - 1] = fp_modulus[FP_LIMBS - 1];
        mpz_from_limbs(z, limbs);
        add_special(z);
    }
    mpz_set(z, r_mod_p);
    add_special(z);
}

/* Draw any stored value below p. In one of four, some limbs are 0 or all ones. */
static void random_fp(fp *r)
{
    TEST_NUMBERS(z);
    const uint64_t kinds = random_limb() % 4 == 0 ? random_limb() : 0;
    for (int i = 0; i < FP_LIMBS; i++) {
        const uint64_t kind = (kinds >> (2 * i)) & 3;
        r->l[i] = kind == 1 ? 0 : kind == 2 ? UINT64_MAX : random_limb();
    }
    mpz_from_limbs(z, r->l);
    mpz_mod(z, z, modulus);
    limbs_from_mpz(r->l, z);
}

typedef void (*pair_check)(const fp *a, const fp *b);

static void for_all_pairs(pair_check check)
{
    for (int i = 0; i < special_count; i++) {
        for (int j = 0; j < special_count; j++) {
            check(&special[i], &special[j]);
        }
    }
    for (int i = 0; i < RANDOM_PAIRS; i++) {
        fp a, b;
        random_fp(&a);
        random_fp(&b);
        check(&a, &b);
    }
}

typedef void (*binary)(fp *r, const fp *a, const fp *b);

/* Check operation(a, b), also if the result overwrites one of its arguments. */
static void assert_binary(binary operation, const fp *a, const fp *b, const mpz_t expected)
{
    fp r, first = *a, second = *b;
    operation(&r, a, b);
    assert_limbs(&r, expected);
    operation(&first, &first, b);
    assert_limbs(&first, expected);
    operation(&second, a, &second);
    assert_limbs(&second, expected);
    if (memcmp(a, b, sizeof *a) == 0) {
        first = *a;
        operation(&r, &first, &first);
        assert_limbs(&r, expected);
        operation(&first, &first, &first);
        assert_limbs(&first, expected);
    }
}

static void check_add_sub_mul(const fp *a, const fp *b)
{
    TEST_NUMBERS(x, y, expected);
    mpz_from_limbs(x, a->l);
    mpz_from_limbs(y, b->l);
    mpz_add(expected, x, y);
    mpz_mod(expected, expected, modulus);
    assert_binary(fp_add, a, b, expected);
    mpz_sub(expected, x, y);
    mpz_mod(expected, expected, modulus);
    assert_binary(fp_sub, a, b, expected);
    mpz_mul(expected, x, y);
    mpz_mul(expected, expected, r_inverse);
    mpz_mod(expected, expected, modulus);
    assert_binary(fp_mul, a, b, expected);
    assert_int_equal(fp_eq(a, b), mpz_cmp(x, y) == 0);
}

static void test_add_sub_mul(void)
{
    for_all_pairs(check_add_sub_mul);
}

/* Check a*b + b*b, where both products can be extreme at the same time. */
static void check_mul_pair(const fp *a, const fp *b)
{
    TEST_NUMBERS(x, y, expected);
    fp r, first = *a, last = *a;
    mpz_from_limbs(x, a->l);
    mpz_from_limbs(y, b->l);
    mpz_mul(expected, x, y);
    mpz_addmul(expected, y, y);
    mpz_mul(expected, expected, r_inverse);
    mpz_mod(expected, expected, modulus);
    fp_mul_pair(&r, a, b, b, b);
    assert_limbs(&r, expected);
    fp_mul_pair(&first, &first, b, b, b);
    assert_limbs(&first, expected);
    fp_mul_pair(&last, b, b, b, &last);
    assert_limbs(&last, expected);
}

static void test_mul_pair(void)
{
    for_all_pairs(check_mul_pair);
}

/* Choose factors so that their product, as stored, is a special value. If it is near 0 or p, a wrong decision about the last
 * subtraction shows. */
static void test_chosen_products(void)
{
    TEST_NUMBERS(x, y, target);
    for (int i = 0; i < special_count; i++) {
        for (int round = 0; round < 8; round++) {
            fp a, b, r;
            random_fp(&a);
            mpz_from_limbs(x, a.l);
            mpz_from_limbs(target, special[i].l);
            if (!mpz_invert(y, x, modulus)) {
                continue;
            }
            mpz_mul(y, y, target);
            mpz_mul(y, y, r_mod_p);
            mpz_mod(y, y, modulus);
            limbs_from_mpz(b.l, y);
            fp_mul(&r, &a, &b);
            assert_limbs(&r, target);
            /* This is x^((p + 1)/4). If p = 3 mod 4 and x is a square, it is a square root of x, so that its square is
             * special, too. */
            mpz_mul(x, target, r_mod_p);
            mpz_add_ui(y, modulus, 1);
            mpz_tdiv_q_2exp(y, y, 2);
            mpz_powm(y, x, y, modulus);
            limbs_from_mpz(b.l, y);
            mpz_mul(y, y, y);
            mpz_mul(y, y, r_inverse);
            mpz_mod(y, y, modulus);
            fp_sqr(&r, &b);
            assert_limbs(&r, y);
        }
    }
}

typedef void (*unary)(fp *r, const fp *a);

static void assert_unary(unary operation, const fp *a, const mpz_t expected)
{
    fp r, same = *a;
    operation(&r, a);
    assert_limbs(&r, expected);
    operation(&same, &same);
    assert_limbs(&same, expected);
}

static void check_unary(const fp *a)
{
    TEST_NUMBERS(x, expected);
    mpz_from_limbs(x, a->l);
    mpz_neg(expected, x);
    mpz_mod(expected, expected, modulus);
    assert_unary(fp_neg, a, expected);
    mpz_mul_2exp(expected, x, 1);
    mpz_mod(expected, expected, modulus);
    assert_unary(fp_double, a, expected);
    mpz_set(expected, x);
    if (mpz_odd_p(x)) {
        mpz_add(expected, x, modulus);
    }
    mpz_tdiv_q_2exp(expected, expected, 1);
    assert_unary(fp_halve, a, expected);
    mpz_mul(expected, x, x);
    mpz_mul(expected, expected, r_inverse);
    mpz_mod(expected, expected, modulus);
    assert_unary(fp_sqr, a, expected);
    mpz_mul(expected, x, r_inverse);
    mpz_mod(expected, expected, modulus);
    assert_unary(fp_from_mont, a, expected);
    mpz_mul(expected, x, r_mod_p);
    mpz_mod(expected, expected, modulus);
    assert_unary(fp_to_mont, a, expected);
    assert_int_equal(fp_is_zero(a), mpz_sgn(x) == 0);
    assert_true(fp_is_canonical(a->l));
    for (unsigned factor = 0; factor < 20; factor++) {
        fp r = *a;
        mpz_mul_ui(expected, x, factor);
        mpz_mod(expected, expected, modulus);
        fp_mul_small(&r, &r, factor);
        assert_limbs(&r, expected);
    }
}

static void test_unary(void)
{
    for (int i = 0; i < special_count; i++) {
        check_unary(&special[i]);
    }
    for (int i = 0; i < RANDOM_PAIRS; i++) {
        fp a;
        random_fp(&a);
        check_unary(&a);
    }
}

/* Compare an inverse with GMP's and with a^(p - 2), which also gives 0 for 0. */
static void check_inverse(const fp *a)
{
    TEST_NUMBERS(x, expected);
    fp fermat;
    mpz_from_limbs(x, a->l);
    if (mpz_sgn(x) != 0) {
        assert_true(mpz_invert(expected, x, modulus));
        mpz_mul(expected, expected, r_mod_p);
        mpz_mul(expected, expected, r_mod_p);
        mpz_mod(expected, expected, modulus);
    }
    assert_unary(fp_inv, a, expected);
    uint64_t exponent[FP_LIMBS];
    mpz_sub_ui(x, modulus, 2);
    limbs_from_mpz(exponent, x);
    fp_pow(&fermat, a, exponent, FP_LIMBS);
    assert_limbs(&fermat, expected);
}

static void test_inverse(void)
{
    for (int i = 0; i < special_count; i++) {
        check_inverse(&special[i]);
    }
    for (int i = 0; i < RANDOM_INVERSES; i++) {
        fp a;
        random_fp(&a);
        check_inverse(&a);
        /* Such values have few bits. */
        for (int limb = 1; limb < FP_LIMBS; limb++) {
            a.l[limb] = 0;
        }
        a.l[0] >>= random_limb() % 64;
        check_inverse(&a);
    }
}

static void test_pow(void)
{
    TEST_NUMBERS(x, e, expected);
    for (int i = 0; i < 200; i++) {
        fp a, r;
        uint64_t exponent[3] = {random_limb() >> (i % 64), random_limb(), random_limb()};
        const size_t count = (size_t)(i % 4);
        random_fp(&a);
        fp_from_mont(&r, &a);
        mpz_from_limbs(x, r.l);
        mpz_import(e, count, -1, sizeof exponent[0], 0, 0, exponent);
        mpz_powm(expected, x, e, modulus);
        fp_pow(&a, &a, exponent, count);
        fp_from_mont(&r, &a);
        assert_limbs(&r, expected);
    }
}

static void test_constants_and_bounds(void)
{
    TEST_NUMBERS(z);
    fp a, b;
    mpz_ui_pow_ui(z, 2, 64 * FP_LIMBS);
    mpz_mod(z, z, modulus);
    fp_set_one(&a);
    assert_limbs(&a, z);
    mpz_mul(z, z, z);
    mpz_mod(z, z, modulus);
    memcpy(b.l, fp_r2_mod_p, sizeof b.l);
    assert_limbs(&b, z);
    assert_true(fp_modulus[0] * FP_INV == UINT64_MAX);
    assert_int_equal(mpz_sizeinbase(modulus, 2), FP_BITS);
    assert_false(fp_is_canonical(fp_modulus));
    mpz_sub_ui(z, modulus, 1);
    limbs_from_mpz(b.l, z);
    assert_true(fp_is_canonical(b.l));
    fp_cmov(&a, &b, 0);
    assert_false(fp_eq(&a, &b));
    fp_cmov(&a, &b, 2);
    assert_true(fp_eq(&a, &b));
    memset(b.l, 0xff, sizeof b.l);
    assert_false(fp_is_canonical(b.l));
    fp_set_zero(&b);
    assert_true(fp_is_zero(&b) && !fp_is_zero(&a));
}

#if FE_DEGREE == 2
/* ---- Fp2, compared with the schoolbook formulas in GMP ---- */

static void mpz_montgomery_product(mpz_t r, const mpz_t x, const mpz_t y)
{
    mpz_mul(r, x, y);
    mpz_mul(r, r, r_inverse);
    mpz_mod(r, r, modulus);
}

static void assert_fp2(const fp2 *actual, const mpz_t c0, const mpz_t c1)
{
    assert_limbs(&actual->c0, c0);
    assert_limbs(&actual->c1, c1);
}

/* Compute (a0 + a1*u)*(b0 + b1*u) in Montgomery form. */
static void mpz_fp2_mul(mpz_t c0, mpz_t c1, const fp2 *a, const fp2 *b)
{
    TEST_NUMBERS(a0, a1, b0, b1, product);
    mpz_from_limbs(a0, a->c0.l);
    mpz_from_limbs(a1, a->c1.l);
    mpz_from_limbs(b0, b->c0.l);
    mpz_from_limbs(b1, b->c1.l);
    mpz_montgomery_product(c0, a0, b0);
    mpz_montgomery_product(product, a1, b1);
    mpz_mul_si(product, product, FP2_NONRESIDUE);
    mpz_add(c0, c0, product);
    mpz_mod(c0, c0, modulus);
    mpz_montgomery_product(c1, a0, b1);
    mpz_montgomery_product(product, a1, b0);
    mpz_add(c1, c1, product);
    mpz_mod(c1, c1, modulus);
}

static void check_fp2_pair(const fp2 *a, const fp2 *b)
{
    TEST_NUMBERS(c0, c1);
    fp2 r, first = *a, second = *b;
    mpz_fp2_mul(c0, c1, a, b);
    fp2_mul(&r, a, b);
    assert_fp2(&r, c0, c1);
    fp2_mul(&first, &first, b);
    assert_fp2(&first, c0, c1);
    fp2_mul(&second, a, &second);
    assert_fp2(&second, c0, c1);
    mpz_fp2_mul(c0, c1, a, a);
    fp2_sqr(&r, a);
    assert_fp2(&r, c0, c1);
    first = *a;
    fp2_sqr(&first, &first);
    assert_fp2(&first, c0, c1);
    first = *a;
    fp2_mul(&first, &first, &first);
    assert_fp2(&first, c0, c1);
    fp2_add(&r, a, b);
    fp2_sub(&r, &r, b);
    assert_true(fp2_eq(&r, a));
}

static void random_fp2(fp2 *r)
{
    random_fp(&r->c0);
    random_fp(&r->c1);
}

static void check_fp2_special(const fp *a, const fp *b)
{
    fp2 x, y;
    x.c0 = *a;
    x.c1 = *b;
    y.c0 = *b;
    y.c1 = *a;
    check_fp2_pair(&x, &y);
    y.c0 = *b;
    y.c1 = *b;
    check_fp2_pair(&x, &y);
}

static void test_fp2_pairs(void)
{
    for_all_pairs(check_fp2_special);
    for (int i = 0; i < RANDOM_PAIRS; i++) {
        fp2 a, b;
        random_fp2(&a);
        random_fp2(&b);
        check_fp2_pair(&a, &b);
    }
}

static void check_fp2_unary(const fp2 *a)
{
    fp2 r, one, expected;
    fp2_set_one(&one);
    fp2_inv(&r, a);
    if (fp2_is_zero(a)) {
        assert_true(fp2_is_zero(&r));
    } else {
        fp2_mul(&r, &r, a);
        assert_true(fp2_eq(&r, &one));
    }
    r = *a;
    fp2_inv(&r, &r);
    fp2_inv(&r, &r);
    assert_true(fp2_eq(&r, a));
    fp2_conjugate(&r, a);
    assert_true(fp_eq(&r.c0, &a->c0));
    fp2_add(&r, &r, a);
    assert_true(fp_is_zero(&r.c1));
    fp2_neg(&r, a);
    fp2_add(&r, &r, a);
    assert_true(fp2_is_zero(&r));
    fp2_double(&r, a);
    fp2_halve(&expected, &r);
    assert_true(fp2_eq(&expected, a));
    fp2_set_zero(&r);
    fp2_cmov(&r, a, 0);
    assert_true(fp2_is_zero(&r));
    fp2_cmov(&r, a, 1);
    assert_true(fp2_eq(&r, a));
}

static void test_fp2_unary(void)
{
    for (int i = 0; i < special_count; i++) {
        fp2 a;
        a.c0 = special[i];
        a.c1 = special[special_count - 1 - i];
        check_fp2_unary(&a);
        fp_set_zero(&a.c1);
        check_fp2_unary(&a);
    }
    for (int i = 0; i < RANDOM_INVERSES; i++) {
        fp2 a;
        random_fp2(&a);
        check_fp2_unary(&a);
    }
}
#endif

static const test_entry entries[] = {
    {"constants and bounds", TEST_ONCE(test_constants_and_bounds)},
    {"sums, differences and products", TEST_ONCE(test_add_sub_mul)},
    {"sums of two products", TEST_ONCE(test_mul_pair)},
    {"chosen products", TEST_ONCE(test_chosen_products)},
    {"operations on one element", TEST_ONCE(test_unary)},
    {"inverses", TEST_ONCE(test_inverse)},
    {"powers", TEST_ONCE(test_pow)},
#if FE_DEGREE == 2
    {"pairs over Fp2", TEST_ONCE(test_fp2_pairs)},
    {"operations on one element of Fp2", TEST_ONCE(test_fp2_unary)},
#endif
};

int main(int argc, char **argv)
{
    mpz_inits(modulus, r_mod_p, r_inverse, NULL);
    mpz_from_limbs(modulus, fp_modulus);
    mpz_ui_pow_ui(r_mod_p, 2, 64 * FP_LIMBS);
    mpz_mod(r_mod_p, r_mod_p, modulus);
    mpz_invert(r_inverse, r_mod_p, modulus);
    make_special();
    const int status = test_main("field", entries, sizeof entries / sizeof *entries, argc, argv);
    mpz_clears(modulus, r_mod_p, r_inverse, NULL);
    return status;
}
