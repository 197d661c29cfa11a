/*
 * fp_inv on the device: the division steps that inverse.h explains, by four lanes together (a quad: lanes 4i
 * .. 4i + 3 of a warp). Every lane takes the same steps, 30 at a time on the low words of f and g, and
 * applies one row of their matrix: lane 0 computes f, lane 1 g, lane 2 d, lane 3 e; then neighbours exchange
 * what they have. That takes a third of the time that one lane needs for all rows, and time is what an
 * inversion is about: others wait for it. All lanes of a warp call fp_inv, and stay until the last quad's g
 * is 0; further steps with g = 0 change nothing but signs of 0.
 *
 * The steps begin at delta = 1/2 instead of 1 (Wuille's variant), which needs fewer of them; zeta = -(delta +
 * 1/2). Whatever delta is, a step keeps gcd(f, g), and the loop ends at g = 0 with f = +-1.
 */
#ifndef SUMAC_MATH_INVERSE_CUDA_H
#define SUMAC_MATH_INVERSE_CUDA_H

/* Digits of 30 bits with room for the sign of a value between -2p and 2p. */
#define FP_DIGITS ((FP_BITS + 2 + 29) / 30)
#define FP_DIGIT_MASK ((1 << 30) - 1)

/* The value is the sum of v[i] * 2^(30*i); 0 <= v[i] < 2^30 but for the last digit, which has the sign. */
typedef struct {
    int32_t v[FP_DIGITS];
} fp_signed;

/* 2^30 * (f, g) = (u * f + v * g, q * f + r * g) after 30 steps; |u| + |v| <= 2^30 and |q| + |r| <= 2^30. */
typedef struct {
    int32_t u, v, q, r;
} fp_divstep_matrix;

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

/* In: 0 <= a < 2^(64*FP_LIMBS). */
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

/*
 * 30 division steps on the low words of f and g; returns the new zeta. Before step i the variables f and g
 * hold 2^i times their values, so that g needn't be shifted and the step looks at bit i. u, q and v, r change
 * as f, g do.
 */
SUMAC_FN int32_t fp_divsteps_30(int32_t zeta, uint32_t f, uint32_t g, fp_divstep_matrix *matrix)
{
    uint32_t u = 1, v = 0, q = 0, r = 1;
#pragma unroll
    for (int i = 0; i < 30; i++) {
        const bool odd = (g >> i & 1) != 0;
        const bool swap = odd && zeta < 0;
        const uint32_t old_f = f, old_u = u, old_v = v;
        f = (swap ? g : f) << 1;
        u = (swap ? q : u) << 1;
        v = (swap ? r : v) << 1;
        const uint32_t new_g = zeta < 0 ? g - old_f : g + old_f;
        const uint32_t new_q = zeta < 0 ? q - old_u : q + old_u;
        const uint32_t new_r = zeta < 0 ? r - old_v : r + old_v;
        g = odd ? new_g : g;
        q = odd ? new_q : q;
        r = odd ? new_r : r;
        zeta = swap ? -2 - zeta : zeta - 1;
    }
    matrix->u = (int32_t)u;
    matrix->v = (int32_t)v;
    matrix->q = (int32_t)q;
    matrix->r = (int32_t)r;
    return zeta;
}

/*
 * r = (a * x + b * y) / 2^30, which is exact, or for modular = 0xffffffff the same mod p; bounds and choice
 * of the multiple of p as in inverse.h.
 */
SUMAC_FN void fp_divstep_row(fp_signed *r, int32_t a, const fp_signed *x, int32_t b, const fp_signed *y,
                             uint32_t modular)
{
    fp_signed p;
    fp_signed_from_limbs(&p, fp_modulus);
    const int32_t x_negative = x->v[FP_DIGITS - 1] >> 31;
    const int32_t y_negative = y->v[FP_DIGITS - 1] >> 31;
    int32_t multiple = (a & x_negative) + (b & y_negative);
    int64_t sum = (int64_t)a * x->v[0] + (int64_t)b * y->v[0];
    multiple -= (int32_t)((uint32_t)multiple - (uint32_t)sum * (uint32_t)FP_INV) & FP_DIGIT_MASK;
    multiple &= (int32_t)modular;
    sum += (int64_t)multiple * p.v[0];
    SUMAC_VERIFY_CHECK((sum & FP_DIGIT_MASK) == 0);
    sum >>= 30;
    SUMAC_UNROLL
    for (int i = 1; i < FP_DIGITS; i++) {
        sum += (int64_t)a * x->v[i] + (int64_t)b * y->v[i] + (int64_t)multiple * p.v[i];
        r->v[i - 1] = (int32_t)sum & FP_DIGIT_MASK;
        sum >>= 30;
    }
    r->v[FP_DIGITS - 1] = (int32_t)sum;
}

/* a = sign * a, plus p when negative results are asked to be lifted and a is negative; sign is 1 or -1. */
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

/* r = 1 / a, and 0 for a = 0. The lanes of a quad have the same a. */
SUMAC_FN void fp_inv(fp *r, const fp *a)
{
    enum { QUAD = 4 };
    const uint32_t ALL = 0xffffffffu;
    const uint32_t lane = threadIdx.x % QUAD;
    const uint32_t modular = lane < 2 ? 0 : 0xffffffffu;
    const bool second = lane % 2 != 0;
    fp_signed x, y, d; /* x = f, y = g in the lanes 0 and 1, x = d, y = e in the others */
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    fp_signed_from_limbs(&x, fp_modulus);
    fp_signed_from_limbs(&y, a->l);
    fp_signed_from_limbs(&d, fp_r2_mod_p);
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        x.v[i] = modular ? 0 : x.v[i];
        y.v[i] = modular ? d.v[i] : y.v[i];
    }
    int32_t zeta = -1;
#pragma unroll 1
    while (__any_sync(ALL, !modular && !fp_signed_is_zero(&y))) {
        fp_divstep_matrix matrix;
        fp_signed row;
        const uint32_t f = (uint32_t)__shfl_sync(ALL, x.v[0], 0, QUAD);
        const uint32_t g = (uint32_t)__shfl_sync(ALL, y.v[0], 0, QUAD);
        zeta = fp_divsteps_30(zeta, f, g, &matrix);
        fp_divstep_row(&row, second ? matrix.q : matrix.u, &x, second ? matrix.r : matrix.v, &y, modular);
        SUMAC_UNROLL
        for (int i = 0; i < FP_DIGITS; i++) {
            const int32_t other = __shfl_xor_sync(ALL, row.v[i], 1);
            x.v[i] = second ? other : row.v[i];
            y.v[i] = second ? row.v[i] : other;
        }
    }
    const int32_t sign = __shfl_sync(ALL, x.v[FP_DIGITS - 1], 0, QUAD) < 0 ? -1 : 1;
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        d.v[i] = __shfl_sync(ALL, x.v[i], 2, QUAD);
    }
    /* From -2p < d < p to -p < d < p, then the sign of f, then 0 <= d < p. */
    fp_signed_affine(&d, 1, d.v[FP_DIGITS - 1] >> 31);
    fp_signed_affine(&d, sign, 0);
    fp_signed_affine(&d, 1, d.v[FP_DIGITS - 1] >> 31);
    fp_signed_to_limbs(r->l, &d);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

#endif
