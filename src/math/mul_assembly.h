/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Multiplication with mulx, adcx and adox: calls of the routines in field.S. The contract is in field.h.
 * The arguments p and inverse are fp_modulus and -1/p mod 2^64. r may alias the operands; the wide ones may
 * not.
 */
#ifndef SUMAC_MATH_MUL_ASSEMBLY_H
#define SUMAC_MATH_MUL_ASSEMBLY_H

#if FP_LIMBS == 4 && FP_SPARE_BITS == 0

void sumac_x86_64_mul_4_full(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p,
                             uint64_t inverse);
void sumac_x86_64_sqr_4_full(uint64_t *r, const uint64_t *a, const uint64_t *p, uint64_t inverse);

SUMAC_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    sumac_x86_64_mul_4_full(r, a, b, fp_modulus, FP_INV);
}

SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    sumac_x86_64_sqr_4_full(r, a, fp_modulus, FP_INV);
}

#elif FP_LIMBS <= 6

#define X86_64_MUL SUMAC_CONCAT(sumac_x86_64_mul_, FP_LIMBS)
#define X86_64_SQR SUMAC_CONCAT(sumac_x86_64_sqr_, FP_LIMBS)
#define X86_64_MUL_PAIR SUMAC_CONCAT(sumac_x86_64_mul_pair_, FP_LIMBS)

void X86_64_MUL(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p, uint64_t inverse);
void X86_64_SQR(uint64_t *r, const uint64_t *a, const uint64_t *p, uint64_t inverse);
void X86_64_MUL_PAIR(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *d,
                     const uint64_t *p, uint64_t inverse);

SUMAC_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    X86_64_MUL(r, a, b, fp_modulus, FP_INV);
}

SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    X86_64_SQR(r, a, fp_modulus, FP_INV);
}

SUMAC_FN void fp_mul_pair_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                const uint64_t *d)
{
    X86_64_MUL_PAIR(r, a, b, c, d, fp_modulus, FP_INV);
}

#else

/* 10 and 12 limbs, in halves. */
#if FP_LIMBS == 10
#define X86_64_HALF 5
#else
#define X86_64_HALF 6
#endif
#define X86_64_MUL_WIDE SUMAC_CONCAT(sumac_x86_64_mul_wide_, X86_64_HALF)
#define X86_64_MUL_WIDE_ADD SUMAC_CONCAT(sumac_x86_64_mul_wide_add_, X86_64_HALF)
#define X86_64_SQR_WIDE SUMAC_CONCAT(sumac_x86_64_sqr_wide_, X86_64_HALF)
#define X86_64_REDC SUMAC_CONCAT(SUMAC_CONCAT(sumac_x86_64_redc_, FP_LIMBS), _below_2p)

enum { FP_HALF_LIMBS = X86_64_HALF };

void X86_64_MUL_WIDE(uint64_t *r, const uint64_t *a, const uint64_t *b);
uint64_t X86_64_MUL_WIDE_ADD(uint64_t *r, const uint64_t *a, const uint64_t *b);
void X86_64_SQR_WIDE(uint64_t *r, const uint64_t *a);
void X86_64_REDC(uint64_t *r, const uint64_t *t, const uint64_t *p, uint64_t inverse);

/* t = t + 2^(64*first) * carry, which fits the 2*FP_LIMBS limbs of t. */
SUMAC_FN void fp_carry_into_wide(uint64_t *t, int first, uint64_t carry)
{
    for (int i = first; carry != 0 && i < 2 * FP_LIMBS; i++) {
        t[i] = limb_add_carry(t[i], 0, &carry);
    }
}

/* t = a * b, FP_LIMBS limbs to twice as many, in four products of halves. */
SUMAC_FN void fp_mul_wide(uint64_t *t, const uint64_t *a, const uint64_t *b)
{
    X86_64_MUL_WIDE(t, a, b);
    X86_64_MUL_WIDE(t + FP_LIMBS, a + FP_HALF_LIMBS, b + FP_HALF_LIMBS);
    uint64_t carry = X86_64_MUL_WIDE_ADD(t + FP_HALF_LIMBS, a, b + FP_HALF_LIMBS);
    carry += X86_64_MUL_WIDE_ADD(t + FP_HALF_LIMBS, a + FP_HALF_LIMBS, b);
    fp_carry_into_wide(t, 3 * FP_HALF_LIMBS, carry);
}

/*
 * r = t / R mod p. In: t < 2p^2, so that the reduction comes out above p so rarely that a branch is cheaper
 * than always subtracting.
 */
SUMAC_FN void fp_redc_product(uint64_t *r, const uint64_t *t)
{
    X86_64_REDC(r, t, fp_modulus, FP_INV);
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

/* The halves' product counts twice; twice the upper half still has FP_HALF_LIMBS limbs, as p has a spare bit.
 */
SUMAC_BIG_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    uint64_t t[2 * FP_LIMBS], twice_upper[FP_HALF_LIMBS];
    twice_upper[0] = a[FP_HALF_LIMBS] << 1;
    SUMAC_UNROLL
    for (int i = 1; i < FP_HALF_LIMBS; i++) {
        twice_upper[i] = (a[FP_HALF_LIMBS + i] << 1) | (a[FP_HALF_LIMBS + i - 1] >> 63);
    }
    X86_64_SQR_WIDE(t, a);
    X86_64_SQR_WIDE(t + FP_LIMBS, a + FP_HALF_LIMBS);
    fp_carry_into_wide(t, 3 * FP_HALF_LIMBS, X86_64_MUL_WIDE_ADD(t + FP_HALF_LIMBS, a, twice_upper));
    fp_redc_product(r, t);
}

/* a * b + c * d < 2p^2 fits t. */
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
