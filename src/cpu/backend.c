/* The CPU engine's table: the stages of this folder, memory from the C library. */
#include <stdlib.h>

#include "cpu/engine.h"
#include "cpu/scratch.h"

static sumac_status cpu_accumulate(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                   bucket_sums *sums, void *scratch)
{
    return job->code->stages->accumulate(job, pass, lists, sums, scratch);
}

static sumac_status cpu_reduce(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                               module_sums *modules, void *scratch)
{
    return job->code->stages->reduce(job, pass, sums, modules, scratch);
}

static sumac_status cpu_combine(const msm_job *job, const module_sums *modules, void *results)
{
    return job->code->stages->combine(job, modules, results);
}

static uint64_t cpu_scratch_bytes(const sumac_curve *curve, const curve_code *code, const sumac_plan *plan)
{
    (void)curve;
    return scratch_layout_of(plan, code->affine_bytes, code->xyzz_bytes).bytes;
}

static void *cpu_allocate(uint64_t bytes)
{
    /* aligned_alloc wants a multiple of the alignment; no request is empty. */
    const uint64_t rounded = (bytes + 63) / 64 * 64 + (bytes == 0 ? 64 : 0);
    return rounded < bytes || rounded > SIZE_MAX ? NULL : aligned_alloc(64, (size_t)rounded);
}

const backend cpu_backend = {
    .name = "cpu",
    .recode = cpu_recode,
    .sort = cpu_sort,
    .accumulate = cpu_accumulate,
    .reduce = cpu_reduce,
    .combine = cpu_combine,
    .scratch_bytes = cpu_scratch_bytes,
    .allocate = cpu_allocate,
    .release = free,
};

int cpu_has_adx(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("adx");
#else
    return 0;
#endif
}
