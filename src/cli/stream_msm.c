/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "stream_msm.h"

#include <stdio.h>
#include <stdlib.h>

#include <sumac/files.h>

#include "clock.h"
#include "files.h"
#include "points_file.h"
#include "progress.h"
#include "results.h"
#include "session.h"
#include "text.h"

/* What one run holds. */
typedef struct stream_run {
    session opened;
    const char *format;
    unsigned char *result; /* a raw point */
    unsigned char *partial_bytes;
    sumac_files_report report;
    double milliseconds;
    result_file partial, out;
} stream_run;

static int check_options(const options *given)
{
    if (given->batch > 1) {
        return bad_input("--batch does not go with --stream: one MSM is streamed at a time");
    }
    if (given->given[OPTION_PRECOMPUTE] || given->given[OPTION_TABLES]) {
        return bad_input("--%s does not go with --stream: each base is used once",
                         given->given[OPTION_PRECOMPUTE] ? "precompute" : "tables");
    }
    return STATUS_DONE;
}

static sumac_files_config stream_config(const stream_run *run, const options *given)
{
    sumac_files_config config = sumac_files_config_default();
    config.format = run->format;
    config.check = (sumac_check)given->check;
    config.outside_subgroup = given->outside_subgroup;
    config.first = given->first;
    config.memory_limit = given->memory_limit;
    config.checkpoint = given->resume;
    if (given->given[OPTION_N]) {
        config.n = given->n;
    }
    return config;
}

static int compute(stream_run *run, const options *given)
{
    const session *opened = &run->opened;
    run->result = allocate(opened->info->point_bytes, "the result");
    if (run->result == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_files_config config = stream_config(run, given);
    sumac_tuning tuning;
    sumac_msm_config msm = msm_config(given, &tuning);
    msm.first = 0; /* the stream's */
    progress_begin("msm");
    double start = seconds_now();
    sumac_status status = sumac_msm_files(opened->context, opened->curve, given->bases, given->scalars,
                                          &config, &msm, run->result, &run->report);
    run->milliseconds = 1e3 * (seconds_now() - start);
    progress_end();
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

/* The point as a partial result: once itself. */
static int write_partial(stream_run *run)
{
    const session *opened = &run->opened;
    const size_t bytes = sumac_partial_bytes(opened->curve, 1);
    unsigned char one[64] = {1}; /* a scalar of any order's bytes */
    sumac_bases_config config = sumac_bases_config_default();
    sumac_bases *bases = NULL;
    config.check = SUMAC_CHECK_NONE; /* a sum of bases that were checked, as far as --check says */
    config.outside_subgroup = 1;
    run->partial_bytes = allocate(bytes, "a partial result");
    if (run->partial_bytes == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_status status = sumac_bases_create(opened->context, opened->curve, run->result, 1, &config, &bases);
    if (status == SUMAC_OK) {
        status = sumac_msm_partial(opened->context, bases, one, 1, NULL, run->partial_bytes);
    }
    sumac_bases_destroy(bases);
    if (status != SUMAC_OK) {
        return session_failure(opened, status);
    }
    int begun = result_file_begin(&run->partial);
    if (begun == STATUS_DONE) {
        result_file_write(&run->partial, run->partial_bytes, bytes);
    }
    return begun == STATUS_DONE ? result_file_finish(&run->partial) : begun;
}

static int print_as_json(const stream_run *run, const options *given)
{
    const session *opened = &run->opened;
    const sumac_files_report *report = &run->report;
    json_t *object = json_pack(
        "{s:s, s:s, s:I, s:s, s:b, s:I, s:I, s:I, s:f, s:s, s:f}", "curve", opened->info->name, "group",
        opened->info->group, "n", (json_int_t)report->n, "backend", sumac_context_backend(opened->context),
        "stream", 1, "chunk", (json_int_t)report->chunk, "resumed", (json_int_t)report->resumed, "memory",
        (json_int_t)report->memory_bytes, "ms", run->milliseconds, "check",
        option_choice(OPTION_CHECK, given->check), "read_ms", 1e3 * report->load_seconds);
    bool complete =
        object != NULL && points_file_set(object, given) &&
        (given->partial != NULL ? json_object_set_new(object, "partial", text_to_json(given->partial)) == 0
                                : set_results(object, opened->info, run->result, 1));
    if (!complete) {
        json_decref(object);
        object = NULL;
    }
    return print_json(object);
}

static void print_as_text(const stream_run *run, const options *given)
{
    const session *opened = &run->opened;
    const sumac_files_report *report = &run->report;
    print("curve      %s %s\n", opened->info->name, opened->info->group);
    print("n          %llu\n", (unsigned long long)report->n);
    print("backend    %s (%s)\n", sumac_context_backend(opened->context),
          sumac_context_variant(opened->context));
    print("stream     chunks of %llu bases, %.1f MiB\n", (unsigned long long)report->chunk,
          (double)report->memory_bytes / 1048576);
    if (report->resumed > 0) {
        print("resumed    %llu bases were done\n", (unsigned long long)report->resumed);
    }
    print("bases      read in %.3f ms, %s\n", 1e3 * report->load_seconds, check_text(given));
    print("time       %.3f ms\n", run->milliseconds);
    if (given->partial != NULL) {
        print("partial    ");
        print_text(given->partial);
        print("\n");
    } else {
        print_points(opened->info, run->result, 1);
        points_file_print(given);
    }
}

/* The checkpoint has done its work when the result is where it was wanted. */
static int drop_checkpoint(const options *given)
{
    if (given->resume == NULL) {
        return STATUS_DONE;
    }
    if (fflush(report_stream()) != 0 || ferror(report_stream())) {
        return STATUS_DONE; /* which is reported when the stream is closed */
    }
    const int error_number = path_remove(given->resume);
    return error_number == 0 ? STATUS_DONE : system_failure("remove", given->resume, error_number);
}

static int execute(stream_run *run, const options *given)
{
    int status = check_options(given);
    if (status == STATUS_DONE) {
        status = choose_input_format(given, &run->format);
    }
    if (status == STATUS_DONE) {
        status = session_open(&run->opened, given);
    }
    if (status == STATUS_DONE && given->partial != NULL) {
        status = result_file_open(&run->partial, given->partial);
    }
    if (status == STATUS_DONE) {
        status = points_file_open(&run->out, &run->opened, given);
    }
    if (status == STATUS_DONE) {
        status = compute(run, given);
    }
    if (status == STATUS_DONE && given->partial != NULL) {
        status = write_partial(run);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(&run->opened);
    }
    if (status == STATUS_DONE && given->partial != NULL) {
        status = result_file_commit(&run->partial);
    }
    if (status == STATUS_DONE) {
        status = points_file_write(&run->out, &run->opened, given, run->result, 1);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    if (given->json) {
        status = print_as_json(run, given);
    } else {
        print_as_text(run, given);
    }
    return status == STATUS_DONE ? drop_checkpoint(given) : status;
}

int run_stream_msm(const options *given)
{
    stream_run run = {
        .report = sumac_files_report_default(), .partial = RESULT_FILE_CLOSED, .out = RESULT_FILE_CLOSED};
    int status = execute(&run, given);
    status = session_close(&run.opened, status);
    result_file_discard(&run.partial);
    result_file_discard(&run.out);
    free(run.result);
    free(run.partial_bytes);
    return status;
}
