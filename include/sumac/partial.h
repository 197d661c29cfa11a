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

/** Return the size of a partial result of `batch` MSMs: a header with curve, group, batch and checksum, then the
 *  points. Return 0 if the curve is null, the batch is 0, or the size overflows a size_t. */
SUMAC_API size_t sumac_partial_bytes(const sumac_group *group, uint32_t batch);

/** Compute MSMs as sumac_msm() does, but write a partial result, which another process can combine with others.
 *  @param partial sumac_partial_bytes(curve, batch) bytes, portable between machines */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_partial(sumac_context *context, const sumac_bases *bases,
                                                        const void *scalars, size_t n,
                                                        const sumac_msm_config *config, void *partial);

/** Add up partial results of the same curve and batch.
 *  @param partials count pointers to sumac_partial_bytes(curve, batch) bytes each; count 0 gives infinity
 *  @param batch the number of MSMs in each partial result, at least 1
 *  @param results batch raw affine points, canonical
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (a batch of 0), SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM, SUMAC_MISMATCH,
 *  SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_partial_combine(sumac_context *context, const sumac_group *group,
                                                            const void *const *partials, size_t count,
                                                            uint32_t batch, void *results);

#ifdef __cplusplus
}
#endif
#endif
