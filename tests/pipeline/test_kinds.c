/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A kind of a stage needs only a row. This file adds a kind of sort to the CPU's by one row, and a plan that names it
 * by another row, and no other code knows them. Other tests add rows that the planner must use in certain cases or must
 * never use.
 */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "cpu/engine.h"
#include "support/harness.h"

static uint32_t runs; /* how often look_at_all() has run */

/* Fill each bucket by searching all digits of its module. */
static sumac_status look_at_all(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                                bucket_lists *lists, void *scratch)
{
    const msm_plan *plan = job->plan;
    const uint64_t codes = plan_multiples(plan) * pass->n;
    uint8_t *seen = scratch;
    uint32_t end = 0;
    runs++;
    for (uint64_t b = 0; b < pass->modules * plan->buckets; b++) {
        const uint64_t module = b / plan->buckets;
        const uint64_t first_base = pass_first_base(job, pass, module);
        lists->starts[b] = end;
        for (uint64_t i = 0; i < codes; i++) {
            const uint32_t code = digits->codes[module * codes + i];
            if (code >> 1 == b % plan->buckets + 1) {
                const uint64_t multiple = i / pass->n;
                lists->entries[end++] =
                    (uint32_t)(multiple * job->bases.count + first_base + i % pass->n) << 1 | (code & 1);
            }
        }
        seen[b] = 1; /* writes to all of the scratch memory */
    }
    lists->starts[pass->modules * plan->buckets] = end;
    return SUMAC_OK;
}

static uint64_t byte_a_bucket(const group_code *code, const msm_plan *plan)
{
    (void)code;
    return plan->modules_per_pass * plan->buckets;
}

/* The kinds below cost nothing, so that the search chooses them whenever it can. */
static stage_cost nothing(const plan_request *request, const msm_plan *plan)
{
    (void)request, (void)plan;
    return (stage_cost){0, 0, 0, 0};
}

static const stage_kind sort_by_looking = {
    .stage = STAGE_SORT,
    .name = "looking",
    .takes = DIGIT_ROWS,
    .leaves = BUCKET_LISTS,
    .by_name = 1,
    .scratch_bytes = byte_a_bucket,
    .cost = nothing,
    .run = {.sort = look_at_all},
};

static const stage_kind sort_of_points = {
    .stage = STAGE_SORT,
    .name = "points",
    .takes = MODULE_PARTS,
    .leaves = BUCKET_LISTS,
    .cost = nothing,
};

/* The kind "adding" uses the CPU's accumulate, and adds later chunks to the buckets of earlier ones, as no CPU kind does. */
static const stage_kind *cpu_accumulate(const group_code *code)
{
    return test_find_kind(&cpu_backend, code, STAGE_ACCUMULATE, "batched-affine");
}

static uint32_t added; /* passes that have added to buckets */

static sumac_status accumulate_and_add(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                       bucket_sums *sums, void *scratch)
{
    const stage_kind *kind = cpu_accumulate(job->code);
    const size_t bytes = job->code->affine_bytes;
    if (!pass_adds_to_buckets(job->plan, pass)) {
        return kind->run.accumulate(job, pass, lists, sums, scratch);
    }
    bucket_sums later = {sums->behind, NULL};
    const sumac_status status = kind->run.accumulate(job, pass, lists, &later, scratch);
    uint8_t *pair = cpu_backend.allocate(NULL, 2 * bytes);
    assert_non_null(pair);
    for (uint64_t b = 0; b < pass->modules * job->plan->buckets; b++) {
        uint8_t *sum = (uint8_t *)sums->points + b * bytes;
        memcpy(pair, sum, bytes);
        memcpy(pair + bytes, (const uint8_t *)later.points + b * bytes, bytes);
        job->code->points->sum(sum, pair, 2);
    }
    cpu_backend.release(pair);
    added++;
    return status;
}

static int accepts_as_accumulate(const plan_request *request, msm_plan *plan)
{
    return cpu_accumulate(request->code)->accepts(request, plan);
}

static uint64_t bytes_of_accumulate(const group_code *code, const msm_plan *plan)
{
    return cpu_accumulate(code)->scratch_bytes(code, plan);
}

/* With this cost the search keeps the buckets. */
static stage_cost cheap_if_kept(const plan_request *request, const msm_plan *plan)
{
    (void)request;
    return (stage_cost){plan->keeps_buckets ? 0 : 1e6, 0, 0, 0};
}

static const stage_kind accumulate_adding = {
    .stage = STAGE_ACCUMULATE,
    .name = "adding",
    .takes = BUCKET_LISTS | LOOKED_UP_LISTS,
    .leaves = AFFINE_BUCKETS,
    .by_name = 1,
    .adds = 1,
    .accepts = accepts_as_accumulate,
    .scratch_bytes = bytes_of_accumulate,
    .cost = cheap_if_kept,
    .run = {.accumulate = accumulate_and_add},
};

static uint32_t reduced; /* passes that were reduced */

static const stage_kind *cpu_reduce(const group_code *code, const msm_plan *plan)
{
    const int is_sum = plan->kinds[STAGE_REDUCE]->reduction == REDUCTION_RUNNING_SUM;
    return test_find_kind(&cpu_backend, code, STAGE_REDUCE, is_sum ? "running-sum" : "halving");
}

static sumac_status reduce_and_count(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                     module_sums *modules, void *scratch)
{
    reduced++;
    return cpu_reduce(job->code, job->plan)->run.reduce(job, pass, sums, modules, scratch);
}

static int accepts_as_reduction(const plan_request *request, msm_plan *plan)
{
    return cpu_reduce(request->code, plan)->accepts(request, plan);
}

static uint64_t bytes_of_reduction(const group_code *code, const msm_plan *plan)
{
    return cpu_reduce(code, plan)->scratch_bytes(code, plan);
}

#define COUNTED(word)                                                                                        \
    {                                                                                                        \
        .stage = STAGE_REDUCE, .name = "counted", .takes = AFFINE_BUCKETS, .leaves = MODULE_PARTS,           \
        .by_name = 1, .reduction = (word), .accepts = accepts_as_reduction,                                  \
        .scratch_bytes = bytes_of_reduction, .cost = nothing, .run = {.reduce = reduce_and_count},           \
    }

static const stage_kind reduce_counted[] = {COUNTED(REDUCTION_HALVING), COUNTED(REDUCTION_RUNNING_SUM)};

/* Return a backend with the CPU's kinds and the kinds of this file, and with plans that name these. */
static backend with_rows(const stage_kind *kinds[16])
{
    static const named_plan looking = {.name = "looking", .kinds = {[STAGE_SORT] = "looking"}};
    static const named_plan unfit = {.name = "unfit", .kinds = {[STAGE_SORT] = "points"}};
    static const named_plan adding = {.name = "adding",
                                      .kinds = {[STAGE_ACCUMULATE] = "adding", [STAGE_REDUCE] = "counted"}};
    static const named_plan *const plans[] = {&looking, &unfit, &adding, NULL};
    backend engine = cpu_backend;
    uint32_t count = 0;
    kinds[count++] = &sort_of_points;
    for (; cpu_backend.kinds[count - 1] != NULL; count++) {
        kinds[count] = cpu_backend.kinds[count - 1];
    }
    kinds[count++] = &sort_by_looking;
    kinds[count++] = &accumulate_adding;
    kinds[count++] = &reduce_counted[0];
    kinds[count++] = &reduce_counted[1];
    kinds[count] = NULL;
    engine.kinds = kinds;
    engine.plans = plans;
    return engine;
}

static void test_new_kind(void **state)
{
    static const struct {
        uint32_t n;
        uint32_t factor;
        uint32_t chunks;
    } shapes[] = {{1, 1, 0}, {50, 1, 0}, {50, 3, 0}, {77, 2, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const stage_kind *kinds[16];
        const backend engine = with_rows(kinds);
        CLEANUP(test_sum_free) test_sum m = test_sum_make(*state, shapes[i].n);
        sumac_bases_config bases_config = {.size = sizeof bases_config};
        sumac_msm_config config = {.size = sizeof config};
        test_plan plan = {0};
        bases_config.precompute_factor = shapes[i].factor;
        CLEANUP(destroy_bases)
        sumac_bases *bases = test_bases(m.context, *state, m.points, m.n, &bases_config);
        const backend *original = m.context->executors.at->backend;
        m.context->executors.at->backend = bases->backend = &engine;
        for (int named = 0; named < 2; named++) {
            const char *plan_name = named ? "looking" : "auto";
            config.tuning = test_tuning("chunks=%u,plan=%s", shapes[i].chunks, plan_name);
            runs = 0;
            TEST_OK(m.context, test_msm_plan(m.context, bases, m.n, &config, &plan));
            assert_string_equal(test_plan_kind(&plan, "sort"), named ? "looking" : "counting");
            assert_string_equal(plan.name, plan_name);
            test_msm(m.context, bases, m.scalars, m.n, &config, m.expected, plan_name);
            assert_int_equal(runs > 0, named);
        }
        m.context->executors.at->backend = bases->backend = original;
    }
}

/* Chunks add to the same buckets. All modules are in one pass or in several, there is one MSM or a batch in
 * sub-batches, and either reduction is used. */
static void test_kept_buckets(void **state)
{
    enum { N = 61, BATCH = 3 };
    test_group *t = *state;
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    const stage_kind *kinds[16];
    const backend engine = with_rows(kinds);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    AUTO_FREE uint8_t *points = test_alloc(N * point), *scalars = test_alloc(BATCH * N * scalar);
    AUTO_FREE uint8_t *expected = test_alloc(BATCH * point);
    uint32_t several_passes = 0, sub_batches = 0;
    test_random_points(t, points, NULL, N);
    test_random_scalars(t, scalars, BATCH * N);
    for (size_t j = 0; j < BATCH; j++) {
        oracle_msm(&t->oracle, expected + j * point, points, scalars + j * N * scalar, N);
    }
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, N, NULL);
    executor *first = context->executors.at;
    first->backend = bases->backend = &engine;
    for (uint32_t turn = 0; turn < 48; turn++) {
        sumac_msm_config config = {.size = sizeof config};
        test_plan plan = {0};
        config.batch = turn % 2 == 0 ? 1 : BATCH;
        config.tuning =
            test_tuning("c=%u,plan=adding,chunks=%u,reduction=%s", 2 + turn % 6, 1 + turn % 4,
                        test_reductions[turn / 4 % 2 == 0 ? REDUCTION_HALVING : REDUCTION_RUNNING_SUM]);
        first->means.memory_limit = 0;
        TEST_OK(context, test_msm_plan(context, bases, N, &config, &plan));
        first->means.memory_limit =
            turn % 3 == 0 ? 0 : test_plan_bytes(&plan, "workspace") / 8 * (8 - turn / 8);
        if (test_msm_plan(context, bases, N, &config, &plan) != SUMAC_OK) {
            continue; /* not even one module fits */
        }
        added = reduced = 0;
        test_msm(context, bases, scalars, N, &config, expected, "kept buckets");
        const msm_plan *used = &first->call.plan;
        assert_int_equal(used->keeps_buckets, added > 0);
        assert_true(used->keeps_buckets || turn % 3 > 0 ||
                    used->chunks == 1); /* with a limit the buckets may not fit */
        assert_true(added == 0 || used->sub_batch < used->batch ||
                    added == used->passes * (used->chunks - 1));
        assert_true(used->sub_batch < used->batch ||
                    reduced == used->passes * (used->keeps_buckets ? 1 : used->chunks));
        several_passes += used->keeps_buckets && used->passes > 1;
        sub_batches += used->keeps_buckets && used->sub_batch < used->batch;
    }
    assert_true(several_passes > 0 && sub_batches > 0);
    first->backend = bases->backend = &cpu_backend;
}

/* If no stage leaves what a kind takes, the kind is never used, however cheap it is. If a plan names it, the plan is
 * refused. */
static void test_unfit_kind(void **state)
{
    const stage_kind *kinds[16];
    const backend engine = with_rows(kinds);
    CLEANUP(test_sum_free) test_sum m = test_sum_make(*state, 20);
    sumac_msm_config config = {.size = sizeof config};
    test_plan plan = {0};
    const backend *original = m.context->executors.at->backend;
    m.context->executors.at->backend = m.bases->backend = &engine;
    TEST_OK(m.context, test_msm_plan(m.context, m.bases, m.n, &config, &plan));
    assert_string_equal(test_plan_kind(&plan, "sort"), "counting");
    config.tuning = "plan=unfit";
    for (int limited = 0; limited < 2; limited++) {
        m.context->executors.at->means.memory_limit = limited ? (uint64_t)1 << 30 : 0;
        test_status(m.context, test_msm_plan(m.context, m.bases, m.n, &config, &plan), SUMAC_UNKNOWN_PLAN,
                    "plan");
        assert_string_equal(sumac_context_message(m.context),
                            "there is no plan of the name unfit for this call");
    }
    config.tuning = "plan=nobody's";
    test_status(m.context, test_msm_plan(m.context, m.bases, m.n, &config, &plan), SUMAC_UNKNOWN_PLAN,
                "plan");
    m.context->executors.at->backend = m.bases->backend = original;
}

/* If a backend has no kind that looks up digits, it keeps no window tables, and AUTO keeps multiples. */
static void test_no_lookup(void **state)
{
    const stage_kind *kinds[16];
    const test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(*state, 20);
    backend engine = cpu_backend;
    sumac_bases_config config = {.size = sizeof config};
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    uint32_t count = 0;
    for (size_t i = 0; cpu_backend.kinds[i] != NULL; i++) {
        if (cpu_backend.kinds[i]->leaves != LOOKED_UP_LISTS) {
            kinds[count++] = cpu_backend.kinds[i];
        }
    }
    kinds[count] = NULL;
    engine.name = "poor";
    engine.kinds = kinds;
    const backend *original = m.context->executors.at->backend;
    m.context->executors.at->backend = &engine;
    config.tables = SUMAC_TABLES_WINDOWS;
    for (uint32_t c = 0; c < 4; c += 3) {
        config.tuning = test_tuning("c=%u", c);
        test_status(m.context, exact_create(m.context, t->group, m.points, m.n, &config, &bases),
                    SUMAC_NOT_SUPPORTED, "window tables");
        assert_string_equal(sumac_context_message(m.context), "the poor backend keeps no window tables");
        assert_null(bases);
    }
    config.tuning = NULL;
    config.tables = SUMAC_TABLES_AUTO;
    TEST_OK(m.context, exact_create(m.context, t->group, m.points, m.n, &config, &bases));
    assert_int_equal(info_of(bases).tables, SUMAC_TABLES_MULTIPLES);
    m.context->executors.at->backend = original;
}

static const test_entry entries[] = {
    {"a new kind", test_new_kind, TEST_EVERY_GROUP},
    {"chunks that keep their buckets", test_kept_buckets, TEST_EVERY_GROUP},
    {"a kind that does not fit", test_unfit_kind, TEST_EVERY_GROUP},
    {"no kind that looks up", test_no_lookup, TEST_EVERY_GROUP},
};
TEST_MAIN("kinds", entries)
