/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The pairs of groups that keys are over. */
#ifndef SUMAC_GROTH16_GROUPS_H
#define SUMAC_GROTH16_GROUPS_H

#include "sumac/sumac.h"

enum { MOST_SCALAR_BYTES = 48, MOST_POINT_BYTES = 192 };

typedef struct groups {
    const sumac_curve *g1, *g2;
    const sumac_curve_info *info1, *info2;
    const char *json_name; /* as snarkjs calls the curve; null: it does not have it */
    /* snarkjs and gnark take for their roots of unity of any order these powers of ours, which are odd. */
    uint64_t root_exponent, gnark_root_exponent;
    size_t proof_bytes;
} groups;

/* Find a pair of groups that snarkjs has by its scalars' order and its coordinates' modulus (null: any). Primes are
 * little-endian. The sentence of SUMAC_UNKNOWN_CURVE begins with `what`, as a path. */
sumac_status groups_find(sumac_context *context, const char *what, const uint8_t *order, uint32_t order_bytes,
                         const uint8_t *modulus, uint32_t modulus_bytes, groups *found);

/* Find one by snarkjs' name. */
sumac_status groups_find_name(sumac_context *context, const char *what, const char *json_name, groups *found);

/* Get pair i of those that gnark has, of groups_count(); 0 if this build does not have it. */
size_t groups_count(void);
int groups_at(size_t i, groups *found);

/* Find where snarkjs' root^i is in the order of our roots, among n, a power of two; and where its odd power root_2n^(2i + 1)
 * is among our odd powers. */
uint64_t groups_row(const groups *of, uint64_t i, uint64_t n);
uint64_t groups_odd_row(const groups *of, uint64_t i, uint64_t n);

/* Compare two integers of so many bytes. */
int integer_is_less(const uint8_t *a, const uint8_t *b, size_t bytes);

#endif
