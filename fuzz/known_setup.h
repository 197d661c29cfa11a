/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is a setup of KZG whose secret is known, so that GMP can compute the expected commitments, values and
   proofs. */
#ifndef SUMAC_FUZZ_KNOWN_SETUP_H
#define SUMAC_FUZZ_KNOWN_SETUP_H

#include <gmp.h>

#include "fuzz.h"
#include "sumac/kzg.h"

enum { ELEMENT = SUMAC_KZG_ELEMENT_BYTES, G1_RECORD = 48, G2_RECORD = 96 };

typedef struct known_setup {
    const sumac_group *g1, *g2;
    sumac_kzg_setup *setup;
    mpz_t r, secret;
} known_setup;

/* Return the setup of all inputs. The first call creates it. */
const known_setup *get_known_setup(void);

/* Set root to a root of unity of order 2^log2. */
void root_of_order(const known_setup *known, uint32_t log2, mpz_t root);

/* Draw a number less than r from the input. It is small, or has all of r's bits. */
void draw_scalar(const known_setup *known, fuzz_input *input, mpz_t k);

/* Encode a scalar, little-endian for MSMs and big-endian for blobs. */
void scalar_to_raw(uint8_t raw[ELEMENT], const mpz_t k);
void scalar_to_element(uint8_t element[ELEMENT], const mpz_t k);

/* Encode n multiples of a group's generator as compressed points. */
void encode_multiples(const sumac_group *group, const uint8_t *raw_scalars, size_t n, uint8_t *records);

/* Change a byte. If it is different afterwards, return 1. */
int change_byte(fuzz_input *input, void *bytes, size_t count);

#endif
