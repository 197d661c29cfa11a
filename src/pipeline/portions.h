/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A chunk's scalars come to a device in portions: while one is copied, the device works on the portion
 * before. All portions of a chunk add into the same buckets. Portion i + 1 is plan.portion_growth times as
 * large as portion i, as working on a scalar takes longer than copying it: the shorter the first portion, the
 * shorter the wait for it.
 *
 * Common to the library and its engines, which are not linked with it.
 */
#ifndef SUMAC_PIPELINE_PORTIONS_H
#define SUMAC_PIPELINE_PORTIONS_H

#include "sumac/sumac.h"

/* growth^portions stays below 2^31, so that no product with a chunk's size overflows. */
#define PORTIONS_MAX 4u
#define PORTION_GROWTH_MAX 64u

/* Where portion i of a chunk of n scalars begins, 0 <= i <= portions; portion 0 is empty only when n is 0. */
static inline uint64_t portion_start(const msm_plan *plan, uint64_t n, uint32_t i)
{
    uint64_t before = i > 0 ? 1 : 0, all = 1, size = 1;
    for (uint32_t p = 1; p < plan->portions; p++) {
        size *= plan->portion_growth;
        before += p < i ? size : 0;
        all += size;
    }
    return (n * before + all - 1) / all;
}

/* The scalars of a plan's largest chunk, and the most that a portion of any chunk has. */
static inline uint64_t plan_chunk(const msm_plan *plan)
{
    return plan->chunks <= 1 ? plan->n : plan->n / plan->chunks + (plan->n % plan->chunks != 0);
}

static inline uint64_t plan_portion(const msm_plan *plan)
{
    uint64_t all = 1, last = 1;
    for (uint32_t p = 1; p < plan->portions; p++) {
        last *= plan->portion_growth;
        all += last;
    }
    return (plan_chunk(plan) * last + all - 1) / all;
}

#endif
