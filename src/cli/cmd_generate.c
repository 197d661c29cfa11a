/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "scalars.h"

static int write_bases(const session *opened, const options *given, result_file *file)
{
    const sumac_bases_config config = {.size = sizeof config};
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    progress_begin("making bases");
    MUST(session_step(opened, "make bases",
                      sumac_known_bases_create(opened->context, opened->group, (size_t)given->n, given->seed,
                                               &config, &bases)));
    MUST(result_file_begin(file));
    progress_begin("writing %s", file->path);
    return session_save(opened, "write bases", file,
                        sumac_bases_save(opened->context, bases, file->library_path, given->to));
}

static int write_expected(const session *opened, const options *given, const unsigned char *scalars,
                          result_file *file)
{
    const sumac_group *info = opened->info;
    AUTO_FREE unsigned char *logarithms = NULL, *point = NULL;
    ALLOCATE(logarithms, given->n * info->scalar_bytes, "discrete logarithms");
    ALLOCATE(point, info->point_bytes, "the result");
    progress_begin("computing the result");
    const size_t n = (size_t)given->n, bytes = n * info->scalar_bytes;
    sumac_status status = sumac_known_logarithms(opened->context, info, n, given->seed, logarithms, bytes);
    if (status == SUMAC_OK) {
        status = sumac_known_answer(opened->context, info, scalars, bytes, logarithms, bytes, n, point,
                                    info->point_bytes);
    }
    MUST(session_step(opened, "compute the result", status));
    MUST(result_file_begin(file));
    MUST(write_json_file(file,
                         json_pack("{s:s, s:s, s:I, s:s, s:o}", "curve", info->curve, "group", info->name,
                                   "n", (json_int_t)given->n, "kind", option_choice(OPTION_KIND, given->kind),
                                   "result", point_to_json(info, point))));
    return result_file_finish(file);
}

static int run_generate(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file bases = RESULT_FILE_CLOSED;
    CLEANUP(result_file_discard) result_file scalars = RESULT_FILE_CLOSED;
    CLEANUP(result_file_discard) result_file expected = RESULT_FILE_CLOSED;
    result_file *const files[] = {&bases, &scalars, &expected};
    const char *const paths[] = {given->out_bases, given->out_scalars, given->expected};
    const sumac_group *info = opened->info;
    const unsigned most = 8 * (unsigned)info->scalar_bytes;
    if (given->out_bases == NULL && given->out_scalars == NULL && given->expected == NULL) {
        return bad_input("'sumac generate' needs at least one of --out-bases, --out-scalars, --expected");
    }
    if (given->scalar_bits > most) {
        return bad_input("--scalar-bits %llu is more than the %u bits that a scalar of %s %s has",
                         (unsigned long long)given->scalar_bits, most, info->curve, info->name);
    }
    MUST(check_format("to", given->to, true));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (paths[i] != NULL) {
            MUST(result_file_open(files[i], paths[i]));
        }
    }
    if (given->out_bases != NULL) {
        MUST(write_bases(opened, given, &bases));
    }
    if (given->out_scalars != NULL || given->expected != NULL) {
        const uint64_t bytes = given->n * info->scalar_bytes;
        AUTO_FREE unsigned char *values = NULL;
        ALLOCATE(values, bytes, "scalars");
        make_scalars(info, (scalar_kind)given->kind, given->scalar_bits, given->seed, given->n, values);
        if (given->out_scalars != NULL) {
            MUST(result_file_put(&scalars, values, (size_t)bytes));
        }
        if (given->expected != NULL) {
            MUST(write_expected(opened, given, values, &expected));
        }
    }
    MUST(session_commit(opened, files, sizeof files / sizeof *files));
    if (given->out_bases != NULL) {
        print_text(given->out_bases);
        print(": %llu bases of %s %s, %s\n", (unsigned long long)given->n, info->curve, info->name,
              given->to);
    }
    if (given->out_scalars != NULL) {
        print_text(given->out_scalars);
        print(": %llu scalars, %s\n", (unsigned long long)given->n, option_choice(OPTION_KIND, given->kind));
    }
    if (given->expected != NULL) {
        print_text(given->expected);
        print(": the result\n");
    }
    return STATUS_DONE;
}

const command command_generate = {
    .name = "generate",
    .summary = "Make bases with known discrete logarithms, scalars, and the result of their MSM",
    .takes = OPTIONS(OPTION_CURVE, OPTION_GROUP, OPTION_N, OPTION_SEED, OPTION_KIND, OPTION_SCALAR_BITS,
                     OPTION_OUT_BASES, OPTION_TO, OPTION_OUT_SCALARS, OPTION_EXPECTED, OPTION_THREADS,
                     OPTION_TRACE),
    .needs = OPTIONS(OPTION_CURVE, OPTION_N),
    .example = "generate --curve bn254 -n 2^16 --out-bases bases.bin --out-scalars scalars.bin",
    .notes = "The same curve, N and seed give the same files on every machine. Scalars of the kind small are "
             "less than 2^16; of sparse 0 or 1, but for one in a hundred; of top within 2^20 of the largest; "
             "mixed draws from 0, 1, the largest, a repeated one, 32 bits and uniform.",
    .run_in = run_generate,
};
