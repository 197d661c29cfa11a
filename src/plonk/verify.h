/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What proofs claim becomes two sums of points, which must be 1 together: e(S_0, tau H) e(S_1, H) = 1, where H is the generator
 * of the second group. The points are those of all proofs, of the key, and the generator of the first group. verify.c computes
 * the sums, and a flavour's claim() adds the factors of one proof.
 */
#ifndef SUMAC_PLONK_VERIFY_H
#define SUMAC_PLONK_VERIFY_H

#include "plonk/transcript.h"

/* Proofs that are verified together, with their public inputs. */
typedef struct claims {
    sumac_context *context;
    const sumac_plonk_verifying_key *key;
    const uint8_t *publics, *proofs;
    size_t count;
    /* the factors of a point in the two sums; for each proof's points, the key's, and the generator */
    host_scalar (*sums)[2];
    const uint8_t *rho; /* the random numbers, raw */
} claims;

/* This is a proof whose claim is added. */
typedef struct claim {
    const claims *all;
    size_t i;
    host_scalar rho; /* its random number; 1 for the first proof */
    transcript transcript;
} claim;

claim claim_begin(const claims *all, size_t i);

/* Add a factor of a commitment of the proof or the key, or of the generator if the item is NO_ITEM, to sum 0 or 1. */
void claim_add(const claim *c, size_t sum, plonk_item item, host_scalar factor);

/* Compute the public inputs' polynomial at xi, where X^n - 1 is zh. */
sumac_status claim_publics(const claim *c, host_scalar zh, host_scalar *value);

/* These are the claims of the flavours. */
sumac_status plonk_claim(const claims *all, size_t i, int *ok);
sumac_status fflonk_claim(const claims *all, size_t i, int *ok);

#endif
