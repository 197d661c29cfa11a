/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>

#include "clock.h"
#include "files.h"
#include "progress.h"
#include "results.h"
#include "scalars.h"
#include "session.h"

/* The files; those that are not asked for stay closed. They are complete or not there. */
typedef struct generated_files {
    result_file bases, scalars, expected;
} generated_files;

static int write_bases(const session *opened, const options *given, result_file *file)
{
    sumac_bases_config config = sumac_bases_config_default();
    sumac_bases *bases;
    double start = seconds_now();
    progress_begin("making bases");
    sumac_status status = sumac_known_bases_create(opened->context, opened->curve, (size_t)given->n,
                                                   given->seed, &config, &bases);
    session_span(opened, "make bases", start);
    if (status != SUMAC_OK) {
        return session_failure(opened, status);
    }
    start = seconds_now();
    int result = result_file_begin(file);
    if (result == STATUS_DONE) {
        progress_begin("writing %s", file->path);
        status = sumac_bases_save_as(opened->context, bases, given->format, file->library_path);
        progress_end();
        session_span(opened, "write bases", start);
        result = status == SUMAC_OK ? result_file_finish(file)
                                    : result_file_library_failure(file, opened->context, status);
    }
    sumac_bases_destroy(bases);
    return result;
}

static int write_expected(const session *opened, const options *given, const unsigned char *scalars,
                          result_file *file)
{
    const sumac_curve_info *info = opened->info;
    unsigned char *logarithms = allocate(given->n * info->scalar_bytes, "discrete logarithms");
    unsigned char *point = logarithms != NULL ? allocate(info->point_bytes, "the answer") : NULL;
    int result = STATUS_MACHINE_FAULT;
    if (logarithms != NULL && point != NULL) {
        progress_begin("computing the answer");
        sumac_status status =
            sumac_known_logarithms(opened->context, opened->curve, (size_t)given->n, given->seed, logarithms);
        if (status == SUMAC_OK) {
            status = sumac_known_answer(opened->context, opened->curve, scalars, logarithms, (size_t)given->n,
                                        point);
        }
        progress_end();
        result = status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
    }
    if (result == STATUS_DONE) {
        result = result_file_begin(file);
    }
    if (result == STATUS_DONE) {
        json_t *object = json_pack("{s:s, s:s, s:I, s:s, s:o}", "curve", info->name, "group", info->group,
                                   "n", (json_int_t)given->n, "kind", option_choice(OPTION_KIND, given->kind),
                                   "result", point_to_json(info, point));
        result = write_json_file(file, object);
    }
    if (result == STATUS_DONE) {
        result = result_file_finish(file);
    }
    free(logarithms);
    free(point);
    return result;
}

static int write_scalars(const unsigned char *scalars, uint64_t bytes, result_file *file)
{
    int status = result_file_begin(file);
    if (status != STATUS_DONE) {
        return status;
    }
    result_file_write(file, scalars, (size_t)bytes);
    return result_file_finish(file);
}

/* Scalars, and the answer which needs them. */
static int write_scalars_and_answer(const session *opened, const options *given, generated_files *files)
{
    uint64_t bytes = given->n * opened->info->scalar_bytes;
    unsigned char *scalars = allocate(bytes, "scalars");
    if (scalars == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    progress_begin("making scalars");
    make_scalars(opened->info, (scalar_kind)given->kind, given->scalar_bits, given->seed, given->n, scalars);
    progress_end();
    int status = STATUS_DONE;
    if (given->out_scalars != NULL) {
        status = write_scalars(scalars, bytes, &files->scalars);
    }
    if (status == STATUS_DONE && given->expected != NULL) {
        status = write_expected(opened, given, scalars, &files->expected);
    }
    free(scalars);
    return status;
}

static void print_written(const session *opened, const options *given)
{
    const sumac_curve_info *info = opened->info;
    unsigned long long n = given->n;
    const char *format = given->format != NULL ? given->format : "raw";
    if (given->out_bases != NULL) {
        print_text(given->out_bases);
        print(": %llu bases of %s %s, %s\n", n, info->name, info->group, format);
    }
    if (given->out_scalars != NULL) {
        print_text(given->out_scalars);
        print(": %llu scalars, %s\n", n, option_choice(OPTION_KIND, given->kind));
    }
    if (given->expected != NULL) {
        print_text(given->expected);
        print(": the answer\n");
    }
}

static int open_files(const options *given, generated_files *files)
{
    int status = STATUS_DONE;
    if (given->out_bases != NULL) {
        status = result_file_open(&files->bases, given->out_bases);
    }
    if (status == STATUS_DONE && given->out_scalars != NULL) {
        status = result_file_open(&files->scalars, given->out_scalars);
    }
    if (status == STATUS_DONE && given->expected != NULL) {
        status = result_file_open(&files->expected, given->expected);
    }
    return status;
}

static int generate(const session *opened, const options *given, generated_files *files)
{
    int status = open_files(given, files);
    if (status == STATUS_DONE && given->out_bases != NULL) {
        status = write_bases(opened, given, &files->bases);
    }
    if (status == STATUS_DONE && (given->out_scalars != NULL || given->expected != NULL)) {
        status = write_scalars_and_answer(opened, given, files);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(opened);
    }
    result_file *const all[] = {&files->bases, &files->scalars, &files->expected};
    if (status == STATUS_DONE) {
        status = result_files_commit(all, sizeof all / sizeof *all);
    }
    if (status == STATUS_DONE) {
        print_written(opened, given);
    }
    return status;
}

/* What no scalar of the curve can have is a mistake, here as in `msm`. */
static int check_scalar_bits(const session *opened, const options *given)
{
    unsigned most = 8 * (unsigned)opened->info->scalar_bytes;
    if (given->scalar_bits <= most) {
        return STATUS_DONE;
    }
    return bad_input("--scalar-bits %llu is more than the %u bits that a scalar of %s %s has",
                     (unsigned long long)given->scalar_bits, most, opened->info->name, opened->info->group);
}

static int run_generate(const options *given)
{
    if (given->out_bases == NULL && given->out_scalars == NULL && given->expected == NULL) {
        return bad_input("'sumac generate' needs at least one of --out-bases, --out-scalars, --expected");
    }
    int status = check_format("format", given->format, true);
    if (status != STATUS_DONE) {
        return status;
    }
    session opened;
    generated_files files = {RESULT_FILE_CLOSED, RESULT_FILE_CLOSED, RESULT_FILE_CLOSED};
    status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = check_scalar_bits(&opened, given);
    }
    if (status == STATUS_DONE) {
        status = generate(&opened, given, &files);
    }
    result_file_discard(&files.bases);
    result_file_discard(&files.scalars);
    result_file_discard(&files.expected);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_CURVE,       OPTION_GROUP,      OPTION_N,           OPTION_SEED,
                                  OPTION_OUT_BASES,   OPTION_OUT_FORMAT, OPTION_OUT_SCALARS, OPTION_KIND,
                                  OPTION_SCALAR_BITS, OPTION_EXPECTED,   OPTION_THREADS,     OPTION_TRACE,
                                  OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_N, OPTION_END};

const command command_generate = {
    .name = "generate",
    .summary = "Make bases with known discrete logarithms, scalars, and the answer",
    .takes = takes,
    .needs = needs,
    .notes =
        "The same curve, N and seed give the same files on every machine.\n"
        "Kinds: small is less than 2^16, sparse is 0 or 1 but for one in a hundred, top is within 2^20 of\n"
        "the largest, mixed draws from 0, 1, the largest, a repeated one, 32 bits and uniform.\n",
    .run = run_generate,
};
