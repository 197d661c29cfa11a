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

/** Create n bases with known discrete logarithms, B_i = (u_(i mod m) + v_(i div m))*G with u and v from `seed`, by
 *  one batched affine addition for each base. Tests and benchmarks of any size thus know their answer. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_bases_create(sumac_context *context,
                                                               const sumac_group *group, size_t n,
                                                               uint64_t seed,
                                                               const sumac_bases_config *config,
                                                               sumac_bases **bases);

/** Compute the discrete logarithms of sumac_known_bases_create(): n canonical scalars of scalar_bytes.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (n is more than 2^31, the most bases) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_logarithms(sumac_context *context, const sumac_group *group,
                                                             size_t n, uint64_t seed, void *logarithms);

/** Compute the answer to an MSM over bases with the given discrete logarithms: (sum of k_i*d_i mod r)*G, by one plain
 *  scalar multiplication that shares no code with the pipeline.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (n is more than 2^31), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_answer(sumac_context *context, const sumac_group *group,
                                                         const void *scalars, const void *logarithms,
                                                         size_t n, void *result);

#ifdef __cplusplus
}
#endif
#endif
