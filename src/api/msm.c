/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file checks the arguments of MSMs; executor/shared_msm.h does the work. */
#include "api/msm.h"

#include <inttypes.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "base/sizes.h"
#include "executor/msm.h"
#include "pipeline/plan_sizes.h"

/* ---- Checks ---- */

static int is_location(sumac_location location)
{
    return location == SUMAC_LOCATION_HOST || location == SUMAC_LOCATION_DEVICE;
}

static int is_form(sumac_form form)
{
    return form == SUMAC_FORM_CANONICAL || form == SUMAC_FORM_MONTGOMERY;
}

/* Find a value that is invalid on every backend; return null if there is none. */
static const char *find_fault(const sumac_group *group, const sumac_msm_config *config)
{
    const scalar_layout layout = planning_layout(group, config);
    const config_fault faults[] = {
        {config->scalar_bytes > group->scalar_bytes, "scalar_bytes is more than a scalar of the curve has"},
        {config->scalar_bits > 8 * layout.bytes - layout.is_signed, "scalar_bits is more than a scalar has"},
        {layout.is_signed && config->cut_scalars, "cut_scalars is for scalars without a sign"},
        {config->scalar_form == SUMAC_FORM_MONTGOMERY &&
             (layout.is_signed || layout.bytes != group->scalar_bytes),
         "in Montgomery form scalars have all bytes and no sign"},
        {config->offsets != NULL, "offsets are for sumac_msm() and sumac_msm_partial()"},
        {!is_form(config->scalar_form) || !is_form(config->result_form),
         "a form is neither canonical nor Montgomery"},
        {!is_location(config->scalars_location) || !is_location(config->result_location),
         "a memory location is neither host nor device"},
    };
    return first_fault(faults, sizeof faults / sizeof *faults);
}

/* Find the first field that the CPU's backend does not support; return null if there is none. */
static const char *find_host_fault(const sumac_msm_config *config, const tuning_values *by_hand)
{
    const config_fault faults[] = {
        {config->scalars_location != SUMAC_LOCATION_HOST, "scalars_location = device"},
        {config->result_location != SUMAC_LOCATION_HOST, "result_location = device"},
        {by_hand->copy_slices > 1, "copy_slices"},
    };
    return first_fault(faults, sizeof faults / sizeof *faults);
}

sumac_status msm_config_check(sumac_context *context, const sumac_group *group,
                              const sumac_msm_config *config)
{
    const backend *engine = context_executor(context)->backend;
    tuning_values by_hand;
    TRY(tuning_read(config->tuning, &by_hand, context_message(context)));
    const char *fault = find_fault(group, config);
    if (fault != NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the MSM's configuration can't be used: %s", fault);
    }
    if (by_hand.plan[0] != '\0') {
        TRY(planning_check_name(context_executor(context), by_hand.plan, context_message(context)));
    }
    if (engine->device != NULL) {
        return SUMAC_OK;
    }
    fault = find_host_fault(config, &by_hand);
    return fault == NULL ? SUMAC_OK
                         : fail(context, SUMAC_NOT_SUPPORTED, "the %s backend does not support %s",
                                engine->name, fault);
}

/* Check the offsets of a call. Find how many bases, from config->first on, the call needs. */
static sumac_status check_offsets(sumac_context *context, size_t n, const sumac_msm_config *config,
                                  uint64_t *needed)
{
    *needed = 0;
    for (uint32_t j = 0; j < config->batch; j++) {
        const uint64_t begin = config->offsets[j], end = config->offsets[j + 1];
        if (end < begin) {
            return fail(context, SUMAC_BAD_ARGUMENT, "offset %u is less than the one before it", j + 1);
        }
        if (end - begin > n) {
            return fail(context, SUMAC_BAD_LENGTH, "MSM %u has %" PRIu64 " scalars, more than %zu", j,
                        end - begin, n);
        }
        *needed = larger(*needed, end - (config->base_sets != 0 ? 0 : begin));
    }
    return SUMAC_OK;
}

/* Check that the bases suffice for a call, with or without offsets, and that the number of its scalars does not overflow. */
static sumac_status check_sizes(sumac_context *context, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *config)
{
    uint64_t scalars, needed;
    TRY(bases_check_usable(context, bases));
    if (config->offsets != NULL) {
        TRY(check_offsets(context, n, config, &needed));
    } else if (__builtin_mul_overflow(config->batch, n, &scalars) ||
               __builtin_mul_overflow(planning_base_sets(config), n, &needed)) {
        return fail(context, SUMAC_BAD_LENGTH, "%u MSMs of %zu scalars each are more than any memory holds",
                    config->batch, n);
    }
    return config->first <= bases->count && needed <= bases->count - config->first
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH,
                      "there are %" PRIu64 " bases, and the call needs %zu + %" PRIu64, bases->count,
                      config->first, needed);
}

sumac_status msm_config_check_shared(sumac_context *context, size_t n, const sumac_msm_config *config)
{
    return n <= PLAN_MAX_SCALARS / config->batch
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "%u MSMs of %zu bases each have more than 2^48 scalars",
                      config->batch, n);
}

sumac_status msm_config_check_call(sumac_context *context, const sumac_bases *bases, size_t n,
                                   const sumac_msm_config *config)
{
    TRY(msm_config_check(context, bases->group, config));
    TRY(check_sizes(context, bases, n, config));
    return bases->shard_count > 1 ? msm_config_check_shared(context, n, config) : SUMAC_OK;
}

/* Check a call with offsets, whose longest MSM has n scalars. */
static sumac_status check_lengths(sumac_context *context, const sumac_bases *bases, size_t n,
                                  const sumac_msm_config *config)
{
    sumac_msm_config without_offsets = *config;
    without_offsets.offsets = NULL;
    TRY(msm_config_check(context, bases->group, &without_offsets));
    if (config->base_sets != 0 && config->base_sets != config->batch) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "with offsets, base_sets is 0 or the number of MSMs, %u, but it is %u", config->batch,
                    config->base_sets);
    }
    TRY(check_sizes(context, bases, n, config));
    return config->offsets[config->batch] <= PLAN_MAX_SCALARS
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "the MSMs have more than 2^48 scalars");
}

/* Check that a buffer lies where the configuration says. */
static sumac_status check_location(sumac_context *context, const void *memory, uint32_t expected,
                                   const char *what)
{
    const executor *first = context_executor(context);
    const memory_location location = first->backend->device->location_of(first->engine, memory);
    if (location == MEMORY_OTHER_DEVICE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the %s lie on another device than the context's", what);
    }
    if (location != MEMORY_BOTH && (location == MEMORY_DEVICE) != (expected == SUMAC_LOCATION_DEVICE)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the %s lie on the %s, and the configuration says %s", what,
                    location == MEMORY_DEVICE ? "device" : "host",
                    expected == SUMAC_LOCATION_DEVICE ? "device" : "host");
    }
    return SUMAC_OK;
}

static sumac_status check_locations(sumac_context *context, const void *scalars, const plan_request *request,
                                    const void *results)
{
    if (context_executor(context)->engine == NULL) {
        return SUMAC_OK;
    }
    TRY(check_location(context, results, request->result_location, "results"));
    if (request->n != 0) {
        TRY(check_location(context, scalars, request->scalars_location, "scalars"));
    }
    return request->scalars_location == SUMAC_LOCATION_DEVICE && request->layout.bytes % 8 == 0 &&
                   (uintptr_t)scalars % 8 != 0
               ? fail(context, SUMAC_BAD_ARGUMENT, "scalars on the device begin at a multiple of 8 bytes")
               : SUMAC_OK;
}

static sumac_status check_addresses(sumac_context *context, const void *scalars, size_t n,
                                    const void *results)
{
    return results == NULL || (scalars == NULL && n != 0)
               ? fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                      results == NULL ? "the results' address" : "the scalars' address")
               : SUMAC_OK;
}

/* ---- MSMs of different lengths: neighbours of similar length are computed as one batch ---- */

/* Two lengths up to this are treated as similar, because MSMs that are so short spend most of their time on buckets. */
#define SHORT_MSM 64

/* A run consists of consecutive MSMs that are computed as one batch. */
typedef struct length_run {
    uint32_t first;
    uint32_t count;
    uint64_t n;      /* the number of scalars of the longest MSM */
    int same_length; /* all of them have n scalars */
} length_run;

/* Find the longest run that begins with MSM `first`. */
static length_run find_run(const sumac_bases *bases, const sumac_msm_config *config, uint32_t first)
{
    const int only_same_length = config->base_sets != 0 || bases->shard_count > 1;
    const uint64_t *offsets = config->offsets + first;
    uint64_t most = offsets[1] - offsets[0], least = most;
    length_run run = {first, 1, most, 1};
    for (; run.count < config->batch - first; run.count++) {
        const uint64_t length = offsets[run.count + 1] - offsets[run.count];
        most = larger(most, length);
        least = smaller(least, length);
        const int same_length = most == least;
        const int similar = !only_same_length && least > 0 && most <= 2 * larger(least, SHORT_MSM / 2);
        if (!same_length && !similar) {
            break;
        }
        run.n = most;
        run.same_length = same_length;
    }
    return run;
}

/* Compute a run's MSMs, whose results go to the host. */
static sumac_status compute_run(sumac_context *context, const sumac_bases *bases, const uint8_t *scalars,
                                const sumac_msm_config *config, const length_run *run, uint8_t *results)
{
    const uint64_t begin = config->offsets[run->first], end = config->offsets[run->first + run->count];
    const double all = (double)larger(1, config->offsets[config->batch] - config->offsets[0]);
    sumac_msm_config run_config = *config;
    msm_call call;
    run_config.batch = run->count;
    run_config.offsets = run->same_length ? NULL : config->offsets + run->first;
    run_config.first += config->base_sets != 0 ? (size_t)begin : 0;
    run_config.result_location = SUMAC_LOCATION_HOST;
    msm_call_make(&call, context_executor(context), bases->group, (size_t)run->n, &run_config);
    if (scalars != NULL) {
        scalars += begin * call.request.layout.bytes;
    }
    context_progress_part(context, (double)(begin - config->offsets[0]) / all, (double)(end - begin) / all);
    context_executor(context)->call.first_scalar = begin;
    const sumac_status status =
        shared_msm_run(&context->executors, bases, scalars, &call, NULL,
                       (msm_target){.memory = results + (size_t)run->first * bases->group->point_bytes});
    context_executor(context)->call.first_scalar = 0;
    context_progress_part(context, 0, 1);
    return status;
}

/* Compute MSMs of different lengths, and write their results when all are complete. */
static sumac_status compute_lengths(sumac_context *context, const sumac_bases *bases, const void *scalars,
                                    const sumac_msm_config *config, void *results)
{
    const size_t bytes = (size_t)config->batch * bases->group->point_bytes;
    AUTO_FREE uint8_t *points = malloc(bytes);
    if (points == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the results", bytes);
    }
    for (uint32_t first = 0; first < config->batch;) {
        const length_run run = find_run(bases, config, first);
        TRY(compute_run(context, bases, scalars, config, &run, points));
        first += run.count;
    }
    return shared_msm_deliver(context_executor(context), config->result_location, points, bytes, results);
}

/* ---- Calls ---- */

/* The call was checked, and has this many scalars. Check that the caller's memory is long enough for it. */
static sumac_status check_bytes(sumac_context *context, const plan_request *request, uint64_t scalars,
                                size_t scalars_bytes, size_t results_bytes)
{
    TRY(bytes_require(context, "scalars", scalars_bytes, scalars, request->layout.bytes));
    return bytes_require(context, "results", results_bytes, request->batch, request->group->point_bytes);
}

sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases, const void *scalars,
                       size_t scalars_bytes, size_t n, const sumac_msm_config *given, void *results,
                       size_t results_bytes)
{
    sumac_msm_config config;
    msm_call call;
    BEGIN_CALL(context);
    TRY(require(context, bases != NULL, "the bases"));
    TRY(check_addresses(context, scalars, n, results));
    TRY(msm_config_take(given, &config, context_message(context)));
    TRY(config.offsets != NULL ? check_lengths(context, bases, n, &config)
                               : msm_config_check_call(context, bases, n, &config));
    msm_call_make(&call, context_executor(context), bases->group, n, &config);
    TRY(check_bytes(context, &call.request,
                    config.offsets != NULL ? config.offsets[config.batch] : (uint64_t)config.batch * n,
                    scalars_bytes, results_bytes));
    TRY(check_locations(context, scalars, &call.request, results));
    if (config.offsets == NULL && config.result_location == SUMAC_LOCATION_DEVICE) {
        context_queue(context);
    }
    return config.offsets != NULL ? compute_lengths(context, bases, scalars, &config, results)
                                  : shared_msm_run(&context->executors, bases, scalars, &call, NULL,
                                                   (msm_target){.memory = results});
}

sumac_status msm_within(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, uint64_t limit, void *results)
{
    BEGIN_CALL(context);
    const uint64_t before = limit == 0 ? 0 : executors_limit(&context->executors, limit);
    const sumac_status status = sumac_msm(context, bases, scalars, SIZE_MAX, n, config, results, SIZE_MAX);
    if (limit != 0) {
        (void)executors_limit(&context->executors, before);
    }
    return status;
}

sumac_status sumac_msm_estimate(sumac_context *context, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *given, sumac_msm_needs *needs)
{
    sumac_msm_config config;
    msm_call call;
    shared_plan shared;
    BEGIN_CALL(context);
    TRY(require(context, bases != NULL && needs != NULL, "the bases and the needs"));
    TRY(public_check(&public_msm_needs, needs, context_message(context)));
    TRY(msm_config_take(given, &config, context_message(context)));
    TRY(msm_config_check_call(context, bases, n, &config));
    msm_call_make(&call, context_executor(context), bases->group, n, &config);
    TRY(shared_msm_plan(&context->executors, bases, &call, 0, &shared));
    const sumac_msm_needs predicted = {.size = sizeof predicted,
                                       .milliseconds = shared.plan.milliseconds,
                                       .workspace_bytes = shared.plan.bytes_workspace,
                                       .pinned_bytes = shared.plan.bytes_pinned};
    public_copy(&predicted, needs);
    return SUMAC_OK;
}

sumac_status sumac_msm_prepare(sumac_context *context, const sumac_bases *bases, size_t n,
                               const sumac_msm_config *given, sumac_call **call)
{
    sumac_msm_config config;
    BEGIN_MAKING(context, call);
    TRY(require(context, bases != NULL, "the bases"));
    AUTO_FREE sumac_call *created = calloc(1, sizeof *created);
    if (created == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a prepared call",
                    sizeof *created);
    }
    TRY(msm_config_take(given, &config, context_message(context)));
    TRY(msm_config_check_call(context, bases, n, &config));
    created->context = context;
    created->bases = bases;
    msm_call_make(&created->asked, context_executor(context), bases->group, n, &config);
    TRY(shared_msm_plan(&context->executors, bases, &created->asked, 1, &created->plan));
    *call = created;
    created = NULL;
    return SUMAC_OK;
}

sumac_status sumac_call_run(sumac_call *call, const void *scalars, size_t scalars_bytes, void *results,
                            size_t results_bytes)
{
    if (call == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    sumac_context *context = call->context;
    const plan_request *request = &call->asked.request;
    BEGIN_CALL(context);
    TRY(check_addresses(context, scalars, request->n, results));
    TRY(bases_check_usable(context, call->bases));
    TRY(check_bytes(context, request, request->batch * request->n, scalars_bytes, results_bytes));
    TRY(check_locations(context, scalars, request, results));
    if (request->result_location == SUMAC_LOCATION_DEVICE) {
        context_queue(context);
    }
    return shared_msm_run(&context->executors, call->bases, scalars, &call->asked, &call->plan,
                          (msm_target){.memory = results});
}

void sumac_call_destroy(sumac_call *call)
{
    free(call);
}
