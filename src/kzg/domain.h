/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_KZG_DOMAIN_H
#define SUMAC_KZG_DOMAIN_H

#include "sumac/kzg.h"
#include "vector/calls.h"

enum {
    EXTENDED_ELEMENTS = SUMAC_KZG_CELLS * SUMAC_KZG_CELL_ELEMENTS, /* elements of an extended blob */
    G1_POINT_BYTES = 96,                                           /* bytes of a raw point */
    G2_POINT_BYTES = 192,
    SCALAR_BYTES = 32
};

/*
 * A domain has the roots of unity for blobs and cells, and constants that are derived from them. w is the root of order
 * 8192. rev reverses 12 bits in `roots`, and 7 bits elsewhere. Cell c of an extended blob has the values on the coset
 * h_c*<w^128>, with h_c = w^rev(c).
 */
typedef struct kzg_domain {
    sumac_vector *roots;           /* 4096 scalars: element i of a blob is the value at (w^2)^rev(i) */
    uint8_t *raw_roots;            /* `roots` in raw layout */
    sumac_vector *inverses;        /* 1024 scalars: the inverse of every fourth root */
    sumac_vector *inverse_of_size; /* one scalar: 1/4096 */
    sumac_vector *radix;           /* one scalar: the R of Montgomery form */
    /* This vector has 256 scalars. Scalar c is h_c^64, the value of x^64 everywhere on cell c. Scalar 128 + c is h_c^64
     * * recovery_shift^64, the value of x^64 on the coset on which recovery divides. */
    sumac_vector *cell_constants;
    sumac_vector *cell_unshifts;         /* row c of 128 rows has h_c^-j for j < 64 */
    uint8_t extended_root[SCALAR_BYTES]; /* w as a raw scalar */
    uint8_t recovery_shift[SCALAR_BYTES];
} kzg_domain;

/* Derive the constants for an executor. `domain` must be zeroed. The caller must call domain_destroy(), also after a
 * failure. */
sumac_status domain_create(executor *self, const sumac_group *group, kzg_domain *domain);
void domain_destroy(kzg_domain *domain);

/* Return the index of a raw scalar among `roots`, or 4096 if it is none of them. */
size_t domain_index(const kzg_domain *domain, const uint8_t *scalar);

#endif
