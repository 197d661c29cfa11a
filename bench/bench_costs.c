/*
 * Measures struct stage_costs for one curve and variant: the coefficients of the planner's cost model,
 * nanoseconds on one thread. Compiled once per curve and variant, like the sources that it measures; prints
 * one line for src/cpu/costs.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "cpu/engine.h"
#include "cpu/stages.h"
#include "cpu/thread_scratch.h"
#include "pipeline/clock.h"
#include "pipeline/workspace.h"

#define POINTS 65536
#define LIST_LENGTH 16
#define FEW_LISTS 2
#define OPERATIONS 2000
#define RUNS 11

extern const struct sumac_curve SUMAC_CONCAT(sumac_curve_, CURVE_ID);

/* A planned call of POINTS bases in one pass, and one thread's scratch for a task of it. */
typedef struct bench_data {
    sumac_context *context;
    sumac_bases *bases;
    sumac_plan plan;
    workspace space;
    msm_job job;
    msm_pass pass;
    const affine *table;
    uint32_t *pairs;
    task_scratch scratch;
    uint32_t lists;
    volatile uint64_t sink; /* takes results, so that none is optimised away */
} bench_data;

/* The median over RUNS of the nanoseconds that work(data) takes, divided by `operations`. */
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
    data->sink = (uint64_t)cpu_recode(&data->job, &data->pass, &data->space.digits);
}

static void sort(bench_data *data)
{
    data->sink = (uint64_t)cpu_sort(&data->job, &data->pass, &data->space.digits, &data->space.lists,
                                    data->space.scratch);
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
        data->scratch.starts[s] = s * LIST_LENGTH;
    }
    task_sum_lists(&data->scratch, data->table, data->pairs, data->lists);
}

/* The sums of few lists and of a whole task differ in their additions only, not in their rounds; what is left
 * of the few is the rounds' own cost, an inversion and all that goes with it. */
static void measure_task(bench_data *data, stage_costs *costs)
{
    data->lists = FEW_LISTS;
    const double few = median_ns(sum_lists, data, 1);
    data->lists = (uint32_t)(data->plan.task_entries / LIST_LENGTH);
    const double many = median_ns(sum_lists, data, 1);
    const double additions = LIST_LENGTH - 1;
    costs->affine_addition = (many - few) / (additions * (data->lists - FEW_LISTS));
    costs->inversion = (few - FEW_LISTS * additions * costs->affine_addition) / log2(LIST_LENGTH);
}

/* Scalars below r, their last limb of 64 bits below its last limb, and an order of the bases: any scatter
 * will do (the generator is that of Numerical Recipes). */
static void scatter(uint8_t *scalars, size_t bytes, uint32_t *pairs, uint64_t count)
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
        pairs[i] = state >> 16 << 1;
    }
}

static int prepare(bench_data *data)
{
    const struct sumac_curve *curve = &SUMAC_CONCAT(sumac_curve_, CURVE_ID);
    sumac_context_config context_config = sumac_context_config_default();
    sumac_msm_config config = sumac_msm_config_default();
    context_config.threads = 1;
    context_config.variant = SUMAC_VARIANT_NAME;
    config.c = 12;
    if (sumac_context_create(&context_config, &data->context) != SUMAC_OK ||
        sumac_known_bases(data->context, curve, POINTS, 1, NULL, &data->bases) != SUMAC_OK ||
        sumac_msm_plan(data->context, data->bases, POINTS, &config, &data->plan) != SUMAC_OK) {
        return 0;
    }
    const size_t scalar_bytes = (size_t)POINTS * curve->info.scalar_bytes;
    void *memory = cpu_backend.allocate(NULL, data->plan.bytes_workspace);
    uint8_t *scalars = malloc(scalar_bytes);
    data->pairs = malloc(data->plan.task_entries * sizeof(uint32_t));
    if (memory == NULL || scalars == NULL || data->pairs == NULL) {
        return 0;
    }
    scatter(scalars, scalar_bytes, data->pairs, data->plan.task_entries);
    data->space = workspace_place(&data->plan, &SUMAC_SYMBOL(code), memory);
    data->table = data->bases->table.points;
    data->job.curve = curve;
    data->job.code = &SUMAC_SYMBOL(code);
    data->job.plan = &data->plan;
    data->job.bases = data->bases->table;
    data->job.scalars = scalars;
    data->job.threads = 1;
    data->pass.modules = data->plan.modules_per_pass;
    data->pass.n = POINTS;
    const scratch_layout layout = scratch_layout_of(&data->plan, &SUMAC_SYMBOL(code));
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
    printf("%s_%s %s: {%.1f, %.1f, %.1f, %.0f, %.1f, %.1f}\n", CURVE_NAME, CURVE_GROUP, SUMAC_VARIANT_NAME,
           costs.recode, costs.sort, costs.affine_addition, costs.inversion, costs.xyzz_addition,
           costs.doubling);
    return 0;
}
