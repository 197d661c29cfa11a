/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures how long the default check, that points lie on the curve, takes in sumac_bases_create(). It
 * prints the milliseconds without and with the check, and their ratio. Each time is the least of several alternating
 * turns. The points lie in the host's memory and, with a GPU, also in page-locked memory and in the GPU's memory.
 * They have known logarithms.
 *
 *   bench_bases [CURVE [GROUP [cuda or cpu [LOG2 [MULTIPLES..]]]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/clock.h"
#include "sumac/experimental.h"
#include "sumac/sumac.h"

enum { RUNS = 9 };

static double now(void)
{
    return 1e3 * clock_seconds();
}

typedef struct bench_points {
    sumac_context *context;
    const sumac_group *group;
    size_t n;
    size_t bytes;
    void *raw;
} bench_points;

static sumac_status make_points(bench_points *b)
{
    sumac_bases *bases = NULL;
    sumac_status status = sumac_known_bases_create(b->context, b->group, b->n, 1, NULL, &bases);
    if (status == SUMAC_OK) {
        status = sumac_bases_get(b->context, bases, 0, b->n, b->raw, b->bytes);
    }
    sumac_bases_destroy(bases);
    return status;
}

static sumac_status time_both(const bench_points *b, const char *memory, const void *points,
                              sumac_location location, uint32_t multiples)
{
    static const sumac_check checks[2] = {SUMAC_CHECK_NONE, SUMAC_CHECK_CURVE};
    double best[2] = {0, 0};
    uint32_t kept = 0;
    /* The order in which the checks take turns alternates, so that both find the same freed memory. The first turn of
     * each does not count. No memory was freed before it, so it is faster by a tenth. */
    for (int run = -2; run < 2 * RUNS; run++) {
        const int which = (run + 2 + (run + 2) / 2) % 2;
        sumac_bases *bases = NULL;
        sumac_bases_config config = {.size = sizeof config};
        config.check = checks[which];
        config.precompute_factor = multiples;
        config.location = location;
        const double start = now();
        const sumac_status status =
            sumac_bases_create(b->context, b->group, points, b->bytes, b->n, &config, &bases);
        const double time = now() - start;
        if (status != SUMAC_OK) {
            return status;
        }
        sumac_bases_info info = {.size = sizeof info};
        (void)!sumac_bases_describe(bases, &info);
        kept = info.precompute_factor;
        sumac_bases_destroy(bases);
        if (run >= 0 && (best[which] == 0 || time < best[which])) {
            best[which] = time;
        }
    }
    printf("%-12s %9u %10.2f %10.2f %7.3f\n", memory, kept, best[0], best[1], best[1] / best[0]);
    return SUMAC_OK;
}

/* Import points from every memory in which they can lie. */
static sumac_status bench(const bench_points *b, uint32_t multiples)
{
    executor *own = context_executor(b->context);
    sumac_status status = time_both(b, "host", b->raw, SUMAC_LOCATION_HOST, multiples);
    if (status != SUMAC_OK || own->engine == NULL) {
        return status;
    }
    const device_ops *device = own->backend->device;
    void *locked = NULL;
    status = sumac_pinned_allocate(b->context, b->bytes, &locked);
    executor_enter(own);
    void *resident = own->backend->allocate(own->engine, b->bytes);
    if (status == SUMAC_OK && resident == NULL) {
        status = SUMAC_OUT_OF_MEMORY;
    }
    if (status == SUMAC_OK) {
        memcpy(locked, b->raw, b->bytes);
        status = device->upload(own->engine, resident, b->raw, b->bytes);
    }
    if (status == SUMAC_OK) {
        status = time_both(b, "page-locked", locked, SUMAC_LOCATION_HOST, multiples);
    }
    if (status == SUMAC_OK) {
        status = time_both(b, "device", resident, SUMAC_LOCATION_DEVICE, multiples);
    }
    own->backend->release(resident);
    sumac_pinned_free(locked);
    return status;
}

int main(int argc, char **argv)
{
    bench_points b = {.n = 0};
    sumac_context_config config = {.size = sizeof config};
    config.backend = argc > 3 ? argv[3] : "cpu";
    const unsigned long log2 = argc > 4 ? strtoul(argv[4], NULL, 10) : 20;
    if (log2 > 30 ||
        sumac_group_find(argc > 1 ? argv[1] : "bn254", argc > 2 ? argv[2] : "g1", &b.group) != SUMAC_OK ||
        sumac_context_create(&config, &b.context, NULL) != SUMAC_OK) {
        (void)fprintf(stderr, "there is no such curve, size or GPU\n");
        return 2;
    }
    b.n = (size_t)1 << log2;
    b.bytes = b.n * b.group->point_bytes;
    b.raw = malloc(b.bytes);
    sumac_context_info info = {.size = sizeof info};
    sumac_status status = b.raw == NULL ? SUMAC_OUT_OF_MEMORY : sumac_context_describe(b.context, &info);
    if (status == SUMAC_OK) {
        printf("%s %s, 2^%lu, %s, %u threads, %s %s\n%-12s %9s %10s %10s %7s\n", b.group->curve,
               b.group->name, log2, info.backend, info.threads, info.variant, info.device_names[0],
               "points in", "multiples", "none ms", "curve ms", "ratio");
        status = make_points(&b);
    }
    for (int i = 5; status == SUMAC_OK && (i < argc || i == 5); i++) {
        status = bench(&b, i < argc ? (uint32_t)strtoul(argv[i], NULL, 10) : 1);
    }
    if (status != SUMAC_OK) {
        (void)fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(b.context));
    }
    free(b.raw);
    sumac_context_destroy(b.context);
    return status != SUMAC_OK;
}
