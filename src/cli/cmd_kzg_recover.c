/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include "kzg_cells.h"

static int run_kzg_recover(const options *given)
{
    cell_list known;
    const int status = parse_known_cells(given->cells, &known);
    return status == STATUS_DONE ? run_cells_of_blobs(given, &known) : status;
}

static const option_id takes[] = {OPTION_SETUP,        OPTION_CHECK,  OPTION_CELLS,   OPTION_BACKEND,
                                  OPTION_VARIANT,      OPTION_DEVICE, OPTION_DEVICES, OPTION_THREADS,
                                  OPTION_MEMORY_LIMIT, OPTION_JSON,   OPTION_TRACE,   OPTION_END};
static const option_id needs[] = {OPTION_CELLS, OPTION_END};

const command command_kzg_recover = {
    .name = "kzg recover",
    .summary = "Recover all cells of Ethereum blobs from half of them or more (EIP-7594)",
    .takes = takes,
    .needs = needs,
    .operands = "KNOWN-CELLS-FILE [CELLS-FILE [PROOFS-FILE]]",
    .operands_minimum = 1,
    .operands_maximum = 3,
    .operands_read = 1,
    .check = SUMAC_CHECK_NONE, /* a text's points are decoded, and a saved setup's checksums are trusted */
    .notes =
        "The first file holds of each blob the cells that --cells names, blob behind blob; the others are\n"
        "written as `sumac kzg cells` writes them. Of more than 64 cells it is seen whether they fit each\n"
        "other: if not, they are refused, and the wrong one is named where that can be told.\n",
    .run = run_kzg_recover,
};
