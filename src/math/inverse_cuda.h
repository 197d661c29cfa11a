/*
 * fp_inv on the device: the division steps that inverse.h explains, arranged for 32 lanes that invert
 * together. Every lane takes the same steps, 30 at a time on 32-bit words, by selection instead of branches;
 * a lane leaves when its g is 0, the warp when all lanes have.
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

/* 30 division steps on the low words of f and g; returns the new zeta. */
SUMAC_FN int32_t fp_divsteps_30(int32_t zeta, uint32_t f, uint32_t g, fp_divstep_matrix *matrix)
{
    uint32_t u = 1, v = 0, q = 0, r = 1;
#pragma unroll 6
    for (int i = 0; i < 30; i++) {
        const bool odd = (g & 1) != 0;
        const bool swap = odd && zeta < 0;
        const uint32_t old_f = f, old_u = u, old_v = v;
        f = swap ? g : f;
        u = swap ? q : u;
        v = swap ? r : v;
        g = swap ? 0 - old_f : g;
        q = swap ? 0 - old_u : q;
        r = swap ? 0 - old_v : r;
        zeta = swap ? -2 - zeta : zeta - 1;
        g = odd ? g + f : g;
        q = odd ? q + u : q;
        r = odd ? r + v : r;
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    matrix->u = (int32_t)u;
    matrix->v = (int32_t)v;
    matrix->q = (int32_t)q;
    matrix->r = (int32_t)r;
    return zeta;
}

/* (f, g) = (u * f + v * g, q * f + r * g) / 2^30, which is exact. */
SUMAC_FN void fp_divstep_apply(fp_signed *f, fp_signed *g, const fp_divstep_matrix *t)
{
    int64_t new_f = (int64_t)t->u * f->v[0] + (int64_t)t->v * g->v[0];
    int64_t new_g = (int64_t)t->q * f->v[0] + (int64_t)t->r * g->v[0];
    SUMAC_VERIFY_CHECK((new_f & FP_DIGIT_MASK) == 0 && (new_g & FP_DIGIT_MASK) == 0);
    new_f >>= 30;
    new_g >>= 30;
    SUMAC_UNROLL
    for (int i = 1; i < FP_DIGITS; i++) {
        new_f += (int64_t)t->u * f->v[i] + (int64_t)t->v * g->v[i];
        new_g += (int64_t)t->q * f->v[i] + (int64_t)t->r * g->v[i];
        f->v[i - 1] = (int32_t)new_f & FP_DIGIT_MASK;
        g->v[i - 1] = (int32_t)new_g & FP_DIGIT_MASK;
        new_f >>= 30;
        new_g >>= 30;
    }
    f->v[FP_DIGITS - 1] = (int32_t)new_f;
    g->v[FP_DIGITS - 1] = (int32_t)new_g;
}

/* (d, e) = (u * d + v * e, q * d + r * e) / 2^30 mod p; bounds and choice of multiples as in inverse.h. */
SUMAC_FN void fp_divstep_apply_mod(fp_signed *d, fp_signed *e, const fp_divstep_matrix *t)
{
    fp_signed p;
    fp_signed_from_limbs(&p, fp_modulus);
    const int32_t d_negative = d->v[FP_DIGITS - 1] >> 31;
    const int32_t e_negative = e->v[FP_DIGITS - 1] >> 31;
    int32_t d_multiple = (t->u & d_negative) + (t->v & e_negative);
    int32_t e_multiple = (t->q & d_negative) + (t->r & e_negative);
    int64_t new_d = (int64_t)t->u * d->v[0] + (int64_t)t->v * e->v[0];
    int64_t new_e = (int64_t)t->q * d->v[0] + (int64_t)t->r * e->v[0];
    d_multiple -= (int32_t)((uint32_t)d_multiple - (uint32_t)new_d * (uint32_t)FP_INV) & FP_DIGIT_MASK;
    e_multiple -= (int32_t)((uint32_t)e_multiple - (uint32_t)new_e * (uint32_t)FP_INV) & FP_DIGIT_MASK;
    new_d += (int64_t)d_multiple * p.v[0];
    new_e += (int64_t)e_multiple * p.v[0];
    SUMAC_VERIFY_CHECK((new_d & FP_DIGIT_MASK) == 0 && (new_e & FP_DIGIT_MASK) == 0);
    new_d >>= 30;
    new_e >>= 30;
    SUMAC_UNROLL
    for (int i = 1; i < FP_DIGITS; i++) {
        new_d += (int64_t)t->u * d->v[i] + (int64_t)t->v * e->v[i] + (int64_t)d_multiple * p.v[i];
        new_e += (int64_t)t->q * d->v[i] + (int64_t)t->r * e->v[i] + (int64_t)e_multiple * p.v[i];
        d->v[i - 1] = (int32_t)new_d & FP_DIGIT_MASK;
        e->v[i - 1] = (int32_t)new_e & FP_DIGIT_MASK;
        new_d >>= 30;
        new_e >>= 30;
    }
    d->v[FP_DIGITS - 1] = (int32_t)new_d;
    e->v[FP_DIGITS - 1] = (int32_t)new_e;
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

/* r = 1 / a, and 0 for a = 0. */
SUMAC_BIG_FN void fp_inv(fp *r, const fp *a)
{
    fp_signed f, g, d, e;
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    fp_signed_from_limbs(&f, fp_modulus);
    fp_signed_from_limbs(&g, a->l);
    fp_signed_from_limbs(&e, fp_r2_mod_p);
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        d.v[i] = 0;
    }
    int32_t zeta = -1;
    while (!fp_signed_is_zero(&g)) {
        fp_divstep_matrix matrix;
        /* 32 bits of f and g from their 30-bit digits: 30 steps look at 30 bits. */
        zeta = fp_divsteps_30(zeta, (uint32_t)f.v[0], (uint32_t)g.v[0], &matrix);
        fp_divstep_apply_mod(&d, &e, &matrix);
        fp_divstep_apply(&f, &g, &matrix);
    }
    /* From -2p < d < p to -p < d < p, then the sign of f, then 0 <= d < p. */
    fp_signed_affine(&d, 1, d.v[FP_DIGITS - 1] >> 31);
    fp_signed_affine(&d, f.v[FP_DIGITS - 1] < 0 ? -1 : 1, 0);
    fp_signed_affine(&d, 1, d.v[FP_DIGITS - 1] >> 31);
    fp_signed_to_limbs(r->l, &d);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

#endif
