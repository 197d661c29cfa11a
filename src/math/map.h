/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has RFC 9380's map of field elements to points of a curve y^2 = x^3 + b. It consists of the simplified SWU
 * map to a curve y^2 = x^3 + a x + b with a, b != 0, the isogeny from that curve, and the clearing of the cofactor.
 * define_map in tools/gen_curves.py has the constants, and checks these conditions: p = 3 mod 4, u^2 = -1 over Fp2, and
 * no point of either curve has y = 0.
 *
 * Bounds and aliasing are as in field.h.
 */
#ifndef SUMAC_MATH_MAP_H
#define SUMAC_MATH_MAP_H

#include "curve.h"

#if CURVE_HAS_MAP

#include "sqrt.h"
#include "subgroup.h"

SUMAC_CONST fe map_a = CURVE_MAP_A;
SUMAC_CONST fe map_b = CURVE_MAP_B;
SUMAC_CONST fe map_z = CURVE_MAP_Z;
SUMAC_CONST fe map_x = CURVE_MAP_X;
SUMAC_CONST fe map_x_exception = CURVE_MAP_X_EXCEPTION;
SUMAC_CONST fp map_root = CURVE_MAP_ROOT;
SUMAC_CONST fe map_kernel[] = CURVE_MAP_KERNEL;
SUMAC_CONST fe map_x_num[] = CURVE_MAP_X_NUM;
SUMAC_CONST fe map_y_num[] = CURVE_MAP_Y_NUM;

/* Set r to the norm of an element; over Fp this is the element. The norm is a square exactly if the element is one. */
SUMAC_FN void map_norm(fp *r, const fe *a)
{
#if FE_DEGREE == 2
    fp square;
    fp_sqr(&square, &a->c1);
    fp_sqr(r, &a->c0);
    fp_add(r, r, &square);
#else
    *r = *a;
#endif
}

/* r = a/d, where inverse = 1/norm(d). */
SUMAC_FN void map_divide(fe *r, const fe *a, const fe *d, const fp *inverse)
{
#if FE_DEGREE == 2
    fp2 conjugate;
    fp2_conjugate(&conjugate, d);
    fp_mul(&conjugate.c0, &conjugate.c0, inverse);
    fp_mul(&conjugate.c1, &conjugate.c1, inverse);
    fp2_mul(r, a, &conjugate);
#else
    (void)d;
    fp_mul(r, a, inverse);
#endif
}

/* Return RFC 9380's sgn0, which is the parity of the integer. Over Fp2 there are two integers, and the first one that is
 * not 0 counts. */
SUMAC_FN uint64_t map_sign(const fe *a)
{
    fp integer;
#if FE_DEGREE == 2
    fp_from_mont(&integer, fp_is_zero(&a->c0) ? &a->c1 : &a->c0);
#else
    fp_from_mont(&integer, a);
#endif
    return integer.l[0] & 1;
}

/*
 * Set r to the point of the isogenous curve (6.6.2). Let t = Z u^2, g(x) = x^3 + a x + b and
 *   x1 = -b/a (1 + 1/(t^2 + t)), or b/(Z a) if t^2 + t = 0.
 * If g(x1) is a square, x is x1. Otherwise x is t x1, because g(t x1) = t^3 g(x1).
 *
 * One power serves for the roots and for the division. Let x1 = N/D, g(x1) = G/D^3, and let n(..) be the norm. Let
 * w = n(G) n(D)^3, e = w^((p-3)/4) and s = e^2 w. If g(x1) is a square, w is one, and s = 1; otherwise s = -1. Then
 *   1/n(D) = s e^2 n(G) n(D)^2   and   e n(G) is a root of s n(g(x1)).
 * If s = -1, the product of this root, a root of -n(Z)^3, and n(u)^3 is a root of n(Z)^3 n(u)^6 n(g(x1)), which is the
 * norm of g(t x1).
 */
SUMAC_BIG_FN void map_to_isogenous(affine *r, const fe *u)
{
    fe t, d, d_squared, g, x;
    fp norm, norm_d, w, e, inverse, root;
    fe_sqr(&t, u);
    fe_mul(&t, &t, &map_z);
    fe_sqr(&d, &t);
    fe_add(&d, &d, &t);
    if (fe_is_zero(&d)) {
        fe_set_one(&d);
        x = map_x_exception;
    } else {
        fe_mul(&x, &d, &map_x);
        fe_add(&x, &x, &map_x);
    }
    fe_sqr(&d_squared, &d);
    fe_sqr(&g, &x);
    fe_mul(&r->x, &d_squared, &map_a);
    fe_add(&g, &g, &r->x);
    fe_mul(&g, &g, &x);
    fe_mul(&d_squared, &d_squared, &d);
    fe_mul(&d_squared, &d_squared, &map_b);
    fe_add(&g, &g, &d_squared);

    map_norm(&norm, &g);
    map_norm(&norm_d, &d);
    fp_sqr(&inverse, &norm_d);
    fp_mul(&inverse, &inverse, &norm); /* n(G) n(D)^2 */
    fp_mul(&w, &inverse, &norm_d);
    fp_sqrt_power(&e, &w);
    fp_mul(&root, &e, &norm);
    fp_sqr(&e, &e);
    fp_mul(&inverse, &inverse, &e);
    fp_mul(&w, &w, &e);
    fp_set_one(&e);
    if (!fp_eq(&w, &e)) {
        fp_neg(&inverse, &inverse);
        fe_mul(&x, &x, &t);
        map_norm(&norm, u);
        fp_mul(&root, &root, &map_root);
        fp_mul(&root, &root, &norm);
        fp_sqr(&norm, &norm);
        fp_mul(&root, &root, &norm);
    }
    map_divide(&r->x, &x, &d, &inverse);
#if FE_DEGREE == 2
    fe_sqr(&g, &r->x);
    fe_add(&g, &g, &map_a);
    fe_mul(&g, &g, &r->x);
    fe_add(&g, &g, &map_b);
    fp2_sqrt_by_norm(&r->y, &g, &root);
#else
    r->y = root;
#endif
    if (map_sign(&r->y) != map_sign(u)) {
        fe_neg(&r->y, &r->y);
    }
}

/* Set r to the value at x of the polynomial, which has `count` coefficients. */
SUMAC_FN void map_polynomial(fe *r, const fe *coefficients, int count, const fe *x)
{
    *r = coefficients[count - 1];
    for (int i = count - 2; i >= 0; i--) {
        fe_mul(r, r, x);
        fe_add(r, r, &coefficients[i]);
    }
}

#define MAP_COUNT(polynomial) ((int)(sizeof(polynomial) / sizeof(fe)))

/* r = (x_num/kernel^2, y*y_num/kernel^3), which is infinity for a point of the kernel. */
SUMAC_BIG_FN void map_by_isogeny(xyzz *r, const affine *a)
{
    fe kernel;
    map_polynomial(&kernel, map_kernel, MAP_COUNT(map_kernel), &a->x);
    map_polynomial(&r->x, map_x_num, MAP_COUNT(map_x_num), &a->x);
    map_polynomial(&r->y, map_y_num, MAP_COUNT(map_y_num), &a->x);
    fe_mul(&r->y, &r->y, &a->y);
    fe_sqr(&r->zz, &kernel);
    fe_mul(&r->zzz, &r->zz, &kernel);
}

#if CURVE_MAP_CLEARS_BY_PSI

SUMAC_FN void map_psi(xyzz *r, const xyzz *a)
{
    fp2_conjugate(&r->x, &a->x);
    fp2_conjugate(&r->y, &a->y);
    fp2_conjugate(&r->zz, &a->zz);
    fp2_conjugate(&r->zzz, &a->zzz);
    fe_mul(&r->x, &r->x, &subgroup_psi_x);
    fe_mul(&r->y, &r->y, &subgroup_psi_y);
}

/* r = -x*a. The parameter of the curve is x = t - 1. */
SUMAC_FN void map_multiply_by_minus_x(xyzz *r, const xyzz *a)
{
    subgroup_multiply_xyzz(r, a, subgroup_scalar);
    if (!CURVE_SUBGROUP_SCALAR_NEGATIVE) {
        fe_neg(&r->y, &r->y);
    }
}

/* r = (x^2 - x - 1)*a + (x - 1)*psi(a) + 2*psi^2(a), which is h_eff*a. (Budroni and Pintore 2017; RFC 9380, G.3.) */
SUMAC_BIG_FN void map_clear_cofactor(xyzz *r, const xyzz *a)
{
    xyzz multiple, image, sum;
    map_multiply_by_minus_x(&multiple, a);
    map_psi(&image, a);
    fe_neg(&image.y, &image.y);
    xyzz_add(&sum, &multiple, &image);
    map_multiply_by_minus_x(&sum, &sum); /* x*(x*a + psi(a)) */
    xyzz_add(&sum, &sum, &multiple);
    xyzz_add(&sum, &sum, &image);
    xyzz_double(&multiple, a);
    map_psi(&multiple, &multiple);
    map_psi(&multiple, &multiple);
    xyzz_add(&sum, &sum, &multiple);
    image = *a;
    fe_neg(&image.y, &image.y);
    xyzz_add(r, &sum, &image);
}

#else

SUMAC_CONST uint64_t map_cofactor[2] = CURVE_MAP_COFACTOR;

SUMAC_FN void map_clear_cofactor(xyzz *r, const xyzz *a)
{
    subgroup_multiply_xyzz(r, a, map_cofactor);
}

#endif

/* Map u to a point r of the subgroup. */
SUMAC_FN void map_to_subgroup(xyzz *r, const fe *u)
{
    affine isogenous;
    map_to_isogenous(&isogenous, u);
    map_by_isogeny(r, &isogenous);
    map_clear_cofactor(r, r);
}

#endif

#endif
