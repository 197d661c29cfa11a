#include "commands.h"

#include <stdlib.h>

#include "clock.h"
#include "files.h"
#include "progress.h"
#include "results.h"
#include "scalars.h"
#include "session.h"

static int write_bases(const session *opened, const options *given)
{
    sumac_bases_config config = sumac_bases_config_default();
    sumac_bases *bases;
    double start = seconds_now();
    progress_begin("making bases");
    sumac_status status =
        sumac_known_bases(opened->context, opened->curve, (size_t)given->n, given->seed, &config, &bases);
    session_span(opened, "make bases", start);
    if (status != SUMAC_OK) {
        return session_failure(opened, status);
    }
    start = seconds_now();
    progress_begin("writing %s", given->out_bases);
    status = sumac_bases_write(opened->context, bases, given->out_bases, given->format);
    progress_end();
    session_span(opened, "write bases", start);
    sumac_bases_destroy(bases);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

static int write_expected(const session *opened, const options *given, const unsigned char *scalars,
                          result_file *file)
{
    const sumac_curve_info *info = opened->info;
    unsigned char *logarithms = allocate(given->n * info->scalar_bytes, "discrete logarithms");
    unsigned char *point = allocate(info->point_bytes, "the answer");
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
        json_t *object = json_pack("{s:s, s:s, s:I, s:s, s:o}", "curve", info->name, "group", info->group,
                                   "n", (json_int_t)given->n, "kind", option_choice(OPTION_KIND, given->kind),
                                   "result", point_to_json(info, point));
        result = write_json_file(file, object);
    }
    free(logarithms);
    free(point);
    return result;
}

/* Scalars, and the answer which needs them; the files are complete or not there. */
static int write_scalars_and_answer(const session *opened, const options *given, result_file *scalars_file,
                                    result_file *expected_file)
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
    if (scalars_file->stream != NULL) {
        result_file_write(scalars_file, scalars, (size_t)bytes);
        status = result_file_commit(scalars_file);
    }
    if (status == STATUS_DONE && expected_file->stream != NULL) {
        status = write_expected(opened, given, scalars, expected_file);
        if (status == STATUS_DONE) {
            status = result_file_commit(expected_file);
        }
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
        printf("%s: %llu bases of %s %s, %s\n", given->out_bases, n, info->name, info->group, format);
    }
    if (given->out_scalars != NULL) {
        printf("%s: %llu scalars, %s\n", given->out_scalars, n, option_choice(OPTION_KIND, given->kind));
    }
    if (given->expected != NULL) {
        printf("%s: the answer\n", given->expected);
    }
}

static int generate(const session *opened, const options *given, result_file *scalars_file,
                    result_file *expected_file)
{
    int status = STATUS_DONE;
    if (given->out_scalars != NULL) {
        status = result_file_open(scalars_file, given->out_scalars);
    }
    if (status == STATUS_DONE && given->expected != NULL) {
        status = result_file_open(expected_file, given->expected);
    }
    if (status == STATUS_DONE && given->out_bases != NULL) {
        status = write_bases(opened, given);
    }
    if (status == STATUS_DONE && (given->out_scalars != NULL || given->expected != NULL)) {
        status = write_scalars_and_answer(opened, given, scalars_file, expected_file);
    }
    if (status == STATUS_DONE) {
        print_written(opened, given);
    }
    return status;
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
    result_file scalars_file = {.stream = NULL}, expected_file = {.stream = NULL};
    status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = generate(&opened, given, &scalars_file, &expected_file);
    }
    result_file_discard(&scalars_file);
    result_file_discard(&expected_file);
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
