/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A key is defined over a pair of groups; this file finds the pair. */
#ifndef SUMAC_IO_GROUPS_H
#define SUMAC_IO_GROUPS_H

#include "sumac/sumac.h"

enum { MOST_SCALAR_BYTES = 48, MOST_POINT_BYTES = 192 };

typedef struct groups {
    const sumac_group *g1, *g2;
    const char *json_name; /* snarkjs' name of the curve; null if snarkjs does not have it */
    /* snarkjs' and gnark's roots of unity of any order are these powers of our roots of that order. The exponents are
     * odd. */
    uint64_t root_exponent, gnark_root_exponent;
    size_t proof_bytes;
} groups;

/* Find a pair of groups that snarkjs has: the one with this order of scalars and, unless it is null, this modulus of
 * coordinates. Primes are little-endian. The message of SUMAC_UNKNOWN_CURVE begins with `what`, for example a path. */
sumac_status groups_find(sumac_context *context, const char *what, const uint8_t *order, uint32_t order_bytes,
                         const uint8_t *modulus, uint32_t modulus_bytes, groups *found);

/* Find a pair of groups by snarkjs' name of its curve. */
sumac_status groups_find_name(sumac_context *context, const char *what, const char *json_name, groups *found);

/* Get pair i of the groups_count() pairs; return 0 if this build does not have it. */
size_t groups_count(void);
int groups_at(size_t i, groups *found);

/* n is a power of two. groups_row() takes power i of snarkjs' root of order n, and returns which power of our root it
 * is. groups_odd_row() takes the odd power 2i + 1 of snarkjs' root of order 2n, and returns its position among the odd
 * powers of our root. */
uint64_t groups_row(const groups *of, uint64_t i, uint64_t n);
uint64_t groups_odd_row(const groups *of, uint64_t i, uint64_t n);

/* Return 1 if the integer a is less than b. Both have `bytes` little-endian bytes. */
int integer_is_less(const uint8_t *a, const uint8_t *b, size_t bytes);

/* Return the index of the first of `count` raw scalars that is not less than r. If all are less, return `count`. */
size_t scalars_first_too_large(const sumac_group *group, const uint8_t *scalars, size_t count);

#endif
