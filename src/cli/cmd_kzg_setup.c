/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "kzg_input.h"

static int run_kzg_setup(const session *opened, const options *given)
{
    CLEANUP(close_kzg_setup) sumac_kzg_setup *setup = NULL;
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    result_file *const files[] = {&file};
    MUST(result_file_open(&file, given->operands[0]));
    MUST(read_kzg_setup(opened, given, 1, &setup));
    if (given->table_limit != 0) {
        progress_begin("making tables");
        MUST(session_step(opened, "make tables",
                          sumac_kzg_setup_make_tables(opened->context, setup, given->table_limit)));
    }
    MUST(result_file_begin(&file));
    progress_begin("writing %s", file.path);
    MUST(session_save(opened, "write", &file,
                      sumac_kzg_setup_save(opened->context, setup, file.library_path)));
    MUST(session_commit(opened, files, 1));
    print_text(given->operands[0]);
    print(": a setup, prepared for proofs of cells\n");
    return STATUS_DONE;
}

const command command_kzg_setup = {
    .name = "kzg setup",
    .summary = "Check a trusted setup and save it prepared, so that it is read faster",
    .takes = OPTIONS(OPTION_SETUP, OPTION_VALIDATE, OPTION_TABLE_LIMIT, OPTION_BACKEND, OPTION_DEVICES,
                     OPTION_THREADS, TUNE_VARIANT, OPTION_TRACE),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .operands = {"OUT", 1, 1, 0},
    .example = "kzg setup --setup trusted_setup.txt setup.bin",
    .notes = "With --table-limit it also holds tables of at most so many bytes, for faster proofs of cells.",
    .run_in = run_kzg_setup,
};
