/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* pairing_check() checks pairings as a part of a call. */
#ifndef SUMAC_API_PAIRING_H
#define SUMAC_API_PAIRING_H

#include "sumac/pairing.h"

/* Do the work of sumac_pairing_check() or, if `prepared` is not null, of sumac_pairing_check_prepared(). `group` is a
 * group of the points' curve. */
sumac_status pairing_check(sumac_context *context, const sumac_group *group,
                           const sumac_pairing_points *prepared, const void *g1_points, const void *g2_points,
                           size_t n, sumac_check check, int *ok);

#endif
