/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file combines: it makes results of module sums. Part l of term j of an MSM counts 2^(doublings*j + l) times.
 * Horner's rule computes the result, and begins with the last part of the last term.
 */
#include <string.h>

#include "base/integers.h"
#include "cpu/normalize.h"
#include "cpu/engine.h"
#include "cpu/ranges.h"
#include "cpu/stages.h"
#ifdef SUMAC_VARIANT_AVX512
#include "lanes/combine.h"
#endif

/* The MSMs of a task share an inversion. They are combined in lanes if they fill at least COMBINE_LANES_LEAST. */
#define COMBINE_BLOCK 16
#define COMBINE_LANES_LEAST 4

typedef struct combine_work {
    const msm_job *job;
    const horner_terms *terms;
    uint8_t *results;
} combine_work;

/* Add a part to the sum. Parts that come from reduction by halving are affine points. */
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
    if (times >= 3) {
        xyzz_double_times(
            sum, sum, times); /* in Jacobian coordinates, because conversions take 4 products and a doubling
                                 saves 2 */
        return;
    }
    for (uint32_t i = 0; i < times; i++) {
        xyzz_double(sum, sum);
    }
}

/* combine_msm and combine_write are not inlined, so that neither needs stack memory while the other runs. */
static __attribute__((noinline)) void combine_msm(xyzz *sum, const horner_terms *terms, const xyzz *parts)
{
    const uint32_t count = terms->parts;
    xyzz_set_infinity(sum);
    for (uint32_t j = terms->count; j-- > 0;) {
        uint32_t position = terms->doublings; /* sum counts 2^(doublings*j + position) times */
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

/* Combine MSMs [first, first + count), count <= COMBINE_BLOCK. */
static void combine_block(xyzz *sums, const combine_work *work, uint64_t first, uint32_t count)
{
    const horner_terms *terms = work->terms;
    const xyzz *first_part = (const xyzz *)terms->points + first * terms->count * terms->parts;
    const uint64_t msm_parts = (uint64_t)terms->count * terms->parts;
#ifdef SUMAC_VARIANT_AVX512
    if (count >= COMBINE_LANES_LEAST) {
        const xyzz *parts[COMBINE_BLOCK];
        for (uint32_t lane = 0; lane < COMBINE_BLOCK; lane++) {
            parts[lane] = first_part + (lane < count ? lane : 0) * msm_parts;
        }
        if (lanes_combine(sums, parts, count, terms->count, terms->parts, terms->doublings)) {
            return;
        }
    }
#endif
    for (uint32_t i = 0; i < count; i++) {
        combine_msm(&sums[i], terms, first_part + i * msm_parts);
    }
}

static __attribute__((noinline)) void combine_write(const combine_work *work, uint64_t first,
                                                    const xyzz *sums, uint32_t count)
{
    const msm_job *job = work->job;
    uint8_t *results = work->results + first * job->result_bytes;
    affine points[COMBINE_BLOCK];
    if (job->results_as_elements) {
        memcpy(results, sums, count * sizeof *sums);
        return;
    }
    normalize_block(points, sums, count);
    job->code->convert->export_points(results, points, count, job->result_form);
}

static void combine_task(void *arguments, index_range range)
{
    const combine_work *work = arguments;
    const uint32_t count = (uint32_t)(range.end - range.first);
    xyzz sums[COMBINE_BLOCK];
    combine_block(sums, work, range.first, count);
    combine_write(work, range.first, sums, count);
}

void SUMAC_SYMBOL(combine)(const msm_job *job, const horner_terms *terms, void *results)
{
    const parallel_team team = parallel_team_of(job, NULL, "combine");
    const uint64_t block = smaller(ceil_divide(terms->msms, job->threads), COMBINE_BLOCK);
    combine_work work = {job, terms, results};
    parallel_ranges(&team, terms->msms, block, combine_task, &work);
}

static sumac_status combine_run(const msm_job *job, const module_sums *modules, void *results)
{
    const msm_plan *plan = job->plan;
    const horner_terms terms = {modules->points, plan->batch, plan->modules, plan->module_parts, plan->c};
    SUMAC_SYMBOL(combine)(job, &terms, results);
    return SUMAC_OK;
}

const stage_kind SUMAC_SYMBOL(combine_horner) = {
    .stage = STAGE_COMBINE,
    .name = "horner",
    .about =
        "puts the modules together from the highest down by Horner's rule: a doubling and an addition a bit",
    .takes = MODULE_PARTS,
    .leaves = RESULTS,
    .cost = cpu_cost_of_combine,
    .run = {.combine = combine_run},
};
