/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Is a point of the curve in the subgroup of order r? The tests and why they are exact: define_subgroup_check
 * in tools/gen_curves.py, which chooses one of them for each curve. Infinity is in the subgroup.
 *
 * Bounds and aliasing as in field.h. The points must be on the curve.
 */
#ifndef SUMAC_MATH_SUBGROUP_H
#define SUMAC_MATH_SUBGROUP_H

#include "point.h"

SUMAC_CONST uint64_t subgroup_order[FR_LIMBS] = FR_MODULUS;

/* The general test: r*P = O. */
SUMAC_FN int subgroup_contains_by_order(const affine *a)
{
    xyzz multiple;
    xyzz_mul(&multiple, a, subgroup_order, FR_LIMBS);
    return xyzz_is_infinity(&multiple);
}

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI || CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI

SUMAC_CONST uint64_t subgroup_scalar[2] = CURVE_SUBGROUP_SCALAR;

/* 1 when a and b are the same point, b affine: X = x*ZZ and Y = y*ZZZ. */
SUMAC_FN int subgroup_is_same_point(const xyzz *a, const affine *b)
{
    fe x, y;
    if (xyzz_is_infinity(a) || affine_is_infinity(b)) {
        return xyzz_is_infinity(a) && affine_is_infinity(b);
    }
    fe_mul(&x, &b->x, &a->zz);
    fe_mul(&y, &b->y, &a->zzz);
    return fe_eq(&x, &a->x) && fe_eq(&y, &a->y);
}

/*
 * r = k*a for the constant k = subgroup_scalar, by its non-adjacent form: digits -1, 0 and 1 of which no two
 * neighbours are not 0. The doublings between two digits that are not 0 run in the cheaper Jacobian
 * coordinates.
 */
SUMAC_BIG_FN void subgroup_multiply(xyzz *r, const affine *a)
{
    signed char digits[130];
    uint32_t count = 0;
    for (sumac_u128 k = ((sumac_u128)subgroup_scalar[1] << 64) | subgroup_scalar[0]; k != 0; k >>= 1) {
        digits[count] = 0;
        if ((k & 3) == 1) {
            digits[count] = 1;
        } else if ((k & 3) == 3) {
            digits[count] = -1;
            k += 2; /* Its lowest bit leaves with the shift. */
            SUMAC_VERIFY_CHECK(k > 2);
        }
        count++;
    }
    affine minus_a;
    affine_neg(&minus_a, a);
    xyzz_from_affine(r, a);
    uint32_t doublings = 0;
    for (uint32_t i = count - 1; i-- > 0;) {
        doublings++;
        if (digits[i] != 0 || i == 0) {
            xyzz_double_times(r, r, doublings);
            doublings = 0;
        }
        if (digits[i] != 0) {
            xyzz_add_affine(r, r, digits[i] > 0 ? a : &minus_a);
        }
    }
}

#endif

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI

SUMAC_CONST fe subgroup_beta = CURVE_BETA;

/* phi(P) = (beta*x, y) = lambda*P. */
SUMAC_FN int subgroup_contains(const affine *a)
{
    xyzz multiple;
    subgroup_multiply(&multiple, a);
    affine image = *a;
    fe_mul(&image.x, &a->x, &subgroup_beta);
    return subgroup_is_same_point(&multiple, &image);
}

#elif CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI

SUMAC_CONST fe subgroup_psi_x = CURVE_PSI_X;
SUMAC_CONST fe subgroup_psi_y = CURVE_PSI_Y;

/* psi(P) = (PSI_X*conj(x), PSI_Y*conj(y)) = (t - 1)*P. */
SUMAC_FN int subgroup_contains(const affine *a)
{
    xyzz multiple;
    affine image;
    subgroup_multiply(&multiple, a);
    fp2_conjugate(&image.x, &a->x);
    fp2_conjugate(&image.y, &a->y);
    fe_mul(&image.x, &image.x, &subgroup_psi_x);
    fe_mul(&image.y, &image.y, &subgroup_psi_y);
    if (CURVE_SUBGROUP_SCALAR_NEGATIVE) {
        affine_neg(&image, &image);
    }
    return subgroup_is_same_point(&multiple, &image);
}

#elif CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_TRIVIAL

SUMAC_FN int subgroup_contains(const affine *a)
{
    (void)a;
    return 1;
}

#else

SUMAC_FN int subgroup_contains(const affine *a)
{
    return subgroup_contains_by_order(a);
}

#endif

#endif
