#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "machine.h"
#include "progress.h"
#include "session.h"

/* The inputs of a row, its answers and room for its results. */
typedef struct bench_inputs {
    sumac_context *context;
    sumac_bases *bases;
    unsigned char *scalars;
    unsigned char *answers;
    unsigned char *results;
    double *milliseconds;
} bench_inputs;

static sumac_bases_config row_bases_config(const bench_row *row, const options *given)
{
    options wanted = *given;
    wanted.precompute = row->precompute;
    wanted.typical_batch = row->batch;
    wanted.typical_n = row->n;
    return bases_config(&wanted);
}

static int make_inputs(bench_inputs *inputs, const bench_row *row, const options *given)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    const sumac_bases_config config = row_bases_config(row, given);
    uint64_t scalars = row->batch * row->n;
    uint64_t bases = given->separate_bases ? scalars : row->n;

    inputs->scalars = allocate(scalars * info->scalar_bytes, "scalars");
    inputs->answers = allocate((uint64_t)row->batch * info->point_bytes, "answers");
    inputs->results = allocate((uint64_t)row->batch * info->point_bytes, "results");
    inputs->milliseconds = allocate(given->runs * sizeof *inputs->milliseconds, "times");
    if (inputs->scalars == NULL || inputs->answers == NULL || inputs->results == NULL ||
        inputs->milliseconds == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    make_scalars(info, row->kind, given->scalar_bits, given->seed, scalars, inputs->scalars);
    sumac_status status =
        sumac_known_bases(inputs->context, row->curve, (size_t)bases, given->seed, &config, &inputs->bases);
    return status == SUMAC_OK ? STATUS_DONE : library_failure(inputs->context, status);
}

static int compute_answers(bench_inputs *inputs, const bench_row *row, const options *given)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    uint64_t bases = given->separate_bases ? row->batch * row->n : row->n;
    unsigned char *logarithms = allocate(bases * info->scalar_bytes, "discrete logarithms");
    if (logarithms == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_status status =
        sumac_known_logarithms(inputs->context, row->curve, (size_t)bases, given->seed, logarithms);
    for (uint32_t msm = 0; msm < row->batch && status == SUMAC_OK; msm++) {
        uint64_t first = msm * row->n * info->scalar_bytes;
        status = sumac_known_answer(inputs->context, row->curve, inputs->scalars + first,
                                    logarithms + (given->separate_bases ? first : 0), (size_t)row->n,
                                    inputs->answers + (size_t)msm * info->point_bytes);
    }
    free(logarithms);
    return status == SUMAC_OK ? STATUS_DONE : library_failure(inputs->context, status);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void summarise(bench_row *row, double *milliseconds, size_t runs)
{
    qsort(milliseconds, runs, sizeof *milliseconds, by_size);
    row->minimum_ms = milliseconds[0];
    row->median_ms = (milliseconds[(runs - 1) / 2] + milliseconds[runs / 2]) / 2;
}

/* One call that is not timed, so that memory is mapped and caches are warm, then the timed ones. */
static int time_calls(bench_inputs *inputs, bench_row *row, const options *given,
                      const sumac_msm_config *config)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    sumac_status status =
        sumac_msm(inputs->context, inputs->bases, inputs->scalars, (size_t)row->n, config, inputs->results);
    double user = machine_user_seconds();
    for (uint64_t run = 0; run < given->runs && status == SUMAC_OK; run++) {
        progress_update((double)(run + 1) / (double)(given->runs + 1));
        double start = seconds_now();
        status = sumac_msm(inputs->context, inputs->bases, inputs->scalars, (size_t)row->n, config,
                           inputs->results);
        inputs->milliseconds[run] = 1e3 * (seconds_now() - start);
    }
    if (status != SUMAC_OK) {
        return library_failure(inputs->context, status);
    }
    row->user_seconds = (machine_user_seconds() - user) / (double)given->runs;
    summarise(row, inputs->milliseconds, (size_t)given->runs);
    row->verified = memcmp(inputs->results, inputs->answers, (size_t)row->batch * info->point_bytes) == 0;
    return STATUS_DONE;
}

static int query_plan(const bench_inputs *inputs, bench_row *row, const options *given,
                      const sumac_msm_config *config)
{
    const sumac_bases_config bases = row_bases_config(row, given);
    sumac_status status =
        sumac_plan_query(inputs->context, row->curve, (size_t)row->n, &bases, config, &row->plan);
    return status == SUMAC_OK ? STATUS_DONE : library_failure(inputs->context, status);
}

static int measure(bench_inputs *inputs, bench_row *row, const options *given)
{
    sumac_msm_config config = msm_config(given);
    config.batch = row->batch;
    options wanted = *given;
    wanted.threads = row->threads;
    int status = create_context(&wanted, NULL, false, &inputs->context);
    if (status != STATUS_DONE) {
        return status;
    }
    row->threads = sumac_context_threads(inputs->context);
    snprintf(row->backend, sizeof row->backend, "%s", sumac_context_backend(inputs->context));
    snprintf(row->variant, sizeof row->variant, "%s", sumac_context_variant(inputs->context));
    status = query_plan(inputs, row, given, &config);
    if (status == STATUS_DONE) {
        status = make_inputs(inputs, row, given);
    }
    if (status == STATUS_DONE) {
        status = compute_answers(inputs, row, given);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    machine_reset_peak_memory();
    status = time_calls(inputs, row, given, &config);
    row->peak_bytes = machine_peak_memory();
    return status;
}

int bench_measure(bench_row *row, const options *given)
{
    bench_inputs inputs = {.context = NULL};
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    progress_begin("%s %s, n = %llu", info->name, info->group, (unsigned long long)row->n);
    int status = measure(&inputs, row, given);
    progress_end();
    sumac_bases_destroy(inputs.bases);
    sumac_context_destroy(inputs.context);
    free(inputs.scalars);
    free(inputs.answers);
    free(inputs.results);
    free(inputs.milliseconds);
    return status;
}
