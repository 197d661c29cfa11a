/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file group.h
 *  @brief The registry of groups: curves over Fp and Fp2, and the layout of their points and scalars.
 */
#ifndef SUMAC_GROUP_H
#define SUMAC_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A group of points on a curve, as the registry describes it. It is constant, lives as long as the library, and is never
 *  freed. Pass the pointers that the registry returns: a copy of this struct is not valid. */
typedef struct sumac_group {
    size_t size;              /**< bytes of this struct in the library */
    const char *curve;        /**< the name of the curve, such as "bls12-381" */
    const char *name;         /**< "g1" or "g2" */
    uint32_t field_bits;      /**< bits of p */
    uint32_t field_bytes;     /**< bytes of one element of Fp, 8*ceil(field_bits/64) */
    uint32_t degree;          /**< 1 if coordinates lie in Fp, 2 if they lie in Fp2 */
    uint32_t scalar_bits;     /**< bits of r */
    uint32_t scalar_bytes;    /**< 8*ceil(scalar_bits/64) */
    uint32_t point_bytes;     /**< bytes of one raw affine point, 2*degree*field_bytes */
    uint32_t cofactor_is_one; /**< 1 if every point of the curve lies in the subgroup */
    uint32_t reserved;        /**< 0 */
    const uint64_t *modulus;  /**< p, field_bytes/8 little-endian words */
    const uint64_t *order;    /**< r, scalar_bytes/8 little-endian words */
} sumac_group;

/** Return the number of groups in the registry; and the group at an index, which is null past the end. */
SUMAC_API size_t sumac_group_count(void);
SUMAC_API const sumac_group *sumac_group_at(size_t index);

/** Find a group by the names of its curve and of the group ("bls12-381", "g1"). If `name` is null, it means "g1". Case,
 *  hyphens and underscores do not matter ("BLS12_381", "bls12381", "G1"). "bn128" and "alt_bn128" mean bn254.
 *  @param group null on failure
 *  @return SUMAC_OK, SUMAC_UNKNOWN_CURVE or SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_group_find(const char *curve, const char *name,
                                                       const sumac_group **group);

/** Write the generator of the subgroup of order r.
 *  @param point receives group->point_bytes bytes, raw and canonical
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH (point_bytes is less), SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_group_generator(const sumac_group *group, void *point,
                                                            size_t point_bytes);

#ifdef __cplusplus
}
#endif
#endif
