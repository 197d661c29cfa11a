/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares every stage with an independent recomputation from the same input. It also compares the variant
 * under test with all others, or the device's stage with the CPU's, bit for bit. The tests check these properties:
 *
 *   recode      the digits of a scalar add up to it, or to the integer that balancing makes of it
 *   sort        every entry is in the bucket of its digit, none is lost or doubled
 *   accumulate  each bucket is the sum of its bases, and of what the chunk's earlier copy slices left there. This
 *               also holds for lists that no sort makes, of chosen lengths, with equal, opposite and infinite points.
 *               Sums of ranges add up to the sum of |d| * bucket d
 *   reduce      each module is the sum of |d| * bucket d, over the chunks so far
 *   combine     each result is the sum of 2^(c*j) * module j
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "cpu/engine.h"
#include "pipeline/plan.h"
#include "pipeline/plan_sizes.h"
#include "support/harness.h"

/* These are the inputs and artefacts of one run of the pipeline. */
typedef struct shape {
    uint32_t n;
    uint32_t batch;
    int separate;
    uint32_t c;
    uint32_t factor;
    uint32_t chunks;
    uint32_t threads;
    uint32_t modules_per_pass; /* 0 leaves the planner's choice */
    uint32_t task_entries;     /* 0 leaves the planner's choice */
    uint32_t reduction;
    int outside_subgroup;
    uint32_t scalar_bits;     /* 0 means all bits */
    int skewed;               /* 1 if scalars fill few buckets */
    int top_window_balancing; /* 1 for all intervals; then every base must have order r */
    const char *plan;         /* null leaves the planner's choice */
} shape;

/* These kinds replace those of the planner. If one is null, the planner's choice remains. */
typedef struct forced_kinds {
    const char *sort;
    const char *accumulate;
} forced_kinds;

typedef struct stage_run {
    test_group *t;
    const shape *shape;
    const forced_kinds *forced;
    char label[320];
    sumac_context *context;
    sumac_bases *bases;
    uint8_t *points;
    uint8_t *scalars;
    msm_plan plan;
    msm_job job;
    void *memory;
    workspace space;
    void *host;            /* the workspace in the host's memory, which is `memory` or a copy of a device's */
    workspace seen;        /* the layout of `host`, as `space` is that of `memory` */
    void *before;          /* the bucket sums before a copy slice */
    void *points_table;    /* the bases' table in the host's memory */
    oracle_point *table;   /* the backend's factor * count points */
    oracle_point *modules; /* expected sums of all modules so far */
    mpz_t *recombined;     /* the sum of the digits so far, for each of batch * n scalars */
    uint64_t all_modules;
    void *other; /* another variant's output */
} stage_run;

#define STAGE_ASSERT(run, condition, ...)                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            char where[160];                                                                                 \
            snprintf(where, sizeof where, __VA_ARGS__);                                                      \
            test_abort("%s: %s", (run)->label, where);                                                       \
        }                                                                                                    \
    } while (0)

/* ---- set up ---- */

/* Make bases. Some of them are equal, opposite or infinite. */
static void make_points(test_group *t, uint8_t *points, size_t count)
{
    const size_t point = t->info->point_bytes;
    ORACLE_POINT(p);
    const size_t random = count < 24 ? count : 24;
    test_random_points(t, points, NULL, random);
    for (size_t i = random; i < count;
         i++) { /* further points are sums of two earlier ones, which is cheap */
        ORACLE_POINT(q);
        oracle_point_from_raw(&t->oracle, &p, points + (i - 1) * point);
        oracle_point_from_raw(&t->oracle, &q, points + (i - random) * point);
        oracle_add(&t->oracle, &p, &p, &q);
        oracle_point_to_raw(&t->oracle, points + i * point, &p);
    }
    for (size_t i = 5; i < count; i += 7) {
        if (i % 3 == 0) {
            memset(points + i * point, 0, point);
        } else {
            oracle_point_from_raw(&t->oracle, &p, points + (i - 4) * point);
            if (i % 3 == 1) {
                oracle_neg(&t->oracle, &p, &p);
            }
            oracle_point_to_raw(&t->oracle, points + i * point, &p);
        }
    }
}

static void make_shaped_scalars(test_group *t, const shape *s, uint8_t *scalars, size_t count)
{
    const size_t bytes = t->info->scalar_bytes;
    TEST_NUMBERS(k);
    for (size_t i = 0; i < count; i++) {
        if (s->scalar_bits != 0) {
            mpz_urandomb(k, t->random, s->scalar_bits);
            mpz_mod(k, k, t->oracle.r);
        } else if (i % 16 < 4) { /* near 0, r/2 and r */
            mpz_fdiv_q_2exp(k, t->oracle.r, i % 2);
            mpz_sub_ui(k, k, i % 4 / 2 + 1 - i % 2);
        } else if (s->skewed) {
            mpz_set_ui(k, i % 3);
        } else if (i % 16 < 6) {
            test_random_bytes(t, scalars + i * bytes, bytes);
            continue;
        } else {
            mpz_urandomm(k, t->random, t->oracle.r);
        }
        oracle_scalar_to_raw(&t->oracle, scalars + i * bytes, k);
    }
}

/* Replace the planner's kind by the kind of this name, unless the next stage does not accept the new kind's output. */
static void force_kind(stage_run *run, msm_stage stage, const char *name)
{
    const stage_kind **kinds = run->plan.kinds;
    if (name != NULL) {
        const stage_kind *kind = test_find_kind(run->context->executors.at->backend,
                                                context_code(run->context, run->t->group), stage, name);
        assert_non_null(kind);
        kinds[stage] = kinds[stage + 1]->takes & kind->leaves ? kind : kinds[stage];
    }
}

static void make_plan(stage_run *run, uint32_t copy_slices)
{
    const shape *s = run->shape;
    msm_plan *plan = &run->plan;
    uint64_t missing;
    const plan_request request = {
        .group = run->t->group,
        .code = context_code(run->context, run->t->group),
        .backend = run->context->executors.at->backend,
        .n = s->n,
        .bases_count = run->bases->shards[0].table.count,
        .batch = s->batch,
        .c = s->c,
        .scalar_bits = s->scalar_bits,
        .layout = {run->t->info->scalar_bytes, 0},
        .precompute_factor = run->bases->shards[0].table.factor,
        .windows = run->bases->windows,
        .chunks = s->chunks,
        .copy_slices = copy_slices,
        .threads = s->threads,
        .outside_subgroup = s->outside_subgroup,
        .reduction = s->reduction,
        .plan_name = s->plan,
    };
    assert_int_equal(plan_make(&request, plan, &missing), SUMAC_OK);
    force_kind(run, STAGE_SORT, run->forced->sort);
    force_kind(run, STAGE_ACCUMULATE, run->forced->accumulate);
    run->all_modules = (uint64_t)plan->batch * plan->modules;
    assert_int_equal(plan->in_flight_passes, 1);
    plan->sub_batch = plan->batch; /* this test runs the stages for all MSMs */
    plan->keeps_buckets = 0;       /* the buckets of each chunk are checked */
    if (s->modules_per_pass != 0 && s->modules_per_pass < run->all_modules) {
        plan->modules_per_pass = s->modules_per_pass;
    }
    plan->passes = (uint32_t)((run->all_modules + plan->modules_per_pass - 1) / plan->modules_per_pass);
    if (s->task_entries != 0) {
        plan->task_entries = s->task_entries;
    }
    const int balances = s->top_window_balancing && plan->negate_large_scalars;
    plan->top_window_balancing =
        balances ? plan_intervals(&registered(run->t->group)->scalars, plan->windows, plan->c) : 1;
    plan->threads = s->threads; /* also if the planner would use only one thread */
    workspace_measure(plan, request.code);
}

/* Copy bytes to the memory in which the stages work. */
static void put(const stage_run *run, void *to, const void *from, size_t bytes)
{
    const device_ops *device = run->context->executors.at->backend->device;
    if (device == NULL) {
        memcpy(to, from, bytes);
    } else {
        assert_int_equal(device->upload(run->context->executors.at->engine, to, from, bytes), SUMAC_OK);
    }
}

/* Copy the last stage's output to `seen`. */
static void look(const stage_run *run)
{
    const device_ops *device = run->context->executors.at->backend->device;
    if (device != NULL) {
        assert_int_equal(device->download(run->context->executors.at->engine, run->host, run->memory,
                                          run->plan.bytes_workspace),
                         SUMAC_OK);
    }
}

static void begin_run(stage_run *run, test_group *t, const shape *s, const forced_kinds *forced,
                      uint32_t copy_slices)
{
    const size_t count = s->separate ? (size_t)s->n * s->batch : s->n;
    memset(run, 0, sizeof *run);
    run->t = t;
    run->shape = s;
    run->forced = forced;
    snprintf(
        run->label, sizeof run->label,
        "plan %s, %s/%s n %u, batch %u%s, c %u, f %u, chunks %u, threads %u, modules a pass %u, task %u, "
        "reduction %d, copy slices %u, %s, %s, %s%s",
        s->plan == NULL ? "auto" : s->plan, t->info->curve, t->info->name, s->n, s->batch,
        s->separate ? " separate" : "", s->c, s->factor, s->chunks, s->threads, s->modules_per_pass,
        s->task_entries, (int)s->reduction, copy_slices, forced->sort == NULL ? "any sort" : forced->sort,
        forced->accumulate == NULL ? "any accumulate" : forced->accumulate,
        s->outside_subgroup ? "outside the subgroup" : "in the subgroup",
        s->top_window_balancing ? ", spread" : "");
    run->points = test_alloc(count * t->info->point_bytes);
    run->scalars = test_alloc((size_t)s->n * s->batch * t->info->scalar_bytes);
    make_points(t, run->points, count);
    make_shaped_scalars(t, s, run->scalars, (size_t)s->n * s->batch);

    run->context = test_context(s->threads, 0);
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = s->factor;
    config.tuning = test_tuning("c=%u", s->c);
    config.scalar_bits = s->scalar_bits;
    config.outside_subgroup = (uint32_t)s->outside_subgroup;
    run->bases = test_bases(run->context, t, run->points, count, &config);
    make_plan(run, copy_slices);
    run->memory = run->context->executors.at->backend->allocate(run->context->executors.at->engine,
                                                                run->plan.bytes_workspace);
    assert_non_null(run->memory);
    run->host =
        run->context->executors.at->engine == NULL ? run->memory : test_alloc(run->plan.bytes_workspace);
    memset(run->host, 0x5a, run->plan.bytes_workspace);
    if (run->host != run->memory) {
        put(run, run->memory, run->host, run->plan.bytes_workspace);
    }
    run->job = (msm_job){
        .group = t->group,
        .code = context_code(run->context, t->group),
        .plan = &run->plan,
        .bases = run->bases->shards[0].table,
        .scalars = run->scalars,
        .layout = {t->info->scalar_bytes, 0},
        .result_bytes = t->info->point_bytes,
        .base_sets = s->separate ? run->plan.batch : 1,
        .threads = s->threads,
        .pool = run->context->pool,
        .engine = run->context->executors.at->engine,
    };
    run->space = workspace_at(&run->plan, run->job.code, run->memory, 0);
    run->seen = workspace_at(&run->plan, run->job.code, run->host, 0);
    run->before = test_alloc(run->plan.bytes_buckets);
    run->other = test_alloc(run->plan.bytes_workspace);

    const bases_table *table = &run->bases->shards[0].table;
    const uint64_t table_points = table->count * table->factor;
    run->points_table = test_alloc(table_points * run->job.code->affine_bytes);
    assert_int_equal(bases_copy(run->context, run->bases, 0, table_points, run->points_table), SUMAC_OK);
    run->table = test_alloc(table_points * sizeof *run->table);
    for (size_t i = 0; i < table->count * table->factor; i++) {
        oracle_point_init(&run->table[i]);
        oracle_point_from_affine(&t->oracle, &run->table[i],
                                 (const char *)run->points_table + i * run->job.code->affine_bytes);
    }
    run->modules = test_alloc(run->all_modules * sizeof *run->modules);
    for (uint64_t g = 0; g < run->all_modules; g++) {
        oracle_point_init(&run->modules[g]);
    }
    run->recombined = test_alloc((size_t)s->n * s->batch * sizeof *run->recombined);
    for (size_t i = 0; i < (size_t)s->n * s->batch; i++) {
        mpz_init(run->recombined[i]);
    }
}

static void end_run(stage_run *run)
{
    for (size_t i = 0; i < run->bases->shards[0].table.count * run->bases->shards[0].table.factor; i++) {
        oracle_point_clear(&run->table[i]);
    }
    for (uint64_t g = 0; g < run->all_modules; g++) {
        oracle_point_clear(&run->modules[g]);
    }
    for (size_t i = 0; i < (size_t)run->shape->n * run->shape->batch; i++) {
        mpz_clear(run->recombined[i]);
    }
    if (run->host != run->memory) {
        free(run->host);
    }
    run->context->executors.at->backend->release(run->memory);
    sumac_bases_destroy(run->bases);
    sumac_context_destroy(run->context);
    free(run->table);
    free(run->modules);
    free(run->recombined);
    free(run->points);
    free(run->scalars);
    free(run->other);
    free(run->before);
    free(run->points_table);
}

/* ---- the tables of bases ---- */

/* Multiple t of a base is 2^(shift*t) times the base. */
static void check_table(const stage_run *run)
{
    const oracle *o = &run->t->oracle;
    const bases_table *table = &run->bases->shards[0].table;
    ORACLE_POINT(expected);
    for (uint64_t i = 0; i < table->count; i++) {
        oracle_point_from_raw(o, &expected, run->points + i * run->t->info->point_bytes);
        for (uint32_t m = 0; m < table->factor; m++) {
            STAGE_ASSERT(run, oracle_point_equal(&expected, &run->table[m * table->count + i]),
                         "multiple %u of base %u is wrong", m, (unsigned)i);
            for (uint32_t bit = 0; bit < run->bases->shift; bit++) {
                oracle_add(o, &expected, &expected, &expected);
            }
        }
    }
}

/* ---- recode ---- */

static uint32_t code_at(const stage_run *run, const msm_pass *pass, uint64_t module, uint32_t t, uint64_t i)
{
    return run->seen.digits.codes[(module * run->plan.precompute_factor + t) * pass->n + i];
}

static void check_recode(stage_run *run, const msm_pass *pass)
{
    const msm_plan *plan = &run->plan;
    TEST_NUMBERS(term);
    for (uint64_t m = 0; m < pass->modules; m++) {
        const uint64_t msm = (pass->first_module + m) / plan->modules,
                       j = (pass->first_module + m) % plan->modules;
        for (uint32_t t = 0; t < plan->precompute_factor; t++) {
            const uint64_t window = t * plan->modules + j;
            for (uint64_t i = 0; i < pass->n; i++) {
                const uint32_t code = code_at(run, pass, m, t, i);
                STAGE_ASSERT(run, code >> 1 <= plan->buckets, "digit %u is above 2^(c-1)", code >> 1);
                STAGE_ASSERT(run, window < plan->windows || code == 0, "a digit above the last window");
                mpz_set_ui(term, code >> 1);
                mpz_mul_2exp(term, term, window * plan->c);
                mpz_ptr sum = run->recombined[msm * plan->n + pass->first + i];
                if (code & 1) {
                    mpz_sub(sum, sum, term);
                } else {
                    mpz_add(sum, sum, term);
                }
            }
        }
    }
}

/* Return the interval to which balancing moves scalar i of an MSM. This is the fraction of i times the golden section,
 * in 32 bits, times the number of intervals. `least` is the smaller of k and r - k. If its top 64 bits are 0, the
 * result is interval 0. */
static uint32_t interval_of(const stage_run *run, const mpz_t least, size_t i)
{
    const size_t low_bits = run->t->info->scalar_bytes * 8u - 64;
    mpz_t part;
    mpz_init_set_ui(part, 0x9e3779b9);
    mpz_mul_ui(part, part, i);
    mpz_fdiv_r_2exp(part, part, 32);
    mpz_mul_ui(part, part, run->plan.top_window_balancing);
    mpz_fdiv_q_2exp(part, part, 32);
    const int balances = mpz_sgn(least) != 0 && mpz_sizeinbase(least, 2) > low_bits;
    const uint32_t interval = balances ? (uint32_t)mpz_get_ui(part) : 0;
    mpz_clear(part);
    return interval;
}

/* Replace k by the integer to which its digits must add up. Every interval [s*r/2, (s + 1)*r/2) has one integer that is
 * k or r - k modulo r. If it is r - k, the expected integer is negative. */
static void expected_integer(const stage_run *run, mpz_t k, size_t i)
{
    const oracle *o = &run->t->oracle;
    TEST_NUMBERS(other, low, high);
    mpz_mod(k, k, o->r);
    mpz_sub(other, o->r, k);
    if (run->plan.negate_large_scalars && mpz_sgn(k) != 0) {
        const int is_low = mpz_cmp(k, other) < 0;
        mpz_set(low, is_low ? k : other);
        mpz_set(high, is_low ? other : k);
        const uint32_t interval = interval_of(run, low, i);
        mpz_mul_ui(k, o->r, interval / 2);
        mpz_add(k, k, interval % 2 == 0 ? low : high);
        if ((interval % 2 == 0) != is_low) {
            mpz_neg(k, k);
        }
    }
}

/* After the last pass the digits of each scalar must add up to the scalar. */
static void check_recombined(stage_run *run)
{
    TEST_NUMBERS(k);
    for (size_t i = 0; i < (size_t)run->shape->n * run->shape->batch; i++) {
        oracle_scalar_from_raw(&run->t->oracle, k, run->scalars + i * run->t->info->scalar_bytes);
        expected_integer(run, k, i % run->shape->n);
        STAGE_ASSERT(run, mpz_cmp(k, run->recombined[i]) == 0, "the digits of scalar %zu do not add up to it",
                     i);
    }
}

/* ---- sort ---- */

static void check_sort(stage_run *run, const msm_pass *pass)
{
    const msm_plan *plan = &run->plan;
    const uint64_t count = run->bases->shards[0].table.count, buckets = pass->modules * plan->buckets;
    const uint32_t *starts = run->seen.lists.starts, *entries = run->seen.lists.entries;
    uint64_t digits = 0;
    for (uint64_t i = 0; i < pass->modules * plan->precompute_factor * pass->n; i++) {
        digits += run->seen.digits.codes[i] != 0;
    }
    STAGE_ASSERT(run, starts[0] == 0 && starts[buckets] == digits, "%u entries for %u digits",
                 starts[buckets], (unsigned)digits);
    AUTO_FREE uint8_t *seen = calloc(pass->modules * plan->precompute_factor * pass->n + 1, 1);
    assert_non_null(seen);
    for (uint64_t b = 0; b < buckets; b++) {
        const uint64_t module = b / plan->buckets, msm = (pass->first_module + module) / plan->modules;
        const uint64_t first = pass->first + msm % run->job.base_sets * plan->n;
        STAGE_ASSERT(run, starts[b] <= starts[b + 1], "starts fall at bucket %u", (unsigned)b);
        for (uint32_t e = starts[b]; e < starts[b + 1]; e++) {
            const uint64_t index = entries[e] >> 1, t = index / count, i = index % count - first;
            STAGE_ASSERT(run, t < plan->precompute_factor && index % count >= first && i < pass->n,
                         "entry %u is no base of this pass", e);
            const uint32_t code = code_at(run, pass, module, (uint32_t)t, i);
            STAGE_ASSERT(run, code >> 1 == b % plan->buckets + 1 && (code & 1) == (entries[e] & 1),
                         "entry %u is in the wrong bucket", e);
            uint8_t *mark = &seen[(module * plan->precompute_factor + t) * pass->n + i];
            STAGE_ASSERT(run, *mark == 0, "entry %u is there twice", e);
            *mark = 1;
        }
    }
}

/* ---- accumulate ---- */

static int leaves_range_sums(const stage_run *run)
{
    return run->plan.kinds[STAGE_ACCUMULATE]->leaves == RANGE_SUMS;
}

static size_t sum_bytes(const stage_run *run)
{
    return run->plan.kinds[STAGE_ACCUMULATE]->leaves == AFFINE_BUCKETS ? run->job.code->affine_bytes
                                                                       : run->job.code->xyzz_bytes;
}

/* Return the bytes of all sums that accumulate leaves in a pass. */
static size_t all_sum_bytes(const stage_run *run, const msm_pass *pass)
{
    return pass->modules * plan_module_sums(&run->plan) * sum_bytes(run);
}

/* Read sum `index` of the array `sums`. */
static void sum_among(const stage_run *run, oracle_point *sum, const void *sums, uint64_t index)
{
    const char *place = (const char *)sums + index * sum_bytes(run);
    if (run->plan.kinds[STAGE_ACCUMULATE]->leaves == AFFINE_BUCKETS) {
        oracle_point_from_affine(&run->t->oracle, sum, place);
    } else {
        oracle_point_from_xyzz(&run->t->oracle, sum, place);
    }
}

static void sum_at(const stage_run *run, oracle_point *sum, uint64_t index)
{
    sum_among(run, sum, run->seen.buckets.points, index);
}

/* Add the points of a bucket's list to the sum. */
static void add_list(const stage_run *run, oracle_point *sum, uint64_t bucket)
{
    const bucket_lists *lists = &run->seen.lists;
    ORACLE_POINT(point);
    for (uint32_t e = lists->starts[bucket]; e < lists->starts[bucket + 1]; e++) {
        oracle_point_set(&point, &run->table[lists->entries[e] >> 1]);
        if (lists->entries[e] & 1) {
            oracle_neg(&run->t->oracle, &point, &point);
        }
        oracle_add(&run->t->oracle, sum, sum, &point);
    }
}

/* The sums of a module's ranges must add up to the sum of |d| * bucket d. */
static void check_ranges(stage_run *run, const msm_pass *pass)
{
    const oracle *o = &run->t->oracle;
    const uint64_t sums = plan_module_sums(&run->plan);
    ORACLE_POINT(expected);
    ORACLE_POINT(actual);
    ORACLE_POINT(point);
    TEST_NUMBERS(digit);
    for (uint64_t m = 0; m < pass->modules; m++) {
        oracle_point_set_infinity(&expected);
        oracle_point_set_infinity(&actual);
        for (uint64_t b = 0; b < run->plan.buckets; b++) {
            oracle_point_set_infinity(&point);
            add_list(run, &point, m * run->plan.buckets + b);
            mpz_set_ui(digit, b + 1);
            oracle_mul(o, &point, digit, &point);
            oracle_add(o, &expected, &expected, &point);
        }
        for (uint64_t i = 0; i < sums; i++) {
            sum_at(run, &point, m * sums + i);
            oracle_add(o, &actual, &actual, &point);
            if (pass->first != pass->chunk_first) {
                sum_among(run, &point, run->before, m * sums + i);
                oracle_add(o, &expected, &expected, &point);
            }
        }
        STAGE_ASSERT(run, oracle_point_equal(&expected, &actual), "the ranges of module %u are wrong",
                     (unsigned)m);
    }
}

static void check_accumulate(stage_run *run, const msm_pass *pass)
{
    const bucket_lists *lists = &run->seen.lists;
    ORACLE_POINT(sum);
    ORACLE_POINT(point);
    for (uint64_t b = 0; b < pass->modules * run->plan.buckets; b++) {
        if (pass->first == pass->chunk_first) {
            oracle_point_set_infinity(&sum);
        } else {
            sum_among(run, &sum, run->before, b);
        }
        add_list(run, &sum, b);
        sum_at(run, &point, b);
        STAGE_ASSERT(run, oracle_point_equal(&sum, &point), "bucket %u of %u entries is wrong", (unsigned)b,
                     lists->starts[b + 1] - lists->starts[b]);
    }
}

/* ---- reduce ---- */

/* Compute module g, which is the sum of 2^l times its part l. */
static void module_from_parts(const stage_run *run, oracle_point *sum, uint64_t g)
{
    const oracle *o = &run->t->oracle;
    const uint32_t count = run->plan.module_parts;
    ORACLE_POINT(part);
    oracle_point_set_infinity(sum);
    for (uint32_t l = count; l-- > 0;) {
        oracle_point_from_xyzz(
            o, &part, (const char *)run->seen.modules.points + (g * count + l) * run->job.code->xyzz_bytes);
        oracle_add(o, sum, sum, sum);
        oracle_add(o, sum, sum, &part);
    }
}

static void check_reduce(stage_run *run, const msm_pass *pass)
{
    const oracle *o = &run->t->oracle;
    ORACLE_POINT(bucket);
    ORACLE_POINT(actual);
    TEST_NUMBERS(digit);
    const uint64_t sums = plan_module_sums(&run->plan);
    for (uint64_t m = 0; m < pass->modules; m++) {
        oracle_point *expected = &run->modules[pass->first_module + m];
        for (uint64_t b = 0; b < sums; b++) {
            sum_at(run, &bucket, m * sums + b);
            mpz_set_ui(digit, leaves_range_sums(run) ? 1 : b + 1);
            oracle_mul(o, &bucket, digit, &bucket);
            oracle_add(o, expected, expected, &bucket);
        }
        module_from_parts(run, &actual, pass->first_module + m);
        STAGE_ASSERT(run, oracle_point_equal(expected, &actual), "module %u is wrong",
                     (unsigned)(pass->first_module + m));
    }
}

/* ---- combine ---- */

static void check_combine(stage_run *run, const uint8_t *results)
{
    const oracle *o = &run->t->oracle;
    const msm_plan *plan = &run->plan;
    ORACLE_POINT(sum);
    ORACLE_POINT(actual);
    TEST_NUMBERS(shift);
    mpz_setbit(shift, plan->c);
    for (uint32_t msm = 0; msm < plan->batch; msm++) {
        oracle_point_set_infinity(&sum);
        for (uint32_t j = plan->modules; j-- > 0;) {
            oracle_mul(o, &sum, shift, &sum);
            oracle_add(o, &sum, &sum, &run->modules[(uint64_t)msm * plan->modules + j]);
        }
        oracle_point_from_raw(o, &actual, results + (size_t)msm * run->t->info->point_bytes);
        STAGE_ASSERT(run, oracle_point_equal(&sum, &actual), "result %u is wrong", msm);
    }
}

/* ---- comparing other variants bit for bit ---- */

static int variant_runs_here(const char *variant)
{
    CLEANUP(destroy_context) sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    config.tuning = test_tuning("variant=%s", variant);
    const int runs = sumac_context_create(&config, &context, NULL) == SUMAC_OK;
    return runs;
}

/* Call `compare` for each other variant. It gets a job of the variant's code on the same input, the variant's kind of
 * the stage, and scratch memory, whose size depends on the variant. */
static void for_other_variants(stage_run *run, const msm_pass *pass, msm_stage stage,
                               void (*compare)(stage_run *run, const stage_kind *kind, const msm_job *job,
                                               const msm_pass *pass, void *scratch))
{
    const backend *b = run->context->executors.at->backend;
    if (b->device != NULL) {
        return;
    }
    for (const group_code *const *code = registered(run->t->group)->variants; *code != NULL; code++) {
        if (*code != run->job.code && variant_runs_here((*code)->variant)) {
            msm_job job = run->job;
            const stage_kind *kind = test_find_kind(b, *code, stage, run->plan.kinds[stage]->name);
            assert_non_null(kind);
            void *scratch =
                b->allocate(NULL, kind->scratch_bytes == NULL ? 0 : kind->scratch_bytes(*code, &run->plan));
            assert_non_null(scratch);
            job.code = *code;
            compare(run, kind, &job, pass, scratch);
            b->release(scratch);
        }
    }
}

static void compare_accumulate(stage_run *run, const stage_kind *kind, const msm_job *job,
                               const msm_pass *pass, void *scratch)
{
    bucket_sums sums = {run->other, NULL};
    const size_t bytes = all_sum_bytes(run, pass);
    assert_int_equal(kind->run.accumulate(job, pass, &run->space.lists, &sums, scratch), SUMAC_OK);
    STAGE_ASSERT(run, memcmp(run->other, run->space.buckets.points, bytes) == 0,
                 "accumulate: variant %s differs", job->code->variant);
}

static void compare_reduce(stage_run *run, const stage_kind *kind, const msm_job *job, const msm_pass *pass,
                           void *scratch)
{
    module_sums sums = {run->other};
    const size_t bytes = run->all_modules * run->plan.module_parts * job->code->xyzz_bytes;
    if (pass->chunk_first != 0) {
        return; /* the modules' sums before this chunk are overwritten */
    }
    memcpy(run->other, run->space.modules.points, bytes);
    assert_int_equal(kind->run.reduce(job, pass, &run->space.buckets, &sums, scratch), SUMAC_OK);
    STAGE_ASSERT(run, memcmp(run->other, run->space.modules.points, bytes) == 0, "reduce: variant %s differs",
                 job->code->variant);
}

/* ---- comparing a device with the CPU bit for bit ---- */

/* Digits and the sums of buckets are compared. The order within a list depends on the sort, and the parts of a module
 * are not affine. Therefore these are only checked as above. */

static msm_job cpu_job(const stage_run *run)
{
    msm_job job = run->job;
    job.engine = NULL;
    job.bases.points = run->points_table;
    return job;
}

static const stage_kind *cpu_kind(const stage_run *run, msm_stage stage, const char *name)
{
    const stage_kind *kind = test_find_kind(&cpu_backend, run->job.code, stage, name);
    assert_non_null(kind);
    return kind;
}

/* Return the pass with the inputs in the CPU's memory. */
static msm_pass cpu_pass(const msm_job *job, const msm_pass *pass)
{
    msm_pass on_cpu = *pass;
    assert_int_equal(cpu_backend.feed->await(job, NULL, &on_cpu), SUMAC_OK);
    return on_cpu;
}

static void compare_digits_with_cpu(stage_run *run, const msm_pass *pass)
{
    const msm_job job = cpu_job(run);
    const msm_pass on_cpu = cpu_pass(&job, pass);
    digit_table digits = {.codes = run->other};
    const uint64_t codes = pass->modules * run->plan.precompute_factor * pass->n;
    if (run->context->executors.at->engine != NULL) {
        const stage_kind *kind = cpu_kind(run, STAGE_RECODE, run->plan.kinds[STAGE_RECODE]->name);
        assert_int_equal(kind->run.recode(&job, &on_cpu, &digits), SUMAC_OK);
        STAGE_ASSERT(run, memcmp(run->other, run->seen.digits.codes, codes * sizeof(uint32_t)) == 0,
                     "recode: the CPU's digits differ");
    }
}

static void compare_sums_with_cpu(stage_run *run, const msm_pass *pass)
{
    msm_job job = cpu_job(run);
    msm_plan plan = run->plan;
    bucket_sums sums = {run->other, NULL};
    if (run->context->executors.at->engine == NULL || pass->first != pass->chunk_first ||
        run->plan.kinds[STAGE_ACCUMULATE]->leaves != AFFINE_BUCKETS) {
        return;
    }
    const stage_kind *kind = cpu_kind(run, STAGE_ACCUMULATE, "batched-affine");
    const msm_pass on_cpu = cpu_pass(&job, pass);
    plan.task_entries = 256; /* set here, because a device's plan has no tasks */
    job.plan = &plan;
    void *scratch = cpu_backend.allocate(NULL, kind->scratch_bytes(job.code, &plan));
    assert_non_null(scratch);
    assert_int_equal(kind->run.accumulate(&job, &on_cpu, &run->seen.lists, &sums, scratch), SUMAC_OK);
    STAGE_ASSERT(run,
                 memcmp(run->other, run->seen.buckets.points,
                        pass->modules * run->plan.buckets * job.code->affine_bytes) == 0,
                 "accumulate: the CPU's sums differ");
    cpu_backend.release(scratch);
}

/* ---- running the pipeline ---- */

static void run_accumulate(stage_run *run, const msm_pass *pass)
{
    workspace *space = &run->space;
    assert_int_equal(run->plan.kinds[STAGE_ACCUMULATE]->run.accumulate(&run->job, pass, &space->lists,
                                                                       &space->buckets, space->scratch),
                     SUMAC_OK);
    look(run);
    if (leaves_range_sums(run)) {
        check_ranges(run, pass);
    } else {
        check_accumulate(run, pass);
    }
    for_other_variants(run, pass, STAGE_ACCUMULATE, compare_accumulate);
    compare_sums_with_cpu(run, pass);
}

static void run_copy_slice(stage_run *run, msm_pass *pass)
{
    const stage_kind *const *kinds = run->plan.kinds;
    workspace *space = &run->space;
    assert_int_equal(run->context->executors.at->backend->feed->await(&run->job, &space->feed, pass),
                     SUMAC_OK);
    assert_int_equal(kinds[STAGE_RECODE]->run.recode(&run->job, pass, &space->digits), SUMAC_OK);
    look(run);
    check_recode(run, pass);
    assert_int_equal(
        kinds[STAGE_SORT]->run.sort(&run->job, pass, &space->digits, &space->lists, space->scratch),
        SUMAC_OK);
    look(run);
    check_sort(run, pass);
    memcpy(run->before, run->seen.buckets.points, all_sum_bytes(run, pass));
    compare_digits_with_cpu(run, pass);
    run_accumulate(run, pass);
}

static void run_pass(stage_run *run, msm_pass *pass)
{
    workspace *space = &run->space;
    for (pass->copy_slice = 0; pass->copy_slice < run->plan.copy_slices; pass->copy_slice++) {
        const uint64_t start =
            copy_slice_start(&run->plan, pass->chunk_first, pass->chunk_n, pass->copy_slice);
        pass->first = pass->chunk_first + start;
        pass->n =
            copy_slice_start(&run->plan, pass->chunk_first, pass->chunk_n, pass->copy_slice + 1) - start;
        if (pass->n > 0) {
            run_copy_slice(run, pass);
        }
    }
    assert_int_equal(run->plan.kinds[STAGE_REDUCE]->run.reduce(&run->job, pass, &space->buckets,
                                                               &space->modules, space->scratch),
                     SUMAC_OK);
    look(run);
    check_reduce(run, pass);
    for_other_variants(run, pass, STAGE_REDUCE, compare_reduce);
}

static void run_stages(test_group *t, const shape *s, const forced_kinds *forced, uint32_t copy_slices)
{
    CLEANUP(end_run) stage_run run = {0};
    begin_run(&run, t, s, forced, copy_slices);
    check_table(&run);
    const backend *b = run.context->executors.at->backend;
    msm_pass pass = {0};
    const uint64_t chunk = (s->n + run.plan.chunks - 1) / run.plan.chunks;
    for (pass.chunk_first = 0; pass.chunk_first < s->n; pass.chunk_first += chunk) {
        pass.chunk_n = chunk < s->n - pass.chunk_first ? chunk : s->n - pass.chunk_first;
        assert_int_equal(b->feed->begin(&run.job, pass.chunk_first, pass.chunk_n, &run.space.feed), SUMAC_OK);
        for (pass.first_module = 0; pass.first_module < run.all_modules;
             pass.first_module += run.plan.modules_per_pass) {
            const uint64_t left = run.all_modules - pass.first_module;
            pass.modules = run.plan.modules_per_pass < left ? run.plan.modules_per_pass : left;
            run_pass(&run, &pass);
            pass.index++;
        }
    }
    check_recombined(&run);
    AUTO_FREE uint8_t *results = test_alloc(s->batch * (size_t)t->info->point_bytes);
    void *points = NULL;
    assert_int_equal(b->feed->end(&run.job), SUMAC_OK);
    assert_int_equal(b->deliver->begin(&run.job, results, &points), SUMAC_OK);
    assert_int_equal(run.plan.kinds[STAGE_COMBINE]->run.combine(&run.job, &run.space.modules, points),
                     SUMAC_OK);
    assert_int_equal(b->deliver->end(&run.job, points, results), SUMAC_OK);
    check_combine(&run, results);
}

/* Each shape tests something that the others do not. */
/* clang-format off */
#define RUNNING REDUCTION_RUNNING_SUM
#define HALVING REDUCTION_HALVING
static const shape small_shapes[] = {
    /* The columns are n batch sep c f chunks threads modules task reduction outside bits skewed spread plan. */
    { 40,  1,  0,   4, 1,  1,     1,      0,     0,  RUNNING,    0,     0,   0,   1, NULL},
    { 40,  1,  0,   5, 1,  1,     2,      0,     0,  HALVING,    0,     0,   0,   0, NULL},
    {  9,  1,  0,   1, 1,  1,     3,      0,     0,  HALVING,    0,     0,   0,   0, NULL},
    {  9,  1,  0,   1, 4,  2,     1,      0,     0,  RUNNING,    0,     0,   0,   0, NULL},
    { 31,  1,  0,   2, 3,  3,     2,      5,    16,  RUNNING,    0,     0,   0,   1, NULL},
    { 50,  1,  0,   7, 2,  2,     3,      7,    16,  HALVING,    0,     0,   0,   1, NULL},
    { 12,  4,  0,   3, 2,  2,     2,     50,     0,  HALVING,    0,     0,   0,   1, NULL},
    { 50,  1,  0,   7, 1,  1,     2,      0,     0,  RUNNING,    1,     0,   0,   0, NULL},
    { 12,  4,  1,   6, 3,  1,     3,     11,    33,  RUNNING,    0,     0,   0,   1, NULL},
    { 30,  2,  1,   3, 5,  3,     1,      0,     0,  HALVING,    1,     0,   0,   0, NULL},
    { 60,  1,  0,   8, 1,  1,     2,      0,    64,  HALVING,    0,    33,   0,   0, NULL},
    {400,  1,  0,   5, 1,  1,     3,      0,    16,  HALVING,    0,     0,   1,   0, NULL},
    { 60,  1,  0,   7, 1,  1,     2,      0,     0,  HALVING,    0,     0,   1,   1, NULL},
    { 40,  1,  0,   8, 9,  1,     2,      3,     0,  HALVING,    0,     0,   0,   1, NULL},
};
/* These have enough bases and buckets for whole rounds of batched additions and several levels of halving. With 20
 * modules of 2^13 buckets, a device does the first levels in a copy. */
static const shape large_shapes[] = {
    { 10, 20,  0,  14, 64, 1,     2,      0,     0,  HALVING,    0,     0,   0,   0, NULL},
    {700,  1,  0,  12, 1,  1,     2,      2,     0,  HALVING,    0,    24,   0,   0, NULL},
    {700,  1,  0,  12, 1,  1,     2,      2,     0,  RUNNING,    0,    24,   0,   0, NULL},
    {900,  1,  0,   9, 2,  1,     3,      0,   256,  HALVING,    0,    40,   0,   0, NULL},
};
/* clang-format on */

/* These shapes are for named plans. A backend may lack some plans. There are many bases in one group, groups that are
 * not full, chunks of different sizes, and split windows of odd numbers of bits. speakspeak treats a last window
 * separately if it is alone in its module and has one or two bits, but not with three. */
/* clang-format off */
#define ANY REDUCTION_AUTO
static const shape plan_shapes[] = {
    /* The columns are n batch sep c f chunks threads modules task reduction outside bits skewed spread plan. */
    {257,  1,  0,   1, 1,  2,     3,      7,     0,  ANY,        0,     9,   0,   0, "baseline"},
    {140,  2,  1,   1, 3,  1,     2,      0,     0,  RUNNING,    0,    10,   0,   0, "baseline"},
    { 25,  1,  0,   1, 1,  1,     1,      0,     0,  ANY,        1,     0,   0,   0, "baseline"},
    { 60,  1,  0,   8, 1,  1,     2,      0,     0,  ANY,        0,    33,   0,   0, "speakspeak"},
    { 30,  2,  1,   8, 1,  2,     3,      4,     0,  RUNNING,    0,    34,   0,   0, "speakspeak"},
    { 30,  1,  0,   8, 1,  1,     2,      0,     0,  ANY,        1,    35,   0,   0, "speakspeak"},
    { 60,  1,  0,   5, 3,  3,     3,      2,     0,  ANY,        0,     0,   1,   0, "speakspeak"},
    {  9,  1,  0,   1, 1,  1,     1,      0,     0,  ANY,        0,     0,   0,   0, "speakspeak"},
    {200,  1,  0,   6, 1,  2,     3,      3,     0,  ANY,        0,    20,   0,   0, "sixblock"},
    { 40,  2,  1,  11, 2,  1,     2,      0,     0,  RUNNING,    0,    30,   0,   0, "sixblock"},
    { 60,  1,  0,   4, 1,  1,     1,      0,     0,  ANY,        1,     0,   1,   0, "sixblock"},
    {  9,  1,  0,   1, 1,  1,     4,      0,     0,  ANY,        0,     0,   0,   0, "sixblock"},
    {400,  1,  0,   5, 1,  1,     3,      0,     0,  ANY,        0,     0,   1,   0, "icicle"},
    { 50,  2,  1,   9, 2,  2,     2,      3,     0,  HALVING,    0,    30,   0,   0, "icicle"},
    {  9,  1,  0,   1, 1,  1,     1,      0,     0,  ANY,        1,     0,   0,   0, "icicle"},
    { 50,  2,  1,   9, 2,  2,     2,      3,     0,  RUNNING,    0,    30,   0,   0, "icicle-triangle"},
    {400,  1,  0,   8, 1,  1,     2,      0,     0,  ANY,        0,    24,   1,   0, "icicle-triangle"},
    {300,  1,  0,   7, 1,  1,     3,      0,     0,  ANY,        0,     0,   1,   0, "mikevoronov"},
    { 30,  2,  1,   6, 1,  2,     2,      5,     0,  RUNNING,    1,     0,   0,   0, "mikevoronov"},
    { 60,  1,  0,  11, 1,  1,     1,      0,     0,  ANY,        0,    40,   0,   0, "mikevoronov"},
    { 40,  1,  0,  11, 4,  1,     2,      0,     0,  ANY,        0,     0,   0,   0, "matterlabs"},
    {300,  1,  0,   5, 1,  2,     3,      9,     0,  HALVING,    0,    25,   1,   0, "matterlabs"},
    { 20,  2,  1,   2, 1,  1,     1,      0,     0,  ANY,        1,     9,   0,   0, "matterlabs"},
    {  9,  1,  0,   1, 2,  2,     2,      0,     0,  ANY,        0,     0,   0,   0, "matterlabs"},
    { 40,  1,  0,   8, 6,  1,     2,      0,     0,  ANY,        0,     0,   0,   0, "yrrid"},
    {300,  1,  0,   6, 1,  2,     3,      4,     0,  RUNNING,    0,     0,   1,   0, "yrrid"},
    {400,  1,  0,   5, 1,  1,     1,      0,     0,  ANY,        0,     0,   1,   0, "cuzk"},
    { 50,  2,  1,   9, 2,  2,     1,      3,     0,  RUNNING,    0,    30,   0,   0, "cuzk"},
    {  9,  1,  0,   1, 1,  1,     1,      0,     0,  ANY,        1,     0,   0,   0, "cuzk"},
};
/* clang-format on */

/* Only a device copies scalars in copy slices. */
static uint32_t copy_slices_of(size_t turn)
{
    return strcmp(options.backend, "cpu") == 0 ? 1 : 1 + (uint32_t)turn % 4;
}

static const forced_kinds none_forced = {NULL, NULL};

/* On a device the planner chooses the first kinds for many entries, and the second for few. */
static const forced_kinds device_kinds[] = {{"counting", "batched-affine-quads"}, {"ranks", "xyzz-quads"}};

/* Return the kinds with which a shape is run, one after another. */
static const forced_kinds *kinds_to_run(size_t *count)
{
    const int is_cpu = strcmp(options.backend, "cpu") == 0;
    *count = is_cpu ? 1 : sizeof device_kinds / sizeof *device_kinds;
    return is_cpu ? &none_forced : device_kinds;
}

static void run_with_kinds(test_group *t, const shape *s, uint32_t copy_slices)
{
    size_t count;
    const forced_kinds *kinds = kinds_to_run(&count);
    for (size_t k = 0; k < count; k++) {
        run_stages(t, s, &kinds[k], copy_slices);
    }
}

static void test_all_stages(void **state)
{
    for (size_t i = 0; i < sizeof small_shapes / sizeof *small_shapes; i++) {
        if (options.quick ? i % 3 == 1 : test_has_case(*state, i)) {
            run_with_kinds(*state, &small_shapes[i], copy_slices_of(i));
        }
    }
}

static void test_named_plans(void **state)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (size_t i = 0; i < sizeof plan_shapes / sizeof *plan_shapes; i++) {
        if ((options.quick ? i % 2 == 1 : test_has_case(*state, i)) &&
            test_has_plan(context, plan_shapes[i].plan)) {
            run_stages(*state, &plan_shapes[i], &none_forced, copy_slices_of(i));
        }
    }
}

static void test_many_buckets(void **state)
{
    const size_t count = sizeof large_shapes / sizeof *large_shapes;
    for (size_t i = options.quick ? count - 1 : 0; i < count; i++) {
        if (options.quick || test_has_case(*state, i)) {
            run_with_kinds(*state, &large_shapes[i], copy_slices_of(i + 1));
        }
    }
}

/* ---- accumulate on lists that no sort makes ---- */

/* These are lengths of the buckets' lists. They repeat from `again` on, until there are no buckets or entries left.
 * Further buckets are empty. */
typedef struct list_lengths {
    const char *name;
    uint32_t entries; /* the most entries of all lists together */
    uint32_t again;
    uint32_t count;
    uint32_t lengths[40];
} list_lengths;

/* After a device's first round m entries are ceil(m/2) points. The device takes other branches at powers of two of
 * that number, above 256 points of one bucket, and above 16384 additions two rounds before the end. */
/* clang-format off */
static const list_lengths list_shapes[] = {
    {"powers of two", 15000, 0, 37,
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 18, 31, 32, 33, 34, 63, 64, 65, 66, 127, 128, 129, 130, 131, 254,
      255, 256, 257, 258, 259, 510, 511, 512}},
    {"more than 512", 15000, 0, 20,
     {513, 514, 515, 1023, 1024, 1, 3, 4, 5, 6, 8, 9, 12, 13, 14, 16, 17, 132, 133, 1000}},
    {"a long one", 9000, 1, 12, {7000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}},
    {"the most to finish", 69632, 0, 1, {17}},
    {"more than can be finished", 80000, 0, 9, {500, 33, 34, 35, 36, 37, 38, 39, 40}},
};
/* clang-format on */

/* Return entry e of a bucket of this kind. */
static uint32_t list_entry(const stage_run *run, uint32_t kind, uint32_t base, uint32_t e)
{
    test_group *t = run->t;
    switch (kind % 4) {
    case 0: /* random points */
        return (uint32_t)test_random_below(t, 2 * run->bases->shards[0].table.count);
    case 1: /* equal points, which are doubled on every level */
        return 2 * base;
    case 2: /* runs of a point and of its opposite, which cancel from some level on */
        return 2 * base + (e >> kind / 4 % 9 & 1);
    default: /* a few points that make_points() has made equal, opposite or infinite */
        return 2 * 12 + (uint32_t)test_random_below(t, 2 * 8);
    }
}

static void make_lists(stage_run *run, const msm_pass *pass, const list_lengths *lengths)
{
    const uint64_t buckets = pass->modules * run->plan.buckets;
    const uint64_t room = pass->modules * pass->n;
    const uint32_t most = lengths->entries < room ? lengths->entries : (uint32_t)room;
    AUTO_FREE uint32_t *starts = test_alloc((buckets + 1) * sizeof *starts);
    AUTO_FREE uint32_t *entries = test_alloc(most * sizeof *entries);
    uint32_t end = 0, next = 0, kind = 0;
    for (uint64_t b = 0; b < buckets; b++) {
        const uint32_t base = (uint32_t)test_random_below(run->t, run->bases->shards[0].table.count);
        starts[b] = end;
        for (uint32_t e = 0; e < lengths->lengths[next] && end < most; e++) {
            entries[end++] = list_entry(run, kind, base, e);
        }
        kind++;
        if (++next == lengths->count) {
            next = lengths->again;
            kind += lengths->count % 4 == 0; /* combines every length with every kind */
        }
    }
    starts[buckets] = end;
    put(run, run->space.lists.starts, starts, (buckets + 1) * sizeof *starts);
    put(run, run->space.lists.entries, entries, end * sizeof *entries);
}

static void run_lists(test_group *t, const forced_kinds *forced)
{
    static const shape s = {.n = 2560, .batch = 1, .c = 8, .factor = 1, .chunks = 1, .threads = 2};
    /* Single threads finish buckets of up to 256 points (0), of up to 20 points (1), and of any number of points. */
    static const uint32_t factors[] = {0, 1, UINT32_MAX};
    CLEANUP(end_run) stage_run run = {0};
    begin_run(&run, t, &s, forced, 1);
    msm_pass pass = {.chunk_n = s.n, .n = s.n, .modules = run.all_modules};
    const feed_ops *feed = run.context->executors.at->backend->feed;
    const size_t length = strlen(run.label);
    assert_int_equal(feed->begin(&run.job, 0, s.n, &run.space.feed), SUMAC_OK);
    assert_int_equal(feed->await(&run.job, &run.space.feed, &pass), SUMAC_OK);
    for (size_t i = 0; i < sizeof list_shapes / sizeof *list_shapes; i++) {
        if (options.quick ? list_shapes[i].entries > 10000 : !test_has_case(t, i)) {
            continue;
        }
        make_lists(&run, &pass, &list_shapes[i]);
        for (size_t j = 0;
             j < (run.context->executors.at->engine != NULL ? sizeof factors / sizeof *factors : 1); j++) {
            run.job.large_bucket_factor = factors[j];
            snprintf(run.label + length, sizeof run.label - length, ", lists: %s, large buckets %u",
                     list_shapes[i].name, factors[j]);
            run_accumulate(&run, &pass);
        }
    }
}

static void test_lists(void **state)
{
    size_t count;
    const forced_kinds *kinds = kinds_to_run(&count);
    for (size_t k = 0; k < count; k++) {
        run_lists(*state, &kinds[k]);
    }
}

static const test_entry entries[] = {
    {"all stages", test_all_stages, TEST_EVERY_AND_TINY},
    {"named plans", test_named_plans, TEST_EVERY_AND_TINY},
    {"many buckets", test_many_buckets, TEST_EVERY_GROUP},
    {"lists", test_lists, TEST_EVERY_AND_TINY},
};
TEST_MAIN("stages", entries)
