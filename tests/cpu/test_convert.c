/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * src/cpu/convert.c for every curve: points in and out against GMP, what must be refused, lifting x, and the
 * fast subgroup tests against multiplication by r.
 */
#include "test_convert_support.h"

/* ---- in and out ---- */

/* Points of the subgroup and of the whole curve, and infinity, in raw layout. */
static uint8_t *some_points(test_curve *t, size_t n)
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

/* The raw points in Montgomery form, as GMP computes it: that is also how the CPU stores them. */
static uint8_t *in_montgomery_form(test_curve *t, const uint8_t *raw, size_t n)
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
    test_curve *t = *state;
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

/* Records at odd addresses with room between them, and infinity in a flag byte before, within or after that
 * room. */
static void test_strides_and_flags(void **state)
{
    test_curve *t = *state;
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
        /* The flag alone decides: the coordinates of that record are no field elements. */
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

/* ---- what is refused ---- */

static void add_to_element(const test_curve *t, uint8_t *element, long difference)
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
    test_curve *t = *state;
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
    /* x = y = p are both 0 mod p, but no encoding of infinity. */
    for (size_t i = 0; i < elements; i++) {
        memcpy(record + i * element, t->info->modulus, element);
    }
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    assert_int_equal(import_one(t, record, &layout, SUMAC_CHECK_NONE), SUMAC_BAD_ENCODING);
}

static void test_off_the_curve(void **state)
{
    test_curve *t = *state;
    enum { N = 7, BAD = 4 };
    const size_t bytes = t->info->point_bytes, half = bytes / 2;
    const point_layout layout = packed(t, SUMAC_FORM_CANONICAL);
    const convert_ops *convert = tested_code(t)->convert;
    AUTO_FREE uint8_t *raw = some_points(t, N);
    uint64_t stored[N * POINT_WORDS];
    test_random_points(t, raw, NULL, N);
    memset(raw, 0, bytes);
    /* x in the place of y: x^2 = x^3 + b has three solutions, and the points are not among them. */
    memcpy(raw + BAD * bytes + half, raw + BAD * bytes, half);
    memcpy(raw + (BAD + 1) * bytes + half, raw + (BAD + 1) * bytes, half);
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_SUBGROUP; check++) {
        size_t bad = 0;
        assert_int_equal(convert->import_points(stored, raw, N, &layout, (sumac_check)check, &bad),
                         SUMAC_NOT_ON_CURVE);
        assert_int_equal(bad, BAD);
    }
    size_t bad = 0;
    assert_int_equal(convert->import_points(stored, raw, N, &layout, SUMAC_CHECK_NONE, &bad), SUMAC_OK);
}

/* What a record is by the oracle. */
static sumac_status verdict_on(const test_curve *t, const uint8_t *raw)
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

/* Among so many that lanes look at them: a bit of one record changes, in each place, and one behind it is wrong, too. */
static void test_off_the_curve_among_many(void **state)
{
    test_curve *t = *state;
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
                continue; /* it may be another point of the curve, and outside the subgroup */
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

/* (0, 0) is how infinity is stored. Where a flag says what is infinity, it is a point off the curve, checked
 * or not. */
static void test_zeros(void **state)
{
    test_curve *t = *state;
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

/* -1, 0 or 1 as y is less than, equal to or larger than -y: c1 counts first. */
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

/* Lift x of a raw point, alone; and among others, with the same x, the other y, or complete, where it has to
 * become the same. */
static sumac_status lift(const test_curve *t, uint8_t *raw, int larger)
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

/* Both roots of a point on the curve. */
static void check_lift(test_curve *t, const oracle_point *point)
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
    test_curve *t = *state;
    uint8_t raw[8 * POINT_WORDS];
    ORACLE_POINT(point);
    const int count = options.quick ? 10 : 60;
    int roots = 0;
    for (int i = 0; i < count; i++) {
        oracle_random_curve_point(&t->oracle, &point, t->random);
        check_lift(t, &point);
        /* Half of all x have no point; where lift_x finds one, it has to be on the curve. */
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

/* x from 0 to 40 and down from p - 1: among them are the points (0, sqrt(b)) of order 3 and (x, 0) of order 2
 * that some curves have, where y = -y. */
static void test_small_x(void **state)
{
    test_curve *t = *state;
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

int main(int argc, char **argv)
{
    const test_entry entries[] = {
        {"round_trips", test_round_trips, TEST_EVERY_AND_TINY},
        {"strides_and_flags", test_strides_and_flags, TEST_EVERY_AND_TINY},
        {"large_coordinates", test_large_coordinates, TEST_EVERY_AND_TINY},
        {"off_the_curve", test_off_the_curve, TEST_EVERY_CURVE},
        {"off_the_curve_among_many", test_off_the_curve_among_many, TEST_EVERY_CURVE},
        {"zeros", test_zeros, TEST_EVERY_AND_TINY},
        {"lifts", test_lifts, TEST_EVERY_AND_TINY},
        {"small_x", test_small_x, TEST_EVERY_AND_TINY},
        {"subgroup", test_subgroup, TEST_EVERY_AND_TINY},
        {"small_orders", test_small_orders, TEST_EVERY_CURVE},
    };
    return test_main("convert", entries, sizeof entries / sizeof *entries, argc, argv);
}
