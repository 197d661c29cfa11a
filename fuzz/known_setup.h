/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ethereum's setup with a secret that is known. */
#ifndef SUMAC_FUZZ_KNOWN_SETUP_H
#define SUMAC_FUZZ_KNOWN_SETUP_H

#include <gmp.h>

#include "sumac/kzg.h"

/* k, which is less than 2^256, as a raw scalar of 32 bytes. */
void known_scalar_to_raw(uint8_t *raw, const mpz_t k);

/* n multiples of the generator, by raw scalars of 32 bytes, compressed. */
void known_multiples(const sumac_curve *curve, const uint8_t *scalars, size_t n, uint8_t *records);

/* Not prepared; freed with sumac_kzg_setup_destroy(). */
sumac_kzg_setup *known_setup(const mpz_t secret);

#endif
