/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

static int check_combinations(const options *given)
{
    const bool is_table = strcmp(given->to, "table") == 0;
    const bool has_tables = given->precompute > 1 || given->tables != SUMAC_TABLES_MULTIPLES;
    MUST(check_format("format", given->format, false));
    MUST(check_format("to", given->to, true));
    if ((given->given[OPTION_PRECOMPUTE] || given->given[OPTION_TABLES]) && !is_table) {
        return bad_input("--precompute and --tables need --to table: no other format holds multiples");
    }
    if ((given->given[TUNE_C] || given->given[TUNE_TYPICAL_BATCH] || given->given[TUNE_TYPICAL_N]) &&
        !has_tables) {
        return bad_input("c, typical-batch and typical-n need --precompute F of 2 or more, or --tables: they "
                         "choose the window that is precomputed for");
    }
    return STATUS_DONE;
}

/* Read bases [first, first + n) of the file. Without -n, read to the end of the file. */
static int read_part(const session *opened, const options *given, sumac_bases **bases)
{
    const char *path = given->operands[0];
    if (!given->given[OPTION_FIRST] && !given->given[OPTION_N]) {
        return read_bases(opened, given, path, given->format, bases);
    }
    uint64_t n = given->n;
    if (!given->given[OPTION_N]) {
        size_t count;
        CALL(opened, count_bases(opened, path, given->format, &count));
        if (given->first > count) {
            return bad_input("--first %llu goes beyond the %zu bases in '%s'",
                             (unsigned long long)given->first, count, path);
        }
        n = count - given->first;
    }
    return session_check(opened, read_bases_part(opened, given, path, given->format, given->first, n, bases));
}

static int run_convert(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file out = RESULT_FILE_CLOSED;
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    result_file *const files[] = {&out};
    const char *path = given->operands[1];
    MUST(check_combinations(given));
    MUST(result_file_open(&out, path));
    MUST(read_part(opened, given, &bases));
    MUST(result_file_begin(&out));
    progress_begin("writing %s", path);
    MUST(session_save(opened, "write", &out,
                      sumac_bases_save(opened->context, bases, out.library_path, given->to)));
    MUST(session_commit(opened, files, 1));
    print_text(path);
    print(": %zu bases of %s %s, ", sumac_bases_count(bases), opened->info->curve, opened->info->name);
    if (strcmp(given->to, "table") == 0) {
        sumac_bases_info info = {.size = sizeof info};
        CALL(opened, sumac_bases_describe(bases, &info));
        print("a table of %u %s each\n", (unsigned)info.precompute_factor,
              info.tables == SUMAC_TABLES_WINDOWS ? "windows with all digits" : "multiples");
    } else {
        print("%s\n", given->to);
    }
    return STATUS_DONE;
}

const command command_convert = {
    .name = "convert",
    .summary = "Convert bases from a file format to another, or to a table with precomputed multiples",
    .takes = OPTIONS(OPTION_CURVE, OPTION_GROUP, OPTION_FORMAT, OPTION_FIRST, OPTION_N, OPTION_VALIDATE,
                     OPTION_OUTSIDE_SUBGROUP, OPTION_SCALAR_BITS, OPTION_TO, OPTION_PRECOMPUTE, OPTION_TABLES,
                     OPTION_TABLE_LIMIT, TUNE_C, TUNE_TYPICAL_BATCH, TUNE_TYPICAL_N, OPTION_BACKEND,
                     OPTION_DEVICES, OPTION_THREADS, OPTION_TRACE),
    .needs = OPTIONS(OPTION_CURVE),
    .presets = PRESETS({OPTION_VALIDATE, "curve"}),
    .operands = {"IN OUT", 2, 2, 1},
    .example = "convert --curve bls12-381 bases.bin --to zcash-compressed bases.zcash",
    .run_in = run_convert,
};
