/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scalars of many kinds from a seed, the same on every machine: for tests and benchmarks, not for secrets. */
#ifndef SUMAC_CLI_SCALARS_H
#define SUMAC_CLI_SCALARS_H

#include <stdbool.h>

#include "sumac/sumac.h"

/* In the order of the words that --kind takes. All are less than the order, and than 2^bits where bits is
 * given. */
typedef enum scalar_kind {
    KIND_UNIFORM,
    KIND_SMALL, /* less than 2^16 */
    KIND_EQUAL, /* one uniform scalar again and again */
    KIND_ZEROS,
    KIND_ONES,
    KIND_SPARSE, /* 0 or 1, and one in a hundred uniform */
    KIND_TOP,    /* within 2^20 of the largest */
    KIND_MIXED,  /* 0, 1, the largest, one that repeats, 32 bits, uniform */
    KIND_BITS    /* 0 or 1 */
} scalar_kind;

/* Fill n raw scalars of info->scalar_bytes. `bits` is 0 for no bound but the order. */
void make_scalars(const sumac_curve_info *info, scalar_kind kind, uint64_t bits, uint64_t seed, uint64_t n,
                  unsigned char *scalars);

/* Scalars of `bytes` bytes from whole ones that fit them; with a sign, every second one becomes its
 * negative, the whole one modulo the order. */
void narrow_scalars(const sumac_curve_info *info, uint64_t bytes, bool is_signed, uint64_t n,
                    unsigned char *whole, unsigned char *narrow);

#endif
