/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares square roots in one curve's field with GMP's Legendre symbol. It is compiled once per curve and
 * variant. The operands are zero, small integers and their negatives, and random elements. Over Fp2 there are also
 * elements with c0 = 0 or c1 = 0. Other operands have every order 2^i times an odd number, so that Tonelli-Shanks does
 * every number of rounds that is possible.
 */
#include "math/sqrt.h"
#include "support/harness.h"

#include <string.h>

enum { SMALL = 40, RANDOM = 300 };

/* Convert an integer of any sign and size to Montgomery form. */
static fp to_fp(const test_group *t, const mpz_t integer)
{
    fp a = {{0}};
    TEST_NUMBERS(stored);
    mpz_mul(stored, integer, t->oracle.montgomery);
    mpz_mod(stored, stored, t->oracle.p);
    mpz_export(a.l, NULL, -1, 8, 0, 0, stored);
    return a;
}

/* Check that a has a root exactly if GMP says so. Check that the root's square is a, also if r aliases a, and that r
 * stays as it is if there is no root. */
static void check_fp(const test_group *t, const mpz_t integer)
{
    const fp a = to_fp(t, integer);
    fp root = a, square;
    assert_int_equal(fp_sqrt(&root, &root), mpz_legendre(integer, t->oracle.p) >= 0);
    if (mpz_legendre(integer, t->oracle.p) >= 0) {
        fp_sqr(&square, &root);
        assert_true(fp_eq(&square, &a));
    } else {
        assert_true(fp_eq(&root, &a));
    }
}

static void test_prime_field(void **state)
{
    test_group *t = *state;
    TEST_NUMBERS(a, unit, odd);
    for (int i = -SMALL; i <= SMALL; i++) {
        mpz_set_si(a, i);
        mpz_mod(a, a, t->oracle.p);
        check_fp(t, a);
    }
    mpz_sub_ui(odd, t->oracle.p, 1);
    const mp_bitcnt_t adicity = mpz_scan1(odd, 0);
    assert_int_equal(adicity, FP_TWO_ADICITY);
    mpz_tdiv_q_2exp(odd, odd, adicity);
    for (int i = 0; i < 8; i++) {
        /* For a nonresidue g, the order of g^odd is 2^adicity. Squaring it lowers the order step by step. */
        do {
            mpz_urandomm(unit, t->random, t->oracle.p);
        } while (mpz_legendre(unit, t->oracle.p) != -1);
        mpz_powm(a, unit, odd, t->oracle.p);
        for (mp_bitcnt_t order = 0; order <= adicity; order++) {
            check_fp(t, a);
            mpz_mul(a, a, a);
            mpz_mod(a, a, t->oracle.p);
        }
    }
    for (int i = 0; i < RANDOM; i++) {
        mpz_urandomm(a, t->random, t->oracle.p);
        check_fp(t, a);
        mpz_mul(a, a, a);
        mpz_mod(a, a, t->oracle.p);
        check_fp(t, a);
    }
}

#if FE_DEGREE == 2

/* c0 + c1*u is a square in Fp2 exactly if its norm c0^2 - u^2*c1^2 is a square in Fp. */
static void check_fp2(const test_group *t, const mpz_t c0, const mpz_t c1, int is_known_square)
{
    const fp2 a = {to_fp(t, c0), to_fp(t, c1)};
    fp2 root = a, square;
    TEST_NUMBERS(norm, other);
    mpz_mul(norm, c0, c0);
    mpz_mul(other, c1, c1);
    mpz_mul_si(other, other, FP2_NONRESIDUE);
    mpz_sub(norm, norm, other);
    mpz_mod(norm, norm, t->oracle.p);
    const int is_square = mpz_legendre(norm, t->oracle.p) >= 0;
    assert_true(is_square || !is_known_square);
    assert_int_equal(fp2_sqrt(&root, &root), is_square);
    if (is_square) {
        fp2_sqr(&square, &root);
        assert_true(fp2_eq(&square, &a));
    } else {
        assert_true(fp2_eq(&root, &a));
    }
}

static void test_extension(void **state)
{
    test_group *t = *state;
    TEST_NUMBERS(zero, a, b, c0, c1);
    for (int i = -SMALL; i <= SMALL; i++) {
        mpz_set_si(a, i);
        mpz_mod(a, a, t->oracle.p);
        check_fp2(t, a, zero, 1);
        check_fp2(t, zero, a, 0);
        check_fp2(t, a, a, 0);
    }
    for (int i = 0; i < RANDOM; i++) {
        mpz_urandomm(a, t->random, t->oracle.p);
        mpz_urandomm(b, t->random, t->oracle.p);
        check_fp2(t, a, zero, 1);
        check_fp2(t, zero, a, 0);
        check_fp2(t, a, b, 0);
        /* This is (a + b*u)^2. */
        mpz_mul(c1, b, b);
        mpz_mul_si(c1, c1, FP2_NONRESIDUE);
        mpz_mul(c0, a, a);
        mpz_add(c0, c0, c1);
        mpz_mod(c0, c0, t->oracle.p);
        mpz_mul(c1, a, b);
        mpz_mul_2exp(c1, c1, 1);
        mpz_mod(c1, c1, t->oracle.p);
        check_fp2(t, c0, c1, 1);
    }
}

#endif

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"prime field", test_prime_field, TEST_EVERY_AND_TINY},
#if FE_DEGREE == 2
        {"extension", test_extension, TEST_EVERY_AND_TINY},
#endif
    };
    options.curve = CURVE_NAME "/" CURVE_GROUP;
    return test_main("sqrt", entries, sizeof entries / sizeof *entries, argc, argv);
}
