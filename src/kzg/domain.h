/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_KZG_DOMAIN_H
#define SUMAC_KZG_DOMAIN_H

#include "sumac/kzg.h"
#include "vector/calls.h"

enum {
    EXTENDED_ELEMENTS = SUMAC_KZG_CELLS * SUMAC_KZG_CELL_ELEMENTS, /* of an extended blob */
    G1_POINT_BYTES = 96,                                           /* raw */
    G2_POINT_BYTES = 192,
    SCALAR_BYTES = 32
};

/*
 * The roots of unity at which a blob and its cells are values, and constants made of them. w is the root of order 8192; rev
 * reverses 12 bits in `roots` and 7 in the others. Cell c of an extended blob holds the values on the coset
 * h_c*<w^128>, with h_c = w^rev(c).
 */
typedef struct kzg_domain {
    sumac_vector *roots;           /* 4096: element i of a blob is the value at (w^2)^rev(i) */
    uint8_t *raw_roots;            /* the same numbers in raw layout */
    sumac_vector *inverse_of_size; /* one: 1/4096 */
    /* 256: h_c^64, the value of x^64 on all of cell c; then the same numbers times recovery_shift^64, its values on
     * the coset where recovery divides. */
    sumac_vector *cell_constants;
    sumac_vector *cell_unshifts;         /* row c of 128: h_c^-j for j < 64 */
    uint8_t extended_root[SCALAR_BYTES]; /* w, raw */
    uint8_t recovery_shift[SCALAR_BYTES];
} kzg_domain;

/* Derive the constants, for an executor, of a domain of zeros. domain_destroy() also after a failure. */
sumac_status domain_create(executor *self, const sumac_curve *curve, kzg_domain *domain);
void domain_destroy(kzg_domain *domain);

/* Find which root a raw scalar is; 4096 if it is none. */
size_t domain_index(const kzg_domain *domain, const uint8_t *scalar);

#endif
