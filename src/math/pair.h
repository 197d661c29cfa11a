/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file adds two affine points by a slope = numerator/denominator, whose inverse comes from a product shared
 * with many other pairs (Montgomery's trick). Host and device use this file.
 *
 * Exceptional pairs (P + P, P + (-P), infinity) are found by a comparison. They get a denominator that is never 0,
 * because a 0 would make the whole product 0.
 */
#ifndef SUMAC_MATH_PAIR_H
#define SUMAC_MATH_PAIR_H

#include "math/point.h"

/* A pair of points is added in one of these ways. */
typedef enum pair_kind {
    PAIR_ADD,    /* x1 != x2, both finite: slope (y2 - y1)/(x2 - x1) */
    PAIR_DOUBLE, /* the same point, y != 0: slope 3x^2/2y */
    PAIR_LEFT,   /* the right one is infinity */
    PAIR_RIGHT,  /* the left one is infinity */
    PAIR_CANCEL  /* P + (-P), and points of order 2 */
} pair_kind;

SUMAC_BIG_FN pair_kind pair_classify(const affine *a, const affine *b)
{
    if (affine_is_infinity(b)) {
        return PAIR_LEFT;
    }
    if (affine_is_infinity(a)) {
        return PAIR_RIGHT;
    }
    if (!fe_eq(&a->x, &b->x)) {
        return PAIR_ADD;
    }
    return fe_eq(&a->y, &b->y) && !fe_is_zero(&a->y) ? PAIR_DOUBLE : PAIR_CANCEL;
}

/* Compute the denominator of a pair that is not known to be plain. It is never 0. */
SUMAC_BIG_FN void pair_rare_denominator(fe *denominator, const affine *a, const affine *b)
{
    switch (pair_classify(a, b)) {
    case PAIR_ADD:
        fe_sub(denominator, &b->x, &a->x);
        break;
    case PAIR_DOUBLE:
        fe_double(denominator, &a->y);
        break;
    default:
        fe_set_one(denominator);
        break;
    }
}

/* x3 = slope^2 - x1 - x2. */
SUMAC_FN void slope_x(fe *x3, const affine *a, const affine *b, const fe *slope)
{
    fe square;
    fe_sqr(&square, slope);
    fe_sub(&square, &square, &a->x);
    fe_sub(x3, &square, &b->x);
}

/* y3 = slope*(x1 - x3) - y1. */
SUMAC_FN void slope_y(fe *y3, const affine *a, const fe *x3, const fe *slope)
{
    fe product;
    fe_sub(&product, &a->x, x3);
    fe_mul(&product, &product, slope);
    fe_sub(y3, &product, &a->y);
}

/* r = a + b where the slope of the line through them is known; r is neither a nor b. */
SUMAC_FN void pair_sum_by_slope(affine *r, const affine *a, const affine *b, const fe *slope)
{
    slope_x(&r->x, a, b, slope);
    slope_y(&r->y, a, &r->x, slope);
}

/* r = a + b for a pair that is not known to be plain, from the inverse of its denominator. */
SUMAC_BIG_FN void pair_rare_sum(affine *r, const affine *a, const affine *b, const fe *inverse)
{
    fe slope;
    switch (pair_classify(a, b)) {
    case PAIR_ADD:
        fe_sub(&slope, &b->y, &a->y);
        fe_mul(&slope, &slope, inverse);
        pair_sum_by_slope(r, a, b, &slope);
        break;
    case PAIR_DOUBLE:
        fe_sqr(&slope, &a->x);
        fe_triple(&slope, &slope);
        fe_mul(&slope, &slope, inverse);
        pair_sum_by_slope(r, a, b, &slope);
        break;
    case PAIR_LEFT:
        *r = *a;
        break;
    case PAIR_RIGHT:
        *r = *b;
        break;
    case PAIR_CANCEL:
        affine_set_infinity(r);
        break;
    }
}

/* Return 1 if the pair is known to be an ordinary addition; then *denominator = x2 - x1. A point with x = 0 may be infinity, so
 * that such pairs are classified by pair_classify(). */
SUMAC_FN int pair_is_plain(fe *denominator, const fe *x1, const fe *x2)
{
    fe_sub(denominator, x2, x1);
    return !(fe_is_zero(denominator) | fe_is_zero(x1) | fe_is_zero(x2));
}

#endif
