/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "executor/planning.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "base/memory_left.h"
#include "base/sizes.h"
#include "pipeline/plan_sizes.h"

uint64_t planning_limit(const executor *self)
{
    const uint64_t told = self->means.memory_limit;
    if (self->engine == NULL) {
        return told;
    }
    const uint64_t there = self->backend->device->memory_free(self->engine) + self->workspace_bytes;
    return told != 0 && told < there ? told : there;
}

scalar_layout planning_layout(const sumac_curve *curve, const sumac_msm_config *config)
{
    const uint32_t bytes = config->scalar_bytes == 0 ? curve->info.scalar_bytes : config->scalar_bytes;
    return (scalar_layout){bytes, config->scalar_signed};
}

uint32_t planning_scalar_bits(const sumac_curve *curve, const sumac_msm_config *config)
{
    const scalar_layout layout = planning_layout(curve, config);
    const int any = layout.bytes == curve->info.scalar_bytes && !layout.is_signed;
    return config->scalar_bits != 0 || any ? config->scalar_bits : 8 * layout.bytes - layout.is_signed;
}

uint32_t planning_checked_bits(const sumac_curve *curve, const sumac_msm_config *config)
{
    const scalar_layout layout = planning_layout(curve, config);
    const int always_less = config->scalar_bits >= curve->scalars.bits ||
                            config->scalar_bits == 8 * layout.bytes - layout.is_signed;
    return always_less || config->cut_scalars ? 0 : config->scalar_bits;
}

sumac_tuning planning_tuning(const sumac_msm_config *config)
{
    sumac_tuning tuning = sumac_tuning_default();
    if (config->tuning != NULL) {
        public_copy(config->tuning, &tuning);
    }
    return tuning;
}

plan_request planning_request(const executor *self, const sumac_bases *shape, uint32_t shard, size_t n,
                              const sumac_msm_config *config, uint64_t limit)
{
    const bases_table *table = &shape->shards[shard].table;
    const int multiples = table->factor > 1;
    const sumac_tuning tuning = planning_tuning(config);
    const char *lasting = planning_lasting_name(self, tuning.plan);
    const plan_request request = {
        .curve = shape->curve,
        .code = executor_code(self, shape->curve),
        .backend = self->backend,
        .n = n,
        .bases_count = table->count,
        .batch = config->batch,
        .c = multiples ? shape->c : config->c,
        .scalar_bits = planning_scalar_bits(shape->curve, config),
        .layout = planning_layout(shape->curve, config),
        .has_lengths = config->offsets != NULL,
        .glv_terms = table->glv_terms,
        .precompute_factor = table->all_digits ? 1 : table->factor,
        .all_digits = table->all_digits,
        .windows = multiples ? shape->windows : 0,
        .chunks = tuning.chunks,
        .copy_slices = tuning.copy_slices,
        .scalars_location = config->scalars_location,
        .result_location = config->result_location,
        .bases_are_host_resident = table->host_resident,
        .base_sets = planning_base_sets(config),
        .threads = self->means.threads,
        .outside_subgroup = shape->outside_subgroup,
        .reduction = tuning.reduction,
        .plan_name =
            lasting != NULL ? lasting : tuning.plan, /* one that there is not is refused by the planner */
        .memory_limit = limit,
        .limit_is_given = self->means.memory_limit != 0,
    };
    return request;
}

uint64_t planning_base_sets(const sumac_msm_config *config)
{
    if (!config->separate_bases || config->batch <= 1) {
        return 1;
    }
    return config->base_sets == 0 ? config->batch : smaller(config->base_sets, config->batch);
}

int planning_is_same(const plan_request *a, const plan_request *b)
{
    return a->curve == b->curve && a->code == b->code && a->backend == b->backend && a->n == b->n &&
           a->bases_count == b->bases_count && a->batch == b->batch && a->c == b->c &&
           a->scalar_bits == b->scalar_bits && a->layout.bytes == b->layout.bytes &&
           a->layout.is_signed == b->layout.is_signed && a->has_lengths == b->has_lengths &&
           a->glv_terms == b->glv_terms && a->precompute_factor == b->precompute_factor &&
           a->all_digits == b->all_digits && a->windows == b->windows && a->chunks == b->chunks &&
           a->copy_slices == b->copy_slices && a->scalars_location == b->scalars_location &&
           a->result_location == b->result_location &&
           a->bases_are_host_resident == b->bases_are_host_resident && a->base_sets == b->base_sets &&
           a->threads == b->threads && a->outside_subgroup == b->outside_subgroup &&
           a->reduction == b->reduction && a->plan_name == b->plan_name && a->memory_limit == b->memory_limit;
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

/* ---- Why there is no plan ---- */

const char *planning_lasting_name(const executor *self, const char *name)
{
    const named_plan *plan;
    for (size_t i = 0; name != NULL && (plan = plan_named(self->backend, i)) != NULL; i++) {
        if (strcmp(plan->name, name) == 0) {
            return plan->name;
        }
    }
    return NULL;
}

/* "a, b, c" of the backend's plans. */
static void list_plans(const executor *self, char *text, size_t bytes)
{
    const named_plan *plan;
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; (plan = plan_named(self->backend, i)) != NULL && length < bytes; i++) {
        length += (size_t)snprintf(text + length, bytes - length, "%s%s", i > 0 ? ", " : "", plan->name);
    }
}

/* What a named plan does not go with: the first of these without which there is a plan. */
static const char *obstacle(const plan_request *request)
{
    static const char *const names[] = {"that reduction", "that window c", "that number of chunks",
                                        "multiples or tables of the bases",
                                        "scalars of fewer bits or bases outside of the subgroup"};
    enum { NAMES = sizeof names / sizeof *names };
    for (int i = 0; i < NAMES; i++) {
        plan_request other = *request;
        msm_plan plan;
        uint64_t missing;
        other.reduction = i == 0 ? SUMAC_REDUCTION_AUTO : other.reduction;
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
    const char *against;
    char known[256];
    if (request->plan_name != NULL && planning_lasting_name(self, name) == NULL) {
        list_plans(self, known, sizeof known);
        return refuse(&self->message, SUMAC_UNKNOWN_PLAN,
                      "there is no plan of the name %s on the %s backend; there are %s", name,
                      self->backend->name, known);
    }
    against = obstacle(request);
    return against != NULL
               ? refuse(&self->message, SUMAC_UNKNOWN_PLAN, "the plan %s can't be had with %s", name, against)
               : refuse(&self->message, SUMAC_UNKNOWN_PLAN, "there is no plan of the name %s for this call",
                        name);
}

sumac_status planning_make(executor *self, const sumac_bases *shape, uint32_t shard, size_t n,
                           const sumac_msm_config *config, uint64_t limit, msm_plan *plan)
{
    plan_request request = planning_request(self, shape, shard, n, config, limit);
    uint64_t missing = 0;
    if (bases_factor(shape) > 1) {
        if (config->c != 0 && config->c != shape->c) {
            return refuse(&self->message, SUMAC_BAD_ARGUMENT,
                          "c is %u, but the bases' multiples are made for c = %u", config->c, shape->c);
        }
        if (plan_windows(&request, shape->c) > shape->windows) {
            return refuse(&self->message, SUMAC_BAD_ARGUMENT,
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
        return n > PLAN_MAX_SCALARS / request.batch
                   ? refuse(&self->message, status, "%u MSMs of %zu bases each have more than 2^48 scalars",
                            request.batch, n)
                   : refuse(&self->message, status,
                            "the call has more bases or multiples than can be numbered");
    default:
        return status;
    }
}

sumac_status planning_make_here(executor *self, const sumac_bases *shape, uint32_t shard, size_t n,
                                const sumac_msm_config *config, msm_plan *plan)
{
    const sumac_status status = planning_make(self, shape, shard, n, config, planning_limit(self), plan);
    const uint64_t unasked = larger(self->workspace_bytes, MEMORY_NEVER_ASKED);
    if (status != SUMAC_OK || self->engine != NULL || plan->bytes_workspace <= unasked) {
        return status;
    }
    const uint64_t left = memory_left_for_one() + self->workspace_bytes;
    if (plan->bytes_workspace <= left) {
        return status;
    }
    const sumac_status within = planning_make(self, shape, shard, n, config, left, plan);
    return within != SUMAC_MEMORY_LIMIT
               ? within
               : refuse(&self->message, SUMAC_OUT_OF_MEMORY,
                        "the machine or its control group has %llu bytes left for a workspace, too few",
                        (unsigned long long)left);
}
