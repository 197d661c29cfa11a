/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * That a kind of a stage is a row: a kind of sort that exists only here is added to the CPU's by a row, and a
 * plan that names it by another; nothing else knows of them. And what the search makes of rows that do not
 * fit.
 */
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "cpu/engine.h"
#include "support/harness.h"

static uint32_t runs; /* of the kind below */

/* Bucket after bucket, each by a look at all of its module's digits. */
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
        seen[b] = 1; /* that the scratch is there */
    }
    lists->starts[pass->modules * plan->buckets] = end;
    return SUMAC_OK;
}

static uint64_t byte_a_bucket(const curve_code *code, const msm_plan *plan)
{
    (void)code;
    return plan->modules_per_pass * plan->buckets;
}

/* So cheap that the search would take the kinds below wherever it may. */
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

/* The CPU's kinds, and these; and plans that have them. */
static backend with_rows(const stage_kind *kinds[16])
{
    static const named_plan looking = {.name = "looking", .kinds = {[STAGE_SORT] = "looking"}};
    static const named_plan unfit = {.name = "unfit", .kinds = {[STAGE_SORT] = "points"}};
    static const named_plan *const plans[] = {&looking, &unfit, NULL};
    backend engine = cpu_backend;
    uint32_t count = 0;
    kinds[count++] = &sort_of_points;
    for (; cpu_backend.kinds[count - 1] != NULL; count++) {
        kinds[count] = cpu_backend.kinds[count - 1];
    }
    kinds[count++] = &sort_by_looking;
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
        test_sum m = test_sum_make(*state, shapes[i].n);
        sumac_bases_config bases_config = sumac_bases_config_default();
        sumac_msm_config config = sumac_msm_config_default();
        sumac_tuning tuning = sumac_tuning_default();
        config.tuning = &tuning;
        test_plan plan = {0};
        bases_config.precompute_factor = shapes[i].factor;
        sumac_bases *bases = test_bases(m.context, *state, m.points, m.n, &bases_config);
        const backend *own = m.context->executors.at->backend;
        m.context->executors.at->backend = bases->backend = &engine;
        tuning.chunks = shapes[i].chunks;
        for (int named = 0; named < 2; named++) {
            tuning.plan = named ? "looking" : "auto";
            runs = 0;
            test_status(m.context, test_msm_plan(m.context, bases, m.n, &config, &plan), SUMAC_OK, "plan");
            assert_string_equal(test_plan_kind(&plan, "sort"), named ? "looking" : "counting");
            assert_string_equal(plan.name, tuning.plan);
            test_msm(m.context, bases, m.scalars, m.n, &config, m.expected, tuning.plan);
            assert_int_equal(runs > 0, named);
        }
        m.context->executors.at->backend = bases->backend = own;
        sumac_bases_destroy(bases);
        test_sum_free(&m);
    }
}

/* A row that nothing leaves anything for is never taken, however cheap; a plan that names it can't be had. */
static void test_unfit_kind(void **state)
{
    const stage_kind *kinds[16];
    const backend engine = with_rows(kinds);
    test_sum m = test_sum_make(*state, 20);
    sumac_msm_config config = sumac_msm_config_default();
    sumac_tuning tuning = sumac_tuning_default();
    config.tuning = &tuning;
    test_plan plan = {0};
    const backend *own = m.context->executors.at->backend;
    m.context->executors.at->backend = m.bases->backend = &engine;
    test_status(m.context, test_msm_plan(m.context, m.bases, m.n, &config, &plan), SUMAC_OK, "plan");
    assert_string_equal(test_plan_kind(&plan, "sort"), "counting");
    tuning.plan = "unfit";
    for (int limited = 0; limited < 2; limited++) {
        m.context->executors.at->means.memory_limit = limited ? (uint64_t)1 << 30 : 0;
        test_status(m.context, test_msm_plan(m.context, m.bases, m.n, &config, &plan), SUMAC_UNKNOWN_PLAN,
                    "plan");
        assert_string_equal(sumac_context_message(m.context),
                            "there is no plan of the name unfit for this call");
    }
    tuning.plan = "nobody's";
    test_status(m.context, test_msm_plan(m.context, m.bases, m.n, &config, &plan), SUMAC_UNKNOWN_PLAN,
                "plan");
    m.context->executors.at->backend = m.bases->backend = own;
    test_sum_free(&m);
}

/* A backend none of whose kinds looks digits up has no tables of them, and AUTO keeps multiples. */
static void test_no_lookup(void **state)
{
    const stage_kind *kinds[16];
    const test_curve *t = *state;
    test_sum m = test_sum_make(*state, 20);
    backend engine = cpu_backend;
    sumac_bases_config config = sumac_bases_config_default();
    sumac_bases *bases = NULL;
    uint32_t count = 0;
    for (size_t i = 0; cpu_backend.kinds[i] != NULL; i++) {
        if (cpu_backend.kinds[i]->leaves != LOOKED_UP_LISTS) {
            kinds[count++] = cpu_backend.kinds[i];
        }
    }
    kinds[count] = NULL;
    engine.name = "poor";
    engine.kinds = kinds;
    const backend *own = m.context->executors.at->backend;
    m.context->executors.at->backend = &engine;
    config.tables = SUMAC_TABLES_WINDOWS;
    for (config.c = 0; config.c < 4; config.c += 3) {
        test_status(m.context, sumac_bases_create(m.context, t->curve, m.points, m.n, &config, &bases),
                    SUMAC_NOT_SUPPORTED, "window tables");
        assert_string_equal(sumac_context_message(m.context), "the poor backend keeps no window tables");
        assert_null(bases);
    }
    config.c = 0;
    config.tables = SUMAC_TABLES_AUTO;
    test_status(m.context, sumac_bases_create(m.context, t->curve, m.points, m.n, &config, &bases), SUMAC_OK,
                "auto");
    assert_int_equal(sumac_bases_tables(bases), SUMAC_TABLES_MULTIPLES);
    sumac_bases_destroy(bases);
    m.context->executors.at->backend = own;
    test_sum_free(&m);
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"a new kind", test_new_kind, TEST_EVERY_CURVE},
        {"a kind that does not fit", test_unfit_kind, TEST_EVERY_CURVE},
        {"no kind that looks up", test_no_lookup, TEST_EVERY_CURVE},
    };
    return test_main("kinds", entries, sizeof entries / sizeof *entries, argc, argv);
}
