/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file partial.h
 *  @brief One multi-scalar multiplication over several processes: results that are combined.
 */
#ifndef SUMAC_PARTIAL_H
#define SUMAC_PARTIAL_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/msm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a partial result of `batch` MSMs: a header with curve, group, batch and checksum, then the
 * points. 0 if the curve is null, or if there is no partial result of so many MSMs: of none, or of more than a size_t
 * counts bytes. */
SUMAC_API size_t sumac_partial_bytes(const sumac_curve *curve, uint32_t batch);

/** As sumac_msm(), but the result is a partial result that another process can combine with its fellows.
 *  @param partial sumac_partial_bytes(curve, batch) bytes, portable between machines */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_partial(sumac_context *context, const sumac_bases *bases,
                                                        const void *scalars, size_t n,
                                                        const sumac_msm_config *config, void *partial);

/** Add partial results of the same curve and batch up.
 *  @param partials count pointers to sumac_partial_bytes(curve, batch) bytes each; count 0 gives infinity
 *  @param batch    how many MSMs each partial result has, at least 1
 *  @param results batch raw affine points, canonical
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (a batch of 0), SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM, SUMAC_MISMATCH, SUMAC_BAD_ENCODING,
 * SUMAC_NOT_ON_CURVE */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_partial_combine(sumac_context *context, const sumac_curve *curve,
                                                            const void *const *partials, size_t count,
                                                            uint32_t batch, void *results);

#ifdef __cplusplus
}
#endif
#endif
