/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A trusted setup in memory: create one from points or a file, and begin a call that uses one. */
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
    uint32_t devices;      /* the creating context's devices, each of which has bases, tables and constants */
    sumac_bases *lagrange; /* in the bit-reversed order of a blob's elements */
    uint8_t *monomial;     /* raw: G, sG, s^2 G, ... */
    uint8_t *g2_monomial;
    sumac_pairing_points *opening_g2; /* sG2, -G2 */
    sumac_pairing_points *cell_g2;    /* s^64 G2, -G2 */
    kzg_domain domains[MOST_DEVICES];
    sumac_fk20 *fk20; /* the tables for proofs of cells; null if the setup has none */
};

/* Begin a call with a setup after the caller has tried to hold the context. `pointers_are_set` is 1 if the pointers
 * that the message names are not null; `count` objects of at most `bytes` bytes must fit in memory. */
sumac_status setup_begin_call(sumac_context *context, const sumac_kzg_setup *setup, int pointers_are_set,
                              const char *pointers, size_t count, size_t bytes);

/* Find BLS12-381's group "g1" or "g2"; fail if this build lacks it. */
sumac_status setup_find_group(sumac_context *context, const char *name, const sumac_group **group);

/* Allocate a setup without contents; on failure return null and store a message. */
sumac_kzg_setup *setup_allocate(sumac_context *context);

/* Fill a setup from raw, checked points if they belong together, and derive the tables that the configuration wants. The
 * Lagrange points are in the order of a blob's elements. No field of a configuration is 0 by default here. */
sumac_status setup_fill(sumac_context *context, const sumac_kzg_config *config, sumac_kzg_setup *setup,
                        const uint8_t *lagrange, const uint8_t *monomial, const uint8_t *g2_monomial);

/* Compute constants of the groups, and prepare points of G2 for pairing checks. */
sumac_status setup_derive(sumac_context *context, sumac_kzg_setup *setup);

/* Return how many multiples of each Lagrange point calls in this context use at most. */
uint32_t setup_most_multiples(const sumac_context *context);

/* Return how many of them a setup of this configuration keeps; 1: only the point itself. */
uint32_t setup_multiples(const sumac_context *context, const sumac_kzg_config *config);

/* Derive the tables for proofs of cells if the configuration wants them; `srs` are the setup's monomial points of G1. */
sumac_status setup_make_fk20(sumac_context *context, const sumac_kzg_config *config, const sumac_bases *srs,
                             sumac_kzg_setup *setup);

/* Return SUMAC_BAD_FILE unless the points form one setup: they begin with the generators, each is s times the previous
 * one, and the Lagrange points belong to this s. A wrong setup passes with probability 2^-240. `monomial` are its points of
 * G1. */
sumac_status setup_check_fit(sumac_context *context, const sumac_kzg_setup *setup,
                             const sumac_bases *monomial);

/* Fill a setup from setup_allocate(), whose groups are set, from a file that sumac_kzg_save() wrote. */
sumac_status setup_file_read(input_file *file, const sumac_kzg_config *config, sumac_kzg_setup *setup);

#endif
