/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures the CUDA engine's MSM with scalars in pinned host memory, and verifies the result. It prints
 * one JSON object in a line. Usage: bench_cuda_msm CURVE GROUP LOG2N FACTOR C REPETITIONS [KIND] [BATCH] [PORTIONS] [PLAN]
 * With FACTOR 0 the bases keep a multiple for each window. KIND is one of: uniform, equal, bits (0 or 1), short (16
 * bits), sparse (1% random, the rest 0 or 1), pageable (uniform, in pageable memory), device (uniform, in the device's
 * memory), below (less than 2^8, with this declared), bytes (scalars of one byte), device-bytes (scalars of one byte in
 * the device's memory).
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <cuda_runtime.h>

#include "sumac/experimental.h"
#include "sumac/sumac.h"

enum { MAX_REPETITIONS = 101, MAX_STAGES = 16 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static struct stage {
    char name[32];
    double ms;
} stages[MAX_STAGES];

static void record(void *, const sumac_trace_event *event)
{
    for (int i = 0; i < MAX_STAGES; i++) {
        if (stages[i].name[0] == '\0') {
            snprintf(stages[i].name, sizeof stages[i].name, "%s", event->name);
        }
        if (strcmp(stages[i].name, event->name) == 0) {
            stages[i].ms += 1e3 * (event->end - event->start);
            return;
        }
    }
}

static void must(sumac_context *context, sumac_status status, const char *what)
{
    if (status != SUMAC_OK) {
        printf("{\"error\": \"%s: %s: %s\"}\n", what, sumac_status_text(status),
               sumac_context_message(context));
        exit(3);
    }
}

static void fill(uint8_t *scalars, size_t n, size_t bytes, const char *kind)
{
    uint64_t state = 88172645463325252ull;
    for (size_t i = 0; i < n * bytes / 8; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(scalars + 8 * i, &state, 8);
    }
    for (size_t i = 0; i < n; i++) {
        uint8_t *k = scalars + i * bytes;
        if (strcmp(kind, "equal") == 0) {
            memcpy(k, scalars, bytes);
        } else if (strcmp(kind, "bits") == 0) {
            memset(k + 1, 0, bytes - 1);
            k[0] &= 1;
        } else if (strcmp(kind, "short") == 0) {
            memset(k + 2, 0, bytes - 2);
        } else if (strcmp(kind, "below") == 0 || strstr(kind, "bytes") != NULL) {
            memset(k + 1, 0, bytes - 1);
        } else if (strcmp(kind, "sparse") == 0 && i % 100 != 0) {
            memset(k + 1, 0, bytes - 1);
            k[0] &= 1;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        return 2;
    }
    const char *kind = argc > 7 ? argv[7] : "uniform";
    const size_t n = (size_t)1 << atoi(argv[3]);
    const int repetitions = atoi(argv[6]);
    const uint32_t batch = argc > 8 ? (uint32_t)atoi(argv[8]) : 1;
    const sumac_group *group;
    sumac_context *context = NULL, *traced = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cuda";
    sumac_message message;
    if (sumac_context_create(&config, &context, &message) != SUMAC_OK) {
        printf("{\"error\": \"%s\"}\n", message.text);
        return 3;
    }
    config.trace = record;
    must(context, sumac_context_create(&config, &traced, NULL), "context");
    must(context, sumac_group_find(argv[1], argv[2], &group), "curve");
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.precompute_factor = atoi(argv[4]) == 0 ? 8 * group->scalar_bytes : (uint32_t)atoi(argv[4]);
    const char *plan_name = argc > 10 ? argv[10] : "auto";
    const int copy_slices = argc > 9 ? atoi(argv[9]) : 0;
    char of_bases[32], of_call[96];
    snprintf(of_bases, sizeof of_bases, "c=%d", atoi(argv[5]));
    bases_config.tuning = of_bases;
    if (bases_config.precompute_factor > 64) { /* the bases keep a multiple for each window */
        bases_config.precompute_factor = group->scalar_bits;
    }
    const double start = now();
    sumac_bases *bases = NULL;
    must(context, sumac_known_bases_create(context, group, n, 7, &bases_config, &bases), "bases");
    const double bases_ms = now() - start;
    uint8_t *scalars;
    const size_t bytes = batch * n * group->scalar_bytes;
    if (strcmp(kind, "pageable") == 0) {
        scalars = (uint8_t *)malloc(bytes);
    } else if (cudaMallocHost(&scalars, bytes) != cudaSuccess) {
        return 3;
    }
    uint8_t *logarithms = (uint8_t *)malloc(n * group->scalar_bytes);
    fill(scalars, batch * n, group->scalar_bytes, kind);
    must(context, sumac_known_logarithms(context, group, n, 7, logarithms, n * group->scalar_bytes),
         "logarithms");
    sumac_msm_config msm_config = {.size = sizeof msm_config};
    msm_config.batch = batch;
    const uint8_t *given = scalars;
    size_t given_bytes = bytes;
    if (strcmp(kind, "below") == 0) {
        msm_config.scalar_bits = 8;
    }
    if (strstr(kind, "bytes") != NULL) {
        uint8_t *narrow;
        given_bytes = batch * n;
        msm_config.scalar_bytes = 1;
        if (cudaMallocHost(&narrow, given_bytes) != cudaSuccess) {
            return 3;
        }
        for (size_t i = 0; i < given_bytes; i++) {
            narrow[i] = scalars[i * group->scalar_bytes];
        }
        given = narrow;
    }
    if (strncmp(kind, "device", 6) == 0) {
        uint8_t *copy;
        if (cudaMalloc(&copy, given_bytes) != cudaSuccess ||
            cudaMemcpy(copy, given, given_bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
            return 3;
        }
        given = copy;
        msm_config.scalars_location = SUMAC_LOCATION_DEVICE;
    }
    snprintf(of_call, sizeof of_call, "copy_slices=%d,plan=%s,c=%d", copy_slices, plan_name,
             bases_config.precompute_factor <= 1 ? atoi(argv[5]) : 0);
    msm_config.tuning = of_call;
    uint8_t *result = (uint8_t *)malloc(batch * group->point_bytes),
            *answer = (uint8_t *)malloc(group->point_bytes);
    double times[MAX_REPETITIONS];
    int wrong = 0;
    for (int i = -2; i < repetitions; i++) {
        memset(result, 0xa5, batch * group->point_bytes);
        const double begin = now();
        must(
            context,
            sumac_msm(context, bases, given, given_bytes, n, &msm_config, result, batch * group->point_bytes),
            "msm");
        times[i < 0 ? 0 : i] = now() - begin;
        for (uint32_t j = 0; j < batch && (i == -2 || j == batch - 1);
             j += j + 1 < batch && j > 2 ? batch - 1 - j : 1) {
            must(context,
                 sumac_known_answer(context, group, scalars + j * n * group->scalar_bytes,
                                    n * group->scalar_bytes, logarithms, n * group->scalar_bytes, n, answer,
                                    group->point_bytes),
                 "answer");
            wrong += memcmp(result + j * group->point_bytes, answer, group->point_bytes) != 0;
            if (n > ((size_t)1 << 20) && i > -2) {
                break;
            }
        }
    }
    sumac_bases_info kept = {};
    kept.size = sizeof kept;
    must(context, sumac_bases_describe(bases, &kept), "bases");
    char *plan = NULL;
    must(context, sumac_plan_create(context, group, n, &bases_config, &msm_config, &plan), "plan");
    must(traced,
         sumac_msm(traced, bases, given, given_bytes, n, &msm_config, result, batch * group->point_bytes),
         "msm");
    memset(stages, 0, sizeof stages);
    must(traced,
         sumac_msm(traced, bases, given, given_bytes, n, &msm_config, result, batch * group->point_bytes),
         "msm");
    qsort(times, repetitions, sizeof *times, by_value);
    printf("{\"curve\": \"%s/%s\", \"log2n\": %s, \"kind\": \"%s\", \"f\": %u, \"median_ms\": %.3f, "
           "\"min_ms\": %.3f, \"wrong\": %d, \"bases_ms\": %.0f, \"plan\": %s",
           group->curve, group->name, argv[3], kind, kept.precompute_factor, times[repetitions / 2], times[0],
           wrong, bases_ms, plan);
    for (int i = 0; i < MAX_STAGES && stages[i].name[0] != '\0'; i++) {
        printf(", \"%s\": %.3f", stages[i].name, stages[i].ms);
    }
    printf("}\n");
    sumac_free(plan);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
    sumac_context_destroy(traced);
    return wrong != 0;
}
