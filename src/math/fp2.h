/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has Fp2 = Fp[u] / (u^2 - FP2_NONRESIDUE), whose elements are c0 + c1 * u. FP2_NONRESIDUE is -1 or -5.
 * Bounds and aliasing are as in field.h: both coordinates are reduced, before and after.
 */
#ifndef SUMAC_MATH_FP2_H
#define SUMAC_MATH_FP2_H

#include "field.h"

#ifndef FP2_NONRESIDUE
#error "the curve's header defines FP2_NONRESIDUE where FE_DEGREE is 2"
#endif

/* u^2 = -FP2_BETA. */
#define FP2_BETA (-(FP2_NONRESIDUE))

SUMAC_STATIC_ASSERT(FP2_BETA >= 1 && FP2_BETA <= 6, "u^2 is a small negative integer");
/* p has enough spare bits that (FP2_BETA + 2) * p < R, as fp2_mul needs. */
SUMAC_STATIC_ASSERT(FP_SPARE_BITS >= (FP2_BETA <= 2 ? 2 : 3), "p has the spare bits for a sum of products");

typedef struct {
    fp c0, c1;
} fp2;

SUMAC_FN void fp2_set_zero(fp2 *r)
{
    fp_set_zero(&r->c0);
    fp_set_zero(&r->c1);
}

SUMAC_FN void fp2_set_one(fp2 *r)
{
    fp_set_one(&r->c0);
    fp_set_zero(&r->c1);
}

SUMAC_FN int fp2_is_zero(const fp2 *a)
{
    return fp_is_zero(&a->c0) && fp_is_zero(&a->c1);
}

SUMAC_FN int fp2_eq(const fp2 *a, const fp2 *b)
{
    return fp_eq(&a->c0, &b->c0) && fp_eq(&a->c1, &b->c1);
}

/* Set r to a if the condition is not 0; otherwise leave r unchanged. */
SUMAC_FN void fp2_cmov(fp2 *r, const fp2 *a, int condition)
{
    fp_cmov(&r->c0, &a->c0, condition);
    fp_cmov(&r->c1, &a->c1, condition);
}

SUMAC_FN void fp2_add(fp2 *r, const fp2 *a, const fp2 *b)
{
    fp_add(&r->c0, &a->c0, &b->c0);
    fp_add(&r->c1, &a->c1, &b->c1);
}

SUMAC_FN void fp2_double(fp2 *r, const fp2 *a)
{
    fp2_add(r, a, a);
}

SUMAC_FN void fp2_sub(fp2 *r, const fp2 *a, const fp2 *b)
{
    fp_sub(&r->c0, &a->c0, &b->c0);
    fp_sub(&r->c1, &a->c1, &b->c1);
}

SUMAC_FN void fp2_neg(fp2 *r, const fp2 *a)
{
    fp_neg(&r->c0, &a->c0);
    fp_neg(&r->c1, &a->c1);
}

SUMAC_FN void fp2_conjugate(fp2 *r, const fp2 *a)
{
    r->c0 = a->c0;
    fp_neg(&r->c1, &a->c1);
}

SUMAC_FN void fp2_halve(fp2 *r, const fp2 *a)
{
    fp_halve(&r->c0, &a->c0);
    fp_halve(&r->c1, &a->c1);
}

/* r = FP2_BETA * a, by at most three additions. */
SUMAC_FN void fp2_beta_times(fp *r, const fp *a)
{
    const fp once = *a;
    *r = once;
    SUMAC_UNROLL
    for (int bit = FP2_BETA >= 4 ? 1 : FP2_BETA >= 2 ? 0 : -1; bit >= 0; bit--) {
        fp_double(r, r);
        if ((FP2_BETA >> bit) & 1) {
            fp_add(r, r, &once);
        }
    }
}

/* Set r to the integer FP2_BETA * (p - a), which is -FP2_BETA * a modulo p. In: a < p. Out: r <= FP2_BETA * p. */
SUMAC_FN void fp2_minus_beta_times(fp *r, const fp *a)
{
    uint64_t borrow = 0;
    uint64_t carry = 0;
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        const uint64_t limb = limb_sub_borrow(fp_modulus[i], a->l[i], &borrow);
        r->l[i] = limb_multiply_add(limb, FP2_BETA, 0, &carry);
    }
    SUMAC_VERIFY_CHECK(borrow == 0 && carry == 0);
}

/*
 * c0 = a0 * b0 - FP2_BETA * a1 * b1, c1 = a0 * b1 + a1 * b0. This takes four products and two reductions. By measurement
 * it is faster than Karatsuba's three products, whose reductions are delayed and have double length
 * (docs/internals/fields.md).
 */
SUMAC_FN void fp2_mul(fp2 *r, const fp2 *a, const fp2 *b)
{
    fp minus_beta_a1, c0;
    fp2_minus_beta_times(&minus_beta_a1, &a->c1);
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->c0.l) && fp_is_canonical(b->c0.l) && fp_is_canonical(b->c1.l));
    fp_mul_pair_limbs(c0.l, a->c0.l, b->c0.l, minus_beta_a1.l, b->c1.l);
    fp_mul_pair(&r->c1, &a->c0, &b->c1, &a->c1, &b->c0);
    SUMAC_VERIFY_CHECK(fp_is_canonical(c0.l));
    r->c0 = c0;
}

/* c0 = a0^2 - FP2_BETA * a1^2, which for FP2_BETA = 1 is (a0 + a1)(a0 - a1); c1 = 2 * a0 * a1. */
SUMAC_FN void fp2_sqr(fp2 *r, const fp2 *a)
{
    fp c0;
#if FP2_BETA == 1
    fp difference;
    fp_add(&c0, &a->c0, &a->c1);
    fp_sub(&difference, &a->c0, &a->c1);
    fp_mul(&c0, &c0, &difference);
#else
    fp minus_beta_a1;
    fp2_minus_beta_times(&minus_beta_a1, &a->c1);
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->c0.l));
    fp_mul_pair_limbs(c0.l, a->c0.l, a->c0.l, minus_beta_a1.l, a->c1.l);
    SUMAC_VERIFY_CHECK(fp_is_canonical(c0.l));
#endif
    fp_mul(&r->c1, &a->c0, &a->c1);
    fp_double(&r->c1, &r->c1);
    r->c0 = c0;
}

/* r = 1 / a = (c0 - c1 u) / (c0^2 + FP2_BETA * c1^2), and 0 for a = 0. The norm is 0 only for a = 0. */
SUMAC_FN void fp2_inv(fp2 *r, const fp2 *a)
{
    fp norm, square;
    fp_sqr(&square, &a->c1);
    fp_mul_small(&square, &square, FP2_BETA);
    fp_sqr(&norm, &a->c0);
    fp_add(&norm, &norm, &square);
    fp_inv(&norm, &norm);
    fp_mul(&r->c0, &a->c0, &norm);
    fp_mul(&norm, &a->c1, &norm);
    fp_neg(&r->c1, &norm);
}

#endif
