/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_convert.c: the fast subgroup tests against multiplication by r, by the library and by GMP. */
#include <jansson.h>
#include <stdio.h>

#include "test_convert_support.h"

/* The points again from their x alone, with the test of the subgroup; that at `place` is in it or not. */
static void check_lifted(test_curve *t, const uint8_t *block, size_t n, size_t place, int expected)
{
    const convert_ops *convert = tested_code(t)->convert;
    const size_t bytes = t->info->point_bytes;
    AUTO_FREE uint8_t *lifted = test_alloc(n * bytes), *sides = test_alloc(n), *zero = test_alloc(bytes);
    size_t bad = n;
    memset(zero, 0, bytes);
    for (size_t i = 0; i < n; i++) {
        const uint8_t *raw = block + i * bytes;
        memcpy(lifted + i * bytes, raw, bytes / 2);
        memset(lifted + i * bytes + bytes / 2, 0, bytes / 2);
        sides[i] = memcmp(raw, zero, bytes) == 0 ? LIFT_NONE
                   : convert->y_is_larger(raw)   ? LIFT_LARGER
                                                 : LIFT_SMALLER;
    }
    assert_int_equal(convert->lift_x(lifted, sides, n, SUMAC_CHECK_SUBGROUP, &bad),
                     expected ? SUMAC_OK : SUMAC_NOT_IN_SUBGROUP);
    if (expected) {
        assert_memory_equal(lifted, block, n * bytes);
    } else {
        assert_int_equal(bad, place);
    }
}

/* The point among fifteen of the subgroup, at each place in turn: lanes tell them apart. */
static void check_among_others(test_curve *t, const uint8_t *raw, int expected)
{
    enum { N = 16 };
    static size_t place;
    const convert_ops *convert = tested_code(t)->convert;
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    const size_t bytes = t->info->point_bytes;
    AUTO_FREE uint8_t *block = test_alloc(N * bytes), *stored = test_alloc(N * bytes);
    size_t bad = N;
    for (size_t i = 0; i < N; i++) {
        sumac_curve_generator(t->curve, block + i * bytes);
        if (i == (place + 5) % N) {
            memset(block + i * bytes, 0, bytes); /* infinity */
        }
    }
    memcpy(block + place * bytes, raw, bytes);
    check_lifted(t, block, N, place, expected);
    assert_int_equal(convert->import_points(stored, block, N, &layout, SUMAC_CHECK_SUBGROUP, &bad),
                     expected ? SUMAC_OK : SUMAC_NOT_IN_SUBGROUP);
    if (!expected) {
        assert_int_equal(bad, place);
    }
    place = (place + 1) % N;
}

/* Both tests and an import with the check agree with GMP's r*P; 1 if the point is in the subgroup. */
static int check_subgroup(test_curve *t, const oracle_point *point)
{
    const convert_ops *convert = tested_code(t)->convert;
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    uint8_t raw[8 * POINT_WORDS];
    uint64_t stored[POINT_WORDS];
    size_t bad;
    oracle_point multiple;
    oracle_point_init(&multiple);
    oracle_mul(&t->oracle, &multiple, t->oracle.r, point);
    const int expected = multiple.is_infinity;
    oracle_point_clear(&multiple);
    oracle_point_to_raw(&t->oracle, raw, point);
    assert_int_equal(convert->import_points(stored, raw, 1, &layout, SUMAC_CHECK_CURVE, &bad), SUMAC_OK);
    assert_int_equal(convert->is_in_subgroup(stored), expected);
    assert_int_equal(convert->is_in_subgroup_by_order(stored), expected);
    assert_int_equal(import_one(t, raw, &layout, SUMAC_CHECK_SUBGROUP),
                     expected ? SUMAC_OK : SUMAC_NOT_IN_SUBGROUP);
    check_among_others(t, raw, expected);
    return expected;
}

void test_subgroup(void **state)
{
    test_curve *t = *state;
    const int count = options.quick ? 3 : 20;
    ORACLE_POINT(inside);
    ORACLE_POINT(outside);
    ORACLE_POINT(torsion);
    TEST_NUMBERS(k);
    assert_true(check_subgroup(t, &torsion)); /* infinity */
    for (int i = 0; i < count; i++) {
        mpz_urandomm(k, t->random, t->oracle.r);
        oracle_mul_generator(&t->oracle, &inside, k);
        assert_true(check_subgroup(t, &inside));
        oracle_random_curve_point(&t->oracle, &outside, t->random);
        assert_int_equal(check_subgroup(t, &outside), t->info->cofactor_is_one);
        /* Of an order that divides the cofactor, alone and added to a point of order r. */
        oracle_mul(&t->oracle, &torsion, t->oracle.r, &outside);
        assert_int_equal(torsion.is_infinity, t->info->cofactor_is_one);
        check_subgroup(t, &torsion);
        oracle_add(&t->oracle, &torsion, &torsion, &inside);
        assert_int_equal(check_subgroup(t, &torsion), t->info->cofactor_is_one);
    }
}

/* A number from the curve's data file; 0 if it is not there. */
static int read_data(const test_curve *t, const char *key, mpz_t value)
{
    char path[512];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s_%s.json", SUMAC_TEST_CURVES, t->info->name, t->info->group);
    for (char *c = path + strlen(SUMAC_TEST_CURVES); *c != '\0'; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    json_t *data = json_load_file(path, 0, &error);
    const char *text = json_string_value(json_object_get(data, key));
    const int found = text != NULL && mpz_set_str(value, text, 0) == 0;
    json_decref(data);
    return found;
}

/*
 * The cofactor h of a group over Fp2 from that of the same curve over Fp: with t the trace over Fp and 3*y^2
 * = 4p^2 - t2^2, t2 = t^2 - 2p, the sextic twists have p^2 + 1 - (+-t2 +- 3y)/2 points; the right one kills
 * random points.
 */
static int find_twist_cofactor(test_curve *t, mpz_t cofactor)
{
    TEST_NUMBERS(h1, trace, t2, y, sum, order);
    int found = 0;
    ORACLE_POINT(point);
    ORACLE_POINT(multiple);
    if (t->info->degree == 2 && read_data(t, "base_cofactor", h1)) {
        mpz_mul(trace, h1, t->oracle.r);
        mpz_sub(trace, t->oracle.p, trace);
        mpz_add_ui(trace, trace, 1);
        mpz_mul(t2, trace, trace);
        mpz_submul_ui(t2, t->oracle.p, 2);
        mpz_mul(y, t->oracle.p, t->oracle.p);
        mpz_mul_2exp(y, y, 2);
        mpz_submul(y, t2, t2);
        assert_true(mpz_divisible_ui_p(y, 3));
        mpz_divexact_ui(y, y, 3);
        assert_true(mpz_perfect_square_p(y));
        mpz_sqrt(y, y);
        oracle_random_curve_point(&t->oracle, &point, t->random);
        for (int signs = 0; signs < 4 && !found; signs++) {
            mpz_mul_si(sum, y, signs & 1 ? -3 : 3);
            mpz_add(sum, sum, t2);
            mpz_mul_si(sum, sum, signs & 2 ? -1 : 1);
            assert_true(mpz_even_p(sum));
            mpz_divexact_ui(sum, sum, 2);
            mpz_mul(order, t->oracle.p, t->oracle.p);
            mpz_add_ui(order, order, 1);
            mpz_sub(order, order, sum);
            oracle_mul(&t->oracle, &multiple, order, &point);
            found = multiple.is_infinity;
        }
        mpz_divexact(cofactor, order, t->oracle.r);
    }
    return found;
}

static int is_prime(unsigned long n)
{
    unsigned long divisor = 2;
    while (divisor * divisor <= n && n % divisor != 0) {
        divisor++;
    }
    return divisor * divisor > n;
}

/* All points of a group of prime order, which is not r, but for infinity. */
static void check_multiples(test_curve *t, const oracle_point *point)
{
    const convert_ops *convert = tested_code(t)->convert;
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    ORACLE_POINT(multiple);
    for (oracle_add(&t->oracle, &multiple, &multiple, point); !multiple.is_infinity;
         oracle_add(&t->oracle, &multiple, &multiple, point)) {
        uint8_t raw[8 * POINT_WORDS];
        uint64_t stored[POINT_WORDS];
        size_t bad;
        oracle_point_to_raw(&t->oracle, raw, &multiple);
        assert_int_equal(convert->import_points(stored, raw, 1, &layout, SUMAC_CHECK_CURVE, &bad), SUMAC_OK);
        assert_false(convert->is_in_subgroup(stored));
    }
}

/* Points whose order is a power of a small prime: (order of the curve / that power) * any point. */
void test_small_orders(void **state)
{
    test_curve *t = *state;
    TEST_NUMBERS(cofactor, rest);
    int tried = 0, walked = 0;
    ORACLE_POINT(point);
    ORACLE_POINT(torsion);
    if (t->info->cofactor_is_one ||
        (!read_data(t, "cofactor", cofactor) && !find_twist_cofactor(t, cofactor))) {
        skip();
    }
    for (unsigned long divisor = 2; divisor < 20000 && tried < (options.quick ? 2 : 12); divisor++) {
        if (!mpz_divisible_ui_p(cofactor, divisor) || !is_prime(divisor)) {
            continue;
        }
        mpz_mul(rest, cofactor, t->oracle.r);
        int powers = 0;
        while (mpz_divisible_ui_p(rest, divisor)) {
            mpz_divexact_ui(rest, rest, divisor);
            powers++;
        }
        for (int i = 0; i < 4; i++) {
            oracle_random_curve_point(&t->oracle, &point, t->random);
            oracle_mul(&t->oracle, &torsion, rest, &point);
            assert_int_equal(check_subgroup(t, &torsion), torsion.is_infinity);
            tried += !torsion.is_infinity;
            if (powers == 1 && !walked && !torsion.is_infinity) {
                check_multiples(t, &torsion);
                walked = 1;
            }
            oracle_add(&t->oracle, &torsion, &torsion, &t->oracle.generator);
            check_subgroup(t, &torsion);
        }
    }
    print_message("%d points of small order\n", tried);
}
