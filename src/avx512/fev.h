/*
 * Coordinates in lanes: Fp, or Fp2 = Fp[u]/(u^2 + FP2_BETA), sixteen elements at a time, one fpv for each
 * component. Bounds are those of fpv.h for every component. A product of a and b needs Fp    a*b <= 2*p*S Fp2
 * a0*2p + a1*2p*FP2_BETA <= p*S, b below 2
 */
#ifndef SUMAC_AVX512_FEV_H
#define SUMAC_AVX512_FEV_H

#include "avx512/fpv.h"

typedef struct {
    fpv c[FE_DEGREE];
} fev;

SUMAC_FN void fev_set_zero(fev *r)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_set_zero(&r->c[part]);
    }
}

SUMAC_FN void fev_cmov(fev *r, const fev *a, uint32_t lanes)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_cmov(&r->c[part], &a->c[part], lanes);
    }
}

SUMAC_FN uint32_t fev_zero_lanes(const fev *a)
{
    uint32_t lanes = fpv_zero_lanes(&a->c[0]);
    for (int part = 1; part < FE_DEGREE; part++) {
        lanes &= fpv_zero_lanes(&a->c[part]);
    }
    return lanes;
}

SUMAC_FN uint32_t fev_equal_lanes(const fev *a, const fev *b)
{
    uint32_t lanes = fpv_equal_lanes(&a->c[0], &b->c[0]);
    for (int part = 1; part < FE_DEGREE; part++) {
        lanes &= fpv_equal_lanes(&a->c[part], &b->c[part]);
    }
    return lanes;
}

/* r = a - b + 2p. In: loose. Out: below 4. */
SUMAC_FN void fev_sub(fev *r, const fev *a, const fev *b)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_sub(&r->c[part], &a->c[part], &b->c[part]);
    }
}

/* In: loose. Out: below 1. */
SUMAC_FN void fev_canonical(fev *r, const fev *a)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_canonical(&r->c[part], &a->c[part]);
    }
}

/* r = factor*a + offset*p: see fpv_linear. */
SUMAC_FN void fev_linear(fev *r, const fev *a, int factor, unsigned offset)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_linear(&r->c[part], &a->c[part], factor, offset);
    }
}

SUMAC_FN void fev_shift_left(fev *r, const fev *a, int shift)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_shift_left(&r->c[part], &a->c[part], shift);
    }
}

#if FE_DEGREE == 2

/*
 * r = a*b/S. Four products and two reductions, as in fp2.h: c0 = a0*b0 + a1*(-FP2_BETA*b1), c1 = a0*b1 +
 * a1*b0. In: as above. Out: below 2. r may alias a.
 */
SUMAC_BIG_FN void fev_mul(fev *r, const fev *a, const fev *b)
{
    fpv minus_beta_b1, c0;
    SUMAC_VERIFY_CHECK(fpv_is_below(&b->c[0], 2) && fpv_is_below(&b->c[1], 2));
    fpv_linear(&minus_beta_b1, &b->c[1], -FP2_BETA, 2 * FP2_BETA);
    fpv_mul_pair(&c0, &a->c[0], &b->c[0], &a->c[1], &minus_beta_b1);
    fpv_mul_pair(&r->c[1], &a->c[0], &b->c[1], &a->c[1], &b->c[0]);
    r->c[0] = c0;
}

/* r = a^2/S. In: below 2. Out: below 2. */
SUMAC_FN void fev_sqr(fev *r, const fev *a)
{
    fev_mul(r, a, a);
}

#else

SUMAC_FN void fev_mul(fev *r, const fev *a, const fev *b)
{
    fpv_mul(&r->c[0], &a->c[0], &b->c[0]);
}

SUMAC_FN void fev_sqr(fev *r, const fev *a)
{
    fpv_sqr(&r->c[0], &a->c[0]);
}

#endif

#endif
