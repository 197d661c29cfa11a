/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines a trusted setup in memory. Its functions create a setup from points or a file, and begin a call
 * that uses one. */
#ifndef SUMAC_KZG_SETUP_H
#define SUMAC_KZG_SETUP_H

#include "io/input.h"
#include "kzg/domain.h"
#include "sumac/kzg.h"
#include "sumac/pairing.h"
#include "sumac/srs.h"

struct sumac_kzg_setup {
    const sumac_group *g1;
    const sumac_group *g2;
    uint32_t devices;      /* the number of devices of the context that created the setup; each has bases,
                              tables and constants */
    sumac_bases *lagrange; /* in the bit-reversed order of a blob's elements */
    uint8_t *monomial;     /* raw points: G, sG, s^2 G, ... */
    uint8_t *g2_monomial;
    sumac_pairing_points *opening_g2; /* sG2, -G2 */
    sumac_pairing_points *cell_g2;    /* s^64 G2, -G2 */
    kzg_domain domains[MOST_DEVICES];
    sumac_fk20 *fk20; /* the tables for proofs of cells; null if the setup has none */
};

/* Begin a call with a setup. The caller has just tried to hold the context. `pointers_are_set` is 1 if none of the
 * pointers that the message names is null. The call is refused if `count` objects of `bytes` bytes can't fit in
 * memory. */
sumac_status setup_begin_call(sumac_context *context, const sumac_kzg_setup *setup, int pointers_are_set,
                              const char *pointers, size_t count, size_t bytes);

/* Find the group "g1" or "g2" of BLS12-381. Fail if this build does not have it. */
sumac_status setup_find_group(sumac_context *context, const char *name, const sumac_group **group);

/* Allocate a setup that is still empty. On failure return null and store a message. */
sumac_kzg_setup *setup_allocate(sumac_context *context);

/* Fill a setup from raw, checked points, and derive the tables that the configuration asks for. Fail if the points do
 * not belong together. The Lagrange points must be in the order of a blob's elements. Here no field of a configuration
 * may be 0 to mean a default. */
sumac_status setup_fill(sumac_context *context, const sumac_kzg_config *config, sumac_kzg_setup *setup,
                        const uint8_t *lagrange, const uint8_t *monomial, const uint8_t *g2_monomial);

/* Compute the constants of the groups, and prepare points of G2 for pairing checks. */
sumac_status setup_derive(sumac_context *context, sumac_kzg_setup *setup);

/* Return how many multiples of each Lagrange point calls in this context use at most. */
uint32_t setup_most_multiples(const sumac_context *context);

/* Return how many multiples of each Lagrange point a setup of this configuration keeps. 1 means that it keeps only the
 * point itself. */
uint32_t setup_multiples(const sumac_context *context, const sumac_kzg_config *config);

/* If the configuration asks for tables for proofs of cells, derive them. `srs` are the setup's monomial points of
 * G1. */
sumac_status setup_make_fk20(sumac_context *context, const sumac_kzg_config *config, const sumac_bases *srs,
                             sumac_kzg_setup *setup);

/* Return SUMAC_BAD_FILE unless the points form one setup: they begin with the generators, each is s times the previous
 * one, and the Lagrange points belong to this s. A wrong setup passes with a probability of 2^-240. `monomial` are the
 * setup's monomial points of G1. */
sumac_status setup_check_fit(sumac_context *context, const sumac_kzg_setup *setup,
                             const sumac_bases *monomial);

/* Fill a setup from a file that sumac_kzg_save() wrote. The setup comes from setup_allocate(), and its groups are
 * set. */
sumac_status setup_file_read(input_file *file, const sumac_kzg_config *config, sumac_kzg_setup *setup);

#endif
