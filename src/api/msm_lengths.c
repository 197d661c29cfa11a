/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/msm_lengths.h"

#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/msm_config.h"
#include "base/integers.h"
#include "executor/planning.h"

/* Below so many scalars all lengths are alike: of an MSM so short the buckets are most of the work. */
#define SHORT_MSM 64

sumac_status lengths_check(sumac_context *context, const sumac_bases *bases, size_t n,
                           const sumac_msm_config *config)
{
    sumac_msm_config alike = *config;
    alike.offsets = NULL;
    sumac_status status = msm_config_check(context, bases->curve, &alike);
    if (status == SUMAC_OK && (config->stream != NULL || config->base_sets != 0)) {
        return fail(context, config->stream != NULL ? SUMAC_NOT_SUPPORTED : SUMAC_BAD_ARGUMENT,
                    "MSMs of different lengths, as offsets say, go with no %s",
                    config->stream != NULL ? "stream" : "base_sets");
    }
    status = status == SUMAC_OK ? msm_config_check_sizes(context, bases, n, config) : status;
    return status != SUMAC_OK || config->offsets[config->batch] <= PLAN_MAX_SCALARS
               ? status
               : fail(context, SUMAC_NOT_SUPPORTED, "the MSMs have more than 2^48 scalars");
}

/* MSMs that follow one another and go together. */
typedef struct length_run {
    uint32_t first;
    uint32_t count;
    uint64_t n; /* scalars of the longest of them */
    int alike;  /* all have so many */
} length_run;

/* The run that begins with MSM `first`. */
static length_run next_run(const sumac_bases *bases, const sumac_msm_config *config, uint32_t first)
{
    const int only_alike = config->separate_bases || bases->shard_count > 1;
    const uint64_t *offsets = config->offsets + first;
    uint64_t most = offsets[1] - offsets[0], least = most;
    length_run run = {first, 1, most, 1};
    for (; run.count < config->batch - first; run.count++) {
        const uint64_t length = offsets[run.count + 1] - offsets[run.count];
        most = larger(most, length);
        least = smaller(least, length);
        const int alike = most == least;
        const int near = !only_alike && least > 0 && most <= 2 * larger(least, SHORT_MSM / 2);
        if (!alike && !near) {
            break;
        }
        run.n = most;
        run.alike = alike;
    }
    return run;
}

/* A run's MSMs, whose results go to the host. */
static sumac_status compute_run(sumac_context *context, const sumac_bases *bases, const uint8_t *scalars,
                                const sumac_msm_config *config, const length_run *run, uint8_t *results)
{
    const uint64_t begin = config->offsets[run->first], end = config->offsets[run->first + run->count];
    const uint64_t all = larger(1, config->offsets[config->batch] - config->offsets[0]);
    sumac_msm_config own = *config;
    own.batch = run->count;
    own.offsets = run->alike ? NULL : config->offsets + run->first;
    own.first += config->separate_bases ? (size_t)begin : 0;
    own.result_location = SUMAC_LOCATION_HOST;
    if (scalars != NULL) {
        scalars += begin * planning_layout(bases->curve, config).bytes;
    }
    context_progress_part(context, (double)(begin - config->offsets[0]) / (double)all,
                          (double)(end - begin) / (double)all);
    context_executor(context)->call.first_scalar = begin;
    const sumac_status status =
        shared_msm_run(&context->executors, bases, scalars, (size_t)run->n, &own, NULL,
                       (msm_target){.memory = results + (size_t)run->first * bases->curve->info.point_bytes});
    context_executor(context)->call.first_scalar = 0;
    context_progress_part(context, 0, 1);
    return status;
}

sumac_status lengths_run(sumac_context *context, const sumac_bases *bases, const void *scalars,
                         const sumac_msm_config *config, void *results)
{
    const uint32_t batch = config->batch;
    const size_t bytes = (size_t)batch * bases->curve->info.point_bytes;
    sumac_status status = SUMAC_OK;
    uint8_t *points = malloc(bytes);
    if (points == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the results", bytes);
    }
    for (uint32_t first = 0; first < batch && status == SUMAC_OK;) {
        const length_run run = next_run(bases, config, first);
        status = compute_run(context, bases, scalars, config, &run, points);
        first += run.count;
    }
    if (status == SUMAC_OK) {
        status = shared_msm_give(context_executor(context), config->result_location, points, bytes, results);
    }
    free(points);
    return status;
}
