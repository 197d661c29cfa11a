/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "machine.h"
#include "progress.h"
#include "session.h"

const char *const bench_stages[BENCH_STAGES] = {"plan", "recode", "sort", "accumulate", "reduce", "combine"};

/* ---- What other things that are timed need, too ---- */

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

static void summarise(double *milliseconds, size_t runs, bench_times *times)
{
    qsort(milliseconds, runs, sizeof *milliseconds, by_size);
    times->minimum_ms = milliseconds[0];
    times->median_ms = (milliseconds[(runs - 1) / 2] + milliseconds[runs / 2]) / 2;
}

int bench_time_calls(const sumac_context *context, bench_call call, void *inputs, uint64_t runs,
                     bench_times *times)
{
    double *milliseconds = allocate(runs * sizeof *milliseconds, "times");
    if (milliseconds == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    machine_reset_peak_memory();
    sumac_status status = call(inputs);
    const double user = machine_user_seconds();
    for (uint64_t run = 0; run < runs && status == SUMAC_OK; run++) {
        progress_update((double)(run + 1) / (double)(runs + 1));
        const double start = clock_seconds();
        status = call(inputs);
        milliseconds[run] = 1e3 * (clock_seconds() - start);
    }
    if (status == SUMAC_OK) {
        times->user_seconds = (machine_user_seconds() - user) / (double)runs;
        times->peak_bytes = machine_peak_memory();
        summarise(milliseconds, (size_t)runs, times);
    }
    free(milliseconds);
    return status == SUMAC_OK ? STATUS_DONE : library_failure(context, status);
}

sumac_status bench_trace_context(const options *given, void (*trace)(void *, const sumac_trace_event *),
                                 void *user, sumac_context **context)
{
    sumac_tuning tuning;
    sumac_context_config traced = context_config(given, &tuning);
    traced.trace = trace;
    traced.user = user;
    sumac_context_destroy(*context);
    return sumac_context_create(&traced, context, NULL);
}

/* ---- MSMs ---- */

/* The milliseconds that each thread was in each stage. */
typedef struct stage_times {
    uint32_t threads;
    double (*spent)[BENCH_STAGES]; /* each thread adds to its own */
} stage_times;

/* The inputs of a row, its answers and room for its results. */
typedef struct bench_inputs {
    sumac_context *context;
    sumac_bases *bases;
    unsigned char *scalars; /* the context's, if it is pinned memory */
    unsigned char
        *whole; /* the same as the curve's scalars, where --scalar-bytes gave them others; else null */
    unsigned char *answers;
    unsigned char *results;
    size_t n;
    sumac_msm_config config; /* with its own tuning */
    sumac_tuning tuning;
    stage_times times;
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
    const bool is_whole = bytes == info->scalar_bytes && !given->scalar_signed;
    if (bytes > info->scalar_bytes) {
        return bad_input("--scalar-bytes %llu is more than the %u of %s %s", (unsigned long long)bytes,
                         (unsigned)info->scalar_bytes, info->name, info->group);
    }
    inputs->scalars = bench_allocate(inputs->context, row->memory, scalars * bytes, "scalars");
    if (inputs->scalars != NULL && !is_whole) {
        inputs->whole = allocate(scalars * info->scalar_bytes, "scalars");
    }
    if (inputs->scalars == NULL || (!is_whole && inputs->whole == NULL)) {
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
        given->scalar_bits != 0 || is_whole ? given->scalar_bits : 8 * bytes - given->scalar_signed;
    make_scalars(info, row->kind, bits, given->seed, scalars, is_whole ? inputs->scalars : inputs->whole);
    if (!is_whole) {
        narrow_scalars(info, bytes, given->scalar_signed, scalars, inputs->whole, inputs->scalars);
    }
    double start = clock_seconds();
    sumac_status status = sumac_known_bases_create(inputs->context, row->curve, (size_t)bases, given->seed,
                                                   &config, &inputs->bases);
    row->bases_ms = 1e3 * (clock_seconds() - start);
    return status == SUMAC_OK ? STATUS_DONE : library_failure(inputs->context, status);
}

static int compute_answers(bench_inputs *inputs, const bench_row *row, const options *given)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    uint64_t bases = given->separate_bases ? row->batch * row->n : row->n;
    const unsigned char *scalars = inputs->whole != NULL ? inputs->whole : inputs->scalars;
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

static int time_calls(bench_inputs *inputs, bench_row *row, const options *given)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    const int status = bench_time_calls(inputs->context, call_msm, inputs, given->runs, &row->times);
    if (status != STATUS_DONE) {
        return status;
    }
    if (info->point_bytes <= sizeof row->result) {
        memcpy(row->result, inputs->results, info->point_bytes);
    }
    row->verified = memcmp(inputs->results, inputs->answers, (size_t)row->batch * info->point_bytes) == 0;
    return STATUS_DONE;
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

static void add_span(void *user, const sumac_trace_event *event)
{
    stage_times *times = user;
    for (int stage = 0; stage < BENCH_STAGES && event->thread < times->threads; stage++) {
        if (strcmp(event->name, bench_stages[stage]) == 0) {
            times->spent[event->thread][stage] += 1e3 * (event->end - event->start);
        }
    }
}

/* A stage takes as long as the thread that is in it the longest. The first call of the new context is not counted. */
static int time_stages(bench_inputs *inputs, bench_row *row, const options *given)
{
    stage_times *times = &inputs->times;
    *times = (stage_times){row->threads, allocate(row->threads * sizeof *times->spent, "times")};
    if (times->spent == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_status status = bench_trace_context(given, add_span, times, &inputs->context);
    for (int call = 0; call < 2 && status == SUMAC_OK; call++) {
        memset(times->spent, 0, times->threads * sizeof *times->spent);
        status = call_msm(inputs);
    }
    for (uint32_t thread = 0; thread < times->threads; thread++) {
        for (int stage = 0; stage < BENCH_STAGES; stage++) {
            double spent = times->spent[thread][stage];
            row->stage_ms[stage] = spent > row->stage_ms[stage] ? spent : row->stage_ms[stage];
        }
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
    status = time_calls(inputs, row, given);
    return status == STATUS_DONE ? time_stages(inputs, row, &wanted) : status;
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
    free(inputs.whole);
    free(inputs.answers);
    free(inputs.results);
    free(inputs.times.spent);
    return status;
}
