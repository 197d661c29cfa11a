/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file decodes the sections of snarkjs' proving keys of PLONK (.zkey, version 1, protocol 2) and of FFLONK (protocol 10). Points
 * are as in zkey.h, and scalars are little-endian and in Montgomery form. A polynomial has its n coefficients, n being the domain, and
 * then its 4n values at the powers of the root of order 4n.
 *   header        size of p, p, size of r, r, all wires, public inputs, domain, additions, gates; k1, k2. PLONK: the commitments to
 *                 qM, qL, qR, qO, qC, sigma1, sigma2, sigma3; tau in the second group. FFLONK: four roots of unity; tau; the
 *                 commitment to C0
 *   additions     for each: two wires (4 bytes each), two factors. Its sum is the value of the next wire after the witness's
 *   maps          a wire for each gate (4 bytes): of a, of b, of c
 *   qM .. qC      a polynomial each
 *   sigma         three polynomials, in one section or in three
 *   Lagrange      a polynomial for each public input, and one at least
 *   powers        points tau^i of the first group: n + 6, or 9n + 18 for FFLONK
 *   C0            FFLONK: 8n coefficients of the polynomial qL(X^8) + X qR(X^8) + X^2 qO(X^8) + X^3 qM(X^8) + X^4 qC(X^8)
 *                 + X^5 sigma1(X^8) + X^6 sigma2(X^8) + X^7 sigma3(X^8)
 */
#ifndef SUMAC_CODEC_ZKEY_PLONK_H
#define SUMAC_CODEC_ZKEY_PLONK_H

#include "codec/zkey.h"

enum {
    ZKEY_PLONK = 2, /* the numbers of these protocols in section 1 */
    ZKEY_FFLONK = 10,
    ZKEY_PLONK_HEADER = 2, /* types of sections */
    ZKEY_PLONK_ADDITIONS = 3,
    ZKEY_PLONK_MAPS = 4,  /* of a; those of b and c follow */
    ZKEY_PLONK_WIRES = 3, /* wires of a gate */
    ZKEY_PLONK_SELECTOR_COUNT = 5,
    ZKEY_PLONK_SIGMAS = 3,
    ZKEY_PLONK_MOST_POINTS = 8, /* commitments of the header */
    ZKEY_PLONK_MOST_ROOTS = 4,
    ZKEY_PLONK_LEAST_DOMAIN = 8,
    ZKEY_PLONK_MOST_HEADER_BYTES = 7 * 4 + 28 * ZKEY_MOST_FIELD_BYTES
};

/* This is what differs between the protocols' keys. */
typedef struct zkey_plonk_layout {
    uint32_t protocol;
    uint32_t sections;                             /* how many a file has */
    uint32_t selectors[ZKEY_PLONK_SELECTOR_COUNT]; /* types of sections, of qM, qL, qR, qO and qC */
    uint32_t sigma[ZKEY_PLONK_SIGMAS];             /* types of sections, which may be one */
    uint32_t lagrange, powers;                     /* types of sections */
    uint32_t combined;                             /* the type of C0's section; 0: there is none */
    uint32_t powers_of_domain, more_powers; /* there are powers_of_domain*n + more_powers powers of tau */
    uint32_t roots;                         /* roots of unity in the header */
    uint32_t points;                        /* commitments in the header */
    int tau_is_first;                       /* set if tau precedes the commitments */
    int protocol_is_first;                  /* set if snarkjs writes section 1 before all others */
    uint32_t blind_rows;                    /* rows at the domain's end that no gate may have */
    uint64_t (*header_bytes)(uint32_t field_bytes, uint32_t scalar_bytes); /* the size of section 2 */
} zkey_plonk_layout;

extern const zkey_plonk_layout zkey_layout_plonk, zkey_layout_fflonk;

/* This is section 2. Pointers point into the bytes of the section. */
typedef struct zkey_plonk_header {
    zkey_primes primes;
    uint32_t all_wires; /* those of a witness, and one for each addition */
    uint32_t publics;
    uint32_t domain;
    uint32_t additions;
    uint32_t gates;
    const uint8_t *k1, *k2;
    const uint8_t *roots;  /* scalars, one after another */
    const uint8_t *points; /* of the first group, one after another */
    const uint8_t *tau2;   /* a point of the second group */
} zkey_plonk_header;

/* Decode section 2. Check its size, that the counts agree with each other, and that the domain is a power of two. p and r are not
 * checked. */
sumac_status zkey_plonk_decode_header(const zkey_plonk_layout *layout, const uint8_t *bytes, uint64_t size,
                                      zkey_plonk_header *header, sumac_message *why);

/* Return how many powers of tau there are. */
static inline uint64_t zkey_plonk_powers(const zkey_plonk_layout *layout, uint32_t domain)
{
    return layout->powers_of_domain * (uint64_t)domain + layout->more_powers;
}

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
