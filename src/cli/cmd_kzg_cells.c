/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include "kzg_cells.h"

static int run_kzg_cells(const options *given)
{
    return run_cells_of_blobs(given, NULL);
}

static const option_id takes[] = {OPTION_SETUP,  OPTION_CHECK,   OPTION_BACKEND, OPTION_VARIANT,
                                  OPTION_DEVICE, OPTION_DEVICES, OPTION_THREADS, OPTION_MEMORY_LIMIT,
                                  OPTION_JSON,   OPTION_TRACE,   OPTION_END};

const command command_kzg_cells = {
    .name = "kzg cells",
    .summary = "Extend Ethereum blobs to cells, with proofs (EIP-7594)",
    .takes = takes,
    .operands = "BLOBS-FILE [CELLS-FILE [PROOFS-FILE]]",
    .operands_minimum = 1,
    .operands_maximum = 3,
    .operands_read = 1,
    .check = SUMAC_CHECK_NONE, /* a text's points are decoded, and a saved setup's checksums are trusted */
    .notes = "The first file holds blobs of 131072 bytes, one behind the other, or one as hexadecimal text. "
             "Of each\n"
             "there are 128 cells of 2048 bytes, one behind the other, and as many proofs of 48. With --json "
             "they\n"
             "are printed in hexadecimal, and the files may be left out.\n",
    .run = run_kzg_cells,
};
