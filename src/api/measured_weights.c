/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How fast the devices of a context are beside each other: all of them compute MSMs at the same time. */
#include <math.h>
#include <stdlib.h>

#include "api/call.h"
#include "api/handles.h"
#include "base/clock.h"
#include "codec/point_layout.h"
#include "executor/msm.h"

/* The fastest one's weight; the others are rounded to it. */
static const double FULL_WEIGHT = 1000;

enum { RUNS = 3 };

typedef struct measurement {
    executor_list *list;
    sumac_bases *bases; /* with every device */
    void *scalars;
    size_t n;
    double seconds[SUMAC_MAX_DEVICES]; /* of the fastest run */
} measurement;

static sumac_status measure(void *arguments, uint32_t k, const _Atomic int *stop)
{
    measurement *m = arguments;
    const sumac_msm_config config = sumac_msm_config_default();
    _Alignas(8) uint8_t result[POINT_MOST_BYTES];
    sumac_status status = SUMAC_OK;
    m->seconds[k] = INFINITY;
    for (int run = 0; run < RUNS && status == SUMAC_OK && atomic_load(stop) == 0; run++) {
        const double start = clock_seconds();
        status = msm_run(&m->list->at[k], m->bases, k, m->scalars, m->n, &config, NULL,
                         (msm_target){.memory = result});
        m->seconds[k] = fmin(m->seconds[k], fmax(clock_seconds() - start, 1e-9)); /* the clock may stand */
    }
    return status;
}

/* None is 0, however slow it is: such a weight is no device's. */
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

sumac_status sumac_context_measure_weights(sumac_context *context, const sumac_curve *curve, size_t n,
                                           uint32_t *weights)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || weights == NULL || n == 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve and weights must not be null, nor n 0");
    }
    measurement m = {.list = &context->executors, .n = n};
    sumac_bases_config config = sumac_bases_config_default();
    config.replicated = 1;
    size_t bytes;
    sumac_status status = sumac_known_bases_create(context, curve, n, 1, &config, &m.bases);
    if (status == SUMAC_OK) {
        m.scalars =
            __builtin_mul_overflow(n, (size_t)curve->info.scalar_bytes, &bytes) ? NULL : malloc(bytes);
        status = m.scalars == NULL ? fail(context, SUMAC_OUT_OF_MEMORY,
                                          "there is no memory for %zu scalars to measure with", n)
                                   : sumac_known_logarithms(context, curve, n, 2, m.scalars);
    }
    if (status == SUMAC_OK) {
        status = executors_run(m.list, measure, &m);
    }
    if (status == SUMAC_OK) {
        write_weights(&m, weights);
    }
    sumac_bases_destroy(m.bases);
    free(m.scalars);
    return status;
}
