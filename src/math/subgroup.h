/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests whether a point of the curve lies in the subgroup of order r, in which infinity lies.
 * define_subgroup_check in tools/gen_curves.py says why the tests are exact, and chooses one of them for each curve.
 *
 * Bounds and aliasing are as in field.h. The points must be on the curve.
 */
#ifndef SUMAC_MATH_SUBGROUP_H
#define SUMAC_MATH_SUBGROUP_H

#include "point.h"

SUMAC_CONST uint64_t subgroup_order[FR_LIMBS] = FR_MODULUS;

/* This is the general test, r*P = O. */
SUMAC_FN int subgroup_contains_by_order(const affine *a)
{
    xyzz multiple;
    xyzz_mul(&multiple, a, subgroup_order, FR_LIMBS);
    return xyzz_is_infinity(&multiple);
}

#define SUBGROUP_HAS_PSI                                                                                     \
    (CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI || CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI_SUM)
/* The test is that k*Q is an image of P, for a short k and for Q = P or another image. */
#define SUBGROUP_HAS_SCALAR (CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI || SUBGROUP_HAS_PSI)

#if SUBGROUP_HAS_SCALAR

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI
SUMAC_CONST uint64_t subgroup_scalar[2] = CURVE_SUBGROUP_ROOT;
#else
SUMAC_CONST uint64_t subgroup_scalar[2] = CURVE_SUBGROUP_SCALAR;
#endif

/* Return 1 if a and the affine b are the same point, which means that X = x*ZZ and Y = y*ZZZ. */
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

/* subgroup_scalar has at most this many digits. */
#define SUBGROUP_DIGITS 130

/* Write the non-adjacent form of the constant k = scalar, the lowest digit first; return the number of digits. The digits
 * are -1, 0 and 1. Of two neighbouring digits at least one is 0. The highest digit is 1. */
SUMAC_FN uint32_t subgroup_scalar_digits(signed char digits[SUBGROUP_DIGITS], const uint64_t scalar[2])
{
    uint32_t count = 0;
    for (sumac_u128 k = ((sumac_u128)scalar[1] << 64) | scalar[0]; k != 0; k >>= 1) {
        digits[count] = 0;
        if ((k & 3) == 1) {
            digits[count] = 1;
        } else if ((k & 3) == 3) {
            digits[count] = -1;
            k += 2; /* its lowest bit leaves with the shift */
            SUMAC_VERIFY_CHECK(k > 2);
        }
        count++;
    }
    return count;
}

/* r = scalar*a. The doublings between two digits that are not 0 run in the cheaper Jacobian coordinates. */
SUMAC_BIG_FN void subgroup_multiply(xyzz *r, const affine *a, const uint64_t scalar[2])
{
    signed char digits[SUBGROUP_DIGITS];
    const uint32_t count = subgroup_scalar_digits(digits, scalar);
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

/* Do as subgroup_multiply() for an `a` in XYZZ coordinates. On y^2 = x^3 + b*Z^6, which is isomorphic to the curve and whose b no
 * formula reads, a = (X, Y, ZZ, ZZZ) is the affine (X, Y). */
SUMAC_BIG_FN void subgroup_multiply_xyzz(xyzz *r, const xyzz *a, const uint64_t scalar[2])
{
    const affine isomorphic = {a->x, a->y};
    const fe zz = a->zz, zzz = a->zzz;
    if (xyzz_is_infinity(a)) {
        *r = *a;
        return;
    }
    subgroup_multiply(r, &isomorphic, scalar);
    fe_mul(&r->zz, &r->zz, &zz);
    fe_mul(&r->zzz, &r->zzz, &zzz);
}

#endif

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI

SUMAC_CONST fe subgroup_beta = CURVE_BETA;

/* r = -phi^2(P) = (beta^2*x, -y), which is (lambda + 1)*P for points of the subgroup, because phi^2 + phi + 1 = 0 on the
 * curve and phi(P) = lambda*P there. lambda + 1 is the square of subgroup_scalar, which has few digits that are not 0. */
SUMAC_FN void subgroup_endomorphism(affine *r, const affine *a)
{
    fe_mul(&r->x, &a->x, &subgroup_beta);
    fe_mul(&r->x, &r->x, &subgroup_beta);
    fe_neg(&r->y, &a->y);
}

#elif SUBGROUP_HAS_PSI

SUMAC_CONST fe subgroup_psi_x = CURVE_PSI_X;
SUMAC_CONST fe subgroup_psi_y = CURVE_PSI_Y;

/* r = psi(P) = (PSI_X*conj(x), PSI_Y*conj(y)), which is (t - 1)*P for points of the subgroup. */
SUMAC_FN void subgroup_psi(affine *r, const affine *a)
{
    fp2_conjugate(&r->x, &a->x);
    fp2_conjugate(&r->y, &a->y);
    fe_mul(&r->x, &r->x, &subgroup_psi_x);
    fe_mul(&r->y, &r->y, &subgroup_psi_y);
}

#endif

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI

/* For points of the subgroup r is k*P, where k = |t - 1|. */
SUMAC_FN void subgroup_endomorphism(affine *r, const affine *a)
{
    subgroup_psi(r, a);
    if (CURVE_SUBGROUP_SCALAR_NEGATIVE) {
        affine_neg(r, r);
    }
}

#elif CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI_SUM

/* Compute -psi^3(P), psi^2(P) and psi(P), which make up Q = P + psi(P) + psi^2(P) - 2*psi^3(P). */
SUMAC_FN void subgroup_psi_powers(affine powers[3], const affine *a)
{
    subgroup_psi(&powers[2], a);
    subgroup_psi(&powers[1], &powers[2]);
    subgroup_psi(&powers[0], &powers[1]);
    affine_neg(&powers[0], &powers[0]);
}

#endif

#if SUBGROUP_HAS_SCALAR

/* The test multiplies this many times by subgroup_scalar. */
#define SUBGROUP_PASSES (CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI ? 2 : 1)

/* r = P, or the sum Q. */
SUMAC_FN void subgroup_begin(xyzz *r, const affine *a)
{
#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI_SUM
    affine powers[3];
    subgroup_psi_powers(powers, a);
    xyzz_double_affine(r, &powers[0]);
    xyzz_add_affine(r, r, &powers[1]);
    xyzz_add_affine(r, r, &powers[2]);
    xyzz_add_affine(r, r, a);
#else
    xyzz_from_affine(r, a);
#endif
}

/* Return 1 if the multiple of what subgroup_begin() gives is the image of P = a. */
SUMAC_FN int subgroup_end(const xyzz *multiple, const affine *a)
{
    affine image;
#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI_SUM
    affine_neg(&image, a);
#else
    subgroup_endomorphism(&image, a);
#endif
    return subgroup_is_same_point(multiple, &image);
}

#endif

SUMAC_FN int subgroup_contains(const affine *a)
{
#if SUBGROUP_HAS_SCALAR
    xyzz multiple;
    subgroup_begin(&multiple, a);
    for (int pass = 0; pass < SUBGROUP_PASSES; pass++) {
        subgroup_multiply_xyzz(&multiple, &multiple, subgroup_scalar);
    }
    return subgroup_end(&multiple, a);
#elif CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_TRIVIAL
    (void)a;
    return 1;
#else
    return subgroup_contains_by_order(a);
#endif
}

#endif
