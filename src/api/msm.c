/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MSMs: arguments are checked here; executor/shared_msm.h does the work. */
#include "api/msm.h"

#include <stdlib.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/msm_config.h"
#include "api/msm_lengths.h"
#include "base/sizes.h"
#include "executor/planning.h"

/* Whether a buffer lies where the configuration says. */
static sumac_status check_location(sumac_context *context, const void *memory, sumac_location said,
                                   const char *what)
{
    const executor *first = context_executor(context);
    const memory_location location = first->backend->device->location_of(first->engine, memory);
    if (location == MEMORY_OTHER_DEVICE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the %s lie on another device than the context's", what);
    }
    if (location != MEMORY_BOTH && (location == MEMORY_DEVICE) != (said == SUMAC_LOCATION_DEVICE)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the %s lie on the %s, and the configuration says %s", what,
                    location == MEMORY_DEVICE ? "device" : "host",
                    said == SUMAC_LOCATION_DEVICE ? "device" : "host");
    }
    return SUMAC_OK;
}

static sumac_status check_locations(sumac_context *context, const void *scalars, size_t n,
                                    const sumac_msm_config *config, const void *results)
{
    if (context_executor(context)->engine == NULL) {
        return SUMAC_OK;
    }
    sumac_status status = check_location(context, results, config->result_location, "results");
    if (status == SUMAC_OK && n != 0) {
        status = check_location(context, scalars, config->scalars_location, "scalars");
    }
    if (status == SUMAC_OK && config->scalars_location == SUMAC_LOCATION_DEVICE &&
        config->scalar_bytes % 8 == 0 && (uintptr_t)scalars % 8 != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "scalars on the device begin at a multiple of 8 bytes");
    }
    return status;
}

static sumac_status check_addresses(sumac_context *context, const void *scalars, size_t n,
                                    const void *results)
{
    return results == NULL || (scalars == NULL && n != 0)
               ? fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                      results == NULL ? "the results' address" : "the scalars' address")
               : SUMAC_OK;
}

sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                       const sumac_msm_config *config, void *results)
{
    sumac_msm_config own;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the bases' handle is null");
    }
    sumac_status status = check_addresses(context, scalars, n, results);
    if (status == SUMAC_OK) {
        status = public_take(&public_msm_config, config, &own, &context_executor(context)->message);
    }
    if (status == SUMAC_OK) {
        status = own.offsets != NULL ? lengths_check(context, bases, n, &own)
                                     : msm_config_check_call(context, bases, n, &own);
    }
    if (status == SUMAC_OK) {
        status = check_locations(context, scalars, n, &own, results);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    return own.offsets != NULL ? lengths_run(context, bases, scalars, &own, results)
                               : shared_msm_run(&context->executors, bases, scalars, n, &own, NULL,
                                                (msm_target){.memory = results});
}

sumac_status msm_within(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, uint64_t limit, void *results)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (limit == 0) {
        return sumac_msm(context, bases, scalars, n, config, results);
    }
    const uint64_t before = executors_limit(&context->executors, limit);
    const sumac_status status = sumac_msm(context, bases, scalars, n, config, results);
    (void)executors_limit(&context->executors, before);
    return status;
}

sumac_status sumac_msm_prepare(sumac_context *context, const sumac_bases *bases, size_t n,
                               const sumac_msm_config *config, sumac_call **call)
{
    if (call != NULL) {
        *call = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL || call == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the bases' handle is null");
    }
    sumac_call *created = malloc(sizeof *created);
    if (created == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory for a prepared call");
    }
    *created = (sumac_call){.context = context, .bases = bases, .n = n};
    sumac_status status = msm_config_take(context, bases, n, config, &created->config);
    if (status == SUMAC_OK) {
        status = shared_msm_prepare(&context->executors, bases, n, &created->config, &created->plan);
    }
    if (status != SUMAC_OK) {
        free(created);
        return status;
    }
    /* The struct and its string are the caller's: several executors find their plans again by the backend's. */
    created->tuning = planning_tuning(&created->config);
    created->tuning.plan = planning_lasting_name(context_executor(context), created->tuning.plan);
    created->config.tuning = &created->tuning;
    *call = created;
    return SUMAC_OK;
}

sumac_status sumac_call_run(sumac_call *call, const void *scalars, void *results)
{
    if (call == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    sumac_context *context = call->context;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    sumac_status status = check_addresses(context, scalars, call->n, results);
    if (status == SUMAC_OK) {
        status = bases_check_usable(context, call->bases);
    }
    if (status == SUMAC_OK) {
        status = check_locations(context, scalars, call->n, &call->config, results);
    }
    return status == SUMAC_OK ? shared_msm_run(&context->executors, call->bases, scalars, call->n,
                                               &call->config, &call->plan, (msm_target){.memory = results})
                              : status;
}

void sumac_call_destroy(sumac_call *call)
{
    free(call);
}
