/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* recode in lanes: a scalar_field of four to six limbs, eight scalars at a time. */
#ifndef SUMAC_LANES_RECODE_H
#define SUMAC_LANES_RECODE_H

#include "math/recode_run.h"

/* Recodes the first scalars of the run and returns how many: a multiple of 8, or 0 where r has fewer or
 * more limbs. */
uint64_t sumac_avx512_recode(const recode_run *run);

#endif
