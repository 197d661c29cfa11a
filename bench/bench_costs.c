/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures struct stage_costs for one curve and variant. These are the coefficients of the planner's
 * cost model, in nanoseconds on one thread. It is compiled once per curve and variant, like the sources that it
 * measures. It prints one line for src/cpu/costs.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/clock.h"
#include "cpu/engine.h"
#include "cpu/stages.h"
#include "cpu/thread_scratch.h"
#include "pipeline/plan.h"
#include "sumac/experimental.h"

#define POINTS 65536
#define LIST_LENGTH 16
#define SHORT_LENGTH 2
#define FEW_LISTS 2
#define COMBINE_BITS 256
#define COMBINE_MSMS 64
#define OPERATIONS 2000
#define RUNS 11

extern const registered_group SUMAC_CONCAT(sumac_group_, CURVE_ID);

/* A planned call of POINTS bases in one pass, and one thread's memory for a task of it. */
typedef struct bench_data {
    sumac_context *context;
    sumac_bases *bases;
    msm_plan plan;
    workspace space;
    msm_job job;
    msm_pass pass;
    const affine *table;
    uint32_t *entries;
    task_scratch scratch;
    uint32_t lists;
    uint32_t list_length;
    horner_terms terms;
    xyzz parts[COMBINE_BITS * COMBINE_MSMS];
    unsigned char results[COMBINE_MSMS * 1024];
    volatile uint64_t sink; /* receives results, so that none is optimised away */
} bench_data;

/* Return the median over RUNS of the nanoseconds that work(data) takes, divided by `operations`. */
static double median_ns(void (*work)(bench_data *data), bench_data *data, double operations)
{
    double times[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const double start = clock_seconds();
        work(data);
        const double time = clock_seconds() - start;
        int j = i;
        for (; j > 0 && times[j - 1] > time; j--) {
            times[j] = times[j - 1];
        }
        times[j] = time;
    }
    return 1e9 * times[RUNS / 2] / operations;
}

static void recode(bench_data *data)
{
    data->sink = (uint64_t)cpu_recode_negated.run.recode(&data->job, &data->pass, &data->space.digits);
}

static void sort(bench_data *data)
{
    data->sink = (uint64_t)cpu_sort_counting.run.sort(&data->job, &data->pass, &data->space.digits,
                                                      &data->space.lists, data->space.scratch);
}

static void add_xyzz(bench_data *data)
{
    xyzz run, sum;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&sum);
    for (int i = 0; i < OPERATIONS / 2; i++) {
        xyzz_add_affine(&run, &run, &data->table[i]);
        xyzz_add(&sum, &sum, &run);
    }
    data->sink = (uint64_t)xyzz_is_infinity(&sum);
}

static void double_points(bench_data *data)
{
    xyzz sum;
    xyzz_from_affine(&sum, &data->table[3]);
    for (int i = 0; i < OPERATIONS / 10; i++) {
        xyzz_double_times(&sum, &sum, 10);
    }
    data->sink = (uint64_t)xyzz_is_infinity(&sum);
}

static void sum_lists(bench_data *data)
{
    for (uint32_t s = 0; s <= data->lists; s++) {
        data->scratch.starts[s] = s * data->list_length;
    }
    task_sum_lists(&data->scratch, data->table, data->entries, data->lists);
}

/* Run combine for MSMs of COMBINE_BITS windows of one bit. Their parts are the points of the table. */
static void combine(bench_data *data)
{
    SUMAC_NON_MSM_SYMBOL(combine)(&data->job, &data->terms, data->results);
}

static void measure_combine(bench_data *data, stage_costs *costs)
{
    for (int i = 0; i < COMBINE_BITS * COMBINE_MSMS; i++) {
        xyzz_from_affine(&data->parts[i], &data->table[i]);
    }
    data->terms = (horner_terms){data->parts, 1, COMBINE_BITS, 1, 1};
    costs->combine = median_ns(combine, data, COMBINE_BITS);
    data->terms.msms = COMBINE_MSMS;
    costs->combine_lanes = median_ns(combine, data, COMBINE_BITS * COMBINE_MSMS);
#ifndef SUMAC_VARIANT_AVX512
    costs->combine_lanes = 0;
#endif
}

/* Run a whole task of lists of this length, and return the nanoseconds of one list. */
static double list_ns(bench_data *data, uint32_t length)
{
    data->list_length = length;
    data->lists = (uint32_t)(data->plan.task_entries / length);
    return median_ns(sum_lists, data, data->lists);
}

/* Measure lists of two lengths, which separates the cost of an addition from the cost of a list. Few lists take as
 * many rounds as many lists do, so the rest of their time is the cost of the rounds: an inversion and related
 * operations. */
static void measure_task(bench_data *data, stage_costs *costs)
{
    const double long_list = list_ns(data, LIST_LENGTH), short_list = list_ns(data, SHORT_LENGTH);
    costs->affine_addition = (long_list - short_list) / (LIST_LENGTH - SHORT_LENGTH);
    costs->list = short_list - (SHORT_LENGTH - 1) * costs->affine_addition;
    data->list_length = LIST_LENGTH;
    data->lists = FEW_LISTS;
    const double few = median_ns(sum_lists, data, 1);
    costs->inversion = (few - FEW_LISTS * long_list) / log2(LIST_LENGTH);
}

/* Make scalars whose highest 64 bits are below those of r, and entries that name the bases in a scattered order. Any
 * random numbers are suitable. These are from the generator in Numerical Recipes. */
static void scatter(uint8_t *scalars, size_t bytes, uint32_t *entries, uint64_t count)
{
    uint32_t state = 1;
    for (size_t i = 0; i < bytes; i++) {
        state = state * 1664525u + 1013904223u;
        scalars[i] = (uint8_t)(state >> 24);
    }
    static const uint64_t order[FR_LIMBS] = FR_MODULUS;
    for (size_t i = 8 * (FR_LIMBS - 1); i < bytes; i += 8 * FR_LIMBS) {
        uint64_t last;
        memcpy(&last, scalars + i, sizeof last);
        last %= order[FR_LIMBS - 1];
        memcpy(scalars + i, &last, sizeof last);
    }
    for (uint64_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        entries[i] = state >> 16 << 1;
    }
}

static int prepare(bench_data *data)
{
    const struct sumac_group *group = &SUMAC_CONCAT(sumac_group_, CURVE_ID).group;
    sumac_context_config context_config = {.size = sizeof context_config};
    const plan_request request = {
        .group = group,
        .code = &SUMAC_SYMBOL(code),
        .backend = &cpu_backend,
        .n = POINTS,
        .bases_count = POINTS,
        .batch = 1,
        .c = 12,
        .layout = {group->scalar_bytes, 0},
        .precompute_factor = 1,
        .threads = 1,
    };
    uint64_t missing;
    context_config.threads = 1;
    context_config.tuning = "variant=" SUMAC_VARIANT_NAME;
    if (sumac_context_create(&context_config, &data->context, NULL) != SUMAC_OK ||
        sumac_known_bases_create(data->context, group, POINTS, 1, NULL, &data->bases) != SUMAC_OK ||
        plan_make(&request, &data->plan, &missing) != SUMAC_OK) {
        return 0;
    }
    const size_t scalar_bytes = (size_t)POINTS * group->scalar_bytes;
    void *memory = cpu_backend.allocate(NULL, data->plan.bytes_workspace);
    uint8_t *scalars = malloc(scalar_bytes);
    data->entries = malloc(data->plan.task_entries * sizeof(uint32_t));
    if (memory == NULL || scalars == NULL || data->entries == NULL) {
        return 0;
    }
    scatter(scalars, scalar_bytes, data->entries, data->plan.task_entries);
    data->space = workspace_at(&data->plan, &SUMAC_SYMBOL(code), memory, 0);
    data->table = data->bases->shards[0].table.points;
    data->job.group = group;
    data->job.code = &SUMAC_SYMBOL(code);
    data->job.plan = &data->plan;
    data->job.bases = data->bases->shards[0].table;
    data->job.scalars = scalars;
    data->job.layout = request.layout;
    data->job.threads = 1;
    data->job.base_sets = 1;
    data->job.result_bytes = group->point_bytes;
    data->pass.modules = data->plan.modules_per_pass;
    data->pass.n = POINTS;
    if (cpu_backend.feed->await(&data->job, &data->space.feed, &data->pass) != SUMAC_OK) {
        return 0;
    }
    const task_layout layout = task_layout_of(&data->plan);
    data->scratch = thread_scratch(&layout, data->space.scratch, 0);
    return 1;
}

int main(void)
{
    static bench_data data;
    if (!prepare(&data)) {
        fprintf(stderr, "bench_costs: could not prepare the points: %s\n",
                sumac_context_message(data.context));
        return 3;
    }
    const double digits = (double)data.pass.modules * POINTS;
    stage_costs costs = {0};
    costs.recode = median_ns(recode, &data, digits);
    costs.sort = median_ns(sort, &data, digits);
    measure_task(&data, &costs);
    costs.xyzz_addition = median_ns(add_xyzz, &data, OPERATIONS);
    costs.doubling = median_ns(double_points, &data, OPERATIONS);
    measure_combine(&data, &costs);
    printf("%s_%s %s: {%.1f, %.1f, %.1f, %.0f, %.1f, %.1f, %.1f, %.1f, %.1f}\n", CURVE_NAME, CURVE_GROUP,
           SUMAC_VARIANT_NAME, costs.recode, costs.sort, costs.affine_addition, costs.inversion, costs.list,
           costs.xyzz_addition, costs.doubling, costs.combine, costs.combine_lanes);
    return 0;
}
