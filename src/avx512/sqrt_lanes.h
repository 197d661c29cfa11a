/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Square roots of sixteen elements at a time, where p = 3 mod 4: a^((p + 1)/4) by sliding windows of five
 * bits. */
#ifndef SUMAC_AVX512_SQRT_LANES_H
#define SUMAC_AVX512_SQRT_LANES_H

#include "avx512/combine.h"
#include "math/sqrt.h"

#if FE_DEGREE == 1 && FP_TWO_ADICITY == 1
#define SUMAC_SQRT_LANES

#define SQRT_WINDOW 5
#define SQRT_POWERS (1 << (SQRT_WINDOW - 1)) /* the odd ones */

/* r = a^((p - 3)/4), where fp_sqrt_exponent is that. In: an operand. */
SUMAC_BIG_FN void sqrt_lanes_power(fev *r, const fev *a)
{
    fev powers[SQRT_POWERS], square; /* powers[i] = a^(2*i + 1) */
    int place = 64 * FP_LIMBS - 1;
    int begun = 0;
    fev_copy(&powers[0], a);
    fev_sqr(&square, a);
    for (int i = 1; i < SQRT_POWERS; i++) {
        fev_mul(&powers[i], &powers[i - 1], &square);
    }
    while (place >= 0) {
        int end = place - SQRT_WINDOW + 1; /* the window's lowest bit */
        uint32_t window = 0;
        if (!fp_sqrt_exponent_bit(place)) {
            end = place;
        } else {
            while (!fp_sqrt_exponent_bit(end)) {
                end++;
            }
        }
        for (; place >= end; place--) {
            window = window << 1 | fp_sqrt_exponent_bit(place);
            if (begun) {
                fev_sqr(r, r);
            }
        }
        if (window != 0 && begun) {
            fev_mul(r, r, &powers[window >> 1]);
        } else if (window != 0) {
            fev_copy(r, &powers[window >> 1]);
            begun = 1;
        }
    }
}

/* roots[i] = a[i]^((p + 1)/4), a root of a[i] if it has one. roots may be a. */
SUMAC_BIG_FN void sqrt_lanes(fe roots[FPV_LANES], const fe a[FPV_LANES])
{
    fev factor, stored_one, base, power;
    affine_lanes pair;
    const affine *places[FPV_LANES];
    affine elements[FPV_LANES]; /* the element in x and in y */
    uint64_t limbs[FP_LIMBS][FPV_LANES];
    lanes_constant(&stored_one, 0);
    lanes_constant(&factor, 2);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        elements[lane].x = elements[lane].y = a[lane];
        places[lane] = &elements[lane];
    }
    lanes_load(&pair, places, 0);
    fev_mul(&base, &pair.x, &factor);
    sqrt_lanes_power(&power, &base);
    fev_mul(&power, &power, &base);
    fev_mul_settle(&power, &power, &stored_one);
    fev_canonical(&power, &power);
    lanes_to_limbs(limbs, &power);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        lane_coordinate(&roots[lane], limbs, lane);
    }
}

#endif

#endif
