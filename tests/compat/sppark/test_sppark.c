/* SPDX-License-Identifier: Apache-2.0 OR MIT */
// This program tests what sppark's own tests of their examples leave out: bad input, infinity, eight threads at once, and memory over
// 10,000 calls. Expected sums are multiples of the generator, whose discrete logarithms are known, and a transform is expected to be
// the polynomial's values at 1 and -1.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sumac/experimental.h>
#include <unistd.h>

#include "sppark.h"

#if defined(FEATURE_BLS12_381)
#define CURVE "bls12-381"
#elif defined(FEATURE_BLS12_377)
#define CURVE "bls12-377"
#elif defined(FEATURE_BN254)
#define CURVE "bn254"
#elif defined(FEATURE_PALLAS)
#define CURVE "pallas"
#else
#define CURVE "vesta"
#endif

enum { N = 100, RECORD = 2 * 96 + 8, POINT = 192, JACOBIAN = 288, SCALAR = 32 };

static void check(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s: %s\n", CURVE, what);
        exit(1);
    }
}

/* Points of one group with a flag in each record, scalars, and the sum of their products. */
typedef struct instance {
    size_t point_bytes, stride;
    unsigned char records[N * RECORD], scalars[N * SCALAR], sum[POINT];
} instance;

static void make(instance *made, const char *name)
{
    const sumac_group *group = NULL;
    sumac_context *context = NULL;
    sumac_bases *bases = NULL;
    static unsigned char points[N * POINT], logarithms[N * SCALAR];
    check(sumac_group_find(CURVE, name, &group) == SUMAC_OK, "the group exists");
    const sumac_context_config config = {.size = sizeof config, .backend = "cpu"};
    check(sumac_context_create(&config, &context, NULL) == SUMAC_OK, "a context is created");
    made->point_bytes = group->point_bytes;
    made->stride = group->point_bytes + 8;
    const sumac_bases_config montgomery = {.size = sizeof montgomery, .form = SUMAC_FORM_MONTGOMERY};
    for (size_t i = 0; i < N * SCALAR; i++) {
        made->scalars[i] = (unsigned char)(i * i * 7 + i / 5);
    }
    check(sumac_known_bases_create(context, group, N, 5, NULL, &bases) == SUMAC_OK &&
              sumac_known_logarithms(context, group, N, 5, logarithms, sizeof logarithms) == SUMAC_OK,
          "points are known");
    // Two points are infinity. Their coordinates are not read.
    memset(logarithms + 3 * SCALAR, 0, SCALAR);
    memset(logarithms + 98 * SCALAR, 0, SCALAR);
    check(sumac_known_answer(context, group, made->scalars, sizeof made->scalars, logarithms,
                             sizeof logarithms, N, made->sum, group->point_bytes) == SUMAC_OK,
          "the answer is known");
    // The bases' points in Montgomery form are results of sums of one point.
    static const unsigned char one[SCALAR] = {1};
    for (size_t i = 0; i < N; i++) {
        const sumac_msm_config config_of_one = {
            .size = sizeof config_of_one, .first = i, .result_form = SUMAC_FORM_MONTGOMERY};
        check(sumac_msm(context, bases, one, sizeof one, 1, &config_of_one, points + i * group->point_bytes,
                        group->point_bytes) == SUMAC_OK,
              "a point is written");
        memset(made->records + i * made->stride, 0, made->stride);
        memcpy(made->records + i * made->stride, points + i * group->point_bytes, group->point_bytes);
        made->records[i * made->stride + group->point_bytes] = i == 3 || i == 98;
    }
    // The expected sum is converted to Montgomery form as well.
    sumac_bases_destroy(bases);
    check(sumac_bases_create(context, group, made->sum, group->point_bytes, 1, NULL, &bases) == SUMAC_OK,
          "a base");
    const sumac_msm_config result = {.size = sizeof result, .result_form = SUMAC_FORM_MONTGOMERY};
    check(sumac_msm(context, bases, one, sizeof one, 1, &result, made->sum, group->point_bytes) == SUMAC_OK &&
              montgomery.size != 0,
          "the sum is converted");
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
}

typedef sumac_sppark_error (*msm)(void *out, const void *points, size_t npoints, const void *scalars,
                                  size_t size);

static instance of_g1, of_g2;
static int has_g2;

static void expect_sum(msm function, const instance *given, const char *what)
{
    unsigned char out[JACOBIAN];
    const sumac_sppark_error error = function(out, given->records, N, given->scalars, given->stride);
    check(error.code == 0 && error.message == NULL && memcmp(out, given->sum, given->point_bytes) == 0, what);
}

static size_t devices; /* GPUs, or 1 for the CPU */

static void count_devices(void)
{
    sumac_sppark_error error = {0, NULL};
    while (devices < 16 && error.code == 0) {
        unsigned char values[4 * SCALAR] = {1};
        error = compute_ntt(devices, values, 2, SUMAC_SPPARK_NN, 0, 0);
        devices += error.code == 0;
    }
    check(devices > 0, "a device transforms");
    free(error.message);
}

/* (a, b, 0, 0) becomes a + b, a + ib, a - b, a - ib for a root i of order 4; and goes back. */
static void expect_transform(size_t device)
{
    unsigned char given[4 * SCALAR] = {[0] = 5, [SCALAR] = 3};
    unsigned char values[4 * SCALAR];
    memcpy(values, given, sizeof values);
    check(compute_ntt(device, values, 2, SUMAC_SPPARK_NN, 0, 0).code == 0 && values[0] == 8 &&
              values[2 * SCALAR] == 2,
          "values at 1 and -1");
    unsigned char swapped[4 * SCALAR];
    memcpy(swapped, given, sizeof swapped);
    check(compute_ntt(device, swapped, 2, SUMAC_SPPARK_NR, 0, 0).code == 0 && swapped[SCALAR] == 2 &&
              memcmp(swapped + 2 * SCALAR, values + SCALAR, SCALAR) == 0,
          "bit-reversed values");
    check(compute_ntt(device, swapped, 2, SUMAC_SPPARK_RN, 1, 0).code == 0 &&
              memcmp(swapped, given, sizeof given) == 0,
          "bit-reversed values go back");
    check(compute_ntt(device, values, 2, SUMAC_SPPARK_NN, 1, 0).code == 0 &&
              memcmp(values, given, sizeof given) == 0,
          "values go back");
}

static void expect_error(sumac_sppark_error error, const char *what)
{
    check(error.code != 0 && error.message != NULL && *error.message != 0, what);
    free(error.message);
}

static void test_bad_input(void)
{
    unsigned char out[JACOBIAN];
    memset(out, 7, sizeof out);
    static unsigned char records[sizeof of_g1.records];
    memcpy(records, of_g1.records, sizeof records);
    expect_error(mult_pippenger_inf(out, NULL, N, of_g1.scalars, of_g1.stride), "null points");
    expect_error(mult_pippenger_inf(out, records, N, NULL, of_g1.stride), "null scalars");
    expect_error(mult_pippenger_inf(NULL, records, N, of_g1.scalars, of_g1.stride), "a null result");
    expect_error(mult_pippenger_inf(out, records, N, of_g1.scalars, of_g1.point_bytes),
                 "no byte for the flag");
    expect_error(mult_pippenger_inf(out, records, SIZE_MAX / 2, of_g1.scalars, of_g1.stride),
                 "too many points");
    records[40 * of_g1.stride] ^= 1;
    expect_error(mult_pippenger_inf(out, records, N, of_g1.scalars, of_g1.stride), "a point off the curve");
    memset(records + 40 * of_g1.stride, 255, of_g1.point_bytes / 2);
    expect_error(mult_pippenger_inf(out, records, N, of_g1.scalars, of_g1.stride), "a coordinate beyond p");
    for (size_t i = 0; i < sizeof out; i++) {
        check(out[i] == 7, "nothing is written after an error");
    }
    unsigned char values[4 * SCALAR] = {1};
    expect_error(compute_ntt(0, values, 64, 0, 0, 0), "too large a transform");
    expect_error(compute_ntt(0, values, 40, 0, 0, 0), "a transform larger than memory");
    expect_error(compute_ntt(16, values, 2, 0, 0, 0), "an unknown device");
    expect_error(compute_ntt(0, NULL, 2, 0, 0, 0), "null scalars");
    expect_error(compute_ntt(0, values, 2, 4, 0, 0), "an unknown order");
    expect_error(compute_ntt(0, values, 2, 0, 2, 0), "an unknown direction");
    expect_error(compute_ntt(0, values, 2, 0, 0, -1), "an unknown type");
    memset(values + SCALAR, 255, SCALAR);
    expect_error(compute_ntt(0, values, 2, 0, 0, 0), "a scalar beyond r");
    check(values[0] == 1 && values[SCALAR] == 255, "nothing is transformed after an error");
    // No points have the sum infinity.
    check(mult_pippenger_inf(out, records, 0, of_g1.scalars, of_g1.stride).code == 0, "no points");
    for (size_t i = 0; i < of_g1.point_bytes / 2; i++) {
        check(out[of_g1.point_bytes + i] == 0, "infinity");
    }
    if (!has_g2) {
        expect_error(mult_pippenger_fp2_inf(out, records, N, of_g1.scalars, of_g1.stride),
                     "a curve without G2");
    }
}

static void *call(void *calls)
{
    for (size_t i = 0; i < *(size_t *)calls; i++) {
        expect_sum(mult_pippenger_inf, &of_g1, "a sum of G1");
        if (has_g2 && i % 8 == 0) {
            expect_sum(mult_pippenger_fp2_inf, &of_g2, "a sum of G2");
        }
        expect_transform(i % devices);
    }
    return NULL;
}

static void call_on_threads(size_t calls)
{
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) {
        check(pthread_create(&threads[i], NULL, call, &calls) == 0, "a thread starts");
    }
    for (int i = 0; i < 8; i++) {
        check(pthread_join(threads[i], NULL) == 0, "a thread ends");
    }
}

static long resident_pages(void)
{
    long all = 0;
    long resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    check(file != NULL && fscanf(file, "%ld %ld", &all, &resident) == 2 && fclose(file) == 0,
          "the system is Linux");
    return resident;
}

int main(void)
{
    const sumac_group *group = NULL;
    has_g2 = sumac_group_find(CURVE, "g2", &group) == SUMAC_OK;
    make(&of_g1, "g1");
    if (has_g2) {
        make(&of_g2, "g2");
    }
    count_devices();
    test_bad_input();
    call_on_threads(20);
    size_t calls = 100;
    call(&calls);
    const long before = resident_pages();
    calls = 2000; // five calls each
    call(&calls);
    const long grown = resident_pages() - before;
    check(grown * sysconf(_SC_PAGESIZE) <= 256 << 10, "10,000 calls leave nothing behind");
    printf("test_sppark %s, devices %zu: OK\n", CURVE, devices);
    return 0;
}
