/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* XYZZ points to affine ones, an inversion for many. */
#ifndef SUMAC_CPU_NORMALIZE_H
#define SUMAC_CPU_NORMALIZE_H

#include "math/point.h"

/* Points that share an inversion; their products lie on the stack. */
#define NORMALIZE_BLOCK 128

/* points[i] = sums[i] for count <= NORMALIZE_BLOCK points, one inversion: products[i] = zzz_0 * .. *
 * zzz_(i-1), infinity as 1. */
static void normalize_block(affine *points, const xyzz *sums, uint32_t count)
{
    fe products[NORMALIZE_BLOCK], inverse, denominator, zzz_inverse, z_inverse;
    fe_set_one(&inverse);
    for (uint32_t i = 0; i < count; i++) {
        products[i] = inverse;
        if (!xyzz_is_infinity(&sums[i])) {
            fe_mul(&inverse, &inverse, &sums[i].zzz);
        }
    }
    fe_inv(&inverse, &inverse);
    for (uint32_t i = count; i-- > 0;) {
        if (xyzz_is_infinity(&sums[i])) {
            affine_set_infinity(&points[i]);
            continue;
        }
        denominator = sums[i].zzz;
        fe_mul(&zzz_inverse, &inverse, &products[i]);
        fe_mul(&inverse, &inverse, &denominator);
        fe_mul(&z_inverse, &sums[i].zz, &zzz_inverse);
        fe_sqr(&z_inverse, &z_inverse);
        fe_mul(&points[i].x, &sums[i].x, &z_inverse);
        fe_mul(&points[i].y, &sums[i].y, &zzz_inverse);
    }
}

#endif
