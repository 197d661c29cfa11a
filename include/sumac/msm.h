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

typedef struct sumac_msm_config {
    size_t size;
    uint32_t reserved;    /**< 0 */
    uint32_t scalar_bits; /**< every scalar is less than 2^scalar_bits, which is checked, or made so with
                             cut_scalars; 0: any scalar of so many bytes */
    uint32_t batch;       /**< how many MSMs in this call, at least 1; 1 by default */
    uint32_t
        separate_bases; /**< 1: MSM j uses set k = j of n bases, [first + k*n, first + (k+1)*n), or k = j %
                             base_sets; 0: all use [first, first + n) */
    size_t first;       /**< the first base that is used */
    uint32_t scalar_form;
    uint32_t result_form;
    uint32_t scalars_location; /**< SUMAC_LOCATION_DEVICE: on a GPU only */
    uint32_t result_location;  /**< likewise */
    const char
        *tuning; /**< choices by hand, as experimental.h describes; null: none. Read by the call only */
    /** 1: only the lowest scalar_bits bits of each scalar are used, and no scalar is too large. They are the bits of
     *  the integer in the bytes, before it is reduced modulo r; in Montgomery form, those of the represented integer,
     *  which is less than r. With scalar_bits = 0 nothing is cut off. */
    uint32_t cut_scalars;
    uint32_t base_sets; /**< with separate_bases: so many sets of bases, which the MSMs use in turns; 0: one
                           for each MSM */
    /** MSMs of different lengths, for sumac_msm() and sumac_msm_partial(): batch + 1 non-decreasing numbers. MSM j
     *  has the scalars [offsets[j], offsets[j + 1]) and as many bases, at most n: [first, first + their number), or
     *  with separate_bases [first + offsets[j], first + offsets[j + 1]). An empty MSM gives infinity. Null: all have
     *  n scalars, one MSM after another.
     *
     *  Successive MSMs are computed together, like a batch, as long as the longest is at most twice the shortest or
     *  has at most 64 scalars; with separate_bases, and on several devices, as long as all have equal length. So put
     *  MSMs of similar length next to each other. No scalars are copied for this on the host. Offsets cannot be
     *  combined with base_sets. */
    const uint64_t *offsets;
    /** Bytes of each scalar, little-endian and contiguous, from 1 to the curve's number; 0: the curve's. Scalars are
     *  read, and copied to a GPU, in this size. Fewer bytes than the curve's require canonical form. scalar_bits = 0
     *  then means 8*scalar_bytes, or one less for signed scalars. */
    uint32_t scalar_bytes;
    /** 1: scalars are signed, two's complement: -k contributes k times the base's negative. With scalar_bits, they
     *  lie in [-2^scalar_bits, 2^scalar_bits), scalar_bits < 8*scalar_bytes. Not with Montgomery form or cut_scalars. */
    uint32_t scalar_signed;
} sumac_msm_config;

/** The amounts of the caller's memory that a call reads and writes. */
typedef struct sumac_msm_sizes {
    size_t size;
    size_t scalars;       /**< how many scalars: batch*n; with offsets, all before the last offset */
    size_t scalars_bytes; /**< of so many scalars, at scalar_bytes each */
    size_t results_bytes; /**< of batch raw affine points */
    size_t partial_bytes; /**< of a partial result, sumac_partial_bytes() */
    size_t bases;         /**< how many bases there must be at least, those before `first` counted */
} sumac_msm_sizes;

/** Compute the sizes of a call of sumac_msm(), sumac_msm_partial(), sumac_msm_prepare() or, with n = 0,
 *  sumac_partial_combine(), before its memory is allocated or compared with what a caller has.
 *  @param n, config as for the call; the numbers of config->offsets are read, and must be valid for the call
 *  @param offset_count the number of config->offsets; 0 if it is null
 *  @param sizes whose size is set; written only on success
 *  @param message the reason of a failure; "" on success; may be null
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (a batch of 0, offsets that decrease, more scalar_bytes than a scalar of the
 *  curve has), SUMAC_BAD_LENGTH (not batch + 1 offsets, an MSM of more than n scalars, or bytes that overflow a
 *  size_t), SUMAC_NOT_SUPPORTED (a struct of a newer header) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_measure(const sumac_group *group, size_t n,
                                                        const sumac_msm_config *config, size_t offset_count,
                                                        sumac_msm_sizes *sizes, sumac_message *message);

/** Compute batch MSMs of n bases and scalars each.
 *
 *  On a GPU with results on the device the call is queued if sumac_context_set_stream() has set a stream. Without a
 *  stream, a call with scalars or results on the device, and the creation of bases from there, follow the work on the
 *  device's default stream, as cudaMemcpy() does; work on streams that do not synchronize with that one must be complete.
 *
 *  @param scalars batch*n scalars, one MSM after another; with offsets, those that the offsets describe. On a GPU
 * they must be aligned to 8 bytes if scalar_bytes is 0 or a multiple of 8
 *  @param n bases and scalars of each MSM; 0 gives infinity. With offsets: the most that any MSM has
 *  @param config null for the defaults
 *  @param results batch raw affine points of point_bytes, on the host or on the device; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH (fewer bases than the call needs, or an MSM of more than n scalars),
 * SUMAC_SCALAR_TOO_LARGE, SUMAC_UNKNOWN_PLAN, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY, SUMAC_MEMORY_LIMIT,
 * SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases,
                                                const void *scalars, size_t n, const sumac_msm_config *config,
                                                void *results);

/** A prepared call: checked and planned, with its workspace allocated. It belongs to its context; the rule that one
 *  thread at a time uses the context includes it. */
typedef struct sumac_call sumac_call;

/**
 * Prepare a call of sumac_msm(), to be run repeatedly with different scalars: a run neither plans nor
 * allocates.
 *
 * Prepared calls of a context share its workspace, which is as large as the largest of them needs.
 *
 * @param context, bases  outlive the call
 * @param n               bases of each MSM
 * @param config          null: the defaults; copied
 * @param call            receives the call; end it with sumac_call_destroy()
 * @return as sumac_msm(), except for failures that depend on scalars and results
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
