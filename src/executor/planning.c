/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "executor/msm.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "base/memory_left.h"
#include "base/printable.h"
#include "pipeline/plan_sizes.h"

/* ---- Requests ---- */

scalar_layout planning_layout(const sumac_group *group, const sumac_msm_config *config)
{
    const uint32_t bytes = config->scalar_bytes == 0 ? group->scalar_bytes : config->scalar_bytes;
    return (scalar_layout){bytes, config->scalar_signed};
}

uint64_t planning_base_sets(const sumac_msm_config *config)
{
    return larger(1, smaller(config->base_sets, config->batch));
}

void msm_call_make(msm_call *call, const executor *self, const sumac_group *group, size_t n,
                   const sumac_msm_config *config)
{
    tuning_values by_hand;
    sumac_message unread; /* the caller has checked the text */
    (void)tuning_read(config->tuning, &by_hand, &unread);
    const scalar_layout layout = planning_layout(group, config);
    const uint32_t stored_bits = 8 * layout.bytes - layout.is_signed; /* the most bits of a magnitude */
    const int is_full = layout.bytes == group->scalar_bytes && !layout.is_signed;
    const int is_always_less =
        config->scalar_bits >= registered(group)->scalars.bits || config->scalar_bits == stored_bits;
    memset(call, 0, sizeof *call);
    plan_request *request = &call->request;
    request->group = group;
    request->n = n;
    request->batch = config->batch;
    request->c = request->given_c = by_hand.c;
    request->scalar_bits = config->scalar_bits != 0 || is_full ? config->scalar_bits : stored_bits;
    request->layout = layout;
    request->has_lengths = config->offsets != NULL;
    request->chunks = by_hand.chunks;
    request->copy_slices = by_hand.copy_slices;
    request->scalars_location = config->scalars_location;
    request->result_location = config->result_location;
    request->base_sets = planning_base_sets(config);
    request->reduction = by_hand.reduction;
    /* The name "auto" makes the same request as no name. The request gets the backend's text of the name, because that
     * outlives the caller's text. */
    if (by_hand.plan[0] != '\0' && strcmp(by_hand.plan, "auto") != 0) {
        request->plan_name = plan_find(self->backend, by_hand.plan)->name;
    }
    call->first_base = config->first;
    call->offsets = config->offsets;
    call->declared_bits = config->scalar_bits;
    call->cut_bits = config->cut_scalars ? config->scalar_bits : 0;
    call->checked_bits = is_always_less || config->cut_scalars ? 0 : config->scalar_bits;
    call->large_bucket_factor = by_hand.large_bucket_factor;
    call->scalar_form = config->scalar_form;
    call->result_form = config->result_form;
}

uint64_t planning_limit(const executor *self)
{
    const uint64_t given = self->means.memory_limit;
    if (self->engine == NULL) {
        return given;
    }
    const uint64_t left = self->backend->device->memory_free(self->engine) + self->workspace_bytes;
    return given != 0 && given < left ? given : left;
}

void planning_request(plan_request *request, const executor *self, const sumac_bases *shape, uint32_t shard,
                      const msm_call *call, uint64_t limit)
{
    const bases_table *table = &shape->shards[shard].table;
    memcpy(request, &call->request, sizeof *request);
    request->code = executor_code(self, shape->group);
    request->backend = self->backend;
    request->bases_count = table->count;
    request->glv_terms = table->glv_terms;
    request->precompute_factor = table->all_digits ? 1 : table->factor;
    request->all_digits = table->all_digits;
    if (table->factor > 1) {
        request->c = shape->c;
        request->windows = shape->windows;
    }
    request->bases_are_host_resident = table->host_resident;
    request->outside_subgroup = shape->outside_subgroup;
    request->threads = self->means.threads;
    request->memory_limit = limit;
    request->limit_is_given = self->means.memory_limit != 0;
}

/* If the buckets of one window take at most this many bytes, on the host or on a device, the multiples are used in any
 * case. With the stages' other arrays the workspace is then up to four times as large: 64 and 512 MiB. */
#define FIXED_BUCKETS_HOST ((uint64_t)16 << 20)
#define FIXED_BUCKETS_DEVICE ((uint64_t)128 << 20)

/* Decide whether a call should ignore the multiples of its bases and use only the bases, the table's first block, with
 * another window. Multiples fix the window and so the number of buckets, and a table file may ask for any window.
 * Multiples are ignored if a window has more buckets than the call has points for it, and the buckets take more than
 * the bytes above, because the reduction would then be most of the work. If the caller asks for a window, it is used in
 * any case. */
static int ignores_multiples(const plan_request *request)
{
    const uint64_t buckets = ((uint64_t)1 << request->c) / 2;
    const uint64_t bytes = buckets * request->code->affine_bytes;
    return request->precompute_factor > 1 && request->given_c == 0 &&
           buckets / request->precompute_factor > request->n &&
           bytes > (request->backend->device != NULL ? FIXED_BUCKETS_DEVICE : FIXED_BUCKETS_HOST);
}

/* ---- Reasons why a request has no plan ---- */

sumac_status planning_check_name(const executor *self, const char *name, sumac_message *message)
{
    const named_plan *plan;
    char known[256] = "", shown[PRINTABLE_BYTES(TUNING_NAME_BYTES)];
    size_t length = 0;
    if (plan_find(self->backend, name) != NULL) {
        return SUMAC_OK;
    }
    for (size_t i = 0; (plan = plan_named(self->backend, i)) != NULL && length < sizeof known; i++) {
        length +=
            (size_t)snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "", plan->name);
    }
    return refuse(message, SUMAC_UNKNOWN_PLAN,
                  "there is no plan of the name %s on the %s backend; there are %s",
                  printable(shown, name, TUNING_NAME_BYTES), self->backend->name, known);
}

/* Find out which option of a call a named plan does not support. It is the first option in this list without which a
 * plan exists. */
static const char *find_obstacle(const plan_request *request)
{
    static const char *const names[] = {"that reduction", "that window c", "that number of chunks",
                                        "multiples or tables of the bases",
                                        "scalars of fewer bits or bases outside of the subgroup"};
    enum { NAMES = sizeof names / sizeof *names };
    for (int i = 0; i < NAMES; i++) {
        plan_request other = *request;
        msm_plan plan;
        uint64_t missing;
        other.reduction = i == 0 ? REDUCTION_AUTO : other.reduction;
        other.c = i == 1 || i == 3 ? 0 : other.c;
        other.chunks = i == 2 ? 0 : other.chunks;
        if (i == 3) {
            other.precompute_factor = 1;
            other.windows = 0;
            other.all_digits = 0;
        }
        if (i == 4) {
            other.scalar_bits = 0;
            other.outside_subgroup = 0;
        }
        if (plan_make(&other, &plan, &missing) != SUMAC_UNKNOWN_PLAN) {
            return names[i];
        }
    }
    return NULL;
}

static sumac_status fail_without_plan(executor *self, const plan_request *request)
{
    const char *name = request->plan_name == NULL ? "auto" : request->plan_name;
    const char *obstacle = find_obstacle(request);
    return obstacle != NULL
               ? refuse(&self->message, SUMAC_UNKNOWN_PLAN, "the plan %s does not support %s", name, obstacle)
               : refuse(&self->message, SUMAC_UNKNOWN_PLAN, "there is no plan of the name %s for this call",
                        name);
}

sumac_status planning_make(executor *self, const sumac_bases *shape, uint32_t shard, const msm_call *call,
                           uint64_t limit, msm_plan *plan)
{
    plan_request request;
    uint64_t missing = 0;
    planning_request(&request, self, shape, shard, call, limit);
    if (bases_factor(shape) > 1) {
        if (request.given_c != 0 && request.given_c != shape->c) {
            return refuse(&self->message, SUMAC_BAD_ARGUMENT,
                          "c is %u, but the bases' multiples are made for c = %u", request.given_c, shape->c);
        }
        if (plan_windows(&request, shape->c) > shape->windows) {
            return refuse(&self->message, SUMAC_BAD_ARGUMENT,
                          "the bases' multiples are made for scalars of fewer bits");
        }
    }
    const int ignores = ignores_multiples(&request);
    if (ignores) {
        request.precompute_factor = 1;
        request.c = request.windows = 0;
    }
    const sumac_status status = plan_make(&request, plan, &missing);
    if (ignores && status == SUMAC_OK) { /* the ignored multiples still take memory, so count them */
        const uint64_t others = plan->bytes_bases * (bases_factor(shape) - 1);
        plan->bytes_bases += others;
        plan->bytes_total += others;
    }
    switch (status) {
    case SUMAC_UNKNOWN_PLAN:
        return fail_without_plan(self, &request);
    case SUMAC_MEMORY_LIMIT:
        return refuse(&self->message, status,
                      "the memory limit of %llu bytes of workspace is %llu bytes too small",
                      (unsigned long long)request.memory_limit, (unsigned long long)missing);
    case SUMAC_NOT_SUPPORTED:
        return request.n > PLAN_MAX_SCALARS / request.batch
                   ? refuse(&self->message, status, "%u MSMs of %llu bases each have more than 2^48 scalars",
                            request.batch, (unsigned long long)request.n)
                   : refuse(&self->message, status,
                            "the call has more bases or multiples than can be numbered");
    default:
        return status;
    }
}

sumac_status planning_make_here(executor *self, const sumac_bases *shape, uint32_t shard,
                                const msm_call *call, msm_plan *plan)
{
    TRY(planning_make(self, shape, shard, call, planning_limit(self), plan));
    if (self->engine != NULL || plan->bytes_workspace <= larger(self->workspace_bytes, MEMORY_NEVER_ASKED)) {
        return SUMAC_OK;
    }
    const uint64_t left = memory_left_for_one() + self->workspace_bytes;
    if (plan->bytes_workspace <= left) {
        return SUMAC_OK;
    }
    const sumac_status status = planning_make(self, shape, shard, call, left, plan);
    return status != SUMAC_MEMORY_LIMIT
               ? status
               : refuse(&self->message, SUMAC_OUT_OF_MEMORY,
                        "the machine or its control group has %llu bytes left for a workspace, too few",
                        (unsigned long long)left);
}
