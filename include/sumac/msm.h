/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file msm.h
 *  @brief The multi-scalar multiplication, prepared calls of it, and partial results from several processes.
 */
#ifndef SUMAC_MSM_H
#define SUMAC_MSM_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/bases.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How MSMs are computed. */
typedef struct sumac_msm_config {
    size_t size;
    /** Every scalar must be less than 2^scalar_bits, unless cut_scalars makes it so; 0: scalars may have any value. */
    uint32_t scalar_bits;
    uint32_t batch; /**< how many MSMs this call computes; 0: one, or as many as the offsets describe */
    /** How many sets of n bases the MSMs use in turns: MSM j uses set k = j % base_sets, bases
     *  [first + k*n, first + (k+1)*n). With base_sets = batch each MSM has its own bases. 0: all MSMs use the bases
     *  [first, first + n). Example: examples/options.c. */
    uint32_t base_sets;
    uint32_t scalar_form; /**< the form of the scalars; by default canonical */
    /** The form of the results' coordinates; by default canonical. Example: examples/options.c. */
    uint32_t result_form;
    uint32_t scalars_location; /**< where the scalars lie; by default on the host. The CPU backend supports no
                                  other location */
    uint32_t result_location;  /**< where the results are written, with the same default and the same rule */
    /** 1: only the lowest scalar_bits bits of each scalar are used, and no scalar is too large. They are the bits of
     *  the integer in the bytes, before it is reduced modulo r. In Montgomery form they are the bits of the represented
     *  integer, which is less than r. With scalar_bits = 0 nothing is cut off. */
    uint32_t cut_scalars;
    /** Bytes of each scalar, little-endian and contiguous, from 1 to the group's scalar_bytes; 0: the group's. Scalars are
     *  read, and copied to a GPU, in this size. Fewer bytes than the group's require canonical form. scalar_bits = 0
     *  then means 8*scalar_bytes, or one less for signed scalars. */
    uint32_t scalar_bytes;
    /** 1: scalars are signed, in two's complement: -k contributes k times the base's negative. If scalar_bits is not 0, it
     *  must be less than 8*scalar_bytes, and scalars must lie in [-2^scalar_bits, 2^scalar_bits). Montgomery form and
     *  cut_scalars are refused with signed scalars. */
    uint32_t scalar_signed;
    size_t first; /**< the first base that is used */
    /** MSMs of different lengths, for sumac_msm() and sumac_msm_partial(): non-decreasing numbers, one more than there
     *  are MSMs. MSM j has the scalars [offsets[j], offsets[j + 1]), at most n, and as many bases. These are the first ones
     *  from `first` on or, with base_sets = batch, [first + offsets[j], first + offsets[j + 1]). An empty MSM gives
     *  infinity. Null: all have n scalars, one MSM after another. Example: examples/options.c.
     *
     *  Successive MSMs are computed together, like a batch, as long as the longest is at most twice as long as the shortest,
     *  or has at most 64 scalars. With base_sets, and on several devices, they must have equal length for that. So put MSMs
     *  of similar length next to each other. The host does not copy scalars for this. */
    const uint64_t *offsets;
    /** The length of `offsets`, which describe offset_count - 1 MSMs: batch is 0 or that number. */
    size_t offset_count;
    /** Choices by hand, as experimental.h describes; null: none. Only the call reads it. */
    const char *tuning;
} sumac_msm_config;

/** Compute one MSM of n bases and scalars, or a batch of them. Example: examples/msm.c.
 *
 *  If sumac_context_set_stream() has set a stream, a call with results on the device and without offsets is queued. Without
 *  a stream, a call with scalars or results on the device follows the work on the device's default stream, as cudaMemcpy()
 *  does; so does the creation of bases from points on the device. Work on streams that do not synchronize with the default
 *  stream must then be complete.
 *
 *  @param scalars batch*n scalars, one MSM after another; with offsets, as many as the last offset says. Scalars on a
 *  device must be aligned to 8 bytes if scalar_bytes is 0 or a multiple of 8
 *  @param n the number of bases and scalars of each MSM; 0 gives infinity. With offsets, n is the most that any MSM has
 *  @param config null for the defaults
 *  @param results one raw affine point for each MSM, where config says; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH (fewer bases or bytes than the call needs, a batch other than
 *  offset_count - 1, or an MSM of more than n scalars), SUMAC_SCALAR_TOO_LARGE, SUMAC_UNKNOWN_PLAN, SUMAC_NOT_SUPPORTED,
 *  SUMAC_OUT_OF_MEMORY, SUMAC_MEMORY_LIMIT, SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases,
                                                const void *scalars, size_t scalars_bytes, size_t n,
                                                const sumac_msm_config *config, void *results,
                                                size_t results_bytes);

/** The time and memory that a call will take, as the planner predicts. */
typedef struct sumac_msm_needs {
    size_t size;
    double milliseconds;
    uint64_t workspace_bytes; /**< memory that the context allocates where it computes */
    uint64_t pinned_bytes;    /**< page-locked memory of the host, which a GPU copies from */
} sumac_msm_needs;

/** Predict what a call of sumac_msm() will take, without running it.
 *  @param n, config as for sumac_msm(), but offsets are refused with SUMAC_BAD_ARGUMENT
 *  @param needs the caller sets its size; the other fields are written only on success
 *  @return as sumac_msm_prepare() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_estimate(sumac_context *context, const sumac_bases *bases,
                                                         size_t n, const sumac_msm_config *config,
                                                         sumac_msm_needs *needs);

/** A call of sumac_msm() that is checked and planned, and whose workspace is allocated. It belongs to its context: to run it
 *  is a call with the context, which serves one call at a time. */
typedef struct sumac_call sumac_call;

/** Prepare a call of sumac_msm(), which can be run repeatedly with different scalars. A run neither plans nor allocates.
 *  All prepared calls of a context use its workspace, which is as large as the largest of them needs.
 *  @param context, bases must outlive the prepared call
 *  @param n the number of bases of each MSM
 *  @param config null for the defaults; copied. Offsets are refused with SUMAC_BAD_ARGUMENT
 *  @param call the prepared call, to be freed with sumac_call_destroy(); null on failure
 *  @return as sumac_msm(), except for failures that depend on scalars and results */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_prepare(sumac_context *context, const sumac_bases *bases,
                                                        size_t n, const sumac_msm_config *config,
                                                        sumac_call **call);

/** Run a prepared call: sumac_msm() with the context, bases, n and configuration that it was prepared with.
 *  @param scalars, results as for sumac_msm()
 *  @return as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_run(sumac_call *call, const void *scalars,
                                                     size_t scalars_bytes, void *results,
                                                     size_t results_bytes);

/** Free a prepared call; null is allowed. If a run of it is still queued on a stream, that run is completed. */
SUMAC_API void sumac_call_destroy(sumac_call *call);

/* ---- One MSM over several processes: each computes a partial result, and one of them combines these ---- */

/** Return the bytes of a partial result of `batch` MSMs, which is a header with curve, group, batch and checksum, and then
 *  the points. Return 0 if the group is null, the batch is 0, or the number overflows a size_t. */
SUMAC_API size_t sumac_partial_bytes(const sumac_group *group, uint32_t batch);

/** Compute MSMs as sumac_msm() does, but write a partial result, which another process can combine with others.
 *  Example: examples/split.c.
 *  @param config as for sumac_msm(); result_form is ignored
 *  @param partial receives sumac_partial_bytes(group, batch) bytes, on the host; they are portable between machines
 *  @return as sumac_msm(), and SUMAC_NOT_SUPPORTED for results on a device */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_partial(sumac_context *context, const sumac_bases *bases,
                                                        const void *scalars, size_t scalars_bytes, size_t n,
                                                        const sumac_msm_config *config, void *partial,
                                                        size_t partial_bytes);

/** Add up partial results of the same group and batch. Example: examples/split.c.
 *  @param partials `count` pointers to partial results; if count is 0, all results are infinity
 *  @param partial_bytes the length of each partial result, at least sumac_partial_bytes(group, batch)
 *  @param batch the number of MSMs in each partial result, at least 1
 *  @param results `batch` raw canonical points; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (a batch of 0), SUMAC_BAD_LENGTH (too few bytes), SUMAC_BAD_FILE (not a partial
 *  result), SUMAC_BAD_CHECKSUM, SUMAC_MISMATCH (another group or batch), SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE,
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_partial_combine(sumac_context *context, const sumac_group *group,
                                                            const void *const *partials, size_t partial_bytes,
                                                            size_t count, uint32_t batch, void *results,
                                                            size_t results_bytes);

#ifdef __cplusplus
}
#endif
#endif
