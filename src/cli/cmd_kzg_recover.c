/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>

#include "kzg_input.h"
#include "kzg_output.h"
#include "progress.h"

static int recover(const session *opened, const options *given, cell_outputs *outputs)
{
    sumac_kzg_setup *setup = NULL;
    unsigned char *cells = NULL;
    cell_list known;
    int status = parse_cells(given->cells, &known);
    if (status == STATUS_DONE) {
        status = read_records(given->operands[0], "cells", known.count, SUMAC_KZG_CELL_BYTES, &cells);
    }
    if (status == STATUS_DONE) {
        status = read_kzg_setup(opened, given, outputs->proofs_are_wanted, &setup);
    }
    if (status == STATUS_DONE) {
        progress_begin("recovering cells");
        sumac_status recovered = sumac_kzg_recover_cells_and_proofs(
            opened->context, setup, known.indices, known.count, cells, 1, outputs->cells,
            outputs->proofs_are_wanted ? outputs->proofs : NULL);
        progress_end();
        status = recovered == SUMAC_OK ? STATUS_DONE : session_failure(opened, recovered);
    }
    free(cells);
    sumac_kzg_setup_destroy(setup);
    return status;
}

static int run_kzg_recover(const options *given)
{
    return cell_outputs_run(given, recover);
}

static const option_id takes[] = {OPTION_SETUP,        OPTION_CHECK,  OPTION_CELLS,   OPTION_BACKEND,
                                  OPTION_VARIANT,      OPTION_DEVICE, OPTION_DEVICES, OPTION_THREADS,
                                  OPTION_MEMORY_LIMIT, OPTION_JSON,   OPTION_TRACE,   OPTION_END};
static const option_id needs[] = {OPTION_SETUP, OPTION_CELLS, OPTION_END};

const command command_kzg_recover = {
    .name = "kzg recover",
    .summary = "Recover all cells of an Ethereum blob from half of them or more (EIP-7594)",
    .takes = takes,
    .needs = needs,
    .operands = "KNOWN-CELLS-FILE [CELLS-FILE [PROOFS-FILE]]",
    .operands_minimum = 1,
    .operands_maximum = 3,
    .operands_read = 1,
    .notes =
        "The first file holds the cells that --cells names, one behind the other; the others are written\n"
        "as `sumac kzg cells` writes them.\n",
    .run = run_kzg_recover,
};
