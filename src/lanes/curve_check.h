/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests whether sixteen stored points at a time lie on the curve, which they do if y^2 = x^3 + b. Stored
 * coordinates have the factor R, and a (*) b = a*b/S, so that with one product by R both sides have the factor R^3/S^2:
 *   (y (*) y) (*) R = (x (*) x) (*) x + b*R^3/S^2
 */
#ifndef SUMAC_LANES_CURVE_CHECK_H
#define SUMAC_LANES_CURVE_CHECK_H

#include "lanes/fev_formulas.h"

/* These constants, the same in all lanes, are computed once for many points: R and b*R^3/S^2, below 2. */
typedef struct {
    fev stored_one, b;
} curve_lanes_numbers;

SUMAC_FN void curve_lanes_numbers_make(curve_lanes_numbers *r)
{
    lanes_constant(&r->stored_one, 0);
    fev_broadcast(&r->b, &curve_b);
    fev_mul(&r->b, &r->b, &r->stored_one);
    fev_mul_reduced(&r->b, &r->b, &r->stored_one);
}

/* Return the lanes whose points lie on the curve or are infinity. */
SUMAC_BIG_FN uint32_t curve_lanes(const affine *const points[FPV_LANES], const curve_lanes_numbers *numbers)
{
    affine_lanes loaded;
    fev left, right;
    lanes_load(&loaded, points, 0);
    fev_sqr(&left, &loaded.y);
    fev_sqr(&right, &loaded.x);
    fev_mul_reduced(&right, &right, &loaded.x);
    fev_add_operand(&right, &right, &numbers->b);
    fev_settle(&right, &right);
    return fev_product_equal_lanes(&left, &numbers->stored_one, &right) | affine_lanes_infinite(&loaded);
}

#endif
