/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has Fp6 = Fp2[v] / (v^3 - xi), whose elements are c0 + c1 * v + c2 * v^2, for the curves whose pairings the
 * library computes. There xi = CURVE_PAIRING_XI + u. docs/internals/pairing.md has the tower.
 *
 * Bounds and aliasing are as in field.h: every coordinate is reduced, before and after, and r may alias the operands.
 * The costs at the formulas are numbers of multiplications (M) and squarings (S) of Fp2. Additions are not counted, and
 * neither are multiplications by xi, which are a few additions each.
 */
#ifndef SUMAC_MATH_FP6_H
#define SUMAC_MATH_FP6_H

#include "fp2.h"

SUMAC_STATIC_ASSERT(CURVE_PAIRING_XI == 0 || ((CURVE_PAIRING_XI - 1) & (CURVE_PAIRING_XI - 2)) == 0,
                    "xi is u, 1 + u, or 2^k + 1 + u");

typedef struct {
    fp2 c0, c1, c2;
} fp6;

/* r = s + u * a = (s0 - FP2_BETA * a1) + (s1 + a0) * u. */
SUMAC_FN void fp2_add_u_times(fp2 *r, const fp2 *s, const fp2 *a)
{
    const fp a0 = a->c0;
    fp multiple;
    fp2_beta_times(&multiple, &a->c1);
    fp_sub(&r->c0, &s->c0, &multiple);
    fp_add(&r->c1, &s->c1, &a0);
}

/* r = s + (xi - 1) * a, and xi - 1 = (CURVE_PAIRING_XI - 1) + u. */
SUMAC_FN void fp2_add_xi_less_one(fp2 *r, const fp2 *s, const fp2 *a)
{
    fp2 sum = *s;
#if CURVE_PAIRING_XI == 0
    fp2_sub(&sum, s, a);
#elif CURVE_PAIRING_XI > 1
    fp2 multiple = *a;
    SUMAC_UNROLL
    for (unsigned factor = 1; factor < CURVE_PAIRING_XI - 1; factor *= 2) {
        fp2_double(&multiple, &multiple);
    }
    fp2_add(&sum, s, &multiple);
#endif
    fp2_add_u_times(r, &sum, a);
}

/* r = xi * a. */
SUMAC_FN void fp2_mul_xi(fp2 *r, const fp2 *a)
{
#if CURVE_PAIRING_XI == 0
    fp2 zero;
    fp2_set_zero(&zero);
    fp2_add_u_times(r, &zero, a);
#else
    fp2_add_xi_less_one(r, a, a);
#endif
}

/* r = a * b for b in Fp. This costs two multiplications of Fp. */
SUMAC_FN void fp2_mul_fp(fp2 *r, const fp2 *a, const fp *b)
{
    const fp factor = *b;
    fp_mul(&r->c0, &a->c0, &factor);
    fp_mul(&r->c1, &a->c1, &factor);
}

SUMAC_FN void fp6_set_zero(fp6 *r)
{
    fp2_set_zero(&r->c0);
    fp2_set_zero(&r->c1);
    fp2_set_zero(&r->c2);
}

SUMAC_FN void fp6_set_one(fp6 *r)
{
    fp6_set_zero(r);
    fp2_set_one(&r->c0);
}

SUMAC_FN int fp6_eq(const fp6 *a, const fp6 *b)
{
    return fp2_eq(&a->c0, &b->c0) && fp2_eq(&a->c1, &b->c1) && fp2_eq(&a->c2, &b->c2);
}

SUMAC_FN void fp6_add(fp6 *r, const fp6 *a, const fp6 *b)
{
    fp2_add(&r->c0, &a->c0, &b->c0);
    fp2_add(&r->c1, &a->c1, &b->c1);
    fp2_add(&r->c2, &a->c2, &b->c2);
}

SUMAC_FN void fp6_sub(fp6 *r, const fp6 *a, const fp6 *b)
{
    fp2_sub(&r->c0, &a->c0, &b->c0);
    fp2_sub(&r->c1, &a->c1, &b->c1);
    fp2_sub(&r->c2, &a->c2, &b->c2);
}

SUMAC_FN void fp6_neg(fp6 *r, const fp6 *a)
{
    fp2_neg(&r->c0, &a->c0);
    fp2_neg(&r->c1, &a->c1);
    fp2_neg(&r->c2, &a->c2);
}

/* r = v * a = xi * a2 + a0 * v + a1 * v^2. */
SUMAC_FN void fp6_mul_v(fp6 *r, const fp6 *a)
{
    fp2 c0;
    fp2_mul_xi(&c0, &a->c2);
    r->c2 = a->c1;
    r->c1 = a->c0;
    r->c0 = c0;
}

/* r = a0 * b1 + a1 * b0, where low = a0 * b0 and high = a1 * b1 are known (Karatsuba). This costs 1M. */
SUMAC_FN void fp2_cross_product(fp2 *r, const fp2 *a0, const fp2 *a1, const fp2 *b0, const fp2 *b1,
                                const fp2 *low, const fp2 *high)
{
    fp2 left, right;
    fp2_add(&left, a0, a1);
    fp2_add(&right, b0, b1);
    fp2_mul(&left, &left, &right);
    fp2_sub(&left, &left, low);
    fp2_sub(r, &left, high);
}

/*
 * r = a * b, 6M (Karatsuba; Devegili, O hEigeartaigh, Scott, Dahab 2006):
 *   c0 = a0*b0 + xi*(a1*b2 + a2*b1)   c1 = a0*b1 + a1*b0 + xi*a2*b2   c2 = a0*b2 + a2*b0 + a1*b1
 */
SUMAC_BIG_FN void fp6_mul(fp6 *r, const fp6 *a, const fp6 *b)
{
    fp2 t0, t1, t2, c0, c1, c2;
    fp2_mul(&t0, &a->c0, &b->c0);
    fp2_mul(&t1, &a->c1, &b->c1);
    fp2_mul(&t2, &a->c2, &b->c2);
    fp2_cross_product(&c0, &a->c1, &a->c2, &b->c1, &b->c2, &t1, &t2);
    fp2_cross_product(&c1, &a->c0, &a->c1, &b->c0, &b->c1, &t0, &t1);
    fp2_cross_product(&c2, &a->c0, &a->c2, &b->c0, &b->c2, &t0, &t2);
    fp2_mul_xi(&c0, &c0);
    fp2_add(&r->c0, &c0, &t0);
    fp2_mul_xi(&t2, &t2);
    fp2_add(&r->c1, &c1, &t2);
    fp2_add(&r->c2, &c2, &t1);
}

/* r = a * (b0 + b1 * v), 5M. The formula is that of fp6_mul for b2 = 0. */
SUMAC_BIG_FN void fp6_mul_by_two(fp6 *r, const fp6 *a, const fp2 *b0, const fp2 *b1)
{
    fp2 t0, t1, c0, c1, c2;
    fp2_mul(&t0, &a->c0, b0);
    fp2_mul(&t1, &a->c1, b1);
    fp2_mul(&c0, &a->c2, b1);
    fp2_cross_product(&c1, &a->c0, &a->c1, b0, b1, &t0, &t1);
    fp2_mul(&c2, &a->c2, b0);
    fp2_mul_xi(&c0, &c0);
    fp2_add(&r->c0, &c0, &t0);
    r->c1 = c1;
    fp2_add(&r->c2, &c2, &t1);
}

/* r = a * b for b in Fp2, 3M. */
SUMAC_FN void fp6_mul_fp2(fp6 *r, const fp6 *a, const fp2 *b)
{
    const fp2 factor = *b;
    fp2_mul(&r->c0, &a->c0, &factor);
    fp2_mul(&r->c1, &a->c1, &factor);
    fp2_mul(&r->c2, &a->c2, &factor);
}

/*
 * r = 1 / a, or 0 if a = 0. This costs 9M + 3S and an inversion of Fp2 (Scott 2007). With
 *   d0 = a0^2 - xi*a1*a2   d1 = xi*a2^2 - a0*a1   d2 = a1^2 - a0*a2
 * a * (d0 + d1*v + d2*v^2) = a0*d0 + xi*(a2*d1 + a1*d2), which is in Fp2 and 0 only for a = 0.
 */
SUMAC_BIG_FN void fp6_inv(fp6 *r, const fp6 *a)
{
    fp2 d0, d1, d2, norm, product;
    fp2_mul(&product, &a->c1, &a->c2);
    fp2_mul_xi(&product, &product);
    fp2_sqr(&d0, &a->c0);
    fp2_sub(&d0, &d0, &product);
    fp2_mul(&product, &a->c0, &a->c1);
    fp2_sqr(&d1, &a->c2);
    fp2_mul_xi(&d1, &d1);
    fp2_sub(&d1, &d1, &product);
    fp2_mul(&product, &a->c0, &a->c2);
    fp2_sqr(&d2, &a->c1);
    fp2_sub(&d2, &d2, &product);
    fp2_mul(&norm, &a->c2, &d1);
    fp2_mul(&product, &a->c1, &d2);
    fp2_add(&norm, &norm, &product);
    fp2_mul_xi(&norm, &norm);
    fp2_mul(&product, &a->c0, &d0);
    fp2_add(&norm, &norm, &product);
    fp2_inv(&norm, &norm);
    fp2_mul(&r->c0, &d0, &norm);
    fp2_mul(&r->c1, &d1, &norm);
    fp2_mul(&r->c2, &d2, &norm);
}

#endif
