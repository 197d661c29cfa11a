/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cells and their proofs from the coefficients of blobs' polynomials. */
#ifndef SUMAC_KZG_CELLS_H
#define SUMAC_KZG_CELLS_H

#include "kzg/setup_types.h"
#include "kzg/work.h"

/* All cells of `count` polynomials, rows of 4096 coefficients: rows of 8192 values, from row `first` on. */
void cells_evaluate(work *w, const sumac_vector *coefficients, size_t count, sumac_vector *values,
                    size_t first);

/* All their proofs, rows of 128, from row `first` on, with what the work has of the setup, which is prepared. */
void cells_prove(work *w, const sumac_kzg_setup *setup, const sumac_vector *coefficients, size_t count,
                 sumac_vector *proofs, size_t first);

/* SUMAC_BAD_ARGUMENT unless the setup is prepared or no proofs are wanted. */
sumac_status cells_can_prove(sumac_context *context, const sumac_kzg_setup *setup, int proofs_are_wanted);

#endif
