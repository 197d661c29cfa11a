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

/** Whether e(P_0, Q_0) * ... * e(P_(n-1), Q_(n-1)) = 1, where e is the pairing of the curve's groups: of P_i
 * in the first, Q_i in the second. A pair with a point at infinity counts as 1, and so does n = 0.
 *
 *  The context's threads share the pairs, whatever its backend is: pairings are computed on the CPU. Many
 * pairs in one call cost less than in several: Miller loops together, one final exponentiation. The check of
 * a pair's points takes about half as long as its Miller loop; it may be left out for points that are known
 * to lie in their subgroups, as sums of such points do.
 *  @param curve the first or the second group of a curve with a pairing here (bls12-381, bn254), of which
 * this build has both groups; else SUMAC_NOT_SUPPORTED
 *  @param g1_points n points of the first group, raw and canonical; null is allowed for n = 0
 *  @param g2_points n points of the second group, raw and canonical; null is allowed for n = 0
 *  @param n at most 2^31; the call takes 6 * field_bytes bytes of memory for each pair
 *  @param check of all points; with less than SUMAC_CHECK_SUBGROUP the answer for points outside their
 *  subgroups means nothing
 *  @param is_one 1 or 0; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, with the index of the
 * first bad pair and the group in the message; SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY
 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_check(sumac_context *context, const sumac_curve *curve,
                                                          const void *g1_points, const void *g2_points,
                                                          size_t n, sumac_check check, int *is_one);

/** Points of the second group made ready for many checks: the lines of their Miller loops, about 20 KB a
 * point (BLS12-381). A check with prepared points does no arithmetic in the second group. Belongs to no
 * context; checks in several threads may share it. */
typedef struct sumac_pairing_points sumac_pairing_points;

/** Prepare n points of the second group.
 *  @param curve as for sumac_pairing_check()
 *  @param g2_points n points of the second group, raw and canonical; not kept; null is allowed for n = 0
 *  @param n at most 2^31
 *  @param check of all points, as for sumac_pairing_check()
 *  @param prepared written only on success; the caller destroys it
 *  @return as sumac_pairing_check() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_points_create(sumac_context *context,
                                                                  const sumac_curve *curve,
                                                                  const void *g2_points, size_t n,
                                                                  sumac_check check,
                                                                  sumac_pairing_points **prepared);

/** Free prepared points; null is allowed. */
SUMAC_API void sumac_pairing_points_destroy(sumac_pairing_points *prepared);

/** sumac_pairing_check() of n pairs whose first points of the second group, all of `prepared` in their order,
 * are prepared.
 *  @param prepared of a context of any variant; at most n points
 *  @param g1_points n points of the first group, raw and canonical; null is allowed for n = 0
 *  @param g2_points the other pairs' points of the second group, n less than the prepared ones; null is
 *  allowed where all are prepared
 *  @param n the pairs' number, of the prepared points and of others
 *  @param check of all points but the prepared ones
 *  @param is_one 1 or 0; written only on success
 *  @return as sumac_pairing_check(); SUMAC_BAD_ARGUMENT also where n is less than the prepared points */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_check_prepared(sumac_context *context,
                                                                   const sumac_pairing_points *prepared,
                                                                   const void *g1_points,
                                                                   const void *g2_points, size_t n,
                                                                   sumac_check check, int *is_one);

#ifdef __cplusplus
}
#endif

#endif
