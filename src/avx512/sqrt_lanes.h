/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Square roots of sixteen elements at a time, where p = 3 mod 4: a^((p + 1)/4) by windows of four bits. */
#ifndef SUMAC_AVX512_SQRT_LANES_H
#define SUMAC_AVX512_SQRT_LANES_H

#include "avx512/combine.h"
#include "math/sqrt.h"

#if FE_DEGREE == 1 && FP_TWO_ADICITY == 1
#define SUMAC_SQRT_LANES

/* roots[i] = a[i]^((p + 1)/4), a root of a[i] if it has one. roots may be a. */
SUMAC_BIG_FN void sqrt_lanes(fe roots[FPV_LANES], const fe a[FPV_LANES])
{
    enum { WINDOW = 4, POWERS = 1 << WINDOW };
    fev factor, stored_one, powers[POWERS], power;
    affine_lanes pair;
    const affine *places[FPV_LANES];
    affine elements[FPV_LANES]; /* the element in x and in y */
    uint64_t limbs[FP_LIMBS][FPV_LANES];
    lanes_constant(&stored_one, 0);
    lanes_constant(&powers[0], 1);
    lanes_constant(&factor, 2);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        elements[lane].x = elements[lane].y = a[lane];
        places[lane] = &elements[lane];
    }
    lanes_load(&pair, places, 0);
    fev_mul(&powers[1], &pair.x, &factor);
    for (int i = 2; i < POWERS; i++) {
        fev_mul(&powers[i], &powers[i - 1], &powers[1]);
    }
    /* a^((p - 3)/4), then once more a */
    fev_copy(&power, &powers[0]);
    for (int place = 64 * FP_LIMBS - WINDOW; place >= 0; place -= WINDOW) {
        const uint64_t digit = fp_sqrt_exponent[place / 64] >> (place % 64) & (POWERS - 1);
        for (int i = 0; i < WINDOW; i++) {
            fev_sqr(&power, &power);
        }
        fev_mul(&power, &power, &powers[digit]);
    }
    fev_mul(&power, &power, &powers[1]);
    fev_mul_settle(&power, &power, &stored_one);
    fev_canonical(&power, &power);
    lanes_to_limbs(limbs, &power);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        lane_coordinate(&roots[lane], limbs, lane);
    }
}

#endif

#endif
