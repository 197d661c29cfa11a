/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has points of y^2 = x^3 + b in three forms. Its formulas are right for every input, also for infinity, P + P
 * and P + (-P).
 *
 *   affine    x, y                  infinity is (0, 0), which is off the curve as b != 0
 *   xyzz      x = X/ZZ, y = Y/ZZZ   ZZ^3 = ZZZ^2; infinity is ZZ = 0
 *   jacobian  x = X/Z^2, y = Y/Z^3  infinity is Z = 0; only for chains of doublings, where it is the cheapest
 *
 * The formulas come from the Explicit-Formulas Database (hyperelliptic.org/EFD, short Weierstrass curves with a = 0). Each
 * is given with its name there, and its cost in multiplications (M) and squarings (S). r may alias the operands.
 */
#ifndef SUMAC_MATH_POINT_H
#define SUMAC_MATH_POINT_H

#include "curve.h"

typedef struct {
    fe x, y;
} affine;

typedef struct {
    fe x, y, zz, zzz;
} xyzz;

typedef struct {
    fe x, y, z;
} jacobian;

SUMAC_FN void affine_set_infinity(affine *r)
{
    fe_set_zero(&r->x);
    fe_set_zero(&r->y);
}

SUMAC_FN int affine_is_infinity(const affine *a)
{
    return fe_is_zero(&a->x) && fe_is_zero(&a->y);
}

/* Infinity is no special case, because -(0, 0) = (0, 0). */
SUMAC_FN void affine_neg(affine *r, const affine *a)
{
    r->x = a->x;
    fe_neg(&r->y, &a->y);
}

/* Return 1 for infinity and for points with y^2 = x^3 + b. */
SUMAC_FN int affine_is_on_curve(const affine *a)
{
    fe left, right;
    if (affine_is_infinity(a)) {
        return 1;
    }
    fe_sqr(&left, &a->y);
    fe_sqr(&right, &a->x);
    fe_mul(&right, &right, &a->x);
    fe_add(&right, &right, &curve_b);
    return fe_eq(&left, &right);
}

SUMAC_FN void xyzz_set_infinity(xyzz *r)
{
    fe_set_one(&r->x);
    fe_set_one(&r->y);
    fe_set_zero(&r->zz);
    fe_set_zero(&r->zzz);
}

SUMAC_FN int xyzz_is_infinity(const xyzz *a)
{
    return fe_is_zero(&a->zz);
}

SUMAC_FN void xyzz_from_affine(xyzz *r, const affine *a)
{
    if (affine_is_infinity(a)) {
        xyzz_set_infinity(r);
        return;
    }
    r->x = a->x;
    r->y = a->y;
    fe_set_one(&r->zz);
    fe_set_one(&r->zzz);
}

/* r = a. This costs 1 inversion and 3M + 1S. 1/Z = ZZ/ZZZ, so 1/ZZ = (ZZ/ZZZ)^2. */
SUMAC_FN void xyzz_to_affine(affine *r, const xyzz *a)
{
    fe inverse, z_inverse;
    if (xyzz_is_infinity(a)) {
        affine_set_infinity(r);
        return;
    }
    fe_inv(&inverse, &a->zzz);
    fe_mul(&z_inverse, &a->zz, &inverse);
    fe_mul(&r->y, &a->y, &inverse);
    fe_sqr(&z_inverse, &z_inverse);
    fe_mul(&r->x, &a->x, &z_inverse);
}

/* r = 2a. dbl-2008-s-1: 6M + 3S for a = 0.
 *   U = 2Y | V = U^2 | W = UV | S = XV | M = 3X^2
 *   X3 = M^2 - 2S | Y3 = M(S - X3) - WY | ZZ3 = V ZZ | ZZZ3 = W ZZZ
 * Infinity stays infinity, because ZZ3 = V*0. A point of order 2 has Y = 0, so V = 0 and ZZ3 = 0, which is infinity, as
 * it must be. */
SUMAC_BIG_FN void xyzz_double(xyzz *r, const xyzz *a)
{
    fe u, v, w, s, m, x3;
    fe_double(&u, &a->y);
    fe_sqr(&v, &u);
    fe_mul(&w, &u, &v);
    fe_mul(&s, &a->x, &v);
    fe_sqr(&m, &a->x);
    fe_triple(&m, &m);
    fe_sqr(&x3, &m);
    fe_sub(&x3, &x3, &s);
    fe_sub(&x3, &x3, &s);
    fe_sub(&s, &s, &x3);
    fe_mul(&s, &m, &s);
    fe_mul(&u, &w, &a->y);
    fe_sub(&r->y, &s, &u);
    r->x = x3;
    fe_mul(&r->zz, &v, &a->zz);
    fe_mul(&r->zzz, &w, &a->zzz);
}

/* r = 2a for an affine a. mdbl-2008-s-1: 3M + 3S. The steps are the same, with ZZ = ZZZ = 1. */
SUMAC_FN void xyzz_double_affine(xyzz *r, const affine *a)
{
    xyzz lifted;
    xyzz_from_affine(&lifted, a);
    xyzz_double(r, &lifted);
}

/* r = a + b for an affine b. madd-2008-s: 8M + 2S.
 *   U2 = X2 ZZ1 | S2 = Y2 ZZZ1 | P = U2 - X1 | R = S2 - Y1
 *   PP = P^2 | PPP = P PP | Q = X1 PP | X3 = R^2 - PPP - 2Q | Y3 = R(Q - X3) - Y1 PPP
 *   ZZ3 = ZZ1 PP | ZZZ3 = ZZZ1 PPP
 * P = 0 means that both have the same x. If R = 0, too, this is a doubling; otherwise the sum is infinity. */
SUMAC_FN void xyzz_add_affine(xyzz *r, const xyzz *a, const affine *b)
{
    fe p, q, s, pp, ppp, x3;
    if (affine_is_infinity(b)) {
        *r = *a;
        return;
    }
    if (xyzz_is_infinity(a)) {
        xyzz_from_affine(r, b);
        return;
    }
    fe_mul(&p, &b->x, &a->zz);
    fe_mul(&s, &b->y, &a->zzz);
    fe_sub(&p, &p, &a->x);
    fe_sub(&s, &s, &a->y);
    if (SUMAC_UNLIKELY(fe_is_zero(&p))) {
        if (fe_is_zero(&s)) {
            xyzz_double_affine(r, b);
        } else {
            xyzz_set_infinity(r);
        }
        return;
    }
    fe_sqr(&pp, &p);
    fe_mul(&ppp, &p, &pp);
    fe_mul(&q, &a->x, &pp);
    fe_sqr(&x3, &s);
    fe_sub(&x3, &x3, &ppp);
    fe_sub(&x3, &x3, &q);
    fe_sub(&x3, &x3, &q);
    fe_sub(&q, &q, &x3);
    fe_mul(&q, &s, &q);
    fe_mul(&s, &a->y, &ppp);
    fe_sub(&r->y, &q, &s);
    r->x = x3;
    fe_mul(&r->zz, &a->zz, &pp);
    fe_mul(&r->zzz, &a->zzz, &ppp);
}

/* r = a + b. add-2008-s: 12M + 2S. The steps are those of xyzz_add_affine with
 *   U1 = X1 ZZ2 | U2 = X2 ZZ1 | S1 = Y1 ZZZ2 | S2 = Y2 ZZZ1 | ZZ3 = ZZ1 ZZ2 PP | ZZZ3 = ZZZ1 ZZZ2 PPP */
SUMAC_FN void xyzz_add(xyzz *r, const xyzz *a, const xyzz *b)
{
    fe u, p, s1, s, pp, ppp, q, x3;
    if (xyzz_is_infinity(b)) {
        *r = *a;
        return;
    }
    if (xyzz_is_infinity(a)) {
        *r = *b;
        return;
    }
    fe_mul(&u, &a->x, &b->zz);
    fe_mul(&p, &b->x, &a->zz);
    fe_mul(&s1, &a->y, &b->zzz);
    fe_mul(&s, &b->y, &a->zzz);
    fe_sub(&p, &p, &u);
    fe_sub(&s, &s, &s1);
    if (SUMAC_UNLIKELY(fe_is_zero(&p))) {
        if (fe_is_zero(&s)) {
            xyzz_double(r, a);
        } else {
            xyzz_set_infinity(r);
        }
        return;
    }
    fe_sqr(&pp, &p);
    fe_mul(&ppp, &p, &pp);
    fe_mul(&q, &u, &pp);
    fe_sqr(&x3, &s);
    fe_sub(&x3, &x3, &ppp);
    fe_sub(&x3, &x3, &q);
    fe_sub(&x3, &x3, &q);
    fe_sub(&q, &q, &x3);
    fe_mul(&q, &s, &q);
    fe_mul(&s1, &s1, &ppp);
    fe_sub(&r->y, &q, &s1);
    r->x = x3;
    fe_mul(&pp, &pp, &a->zz);
    fe_mul(&r->zz, &pp, &b->zz);
    fe_mul(&ppp, &ppp, &a->zzz);
    fe_mul(&r->zzz, &ppp, &b->zzz);
}

/* r = a*b - c^2. Over Fp one reduction serves both products. */
SUMAC_FN void fe_mul_sub_sqr(fe *r, const fe *a, const fe *b, const fe *c)
{
    fe other;
#if FE_DEGREE == 1
    fp_neg(&other, c);
    fp_mul_pair(r, a, b, &other, c);
#else
    fe_sqr(&other, c);
    fe_mul(r, a, b);
    fe_sub(r, r, &other);
#endif
}

/* r = 2a, where y of a and r is T = 2Y. This costs 2M + 3S and a sum of two products, and seven sums.
 *   V = T^2 | S = XV | M = 3X^2 | X3 = M^2 - 2S | T3 = 2M(S - X3) - V^2 | Z3 = TZ
 * Infinity stays infinity, because Z3 = T*0. A point of order 2 has T = 0 and gives infinity. */
SUMAC_FN void jacobian_double(jacobian *r, const jacobian *a)
{
    fe v, s, m, x3;
    fe_sqr(&v, &a->y);
    fe_mul(&s, &a->x, &v);
    fe_sqr(&m, &a->x);
    fe_triple(&m, &m);
    fe_mul(&r->z, &a->y, &a->z);
    fe_sqr(&x3, &m);
    fe_sub(&x3, &x3, &s);
    fe_sub(&x3, &x3, &s);
    fe_sub(&s, &s, &x3);
    fe_double(&m, &m);
    r->x = x3;
    fe_mul_sub_sqr(&r->y, &m, &s, &v);
}

/* r = a*b - c*d. Over Fp one reduction serves both products. */
SUMAC_FN void fe_mul_sub_mul(fe *r, const fe *a, const fe *b, const fe *c, const fe *d)
{
    fe other;
#if FE_DEGREE == 1
    fp_neg(&other, c);
    fp_mul_pair(r, a, b, &other, d);
#else
    fe_mul(&other, c, d);
    fe_mul(r, a, b);
    fe_sub(r, r, &other);
#endif
}

/* r = a + b for an affine b, where y of a and r is T = 2Y: madd-2007-bl with Z3 = 2 Z1 H. This costs 7M + 3S and a sum of
 * two products.
 *   U2 = X2 Z1^2 | H = U2 - X1 | R = 2 Y2 Z1^3 - T1 | I = 4H^2 | J = HI | V = X1 I
 *   X3 = R^2 - J - 2V | T3 = 2(R(V - X3) - T1 J) | Z3 = 2 Z1 H
 * H = 0 means that both have the same x. If R = 0, too, this is a doubling; otherwise the sum is infinity. */
SUMAC_FN void jacobian_add_affine(jacobian *r, const jacobian *a, const affine *b)
{
    fe h, s, i, v, x3;
    if (affine_is_infinity(b)) {
        *r = *a;
        return;
    }
    if (fe_is_zero(&a->z)) {
        r->x = b->x;
        fe_double(&r->y, &b->y);
        fe_set_one(&r->z);
        return;
    }
    fe_sqr(&i, &a->z);
    fe_mul(&h, &b->x, &i);
    fe_mul(&s, &i, &a->z);
    fe_mul(&s, &b->y, &s);
    fe_double(&s, &s);
    fe_sub(&h, &h, &a->x);
    fe_sub(&s, &s, &a->y);
    if (SUMAC_UNLIKELY(fe_is_zero(&h))) {
        if (fe_is_zero(&s)) {
            jacobian_double(r, a);
        } else {
            fe_set_zero(&r->z);
        }
        return;
    }
    fe_double(&i, &h);
    fe_mul(&r->z, &a->z, &i);
    fe_sqr(&i, &i);
    fe_mul(&h, &h, &i);
    fe_mul(&v, &a->x, &i);
    fe_sqr(&x3, &s);
    fe_sub(&x3, &x3, &h);
    fe_sub(&x3, &x3, &v);
    fe_sub(&x3, &x3, &v);
    fe_sub(&v, &v, &x3);
    r->x = x3;
    fe_mul_sub_mul(&v, &s, &v, &a->y, &h);
    fe_double(&r->y, &v);
}

/* r = a, where y of a is T = 2Y. This costs 1M + 1S. */
SUMAC_FN void xyzz_from_jacobian(xyzz *r, const jacobian *a)
{
    r->x = a->x;
    fe_halve(&r->y, &a->y);
    fe_sqr(&r->zz, &a->z);
    fe_mul(&r->zzz, &r->zz, &a->z);
}

/* r = 2^times * a, through Jacobian coordinates: 6 1/2 products a doubling instead of 9, and 3M + 1S for the conversions.
 *   to Jacobian   Z := ZZ, X := X ZZ, Y := Y ZZZ, as X ZZ/ZZ^2 = x and Y ZZZ/ZZ^3 = Y ZZZ/ZZZ^2 = y
 *   to XYZZ       ZZ := Z^2, ZZZ := Z^3 */
SUMAC_BIG_FN void xyzz_double_times(xyzz *r, const xyzz *a, uint32_t times)
{
    jacobian j;
    fe_mul(&j.x, &a->x, &a->zz);
    fe_mul(&j.y, &a->y, &a->zzz);
    fe_double(&j.y, &j.y);
    j.z = a->zz;
    for (uint32_t i = 0; i < times; i++) {
        jacobian_double(&j, &j);
    }
    xyzz_from_jacobian(r, &j);
}

/* r = k*a, by doubling and adding from the top bit. It is not made fast, because only single points need it. k has `words`
 * little-endian limbs. */
SUMAC_BIG_FN void xyzz_mul(xyzz *r, const affine *a, const uint64_t *k, uint32_t words)
{
    xyzz sum;
    xyzz_set_infinity(&sum);
    for (uint32_t bit = 64 * words; bit-- > 0;) {
        if (!xyzz_is_infinity(&sum)) {
            xyzz_double(&sum, &sum);
        }
        if ((k[bit / 64] >> (bit % 64)) & 1) {
            xyzz_add_affine(&sum, &sum, a);
        }
    }
    *r = sum;
}

#endif
