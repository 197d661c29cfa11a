/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * sort: digits -> bucket lists. Two kinds: the counting partition (partition.cu), and as reference, and for
 * passes with more buckets than that is made for, a general radix sort (radix.cu).
 */
#include <cstring>

#include "cuda/scratch.h"
#include "cuda/sort.h"

digit_rows digit_rows_of(const msm_job *job, const msm_pass *pass, const digit_table *digits)
{
    const msm_plan *plan = job->plan;
    const uint64_t module_codes = pass->n * plan->precompute_factor;
    const uint64_t first_base =
        job->bases.visits ? pass->first - pass->chunk_first : job->first_base + pass->first;
    const uint64_t msm_bases = job->bases.visits ? pass->chunk_n : plan->n;
    return {
        .codes = digits->codes,
        .total = static_cast<uint32_t>(pass->modules * module_codes),
        .n = divider_of(pass->n),
        .factor = divider_of(plan->precompute_factor),
        .module_codes = divider_of(module_codes),
        .modules = divider_of(plan->modules),
        .buckets = static_cast<uint32_t>(plan->buckets),
        .first_module = static_cast<uint32_t>(pass->first_module % plan->modules),
        .first_msm = static_cast<uint32_t>(pass->first_module / plan->modules),
        .table_count = static_cast<uint32_t>(job->bases.count),
        .first_base = static_cast<uint32_t>(first_base),
        .msm_bases = job->separate_bases ? static_cast<uint32_t>(msm_bases) : 0,
    };
}

const char *cuda_sort_kind(const msm_plan *plan)
{
    const bool counts =
        strcmp(plan->name, PLAN_RADIX) != 0 && partition_fits(plan->modules_per_pass * plan->buckets);
    return counts ? "counting" : "radix";
}

sumac_status cuda_sort(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                       bucket_lists *lists, void *scratch)
{
    cuda_engine *engine = engine_of(job);
    const double begin = cuda_stage_begin(job);
    const cuda_scratch layout = cuda_scratch_of(job->plan, job->code->affine_bytes);
    char *memory = static_cast<char *>(scratch);
    const digit_rows rows = digit_rows_of(job, pass, digits);
    const uint64_t buckets = pass->modules * job->plan->buckets;
    if (layout.sorts_by_counting) {
        STATUS_TRY(partition_sort(engine, &rows, buckets, &layout.partition, memory, lists));
    } else {
        STATUS_TRY(radix_sort(engine, &rows, buckets, &layout.radix, memory, lists));
    }
    return cuda_stage_end(job, pass, "sort", begin);
}
