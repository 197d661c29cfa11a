/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file tests vectors of scalars and their transforms through sumac/vector.h. The oracle is GMP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "sumac/vector.h"
#include "support/harness.h"

/* This is a context, and vectors together with GMP's integers. */
typedef struct fixture {
    test_group *t;
    sumac_context *context;
    mpz_t r;
    size_t bytes;
} fixture;

static fixture set_up(void **state, uint32_t threads)
{
    fixture f = {.t = *state};
    f.context = test_context(threads, 0);
    f.bytes = f.t->info->scalar_bytes;
    mpz_init(f.r);
    mpz_import(f.r, f.bytes / 8, -1, 8, -1, 0, f.t->info->order);
    return f;
}

static void tear_down(fixture *f)
{
    mpz_clear(f->r);
    sumac_context_destroy(f->context);
}

static void get(mpz_t r, const uint8_t *raw, size_t bytes)
{
    mpz_import(r, bytes, -1, 1, -1, 0, raw);
}

static void put(uint8_t *raw, const mpz_t a, size_t bytes)
{
    memset(raw, 0, bytes);
    mpz_export(raw, NULL, -1, 1, -1, 0, a);
}

static uint8_t *random_raw(const fixture *f, size_t n)
{
    uint8_t *raw = test_alloc(n * f->bytes);
    test_random_scalars(f->t, raw, n);
    return raw;
}

static void expect(const fixture *f, const sumac_vector *vector, const uint8_t *expected, const char *label)
{
    const size_t n = sumac_vector_count(vector);
    AUTO_FREE uint8_t *raw = test_alloc(n * f->bytes);
    test_status(f->context, test_vector_get(f->context, vector, 0, n, NULL, raw), SUMAC_OK, label);
    for (size_t i = 0; i < n; i++) {
        if (memcmp(raw + i * f->bytes, expected + i * f->bytes, f->bytes) != 0) {
            fail_msg("%s, %s: element %zu of %zu is wrong", f->t->info->curve, label, i, n);
        }
    }
}

static uint32_t two_adicity(const fixture *f)
{
    TEST_NUMBERS(rest);
    mpz_sub_ui(rest, f->r, 1);
    const uint32_t s = (uint32_t)mpz_scan1(rest, 0);
    return s;
}

/* ---- Setting and getting elements ---- */

static void test_layouts(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    enum { N = 3000 };
    AUTO_FREE uint8_t *raw = random_raw(&f, N), *other = test_alloc(N * f.bytes);
    TEST_NUMBERS(a, power);
    mpz_sub_ui(a, f.r, 1);
    put(raw, a, f.bytes);              /* the largest element */
    memset(raw + f.bytes, 0, f.bytes); /* the smallest element */
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, N, raw);
    expect(&f, vector, raw, "canonical");

    sumac_element_layout layout = {.size = sizeof layout};
    layout.byte_order = SUMAC_BIG_ENDIAN;
    TEST_OK(f.context, test_vector_get(f.context, vector, 0, N, &layout, other));
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < f.bytes; j++) {
            assert_int_equal(other[i * f.bytes + j], raw[(i + 1) * f.bytes - 1 - j]);
        }
    }
    TEST_OK(f.context, test_vector_set(f.context, vector, other, 0, N, &layout));
    expect(&f, vector, raw, "from big-endian");

    layout = (sumac_element_layout){.size = sizeof(sumac_element_layout)};
    layout.form = SUMAC_FORM_MONTGOMERY;
    TEST_OK(f.context, test_vector_get(f.context, vector, 0, N, &layout, other));
    for (size_t i = 0; i < N; i++) {
        uint8_t expected[128];
        get(a, raw + i * f.bytes, f.bytes);
        mpz_mul_2exp(a, a, 8 * f.bytes);
        mpz_mod(a, a, f.r);
        put(expected, a, f.bytes);
        assert_memory_equal(other + i * f.bytes, expected, f.bytes);
    }
    TEST_OK(f.context, test_vector_set(f.context, vector, other + 7 * f.bytes, 7, N - 7, &layout));
    expect(&f, vector, raw, "from Montgomery form");

    /* In every form r itself is refused with its index, and nothing changes. */
    put(other + 2777 * f.bytes, f.r, f.bytes);
    put(other + 2778 * f.bytes, f.r, f.bytes);
    test_sentence(f.context, test_vector_set(f.context, vector, other, 0, N, &layout), SUMAC_BAD_ENCODING,
                  "2777");
    expect(&f, vector, raw, "unchanged");
    TEST_BAD(f.context, test_vector_set(f.context, vector, raw, 1, N, NULL));
    TEST_BAD(f.context, test_vector_get(f.context, vector, SIZE_MAX, 2, NULL, other));
}

/* If two tasks have bad scalars, the message names the first one, with one thread and with two. */
static void test_first_bad(void **state)
{
    enum { N = 3000 };
    for (uint32_t threads = 1; threads <= 2; threads++) {
        CLEANUP(tear_down) fixture f = set_up(state, threads);
        AUTO_FREE uint8_t *raw = random_raw(&f, N);
        CLEANUP(destroy_vector) sumac_vector *vector = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, N);
        put(raw + 777 * f.bytes, f.r, f.bytes);
        put(raw + 2888 * f.bytes, f.r, f.bytes);
        test_sentence(f.context, test_vector_set(f.context, vector, raw, 0, N, NULL), SUMAC_BAD_ENCODING,
                      " 777 ");
    }
}

/* ---- Element by element ---- */

typedef sumac_status (*binary_call)(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                                    size_t each, sumac_vector *result);

static void check_binary(const fixture *f, size_t n, size_t count, size_t each, int which)
{
    static const binary_call calls[] = {sumac_vector_add, sumac_vector_subtract, sumac_vector_multiply};
    AUTO_FREE uint8_t *a = random_raw(f, n), *b = random_raw(f, count), *expected = test_alloc(n * f->bytes);
    TEST_NUMBERS(x, y);
    char label[128];
    mpz_sub_ui(x, f->r, 1); /* two extremes next to each other */
    put(a, x, f->bytes);
    put(b, x, f->bytes);
    for (size_t i = 0; i < n; i++) {
        get(x, a + i * f->bytes, f->bytes);
        get(y, b + i / each % count * f->bytes, f->bytes);
        (which == 0 ? mpz_add : which == 1 ? mpz_sub : mpz_mul)(x, x, y);
        mpz_mod(x, x, f->r);
        put(expected + i * f->bytes, x, f->bytes);
    }
    (void)snprintf(label, sizeof label, "operation %d of %zu and %zu, each %zu", which, n, count, each);
    CLEANUP(destroy_vector)
    sumac_vector *first = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, n, a),
                 *second = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, count, b),
                 *result = test_vector(f->context, f->t, SUMAC_VECTOR_SCALARS, n);
    test_status(f->context, calls[which](f->context, first, second, each, result), SUMAC_OK, label);
    expect(f, result, expected, label);
    test_status(f->context, calls[which](f->context, first, second, each, first), SUMAC_OK, label);
    expect(f, first, expected, label);
    if (count == n && each == 1) {
        test_status(f->context, test_vector_set(f->context, first, a, 0, n, NULL), SUMAC_OK, label);
        test_status(f->context, calls[which](f->context, first, second, each, second), SUMAC_OK, label);
        expect(f, second, expected, label);
    }
}

static void test_arithmetic(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    for (int which = 0; which < 3; which++) {
        for (size_t n = 1; n <= 40; n++) {
            check_binary(&f, n, n, 1, which);
        }
        check_binary(&f, 2100, 2100, 1, which);
        check_binary(&f, 2100, 1, 1, which);
        check_binary(&f, 2100, 7, 1, which);
        check_binary(&f, 2100, 21, 100, which);
        check_binary(&f, 2048, 32, 1, which);
        check_binary(&f, 2100, 50, 42, which);
        check_binary(&f, 2100, 3, 5, which);
        check_binary(&f, 2112, 33, 64, which);
    }
}

static void test_inverses(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    for (size_t n = 0; n < 3000; n = 3 * n + 1) {
        AUTO_FREE uint8_t *a = random_raw(&f, n);
        TEST_NUMBERS(x);
        for (size_t i = 0; i < n; i += 5) {
            memset(a + i * f.bytes, 0, f.bytes);
        }
        CLEANUP(destroy_vector)
        sumac_vector *vector = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, n, a);
        for (size_t i = 0; i < n; i++) {
            get(x, a + i * f.bytes, f.bytes);
            if (mpz_sgn(x) != 0) {
                mpz_invert(x, x, f.r);
            }
            put(a + i * f.bytes, x, f.bytes);
        }
        TEST_OK(f.context, sumac_vector_invert(f.context, vector));
        expect(&f, vector, a, "inverses");
    }
}

static void test_powers_and_sums(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    static const size_t lengths[] = {1, 2, 15, 16, 64, 100, 1000, 3000};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const size_t length = lengths[k], rows = k % 3 + 1, n = rows * length;
        AUTO_FREE uint8_t *a = random_raw(&f, n), *numbers = random_raw(&f, 2),
                          *sums = test_alloc(rows * f.bytes);
        TEST_NUMBERS(x, power, ratio, sum);
        CLEANUP(destroy_vector)
        sumac_vector *vector = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, n, a),
                     *result = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, rows);
        get(ratio, numbers + f.bytes, f.bytes);
        for (size_t row = 0; row < rows; row++) {
            get(power, numbers, f.bytes);
            mpz_set_ui(sum, 0);
            for (size_t i = 0; i < length; i++) {
                uint8_t *place = a + (row * length + i) * f.bytes;
                get(x, place, f.bytes);
                mpz_mul(x, x, power);
                mpz_mod(x, x, f.r);
                mpz_add(sum, sum, x);
                put(place, x, f.bytes);
                mpz_mul(power, power, ratio);
                mpz_mod(power, power, f.r);
            }
            mpz_mod(sum, sum, f.r);
            put(sums + row * f.bytes, sum, f.bytes);
        }
        TEST_OK(f.context, test_vector_scale_powers(f.context, vector, numbers, numbers + f.bytes, length));
        expect(&f, vector, a, "powers");
        TEST_OK(f.context, sumac_vector_sum(f.context, vector, length, result));
        expect(&f, result, sums, "sums");
        TEST_OK(f.context, test_vector_fill(f.context, vector, numbers));
        for (size_t i = 0; i < n; i++) {
            memcpy(a + i * f.bytes, numbers, f.bytes);
        }
        expect(&f, vector, a, "filled");
    }
}

/* ---- Moving elements ---- */

static void check_transposition(const fixture *f, size_t matrices, size_t rows, size_t columns)
{
    const size_t n = matrices * rows * columns;
    AUTO_FREE uint8_t *a = random_raw(f, n), *expected = test_alloc(n * f->bytes);
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, n, a),
                 *result = test_vector(f->context, f->t, SUMAC_VECTOR_SCALARS, n);
    for (size_t i = 0; i < n; i++) {
        const size_t matrix = i / (rows * columns), row = i / columns % rows, column = i % columns;
        memcpy(expected + (matrix * rows * columns + column * rows + row) * f->bytes, a + i * f->bytes,
               f->bytes);
    }
    TEST_OK(f->context, sumac_vector_transpose(f->context, vector, rows, columns, result));
    expect(f, result, expected, "transposed");
}

static void test_transpositions(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    check_transposition(&f, 3, 6, 35);
    check_transposition(&f, 2, 16, 256);
    check_transposition(&f, 2, 17, 257);
    check_transposition(&f, 1, 300, 70);
    check_transposition(&f, 1, 1, 5000);
    check_transposition(&f, 1, 5000, 1);
    check_transposition(&f, 1, 65, 1030);
}

/* Lengths from 2^9 on have tiles whose middle bits are reversed, too. */
static void check_bit_reversal(const fixture *f)
{
    enum { MOST_LOG2 = 13, MOST = 1 << MOST_LOG2 };
    AUTO_FREE uint8_t *elements = random_raw(f, MOST), *expected = test_alloc(MOST * f->bytes);
    for (uint32_t log2 = 0; log2 <= MOST_LOG2; log2++) {
        const size_t length = (size_t)1 << log2, n = log2 <= 9 ? 512 : MOST;
        sumac_vector *vector = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, n, elements);
        for (size_t i = 0; i < n; i++) {
            const size_t to = i / length * length + test_reversed(i % length, log2);
            memcpy(expected + to * f->bytes, elements + i * f->bytes, f->bytes);
        }
        TEST_OK(f->context, sumac_vector_bit_reverse(f->context, vector, length));
        expect(f, vector, expected, "bit-reversed");
        sumac_vector_destroy(vector);
    }
}

static void test_places(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 2);
    enum { ROWS = 6, COLUMNS = 35, MATRICES = 3, N = ROWS * COLUMNS * MATRICES };
    AUTO_FREE uint8_t *a = random_raw(&f, N), *expected = test_alloc(N * f.bytes);
    sumac_vector *vector = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, N, a),
                 *result = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, N);
    memset(expected, 0, N * f.bytes);
    sumac_slice from = sumac_slice_of(3, 5), to = sumac_slice_of(100, 5);
    from.runs = to.runs = 20;
    from.stride = 31;
    to.stride = 7;
    for (size_t k = 0; k < 20; k++) {
        memcpy(expected + (100 + 7 * k) * f.bytes, a + (3 + 31 * k) * f.bytes, 5 * f.bytes);
    }
    TEST_OK(f.context, sumac_vector_copy(f.context, vector, &from, result, &to));
    expect(&f, result, expected, "copied");
    from.runs = 21; /* 3 + 20*31 + 5 = 628 of 630 */
    to.runs = 21;
    TEST_OK(f.context, sumac_vector_copy(f.context, vector, &from, result, &to));
    from.first = 6;
    TEST_BAD(f.context, sumac_vector_copy(f.context, vector, &from, result, &to));
    from.stride = SIZE_MAX / 4;
    TEST_BAD(f.context, sumac_vector_copy(f.context, vector, &from, result, &to));

    const uint64_t numbers[] = {5, 0, 17, 17, 2};
    sumac_vector *few = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 5 * COLUMNS);
    for (size_t k = 0; k < 5; k++) {
        memcpy(expected + k * COLUMNS * f.bytes, a + numbers[k] * COLUMNS * f.bytes, COLUMNS * f.bytes);
    }
    TEST_OK(f.context, sumac_vector_gather(f.context, vector, COLUMNS, numbers, 5, few));
    expect(&f, few, expected, "gathered");
    const uint64_t none[] = {5, 0, 18, 17, 2};
    TEST_BAD(f.context, sumac_vector_gather(f.context, vector, COLUMNS, none, 5, few));
    sumac_vector_destroy(vector);
    sumac_vector_destroy(result);
    sumac_vector_destroy(few);

    check_bit_reversal(&f);
}

/* ---- Transforms ---- */

/* Compute the sum of a_j x^j over n coefficients. */
static void evaluate(const fixture *f, mpz_t value, const uint8_t *a, size_t n, const mpz_t x)
{
    TEST_NUMBERS(coefficient);
    mpz_set_ui(value, 0);
    for (size_t j = n; j-- > 0;) {
        get(coefficient, a + j * f->bytes, f->bytes);
        mpz_mul(value, value, x);
        mpz_add(value, value, coefficient);
        mpz_mod(value, value, f->r);
    }
}

static void check_transform(const fixture *f, uint32_t log2, size_t rows, const sumac_transform_config *given,
                            size_t points)
{
    const size_t length = (size_t)1 << log2, n = rows * length;
    sumac_transform_config config = *given;
    uint8_t root_raw[128], wanted[128], label[160];
    AUTO_FREE uint8_t *a = random_raw(f, n), *ordered = test_alloc(n * f->bytes),
                      *values = test_alloc(n * f->bytes);
    TEST_NUMBERS(root, x, value);
    (void)snprintf((char *)label, sizeof label, "2^%u, %zu rows, orders %d %d, %s, %zu coefficients, %s root",
                   log2, rows, (int)config.value_order, (int)config.coefficient_order,
                   config.shift != NULL ? "coset" : "no coset", config.coefficients,
                   config.root != NULL ? "given" : "own");
    config.length = length;
    assert_int_equal(test_root_of_unity(f->t->group, log2, root_raw), SUMAC_OK);
    get(root, config.root != NULL ? config.root : root_raw, f->bytes);
    for (size_t i = 0; i < n; i++) {
        const size_t place = config.coefficient_order == SUMAC_ORDER_NATURAL
                                 ? i
                                 : i / length * length + test_reversed(i % length, log2);
        memcpy(ordered + place * f->bytes, a + i * f->bytes, f->bytes);
    }
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(f->context, f->t, SUMAC_VECTOR_SCALARS, n, ordered);
    test_status(f->context, sumac_vector_ntt(f->context, vector, &config), SUMAC_OK, (char *)label);
    test_status(f->context, test_vector_get(f->context, vector, 0, n, NULL, values), SUMAC_OK, (char *)label);
    for (size_t k = 0; k < points; k++) {
        const size_t i = points >= n ? k % n : test_random_below(f->t, n);
        const size_t number =
            config.value_order == SUMAC_ORDER_NATURAL ? i % length : test_reversed(i % length, log2);
        mpz_powm_ui(x, root, number, f->r);
        if (config.shift != NULL) {
            get(value, config.shift, f->bytes);
            mpz_mul(x, x, value);
        }
        evaluate(f, value, a + i / length * length * f->bytes,
                 config.coefficients == 0 ? length : config.coefficients, x);
        put(wanted, value, f->bytes);
        if (memcmp(values + i * f->bytes, wanted, f->bytes) != 0) {
            fail_msg("%s, %s: value %zu is wrong", f->t->info->curve, (char *)label, i);
        }
    }
    config.inverse = 1;
    test_status(f->context, sumac_vector_ntt(f->context, vector, &config), SUMAC_OK, (char *)label);
    for (size_t i = 0; i < n; i++) {
        if (config.coefficients != 0 && i % length >= config.coefficients) {
            const size_t place = config.coefficient_order == SUMAC_ORDER_NATURAL
                                     ? i
                                     : i / length * length + test_reversed(i % length, log2);
            memset(ordered + place * f->bytes, 0, f->bytes);
        }
    }
    expect(f, vector, ordered, (char *)label);
}

static void check_size(const fixture *f, uint32_t log2, size_t rows, size_t points)
{
    AUTO_FREE uint8_t *shift = random_raw(f, 1);
    sumac_transform_config config = {.size = sizeof config};
    for (int orders = 0; orders < 4; orders++) {
        config.value_order = orders & 1 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
        config.coefficient_order = orders & 2 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
        config.shift = orders % 3 == 0 ? shift : NULL;
        config.shift_bytes = f->bytes;
        config.coefficients = orders == 2 ? ((size_t)1 << log2) / 2 : 0;
        check_transform(f, log2, rows, &config, points);
    }
}

/* Return 1 for a curve's second group, because it has the same scalars and code as the first. */
static int is_second_group(void **state)
{
    const test_group *t = *state;
    return strcmp(t->info->name, "g2") == 0;
}

static void test_small(void **state)
{
    if (is_second_group(state)) {
        skip();
    }
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    for (uint32_t log2 = 0; log2 <= 6 && log2 <= two_adicity(&f); log2++) {
        static const size_t rows[] = {1, 3, 4, 16, 37};
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
            check_size(&f, log2, rows[k], options.quick ? 40 : rows[k] << log2);
        }
    }
}

/* Only one curve is tested with the largest sizes, because they differ only in the number of steps. */
static uint32_t largest_log2(const test_group *t)
{
    if (options.quick || strcmp(t->info->curve, "bls12-381") != 0) {
        return 13;
    }
    return strcmp(options.backend, "cpu") == 0 ? 17 : 20;
}

static void test_large(void **state)
{
    if (is_second_group(state)) {
        skip();
    }
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        CLEANUP(tear_down) fixture f = set_up(state, threads);
        const uint32_t most = largest_log2(f.t);
        for (uint32_t log2 = 7; log2 <= most && log2 <= two_adicity(&f); log2++) {
            check_size(&f, log2, log2 % 2 ? 1 : 2, 4);
        }
    }
}

/* Write the root of order 2^log2 that results from the `odd`-th power of sumac_root_of_unity(). */
static void put_root(const fixture *f, uint8_t *raw, uint32_t log2, unsigned long odd)
{
    TEST_NUMBERS(root);
    assert_int_equal(test_root_of_unity(f->t->group, log2, raw), SUMAC_OK);
    get(root, raw, f->bytes);
    mpz_powm_ui(root, root, odd, f->r);
    put(raw, root, f->bytes);
}

/* Values are listed by the root that the caller gives. Roots are taken in such an order that a context replaces the table of a
 * root by a larger one, uses the beginning of a table, keeps several, and forgets the oldest of them. */
static void test_given_roots(void **state)
{
    if (is_second_group(state)) {
        skip();
    }
    static const struct {
        uint32_t log2;
        unsigned long odd;
    } roots[] = {{3, 3},  {9, 3},  {4, 3}, {9, 1}, {9, 5}, {9, 7},
                 {9, 11}, {9, 13}, {9, 3}, {0, 1}, {1, 1}, {12, 15}};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        CLEANUP(tear_down) fixture f = set_up(state, threads);
        AUTO_FREE uint8_t *shift = random_raw(&f, 1);
        for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
            const uint32_t s = two_adicity(&f), log2 = roots[i].log2 < s ? roots[i].log2 : s;
            uint8_t root[128];
            put_root(&f, root, log2, roots[i].odd);
            sumac_transform_config config = {.size = sizeof config, .root = root, .root_bytes = f.bytes};
            check_transform(&f, log2, 2, &config, 20);
            config.value_order = SUMAC_ORDER_BIT_REVERSED;
            config.shift = shift;
            config.shift_bytes = f.bytes;
            check_transform(&f, log2, 1, &config, 20);
            config.root = NULL;
            check_transform(&f, log2, 1, &config, 4);
        }
    }
}

/* A root must have exactly the order of a row, whatever the row's length comes from. */
static void test_wrong_roots(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    CLEANUP(destroy_vector) sumac_vector *a = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 2);
    uint8_t root[128] = {0};
    sumac_transform_config config = {.size = sizeof config, .root = root, .root_bytes = f.bytes};
    TEST_BAD(f.context, sumac_vector_ntt(f.context, a, &config)); /* 0 */
    root[0] = 1;
    test_sentence(f.context, sumac_vector_ntt(f.context, a, &config), SUMAC_BAD_ARGUMENT, "2^1");
    config.length = 1;
    TEST_OK(f.context, sumac_vector_ntt(f.context, a, &config));
    put_root(&f, root, 1, 1);
    TEST_BAD(f.context, sumac_vector_ntt(f.context, a, &config)); /* -1, which is no root of order 1 */
    config.length = 2;
    TEST_OK(f.context, sumac_vector_ntt(f.context, a, &config));
    config.root_bytes = f.bytes - 1;
    test_status(f.context, sumac_vector_ntt(f.context, a, &config), SUMAC_BAD_LENGTH, "too few bytes");
    config.root_bytes = f.bytes;
    put(root, f.r, f.bytes);
    test_status(f.context, sumac_vector_ntt(f.context, a, &config), SUMAC_BAD_ENCODING, "r");
    if (two_adicity(&f) > 1) {
        put_root(&f, root, 2, 1);
        TEST_BAD(f.context, sumac_vector_ntt(f.context, a, &config));
    }
}

/* The largest root of unity has the right order. For BLS12-381 it is that of the consensus specification. */
static void test_roots(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    uint8_t raw[128];
    TEST_NUMBERS(root, expected);
    const uint32_t s = two_adicity(&f);
    assert_int_equal(test_root_of_unity(f.t->group, s, raw), SUMAC_OK);
    get(root, raw, f.bytes);
    if (strcmp(f.t->info->curve, "bls12-381") == 0) {
        mpz_sub_ui(expected, f.r, 1);
        mpz_tdiv_q_2exp(expected, expected, 32);
        mpz_ui_pow_ui(root, 7, 1);
        mpz_powm(expected, root, expected, f.r);
        get(root, raw, f.bytes);
        assert_int_equal(mpz_cmp(root, expected), 0);
    }
    for (uint32_t i = 1; i < s; i++) {
        mpz_mul(root, root, root);
        mpz_mod(root, root, f.r);
    }
    mpz_add_ui(root, root, 1);
    assert_int_equal(mpz_cmp(root, f.r), 0); /* -1 */
    assert_int_equal(test_root_of_unity(f.t->group, s + 1, raw), SUMAC_NOT_SUPPORTED);
}

/* ---- Several vectors ---- */

/* One call does with each vector what a call for this vector alone does, which is compared with GMP above. If a vector
 * can't be transformed, this is found before any other vector has changed. */
static void test_several(void **state)
{
    enum { VECTORS = 4, MOST = 32 };
    CLEANUP(tear_down) fixture f = set_up(state, 3);
    const uint32_t s = two_adicity(&f);
    const uint8_t seven[128] = {7};
    uint8_t alone[MOST * 128], together[MOST * 128], before[MOST * 128];
    sumac_vector *vectors[VECTORS], *ones[VECTORS],
        *odd = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 12);
    sumac_transform_config config = {.size = sizeof config};
    size_t counts[VECTORS];
    config.shift = strcmp(f.t->info->curve, "tiny-11") == 0 ? NULL : seven;
    config.shift_bytes = f.bytes;
    for (uint32_t i = 0; i < VECTORS; i++) {
        counts[i] = (size_t)1 << ((3 * i + 2) % 6 < s ? (3 * i + 2) % 6 : s);
        AUTO_FREE uint8_t *raw = random_raw(&f, counts[i]);
        vectors[i] = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, counts[i], raw);
        ones[i] = test_vector_of(f.context, f.t, SUMAC_VECTOR_SCALARS, counts[i], raw);
        TEST_OK(f.context, sumac_vector_ntt(f.context, ones[i], &config));
    }
    TEST_OK(f.context, test_vector_get(f.context, vectors[0], 0, counts[0], NULL, before));
    for (int turn = 0; turn < 2; turn++) {
        sumac_vector *const wrong[] = {vectors[0], vectors[1], turn == 0 ? odd : NULL};
        TEST_BAD(f.context, sumac_vectors_ntt(f.context, wrong, 3, &config));
        TEST_OK(f.context, test_vector_get(f.context, vectors[0], 0, counts[0], NULL, together));
        assert_memory_equal(together, before, counts[0] * f.bytes);
    }
    TEST_OK(f.context, sumac_vectors_ntt(f.context, vectors, VECTORS, &config));
    for (uint32_t i = 0; i < VECTORS; i++) {
        TEST_OK(f.context, test_vector_get(f.context, vectors[i], 0, counts[i], NULL, together));
        TEST_OK(f.context, test_vector_get(f.context, ones[i], 0, counts[i], NULL, alone));
        assert_memory_equal(together, alone, counts[i] * f.bytes);
        sumac_vector_destroy(vectors[i]);
        sumac_vector_destroy(ones[i]);
    }
    sumac_vector_destroy(odd);
}

/* ---- Refusals ---- */

static void test_refusals(void **state)
{
    CLEANUP(tear_down) fixture f = set_up(state, 1);
    uint8_t zero[128] = {0}, order[128];
    sumac_vector *a = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 12),
                 *b = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, 5), *none;
    sumac_transform_config config = {.size = sizeof config};
    put(order, f.r, f.bytes);
    TEST_BAD(f.context, sumac_vector_ntt(f.context, a, NULL));
    config.length = 8;
    TEST_BAD(f.context, sumac_vector_ntt(f.context, a, &config));
    config.length = 2;
    config.coefficients = 3;
    TEST_BAD(f.context, sumac_vector_ntt(f.context, a, &config));
    config.coefficients = 0;
    config.shift = zero;
    config.shift_bytes = f.bytes;
    TEST_BAD(f.context, sumac_vector_ntt(f.context, a, &config));
    config.shift = order;
    test_status(f.context, sumac_vector_ntt(f.context, a, &config), SUMAC_BAD_ENCODING, "r");
    config.shift = NULL;
    config.size = 8;
    TEST_BAD(f.context, sumac_vector_ntt(f.context, a, &config));
    TEST_BAD(f.context, sumac_vectors_ntt(f.context, NULL, 1, NULL));
    TEST_OK(f.context, sumac_vectors_ntt(f.context, NULL, 0, NULL));
    assert_int_equal(sumac_vector_ntt(NULL, a, NULL), SUMAC_BAD_ARGUMENT);
    TEST_BAD(f.context, sumac_vector_add(f.context, a, a, 1, b));
    TEST_BAD(f.context, sumac_vector_add(f.context, b, a, 1, b));
    TEST_BAD(f.context, sumac_vector_sum(f.context, a, 1, a));
    TEST_BAD(f.context, sumac_vector_sum(f.context, a, 5, b));
    TEST_BAD(f.context, sumac_vector_transpose(f.context, a, 3, 4, a));
    test_status(f.context, test_vector_fill(f.context, a, order), SUMAC_BAD_ENCODING, "r");
    test_status(f.context,
                sumac_vector_create(f.context, f.t->group, SUMAC_VECTOR_SCALARS, SIZE_MAX / 8, &none),
                SUMAC_OUT_OF_MEMORY, "more than there is");
    assert_null(none);
    const uint32_t s = two_adicity(&f);
    if (s < 8) {
        CLEANUP(destroy_vector)
        sumac_vector *c = test_vector(f.context, f.t, SUMAC_VECTOR_SCALARS, (size_t)2 << s);
        test_status(f.context, sumac_vector_ntt(f.context, c, NULL), SUMAC_NOT_SUPPORTED, "no such root");
    }
    sumac_vector_destroy(a);
    sumac_vector_destroy(b);
    sumac_vector_destroy(NULL);
}

static const test_entry entries[] = {
    {"layouts", test_layouts, TEST_EVERY_AND_TINY},
    {"the first bad scalar", test_first_bad, TEST_EVERY_AND_TINY},
    {"arithmetic", test_arithmetic, TEST_EVERY_AND_TINY},
    {"inverses", test_inverses, TEST_EVERY_AND_TINY},
    {"powers and sums", test_powers_and_sums, TEST_EVERY_AND_TINY},
    {"transpositions", test_transpositions, TEST_EVERY_AND_TINY},
    {"places", test_places, TEST_EVERY_AND_TINY},
    {"small transforms", test_small, TEST_EVERY_AND_TINY},
    {"large transforms", test_large, TEST_EVERY_AND_TINY},
    {"roots", test_roots, TEST_EVERY_AND_TINY},
    {"given roots", test_given_roots, TEST_EVERY_AND_TINY},
    {"wrong roots", test_wrong_roots, TEST_EVERY_AND_TINY},
    {"several vectors", test_several, TEST_EVERY_AND_TINY},
    {"refusals", test_refusals, TEST_EVERY_AND_TINY},
};

TEST_MAIN("transforms", entries)
