/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file maps sixteen field elements at a time to points of the subgroup, by the formulas of math/map.h, whose names it
 * keeps. Values have the factor S, as in jacobian.h. If an element leads to a point of the isogeny's kernel, or to an
 * addition of points that may be equal or opposite, scalar code maps all sixteen.
 */
#ifndef SUMAC_LANES_MAP_H
#define SUMAC_LANES_MAP_H

#include "lanes/sqrt.h"
#include "lanes/subgroup.h"
#include "math/map.h"

#if CURVE_HAS_MAP && defined(SUMAC_SQRT_LANES)
#define SUMAC_MAP_LANES

/* These are constants and scratch memory. They are too large for a thread's stack. The constants are computed once for many
 * elements. Those that are added have a minus sign, because products can subtract before they are reduced. */
typedef struct {
    fev a, z, x, x_exception, root; /* those of math/map.h */
    fev minus_a, minus_b, minus_x;
    fev unit, half; /* 1: a value times this, over S, is an integer; 1/2: the same for twice a value */
    fe minus_kernel[MAP_COUNT(map_kernel)], minus_x_num[MAP_COUNT(map_x_num)],
        minus_y_num[MAP_COUNT(map_y_num)];
#if CURVE_MAP_CLEARS_BY_PSI
    fev psi_x, psi_y;
#endif
    fp inverse_constant; /* S*S/R: see chain_invert() */
    sqrt_lanes_scratch power;
    subgroup_lanes_scratch chain;  /* its sum is the point */
    fev u, negative_x, negative_t; /* the elements; the negatives of points whose cofactor is cleared */
    affine points[FPV_LANES];
} map_lanes_scratch;

/* r = a times the factor S, where s is S. */
SUMAC_FN void map_lanes_constant(fev *r, const fe *a, const fp *s)
{
    fe value = *a;
    fp *const parts = (fp *)(void *)&value;
    for (int part = 0; part < FE_DEGREE; part++) {
        fp_mul(&parts[part], &parts[part], s);
    }
    fev_broadcast(r, &value);
}

/* r = -a times the factor S. */
SUMAC_FN void map_lanes_negative(fe *r, const fe *a, const fp *s)
{
    fp *const parts = (fp *)(void *)r;
    fe_neg(r, a);
    for (int part = 0; part < FE_DEGREE; part++) {
        fp_mul(&parts[part], &parts[part], s);
    }
}

SUMAC_FN void map_lanes_negatives(fe *r, const fe *a, int count, const fp *s)
{
    for (int i = 0; i < count; i++) {
        map_lanes_negative(&r[i], &a[i], s);
    }
}

SUMAC_LONG_FN void map_lanes_numbers_make(map_lanes_scratch *r)
{
    fp s;
    fe root, negative;
    fp_set_one(&s);
    for (int i = 0; i < 2 * SLOPE_SHIFT; i++) {
        fp_double(&s, &s);
    }
    fp_sqr(&r->inverse_constant, &s); /* S*S/R */
    fe_set_zero(&root);
    *(fp *)(void *)&root = map_root;
    map_lanes_constant(&r->a, &map_a, &s);
    map_lanes_constant(&r->z, &map_z, &s);
    map_lanes_constant(&r->x, &map_x, &s);
    map_lanes_constant(&r->x_exception, &map_x_exception, &s);
    map_lanes_constant(&r->root, &root, &s);
    fe_neg(&negative, &map_a);
    map_lanes_constant(&r->minus_a, &negative, &s);
    fe_neg(&negative, &map_b);
    map_lanes_constant(&r->minus_b, &negative, &s);
    fe_neg(&negative, &map_x);
    map_lanes_constant(&r->minus_x, &negative, &s);
    map_lanes_negatives(r->minus_kernel, map_kernel, MAP_COUNT(map_kernel), &s);
    map_lanes_negatives(r->minus_x_num, map_x_num, MAP_COUNT(map_x_num), &s);
    map_lanes_negatives(r->minus_y_num, map_y_num, MAP_COUNT(map_y_num), &s);
#if CURVE_MAP_CLEARS_BY_PSI
    map_lanes_constant(&r->psi_x, &subgroup_psi_x, &s);
    map_lanes_constant(&r->psi_y, &subgroup_psi_y, &s);
#endif
    lanes_integer_half(&r->half);
    fev_linear(&r->unit, &r->half, 2, 0);
    lanes_numbers_make(&r->chain.numbers);
}

/* r = a*b/S - less, below 2. In: operands below 4, less below 2. */
SUMAC_BIG_FN void map_lanes_mul_less(fev *r, const fev *a, const fev *b, const fev *less)
{
    fev_mul_less(r, a, b, less, FE_DEGREE == 2 ? 4 : 3);
}

/* r = -a in these lanes. In: below 2. Out: below 2. */
SUMAC_FN void map_lanes_negate(fev *r, uint32_t lanes)
{
    fev negative;
    fev_linear(&negative, r, -1, 2);
    fev_settle(&negative, &negative);
    fev_cmov(r, &negative, lanes);
}

/* Return the lanes whose value is 0. In: below 2. */
SUMAC_FN uint32_t map_lanes_zero(const fev *a)
{
    fev canonical;
    fev_canonical(&canonical, a);
    return fev_zero_lanes(&canonical);
}

/* Return the lanes in which map_sign() of a is 1. In: below 2; unit is 1, or 1/2 if `a` is twice the value. */
SUMAC_BIG_FN uint32_t map_lanes_sign(const fev *a, const fev *unit)
{
    fev integer;
    fev_mul_reduced(&integer, a, unit);
    fev_canonical(&integer, &integer);
#if FE_DEGREE == 2
    fpv_cmov(&integer.c[0], &integer.c[1], fpv_zero_lanes(&integer.c[0]));
#endif
    uint32_t even = 0;
    for (int v = 0; v < FPV_VECTORS; v++) {
        even |= vec_zero_lanes(vec_and(integer.c[0].d[v][0], vec_broadcast(1))) << (VEC_LANES * v);
    }
    return ~even & ALL_LANES;
}

/* norm = the norm of a, below 2. In: below 2. */
SUMAC_FN void map_lanes_norm(fpv *norm, const fev *a)
{
#if FE_DEGREE == 2
    fev_norm(norm, a);
#else
    fpv_copy(norm, &a->c[0]);
#endif
}

/* a = a/d, where inverse = 1/norm(d). In and out: below 2. */
SUMAC_FN void map_lanes_divide(fev *a, const fev *d, const fpv *inverse)
{
    fev factor;
    fpv_copy(&factor.c[0], inverse);
#if FE_DEGREE == 2
    sqrt_lanes_mul_reduced(&factor.c[0], &d->c[0], inverse);
    sqrt_lanes_linear(&factor.c[1], &d->c[1], -1, 2);
    sqrt_lanes_mul_reduced(&factor.c[1], &factor.c[1], inverse);
#else
    (void)d;
#endif
    fev_mul_reduced(a, a, &factor);
}

/* root = root * a root of -n(Z)^3 * n(u)^3. */
SUMAC_FN void map_lanes_other_root(fpv *root, const fev *u, const fpv *constant)
{
    fpv norm;
    map_lanes_norm(&norm, u);
    sqrt_lanes_mul_reduced(root, root, constant);
    sqrt_lanes_mul_reduced(root, root, &norm);
    sqrt_lanes_mul_reduced(&norm, &norm, &norm);
    sqrt_lanes_mul_reduced(root, root, &norm);
}

/* Set x, d and g to N, D and G of map_to_isogenous(), and t to t. All are below 2. */
SUMAC_BIG_FN void map_lanes_fraction(fev *x, fev *d, fev *g, fev *t, const fev *u,
                                     const map_lanes_scratch *scratch)
{
    fev square, negative;
    fev_sqr(t, u);
    fev_mul_reduced(t, t, &scratch->z);
    fev_linear(&negative, t, -1, 2);
    map_lanes_mul_less(d, t, t, &negative);
    const uint32_t exceptions = map_lanes_zero(d);
    map_lanes_mul_less(x, d, &scratch->x, &scratch->minus_x);
    fev_cmov(x, &scratch->x_exception, exceptions);
    fev_cmov(d, &scratch->chain.numbers.one, exceptions);
    fev_sqr(&square, d);
    fev_mul_reduced(g, &square, &scratch->minus_a);
    map_lanes_mul_less(g, x, x, g); /* N^2 + a D^2 */
    fev_mul_reduced(&square, &square, d);
    fev_mul_reduced(&square, &square, &scratch->minus_b);
    map_lanes_mul_less(g, g, x, &square);
}

/* Set (x, t) to the points of the isogenous curve, below 2, with t = 2*y. */
SUMAC_BIG_FN void map_lanes_to_isogenous(fev *x, fev *t, const fev *u, map_lanes_scratch *scratch)
{
    fev d, g, other;
    fpv norm, norm_d, w, e, inverse, root, negative;
    map_lanes_fraction(x, &d, &g, &other, u, scratch);
    map_lanes_norm(&norm, &g);
    map_lanes_norm(&norm_d, &d);
    sqrt_lanes_mul_reduced(&inverse, &norm_d, &norm_d);
    sqrt_lanes_mul_reduced(&inverse, &inverse, &norm); /* n(G) n(D)^2 */
    sqrt_lanes_mul_reduced(&w, &inverse, &norm_d);
    sqrt_lanes_power(&e, &w, &scratch->power);
    sqrt_lanes_mul_reduced(&root, &e, &norm);
    sqrt_lanes_mul_reduced(&e, &e, &e);
    sqrt_lanes_mul_reduced(&inverse, &inverse, &e);
    sqrt_lanes_mul_reduced(&w, &w, &e);
    fpv_canonical(&w, &w);
    const uint32_t others = ~fpv_equal_lanes(&w, &scratch->chain.numbers.one.c[0]);
    sqrt_lanes_linear(&negative, &inverse, -1, 2);
    fpv_cmov(&inverse, &negative, others);
    fev_mul_reduced(&other, &other, x);
    fev_cmov(x, &other, others);
    fpv_copy(&norm, &root);
    map_lanes_other_root(&norm, u, &scratch->root.c[0]);
    fpv_cmov(&root, &norm, others);
    map_lanes_divide(x, &d, &inverse);
#if FE_DEGREE == 2
    map_lanes_mul_less(&g, x, x, &scratch->minus_a);
    map_lanes_mul_less(&g, &g, x, &scratch->minus_b);
    sqrt_lanes_by_norm(t, &g, &root, &scratch->power);
#else
    sqrt_lanes_linear(&t->c[0], &root, 2, 0);
#endif
    map_lanes_negate(t, map_lanes_sign(t, &scratch->half) ^ map_lanes_sign(u, &scratch->unit));
}

/* Set r to the value at x of the polynomial whose coefficients are the negatives of these, below 2. */
SUMAC_BIG_FN void map_lanes_polynomial(fev *r, const fe *minus, int count, const fev *x)
{
    fev coefficient;
    fev_broadcast(&coefficient, &minus[count - 1]);
    fev_linear(r, &coefficient, -1, 2);
    for (int i = count - 2; i >= 0; i--) {
        fev_broadcast(&coefficient, &minus[i]);
        map_lanes_mul_less(r, r, x, &coefficient);
    }
}

/* Set the sum to the point that the isogeny maps (x, t) to. Its Z is that of Jacobian coordinates, below 2. Returns 0 if
 * one is infinity. */
SUMAC_BIG_FN int map_lanes_by_isogeny(jacobian_lanes *sum, const fev *x, const fev *t,
                                      const map_lanes_scratch *scratch)
{
    sum->infinite = 0;
    map_lanes_polynomial(&sum->z, scratch->minus_kernel, MAP_COUNT(map_kernel), x);
    map_lanes_polynomial(&sum->x, scratch->minus_x_num, MAP_COUNT(map_x_num), x);
    map_lanes_polynomial(&sum->t, scratch->minus_y_num, MAP_COUNT(map_y_num), x);
    fev_mul_reduced(&sum->t, &sum->t, t);
    return map_lanes_zero(&sum->z) == 0;
}

/* Set Z of the sum to 1. Its z is a product. */
SUMAC_BIG_FN void map_lanes_normalize(jacobian_lanes *sum, const map_lanes_scratch *scratch)
{
    fev square;
    chain_invert(&sum->z, &scratch->inverse_constant);
    fev_sqr(&square, &sum->z);
    fev_mul_reduced(&sum->x, &sum->x, &square);
    fev_mul(&square, &square, &sum->z);
    fev_mul_reduced(&sum->t, &sum->t, &square);
    fev_copy(&sum->z, &scratch->chain.numbers.one);
}

/* sum = k*sum. Its z is a product. Returns 0 if scalar code has to do it. */
SUMAC_LONG_FN int map_lanes_multiply(subgroup_lanes_scratch *chain, const uint64_t k[2])
{
    jacobian_lanes *const sum = &chain->sum;
    int negative = 0;
    fev_copy(&chain->z, &sum->z);
    fev_copy(&sum->z, &chain->numbers.one); /* on a curve that is isomorphic */
    if (!subgroup_lanes_multiply(chain, k, &negative)) {
        return 0;
    }
    fev_mul(&sum->z, &sum->z, &chain->z);
    map_lanes_negate(&sum->t, negative ? ALL_LANES : 0);
    return 1;
}

#if CURVE_MAP_CLEARS_BY_PSI

SUMAC_STATIC_ASSERT(CURVE_SUBGROUP_SCALAR_NEGATIVE, "subgroup_scalar is -x");

/* (x, t) = psi(x, t), below 2. */
SUMAC_BIG_FN void map_lanes_psi(fev *x, fev *t, const map_lanes_scratch *scratch)
{
    sqrt_lanes_linear(&x->c[1], &x->c[1], -1, 2);
    sqrt_lanes_linear(&t->c[1], &t->c[1], -1, 2);
    fev_mul_reduced(x, x, &scratch->psi_x);
    fev_mul_reduced(t, t, &scratch->psi_y);
}

/* Do as map_clear_cofactor() for the sum a, as (1 - x)*(-x*a - psi(a)) + 2*psi^2(a) - a. Its z is a product. */
SUMAC_LONG_FN int map_lanes_clear_cofactor(map_lanes_scratch *scratch)
{
    const uint64_t one_minus_x[2] = {subgroup_scalar[0] + 1, 0};
    subgroup_lanes_scratch *const chain = &scratch->chain;
    jacobian_lanes *const sum = &chain->sum;
    const fev *const one = &chain->numbers.one;
    fev *const x = &chain->point_x, *const t = &chain->point_t, *const ratio = &chain->ratio;
    fev *const negative_x = &scratch->negative_x, *const negative_t = &scratch->negative_t;
    SUMAC_VERIFY_CHECK(subgroup_scalar[1] == 0 && one_minus_x[0] != 0);
    map_lanes_normalize(sum, scratch);
    fev_copy(negative_x, &sum->x);
    fev_copy(negative_t, &sum->t);
    fev_copy(x, &sum->x);
    fev_copy(t, &sum->t);
    map_lanes_negate(negative_t, ALL_LANES);
    if (!map_lanes_multiply(chain, subgroup_scalar)) {
        return 0;
    }
    map_lanes_psi(x, t, scratch);
    map_lanes_negate(t, ALL_LANES);
    if (!jacobian_lanes_add(sum, x, t, 0, one, ratio) || !map_lanes_multiply(chain, one_minus_x)) {
        return 0;
    }
    map_lanes_negate(t, ALL_LANES);
    map_lanes_psi(x, t, scratch);
    return jacobian_lanes_add(sum, x, t, 0, one, ratio) && jacobian_lanes_add(sum, x, t, 0, one, ratio) &&
           jacobian_lanes_add(sum, negative_x, negative_t, 0, one, ratio);
}

#else

SUMAC_LONG_FN int map_lanes_clear_cofactor(map_lanes_scratch *scratch)
{
    return map_lanes_multiply(&scratch->chain, map_cofactor);
}

#endif

/* Load the elements, which are stored ones. Lanes from `count` on repeat the first one. */
SUMAC_BIG_FN void map_lanes_load(map_lanes_scratch *scratch, const fe *elements, uint32_t count)
{
    affine *const points = scratch->points;
    const affine *pointers[FPV_LANES];
    affine_lanes loaded;
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        points[lane].x = elements[lane < count ? lane : 0];
        fe_set_zero(&points[lane].y);
        pointers[lane] = &points[lane];
    }
    lanes_load(&loaded, pointers, 0);
    fev_mul_reduced(&scratch->u, &loaded.x, &scratch->chain.numbers.factor);
}

/* Map elements[i] to a point points[i] of the subgroup, i < count <= FPV_LANES. Returns 0, and leaves the points, if
 * scalar code has to do it. */
SUMAC_BIG_FN int map_lanes(affine *points, const fe *elements, uint32_t count, map_lanes_scratch *scratch)
{
    jacobian_lanes *const sum = &scratch->chain.sum;
    fev *const x = &scratch->chain.x, *const t = &scratch->chain.t[0];
    map_lanes_load(scratch, elements, count);
    map_lanes_to_isogenous(x, t, &scratch->u, scratch);
    if (!map_lanes_by_isogeny(sum, x, t, scratch) || !map_lanes_clear_cofactor(scratch)) {
        return 0;
    }
    map_lanes_normalize(sum, scratch);
    jacobian_lanes_store_affine(scratch->points, &sum->x, &sum->t, &scratch->chain.numbers);
    for (uint32_t lane = 0; lane < count; lane++) {
        points[lane] = scratch->points[lane];
    }
    return 1;
}

#endif

#endif
