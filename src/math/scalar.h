/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes with integers modulo r, of up to SCALAR_MAX_LIMBS limbs, for code that serves all curves and gets
 * the field at run time. Arguments and results are canonical, which means less than r, unless the comment of a function
 * says otherwise.
 */
#ifndef SUMAC_MATH_SCALAR_H
#define SUMAC_MATH_SCALAR_H

#include <string.h>

#include "math/limbs.h"

#define SCALAR_MAX_LIMBS 12

/* This is the layout of scalars in memory. They are little-endian, and lie one after another. */
typedef struct scalar_layout {
    uint32_t bytes;     /* bytes per scalar, at most those of the field's limbs */
    uint32_t is_signed; /* two's complement */
} scalar_layout;

/* A half of a scalar has at most this many limbs. It has half of the scalar's bits, and some more to spread it. */
#define SPLIT_MAX_LIMBS (SCALAR_MAX_LIMBS / 2 + 1)

/* By this lattice scalars are split into two halves for the curve's endomorphism (math/glv.h). */
typedef struct glv_lattice {
    uint32_t limbs;                              /* limbs of a half */
    uint64_t bound[SPLIT_MAX_LIMBS];             /* the upper bound of a half */
    uint64_t basis[2][2][SPLIT_MAX_LIMBS];       /* v1, v2: modulo 2^(64*limbs) */
    uint64_t quotients[2][SCALAR_MAX_LIMBS + 1]; /* 2^(64*(limbs of r + 1))/r * |v2.b|, |v1.b| */
    uint32_t negative[2];                        /* 1: c1, c2 is negative */
} glv_lattice;

/* This is the field of integers modulo r, with its number of limbs and of bits, and the constants of Montgomery
 * multiplication. */
typedef struct scalar_field {
    uint32_t limbs;
    uint32_t bits;
    const uint64_t *modulus;
    uint64_t inv;
    const uint64_t *one;
    const uint64_t *r2;
    const glv_lattice *split; /* null where the curve has no endomorphism */
} scalar_field;

SUMAC_FN int scalar_is_less(const uint64_t *a, const uint64_t *b, uint32_t limbs)
{
    for (uint32_t i = limbs; i-- > 0;) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return 0;
}

/* half = floor(r/2). Only host code calls this. */
static inline void scalar_half(uint64_t *half, const scalar_field *field)
{
    for (uint32_t i = 0; i < field->limbs; i++) {
        const uint64_t above = i + 1 < field->limbs ? field->modulus[i + 1] : 0;
        half[i] = field->modulus[i] >> 1 | above << 63;
    }
}

/* r = a - b; a >= b. r may alias a and b. */
SUMAC_FN void scalar_subtract(uint64_t *r, const uint64_t *a, const uint64_t *b, uint32_t limbs)
{
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < limbs; i++) {
        r[i] = limb_sub_borrow(a[i], b[i], &borrow);
    }
}

/*
 * Replace k by k mod r, for any k < 2^(64*limbs). While k >= r, a multiple q*r <= k is subtracted. If K and R are the top
 * limbs of k and r, q is floor(K/(R + 1)), or 1 if that is 0: q*r < q*(R + 1)*2^(64*(limbs - 1)) <= k. If k is below r,
 * this costs one comparison. For the moduli of the registry two rounds are enough, except for those of one limb, where a
 * round divides k by about r.
 */
SUMAC_FN void scalar_reduce(uint64_t *k, const scalar_field *field)
{
    const uint32_t limbs = field->limbs;
    const uint64_t top = field->modulus[limbs - 1];
    while (!scalar_is_less(k, field->modulus, limbs)) {
        uint64_t quotient = top == UINT64_MAX ? 0 : k[limbs - 1] / (top + 1);
        uint64_t carry = 0, borrow = 0;
        quotient += quotient == 0;
        for (uint32_t i = 0; i < limbs; i++) {
            const uint64_t product = limb_multiply_add(field->modulus[i], quotient, 0, &carry);
            k[i] = limb_sub_borrow(k[i], product, &borrow);
        }
    }
}

/* Replace k by k modulo 2^bits. */
SUMAC_FN void scalar_cut(uint64_t *k, uint32_t limbs, uint32_t bits)
{
    for (uint32_t i = 0; i < limbs; i++) {
        const uint64_t top = ((uint64_t)1 << bits % 64) - 1;
        k[i] &= i < bits / 64 ? UINT64_MAX : i == bits / 64 ? top : 0;
    }
}

/* a = a*b/2^(64*limbs) mod r (Montgomery's multiplication, CIOS). In: a, b < r, or b = 1. The accumulator has two more
 * limbs, so r may use all bits of its limbs. */
SUMAC_FN void scalar_montgomery_multiply(uint64_t *a, const uint64_t *b, const scalar_field *field)
{
    const uint32_t limbs = field->limbs;
    uint64_t t[SCALAR_MAX_LIMBS + 2] = {0};
    for (uint32_t i = 0; i < limbs; i++) {
        uint64_t carry = 0, carry_out = 0;
        for (uint32_t j = 0; j < limbs; j++) {
            t[j] = limb_multiply_add(a[j], b[i], t[j], &carry);
        }
        t[limbs] = limb_add_carry(t[limbs], carry, &carry_out);
        t[limbs + 1] = carry_out;
        const uint64_t m = t[0] * field->inv;
        carry = 0;
        (void)limb_multiply_add(m, field->modulus[0], t[0], &carry);
        for (uint32_t j = 1; j < limbs; j++) {
            t[j - 1] = limb_multiply_add(m, field->modulus[j], t[j], &carry);
        }
        carry_out = 0;
        t[limbs - 1] = limb_add_carry(t[limbs], carry, &carry_out);
        t[limbs] = t[limbs + 1] + carry_out;
    }
    if (t[limbs] != 0 || !scalar_is_less(t, field->modulus, limbs)) {
        scalar_subtract(t, t, field->modulus, limbs);
    }
    for (uint32_t i = 0; i < limbs; i++) {
        a[i] = t[i];
    }
}

SUMAC_FN void scalar_to_montgomery(uint64_t *k, const scalar_field *field)
{
    scalar_montgomery_multiply(k, field->r2, field);
}

/* Convert k from Montgomery form. In: any k < 2^(64*limbs). */
SUMAC_FN void scalar_from_montgomery(uint64_t *k, const scalar_field *field)
{
    uint64_t one[SCALAR_MAX_LIMBS] = {1};
    scalar_montgomery_multiply(k, one, field);
}

/* r = a + b mod r. r may alias a and b. */
SUMAC_FN void scalar_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const scalar_field *field)
{
    uint64_t carry = 0;
    for (uint32_t i = 0; i < field->limbs; i++) {
        r[i] = limb_add_carry(a[i], b[i], &carry);
    }
    if (carry != 0 || !scalar_is_less(r, field->modulus, field->limbs)) {
        scalar_subtract(r, r, field->modulus, field->limbs);
    }
}

/* Convert a limb from or to little-endian bytes, on a machine of any byte order. */
SUMAC_FN uint64_t scalar_little_endian(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

SUMAC_FN void scalar_load(uint64_t *k, const uint8_t *bytes, uint32_t limbs)
{
    for (uint32_t i = 0; i < limbs; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * (size_t)i, sizeof word);
        k[i] = scalar_little_endian(word);
    }
}

SUMAC_FN void scalar_store(uint8_t *bytes, const uint64_t *k, uint32_t limbs)
{
    for (uint32_t i = 0; i < limbs; i++) {
        const uint64_t word = scalar_little_endian(k[i]);
        memcpy(bytes + 8 * (size_t)i, &word, sizeof word);
    }
}

/* Load a scalar of any layout with sign extension: two's complement modulo 2^(64*limbs). bytes <= 8*limbs. */
SUMAC_FN void scalar_extend(uint64_t *k, const uint8_t *from, scalar_layout layout, uint32_t limbs)
{
    const uint64_t sign = layout.is_signed && from[layout.bytes - 1] >> 7 ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < limbs; i++) {
        k[i] = sign;
    }
    for (uint32_t i = 0; i < layout.bytes; i++) {
        k[i / 8] ^= (from[i] ^ (sign & 0xff)) << i % 8 * 8;
    }
}

/* Replace a number in two's complement by its absolute value. Return 1 if it was negative. */
SUMAC_FN uint32_t scalar_absolute(uint64_t *a, uint32_t limbs)
{
    const uint64_t negative = a[limbs - 1] >> 63;
    uint64_t carry = negative;
    SUMAC_UNROLL_ON_DEVICE
    for (uint32_t j = 0; j < limbs; j++) {
        a[j] = limb_add_carry(a[j] ^ (0 - negative), 0, &carry);
    }
    return (uint32_t)negative;
}

/* Return the number of significant bits of k. */
SUMAC_FN uint32_t scalar_bits(const uint64_t *k, uint32_t limbs)
{
    for (uint32_t i = limbs; i-- > 0;) {
        if (k[i] != 0) {
            return 64 * i + 64 - (uint32_t)limb_leading_zeros(k[i]);
        }
    }
    return 0;
}

/* Return 1 if k, or -k if `negative` is 1, lies outside [-2^bits, 2^bits). */
SUMAC_FN int scalar_is_large(const uint64_t *k, uint32_t limbs, uint32_t negative, uint32_t bits)
{
    uint64_t below[SCALAR_MAX_LIMBS]; /* |k| - 1 of a negative one, which is not below -2^bits */
    uint64_t borrow = negative && scalar_bits(k, limbs) > 0;
    for (uint32_t i = 0; i < limbs; i++) {
        below[i] = limb_sub_borrow(k[i], 0, &borrow);
    }
    return scalar_bits(below, limbs) > bits;
}

#endif
