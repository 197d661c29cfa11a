/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file curve.h
 *  @brief The registry of curves and groups, and what lays out their points and scalars.
 */
#ifndef SUMAC_CURVE_H
#define SUMAC_CURVE_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A curve and group of the registry: an immutable constant that is never freed. */
typedef struct sumac_curve sumac_curve;

/** The properties of a curve that define the layout of its points and scalars. */
typedef struct sumac_curve_info {
    size_t size;
    const char *name;         /**< as "bls12-381" */
    const char *group;        /**< "g1" or "g2" */
    uint32_t field_bits;      /**< bits of p */
    uint32_t field_bytes;     /**< bytes of one element of Fp, 8*ceil(field_bits/64) */
    uint32_t degree;          /**< coordinates lie in Fp (1) or in Fp2 (2) */
    uint32_t scalar_bits;     /**< bits of r */
    uint32_t scalar_bytes;    /**< 8*ceil(scalar_bits/64) */
    uint32_t point_bytes;     /**< bytes of one raw affine point, 2*degree*field_bytes */
    uint32_t cofactor_is_one; /**< 1 if every point of the curve lies in the subgroup */
    uint32_t reserved;        /**< 0 */
    const uint64_t *modulus;  /**< p, field_bytes/8 little-endian words */
    const uint64_t *order;    /**< r, scalar_bytes/8 little-endian words */
} sumac_curve_info;

/** Return the number of curves and groups in the registry, and the one at an index (null past the end). */
SUMAC_API size_t sumac_curve_count(void);
SUMAC_API const sumac_curve *sumac_curve_at(size_t index);

/** Look a curve up by name and group ("bls12-381", "g1"); a null group means "g1". Case, hyphens and
 * underscores do not matter ("BLS12_381", "bls12381", "G1"), and "bn128" and "alt_bn128" are bn254.
 *  @return SUMAC_OK, SUMAC_UNKNOWN_CURVE or SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_curve_find(const char *name, const char *group,
                                                       const sumac_curve **curve);

/** Return the description of a curve, which is always valid. */
SUMAC_API const sumac_curve_info *sumac_curve_describe(const sumac_curve *curve);

/** Write the generator of the subgroup, point_bytes in raw layout, canonical. */
SUMAC_API void sumac_curve_generator(const sumac_curve *curve, void *point);

#ifdef __cplusplus
}
#endif
#endif
