/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU engine's table: the stages of this folder, memory from the C library. */
#include <stdlib.h>
#include <sys/mman.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

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

static uint64_t cpu_scratch_bytes(const sumac_curve *curve, const curve_code *code, const msm_plan *plan)
{
    (void)curve;
    return scratch_layout_of(plan, code).bytes;
}

/* Blocks of at least this size are aligned to, and advised to be of, huge pages: the points of a bucket lie
 * anywhere in the bases, so that with pages of 4 KiB nearly every one of them misses the translation cache.
 */
#define HUGE_PAGE ((uint64_t)2 << 20)
#define HUGE_BLOCK (2 * HUGE_PAGE)

static void *cpu_allocate(void *engine, uint64_t bytes)
{
    (void)engine;
    /* aligned_alloc wants a multiple of the alignment; no request is empty. */
    const uint64_t alignment = bytes >= HUGE_BLOCK ? HUGE_PAGE : 64;
    const uint64_t rounded = (bytes + alignment - 1) / alignment * alignment + (bytes == 0 ? alignment : 0);
    if (rounded < bytes || rounded > SIZE_MAX) {
        return NULL;
    }
    void *memory = aligned_alloc((size_t)alignment, (size_t)rounded);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && alignment == HUGE_PAGE) {
        (void)madvise(memory, (size_t)rounded,
                      MADV_HUGEPAGE); /* a hint: without it everything works the same */
    }
#endif
    return memory;
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
    /* clang 14 has no name for adx: leaf 7, EBX. */
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    const int has_leaf = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx);
    return has_leaf && (ebx & bit_ADX) != 0 && (ebx & bit_BMI) != 0 && (ebx & bit_BMI2) != 0;
#else
    return 0;
#endif
}

int cpu_has_avx512(void)
{
#if defined(__x86_64__)
    /* The compiler's support library asks XGETBV whether the masks and all of the ZMM state are enabled, too.
     */
    return cpu_has_adx() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma") &&
           __builtin_cpu_supports("avx512vbmi2");
#else
    return 0;
#endif
}
