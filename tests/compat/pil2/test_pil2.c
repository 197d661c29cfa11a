/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the drop-in for pil2-proofman's functions for BN254 on a GPU. GMP is the oracle. With a GPU the functions
 * for its memory are tested like the others; without one they are refused.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "pil2.h"
#include "support/harness.h"

#ifdef SUMAC_PIL2_CUDA
#include <cuda_runtime_api.h>
#endif

enum { POINT = 64, SCALAR = 32, RESULT = 96, COORDINATE = 32 };

/* Multiply a little-endian number by R = 2^256, or divide it by R, modulo m. */
static void times_r(uint8_t *bytes, const mpz_t m, int divides)
{
    TEST_NUMBERS(a, r);
    mpz_import(a, COORDINATE, -1, 1, -1, 0, bytes);
    mpz_setbit(r, 256);
    if (divides) {
        assert_true(mpz_invert(r, r, m));
    }
    mpz_mul(a, a, r);
    mpz_mod(a, a, m);
    memset(bytes, 0, COORDINATE);
    mpz_export(bytes, NULL, -1, 1, -1, 0, a);
}

static void all_times_r(uint8_t *bytes, size_t count, const mpz_t m)
{
    for (size_t i = 0; i < count; i++) {
        times_r(bytes + i * COORDINATE, m, 0);
    }
}

/* Memory that a function reads and writes. */
typedef struct data {
    uint8_t *host;
    void *memory; /* the host's, or a copy on the GPU */
    size_t bytes;
    int on_device;
} data;

static data data_of(uint8_t *host, size_t bytes, int on_device)
{
    data d = {.host = host, .memory = host, .bytes = bytes, .on_device = on_device};
#ifdef SUMAC_PIL2_CUDA
    if (on_device) {
        assert_int_equal(cudaMalloc(&d.memory, bytes + 1), cudaSuccess);
        assert_int_equal(cudaMemcpy(d.memory, host, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    }
#endif
    return d;
}

static void data_free(const data *d)
{
    if (d->memory != d->host) {
#ifdef SUMAC_PIL2_CUDA
        assert_int_equal(cudaMemcpy(d->host, d->memory, d->bytes, cudaMemcpyDeviceToHost), cudaSuccess);
        assert_int_equal(cudaFree(d->memory), cudaSuccess);
#endif
    }
}

/* Return whether the functions compute on a GPU whose memory this test can allocate. */
static int has_device(void)
{
#ifdef SUMAC_PIL2_CUDA
    uint8_t out[RESULT];
    return msm_bn128_gpu_dev_ptr(out, out, out, 0, false) != SUMAC_NOT_SUPPORTED;
#else
    return 0;
#endif
}

/* Call the function for this location. */
static int call_msm(uint8_t *out, uint8_t *points, uint8_t *scalars, size_t n, bool mont, int on_device)
{
    const data p = data_of(points, n * POINT, on_device), s = data_of(scalars, n * SCALAR, on_device);
    const int status = (on_device ? msm_bn128_gpu_dev_ptr : msm_bn128_gpu)(out, p.memory, s.memory, n, mont);
    data_free(&p);
    data_free(&s);
    return status;
}

static int call_ntt(uint8_t *elements, uint32_t log2, int inverse, int on_device)
{
    static int (*const functions[2][2])(void *, uint32_t) = {{ntt_bn128_gpu, intt_bn128_gpu},
                                                             {ntt_bn128_gpu_dev_ptr, intt_bn128_gpu_dev_ptr}};
    const data d = data_of(elements, (size_t)SCALAR << log2, on_device);
    const int status = functions[on_device][inverse](d.memory, log2);
    data_free(&d);
    return status;
}

/* Compare a result with a raw canonical point. */
static void expect_point(const test_group *t, const uint8_t *result, const uint8_t *expected,
                         const char *label)
{
    static const uint8_t zeros[RESULT];
    uint8_t one[COORDINATE] = {1}, point[POINT];
    memcpy(point, result, POINT);
    times_r(point, t->oracle.p, 1);
    times_r(point + COORDINATE, t->oracle.p, 1);
    times_r(one, t->oracle.p, 0);
    if (memcmp(point, expected, POINT) != 0) {
        fail_msg("%s: the sum is wrong", label);
    }
    const uint8_t *z = memcmp(point, zeros, POINT) == 0 ? zeros : one;
    if (memcmp(result + POINT, z, COORDINATE) != 0) {
        fail_msg("%s: Z is wrong", label);
    }
}

static test_group bn254(void)
{
    test_group t = {.group = test_find_group("bn254", "g1")};
    t.info = t.group;
    oracle_init(&t.oracle, t.group);
    gmp_randinit_default(t.random);
    return t;
}

static void clear_group(test_group *t)
{
    oracle_clear(&t->oracle);
    gmp_randclear(t->random);
}

/* Declare a pointer t to BN254 and its oracle. */
#define WITH_BN254                                                                                           \
    CLEANUP(clear_group) test_group bn254_group = bn254();                                                   \
    test_group *t = &bn254_group

static void check_sum(test_group *t, size_t n, int on_device)
{
    AUTO_FREE uint8_t *points = test_alloc(n * POINT), *scalars = test_alloc(n * SCALAR),
                      *logarithms = test_alloc(n * SCALAR);
    uint8_t expected[POINT], out[RESULT];
    char label[80];
    test_random_points(t, points, logarithms, n);
    test_random_scalars(t, scalars, n);
    if (n > 9) {
        memcpy(points + POINT, points, POINT); /* equal points, infinity, a scalar that is 0 */
        memcpy(logarithms + SCALAR, logarithms, SCALAR);
        memset(points + 7 * POINT, 0, POINT);
        memset(logarithms + 7 * SCALAR, 0, SCALAR);
        memset(scalars + 8 * SCALAR, 0, SCALAR);
    }
    oracle_known_msm(&t->oracle, expected, logarithms, scalars, n);
    all_times_r(points, 2 * n, t->oracle.p);
    for (int mont = 0; mont < 2; mont++) {
        (void)snprintf(label, sizeof label, "%zu points, Montgomery %d, device %d", n, mont, on_device);
        memset(out, 0xaa, sizeof out);
        assert_int_equal(call_msm(out, points, scalars, n, mont, on_device), 0);
        assert_string_equal(sumac_pil2_message(), "");
        expect_point(t, out, expected, label);
        all_times_r(scalars, n, t->oracle.r);
    }
}

static void test_sums(void)
{
    static const size_t counts[] = {0, 1, 2, 10, 100, 1500};
    WITH_BN254;
    for (int on_device = 0; on_device <= has_device(); on_device++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            check_sum(t, counts[i], on_device);
        }
    }
}

/* P - P is infinity. */
static void test_infinity(void)
{
    WITH_BN254;
    uint8_t points[2 * POINT], scalars[2 * SCALAR] = {[0] = 5, [SCALAR] = 5}, out[RESULT];
    static const uint8_t zeros[POINT];
    ORACLE_POINT(point);
    test_random_points(t, points, NULL, 1);
    oracle_point_from_raw(&t->oracle, &point, points);
    oracle_neg(&t->oracle, &point, &point);
    oracle_point_to_raw(&t->oracle, points + POINT, &point);
    all_times_r(points, 4, t->oracle.p);
    assert_int_equal(msm_bn128_gpu(out, points, scalars, 2, false), 0);
    expect_point(t, out, zeros, "P - P");
}

static void test_transforms(void)
{
    enum { MOST = 9 };
    WITH_BN254;
    TEST_NUMBERS(root, exponent, x, value, coefficient);
    for (int on_device = 0; on_device <= has_device(); on_device++) {
        for (uint32_t log2 = 0; log2 <= MOST; log2++) {
            const size_t n = (size_t)1 << log2;
            AUTO_FREE uint8_t *a = test_alloc(n * SCALAR), *expected = test_alloc(n * SCALAR),
                              *elements = test_alloc(n * SCALAR);
            test_random_scalars(t, a, n);
            mpz_sub_ui(exponent, t->oracle.r, 1);
            mpz_tdiv_q_2exp(exponent, exponent, log2);
            mpz_set_ui(root, 5);
            mpz_powm(root, root, exponent, t->oracle.r);
            memset(expected, 0, n * SCALAR);
            for (size_t i = 0; i < n; i++) {
                mpz_powm_ui(x, root, i, t->oracle.r);
                mpz_set_ui(value, 0);
                for (size_t j = n; j-- > 0;) {
                    mpz_import(coefficient, SCALAR, -1, 1, -1, 0, a + j * SCALAR);
                    mpz_mul(value, value, x);
                    mpz_add(value, value, coefficient);
                    mpz_mod(value, value, t->oracle.r);
                }
                mpz_export(expected + i * SCALAR, NULL, -1, 1, -1, 0, value);
            }
            all_times_r(a, n, t->oracle.r);
            all_times_r(expected, n, t->oracle.r);
            memcpy(elements, a, n * SCALAR);
            assert_int_equal(call_ntt(elements, log2, 0, on_device), 0);
            assert_memory_equal(elements, expected, n * SCALAR);
            assert_int_equal(call_ntt(elements, log2, 1, on_device), 0);
            assert_memory_equal(elements, a, n * SCALAR);
        }
    }
}

/* Check that a sum is refused with these words and has no result that could be taken for a point. */
static void expect_refused(int status, int expected, const uint8_t *out, const char *words)
{
    uint8_t ones[RESULT];
    memset(ones, 0xff, sizeof ones);
    assert_int_equal(status, expected);
    assert_memory_equal(out, ones, sizeof ones);
    if (strstr(sumac_pil2_message(), words) == NULL) {
        fail_msg("\"%s\" says nothing about \"%s\"", sumac_pil2_message(), words);
    }
}

static void test_refusals(void)
{
    WITH_BN254;
    uint8_t points[3 * POINT], scalars[3 * SCALAR], out[RESULT], before[3 * SCALAR];
    test_random_points(t, points, NULL, 3);
    test_random_scalars(t, scalars, 3);
    all_times_r(points, 6, t->oracle.p);
    points[2 * POINT] ^= 1;
    expect_refused(msm_bn128_gpu(out, points, scalars, 3, false), SUMAC_NOT_ON_CURVE, out, "2");
    memset(points + POINT, 0xff, POINT);
    expect_refused(msm_bn128_gpu(out, points, scalars, 3, false), SUMAC_BAD_ENCODING, out, "1");
    expect_refused(msm_bn128_gpu(out, NULL, scalars, 1, false), SUMAC_BAD_ARGUMENT, out, "null");
    expect_refused(msm_bn128_gpu(out, points, NULL, 1, false), SUMAC_BAD_ARGUMENT, out, "null");
    expect_refused(msm_bn128_gpu(out, points, scalars, SIZE_MAX / 2, false), SUMAC_BAD_ARGUMENT, out,
                   "points");
    assert_int_equal(msm_bn128_gpu(NULL, points, scalars, 1, false), SUMAC_BAD_ARGUMENT);
    assert_int_equal(msm_bn128_gpu(out, points, scalars, 1, false), 0);
    assert_string_equal(sumac_pil2_message(), "");

    assert_int_equal(ntt_bn128_gpu(NULL, 1), SUMAC_BAD_ARGUMENT);
    assert_int_equal(ntt_bn128_gpu(scalars, 29), SUMAC_NOT_SUPPORTED);
    assert_int_equal(intt_bn128_gpu(scalars, UINT32_MAX), SUMAC_NOT_SUPPORTED);
    memset(scalars + SCALAR, 0xff, SCALAR);
    memcpy(before, scalars, sizeof before);
    assert_int_equal(ntt_bn128_gpu(scalars, 1), SUMAC_BAD_ENCODING);
    assert_int_equal(intt_bn128_gpu(scalars, 1), SUMAC_BAD_ENCODING);
    assert_memory_equal(scalars, before, sizeof before);

    /* Without a GPU, pointers to its memory are not followed. */
    if (!has_device()) {
        void *nowhere = (void *)64;
        expect_refused(msm_bn128_gpu_dev_ptr(out, nowhere, nowhere, 3, true), SUMAC_NOT_SUPPORTED, out,
                       "GPU");
        assert_int_equal(ntt_bn128_gpu_dev_ptr(nowhere, 3), SUMAC_NOT_SUPPORTED);
        assert_int_equal(intt_bn128_gpu_dev_ptr(nowhere, 3), SUMAC_NOT_SUPPORTED);
    }
    assert_int_equal(sumac_pil2_set_device(1), SUMAC_BUSY);
}

/* ---- Threads ---- */

enum { THREADS = 8, TURNS = 40, N = 300, LOG2 = 6 };

typedef struct job {
    const test_group *t;
    uint8_t points[N * POINT], scalars[N * SCALAR], expected[POINT];
    int wrong;
} job;

/* cmocka's functions serve only the main thread. */
static void *run_job(void *argument)
{
    job *j = argument;
    uint8_t out[RESULT], first[RESULT], elements[SCALAR << LOG2], before[sizeof elements];
    memcpy(before, j->scalars, sizeof before);
    for (int turn = 0; turn < TURNS; turn++) {
        memcpy(elements, before, sizeof elements);
        j->wrong += msm_bn128_gpu(out, j->points, j->scalars, N, false) != 0;
        j->wrong += ntt_bn128_gpu(elements, LOG2) != 0 || memcmp(elements, before, sizeof before) == 0;
        j->wrong += intt_bn128_gpu(elements, LOG2) != 0 || memcmp(elements, before, sizeof before) != 0;
        j->wrong += ntt_bn128_gpu(elements, 30) == 0 || sumac_pil2_message()[0] == '\0';
        memcpy(first, turn == 0 ? out : first, sizeof first);
        j->wrong += memcmp(first, out, sizeof first) != 0;
    }
    memcpy(j->expected, out, POINT);
    return NULL;
}

static void test_threads(void)
{
    WITH_BN254;
    AUTO_FREE job *jobs = test_alloc(THREADS * sizeof *jobs);
    pthread_t threads[THREADS];
    uint8_t expected[THREADS][POINT];
    for (int i = 0; i < THREADS; i++) {
        uint8_t logarithms[N * SCALAR];
        jobs[i] = (job){.t = t};
        test_random_points(t, jobs[i].points, logarithms, N);
        test_random_scalars(t, jobs[i].scalars, N);
        oracle_known_msm(&t->oracle, expected[i], logarithms, jobs[i].scalars, N);
        all_times_r(jobs[i].points, (size_t)2 * N, t->oracle.p);
        all_times_r(expected[i], 2, t->oracle.p);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(jobs[i].wrong, 0);
        assert_memory_equal(jobs[i].expected, expected[i], POINT);
    }
}

/* ---- Memory ---- */

/* Return the resident memory of the process in KiB. */
static long resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long total = 0, pages = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &total, &pages), 2);
    assert_int_equal(fclose(file), 0);
    return 4 * pages;
}

static void test_memory(void)
{
    enum { POINTS = 20, CALLS = 10000 };
    WITH_BN254;
    uint8_t points[POINTS * POINT], scalars[POINTS * SCALAR], out[RESULT];
    long before = 0;
    test_random_points(t, points, NULL, POINTS);
    test_random_scalars(t, scalars, POINTS);
    all_times_r(points, (size_t)2 * POINTS, t->oracle.p);
    for (int call = -500; call < (options.quick ? 1000 : CALLS); call++) {
        before = call == 0 ? resident() : before;
        assert_int_equal(msm_bn128_gpu(out, points, scalars, POINTS, call % 2), 0);
        assert_int_equal(ntt_bn128_gpu(scalars, 4), 0);
        assert_int_not_equal(msm_bn128_gpu(out, points + 1, scalars, POINTS - 1, false), 0);
    }
#ifdef SUMAC_PIL2_MEMORY
    assert_true(resident() < before + 2048);
#endif
}

static const test_entry entries[] = {
    {"sums", TEST_ONCE(test_sums)},
    {"infinity", TEST_ONCE(test_infinity)},
    {"transforms", TEST_ONCE(test_transforms)},
    {"refusals", TEST_ONCE(test_refusals)},
    {"threads", TEST_ONCE(test_threads)},
    {"memory", TEST_ONCE(test_memory)},
};

TEST_MAIN("pil2", entries)
