/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "clock.h"
#include "machine.h"
#include "progress.h"
#include "session.h"

/* ---- Timing any calls: MSMs and proofs ---- */

unsigned char *bench_allocate(sumac_context *context, scalar_memory memory, uint64_t bytes, const char *what)
{
    if (memory == MEMORY_PAGEABLE) {
        return allocate(bytes, what);
    }
    void *pinned = NULL;
    const sumac_status status = sumac_pinned_allocate(context, (size_t)bytes, &pinned);
    if (status != SUMAC_OK) {
        (void)library_failure(context, status);
    }
    return pinned;
}

void bench_free(scalar_memory memory, unsigned char *bytes)
{
    if (memory == MEMORY_PINNED) {
        sumac_pinned_free(bytes);
    } else {
        free(bytes);
    }
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The stages of the call that is running. The trace of a context is added to them, which may outlive the measurement. */
static pthread_mutex_t stages_lock = PTHREAD_MUTEX_INITIALIZER;
static bench_stages running_stages;

static void add_span(void *user, const sumac_trace_event *event)
{
    (void)user;
    if (event->thread != 0) {
        return;
    }
    pthread_mutex_lock(&stages_lock);
    bench_stage *stage = running_stages.list, *const end = stage + running_stages.count;
    while (stage < end && strcmp(stage->name, event->name) != 0) {
        stage++;
    }
    if (stage == end && running_stages.count < BENCH_STAGES) {
        running_stages.count++;
        *stage = (bench_stage){.ms = 0};
        snprintf(stage->name, sizeof stage->name, "%s", event->name);
    }
    if (stage < running_stages.list + running_stages.count) {
        stage->ms += 1e3 * (event->end - event->start);
    }
    pthread_mutex_unlock(&stages_lock);
}

/* Replace the context by one of the same options with a trace. */
static sumac_status trace_context(sumac_context **context, const options *given)
{
    sumac_tuning tuning;
    sumac_context_config traced = context_config(given, &tuning);
    traced.trace = add_span;
    sumac_context_destroy(*context);
    return sumac_context_create(&traced, context, NULL);
}

/* Make a call that is not counted, then `runs` that are, and keep the stages of the fastest. */
static sumac_status time_runs(bench_call call, void *inputs, uint64_t runs, double *milliseconds,
                              bench_times *times)
{
    machine_reset_peak_memory();
    TRY(call(inputs));
    const double user = machine_user_seconds();
    times->stages_of_ms = INFINITY;
    for (uint64_t run = 0; run < runs; run++) {
        progress_update((double)(run + 1) / (double)(runs + 1));
        running_stages.count = 0;
        const double start = seconds_now();
        TRY(call(inputs));
        milliseconds[run] = 1e3 * (seconds_now() - start);
        if (milliseconds[run] < times->stages_of_ms) {
            times->stages_of_ms = milliseconds[run];
            times->stages = running_stages;
        }
    }
    times->user_seconds = (machine_user_seconds() - user) / (double)runs;
    times->peak_bytes = machine_peak_memory();
    qsort(milliseconds, (size_t)runs, sizeof *milliseconds, by_size);
    times->minimum_ms = milliseconds[0];
    times->median_ms = (milliseconds[(runs - 1) / 2] + milliseconds[runs / 2]) / 2;
    return SUMAC_OK;
}

static sumac_status time_calls_and_stages(sumac_context **context, const options *given, bench_call call,
                                          void *inputs, uint64_t runs, double *milliseconds,
                                          bench_times *times)
{
    if (strcmp(sumac_context_backend(*context), "cpu") == 0) {
        TRY(trace_context(context, given));
        return time_runs(call, inputs, runs, milliseconds, times);
    }
    bench_times traced;
    TRY(time_runs(call, inputs, runs, milliseconds, times));
    TRY(trace_context(context, given));
    TRY(time_runs(call, inputs, 1, milliseconds, &traced));
    times->stages = traced.stages;
    times->stages_of_ms = traced.stages_of_ms;
    return SUMAC_OK;
}

int bench_time_calls(sumac_context **context, const options *given, bench_call call, void *inputs,
                     uint64_t runs, bench_times *times)
{
    AUTO_FREE double *milliseconds = allocate(runs * sizeof *milliseconds, "times");
    if (milliseconds == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    const sumac_status status =
        time_calls_and_stages(context, given, call, inputs, runs, milliseconds, times);
    return status == SUMAC_OK ? STATUS_DONE : library_failure(*context, status);
}

double bench_stage_ms(const bench_times *times, const char *stage)
{
    for (size_t i = 0; i < times->stages.count; i++) {
        if (strcmp(times->stages.list[i].name, stage) == 0) {
            return times->stages.list[i].ms;
        }
    }
    return 0;
}

json_t *bench_stages_to_json(const bench_times *times)
{
    json_t *stages = json_object();
    for (size_t i = 0; i < times->stages.count; i++) {
        const bench_stage *stage = &times->stages.list[i];
        if (json_object_set_new(stages, stage->name, json_real(stage->ms)) != 0) {
            json_decref(stages);
            return NULL;
        }
    }
    return stages;
}

/* ---- MSMs ---- */

/* The inputs of a row, its answers and memory for its results. */
typedef struct bench_inputs {
    sumac_context *context;
    sumac_bases *bases;
    unsigned char *scalars; /* the context's, if it is pinned memory */
    unsigned char
        *full_scalars; /* the scalars as the curve has them, if --scalar-bytes names other ones; else null */
    unsigned char *answers;
    unsigned char *results;
    size_t n;
    sumac_msm_config config; /* with its own tuning */
    sumac_tuning tuning;
} bench_inputs;

static sumac_bases_config row_bases_config(const bench_row *row, const options *given)
{
    options wanted = *given;
    wanted.precompute = row->precompute;
    wanted.typical_batch = row->batch;
    wanted.typical_n = row->n;
    return bases_config(&wanted);
}

static int make_inputs(bench_inputs *inputs, bench_row *row, const options *given)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    const sumac_bases_config config = row_bases_config(row, given);
    uint64_t scalars, most;
    if (__builtin_mul_overflow((uint64_t)row->batch, row->n, &scalars) ||
        __builtin_mul_overflow(scalars, (uint64_t)info->point_bytes, &most) || most > SIZE_MAX / 2) {
        return machine_fault("out of memory: %u MSMs of %llu bases are more than can be addressed",
                             (unsigned)row->batch, (unsigned long long)row->n);
    }
    uint64_t bases = given->separate_bases ? scalars : row->n;

    const uint64_t bytes = given->scalar_bytes != 0 ? given->scalar_bytes : info->scalar_bytes;
    const bool is_full = bytes == info->scalar_bytes && !given->scalar_signed;
    if (bytes > info->scalar_bytes) {
        return bad_input("--scalar-bytes %llu is more than the %u of %s %s", (unsigned long long)bytes,
                         (unsigned)info->scalar_bytes, info->name, info->group);
    }
    inputs->scalars = bench_allocate(inputs->context, row->memory, scalars * bytes, "scalars");
    if (inputs->scalars != NULL && !is_full) {
        inputs->full_scalars = allocate(scalars * info->scalar_bytes, "scalars");
    }
    if (inputs->scalars == NULL || (!is_full && inputs->full_scalars == NULL)) {
        return STATUS_MACHINE_FAULT;
    }
    inputs->answers = allocate((uint64_t)row->batch * info->point_bytes, "answers");
    if (inputs->answers != NULL) {
        inputs->results = allocate((uint64_t)row->batch * info->point_bytes, "results");
    }
    if (inputs->results == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    const uint64_t bits =
        given->scalar_bits != 0 || is_full ? given->scalar_bits : 8 * bytes - given->scalar_signed;
    make_scalars(info, row->kind, bits, given->seed, scalars,
                 is_full ? inputs->scalars : inputs->full_scalars);
    if (!is_full) {
        narrow_scalars(info, bytes, given->scalar_signed, scalars, inputs->full_scalars, inputs->scalars);
    }
    double start = seconds_now();
    sumac_status status = sumac_known_bases_create(inputs->context, row->curve, (size_t)bases, given->seed,
                                                   &config, &inputs->bases);
    row->bases_ms = 1e3 * (seconds_now() - start);
    return status == SUMAC_OK ? STATUS_DONE : library_failure(inputs->context, status);
}

static int compute_answers(bench_inputs *inputs, const bench_row *row, const options *given)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    uint64_t bases = given->separate_bases ? row->batch * row->n : row->n;
    const unsigned char *scalars = inputs->full_scalars != NULL ? inputs->full_scalars : inputs->scalars;
    unsigned char *logarithms = allocate(bases * info->scalar_bytes, "discrete logarithms");
    if (logarithms == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_status status =
        sumac_known_logarithms(inputs->context, row->curve, (size_t)bases, given->seed, logarithms);
    for (uint32_t msm = 0; msm < row->batch && status == SUMAC_OK; msm++) {
        uint64_t first = msm * row->n * info->scalar_bytes;
        status = sumac_known_answer(inputs->context, row->curve, scalars + first,
                                    logarithms + (given->separate_bases ? first : 0), (size_t)row->n,
                                    inputs->answers + (size_t)msm * info->point_bytes);
    }
    free(logarithms);
    return status == SUMAC_OK ? STATUS_DONE : library_failure(inputs->context, status);
}

static sumac_status call_msm(void *user)
{
    const bench_inputs *inputs = user;
    return sumac_msm(inputs->context, inputs->bases, inputs->scalars, inputs->n, &inputs->config,
                     inputs->results);
}

static int query_plan(const bench_inputs *inputs, bench_row *row, const sumac_msm_config *config)
{
    sumac_status status = sumac_msm_plan(inputs->context, inputs->bases, (size_t)row->n, config, &row->plan);
    const int refused =
        status == SUMAC_UNKNOWN_PLAN || status == SUMAC_NOT_SUPPORTED || status == SUMAC_MEMORY_LIMIT;
    if (refused && row->plan_name != NULL) {
        snprintf(row->refusal, sizeof row->refusal, "%s", sumac_context_message(inputs->context));
        return STATUS_DONE;
    }
    return status == SUMAC_OK ? STATUS_DONE : library_failure(inputs->context, status);
}

static int measure(bench_inputs *inputs, bench_row *row, const options *given)
{
    inputs->config = msm_config(given, &inputs->tuning);
    inputs->config.batch = row->batch;
    inputs->tuning.plan = row->plan_name != NULL ? row->plan_name : inputs->tuning.plan;
    options wanted = *given;
    wanted.threads = row->threads;
    int status = create_context(&wanted, NULL, false, &inputs->context);
    if (status != STATUS_DONE) {
        return status;
    }
    row->threads = sumac_context_threads(inputs->context);
    snprintf(row->backend, sizeof row->backend, "%s", sumac_context_backend(inputs->context));
    snprintf(row->variant, sizeof row->variant, "%s", sumac_context_variant(inputs->context));
    status = make_inputs(inputs, row, given);
    if (status == STATUS_DONE) {
        status = query_plan(inputs, row, &inputs->config);
    }
    if (status == STATUS_DONE && row->refusal[0] == '\0') {
        status = compute_answers(inputs, row, given);
    }
    if (status != STATUS_DONE || row->refusal[0] != '\0') {
        return status;
    }
    inputs->n = (size_t)row->n;
    status = bench_time_calls(&inputs->context, &wanted, call_msm, inputs, given->runs, &row->times);
    if (status != STATUS_DONE) {
        return status;
    }
    const size_t point_bytes = sumac_curve_describe(row->curve)->point_bytes;
    if (point_bytes <= sizeof row->result) {
        memcpy(row->result, inputs->results, point_bytes);
    }
    row->verified = memcmp(inputs->results, inputs->answers, row->batch * point_bytes) == 0;
    return STATUS_DONE;
}

void bench_row_free(bench_row *row)
{
    sumac_plan_destroy(row->plan);
    row->plan = NULL;
}

int bench_measure(bench_row *row, const options *given)
{
    bench_inputs inputs = {.context = NULL};
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    progress_begin("%s %s, n = %llu", info->name, info->group, (unsigned long long)row->n);
    int status = measure(&inputs, row, given);
    progress_end();
    bench_free(row->memory, inputs.scalars);
    sumac_bases_destroy(inputs.bases);
    sumac_context_destroy(inputs.context);
    free(inputs.full_scalars);
    free(inputs.answers);
    free(inputs.results);
    return status;
}
