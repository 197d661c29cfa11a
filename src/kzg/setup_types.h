/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A trusted setup in memory. */
#ifndef SUMAC_KZG_SETUP_TYPES_H
#define SUMAC_KZG_SETUP_TYPES_H

#include "kzg/domain.h"
#include "sumac/pairing.h"
#include "sumac/srs.h"

struct sumac_kzg_setup {
    const sumac_curve *g1;
    const sumac_curve *g2;
    uint32_t devices;      /* of the context that made it: each has the bases, tables and constants */
    sumac_bases *lagrange; /* in the bit-reversed order of a blob's elements */
    uint8_t *monomial;     /* raw: G, sG, s^2 G, ... */
    uint8_t *g2_monomial;
    sumac_pairing_points *opening_g2; /* sG2, -G2 */
    sumac_pairing_points *cell_g2;    /* s^64 G2, -G2 */
    kzg_domain domains[SUMAC_MAX_DEVICES];
    sumac_fk20 *fk20; /* the tables for proofs of cells; null until they are made */
};

#endif
