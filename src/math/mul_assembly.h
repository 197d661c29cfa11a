/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file multiplies with the routines of x86_64/field.S, which use mulx, adcx and adox, or of aarch64/field.S.
 * field.h has the contract. The routines take p and -1/p mod 2^64, which lies behind p for aarch64. r may alias the
 * operands but must not overlap p. The results of the wide routines and of the reductions must not overlap anything.
 */
#ifndef SUMAC_MATH_MUL_ASSEMBLY_H
#define SUMAC_MATH_MUL_ASSEMBLY_H

#if FP_AARCH64
#define ASSEMBLY_P_TYPES const fp_p_and_inverse *p
#define ASSEMBLY_P &fp_with_inverse
typedef struct {
    uint64_t p[FP_LIMBS], inverse;
} fp_p_and_inverse;
SUMAC_CONST fp_p_and_inverse fp_with_inverse = {FP_MODULUS, FP_INV};
#else
#define ASSEMBLY_P_TYPES const uint64_t *p, uint64_t inverse
#define ASSEMBLY_P fp_modulus, FP_INV
#endif

#if FP_LIMBS == 4 && FP_SPARE_BITS == 0

void FP_ROUTINE(mul_4_full)(uint64_t *r, const uint64_t *a, const uint64_t *b, ASSEMBLY_P_TYPES);
void FP_ROUTINE(sqr_4_full)(uint64_t *r, const uint64_t *a, ASSEMBLY_P_TYPES);

SUMAC_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    FP_ROUTINE(mul_4_full)(r, a, b, ASSEMBLY_P);
}

SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    FP_ROUTINE(sqr_4_full)(r, a, ASSEMBLY_P);
}

#elif FP_LIMBS <= 6

#define ASSEMBLY_MUL FP_ROUTINE(SUMAC_CONCAT(mul_, FP_LIMBS))
#define ASSEMBLY_SQR FP_ROUTINE(SUMAC_CONCAT(sqr_, FP_LIMBS))
#define ASSEMBLY_MUL_PAIR FP_ROUTINE(SUMAC_CONCAT(mul_pair_, FP_LIMBS))

void ASSEMBLY_MUL(uint64_t *r, const uint64_t *a, const uint64_t *b, ASSEMBLY_P_TYPES);
void ASSEMBLY_SQR(uint64_t *r, const uint64_t *a, ASSEMBLY_P_TYPES);
void ASSEMBLY_MUL_PAIR(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                       const uint64_t *d, ASSEMBLY_P_TYPES);

SUMAC_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    ASSEMBLY_MUL(r, a, b, ASSEMBLY_P);
}

SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    ASSEMBLY_SQR(r, a, ASSEMBLY_P);
}

SUMAC_FN void fp_mul_pair_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                const uint64_t *d)
{
    ASSEMBLY_MUL_PAIR(r, a, b, c, d, ASSEMBLY_P);
}

#else

/* The following functions multiply 10 and 12 limbs in halves. */
#if FP_LIMBS == 10
#define ASSEMBLY_HALF 5
#else
#define ASSEMBLY_HALF 6
#endif
#define ASSEMBLY_MUL_WIDE FP_ROUTINE(SUMAC_CONCAT(mul_wide_, ASSEMBLY_HALF))
#define ASSEMBLY_MUL_WIDE_ADD FP_ROUTINE(SUMAC_CONCAT(mul_wide_add_, ASSEMBLY_HALF))
#define ASSEMBLY_SQR_WIDE FP_ROUTINE(SUMAC_CONCAT(sqr_wide_, ASSEMBLY_HALF))
#define ASSEMBLY_REDC FP_ROUTINE(SUMAC_CONCAT(SUMAC_CONCAT(redc_, FP_LIMBS), _below_2p))

enum { FP_HALF_LIMBS = ASSEMBLY_HALF };

void ASSEMBLY_MUL_WIDE(uint64_t *r, const uint64_t *a, const uint64_t *b);
uint64_t ASSEMBLY_MUL_WIDE_ADD(uint64_t *r, const uint64_t *a, const uint64_t *b);
void ASSEMBLY_SQR_WIDE(uint64_t *r, const uint64_t *a);
void ASSEMBLY_REDC(uint64_t *r, const uint64_t *t, ASSEMBLY_P_TYPES);

/* t = t + 2^(64*first) * carry, which fits the 2*FP_LIMBS limbs of t. */
SUMAC_FN void fp_carry_into_wide(uint64_t *t, int first, uint64_t carry)
{
    for (int i = first; carry != 0 && i < 2 * FP_LIMBS; i++) {
        t[i] = limb_add_carry(t[i], 0, &carry);
    }
}

/* t = a * b, which has 2*FP_LIMBS limbs, by four products of halves. */
SUMAC_FN void fp_mul_wide(uint64_t *t, const uint64_t *a, const uint64_t *b)
{
    ASSEMBLY_MUL_WIDE(t, a, b);
    ASSEMBLY_MUL_WIDE(t + FP_LIMBS, a + FP_HALF_LIMBS, b + FP_HALF_LIMBS);
    uint64_t carry = ASSEMBLY_MUL_WIDE_ADD(t + FP_HALF_LIMBS, a, b + FP_HALF_LIMBS);
    carry += ASSEMBLY_MUL_WIDE_ADD(t + FP_HALF_LIMBS, a + FP_HALF_LIMBS, b);
    fp_carry_into_wide(t, 3 * FP_HALF_LIMBS, carry);
}

/*
 * r = t / R mod p. In: t < 2p^2. The result of the reduction is so rarely p or more that a branch is cheaper than always
 * subtracting.
 */
SUMAC_FN void fp_redc_product(uint64_t *r, const uint64_t *t)
{
    ASSEMBLY_REDC(r, t, ASSEMBLY_P);
    if (SUMAC_UNLIKELY(r[FP_LIMBS - 1] >= fp_modulus[FP_LIMBS - 1])) {
        fp_reduce_once(r, r, 0);
    }
}

SUMAC_BIG_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t t[2 * FP_LIMBS];
    fp_mul_wide(t, a, b);
    fp_redc_product(r, t);
}

/* The product of the two halves counts twice. Twice the upper half still has FP_HALF_LIMBS limbs, because p has a spare
 * bit. */
SUMAC_BIG_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    uint64_t t[2 * FP_LIMBS], twice_upper[FP_HALF_LIMBS];
    twice_upper[0] = a[FP_HALF_LIMBS] << 1;
    SUMAC_UNROLL
    for (int i = 1; i < FP_HALF_LIMBS; i++) {
        twice_upper[i] = (a[FP_HALF_LIMBS + i] << 1) | (a[FP_HALF_LIMBS + i - 1] >> 63);
    }
    ASSEMBLY_SQR_WIDE(t, a);
    ASSEMBLY_SQR_WIDE(t + FP_LIMBS, a + FP_HALF_LIMBS);
    fp_carry_into_wide(t, 3 * FP_HALF_LIMBS, ASSEMBLY_MUL_WIDE_ADD(t + FP_HALF_LIMBS, a, twice_upper));
    fp_redc_product(r, t);
}

/* t is large enough for a * b + c * d, which is below 2p^2. */
SUMAC_BIG_FN void fp_mul_pair_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                    const uint64_t *d)
{
    uint64_t t[2 * FP_LIMBS], second[2 * FP_LIMBS];
    uint64_t carry = 0;
    fp_mul_wide(t, a, b);
    fp_mul_wide(second, c, d);
    SUMAC_UNROLL
    for (int i = 0; i < 2 * FP_LIMBS; i++) {
        t[i] = limb_add_carry(t[i], second[i], &carry);
    }
    fp_redc_product(r, t);
}

#endif

#endif
