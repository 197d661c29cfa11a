/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file applies Horner's rule to the parts of sixteen MSMs at a time. It does combine's doublings and additions in
 * lanes, by the formulas of jacobian.h. If a doubled point may have order 2, or added points may be equal or opposite,
 * scalar code does all sixteen MSMs. Only one digit is compared for this; a false alarm has a probability of 2^-45.
 */
#ifndef SUMAC_LANES_COMBINE_H
#define SUMAC_LANES_COMBINE_H

#include "lanes/jacobian.h"

/* Load part `index` of each MSM as x and t = 2y with the factor S; *absent becomes the lanes whose part is infinity. If
 * a part is not affine, return 0. */
SUMAC_FN int parts_load(fev *x, fev *t, uint32_t *absent, const xyzz *const parts[FPV_LANES], uint64_t index,
                        const fev *factor, const fe *one)
{
    const affine *points[FPV_LANES];
    affine_lanes loaded;
    *absent = 0;
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        const xyzz *part = parts[lane] + index;
        points[lane] = (const affine *)(const void *)part; /* x and y come first */
        if (xyzz_is_infinity(part)) {
            *absent |= (uint32_t)1 << lane;
        } else if (!fe_eq(&part->zz, one) || !fe_eq(&part->zzz, one)) {
            return 0;
        }
    }
    lanes_load(&loaded, points, 0);
    fev_mul_reduced(x, &loaded.x, factor);
    fev_mul_reduced(t, &loaded.y, factor);
    fev_times_operand(t, t, 2);
    return 1;
}

/* Store the sums. This is not inlined, so that its arrays do not lie on the stack during the additions. */
SUMAC_LONG_FN __attribute__((noinline)) void sums_store(xyzz *sums, uint32_t msms, const jacobian_lanes *sum)
{
    lanes_numbers numbers;
    xyzz_lanes result;
    xyzz *results[FPV_LANES];
    for (uint32_t lane = 0; lane < msms; lane++) {
        results[lane] = &sums[lane];
    }
    lanes_numbers_make(&numbers);
    xyzz_lanes_from_jacobian(&result, sum, &sum->z, &numbers);
    xyzz_lanes_store(results, msms, &result, &numbers);
}

/*
 * For msms <= FPV_LANES MSMs, set sums[i] to the sum of 2^(c*j + l) * parts[i][j*count + l] over all j < modules and l
 * < count <= c. If scalar code must do this, write nothing and return 0.
 */
SUMAC_LONG_FN int lanes_combine(xyzz *sums, const xyzz *const parts[FPV_LANES], uint32_t msms,
                                uint32_t modules, uint32_t count, uint32_t c)
{
    jacobian_lanes sum;
    fev one, factor;
    fe scalar_one;
    fe_set_one(&scalar_one);
    lanes_constant(&one, 1);
    lanes_constant(&factor, 2);
    fev_set_zero(&sum.x);
    fev_set_zero(&sum.t);
    fev_set_zero(&sum.z);
    sum.infinite = ALL_LANES;
    for (uint32_t j = modules; j-- > 0;) {
        uint32_t position = c;
        for (uint32_t l = count; l-- > 0;) {
            fev x, t, ratio;
            uint32_t absent;
            if (!parts_load(&x, &t, &absent, parts, (uint64_t)j * count + l, &factor, &scalar_one)) {
                return 0;
            }
            for (; position > l && sum.infinite != ALL_LANES; position--) {
                if (SUMAC_UNLIKELY((fev_suspicious_lanes(&sum.t) & ~sum.infinite & ALL_LANES) != 0)) {
                    return 0;
                }
                jacobian_lanes_double(&sum);
            }
            position = l;
            if (absent != ALL_LANES && !jacobian_lanes_add(&sum, &x, &t, absent, &one, &ratio)) {
                return 0;
            }
        }
    }
    sums_store(sums, msms, &sum);
    return 1;
}

#endif
