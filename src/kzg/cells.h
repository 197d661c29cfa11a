/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This function computes cells and their proofs from the coefficients of blobs' polynomials. The computation of cells
 * and the recovery of blobs use it. */
#ifndef SUMAC_KZG_CELLS_H
#define SUMAC_KZG_CELLS_H

#include "kzg/range.h"
#include "kzg/setup.h"

typedef struct cells_call cells_call;
typedef struct cells_memory cells_memory;

struct cells_call {
    const sumac_kzg_setup *setup;
    size_t count;    /* the number of blobs */
    uint8_t *cells;  /* the caller's memory, which is written when nothing can fail any more; null: cells are
                        not wanted */
    uint8_t *proofs; /* the same for proofs */
    /* These are the elements of the blobs, which are the first half of their cells. If cells are recovered, the pointer
     * is null. */
    const uint8_t *blobs;
    /* Compute the coefficients of blobs [first, first + n), a row of 4096 for each blob. */
    sumac_status (*interpolate)(const cells_call *call, const work_range *range, size_t first, size_t n,
                                sumac_vector *coefficients);
    /* Check the values of the blobs' cells, which have a row of 8192 for each blob. This may be null. */
    sumac_status (*check)(const cells_call *call, const work_range *range, size_t first, size_t n,
                          const sumac_vector *values);
    void *input; /* the argument of interpolate() and check() */
    cells_memory *memory;
};

/* Compute cells and proofs. The caller holds the context and has checked the arguments. */
sumac_status cells_compute(sumac_context *context, cells_call *call);

/* Return SUMAC_BAD_ARGUMENT if proofs are wanted and the setup has no tables. */
sumac_status cells_can_prove(sumac_context *context, const sumac_kzg_setup *setup, int proofs_are_wanted);

#endif
