/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions make scalars of many kinds from a seed. They are equal on every machine. They are for tests and
 * benchmarks, not for secrets. */
#ifndef SUMAC_CLI_SCALARS_H
#define SUMAC_CLI_SCALARS_H

#include <stdbool.h>

#include "sumac/sumac.h"

/* These are the kinds of scalars, in the order of the words of --kind. All scalars are less than the order. If `bits`
 * is given, they are also less than 2^bits. */
typedef enum scalar_kind {
    KIND_UNIFORM,
    KIND_SMALL, /* less than 2^16 */
    KIND_EQUAL, /* one uniform scalar, repeated */
    KIND_ZEROS,
    KIND_ONES,
    KIND_SPARSE, /* 0 or 1, but one scalar in a hundred is uniform */
    KIND_TOP,    /* within 2^20 of the largest scalar */
    KIND_MIXED,  /* by turns 0, 1, the largest one, a repeated one, one of 32 bits, and a uniform one */
    KIND_BITS    /* 0 or 1 */
} scalar_kind;

/* Make n raw scalars of info->scalar_bytes bytes. If `bits` is 0, only the order bounds them. */
void make_scalars(const sumac_group *info, scalar_kind kind, uint64_t bits, uint64_t seed, uint64_t n,
                  unsigned char *scalars);

/* Convert full-size scalars to narrow scalars of `bytes` bytes, in which they must fit. With a sign, every second
 * narrow scalar becomes its negative, and the full-size scalar becomes the negative modulo the order. */
void narrow_scalars(const sumac_group *info, uint64_t bytes, bool is_signed, uint64_t n, unsigned char *whole,
                    unsigned char *narrow);

#endif
