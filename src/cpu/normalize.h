/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* normalize_block() converts XYZZ points to affine ones by one shared inversion. */
#ifndef SUMAC_CPU_NORMALIZE_H
#define SUMAC_CPU_NORMALIZE_H

#include "math/point.h"

/* This many points, which lie on the stack, share an inversion. With large coordinates they are fewer, so that they take
 * at most 32 KiB. */
#define NORMALIZE_BLOCK (sizeof(fe) > 64 ? 80 : 128)

/* Set points[i] to sums[i] for `count` points, by one inversion. Before the inversion points[i].x has the product zzz_0
 * * .. * zzz_(i-1), with 1 for infinity. Therefore `points` must not overlap `sums`. */
static void normalize_block(affine *points, const xyzz *sums, uint32_t count)
{
    fe inverse, denominator, zzz_inverse, z_inverse;
    fe_set_one(&inverse);
    for (uint32_t i = 0; i < count; i++) {
        points[i].x = inverse;
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
        fe_mul(&zzz_inverse, &inverse, &points[i].x);
        fe_mul(&inverse, &inverse, &denominator);
        fe_mul(&z_inverse, &sums[i].zz, &zzz_inverse);
        fe_sqr(&z_inverse, &z_inverse);
        fe_mul(&points[i].x, &sums[i].x, &z_inverse);
        fe_mul(&points[i].y, &sums[i].y, &zzz_inverse);
    }
}

#endif
