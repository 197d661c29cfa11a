/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes square roots in Fp and Fp2. If there is a root, a function sets r to one of the two roots and
 * returns 1; otherwise it returns 0 and leaves r unchanged. The result of a formula is always squared and compared. r
 * may alias a.
 */
#ifndef SUMAC_MATH_SQRT_H
#define SUMAC_MATH_SQRT_H

#include "curve.h"

/* p - 1 = 2^FP_TWO_ADICITY * t with t odd. */
SUMAC_CONST uint64_t fp_sqrt_exponent[FP_LIMBS] = FP_SQRT_EXPONENT; /* (t - 1)/2 */
#if FP_TWO_ADICITY > 1
SUMAC_CONST fp fp_sqrt_root = {FP_SQRT_ROOT}; /* z^t for a nonresidue z: of order 2^FP_TWO_ADICITY */
#endif

/* A window of the exponent has this many bits. The powers of a to odd numbers of as many bits are kept. */
#define FP_SQRT_WINDOW 4
#define FP_SQRT_POWERS (1 << (FP_SQRT_WINDOW - 1))

/* Return bit i of fp_sqrt_exponent, or 0 if i is negative. */
SUMAC_FN uint32_t fp_sqrt_exponent_bit(int i)
{
    return i < 0 ? 0 : (uint32_t)(fp_sqrt_exponent[i / 64] >> (i % 64)) & 1;
}

/* This is a power a^((t - 1)/2) under way, by sliding windows: a square for each bit, and a product for each window. A window
 * begins and ends with a bit that is set. */
typedef struct {
    fp powers[FP_SQRT_POWERS]; /* powers[i] = a^(2*i + 1) */
    fp power;
    int position;    /* of the next bit; -1: power is the result */
    int end;         /* the lowest bit of the window, if there is one */
    uint32_t window; /* its bits from the position down; 0: the position is in no window */
} fp_sqrt_state;

SUMAC_FN void fp_sqrt_begin(fp_sqrt_state *s, const fp *a)
{
    fp square;
    s->powers[0] = *a;
    fp_sqr(&square, a);
    for (int i = 1; i < FP_SQRT_POWERS; i++) {
        fp_mul(&s->powers[i], &s->powers[i - 1], &square);
    }
    s->position = 64 * FP_LIMBS - 1;
    while (s->position >= 0 && !fp_sqrt_exponent_bit(s->position)) {
        s->position--;
    }
    s->window = 0;
    fp_set_one(&s->power);
}

/* Go on by one bit. Return 0 if there is none. */
SUMAC_FN int fp_sqrt_step(fp_sqrt_state *s)
{
    if (s->position < 0) {
        return 0;
    }
    if (s->window == 0 && fp_sqrt_exponent_bit(s->position)) {
        for (s->end = s->position - FP_SQRT_WINDOW + 1; !fp_sqrt_exponent_bit(s->end);) {
            s->end++;
        }
        for (int i = s->position; i >= s->end; i--) {
            s->window = s->window << 1 | fp_sqrt_exponent_bit(i);
        }
    }
    fp_sqr(&s->power, &s->power);
    if (s->window != 0 && s->position == s->end) {
        fp_mul(&s->power, &s->power, &s->powers[s->window >> 1]);
        s->window = 0;
    }
    s->position--;
    return 1;
}

/* r = a^((t - 1)/2) */
SUMAC_BIG_FN void fp_sqrt_power(fp *r, const fp *a)
{
    fp_sqrt_state state;
    fp_sqrt_begin(&state, a);
    while (fp_sqrt_step(&state)) {
    }
    *r = state.power;
}

/*
 * This is the method of Tonelli and Shanks. Let w = a^((t-1)/2), x = a*w and b = x*w = a^t. Then x^2 = a*b, and exactly
 * if a is a square, b has an order 2^k with k < FP_TWO_ADICITY. Each round multiplies x by a g with g^2 = z^(2^(s-k)),
 * where z has the order 2^s, and b by g^2. This keeps x^2 = a*b and lowers k, until b = 1. If p = 3 mod 4, there are no
 * rounds, and x = a^((p+1)/4).
 */
SUMAC_BIG_FN int fp_sqrt_by_power(fp *r, const fp *a, const fp *w)
{
    fp x = *w, square;
#if FP_TWO_ADICITY > 1
    fp b, one, z = fp_sqrt_root;
    fp_set_one(&one);
    fp_sqr(&b, &x);
    fp_mul(&b, &b, a);
    fp_mul(&x, &x, a);
    int order_of_z = FP_TWO_ADICITY; /* z^(2^order_of_z) = 1 */
    while (!fp_eq(&b, &one) && !fp_is_zero(&b)) {
        int k = 0;
        for (square = b; k < order_of_z && !fp_eq(&square, &one); k++) {
            fp_sqr(&square, &square);
        }
        if (k == order_of_z) {
            return 0;
        }
        for (; order_of_z > k + 1; order_of_z--) {
            fp_sqr(&z, &z);
        }
        fp_mul(&x, &x, &z);
        fp_sqr(&z, &z);
        fp_mul(&b, &b, &z);
        order_of_z = k;
    }
#else
    fp_mul(&x, &x, a);
#endif
    fp_sqr(&square, &x);
    if (!fp_eq(&square, a)) {
        return 0;
    }
    *r = x;
    return 1;
}

SUMAC_FN int fp_sqrt(fp *r, const fp *a)
{
    fp power;
    fp_sqrt_power(&power, a);
    return fp_sqrt_by_power(r, a, &power);
}

#if FE_DEGREE == 2

/*
 * This is the norm ("complex") method. If x = x0 + x1 u and x^2 = a,
 *   x0^2 + u^2 x1^2 = a0,   2 x0 x1 = a1,   so x0^2 = (a0 + n)/2, where n^2 = a0^2 - u^2 a1^2 is the norm of a.
 * If a1 != 0, (a0 + n)/2 * (a0 - n)/2 = u^2 a1^2 / 4 is not a square, so exactly one of the two factors is a square. If
 * a1 = 0, a0 is a square or u^2 times a square.
 */

#if FP2_BETA == 1

/* h = (a0 + n)/2, where n is a root of the norm of a, or a0 if that is 0. */
SUMAC_FN void fp2_sqrt_half(fp *h, const fp2 *a, const fp *n)
{
    fp_add(h, &a->c0, n);
    fp_halve(h, h);
    if (fp_is_zero(h)) {
        *h = a->c0; /* n = -a0 and a1 = 0; take the other root of the norm */
    }
}

/* Set r to a root of a, if a has one. Let h be as above, e = h^((p - 3)/4) and s = e*h. If h is a square, s^2 = h and 1/s =
 * e, and the root is s + a1/(2 s) u. Otherwise s^2 = -h and 1/s = -e, and the root is a1/(2 s) + s u, because a1^2/(4 s^2) =
 * a0 - h. */
SUMAC_BIG_FN void fp2_sqrt_by_half(fp2 *r, const fp2 *a, const fp *h, const fp *e)
{
    fp root, other, square;
    fp_mul(&root, e, h);
    fp_sqr(&square, &root);
    fp_mul(&other, e, &a->c1);
    fp_halve(&other, &other);
    if (fp_eq(&square, h)) {
        r->c0 = root;
        r->c1 = other;
    } else {
        fp_neg(&r->c0, &other);
        r->c1 = root;
    }
}

/* Set r to a root of a, where n is a root of the norm of a. */
SUMAC_BIG_FN void fp2_sqrt_by_norm(fp2 *r, const fp2 *a, const fp *n)
{
    fp half, power;
    fp2_sqrt_half(&half, a, n);
    fp_sqrt_power(&power, &half);
    fp2_sqrt_by_half(r, a, &half, &power);
}

/* This is a root of a under way: the root of the norm of a, and then the root of a. */
typedef struct {
    fp_sqrt_state state; /* the power of `of` */
    fp2 a;
    fp of;        /* the norm, and then h */
    int is_half;  /* 1: it is h */
    int has_none; /* 1: the norm is no square */
} fe_root;

SUMAC_FN void fe_root_begin(fe_root *s, const fp2 *a)
{
    fp square;
    s->a = *a;
    s->is_half = 0;
    s->has_none = 0;
    fp_sqr(&s->of, &a->c0);
    fp_sqr(&square, &a->c1);
    fp_add(&s->of, &s->of, &square);
    fp_sqrt_begin(&s->state, &s->of);
}

/* Go on by one bit of a power. Return 0 if there is none. */
SUMAC_FN int fe_root_step(fe_root *s)
{
    if (fp_sqrt_step(&s->state)) {
        return 1;
    }
    if (s->is_half || s->has_none) {
        return 0;
    }
    if (!fp_sqrt_by_power(&s->of, &s->of, &s->state.power)) {
        s->has_none = 1;
        return 0;
    }
    s->is_half = 1;
    fp2_sqrt_half(&s->of, &s->a, &s->of);
    fp_sqrt_begin(&s->state, &s->of);
    return 1;
}

/* Do the steps that are left. Set r to the root and return 1, or return 0 if there is none. */
SUMAC_BIG_FN int fe_root_end(fp2 *r, fe_root *s)
{
    fp2 x, square;
    while (fe_root_step(s)) {
    }
    if (s->has_none) {
        return 0;
    }
    fp2_sqrt_by_half(&x, &s->a, &s->of, &s->state.power);
    fp2_sqr(&square, &x);
    if (!fp2_eq(&square, &s->a)) {
        return 0;
    }
    *r = x;
    return 1;
}

SUMAC_BIG_FN int fp2_sqrt(fp2 *r, const fp2 *a)
{
    fe_root root;
    fe_root_begin(&root, a);
    return fe_root_end(r, &root);
}

#else

/* r = a / u^2. If a != 0, exactly one of a and a / u^2 is a square, because u^2 = -FP2_BETA is not a square. */
SUMAC_FN void fp2_divide_by_nonresidue(fp *r, const fp *a)
{
    fp nonresidue;
    fp_set_one(&nonresidue);
    fp_mul_small(&nonresidue, &nonresidue, FP2_BETA);
    fp_neg(&nonresidue, &nonresidue);
    fp_inv(&nonresidue, &nonresidue);
    fp_mul(r, a, &nonresidue);
}

SUMAC_BIG_FN int fp2_sqrt(fp2 *r, const fp2 *a)
{
    fp2 x, square;
    fp norm, half;
    if (fp_is_zero(&a->c1)) {
        fp2_set_zero(&x);
        if (!fp_sqrt(&x.c0, &a->c0)) {
            fp2_divide_by_nonresidue(&half, &a->c0);
            if (!fp_sqrt(&x.c1, &half)) {
                return 0;
            }
        }
    } else {
        fp_sqr(&half, &a->c1);
        fp_mul_small(&half, &half, FP2_BETA);
        fp_sqr(&norm, &a->c0);
        fp_add(&norm, &norm, &half);
        if (!fp_sqrt(&norm, &norm)) {
            return 0;
        }
        fp_add(&half, &a->c0, &norm);
        fp_halve(&half, &half);
        if (!fp_sqrt(&x.c0, &half)) {
            fp_sub(&half, &half, &norm);
            if (!fp_sqrt(&x.c0, &half)) {
                return 0;
            }
        }
        fp_double(&half, &x.c0);
        fp_inv(&half, &half);
        fp_mul(&x.c1, &a->c1, &half);
    }
    fp2_sqr(&square, &x);
    if (!fp2_eq(&square, a)) {
        return 0;
    }
    *r = x;
    return 1;
}

#endif

#define fe_sqrt fp2_sqrt

#else

#define fe_sqrt fp_sqrt

/* This is a root of a under way. */
typedef struct {
    fp_sqrt_state state;
    fp a;
} fe_root;

SUMAC_FN void fe_root_begin(fe_root *s, const fp *a)
{
    s->a = *a;
    fp_sqrt_begin(&s->state, a);
}

SUMAC_FN int fe_root_step(fe_root *s)
{
    return fp_sqrt_step(&s->state);
}

/* Do the steps that are left. Set r to the root and return 1, or return 0 if there is none. */
SUMAC_FN int fe_root_end(fp *r, fe_root *s)
{
    while (fe_root_step(s)) {
    }
    return fp_sqrt_by_power(r, &s->a, &s->state.power);
}

#endif

#endif
