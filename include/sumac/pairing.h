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

/** Check if e(P_0, Q_0) * e(P_1, Q_1) * ... = 1, where e is the pairing of the curve's groups, P_i is in the first
 *  group and Q_i in the second. A pair with a point at infinity counts as 1, and so does a count of 0.
 *
 *  On every backend, the context's threads compute the pairings on the CPU. Many pairs in one call cost less than in
 *  several, because they share Miller loops and the final exponentiation. Checking a pair's points takes about half
 *  as long as its Miller loop; omit that for points that are known to lie in their subgroups, such as sums of such
 *  points.
 *  @param group the first or second group of a curve with a pairing here (bls12-381, bn254), of which this build has
 *  both groups; otherwise SUMAC_NOT_SUPPORTED
 *  @param g1_points the pairs' points of the first group, raw and canonical; may be null for none
 *  @param g2_points the pairs' points of the second group, raw and canonical; may be null for none
 *  @param count the number of pairs, at most 2^31; the call uses 6 * field_bytes bytes of memory for each pair
 *  @param check the check of all points; with less than SUMAC_CHECK_SUBGROUP, the answer for points outside their
 *  subgroups is meaningless
 *  @param ok 1 if the product is one, else 0; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_LENGTH; SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, with the index of the first bad
 *  pair and the group in the message; SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_check(sumac_context *context, const sumac_group *group,
                                                          const void *g1_points, size_t g1_points_bytes,
                                                          const void *g2_points, size_t g2_points_bytes,
                                                          size_t count, sumac_check check, int *ok);

/** Points of the second group prepared for many checks: the lines of their Miller loops, about 20 KB for each point
 *  (BLS12-381). A check with prepared points does no arithmetic in the second group. They belong to no context;
 *  checks in several threads may share them. */
typedef struct sumac_pairing_points sumac_pairing_points;

/** Prepare points of the second group.
 *  @param group as for sumac_pairing_check()
 *  @param g2_points `count` points of the second group, raw and canonical; not kept; may be null for none
 *  @param count at most 2^31
 *  @param check of all points, as for sumac_pairing_check()
 *  @param prepared to be freed with sumac_pairing_points_destroy(); null on failure
 *  @return as sumac_pairing_check() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_points_create(
    sumac_context *context, const sumac_group *group, const void *g2_points, size_t g2_points_bytes,
    size_t count, sumac_check check, sumac_pairing_points **prepared);

/** Free prepared points; null is allowed. */
SUMAC_API void sumac_pairing_points_destroy(sumac_pairing_points *prepared);

/** Check pairs as sumac_pairing_check() does. The first pairs use all prepared points of the second group, in their
 *  order.
 *  @param prepared at most `count` points, from a context of any variant
 *  @param g1_points all pairs' points of the first group, raw and canonical; may be null for none
 *  @param g2_points the remaining pairs' points of the second group, `count` minus the number of prepared ones; may be
 *  null if all are prepared
 *  @param count the number of all pairs
 *  @param check the check of all points except the prepared ones
 *  @param ok as for sumac_pairing_check()
 *  @return as sumac_pairing_check(); SUMAC_BAD_ARGUMENT also if `count` is less than the number of prepared points */
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_pairing_check_prepared(sumac_context *context, const sumac_pairing_points *prepared,
                             const void *g1_points, size_t g1_points_bytes, const void *g2_points,
                             size_t g2_points_bytes, size_t count, sumac_check check, int *ok);

#ifdef __cplusplus
}
#endif

#endif
