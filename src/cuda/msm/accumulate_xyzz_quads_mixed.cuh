/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sums of affine points by quads (quads.cuh), one point after another: three products of a lane one after another for
 * each, where quad_add() takes four, as those that the next point begins with are made while one is added.
 *
 * (X, Y, ZZ, ZZZ) + (x, y) has U = x*ZZ, S = y*ZZZ, P = U - X, R = S - Y, and with the next point's x', y'
 *     lane X         lane Y       lane ZZ         lane ZZZ
 *     PP = P^2       RR = R^2     -               ZZZ, of what is left of the point before
 *     Q = X*PP       V = y'*ZZZ   ZZ3 = ZZ*PP     PPP = P*PP       X3 = RR - PPP - 2Q
 *     R*(Q - X3)     Y*PPP        U' = x'*ZZ3     S' = V*PPP       Y3 = the difference of the first two
 * What is left is ZZZ3 = ZZZ*PPP. Where nothing is added P is 1, and X and Y stay.
 */
#ifndef SUMAC_CUDA_MSM_ACCUMULATE_XYZZ_QUADS_MIXED_CUH
#define SUMAC_CUDA_MSM_ACCUMULATE_XYZZ_QUADS_MIXED_CUH

#include "cuda/device/quads.cuh"

struct mixed_sum {
    fe own;        /* X, Y, ZZ, and one factor of ZZZ */
    fe next;       /* U, S of the point to be added, -, and the other factor */
    bool is_empty; /* infinity: ZZ, ZZZ and their factors are 1, X and Y anything */
};

/* A point's x and y where they are wanted; zero for infinity, and where it is null. */
static __device__ __forceinline__ void mixed_fetch(fe *r, const affine *point)
{
    fe_set_zero(r);
    if (point != NULL && (quad_lane() == QUAD_Y || quad_lane() == QUAD_ZZ)) {
        fe_load(r, quad_lane() == QUAD_Y ? &point->y : &point->x);
    }
}

/* From a point as it was fetched. All lanes of the warp call it and what follows. */
static __device__ __forceinline__ void mixed_begin(mixed_sum *s, const fe *point, bool exists)
{
    fe_exchange(&s->own, point, 2);
    if (quad_lane() == QUAD_Y) {
        s->own = *point;
    } else if (quad_lane() >= QUAD_ZZ) {
        fe_set_one(&s->own);
    }
    fe_set_one(&s->next);
    s->is_empty = !exists;
}

/* From a sum in XYZZ. */
static __device__ __forceinline__ void mixed_resume(mixed_sum *s, const fe *coordinate)
{
    s->own = *coordinate;
    fe_set_one(&s->next);
    s->is_empty = (quad_ballot(fe_is_zero(coordinate)) >> QUAD_ZZ & 1) != 0;
    if (s->is_empty) {
        fe_set_one(&s->own);
    }
}

/* The first point is to be added. */
static __device__ __forceinline__ void mixed_expect(mixed_sum *s, const fe *point)
{
    fe other, product;
    fe_from_lane(&other, &s->own, QUAD_ZZZ);
    if (quad_lane() == QUAD_ZZ) {
        other = s->own;
    }
    fe_mul_called(&product, point, &other); /* -, S, U, - */
    fe_from_lane(&other, &product, QUAD_ZZ);
    if (quad_lane() != QUAD_ZZZ) {
        s->next = quad_lane() == QUAD_X ? other : product;
    }
}

/* The lane's coordinate of the sum, once no point is left. */
static __device__ __forceinline__ void mixed_end(fe *r, const mixed_sum *s)
{
    fe product;
    fe_mul_called(&product, &s->own, &s->next);
    *r = quad_lane() == QUAD_ZZZ ? product : s->own;
    if (s->is_empty) {
        fe_set_zero(r);
    }
}

/* Seldom needed: the sum of a point and itself, or its opposite, in quads with P = 0. */
static __device__ __noinline__ mixed_sum mixed_meet(mixed_sum s, fe difference, bool is_met)
{
    fe all, x, y, zz, zzz, sum = s.own;
    const bool are_same = (quad_ballot(fe_is_zero(&difference)) >> QUAD_Y & 1) != 0;
    mixed_end(&all, &s);
    fe_from_lane(&x, &all, QUAD_X);
    fe_from_lane(&y, &all, QUAD_Y);
    fe_from_lane(&zz, &all, QUAD_ZZ);
    fe_from_lane(&zzz, &all, QUAD_ZZZ);
    if (is_met && are_same) {
        quad_double(&sum, &x, &y, &zz, &zzz);
    } else if (is_met) {
        fe_set_zero(&sum);
    }
    mixed_sum met;
    mixed_resume(&met, &sum);
    return is_met ? met : s;
}

/* sum += the point whose U and S are there, if it exists; `next` is the one that comes then, as it was fetched. */
static __device__ __forceinline__ void mixed_add(mixed_sum *s, bool exists, const fe *next)
{
    const uint32_t lane = quad_lane();
    fe difference, product, left, right, crossed, kept, other;
    fe_sub(&difference, &s->next, &s->own); /* P, R, -, - */
    const bool are_equal = (quad_ballot(fe_is_zero(&difference)) >> QUAD_X & 1) != 0;
    const bool is_met = exists && !s->is_empty && are_equal;
    if (SUMAC_UNLIKELY(__any_sync(0xffffffff, is_met))) {
        *s = mixed_meet(*s, difference, is_met);
    }
    const bool adds = exists && !s->is_empty && !is_met, begins = exists && s->is_empty && !is_met;
    if (!adds && lane == QUAD_X) {
        fe_set_one(&difference);
    }
    left = lane == QUAD_ZZZ ? s->own : difference;
    right = lane == QUAD_ZZZ ? s->next : difference;
    if (begins && lane < QUAD_ZZ) {
        s->own = s->next;
    }
    s->is_empty = s->is_empty && !begins;
    fe_mul_called(&product, &left, &right); /* PP, RR, -, ZZZ */
    fe_from_lane(&other, &product, lane == QUAD_Y ? QUAD_ZZZ : QUAD_X);
    fe_from_lane(&kept, &product, lane == QUAD_X ? QUAD_Y : QUAD_ZZZ);       /* RR, -, -, ZZZ */
    fe_from_lane(&crossed, &difference, lane == QUAD_ZZZ ? QUAD_X : QUAD_Y); /* R, -, -, P */
    left = lane == QUAD_Y ? *next : lane == QUAD_ZZZ ? crossed : s->own;
    fe_mul_called(&product, &left, &other);                               /* Q, V, ZZ3, PPP */
    fe_from_lane(&other, &product, lane == QUAD_ZZZ ? QUAD_Y : QUAD_ZZZ); /* PPP, PPP, -, V */
    fe_sub(&difference, &kept, &other);
    fe_sub(&difference, &difference, &product);
    fe_sub(&difference, &difference, &product);
    difference = adds ? difference : s->own; /* X3 in lane X */
    kept = lane == QUAD_X ? difference : kept;
    fe_sub(&difference, &product, &difference);
    left = lane == QUAD_X ? crossed : lane == QUAD_Y ? s->own : lane == QUAD_ZZ ? *next : product;
    right = lane == QUAD_X ? difference : lane == QUAD_ZZ ? product : other;
    s->next = product;
    fe_mul_called(&product, &left, &right); /* R*(Q - X3), Y*PPP, U', S' */
    fe_from_lane(&other, &product, lane == QUAD_X ? QUAD_ZZ : QUAD_X);
    fe_from_lane(&left, &product, QUAD_ZZZ);
    fe_sub(&product, &other, &product);
    product = adds ? product : s->own; /* Y3 in lane Y */
    s->own = lane == QUAD_Y ? product : lane == QUAD_ZZ ? s->next : kept;
    s->next = lane == QUAD_X ? other : lane == QUAD_Y ? left : s->next;
}

#endif
