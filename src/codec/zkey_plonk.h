/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file decodes the sections of snarkjs' PLONK proving keys (.zkey, version 1, protocol 2). Points are as in zkey.h, and
 * scalars are little-endian and in Montgomery form. A polynomial has its n coefficients, n being the domain, and then its
 * 4n values at the powers of the root of order 4n.
 *   header        size of p, p, size of r, r, all wires, public inputs, domain, additions, gates; k1, k2; the commitments to qM,
 *                 qL, qR, qO, qC, sigma1, sigma2, sigma3; tau in the second group
 *   additions     for each: two wires (4 bytes each), two factors. Its sum is the value of the next wire after the witness's
 *   maps          a wire for each gate (4 bytes): of a, of b, of c
 *   qM .. qC      a polynomial each
 *   sigma         three polynomials
 *   Lagrange      a polynomial for each public input, and one at least
 *   powers        n + 6 points tau^i of the first group
 */
#ifndef SUMAC_CODEC_ZKEY_PLONK_H
#define SUMAC_CODEC_ZKEY_PLONK_H

#include "codec/zkey.h"

enum {
    ZKEY_PLONK = 2,        /* the number of this protocol in section 1 */
    ZKEY_PLONK_HEADER = 2, /* types of sections */
    ZKEY_PLONK_ADDITIONS = 3,
    ZKEY_PLONK_MAPS = 4,      /* of a; those of b and c follow */
    ZKEY_PLONK_SELECTORS = 7, /* of qM; those of qL, qR, qO and qC follow */
    ZKEY_PLONK_SIGMA = 12,
    ZKEY_PLONK_LAGRANGE = 13,
    ZKEY_PLONK_POWERS = 14,
    ZKEY_PLONK_SECTIONS = 14,
    ZKEY_PLONK_WIRES = 3, /* wires of a gate */
    ZKEY_PLONK_SELECTOR_COUNT = 5,
    ZKEY_PLONK_POINTS = 8,      /* commitments of the header */
    ZKEY_PLONK_MORE_POWERS = 6, /* powers of tau beyond the domain */
    ZKEY_PLONK_LEAST_DOMAIN = 8,
    ZKEY_PLONK_MOST_HEADER_BYTES = 7 * 4 + 24 * ZKEY_MOST_FIELD_BYTES
};

/* This is section 2. Pointers point into the bytes of the section. */
typedef struct zkey_plonk_header {
    zkey_primes primes;
    uint32_t all_wires; /* those of a witness, and one for each addition */
    uint32_t publics;
    uint32_t domain;
    uint32_t additions;
    uint32_t gates;
    const uint8_t *k1, *k2;
    const uint8_t *points; /* ZKEY_PLONK_POINTS of the first group, one after another */
    const uint8_t *tau2;   /* a point of the second group */
} zkey_plonk_header;

/* Return the size of section 2 for fields of these sizes. */
uint64_t zkey_plonk_header_bytes(uint32_t field_bytes, uint32_t scalar_bytes);

/* Decode section 2. Check its size, that the counts agree with each other, and that the domain is a power of two. p and r are not
 * checked. */
sumac_status zkey_plonk_decode_header(const uint8_t *bytes, uint64_t size, zkey_plonk_header *header,
                                      sumac_message *why);

/* Return the bytes of an addition, and of a polynomial. */
static inline uint64_t zkey_plonk_addition_bytes(uint32_t scalar_bytes)
{
    return 8 + 2 * (uint64_t)scalar_bytes;
}

static inline uint64_t zkey_plonk_polynomial_bytes(uint32_t domain, uint32_t scalar_bytes)
{
    return 5 * (uint64_t)domain * scalar_bytes;
}

#endif
