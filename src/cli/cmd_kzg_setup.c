/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include "clock.h"
#include "files.h"
#include "kzg_input.h"
#include "progress.h"

static int save(const session *opened, const sumac_kzg_setup *setup, result_file *file)
{
    double start = seconds_now();
    int begun = result_file_begin(file);
    if (begun != STATUS_DONE) {
        return begun;
    }
    progress_begin("writing %s", file->path);
    sumac_status status = sumac_kzg_setup_save(opened->context, setup, file->library_path);
    progress_end();
    session_span(opened, "write", start);
    return status == SUMAC_OK ? result_file_finish(file)
                              : result_file_library_failure(file, opened->context, status);
}

/* The tables that --table-limit asks for; without it none are kept. */
static int make_tables(const session *opened, const options *given, sumac_kzg_setup *setup)
{
    if (given->table_limit == 0) {
        return STATUS_DONE;
    }
    progress_begin("making tables");
    double start = seconds_now();
    sumac_status status = sumac_kzg_setup_make_tables(opened->context, setup, given->table_limit);
    progress_end();
    session_span(opened, "make tables", start);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

static int run_kzg_setup(const options *given)
{
    session opened;
    sumac_kzg_setup *setup = NULL;
    result_file file = RESULT_FILE_CLOSED;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = result_file_open(&file, given->operands[0]);
    }
    if (status == STATUS_DONE) {
        status = read_kzg_setup(&opened, given, 1, &setup);
    }
    if (status == STATUS_DONE) {
        status = make_tables(&opened, given, setup);
    }
    if (status == STATUS_DONE) {
        status = save(&opened, setup, &file);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(&opened);
    }
    if (status == STATUS_DONE) {
        status = result_file_commit(&file);
    }
    if (status == STATUS_DONE) {
        print_text(given->operands[0]);
        print(": a setup, prepared for proofs of cells\n");
    }
    result_file_discard(&file);
    sumac_kzg_setup_destroy(setup);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_SETUP,   OPTION_CHECK,       OPTION_BACKEND,
                                  OPTION_VARIANT, OPTION_DEVICE,      OPTION_THREADS,
                                  OPTION_TRACE,   OPTION_TABLE_LIMIT, OPTION_END};

const command command_kzg_setup = {
    .name = "kzg setup",
    .summary = "Check a trusted setup and save it prepared, so that it is read faster",
    .takes = takes,
    .operands = "OUT",
    .operands_minimum = 1,
    .operands_maximum = 1,
    .operands_read = 0,
    .check = SUMAC_CHECK_SUBGROUP,
    .run = run_kzg_setup,
};
