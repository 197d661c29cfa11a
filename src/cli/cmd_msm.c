/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* `msm`: of files in memory, or with --stream and --checkpoint in chunks. */
#include <stdlib.h>
#include <sumac/files.h>

#include "base/clock.h"
#include "commands.h"
#include "io/path.h"
#include "msm_input.h"
#include "plan_json.h"
#include "progress.h"
#include "results.h"

/* The state of one run. */
typedef struct msm_run {
    const session *opened;
    const options *given;
    bool is_streamed;
    msm_input input;           /* in memory */
    sumac_files_report report; /* of a stream */
    uint64_t n;
    unsigned char *results; /* raw points */
    unsigned char *partial; /* --partial: the bytes of the file */
    double milliseconds, read_milliseconds;
    sumac_plan *plan; /* in memory */
    result_file partial_file, out;
} msm_run;

static void free_run(msm_run *run)
{
    result_file_discard(&run->partial_file);
    result_file_discard(&run->out);
    msm_input_free(&run->input);
    free(run->results);
    free(run->partial);
    sumac_plan_destroy(run->plan);
}

static int allocate_results(msm_run *run)
{
    const session *opened = run->opened;
    const uint32_t batch = (uint32_t)run->given->batch;
    run->results = allocate((uint64_t)batch * opened->info->point_bytes, "results");
    if (run->results != NULL && run->given->partial != NULL) {
        run->partial = allocate(sumac_partial_bytes(opened->curve, batch), "partial results");
        return run->partial == NULL ? STATUS_MACHINE_FAULT : STATUS_DONE;
    }
    return run->results == NULL ? STATUS_MACHINE_FAULT : STATUS_DONE;
}

static int compute_in_memory(msm_run *run)
{
    const session *opened = run->opened;
    msm_input *input = &run->input;
    MUST(msm_input_read(input, opened, run->given));
    run->n = input->n;
    run->read_milliseconds = input->read_milliseconds;
    sumac_tuning tuning;
    sumac_msm_config config = msm_config(run->given, &tuning);
    config.first = (size_t)input->first;
    MUST(session_check(opened,
                       sumac_msm_plan(opened->context, input->bases, (size_t)input->n, &config, &run->plan)));
    MUST(allocate_results(run));
    progress_begin("msm");
    const double start = clock_seconds();
    const sumac_status status = run->partial != NULL
                                    ? sumac_msm_partial(opened->context, input->bases, input->scalars,
                                                        (size_t)input->n, &config, run->partial)
                                    : sumac_msm(opened->context, input->bases, input->scalars,
                                                (size_t)input->n, &config, run->results);
    run->milliseconds = 1e3 * (clock_seconds() - start);
    progress_end();
    return session_check(opened, status);
}

/* Make a partial result of a point: one times itself. */
static int make_partial(msm_run *run)
{
    const session *opened = run->opened;
    const unsigned char one[64] = {1}; /* a scalar of any order's bytes */
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config config = sumac_bases_config_default();
    config.check = SUMAC_CHECK_NONE; /* a sum of bases that were checked, as far as --validate says */
    config.outside_subgroup = 1;
    MUST(session_check(opened,
                       sumac_bases_create(opened->context, opened->curve, run->results, 1, &config, &bases)));
    return session_check(opened, sumac_msm_partial(opened->context, bases, one, 1, NULL, run->partial));
}

static int check_stream_options(const options *given)
{
    static const option_id refused[] = {OPTION_PRECOMPUTE, OPTION_TABLES, OPTION_FIRST_BASE,
                                        OPTION_SCALAR_ORDER, OPTION_END};
    if (given->batch > 1) {
        return bad_input("--batch does not go with --stream: one MSM is streamed at a time");
    }
    for (const option_id *id = refused; *id != OPTION_END; id++) {
        if (given->given[*id]) {
            return bad_input("--%s does not go with --stream", option_table[*id].name);
        }
    }
    return STATUS_DONE;
}

static int compute_stream(msm_run *run)
{
    const session *opened = run->opened;
    const options *given = run->given;
    sumac_files_config config = sumac_files_config_default();
    config.format = given->format;
    config.check = (sumac_check)given->check;
    config.outside_subgroup = given->outside_subgroup;
    config.first = given->first;
    config.memory_limit = given->memory_limit;
    config.checkpoint = given->checkpoint;
    config.n = given->given[OPTION_N] ? given->n : config.n;
    sumac_tuning tuning;
    sumac_msm_config msm = msm_config(given, &tuning);
    msm.first = 0; /* config.first skips bases and scalars */
    run->report = sumac_files_report_default();
    MUST(allocate_results(run));
    progress_begin("msm");
    const double start = clock_seconds();
    const sumac_status status = sumac_msm_files(opened->context, opened->curve, given->bases, given->scalars,
                                                &config, &msm, run->results, &run->report);
    run->milliseconds = 1e3 * (clock_seconds() - start);
    progress_end();
    run->n = run->report.n;
    run->read_milliseconds = 1e3 * run->report.load_seconds;
    MUST(session_check(opened, status));
    return run->partial != NULL ? make_partial(run) : STATUS_DONE;
}

/* ---- Results ---- */

static int print_as_json(const msm_run *run)
{
    const options *given = run->given;
    const session *opened = run->opened;
    const sumac_files_report *report = &run->report;
    json_t *object =
        json_pack("{s:s, s:s, s:I, s:s}", "curve", opened->info->name, "group", opened->info->group, "n",
                  (json_int_t)run->n, "backend", sumac_context_backend(opened->context));
    if (run->is_streamed) {
        json_put(&object, "stream", json_true());
        json_put(&object, "chunk", json_integer((json_int_t)report->chunk));
        json_put(&object, "resumed", json_integer((json_int_t)report->resumed));
        json_put(&object, "memory", json_integer((json_int_t)report->memory_bytes));
    } else {
        json_put(&object, "plan", json_string(sumac_plan_name(run->plan)));
    }
    json_put(&object, "ms", json_real(run->milliseconds));
    json_put(&object, "check", json_string(option_choice(OPTION_VALIDATE, given->check)));
    json_put(&object, "read_ms", json_real(run->read_milliseconds));
    points_file_put(&object, given);
    if (given->partial != NULL) {
        json_put(&object, "partial", text_to_json(given->partial));
    } else {
        put_results(&object, opened->info, run->results, (uint32_t)given->batch);
    }
    return print_json(object);
}

static void print_how(const msm_run *run)
{
    const sumac_context *context = run->opened->context;
    print("backend    %s (%s)", sumac_context_backend(context), sumac_context_variant(context));
    if (run->is_streamed) {
        print("\nstream     chunks of %llu bases, %.1f MiB\n", (unsigned long long)run->report.chunk,
              (double)run->report.memory_bytes / 1048576);
        if (run->report.resumed > 0) {
            print("resumed    %llu bases were done\n", (unsigned long long)run->report.resumed);
        }
        return;
    }
    print(", threads: %u\n", (unsigned)plan_integer(run->plan, "threads"));
    print("plan       %s, precompute = %u, c = %u, windows = %u%s\n", sumac_plan_name(run->plan),
          (unsigned)plan_integer(run->plan, "precompute_factor"), (unsigned)plan_integer(run->plan, "c"),
          (unsigned)plan_integer(run->plan, "windows"),
          sumac_bases_tables(run->input.bases) == SUMAC_TABLES_WINDOWS ? ", window tables" : "");
}

static void print_as_text(const msm_run *run)
{
    const options *given = run->given;
    const session *opened = run->opened;
    print("curve      %s %s\n", opened->info->name, opened->info->group);
    print("n          %llu\n", (unsigned long long)run->n);
    if (given->batch > 1) {
        print("batch      %llu\n", (unsigned long long)given->batch);
    }
    print_how(run);
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

/* Remove the checkpoint when the result is where it was wanted. */
static int remove_checkpoint(const options *given)
{
    if (given->checkpoint == NULL || fflush(report_stream()) != 0 || ferror(report_stream())) {
        return STATUS_DONE; /* a failed write is reported when the stream is closed */
    }
    const int error_number = path_remove(given->checkpoint);
    return error_number == 0 ? STATUS_DONE : system_failure("remove", given->checkpoint, error_number);
}

static int run_msm(const session *opened, const options *given)
{
    CLEANUP(free_run)
    msm_run run = {.opened = opened,
                   .given = given,
                   .is_streamed = given->stream || given->checkpoint != NULL,
                   .partial_file = RESULT_FILE_CLOSED,
                   .out = RESULT_FILE_CLOSED};
    if (run.is_streamed) {
        MUST(check_stream_options(given));
    }
    MUST(check_format("format", given->format, false));
    if (given->partial != NULL) {
        MUST(result_file_open(&run.partial_file, given->partial));
    }
    MUST(points_file_open(&run.out, opened, given));
    MUST(run.is_streamed ? compute_stream(&run) : compute_in_memory(&run));
    if (given->partial != NULL) {
        MUST(result_file_put(&run.partial_file, run.partial,
                             sumac_partial_bytes(opened->curve, (uint32_t)given->batch)));
    }
    result_file *const files[] = {&run.partial_file};
    MUST(session_commit(opened, files, 1));
    MUST(points_file_write(&run.out, opened, given, run.results, (size_t)given->batch));
    if (given->json) {
        MUST(print_as_json(&run));
    } else {
        print_as_text(&run);
    }
    return remove_checkpoint(given);
}

const command command_msm = {
    .name = "msm",
    .summary = "Compute k_0*P_0 + ... + k_(n-1)*P_(n-1)",
    .takes = OPTIONS(OPTIONS_OF_MSM, OPTION_FIRST, OPTION_FIRST_BASE, OPTION_N, OPTION_SEPARATE_BASES,
                     OPTION_SCALAR_BYTES, OPTION_SCALAR_SIGNED, OPTION_SCALAR_ORDER, OPTION_STREAM,
                     OPTION_CHECKPOINT, OPTION_PARTIAL, OPTION_OUT, OPTION_TO, OPTION_TRACE),
    .needs = OPTIONS(OPTION_CURVE, OPTION_BASES, OPTION_SCALARS),
    .presets = PRESETS({OPTION_VALIDATE, "curve"}),
    .takes_devices = true,
    .example = "msm --curve bn254 --bases bases.bin --scalars scalars.bin",
    .run_in = run_msm,
};
