/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_KZG_SETUP_FIT_H
#define SUMAC_KZG_SETUP_FIT_H

#include "kzg/setup_types.h"

/* Return SUMAC_BAD_FILE unless the points are those of one setup: they begin with the generators, each is s times
 * the one before, and the Lagrange points belong to the same s. A false setup passes with a probability of
 * 2^-240. */
sumac_status setup_check_fit(sumac_context *context, const sumac_kzg_setup *setup);

#endif
