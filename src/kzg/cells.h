/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cells and their proofs from the coefficients of blobs' polynomials: what computing cells and recovering them share. */
#ifndef SUMAC_KZG_CELLS_H
#define SUMAC_KZG_CELLS_H

#include "kzg/range.h"
#include "kzg/setup.h"

typedef struct cells_call cells_call;
typedef struct cells_memory cells_memory;

struct cells_call {
    const sumac_kzg_setup *setup;
    size_t count;    /* blobs */
    uint8_t *cells;  /* the caller's, written when nothing can fail any more; null outputs are skipped */
    uint8_t *proofs; /* likewise */
    /* Null, or the elements of the blobs, which are the first half of their cells. */
    const uint8_t *blobs;
    /* Compute the coefficients of blobs [first, first + n), rows of 4096. */
    sumac_status (*interpolate)(const cells_call *call, const work_range *range, size_t first, size_t n,
                                sumac_vector *coefficients);
    /* Null, or check the values of their cells, rows of 8192. */
    sumac_status (*check)(const cells_call *call, const work_range *range, size_t first, size_t n,
                          const sumac_vector *values);
    void *input; /* theirs */
    cells_memory *memory;
};

/* Compute cells and proofs, with a context that is held and arguments that are checked. */
sumac_status cells_compute(sumac_context *context, cells_call *call);

/* SUMAC_BAD_ARGUMENT unless the setup has tables or no proofs are wanted. */
sumac_status cells_can_prove(sumac_context *context, const sumac_kzg_setup *setup, int proofs_are_wanted);

#endif
