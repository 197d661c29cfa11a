/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has Fp, the integers modulo p, in Montgomery form: a is stored as a * R mod p, where R = 2^(64*FP_LIMBS), in
 * little-endian limbs.
 *
 * Bounds. Every fp that a function takes or gives is reduced: 0 <= value < p. docs/internals/fields.md has the proofs,
 * and a SUMAC_VERIFY build checks the bounds. r may alias a and b everywhere. No function runs in constant time.
 *
 * The curve's header comes first and defines FP_LIMBS, FP_BITS, FP_INV, FP_MODULUS, FP_ONE and FP_R2.
 */
#ifndef SUMAC_MATH_FIELD_H
#define SUMAC_MATH_FIELD_H

#include "limbs.h"

#ifndef FP_LIMBS
#error "include the curve's header before field.h"
#endif

/* The limbs have this many bits above those of p: p < 2^(64*FP_LIMBS - FP_SPARE_BITS). */
#define FP_SPARE_BITS (64 * FP_LIMBS - FP_BITS)

typedef struct {
    uint64_t l[FP_LIMBS];
} fp;

SUMAC_CONST uint64_t fp_modulus[FP_LIMBS] = FP_MODULUS;
SUMAC_CONST uint64_t fp_r_mod_p[FP_LIMBS] = FP_ONE;
SUMAC_CONST uint64_t fp_r2_mod_p[FP_LIMBS] = FP_R2;

SUMAC_STATIC_ASSERT(FP_LIMBS >= 1 && FP_LIMBS <= 12, "loops are unrolled and digits laid out for these");
SUMAC_STATIC_ASSERT(FP_SPARE_BITS >= 0 && FP_SPARE_BITS < 64, "FP_LIMBS is the least count that holds p");

/*
 * This is the contract of mul_host.h and mul_cuda.h. r may alias the operands. Operands and results are below p.
 *   fp_add_limbs(r, a, b)             r = a + b mod p
 *   fp_sub_limbs(r, a, b)             r = a - b mod p
 *   fp_mul_limbs(r, a, b)             r = a * b / R mod p
 *   fp_sqr_limbs(r, a)                r = a * a / R mod p
 *   fp_mul_pair_limbs(r, a, b, c, d)  r = (a * b + c * d) / R mod p, where FP_SPARE_BITS >= 2
 * Only the operand c of fp_mul_pair_limbs may exceed p, as fp2.h needs: c <= k * p with (k + 2) * p < R, for the k of
 * docs/internals/proofs.md.
 */
#ifdef __CUDACC__
#include "mul_cuda.h"
#else
#include "mul_host.h"
#endif

/* Return 1 if the integer in limbs is below p. */
SUMAC_FN int fp_is_canonical(const uint64_t *limbs)
{
    return limbs_is_less(limbs, fp_modulus, FP_LIMBS);
}

SUMAC_FN void fp_set_zero(fp *r)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        r->l[i] = 0;
    }
}

SUMAC_FN void fp_set_one(fp *r)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        r->l[i] = fp_r_mod_p[i];
    }
}

SUMAC_FN int fp_is_zero(const fp *a)
{
    uint64_t any = 0;
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        any |= a->l[i];
    }
    return any == 0;
}

SUMAC_FN int fp_eq(const fp *a, const fp *b)
{
    uint64_t any = 0;
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    SUMAC_VERIFY_CHECK(fp_is_canonical(b->l));
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        any |= a->l[i] ^ b->l[i];
    }
    return any == 0;
}

/* Set r to a if the condition is not 0; otherwise leave r unchanged. */
SUMAC_FN void fp_cmov(fp *r, const fp *a, int condition)
{
    const uint64_t take = (uint64_t)0 - (uint64_t)(condition != 0);
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        r->l[i] = (a->l[i] & take) | (r->l[i] & ~take);
    }
}

SUMAC_FN void fp_add(fp *r, const fp *a, const fp *b)
{
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    SUMAC_VERIFY_CHECK(fp_is_canonical(b->l));
    fp_add_limbs(r->l, a->l, b->l);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

SUMAC_FN void fp_double(fp *r, const fp *a)
{
    fp_add(r, a, a);
}

SUMAC_FN void fp_sub(fp *r, const fp *a, const fp *b)
{
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    SUMAC_VERIFY_CHECK(fp_is_canonical(b->l));
    fp_sub_limbs(r->l, a->l, b->l);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

SUMAC_FN void fp_neg(fp *r, const fp *a)
{
    fp zero;
    fp_set_zero(&zero);
    fp_sub(r, &zero, a);
}

/* r = a / 2, computed as (a + p) / 2 if a is odd. */
SUMAC_FN void fp_halve(fp *r, const fp *a)
{
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    const uint64_t odd = (uint64_t)0 - (a->l[0] & 1);
    uint64_t sum[FP_LIMBS];
    uint64_t carry = 0;
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        sum[i] = limb_add_carry(a->l[i], fp_modulus[i] & odd, &carry);
    }
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS - 1; i++) {
        r->l[i] = (sum[i] >> 1) | (sum[i + 1] << 63);
    }
    r->l[FP_LIMBS - 1] = (sum[FP_LIMBS - 1] >> 1) | (carry << 63);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

/* r = factor * a, by doubling and adding. This is meant for the small constants of point formulas. */
SUMAC_FN void fp_mul_small(fp *r, const fp *a, unsigned factor)
{
    const fp once = *a;
    fp sum;
    fp_set_zero(&sum);
    for (int bit = 31; bit >= 0; bit--) {
        if ((factor >> bit) > 1) {
            fp_double(&sum, &sum);
        }
        if ((factor >> bit) & 1) {
            fp_add(&sum, &sum, &once);
        }
    }
    *r = sum;
}

SUMAC_FN void fp_mul(fp *r, const fp *a, const fp *b)
{
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    SUMAC_VERIFY_CHECK(fp_is_canonical(b->l));
    fp_mul_limbs(r->l, a->l, b->l);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

SUMAC_FN void fp_sqr(fp *r, const fp *a)
{
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    fp_sqr_limbs(r->l, a->l);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

/* r = a * b + c * d. If p has two spare bits, one reduction serves both products. */
SUMAC_FN void fp_mul_pair(fp *r, const fp *a, const fp *b, const fp *c, const fp *d)
{
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l) && fp_is_canonical(b->l));
    SUMAC_VERIFY_CHECK(fp_is_canonical(c->l) && fp_is_canonical(d->l));
#if FP_SPARE_BITS >= 2
    fp_mul_pair_limbs(r->l, a->l, b->l, c->l, d->l);
#else
    fp first, second;
    fp_mul_limbs(first.l, a->l, b->l);
    fp_mul_limbs(second.l, c->l, d->l);
    fp_add_limbs(r->l, first.l, second.l);
#endif
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

/* Convert an integer a < p to Montgomery form: r = a * R mod p. */
SUMAC_FN void fp_to_mont(fp *r, const fp *a)
{
    SUMAC_VERIFY_CHECK(fp_is_canonical(a->l));
    fp_mul_limbs(r->l, a->l, fp_r2_mod_p);
    SUMAC_VERIFY_CHECK(fp_is_canonical(r->l));
}

/* Convert a from Montgomery form to the integer below p: r = a / R mod p. */
SUMAC_FN void fp_from_mont(fp *r, const fp *a)
{
    fp integer_one;
    fp_set_zero(&integer_one);
    integer_one.l[0] = 1;
    fp_mul(r, a, &integer_one);
}

/* r = a^exponent. The exponent has `count` little-endian limbs. a^0 is 1 also for a = 0. */
SUMAC_BIG_FN void fp_pow(fp *r, const fp *a, const uint64_t *exponent, size_t count)
{
    const fp base = *a;
    fp power;
    fp_set_one(&power);
    for (size_t i = count; i-- > 0;) {
        for (int bit = 63; bit >= 0; bit--) {
            fp_sqr(&power, &power);
            if ((exponent[i] >> bit) & 1) {
                fp_mul(&power, &power, &base);
            }
        }
    }
    *r = power;
}

#ifdef __CUDACC__
#include "inverse_cuda.h"
#else
#include "inverse.h"
#endif

#endif
