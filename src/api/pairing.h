/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The pairing check within a call. */
#ifndef SUMAC_API_PAIRING_H
#define SUMAC_API_PAIRING_H

#include "sumac/pairing.h"

/* sumac_pairing_check(); or sumac_pairing_check_prepared() if `prepared` is not null. The curve is that of the points. */
sumac_status pairing_check(sumac_context *context, const sumac_curve *curve,
                           const sumac_pairing_points *prepared, const void *g1_points, const void *g2_points,
                           size_t n, sumac_check check, int *is_one);

#endif
