/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file splits a scalar into two halves. If the curve has an endomorphism, phi(P) = lambda*P for the points of order
 * r, then k = k1 + k2*lambda modulo r with |k1| and |k2| of half the bits of r, and k*P = k1*P + k2*phi(P). (Gallant,
 * Lambert, Vanstone, CRYPTO 2001.) Host and device use this file.
 *
 * The (a, b) with a + b*lambda = 0 modulo r are a lattice, of which glv_lattice has a short basis v1, v2 of determinant
 * r (tools/gen_curves.py). With c1 = k*v2.b/r and c2 = -k*v1.b/r, (k, 0) = c1*v1 + c2*v2 in the rationals, so that what
 * is left after rounding, (k1, k2) = (k, 0) - c1*v1 - c2*v2, is at most half of each vector: split.bound. The quotients
 * b/r are taken to 64 bits more than k has, which moves c1 and c2 by less than 2^-64.
 *
 * Any c1 + m1 and c2 + m2 give valid halves, too. With -M <= m1, m2 <= M the halves are at most 2M + 1 times as long,
 * and if scalars are spread over the m's, the top digit has more values, of which none is very frequent.
 */
#ifndef SUMAC_MATH_GLV_H
#define SUMAC_MATH_GLV_H

#include "math/scalar.h"

/* c = round(quotient*k / 2^(64*(limbs + 1))). c has `half` < limbs + 1 limbs, and the quotient has limbs + 1. */
SUMAC_FN void split_quotient(uint64_t *c, const uint64_t *k, const uint64_t *quotient, uint32_t limbs,
                             uint32_t half)
{
    uint64_t product[2 * SCALAR_MAX_LIMBS + 1];
    SUMAC_UNROLL_ON_DEVICE
    for (uint32_t j = 0; j < limbs; j++) {
        product[j] = 0;
    }
    SUMAC_UNROLL_ON_DEVICE
    for (uint32_t i = 0; i <= limbs; i++) {
        uint64_t carry = 0;
        SUMAC_UNROLL_ON_DEVICE
        for (uint32_t j = 0; j < limbs; j++) {
            product[i + j] = limb_multiply_add(quotient[i], k[j], product[i + j], &carry);
        }
        product[i + limbs] = carry;
    }
    uint64_t carry = product[limbs] >> 63;
    SUMAC_UNROLL_ON_DEVICE
    for (uint32_t j = 0; j < half; j++) {
        c[j] = limb_add_carry(product[limbs + 1 + j], 0, &carry);
    }
}

/* c = (negative ? -c : c) + m modulo 2^(64*half). */
SUMAC_FN void split_shift(uint64_t *c, uint32_t negative, int32_t m, uint32_t half)
{
    const uint64_t flip = 0 - (uint64_t)negative;
    const uint64_t sign = m < 0 ? UINT64_MAX : 0;
    uint64_t carry = negative, carry_m = 0;
    SUMAC_UNROLL_ON_DEVICE
    for (uint32_t j = 0; j < half; j++) {
        const uint64_t signed_c = limb_add_carry(c[j] ^ flip, 0, &carry);
        c[j] = limb_add_carry(signed_c, j == 0 ? (uint64_t)(int64_t)m : sign, &carry_m);
    }
}

/* a -= c*b modulo 2^(64*half). */
SUMAC_FN void split_subtract(uint64_t *a, const uint64_t *c, const uint64_t *b, uint32_t half)
{
    SUMAC_UNROLL_ON_DEVICE
    for (uint32_t i = 0; i < half; i++) {
        uint64_t carry = 0, borrow = 0;
        SUMAC_UNROLL_ON_DEVICE
        for (uint32_t j = 0; i + j < half; j++) {
            const uint64_t product = limb_multiply_add(c[i], b[j], 0, &carry);
            a[i + j] = limb_sub_borrow(a[i + j], product, &borrow);
        }
    }
}

/* These are the absolute values of two scalars, of `half` limbs each, and their signs. */
typedef struct glv_scalars {
    uint64_t k[2][SPLIT_MAX_LIMBS];
    uint32_t negative[2];
} glv_scalars;

/* Compute the halves of k < r, with m1 and m2 added to c1 and c2. half = split->limbs, a constant on a device.
 */
SUMAC_FN void split_scalar(glv_scalars *halves, const uint64_t *k, const glv_lattice *split, uint32_t limbs,
                           uint32_t half, int32_t m1, int32_t m2)
{
    uint64_t c1[SPLIT_MAX_LIMBS], c2[SPLIT_MAX_LIMBS];
    split_quotient(c1, k, split->quotients[0], limbs, half);
    split_quotient(c2, k, split->quotients[1], limbs, half);
    split_shift(c1, split->negative[0], m1, half);
    split_shift(c2, split->negative[1], m2, half);
    SUMAC_UNROLL_ON_DEVICE
    for (int i = 0; i < 2; i++) {
        SUMAC_UNROLL_ON_DEVICE
        for (uint32_t j = 0; j < SPLIT_MAX_LIMBS; j++) {
            halves->k[i][j] = i == 0 && j < half ? k[j] : 0;
        }
        split_subtract(halves->k[i], c1, split->basis[0][i], half);
        split_subtract(halves->k[i], c2, split->basis[1][i], half);
        halves->negative[i] = scalar_absolute(halves->k[i], half);
    }
}

/*
 * Return the m of scalar i of an MSM for one half, out of top_window_balancing = 2M + 1 values. It depends on the index
 * alone, so that every pass over i finds the same: multiples of two constants modulo 1 are spread evenly over the square
 * (the plastic number's first two powers). A scalar whose top limb is 0 keeps m = 0, because its halves are short.
 */
SUMAC_FN int32_t glv_balance(const uint64_t *k, uint32_t limbs, uint64_t i, uint32_t top_window_balancing,
                             int half)
{
    const uint32_t fraction = (uint32_t)i * (half == 0 ? 0xc13fa9a9u : 0x91e10da5u);
    const uint32_t value = (uint32_t)((uint64_t)fraction * top_window_balancing >> 32);
    return k[limbs - 1] == 0 ? 0 : (int32_t)value - (int32_t)(top_window_balancing / 2);
}

#endif
