#include "commands.h"

#include <stdio.h>

#include "clock.h"
#include "progress.h"
#include "session.h"

static int write_output(const session *opened, const options *given, const sumac_bases *bases,
                        const char *path, bool table)
{
    double start = seconds_now();
    progress_begin("writing %s", path);
    sumac_status status = table ? sumac_bases_save(opened->context, bases, path)
                                : sumac_bases_write(opened->context, bases, path, given->to);
    progress_end();
    session_span(opened, "write", start);
    if (status != SUMAC_OK) {
        return session_failure(opened, status);
    }
    printf("%s: %zu bases of %s %s, ", path, sumac_bases_count(bases), opened->info->name,
           opened->info->group);
    if (table) {
        printf("a table of %u %s each\n", (unsigned)sumac_bases_precompute_factor(bases),
               sumac_bases_tables(bases) == SUMAC_TABLES_DIGITS ? "windows with all digits" : "multiples");
    } else {
        printf("%s\n", given->to);
    }
    return STATUS_DONE;
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

static int run_convert(const options *given)
{
    int status = check_combinations(given);
    if (status != STATUS_DONE) {
        return status;
    }
    session opened;
    sumac_bases *bases = NULL;
    status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = read_bases(&opened, given, given->operands[0], given->from, &bases);
    }
    if (status == STATUS_DONE && given->operand_count == 2) {
        status = write_output(&opened, given, bases, given->operands[1], false);
    }
    if (status == STATUS_DONE && given->table != NULL) {
        status = write_output(&opened, given, bases, given->table, true);
    }
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
    .run = run_convert,
};
