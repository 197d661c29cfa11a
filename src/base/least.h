/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The least of numbers that threads come upon, as the index of the first bad input. */
#ifndef SUMAC_BASE_LEAST_H
#define SUMAC_BASE_LEAST_H

#include <stddef.h>

/* *least = number where that is less. Any thread may call it; what it leaves is read when all have ended. */
static inline void note_least(size_t *least, size_t number)
{
    size_t known = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (number < known &&
           !__atomic_compare_exchange_n(least, &known, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

#endif
