/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Scalars are recoded to digits when many points are multiplied by the same scalars. A scalar is recoded once.
 * Multiplying a point by it is then a chain of doublings and additions that is the same for all scalars: for each
 * position, from the top one on, it has POINT_DIGIT_BITS doublings and one addition for each half. If the curve has an
 * endomorphism, the halves are those of math/glv.h, k = k1 + k2*lambda; otherwise the only half is k.
 */
#ifndef SUMAC_VECTOR_POINT_DIGITS_H
#define SUMAC_VECTOR_POINT_DIGITS_H

#include "math/curve.h"
#include "math/glv.h"
#include "math/recode.h"

/* A digit lies in -POINT_DIGIT_MOST .. POINT_DIGIT_MOST. */
#define POINT_DIGIT_BITS 4
#define POINT_DIGIT_MOST (1 << (POINT_DIGIT_BITS - 1))

/* A half's absolute value is below 2^(64*limbs - 1). */
#if CURVE_HAS_GLV
#define POINT_DIGIT_HALVES 2
#define POINT_DIGIT_LIMBS (FR_LIMBS / 2 + 1) /* as glv_lattice.limbs */
#define POINT_DIGIT_POSITIONS (64 * POINT_DIGIT_LIMBS / POINT_DIGIT_BITS)
#else
#define POINT_DIGIT_HALVES 1
#define POINT_DIGIT_LIMBS FR_LIMBS
#define POINT_DIGIT_POSITIONS (FR_BITS / POINT_DIGIT_BITS + 1)
#endif

/* A digit has the code of math/recode.h, 2*|digit| + (digit < 0). */
typedef struct point_digits {
    uint8_t codes[POINT_DIGIT_HALVES][POINT_DIGIT_POSITIONS];
    uint32_t negative[POINT_DIGIT_HALVES];
    uint64_t k[POINT_DIGIT_HALVES][POINT_DIGIT_LIMBS]; /* the halves' absolute values */
} point_digits;

/* Return how many positions scalars of this field have. The digits must hold the bits of a half, and one bit for the
 * sign. */
SUMAC_FN uint32_t point_digit_positions(const scalar_field *field)
{
#if CURVE_HAS_GLV
    return scalar_bits(field->split->bound, field->split->limbs) / POINT_DIGIT_BITS + 1;
#else
    return field->bits / POINT_DIGIT_BITS + 1;
#endif
}

SUMAC_FN void point_digits_split(point_digits *digits, const uint64_t k[FR_LIMBS], const scalar_field *field)
{
#if CURVE_HAS_GLV
    glv_scalars halves;
    split_scalar(&halves, k, field->split, FR_LIMBS, POINT_DIGIT_LIMBS, 0, 0);
    for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
        digits->negative[half] = halves.negative[half];
        for (uint32_t i = 0; i < POINT_DIGIT_LIMBS; i++) {
            digits->k[half][i] = halves.k[half][i];
        }
    }
#else
    (void)field;
    digits->negative[0] = 0;
    for (uint32_t i = 0; i < POINT_DIGIT_LIMBS; i++) {
        digits->k[0][i] = k[i];
    }
#endif
}

/* Recode a scalar, which is in Montgomery form and less than r. */
SUMAC_FN void point_digits_recode(point_digits *digits, const uint64_t *scalar, const scalar_field *field,
                                  uint32_t positions)
{
    uint64_t k[FR_LIMBS];
    for (uint32_t i = 0; i < FR_LIMBS; i++) {
        k[i] = scalar[i];
    }
    scalar_from_montgomery(k, field);
    point_digits_split(digits, k, field);
    for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
        for (uint32_t w = 0; w < positions; w++) {
            digits->codes[half][w] = (uint8_t)recode_signed_digit(digits->k[half], POINT_DIGIT_LIMBS, w,
                                                                  POINT_DIGIT_BITS, digits->negative[half]);
        }
    }
}

/* Sparse digits are used if all points are multiplied by one scalar. They are odd or 0. At most one of
 * POINT_SPARSE_BITS neighbours is not 0, and on average one in POINT_SPARSE_BITS + 1 is not 0 (this is the non-adjacent
 * form of that width). Codes are as in point_digits; the magnitudes of odd digits are 1, 3 .. 2*POINT_DIGIT_MOST -
 * 1. */
#define POINT_SPARSE_BITS (POINT_DIGIT_BITS + 1)
#define POINT_SPARSE_POSITIONS (64 * POINT_DIGIT_LIMBS + 1)

/* Return the number of positions up to the last digit that is not 0. The codes behind it become 0. */
SUMAC_FN uint32_t point_digits_sparse(uint8_t codes[POINT_SPARSE_POSITIONS], const point_digits *digits,
                                      int half)
{
    const uint64_t *k = digits->k[half];
    const uint32_t bits = scalar_bits(k, POINT_DIGIT_LIMBS);
    uint32_t carry = 0, count = 0, position = 0;
    for (uint32_t i = 0; i < POINT_SPARSE_POSITIONS; i++) {
        codes[i] = 0;
    }
    while (position < bits || carry != 0) {
        if (recode_bits(k, POINT_DIGIT_LIMBS, position, 1) == carry) {
            position++;
            continue;
        }
        const uint32_t window = recode_bits(k, POINT_DIGIT_LIMBS, position, POINT_SPARSE_BITS) + carry;
        carry = window >> (POINT_SPARSE_BITS - 1);
        const uint32_t magnitude = carry ? (1u << POINT_SPARSE_BITS) - window : window;
        codes[position] = (uint8_t)(magnitude << 1 | (carry ^ digits->negative[half]));
        count = position + 1;
        position += POINT_SPARSE_BITS;
    }
    return count;
}

#endif
