/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file pairing.h
 *  @brief The optimal ate pairing of a curve's groups, as verifiers use it: is a product of pairings one?
 */
#ifndef SUMAC_PAIRING_H
#define SUMAC_PAIRING_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether e(P_0, Q_0) * ... * e(P_(n-1), Q_(n-1)) = 1: Miller loops together, one final exponentiation. A
 * pair with a point at infinity counts as 1, and so does n = 0.
 *  @param curve the first or the second group of a curve with a pairing here (bls12-381, bn254); else
 *  SUMAC_NOT_SUPPORTED
 *  @param g1_points n points of the first group, raw
 *  @param g2_points n points of the second group, raw
 *  @param check of all points; with less than SUMAC_CHECK_SUBGROUP the answer for points outside their
 *  subgroups means nothing
 *  @param is_one 1 or 0; written only on success
 *  @return SUMAC_OK, or with the index of the first bad pair in the message SUMAC_BAD_ENCODING,
 *  SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP; SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_check(sumac_context *context, const sumac_curve *curve,
                                                          const void *g1_points, const void *g2_points,
                                                          size_t n, sumac_check check, int *is_one);

#ifdef __cplusplus
}
#endif

#endif
