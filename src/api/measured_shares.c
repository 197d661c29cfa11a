/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How fast the devices of a context are beside each other: all of them compute MSMs at the same time. */
#include <math.h>
#include <stdlib.h>

#include "api/call.h"
#include "api/context.h"
#include "base/clock.h"

/* The fastest one's share; the others are rounded to it. */
static const double FULL_SHARE = 1000;

enum { RUNS = 3 };

/* A member's MSM. */
typedef struct sample {
    sumac_bases *bases;
    void *scalars;
    void *result;
    double seconds; /* of the fastest run */
} sample;

typedef struct measurement {
    const sumac_curve *curve;
    const sumac_curve_info *info;
    size_t n;
    sample samples[SUMAC_MAX_DEVICES];
} measurement;

static sumac_status sample_make(void *argument, sumac_context *member, uint32_t index)
{
    measurement *m = argument;
    sample *made = &m->samples[index];
    size_t bytes;
    const sumac_status status = sumac_known_bases_create(member, m->curve, m->n, 1, NULL, &made->bases);
    if (status != SUMAC_OK) {
        return status;
    }
    made->scalars =
        __builtin_mul_overflow(m->n, (size_t)m->info->scalar_bytes, &bytes) ? NULL : malloc(bytes);
    made->result = malloc(m->info->point_bytes);
    if (made->scalars == NULL || made->result == NULL) {
        return fail(member, SUMAC_OUT_OF_MEMORY, "there is no memory for %zu scalars to measure with", m->n);
    }
    return sumac_known_logarithms(member, m->curve, m->n, 2, made->scalars);
}

static sumac_status sample_run(void *argument, sumac_context *member, uint32_t index)
{
    measurement *m = argument;
    sample *made = &m->samples[index];
    sumac_status status = SUMAC_OK;
    made->seconds = INFINITY;
    for (int run = 0; run < RUNS && status == SUMAC_OK; run++) {
        const double start = clock_seconds();
        status = sumac_msm(member, made->bases, made->scalars, m->n, NULL, made->result);
        made->seconds = fmin(made->seconds, fmax(clock_seconds() - start, 1e-9)); /* the clock may stand */
    }
    return status;
}

/* None is 0, however slow it is: such a share is no device's. */
static void write_shares(const measurement *m, uint32_t count, uint32_t *shares)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < count; k++) {
        least = fmin(least, m->samples[k].seconds);
    }
    for (uint32_t k = 0; k < count; k++) {
        shares[k] = (uint32_t)fmax(1, round(FULL_SHARE * (least / m->samples[k].seconds)));
    }
}

sumac_status sumac_context_measure_weights(sumac_context *context, const sumac_curve *curve, size_t n,
                                           uint32_t *shares)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || shares == NULL || n == 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve and shares must not be null, nor n 0");
    }
    measurement m = {.curve = curve, .info = sumac_curve_describe(curve), .n = n};
    sumac_status status = sumac_context_run_members(context, sample_make, &m);
    if (status == SUMAC_OK) {
        status = sumac_context_run_members(context, sample_run, &m);
    }
    const uint32_t count = sumac_context_device_count(context);
    if (status == SUMAC_OK) {
        write_shares(&m, count, shares);
    }
    for (uint32_t k = 0; k < count; k++) {
        sumac_bases_destroy(m.samples[k].bases);
        free(m.samples[k].scalars);
        free(m.samples[k].result);
    }
    return status;
}
