/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compute cells and their proofs from the coefficients of blobs' polynomials, for computing cells and for recovery. */
#ifndef SUMAC_KZG_CELLS_H
#define SUMAC_KZG_CELLS_H

#include "kzg/range.h"
#include "kzg/setup.h"

typedef struct cells_call cells_call;
typedef struct cells_memory cells_memory;

struct cells_call {
    const sumac_kzg_setup *setup;
    size_t count;    /* blobs */
    uint8_t *cells;  /* caller's memory, written when nothing can fail any more; null outputs are skipped */
    uint8_t *proofs; /* likewise */
    /* The elements of the blobs, which are the first half of their cells; or null, if cells are recovered. */
    const uint8_t *blobs;
    /* Compute the coefficients of blobs [first, first + n), rows of 4096. */
    sumac_status (*interpolate)(const cells_call *call, const work_range *range, size_t first, size_t n,
                                sumac_vector *coefficients);
    /* Check the values of the blobs' cells, rows of 8192. May be null. */
    sumac_status (*check)(const cells_call *call, const work_range *range, size_t first, size_t n,
                          const sumac_vector *values);
    void *input; /* for interpolate() and check() */
    cells_memory *memory;
};

/* Compute cells and proofs. The caller holds the context and has checked the arguments. */
sumac_status cells_compute(sumac_context *context, cells_call *call);

/* Return SUMAC_BAD_ARGUMENT if proofs are wanted and the setup has no tables. */
sumac_status cells_can_prove(sumac_context *context, const sumac_kzg_setup *setup, int proofs_are_wanted);

#endif
