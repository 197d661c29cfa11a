/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU engine's table has the kinds of this folder, and memory from the C library. */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/integers.h"
#include "base/memory_left.h"
#include "cpu/engine.h"

/* ---- Feed and deliver copy nothing, because the stages use the caller's memory directly ---- */

static sumac_status begin_chunk(const msm_job *job, uint64_t first, uint64_t n, const feed_memory *memory)
{
    (void)job, (void)first, (void)n, (void)memory;
    return SUMAC_OK;
}

static sumac_status find_inputs(const msm_job *job, const feed_memory *memory, msm_pass *pass)
{
    (void)memory;
    pass->inputs = (pass_inputs){
        .scalars = job->scalars + pass->first * job->layout.bytes,
        .stride = job->offsets == NULL ? job->plan->n : 0,
        .bases = job->bases.points,
        .first_base = job->first_base + pass->first,
        .set_bases = job->plan->n,
    };
    return SUMAC_OK;
}

static sumac_status end_sub_batch(const msm_job *job)
{
    (void)job;
    return SUMAC_OK;
}

static sumac_status begin_results(const msm_job *job, void *results, void **points)
{
    (void)job;
    *points = results;
    return SUMAC_OK;
}

static sumac_status end_results(const msm_job *job, void *points, void *results)
{
    (void)job, (void)points, (void)results;
    return SUMAC_OK;
}

static const feed_ops feed = {.begin = begin_chunk, .await = find_inputs, .end = end_sub_batch};
static const deliver_ops deliver = {.begin = begin_results, .end = end_results};

/* ---- Memory ---- */

/* If the caller sets no limit, the workspace may be as large as this part of the inputs, but at least WORKSPACE_LEAST
 * and the threads' scratch memory. Passes over the windows cost little, so the entries of all windows need not be in
 * memory at once. If this workspace is too small, a larger one is tried, and then smaller tasks and fewer threads. One
 * MSM of many bases on many threads is so much faster in one pass that it may take a multiple of its inputs.
 *
 * Small MSMs share passes in any case, and passes of half the memory are 3 to 7% faster: BLS12-381, 8 to 1024 bases,
 * batches of 128 to 4096, `sumac bench` with --memory-limit 10M against 24M. */
#define WORKSPACE_INPUT_PART 5
#define WORKSPACE_LEAST ((uint64_t)20 << 20)
#define WORKSPACE_THREAD ((uint64_t)4 << 20)
#define WORKSPACE_SMALL_LEAST ((uint64_t)12 << 20)
#define WORKSPACE_SMALL_BASES 4096
#define WORKSPACE_MORE_PART 3
#define WORKSPACE_MORE_LEAST ((uint64_t)64 << 20)
#define WORKSPACE_MSM_MULTIPLE 16

static uint64_t wish(const plan_request *request, const msm_plan *plan, uint32_t attempt)
{
    const uint64_t inputs = plan->bytes_bases + plan->bytes_scalars;
    if (attempt == 0) {
        const int small = plan->batch > 1 && plan->n <= WORKSPACE_SMALL_BASES;
        return small ? larger(WORKSPACE_SMALL_LEAST, inputs / WORKSPACE_INPUT_PART)
                     : larger(WORKSPACE_LEAST + request->threads * WORKSPACE_THREAD,
                              inputs / WORKSPACE_INPUT_PART);
    }
    const uint64_t msm_inputs = plan->n * (request->code->affine_bytes + request->layout.bytes);
    if (attempt > 1) {
        return 0;
    }
    return larger(WORKSPACE_MORE_LEAST,
                  larger(inputs / WORKSPACE_MORE_PART, msm_inputs * WORKSPACE_MSM_MULTIPLE));
}

/* Blocks of at least HUGE_BLOCK bytes use huge pages: a bucket's points lie anywhere in the bases, so with pages of 4
 * KiB nearly every point misses the translation cache. If the last page would not be filled, small pages are used for
 * it, because a huge page would take 2 MiB. */
#define HUGE_PAGE ((uint64_t)2 << 20)
#define HUGE_BLOCK (2 * HUGE_PAGE)

static void *cpu_allocate(void *engine, uint64_t bytes)
{
    (void)engine;
    /* aligned_alloc() requires a size that is a multiple of the alignment, and not 0. */
    const uint64_t alignment = bytes >= HUGE_BLOCK ? HUGE_PAGE : 64;
    const uint64_t rounded = ceil_divide(larger(bytes, 1), alignment) * alignment;
    if (rounded < bytes || rounded > SIZE_MAX || memory_missing(rounded) != 0) {
        return NULL;
    }
    void *memory = aligned_alloc((size_t)alignment, (size_t)rounded);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && alignment == HUGE_PAGE) {
        (void)madvise(memory, (size_t)(bytes / HUGE_PAGE * HUGE_PAGE),
                      MADV_HUGEPAGE); /* only a hint, so errors are ignored */
    }
#endif
    return memory;
}

static const stage_kind *const kinds[] = {
    &cpu_recode_signed,
    &cpu_recode_negated,
    &cpu_recode_glv,
    &cpu_recode_unsigned,
    &cpu_sort_counting,
    &cpu_sort_lookup,
    NULL,
};

/* Sums of more bases spend little of their time on reduction and doublings. */
#define MOST_ENDOMORPHISM_BYTES ((uint64_t)1 << 20)

const backend cpu_backend = {
    .name = "cpu",
    .kinds = kinds,
    .has_compiled_kinds = 1,
    .plan_kinds = cpu_plan_kinds,
    .plans = cpu_plans,
    .feed = &feed,
    .deliver = &deliver,
    .most_in_flight_passes = 1,
    .whole_sub_batches = 1,
    .wish = wish,
    .elapsed = cpu_elapsed,
    .allocate = cpu_allocate,
    .release = free,
    .most_endomorphism_bytes = MOST_ENDOMORPHISM_BYTES,
    .vectors = &cpu_vectors,
};
