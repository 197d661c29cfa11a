/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests calls of vectors and MSMs that are queued on a stream. All vectors must have the bits that the CPU
 * computes with the same calls. The stream is the context's own or a caller's, or changes in the middle. While the
 * stream is held up, all calls return.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/gate.h"
#include "sumac/vector.h"
#include "support/harness.h"

enum { SKIPPED = 77, SEED = 5, N = 4096, SUMS = N / 16, POINTS = 64, SCALARS_MOST = 128, VECTORS = 7 };

/* The first vectors have scalars, and the last three have points. */
enum { A, B, C, OF_SUMS, P, Q, R };
static const size_t counts[VECTORS] = {N, N, N, SUMS, POINTS, POINTS, POINTS / 16};

typedef struct scene {
    test_group *t;
    sumac_context *context;
    sumac_bases *bases;
    sumac_vector *vectors[VECTORS];
} scene;

static size_t bytes_of(const test_group *t, int vector)
{
    return counts[vector] * (vector < P ? t->info->scalar_bytes : t->info->point_bytes);
}

static scene make_scene(test_group *t, sumac_context *context)
{
    scene s = {.t = t, .context = context};
    TEST_OK(context, sumac_known_bases_create(context, t->group, N, SEED, NULL, &s.bases));
    for (int v = 0; v < VECTORS; v++) {
        TEST_OK(context,
                sumac_vector_create(context, t->group, v < P ? SUMAC_VECTOR_SCALARS : SUMAC_VECTOR_POINTS,
                                    counts[v], &s.vectors[v]));
    }
    return s;
}

static void free_scene(scene *s)
{
    sumac_bases_destroy(s->bases);
    sumac_context_destroy(s->context);
    for (int v = 0; v < VECTORS; v++) {
        sumac_vector_destroy(s->vectors[v]);
    }
}

/* set_all() sets all vectors from bytes, one after another, and get_all() reads them. */
static void set_all(const scene *s, const uint8_t *bytes)
{
    for (int v = 0; v < VECTORS; v++) {
        TEST_OK(s->context, test_vector_set(s->context, s->vectors[v], bytes, 0, counts[v], NULL));
        bytes += bytes_of(s->t, v);
    }
}

static void get_all(const scene *s, uint8_t *bytes)
{
    for (int v = 0; v < VECTORS; v++) {
        TEST_OK(s->context, test_vector_get(s->context, s->vectors[v], 0, counts[v], NULL, bytes));
        bytes += bytes_of(s->t, v);
    }
}

/* ---- The calls ---- */

static const uint8_t seven[SCALARS_MOST] = {7};

static sumac_status first_half(const scene *s)
{
    sumac_context *c = s->context;
    sumac_vector *const *v = s->vectors;
    sumac_vector *const two[] = {v[A], v[B]};
    sumac_transform_config config = {.size = sizeof config};
    uint64_t rows[SUMS];
    config.length = N / 4;
    config.shift = seven;
    config.shift_bytes = sizeof seven;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    for (uint64_t i = 0; i < SUMS; i++) {
        rows[i] = i * 7 % SUMS;
    }
    TRY(sumac_vector_gather(c, v[A], 16, rows, SUMS, v[B]));
    memset(rows, 0xff, sizeof rows); /* these arrays belong to the caller again */
    TRY(sumac_vectors_ntt(c, two, 2, &config));
    TRY(sumac_vector_multiply_add(c, v[A], v[B], 1, v[C], v[A]));
    TRY(sumac_vector_scan(c, v[A], N / 8, SUMAC_SCAN_PRODUCT, 1));
    TRY(sumac_vector_transpose(c, v[A], 64, 64, v[C]));
    TRY(sumac_vector_bit_reverse(c, v[C], 64));
    TRY(test_vector_fill(c, v[OF_SUMS], seven));
    TRY(sumac_vector_multiply(c, v[C], v[OF_SUMS], 16, v[C]));
    TRY(sumac_vector_add(c, v[P], v[Q], 1, v[Q]));
    config.length = 16;
    TRY(sumac_vector_ntt(c, v[Q], &config));
    return sumac_vector_sum(c, v[Q], 16, v[R]);
}

static sumac_status second_half(const scene *s)
{
    sumac_context *c = s->context;
    sumac_vector *const *v = s->vectors;
    const sumac_slice from = sumac_slice_of(5, N / 2), to = sumac_slice_of(N / 2, N / 2);
    sumac_transform_config config = {.size = sizeof config};
    sumac_msm_config batch = {.size = sizeof batch};
    config.length = N / 4;
    config.shift = seven;
    config.shift_bytes = sizeof seven;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    batch.batch = 2;
    TRY(sumac_vector_divide_by_vanishing(c, v[C], 64, &config));
    TRY(sumac_vector_invert(c, v[B]));
    TRY(test_vector_scale_powers(c, v[B], seven, seven, 128));
    TRY(sumac_vector_subtract(c, v[B], v[C], 1, v[B]));
    TRY(sumac_vector_sum(c, v[B], 16, v[OF_SUMS]));
    TRY(sumac_vector_copy(c, v[C], &from, v[A], &to));
    TRY(sumac_msm_vectors(c, s->bases, v[A], 0, 64, &batch, v[R], 1));
    TRY(sumac_msm_vectors(c, s->bases, v[A], 0, N, NULL, v[R], 0));
    return sumac_msm_vectors(c, s->bases, v[B], 9, 0, NULL, v[R], 3);
}

/* ---- Tests ---- */

/* Draw the vectors' elements, and compute with the CPU what they become. */
static void make_expected(test_group *t, uint8_t *elements, uint8_t *expected)
{
    sumac_context_config config = {.size = sizeof config};
    sumac_context *context = NULL;
    config.backend = "cpu";
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    CLEANUP(free_scene) scene host = make_scene(t, context);
    uint8_t *next = elements;
    for (int v = 0; v < VECTORS; v++) {
        if (v < P) {
            test_random_scalars(t, next, counts[v]);
        } else {
            test_random_points(t, next, NULL, counts[v]);
        }
        next += bytes_of(t, v);
    }
    set_all(&host, elements);
    TEST_OK(context, first_half(&host));
    TEST_OK(context, second_half(&host));
    get_all(&host, expected);
}

static void test_calls(void **state)
{
    enum { STREAMS = 3 }; /* stream 0 is the context's own */
    test_group *t = *state;
    uint8_t root[SCALARS_MOST];
    size_t bytes = 0;
    cudaStream_t streams[STREAMS] = {NULL};
    cudaEvent_t event;
    if (test_root_of_unity(t->group, 12, root) != SUMAC_OK) {
        skip();
    }
    for (int v = 0; v < VECTORS; v++) {
        bytes += bytes_of(t, v);
    }
    AUTO_FREE uint8_t *elements = test_alloc(bytes), *expected = test_alloc(bytes), *got = test_alloc(bytes);
    make_expected(t, elements, expected);
    CLEANUP(free_scene) scene s = make_scene(t, test_context(4, 0));
    must(cudaStreamCreate(&streams[1]), "stream");
    must(cudaStreamCreateWithFlags(&streams[2], cudaStreamNonBlocking), "stream");
    must(cudaEventCreate(&event), "event");
    /* Each pair of streams runs the first and the second half. It does so twice, and the second time the first stream
     * is held up. */
    for (int turn = 0; turn < 2 * STREAMS * STREAMS; turn++) {
        const int first = turn / STREAMS % STREAMS, second = turn % STREAMS;
        const int held = turn >= STREAMS * STREAMS && first != 0 && second != 0;
        gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, !held};
        set_all(&s, elements);
        memset(got, 0, bytes);
        TEST_OK(s.context, sumac_context_set_stream(s.context, streams[first]));
        must(cudaLaunchHostFunc(streams[first], wait_at_gate, &g), "gate");
        TEST_OK(s.context, first_half(&s));
        TEST_OK(s.context, sumac_context_set_stream(s.context, streams[second]));
        TEST_OK(s.context, second_half(&s));
        must(cudaEventRecord(event, streams[second]), "event");
        if (held) {
            assert_int_equal(cudaEventQuery(event), cudaErrorNotReady);
        }
        open_gate(&g);
        get_all(&s, got);
        TEST_OK(s.context, sumac_context_wait(s.context));
        const uint8_t *is = got, *should_be = expected;
        for (int v = 0; v < VECTORS; v++) {
            if (memcmp(is, should_be, bytes_of(t, v)) != 0) {
                test_abort("vector %d has other elements than on the CPU: streams %d and %d, held %d", v,
                           first, second, held);
            }
            is += bytes_of(t, v);
            should_be += bytes_of(t, v);
        }
    }
    TEST_OK(s.context, sumac_context_set_stream(s.context, NULL));
    must(cudaEventDestroy(event), "event");
    must(cudaStreamDestroy(streams[1]), "stream");
    must(cudaStreamDestroy(streams[2]), "stream");
}

/* If only the device sees a failure, it is reported with the next elements, which are then missing, and it is reported
 * only once. */
static void test_failure(void **state)
{
    test_group *t = *state;
    cudaStream_t stream;
    sumac_msm_config config = {.size = sizeof config};
    CLEANUP(free_scene) scene s = make_scene(t, test_context(4, 0));
    AUTO_FREE uint8_t *points = test_alloc(bytes_of(t, R)), *before = test_alloc(bytes_of(t, R));
    uint8_t scalar[SCALARS_MOST] = {0, 1};
    must(cudaStreamCreate(&stream), "stream");
    TEST_OK(s.context, sumac_context_set_stream(s.context, stream));
    TEST_OK(s.context, test_vector_get(s.context, s.vectors[R], 0, counts[R], NULL, before));
    memset(points, 0xa5, bytes_of(t, R));
    TEST_OK(s.context, test_vector_fill(s.context, s.vectors[A], scalar));
    config.scalar_bits = 8; /* they are 256 */
    TEST_OK(s.context, sumac_msm_vectors(s.context, s.bases, s.vectors[A], 0, N, &config, s.vectors[R], 0));
    TEST_OK(s.context, sumac_vector_add(s.context, s.vectors[A], s.vectors[A], 1, s.vectors[B]));
    test_sentence(s.context, test_vector_get(s.context, s.vectors[R], 0, counts[R], NULL, points),
                  SUMAC_SCALAR_TOO_LARGE, "queued");
    for (size_t i = 0; i < bytes_of(t, R); i++) {
        assert_int_equal(points[i], 0xa5);
    }
    TEST_OK(s.context, test_vector_get(s.context, s.vectors[R], 0, counts[R], NULL, points));
    assert_memory_equal(points, before, bytes_of(t, R));
    config.scalar_bits = 9;
    TEST_OK(s.context, sumac_msm_vectors(s.context, s.bases, s.vectors[A], 0, N, &config, s.vectors[R], 0));
    TEST_OK(s.context, sumac_context_wait(s.context));
    TEST_OK(s.context, sumac_context_set_stream(s.context, NULL));
    must(cudaStreamDestroy(stream), "stream");
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"queued calls", test_calls, TEST_SOME_GROUPS},
        {"a failure of a queued call", test_failure, TEST_SOME_GROUPS},
    };
    sumac_message message;
    sumac_context *context;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cuda";
    if (sumac_context_create(&config, &context, &message) != SUMAC_OK) {
        fprintf(stderr, "skipped: %s\n", message.text);
        return SKIPPED;
    }
    sumac_context_destroy(context);
    options.backend = "cuda";
    return test_main("queued_calls", entries, sizeof entries / sizeof *entries, argc, argv);
}
