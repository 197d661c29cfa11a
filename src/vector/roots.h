/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Indices in the table of roots that vector.h describes. */
#ifndef SUMAC_VECTOR_ROOTS_H
#define SUMAC_VECTOR_ROOTS_H

#include "math/limbs.h"

/* 1/roots[block] is -roots[inverse_root(block)], except that roots[0] is 1 and its own inverse. */
SUMAC_FN uint64_t inverse_root(uint64_t block)
{
    if (block == 0) {
        return 0;
    }
    const uint64_t power = UINT64_C(1) << (63 - limb_leading_zeros(block));
    return 3 * power - 1 - block;
}

#endif
