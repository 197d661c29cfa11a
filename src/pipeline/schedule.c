/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file searches for the sub-batches, chunks, copy slices and passes that fit in the memory. */
#include "pipeline/plan.h"

#include "base/integers.h"
#include "pipeline/engine.h"
#include "pipeline/plan_sizes.h"

/* The entries and the buckets of a pass are numbered in 32 bits. */
#define MAX_PASS_ENTRIES ((uint64_t)UINT32_MAX)
#define MAX_PASS_BUCKETS ((uint64_t)1 << 31)

/* If a call on a device has more than FEW_PASSES passes, each pass has at least LEAST_PASS entries and buckets. Without
 * this rule a small limit would lead to millions of passes. By the costs of an H200, the launches and waits of a small
 * pass take 0.07 ms (`sumac plan --backend cuda` with --memory-limit, 2026-11): that is 4 ns for each of LEAST_PASS
 * entries, while an addition takes 1 or 2 ns. */
#define FEW_PASSES 64
#define LEAST_PASS 16384

/* There are `all` items, each with `each` entries and buckets. Return how many of them a pass must have at least. */
static uint64_t least_of(const plan_request *request, const msm_plan *plan, uint64_t each, uint64_t all)
{
    if (request->backend->device == NULL) {
        return 1;
    }
    const uint64_t modules = (uint64_t)plan->batch * plan->modules;
    const uint64_t work = modules * (plan_multiples(plan) * plan->n + plan->buckets);
    const uint64_t least = smaller(LEAST_PASS, ceil_divide(work, FEW_PASSES));
    return smaller(all, ceil_divide(least, larger(1, each)));
}

/* Return the entries of one module in a chunk's largest copy slice. */
static uint64_t module_entries(const msm_plan *plan)
{
    return larger(1, plan_multiples(plan) * plan_copy_slice(plan));
}

/* Return how many modules a pass can have at most if memory is no limit; 0 if one module has too many entries. */
static uint64_t most_modules(const msm_plan *plan)
{
    const uint64_t most = smaller(MAX_PASS_ENTRIES / module_entries(plan), UINT32_MAX);
    uint64_t buckets = MAX_PASS_BUCKETS;
    for (int s = 0; s < STAGE_COMBINE; s++) {
        buckets =
            plan->kinds[s]->most_buckets == 0 ? buckets : smaller(buckets, plan->kinds[s]->most_buckets);
    }
    return most == 0 ? 0 : larger(1, smaller(most, buckets / plan->buckets));
}

/* Cut the modules of a sub-batch into passes so that the workspace of `in_flight_passes` passes is at most `budget`;
 * return 0 if not even the smallest pass fits. */
static int fit_passes(const plan_request *request, msm_plan *plan, uint32_t in_flight_passes, uint64_t budget)
{
    const uint64_t modules = (uint64_t)plan->sub_batch * plan->modules;
    /* The distance from a kept sum to its addend must fit in 32 bits, too. It is at most the number of buckets of all
     * modules. */
    const int numbered = !plan->keeps_buckets || modules < MAX_PASS_BUCKETS / plan->buckets;
    uint64_t high = numbered ? smaller(modules, most_modules(plan)) : 0;
    uint64_t low = smaller(high, least_of(request, plan, module_entries(plan) + plan->buckets, modules));
    plan->in_flight_passes = in_flight_passes;
    if (high == 0) {
        plan->bytes_workspace = UINT64_MAX;
        return 0;
    }
    while (low < high) { /* the largest count that fits lies in [low, high], or none fits */
        const uint64_t middle = low + (high - low + 1) / 2;
        plan->modules_per_pass = (uint32_t)middle;
        workspace_measure(plan, request->code);
        if (plan->bytes_workspace <= budget) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    plan->passes = (uint32_t)ceil_divide(modules, low);
    plan->modules_per_pass = (uint32_t)ceil_divide(modules, plan->passes);
    workspace_measure(plan, request->code);
    return plan->bytes_workspace <= budget;
}

/* Cut the modules into passes, with the best number of in-flight passes. If several passes are needed and the engine
 * supports it, two smaller passes are in flight at a time. If later copy slices or chunks add to the output of earlier
 * passes, only one is. */
static int fit_in_flight_passes(const plan_request *request, msm_plan *plan, uint64_t budget)
{
    const int fits = fit_passes(request, plan, 1, budget);
    if (!fits || plan->passes == 1 || request->backend->most_in_flight_passes == 1 || plan->chunks > 1 ||
        plan->copy_slices > 1 || request->bases_are_host_resident) {
        return fits;
    }
    const msm_plan one = *plan;
    if (!fit_passes(request, plan, request->backend->most_in_flight_passes, budget)) {
        *plan = one;
    }
    return 1;
}

/* Fit a sub-batch. With whole_sub_batches it gets as many MSMs as one pass has memory for; if not even one MSM fits, a
 * sub-batch is one MSM, in several passes. Without whole_sub_batches the caller has chosen the sub-batch. */
static int fit_sub_batch(const plan_request *request, msm_plan *plan, uint64_t budget)
{
    uint64_t low = 1, high = smaller(plan->batch, most_modules(plan) / plan->modules);
    if (!request->backend->whole_sub_batches) {
        return fit_in_flight_passes(request, plan, budget);
    }
    plan->passes = plan->in_flight_passes = 1;
    while (low < high) { /* binary search as in fit_passes */
        plan->sub_batch = (uint32_t)(low + (high - low + 1) / 2);
        plan->modules_per_pass = plan->sub_batch * plan->modules;
        workspace_measure(plan, request->code);
        if (plan->bytes_workspace <= budget) {
            low = plan->sub_batch;
        } else {
            high = plan->sub_batch - 1;
        }
    }
    plan->sub_batch = (uint32_t)ceil_divide(plan->batch, ceil_divide(plan->batch, low));
    return fit_passes(request, plan, 1, budget);
}

/* Return whether each MSM has separate bases, so that a sub-batch needs only those of its MSMs. */
static int has_own_bases(const plan_request *request)
{
    return request->base_sets > 1 && request->base_sets == request->batch;
}

/* Each MSM of a sub-batch takes workspace even if a pass has few modules: for its modules' sums, and on a device for
 * its scalars and bases. Return how many MSMs a sub-batch may have, so that they leave three quarters of the budget to
 * the passes. All sub-batches have about the same size. */
static uint32_t sub_batch_within(const plan_request *request, const msm_plan *plan, uint64_t budget)
{
    const uint64_t sums = (uint64_t)plan->modules * plan->module_parts * request->code->xyzz_bytes;
    const uint64_t scalar_bytes = plan_copies_scalars(request) ? request->layout.bytes : 0;
    const int copies_bases = request->bases_are_host_resident && has_own_bases(request);
    const uint64_t base_bytes = copies_bases ? request->code->affine_bytes : 0;
    const uint64_t bytes = sums + plan_turns(plan) * plan_chunk(plan) * (scalar_bytes + base_bytes);
    const uint64_t most = larger(1, smaller(plan->batch, budget / 4 / bytes));
    return (uint32_t)ceil_divide(plan->batch, ceil_divide(plan->batch, most));
}

/* Fit the plan's chunks in sub-batches. With whole_sub_batches fit_sub_batch() chooses their size. Otherwise they are
 * halved until they fit, or until they have the fewest MSMs that a pass must have. */
static int fit_sub_batches(const plan_request *request, msm_plan *plan, uint64_t budget)
{
    const feed_ops *feed = request->backend->feed;
    const uint64_t msm = plan->modules * (plan_multiples(plan) * plan_chunk(plan) + plan->buckets);
    const uint32_t least = (uint32_t)least_of(request, plan, msm, plan->batch);
    plan->sub_batch = request->backend->whole_sub_batches
                          ? plan->batch
                          : (uint32_t)larger(least, sub_batch_within(request, plan, budget));
    for (;;) {
        const uint64_t sets = has_own_bases(request) ? plan->sub_batch : request->base_sets;
        plan->bytes_host_resident = request->bases_are_host_resident ? plan_turns(plan) * plan_chunk(plan) *
                                                                           sets * request->code->affine_bytes
                                                                     : 0;
        if (feed->shape != NULL) {
            feed->shape(request, plan);
        }
        if (fit_sub_batch(request, plan, budget)) {
            return 1;
        }
        if (request->backend->whole_sub_batches || plan->sub_batch <= least) {
            return 0;
        }
        plan->sub_batch = (uint32_t)larger(least, ceil_divide(plan->sub_batch, 2));
    }
}

/* Fit the plan in chunks. The input is cut only if it does not fit in one chunk. Then the number of chunks is doubled
 * until the plan fits, or until each chunk has the fewest bases that a pass must have. */
static int fit_chunks(const plan_request *request, msm_plan *plan, uint64_t budget)
{
    const uint64_t base = (uint64_t)plan_multiples(plan) * plan->modules * plan->batch;
    const uint64_t most = plan->n / least_of(request, plan, base, larger(1, plan->n));
    uint64_t chunks = request->chunks == 0 ? 1 : smaller(request->chunks, larger(1, plan->n));
    for (;;) {
        plan->chunks = (uint32_t)larger(1, ceil_divide(plan->n, larger(1, ceil_divide(plan->n, chunks))));
        plan->keeps_buckets = request->keeps_buckets && plan->chunks > 1;
        if (fit_sub_batches(request, plan, budget)) {
            return 1;
        }
        if (request->memory_limit == 0 || request->chunks != 0 || chunks >= most || chunks > UINT32_MAX / 2) {
            return 0;
        }
        chunks *= 2;
    }
}

int schedule_fit(const plan_request *request, msm_plan *plan, uint64_t budget, int shrinks)
{
    const uint64_t least = plan_least_task(plan);
    while (!fit_chunks(request, plan, budget)) {
        if (!shrinks || plan->task_entries == 0 || (plan->task_entries / 2 < least && plan->threads == 1)) {
            return 0;
        }
        if (plan->task_entries / 2 >= least) {
            plan->task_entries /= 2;
        } else {
            plan->threads = (plan->threads + 1) / 2;
        }
    }
    return 1;
}
