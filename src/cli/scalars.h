/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scalars of many kinds from a seed, equal on every machine, for tests and benchmarks, not for secrets. */
#ifndef SUMAC_CLI_SCALARS_H
#define SUMAC_CLI_SCALARS_H

#include <stdbool.h>

#include "sumac/sumac.h"

/* Kinds of scalars, in the order of --kind's words. All are less than the order, and less than 2^bits if bits is
 * given. */
typedef enum scalar_kind {
    KIND_UNIFORM,
    KIND_SMALL, /* less than 2^16 */
    KIND_EQUAL, /* one uniform scalar, repeated */
    KIND_ZEROS,
    KIND_ONES,
    KIND_SPARSE, /* 0 or 1, and one in a hundred uniform */
    KIND_TOP,    /* within 2^20 of the largest scalar */
    KIND_MIXED,  /* 0, 1, the largest, a repeated one, 32 bits, uniform */
    KIND_BITS    /* 0 or 1 */
} scalar_kind;

/* Fill n raw scalars of info->scalar_bytes. If `bits` is 0, only the order bounds them. */
void make_scalars(const sumac_group *info, scalar_kind kind, uint64_t bits, uint64_t seed, uint64_t n,
                  unsigned char *scalars);

/* Convert full-size scalars, which must fit, to scalars of `bytes` bytes. With a sign, every second narrow scalar
 * becomes its negative, and its full-size one the negative modulo the order. */
void narrow_scalars(const sumac_group *info, uint64_t bytes, bool is_signed, uint64_t n, unsigned char *whole,
                    unsigned char *narrow);

#endif
