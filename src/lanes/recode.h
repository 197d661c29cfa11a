/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* recode in lanes: a scalar_field of four to six limbs, eight scalars at a time. */
#ifndef SUMAC_LANES_RECODE_H
#define SUMAC_LANES_RECODE_H

#include "math/recode_run.h"

/* Recode the first scalars of the run, and return their number: a multiple of 8, or 0 if r has fewer than four or more
 * than six limbs. */
uint64_t sumac_avx512_recode(const recode_run *run);

#endif
