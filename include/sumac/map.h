/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file map.h
 *  @brief RFC 9380's map of field elements to points, as EIP-2537 has it.
 */
#ifndef SUMAC_MAP_H
#define SUMAC_MAP_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Point i = clear_cofactor(map_to_curve(element i)) of RFC 9380, a point of the subgroup: what EIP-2537's
 * BLS12_MAP_FP_TO_G1 and BLS12_MAP_FP2_TO_G2 give, and encode_to_curve() of a message whose hash_to_field() is the
 * element. The sum of two such points is the hash_to_curve() of their elements, as clearing the cofactor is linear.
 *
 *  The map is the simplified SWU map of the curve's suite (SSWU). The context's threads share the elements, whatever its
 * backend is: points are computed on the CPU. Time depends on the elements.
 *  @param curve a group with a map here (both of bls12-381); else SUMAC_NOT_SUPPORTED
 *  @param elements n coordinates as raw points have them, canonical: degree * field_bytes bytes each; null is allowed for n = 0
 *  @param n any number; the call takes a raw and an affine point's memory for each
 *  @param raw_points n raw canonical points; written only on success, null is allowed for n = 0
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING with the index of the first element that is not below p in the message;
 * SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_map_to_group(sumac_context *context, const sumac_curve *curve,
                                                         const void *elements, size_t n, void *raw_points);

#ifdef __cplusplus
}
#endif

#endif
