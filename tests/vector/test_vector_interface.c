/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests vectors of points, MSMs with vectors, and vectors of other devices, through sumac/vector.h. Points
 * have known logarithms. Results are compared with multiples of the generator, which are computed by plain affine
 * arithmetic.
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

/* This is a context, and n random points with their logarithms. */
typedef struct fixture {
    test_group *t;
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

static void logarithm(const fixture *f, mpz_t k, size_t i)
{
    oracle_scalar_from_raw(&f->t->oracle, k, f->logarithms + i * f->scalar_bytes);
}

/* Require that element i of a vector of points is k times the generator. */
static void expect(const fixture *f, const sumac_vector *vector, size_t i, const mpz_t k, const char *label)
{
    const oracle *o = &f->t->oracle;
    AUTO_FREE uint8_t *raw = test_alloc(f->point_bytes);
    ORACLE_POINT(point);
    ORACLE_POINT(wanted);
    TEST_NUMBERS(reduced);
    mpz_mod(reduced, k, o->r);
    oracle_mul_generator(o, &wanted, reduced);
    test_status(f->context, test_vector_get(f->context, vector, i, 1, NULL, raw), SUMAC_OK, label);
    oracle_point_from_raw(o, &point, raw);
    if (!oracle_point_equal(&point, &wanted)) {
        fail_msg("%s, %s: point %zu is wrong", f->t->info->curve, label, i);
    }
}

/* ---- Points ---- */

static void test_points_in_and_out(void **state)
{
    enum { N = 300 }; /* more than two blocks of the vectors' code */
    CLEANUP(tear_down) fixture f = set_up(state, N);
    AUTO_FREE uint8_t *back = test_alloc(N * f.point_bytes);
    sumac_element_layout layout = {.size = sizeof layout};
    memset(f.points + 3 * f.point_bytes, 0, f.point_bytes); /* infinity */
    CLEANUP(destroy_vector) sumac_vector *vector = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, N);
    TEST_OK(f.context, test_vector_get(f.context, vector, 0, N, NULL, back));
    for (size_t i = 0; i < N * f.point_bytes; i++) {
        assert_int_equal(back[i], 0);
    }
    layout.check = SUMAC_CHECK_SUBGROUP;
    TEST_OK(f.context, test_vector_set(f.context, vector, f.points, 0, N, &layout));
    TEST_OK(f.context, test_vector_get(f.context, vector, 0, N, NULL, back));
    assert_memory_equal(back, f.points, N * f.point_bytes);
    layout.form = SUMAC_FORM_MONTGOMERY;
    TEST_OK(f.context, test_vector_get(f.context, vector, 0, N, &layout, back));
    assert_memory_not_equal(back, f.points, f.point_bytes);
    CLEANUP(destroy_vector) sumac_vector *other = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, N);
    TEST_OK(f.context, test_vector_set(f.context, other, back, 0, N, &layout));
    TEST_OK(f.context, test_vector_get(f.context, other, 0, N, NULL, back));
    assert_memory_equal(back, f.points, N * f.point_bytes);

    /* The message names the first bad point, and nothing changes. */
    layout.form = SUMAC_FORM_CANONICAL;
    layout.check = SUMAC_CHECK_CURVE;
    memcpy(back, f.points, N * f.point_bytes);
    back[117 * f.point_bytes] ^= 1;
    memset(back + 120 * f.point_bytes, 0xff, f.point_bytes);
    test_sentence(f.context, test_vector_set(f.context, vector, back, 0, N, &layout), SUMAC_NOT_ON_CURVE,
                  "117");
    test_status(f.context, test_vector_set(f.context, vector, back + 118 * f.point_bytes, 118, N - 118, NULL),
                SUMAC_BAD_ENCODING, "too large");
    TEST_OK(f.context, test_vector_get(f.context, vector, 0, N, NULL, back));
    assert_memory_equal(back, f.points, N * f.point_bytes);
}

/* The list has infinity, points in and outside the subgroup, and equal and opposite points. If there is a point of
 * order 2, the list has it, too. */
enum { LIST = 16, MANY = 300 /* more than two blocks of the vectors' code */ };

static void make_list(const fixture *f, oracle_point *list, uint8_t *raw)
{
    const oracle *o = &f->t->oracle;
    for (size_t i = 0; i < LIST; i++) {
        oracle_point_init(&list[i]);
        if (i == 1) {
            oracle_point_set(&list[i], &o->generator);
        } else if (i == 2) {
            oracle_neg(o, &list[i], &o->generator);
        } else if (i == 3) {
            oracle_add(o, &list[i], &o->generator, &o->generator);
        } else if (i == 4) { /* (1, 0) or (-1, 0) */
            mpz_set_ui(list[i].x.c[0], 1);
            list[i].is_infinity = 0;
            if (!oracle_point_on_curve(o, &list[i])) {
                mpz_sub_ui(list[i].x.c[0], o->p, 1);
            }
            list[i].is_infinity = !oracle_point_on_curve(o, &list[i]);
        } else if (i == 9 || i == 13) {
            oracle_point_set(&list[i], &list[i - 4]);
        } else if (i == 10) {
            oracle_neg(o, &list[i], &list[6]);
        } else if (i > 0) {
            oracle_random_curve_point(o, &list[i], f->t->random);
        }
        oracle_point_to_raw(o, raw + i * f->point_bytes, &list[i]);
    }
}

/* Add and subtract vectors. One has MANY points, which repeat the list with each point `a_each` times. The other has
 * `count` points of the list, each `b_each` times. The sums, from which a vector is then subtracted, have a Z other
 * than 1. The result is a third vector or an operand. */
static void check_additions(const fixture *f, const oracle_point *list, const uint8_t *raw, size_t a_each,
                            size_t count, size_t b_each)
{
    const oracle *o = &f->t->oracle;
    const size_t bytes = f->point_bytes;
    AUTO_FREE uint8_t *first = test_alloc(MANY * bytes), *expected = test_alloc(MANY * bytes),
                      *actual = test_alloc(MANY * bytes);
    ORACLE_POINT(sum);
    for (size_t i = 0; i < MANY; i++) {
        memcpy(first + i * bytes, raw + i / a_each % LIST * bytes, bytes);
        oracle_add(o, &sum, &list[i / a_each % LIST], &list[i / b_each % count]);
        oracle_point_to_raw(o, expected + i * bytes, &sum);
    }
    CLEANUP(destroy_vector)
    sumac_vector *a = test_vector_of(f->context, f->t, SUMAC_VECTOR_POINTS, MANY, first),
                 *b = test_vector_of(f->context, f->t, SUMAC_VECTOR_POINTS, count, raw),
                 *result = test_vector(f->context, f->t, SUMAC_VECTOR_POINTS, MANY);
    TEST_OK(f->context, sumac_vector_add(f->context, a, b, b_each, result));
    TEST_OK(f->context, test_vector_get(f->context, result, 0, MANY, NULL, actual));
    assert_memory_equal(actual, expected, MANY * bytes);
    TEST_OK(f->context, sumac_vector_subtract(f->context, result, b, b_each, result));
    TEST_OK(f->context, test_vector_get(f->context, result, 0, MANY, NULL, actual));
    assert_memory_equal(actual, first, MANY * bytes);
    TEST_OK(f->context, sumac_vector_add(f->context, a, b, b_each, result));
    TEST_OK(f->context, sumac_vector_subtract(f->context, result, a, 1, a));
    TEST_OK(f->context, test_vector_get(f->context, a, 0, MANY, NULL, actual));
    for (size_t i = 0; i < MANY; i++) {
        assert_memory_equal(actual + i * bytes, raw + i / b_each % count * bytes, bytes);
    }
}

static void check_row_sums(const fixture *f, const oracle_point *list, const uint8_t *raw, size_t rows,
                           size_t length)
{
    const size_t bytes = f->point_bytes;
    AUTO_FREE uint8_t *points = test_alloc(rows * length * bytes), *sums = test_alloc(rows * bytes);
    uint8_t expected[4 * 96 * 2];
    ORACLE_POINT(sum);
    for (size_t i = 0; i < rows * length; i++) {
        memcpy(points + i * bytes, raw + i * i % LIST * bytes, bytes);
    }
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f->context, f->t, SUMAC_VECTOR_POINTS, rows * length, points),
                 *result = test_vector(f->context, f->t, SUMAC_VECTOR_POINTS, rows);
    TEST_OK(f->context, sumac_vector_sum(f->context, vector, length, result));
    TEST_OK(f->context, test_vector_get(f->context, result, 0, rows, NULL, sums));
    for (size_t row = 0; row < rows; row++) {
        oracle_point_set_infinity(&sum);
        for (size_t i = row * length; i < (row + 1) * length; i++) {
            oracle_add(&f->t->oracle, &sum, &sum, &list[i * i % LIST]);
        }
        oracle_point_to_raw(&f->t->oracle, expected, &sum);
        assert_memory_equal(sums + row * bytes, expected, bytes);
    }
}

static void test_sums_of_points(void **state)
{
    static const size_t rows[][2] = {{0, 3}, {1, 1}, {1, MANY}, {3, 100}, {MANY, 1}, {100, 3}, {1, 3000}};
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    AUTO_FREE uint8_t *raw = test_alloc(LIST * f.point_bytes);
    oracle_point list[LIST];
    make_list(&f, list, raw);
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        sumac_context_destroy(f.context);
        f.context = test_context(threads, 0);
        check_additions(&f, list, raw, LIST, LIST, 1); /* all pairs */
        check_additions(&f, list, raw, 1, LIST, LIST);
        check_additions(&f, list, raw, 1, 1, MANY);
        check_additions(&f, list, raw, 3, 7, 5);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            check_row_sums(&f, list, raw, rows[i][0], rows[i][1]);
        }
    }
    for (size_t i = 0; i < LIST; i++) {
        oracle_point_clear(&list[i]);
    }
}

/* ---- Transforms ---- */

enum { ROW_LOG2 = 6, ROW = 1 << ROW_LOG2, DIFFERENT_ROWS = 3 };

/* Transform rows of 64 points. Only three rows differ. Their values are compared with logarithms, and the other rows
 * are compared with these three. */
static void check_rows(const fixture *f, size_t rows, size_t coefficients)
{
    const oracle *o = &f->t->oracle;
    AUTO_FREE uint64_t *numbers = test_alloc(rows * sizeof *numbers);
    uint8_t *found = test_alloc(rows * ROW * f->point_bytes), root_raw[128];
    sumac_transform_config config = {.size = sizeof config};
    TEST_NUMBERS(root, x, value, term);
    config.length = ROW;
    config.coefficients = coefficients;
    for (size_t i = 0; i < rows; i++) {
        numbers[i] = i % DIFFERENT_ROWS;
    }
    assert_int_equal(test_root_of_unity(f->t->group, ROW_LOG2, root_raw), SUMAC_OK);
    oracle_scalar_from_raw(o, root, root_raw);
    CLEANUP(destroy_vector)
    sumac_vector *different =
        test_vector_of(f->context, f->t, SUMAC_VECTOR_POINTS, DIFFERENT_ROWS * ROW, f->points);
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector(f->context, f->t, SUMAC_VECTOR_POINTS, rows * ROW);
    TEST_OK(f->context, sumac_vector_gather(f->context, different, ROW, numbers, rows, vector));
    TEST_OK(f->context, sumac_vector_ntt(f->context, vector, &config));
    TEST_OK(f->context, test_vector_get(f->context, vector, 0, rows * ROW, NULL, found));
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

/* On a GPU each number of rows uses other kernels. They do several layers at once, or one layer by quads or by
 * lanes. */
static void test_many_rows(void **state)
{
    static const size_t rows[] = {1, 2, 20, 130, 700};
    CLEANUP(tear_down) fixture f = set_up(state, DIFFERENT_ROWS * ROW);
    uint8_t root[128];
    memset(f.points + 70 * f.point_bytes, 0, f.point_bytes); /* infinity */
    memset(f.logarithms + 70 * f.scalar_bytes, 0, f.scalar_bytes);
    const size_t counts =
        test_describe(f.context).location == SUMAC_LOCATION_DEVICE ? sizeof rows / sizeof rows[0] : 2;
    if (test_root_of_unity(f.t->group, ROW_LOG2, root) != SUMAC_OK) {
        tear_down(&f);
        skip();
    }
    for (size_t i = 0; i < counts; i++) {
        check_rows(&f, rows[i], i % 2 == 0 ? ROW : ROW / 2);
    }
    check_rows(&f, rows[counts - 1], ROW / 2 + 1);
}

enum { MOST_LOG2 = 6, MOST_ROWS = 3, MOST_POINTS = MOST_ROWS << MOST_LOG2 };

/* This is a transform of rows of 2^log2 points, and the points' logarithms in the vector's order. */
typedef struct transform_case {
    const fixture *f;
    sumac_bases *generator;
    uint32_t log2, largest_log2;
    size_t rows;
    sumac_transform_config config;
    unsigned long shift;                                /* the shift of the coset; 0 means no coset */
    mpz_t root, x[1 << MOST_LOG2], before[MOST_POINTS]; /* x are the points at which values are taken */
} transform_case;

/* Compute the points from their logarithms by MSMs of one base, which other tests compare with GMP. */
static void multiply_generator(const transform_case *c, uint8_t *points, mpz_t *logarithms, size_t n)
{
    AUTO_FREE uint8_t *scalars = test_alloc(n * c->f->scalar_bytes);
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        oracle_scalar_to_raw(&c->f->t->oracle, scalars + i * c->f->scalar_bytes, logarithms[i]);
    }
    TEST_OK(c->f->context, exact_msm(c->f->context, c->generator, scalars, 1, &config, points));
}

/* Return the index in a row of its element i, for this order. */
static size_t index_of(const transform_case *c, size_t i, sumac_order order)
{
    return order == SUMAC_ORDER_NATURAL ? i : test_reversed(i, c->log2);
}

/* Compute the logarithms that a row must have after the transform, term by term. */
static void expect_row(const transform_case *c, mpz_t *after, mpz_t *before)
{
    const size_t n = (size_t)1 << c->log2;
    const mpz_t *r = &c->f->t->oracle.r;
    TEST_NUMBERS(power, term, inverse_n);
    mpz_set_ui(term, n);
    assert_true(mpz_invert(inverse_n, term, *r) != 0);
    for (size_t i = 0; i < n; i++) {
        mpz_set_ui(after[i], 0);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t value = index_of(c, i, c->config.value_order);
        mpz_set(power, c->x[i]);
        assert_true(!c->config.inverse || mpz_invert(power, power, *r) != 0);
        for (size_t j = 0; j < c->config.coefficients; j++) {
            const size_t coefficient = index_of(c, j, c->config.coefficient_order);
            mpz_t *sum = &after[c->config.inverse ? coefficient : value];
            mpz_powm_ui(term, power, j, *r);
            mpz_mul(term, term, before[c->config.inverse ? value : coefficient]);
            if (c->config.inverse) {
                mpz_mul(term, term, inverse_n);
            }
            mpz_add(*sum, *sum, term);
            mpz_mod(*sum, *sum, *r);
        }
    }
}

static void check_transform(transform_case *c)
{
    const size_t n = (size_t)1 << c->log2, count = c->rows * n, bytes = c->f->point_bytes;
    AUTO_FREE uint8_t *points = test_alloc(count * bytes), *expected = test_alloc(count * bytes);
    uint8_t shift[128];
    mpz_t after[MOST_POINTS];
    for (size_t i = 0; i < count; i++) {
        mpz_init(after[i]);
    }
    mpz_set_ui(c->x[0], c->shift == 0 ? 1 : c->shift);
    oracle_scalar_to_raw(&c->f->t->oracle, shift, c->x[0]);
    for (size_t i = 1; i < n; i++) { /* the root has order 2^largest_log2 */
        mpz_powm_ui(c->x[i], c->root, (unsigned long)i << (c->largest_log2 - c->log2), c->f->t->oracle.r);
        mpz_mul_ui(c->x[i], c->x[i], c->shift == 0 ? 1 : c->shift);
        mpz_mod(c->x[i], c->x[i], c->f->t->oracle.r);
    }
    for (size_t row = 0; row < c->rows; row++) {
        expect_row(c, after + row * n, c->before + row * n);
    }
    multiply_generator(c, points, c->before, count);
    multiply_generator(c, expected, after, count);
    c->config.length = n;
    c->config.shift = c->shift == 0 ? NULL : shift;
    c->config.shift_bytes = sizeof shift;
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(c->f->context, c->f->t, SUMAC_VECTOR_POINTS, count, points);
    /* This is twice a point minus the point, which is the same point with another Z. */
    CLEANUP(destroy_vector)
    sumac_vector *once = test_vector_of(c->f->context, c->f->t, SUMAC_VECTOR_POINTS, count, points);
    TEST_OK(c->f->context, sumac_vector_add(c->f->context, vector, once, 1, vector));
    TEST_OK(c->f->context, sumac_vector_subtract(c->f->context, vector, once, 1, vector));
    TEST_OK(c->f->context, sumac_vector_ntt(c->f->context, vector, &c->config));
    TEST_OK(c->f->context, test_vector_get(c->f->context, vector, 0, count, NULL, points));
    for (size_t i = 0; i < count; i++) {
        if (memcmp(points + i * bytes, expected + i * bytes, bytes) != 0) {
            fail_msg("%s %s of %zu, %zu coefficients, orders %d (values) and %d, shift %lu: point %zu of %zu "
                     "is wrong",
                     c->f->t->info->curve, c->config.inverse ? "inverse" : "forward", n,
                     c->config.coefficients, (int)c->config.value_order, (int)c->config.coefficient_order,
                     c->shift, i, count);
        }
        mpz_clear(after[i]);
    }
}

static void begin_case(transform_case *c, const fixture *f)
{
    uint8_t root[128], generator[256];
    *c = (transform_case){
        .f = f, .rows = 1, .config = (sumac_transform_config){.size = sizeof(sumac_transform_config)}};
    mpz_init(c->root);
    for (size_t i = 0; i < MOST_POINTS; i++) {
        mpz_init(c->before[i]);
    }
    for (size_t i = 0; i < 1 << MOST_LOG2; i++) {
        mpz_init(c->x[i]);
    }
    for (uint32_t log2 = 0; log2 <= MOST_LOG2 && test_root_of_unity(f->t->group, log2, root) == SUMAC_OK;
         log2++) {
        c->largest_log2 = log2;
        oracle_scalar_from_raw(&f->t->oracle, c->root, root);
    }
    assert_int_equal(sumac_group_generator(f->t->group, generator, f->t->group->point_bytes), SUMAC_OK);
    c->generator = test_bases(f->context, f->t, generator, 1, NULL);
}

static void end_case(transform_case *c)
{
    sumac_bases_destroy(c->generator);
    mpz_clear(c->root);
    for (size_t i = 0; i < MOST_POINTS; i++) {
        mpz_clear(c->before[i]);
    }
    for (size_t i = 0; i < 1 << MOST_LOG2; i++) {
        mpz_clear(c->x[i]);
    }
}

/* Check all orders and both directions, with and without a coset. */
static void check_directions(transform_case *c, uint32_t log2, size_t rows, size_t coefficients)
{
    c->log2 = log2;
    c->rows = rows;
    c->config.coefficients = coefficients;
    for (unsigned turn = 0; turn < 16; turn++) {
        c->config.inverse = turn & 1;
        c->config.value_order = turn & 2 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
        c->config.coefficient_order = turn & 4 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
        c->shift = turn & 8 ? 7 : 0;
        check_transform(c);
    }
}

/* Return logarithm i of pattern k. With these patterns, butterflies get equal points, opposite points and infinity. */
enum { LOGARITHM_PATTERNS = 7 };
static long pattern(unsigned k, size_t i)
{
    const long logarithms[LOGARITHM_PATTERNS] = {0, /* all points are infinity */
                                                 1, /* all points are equal */
                                                 i % 2 == 0 ? 1 : -1,
                                                 i == 0 ? 1 : 0, /* one point, so that all values are equal */
                                                 i == 3 ? 0 : 5,
                                                 i % 8 < 4 ? 3 : 0,
                                                 i % 4 < 2 ? -2 : 2};
    return logarithms[k];
}

static void test_point_transforms(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    CLEANUP(end_case) transform_case c;
    begin_case(&c, &f);
    for (size_t i = 0; i < MOST_POINTS; i++) {
        mpz_urandomm(c.before[i], f.t->random, f.t->oracle.r);
    }
    for (uint32_t log2 = 0; log2 <= c.largest_log2; log2++) {
        const size_t n = (size_t)1 << log2;
        for (size_t coefficients = n <= 16 && !options.quick ? 1 : n; coefficients <= n; coefficients++) {
            check_directions(&c, log2, 1, coefficients);
        }
    }
    check_directions(&c, (c.largest_log2 < 5 ? c.largest_log2 : 5), MOST_ROWS,
                     ((size_t)1 << (c.largest_log2 < 5 ? c.largest_log2 : 5)) * 5 / 8 + 1);
}

static void test_special_points(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    CLEANUP(end_case) transform_case c;
    begin_case(&c, &f);
    const uint32_t log2 = (c.largest_log2 < 5 ? c.largest_log2 : 5);
    const size_t n = (size_t)1 << log2;
    for (unsigned k = 0; k < LOGARITHM_PATTERNS; k++) {
        for (size_t i = 0; i < MOST_POINTS; i++) {
            mpz_set_si(c.before[i], pattern(k, i));
            mpz_mod(c.before[i], c.before[i], f.t->oracle.r);
        }
        check_directions(&c, log2, 1, n);
    }
    /* If the values of one coefficient are transformed back, half of the points become infinity at each layer. */
    c.config.value_order = c.config.coefficient_order = SUMAC_ORDER_NATURAL;
    c.shift = 0;
    for (unsigned long j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) { /* the last transform has set x, on the coset of 7 */
            mpz_powm_ui(c.before[i], c.x[i], j, f.t->oracle.r);
        }
        c.shift = 7;
        c.config.inverse = 1;
        check_transform(&c);
    }
}

/* Try every pair of points of a tiny group, and every coset. */
static void test_all_of_a_tiny_group(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    CLEANUP(end_case) transform_case c;
    begin_case(&c, &f);
    const unsigned long r = mpz_get_ui(f.t->oracle.r);
    if (r > 100) {
        return;
    }
    c.log2 = 1;
    for (unsigned long k = 0; k < r * r * (r - 1); k++) {
        mpz_set_ui(c.before[0], k % r);
        mpz_set_ui(c.before[1], k / r % r);
        c.shift = k / r / r + 1;
        c.config.coefficients = 1 + k % 2;
        for (c.config.inverse = 0; c.config.inverse < 2; c.config.inverse++) {
            check_transform(&c);
        }
    }
}

/* Return which of the fixture's points is element i of rows of n. Point 0 is infinity, point 2 equals point 1, and
 * point 4 is the opposite of point 3. */
enum { PATTERNS = 4, TWICE_LOG2 = 8, TWICE_MOST = 1 << TWICE_LOG2 };
static size_t number_of(const fixture *f, unsigned pattern, size_t i, size_t n)
{
    switch (pattern) {
    case 0:
        return i % f->n;
    case 1:
        return 5; /* all points are equal */
    case 2:
        return i % (n / 2); /* both halves are equal */
    default:
        return i % n == 1 ? 5 : 0; /* one point is not infinity */
    }
}

/* Evaluate the polynomial of n coefficients at x. */
static void evaluate(const fixture *f, mpz_t value, mpz_t *coefficients, size_t n, const mpz_t x)
{
    mpz_set_ui(value, 0);
    for (size_t j = n; j-- > 0;) {
        mpz_mul(value, value, x);
        mpz_add(value, value, coefficients[j]);
        mpz_mod(value, value, f->t->oracle.r);
    }
}

/* Compare every `step`-th value of a row with what follows from the logarithms before the transforms. */
static void expect_twice(const fixture *f, const sumac_vector *vector, size_t row, mpz_t *before,
                         uint32_t log2, sumac_order order, size_t step)
{
    const size_t n = (size_t)1 << log2;
    uint8_t root_raw[128];
    mpz_t root, x, value, middle[TWICE_MOST / 2];
    mpz_inits(root, x, value, NULL);
    assert_int_equal(test_root_of_unity(f->t->group, log2, root_raw), SUMAC_OK);
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

/* Each row of n points must become the transform of the lower half of its transform. */
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

/* Make point `to` the opposite of point `from`. */
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

/* The engine does both transforms at once for any number of rows, but only for some lengths. */
static void check_ways(const fixture *f)
{
    const executor *at = f->context->executors.at;
    const point_vector_ops *ops = vector_point_ops(at, f->t->group);
    const vector_run run = {
        .threads = 1, .engine = at->engine, .group = f->t->group, .code = executor_code(at, f->t->group)};
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

/* FK20 does the steps that this tests. On a GPU multiples are computed by quads if there are few rows, and by lanes if
 * there are many. For few rows there may be halves of scalars, and for the fewest rows these have another form. */
static void test_transforms_twice(void **state)
{
    static const size_t rows[] = {3, 2, 2, 2, 2, 1, 1, 1}, device_rows[] = {2, 3, 4, 5, 31, 64, 128, 200};
    CLEANUP(tear_down) fixture f = set_up(state, 150);
    const int on_device = test_describe(f.context).location == SUMAC_LOCATION_DEVICE;
    const size_t p = f.point_bytes, s = f.scalar_bytes;
    uint8_t root[128];
    memset(f.points, 0, p);
    memset(f.logarithms, 0, s);
    memcpy(f.points + 2 * p, f.points + p, p);
    memcpy(f.logarithms + 2 * s, f.logarithms + s, s);
    set_opposite(&f, 4, 3);
    for (uint32_t log2 = 1; log2 <= TWICE_LOG2 && test_root_of_unity(f.t->group, log2, root) == SUMAC_OK;
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
    TEST_OK(f.context, sumac_bases_create_from_vector(f.context, points, 1, N - 1, NULL, &bases));
    assert_int_equal(sumac_bases_count(bases), N - 1);
    sumac_msm_config config = {.size = sizeof config};
    config.batch = BATCH;
    TEST_OK(f.context,
            sumac_msm_vectors(f.context, bases, scalars, SKIPPED_SCALARS, N - 1, &config, results, 1));
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
    TEST_BAD(f.context, sumac_msm_vectors(f.context, bases, scalars, 9, N - 1, &config, results, 1));
    TEST_BAD(f.context, sumac_msm_vectors(f.context, bases, scalars, 0, N - 1, &config, results, 2));
    TEST_BAD(f.context, sumac_msm_vectors(f.context, bases, points, 0, 1, NULL, results, 0));
}

/* The results of an MSM, of any number and with infinity among them, can be used like other points. Here results i and
 * i + 1 are added up. */
static void test_results(void **state)
{
    enum { N = 3, MOST = 700 };
    static const size_t batches[] = {2, 20, MOST};
    CLEANUP(tear_down) fixture f = set_up(state, N);
    const oracle *o = &f.t->oracle;
    AUTO_FREE uint8_t *raw = test_alloc(MOST * N * f.scalar_bytes);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(f.context, f.t, f.points, N, NULL);
    sumac_msm_config config = {.size = sizeof config};
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
        TEST_OK(f.context, sumac_msm_vectors(f.context, bases, scalars, 0, N, &config, results, 0));
        TEST_OK(f.context, sumac_vector_sum(f.context, results, 2, sums));
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

/* ---- Vectors of other devices ---- */

static void test_foreign_vectors(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 4);
    uint8_t raw[4 * 128] = {0};
    CLEANUP(destroy_vector) sumac_vector *local = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 4);
    CLEANUP(destroy_vector) sumac_vector *other = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 4);
    const sumac_slice slice = sumac_slice_of(0, 4);
    backend another = *f.context->executors.at->backend;
    another.name = "other";
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 0) { /* the vector belongs to another device */
            other->device += 3;
        } else {
            other->device -= 3;
            other->backend = &another;
        }
        const char *word = turn == 0 ? "GPU" : "other";
        test_sentence(f.context, sumac_vector_add(f.context, local, other, 1, local), SUMAC_BAD_ARGUMENT,
                      word);
        TEST_BAD(f.context, sumac_vector_add(f.context, local, local, 1, other));
        TEST_BAD(f.context, sumac_vector_copy(f.context, other, &slice, local, &slice));
        TEST_BAD(f.context, test_vector_set(f.context, other, raw, 0, 4, NULL));
        TEST_BAD(f.context, test_vector_get(f.context, other, 0, 4, NULL, raw));
        TEST_BAD(f.context, sumac_vector_invert(f.context, other));
        TEST_BAD(f.context, sumac_vector_ntt(f.context, other, NULL));
    }
    other->backend = f.context->executors.at->backend;
    TEST_OK(f.context, sumac_vector_add(f.context, local, other, 1, local));
}

/* Impossible arguments are refused, and the vector stays as it is. */
static void test_refused(void **state)
{
    static const uint32_t directions[] = {2, UINT32_MAX, UINT32_MAX - 4, 1 << 30};
    CLEANUP(tear_down) fixture f = set_up(state, 4);
    uint8_t before[4 * 128] = {0}, after[sizeof before] = {0};
    CLEANUP(destroy_vector) sumac_vector *scalars = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 4);
    TEST_OK(f.context, test_vector_get(f.context, scalars, 0, 4, NULL, before));
    TEST_BAD(f.context, test_vector_fill(f.context, scalars, NULL));
    assert_string_equal(sumac_context_message(f.context), "scalar must not be null");
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        sumac_transform_config config = {.size = sizeof config};
        config.length = 1;
        config.inverse = directions[i];
        test_sentence(f.context, sumac_vector_ntt(f.context, scalars, &config), SUMAC_BAD_ARGUMENT,
                      "inverse is neither 0 nor 1");
    }
    TEST_OK(f.context, test_vector_get(f.context, scalars, 0, 4, NULL, after));
    assert_memory_equal(before, after, sizeof before);
}

/* Calls that work on rows refuse a length that does not divide the vector. Add, subtract and multiply accept any
 * length, as vector.h says. */
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
        test_status(f.context, test_vector_scale_powers(f.context, a, one, one, length), expected, "scale");
        test_status(f.context, sumac_vector_sum(f.context, a, length, few), expected, "sum");
        test_status(f.context, sumac_vector_transpose(f.context, a, 1, length, b), expected, "transpose");
        test_status(f.context, sumac_vector_transpose(f.context, a, length, 2, b),
                    length > 0 && COUNT % (2 * length) == 0 ? SUMAC_OK : SUMAC_BAD_ARGUMENT, "transpose");
        test_status(f.context, sumac_vector_bit_reverse(f.context, a, length),
                    is_power ? expected : SUMAC_BAD_ARGUMENT, "reverse");
    }
    for (uint8_t i = 0; i < 5; i++) { /* 0, 1, 2, 3, 4 */
        one[0] = i;                   /* the least order is 11 */
        TEST_OK(f.context, test_vector_set(f.context, five, one, i, 1, NULL));
    }
    for (size_t each = 1; each <= COUNT + 1; each++) {
        memset(one, 0, sizeof one);
        TEST_OK(f.context, test_vector_fill(f.context, a, one));
        TEST_OK(f.context, sumac_vector_add(f.context, a, five, each, b));
        TEST_OK(f.context, test_vector_get(f.context, b, 0, COUNT, NULL, sums));
        for (size_t i = 0; i < COUNT; i++) {
            assert_int_equal(sums[i * bytes], i / each % 5);
        }
    }
}

/* If a buffer is one byte too short, it is refused, and nothing is written. If it is longer, it is not refused. */
static void test_lengths(void **state)
{
    enum { COUNT = 4 };
    CLEANUP(tear_down) fixture f = set_up(state, COUNT);
    const size_t bytes = f.scalar_bytes;
    uint8_t raw[COUNT * 128] = {1}, before[sizeof raw], after[sizeof raw];
    uint16_t integers[COUNT] = {1, 2, 3, 4};
    sumac_element_layout layout = {.size = sizeof layout, .scalar_bytes = sizeof *integers};
    sumac_transform_config shifted = {.size = sizeof shifted, .length = 1, .shift = raw};
    CLEANUP(destroy_vector) sumac_vector *a = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, COUNT);
    CLEANUP(destroy_vector) sumac_vector *points = test_vector(f.context, f.t, SUMAC_VECTOR_POINTS, COUNT);
    memset(before, 0xa5, sizeof before);
    memset(after, 0xa5, sizeof after);
    shifted.shift_bytes = bytes - 1;
    TEST_SHORT(f.context, sumac_vector_set(f.context, a, raw, COUNT * bytes - 1, 0, COUNT, NULL));
    TEST_SHORT(f.context, sumac_vector_set(f.context, a, integers, sizeof integers - 1, 0, COUNT, &layout));
    TEST_SHORT(f.context,
               sumac_vector_set(f.context, points, f.points, COUNT * f.point_bytes - 1, 0, COUNT, NULL));
    TEST_SHORT(f.context, sumac_vector_fill(f.context, a, raw, bytes - 1));
    TEST_SHORT(f.context, sumac_vector_get(f.context, a, 1, 2, NULL, after, 2 * bytes - 1));
    TEST_SHORT(f.context, sumac_vector_get(f.context, points, 1, 2, NULL, after, 2 * f.point_bytes - 1));
    assert_memory_equal(after, before, sizeof after);
    TEST_OK(f.context, sumac_vector_get(f.context, a, 0, COUNT, NULL, after, sizeof after));
    assert_int_equal(after[0], 0); /* no call has set an element */
    TEST_OK(f.context, sumac_vector_set(f.context, a, raw, sizeof raw, 0, COUNT, NULL));
    TEST_SHORT(f.context, sumac_vector_scale_powers(f.context, a, raw, bytes - 1, raw, bytes, COUNT));
    TEST_SHORT(f.context, sumac_vector_scale_powers(f.context, a, raw, bytes, raw, bytes - 1, COUNT));
    TEST_SHORT(f.context, sumac_vector_ntt(f.context, a, &shifted));
    TEST_SHORT(f.context, sumac_vector_divide_by_vanishing(f.context, a, 1, &shifted));
    TEST_OK(f.context, sumac_vector_scale_powers(f.context, a, NULL, 0, NULL, 0, COUNT));
    memset(after, 0xa5, sizeof after);
    assert_int_equal(sumac_root_of_unity(f.t->group, 0, after, bytes - 1), SUMAC_BAD_LENGTH);
    assert_memory_equal(after, before, sizeof after);
    assert_int_equal(sumac_root_of_unity(f.t->group, 0, after, bytes), SUMAC_OK);
    assert_memory_equal(after, raw, bytes);
    /* The second operand has at least one element for each of the first. */
    test_sentence(f.context, sumac_vector_add(f.context, a, a, 0, a), SUMAC_BAD_ARGUMENT, "each is 0");
    test_sentence(f.context, sumac_vector_subtract(f.context, a, a, 0, a), SUMAC_BAD_ARGUMENT, "each is 0");
    test_sentence(f.context, sumac_vector_multiply(f.context, a, a, 0, a), SUMAC_BAD_ARGUMENT, "each is 0");
    test_sentence(f.context, sumac_vector_multiply_add(f.context, a, a, 0, a, a), SUMAC_BAD_ARGUMENT,
                  "each is 0");
}

/* ---- Values of polynomials ---- */

enum { EVALUATIONS = 4, MONOMIALS = 3 };

/* Set `value` to the polynomial's value at x. */
static void value_at(mpz_t value, const mpz_t coefficients[MONOMIALS], const size_t exponents[MONOMIALS],
                     const mpz_t x, const mpz_t r)
{
    TEST_NUMBERS(power);
    mpz_set_ui(value, 0);
    for (int i = 0; i < MONOMIALS; i++) {
        mpz_powm_ui(power, x, exponents[i], r);
        mpz_addmul(value, power, coefficients[i]);
    }
    mpz_mod(value, value, r);
}

/* Evaluate polynomials of three monomials, of which one has the highest degree, that are given by their values at the
 * roots of unity of order 2^log2: at any point, at 0, and at two of these roots. */
static void check_evaluations(const fixture *f, uint32_t log2)
{
    const size_t n = (size_t)1 << log2, bytes = f->scalar_bytes;
    const oracle *o = &f->t->oracle;
    executor *self = f->context->executors.at;
    AUTO_FREE uint8_t *raw = test_alloc(EVALUATIONS * n * bytes), *zs = test_alloc(EVALUATIONS * bytes);
    AUTO_FREE uint8_t *inverses = test_alloc(n * bytes), *root = test_alloc(2 * bytes);
    memset(root, 0, 2 * bytes);
    memset(inverses, 0, n * bytes);
    const size_t exponents[MONOMIALS] = {0, n / 2, n - 1};
    mpz_t coefficients[MONOMIALS];
    TEST_NUMBERS(w, x, z, value, wanted);
    if (test_root_of_unity(f->t->group, log2, root) != SUMAC_OK) {
        return;
    }
    oracle_scalar_from_raw(o, w, root);
    test_random_scalars(f->t, zs, EVALUATIONS);
    for (int i = 0; i < MONOMIALS; i++) {
        mpz_init_set_ui(coefficients[i], 1);
        mpz_mul_2exp(coefficients[i], coefficients[i], (mp_bitcnt_t)(97 * i));
        mpz_mod(coefficients[i], coefficients[i], o->r);
    }
    for (size_t i = 0; i < n; i++) {
        mpz_powm_ui(x, w, test_reversed(i, log2), o->r);
        value_at(value, coefficients, exponents, x, o->r);
        for (size_t row = 0; row < EVALUATIONS; row++) {
            oracle_scalar_to_raw(o, raw + (row * n + i) * bytes, value);
        }
        if (i == n / 2 || i == n - 1) {
            oracle_scalar_to_raw(o, zs + (i == n - 1 ? 2 : 3) * bytes, x);
        }
        if (i == 2) {
            oracle_scalar_to_raw(o, root + bytes, x);
        }
        if (i % 4 == 0) {
            mpz_invert(x, x, o->r);
            oracle_scalar_to_raw(o, inverses + i / 4 * bytes, x);
        }
    }
    memset(zs + bytes, 0, bytes);
    CLEANUP(destroy_vector)
    sumac_vector *values = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, EVALUATIONS * n, raw);
    CLEANUP(destroy_vector)
    sumac_vector *points = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, EVALUATIONS, zs);
    CLEANUP(destroy_vector)
    sumac_vector *inverse_roots =
        test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, ceil_divide(n, 4), inverses);
    CLEANUP(destroy_vector)
    sumac_vector *quarter = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, 1, root + bytes);
    CLEANUP(destroy_vector)
    sumac_vector *results = test_vector(f->context, f->t, SUMAC_VECTOR_SCALARS, EVALUATIONS);
    TEST_OK(f->context, vector_evaluate(self, results, values, points, inverse_roots, quarter));
    TEST_OK(f->context, test_vector_get(f->context, results, 0, EVALUATIONS, NULL, raw));
    for (size_t row = 0; row < EVALUATIONS; row++) {
        oracle_scalar_from_raw(o, z, zs + row * bytes);
        oracle_scalar_from_raw(o, value, raw + row * bytes);
        value_at(wanted, coefficients, exponents, z, o->r);
        mpz_mul_ui(wanted, wanted, n);
        mpz_mod(wanted, wanted, o->r);
        if (mpz_cmp(value, wanted) != 0) {
            fail_msg("%s: value %zu of a polynomial of %zu coefficients is wrong", f->t->info->curve, row, n);
        }
    }
    for (int i = 0; i < MONOMIALS; i++) {
        mpz_clear(coefficients[i]);
    }
}

/* Lengths go through tasks of one block and of several, and through steps with and without lanes. */
static void test_evaluations(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    executor_enter(f.context->executors.at);
    if (vector_can_evaluate(f.context->executors.at, f.t->group)) {
        for (uint32_t log2 = 0; log2 <= 12; log2 += 2) {
            check_evaluations(&f, log2);
        }
    }
}

static const test_entry entries[] = {
    {"points in and out", test_points_in_and_out, TEST_EVERY_AND_TINY},
    {"sums of points", test_sums_of_points, TEST_EVERY_AND_TINY},
    {"transforms of points", test_point_transforms, TEST_EVERY_AND_TINY},
    {"transforms of special points", test_special_points, TEST_EVERY_AND_TINY},
    {"transforms of all of a tiny group", test_all_of_a_tiny_group, TEST_TINY},
    {"transforms of many rows", test_many_rows, TEST_SOME_AND_TINY},
    {"transforms twice", test_transforms_twice, TEST_EVERY_AND_TINY},
    {"MSMs", test_msms, TEST_EVERY_AND_TINY},
    {"results", test_results, TEST_EVERY_AND_TINY},
    {"refused arguments", test_refused, TEST_EVERY_AND_TINY},
    {"lengths", test_lengths, TEST_EVERY_AND_TINY},
    {"values of polynomials", test_evaluations, TEST_EVERY_AND_TINY},
    {"whole rows", test_whole_rows, TEST_SOME_AND_TINY},
    {"foreign vectors", test_foreign_vectors, TEST_EVERY_AND_TINY},
};

TEST_MAIN("vector_interface", entries)
