/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What `kzg cells` and `kzg recover` write: the cells of one blob, and their proofs; and what `kzg commit`
 * prints. */
#ifndef SUMAC_CLI_KZG_OUTPUT_H
#define SUMAC_CLI_KZG_OUTPUT_H

#include "files.h"
#include "session.h"
#include "sumac/kzg.h"

/* Operands 1 and 2 of the command: files of cells and of proofs; or --json. */
typedef struct cell_outputs {
    result_file cells_file, proofs_file;
    bool proofs_are_wanted;
    unsigned char *cells, *proofs; /* SUMAC_KZG_CELLS of each */
} cell_outputs;

/* A command whole: a session, the operands checked and the files opened; `fill`, which makes the cells and,
 * where they are wanted, the proofs; and what is there then, written. */
typedef int (*cell_outputs_filler)(const session *opened, const options *given, cell_outputs *outputs);
int cell_outputs_run(const options *given, cell_outputs_filler fill);

/* A commitment a line, or with --json a list of them. */
int print_commitments(const options *given, const unsigned char *commitments, size_t count);

#endif
