/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * combine: module sums -> results. Part l of module j of an MSM counts 2^(c*j + l) times: the result by
 * Horner's rule from the last module's last part down.
 */
#include "cpu/normalize.h"
#include "cpu/parallel.h"
#include "cpu/stages.h"
#ifdef SUMAC_VARIANT_AVX512
#include "avx512/combine.h"
#endif

/* MSMs of a task: they share an inversion, and are in lanes where so many of these are used. */
#define COMBINE_BLOCK 16
#define COMBINE_LANES_LEAST 4

typedef struct combine_work {
    const msm_job *job;
    const xyzz *parts;
    uint8_t *results;
    uint64_t block;
} combine_work;

/* sum += part. The parts that halving makes are affine points. */
static void combine_add(xyzz *sum, const xyzz *part)
{
    fe one;
    fe_set_one(&one);
    if (fe_eq(&part->zz, &one) && fe_eq(&part->zzz, &one)) {
        const affine point = {part->x, part->y};
        xyzz_add_affine(sum, sum, &point);
    } else {
        xyzz_add(sum, sum, part);
    }
}

static void combine_double(xyzz *sum, uint32_t times)
{
    if (times < 3) { /* 9 products each, there and back again 4 more than they save */
        for (uint32_t i = 0; i < times; i++) {
            xyzz_double(sum, sum);
        }
    } else {
        xyzz_double_times(sum, sum, times);
    }
}

static void combine_msm(xyzz *sum, const msm_plan *plan, const xyzz *parts)
{
    const uint32_t count = plan->module_parts;
    xyzz_set_infinity(sum);
    for (uint32_t j = plan->modules; j-- > 0;) {
        uint32_t position = plan->c; /* of 2^(c*j) * what the sum is now */
        for (uint32_t l = count; l-- > 0;) {
            const uint32_t doublings = position - l;
            if (!xyzz_is_infinity(sum)) {
                combine_double(sum, doublings);
            }
            combine_add(sum, &parts[j * count + l]);
            position = l;
        }
    }
}

/* MSMs [first, first + count), count <= COMBINE_BLOCK. */
static void combine_block(xyzz *sums, const combine_work *work, uint64_t first, uint32_t count)
{
    const msm_plan *plan = work->job->plan;
    const uint64_t msm_parts = (uint64_t)plan->modules * plan->module_parts;
#ifdef SUMAC_VARIANT_AVX512
    if (count >= COMBINE_LANES_LEAST) {
        const xyzz *parts[COMBINE_BLOCK];
        for (uint32_t lane = 0; lane < COMBINE_BLOCK; lane++) {
            parts[lane] = work->parts + (first + (lane < count ? lane : 0)) * msm_parts;
        }
        if (lanes_combine(sums, parts, count, plan->modules, plan->module_parts, plan->c)) {
            return;
        }
    }
#endif
    for (uint32_t i = 0; i < count; i++) {
        combine_msm(&sums[i], plan, work->parts + (first + i) * msm_parts);
    }
}

static void combine_task(void *arguments, size_t index, uint32_t thread)
{
    const combine_work *work = arguments;
    const msm_job *job = work->job;
    const uint64_t first = index * work->block;
    const uint64_t left = job->plan->batch - first;
    const uint32_t count = (uint32_t)(left < work->block ? left : work->block);
    xyzz sums[COMBINE_BLOCK];
    affine points[COMBINE_BLOCK];
    (void)thread;
    combine_block(sums, work, first, count);
    normalize_block(points, sums, count);
    job->code->convert->export_points(work->results + first * job->curve->info.point_bytes, points, count,
                                      job->result_form);
}

sumac_status SUMAC_SYMBOL(combine)(const msm_job *job, const module_sums *modules, void *results)
{
    const parallel_team team = parallel_team_of(job, NULL, "combine");
    const uint64_t share = (job->plan->batch + (uint64_t)job->threads - 1) / job->threads;
    combine_work work = {job, modules->points, results, share < COMBINE_BLOCK ? share : COMBINE_BLOCK};
    parallel_for(&team, (job->plan->batch + work.block - 1) / work.block, combine_task, &work);
    return SUMAC_OK;
}
