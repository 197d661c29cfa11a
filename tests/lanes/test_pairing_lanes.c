/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares Fp12 and the pairing in lanes with the scalar code of math/fp12.h and math/pairing.h, which
 * tests/math/test_pairing.c compares with a reference. Elements are random, have special coordinates, or lie in
 * subfields or the cyclotomic subgroup, with every representative that a function may be given. The last reduction is
 * also compared with GMP.
 */
#include <stdlib.h>
#include <string.h>

#include "base/instructions.h"
#include "lanes/pairing.h"
#include "cpu/engine.h"
#include "support/harness.h"

#ifndef SUMAC_PAIRING_LANES
#error "a curve whose pairing has lanes"
#endif

enum { ELEMENTS = 40, CYCLOTOMIC = 3 };

static gmp_randstate_t random_state;
static mpz_t prime;
static fp12 elements[ELEMENTS];
static fp to_lanes, from_lanes;
/* An operand may exceed its least representative by these multiples of p. */
static const unsigned excesses[] = {0, 1, FP12_LANES_BOUND / 2 - 1, FP12_LANES_BOUND - 1};
enum { EXCESSES = sizeof excesses / sizeof excesses[0] };

/* Draw 0, 1, p - 1, or any element. */
static void draw_coordinate(fp *r, unsigned long kinds)
{
    TEST_NUMBERS(value);
    switch (gmp_urandomm_ui(random_state, kinds)) {
    case 0:
        mpz_set_ui(value, 0);
        break;
    case 1:
        mpz_set_ui(value, 1);
        break;
    case 2:
        mpz_sub_ui(value, prime, 1);
        break;
    default:
        mpz_urandomm(value, random_state, prime);
        break;
    }
    memset(r, 0, sizeof *r);
    mpz_export(r->l, NULL, -1, sizeof(uint64_t), 0, 0, value);
}

/* Draw elements. The first ones have only special coordinates. Then come elements of Fp, Fp2 and Fp6, then random ones,
 * and at the end cyclotomic ones. */
static void draw_elements(void)
{
    for (int i = 0; i < ELEMENTS; i++) {
        fp *coordinates = (fp *)(void *)&elements[i];
        const int kept = i == 20 ? 1 : i == 21 ? 2 : i == 22 ? 6 : 12;
        memset(&elements[i], 0, sizeof elements[i]);
        for (int j = 0; j < kept; j++) {
            draw_coordinate(&coordinates[j], i < 20 ? 3 : 100);
        }
    }
    memset(&elements[0], 0, sizeof elements[0]);
    fp12_set_one(&elements[1]);
    fp12_set_one(&elements[ELEMENTS - CYCLOTOMIC]);
    for (int i = ELEMENTS - CYCLOTOMIC + 1; i < ELEMENTS; i++) {
        pairing_easy_part(&elements[i], &elements[i]);
    }
}

static void need_avx512(void)
{
    if (!cpu_has_avx512()) {
        skip();
    }
}

/* Load a, and add excess*p to each lane, also to lanes that hold no coefficient. */
static void load(fpv *r, const fp12 *a, unsigned excess)
{
    fp12_lanes_load(r, a, &to_lanes);
    fp12_lanes_carry(r, r, excess);
}

static void expect(const fpv *a, const fp12 *expected, const char *label, int element, unsigned excess)
{
    fp12 value;
    fp12_lanes_store(&value, a, &from_lanes);
    if (memcmp(&value, expected, sizeof value) != 0) {
        fail_msg("%s of element %d with %u times p more", label, element, excess);
    }
}

static void test_load_and_store(void)
{
    fpv a;
    need_avx512();
    for (int i = 0; i < ELEMENTS; i++) {
        for (int e = 0; e < EXCESSES; e++) {
            load(&a, &elements[i], excesses[e]);
            expect(&a, &elements[i], "value", i, excesses[e]);
        }
    }
}

/* V + k*p for all k that fp12_lanes_fold() takes is given as uncarried digits of either sign and any size. */
static void test_fold(void)
{
    fpv a, least;
    fp12 value, expected;
    need_avx512();
    for (int i = 0; i < ELEMENTS; i++) {
        fp12_lanes_load(&least, &elements[i], &to_lanes);
        fp12_lanes_store(&expected, &least, &from_lanes);
        assert_memory_equal(&expected, &elements[i], sizeof expected);
        for (int k = 1 - FP12_FOLD_OFFSET; k < 127 - FP12_FOLD_OFFSET; k++) {
            for (int v = 0; v < FPV_VECTORS; v++) {
                for (int j = 0; j < FPV_DIGITS; j++) {
                    /* each digit borrows 2^8 units or more from the next one, or lends them */
                    const int64_t lent = j + 1 < FPV_DIGITS ? 300 + 17 * j : 0;
                    const int64_t returned = j > 0 ? 300 + 17 * (j - 1) : 0;
                    const int64_t sign = (i + j) % 2 == 0 ? 1 : -1, before = -sign;
                    const int64_t change =
                        (int64_t)fpv_modulus_digit(j) * k + sign * (lent << 52) - before * returned;
                    a.d[v][j] = _mm512_add_epi64(least.d[v][j], _mm512_set1_epi64(change));
                }
            }
            fp12_lanes_fold(&a);
            assert_true(fpv_is_below(&a, 2));
            fp12_lanes_store(&value, &a, &from_lanes);
            if (memcmp(&value, &expected, sizeof value) != 0) {
                fail_msg("element %d and %d times p", i, k);
            }
        }
    }
}

static void test_mul(void)
{
    fpv a, b, r;
    fp12 expected;
    need_avx512();
    for (int i = 0; i < ELEMENTS; i++) {
        for (int j = 0; j < ELEMENTS; j++) {
            const unsigned excess = excesses[(i + j) % EXCESSES];
            load(&a, &elements[i], excess);
            load(&b, &elements[j], excesses[j % EXCESSES]);
            fp12_mul(&expected, &elements[i], &elements[j]);
            fp12_lanes_mul(&r, &a, &b);
            expect(&r, &expected, "product", i, excess);
            fp12_lanes_mul(&a, &a, &b);
            expect(&a, &expected, "product in place", i, excess);
        }
    }
}

static void test_one_operand(void)
{
    fpv a, r;
    fp12 expected;
    need_avx512();
    for (int i = 0; i < ELEMENTS; i++) {
        for (int e = 0; e < EXCESSES; e++) {
            load(&a, &elements[i], excesses[e]);
            fp12_sqr(&expected, &elements[i]);
            fp12_lanes_sqr(&r, &a);
            expect(&r, &expected, "square", i, excesses[e]);
            fp12_cyclotomic_sqr(&expected, &elements[i]);
            fp12_lanes_cyclotomic_sqr(&r, &a);
            expect(&r, &expected, "cyclotomic square", i, excesses[e]);
            fp12_conjugate(&expected, &elements[i]);
            fp12_lanes_conjugate(&r, &a);
            expect(&r, &expected, "conjugate", i, excesses[e]);
            fp12_frobenius(&expected, &elements[i]);
            fp12_lanes_frobenius(&r, &a, &to_lanes);
            expect(&r, &expected, "p-th power", i, excesses[e]);
            fp12_frobenius_q(&expected, &elements[i]);
            fp12_lanes_frobenius_2(&r, &a, &to_lanes);
            expect(&r, &expected, "p^2-th power", i, excesses[e]);
        }
    }
}

/* Lines have a factor of R, and so has the result. */
static void test_mul_line(void)
{
    fpv f, coefficient;
    pairing_line line;
    fp12 expected, value;
    fp one;
    need_avx512();
    fp_set_one(&one);
    for (int i = 0; i < ELEMENTS; i++) {
        for (int j = 0; j < ELEMENTS; j++) {
            const fp2 coefficients[LINE_COEFFICIENTS] = {elements[j].c0.c0, elements[j].c0.c1,
                                                         elements[j].c1.c1};
            fp12_factor factors[LINE_COEFFICIENTS];
            const uint64_t *words[LINE_COEFFICIENTS];
            for (int k = 0; k < LINE_COEFFICIENTS; k++) {
                const int lane = (i + j + 3 * k) % 8;
                fp2 lanes[8] = {0};
                lanes[lane] = coefficients[k];
                fp2_lanes_load(&coefficient, lanes, 1);
                fp12_lanes_carry(&coefficient, &coefficient, excesses[(i + k) % EXCESSES]);
                fp12_factor_set(&factors[k], &coefficient);
                words[k] = fp12_factor_words(&factors[k]) + lane;
            }
            line.b = coefficients[LINE_NUMERATOR];
#if CURVE_TWIST_M
            line.a = coefficients[LINE_CONSTANT];
            line.c = coefficients[LINE_DENOMINATOR];
#else
            line.a = coefficients[LINE_DENOMINATOR];
            line.c = coefficients[LINE_CONSTANT];
#endif
            load(&f, &elements[i], excesses[j % EXCESSES]);
            fp12_mul_line(&expected, &elements[i], &line);
            fp12_lanes_mul_line(&f, words);
            fp12_lanes_store(&value, &f, &one);
            assert_memory_equal(&value, &expected, sizeof value);
        }
    }
}

static void test_powers(void)
{
    fpv a, r;
    fp12 expected, value;
    need_avx512();
    for (int i = ELEMENTS - CYCLOTOMIC; i < ELEMENTS; i++) {
        for (int e = 0; e < EXCESSES; e++) {
            load(&a, &elements[i], excesses[e]);
            pairing_pow_x(&expected, &elements[i]);
            pairing_lanes_pow_x(&r, &a);
            expect(&r, &expected, "power of x", i, excesses[e]);
        }
        pairing_hard_part(&expected, &elements[i]);
        pairing_lanes_hard_part(&value, &elements[i]);
        assert_memory_equal(&value, &expected, sizeof value);
    }
}

/* Pairs need not lie on the curves, because both codes compute the same with any pair. Some have a point at infinity, and
 * some have prepared lines. */
static void test_miller_loops(void)
{
    static pairing_g1 p[PAIRING_BLOCK];
    static affine q[PAIRING_BLOCK];
    static pairing_slope prepared[PAIRING_BLOCK * PAIRING_MOST_STEPS];
    static pairing_lanes_scratch scratch;
    static const struct {
        size_t n, prepared;
    } counts[] = {
        {0, 0}, {1, 0}, {1, 1}, {2, 0}, {3, 2}, {7, 0}, {8, 8}, {PAIRING_BLOCK, 0}, {PAIRING_BLOCK, 9}};
    pairing_step steps[PAIRING_MOST_STEPS];
    const size_t count = (size_t)pairing_steps(steps);
    fp12 value, expected, power;
    need_avx512();
    for (int i = 0; i < PAIRING_BLOCK; i++) {
        draw_coordinate(&p[i].x, 30);
        draw_coordinate(&p[i].y, 30);
        draw_coordinate(&q[i].x.c0, 30);
        draw_coordinate(&q[i].x.c1, 30);
        draw_coordinate(&q[i].y.c0, 30);
        draw_coordinate(&q[i].y.c1, 30);
    }
    memset(&p[2], 0, sizeof p[2]);
    memset(&q[5], 0, sizeof q[5]);
    for (size_t i = 0; i < PAIRING_BLOCK; i++) {
        pairing_prepare(&prepared[i * count], &q[i]);
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const pairing_pairs pairs = {
            .p = p, .q = q, .lines = prepared, .prepared = counts[i].prepared, .n = counts[i].n};
        pairing_miller_loops(&expected, &pairs, &scratch.pairs);
        pairing_easy_part(&power, &expected);
        pairing_hard_part(&expected, &power);
        pairing_lanes_miller_loops(&value, &pairs, &scratch);
        pairing_easy_part(&power, &value);
        pairing_hard_part(&value, &power);
        assert_memory_equal(&value, &expected, sizeof value);
    }
}

static const test_entry entries[] = {
    {"values in and out", TEST_ONCE(test_load_and_store)},
    {"folded digits", TEST_ONCE(test_fold)},
    {"products", TEST_ONCE(test_mul)},
    {"operations on one element", TEST_ONCE(test_one_operand)},
    {"products with lines", TEST_ONCE(test_mul_line)},
    {"powers", TEST_ONCE(test_powers)},
    {"Miller loops", TEST_ONCE(test_miller_loops)},
};

int main(int argc, char **argv)
{
    gmp_randinit_default(random_state);
    gmp_randseed_ui(random_state, 20261122);
    mpz_init(prime);
    mpz_import(prime, FP_LIMBS, -1, sizeof(uint64_t), 0, 0, fp_modulus);
    draw_elements();
    fp12_lanes_factors(&to_lanes, &from_lanes);
    const int status = test_main("pairing_lanes", entries, sizeof entries / sizeof *entries, argc, argv);
    gmp_randclear(random_state);
    mpz_clear(prime);
    return status;
}
