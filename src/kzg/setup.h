/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a trusted setup holds in memory. */
#ifndef SUMAC_KZG_SETUP_H
#define SUMAC_KZG_SETUP_H

#include "sumac/kzg.h"

struct sumac_kzg_setup {
    const sumac_curve *g1;
    sumac_bases *lagrange; /* in the bit-reversed order of a blob's elements */
};

#endif
