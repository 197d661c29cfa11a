/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has arithmetic on limbs modulo p for the host, under the contract that field.h states. Its own code is
 * portable C. For the numbers of limbs for which there is assembly, additions come from x86_64/add.h, aarch64/add.h or
 * add_long.h, and multiplications from mul_assembly.h. On x86-64 the assembly multiplies only in translation units that
 * are built with -DSUMAC_VARIANT_ADX. On aarch64 it adds and multiplies in every unit, except in those of tests that are
 * built with -DSUMAC_PLAIN_C.
 */
#ifndef SUMAC_MATH_MUL_HOST_H
#define SUMAC_MATH_MUL_HOST_H

#include "mul_rows.h"

/* FP_ROUTINE names a routine of this processor's field.S. The assembly for aarch64 needs pointers of 64 bits. */
#if defined(__aarch64__) && defined(__LP64__) && !defined(SUMAC_PLAIN_C)
#define FP_AARCH64 1
#define FP_ROUTINE(name) SUMAC_CONCAT(sumac_aarch64_, name)
#else
#define FP_AARCH64 0
#define FP_ROUTINE(name) SUMAC_CONCAT(sumac_x86_64_, name)
#endif

#define FP_SHORT (FP_LIMBS == 4 || ((FP_LIMBS == 5 || FP_LIMBS == 6) && FP_SPARE_BITS > 0))
#define FP_LONG ((FP_LIMBS == 10 || FP_LIMBS == 12) && FP_SPARE_BITS > 0)

#if defined(__x86_64__) && FP_SHORT

#include "x86_64/add.h"

#elif FP_AARCH64 && FP_SHORT

#include "aarch64/add.h"

#elif (defined(__x86_64__) || FP_AARCH64) && FP_LONG

#include "add_long.h"

#else

/* r = a + b mod p. */
SUMAC_FN void fp_add_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t sum[FP_LIMBS];
    uint64_t carry = 0;
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        sum[i] = limb_add_carry(a[i], b[i], &carry);
    }
    fp_reduce_once(r, sum, FP_SPARE_BITS == 0 ? carry : 0);
}

/* r = a - b mod p. If there is a borrow in the end, a < b, and p is added back. */
SUMAC_FN void fp_sub_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t difference[FP_LIMBS];
    uint64_t borrow = 0;
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        difference[i] = limb_sub_borrow(a[i], b[i], &borrow);
    }
    const uint64_t negative = (uint64_t)0 - borrow;
    uint64_t carry = 0;
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        r[i] = limb_add_carry(difference[i], fp_modulus[i] & negative, &carry);
    }
}

#endif

#if (defined(SUMAC_VARIANT_ADX) || FP_AARCH64) && (FP_SHORT || FP_LONG)

#include "mul_assembly.h"

#else

SUMAC_BIG_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    fp_mul_rows(r, a, b);
}

SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    fp_mul_limbs(r, a, a);
}

/*
 * This multiplies by rows of two products each. Before and after a row t < a + c + p <= R. In the end
 * t = (a * b + c * d + M * p) / R with M < R. This is below 2p, because a * b + c * d < p * R.
 */
SUMAC_BIG_FN void fp_mul_pair_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                    const uint64_t *d)
{
    uint64_t t[FP_LIMBS] = {0};
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        uint64_t carry = 0, high;
        SUMAC_UNROLL
        for (int j = 0; j < FP_LIMBS; j++) {
            t[j] = limb_multiply_add(a[j], b[i], t[j], &carry);
        }
        high = carry;
        carry = 0;
        SUMAC_UNROLL
        for (int j = 0; j < FP_LIMBS; j++) {
            t[j] = limb_multiply_add(c[j], d[i], t[j], &carry);
        }
        high += carry;
        const uint64_t m = t[0] * FP_INV;
        carry = 0;
        (void)limb_multiply_add(m, fp_modulus[0], t[0], &carry);
        SUMAC_UNROLL
        for (int j = 1; j < FP_LIMBS; j++) {
            t[j - 1] = limb_multiply_add(m, fp_modulus[j], t[j], &carry);
        }
        t[FP_LIMBS - 1] = high + carry;
    }
    fp_reduce_once(r, t, 0);
}

#endif

#endif
