/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has carries, borrows and products of single 64-bit limbs, and operations on arrays of limbs that need no
 * modulus. */
#ifndef SUMAC_MATH_LIMBS_H
#define SUMAC_MATH_LIMBS_H

#include "portable.h"

__extension__ typedef unsigned __int128 sumac_u128;
__extension__ typedef __int128 sumac_i128;

/* a + b + *carry = result + 2^64 * new *carry; the carry is 0 or 1 before and after. */
SUMAC_FN uint64_t limb_add_carry(uint64_t a, uint64_t b, uint64_t *carry)
{
    sumac_u128 sum = (sumac_u128)a + b + *carry;
    *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
}

/* a - b - *borrow = result - 2^64 * new *borrow; the borrow is 0 or 1 before and after. */
SUMAC_FN uint64_t limb_sub_borrow(uint64_t a, uint64_t b, uint64_t *borrow)
{
    sumac_u128 difference = (sumac_u128)a - b - *borrow;
    *borrow = (uint64_t)(difference >> 64) & 1;
    return (uint64_t)difference;
}

/*
 * a * b + c + *carry = result + 2^64 * new *carry, for any limbs:
 * (2^64 - 1)^2 + 2 * (2^64 - 1) = 2^128 - 1.
 */
SUMAC_FN uint64_t limb_multiply_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry)
{
    sumac_u128 sum = (sumac_u128)a * b + c + *carry;
    *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
}

/* Return the number of 0 bits below the lowest 1 bit of a. This requires a != 0. */
SUMAC_FN int limb_trailing_zeros(uint64_t a)
{
#ifdef __CUDACC__
    return __ffsll((long long)a) - 1;
#else
    return __builtin_ctzll(a);
#endif
}

/* Return the number of 0 bits above the highest 1 bit of a. This requires a != 0. */
SUMAC_FN int limb_leading_zeros(uint64_t a)
{
#ifdef __CUDACC__
    return __clzll((long long)a);
#else
    return __builtin_clzll(a);
#endif
}

/* Return 1 if a < b, otherwise 0. */
SUMAC_FN int limbs_is_less(const uint64_t *a, const uint64_t *b, int count)
{
    uint64_t borrow = 0;
    for (int i = 0; i < count; i++) {
        (void)limb_sub_borrow(a[i], b[i], &borrow);
    }
    return (int)borrow;
}

#endif
