/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file, which field.h includes, computes fp_inv by the division steps of Bernstein and Yang, "Fast constant-time
 * gcd computation and modular inversion" (2019). It takes variable time: it skips runs of zero bits, and ends when g is
 * 0.
 *
 * A division step takes (delta, f, g), where f is odd, to
 *     (1 - delta, g, (g - f) / 2)               if delta > 0 and g is odd,
 *     (1 + delta, f, (g + (g mod 2) * f) / 2)   otherwise.
 * If the steps begin with (1, p, x), where 0 <= x < p, then after FP_DIVSTEPS steps at most g is 0, and f is
 * +-gcd(p, x).
 *
 * 62 steps depend only on delta and on the low 62 bits of f and g. They amount to a matrix of integers, divided by
 * 2^62. The matrix is applied to f and g, and modulo p to d and e. Always d * x = f * c and e * x = g * c (mod p), where
 * c = R^2. For x = a * R, d is therefore +-R^2 / (a * R) = +-R / a in the end, which is the inverse in Montgomery form,
 * up to its sign.
 */
#ifndef SUMAC_MATH_INVERSE_H
#define SUMAC_MATH_INVERSE_H

/* This many limbs of 62 bits are enough for a value between -2p and 2p with its sign. */
#define FP_DIGITS ((FP_BITS + 2 + 61) / 62)
#define FP_DIGIT_MASK (UINT64_MAX >> 2)

/* By theorem 11.2 of Bernstein and Yang, g is 0 after at most this many division steps. */
#define FP_DIVSTEPS ((49 * FP_BITS + (FP_BITS < 46 ? 80 : 57)) / 17)

/* The value is the sum of v[i] * 2^(62*i). 0 <= v[i] < 2^62, except for the last limb, which has the sign. */
typedef struct {
    int64_t v[FP_DIGITS];
} fp_signed;

/* This is the matrix of 62 steps. They take (f, g) to (u * f + v * g, q * f + r * g) / 2^62. Always |u| + |v| <= 2^62
 * and |q| + |r| <= 2^62. */
typedef struct {
    int64_t u, v, q, r;
} fp_divstep_matrix;

SUMAC_FN void fp_signed_from_limbs(fp_signed *r, const uint64_t *limbs)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_DIGITS; i++) {
        const int word = 62 * i / 64;
        const int shift = 62 * i % 64;
        uint64_t digit = word < FP_LIMBS ? limbs[word] >> shift : 0;
        if (shift > 2 && word + 1 < FP_LIMBS) {
            digit |= limbs[word + 1] << (64 - shift);
        }
        r->v[i] = (int64_t)(digit & FP_DIGIT_MASK);
    }
}

/* This requires 0 <= a < 2^(64*FP_LIMBS). Limb i begins at bit 2 * i of digit i. For i < 31 this is at most 60, so two
 * digits cover the limb. */
SUMAC_FN void fp_signed_to_limbs(uint64_t *limbs, const fp_signed *a)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        const int digit = 64 * i / 62;
        const int shift = 64 * i % 62;
        uint64_t word = digit < FP_DIGITS ? (uint64_t)a->v[digit] >> shift : 0;
        if (digit + 1 < FP_DIGITS) {
            word |= (uint64_t)a->v[digit + 1] << (62 - shift);
        }
        limbs[i] = word;
    }
}

/*
 * Compute 62 division steps on the low limbs of f and g; return the new delta. While g is even, the steps only halve it,
 * so one shift does all of them. If g is odd and delta <= 0, the next 1 - delta steps are of the second kind and do not
 * change f. So one multiple of f, added at once, clears that many low bits of g. It clears at most 6, because the
 * inverse of f is known modulo 64 only.
 */
SUMAC_FN int64_t fp_divsteps_62(int64_t delta, uint64_t f, uint64_t g, fp_divstep_matrix *matrix)
{
    /*
     * f and g are right only modulo 2^steps_left, and no higher bits are used. When g is halved, the row (u, v) of f is
     * doubled, and the row (q, r) of g stays. So after k steps 2^k * f = u * f_start + v * g_start and
     * 2^k * g = q * f_start + r * g_start.
     */
    uint64_t u = 1, v = 0, q = 0, r = 1;
    /* f * f = 1 mod 8, so f * (2 - f * f) is 1 / f mod 64 by one step of Newton. */
    uint64_t minus_inverse = f * (f * f - 2);
    int steps_left = 62;
    for (;;) {
        /* The bit at steps_left ends the count of zeros. */
        const int zeros = limb_trailing_zeros(g | (UINT64_MAX << steps_left));
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        delta += zeros;
        steps_left -= zeros;
        if (steps_left == 0) {
            break;
        }
        if (delta > 0) {
            const uint64_t old_f = f, old_u = u, old_v = v;
            delta = -delta;
            f = g;
            u = q;
            v = r;
            g = 0 - old_f;
            q = 0 - old_u;
            r = 0 - old_v;
            minus_inverse = f * (f * f - 2);
        }
        const int64_t bound = 1 - delta < steps_left ? 1 - delta : steps_left;
        const uint64_t mask = bound < 6 ? ((uint64_t)1 << bound) - 1 : 63;
        const uint64_t multiple = (g * minus_inverse) & mask;
        g += f * multiple;
        q += u * multiple;
        r += v * multiple;
    }
    matrix->u = (int64_t)u;
    matrix->v = (int64_t)v;
    matrix->q = (int64_t)q;
    matrix->r = (int64_t)r;
    return delta;
}

/* Set (f, g) to (u * f + v * g, q * f + r * g) / 2^62. The division is exact. f and g have `count` limbs in use. */
SUMAC_FN void fp_divstep_apply(fp_signed *f, fp_signed *g, int count, const fp_divstep_matrix *t)
{
    sumac_i128 new_f = (sumac_i128)t->u * f->v[0] + (sumac_i128)t->v * g->v[0];
    sumac_i128 new_g = (sumac_i128)t->q * f->v[0] + (sumac_i128)t->r * g->v[0];
    SUMAC_VERIFY_CHECK(((uint64_t)new_f & FP_DIGIT_MASK) == 0 && ((uint64_t)new_g & FP_DIGIT_MASK) == 0);
    new_f >>= 62;
    new_g >>= 62;
    for (int i = 1; i < count; i++) {
        new_f += (sumac_i128)t->u * f->v[i] + (sumac_i128)t->v * g->v[i];
        new_g += (sumac_i128)t->q * f->v[i] + (sumac_i128)t->r * g->v[i];
        f->v[i - 1] = (int64_t)((uint64_t)new_f & FP_DIGIT_MASK);
        g->v[i - 1] = (int64_t)((uint64_t)new_g & FP_DIGIT_MASK);
        new_f >>= 62;
        new_g >>= 62;
    }
    f->v[count - 1] = (int64_t)new_f;
    g->v[count - 1] = (int64_t)new_g;
}

/*
 * Set (d, e) to (u * d + v * e, q * d + r * e) / 2^62 modulo p. Before and after, -2p < d, e < p. First p is added to
 * those of d and e that are negative, so that |u * d + v * e| < 2^62 * p. Then k * p is added, where k in (-2^62, 0]
 * makes the sum divisible by 2^62. So the sum is above -2^63 * p and below 2^62 * p.
 */
SUMAC_FN void fp_divstep_apply_mod(fp_signed *d, fp_signed *e, const fp_divstep_matrix *t, const fp_signed *p)
{
    const int64_t d_negative = d->v[FP_DIGITS - 1] >> 63;
    const int64_t e_negative = e->v[FP_DIGITS - 1] >> 63;
    int64_t d_multiple = (t->u & d_negative) + (t->v & e_negative);
    int64_t e_multiple = (t->q & d_negative) + (t->r & e_negative);
    sumac_i128 new_d = (sumac_i128)t->u * d->v[0] + (sumac_i128)t->v * e->v[0];
    sumac_i128 new_e = (sumac_i128)t->q * d->v[0] + (sumac_i128)t->r * e->v[0];
    /* Add k = -((sum / p) mod 2^62) to d_multiple, where sum = new_d + d_multiple * p and 1/p = -FP_INV. Do the same
     * for e. */
    d_multiple -= (int64_t)(((uint64_t)d_multiple - (uint64_t)new_d * FP_INV) & FP_DIGIT_MASK);
    e_multiple -= (int64_t)(((uint64_t)e_multiple - (uint64_t)new_e * FP_INV) & FP_DIGIT_MASK);
    new_d += (sumac_i128)d_multiple * p->v[0];
    new_e += (sumac_i128)e_multiple * p->v[0];
    SUMAC_VERIFY_CHECK(((uint64_t)new_d & FP_DIGIT_MASK) == 0 && ((uint64_t)new_e & FP_DIGIT_MASK) == 0);
    new_d >>= 62;
    new_e >>= 62;
    SUMAC_UNROLL
    for (int i = 1; i < FP_DIGITS; i++) {
        new_d += (sumac_i128)t->u * d->v[i] + (sumac_i128)t->v * e->v[i] + (sumac_i128)d_multiple * p->v[i];
        new_e += (sumac_i128)t->q * d->v[i] + (sumac_i128)t->r * e->v[i] + (sumac_i128)e_multiple * p->v[i];
        d->v[i - 1] = (int64_t)((uint64_t)new_d & FP_DIGIT_MASK);
        e->v[i - 1] = (int64_t)((uint64_t)new_e & FP_DIGIT_MASK);
        new_d >>= 62;
        new_e >>= 62;
    }
    d->v[FP_DIGITS - 1] = (int64_t)new_d;
    e->v[FP_DIGITS - 1] = (int64_t)new_e;
}

/* Set a to sign * a + addend, and carry, so that the limbs are in their range. The sign is 1 or -1. If addend_mask is 0
 * instead of -1, nothing is added. */
SUMAC_FN void fp_signed_affine(fp_signed *a, int64_t sign, const fp_signed *addend, int64_t addend_mask)
{
    int64_t carry = 0;
    for (int i = 0; i < FP_DIGITS - 1; i++) {
        carry += sign * a->v[i] + (addend->v[i] & addend_mask);
        a->v[i] = (int64_t)((uint64_t)carry & FP_DIGIT_MASK);
        carry >>= 62;
    }
    a->v[FP_DIGITS - 1] = carry + sign * a->v[FP_DIGITS - 1] + (addend->v[FP_DIGITS - 1] & addend_mask);
}

/* Return 1 if a is 0. It has `count` limbs in use. */
SUMAC_FN int fp_signed_is_zero(const fp_signed *a, int count)
{
    int64_t any = 0;
    for (int i = 0; i < count; i++) {
        any |= a->v[i];
    }
    return any == 0;
}

/* If the top limbs of f and g are both only a sign (0 or -1), and not their only limbs, drop them, and move the signs to
 * the limbs below. Return the new number of limbs, `count` or `count` - 1. */
SUMAC_FN int fp_signed_shorten(fp_signed *f, fp_signed *g, int count)
{
    const int64_t f_top = f->v[count - 1];
    const int64_t g_top = g->v[count - 1];
    if (count == 1 || (f_top ^ (f_top >> 63)) != 0 || (g_top ^ (g_top >> 63)) != 0) {
        return count;
    }
    f->v[count - 2] |= (int64_t)((uint64_t)f_top << 62);
    g->v[count - 2] |= (int64_t)((uint64_t)g_top << 62);
    return count - 1;
}

/* Set r to 1 / a, or to 0 if a is 0. */
SUMAC_BIG_FN void fp_inv(fp *r, const fp *a)
{
    fp_signed p, f, g, d, e;
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    fp_signed_from_limbs(&p, fp_modulus);
    fp_signed_from_limbs(&g, a->l);
    fp_signed_from_limbs(&e, fp_r2_mod_p);
    f = p;
    for (int i = 0; i < FP_DIGITS; i++) {
        d.v[i] = 0;
    }
    int64_t delta = 1;
    int count = FP_DIGITS;
    int steps = 0;
    while (!fp_signed_is_zero(&g, count)) {
        fp_divstep_matrix matrix;
        delta = fp_divsteps_62(delta, (uint64_t)f.v[0], (uint64_t)g.v[0], &matrix);
        fp_divstep_apply_mod(&d, &e, &matrix, &p);
        fp_divstep_apply(&f, &g, count, &matrix);
        count = fp_signed_shorten(&f, &g, count);
        steps += 62;
        SUMAC_VERIFY_CHECK(steps < FP_DIVSTEPS + 62);
    }
    (void)steps;
    /* From -2p < d < p the first line leads to -p < d < p. The second line multiplies d by the sign of f, and the third
     * one leads to 0 <= d < p. */
    fp_signed_affine(&d, 1, &p, d.v[FP_DIGITS - 1] >> 63);
    fp_signed_affine(&d, f.v[count - 1] < 0 ? -1 : 1, &p, 0);
    fp_signed_affine(&d, 1, &p, d.v[FP_DIGITS - 1] >> 63);
    fp_signed_to_limbs(r->l, &d);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

#endif
