/*
 * Multiplication with mulx, adcx and adox: calls of the routines in field.S. The contract is in field.h.
 * The arguments p and inverse are fp_modulus and -1/p mod 2^64. r may alias the operands; the wide ones may
 * not.
 */
#ifndef SUMAC_MATH_X86_64_MUL_ADX_H
#define SUMAC_MATH_X86_64_MUL_ADX_H

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

#elif FP_LIMBS == 4

void sumac_x86_64_mul_4(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p,
                        uint64_t inverse);
void sumac_x86_64_sqr_4(uint64_t *r, const uint64_t *a, const uint64_t *p, uint64_t inverse);
void sumac_x86_64_mul_pair_4(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                             const uint64_t *d, const uint64_t *p, uint64_t inverse);

SUMAC_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    sumac_x86_64_mul_4(r, a, b, fp_modulus, FP_INV);
}

SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    sumac_x86_64_sqr_4(r, a, fp_modulus, FP_INV);
}

SUMAC_FN void fp_mul_pair_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                const uint64_t *d)
{
    sumac_x86_64_mul_pair_4(r, a, b, c, d, fp_modulus, FP_INV);
}

#elif FP_LIMBS == 6

void sumac_x86_64_mul_6(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p,
                        uint64_t inverse);
void sumac_x86_64_sqr_6(uint64_t *r, const uint64_t *a, const uint64_t *p, uint64_t inverse);
void sumac_x86_64_mul_pair_6(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                             const uint64_t *d, const uint64_t *p, uint64_t inverse);

SUMAC_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    sumac_x86_64_mul_6(r, a, b, fp_modulus, FP_INV);
}

SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    sumac_x86_64_sqr_6(r, a, fp_modulus, FP_INV);
}

SUMAC_FN void fp_mul_pair_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                const uint64_t *d)
{
    sumac_x86_64_mul_pair_6(r, a, b, c, d, fp_modulus, FP_INV);
}

#elif FP_LIMBS == 12

void sumac_x86_64_mul_wide_6(uint64_t *r, const uint64_t *a, const uint64_t *b);
uint64_t sumac_x86_64_mul_wide_add_6(uint64_t *r, const uint64_t *a, const uint64_t *b);
void sumac_x86_64_sqr_wide_6(uint64_t *r, const uint64_t *a);
void sumac_x86_64_redc_12_below_2p(uint64_t *r, const uint64_t *t, const uint64_t *p, uint64_t inverse);

/* t = t + 2^(64*first) * carry, which fits the 24 limbs of t. */
SUMAC_FN void fp_carry_into_24(uint64_t *t, int first, uint64_t carry)
{
    for (int i = first; carry != 0 && i < 24; i++) {
        t[i] = limb_add_carry(t[i], 0, &carry);
    }
}

/* t = a * b, 12 limbs to 24, in four products of halves. */
SUMAC_FN void fp_mul_wide_12(uint64_t *t, const uint64_t *a, const uint64_t *b)
{
    sumac_x86_64_mul_wide_6(t, a, b);
    sumac_x86_64_mul_wide_6(t + 12, a + 6, b + 6);
    uint64_t carry = sumac_x86_64_mul_wide_add_6(t + 6, a, b + 6);
    carry += sumac_x86_64_mul_wide_add_6(t + 6, a + 6, b);
    fp_carry_into_24(t, 18, carry);
}

/*
 * r = t / R mod p. In: t < 2p^2, so that the reduction comes out above p so rarely that a branch is cheaper
 * than always subtracting.
 */
SUMAC_FN void fp_redc_product_12(uint64_t *r, const uint64_t *t)
{
    sumac_x86_64_redc_12_below_2p(r, t, fp_modulus, FP_INV);
    if (SUMAC_UNLIKELY(r[11] >= fp_modulus[11])) {
        fp_reduce_once(r, r, 0);
    }
}

SUMAC_BIG_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t t[24];
    fp_mul_wide_12(t, a, b);
    fp_redc_product_12(r, t);
}

/* The halves' product counts twice; twice the upper half still has 6 limbs, as p has a spare bit. */
SUMAC_BIG_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    uint64_t t[24], twice_upper[6];
    twice_upper[0] = a[6] << 1;
    SUMAC_UNROLL
    for (int i = 1; i < 6; i++) {
        twice_upper[i] = (a[6 + i] << 1) | (a[5 + i] >> 63);
    }
    sumac_x86_64_sqr_wide_6(t, a);
    sumac_x86_64_sqr_wide_6(t + 12, a + 6);
    fp_carry_into_24(t, 18, sumac_x86_64_mul_wide_add_6(t + 6, a, twice_upper));
    fp_redc_product_12(r, t);
}

/* a * b + c * d < 2p^2 fits 24 limbs. */
SUMAC_BIG_FN void fp_mul_pair_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                    const uint64_t *d)
{
    uint64_t t[24], second[24];
    uint64_t carry = 0;
    fp_mul_wide_12(t, a, b);
    fp_mul_wide_12(second, c, d);
    SUMAC_UNROLL
    for (int i = 0; i < 24; i++) {
        t[i] = limb_add_carry(t[i], second[i], &carry);
    }
    fp_redc_product_12(r, t);
}

#endif

#endif
