/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sizes that are compared and divided, wherever they are planned. */
#ifndef SUMAC_BASE_INTEGERS_H
#define SUMAC_BASE_INTEGERS_H

#include <stdint.h>

static inline uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* a/b, rounded up. */
static inline uint64_t ceil_divide(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

#endif
