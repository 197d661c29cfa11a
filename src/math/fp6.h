/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has Fp6 = Fp2[v] / (v^3 - xi), whose elements are c0 + c1 * v + c2 * v^2, for the curves whose pairings the
 * library computes. There xi = CURVE_PAIRING_XI + u. docs/internals/pairing.md has the tower.
 *
 * The coordinates of the second group of BW6-761 lie in Fp. In its code fe is fp, xi is the integer CURVE_PAIRING_XI, and
 * the field that is called Fp6 here is Fp3.
 *
 * Bounds and aliasing are as in field.h: every coordinate is reduced, before and after, and r may alias the operands.
 * The costs at the formulas are numbers of multiplications (M) and squarings (S) of Fp2. Additions are not counted, and
 * neither are multiplications by xi, which are a few additions each.
 */
#ifndef SUMAC_MATH_FP6_H
#define SUMAC_MATH_FP6_H

#include "curve.h"

#if FE_DEGREE == 2

SUMAC_STATIC_ASSERT(CURVE_PAIRING_XI == 0 || ((CURVE_PAIRING_XI - 1) & (CURVE_PAIRING_XI - 2)) == 0,
                    "xi is u, 1 + u, or 2^k + 1 + u");

/* r = s + u * a = (s0 - FP2_BETA * a1) + (s1 + a0) * u. */
SUMAC_FN void fp2_add_u_times(fe *r, const fe *s, const fe *a)
{
    const fp a0 = a->c0;
    fp multiple;
    fp2_beta_times(&multiple, &a->c1);
    fp_sub(&r->c0, &s->c0, &multiple);
    fp_add(&r->c1, &s->c1, &a0);
}

/* r = s + (xi - 1) * a, and xi - 1 = (CURVE_PAIRING_XI - 1) + u. */
SUMAC_FN void fe_add_xi_less_one(fe *r, const fe *s, const fe *a)
{
    fe sum = *s;
#if CURVE_PAIRING_XI == 0
    fe_sub(&sum, s, a);
#elif CURVE_PAIRING_XI > 1
    fe multiple = *a;
    SUMAC_UNROLL
    for (unsigned factor = 1; factor < CURVE_PAIRING_XI - 1; factor *= 2) {
        fe_double(&multiple, &multiple);
    }
    fe_add(&sum, s, &multiple);
#endif
    fp2_add_u_times(r, &sum, a);
}

/* r = xi * a. */
SUMAC_FN void fe_mul_xi(fe *r, const fe *a)
{
#if CURVE_PAIRING_XI == 0
    fe zero;
    fe_set_zero(&zero);
    fp2_add_u_times(r, &zero, a);
#else
    fe_add_xi_less_one(r, a, a);
#endif
}

/* r = a * b for b in Fp. This costs two multiplications of Fp. */
SUMAC_FN void fe_mul_fp(fe *r, const fe *a, const fp *b)
{
    const fp factor = *b;
    fp_mul(&r->c0, &a->c0, &factor);
    fp_mul(&r->c1, &a->c1, &factor);
}

#else

SUMAC_STATIC_ASSERT(CURVE_PAIRING_XI == -4, "xi is -4");

/* r = xi * a = -4 * a. */
SUMAC_FN void fe_mul_xi(fe *r, const fe *a)
{
    fe_double(r, a);
    fe_double(r, r);
    fe_neg(r, r);
}

/* r = s + (xi - 1) * a. */
SUMAC_FN void fe_add_xi_less_one(fe *r, const fe *s, const fe *a)
{
    fe multiple, difference;
    fe_mul_xi(&multiple, a);
    fe_sub(&difference, s, a);
    fe_add(r, &difference, &multiple);
}

/* r = a * b for b in Fp. */
SUMAC_FN void fe_mul_fp(fe *r, const fe *a, const fp *b)
{
    fe_mul(r, a, b);
}

#endif

typedef struct {
    fe c0, c1, c2;
} fp6;

SUMAC_FN void fp6_set_zero(fp6 *r)
{
    fe_set_zero(&r->c0);
    fe_set_zero(&r->c1);
    fe_set_zero(&r->c2);
}

SUMAC_FN void fp6_set_one(fp6 *r)
{
    fp6_set_zero(r);
    fe_set_one(&r->c0);
}

SUMAC_FN int fp6_eq(const fp6 *a, const fp6 *b)
{
    return fe_eq(&a->c0, &b->c0) && fe_eq(&a->c1, &b->c1) && fe_eq(&a->c2, &b->c2);
}

SUMAC_FN void fp6_add(fp6 *r, const fp6 *a, const fp6 *b)
{
    fe_add(&r->c0, &a->c0, &b->c0);
    fe_add(&r->c1, &a->c1, &b->c1);
    fe_add(&r->c2, &a->c2, &b->c2);
}

SUMAC_FN void fp6_sub(fp6 *r, const fp6 *a, const fp6 *b)
{
    fe_sub(&r->c0, &a->c0, &b->c0);
    fe_sub(&r->c1, &a->c1, &b->c1);
    fe_sub(&r->c2, &a->c2, &b->c2);
}

SUMAC_FN void fp6_neg(fp6 *r, const fp6 *a)
{
    fe_neg(&r->c0, &a->c0);
    fe_neg(&r->c1, &a->c1);
    fe_neg(&r->c2, &a->c2);
}

/* r = v * a = xi * a2 + a0 * v + a1 * v^2. */
SUMAC_FN void fp6_mul_v(fp6 *r, const fp6 *a)
{
    fe c0;
    fe_mul_xi(&c0, &a->c2);
    r->c2 = a->c1;
    r->c1 = a->c0;
    r->c0 = c0;
}

/* r = a0 * b1 + a1 * b0, where low = a0 * b0 and high = a1 * b1 are known (Karatsuba). This costs 1M. */
SUMAC_FN void fe_cross_product(fe *r, const fe *a0, const fe *a1, const fe *b0, const fe *b1, const fe *low,
                               const fe *high)
{
    fe left, right;
    fe_add(&left, a0, a1);
    fe_add(&right, b0, b1);
    fe_mul(&left, &left, &right);
    fe_sub(&left, &left, low);
    fe_sub(r, &left, high);
}

/*
 * r = a * b, 6M (Karatsuba; Devegili, O hEigeartaigh, Scott, Dahab 2006):
 *   c0 = a0*b0 + xi*(a1*b2 + a2*b1)   c1 = a0*b1 + a1*b0 + xi*a2*b2   c2 = a0*b2 + a2*b0 + a1*b1
 */
SUMAC_BIG_FN void fp6_mul(fp6 *r, const fp6 *a, const fp6 *b)
{
    fe t0, t1, t2, c0, c1, c2;
    fe_mul(&t0, &a->c0, &b->c0);
    fe_mul(&t1, &a->c1, &b->c1);
    fe_mul(&t2, &a->c2, &b->c2);
    fe_cross_product(&c0, &a->c1, &a->c2, &b->c1, &b->c2, &t1, &t2);
    fe_cross_product(&c1, &a->c0, &a->c1, &b->c0, &b->c1, &t0, &t1);
    fe_cross_product(&c2, &a->c0, &a->c2, &b->c0, &b->c2, &t0, &t2);
    fe_mul_xi(&c0, &c0);
    fe_add(&r->c0, &c0, &t0);
    fe_mul_xi(&t2, &t2);
    fe_add(&r->c1, &c1, &t2);
    fe_add(&r->c2, &c2, &t1);
}

/* r = a * (b0 + b1 * v), 5M. The formula is that of fp6_mul for b2 = 0. */
SUMAC_BIG_FN void fp6_mul_by_two(fp6 *r, const fp6 *a, const fe *b0, const fe *b1)
{
    fe t0, t1, c0, c1, c2;
    fe_mul(&t0, &a->c0, b0);
    fe_mul(&t1, &a->c1, b1);
    fe_mul(&c0, &a->c2, b1);
    fe_cross_product(&c1, &a->c0, &a->c1, b0, b1, &t0, &t1);
    fe_mul(&c2, &a->c2, b0);
    fe_mul_xi(&c0, &c0);
    fe_add(&r->c0, &c0, &t0);
    r->c1 = c1;
    fe_add(&r->c2, &c2, &t1);
}

/* r = a * b for a coefficient b, 3M. */
SUMAC_FN void fp6_mul_fe(fp6 *r, const fp6 *a, const fe *b)
{
    const fe factor = *b;
    fe_mul(&r->c0, &a->c0, &factor);
    fe_mul(&r->c1, &a->c1, &factor);
    fe_mul(&r->c2, &a->c2, &factor);
}

/*
 * r = 1 / a, or 0 if a = 0. This costs 9M + 3S and an inversion of Fp2 (Scott 2007). With
 *   d0 = a0^2 - xi*a1*a2   d1 = xi*a2^2 - a0*a1   d2 = a1^2 - a0*a2
 * a * (d0 + d1*v + d2*v^2) = a0*d0 + xi*(a2*d1 + a1*d2), which is in Fp2 and 0 only for a = 0.
 */
SUMAC_BIG_FN void fp6_inv(fp6 *r, const fp6 *a)
{
    fe d0, d1, d2, norm, product;
    fe_mul(&product, &a->c1, &a->c2);
    fe_mul_xi(&product, &product);
    fe_sqr(&d0, &a->c0);
    fe_sub(&d0, &d0, &product);
    fe_mul(&product, &a->c0, &a->c1);
    fe_sqr(&d1, &a->c2);
    fe_mul_xi(&d1, &d1);
    fe_sub(&d1, &d1, &product);
    fe_mul(&product, &a->c0, &a->c2);
    fe_sqr(&d2, &a->c1);
    fe_sub(&d2, &d2, &product);
    fe_mul(&norm, &a->c2, &d1);
    fe_mul(&product, &a->c1, &d2);
    fe_add(&norm, &norm, &product);
    fe_mul_xi(&norm, &norm);
    fe_mul(&product, &a->c0, &d0);
    fe_add(&norm, &norm, &product);
    fe_inv(&norm, &norm);
    fe_mul(&r->c0, &d0, &norm);
    fe_mul(&r->c1, &d1, &norm);
    fe_mul(&r->c2, &d2, &norm);
}

#endif
