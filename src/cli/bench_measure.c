/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <math.h>
#include <stdatomic.h>

#include "bench.h"
#include "machine.h"

/* ---- Timing calls of any kind: MSMs and proofs ---- */

unsigned char *bench_allocate(sumac_context *context, scalar_memory memory, uint64_t bytes, const char *what)
{
    if (memory == MEMORY_PAGEABLE) {
        return allocate(bytes, what);
    }
    void *pinned = NULL;
    (void)library_check(context, sumac_pinned_allocate(context, (size_t)bytes, &pinned));
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

/* These are the spans of the running call. All threads of contexts with a trace report their spans here, and such a
 * context may outlive the measurement. There is no lock, because the threads of small calls would wait for each other
 * at it. */
typedef struct span {
    char name[24];
    double start, end;
} span;

static struct {
    span *list;
    size_t capacity;
    _Atomic size_t
        count; /* the number of spans that were reported; spans beyond `capacity` are missing in the stages */
} spans;

static void add_span(void *user, const sumac_trace_event *event)
{
    const size_t index = atomic_fetch_add_explicit(&spans.count, 1, memory_order_relaxed);
    (void)user;
    if (index < spans.capacity) {
        span added = {.start = event->start, .end = event->end};
        strncpy(added.name, event->name, sizeof added.name - 1);
        spans.list[index] = added;
    }
}

/* Call this before a call that is measured. It discards all spans, and grows the memory to twice the number of spans
 * that the last call had. */
static void clear_spans(void)
{
    if (spans.count > spans.capacity / 2) {
        const size_t capacity = 2 * spans.count + 256;
        span *const list = realloc(spans.list, capacity * sizeof *list);
        spans.list = list != NULL ? list : spans.list;
        spans.capacity = list != NULL ? capacity : spans.capacity;
    }
    spans.count = 0;
}

static int by_start(const void *left, const void *right)
{
    const double a = ((const span *)left)->start, b = ((const span *)right)->start;
    return (a > b) - (a < b);
}

/* Add up the milliseconds of the spans by stage. Each moment counts once, for the span that began first. */
static json_t *add_up_spans(void)
{
    json_t *stages = json_object();
    double counted = 0;
    const size_t count = spans.count < spans.capacity ? spans.count : spans.capacity;
    if (count > 0) {
        qsort(spans.list, count, sizeof *spans.list, by_start);
    }
    for (size_t i = 0; i < count; i++) {
        const span *added = &spans.list[i];
        const double before = json_real_value(json_object_get(stages, added->name));
        const double seconds = added->end - fmax(added->start, counted);
        json_object_set_new(stages, added->name, json_real(before + 1e3 * fmax(seconds, 0)));
        counted = fmax(counted, added->end);
    }
    return stages;
}

/* Replace the context by one with the same options and a trace. */
static sumac_status trace_context(sumac_context **context, const options *given)
{
    const tuning_text tuning = tuning_of(given);
    sumac_context_config traced = context_config(given, &tuning);
    traced.trace = add_span;
    sumac_context_destroy(*context);
    return sumac_context_create(&traced, context, NULL);
}

/* Make one call that is not counted. Then make `runs` calls that are counted, and keep the stages of the fastest
 * one. */
static sumac_status time_runs(bench_call call, void *inputs, uint64_t runs, double *milliseconds,
                              bench_times *times)
{
    machine_reset_peak_memory();
    TRY(call(inputs));
    const double user = machine_user_seconds();
    times->stages_of_ms = INFINITY;
    for (uint64_t run = 0; run < runs; run++) {
        progress_update((double)(run + 1) / (double)(runs + 1));
        clear_spans();
        const double start = clock_seconds();
        TRY(call(inputs));
        milliseconds[run] = 1e3 * (clock_seconds() - start);
        if (milliseconds[run] < times->stages_of_ms) {
            times->stages_of_ms = milliseconds[run];
            json_decref(times->stages);
            times->stages = add_up_spans();
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
    if (strcmp(context_info(*context).backend, "cpu") == 0) {
        TRY(trace_context(context, given));
        return time_runs(call, inputs, runs, milliseconds, times);
    }
    CLEANUP(bench_times_free) bench_times traced = {.stages = NULL};
    TRY(time_runs(call, inputs, runs, milliseconds, times));
    TRY(trace_context(context, given));
    TRY(time_runs(call, inputs, 1, milliseconds, &traced));
    times->stages_of_ms = traced.stages_of_ms;
    return json_object_update(times->stages, traced.stages) == 0 ? SUMAC_OK : SUMAC_OUT_OF_MEMORY;
}

int bench_time_calls(sumac_context **context, const options *given, bench_call call, void *inputs,
                     uint64_t runs, bench_times *times)
{
    AUTO_FREE double *milliseconds = NULL;
    ALLOCATE(milliseconds, runs * sizeof *milliseconds, "times");
    const sumac_status status =
        time_calls_and_stages(context, given, call, inputs, runs, milliseconds, times);
    return library_check(*context, status);
}

void bench_times_free(bench_times *times)
{
    json_decref(times->stages);
    times->stages = NULL;
}

/* ---- MSMs ---- */

/* These are the inputs of a row, its expected answers, and memory for its results. */
typedef struct bench_inputs {
    sumac_context *context;
    sumac_bases *bases;
    unsigned char *scalars; /* in memory of the kind of --memory */
    size_t scalars_bytes;
    unsigned char
        *full_scalars; /* scalars of the group's size if --scalar-bytes asks for another size, otherwise
                          null */
    unsigned char *answers;
    unsigned char *results;
    size_t results_bytes, n;
    sumac_msm_config config; /* the configuration; its tuning is the next field */
    tuning_text tuning;
} bench_inputs;

static int make_scalars_of(bench_inputs *inputs, const bench_row *row, const options *given, uint64_t count)
{
    const sumac_group *group = row->group;
    const uint64_t bytes = given->scalar_bytes != 0 ? given->scalar_bytes : group->scalar_bytes;
    if (bytes > group->scalar_bytes) {
        return bad_input("--scalar-bytes %llu is more than the %u of %s %s", (unsigned long long)bytes,
                         (unsigned)group->scalar_bytes, group->curve, group->name);
    }
    inputs->scalars_bytes = (size_t)(count * bytes);
    inputs->scalars = bench_allocate(inputs->context, row->memory, inputs->scalars_bytes, "scalars");
    if (inputs->scalars == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    if (bytes == group->scalar_bytes && !given->scalar_signed) {
        make_scalars(group, row->kind, given->scalar_bits, given->seed, count, inputs->scalars);
        return STATUS_DONE;
    }
    ALLOCATE(inputs->full_scalars, count * group->scalar_bytes, "scalars");
    const uint64_t bits = given->scalar_bits != 0 ? given->scalar_bits : 8 * bytes - given->scalar_signed;
    make_scalars(group, row->kind, bits, given->seed, count, inputs->full_scalars);
    narrow_scalars(group, bytes, given->scalar_signed, count, inputs->full_scalars, inputs->scalars);
    return STATUS_DONE;
}

static int make_inputs(bench_inputs *inputs, bench_row *row, const options *given)
{
    const sumac_group *group = row->group;
    uint64_t scalars, most;
    if (__builtin_mul_overflow((uint64_t)row->batch, row->n, &scalars) ||
        __builtin_mul_overflow(scalars, (uint64_t)group->point_bytes, &most) || most > SIZE_MAX / 2) {
        return machine_fault("out of memory: %u MSMs of %llu bases are more than can be addressed",
                             (unsigned)row->batch, (unsigned long long)row->n);
    }
    MUST(make_scalars_of(inputs, row, given, scalars));
    ALLOCATE(inputs->answers, (uint64_t)row->batch * group->point_bytes, "answers");
    inputs->results_bytes = (size_t)row->batch * group->point_bytes;
    ALLOCATE(inputs->results, inputs->results_bytes, "results");
    options wanted = *given;
    wanted.precompute = row->precompute;
    wanted.typical_batch = row->batch;
    wanted.typical_n = row->n;
    const sumac_bases_config config = bases_config(&wanted, &inputs->tuning);
    const double start = clock_seconds();
    const sumac_status status = sumac_known_bases_create(inputs->context, row->group,
                                                         (size_t)(given->separate_bases ? scalars : row->n),
                                                         given->seed, &config, &inputs->bases);
    row->bases_ms = 1e3 * (clock_seconds() - start);
    return library_check(inputs->context, status);
}

static int compute_answers(bench_inputs *inputs, const bench_row *row, const options *given)
{
    const sumac_group *group = row->group;
    const uint64_t bases = given->separate_bases ? row->batch * row->n : row->n;
    const unsigned char *scalars = inputs->full_scalars != NULL ? inputs->full_scalars : inputs->scalars;
    const size_t bytes = (size_t)row->n * group->scalar_bytes;
    AUTO_FREE unsigned char *logarithms = NULL;
    ALLOCATE(logarithms, bases * group->scalar_bytes, "discrete logarithms");
    sumac_status status = sumac_known_logarithms(inputs->context, row->group, (size_t)bases, given->seed,
                                                 logarithms, (size_t)bases * group->scalar_bytes);
    for (uint32_t msm = 0; msm < row->batch && status == SUMAC_OK; msm++) {
        const uint64_t first = msm * row->n * group->scalar_bytes;
        status = sumac_known_answer(inputs->context, row->group, scalars + first, bytes,
                                    logarithms + (given->separate_bases ? first : 0), bytes, (size_t)row->n,
                                    inputs->answers + (size_t)msm * group->point_bytes, group->point_bytes);
    }
    return library_check(inputs->context, status);
}

static sumac_status call_msm(void *user)
{
    const bench_inputs *inputs = user;
    return sumac_msm(inputs->context, inputs->bases, inputs->scalars, inputs->scalars_bytes, inputs->n,
                     &inputs->config, inputs->results, inputs->results_bytes);
}

/* Ask for the plan. If a named plan does not support the call, the row records why. */
static int query_plan(const bench_inputs *inputs, bench_row *row)
{
    char *plan = NULL;
    const sumac_status status =
        sumac_msm_plan(inputs->context, inputs->bases, (size_t)row->n, &inputs->config, &plan);
    if (row->plan_name != NULL &&
        (status == SUMAC_UNKNOWN_PLAN || status == SUMAC_NOT_SUPPORTED || status == SUMAC_MEMORY_LIMIT)) {
        snprintf(row->refusal, sizeof row->refusal, "%s", sumac_context_message(inputs->context));
        return STATUS_DONE;
    }
    return take_json(inputs->context, status, plan, &row->plan);
}

static int measure(bench_inputs *inputs, bench_row *row, const options *given)
{
    options wanted = *given;
    wanted.threads = row->threads;
    inputs->n = (size_t)row->n;
    wanted.plan = row->plan_name != NULL ? row->plan_name : given->plan;
    inputs->tuning = tuning_of(&wanted);
    inputs->config = msm_config(given, &inputs->tuning);
    inputs->config.batch = row->batch;
    inputs->config.base_sets = given->separate_bases ? row->batch : 0;
    MUST(create_context(&wanted, NULL, false, &inputs->context));
    row->threads = context_info(inputs->context).threads;
    snprintf(row->backend, sizeof row->backend, "%s", context_info(inputs->context).backend);
    snprintf(row->variant, sizeof row->variant, "%s", context_info(inputs->context).variant);
    MUST(make_inputs(inputs, row, given));
    MUST(query_plan(inputs, row));
    if (row->refusal[0] != '\0') {
        return STATUS_DONE;
    }
    MUST(compute_answers(inputs, row, given));
    MUST(bench_time_calls(&inputs->context, &wanted, call_msm, inputs, given->runs, &row->times));
    const size_t point_bytes = row->group->point_bytes;
    if (point_bytes <= sizeof row->result) {
        memcpy(row->result, inputs->results, point_bytes);
    }
    row->verified = memcmp(inputs->results, inputs->answers, row->batch * point_bytes) == 0;
    return STATUS_DONE;
}

void bench_row_free(bench_row *row)
{
    json_decref(row->plan);
    row->plan = NULL;
    bench_times_free(&row->times);
}

int bench_measure(bench_row *row, const options *given)
{
    bench_inputs inputs = {.context = NULL};
    const sumac_group *group = row->group;
    progress_begin("%s %s, n = %llu", group->curve, group->name, (unsigned long long)row->n);
    const int status = measure(&inputs, row, given);
    progress_end();
    bench_free(row->memory, inputs.scalars);
    sumac_bases_destroy(inputs.bases);
    sumac_context_destroy(inputs.context);
    free(inputs.full_scalars);
    free(inputs.answers);
    free(inputs.results);
    return status;
}
