/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>

#include "clock.h"
#include "files.h"
#include "msm_input.h"
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
    msm_input input;
    unsigned char *results; /* raw points, or a partial result */
    double milliseconds;
    sumac_plan *plan;
    result_file partial, out;
} msm_run;

/* As the command line wants it, of the bases that were read. */
static sumac_msm_config config_of_run(const msm_run *run, const options *given, sumac_tuning *tuning)
{
    sumac_msm_config config = msm_config(given, tuning);
    config.first = (size_t)run->input.first;
    return config;
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
    sumac_tuning tuning;
    const sumac_msm_config config = config_of_run(run, given, &tuning);
    progress_begin("msm");
    double start = seconds_now();
    sumac_status status = (given->partial != NULL ? sumac_msm_partial : sumac_msm)(
        opened->context, run->input.bases, run->input.scalars, (size_t)run->input.n, &config, run->results);
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

static int find_plan(msm_run *run, const options *given)
{
    sumac_tuning tuning;
    const sumac_msm_config config = config_of_run(run, given, &tuning);
    sumac_status status =
        sumac_msm_plan(run->opened.context, run->input.bases, (size_t)run->input.n, &config, &run->plan);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(&run->opened, status);
}

static int print_as_json(const msm_run *run, const options *given)
{
    const sumac_plan *plan = run->plan;
    const session *opened = &run->opened;
    json_t *object = json_pack("{s:s, s:s, s:I, s:s, s:s, s:f, s:s, s:f}", "curve", opened->info->name,
                               "group", opened->info->group, "n", (json_int_t)run->input.n, "backend",
                               sumac_context_backend(opened->context), "plan", sumac_plan_name(plan), "ms",
                               run->milliseconds, "check", option_choice(OPTION_CHECK, given->check),
                               "read_ms", run->input.read_milliseconds);
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

static void print_as_text(const msm_run *run, const options *given)
{
    const sumac_plan *plan = run->plan;
    const session *opened = &run->opened;
    print("curve      %s %s\n", opened->info->name, opened->info->group);
    print("n          %llu\n", (unsigned long long)run->input.n);
    if (given->batch > 1) {
        print("batch      %llu\n", (unsigned long long)given->batch);
    }
    print("backend    %s (%s), threads: %u\n", sumac_context_backend(opened->context),
          sumac_context_variant(opened->context), (unsigned)plan_integer(plan, "threads"));
    print("plan       %s, precompute = %u, c = %u, windows = %u%s\n", sumac_plan_name(plan),
          (unsigned)plan_integer(plan, "precompute_factor"), (unsigned)plan_integer(plan, "c"),
          (unsigned)plan_integer(plan, "windows"),
          sumac_bases_tables(run->input.bases) == SUMAC_TABLES_WINDOWS ? ", window tables" : "");
    print("bases      read in %.3f ms, %s\n", run->input.read_milliseconds, check_text(given));
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
    if (status == STATUS_DONE) {
        status = msm_input_read(&run->input, &run->opened, given, format);
    }
    if (status == STATUS_DONE) {
        status = find_plan(run, given);
    }
    if (status == STATUS_DONE) {
        status = compute(run, given);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(&run->opened);
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
        return print_as_json(run, given);
    }
    print_as_text(run, given);
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
    msm_input_free(&run.input);
    free(run.results);
    sumac_plan_destroy(run.plan);
    return status;
}

static const option_id takes[] = {OPTIONS_OF_MSM,        OPTION_FIRST,        OPTION_N,
                                  OPTION_SEPARATE_BASES, OPTION_SCALAR_BYTES, OPTION_SCALAR_SIGNED,
                                  OPTION_DEVICE,         OPTION_STREAM,       OPTION_RESUME,
                                  OPTION_PARTIAL,        OPTION_OUT,          OPTION_TO,
                                  OPTION_TRACE,          OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_BASES, OPTION_SCALARS, OPTION_END};

const command command_msm = {
    .name = "msm",
    .summary = "Compute k_0*P_0 + ... + k_(n-1)*P_(n-1)",
    .takes = takes,
    .needs = needs,
    .check = SUMAC_CHECK_CURVE,
    .run = run_msm,
};
