/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file pairing.h
 *  @brief The optimal ate pairing of a curve's groups, as verifiers use it: check if a product of pairings is one.
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
 *  several calls, because they have Miller loops and the final exponentiation in common. Checking a pair's points takes
 *  about half as long as its Miller loop. Use SUMAC_CHECK_NONE for points that are known to lie in their subgroups, such as
 *  sums of such points. Example: examples/pairing.c.
 *  @param group the first or second group of bls12-377, bls12-381, bn254 or bw6-761. If another curve is given, or this
 *  build has only one of the curve's groups, the call is refused with SUMAC_NOT_SUPPORTED
 *  @param g1_points the pairs' points of the first group, raw and canonical; may be null if count is 0
 *  @param g2_points the pairs' points of the second group, raw and canonical; may be null if count is 0
 *  @param count the number of pairs, at most 2^31, otherwise SUMAC_NOT_SUPPORTED. The call uses at most 6 *
 *  field_bytes bytes of memory for each pair
 *  @param check how far all points are checked; by default SUMAC_CHECK_SUBGROUP. With a weaker check, the answer for points
 *  outside their subgroups is meaningless
 *  @param ok 1 if the product is one, otherwise 0; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_LENGTH; SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, with the index of the
 *  first bad pair and the group in the message; SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_check(sumac_context *context, const sumac_group *group,
                                                          const void *g1_points, size_t g1_points_bytes,
                                                          const void *g2_points, size_t g2_points_bytes,
                                                          size_t count, sumac_check check, int *ok);

/** Points of the second group that are prepared for many checks: the lines of their Miller loops, about 20 KB for each
 *  point of BLS12-381. A check does no arithmetic in the second group for prepared points. They belong to no context, and
 *  several threads may use them at once. */
typedef struct sumac_pairing_points sumac_pairing_points;

/** Prepare points of the second group.
 *  @param group as for sumac_pairing_check()
 *  @param g2_points `count` points of the second group, raw and canonical; not kept; may be null if count is 0
 *  @param count at most 2^31, otherwise SUMAC_NOT_SUPPORTED
 *  @param check how far all points are checked, as for sumac_pairing_check()
 *  @param prepared the prepared points, to be freed with sumac_pairing_points_destroy(); null on failure
 *  @return as sumac_pairing_check() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_points_create(
    sumac_context *context, const sumac_group *group, const void *g2_points, size_t g2_points_bytes,
    size_t count, sumac_check check, sumac_pairing_points **prepared);

/** Free prepared points; null is allowed. No call that uses them may be running. */
SUMAC_API void sumac_pairing_points_destroy(sumac_pairing_points *prepared);

/** Check pairs as sumac_pairing_check() does. The first pairs use all prepared points of the second group, in their
 *  order.
 *  @param prepared at most `count` points, which a context of any backend and variant prepared
 *  @param g1_points all pairs' points of the first group, raw and canonical; may be null if count is 0
 *  @param g2_points the remaining pairs' points of the second group, `count` minus the number of prepared ones; may be
 *  null if all are prepared
 *  @param count the number of all pairs
 *  @param check how far all points except the prepared ones are checked
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
