/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file doubles and adds sixteen Jacobian points, with T = 2Y in place of Y, so that a doubling multiplies by no
 * constants except 2 and 3. Coordinates have the factor S, so that a (*) b = a*b/S is their product. Operations take
 * these products and squares. A difference a*b - c*d has one reduction, and counts as 1 1/2:
 *
 *                          doubling         + a point with Z = 1   a position: 4 doublings, 2 additions
 *   XYZZ                   6M + 3S          8M + 2S                56
 *   Jacobian with T        3M + 2S + 1.5    6M + 3S + 1.5          47
 *   projective, complete   6M + 2S          11M (and 2 by 3b)      54, without exceptions
 *
 * (The complete formulas are those of Renes, Costello and Batina, EUROCRYPT 2016, algorithms 8 and 9.)
 *
 * Bounds, as in fpv.h: X and T are below 2, Z is a product. A mask has the lanes that are infinity. If added points may
 * be equal or opposite, scalar code does all sixteen additions. Only one digit is compared for this.
 */
#ifndef SUMAC_LANES_JACOBIAN_H
#define SUMAC_LANES_JACOBIAN_H

#include "lanes/fev_formulas.h"

#define ALL_LANES ((UINT32_C(1) << FPV_LANES) - 1)

typedef struct {
    fev x, t, z;
    uint32_t infinite; /* these lanes are infinity, whatever the coordinates are */
} jacobian_lanes;

/* These constants are the same in all lanes: R, S, S*S/R, S/2, S*beta. */
typedef struct {
    fev stored_one, one, factor, half, beta;
} lanes_numbers;

SUMAC_FN void lanes_numbers_make(lanes_numbers *r)
{
    fe half;
    lanes_constant(&r->stored_one, 0);
    lanes_constant(&r->one, 1);
    lanes_constant(&r->factor, 2);
    fe_set_one(&half);
    fe_halve(&half, &half);
    fev_broadcast(&r->half, &half);
    fev_mul(&r->half, &r->half, &r->factor);
#if CURVE_HAS_GLV
    const fe beta = CURVE_BETA;
    fev_broadcast(&r->beta, &beta);
    fev_mul(&r->beta, &r->beta, &r->factor);
#endif
}

/* sum = 2*sum, for points whose order is not 2.
 *   V = T^2 | S = XV | M = 3X^2 | X3 = M^2 - 2S | T3 = 2M(S - X3) - V^2 | Z3 = TZ */
SUMAC_BIG_FN void jacobian_lanes_double(jacobian_lanes *sum)
{
    fev v, s, m, less;
    fev_sqr(&v, &sum->t);
    fev_mul(&sum->z, &sum->t, &sum->z);
    fev_mul_reduced(&s, &sum->x, &v);
    fev_times_operand(&m, &sum->x, 3);
    fev_mul(&m, &m, &sum->x); /* below 3 in Fp, below 4 in Fp2 */
    fev_twice_raw(&less, &s);
    fev_sqr_less(&sum->x, &m, &less, 5); /* (0 .. 2.75) - (0 .. 4) */
    fev_sub_twice(&less, &s, &sum->x);
    fev_mul_sub_sqr(&sum->t, &m, &less, &v);
}

#if FPV_IS_ROOMY

/*
 * sum = -2*sum, with looser bounds: X below 9, T and Z products. In: X of digits below 2^52, below 9; T and Z below 3.
 * Nothing is reduced, as the digits have bits to spare above p, and -T3 is a sum of products:
 *   V = T^2 | S = XV | M = 3X^2 | X3 = M^2 - 2S + 6p | B = 2(X3 - S + 3p) | T3 = MB + V^2 | Z3 = TZ
 * V, S and M/3 are below 3, so that M is below 9, B below 24, and MB + V^2 below 225*p^2.
 */
SUMAC_BIG_FN void jacobian_lanes_double_loose(jacobian_lanes *sum)
{
    SUMAC_VERIFY_CHECK(fpv_is_below(&sum->x.c[0], 9) && fpv_operand_is_below(&sum->t.c[0], 3));
    for (int i = 0; i < FPV_VECTORS; i++) {
        __m512i *const x = sum->x.c[0].d[i], *const t = sum->t.c[0].d[i], *const z = sum->z.c[0].d[i];
        __m512i columns[FPV_COLUMNS], v[FPV_DIGITS], s[FPV_DIGITS], m[FPV_DIGITS], b[FPV_DIGITS];
        __m512i *const result = columns + FPV_DIGITS;
        fpv_product(columns, t, z);
        fpv_columns_divide(columns);
        fpv_carry_operand(result);
        fpv_digits_copy(z, result);
        fpv_square(columns, t);
        fpv_columns_divide(columns);
        fpv_carry_operand(result);
        fpv_digits_copy(v, result);
        fpv_product(columns, x, v);
        fpv_columns_divide(columns);
        fpv_carry(result);
        fpv_digits_copy(s, result);
        fpv_square(columns, x);
        fpv_columns_divide(columns);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            m[j] = fpv_times(result[j], 3);
        }
        fpv_carry_operand(m);
        fpv_square(columns, m);
        fpv_columns_divide(columns);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            result[j] = _mm512_sub_epi64(_mm512_add_epi64(result[j], vec_broadcast(6 * fpv_modulus_digit(j))),
                                         _mm512_slli_epi64(s[j], 1));
        }
        fpv_carry(result);
        fpv_digits_copy(x, result);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            b[j] = _mm512_sub_epi64(_mm512_add_epi64(x[j], vec_broadcast(3 * fpv_modulus_digit(j))), s[j]);
            b[j] = _mm512_slli_epi64(b[j], 1);
        }
        fpv_carry_operand(b);
        fpv_square(columns, v);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            fpv_row(columns + j, b, m[j], 0);
        }
        fpv_columns_divide(columns);
        fpv_carry_operand(result);
        fpv_digits_copy(t, result);
    }
}

#endif

/* sum = 2^times * sum or its negative, for times > 0; returns 1 for the negative. X and T are below 2. The last doubling
 * is one that reduces. */
SUMAC_FN int jacobian_lanes_double_times(jacobian_lanes *sum, uint32_t times)
{
    for (uint32_t i = 1; i < times; i++) {
#if FPV_IS_ROOMY
        jacobian_lanes_double_loose(sum);
#else
        jacobian_lanes_double(sum);
#endif
    }
    jacobian_lanes_double(sum);
    return FPV_IS_ROOMY && times % 2 == 0;
}

/*
 * sum += (x, t), operands, Z = 1, except in the lanes that are `absent`. Returns 0, and leaves the sum, if the points of one
 * of the other lanes may be equal or opposite. *ratio becomes the factor that Z was multiplied by in the lanes that
 * are not infinity.
 *   H = x ZZ - X | r = t ZZZ - T | W = 2H | I = W^2 | J = HI | V = XI
 *   X3 = r^2 - J - 2V | T3 = 2r(V - X3) - 2TJ | Z3 = WZ
 * If some lanes keep their sum, the new sum is first written over terms that are no longer needed.
 */
SUMAC_BIG_FN int jacobian_lanes_add(jacobian_lanes *sum, const fev *x, const fev *t, uint32_t absent,
                                    const fev *one, fev *ratio)
{
    const uint32_t first = sum->infinite & ~absent;
    const uint32_t kept = absent | first;
    fev zz, h, r, i, j, v, less;
    fev *const x3 = kept == 0 ? &sum->x : &i, *const t3 = kept == 0 ? &sum->t : &h,
               *const z3 = kept == 0 ? &sum->z : &zz;
    fev_sqr(&zz, &sum->z);
    fev_mul_less(&h, x, &zz, &sum->x, FE_DEGREE == 2 ? 4 : 3); /* (-1/4 .. 3) - (0 .. 2) */
    if (SUMAC_UNLIKELY((fev_suspicious_lanes(&h) & ~kept & ALL_LANES) != 0)) {
        return 0;
    }
    fev_mul(&zz, &zz, &sum->z);
    fev_mul_less(&r, t, &zz, &sum->t, FE_DEGREE == 2 ? 4 : 3);
    fev_times_operand(ratio, &h, 2);
    fev_sqr(&i, ratio);
    fev_mul_reduced(&j, &h, &i);
    fev_mul_reduced(&v, &sum->x, &i);
    fev_mul(z3, &sum->z, ratio);
    fev_add_twice(&less, &j, &v);
    fev_sqr_less(x3, &r, &less, 3); /* (0 .. 3) - (0 .. 2) */
    fev_sub_twice(&less, &v, x3);
    fev_times_operand(&j, &j, 2);
    fev_mul_sub_mul(t3, &r, &less, &sum->t, &j);
    if (kept == 0) {
        return 1;
    }
    fev_cmov(&sum->x, x3, ~kept);
    fev_cmov(&sum->t, t3, ~kept);
    fev_cmov(&sum->z, z3, ~kept);
    if (first != 0) {
        fev_settle(&v, x);
        fev_cmov(&sum->x, &v, first);
        fev_settle(&v, t);
        fev_cmov(&sum->t, &v, first);
        fev_cmov(&sum->z, one, first);
    }
    sum->infinite &= absent;
    return 1;
}

/* ---- stored points ---- */

/* These are sixteen points in the coordinates in which points are stored, with the factor S. X and Y are below 2, and
 * ZZ and ZZZ are products. */
typedef struct {
    fev x, y, zz, zzz;
    uint32_t infinite; /* these lanes are infinity, whatever the coordinates are */
} xyzz_lanes;

SUMAC_LONG_FN void xyzz_lanes_load(xyzz_lanes *r, xyzz *const points[FPV_LANES], const lanes_numbers *numbers)
{
    const affine *numerators[FPV_LANES], *denominators[FPV_LANES];
    affine_lanes pair;
    r->infinite = 0;
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        const xyzz *point = points[lane];
        numerators[lane] = (const affine *)(const void *)&point->x; /* x and y, zz and zzz lie side by side */
        denominators[lane] = (const affine *)(const void *)&point->zz;
        r->infinite |= (uint32_t)xyzz_is_infinity(point) << lane;
    }
    lanes_load(&pair, numerators, 0);
    fev_mul_reduced(&r->x, &pair.x, &numbers->factor);
    fev_mul_reduced(&r->y, &pair.y, &numbers->factor);
    lanes_load(&pair, denominators, 0);
    fev_mul(&r->zz, &pair.x, &numbers->factor);
    fev_mul(&r->zzz, &pair.y, &numbers->factor);
}

/* Store the first `count` points. This is not inlined, so that its arrays do not lie on the stack while points are
 * computed. */
SUMAC_LONG_FN __attribute__((noinline)) void xyzz_lanes_store(xyzz *const points[FPV_LANES], uint32_t count,
                                                              const xyzz_lanes *a,
                                                              const lanes_numbers *numbers)
{
    const fev *const coordinates[4] = {&a->x, &a->y, &a->zz, &a->zzz};
    uint64_t limbs[4][FE_DEGREE * FP_LIMBS][FPV_LANES];
    for (int i = 0; i < 4; i++) {
        fev stored;
        fev_mul(&stored, coordinates[i], &numbers->stored_one);
        fev_settle(&stored, &stored);
        fev_canonical(&stored, &stored);
        lanes_to_limbs(limbs[i], &stored);
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        xyzz *const point = points[lane];
        lane_coordinate(&point->x, limbs[0], (int)lane);
        lane_coordinate(&point->y, limbs[1], (int)lane);
        lane_coordinate(&point->zz, limbs[2], (int)lane);
        lane_coordinate(&point->zzz, limbs[3], (int)lane);
        if ((a->infinite >> lane & 1) != 0) {
            xyzz_set_infinity(point);
        }
    }
}

/* Store sixteen points (x, t), below 2, with Z = 1. */
SUMAC_BIG_FN void jacobian_lanes_store_affine(affine points[FPV_LANES], const fev *x, const fev *t,
                                              const lanes_numbers *numbers)
{
    affine_lanes stored;
    affine *pointers[FPV_LANES];
    for (int lane = 0; lane < FPV_LANES; lane++) {
        pointers[lane] = &points[lane];
    }
    fev_mul_reduced(&stored.x, x, &numbers->stored_one);
    fev_mul(&stored.y, t, &numbers->half);
    fev_mul_reduced(&stored.y, &stored.y, &numbers->stored_one);
    lanes_store(pointers, &stored, FPV_LANES);
}

/* r = a, with z as its Z. */
SUMAC_BIG_FN void xyzz_lanes_from_jacobian(xyzz_lanes *r, const jacobian_lanes *a, const fev *z,
                                           const lanes_numbers *numbers)
{
    fev_copy(&r->x, &a->x);
    fev_mul_reduced(&r->y, &a->t, &numbers->half);
    fev_sqr(&r->zz, z);
    fev_mul(&r->zzz, &r->zz, z);
    r->infinite = a->infinite;
}

#endif
