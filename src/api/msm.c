/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/context.h"
#include "api/handles.h"
#include "api/msm_members.h"
#include "api/planning.h"
#include "api/sizes.h"
#include "base/clock.h"
#include "base/integers.h"

/* Whether a buffer lies where the configuration says. */
static sumac_status check_location(sumac_context *context, const void *memory, sumac_location said,
                                   const char *what)
{
    const memory_location location = context->backend->device->location_of(context->engine, memory);
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
    if (context->engine == NULL) {
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

/* Whether a scalar has more bits than declared where the results of the first sub-batches would be written before
 * the stages come to it. A device's results are written when all are there. */
static int has_large_scalar(const sumac_context *context)
{
    const msm_call *call = &context->call;
    const uint64_t count = call->scalar_count;
    return context->engine == NULL && call->plan.sub_batch < call->batch && call->job.checked_bits != 0 &&
           first_large_scalar(call->job.curve, call->job.scalars, call->job.layout, count,
                              call->job.scalar_form, call->declared_bits) < count;
}

/* The sums of no bases: infinity, all zeros. */
static sumac_status give_infinities(sumac_context *context)
{
    const msm_call *call = &context->call;
    const size_t bytes = (size_t)call->batch * call->job.curve->info.point_bytes;
    if (call->job.result_location == SUMAC_LOCATION_HOST) {
        memset(call->results, 0, bytes);
        return SUMAC_OK;
    }
    void *zeros = calloc(1, bytes);
    if (zeros == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the results", bytes);
    }
    const sumac_status status =
        context->backend->device->upload(context->engine, call->results, zeros, bytes);
    free(zeros);
    return status;
}

/* The planned call's results: there, or of an asynchronous call on their way. */
static sumac_status compute(sumac_context *context)
{
    const msm_call *call = &context->call;
    if (call->n == 0) {
        return give_infinities(context);
    }
    if (has_large_scalar(context)) {
        return SUMAC_SCALAR_TOO_LARGE;
    }
    return pipeline_run(context->backend, &call->job, call->memory, call->results, context->config.progress,
                        context->config.user);
}

/* Memory of the device may still be under work that the caller has begun, as a copy from pageable memory that
 * has returned to it: such a call follows the default stream. */
static sumac_status compute_now(sumac_context *context)
{
    const msm_call *call = &context->call;
    if (call->job.result_location == SUMAC_LOCATION_DEVICE ||
        call->job.scalars_location == SUMAC_LOCATION_DEVICE) {
        const sumac_status status = context->backend->device->follow(context->engine, NULL, NULL);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    return compute(context);
}

/* Behind what the stream holds, and before what it will hold. A call without bases has no work to queue: it
 * waits. */
static sumac_status compute_on_stream(sumac_context *context, void *stream, void *event)
{
    const device_ops *device = context->backend->device;
    msm_call *call = &context->call;
    sumac_status status = device->follow(context->engine, stream, event);
    if (status == SUMAC_OK && call->n == 0) {
        status = device->join(context->engine);
        status = status == SUMAC_OK ? compute_now(context) : status;
    } else if (status == SUMAC_OK) {
        call->job.status_later = &call->status;
        status = compute(context);
    }
    return status == SUMAC_OK ? device->lead(context->engine, stream, event) : status;
}

/* Whether the last call's plan is this one's, and its workspace there. */
static int has_plan(const sumac_context *context, const plan_request *request, const sumac_msm_config *config)
{
    const msm_call *call = &context->call;
    return config->c == call->given_c && planning_is_same(request, &call->request) &&
           call->plan.bytes_workspace <= context->workspace_bytes;
}

/* A plan in context->call and the workspace for it. A device's memory may be gone when it is asked for: then
 * a plan that takes less. */
static sumac_status prepare(sumac_context *context, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *config)
{
    msm_call *call = &context->call;
    const plan_request request = planning_request(context, bases, n, config, context->config.memory_limit);
    if (has_plan(context, &request, config)) {
        call->memory = context->workspace;
        return SUMAC_OK;
    }
    call->request.curve = NULL; /* no call's */
    uint64_t limit = 0;
    for (;;) {
        sumac_status status = limit == 0 ? planning_make_here(context, bases, n, config, &call->plan)
                                         : planning_make(context, bases, n, config, limit, &call->plan);
        if (status != SUMAC_OK) {
            return status;
        }
        status = context_workspace(context, call->plan.bytes_workspace, &call->memory);
        if (status == SUMAC_OK) {
            call->request = request;
            call->given_c = config->c;
        }
        if (status != SUMAC_OUT_OF_MEMORY || context->engine == NULL) {
            return status;
        }
        limit = call->plan.bytes_workspace / 2;
        msm_plan smaller;
        char message[SUMAC_MESSAGE_BYTES];
        memcpy(message, context->message, sizeof message);
        if (planning_make(context, bases, n, config, limit, &smaller) != SUMAC_OK) {
            return fail(context, status, "%s", message);
        }
        context->message[0] = '\0';
    }
}

/* The planned call in context->call. */
static sumac_status run(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, void *results)
{
    const trace_sink sink = {context->config.trace, context->config.user};
    msm_call *call = &context->call;
    call->n = n;
    call->batch = config->batch == 0 ? 1 : config->batch;
    call->scalar_count = config->offsets == NULL ? (uint64_t)n * call->batch
                                                 : config->offsets[call->batch] - config->offsets[0];
    call->declared_bits = config->scalar_bits;
    call->results = results;
    call->job = (msm_job){
        .curve = bases->curve,
        .code = context_code(context, bases->curve),
        .plan = &call->plan,
        .bases = *bases_only_table(bases),
        .scalars = scalars,
        .layout = planning_layout(bases->curve, config),
        .offsets = config->offsets,
        .scalars_location = config->scalars_location,
        .scalar_form = config->scalar_form,
        .cut_bits = config->cut_scalars ? config->scalar_bits : 0,
        .checked_bits = planning_checked_bits(bases->curve, config),
        .large_bucket_factor = config->large_bucket_factor,
        .result_form = config->result_form,
        .first_base = config->first,
        .base_sets = planning_base_sets(config),
        .threads = call->plan.threads,
        .pool = context->pool,
        .trace = sink,
        .engine = context->engine,
        .result_location = config->result_location,
    };
    const sumac_status status = config->stream == NULL
                                    ? compute_now(context)
                                    : compute_on_stream(context, config->stream, config->event);
    if (status == SUMAC_OK) {
        call->pending = config->stream != NULL;
        return status;
    }
    if (context->engine != NULL) {
        context->backend->device->settle(context->engine);
    }
    call->status = SUMAC_OK;
    return fail_msm(context, status);
}

static sumac_status check_addresses(sumac_context *context, const void *scalars, size_t n,
                                    const void *results)
{
    return results == NULL || (scalars == NULL && n != 0)
               ? fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                      results == NULL ? "the results' address" : "the scalars' address")
               : SUMAC_OK;
}

/* A checked call: planned and run. Its MSMs have n scalars each, or with offsets at most so many, and then
 * the first one's are where `scalars` begins. */
static sumac_status plan_and_run(sumac_context *context, const sumac_bases *bases, const void *scalars,
                                 size_t n, const sumac_msm_config *config, double start, void *results)
{
    if (bases->parts != NULL) {
        return msm_members_run(context, bases, scalars, n, config, results);
    }
    const sumac_status status = n != 0 ? prepare(context, bases, n, config) : SUMAC_OK;
    if (status != SUMAC_OK) {
        return status;
    }
    if (context->config.trace != NULL) {
        const sumac_trace_event event = {sizeof event, "plan", 0, 0, start, clock_seconds()};
        context->config.trace(context->config.user, &event);
    }
    return run(context, bases, scalars, n, config, results);
}

/* The MSMs of a run of them, whose results go to the host. */
static sumac_status compute_run(sumac_context *context, const sumac_bases *bases, const uint8_t *scalars,
                                const sumac_msm_config *config, const msm_run *together, uint8_t *results)
{
    const uint64_t begin = config->offsets[together->first];
    sumac_msm_config own = *config;
    own.batch = together->count;
    own.offsets = together->alike ? NULL : config->offsets + together->first;
    own.first += config->separate_bases ? (size_t)begin : 0;
    own.result_location = SUMAC_LOCATION_HOST;
    if (scalars != NULL) {
        scalars += begin * planning_layout(bases->curve, config).bytes;
    }
    const double all =
        (double)larger(1, config->offsets[config->batch == 0 ? 1 : config->batch] - config->offsets[0]);
    msm_call *call = &context->call;
    call->first_scalar = begin;
    call->done_before = (double)(begin - config->offsets[0]) / all;
    call->done_elsewhere = 1 - (double)(config->offsets[together->first + together->count] - begin) / all;
    const sumac_status status =
        plan_and_run(context, bases, scalars, (size_t)together->n, &own, clock_seconds(),
                     results + (size_t)together->first * bases->curve->info.point_bytes);
    call->first_scalar = 0;
    call->done_before = call->done_elsewhere = 0;
    return status;
}

static sumac_status give_results(sumac_context *context, const sumac_msm_config *config, void *results,
                                 const uint8_t *points, size_t bytes)
{
    if (config->result_location == SUMAC_LOCATION_HOST) {
        memcpy(results, points, bytes);
        return SUMAC_OK;
    }
    const device_ops *device = context->backend->device;
    device->enter(context->engine);
    sumac_status status = device->follow(context->engine, NULL, NULL);
    if (status == SUMAC_OK) {
        status = device->upload(context->engine, results, points, bytes);
    }
    return status == SUMAC_OK ? status : fail(context, status, "%s", device->message(context->engine));
}

/* MSMs of different lengths, run after run; results when all are there. */
static sumac_status compute_lengths(sumac_context *context, const sumac_bases *bases, const void *scalars,
                                    const sumac_msm_config *config, void *results)
{
    const uint32_t batch = config->batch == 0 ? 1 : config->batch;
    const size_t bytes = (size_t)batch * bases->curve->info.point_bytes;
    sumac_status status = SUMAC_OK;
    uint8_t *points = malloc(bytes);
    if (points == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the results", bytes);
    }
    for (uint32_t first = 0; first < batch && status == SUMAC_OK;) {
        const msm_run together = planning_next_run(bases, config, first);
        status = compute_run(context, bases, scalars, config, &together, points);
        first += together.count;
    }
    if (status == SUMAC_OK) {
        status = give_results(context, config, results, points, bytes);
    }
    free(points);
    return status;
}

sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                       const sumac_msm_config *config, void *results)
{
    sumac_msm_config own;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    const double start = clock_seconds();
    if (bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the bases' handle is null");
    }
    sumac_status status = check_addresses(context, scalars, n, results);
    if (status == SUMAC_OK) {
        status = public_take(&public_msm_config, config, &own, context->message);
    }
    if (status == SUMAC_OK) {
        status = own.offsets != NULL ? planning_take_lengths(context, bases, n, &own)
                                     : planning_take_config(context, bases, n, config, &own);
    }
    if (status == SUMAC_OK) {
        status = check_locations(context, scalars, n, &own, results);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    return own.offsets != NULL ? compute_lengths(context, bases, scalars, &own, results)
                               : plan_and_run(context, bases, scalars, n, &own, start, results);
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
    *created = (sumac_call){.context = context, .bases = bases, .n = n, .devices = 1, .device_calls = 1};
    sumac_status status = planning_take_config(context, bases, n, config, &created->config);
    if (status == SUMAC_OK && bases->parts != NULL) {
        status = msm_members_plan(context, bases, n, &created->config, &created->plan, &created->devices,
                                  &created->device_calls);
        status = status == SUMAC_OK ? msm_members_prepare(context, bases, n, &created->config) : status;
    } else if (status == SUMAC_OK && n != 0) {
        status = prepare(context, bases, n, &created->config);
        created->plan = context->call.plan;
    } else if (status == SUMAC_OK) { /* only to be shown */
        status = planning_make_here(context, bases, n, &created->config, &created->plan);
    }
    if (status != SUMAC_OK) {
        free(created);
        return status;
    }
    /* The caller's string: members find the plan again by the table's. */
    created->config.plan = bases->parts == NULL ? NULL : planning_lasting_name(context, created->config.plan);
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
    if (status == SUMAC_OK && call->bases->parts != NULL) {
        return msm_members_run(context, call->bases, scalars, call->n, &call->config, results);
    }
    if (status == SUMAC_OK && call->n != 0) {
        context->call.request.curve = NULL; /* what is there is not the last sumac_msm()'s plan any more */
        context->call.plan = call->plan;
        status = context_workspace(context, call->plan.bytes_workspace, &context->call.memory);
    }
    return status == SUMAC_OK ? run(context, call->bases, scalars, call->n, &call->config, results) : status;
}

void sumac_call_destroy(sumac_call *call)
{
    free(call);
}
