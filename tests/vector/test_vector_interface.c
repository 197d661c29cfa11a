/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Vectors of points, MSMs with vectors, and vectors that lie where a context does not compute, through
 * include/sumac/vector.h. Points have known logarithms to the generator, and what comes out is compared with
 * multiples of the generator by plain affine arithmetic.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "api/handles.h"
#include "vector/calls.h"
#include "base/integers.h"
#include "sumac/vector.h"
#include "support/harness.h"

/* A context, and n random points with their logarithms. */
typedef struct fixture {
    test_curve *t;
    sumac_context *context;
    size_t n, scalar_bytes, point_bytes;
    uint8_t *points, *logarithms;
} fixture;

static fixture set_up(void **state, size_t n)
{
    fixture f = {.t = *state, .n = n};
    f.context = test_context(2, 0);
    f.scalar_bytes = f.t->info->scalar_bytes;
    f.point_bytes = f.t->info->point_bytes;
    f.points = test_alloc(n * f.point_bytes);
    f.logarithms = test_alloc(n * f.scalar_bytes);
    test_random_points(f.t, f.points, f.logarithms, n);
    return f;
}

static void tear_down(fixture *f)
{
    sumac_context_destroy(f->context);
    free(f->points);
    free(f->logarithms);
}

static void check(const fixture *f, sumac_status status, const char *label)
{
    test_status(f->context, status, SUMAC_OK, label);
}

static void logarithm(const fixture *f, mpz_t k, size_t i)
{
    oracle_scalar_from_raw(&f->t->oracle, k, f->logarithms + i * f->scalar_bytes);
}

/* Element i of a vector of points is k times the generator. */
static void expect(const fixture *f, const sumac_vector *vector, size_t i, const mpz_t k, const char *label)
{
    const oracle *o = &f->t->oracle;
    AUTO_FREE uint8_t *raw = test_alloc(f->point_bytes);
    ORACLE_POINT(point);
    ORACLE_POINT(wanted);
    TEST_NUMBERS(reduced);
    mpz_mod(reduced, k, o->r);
    oracle_mul_generator(o, &wanted, reduced);
    check(f, sumac_vector_get(f->context, vector, i, 1, NULL, raw), label);
    oracle_point_from_raw(o, &point, raw);
    if (!oracle_point_equal(&point, &wanted)) {
        fail_msg("%s, %s: point %zu is wrong", f->t->info->name, label, i);
    }
}

/* ---- Points ---- */

static void test_points_in_and_out(void **state)
{
    enum { N = 150 };
    CLEANUP(tear_down) fixture f = set_up(state, N);
    AUTO_FREE uint8_t *back = test_alloc(N * f.point_bytes);
    sumac_element_layout layout = sumac_element_layout_default();
    memset(f.points + 3 * f.point_bytes, 0, f.point_bytes); /* infinity */
    CLEANUP(destroy_vector) sumac_vector *vector = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, N);
    check(&f, sumac_vector_get(f.context, vector, 0, N, NULL, back), "new");
    for (size_t i = 0; i < N * f.point_bytes; i++) {
        assert_int_equal(back[i], 0);
    }
    layout.check = SUMAC_CHECK_SUBGROUP;
    check(&f, sumac_vector_set(f.context, vector, f.points, 0, N, &layout), "write");
    check(&f, sumac_vector_get(f.context, vector, 0, N, NULL, back), "read");
    assert_memory_equal(back, f.points, N * f.point_bytes);
    layout.form = SUMAC_FORM_MONTGOMERY;
    check(&f, sumac_vector_get(f.context, vector, 0, N, &layout, back), "read in Montgomery form");
    assert_memory_not_equal(back, f.points, f.point_bytes);
    CLEANUP(destroy_vector) sumac_vector *other = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, N);
    check(&f, sumac_vector_set(f.context, other, back, 0, N, &layout), "write in Montgomery form");
    check(&f, sumac_vector_get(f.context, other, 0, N, NULL, back), "read");
    assert_memory_equal(back, f.points, N * f.point_bytes);

    /* The first bad one has its number in the sentence, and nothing is changed. */
    layout.form = SUMAC_FORM_CANONICAL;
    layout.check = SUMAC_CHECK_CURVE;
    memcpy(back, f.points, N * f.point_bytes);
    back[117 * f.point_bytes] ^= 1;
    memset(back + 120 * f.point_bytes, 0xff, f.point_bytes);
    test_sentence(f.context, sumac_vector_set(f.context, vector, back, 0, N, &layout), SUMAC_NOT_ON_CURVE,
                  "117");
    test_status(f.context,
                sumac_vector_set(f.context, vector, back + 118 * f.point_bytes, 118, N - 118, NULL),
                SUMAC_BAD_ENCODING, "too large");
    check(&f, sumac_vector_get(f.context, vector, 0, N, NULL, back), "read");
    assert_memory_equal(back, f.points, N * f.point_bytes);
}

static void test_sums_of_points(void **state)
{
    enum { N = 60, ROWS = 4 };
    CLEANUP(tear_down) fixture f = set_up(state, N);
    TEST_NUMBERS(a, b);
    /* Doubling and cancelling: point 1 is point 0, point 2 its opposite. */
    memcpy(f.points + f.point_bytes, f.points, f.point_bytes);
    memcpy(f.logarithms + f.scalar_bytes, f.logarithms, f.scalar_bytes);
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f.context, f.t, SUMAC_VECTOR_POINTS, N, f.points);
    CLEANUP(destroy_vector)
    sumac_vector *first = test_vector_of(f.context, f.t, SUMAC_VECTOR_POINTS, 1, f.points);
    CLEANUP(destroy_vector)
    sumac_vector *few = test_vector_of(f.context, f.t, SUMAC_VECTOR_POINTS, ROWS, f.points);
    CLEANUP(destroy_vector) sumac_vector *result = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, N);
    check(&f, sumac_vector_add(f.context, vector, first, 1, result), "add one");
    for (size_t i = 0; i < N; i += 7) {
        logarithm(&f, a, i);
        logarithm(&f, b, 0);
        mpz_add(a, a, b);
        expect(&f, result, i, a, "add one");
    }
    check(&f, sumac_vector_subtract(f.context, result, few, N / ROWS, result), "subtract one a row");
    for (size_t i = 0; i < N; i++) {
        logarithm(&f, a, i);
        logarithm(&f, b, 0);
        mpz_add(a, a, b);
        logarithm(&f, b, i / (N / ROWS));
        mpz_sub(a, a, b);
        expect(&f, result, i, a, "subtract one a row");
    }
    check(&f, sumac_vector_subtract(f.context, vector, first, 1, result), "subtract one");
    mpz_set_ui(a, 0);
    expect(&f, result, 0, a, "nothing is left");
    expect(&f, result, 1, a, "nothing is left");
    for (size_t length = N; length >= N / ROWS; length /= 2) {
        CLEANUP(destroy_vector)
        sumac_vector *sums = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, N / length);
        check(&f, sumac_vector_sum(f.context, vector, length, sums), "sum");
        for (size_t row = 0; row < N / length; row++) {
            mpz_set_ui(a, 0);
            for (size_t i = 0; i < length; i++) {
                logarithm(&f, b, row * length + i);
                mpz_add(a, a, b);
            }
            expect(&f, sums, row, a, "sum");
        }
    }
}

/* One row is enough for a sum in many parts. */
static void test_long_sum(void **state)
{
    enum { N = 3000, DIFFERENT = 10 };
    CLEANUP(tear_down) fixture f = set_up(state, DIFFERENT);
    uint64_t rows[N];
    TEST_NUMBERS(a, b);
    for (size_t i = 0; i < N; i++) {
        rows[i] = test_random_below(f.t, DIFFERENT);
        logarithm(&f, b, rows[i]);
        mpz_add(a, a, b);
    }
    CLEANUP(destroy_vector)
    sumac_vector *points = test_vector_of(f.context, f.t, SUMAC_VECTOR_POINTS, DIFFERENT, f.points);
    CLEANUP(destroy_vector) sumac_vector *many = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, N);
    CLEANUP(destroy_vector) sumac_vector *sum = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, 1);
    check(&f, sumac_vector_gather(f.context, points, 1, rows, N, many), "gather");
    check(&f, sumac_vector_sum(f.context, many, N, sum), "sum");
    expect(&f, sum, 0, a, "a long sum");
}

/* ---- Transforms ---- */

enum { ROW_LOG2 = 6, ROW = 1 << ROW_LOG2, DIFFERENT_ROWS = 3 };

/* Rows of 64 points, of which only three are different: values of these against their logarithms, the other
 * rows against these. */
static void check_rows(const fixture *f, size_t rows, size_t coefficients)
{
    const oracle *o = &f->t->oracle;
    AUTO_FREE uint64_t *numbers = test_alloc(rows * sizeof *numbers);
    uint8_t *found = test_alloc(rows * ROW * f->point_bytes), root_raw[128];
    sumac_transform_config config = sumac_transform_config_default();
    TEST_NUMBERS(root, x, value, term);
    config.length = ROW;
    config.coefficients = coefficients;
    for (size_t i = 0; i < rows; i++) {
        numbers[i] = i % DIFFERENT_ROWS;
    }
    assert_int_equal(sumac_root_of_unity(f->t->curve, ROW_LOG2, root_raw), SUMAC_OK);
    oracle_scalar_from_raw(o, root, root_raw);
    CLEANUP(destroy_vector)
    sumac_vector *different =
        test_vector_of(f->context, f->t, SUMAC_VECTOR_POINTS, DIFFERENT_ROWS * ROW, f->points);
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector(f->context, f->t, SUMAC_VECTOR_POINTS, rows * ROW);
    check(f, sumac_vector_gather(f->context, different, ROW, numbers, rows, vector), "gather");
    check(f, sumac_vector_point_transform(f->context, vector, &config), "many rows");
    check(f, sumac_vector_get(f->context, vector, 0, rows * ROW, NULL, found), "read");
    for (size_t i = DIFFERENT_ROWS; i < rows; i++) {
        assert_memory_equal(found + i * ROW * f->point_bytes,
                            found + i % DIFFERENT_ROWS * ROW * f->point_bytes, ROW * f->point_bytes);
    }
    for (size_t i = 0; i < smaller(rows, DIFFERENT_ROWS) * ROW; i += options.quick ? 7 : 1) {
        mpz_powm_ui(x, root, i % ROW, o->r);
        mpz_set_ui(value, 0);
        for (size_t j = coefficients; j-- > 0;) {
            logarithm(f, term, i / ROW * ROW + j);
            mpz_mul(value, value, x);
            mpz_add(value, value, term);
            mpz_mod(value, value, o->r);
        }
        expect(f, vector, i, value, "many rows");
    }
    free(found);
}

/* As many as a GPU takes in another way each time: several layers at once, one by quads, one by lanes. */
static void test_many_rows(void **state)
{
    static const size_t rows[] = {1, 2, 20, 130, 700};
    CLEANUP(tear_down) fixture f = set_up(state, DIFFERENT_ROWS * ROW);
    uint8_t root[128];
    memset(f.points + 70 * f.point_bytes, 0, f.point_bytes); /* infinity */
    memset(f.logarithms + 70 * f.scalar_bytes, 0, f.scalar_bytes);
    const size_t counts =
        sumac_context_location(f.context) == SUMAC_LOCATION_DEVICE ? sizeof rows / sizeof rows[0] : 2;
    if (sumac_root_of_unity(f.t->curve, ROW_LOG2, root) != SUMAC_OK) {
        tear_down(&f);
        skip();
    }
    for (size_t i = 0; i < counts; i++) {
        check_rows(&f, rows[i], i % 2 == 0 ? ROW : ROW / 2);
    }
    check_rows(&f, rows[counts - 1], ROW / 2 + 1);
}

/* Values at shift*root^i of rows of n points, of which only `coefficients` are looked at; and back. */
static void check_transform(const fixture *f, uint32_t log2, size_t rows, size_t coefficients, int has_shift)
{
    const size_t n = (size_t)1 << log2;
    const oracle *o = &f->t->oracle;
    uint8_t root_raw[128], shift_raw[128];
    sumac_transform_config config = sumac_transform_config_default();
    TEST_NUMBERS(root, shift, x, power, value, term);
    assert_int_equal(sumac_root_of_unity(f->t->curve, log2, root_raw), SUMAC_OK);
    oracle_scalar_from_raw(o, root, root_raw);
    mpz_set_ui(shift, has_shift ? 7 : 1);
    oracle_scalar_to_raw(o, shift_raw, shift);
    config.length = n;
    config.coefficients = coefficients;
    config.shift = has_shift ? shift_raw : NULL;
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f->context, f->t, SUMAC_VECTOR_POINTS, rows * n, f->points);
    check(f, sumac_vector_point_transform(f->context, vector, &config), "transform");
    for (size_t i = 0; i < rows * n; i++) {
        mpz_powm_ui(x, root, i % n, o->r);
        mpz_mul(x, x, shift);
        mpz_set_ui(power, 1);
        mpz_set_ui(value, 0);
        for (size_t j = 0; j < coefficients; j++) {
            logarithm(f, term, i / n * n + j);
            mpz_addmul(value, term, power);
            mpz_mul(power, power, x);
            mpz_mod(power, power, o->r);
        }
        expect(f, vector, i, value, "transform");
    }
    config.inverse = 1;
    check(f, sumac_vector_point_transform(f->context, vector, &config), "inverse transform");
    for (size_t i = 0; i < rows * n; i++) {
        mpz_set_ui(value, 0);
        if (i % n < coefficients) {
            logarithm(f, value, i);
        }
        expect(f, vector, i, value, "inverse transform");
    }
}

static void test_point_transforms(void **state)
{
    enum { N = 16 };
    CLEANUP(tear_down) fixture f = set_up(state, N);
    uint8_t root[128];
    for (uint32_t log2 = 0; log2 <= 3 && sumac_root_of_unity(f.t->curve, log2, root) == SUMAC_OK; log2++) {
        check_transform(&f, log2, 2, (size_t)1 << log2, 0);
        check_transform(&f, log2, 2, (((size_t)1 << log2) + 1) / 2 + (log2 > 1), log2 % 2 == 1);
    }
}

/* What point `i` of rows of n is, a number of the fixture's points: 0 is infinity, 2 is 1, 4 the opposite of 3. */
enum { PATTERNS = 4, TWICE_LOG2 = 8, TWICE_MOST = 1 << TWICE_LOG2 };
static size_t number_of(const fixture *f, unsigned pattern, size_t i, size_t n)
{
    switch (pattern) {
    case 0:
        return i % f->n;
    case 1:
        return 5; /* all are the same */
    case 2:
        return i % (n / 2); /* halves that are the same */
    default:
        return i % n == 1 ? 5 : 0; /* one point, and infinity */
    }
}

/* value = the polynomial of n coefficients at x. */
static void evaluate(const fixture *f, mpz_t value, mpz_t *coefficients, size_t n, const mpz_t x)
{
    mpz_set_ui(value, 0);
    for (size_t j = n; j-- > 0;) {
        mpz_mul(value, value, x);
        mpz_add(value, value, coefficients[j]);
        mpz_mod(value, value, f->t->oracle.r);
    }
}

/* Values of a row, step by step, against the logarithms that it had. */
static void expect_twice(const fixture *f, const sumac_vector *vector, size_t row, mpz_t *before,
                         uint32_t log2, sumac_order order, size_t step)
{
    const size_t n = (size_t)1 << log2;
    uint8_t root_raw[128];
    mpz_t root, x, value, middle[TWICE_MOST / 2];
    mpz_inits(root, x, value, NULL);
    assert_int_equal(sumac_root_of_unity(f->t->curve, log2, root_raw), SUMAC_OK);
    oracle_scalar_from_raw(&f->t->oracle, root, root_raw);
    for (size_t t = 0; t < n / 2; t++) {
        mpz_init(middle[t]);
        mpz_powm_ui(x, root, t, f->t->oracle.r);
        evaluate(f, middle[t], before, n, x);
    }
    for (size_t i = row % step; i < n; i += step) {
        mpz_powm_ui(x, root, order == SUMAC_ORDER_NATURAL ? i : test_reversed(i, log2), f->t->oracle.r);
        evaluate(f, value, middle, n / 2, x);
        expect(f, vector, row * n + i, value, "transformed twice");
    }
    for (size_t t = 0; t < n / 2; t++) {
        mpz_clear(middle[t]);
    }
    mpz_clears(root, x, value, NULL);
}

/* Rows of n points become the transform of the lower half of their transform. */
static void check_twice(const fixture *f, uint32_t log2, size_t rows, unsigned pattern, sumac_order order)
{
    const size_t n = (size_t)1 << log2, bytes = f->point_bytes;
    const size_t step = rows > 40 ? n : options.quick || rows > 3 ? 37 : 1;
    AUTO_FREE uint8_t *raw = test_alloc(rows * n * bytes);
    mpz_t before[TWICE_MOST];
    for (size_t j = 0; j < n; j++) {
        mpz_init(before[j]);
    }
    for (size_t i = 0; i < rows * n; i++) {
        memcpy(raw + i * bytes, f->points + number_of(f, pattern, i, n) * bytes, bytes);
    }
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f->context, f->t, SUMAC_VECTOR_POINTS, rows * n, raw);
    executor_enter(f->context->executors.at);
    assert_int_equal(vector_point_transform_twice(f->context->executors.at, vector, n, order), SUMAC_OK);
    for (size_t row = 0; row < rows; row++) {
        for (size_t j = 0; j < n; j++) {
            logarithm(f, before[j], number_of(f, pattern, row * n + j, n));
        }
        expect_twice(f, vector, row, before, log2, order, step);
    }
    for (size_t j = 0; j < n; j++) {
        mpz_clear(before[j]);
    }
}

/* Point `to` is the opposite of point `from`. */
static void set_opposite(fixture *f, size_t to, size_t from)
{
    const oracle *o = &f->t->oracle;
    ORACLE_POINT(point);
    TEST_NUMBERS(k);
    logarithm(f, k, from);
    mpz_neg(k, k);
    mpz_mod(k, k, o->r);
    oracle_mul_generator(o, &point, k);
    oracle_point_to_raw(o, f->points + to * f->point_bytes, &point);
    oracle_scalar_to_raw(o, f->logarithms + to * f->scalar_bytes, k);
}

/* Where the engine makes both transforms at once, it does so however many rows there are, but not for any length. */
static void check_ways(const fixture *f)
{
    const executor *at = f->context->executors.at;
    const point_vector_ops *ops = vector_point_ops(at, f->t->curve);
    const vector_run run = {
        .threads = 1, .engine = at->engine, .curve = f->t->curve, .code = executor_code(at, f->t->curve)};
    if (ops->transform_twice == NULL) {
        return;
    }
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector(f->context, f->t, SUMAC_VECTOR_POINTS, 200 * 128);
    executor_enter(at);
    assert_int_equal(ops->transform_twice(&run, vector->memory, 1, 7, SUMAC_ORDER_NATURAL), SUMAC_OK);
    assert_int_equal(ops->transform_twice(&run, vector->memory, 200, 7, SUMAC_ORDER_NATURAL), SUMAC_OK);
    assert_int_equal(ops->transform_twice(&run, vector->memory, 1, 11, SUMAC_ORDER_NATURAL),
                     SUMAC_NOT_SUPPORTED);
}

/* The steps of FK20. On a GPU few rows take their multiples by quads, with the scalars' halves apart or not, the fewest in
 * another form, and many by lanes. */
static void test_transforms_twice(void **state)
{
    static const size_t rows[] = {3, 2, 2, 2, 2, 1, 1, 1}, device_rows[] = {2, 3, 4, 5, 31, 64, 128, 200};
    CLEANUP(tear_down) fixture f = set_up(state, 150);
    const int on_device = sumac_context_location(f.context) == SUMAC_LOCATION_DEVICE;
    const size_t p = f.point_bytes, s = f.scalar_bytes;
    uint8_t root[128];
    memset(f.points, 0, p);
    memset(f.logarithms, 0, s);
    memcpy(f.points + 2 * p, f.points + p, p);
    memcpy(f.logarithms + 2 * s, f.logarithms + s, s);
    set_opposite(&f, 4, 3);
    for (uint32_t log2 = 1; log2 <= TWICE_LOG2 && sumac_root_of_unity(f.t->curve, log2, root) == SUMAC_OK;
         log2++) {
        check_twice(&f, log2, rows[log2 - 1], 0, log2 % 2 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL);
        for (unsigned pattern = 1; pattern < PATTERNS && (log2 == 3 || log2 == 5); pattern++) {
            check_twice(&f, log2, 1, pattern, SUMAC_ORDER_BIT_REVERSED);
        }
        if (on_device) {
            check_twice(&f, log2, 3, 0, SUMAC_ORDER_NATURAL);
            check_twice(&f, log2, 40, 0, SUMAC_ORDER_NATURAL);
        }
        for (size_t i = 0; on_device && log2 == 7 && i < sizeof device_rows / sizeof *device_rows; i++) {
            check_twice(&f, log2, device_rows[i], i % PATTERNS,
                        i % 2 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL);
            check_twice(&f, log2, device_rows[i], 0, SUMAC_ORDER_NATURAL);
        }
        if (log2 == 7) {
            check_ways(&f);
        }
    }
}

/* ---- MSMs ---- */

static void test_msms(void **state)
{
    enum { N = 40, BATCH = 3, SKIPPED_SCALARS = 5 };
    CLEANUP(tear_down) fixture f = set_up(state, N);
    const oracle *o = &f.t->oracle;
    AUTO_FREE uint8_t *raw = test_alloc((BATCH * N + SKIPPED_SCALARS) * f.scalar_bytes);
    test_random_scalars(f.t, raw, BATCH * N + SKIPPED_SCALARS);
    CLEANUP(destroy_vector)
    sumac_vector *points = test_vector_of(f.context, f.t, SUMAC_VECTOR_POINTS, N, f.points);
    CLEANUP(destroy_vector)
    sumac_vector *scalars =
        test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, BATCH * N + SKIPPED_SCALARS, raw);
    CLEANUP(destroy_vector)
    sumac_vector *results = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, BATCH + 1);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    check(&f, sumac_bases_create_from_vector(f.context, points, 1, N - 1, NULL, &bases), "bases");
    assert_int_equal(sumac_bases_count(bases), N - 1);
    sumac_msm_config config = sumac_msm_config_default();
    config.batch = BATCH;
    check(&f, sumac_msm_vectors(f.context, bases, scalars, SKIPPED_SCALARS, N - 1, &config, results, 1),
          "MSM");
    TEST_NUMBERS(sum, k, l);
    expect(&f, results, 0, sum, "before the results");
    for (size_t j = 0; j < BATCH; j++) {
        mpz_set_ui(sum, 0);
        for (size_t i = 0; i < N - 1; i++) {
            oracle_scalar_from_raw(o, k, raw + (SKIPPED_SCALARS + j * (N - 1) + i) * f.scalar_bytes);
            logarithm(&f, l, i + 1);
            mpz_addmul(sum, k, l);
        }
        expect(&f, results, j + 1, sum, "MSM");
    }
    test_status(f.context,
                sumac_msm_vectors(f.context, bases, scalars, SKIPPED_SCALARS, N, &config, results, 1),
                SUMAC_BAD_LENGTH, "more scalars than bases");
    test_status(f.context, sumac_msm_vectors(f.context, bases, scalars, 9, N - 1, &config, results, 1),
                SUMAC_BAD_ARGUMENT, "past the end of the scalars");
    test_status(f.context, sumac_msm_vectors(f.context, bases, scalars, 0, N - 1, &config, results, 2),
                SUMAC_BAD_ARGUMENT, "past the end of the results");
    test_status(f.context, sumac_msm_vectors(f.context, bases, points, 0, 1, NULL, results, 0),
                SUMAC_BAD_ARGUMENT, "no scalars");
}

/* Results are points like others, however many there are, and infinity among them: those of MSM i and MSM i + 1 are
 * added up. */
static void test_results(void **state)
{
    enum { N = 3, MOST = 700 };
    static const size_t batches[] = {2, 20, MOST};
    CLEANUP(tear_down) fixture f = set_up(state, N);
    const oracle *o = &f.t->oracle;
    AUTO_FREE uint8_t *raw = test_alloc(MOST * N * f.scalar_bytes);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(f.context, f.t, f.points, N, NULL);
    sumac_msm_config config = sumac_msm_config_default();
    TEST_NUMBERS(sum, k, l);
    test_random_scalars(f.t, raw, MOST * N);
    for (size_t j = 0; j < MOST; j += 3) { /* infinity */
        memset(raw + j * N * f.scalar_bytes, 0, N * f.scalar_bytes);
    }
    CLEANUP(destroy_vector)
    sumac_vector *scalars = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, MOST * N, raw);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        const size_t rows = batches[i] / 2;
        CLEANUP(destroy_vector)
        sumac_vector *results = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, batches[i]);
        CLEANUP(destroy_vector) sumac_vector *sums = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, rows);
        config.batch = (uint32_t)batches[i];
        check(&f, sumac_msm_vectors(f.context, bases, scalars, 0, N, &config, results, 0), "MSMs");
        check(&f, sumac_vector_sum(f.context, results, 2, sums), "sums");
        for (size_t j = 0; j < rows; j += j < 3 || j + 20 > rows ? 1 : 17) {
            mpz_set_ui(sum, 0);
            for (size_t s = 2 * j * N; s < 2 * (j + 1) * N; s++) {
                oracle_scalar_from_raw(o, k, raw + s * f.scalar_bytes);
                logarithm(&f, l, s % N);
                mpz_addmul(sum, k, l);
            }
            expect(&f, sums, j, sum, "results");
        }
    }
}

/* ---- Vectors of other places ---- */

static void test_foreign_vectors(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 4);
    uint8_t raw[4 * 128] = {0};
    CLEANUP(destroy_vector) sumac_vector *own = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 4);
    CLEANUP(destroy_vector) sumac_vector *other = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 4);
    const sumac_slice slice = sumac_slice_of(0, 4);
    backend another = *f.context->executors.at->backend;
    another.name = "other";
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 0) { /* of another device */
            other->device += 3;
        } else {
            other->device -= 3;
            other->backend = &another;
        }
        const char *word = turn == 0 ? "GPU" : "other";
        test_sentence(f.context, sumac_vector_add(f.context, own, other, 1, own), SUMAC_BAD_ARGUMENT, word);
        test_status(f.context, sumac_vector_add(f.context, own, own, 1, other), SUMAC_BAD_ARGUMENT, "result");
        test_status(f.context, sumac_vector_copy(f.context, other, &slice, own, &slice), SUMAC_BAD_ARGUMENT,
                    "copy");
        test_status(f.context, sumac_vector_set(f.context, other, raw, 0, 4, NULL), SUMAC_BAD_ARGUMENT,
                    "write");
        test_status(f.context, sumac_vector_get(f.context, other, 0, 4, NULL, raw), SUMAC_BAD_ARGUMENT,
                    "read");
        test_status(f.context, sumac_vector_invert(f.context, other), SUMAC_BAD_ARGUMENT, "invert");
        test_status(f.context, sumac_vector_ntt(f.context, other, NULL), SUMAC_BAD_ARGUMENT, "transform");
    }
    other->backend = f.context->executors.at->backend;
    check(&f, sumac_vector_add(f.context, own, other, 1, own), "its own again");
}

/* Arguments that mean nothing; what can't be is refused, and the vector stays as it is. */
static void test_refused(void **state)
{
    static const uint32_t directions[] = {2, UINT32_MAX, UINT32_MAX - 4, 1 << 30};
    CLEANUP(tear_down) fixture f = set_up(state, 4);
    uint8_t before[4 * 128] = {0}, after[sizeof before] = {0};
    CLEANUP(destroy_vector) sumac_vector *scalars = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 4);
    check(&f, sumac_vector_get(f.context, scalars, 0, 4, NULL, before), "read");
    test_status(f.context, sumac_vector_fill(f.context, scalars, NULL), SUMAC_BAD_ARGUMENT, "fill with null");
    assert_string_equal(sumac_context_message(f.context), "the scalar must not be null");
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        sumac_transform_config config = sumac_transform_config_default();
        config.length = 1;
        config.inverse = directions[i];
        test_sentence(f.context, sumac_vector_ntt(f.context, scalars, &config), SUMAC_BAD_ARGUMENT,
                      "inverse is neither 0 nor 1");
    }
    check(&f, sumac_vector_get(f.context, scalars, 0, 4, NULL, after), "read");
    assert_memory_equal(before, after, sizeof before);
}

/* Rows that do not come out even are refused wherever there are rows, and add, subtract and multiply need none that do: what
 * vector.h says of both. */
static void test_whole_rows(void **state)
{
    enum { COUNT = 12 };
    CLEANUP(tear_down) fixture f = set_up(state, 4);
    const size_t bytes = f.t->info->scalar_bytes;
    const uint64_t rows[COUNT] = {0};
    uint8_t one[128] = {1};
    AUTO_FREE uint8_t *sums = test_alloc(COUNT * bytes);
    CLEANUP(destroy_vector) sumac_vector *a = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, COUNT);
    CLEANUP(destroy_vector) sumac_vector *b = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, COUNT);
    CLEANUP(destroy_vector) sumac_vector *five = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 5);
    for (size_t length = 0; length <= COUNT + 1; length++) {
        const size_t n = length == 0 ? 0 : COUNT / length;
        const int divides = length > 0 && COUNT % length == 0, is_power = (length & (length - 1)) == 0;
        const sumac_status expected = divides ? SUMAC_OK : SUMAC_BAD_ARGUMENT;
        CLEANUP(destroy_vector) sumac_vector *few = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, n);
        test_status(f.context, sumac_vector_gather(f.context, a, length, rows, n, b), expected, "gather");
        test_status(f.context, sumac_vector_scale_powers(f.context, a, one, one, length), expected, "scale");
        test_status(f.context, sumac_vector_sum(f.context, a, length, few), expected, "sum");
        test_status(f.context, sumac_vector_transpose(f.context, a, 1, length, b), expected, "transpose");
        test_status(f.context, sumac_vector_transpose(f.context, a, length, 2, b),
                    length > 0 && COUNT % (2 * length) == 0 ? SUMAC_OK : SUMAC_BAD_ARGUMENT, "transpose");
        test_status(f.context, sumac_vector_bit_reverse(f.context, a, length),
                    is_power ? expected : SUMAC_BAD_ARGUMENT, "reverse");
    }
    for (uint8_t i = 0; i < 5; i++) { /* 0, 1, 2, 3, 4 */
        one[0] = i;                   /* the least order is 11 */
        check(&f, sumac_vector_set(f.context, five, one, i, 1, NULL), "set");
    }
    for (size_t each = 0; each <= COUNT + 1; each++) {
        const size_t row = each == 0 ? 1 : each;
        memset(one, 0, sizeof one);
        check(&f, sumac_vector_fill(f.context, a, one), "fill");
        check(&f, sumac_vector_add(f.context, a, five, each, b), "add");
        check(&f, sumac_vector_get(f.context, b, 0, COUNT, NULL, sums), "get");
        for (size_t i = 0; i < COUNT; i++) {
            assert_int_equal(sums[i * bytes], i / row % 5);
        }
    }
}

static const test_entry tests[] = {
    {"points in and out", test_points_in_and_out, TEST_EVERY_AND_TINY},
    {"sums of points", test_sums_of_points, TEST_EVERY_AND_TINY},
    {"a long sum", test_long_sum, TEST_EVERY_AND_TINY},
    {"transforms of points", test_point_transforms, TEST_EVERY_AND_TINY},
    {"transforms of many rows", test_many_rows, TEST_SOME_AND_TINY},
    {"transforms twice", test_transforms_twice, TEST_EVERY_AND_TINY},
    {"MSMs", test_msms, TEST_EVERY_AND_TINY},
    {"results", test_results, TEST_EVERY_AND_TINY},
    {"refused arguments", test_refused, TEST_EVERY_AND_TINY},
    {"whole rows", test_whole_rows, TEST_SOME_AND_TINY},
    {"foreign vectors", test_foreign_vectors, TEST_EVERY_AND_TINY},
};

int main(int argc, char **argv)
{
    return test_main("vector_interface", tests, sizeof tests / sizeof tests[0], argc, argv);
}
