/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests options that correspond to fields of ICICLE's MSMConfig and that no other test covers: cut scalars,
 * large buckets, and a stream that calls of two contexts share. Test names are ICICLE's names of the fields. The bases
 * have known discrete logarithms, from which GMP computes the answers. Tests of options that only a GPU supports are
 * skipped on the CPU. test_api.c tests that the CPU refuses these options.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "random/device.h"
#include "support/harness.h"

enum { DEVICE = 0, DIFFERENT_POINTS = 24 };

/* A scene has `count` bases and as many scalars, which are arbitrary integers of 64*limbs bits. */
typedef struct scene {
    test_group *t;
    size_t count;
    uint8_t *points;
    uint8_t *logarithms;
    uint8_t *scalars;
    uint8_t *expected; /* an array of `count` results */
    sumac_context *context;
    sumac_bases *bases;
} scene;

static scene make_scene(test_group *t, size_t count)
{
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    scene s = {.t = t, .count = count};
    s.points = test_alloc(count * point);
    s.logarithms = test_alloc(count * scalar);
    s.scalars = test_alloc(count * scalar);
    s.expected = test_alloc(count * point);
    test_random_points(t, s.points, s.logarithms, count < DIFFERENT_POINTS ? count : DIFFERENT_POINTS);
    for (size_t i = DIFFERENT_POINTS; i < count; i++) {
        memcpy(s.points + i * point, s.points + (i - DIFFERENT_POINTS) * point, point);
        memcpy(s.logarithms + i * scalar, s.logarithms + (i - DIFFERENT_POINTS) * scalar, scalar);
    }
    test_random_bytes(t, s.scalars, count * scalar);
    s.context = test_context(2, 0);
    s.bases = test_bases(s.context, t, s.points, count, NULL);
    return s;
}

static void free_scene(scene *s)
{
    sumac_bases_destroy(s->bases);
    sumac_context_destroy(s->context);
    free(s->points);
    free(s->logarithms);
    free(s->scalars);
    free(s->expected);
}

/* Convert raw scalar i to an integer. If it is in Montgomery form, divide it by R = 2^(64*limbs) modulo r. */
static void take_integer(const test_group *t, const uint8_t *scalars, size_t i, sumac_form form, mpz_t k)
{
    oracle_scalar_from_raw(&t->oracle, k, scalars + i * t->info->scalar_bytes);
    if (form == SUMAC_FORM_MONTGOMERY) {
        TEST_NUMBERS(inverse);
        mpz_setbit(inverse, 8 * (mp_bitcnt_t)t->info->scalar_bytes);
        assert_int_not_equal(mpz_invert(inverse, inverse, t->oracle.r), 0);
        mpz_mul(k, k, inverse);
        mpz_mod(k, k, t->oracle.r);
    }
}

/* Compute the answer (sum of k_i*d_i mod r)*G for n scalars and the bases from `first` on. Here k_i is the lowest
 * `bits` bits of a scalar, or if `bits` is 0, the whole scalar. */
static void answer(const scene *s, const uint8_t *scalars, size_t n, size_t first, uint32_t bits,
                   sumac_form form, uint8_t *expected)
{
    const oracle *o = &s->t->oracle;
    ORACLE_POINT(point);
    TEST_NUMBERS(k, d, sum);
    for (size_t i = 0; i < n; i++) {
        take_integer(s->t, scalars, i, form, k);
        if (bits != 0) {
            mpz_fdiv_r_2exp(k, k, bits);
        }
        oracle_scalar_from_raw(o, d, s->logarithms + (first + i) * s->t->info->scalar_bytes);
        mpz_addmul(sum, k, d);
    }
    mpz_mod(sum, sum, o->r);
    oracle_mul_generator(o, &point, sum);
    oracle_point_to_raw(o, expected, &point);
}

/* Compute the answer to one MSM of all bases and scalars. */
static void answer_all(const scene *s)
{
    answer(s, s->scalars, s->count, 0, 0, SUMAC_FORM_CANONICAL, s->expected);
}

static test_plan plan_of(const scene *s, size_t n, const sumac_msm_config *config)
{
    test_plan plan = {0};
    TEST_OK(s->context, test_msm_plan(s->context, s->bases, n, config, &plan));
    return plan;
}

static int on_gpu(void)
{
    return strcmp(options.backend, "cpu") != 0;
}

static void need_gpu(void)
{
    if (!on_gpu()) {
        skip();
    }
}

/* ---- stream ---- */

/* The first call leaves points on the device. The same bytes are the scalars of another context's call on the same
 * stream, and the host does not wait between the two calls. */
static void test_stream(void **state)
{
    need_gpu();
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, 500);
    const size_t point = t->info->point_bytes, n = point / t->info->scalar_bytes;
    CLEANUP(destroy_context) sumac_context *other = test_context(1, 0);
    AUTO_FREE uint8_t *results = test_alloc(point), *second = test_alloc(point);
    memset(results, 0xa5, point);
    void *between = device_take(DEVICE, results, point), *last = device_take(DEVICE, results, point);
    sumac_msm_config config = {.size = sizeof config};
    void *stream = device_stream_make(DEVICE);
    config.result_location = SUMAC_LOCATION_DEVICE;
    answer_all(&s);
    TEST_OK(s.context, sumac_context_set_stream(s.context, stream));
    TEST_OK(other, sumac_context_set_stream(other, stream));
    answer(&s, s.expected, n, 0, 0, SUMAC_FORM_CANONICAL, second);
    TEST_OK(s.context, exact_msm(s.context, s.bases, s.scalars, s.count, &config, between));
    config.scalars_location = SUMAC_LOCATION_DEVICE;
    TEST_OK(other, exact_msm(other, s.bases, between, n, &config, last));
    TEST_OK(other, sumac_context_wait(other));
    device_give(DEVICE, last, results, point);
    assert_memory_equal(results, second, point);
    TEST_OK(s.context, sumac_context_wait(s.context));
    device_give(DEVICE, between, results, point);
    assert_memory_equal(results, s.expected, point);
    TEST_OK(s.context, sumac_context_set_stream(s.context, NULL));
    TEST_OK(other, sumac_context_set_stream(other, NULL));
    device_stream_free(DEVICE, stream);
}

/* ---- bitsize ---- */

/* With cut_scalars only the lowest `bits` bits of each integer count, also if the integer is in Montgomery form. */
static void check_bitsize(scene *s, uint32_t bits, uint32_t c)
{
    sumac_msm_config config = {.size = sizeof config};
    AUTO_FREE uint8_t *result = test_alloc(s->t->info->point_bytes);
    config.tuning = test_tuning("c=%u", c);
    config.scalar_bits = bits;
    config.cut_scalars = 1;
    for (int form = SUMAC_FORM_CANONICAL; form <= SUMAC_FORM_MONTGOMERY; form++) {
        config.scalar_form = (sumac_form)form;
        answer(s, s->scalars, s->count, 0, bits, config.scalar_form, s->expected);
        test_msm(s->context, s->bases, s->scalars, s->count, &config, s->expected, "bitsize");
    }
    config.cut_scalars = 0;
    if (bits + 8 < s->t->info->scalar_bits) { /* some scalar has more bits */
        test_status(s->context, exact_msm(s->context, s->bases, s->scalars, s->count, &config, result),
                    SUMAC_SCALAR_TOO_LARGE, "not cut off");
    }
}

static void test_bitsize(void **state)
{
    test_group *t = *state;
    const uint32_t most = 8 * t->info->scalar_bytes, step = options.quick ? 31 : 7;
    CLEANUP(free_scene) scene s = make_scene(t, 50);
    sumac_msm_config config = {.size = sizeof config};
    for (uint32_t bits = 1; bits <= most;
         bits += bits < 3 || bits % 64 > 62 || bits % 64 < 2 || bits + 6 > t->info->scalar_bits ? 1 : step) {
        check_bitsize(&s, bits, bits % 5 == 0 ? 0 : 2 + bits % 11);
    }
    config.cut_scalars = 1; /* if `bits` is 0, all bits count */
    answer_all(&s);
    test_msm(s.context, s.bases, s.scalars, s.count, &config, s.expected, "bitsize = 0");
}

static void test_bitsize_with_multiples(void **state)
{
    CLEANUP(free_scene) scene s = make_scene(*state, 50);
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.precompute_factor = 3;
    bases_config.tuning = test_tuning("c=%u", 7);
    bases_config.scalar_bits = 100;
    sumac_bases_destroy(s.bases);
    s.bases = test_bases(s.context, s.t, s.points, s.count, &bases_config);
    check_bitsize(&s, 100, 0);
    check_bitsize(&s, 29, 0);
}

/* If a batch is computed in sub-batches, the first ones write results before the last ones begin. */
static void test_bitsize_of_sub_batches(void **state)
{
    enum { N = 40, BATCH = 50, BITS = 30 };
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, N * BATCH);
    sumac_msm_config config = {.size = sizeof config};
    config.tuning = test_tuning("c=%u", 8);
    config.scalar_bits = BITS;
    config.cut_scalars = 1;
    config.batch = 5;
    const test_plan few = plan_of(&s, N, &config);
    config.batch = BATCH;
    CLEANUP(destroy_context)
    sumac_context *limited = test_context(1, on_gpu() ? 0 : test_plan_bytes(&few, "workspace"));
    test_plan plan = {0};
    TEST_OK(limited, test_msm_plan(limited, s.bases, N, &config, &plan));
    assert_true(plan.sub_batch < BATCH || on_gpu());
    for (size_t j = 0; j < BATCH; j++) {
        answer(&s, s.scalars + j * N * t->info->scalar_bytes, N, 0, BITS, SUMAC_FORM_CANONICAL,
               s.expected + j * t->info->point_bytes);
    }
    test_msm(limited, s.bases, s.scalars, N, &config, s.expected, "bitsize, in sub-batches");
}

/* ---- large_bucket_factor ---- */

/* Count an MSM's calls of the device's runtime. More rounds make more calls. On the CPU the number is 0. */
static uint64_t calls_with(const scene *s, const void *scalars, const sumac_msm_config *config)
{
    const uint64_t far_away = (uint64_t)1 << 40;
    const device_ops *device = s->context->executors.at->backend->device;
    test_msm(s->context, s->bases, scalars, s->count, config, s->expected, "to grow the workspace");
    if (device != NULL) {
        (void)device->fail_call(s->context->executors.at->engine, far_away);
    }
    test_msm(s->context, s->bases, scalars, s->count, config, s->expected, "large_bucket_factor");
    return device == NULL ? 0 : far_away - device->fail_call(s->context->executors.at->engine, 0);
}

/* Queue the call on a stream, where the host does not wait to learn how many rounds there are. */
static void call_on_stream(const scene *s, const void *scalars, sumac_msm_config config)
{
    const size_t point = s->t->info->point_bytes;
    AUTO_FREE uint8_t *result = test_alloc(point);
    void *stream = device_stream_make(DEVICE), *there = device_take(DEVICE, result, point);
    config.result_location = SUMAC_LOCATION_DEVICE;
    TEST_OK(s->context, sumac_context_set_stream(s->context, stream));
    TEST_OK(s->context, exact_msm(s->context, s->bases, scalars, s->count, &config, there));
    TEST_OK(s->context, sumac_context_wait(s->context));
    device_give(DEVICE, there, result, point);
    assert_memory_equal(result, s->expected, point);
    TEST_OK(s->context, sumac_context_set_stream(s->context, NULL));
    device_stream_free(DEVICE, stream);
}

/* Three of four scalars are 1, so that one bucket has 15,000 entries, while the mean is 157, or 313 with GLV. Rounds
 * reduce this bucket until at most `factor` times the mean are left, so that a larger factor saves rounds. If there are
 * fewer scalars than here, they are summed without rounds. */
static void test_large_bucket_factor(void **state)
{
    enum { ROUNDS = 3 }; /* the last factor saves at least so many rounds */
    static const uint32_t factors[] = {1, 2, 4, 10, 100, UINT32_MAX};
    CLEANUP(free_scene) scene s = make_scene(*state, 20000);
    const size_t scalar = s.t->info->scalar_bytes;
    sumac_msm_config config = {.size = sizeof config};
    uint64_t first = UINT64_MAX, last = UINT64_MAX;
    void *pinned = NULL;
    for (size_t i = 0; i < s.count; i++) {
        if (i % 4 != 0) {
            memset(s.scalars + i * scalar, 0, scalar);
            s.scalars[i * scalar] = 1;
        }
    }
    answer_all(&s);
    TEST_OK(s.context, sumac_pinned_allocate(s.context, s.count * scalar, &pinned));
    memcpy(pinned, s.scalars, s.count * scalar);
    config.tuning = "c=8,copy_slices=1";
    test_msm(s.context, s.bases, pinned, s.count, &config, s.expected, "large_bucket_factor = 0");
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        config.tuning = test_tuning("c=8,copy_slices=1,large_bucket_factor=%u", factors[i]);
        const uint64_t calls = calls_with(&s, pinned, &config);
        assert_true(calls <= last);
        first = i == 0 ? calls : first;
        last = calls;
        if (on_gpu()) {
            call_on_stream(&s, pinned, config);
        }
    }
    assert_true(!on_gpu() || last + ROUNDS <= first);
    sumac_pinned_free(pinned);
}

static const test_entry entries[] = {
    {"stream", test_stream, TEST_EVERY_GROUP},
    {"bitsize", test_bitsize, TEST_SOME_AND_TINY},
    {"bitsize, multiples", test_bitsize_with_multiples, TEST_EVERY_GROUP},
    {"bitsize, in sub-batches", test_bitsize_of_sub_batches, TEST_EVERY_GROUP},
    {"large_bucket_factor", test_large_bucket_factor, TEST_SOME_GROUPS},
};
TEST_MAIN("icicle", entries)
