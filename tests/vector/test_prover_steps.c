/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file tests what provers do with vectors between transforms: running sums and products, multiply-add, division by
 * a vanishing polynomial, columns of small integers, the caller's own memory, and views. The oracle is GMP. */
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "sumac/vector.h"
#include "support/harness.h"

typedef struct fixture {
    test_group *t;
    sumac_context *context;
    size_t bytes;
} fixture;

static fixture set_up(void **state, uint32_t threads)
{
    test_group *t = *state;
    return (fixture){t, test_context(threads, 0), t->info->scalar_bytes};
}

static void tear_down(fixture *f)
{
    sumac_context_destroy(f->context);
}

static uint8_t *random_raw(const fixture *f, size_t n)
{
    uint8_t *raw = test_alloc(n * f->bytes);
    test_random_scalars(f->t, raw, n);
    return raw;
}

static void get(mpz_t r, const uint8_t *raw, size_t bytes)
{
    mpz_import(r, bytes, -1, 1, -1, 0, raw);
}

/* Require that element i of the vector is `wanted` modulo r. */
static void expect(const fixture *f, const uint8_t *raw, size_t i, const mpz_t wanted, const char *label)
{
    TEST_NUMBERS(element, reduced);
    get(element, raw + i * f->bytes, f->bytes);
    mpz_mod(reduced, wanted, f->t->oracle.r);
    if (mpz_cmp(element, reduced) != 0) {
        fail_msg("%s, %s: element %zu is wrong", f->t->info->curve, label, i);
    }
}

static uint8_t *read_back(const fixture *f, const sumac_vector *vector)
{
    const size_t n = sumac_vector_count(vector);
    uint8_t *raw = test_alloc(n * f->bytes);
    TEST_OK(f->context, test_vector_get(f->context, vector, 0, n, NULL, raw));
    return raw;
}

/* ---- Scans ---- */

static void scan_once(const fixture *f, size_t n, size_t length, sumac_scan operation, uint32_t exclusive)
{
    AUTO_FREE uint8_t *raw = random_raw(f, n);
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, n, raw);
    TEST_OK(f->context, sumac_vector_scan(f->context, vector, length, operation, exclusive));
    AUTO_FREE uint8_t *back = read_back(f, vector);
    TEST_NUMBERS(sum, element);
    for (size_t i = 0; i < n; i++) {
        if (i % length == 0) {
            mpz_set_ui(sum, operation == SUMAC_SCAN_PRODUCT);
        }
        if (exclusive) {
            expect(f, back, i, sum, "exclusive scan");
        }
        get(element, raw + i * f->bytes, f->bytes);
        if (operation == SUMAC_SCAN_PRODUCT) {
            mpz_mul(sum, sum, element);
        } else {
            mpz_add(sum, sum, element);
        }
        mpz_mod(sum, sum, f->t->oracle.r);
        if (!exclusive) {
            expect(f, back, i, sum, "scan");
        }
    }
}

/* Rows end within pieces of the engines' work or at their ends. Some rows have one element. */
static void test_scans(void **state)
{
    static const size_t shapes[][2] = {{0, 1},       {1, 1},       {5, 5},         {63, 21},    {64, 1},
                                       {1024, 1024}, {1024, 64},   {1025, 205},    {2048, 32},  {3000, 1000},
                                       {4096, 4096}, {6144, 3072}, {33000, 33000}, {40000, 625}};
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        CLEANUP(tear_down) fixture f = set_up(state, threads);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            if (!options.quick || shapes[i][0] < 3000) {
                for (uint32_t k = 0; k < 4; k++) {
                    scan_once(&f, shapes[i][0], shapes[i][1], k < 2 ? SUMAC_SCAN_SUM : SUMAC_SCAN_PRODUCT,
                              k % 2);
                }
            }
        }
    }
}

/* ---- Multiply-add ---- */

static void test_multiply_add(void **state)
{
    static const size_t shapes[][3] = {{1, 1, 1}, {100, 100, 1}, {1000, 8, 1}, {1000, 10, 100}, {4096, 1, 1}};
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    for (size_t s = 0; s < 3 * (sizeof shapes / sizeof shapes[0]); s++) {
        const size_t n = shapes[s / 3][0], count = shapes[s / 3][1], each = shapes[s / 3][2];
        AUTO_FREE uint8_t *raw_a = random_raw(&f, n), *raw_b = random_raw(&f, count),
                          *raw_c = random_raw(&f, n);
        sumac_vector *const vectors[] = {test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, n, raw_a),
                                         test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, n, raw_c),
                                         test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, n)};
        CLEANUP(destroy_vector)
        sumac_vector *b = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, count, raw_b);
        /* The result overwrites an operand or is another vector. */
        TEST_OK(f.context,
                sumac_vector_multiply_add(f.context, vectors[0], b, each, vectors[1], vectors[s % 3]));
        AUTO_FREE uint8_t *back = read_back(&f, vectors[s % 3]);
        TEST_NUMBERS(a, factor, sum);
        for (size_t i = 0; i < n; i++) {
            get(a, raw_a + i * f.bytes, f.bytes);
            get(factor, raw_b + i / (each == 0 ? 1 : each) % count * f.bytes, f.bytes);
            get(sum, raw_c + i * f.bytes, f.bytes);
            mpz_addmul(sum, a, factor);
            expect(&f, back, i, sum, "multiply-add");
        }
        for (size_t i = 0; i < 3; i++) {
            sumac_vector_destroy(vectors[i]);
        }
    }
}

/* ---- Vanishing polynomials ---- */

static void test_vanishing(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    AUTO_FREE uint8_t *shift = random_raw(&f, 1), *root = test_alloc(f.bytes);
    enum { ROWS = 3 };
    TEST_NUMBERS(x, step, power, value, r);
    mpz_set(r, f.t->oracle.r);
    for (uint32_t log2 = 0; log2 <= 7; log2++) {
        const size_t length = (size_t)1 << log2;
        if (test_root_of_unity(f.t->group, log2, root) != SUMAC_OK) {
            continue;
        }
        for (uint32_t log2_n = 0; log2_n <= log2; log2_n++) {
            for (uint32_t reversed = 0; reversed < 2; reversed++) {
                sumac_transform_config config = {.size = sizeof config};
                const size_t n = (size_t)1 << log2_n;
                config.length = length;
                config.shift = shift;
                config.shift_bytes = f.bytes;
                config.value_order = reversed ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
                /* With a root that the caller gives, values are in another order: here w^3 takes the place of w. */
                const int is_given = (log2 + log2_n) % 2 == 1;
                uint8_t given[128] = {0};
                get(step, root, f.bytes);
                mpz_powm_ui(step, step, 3, r);
                mpz_export(given, NULL, -1, 1, -1, 0, step);
                config.root = is_given ? given : NULL;
                config.root_bytes = f.bytes;
                AUTO_FREE uint8_t *raw = random_raw(&f, ROWS * length);
                CLEANUP(destroy_vector)
                sumac_vector *vector =
                    test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, ROWS * length, raw);
                const sumac_status status = sumac_vector_divide_by_vanishing(f.context, vector, n, &config);
                if (status == SUMAC_BAD_ARGUMENT && mpz_sizeinbase(r, 2) < 32) {
                    continue; /* in a tiny field the shift may be a root of unity */
                }
                test_status(f.context, status, SUMAC_OK, "divide by X^n - 1");
                AUTO_FREE uint8_t *back = read_back(&f, vector);
                for (size_t i = 0; i < ROWS * length; i++) {
                    const size_t index = i % length;
                    get(x, shift, f.bytes);
                    get(step, is_given ? given : root, f.bytes);
                    mpz_powm_ui(step, step, reversed ? test_reversed(index, log2) : index, r);
                    mpz_mul(x, x, step);
                    mpz_powm_ui(power, x, n, r);
                    mpz_sub_ui(power, power, 1);
                    assert_true(mpz_invert(power, power, r));
                    get(value, raw + i * f.bytes, f.bytes);
                    mpz_mul(value, value, power);
                    expect(&f, back, i, value, "divide by X^n - 1");
                }
            }
        }
    }
    /* On the subgroup itself the divisor is 0. */
    CLEANUP(destroy_vector) sumac_vector *vector = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 2);
    test_sentence(f.context, sumac_vector_divide_by_vanishing(f.context, vector, 1, NULL), SUMAC_BAD_ARGUMENT,
                  "choose another shift");
    test_status(f.context, sumac_vector_divide_by_vanishing(f.context, vector, 0, NULL), SUMAC_BAD_ARGUMENT,
                "n is 0");
    test_status(f.context, sumac_vector_divide_by_vanishing(f.context, vector, 4, NULL), SUMAC_BAD_ARGUMENT,
                "n is longer than a row");
}

/* ---- Columns of integers ---- */

static void test_integers(void **state)
{
    enum { N = 2500 };
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    uint8_t column[8 * N];
    CLEANUP(destroy_vector) sumac_vector *vector = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, N + 1);
    TEST_NUMBERS(wanted, power);
    for (uint32_t k = 0; k < 8; k++) {
        sumac_element_layout layout = {.size = sizeof layout};
        layout.scalar_bytes = 1U << k / 2;
        layout.scalar_signed = k % 2;
        test_random_bytes(f.t, column, sizeof column);
        memset(column, 0, 8);
        memset(column + 8, 0xff, 16);
        column[31] = 0x80;
        TEST_OK(f.context, test_vector_set(f.context, vector, column, 1, N, &layout));
        AUTO_FREE uint8_t *back = read_back(&f, vector);
        for (size_t i = 0; i < N; i++) {
            get(wanted, column + i * layout.scalar_bytes, layout.scalar_bytes);
            if (layout.scalar_signed && mpz_tstbit(wanted, 8 * layout.scalar_bytes - 1)) {
                mpz_ui_pow_ui(power, 2, 8 * layout.scalar_bytes);
                mpz_sub(wanted, wanted, power);
            }
            expect(&f, back, i + 1, wanted, "integers");
        }
    }
    sumac_element_layout layout = {.size = sizeof layout};
    layout.scalar_bytes = 3;
    test_status(f.context, test_vector_set(f.context, vector, column, 0, 1, &layout), SUMAC_BAD_ARGUMENT,
                "3 bytes");
    layout.scalar_bytes = 4;
    layout.byte_order = SUMAC_BIG_ENDIAN;
    test_status(f.context, test_vector_set(f.context, vector, column, 0, 1, &layout), SUMAC_NOT_SUPPORTED,
                "big-endian integers");
    layout.byte_order = SUMAC_LITTLE_ENDIAN;
    memset(column, 0x5a, sizeof column);
    test_status(f.context, sumac_vector_get(f.context, vector, 0, N, &layout, column, sizeof column),
                SUMAC_NOT_SUPPORTED, "whole");
    for (size_t i = 0; i < sizeof column; i++) {
        assert_int_equal(column[i], 0x5a);
    }
}

/* ---- Views and memory ---- */

static void test_views(void **state)
{
    enum { N = 40, FIRST = 7, COUNT = 20 };
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    AUTO_FREE uint8_t *raw = random_raw(&f, N);
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, N, raw), *view = NULL,
                 *other = NULL;
    TEST_OK(f.context, sumac_vector_view(f.context, vector, FIRST, COUNT, &view));
    assert_int_equal(sumac_vector_count(view), COUNT);
    AUTO_FREE uint8_t *seen = read_back(&f, view);
    assert_memory_equal(seen, raw + FIRST * f.bytes, COUNT * f.bytes);
    TEST_OK(f.context, sumac_vector_add(f.context, view, view, 1, view));
    AUTO_FREE uint8_t *back = read_back(&f, vector);
    TEST_NUMBERS(wanted);
    for (size_t i = 0; i < N; i++) {
        get(wanted, raw + i * f.bytes, f.bytes);
        mpz_mul_ui(wanted, wanted, i >= FIRST && i < FIRST + COUNT ? 2 : 1);
        expect(&f, back, i, wanted, "a view's elements");
    }
    TEST_OK(f.context, sumac_vector_view(f.context, vector, FIRST + 1, COUNT, &other));
    test_sentence(f.context, sumac_vector_add(f.context, view, other, 1, view), SUMAC_BAD_ARGUMENT,
                  "shares no memory");
    test_sentence(f.context, sumac_vector_sum(f.context, vector, N, view), SUMAC_BAD_ARGUMENT, "shares");
    sumac_vector_destroy(other);
    test_status(f.context, sumac_vector_view(f.context, vector, N, 1, &other), SUMAC_BAD_ARGUMENT, "past");
    assert_null(other);
}

/* Another vector's memory replaces the caller's memory here, because it lies where the context computes. */
static void test_wrapped(void **state)
{
    enum { N = 16 };
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    AUTO_FREE uint8_t *raw = random_raw(&f, N);
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, N, raw), *wrapped = NULL;
    char *memory = sumac_vector_memory(vector);
    assert_non_null(memory);
    TEST_OK(f.context, sumac_vector_wrap(f.context, f.t->group, memory, N, &wrapped));
    TEST_OK(f.context,
            sumac_vector_ntt(f.context, wrapped,
                             &(sumac_transform_config){.size = sizeof(sumac_transform_config), .length = 1}));
    AUTO_FREE uint8_t *back = read_back(&f, wrapped);
    assert_memory_equal(back, raw, N * f.bytes);
    assert_ptr_equal(sumac_vector_memory(wrapped), memory);
    sumac_vector_destroy(wrapped);
    AUTO_FREE uint8_t *still = read_back(&f, vector);
    assert_memory_equal(still, raw, N * f.bytes);
    if (test_describe(f.context).location == SUMAC_LOCATION_HOST) {
        /* The elements in the memory are in Montgomery form. */
        sumac_element_layout layout = {.size = sizeof layout};
        layout.form = SUMAC_FORM_MONTGOMERY;
        TEST_OK(f.context, test_vector_get(f.context, vector, 0, N, &layout, back));
        assert_memory_equal(memory, back, N * f.bytes);
    } else {
        test_sentence(f.context, sumac_vector_wrap(f.context, f.t->group, raw, N, &wrapped),
                      SUMAC_BAD_ARGUMENT, "not that of the context's device");
    }
    test_sentence(f.context, sumac_vector_wrap(f.context, f.t->group, memory, SIZE_MAX / f.bytes, &wrapped),
                  SUMAC_BAD_ARGUMENT, "more than any memory holds");
    test_status(f.context, sumac_vector_wrap(f.context, f.t->group, memory + 4, 1, &wrapped),
                SUMAC_BAD_ARGUMENT, "not aligned");
    assert_null(wrapped);
}

static const test_entry tests[] = {
    {"scans", test_scans, TEST_EVERY_AND_TINY},
    {"multiply-add", test_multiply_add, TEST_EVERY_AND_TINY},
    {"vanishing polynomials", test_vanishing, TEST_EVERY_AND_TINY},
    {"integers", test_integers, TEST_EVERY_AND_TINY},
    {"views", test_views, TEST_EVERY_AND_TINY},
    {"wrapped memory", test_wrapped, TEST_EVERY_AND_TINY},
};

TEST_MAIN("prover_steps", tests)
