/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cuda/msm/sort_digits.cuh"

int cuda_sorts(const plan_request *request, msm_plan *plan)
{
    (void)plan;
    return !request->all_digits;
}

digit_rows digit_rows_of(const msm_job *job, const msm_pass *pass, const digit_table *digits)
{
    const msm_plan *plan = job->plan;
    const uint64_t module_codes = pass->n * plan_multiples(plan);
    return {
        .codes = digits->codes,
        .total = static_cast<uint32_t>(pass->modules * module_codes),
        .n = divider_of(pass->n),
        .factor = divider_of(plan_multiples(plan)),
        .module_codes = divider_of(module_codes),
        .modules = divider_of(plan->modules),
        .buckets = static_cast<uint32_t>(plan->buckets),
        .table_digits = static_cast<uint32_t>(plan->table_digits),
        .first_module = static_cast<uint32_t>(pass->first_module % plan->modules),
        .first_set =
            static_cast<uint32_t>((job->first_set + pass->first_module / plan->modules) % job->base_sets),
        .table_count = static_cast<uint32_t>(job->bases.count),
        .first_base = static_cast<uint32_t>(pass->inputs.first_base),
        .sets = divider_of(job->base_sets),
        .set_bases = static_cast<uint32_t>(pass->inputs.set_bases),
    };
}
