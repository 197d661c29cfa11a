/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A fev has sixteen coordinates in lanes, in Fp or in Fp2 = Fp[u]/(u^2 + FP2_BETA), with one fpv for each
 * component. The bounds of fpv.h hold for every component.
 *
 * A product of a below k and b below l is, with w = k*l*p/S <= k*l/16,
 *   in Fp    a*b/S in [0, w + 2) times p
 *   in Fp2   c0 in (-FP2_BETA*w, w + 2), c1 in [0, 2*w + 2) times p, where a0 + a1 and b0 + b1 are below S
 * In rounds.h l = 4, and k = 4 or, for y3, k = 4*2^SLOPE_SHIFT. For k = 4, w is at most 16/2^FPV_SPARE_BITS. For y3, as
 * 2^SLOPE_SHIFT is the root of S/R, w is at most 16 times the root of p/S * p/R: over Fp2 with its two
 * spare bits, 1 for FP2_BETA = 1, and for the others less than 2^-11. So products are below 3, over Fp2 in
 * (-p/4, 3p) or for y3 in [-p, 4p).
 */
#ifndef SUMAC_LANES_FEV_H
#define SUMAC_LANES_FEV_H

#include "math/curve.h"

#include "lanes/fpv_mul.h"

typedef struct {
    fpv c[FE_DEGREE];
} fev;

SUMAC_FN void fev_set_zero(fev *r)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_set_zero(&r->c[part]);
    }
}

SUMAC_FN void fev_copy(fev *r, const fev *a)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_copy(&r->c[part], &a->c[part]);
    }
}

SUMAC_FN void fev_cmov(fev *r, const fev *a, uint32_t lanes)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_cmov(&r->c[part], &a->c[part], lanes);
    }
}

SUMAC_FN uint32_t fev_zero_lanes(const fev *a)
{
    uint32_t lanes = fpv_zero_lanes(&a->c[0]);
    SUMAC_UNROLL
    for (int part = 1; part < FE_DEGREE; part++) {
        lanes &= fpv_zero_lanes(&a->c[part]);
    }
    return lanes;
}

SUMAC_FN uint32_t fev_equal_lanes(const fev *a, const fev *b)
{
    uint32_t lanes = fpv_equal_lanes(&a->c[0], &b->c[0]);
    SUMAC_UNROLL
    for (int part = 1; part < FE_DEGREE; part++) {
        lanes &= fpv_equal_lanes(&a->c[part], &b->c[part]);
    }
    return lanes;
}

/* r = a - b + 2p. In: loose. Out: below 4. */
SUMAC_FN void fev_sub(fev *r, const fev *a, const fev *b)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_sub(&r->c[part], &a->c[part], &b->c[part]);
    }
}

/* In: operands below 7. Out: below 2. */
SUMAC_FN void fev_settle(fev *r, const fev *a)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_settle(&r->c[part], &a->c[part]);
    }
}

/* In: loose. Out: below 1. */
SUMAC_FN void fev_canonical(fev *r, const fev *a)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_canonical(&r->c[part], &a->c[part]);
    }
}

/* r = factor*a + offset*p: see fpv_linear. */
SUMAC_FN void fev_linear(fev *r, const fev *a, int factor, unsigned offset)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_linear(&r->c[part], &a->c[part], factor, offset);
    }
}

SUMAC_FN void fev_shift_left(fev *r, const fev *a, int shift)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_shift_left(&r->c[part], &a->c[part], shift);
    }
}

/* r = a - b + 2p, as an operand, for loose a and b; the second function, for a and b below 2, multiplies that by
 * 2^SLOPE_SHIFT. */
SUMAC_FN void fev_sub_operand(fev *r, const fev *a, const fev *b)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_sub_operand(&r->c[part], &a->c[part], &b->c[part], 2);
    }
}

SUMAC_FN void fev_sub_shift(fev *r, const fev *a, const fev *b)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_sub_shift(&r->c[part], &a->c[part], &b->c[part]);
    }
}

#if FE_DEGREE == 2

SUMAC_STATIC_ASSERT(FP2_BETA <= 5 && FP_SPARE_BITS >= 2, "the bounds above");

#if VEC_LANES == 8
#include "lanes/fp2_avx512.h"
#else
#include "lanes/fp2_avx2.h"
#endif

#else

FPV_INLINE void fev_mul_ending(fev *r, const fev *a, const fev *b, const fpv_ending endings[1])
{
    fpv_mul_ending(&r->c[0], &a->c[0], &b->c[0], endings[0]);
}

FPV_INLINE void fev_sqr_ending(fev *r, const fev *a, const fpv_ending endings[1])
{
    fpv_sqr_ending(&r->c[0], &a->c[0], endings[0]);
}

#endif

/* Results of fev_mul() are below this, which a SUMAC_VERIFY build checks. */
#define FEV_PRODUCT (FE_DEGREE == 2 ? 4 : 3)

SUMAC_FN int fev_is_product(const fev *a)
{
    int all = 1;
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        all &= fpv_operand_is_below(&a->c[part], FEV_PRODUCT);
    }
    return all;
}

/* r = a*b/S, an operand. In: operands, products as above. Out: below FEV_PRODUCT. r may alias the operands.
 */
SUMAC_BIG_FN void fev_mul(fev *r, const fev *a, const fev *b)
{
    fpv_ending endings[FE_DEGREE] = {{0, NULL, 0}};
    endings[0].add = FE_DEGREE - 1;
    fev_mul_ending(r, a, b, endings);
    SUMAC_VERIFY_CHECK(fev_is_product(r));
}

/* r = a*b/S - less, below 2. In: operands, and the value that is reduced in [(1 - offset)*p, (8 - offset)*p)
 * for a constant offset. */
FPV_INLINE void fev_mul_less(fev *r, const fev *a, const fev *b, const fev *less, int offset)
{
    fpv_ending endings[FE_DEGREE];
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        const fpv_ending ending = {0, &less->c[part], offset};
        endings[part] = ending;
    }
    fev_mul_ending(r, a, b, endings);
}

/* r = a^2/S - less, with the bounds of fev_mul_less(). */
FPV_INLINE void fev_sqr_less(fev *r, const fev *a, const fev *less, int offset)
{
    fpv_ending endings[FE_DEGREE];
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        const fpv_ending ending = {0, &less->c[part], offset};
        endings[part] = ending;
    }
    fev_sqr_ending(r, a, endings);
}

#endif
