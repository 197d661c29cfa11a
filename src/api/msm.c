/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "api/bases.h"
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/context.h"
#include "api/handles.h"
#include "api/plan.h"
#include "api/sizes.h"
#include "pipeline/clock.h"
#include "pipeline/portions.h"

static int is_place(sumac_place place)
{
    return place == SUMAC_PLACE_HOST || place == SUMAC_PLACE_DEVICE;
}

static int is_form(sumac_form form)
{
    return form == SUMAC_FORM_CANONICAL || form == SUMAC_FORM_MONTGOMERY;
}

/* Values that mean nothing on any backend; null when there are none. */
static const char *config_fault(const sumac_curve *curve, const sumac_msm_config *config)
{
    if (config->c > PLAN_MAX_C) {
        return "c is more than 24";
    }
    if (config->scalar_bits > 8 * curve->info.scalar_bytes) {
        return "scalar_bits is more than a scalar has";
    }
    if (!is_form(config->scalar_form) || !is_form(config->result_form)) {
        return "a form is neither canonical nor Montgomery";
    }
    if ((unsigned)config->reduction > SUMAC_REDUCTION_HALVING) {
        return "reduction is none of auto, running sum and halving";
    }
    if (!is_place(config->scalars_place) || !is_place(config->result_place)) {
        return "a place is neither host nor device";
    }
    if (config->portions > PORTIONS_MAX) {
        return "portions is more than 4";
    }
    return NULL;
}

/* The first field that this backend can't honour, or null. */
static const char *unsupported_field(const sumac_context *context, const sumac_msm_config *config)
{
    if (context->backend->device != NULL) {
        return NULL;
    }
    if (config->scalars_place != SUMAC_PLACE_HOST) {
        return "scalars_place = device";
    }
    if (config->result_place != SUMAC_PLACE_HOST) {
        return "result_place = device";
    }
    if (config->portions > 1) {
        return "portions";
    }
    if (config->stream != NULL) {
        return "stream";
    }
    return config->event != NULL ? "event" : NULL;
}

static sumac_status check_config(sumac_context *context, const sumac_curve *curve,
                                 const sumac_msm_config *config)
{
    const char *fault = config_fault(curve, config);
    if (fault != NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the MSM's configuration can't be used: %s", fault);
    }
    if (context->engine != NULL && config->event != NULL && config->stream == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "an event needs the stream on which it is recorded");
    }
    fault = unsupported_field(context, config);
    if (fault != NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend does not support %s",
                    context->backend->name, fault);
    }
    return SUMAC_OK;
}

/* The most bytes of workspace that a call may use: what the context was told, and what its device has for a
 * workspace, with the one that there is. 0: no limit, as for the host's memory. */
static uint64_t workspace_limit(const sumac_context *context)
{
    const uint64_t told = context->config.memory_limit;
    if (context->engine == NULL) {
        return told;
    }
    const uint64_t there = context->backend->device->memory_free(context->engine) + context->workspace_bytes;
    return told != 0 && told < there ? told : there;
}

/* What the plan depends on, for bases that exist or (shape) that are only thought of. */
static plan_request request_of(const sumac_context *context, const sumac_bases *shape, size_t n,
                               const sumac_msm_config *config, uint64_t limit)
{
    const bases_table *table = bases_only_table(shape);
    const int multiples = table->factor > 1;
    const plan_request request = {
        .curve = shape->curve,
        .code = context_code(context, shape->curve),
        .backend = context->backend,
        .n = n,
        .bases_count = table->count,
        .batch = config->batch == 0 ? 1 : config->batch,
        .c = multiples ? shape->c : config->c,
        .scalar_bits = config->scalar_bits,
        .images = table->images,
        .precompute_factor = table->all_digits ? 1 : table->factor,
        .all_digits = table->all_digits,
        .windows = multiples ? shape->windows : 0,
        .chunks = config->chunks,
        .portions = config->portions,
        .scalars_place = config->scalars_place,
        .bases_visit = table->visits,
        .separate_bases = config->separate_bases,
        .threads = context->threads,
        .outside_subgroup = shape->outside_subgroup,
        .reduction = config->reduction,
        .plan_name = config->plan,
        .memory_limit = limit,
        .limit_is_given = context->config.memory_limit != 0,
    };
    return request;
}

/* Whether two requests are for the same plan. */
static int is_same_request(const plan_request *a, const plan_request *b)
{
    return a->curve == b->curve && a->code == b->code && a->backend == b->backend && a->n == b->n &&
           a->bases_count == b->bases_count && a->batch == b->batch && a->c == b->c &&
           a->scalar_bits == b->scalar_bits && a->images == b->images &&
           a->precompute_factor == b->precompute_factor && a->all_digits == b->all_digits &&
           a->windows == b->windows && a->chunks == b->chunks && a->portions == b->portions &&
           a->scalars_place == b->scalars_place && a->bases_visit == b->bases_visit &&
           a->separate_bases == b->separate_bases && a->threads == b->threads &&
           a->outside_subgroup == b->outside_subgroup && a->reduction == b->reduction &&
           a->plan_name == b->plan_name && a->memory_limit == b->memory_limit;
}

/* Bytes of one window's buckets that multiples may always ask for, on the host and on a device. What the
 * stages keep beside them makes it four times as much workspace: 64 and 512 MiB. */
#define FIXED_BUCKETS_HOST ((uint64_t)16 << 20)
#define FIXED_BUCKETS_DEVICE ((uint64_t)128 << 20)

/* Whether a call should leave the multiples of its bases alone and take the bases themselves, the table's
 * first block, with a window of its own. Multiples fix the window, and with it the buckets; a table file says
 * what it likes. Where a window has more buckets than the call has points for it, and they take more memory
 * than any call may, the reduction would be most of the work, too. A caller who gives that window means it.
 */
static int leaves_multiples(const plan_request *request, const sumac_msm_config *config)
{
    const uint64_t buckets = ((uint64_t)1 << request->c) / 2;
    const uint64_t bytes = buckets * request->code->affine_bytes;
    return request->precompute_factor > 1 && config->c == 0 &&
           buckets / request->precompute_factor > request->n &&
           bytes > (request->backend->device != NULL ? FIXED_BUCKETS_DEVICE : FIXED_BUCKETS_HOST);
}

static sumac_status make_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, uint64_t limit, msm_plan *plan)
{
    plan_request request = request_of(context, shape, n, config, limit);
    uint64_t missing = 0;
    if (bases_only_table(shape)->factor > 1) {
        if (config->c != 0 && config->c != shape->c) {
            return fail(context, SUMAC_BAD_ARGUMENT, "c is %u, but the bases' multiples are made for c = %u",
                        config->c, shape->c);
        }
        if (plan_windows(&request, shape->c) > shape->windows) {
            return fail(context, SUMAC_BAD_ARGUMENT,
                        "the bases' multiples are made for scalars of fewer bits");
        }
    }
    const int leaves = leaves_multiples(&request, config);
    if (leaves) {
        request.precompute_factor = 1;
        request.c = request.windows = 0;
    }
    const sumac_status status = plan_make(&request, plan, &missing);
    if (leaves && status == SUMAC_OK) { /* the multiples are there all the same */
        const uint64_t others = plan->bytes_bases * (bases_only_table(shape)->factor - 1);
        plan->bytes_bases += others;
        plan->bytes_total += others;
    }
    switch (status) {
    case SUMAC_UNKNOWN_PLAN:
        return fail(context, status, "there is no plan of the name %s", config->plan);
    case SUMAC_MEMORY_LIMIT:
        return fail(context, status, "the memory limit of %llu bytes of workspace is %llu bytes too small",
                    (unsigned long long)request.memory_limit, (unsigned long long)missing);
    case SUMAC_NOT_SUPPORTED:
        return n > PLAN_MAX_SCALARS / request.batch
                   ? fail(context, status, "%u MSMs of %zu bases each have more than 2^48 scalars",
                          request.batch, n)
               : config->plan != NULL
                   ? fail(context, status, "the plan %s can't be had for this call", config->plan)
                   : fail(context, status, "the call has more bases or multiples than can be numbered");
    default:
        return status;
    }
}

static sumac_status check_sizes(sumac_context *context, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *config)
{
    const uint64_t count = sumac_bases_count(bases);
    const sumac_status status = bases_check_usable(context, bases);
    if (status != SUMAC_OK) {
        return status;
    }
    const uint64_t sets = config->separate_bases && config->batch > 1 ? config->batch : 1;
    if (config->first > count || n > (count - config->first) / sets) {
        return fail(context, SUMAC_BAD_LENGTH,
                    "there are %llu bases, fewer than the call needs: %zu + %llu*%zu",
                    (unsigned long long)count, config->first, (unsigned long long)sets, n);
    }
    return SUMAC_OK;
}

/* Whether a buffer lies where the configuration says. */
static sumac_status check_place(sumac_context *context, const void *memory, sumac_place said,
                                const char *what)
{
    const memory_place place = context->backend->device->place_of(context->engine, memory);
    if (place == MEMORY_OTHER_DEVICE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the %s lie on another device than the context's", what);
    }
    if (place != MEMORY_BOTH && (place == MEMORY_DEVICE) != (said == SUMAC_PLACE_DEVICE)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the %s lie on the %s, and the configuration says %s", what,
                    place == MEMORY_DEVICE ? "device" : "host",
                    said == SUMAC_PLACE_DEVICE ? "device" : "host");
    }
    return SUMAC_OK;
}

static sumac_status check_places(sumac_context *context, const void *scalars, size_t n,
                                 const sumac_msm_config *config, const void *results)
{
    if (context->engine == NULL) {
        return SUMAC_OK;
    }
    sumac_status status = check_place(context, results, config->result_place, "results");
    if (status == SUMAC_OK && n != 0) {
        status = check_place(context, scalars, config->scalars_place, "scalars");
    }
    if (status == SUMAC_OK && config->scalars_place == SUMAC_PLACE_DEVICE && (uintptr_t)scalars % 8 != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "scalars on the device begin at a multiple of 8 bytes");
    }
    return status;
}

/* Whether a scalar has more bits than declared where the results of the first lots would be written before
 * the stages come to it. A device's results are written when all are there. */
static int has_large_scalar(const sumac_context *context)
{
    const msm_call *call = &context->call;
    const uint64_t count = (uint64_t)call->n * call->batch;
    return context->engine == NULL && call->plan.lot < call->batch && call->job.cut_bits == 0 &&
           call->plan.scalar_bits < call->job.curve->scalars.bits &&
           first_large_scalar(call->job.curve, call->job.scalars, count, call->job.scalar_form,
                              call->declared_bits) < count;
}

/* The sums of no bases: infinity, all zeros. */
static sumac_status give_infinities(sumac_context *context)
{
    const msm_call *call = &context->call;
    const size_t bytes = (size_t)call->batch * call->job.curve->info.point_bytes;
    if (call->result_place == SUMAC_PLACE_HOST) {
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
    if (call->result_place == SUMAC_PLACE_DEVICE || call->job.scalars_place == SUMAC_PLACE_DEVICE) {
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

/* Whether the last call's plan is this one's, and its workspace there. A name that a user gave and a window
 * beside that of the bases are looked at each time. */
static int has_plan(const sumac_context *context, const plan_request *request, const sumac_msm_config *config)
{
    const msm_call *call = &context->call;
    return config->plan == NULL && config->c == 0 && is_same_request(request, &call->request) &&
           call->plan.bytes_workspace <= context->workspace_bytes;
}

/* A plan in context->call and the workspace for it. A device's memory may be gone when it is asked for: then
 * a plan that takes less. */
static sumac_status prepare(sumac_context *context, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *config)
{
    msm_call *call = &context->call;
    const plan_request request = request_of(context, bases, n, config, context->config.memory_limit);
    if (has_plan(context, &request, config)) {
        call->memory = context->workspace;
        return SUMAC_OK;
    }
    call->request.curve = NULL; /* no call's */
    uint64_t limit = workspace_limit(context);
    for (;;) {
        sumac_status status = make_plan(context, bases, n, config, limit, &call->plan);
        if (status != SUMAC_OK) {
            return status;
        }
        status = context_workspace(context, call->plan.bytes_workspace, &call->memory);
        if (status == SUMAC_OK) {
            call->request = request;
        }
        if (status != SUMAC_OUT_OF_MEMORY || context->engine == NULL) {
            return status;
        }
        limit = call->plan.bytes_workspace / 2;
        msm_plan smaller;
        char message[SUMAC_MESSAGE_BYTES];
        memcpy(message, context->message, sizeof message);
        if (make_plan(context, bases, n, config, limit, &smaller) != SUMAC_OK) {
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
    call->declared_bits = config->scalar_bits;
    call->results = results;
    call->result_place = config->result_place;
    call->job = (msm_job){
        .curve = bases->curve,
        .code = context_code(context, bases->curve),
        .plan = &call->plan,
        .bases = *bases_only_table(bases),
        .scalars = scalars,
        .scalars_place = config->scalars_place,
        .scalar_form = config->scalar_form,
        .cut_bits = config->cut_scalars ? config->scalar_bits : 0,
        .large_bucket_factor = config->large_bucket_factor,
        .result_form = config->result_form,
        .first_base = config->first,
        .separate_bases = config->separate_bases,
        .threads = call->plan.threads,
        .pool = context->pool,
        .trace = sink,
        .engine = context->engine,
        .result_place = config->result_place,
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

/* What neither scalars nor results are needed for. */
static sumac_status take_config(sumac_context *context, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *config, sumac_msm_config *own)
{
    sumac_status status = public_take(&public_msm_config, config, own, context->message);
    if (status == SUMAC_OK) {
        status = check_config(context, bases->curve, own);
    }
    return status == SUMAC_OK ? check_sizes(context, bases, n, own) : status;
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
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    const double start = clock_seconds();
    if (bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the bases' handle is null");
    }
    sumac_status status = check_addresses(context, scalars, n, results);
    if (status == SUMAC_OK) {
        status = take_config(context, bases, n, config, &own);
    }
    if (status == SUMAC_OK) {
        status = check_places(context, scalars, n, &own, results);
    }
    if (status == SUMAC_OK && n != 0) {
        status = prepare(context, bases, n, &own);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    if (context->config.trace != NULL) {
        const sumac_trace_event event = {sizeof event, "plan", 0, 0, start, clock_seconds()};
        context->config.trace(context->config.user, &event);
    }
    return run(context, bases, scalars, n, &own, results);
}

sumac_status sumac_msm_prepare(sumac_context *context, const sumac_bases *bases, size_t n,
                               const sumac_msm_config *config, sumac_call **call)
{
    if (call != NULL) {
        *call = NULL;
    }
    if (context == NULL || call == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the bases' handle is null");
    }
    sumac_call *created = malloc(sizeof *created);
    if (created == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory for a prepared call");
    }
    *created = (sumac_call){.context = context, .bases = bases, .n = n};
    sumac_status status = take_config(context, bases, n, config, &created->config);
    if (status == SUMAC_OK && n != 0) {
        status = prepare(context, bases, n, &created->config);
        created->plan = context->call.plan;
    } else if (status == SUMAC_OK) { /* only to be shown */
        status = make_plan(context, bases, n, &created->config, workspace_limit(context), &created->plan);
    }
    if (status != SUMAC_OK) {
        free(created);
        return status;
    }
    created->config.plan = NULL; /* the caller's string; it has done its work */
    *call = created;
    return SUMAC_OK;
}

sumac_status sumac_call_run(sumac_call *call, const void *scalars, void *results)
{
    if (call == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    sumac_context *context = call->context;
    context_begin(context);
    sumac_status status = check_addresses(context, scalars, call->n, results);
    if (status == SUMAC_OK) {
        status = bases_check_usable(context, call->bases);
    }
    if (status == SUMAC_OK) {
        status = check_places(context, scalars, call->n, &call->config, results);
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

/* The plan for the caller. */
static sumac_status give_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, sumac_plan *plan)
{
    msm_plan made;
    const sumac_status status = make_plan(context, shape, n, config, workspace_limit(context), &made);
    if (status == SUMAC_OK) {
        plan_for_caller(&made, plan);
    }
    return status;
}

sumac_status sumac_plan_query(sumac_context *context, const sumac_curve *curve, size_t n,
                              const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                              sumac_plan *plan)
{
    sumac_msm_config msm;
    sumac_bases_config bases;
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (curve == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    curve == NULL ? "the curve" : "the plan's address");
    }
    sumac_status status = public_take(&public_msm_config, msm_config, &msm, context->message);
    if (status == SUMAC_OK) {
        status = public_take(&public_bases_config, bases_config, &bases, context->message);
    }
    if (status == SUMAC_OK) {
        status = public_check(&public_plan, plan, context->message);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    const uint64_t sets = msm.separate_bases && msm.batch > 1 ? msm.batch : 1;
    uint64_t needed;
    if (__builtin_mul_overflow(sets, n, &needed) || __builtin_add_overflow(needed, msm.first, &needed) ||
        needed > (uint64_t)1 << 31) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the call needs more than 2^31 bases: %zu + %llu*%zu",
                    msm.first, (unsigned long long)sets, n);
    }
    sumac_bases shape;
    status = check_config(context, curve, &msm);
    if (status == SUMAC_OK) {
        status = bases_shape(context, curve, (size_t)needed, &bases, &shape);
    }
    return status == SUMAC_OK ? give_plan(context, &shape, n, &msm, plan) : status;
}

sumac_status sumac_call_plan(const sumac_call *call, sumac_plan *plan)
{
    if (call == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (plan == NULL) {
        return fail(call->context, SUMAC_BAD_ARGUMENT, "the plan's address is null");
    }
    const sumac_status status = public_check(&public_plan, plan, call->context->message);
    if (status == SUMAC_OK) {
        plan_for_caller(&call->plan, plan);
    }
    return status;
}

sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *config, sumac_plan *plan)
{
    sumac_msm_config own;
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (bases == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    bases == NULL ? "the bases' handle" : "the plan's address");
    }
    sumac_status status = public_take(&public_msm_config, config, &own, context->message);
    if (status == SUMAC_OK) {
        status = public_check(&public_plan, plan, context->message);
    }
    if (status == SUMAC_OK) {
        status = check_config(context, bases->curve, &own);
    }
    if (status == SUMAC_OK) {
        status = check_sizes(context, bases, n, &own);
    }
    return status == SUMAC_OK ? give_plan(context, bases, n, &own, plan) : status;
}
