/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has multiplication modulo p by rows over 64-bit limbs, in C. The host uses it if there is no assembly, and
 * a device uses it if p has no spare bit. */
#ifndef SUMAC_MATH_MUL_ROWS_H
#define SUMAC_MATH_MUL_ROWS_H

#include "limbs.h"

/*
 * r = t + 2^(64*FP_LIMBS) * top, less p if that is at least p.
 * In: t + 2^(64*FP_LIMBS) * top < 2p. Out: r < p.
 */
SUMAC_FN void fp_reduce_once(uint64_t *r, const uint64_t *t, uint64_t top)
{
    uint64_t reduced[FP_LIMBS];
    uint64_t borrow = 0;
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        reduced[i] = limb_sub_borrow(t[i], fp_modulus[i], &borrow);
    }
    const uint64_t keep = (uint64_t)0 - (borrow & ~top);
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        r[i] = (t[i] & keep) | (reduced[i] & ~keep);
    }
}

/*
 * This is Montgomery multiplication by rows (CIOS). Row i adds a * b[i], then adds m * p for the m that makes the lowest
 * limb 0, and drops that limb. Before and after each row t < 2p, as docs/internals/fields.md proves.
 */
SUMAC_FN void fp_mul_rows(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t t[FP_LIMBS] = {0};
    uint64_t top = 0; /* stays 0 if p has a spare bit, because then 2p <= 2^(64*FP_LIMBS) */
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        uint64_t carry = 0;
        SUMAC_UNROLL
        for (int j = 0; j < FP_LIMBS; j++) {
            t[j] = limb_multiply_add(a[j], b[i], t[j], &carry);
        }
        uint64_t carry_out = 0;
        const uint64_t high = limb_add_carry(carry, FP_SPARE_BITS == 0 ? top : 0, &carry_out);
        const uint64_t m = t[0] * FP_INV;
        carry = 0;
        (void)limb_multiply_add(m, fp_modulus[0], t[0], &carry);
        SUMAC_UNROLL
        for (int j = 1; j < FP_LIMBS; j++) {
            t[j - 1] = limb_multiply_add(m, fp_modulus[j], t[j], &carry);
        }
        uint64_t last_carry = 0;
        t[FP_LIMBS - 1] = limb_add_carry(high, carry, &last_carry);
        top = carry_out + last_carry;
    }
    fp_reduce_once(r, t, FP_SPARE_BITS == 0 ? top : 0);
}

#endif
