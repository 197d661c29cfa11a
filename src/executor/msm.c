/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "executor/msm.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "executor/planning.h"
#include "math/scalar.h"

size_t first_large_scalar(const sumac_curve *curve, const uint8_t *scalars, scalar_layout layout,
                          size_t count, sumac_form form, uint32_t declared_bits)
{
    const scalar_field *field = &curve->scalars;
    uint64_t k[SCALAR_MAX_LIMBS];
    size_t i = 0;
    for (; i < count; i++) {
        scalar_extend(k, scalars + i * layout.bytes, layout, field->limbs);
        const uint32_t negative = layout.is_signed ? scalar_absolute(k, field->limbs) : 0;
        scalar_reduce(k, field);
        if (form == SUMAC_FORM_MONTGOMERY) {
            scalar_from_montgomery(k, field);
        }
        if (scalar_is_large(k, field->limbs, negative, declared_bits)) {
            break;
        }
    }
    return i;
}

sumac_status msm_fail_large_scalar(executor *self, const sumac_curve *curve, const uint8_t *scalars,
                                   size_t count, const sumac_msm_config *config)
{
    return config->scalars_location != SUMAC_LOCATION_HOST
               ? refuse(&self->message, SUMAC_SCALAR_TOO_LARGE, "a scalar has more than the declared %u bits",
                        config->scalar_bits)
               : refuse(&self->message, SUMAC_SCALAR_TOO_LARGE,
                        "scalar %zu has more than the declared %u bits",
                        (size_t)self->call.first_scalar +
                            first_large_scalar(curve, scalars, planning_layout(curve, config), count,
                                               config->scalar_form, config->scalar_bits),
                        config->scalar_bits);
}

/* The sentence of a call that failed, unless there is one. */
static sumac_status fail_call(executor *self, sumac_status status, sumac_location scalars_location)
{
    const executor_call *call = &self->call;
    if (self->message.text[0] != '\0') {
        return status;
    }
    if (status == SUMAC_SCALAR_TOO_LARGE) {
        const sumac_msm_config config = {
            .scalars_location = scalars_location,
            .scalar_form = call->job.scalar_form,
            .scalar_bits = call->declared_bits,
            .scalar_bytes = call->job.layout.bytes,
            .scalar_signed = call->job.layout.is_signed,
        };
        return msm_fail_large_scalar(self, call->job.curve, call->job.scalars, call->scalar_count, &config);
    }
    const char *message = executor_device_message(self);
    return refuse(&self->message, status, "%s", *message != '\0' ? message : sumac_status_text(status));
}

/* The scalars are the caller's again, and not read for a sentence, as if they lay on the device. */
void msm_complete(executor *self)
{
    executor_call *call = &self->call;
    if (call->pending) {
        const sumac_status joined = self->backend->device->join(self->engine);
        const sumac_status status = joined != SUMAC_OK ? joined : call->status;
        call->status = status == SUMAC_OK ? status : fail_call(self, status, SUMAC_LOCATION_DEVICE);
        call->pending = 0;
    }
}

/* Whether a scalar has more bits than declared where the results of the first sub-batches would be written before
 * the stages come to it. A device's results are written when all are there. */
static int has_large_scalar(const executor *self)
{
    const executor_call *call = &self->call;
    return self->engine == NULL && call->plan.sub_batch < call->batch && call->job.checked_bits != 0 &&
           first_large_scalar(call->job.curve, call->job.scalars, call->job.layout, call->scalar_count,
                              call->job.scalar_form, call->declared_bits) < call->scalar_count;
}

/* The sums of no bases: infinity, all zeros. */
static sumac_status give_infinities(executor *self)
{
    const executor_call *call = &self->call;
    const size_t bytes = call->batch * call->job.result_bytes;
    if (call->job.result_location == SUMAC_LOCATION_HOST) {
        memset(call->results, 0, bytes);
        return SUMAC_OK;
    }
    void *zeros = calloc(1, bytes);
    if (zeros == NULL) {
        return refuse(&self->message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the results",
                      bytes);
    }
    const sumac_status status = self->backend->device->upload(self->engine, call->results, zeros, bytes);
    free(zeros);
    return status;
}

static sumac_status run_pipeline(executor *self, void *results)
{
    const executor_call *call = &self->call;
    return pipeline_run(self->backend, &call->job, call->memory, results, self->means.progress,
                        self->means.progress_user);
}

/* Nothing is written of work that is ended before the last sub-batch is done. */
static sumac_status run_to_all_results(executor *self)
{
    const executor_call *call = &self->call;
    const size_t bytes = call->batch * call->job.result_bytes;
    void *results = malloc(bytes);
    if (results == NULL) {
        return refuse(&self->message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the results",
                      bytes);
    }
    const sumac_status status = run_pipeline(self, results);
    if (status == SUMAC_OK) {
        memcpy(call->results, results, bytes);
    }
    free(results);
    return status;
}

/* The planned call's results: there, or of an asynchronous call on their way. */
static sumac_status compute(executor *self)
{
    const executor_call *call = &self->call;
    if (call->n == 0) {
        return give_infinities(self);
    }
    if (has_large_scalar(self)) {
        return SUMAC_SCALAR_TOO_LARGE;
    }
    return self->engine == NULL && self->means.progress != NULL && call->plan.sub_batch < call->batch
               ? run_to_all_results(self)
               : run_pipeline(self, call->results);
}

/* Memory of the device may still be under work that the caller has begun, as a copy from pageable memory that
 * has returned to it: such a call follows the default stream. */
static sumac_status compute_now(executor *self)
{
    const executor_call *call = &self->call;
    if (call->job.result_location == SUMAC_LOCATION_DEVICE ||
        call->job.scalars_location == SUMAC_LOCATION_DEVICE) {
        const sumac_status status = self->backend->device->follow(self->engine, NULL, NULL);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    return compute(self);
}

/* Behind what the stream holds, and before what it will hold. A call without bases has no work to queue: it
 * waits. */
static sumac_status compute_on_stream(executor *self, void *stream, void *event)
{
    const device_ops *device = self->backend->device;
    executor_call *call = &self->call;
    sumac_status status = device->follow(self->engine, stream, event);
    if (status == SUMAC_OK && call->n == 0) {
        status = device->join(self->engine);
        status = status == SUMAC_OK ? compute_now(self) : status;
    } else if (status == SUMAC_OK) {
        call->job.status_later = &call->status;
        status = compute(self);
    }
    return status == SUMAC_OK ? device->lead(self->engine, stream, event) : status;
}

/* The kept plan of such a call whose workspace is there; null: none. */
static const kept_plan *find_plan(const executor *self, const plan_request *request,
                                  const sumac_msm_config *config)
{
    for (size_t i = 0; i < KEPT_PLANS; i++) {
        const kept_plan *kept = &self->plans[i];
        if (config->c == kept->given_c && planning_is_same(request, &kept->request) &&
            kept->plan.bytes_workspace <= self->workspace_bytes) {
            return kept;
        }
    }
    return NULL;
}

/* In the place of the oldest one. */
static void keep_plan(executor *self, const plan_request *request, const sumac_msm_config *config)
{
    kept_plan *kept = &self->plans[self->next_plan];
    *kept = (kept_plan){*request, config->c, self->call.plan};
    self->call.kept = kept;
    self->next_plan = (self->next_plan + 1) % KEPT_PLANS;
}

/* A plan in self->call and the workspace for it. A device's memory may be gone when it is asked for: then
 * a plan that takes at most half of what the plan before did, as long as that is a limit: 0 would be none. */
sumac_status msm_prepare(executor *self, const sumac_bases *bases, uint32_t shard, size_t n,
                         const sumac_msm_config *config)
{
    executor_call *call = &self->call;
    const plan_request request = planning_request(self, bases, shard, n, config, self->means.memory_limit);
    const kept_plan *kept = find_plan(self, &request, config);
    if (kept != NULL) {
        if (kept != call->kept) { /* else an asynchronous call before may still read it */
            call->plan = kept->plan;
            call->kept = kept;
        }
        call->memory = self->workspace;
        return SUMAC_OK;
    }
    call->kept = NULL;
    uint64_t limit = 0;
    for (;;) {
        sumac_status status = limit == 0 ? planning_make_here(self, bases, shard, n, config, &call->plan)
                                         : planning_make(self, bases, shard, n, config, limit, &call->plan);
        if (status != SUMAC_OK) {
            return status;
        }
        status = executor_workspace(self, call->plan.bytes_workspace, &call->memory);
        if (status == SUMAC_OK) {
            keep_plan(self, &request, config);
        }
        if (status != SUMAC_OUT_OF_MEMORY || self->engine == NULL) {
            return status;
        }
        limit = call->plan.bytes_workspace / 2;
        msm_plan smaller;
        const sumac_message message = self->message;
        if (limit == 0 || planning_make(self, bases, shard, n, config, limit, &smaller) != SUMAC_OK) {
            self->message = message;
            return status;
        }
        self->message.text[0] = '\0';
    }
}

/* The planned call. */
static void describe_job(executor *self, const sumac_bases *bases, uint32_t shard, const void *scalars,
                         size_t n, const sumac_msm_config *config, msm_target results)
{
    executor_call *call = &self->call;
    const curve_code *code = executor_code(self, bases->curve);
    call->n = n;
    call->batch = config->batch;
    call->scalar_count = config->offsets == NULL ? (uint64_t)n * call->batch
                                                 : config->offsets[call->batch] - config->offsets[0];
    call->declared_bits = config->scalar_bits;
    call->results = results.memory;
    call->job = (msm_job){
        .curve = bases->curve,
        .code = code,
        .plan = &call->plan,
        .bases = bases->shards[shard].table,
        .scalars = scalars,
        .layout = planning_layout(bases->curve, config),
        .offsets = config->offsets,
        .scalars_location = config->scalars_location,
        .scalar_form = config->scalar_form,
        .cut_bits = config->cut_scalars ? config->scalar_bits : 0,
        .checked_bits = planning_checked_bits(bases->curve, config),
        .large_bucket_factor = planning_tuning(config).large_bucket_factor,
        .result_form = config->result_form,
        .results_as_elements = results.as_elements,
        .result_bytes = results.as_elements ? code->xyzz_bytes : bases->curve->info.point_bytes,
        .first_base = config->first,
        .base_sets = planning_base_sets(config),
        .threads = call->plan.threads,
        .pool = self->means.pool,
        .trace = self->means.trace,
        .engine = self->engine,
        .result_location = config->result_location,
    };
}

static sumac_status run_planned(executor *self, const sumac_msm_config *config)
{
    executor_call *call = &self->call;
    const sumac_status status =
        config->stream == NULL ? compute_now(self) : compute_on_stream(self, config->stream, config->event);
    if (status == SUMAC_OK) {
        call->pending = config->stream != NULL;
        return status;
    }
    if (self->engine != NULL) {
        self->backend->device->settle(self->engine);
    }
    call->status = SUMAC_OK;
    return fail_call(self, status, config->scalars_location);
}

/* With a plan that was made before. */
static sumac_status take_plan(executor *self, const msm_plan *plan)
{
    self->call.plan = *plan;
    self->call.kept = NULL;
    return executor_workspace(self, plan->bytes_workspace, &self->call.memory);
}

sumac_status msm_run(executor *self, const sumac_bases *bases, uint32_t shard, const void *scalars, size_t n,
                     const sumac_msm_config *config, const msm_plan *plan, msm_target results)
{
    const trace_sink *trace = &self->means.trace;
    const double start = trace->report == NULL ? 0 : clock_seconds();
    sumac_status status = SUMAC_OK;
    if (n != 0) {
        status = plan == NULL ? msm_prepare(self, bases, shard, n, config) : take_plan(self, plan);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    if (trace->report != NULL && plan == NULL) {
        const sumac_trace_event event = {sizeof event, "plan", 0, 0, start, clock_seconds()};
        trace->report(trace->user, &event);
    }
    describe_job(self, bases, shard, scalars, n, config, results);
    return run_planned(self, config);
}
