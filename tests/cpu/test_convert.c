/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests src/cpu/convert.c for every curve. GMP is the oracle for the conversion and refusal of points and for
 * lifting x. Multiplication by r is the oracle for the fast subgroup tests.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/point_layout.h"
#include "curves/group_code.h"
#include "pipeline/engine.h"
#include "support/harness.h"

enum { POINT_WORDS = 4 * 12 }; /* one point of any curve */

/* Return the code under test. */
static const group_code *tested_code(const test_group *t)
{
    const group_code *const *code = registered(t->group)->variants;
    while (code[1] != NULL && options.variant != NULL && strcmp((*code)->variant, options.variant) != 0) {
        code++;
    }
    return *code;
}

static point_layout packed(const test_group *t, sumac_form form)
{
    const point_layout layout = {.form = form, .stride = t->info->point_bytes};
    return layout;
}

static sumac_status import_one(const test_group *t, const void *raw, const point_layout *layout,
                               sumac_check check)
{
    uint64_t stored[POINT_WORDS];
    size_t bad = 99;
    const sumac_status status = tested_code(t)->convert->import_points(stored, raw, 1, layout, check, &bad);
    assert_int_equal(bad, status == SUMAC_OK ? 99 : 0);
    return status;
}

/* ---- import and export ---- */

/* Make points of the subgroup and of the whole curve, and infinity, as raw bytes. */
static uint8_t *some_points(test_group *t, size_t n)
{
    const size_t bytes = t->info->point_bytes;
    uint8_t *raw = test_alloc(n * bytes);
    ORACLE_POINT(point);
    test_random_points(t, raw, NULL, n);
    for (size_t i = 0; i < n; i += 2) {
        oracle_random_curve_point(&t->oracle, &point, t->random);
        oracle_point_to_raw(&t->oracle, raw + i * bytes, &point);
    }
    memset(raw + n / 2 * bytes, 0, bytes);
    return raw;
}

/* Convert raw points with GMP to Montgomery form, in which the CPU stores them. */
static uint8_t *in_montgomery_form(test_group *t, const uint8_t *raw, size_t n)
{
    uint8_t *stored = test_alloc(n * t->info->point_bytes);
    ORACLE_POINT(point);
    for (size_t i = 0; i < n; i++) {
        oracle_point_from_raw(&t->oracle, &point, raw + i * t->info->point_bytes);
        oracle_point_to_affine(&t->oracle, stored + i * t->info->point_bytes, &point);
    }
    return stored;
}

static void test_round_trips(void **state)
{
    test_group *t = *state;
    enum { N = 33 };
    const convert_ops *convert = tested_code(t)->convert;
    const size_t bytes = t->info->point_bytes;
    AUTO_FREE uint8_t *raw = some_points(t, N), *montgomery = in_montgomery_form(t, raw, N);
    AUTO_FREE uint8_t *stored = test_alloc(N * bytes), *exported = test_alloc(N * bytes);
    assert_int_equal(tested_code(t)->affine_bytes, bytes);
    for (int form = SUMAC_FORM_CANONICAL; form <= SUMAC_FORM_MONTGOMERY; form++) {
        const point_layout layout = packed(t, (sumac_form)form);
        const uint8_t *input = form == SUMAC_FORM_CANONICAL ? raw : montgomery;
        size_t bad = 0;
        memset(stored, 0xa5, N * bytes);
        assert_int_equal(convert->import_points(stored, input, N, &layout, SUMAC_CHECK_CURVE, &bad),
                         SUMAC_OK);
        assert_memory_equal(stored, montgomery, N * bytes);
        convert->export_points(exported, stored, N, (sumac_form)form);
        assert_memory_equal(exported, input, N * bytes);
    }
}

/* Records lie at odd addresses with a gap after each point. The byte that flags infinity is at any position in the
 * gap. */
static void test_strides_and_flags(void **state)
{
    test_group *t = *state;
    enum { N = 9, FLAGGED = 4 };
    const convert_ops *convert = tested_code(t)->convert;
    const size_t bytes = t->info->point_bytes, stride = bytes + 11;
    AUTO_FREE uint8_t *raw = some_points(t, N);
    AUTO_FREE uint8_t *records = test_alloc(N * stride + 1), *stored = test_alloc(N * bytes),
                      *exported = test_alloc(N * bytes);
    test_random_points(t, raw, NULL, N);
    for (size_t offset = bytes; offset < stride; offset += 5) {
        const point_layout layout = {SUMAC_FORM_CANONICAL, stride, SUMAC_INFINITY_FLAG, offset};
        size_t bad = 0;
        memset(records, 0xff, N * stride + 1);
        for (size_t i = 0; i < N; i++) {
            memcpy(records + 1 + i * stride, raw + i * bytes, bytes);
            records[1 + i * stride + offset] = (uint8_t)(i == FLAGGED ? 1 << offset % 8 : 0);
        }
        /* Only the flag decides, so that this record's coordinates need not be field elements. */
        memset(records + 1 + FLAGGED * stride, 0xff, bytes);
        assert_int_equal(convert->import_points(stored, records + 1, N, &layout, SUMAC_CHECK_SUBGROUP, &bad),
                         SUMAC_OK);
        convert->export_points(exported, stored, N, SUMAC_FORM_CANONICAL);
        for (size_t i = 0; i < N; i++) {
            uint8_t expected[8 * POINT_WORDS] = {0};
            memcpy(expected, i == FLAGGED ? expected : raw + i * bytes, bytes);
            assert_memory_equal(exported + i * bytes, expected, bytes);
        }
    }
}

/* ---- refused records ---- */

static void add_to_element(const test_group *t, uint8_t *element, long difference)
{
    TEST_NUMBERS(value);
    mpz_import(value, t->info->field_bytes, -1, 1, 0, 0, element);
    if (difference < 0) {
        mpz_sub_ui(value, value, (unsigned long)-difference);
    } else {
        mpz_add_ui(value, value, (unsigned long)difference);
    }
    memset(element, 0, t->info->field_bytes);
    mpz_export(element, NULL, -1, 1, 0, 0, value);
}

static void test_large_coordinates(void **state)
{
    test_group *t = *state;
    const size_t element = t->info->field_bytes, elements = t->info->point_bytes / element;
    AUTO_FREE uint8_t *raw = some_points(t, 1);
    uint8_t record[8 * POINT_WORDS];
    test_random_points(t, raw, NULL, 1);
    for (size_t i = 0; i < elements; i++) {
        for (int form = SUMAC_FORM_CANONICAL; form <= SUMAC_FORM_MONTGOMERY; form++) {
            const point_layout layout = packed(t, (sumac_form)form);
            for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
                memcpy(record, raw, t->info->point_bytes);
                memcpy(record + i * element, t->info->modulus, element);
                assert_int_equal(import_one(t, record, &layout, (sumac_check)check), SUMAC_BAD_ENCODING);
                add_to_element(t, record + i * element, 1);
                assert_int_equal(import_one(t, record, &layout, (sumac_check)check), SUMAC_BAD_ENCODING);
                memset(record + i * element, 0xff, element);
                assert_int_equal(import_one(t, record, &layout, (sumac_check)check), SUMAC_BAD_ENCODING);
            }
            memcpy(record, raw, t->info->point_bytes);
            memcpy(record + i * element, t->info->modulus, element);
            add_to_element(t, record + i * element, -1);
            assert_int_equal(import_one(t, record, &layout, SUMAC_CHECK_NONE), SUMAC_OK);
        }
    }
    /* x = y = p is 0 modulo p, but does not encode infinity. */
    for (size_t i = 0; i < elements; i++) {
        memcpy(record + i * element, t->info->modulus, element);
    }
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    assert_int_equal(import_one(t, record, &layout, SUMAC_CHECK_NONE), SUMAC_BAD_ENCODING);
}

/* Return the oracle's status for a record. */
static sumac_status verdict_on(const test_group *t, const uint8_t *raw)
{
    ORACLE_POINT(point);
    oracle_point_from_raw(&t->oracle, &point, raw);
    int is_below_p = 1;
    for (unsigned j = 0; j < t->info->degree; j++) {
        is_below_p &= mpz_cmp(point.x.c[j], t->oracle.p) < 0 && mpz_cmp(point.y.c[j], t->oracle.p) < 0;
    }
    const sumac_status status = !is_below_p                                 ? SUMAC_BAD_ENCODING
                                : oracle_point_on_curve(&t->oracle, &point) ? SUMAC_OK
                                                                            : SUMAC_NOT_ON_CURVE;
    return status;
}

/* There are enough records for lanes. Each bit of one record is changed in turn, and a later record is wrong, too. */
static void test_off_the_curve(void **state)
{
    test_group *t = *state;
    enum { N = 37 };
    const size_t bytes = t->info->point_bytes;
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    const convert_ops *convert = tested_code(t)->convert;
    AUTO_FREE uint8_t *raw = test_alloc(N * bytes);
    AUTO_FREE uint64_t *stored = test_alloc(N * POINT_WORDS * sizeof *stored);
    size_t bad = 0, off = 0;
    test_random_points(t, raw, NULL, N);
    memset(raw + 3 * bytes, 0, bytes); /* infinity */
    memset(raw + 33 * bytes, 0, bytes);
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
        assert_int_equal(convert->import_points(stored, raw, N, &layout, (sumac_check)check, &bad), SUMAC_OK);
    }
    for (size_t turn = 0; turn < 4 * N; turn++) {
        const size_t i = turn % N, behind = i + (size_t)test_random_below(t, N - i);
        uint8_t *record = raw + i * bytes, saved[8 * POINT_WORDS], last[8 * POINT_WORDS];
        memcpy(saved, record, bytes);
        memcpy(last, raw + behind * bytes, bytes);
        memset(raw + behind * bytes, turn % 2 == 0 ? 0xff : 0x01, bytes);
        if (behind > i) {
            record[test_random_below(t, bytes)] ^= (uint8_t)(1 << test_random_below(t, 8));
        }
        const sumac_status first = verdict_on(t, record), other = verdict_on(t, raw + behind * bytes);
        const sumac_status expected = first == SUMAC_OK ? other : first;
        for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_SUBGROUP && expected != SUMAC_OK; check++) {
            if (check == SUMAC_CHECK_SUBGROUP && first == SUMAC_OK) {
                continue; /* the point may be on the curve, and outside the subgroup */
            }
            assert_int_equal(convert->import_points(stored, raw, N, &layout, (sumac_check)check, &bad),
                             expected);
            assert_int_equal(bad, first == SUMAC_OK ? behind : i);
            off += expected == SUMAC_NOT_ON_CURVE;
        }
        memcpy(raw + behind * bytes, last, bytes);
        memcpy(record, saved, bytes);
    }
    assert_true(off > N);
}

/* (0, 0) means infinity. If infinity has a flag instead, (0, 0) is a point off the curve, with and without a check. */
static void test_zeros(void **state)
{
    test_group *t = *state;
    uint8_t record[8 * POINT_WORDS + 1] = {0};
    const point_layout zero = packed(t, SUMAC_FORM_CANONICAL);
    const point_layout flag = {SUMAC_FORM_CANONICAL, t->info->point_bytes + 1, SUMAC_INFINITY_FLAG,
                               t->info->point_bytes};
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
        assert_int_equal(import_one(t, record, &zero, (sumac_check)check), SUMAC_OK);
        record[t->info->point_bytes] = 0;
        assert_int_equal(import_one(t, record, &flag, (sumac_check)check), SUMAC_NOT_ON_CURVE);
        record[t->info->point_bytes] = 1;
        assert_int_equal(import_one(t, record, &flag, (sumac_check)check), SUMAC_OK);
    }
}

/* ---- lifting x ---- */

/* Return -1, 0 or 1 if y is less than, equal to or larger than -y, where c1 is compared before c0. */
static int compare_with_negative(const oracle *o, const oracle_element *y)
{
    TEST_NUMBERS(twice);
    int order = 0;
    for (int i = (int)o->degree - 1; i >= 0 && order == 0; i--) {
        mpz_mul_2exp(twice, y->c[i], 1);
        order = mpz_sgn(y->c[i]) == 0 ? 0 : mpz_cmp(twice, o->p);
    }
    return order < 0 ? -1 : order > 0;
}

/* Choose y of a raw point by lifting x. This is done for the point alone, and among copies, some of which get the other
 * y or keep y. Both ways must give the same result. */
static sumac_status lift(const test_group *t, uint8_t *raw, int larger)
{
    enum { N = 21 };
    const convert_ops *convert = tested_code(t)->convert;
    const size_t bytes = t->info->point_bytes;
    const uint8_t side = larger ? LIFT_LARGER : LIFT_SMALLER;
    uint8_t *block = test_alloc(N * bytes), sides[N];
    size_t bad = 0;
    for (size_t i = 0; i < N; i++) {
        memcpy(block + i * bytes, raw, bytes);
        sides[i] = i % 3 == 0 ? side : i % 3 == 1 ? LIFT_LARGER + LIFT_SMALLER - side : LIFT_NONE;
    }
    const sumac_status status = convert->lift_x(raw, &side, 1, SUMAC_CHECK_CURVE, &bad);
    sides[0] = LIFT_NONE;
    assert_int_equal(convert->lift_x(block, sides, N, SUMAC_CHECK_CURVE, &bad), status);
    if (status != SUMAC_OK) {
        assert_int_equal(bad, 1);
    } else {
        for (size_t i = 3; i < N; i += 3) {
            assert_memory_equal(block + i * bytes, raw, bytes);
        }
    }
    free(block);
    return status;
}

/* Check that both signs of a point on the curve are decompressed. */
static void check_lift(test_group *t, const oracle_point *point)
{
    const convert_ops *convert = tested_code(t)->convert;
    const size_t half = t->info->point_bytes / 2;
    uint8_t expected[8 * POINT_WORDS], lifted[8 * POINT_WORDS];
    ORACLE_POINT(negative);
    oracle_neg(&t->oracle, &negative, point);
    const int order = compare_with_negative(&t->oracle, &point->y);
    for (int larger = 0; larger <= 1; larger++) {
        oracle_point_to_raw(&t->oracle, expected, order == 0 || larger == (order > 0) ? point : &negative);
        memcpy(lifted, expected, half);
        memset(lifted + half, 0xa5, half);
        assert_int_equal(lift(t, lifted, larger), SUMAC_OK);
        assert_memory_equal(lifted, expected, 2 * half);
        assert_int_equal(convert->y_is_larger(lifted), order != 0 && larger);
    }
}

static void test_lifts(void **state)
{
    test_group *t = *state;
    uint8_t raw[8 * POINT_WORDS];
    ORACLE_POINT(point);
    const int count = options.quick ? 10 : 60;
    int roots = 0;
    for (int i = 0; i < count; i++) {
        oracle_random_curve_point(&t->oracle, &point, t->random);
        check_lift(t, &point);
        /* Half of all x have no point. If lift_x finds one, it must be on the curve. */
        memset(raw, 0, sizeof raw);
        for (unsigned j = 0; j < t->info->degree; j++) {
            mpz_urandomm(point.x.c[j], t->random, t->oracle.p);
            mpz_export(raw + j * t->info->field_bytes, NULL, -1, 1, 0, 0, point.x.c[j]);
        }
        const sumac_status status = lift(t, raw, i % 2);
        assert_true(status == SUMAC_OK || status == SUMAC_NOT_ON_CURVE);
        if (status == SUMAC_OK) {
            oracle_point_from_raw(&t->oracle, &point, raw);
            assert_true(oracle_point_on_curve(&t->oracle, &point));
            roots++;
        }
    }
    assert_true(roots > 0 && roots < count);
    for (unsigned j = 0; j < t->info->degree; j++) {
        memset(raw, 0, sizeof raw);
        memcpy(raw + j * t->info->field_bytes, t->info->modulus, t->info->field_bytes);
        assert_int_equal(lift(t, raw, 0), SUMAC_BAD_ENCODING);
    }
}

/* Some curves have points (0, sqrt(b)) of order 3, or (x, 0) of order 2, where y = -y. They are among the x from
 * 0 to 40 and from p - 1 down. */
static void test_small_x(void **state)
{
    test_group *t = *state;
    const convert_ops *convert = tested_code(t)->convert;
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    for (long x = -40; x <= 40; x++) {
        uint8_t raw[8 * POINT_WORDS] = {0};
        uint64_t stored[POINT_WORDS];
        size_t bad;
        if (x < 0) {
            memcpy(raw, t->info->modulus, t->info->field_bytes);
        }
        add_to_element(t, raw, x);
        if (lift(t, raw, 1) == SUMAC_OK) {
            ORACLE_POINT(point);
            oracle_point_from_raw(&t->oracle, &point, raw);
            assert_true(oracle_point_on_curve(&t->oracle, &point));
            check_lift(t, &point);
            assert_int_equal(convert->import_points(stored, raw, 1, &layout, SUMAC_CHECK_CURVE, &bad),
                             SUMAC_OK);
            assert_int_equal(convert->is_in_subgroup(stored), convert->is_in_subgroup_by_order(stored));
        }
    }
}

/* ---- the subgroup ---- */

/* Lift x of all points with the subgroup test, and expect that all pass it, or that the point at `place` does not. */
static void check_lifted(test_group *t, const uint8_t *block, size_t n, size_t place, int expected)
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

/* Test the point together with other points of the subgroup, each time at another place, because lanes test several at
 * once. */
static void check_among(test_group *t, const uint8_t *raw, int expected, size_t n, size_t place)
{
    const convert_ops *convert = tested_code(t)->convert;
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    const size_t bytes = t->info->point_bytes;
    AUTO_FREE uint8_t *block = test_alloc(n * bytes), *stored = test_alloc(n * bytes);
    size_t bad = n;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(sumac_group_generator(t->group, block + i * bytes, t->group->point_bytes), SUMAC_OK);
        if (i == (place + 5) % n) {
            memset(block + i * bytes, 0, bytes); /* infinity */
        }
    }
    memcpy(block + place * bytes, raw, bytes);
    check_lifted(t, block, n, place, expected);
    assert_int_equal(convert->import_points(stored, block, n, &layout, SUMAC_CHECK_SUBGROUP, &bad),
                     expected ? SUMAC_OK : SUMAC_NOT_IN_SUBGROUP);
    if (!expected) {
        assert_int_equal(bad, place);
    }
}

/* Fill the lanes, and half of them. A point alone is computed by itself. */
static void check_among_others(test_group *t, const uint8_t *raw, int expected)
{
    static size_t place;
    check_among(t, raw, expected, 16, place % 16);
    check_among(t, raw, expected, 7, place % 7);
    check_among(t, raw, expected, 1, 0);
    place++;
}

/* Require that both tests and an import with the check agree with GMP's r*P. Return 1 for a point of the subgroup. */
static int check_subgroup(test_group *t, const oracle_point *point)
{
    const convert_ops *convert = tested_code(t)->convert;
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    uint8_t raw[8 * POINT_WORDS];
    uint64_t stored[POINT_WORDS];
    size_t bad;
    ORACLE_POINT(multiple);
    oracle_mul(&t->oracle, &multiple, t->oracle.r, point);
    const int expected = multiple.is_infinity;
    oracle_point_to_raw(&t->oracle, raw, point);
    assert_int_equal(convert->import_points(stored, raw, 1, &layout, SUMAC_CHECK_CURVE, &bad), SUMAC_OK);
    assert_int_equal(convert->is_in_subgroup(stored), expected);
    assert_int_equal(convert->is_in_subgroup_by_order(stored), expected);
    assert_int_equal(import_one(t, raw, &layout, SUMAC_CHECK_SUBGROUP),
                     expected ? SUMAC_OK : SUMAC_NOT_IN_SUBGROUP);
    check_among_others(t, raw, expected);
    return expected;
}

static void test_subgroup(void **state)
{
    test_group *t = *state;
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
        /* A point whose order divides the cofactor is tested alone, and added to a point of order r. */
        oracle_mul(&t->oracle, &torsion, t->oracle.r, &outside);
        assert_int_equal(torsion.is_infinity, t->info->cofactor_is_one);
        check_subgroup(t, &torsion);
        oracle_add(&t->oracle, &torsion, &torsion, &inside);
        assert_int_equal(check_subgroup(t, &torsion), t->info->cofactor_is_one);
    }
}

/* Read a number from the curve's data file. Return 0 if there is none. */
static int read_data(const test_group *t, const char *key, mpz_t value)
{
    char path[512];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s_%s.json", SUMAC_TEST_CURVES, t->info->curve, t->info->name);
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
 * Compute the cofactor of a group over Fp2 from that of the same curve over Fp. If t is the trace over Fp, t2 =
 * t^2 - 2p, and 3*y^2 = 4p^2 - t2^2, the sextic twists have p^2 + 1 - (+-t2 +- 3y)/2 points. If an order is right, that
 * order times a random point is infinity.
 */
static int find_twist_cofactor(test_group *t, mpz_t cofactor)
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

/* Check all points but infinity of a group whose order is a prime other than r. */
static void check_multiples(test_group *t, const oracle_point *point)
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
        check_lifted(t, raw, 1, 0, 0);
    }
}

/* To get points whose order is a power of a small prime, any point is multiplied by the order of the curve divided by
 * that power. */
static void test_small_orders(void **state)
{
    test_group *t = *state;
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

static const test_entry entries[] = {
    {"round_trips", test_round_trips, TEST_EVERY_AND_TINY},
    {"strides_and_flags", test_strides_and_flags, TEST_EVERY_AND_TINY},
    {"large_coordinates", test_large_coordinates, TEST_EVERY_AND_TINY},
    {"off_the_curve", test_off_the_curve, TEST_EVERY_GROUP},
    {"zeros", test_zeros, TEST_EVERY_AND_TINY},
    {"lifts", test_lifts, TEST_EVERY_AND_TINY},
    {"small_x", test_small_x, TEST_EVERY_AND_TINY},
    {"subgroup", test_subgroup, TEST_EVERY_AND_TINY},
    {"small_orders", test_small_orders, TEST_EVERY_GROUP},
};
TEST_MAIN("convert", entries)
