/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdio.h>

#include "clock.h"
#include "files.h"
#include "progress.h"
#include "session.h"

static int write_output(const session *opened, const options *given, const sumac_bases *bases,
                        result_file *file, bool table)
{
    double start = seconds_now();
    int begun = result_file_begin(file);
    if (begun != STATUS_DONE) {
        return begun;
    }
    progress_begin("writing %s", file->path);
    sumac_status status = table ? sumac_bases_save(opened->context, bases, file->library_path)
                                : sumac_bases_save_as(opened->context, bases, given->to, file->library_path);
    progress_end();
    session_span(opened, "write", start);
    return status == SUMAC_OK ? result_file_finish(file)
                              : result_file_library_failure(file, opened->context, status);
}

static void print_written(const session *opened, const options *given, const sumac_bases *bases,
                          const char *path, bool table)
{
    print_text(path);
    print(": %zu bases of %s %s, ", sumac_bases_count(bases), opened->info->name, opened->info->group);
    if (table) {
        print("a table of %u %s each\n", (unsigned)sumac_bases_precompute_factor(bases),
              sumac_bases_tables(bases) == SUMAC_TABLES_WINDOWS ? "windows with all digits" : "multiples");
    } else {
        print("%s\n", given->to);
    }
}

static int check_combinations(const options *given)
{
    bool to_file = given->operand_count == 2;
    if (!to_file && given->table == NULL) {
        return bad_input("'sumac convert' needs a file OUT after IN, or --table FILE");
    }
    if ((given->given[OPTION_PRECOMPUTE] || given->given[OPTION_TABLES]) && given->table == NULL) {
        return bad_input("--precompute and --tables need --table FILE: no other format holds multiples");
    }
    if (given->given[OPTION_C] && given->precompute <= 1 && given->tables == SUMAC_TABLES_MULTIPLES) {
        return bad_input(
            "-c needs --precompute F of 2 or more, or --tables: it is the window that these are made for");
    }
    if ((given->given[OPTION_TYPICAL_BATCH] || given->given[OPTION_TYPICAL_N]) && given->precompute <= 1 &&
        given->tables == SUMAC_TABLES_MULTIPLES) {
        return bad_input("--typical-batch and --typical-n need --precompute F of 2 or more, or --tables: the "
                         "window depends on them");
    }
    if (given->given[OPTION_TO] && !to_file) {
        return bad_input("--to needs a file OUT after IN");
    }
    int status = check_format("from", given->from, false);
    if (status == STATUS_DONE && to_file) {
        status = check_format("to", given->to, true);
    }
    return status;
}

/* What `convert` writes: one or both. */
typedef struct convert_outputs {
    result_file plain, table;
} convert_outputs;

static int convert(const session *opened, const options *given, convert_outputs *outputs, sumac_bases **bases)
{
    bool to_file = given->operand_count == 2, to_table = given->table != NULL;
    int status = STATUS_DONE;
    if (to_file) {
        status = result_file_open(&outputs->plain, given->operands[1]);
    }
    if (status == STATUS_DONE && to_table) {
        status = result_file_open(&outputs->table, given->table);
    }
    if (status == STATUS_DONE) {
        status = read_bases(opened, given, given->operands[0], given->from, bases);
    }
    if (status == STATUS_DONE && to_file) {
        status = write_output(opened, given, *bases, &outputs->plain, false);
    }
    if (status == STATUS_DONE && to_table) {
        status = write_output(opened, given, *bases, &outputs->table, true);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(opened);
    }
    result_file *const both[] = {&outputs->plain, &outputs->table};
    if (status == STATUS_DONE) {
        status = result_files_commit(both, sizeof both / sizeof *both);
    }
    if (status == STATUS_DONE && to_file) {
        print_written(opened, given, *bases, given->operands[1], false);
    }
    if (status == STATUS_DONE && to_table) {
        print_written(opened, given, *bases, given->table, true);
    }
    return status;
}

static int run_convert(const options *given)
{
    int status = check_combinations(given);
    if (status != STATUS_DONE) {
        return status;
    }
    session opened;
    sumac_bases *bases = NULL;
    convert_outputs outputs = {RESULT_FILE_CLOSED, RESULT_FILE_CLOSED};
    status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = convert(&opened, given, &outputs, &bases);
    }
    result_file_discard(&outputs.plain);
    result_file_discard(&outputs.table);
    sumac_bases_destroy(bases);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_CURVE,
                                  OPTION_GROUP,
                                  OPTION_FROM,
                                  OPTION_TO,
                                  OPTION_CHECK,
                                  OPTION_TABLE_OUTPUT,
                                  OPTION_PRECOMPUTE,
                                  OPTION_TABLES,
                                  OPTION_TABLE_LIMIT,
                                  OPTION_C,
                                  OPTION_SCALAR_BITS,
                                  OPTION_OUTSIDE_SUBGROUP,
                                  OPTION_TYPICAL_BATCH,
                                  OPTION_TYPICAL_N,
                                  OPTION_BACKEND,
                                  OPTION_DEVICE,
                                  OPTION_THREADS,
                                  OPTION_TRACE,
                                  OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_END};

const command command_convert = {
    .name = "convert",
    .summary = "Convert bases from a file format to another, or to a table with precomputed multiples",
    .takes = takes,
    .needs = needs,
    .operands = "IN [OUT]",
    .operands_minimum = 1,
    .operands_maximum = 2,
    .operands_read = 1,
    .check = SUMAC_CHECK_CURVE,
    .run = run_convert,
};
