/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What `kzg cells` and `kzg recover` write: the cells of one blob, and their proofs; and what `kzg commit`
 * prints. */
#ifndef SUMAC_CLI_KZG_OUTPUT_H
#define SUMAC_CLI_KZG_OUTPUT_H

#include "files.h"
#include "options.h"
#include "sumac/kzg.h"

/* Operands 1 and 2 of the command: files of cells and of proofs; or --json. */
typedef struct cell_outputs {
    result_file cells_file, proofs_file;
    bool proofs_are_wanted;
    unsigned char *cells, *proofs; /* SUMAC_KZG_CELLS of each */
} cell_outputs;

/* Check the operands and open the files. cell_outputs_close() is due in any case. */
int cell_outputs_open(cell_outputs *outputs, const options *given);

/* Write what is there now. */
int cell_outputs_write(cell_outputs *outputs, const options *given);
void cell_outputs_close(cell_outputs *outputs);

/* A commitment a line, or with --json a list of them. */
int print_commitments(const options *given, const unsigned char *commitments, size_t count);

#endif
