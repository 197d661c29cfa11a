/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file measures the relative speed of a context's devices: all compute MSMs at the same time. */
#include <math.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/clock.h"
#include "codec/point_layout.h"
#include "executor/msm.h"
#include "sumac/experimental.h"

/* The fastest device has this weight. The weights of the others are rounded fractions of it. */
static const double FULL_WEIGHT = 1000;

enum { RUNS = 3 };

typedef struct measurement {
    executor_list *list;
    sumac_bases *bases; /* replicated on every device */
    const void *scalars;
    msm_call call;
    double seconds[MOST_DEVICES]; /* the time of each device's fastest run */
} measurement;

static sumac_status measure(void *arguments, uint32_t k, const _Atomic int *stop)
{
    measurement *m = arguments;
    _Alignas(8) uint8_t result[POINT_MOST_BYTES];
    m->seconds[k] = INFINITY;
    for (int run = 0; run < RUNS && atomic_load(stop) == 0; run++) {
        const double start = clock_seconds();
        TRY(msm_run(&m->list->at[k], m->bases, k, m->scalars, &m->call, NULL,
                    (msm_target){.memory = result}));
        m->seconds[k] = fmin(m->seconds[k], fmax(clock_seconds() - start, 1e-9)); /* a measured time may be
                                                                                     0 */
    }
    return SUMAC_OK;
}

/* Write weights of at least 1, however slow a device is, because contexts refuse a weight of 0. */
static void write_weights(const measurement *m, uint32_t *weights)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < m->list->count; k++) {
        least = fmin(least, m->seconds[k]);
    }
    for (uint32_t k = 0; k < m->list->count; k++) {
        weights[k] = (uint32_t)fmax(1, round(FULL_WEIGHT * (least / m->seconds[k])));
    }
}

sumac_status sumac_context_measure_weights(sumac_context *context, const sumac_group *group, size_t n,
                                           uint32_t *weights, size_t weight_count)
{
    BEGIN_CALL(context);
    if (group == NULL || weights == NULL || n == 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve and weights must not be null, nor n 0");
    }
    if (weight_count < context->executors.count) {
        return fail(context, SUMAC_BAD_LENGTH, "there is room for %zu weights, fewer than the %u devices",
                    weight_count, context->executors.count);
    }
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    const sumac_msm_config config = {.size = sizeof config, .batch = 1};
    bases_config.replicated = 1;
    TRY(sumac_known_bases_create(context, group, n, 1, &bases_config, &bases));
    size_t bytes;
    AUTO_FREE void *scalars =
        __builtin_mul_overflow(n, (size_t)group->scalar_bytes, &bytes) ? NULL : malloc(bytes);
    if (scalars == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory for %zu scalars to measure with", n);
    }
    TRY(sumac_known_logarithms(context, group, n, 2, scalars, bytes));
    measurement m = {.list = &context->executors, .bases = bases, .scalars = scalars};
    msm_call_make(&m.call, context_executor(context), group, n, &config);
    TRY(executors_run(m.list, measure, &m));
    write_weights(&m, weights);
    return SUMAC_OK;
}
