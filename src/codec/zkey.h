/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file decodes the sections of snarkjs' Groth16 proving keys (.zkey, version 1). A point is affine: x, then y,
 * both little-endian and in Montgomery form. An element of Fp2 is c0, then c1. If all bytes are zero, the point is
 * infinity.
 *   header        size of p, p, size of r, r, wires, public inputs, domain; alpha1, beta1, beta2, gamma2, delta1, delta2
 *   IC            a point of G1 for wire 0 and each public input
 *   coefficients  their number; for each: 0 for A or 1 for B, row, wire (4 bytes each), value * R^2 mod r
 *   A, B1, B2     a point for each wire, of G1, G1 and G2
 *   C             a point of G1 for each private wire
 *   H             a point of G1 for each odd power of the root of unity of order 2*domain
 */
#ifndef SUMAC_CODEC_ZKEY_H
#define SUMAC_CODEC_ZKEY_H

#include "codec/binfile.h"
#include "codec/cursor.h"

#define ZKEY_MAGIC "zkey"
#define ZKEY_KIND ".zkey"
enum {
    ZKEY_VERSION = 1,
    ZKEY_PROTOCOL = 1, /* types of sections */
    ZKEY_HEADER = 2,
    ZKEY_IC = 3,
    ZKEY_COEFFICIENTS = 4,
    ZKEY_A = 5,
    ZKEY_B1 = 6,
    ZKEY_B2 = 7,
    ZKEY_C = 8,
    ZKEY_H = 9,
    ZKEY_CONTRIBUTIONS = 10,
    ZKEY_GROTH16 = 1, /* the number of this protocol in section 1 */
    ZKEY_MOST_FIELD_BYTES = 48,
    ZKEY_MOST_HEADER_BYTES = 5 * 4 + 2 * ZKEY_MOST_FIELD_BYTES + 18 * ZKEY_MOST_FIELD_BYTES,
    ZKEY_TERM_BYTES = 12 /* bytes of a coefficient before its value */
};

/* Section 2 of each protocol begins with p and r. */
typedef struct zkey_primes {
    uint32_t field_bytes;  /* bytes of p */
    uint32_t scalar_bytes; /* bytes of r */
    const uint8_t *modulus;
    const uint8_t *order;
} zkey_primes;

/* Take the primes from a cursor at the start of a section 2 of `size` bytes. Check that it has the size that it must have for primes
 * of this length. The primes are not checked. */
zkey_primes zkey_take_primes(cursor *c, const uint8_t *bytes, uint64_t size,
                             uint64_t (*header_bytes_of)(uint32_t field_bytes, uint32_t scalar_bytes));

/* This is section 2. Pointers point into the bytes of the section. */
typedef struct zkey_header {
    zkey_primes primes;
    uint32_t wires;
    uint32_t publics; /* public inputs, not counting the constant one */
    uint32_t domain;
    const uint8_t *alpha1, *beta1, *beta2, *gamma2, *delta1, *delta2;
} zkey_header;

/* Decode section 2. Check its size, check that there are fewer public inputs than wires, and check that the domain is a
 * power of two. p and r are not checked. */
sumac_status zkey_decode_header(const uint8_t *bytes, uint64_t size, zkey_header *header, sumac_message *why);

/* This is a nonzero element of A or B. In the file its value times R^2 modulo r follows. */
typedef struct zkey_term {
    uint32_t matrix; /* 0: A, 1: B */
    uint32_t row;
    uint32_t wire;
} zkey_term;
zkey_term zkey_decode_term(const uint8_t *bytes);

/* Compute the number of terms from the section's size. Its lowest 32 bits must be equal to the first four bytes of the
 * section. */
sumac_status zkey_count_terms(const binfile_section *section, uint32_t scalar_bytes, uint64_t *count,
                              sumac_message *why);

#endif
