/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "executor/msm.h"

#include "base/clock.h"
#include "math/scalar.h"
#include "vector/vector.h"

/* ---- Failures ---- */

size_t first_large_scalar(const sumac_group *group, const uint8_t *scalars, scalar_layout layout,
                          size_t count, sumac_form form, uint32_t declared_bits)
{
    const scalar_field *field = &registered(group)->scalars;
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

sumac_status msm_fail_large_scalar(executor *self, const uint8_t *scalars, size_t count, const msm_call *call)
{
    const plan_request *request = &call->request;
    if (request->scalars_location != SUMAC_LOCATION_HOST) {
        return refuse(&self->message, SUMAC_SCALAR_TOO_LARGE, "a scalar has more than the declared %u bits",
                      call->declared_bits);
    }
    const size_t index = first_large_scalar(request->group, scalars, request->layout, count,
                                            call->scalar_form, call->declared_bits);
    return refuse(&self->message, SUMAC_SCALAR_TOO_LARGE, "scalar %zu has more than the declared %u bits",
                  (size_t)self->call.first_scalar + index, call->declared_bits);
}

/* Write the message of a failed call unless one is stored already. */
static sumac_status fail_call(executor *self, sumac_status status)
{
    const executor_call *call = &self->call;
    if (self->message.text[0] != '\0') {
        return status;
    }
    if (status == SUMAC_SCALAR_TOO_LARGE) {
        return msm_fail_large_scalar(self, call->job.scalars, call->scalar_count, &call->asked);
    }
    const char *message = executor_device_message(self);
    return refuse(&self->message, status, "%s", *message != '\0' ? message : sumac_status_text(status));
}

/* ---- Work ---- */

/* Return whether a scalar has more bits than declared. The stages check this, too. It is checked before the stages run
 * only if the results of earlier sub-batches would be written before the stages reach the scalar. A device writes
 * results only when all are complete. */
static int has_large_scalar(const executor *self)
{
    const executor_call *call = &self->call;
    return self->engine == NULL && call->plan.sub_batch < call->plan.batch && call->job.checked_bits != 0 &&
           first_large_scalar(call->job.group, call->job.scalars, call->job.layout, call->scalar_count,
                              call->job.scalar_form, call->asked.declared_bits) < call->scalar_count;
}

static sumac_status fail_for_results(executor *self, size_t bytes)
{
    return refuse(&self->message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the results",
                  bytes);
}

/* The results of MSMs with 0 bases are points at infinity. Write these; all their bytes are zero. */
static sumac_status write_infinities(executor *self)
{
    const executor_call *call = &self->call;
    const size_t bytes = call->asked.request.batch * call->job.result_bytes;
    if (call->job.result_location == SUMAC_LOCATION_HOST) {
        memset(call->results, 0, bytes);
        return SUMAC_OK;
    }
    const vector_run run = {.threads = 1, .engine = self->engine};
    return self->backend->vectors->fill(&run, call->results, NULL, bytes, 1);
}

/* Compute the planned call's results, or queue the work. A call that is cancelled before its last sub-batch is done writes
 * no result. A call that reads or writes device memory follows the default stream, because work that the caller has begun
 * may still write that memory, even a copy from pageable memory that has returned. */
static sumac_status compute(executor *self)
{
    const executor_call *call = &self->call;
    const size_t bytes = call->asked.request.batch * call->job.result_bytes;
    AUTO_FREE void *copy = NULL;
    if (call->job.result_location == SUMAC_LOCATION_DEVICE ||
        call->job.scalars_location == SUMAC_LOCATION_DEVICE) {
        TRY(self->backend->device->follow(self->engine));
    }
    if (call->asked.request.n == 0) {
        return write_infinities(self);
    }
    if (has_large_scalar(self)) {
        return SUMAC_SCALAR_TOO_LARGE;
    }
    if (self->engine == NULL && call->plan.sub_batch < call->plan.batch) {
        copy = malloc(bytes);
        if (copy == NULL) {
            return fail_for_results(self, bytes);
        }
    }
    TRY(pipeline_run(self->backend, &call->job, call->memory, copy != NULL ? copy : call->results,
                     executor_asks, self));
    if (copy != NULL) {
        memcpy(call->results, copy, bytes);
    }
    return SUMAC_OK;
}

/* ---- Plans ---- */

/* Return the kept plan of a request if the present workspace suffices for it, otherwise null. */
static const kept_plan *find_kept(const executor *self, const plan_request *request)
{
    for (size_t i = 0; i < KEPT_PLANS; i++) {
        const kept_plan *kept = &self->plans[i];
        /* Requests are zeroed, padding included, before they are filled in.
         * NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
        if (memcmp(&kept->request, request, sizeof *request) == 0 &&
            kept->plan.bytes_workspace <= self->workspace_bytes) {
            return kept;
        }
    }
    return NULL;
}

/* Keep the plan in place of the oldest one that is kept. */
static void keep_plan(executor *self, const plan_request *request)
{
    kept_plan *kept = &self->plans[self->next_plan];
    memcpy(&kept->request, request, sizeof *request);
    kept->plan = self->call.plan;
    self->next_plan = (self->next_plan + 1) % KEPT_PLANS;
}

/* If a device can't allocate the workspace of a plan, make another plan that takes at most half as much. Stop when the
 * limit reaches 0, because 0 would mean no limit. */
sumac_status msm_prepare(executor *self, const sumac_bases *bases, uint32_t shard, const msm_call *asked)
{
    executor_call *call = &self->call;
    plan_request request;
    planning_request(&request, self, bases, shard, asked, self->means.memory_limit);
    const kept_plan *kept = find_kept(self, &request);
    if (kept != NULL) {
        call->plan = kept->plan;
        call->memory = self->workspace;
        return SUMAC_OK;
    }
    TRY(planning_make_here(self, bases, shard, asked, &call->plan));
    for (;;) {
        const sumac_status status = executor_workspace(self, call->plan.bytes_workspace, &call->memory);
        if (status == SUMAC_OK) {
            keep_plan(self, &request);
        }
        if (status != SUMAC_OUT_OF_MEMORY || self->engine == NULL) {
            return status;
        }
        const uint64_t limit = call->plan.bytes_workspace / 2;
        const sumac_message message = self->message;
        if (limit == 0 || planning_make(self, bases, shard, asked, limit, &call->plan) != SUMAC_OK) {
            self->message = message;
            return status;
        }
        self->message.text[0] = '\0';
    }
}

static void describe_job(executor *self, const sumac_bases *bases, uint32_t shard, const void *scalars,
                         const msm_call *asked, msm_target results)
{
    executor_call *call = &self->call;
    const plan_request *request = &asked->request;
    const group_code *code = executor_code(self, bases->group);
    memcpy(&call->asked, asked, sizeof *asked);
    call->scalar_count = asked->offsets == NULL ? request->n * request->batch
                                                : asked->offsets[request->batch] - asked->offsets[0];
    call->results = results.memory;
    call->job = (msm_job){
        .group = bases->group,
        .code = code,
        .plan = &call->plan,
        .bases = bases->shards[shard].table,
        .scalars = scalars,
        .layout = request->layout,
        .offsets = asked->offsets,
        .scalars_location = request->scalars_location,
        .scalar_form = asked->scalar_form,
        .cut_bits = asked->cut_bits,
        .checked_bits = asked->checked_bits,
        .large_bucket_factor = asked->large_bucket_factor,
        .result_form = asked->result_form,
        .results_as_elements = results.as_elements,
        .result_bytes = results.as_elements ? code->xyzz_bytes : bases->group->point_bytes,
        .first_base = asked->first_base,
        .base_sets = request->base_sets,
        .threads = call->plan.threads,
        .pool = self->means.pool,
        .trace = self->means.trace,
        .engine = self->engine,
        .result_location = request->result_location,
        .status_later = self->queues ? &self->queued_status : NULL,
    };
}

sumac_status msm_run(executor *self, const sumac_bases *bases, uint32_t shard, const void *scalars,
                     const msm_call *asked, const msm_plan *plan, msm_target results)
{
    executor_call *call = &self->call;
    const trace_sink *trace = &self->means.trace;
    const double start = trace->report == NULL ? 0 : clock_seconds();
    if (asked->request.n != 0 && plan == NULL) {
        TRY(msm_prepare(self, bases, shard, asked));
    } else if (asked->request.n != 0) {
        call->plan = *plan;
        TRY(executor_workspace(self, plan->bytes_workspace, &call->memory));
    }
    if (trace->report != NULL && plan == NULL) {
        const sumac_trace_event event = {sizeof event, "plan", 0, 0, start, clock_seconds()};
        trace->report(trace->user, &event);
    }
    describe_job(self, bases, shard, scalars, asked, results);
    const sumac_status status = compute(self);
    if (status == SUMAC_OK) {
        return status;
    }
    if (self->engine != NULL) {
        self->backend->device->settle(self->engine);
    }
    return fail_call(self, status);
}
