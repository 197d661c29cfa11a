/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file recodes in lanes, eight scalars at a time. It supports a scalar_field of four to six limbs. */
#ifndef SUMAC_LANES_RECODE_H
#define SUMAC_LANES_RECODE_H

#include "math/recode_run.h"

/* Recode the first scalars of the run, and return how many were recoded. This is a multiple of 8. If r has fewer than
 * four or more than six limbs, it is 0. */
uint64_t sumac_avx512_recode(const recode_run *run);

#endif
