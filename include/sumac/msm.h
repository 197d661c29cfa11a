/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file msm.h
 *  @brief The multi-scalar multiplication, and prepared calls of it.
 */
#ifndef SUMAC_MSM_H
#define SUMAC_MSM_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/bases.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sumac_reduction {
    SUMAC_REDUCTION_AUTO = 0,    /**< the planner's choice */
    SUMAC_REDUCTION_RUNNING_SUM, /**< two additions a bucket, one after another, in corrected segments */
    SUMAC_REDUCTION_HALVING      /**< for each bit of the buckets' numbers the sum of those that have it */
} sumac_reduction;

typedef struct sumac_msm_config {
    size_t size;
    uint32_t c;           /**< bits of a window; 0: the planner's choice. 1 <= c <= 24 */
    uint32_t scalar_bits; /**< every scalar is less than 2^scalar_bits, which is checked, or made so with
                             cut_scalars; 0: any scalar */
    uint32_t batch;       /**< how many MSMs in this call; 0 means 1 */
    int separate_bases;   /**< 1: MSM j uses set k = j of n bases, [first + k*n, first + (k+1)*n), or k = j %
                             base_sets; 0: all use [first, first + n) */
    size_t first;         /**< the first base that is used */
    sumac_form scalar_form;
    sumac_form result_form;
    sumac_location scalars_location; /**< SUMAC_LOCATION_DEVICE: on a GPU only */
    sumac_location result_location;  /**< likewise */
    void *stream; /**< a stream of the context's GPU, for asynchronous completion; null: none. See sumac_msm()
                   */
    void *event;  /**< recorded on the stream when the call is complete; null: none */
    uint32_t chunks; /**< slices of the input; 0: the planner's choice */
    uint32_t
        copy_slices; /**< at most 4: on a GPU, parts in which a chunk is copied, each during the work on the
                          part before; 0: the planner's choice; 1: no overlap */
    /** On a GPU all threads together add up all buckets, round by round, until so little is left that each
     * bucket gets threads of its own, which end it. No bucket is given to its own threads while one has more
     * than this many times the bases left that each would have if all were alike. 0: the engine's choice.
     * Only speed depends on it, and on the CPU not even that: no thread has a bucket of its own there. */
    uint32_t large_bucket_factor;
    sumac_reduction reduction;
    const char
        *plan; /**< a named plan, one of sumac_context_plan_name(); null or "auto": the planner's choice
                         of every kind. The others are to compare with: strategies that others have published
                         (docs/plans.md), which a library built with SUMAC_NAMED_PLANS=OFF has not */
    /** 1: only the lowest scalar_bits bits of each scalar count, and none is too large. They are those of the
     * integer that the bytes are, before it is taken modulo r; in Montgomery form, those of the integer below
     * r that it stands for. With scalar_bits = 0 nothing is cut off. */
    int64_t cut_scalars; /* so wide that there is no padding behind it */
    uint64_t base_sets;  /**< with separate_bases: so many sets of bases, which the MSMs use in turns; 0: one
                            for each MSM */
} sumac_msm_config;

/** What sumac_msm_config_default() does, for bindings, too: the defaults as a struct of `size` bytes. */
SUMAC_API void sumac_msm_config_init(sumac_msm_config *config, size_t size);

/** The defaults: one MSM, full scalars, canonical, everything on the host, all choices the planner's. */
static inline sumac_msm_config sumac_msm_config_default(void)
{
    sumac_msm_config config;
    sumac_msm_config_init(&config, sizeof config);
    return config;
}

/** Compute batch MSMs of n bases and scalars each.
 *
 *  On a GPU, a call with a stream is asynchronous. It checks its arguments, plans and queues its work, which
 * follows what the stream holds then; the stream's later work, the event first of all, follows the call's.
 * Until then the scalars, the results and the bases belong to the call. sumac_context_wait() waits for it,
 * too, and says whether the results are there: a failure leaves them as they were, and the stream knows
 * nothing of it. Any other call with the context waits first. The call returns late where it has to wait
 * itself: for the copy of scalars in pageable memory, or of bases that stay on the host, for a workspace that
 * has to grow, for the spans of a trace. Without a stream, a call with scalars or results on the device, and
 * the creation of bases from there, follow what the device's default stream holds, as cudaMemcpy() does; work
 * on streams that do not wait for that one must be complete.
 *
 *  @param scalars batch*n scalars of scalar_bytes, MSM after MSM
 *  @param n bases and scalars of each MSM; 0 gives infinity
 *  @param config null for the defaults
 *  @param results batch raw affine points of point_bytes, on the host or on the device; written only on
 * success, or where all that failed was to record the event
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH (fewer bases than the call needs),
 * SUMAC_SCALAR_TOO_LARGE, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY, SUMAC_MEMORY_LIMIT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases,
                                                const void *scalars, size_t n, const sumac_msm_config *config,
                                                void *results);

/** A call that is prepared: checked, planned, and its workspace there. It belongs to its context, and so does
 * the rule that one thread at a time may use it. */
typedef struct sumac_call sumac_call;

/**
 * Prepare a call of sumac_msm(), to be run again and again with other scalars: a run neither plans nor
 * allocates.
 *
 * Prepared calls of a context share its workspace, which is as large as the largest of them needs.
 *
 * @param context, bases  outlive the call
 * @param n               bases of each MSM
 * @param config          null: the defaults; copied, but for what it points to
 * @param call            receives the call; end it with sumac_call_destroy()
 * @return as sumac_msm(), but for what it says of scalars and results
 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_prepare(sumac_context *context, const sumac_bases *bases,
                                                        size_t n, const sumac_msm_config *config,
                                                        sumac_call **call);

/** Run a prepared call: sumac_msm() with the context, bases, n and configuration that it was prepared with,
 * and with its statuses. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_run(sumac_call *call, const void *scalars, void *results);

/** End a prepared call; null is allowed. A run of it that is still on a stream goes on. */
SUMAC_API void sumac_call_destroy(sumac_call *call);

#ifdef __cplusplus
}
#endif
#endif
