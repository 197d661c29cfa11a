/*
 * Measures struct stage_costs for one curve and variant: the coefficients of the planner's cost model, nanoseconds on
 * one thread. Compiled once per curve and variant, like the sources that it measures; prints one line for
 * src/cpu/costs.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/affine_sum.h"
#include "cpu/stages.h"
#include "pipeline/clock.h"

#define TABLE_POINTS 65536
#define ENTRIES 8192
#define LIST_LENGTH 16
#define RUNS 9

extern const struct sumac_curve SUMAC_CONCAT(sumac_curve_, CURVE_ID);

typedef struct bench_data {
    affine *table;
    uint32_t *pairs;
    segment_scratch scratch;
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

#define OPERATIONS 2000

static volatile uint64_t sink;

static void invert(bench_data *data)
{
    fe x = data->table[1].x;
    for (int i = 0; i < OPERATIONS; i++) {
        fe_inv(&x, &x);
        fe_add(&x, &x, &data->table[2].x);
    }
    memcpy((void *)(uintptr_t)&sink, &x, sizeof sink);
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
    memcpy((void *)(uintptr_t)&sink, &sum, sizeof sink);
}

static void double_points(bench_data *data)
{
    xyzz sum;
    xyzz_from_affine(&sum, &data->table[3]);
    for (int i = 0; i < OPERATIONS / 10; i++) {
        xyzz_double_times(&sum, &sum, 10);
    }
    memcpy((void *)(uintptr_t)&sink, &sum, sizeof sink);
}

static void sum_lists(bench_data *data)
{
    const uint32_t lists = ENTRIES / LIST_LENGTH;
    for (uint32_t s = 0; s <= lists; s++) {
        data->scratch.starts[s] = s * LIST_LENGTH;
    }
    segments_sum(&data->scratch, data->table, data->pairs, lists);
}

static int fill(bench_data *data)
{
    const struct sumac_curve *curve = &SUMAC_CONCAT(sumac_curve_, CURVE_ID);
    sumac_context *context = NULL;
    sumac_bases *bases = NULL;
    uint8_t *raw = malloc((size_t)TABLE_POINTS * curve->info.point_bytes);
    const point_layout layout = {SUMAC_FORM_CANONICAL, curve->info.point_bytes, SUMAC_INFINITY_ZERO, 0};
    size_t bad;
    data->table = aligned_alloc(64, TABLE_POINTS * sizeof(affine));
    data->pairs = malloc(ENTRIES * sizeof(uint32_t));
    data->scratch.items = malloc(ENTRIES * sizeof(affine));
    data->scratch.products = malloc((ENTRIES / 2 + 1) * sizeof(fe));
    data->scratch.starts = malloc((ENTRIES + 1) * sizeof(uint32_t));
    data->scratch.targets = NULL;
    data->scratch.indices = NULL;
    if (raw == NULL || data->table == NULL || data->pairs == NULL || data->scratch.items == NULL ||
        data->scratch.products == NULL || data->scratch.starts == NULL ||
        sumac_context_create(NULL, &context) != SUMAC_OK ||
        sumac_known_bases(context, curve, TABLE_POINTS, 1, NULL, &bases) != SUMAC_OK ||
        sumac_bases_get(context, bases, 0, TABLE_POINTS, raw) != SUMAC_OK ||
        SUMAC_SYMBOL(convert).import_points(data->table, raw, TABLE_POINTS, &layout, SUMAC_CHECK_NONE, &bad) !=
            SUMAC_OK) {
        return 0;
    }
    uint32_t state = 1;
    for (int i = 0; i < ENTRIES; i++) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' generator: any scatter will do */
        data->pairs[i] = state >> 15;
    }
    return 1;
}

int main(void)
{
    bench_data data;
    if (!fill(&data)) {
        fprintf(stderr, "bench_costs: could not make the points\n");
        return 3;
    }
    const double inversion = median_ns(invert, &data, OPERATIONS);
    const double lists = median_ns(sum_lists, &data, 1);
    const double additions = ENTRIES / LIST_LENGTH * (LIST_LENGTH - 1);
    const double rounds = log2(LIST_LENGTH);
    printf("%s_%s %s: affine addition %.1f, inversion %.0f, XYZZ addition %.1f, doubling %.1f ns\n", CURVE_NAME,
           CURVE_GROUP, SUMAC_VARIANT_NAME, (lists - rounds * inversion) / additions, inversion,
           median_ns(add_xyzz, &data, OPERATIONS), median_ns(double_points, &data, OPERATIONS));
    return 0;
}
