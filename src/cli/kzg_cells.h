/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What `kzg cells` and `kzg recover` have in common: from the blobs of a file to all of their cells and
 * proofs. */
#ifndef SUMAC_CLI_KZG_CELLS_H
#define SUMAC_CLI_KZG_CELLS_H

#include "kzg_input.h"

/* A command whole: operand 0 holds blobs, or where there is a list, those cells of blobs; all cells go to
 * operand 1 and proofs to operand 2, or with --json to standard output. */
int run_cells_of_blobs(const options *given, const cell_list *known);

#endif
