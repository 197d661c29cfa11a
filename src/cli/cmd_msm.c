/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>

#include "clock.h"
#include "files.h"
#include "plan_json.h"
#include "points_file.h"
#include "progress.h"
#include "results.h"
#include "session.h"
#include "stream_msm.h"
#include "text.h"

/* What one run holds. */
typedef struct msm_run {
    session opened;
    sumac_bases *bases;
    void *scalars;          /* as read from the file */
    unsigned char *chosen;  /* those that --first and -n choose; null if that is all of them */
    unsigned char *results; /* raw points, or a partial result */
    uint64_t n;             /* of each MSM */
    double milliseconds;
    double read_milliseconds; /* to read the bases and check their points */
    result_file partial, out;
} msm_run;

static int read_inputs(msm_run *run, const options *given, const char *format, size_t *scalar_count)
{
    double start = seconds_now();
    int status = read_bases(&run->opened, given, given->bases, format, &run->bases);
    if (status != STATUS_DONE) {
        return status;
    }
    run->read_milliseconds = 1e3 * (seconds_now() - start);
    start = seconds_now();
    progress_begin("reading %s", given->scalars);
    sumac_status read = sumac_scalars_read(run->opened.context, run->opened.curve, given->scalars,
                                           &run->scalars, scalar_count);
    progress_end();
    session_span(&run->opened, "read scalars", start);
    return read == SUMAC_OK ? STATUS_DONE : session_failure(&run->opened, read);
}

/* Copy entries [first, first + n) of each MSM together. */
static int choose_scalars(msm_run *run, const options *given, uint64_t entries)
{
    if (given->first == 0 && run->n == entries) {
        return STATUS_DONE;
    }
    size_t bytes = run->opened.info->scalar_bytes;
    run->chosen = allocate(given->batch * run->n * bytes, "scalars");
    if (run->chosen == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    const unsigned char *from = run->scalars;
    for (uint64_t msm = 0; msm < given->batch; msm++) {
        for (uint64_t byte = 0; byte < run->n * bytes; byte++) {
            run->chosen[msm * run->n * bytes + byte] = from[(msm * entries + given->first) * bytes + byte];
        }
    }
    return STATUS_DONE;
}

/* Lengths have to fit exactly, so that a truncated file is never taken for a short one; only who says -n or
 * --first may use a part. */
static int check_lengths(msm_run *run, const options *given, uint64_t scalar_count)
{
    uint64_t base_count = sumac_bases_count(run->bases);
    uint64_t entries = scalar_count / given->batch;
    bool part = given->given[OPTION_N] || given->given[OPTION_FIRST];
    if (scalar_count % given->batch != 0) {
        return bad_input("'%s' has %llu scalars, which is no multiple of the batch of %llu", given->scalars,
                         (unsigned long long)scalar_count, (unsigned long long)given->batch);
    }
    if (part && given->separate_bases) {
        return bad_input("--first and -n do not go with --separate-bases");
    }
    uint64_t needed = given->separate_bases ? scalar_count : entries;
    if (!part && base_count != needed) {
        return bad_input("'%s' has %llu scalars%s, but '%s' has %llu bases; -n takes a part of both",
                         given->scalars, (unsigned long long)needed,
                         given->batch > 1 && !given->separate_bases ? " for each MSM" : "", given->bases,
                         (unsigned long long)base_count);
    }
    uint64_t fewer = entries < base_count ? entries : base_count;
    run->n = entries;
    if (part) {
        run->n = given->given[OPTION_N] ? given->n : fewer > given->first ? fewer - given->first : 0;
        if (given->first > fewer || run->n > fewer - given->first) {
            return bad_input("--first %llu and -n %llu go beyond the %llu scalars of each MSM in '%s' or the "
                             "%llu bases in '%s'",
                             (unsigned long long)given->first, (unsigned long long)run->n,
                             (unsigned long long)entries, given->scalars, (unsigned long long)base_count,
                             given->bases);
        }
    }
    return choose_scalars(run, given, entries);
}

static int compute(msm_run *run, const options *given)
{
    const session *opened = &run->opened;
    uint32_t batch = (uint32_t)given->batch;
    size_t bytes = given->partial != NULL ? sumac_partial_bytes(opened->curve, batch)
                                          : (size_t)batch * opened->info->point_bytes;
    run->results = allocate(bytes, "results");
    if (run->results == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_msm_config config = msm_config(given);
    const void *scalars = run->chosen != NULL ? run->chosen : run->scalars;
    progress_begin("msm");
    double start = seconds_now();
    sumac_status status = (given->partial != NULL ? sumac_msm_partial : sumac_msm)(
        opened->context, run->bases, scalars, (size_t)run->n, &config, run->results);
    run->milliseconds = 1e3 * (seconds_now() - start);
    progress_end();
    if (status != SUMAC_OK) {
        return session_failure(opened, status);
    }
    if (given->partial == NULL) {
        return STATUS_DONE;
    }
    int begun = result_file_begin(&run->partial);
    if (begun == STATUS_DONE) {
        result_file_write(&run->partial, run->results, bytes);
    }
    return begun;
}

static int find_plan(const msm_run *run, const options *given, sumac_plan *plan)
{
    sumac_msm_config config = msm_config(given);
    sumac_status status = sumac_msm_plan(run->opened.context, run->bases, (size_t)run->n, &config, plan);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(&run->opened, status);
}

static int print_as_json(const msm_run *run, const options *given, const sumac_plan *plan)
{
    const session *opened = &run->opened;
    json_t *object =
        json_pack("{s:s, s:s, s:I, s:s, s:s, s:f, s:s, s:f}", "curve", opened->info->name, "group",
                  opened->info->group, "n", (json_int_t)run->n, "backend",
                  sumac_context_backend(opened->context), "plan", plan->name, "ms", run->milliseconds,
                  "check", option_choice(OPTION_CHECK, given->check), "read_ms", run->read_milliseconds);
    bool complete =
        object != NULL && points_file_set(object, given) &&
        (given->partial != NULL ? json_object_set_new(object, "partial", text_to_json(given->partial)) == 0
                                : set_results(object, opened->info, run->results, (uint32_t)given->batch));
    if (!complete) {
        json_decref(object);
        object = NULL;
    }
    return print_json(object);
}

static void print_as_text(const msm_run *run, const options *given, const sumac_plan *plan)
{
    const session *opened = &run->opened;
    print("curve      %s %s\n", opened->info->name, opened->info->group);
    print("n          %llu\n", (unsigned long long)run->n);
    if (given->batch > 1) {
        print("batch      %llu\n", (unsigned long long)given->batch);
    }
    print("backend    %s (%s), threads: %u\n", sumac_context_backend(opened->context),
          sumac_context_variant(opened->context), (unsigned)plan->threads);
    print("plan       %s, precompute = %u, c = %u, windows = %u%s\n", plan->name,
          (unsigned)plan->precompute_factor, (unsigned)plan->c, (unsigned)plan->windows,
          sumac_bases_tables(run->bases) == SUMAC_TABLES_DIGITS ? ", tables of digits" : "");
    print("bases      read in %.3f ms, %s\n", run->read_milliseconds, check_text(given));
    print("time       %.3f ms\n", run->milliseconds);
    if (given->partial != NULL) {
        print("partial    ");
        print_text(given->partial);
        print("\n");
    } else {
        print_points(opened->info, run->results, (uint32_t)given->batch);
        points_file_print(given);
    }
}

static int execute(msm_run *run, const options *given)
{
    const char *format;
    int status = choose_input_format(given, &format);
    if (status == STATUS_DONE) {
        status = session_open(&run->opened, given);
    }
    if (status == STATUS_DONE && given->partial != NULL) {
        status = result_file_open(&run->partial, given->partial);
    }
    if (status == STATUS_DONE) {
        status = points_file_open(&run->out, &run->opened, given);
    }
    size_t scalar_count = 0;
    if (status == STATUS_DONE) {
        status = read_inputs(run, given, format, &scalar_count);
    }
    if (status == STATUS_DONE) {
        status = check_lengths(run, given, scalar_count);
    }
    sumac_plan plan = sumac_plan_default();
    if (status == STATUS_DONE) {
        status = find_plan(run, given, &plan);
    }
    if (status == STATUS_DONE) {
        status = compute(run, given);
    }
    if (status == STATUS_DONE && given->partial != NULL) {
        status = result_file_commit(&run->partial);
    }
    if (status == STATUS_DONE) {
        status = points_file_write(&run->out, &run->opened, given, run->results, (size_t)given->batch);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    if (given->json) {
        return print_as_json(run, given, &plan);
    }
    print_as_text(run, given, &plan);
    return STATUS_DONE;
}

static int run_msm(const options *given)
{
    msm_run run = {.partial = RESULT_FILE_CLOSED, .out = RESULT_FILE_CLOSED};
    if (given->stream || given->resume != NULL) {
        return run_stream_msm(given);
    }
    int status = execute(&run, given);
    status = session_close(&run.opened, status);
    result_file_discard(&run.partial);
    result_file_discard(&run.out);
    sumac_bases_destroy(run.bases);
    sumac_free(run.scalars);
    free(run.chosen);
    free(run.results);
    return status;
}

static const option_id takes[] = {OPTIONS_OF_MSM, OPTION_FIRST,  OPTION_N,      OPTION_SEPARATE_BASES,
                                  OPTION_DEVICE,  OPTION_STREAM, OPTION_RESUME, OPTION_PARTIAL,
                                  OPTION_OUT,     OPTION_TO,     OPTION_TRACE,  OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_BASES, OPTION_SCALARS, OPTION_END};

const command command_msm = {
    .name = "msm",
    .summary = "Compute k_0*P_0 + ... + k_(n-1)*P_(n-1)",
    .takes = takes,
    .needs = needs,
    .check = SUMAC_CHECK_CURVE,
    .run = run_msm,
};
