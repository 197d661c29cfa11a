/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file multiplies one point by a scalar with few digits, for the test of math/subgroup.h. The products of a step lie side
 * by side, in eight lanes: a doubling takes two products one after another, an addition three. The formulas are those of
 * Renes, Costello and Batina (ePrint 2015/1060, algorithms 8 and 9) for homogeneous coordinates, x = X/Z and y = Y/Z, with W =
 * 3b*Z beside them. The curve y^2 = x^3 + b may be any isomorphic one, also over a larger field: b is an argument.
 *
 * A doubling is right for every point. An addition is, unless the difference of its operands has order 2, and then all
 * coordinates become 0, and stay 0. Multiples of a point of the subgroup have no difference of order 2, because r is odd.
 * So a result with Z = 0 is infinity or the point is outside the subgroup, and any other result is the multiple.
 *
 * Bounds. Coordinates have a common factor, which need not be known; the operands of an addition, and 3b, have the factor S. A
 * product of operands below k and l is in (-w, w + 2) times p for w = k*l*p/S, or its second component over Fp2 in [0, 2*w +
 * 2). If 2^24*p <= S, w is next to nothing and coordinates are operands below 8. Otherwise 64*p <= S, operands are such that w
 * is at most 3/4, and coordinates are reduced below 2.
 */
#ifndef SUMAC_LANES_ONE_POINT_H
#define SUMAC_LANES_ONE_POINT_H

#include "lanes/subgroup.h"
#include "math/sqrt.h"

#ifdef SUMAC_ONE_POINT_LANES

#define ONE_POINT_IS_ROOMY (FP_BITS + 24 <= 52 * FPV_DIGITS)
SUMAC_STATIC_ASSERT(FE_DEGREE == 2 || ONE_POINT_IS_ROOMY,
                    "products over Fp are not negative, and below 2 + 2^-12");
SUMAC_STATIC_ASSERT(FPV_VECTORS == 1 && VEC_LANES == 8, "the products of a step take one vector");

/* A root is computed beside the lanes, by this many of its steps after each product of a doubling: the processor waits for
 * neither. */
#define ONE_POINT_STEPS (FE_DEGREE == 2 ? 6 : 2)

typedef struct {
    fev now;         /* the lanes below */
    fev plus, minus; /* 3x, y, y, x, y, x, x and 3b for a point and for its negative */
    fe_root *root;   /* null: there is none */
} one_point_state;

enum { ONE_X, ONE_Y, ONE_Z, ONE_W };

/* Set lane i to a[i], without arithmetic. */
SUMAC_FN void one_point_load(fev *r, const fe a[8])
{
    for (int part = 0; part < FE_DEGREE; part++) {
        uint64_t words[FP_LIMBS][8];
        vec limbs[FP_LIMBS];
        for (int lane = 0; lane < 8; lane++) {
            const fp *components = (const fp *)(const void *)&a[lane];
            for (int i = 0; i < FP_LIMBS; i++) {
                words[i][lane] = components[part].l[i];
            }
        }
        for (int i = 0; i < FP_LIMBS; i++) {
            limbs[i] = vec_load(words[i]);
        }
        digits_from_limbs(r->c[part].d[0], limbs);
    }
}

/* Set a[i] to lane i. In: operands below 7, as coordinates are after a doubling. */
SUMAC_FN void one_point_store(fe a[8], const fev *r)
{
    fev least;
    fev_settle(&least, r);
    fev_canonical(&least, &least);
    for (int part = 0; part < FE_DEGREE; part++) {
        uint64_t words[FP_LIMBS][8];
        vec limbs[FP_LIMBS];
        limbs_from_digits(limbs, least.c[part].d[0]);
        for (int i = 0; i < FP_LIMBS; i++) {
            vec_store(words[i], limbs[i]);
        }
        for (int lane = 0; lane < 8; lane++) {
            fp *components = (fp *)(void *)&a[lane];
            for (int i = 0; i < FP_LIMBS; i++) {
                components[part].l[i] = words[i][lane];
            }
        }
    }
}

/* r = a*b/S, as columns. In: operands below 32. */
SUMAC_BIG_FN void one_point_products(fev *r, const fev *a, const fev *b)
{
    fpv_ending endings[FE_DEGREE] = {{0, NULL, FPV_COLUMNS_STAY}};
    endings[FE_DEGREE - 1] = endings[0];
    for (int part = 0; part < FE_DEGREE; part++) {
        SUMAC_VERIFY_CHECK(fpv_operand_is_below(&a->c[part], 32) && fpv_operand_is_below(&b->c[part], 32));
    }
    fev_mul_ending(r, a, b, endings);
}

/* End the columns of a step. In: in [-offset, 7 - offset) times p; over Fp in [0, 7) if the offset is 1. Out: operands below 8,
 * or below 2. */
SUMAC_FN void one_point_end(fev *r, int offset)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        vec *const t = r->c[part].d[0];
        if (!ONE_POINT_IS_ROOMY) {
            fpv_reduce(t, offset + 1);
        } else {
            if (FE_DEGREE == 2 || offset > 1) {
                SUMAC_UNROLL
                for (int i = 0; i < FPV_DIGITS; i++) {
                    t[i] = vec_add(t[i], vec_broadcast((uint64_t)offset * fpv_modulus_digit(i)));
                }
            }
            fpv_carry_operand(t);
        }
        SUMAC_VERIFY_CHECK(fpv_operand_is_below(&r->c[part], ONE_POINT_IS_ROOMY ? 8 : 2));
    }
}

/* r[i] = a[lanes[i]] */
FPV_INLINE vec one_point_permute(vec lanes, vec a)
{
    return _mm512_permutexvar_epi64(lanes, a);
}

SUMAC_FN void one_point_permute_all(fev *r, vec lanes, const fev *a)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->c[part].d[0][i] = one_point_permute(lanes, a->c[part].d[0][i]);
        }
    }
}

FPV_INLINE vec one_point_add_in(__mmask8 lanes, vec a, vec b)
{
    return _mm512_mask_add_epi64(a, lanes, a, b);
}

FPV_INLINE vec one_point_sub_in(__mmask8 lanes, vec a, vec b)
{
    return _mm512_mask_sub_epi64(a, lanes, a, b);
}

/* Return k times the digit of p in the lanes of the mask. In the others return what makes products of Fp2 positive: the digit. */
FPV_INLINE vec one_point_multiple(__mmask8 lanes, unsigned k, int i)
{
    const uint64_t one = fpv_modulus_digit(i);
    return _mm512_mask_mov_epi64(FE_DEGREE == 2 ? vec_broadcast(one) : vec_zero(), lanes,
                                 vec_broadcast(k * one));
}

SUMAC_FN void one_point_step_root(const one_point_state *s)
{
    if (s->root != NULL) {
        for (int i = 0; i < ONE_POINT_STEPS && fe_root_step(s->root); i++) {
        }
    }
}

/*
 * The factors of the second products of a doubling, from B = Y^2, E = Z*W and others, which are below 2 + 1/8 and not below
 * -1/16.
 *   lane    0        1        2    3    4
 *   left    2XY      B        8B   8B   E         and p over Fp2: below 6, 4, 19, 19, 4
 *   right   B - 3E   B + 2E   YZ   YW   4B - 3E   and p over Fp2, or 7p in lanes 0 and 4: below 10, 8, 4, 4, 16
 */
SUMAC_FN void one_point_double_factors(fev *left, fev *right, const fev *products)
{
    enum { XY, YY, ZW, YZ, YW };
    enum { LANE_1 = 2, LANES_04 = 0x11 };
    const vec of_left = _mm512_setr_epi64(XY, YY, YY, YY, ZW, XY, XY, XY),
              of_right = _mm512_setr_epi64(YY, YY, YZ, YW, YY, XY, XY, XY), of_e = _mm512_set1_epi64(ZW),
              left_shifts = _mm512_setr_epi64(1, 0, 3, 3, 0, 0, 0, 0),
              right_shifts = _mm512_setr_epi64(0, 0, 0, 0, 2, 0, 0, 0);
    for (int part = 0; part < FE_DEGREE; part++) {
        vec *const l = left->c[part].d[0], *const r = right->c[part].d[0];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec x = products->c[part].d[0][i];
            const vec e = one_point_permute(of_e, x), e2 = vec_add(e, e);
            vec b = _mm512_sllv_epi64(one_point_permute(of_right, x), right_shifts);
            b = one_point_add_in(LANE_1, one_point_sub_in(LANES_04, b, vec_add(e2, e)), e2);
            l[i] = _mm512_sllv_epi64(one_point_permute(of_left, x), left_shifts);
            if (FE_DEGREE == 2) {
                l[i] = vec_add(l[i], vec_broadcast(fpv_modulus_digit(i)));
            }
            r[i] = vec_add(b, one_point_multiple(LANES_04, 7, i));
        }
        fpv_carry_operand(l);
        fpv_carry_operand(r);
    }
}

/* Set the point to its double:
 *   X' = 2XY*(B - 3E)   Y' = B*(B + 2E) + E*(4B - 3E)   Z' = 8B*YZ   W' = 8B*YW */
SUMAC_BIG_FN void one_point_double(one_point_state *s)
{
    const vec all_4 = _mm512_set1_epi64(4);
    fev left, right, products;
    one_point_permute_all(&left, _mm512_setr_epi64(ONE_X, ONE_Y, ONE_Z, ONE_Y, ONE_Y, 0, 0, 0), &s->now);
    one_point_permute_all(&right, _mm512_setr_epi64(ONE_Y, ONE_Y, ONE_W, ONE_Z, ONE_W, 0, 0, 0), &s->now);
    one_point_products(&products, &left, &right);
    one_point_step_root(s);
    one_point_double_factors(&left, &right, &products);
    one_point_products(&s->now, &left, &right);
    one_point_step_root(s);
    for (int part = 0; part < FE_DEGREE; part++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            vec *const x = &s->now.c[part].d[0][i];
            *x = one_point_add_in(1 << ONE_Y, *x, one_point_permute(all_4, *x));
        }
    }
    one_point_end(&s->now, 1);
}

/*
 * The factors of the second products of an addition of (x, y), from the first ones, which are below 2 + 1/8 and not below
 * -1/16: 3Xx, Yy, Xy, Yx, Zy, Zx, Wx and 3bX. With m = Yy - W, q = Yy + W, g = Xy + Yx, h = Y + Zy and k = Wx + 3bX:
 *   lane    0   1   2   4   5     6
 *   left    g   q   q   h   3Xx   3Xx   and p over Fp2: below 6, 6, 6, 6, 4, 4
 *   right   m   m   h   k   k     g     and p over Fp2, or 3p in lanes 0 and 1: below 6
 * Where coordinates are operands below 8, which Y and W are, the bounds of q, h and m are 12 and 14, and 9p is added to m.
 */
SUMAC_FN void one_point_add_factors(fev *left, fev *right, const fev *products, const fev *now)
{
    enum { XX3, YY, XY, YX, ZY, ZX, WX, BX };
    enum { LANE_0 = 1, LANES_01 = 3, LANE_2 = 4, LANES_124 = 0x16, LANES_456 = 0x70 };
    const vec left_first = _mm512_setr_epi64(XY, YY, YY, XX3, ZY, XX3, XX3, XX3),
              left_now = _mm512_setr_epi64(0, ONE_W, ONE_W, 0, ONE_Y, 0, 0, 0),
              right_first = _mm512_setr_epi64(YY, YY, ZY, XX3, WX, WX, XY, XX3),
              right_second = _mm512_setr_epi64(0, 0, 0, 0, BX, BX, YX, 0),
              right_now = _mm512_setr_epi64(ONE_W, ONE_W, ONE_Y, 0, 0, 0, 0, 0),
              all_yx = _mm512_set1_epi64(YX);
    for (int part = 0; part < FE_DEGREE; part++) {
        vec *const l = left->c[part].d[0], *const r = right->c[part].d[0];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec x = products->c[part].d[0][i],
                      n = vec_and(now->c[part].d[0][i], vec_broadcast(FPV_MASK));
            const vec own = one_point_permute(right_now, n);
            vec a = one_point_add_in(LANE_0, one_point_permute(left_first, x), one_point_permute(all_yx, x));
            vec b = one_point_add_in(LANES_456, one_point_permute(right_first, x),
                                     one_point_permute(right_second, x));
            a = one_point_add_in(LANES_124, a, one_point_permute(left_now, n));
            b = one_point_add_in(LANE_2, one_point_sub_in(LANES_01, b, own), own);
            l[i] = vec_add(a, one_point_multiple(0, 0, i));
            r[i] = vec_add(b, one_point_multiple(LANES_01, ONE_POINT_IS_ROOMY ? 9 : 3, i));
        }
        fpv_carry_operand(l);
        fpv_carry_operand(r);
    }
}

/* Add the point of `fixed`:
 *   X' = g*m - h*k   Y' = q*m + 3Xx*k   Z' = q*h + 3Xx*g   W' = 3b*Z'
 * X' is in (-3, 3) times p, Y' and Z' are in (-1, 5 + 1/2), from which 2p is subtracted. */
SUMAC_BIG_FN void one_point_add(one_point_state *s, const fev *fixed)
{
    enum { SUMS = 1 << ONE_Y | 1 << ONE_Z };
    const vec upper = _mm512_setr_epi64(4, 5, 6, 7, 0, 0, 0, 0);
    fev left, right, products;
    one_point_permute_all(&left, _mm512_setr_epi64(ONE_X, ONE_Y, ONE_X, ONE_Y, ONE_Z, ONE_Z, ONE_W, ONE_X),
                          &s->now);
    one_point_products(&products, &left, fixed);
    one_point_add_factors(&left, &right, &products, &s->now);
    one_point_products(&s->now, &left, &right);
    for (int part = 0; part < FE_DEGREE; part++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            vec *const x = &s->now.c[part].d[0][i];
            const vec other = one_point_permute(upper, *x);
            *x = one_point_add_in(SUMS, one_point_sub_in(1 << ONE_X, *x, other), other);
            *x = one_point_sub_in(SUMS, *x, vec_broadcast(2 * fpv_modulus_digit(i)));
        }
    }
    one_point_end(&s->now, 3);
    one_point_permute_all(&left, _mm512_set1_epi64(ONE_Z), &s->now);
    one_point_permute_all(&right, _mm512_set1_epi64(7), fixed);
    one_point_products(&products, &left, &right);
    one_point_end(&products, 1);
    fev_cmov(&s->now, &products, 1 << ONE_W);
}

/* Set the lanes for the multiplication of (x, y) on y^2 = x^3 + b, where b3 = 3b. */
SUMAC_LONG_FN void one_point_begin(one_point_state *s, const affine *a, const fe *b3)
{
    enum { SHIFT = 52 * FPV_DIGITS - 64 * FP_LIMBS };
    SUMAC_STATIC_ASSERT(SHIFT < 64 && SHIFT < FP_BITS - 1, "S/R is below p");
    fe lanes[8], to_lanes, x, y, b;
    fp *const factor = (fp *)(void *)&to_lanes; /* S/R */
    fe_set_zero(&to_lanes);
    factor->l[0] = UINT64_C(1) << SHIFT;
    fp_to_mont(factor, factor);
    fe_mul(&x, &a->x, &to_lanes);
    fe_mul(&y, &a->y, &to_lanes);
    fe_mul(&b, b3, &to_lanes);
    for (int i = 0; i < 8; i++) {
        fe_set_zero(&lanes[i]);
    }
    lanes[ONE_X] = x;
    lanes[ONE_Y] = y;
    lanes[ONE_Z] = to_lanes;
    lanes[ONE_W] = b;
    one_point_load(&s->now, lanes);
    fe_triple(&lanes[0], &x);
    lanes[1] = lanes[2] = lanes[4] = y;
    lanes[3] = lanes[5] = lanes[6] = x;
    lanes[7] = b;
    one_point_load(&s->plus, lanes);
    fe_neg(&y, &y);
    lanes[1] = lanes[2] = lanes[4] = y;
    one_point_load(&s->minus, lanes);
}

/* Do as subgroup_multiply_xyzz() of math/subgroup.h, for a ZZ that is right and any ZZZ, which r->zzz is a multiple of. */
SUMAC_BIG_FN void one_point_multiply(xyzz *r, const xyzz *a, const uint64_t scalar[2], fe_root *root)
{
    signed char digits[SUBGROUP_DIGITS];
    one_point_state state;
    const affine isomorphic = {a->x, a->y};
    fe b3, zz = a->zz, zzz = a->zzz, lanes[8];
    if (xyzz_is_infinity(a)) {
        *r = *a;
        return;
    }
    fe_sqr(&b3, &zz); /* (X, Y) is on y^2 = x^3 + b*ZZ^3 */
    fe_mul(&b3, &b3, &zz);
    fe_mul(&b3, &b3, &curve_b);
    fe_triple(&b3, &b3);
    state.root = root;
    one_point_begin(&state, &isomorphic, &b3);
    for (uint32_t i = subgroup_scalar_digits(digits, scalar) - 1; i-- > 0;) {
        one_point_double(&state);
        if (digits[i] != 0) {
            one_point_add(&state, digits[i] > 0 ? &state.plus : &state.minus);
        }
    }
    one_point_store(lanes, &state.now);
    /* (X/Z, Y/Z) = (XZ/Z^2, YZ^2/Z^3) */
    fe_sqr(&r->zz, &lanes[ONE_Z]);
    fe_mul(&r->zzz, &r->zz, &lanes[ONE_Z]);
    fe_mul(&r->x, &lanes[ONE_X], &lanes[ONE_Z]);
    fe_mul(&r->y, &lanes[ONE_Y], &r->zz);
    fe_mul(&r->zz, &r->zz, &zz);
    fe_mul(&r->zzz, &r->zzz, &zzz);
}

/* Do as subgroup_contains() for a point that is not infinity. */
SUMAC_BIG_FN int one_point_contained(const affine *a)
{
    xyzz multiple;
    subgroup_begin(&multiple, a);
    for (int pass = 0; pass < SUBGROUP_PASSES; pass++) {
        one_point_multiply(&multiple, &multiple, subgroup_scalar, NULL);
    }
    return subgroup_end(&multiple, a);
}

/*
 * Set y to a root of d = x^3 + b, and *contained to 1 if (x, y) is in the subgroup, or else 0. Return 0 if there is no root.
 * The point is (x*d/ZZ, d^2/ZZZ) for ZZ = d and ZZZ = d*y, so that its multiples are computed before y is known.
 */
SUMAC_BIG_FN int one_point_lift(fe *y, int *contained, const fe *x)
{
    fe d;
    affine point;
    fe_root root;
    fe_sqr(&d, x);
    fe_mul(&d, &d, x);
    fe_add(&d, &d, &curve_b);
    fe_root_begin(&root, &d);
    *contained = 0;
#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI_SUM
    if (!fe_root_end(y, &root)) { /* the sum's terms need y */
        return 0;
    }
    point.x = *x;
    point.y = *y;
    *contained = one_point_contained(&point);
#else
    xyzz multiple;
    fe_mul(&multiple.x, x, &d);
    fe_sqr(&multiple.y, &d);
    multiple.zz = multiple.zzz = d;
    for (int pass = 0; pass < SUBGROUP_PASSES; pass++) {
        one_point_multiply(&multiple, &multiple, subgroup_scalar, &root);
    }
    if (!fe_root_end(y, &root)) {
        return 0;
    }
    point.x = *x;
    point.y = *y;
    fe_mul(&multiple.zzz, &multiple.zzz, y);
    *contained = subgroup_end(&multiple, &point);
#endif
    return 1;
}

#endif

#endif
