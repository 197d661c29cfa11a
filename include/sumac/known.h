/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file known.h
 *  @brief Bases of known discrete logarithms, so that tests and benchmarks of any size know their answer.
 */
#ifndef SUMAC_KNOWN_H
#define SUMAC_KNOWN_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/bases.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Make n bases with known discrete logarithms: B_i = (u_(i mod m) + v_(i div m))*G, u and v from `seed`. One
 * batched affine addition a base, so that tests and benchmarks of any size know their answer. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_bases_create(sumac_context *context,
                                                               const sumac_curve *curve, size_t n,
                                                               uint64_t seed,
                                                               const sumac_bases_config *config,
                                                               sumac_bases **bases);

/** The discrete logarithms of sumac_known_bases_create(): n scalars of scalar_bytes, canonical; as many as there can
 * be bases.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (n is more than 2^31) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_logarithms(sumac_context *context, const sumac_curve *curve,
                                                             size_t n, uint64_t seed, void *logarithms);

/** The answer to an MSM over bases with the given discrete logarithms: (sum of k_i*d_i mod r)*G, by one plain
 * scalar multiplication that shares nothing with the pipeline.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (n is more than 2^31), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_answer(sumac_context *context, const sumac_curve *curve,
                                                         const void *scalars, const void *logarithms,
                                                         size_t n, void *result);

#ifdef __cplusplus
}
#endif
#endif
