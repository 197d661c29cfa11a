/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions compare and divide sizes and indices. */
#ifndef SUMAC_BASE_INTEGERS_H
#define SUMAC_BASE_INTEGERS_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Return a/b, rounded up. */
static inline uint64_t ceil_divide(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Return i < 2^bits with its bits in reverse order. */
static inline uint64_t reversed_bits(uint64_t i, uint32_t bits)
{
    i = (i >> 1 & UINT64_C(0x5555555555555555)) | (i & UINT64_C(0x5555555555555555)) << 1;
    i = (i >> 2 & UINT64_C(0x3333333333333333)) | (i & UINT64_C(0x3333333333333333)) << 2;
    i = (i >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (i & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return bits == 0 ? 0 : __builtin_bswap64(i) >> (64 - bits);
}

/* If `number` is less than *least, set *least to `number`. This is used, for example, to find the first bad input. Any
 * thread may call this; *least may be read after all threads have finished. */
static inline void note_least(size_t *least, size_t number)
{
    size_t known = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (number < known &&
           !__atomic_compare_exchange_n(least, &known, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

#endif
