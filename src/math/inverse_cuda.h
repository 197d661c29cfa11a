/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes fp_inv on the device by the division steps that inverse.h explains. Four lanes of a warp, a quad of
 * lanes 4i .. 4i + 3, work together. Every lane takes the same steps, 30 at a time, on the low words of f and g. It
 * follows one column of the matrix of the steps, and applies one row of it: lane 0 computes f, lane 1 g, lane 2 d, and
 * lane 3 e. Then neighbours exchange what they have. This takes less than a third of the time that one lane needs for
 * all rows. The time matters, because other threads wait for an inversion. All lanes of a warp call fp_inv, and stay
 * until the g of the last quad is 0. Further steps with g = 0 change nothing except signs of 0.
 *
 * The steps begin at delta = 1/2 instead of 1 (Wuille's variant), which needs fewer of them. The code keeps
 * zeta = -(delta + 1/2). Whatever delta is, a step keeps gcd(f, g), so the loop ends with g = 0 and f = +-1.
 */
#ifndef SUMAC_MATH_INVERSE_CUDA_H
#define SUMAC_MATH_INVERSE_CUDA_H

/* This many digits of 30 bits are enough for a value between -2p and 2p with its sign. */
#define FP_DIGITS ((FP_BITS + 2 + 29) / 30)
#define FP_DIGIT_MASK ((1 << 30) - 1)

/* The value is the sum of v[i] * 2^(30*i). 0 <= v[i] < 2^30, except for the last digit, which has the sign. */
typedef struct {
    int32_t v[FP_DIGITS];
} fp_signed;

SUMAC_FN void fp_signed_from_limbs(fp_signed *r, const uint64_t *limbs)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        const int limb = 30 * i / 64;
        const int shift = 30 * i % 64;
        uint64_t digit = limb < FP_LIMBS ? limbs[limb] >> shift : 0;
        if (shift > 34 && limb + 1 < FP_LIMBS) {
            digit |= limbs[limb + 1] << (64 - shift);
        }
        r->v[i] = (int32_t)(digit & FP_DIGIT_MASK);
    }
}

/* This requires 0 <= a < 2^(64*FP_LIMBS). */
SUMAC_FN void fp_signed_to_limbs(uint64_t *limbs, const fp_signed *a)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        limbs[i] = 0;
    }
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        const int limb = 30 * i / 64;
        const int shift = 30 * i % 64;
        if (limb < FP_LIMBS) {
            limbs[limb] |= (uint64_t)(uint32_t)a->v[i] << shift;
        }
        if (shift > 34 && limb + 1 < FP_LIMBS) {
            limbs[limb + 1] |= (uint64_t)(uint32_t)a->v[i] >> (64 - shift);
        }
    }
}

/* This is a column of the matrix of 30 steps, which maps (f, g) to 2^30 times their new values. The absolute values of the
 * two entries of a row add up to at most 2^30. */
typedef struct {
    int32_t f_row, g_row;
} fp_divstep_column;

/*
 * Compute 30 division steps on the low words of f and g; return the new zeta. *column is the column of f's factors or
 * that of g's, and it changes as f and g do. Before step i the variables f and g hold 2^i times their values, so that g
 * need not be shifted, and the step tests bit i. age = zeta + i changes only if f and g are swapped. Terms of sums are
 * products with -1, 0 or 1, because the multiplier has nothing else to do. Doublings do not wait for the decision,
 * because what counts is how long a step waits for the one before.
 */
SUMAC_FN int32_t fp_divsteps_30(int32_t zeta, uint32_t f, uint32_t g, fp_divstep_column *column)
{
    uint32_t upper = (uint32_t)column->f_row, lower = (uint32_t)column->g_row;
    int32_t age = zeta;
#pragma unroll
    for (int i = 0; i < 30; i++) {
        const bool odd = (g & 1u << i) != 0;
        const bool negative = age < i;
        const bool swap = odd && negative;
        const uint32_t sign = negative ? 0xffffffffu : 1u;
        const uint32_t factor = odd ? sign : 0;
        const uint32_t twice_f = 2 * f, twice_g = 2 * g, twice_upper = 2 * upper, twice_lower = 2 * lower;
        g += factor * f;
        lower += factor * upper;
        f = swap ? twice_g : twice_f;
        upper = swap ? twice_lower : twice_upper;
        age = swap ? 2 * i - 1 - age : age;
    }
    column->f_row = (int32_t)upper;
    column->g_row = (int32_t)lower;
    return age - 30;
}

/*
 * Set r to (a * x + b * y) / 2^30. If `modular` is 0, the division is exact. If it is 0xffffffff, the result is taken
 * modulo p, and the bounds and the multiple of p are those of inverse.h.
 */
SUMAC_FN void fp_divstep_row(fp_signed *r, int32_t a, const fp_signed *x, int32_t b, const fp_signed *y,
                             uint32_t modular)
{
    fp_signed p;
    fp_signed_from_limbs(&p, fp_modulus);
    const int32_t x_negative = x->v[FP_DIGITS - 1] >> 31;
    const int32_t y_negative = y->v[FP_DIGITS - 1] >> 31;
    int32_t multiple = (a & x_negative) + (b & y_negative);
    int64_t carry = (int64_t)a * x->v[0] + (int64_t)b * y->v[0];
    multiple -= (int32_t)((uint32_t)multiple - (uint32_t)carry * (uint32_t)FP_INV) & FP_DIGIT_MASK;
    multiple &= (int32_t)modular;
    carry += (int64_t)multiple * p.v[0];
    SUMAC_VERIFY_CHECK((carry & FP_DIGIT_MASK) == 0);
    carry >>= 30;
    SUMAC_UNROLL
    for (int i = 1; i < FP_DIGITS; i++) {
        int64_t sum = (int64_t)a * x->v[i] + (int64_t)b * y->v[i] + (int64_t)multiple * p.v[i];
        asm("" : "+l"(sum)); /* without this the products would wait for the carry */
        sum += carry;
        r->v[i - 1] = (int32_t)sum & FP_DIGIT_MASK;
        carry = sum >> 30;
    }
    r->v[FP_DIGITS - 1] = (int32_t)carry;
}

/* Set a to sign * a, plus p if p_mask is -1 instead of 0, and carry, so that the digits are in their range. The sign is 1
 * or -1. */
SUMAC_FN void fp_signed_affine(fp_signed *a, int32_t sign, int32_t p_mask)
{
    fp_signed p;
    fp_signed_from_limbs(&p, fp_modulus);
    int32_t carry = 0;
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS - 1; i++) {
        carry += sign * a->v[i] + (p.v[i] & p_mask);
        a->v[i] = carry & FP_DIGIT_MASK;
        carry >>= 30;
    }
    a->v[FP_DIGITS - 1] = carry + sign * a->v[FP_DIGITS - 1] + (p.v[FP_DIGITS - 1] & p_mask);
}

SUMAC_FN int fp_signed_is_zero(const fp_signed *a)
{
    int32_t any = 0;
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        any |= a->v[i];
    }
    return any == 0;
}

/* Set r to 1 / a, or to 0 if a is 0. The lanes of a quad have the same a. */
SUMAC_FN void fp_inv(fp *r, const fp *a)
{
    enum { QUAD = 4 };
    const uint32_t ALL = 0xffffffffu;
    const uint32_t lane = threadIdx.x % QUAD;
    const uint32_t modular = lane < 2 ? 0 : 0xffffffffu;
    const bool second = lane % 2 != 0;
    /* Lanes 0 and 1 have the numbers f and g, the others d and e; `other` is the neighbouring lane's. */
    fp_signed number, other, start;
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    fp_signed_from_limbs(&number, fp_modulus);
    fp_signed_from_limbs(&other, a->l);
    fp_signed_from_limbs(&start, fp_r2_mod_p);
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        const int32_t left = modular ? 0 : number.v[i], right = modular ? start.v[i] : other.v[i];
        number.v[i] = second ? right : left;
        other.v[i] = second ? left : right;
    }
    int32_t zeta = -1;
#pragma unroll 1
    while (__any_sync(ALL, lane == 1 && !fp_signed_is_zero(&number))) {
        fp_divstep_column column = {!second, second};
        const uint32_t f = (uint32_t)__shfl_sync(ALL, number.v[0], 0, QUAD);
        const uint32_t g = (uint32_t)__shfl_sync(ALL, number.v[0], 1, QUAD);
        zeta = fp_divsteps_30(zeta, f, g, &column);
        const int32_t others_factor = __shfl_xor_sync(ALL, second ? column.f_row : column.g_row, 1);
        fp_signed row;
        fp_divstep_row(&row, second ? column.g_row : column.f_row, &number, others_factor, &other, modular);
        SUMAC_UNROLL
        for (int i = 0; i < FP_DIGITS; i++) {
            number.v[i] = row.v[i];
            other.v[i] = __shfl_xor_sync(ALL, row.v[i], 1);
        }
    }
    const int32_t sign = __shfl_sync(ALL, number.v[FP_DIGITS - 1], 0, QUAD) < 0 ? -1 : 1;
    fp_signed d;
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        d.v[i] = __shfl_sync(ALL, number.v[i], 2, QUAD);
    }
    /* From -2p < d < p the first line leads to -p < d < p. The second line multiplies d by the sign of f, and the third
     * one leads to 0 <= d < p. */
    fp_signed_affine(&d, 1, d.v[FP_DIGITS - 1] >> 31);
    fp_signed_affine(&d, sign, 0);
    fp_signed_affine(&d, 1, d.v[FP_DIGITS - 1] >> 31);
    fp_signed_to_limbs(r->l, &d);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

#endif
