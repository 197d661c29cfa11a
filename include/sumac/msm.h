/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file msm.h
 *  @brief The multi-scalar multiplication, prepared calls of it, and partial results of several processes.
 */
#ifndef SUMAC_MSM_H
#define SUMAC_MSM_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/bases.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sumac_msm_config {
    size_t size;
    uint32_t scalar_bits; /**< every scalar is less than 2^scalar_bits, which is checked, or made so with
                             cut_scalars; 0: any scalar of so many bytes */
    uint32_t batch;       /**< how many MSMs this call computes; 0: one, or as many as the offsets describe */
    /** How many sets of n bases the MSMs use in turns: MSM j uses set k = j % base_sets, bases
     *  [first + k*n, first + (k+1)*n). With base_sets = batch each MSM has its own bases. 0: all MSMs use the bases
     *  [first, first + n). Example: examples/options.c. */
    uint32_t base_sets;
    uint32_t scalar_form; /**< of the scalars; by default canonical */
    uint32_t
        result_form; /**< of the results' coordinates; by default canonical. Example: examples/options.c */
    uint32_t scalars_location; /**< SUMAC_LOCATION_DEVICE: on a GPU only */
    uint32_t result_location;  /**< likewise */
    /** 1: only the lowest scalar_bits bits of each scalar are used, and no scalar is too large. They are the bits of
     *  the integer in the bytes, before it is reduced modulo r; in Montgomery form, those of the represented integer,
     *  which is less than r. With scalar_bits = 0 nothing is cut off. */
    uint32_t cut_scalars;
    /** Bytes of each scalar, little-endian and contiguous, from 1 to the group's number; 0: the group's. Scalars are
     *  read, and copied to a GPU, in this size. Fewer bytes than the group's require canonical form. scalar_bits = 0
     *  then means 8*scalar_bytes, or one less for signed scalars. */
    uint32_t scalar_bytes;
    /** 1: scalars are signed, two's complement: -k contributes k times the base's negative. With scalar_bits, they
     *  lie in [-2^scalar_bits, 2^scalar_bits), scalar_bits < 8*scalar_bytes. Not with Montgomery form or cut_scalars. */
    uint32_t scalar_signed;
    size_t first; /**< the first base that is used */
    /** MSMs of different lengths, for sumac_msm() and sumac_msm_partial(): non-decreasing numbers, one more than there
     *  are MSMs. MSM j has the scalars [offsets[j], offsets[j + 1]) and as many bases, at most n: the first ones from
     *  `first` on or, with base_sets = batch, [first + offsets[j], first + offsets[j + 1]). An empty MSM gives
     *  infinity. Null: all have n scalars, one MSM after another. Example: examples/options.c.
     *
     *  Successive MSMs are computed together, like a batch, as long as the longest is at most twice the shortest or
     *  has at most 64 scalars; with base_sets, and on several devices, as long as all have equal length. So put MSMs
     *  of similar length next to each other. No scalars are copied for this on the host. */
    const uint64_t *offsets;
    size_t offset_count; /**< of `offsets`, which make offset_count - 1 MSMs: batch is 0 or that number */
    const char
        *tuning; /**< choices by hand, as experimental.h describes; null: none. Read by the call only */
} sumac_msm_config;

/** Compute one MSM of n bases and scalars, or a batch of them.
 *
 *  On a GPU with results on the device the call is queued if sumac_context_set_stream() has set a stream. Without a
 *  stream, a call with scalars or results on the device, and the creation of bases from there, follow the work on the
 *  device's default stream, as cudaMemcpy() does; work on streams that do not synchronize with that one must be complete.
 *
 *  @param scalars batch*n scalars, one MSM after another; with offsets, as many as the last offset says. On a GPU
 *  they must be aligned to 8 bytes if scalar_bytes is 0 or a multiple of 8
 *  @param n bases and scalars of each MSM; 0 gives infinity. With offsets: the most that any MSM has
 *  @param config null for the defaults
 *  @param results batch raw affine points of point_bytes, on the host or on the device; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH (fewer bases or bytes than the call needs, a batch other than
 *  offset_count - 1, or an MSM of more than n scalars), SUMAC_SCALAR_TOO_LARGE, SUMAC_UNKNOWN_PLAN, SUMAC_NOT_SUPPORTED,
 *  SUMAC_OUT_OF_MEMORY, SUMAC_MEMORY_LIMIT, SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases,
                                                const void *scalars, size_t scalars_bytes, size_t n,
                                                const sumac_msm_config *config, void *results,
                                                size_t results_bytes);

/** The time and memory that a call is predicted to take. */
typedef struct sumac_msm_needs {
    size_t size;
    double milliseconds;
    uint64_t workspace_bytes; /**< of the context's memory, on the GPU if there is one */
    uint64_t pinned_bytes;    /**< of the host's memory that a GPU copies from */
} sumac_msm_needs;

/** Predict what a call of sumac_msm() takes, without making it.
 *  @param n, config as for the call; without offsets
 *  @param needs whose size is set; written only on success
 *  @return as sumac_msm_prepare() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_estimate(sumac_context *context, const sumac_bases *bases,
                                                         size_t n, const sumac_msm_config *config,
                                                         sumac_msm_needs *needs);

/** A prepared call: checked and planned, with its workspace allocated. It belongs to its context; the rule that one
 *  thread at a time uses the context includes it. */
typedef struct sumac_call sumac_call;

/** Prepare a call of sumac_msm(), to be run repeatedly with different scalars: a run neither plans nor allocates.
 *  Prepared calls of a context share its workspace, which is as large as the largest of them needs.
 *  @param context, bases outlive the call
 *  @param n bases of each MSM
 *  @param config null for the defaults; copied. There are no offsets
 *  @param call the new handle, to be freed with sumac_call_destroy(); null on failure
 *  @return as sumac_msm(), except for failures that depend on scalars and results */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_prepare(sumac_context *context, const sumac_bases *bases,
                                                        size_t n, const sumac_msm_config *config,
                                                        sumac_call **call);

/** Run a prepared call: sumac_msm() with the context, bases, n and configuration that it was prepared with,
 *  and with its statuses. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_run(sumac_call *call, const void *scalars,
                                                     size_t scalars_bytes, void *results,
                                                     size_t results_bytes);

/** End a prepared call; null is allowed. A run of it that is still on a stream goes on. */
SUMAC_API void sumac_call_destroy(sumac_call *call);

/* ---- One MSM over several processes: each computes a partial result, and one of them combines these ---- */

/** Return the size of a partial result of `batch` MSMs: a header with curve, group, batch and checksum, then the
 *  points. Return 0 if the group is null, the batch is 0, or the size overflows a size_t. */
SUMAC_API size_t sumac_partial_bytes(const sumac_group *group, uint32_t batch);

/** Compute MSMs as sumac_msm() does, but write a partial result, which another process can combine with others.
 *  Example: examples/split.c.
 *  @param partial, partial_bytes sumac_partial_bytes(group, batch) bytes are written, on the host; they are portable
 *  between machines
 *  @return as sumac_msm(), and SUMAC_NOT_SUPPORTED for results on a device; result_form is ignored */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_partial(sumac_context *context, const sumac_bases *bases,
                                                        const void *scalars, size_t scalars_bytes, size_t n,
                                                        const sumac_msm_config *config, void *partial,
                                                        size_t partial_bytes);

/** Add up partial results of the same group and batch.
 *  @param partials count pointers to partial results; count 0 gives infinity
 *  @param partial_bytes the length of each partial result, at least sumac_partial_bytes(group, batch)
 *  @param batch the number of MSMs in each partial result, at least 1
 *  @param results, results_bytes batch raw affine points, canonical; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (a batch of 0), SUMAC_BAD_LENGTH (too few bytes), SUMAC_BAD_FILE,
 *  SUMAC_BAD_CHECKSUM, SUMAC_MISMATCH, SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_partial_combine(sumac_context *context, const sumac_group *group,
                                                            const void *const *partials, size_t partial_bytes,
                                                            size_t count, uint32_t batch, void *results,
                                                            size_t results_bytes);

#ifdef __cplusplus
}
#endif
#endif
