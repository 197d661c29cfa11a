/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Tests the options that the context's named plans refuse, and the plans' descriptions. Their results are compared with GMP's
 * in pipeline/: test_exhaustive.c, test_large.c, test_known_vectors.c, test_narrow.c, test_lengths.c.
 */
#include <string.h>

#include "support/harness.h"

static void refuse(sumac_context *context, const sumac_bases *bases, const sumac_msm_config *config,
                   const char *word)
{
    test_plan plan = {0};
    test_status(context, test_msm_plan(context, bases, sumac_bases_count(bases), config, &plan),
                SUMAC_UNKNOWN_PLAN, config->tuning->plan);
    if (strstr(sumac_context_message(context), word) == NULL ||
        strstr(sumac_context_message(context), config->tuning->plan) == NULL) {
        test_abort("%s: \"%s\" lacks %s", config->tuning->plan, sumac_context_message(context), word);
    }
}

static void test_refusals(void **state)
{
    CLEANUP(test_sum_free) test_sum m = test_sum_make(*state, 20);
    if (strcmp(test_describe(m.context).backend, "cpu") != 0) {
        test_sum_free(&m);
        skip();
    }
    sumac_tuning tuning;
    sumac_msm_config config = test_tuned(&tuning);
    sumac_bases_config digits = {.size = sizeof digits};
    digits.tables = SUMAC_TABLES_WINDOWS;
    digits.c = 2;
    CLEANUP(destroy_bases) sumac_bases *tables = test_bases(m.context, *state, m.points, m.n, &digits);
    tuning.plan = "baseline";
    refuse(m.context, tables, &config, "tables");
    config.c = 3;
    refuse(m.context, m.bases, &config, "window");
    config.c = 0;
    tuning.reduction = SUMAC_REDUCTION_HALVING;
    refuse(m.context, m.bases, &config, "reduction");
    tuning.plan = "sixblock";
    refuse(m.context, m.bases, &config, "reduction");
    tuning.reduction = SUMAC_REDUCTION_RUNNING_SUM;
    test_msm(m.context, m.bases, m.scalars, m.n, &config, m.expected, "sixblock, running sum");
    tuning.plan = "nobody's";
    refuse(m.context, m.bases, &config, "auto, baseline");
}

/* Every plan can be made, and every kind in it has a description. */
static void test_words(void **state)
{
    const test_curve *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    const char *name, *stage;
    size_t count = 0;
    for (; (name = sumac_context_plan_name(context, count)) != NULL; count++) {
        sumac_tuning tuning;
        sumac_msm_config config = test_tuned(&tuning);
        test_plan plan = {0};
        tuning.plan = name;
        test_status(context, test_plan_create(context, t->curve, 1000, NULL, &config, &plan), SUMAC_OK, name);
        assert_string_equal(plan.name, name);
        assert_true(strlen(sumac_context_plan_about(context, name)) > 20);
        for (size_t i = 0; (stage = plan.stages[i]) != NULL; i++) {
            const char *about =
                sumac_context_kind_about(context, t->curve, stage, test_plan_kind(&plan, stage));
            assert_non_null(about);
            assert_true(strlen(about) > 10 && about[strlen(about) - 1] != '.');
        }
    }
    assert_true(count > 1);
    assert_string_equal(sumac_context_plan_name(context, 0), "auto");
    assert_null(sumac_context_plan_name(context, SIZE_MAX));
    assert_null(sumac_context_plan_name(NULL, 0));
    assert_null(sumac_context_plan_about(context, "nobody's"));
    assert_null(sumac_context_plan_about(context, NULL));
    assert_null(sumac_context_plan_about(NULL, "auto"));
    assert_null(sumac_context_kind_about(context, t->curve, "sort", "nobody's"));
    assert_null(sumac_context_kind_about(context, t->curve, "plan", "counting"));
    assert_null(sumac_context_kind_about(context, t->curve, NULL, "counting"));
    assert_null(sumac_context_kind_about(context, t->curve, "sort", NULL));
    assert_null(sumac_context_kind_about(context, NULL, "sort", "counting"));
    assert_null(sumac_context_kind_about(NULL, t->curve, "sort", "counting"));
}

static const test_entry entries[] = {
    {"refused options", test_refusals, TEST_EVERY_CURVE},
    {"words", test_words, TEST_EVERY_CURVE},
};
TEST_MAIN("plans", entries)
