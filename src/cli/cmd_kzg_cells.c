/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>

#include "kzg_input.h"
#include "kzg_output.h"
#include "progress.h"

static int compute(const session *opened, const options *given, cell_outputs *outputs)
{
    sumac_kzg_setup *setup = NULL;
    unsigned char *blob = allocate(SUMAC_KZG_BLOB_BYTES, "a blob");
    int status = blob == NULL ? STATUS_MACHINE_FAULT : read_blob(given->operands[0], blob);
    if (status == STATUS_DONE) {
        status = read_kzg_setup(opened, given, outputs->proofs_are_wanted, &setup);
    }
    if (status == STATUS_DONE) {
        progress_begin("computing cells");
        sumac_status computed =
            sumac_kzg_compute_cells_and_proofs(opened->context, setup, blob, 1, outputs->cells,
                                               outputs->proofs_are_wanted ? outputs->proofs : NULL);
        progress_end();
        status = computed == SUMAC_OK ? STATUS_DONE : session_failure(opened, computed);
    }
    free(blob);
    sumac_kzg_setup_destroy(setup);
    return status;
}

static int run_kzg_cells(const options *given)
{
    return cell_outputs_run(given, compute);
}

static const option_id takes[] = {OPTION_SETUP,  OPTION_CHECK,   OPTION_BACKEND, OPTION_VARIANT,
                                  OPTION_DEVICE, OPTION_DEVICES, OPTION_THREADS, OPTION_MEMORY_LIMIT,
                                  OPTION_JSON,   OPTION_TRACE,   OPTION_END};
static const option_id needs[] = {OPTION_SETUP, OPTION_END};

const command command_kzg_cells = {
    .name = "kzg cells",
    .summary = "Extend an Ethereum blob to cells, with proofs (EIP-7594)",
    .takes = takes,
    .needs = needs,
    .operands = "BLOB-FILE [CELLS-FILE [PROOFS-FILE]]",
    .operands_minimum = 1,
    .operands_maximum = 3,
    .operands_read = 1,
    .notes = "128 cells of 2048 bytes, one behind the other, and as many proofs of 48. With --json they are\n"
             "printed in hexadecimal, and the files may be left out.\n",
    .run = run_kzg_cells,
};
