/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file map.h
 *  @brief RFC 9380's map of field elements to points, as EIP-2537 uses it.
 */
#ifndef SUMAC_MAP_H
#define SUMAC_MAP_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Map elements to points of the subgroup: point i is clear_cofactor(map_to_curve(element i)) of RFC 9380. This is
 *  EIP-2537's BLS12_MAP_FP_TO_G1 and BLS12_MAP_FP2_TO_G2. It is also encode_to_curve() of a message whose hash_to_field() is
 *  the element. Because clearing the cofactor is linear, the sum of two such points is hash_to_curve() of a message whose
 *  hash_to_field() gives both elements.
 *
 *  The map is the simplified SWU map of the curve's suite (SSWU). On every backend, the context's threads compute the
 *  points on the CPU. The time depends on the elements.
 *  @param group a group of bls12-381; otherwise SUMAC_NOT_SUPPORTED
 *  @param elements `count` canonical coordinates in raw layout, of degree * field_bytes bytes each; may be null if count is 0
 *  @param count any number; for each element the call uses the memory of a raw and an affine point
 *  @param points `count` raw canonical points; written only on success; may be null if count is 0
 *  @return SUMAC_OK; SUMAC_BAD_LENGTH; SUMAC_BAD_ENCODING, with the index of the first element that is not less than p in
 *  the message; SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_map_to_group(sumac_context *context, const sumac_group *group,
                                                         const void *elements, size_t elements_bytes,
                                                         size_t count, void *points, size_t points_bytes);

#ifdef __cplusplus
}
#endif

#endif
