/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Scalars as digits, for many multiples of points by the same scalars. A scalar is recoded once; then its
 * multiples are chains of doublings and additions that are the same for all scalars: position after position
 * from the top, POINT_DIGIT_BITS doublings and one addition for each half. Where the curve has an
 * endomorphism the halves are those of math/split.h, k = k1 + k2*lambda; else there is one, k itself.
 */
#ifndef SUMAC_VECTOR_POINT_DIGITS_H
#define SUMAC_VECTOR_POINT_DIGITS_H

#include "math/curve.h"
#include "math/recode.h"
#include "math/split.h"

/* Digits are -POINT_DIGIT_MOST .. POINT_DIGIT_MOST. */
#define POINT_DIGIT_BITS 4
#define POINT_DIGIT_MOST (1 << (POINT_DIGIT_BITS - 1))

/* A half's absolute value is below 2^(64*limbs - 1). */
#if CURVE_HAS_GLV
#define POINT_DIGIT_HALVES 2
#define POINT_DIGIT_HALF_LIMBS (FR_LIMBS / 2 + 1) /* scalar_split.limbs */
#define POINT_DIGIT_POSITIONS (64 * POINT_DIGIT_HALF_LIMBS / POINT_DIGIT_BITS)
#else
#define POINT_DIGIT_HALVES 1
#define POINT_DIGIT_POSITIONS (FR_BITS / POINT_DIGIT_BITS + 1)
#endif

/* Codes as in math/recode.h: 2*|digit| + (digit < 0). */
typedef struct point_digits {
    uint8_t codes[POINT_DIGIT_HALVES][POINT_DIGIT_POSITIONS];
} point_digits;

/* The positions that scalars of this field use: the bits of a half, and one for the sign. */
SUMAC_FN uint32_t point_digit_positions(const scalar_field *field)
{
#if CURVE_HAS_GLV
    return scalar_bits(field->split->bound, field->split->limbs) / POINT_DIGIT_BITS + 1;
#else
    return field->bits / POINT_DIGIT_BITS + 1;
#endif
}

/* The digits of a scalar in Montgomery form, less than r. */
SUMAC_FN void point_digits_recode(point_digits *digits, const uint64_t *scalar, const scalar_field *field,
                                  uint32_t positions)
{
    uint64_t k[FR_LIMBS];
    for (uint32_t i = 0; i < FR_LIMBS; i++) {
        k[i] = scalar[i];
    }
    scalar_from_montgomery(k, field);
#if CURVE_HAS_GLV
    split_halves halves;
    const uint32_t limbs = POINT_DIGIT_HALF_LIMBS;
    split_scalar(&halves, k, field->split, FR_LIMBS, limbs, 0, 0);
    for (uint32_t w = 0; w < positions; w++) {
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            digits->codes[half][w] = (uint8_t)recode_signed_digit(halves.k[half], limbs, w, POINT_DIGIT_BITS,
                                                                  halves.negative[half]);
        }
    }
#else
    for (uint32_t w = 0; w < positions; w++) {
        digits->codes[0][w] = (uint8_t)recode_signed_digit(k, FR_LIMBS, w, POINT_DIGIT_BITS, 0);
    }
#endif
}

#endif
