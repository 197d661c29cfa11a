/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file tuning.h
 *  @brief Choices that are made for the caller, taken over by hand: to measure, to compare and to test.
 *
 *  **This header may change between versions**, as the engines do: fields, their ranges, names of plans and of
 *  variants come and go. No result depends on anything here, only time and memory do. A program that is not
 *  about sumac itself leaves it alone.
 */
#ifndef SUMAC_TUNING_H
#define SUMAC_TUNING_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The method by which the buckets of a window are summed up. */
typedef enum sumac_reduction {
    SUMAC_REDUCTION_AUTO = 0,        /**< the planner's choice */
    SUMAC_REDUCTION_RUNNING_SUM = 1, /**< two additions a bucket, one after another, in corrected segments */
    SUMAC_REDUCTION_HALVING = 2 /**< for each bit of the buckets' numbers the sum of those that have it */
} sumac_reduction;

/** Choices by hand. A context (sumac_context_config.tuning) uses `variant`; a call (sumac_msm_config.tuning) uses the
 *  other fields. */
typedef struct sumac_tuning {
    size_t size;
    const char *variant; /**< CPU code: null for the fastest that this machine runs, or "portable", "adx",
                            "avx2", "avx512" */
    /** A named plan, one of sumac_context_plan_name(); null or "auto": the planner chooses every kind. The others are
     *  published strategies to compare with (docs/plans.md), which a library built with SUMAC_NAMED_PLANS=OFF lacks. */
    const char *plan;
    uint32_t reduction;
    uint32_t chunks;      /**< slices of the input; 0: the planner's choice */
    uint32_t copy_slices; /**< at most 4: on a GPU, parts in which a chunk is copied, each during the work on
                             the part before, of the first chunk alone where chunks add into the same buckets;
                             0: the planner's choice; 1: no overlap */
    /** On a GPU, all threads together add up all buckets, round by round, until so little is left that separate
     *  threads finish each bucket. That step begins when no bucket has more than this many times the bases that would
     *  be left in each if all buckets were equal. 0: the engine's choice. In calls with few bases, every bucket has
     *  separate threads from the start; on the CPU none has. */
    uint32_t large_bucket_factor;
} sumac_tuning;

#ifdef __cplusplus
}
#endif
#endif
