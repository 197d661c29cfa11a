/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the options that the context's named plans refuse, and the plans' descriptions. Their results are
 * compared with GMP's in pipeline/: test_exhaustive.c, test_large.c, test_known_vectors.c, test_narrow.c,
 * test_lengths.c.
 */
#include <string.h>

#include "support/harness.h"

static void refuse(sumac_context *context, const sumac_bases *bases, sumac_msm_config *config,
                   const char *plan_name, const char *choices, const char *word)
{
    config->tuning = test_tuning("plan=%s%s", plan_name, choices);
    test_plan plan = {0};
    test_status(context, test_msm_plan(context, bases, sumac_bases_count(bases), config, &plan),
                SUMAC_UNKNOWN_PLAN, config->tuning);
    if (strstr(sumac_context_message(context), word) == NULL ||
        strstr(sumac_context_message(context), plan_name) == NULL) {
        test_abort("%s: \"%s\" lacks %s", config->tuning, sumac_context_message(context), word);
    }
}

static void test_refusals(void **state)
{
    CLEANUP(test_sum_free) test_sum m = test_sum_make(*state, 20);
    if (strcmp(test_describe(m.context).backend, "cpu") != 0) {
        test_sum_free(&m);
        skip();
    }
    sumac_msm_config config = {.size = sizeof config};
    sumac_bases_config digits = {.size = sizeof digits};
    digits.tables = SUMAC_TABLES_WINDOWS;
    digits.tuning = "c=2";
    CLEANUP(destroy_bases) sumac_bases *tables = test_bases(m.context, *state, m.points, m.n, &digits);
    refuse(m.context, tables, &config, "baseline", "", "tables");
    refuse(m.context, m.bases, &config, "baseline", ",c=3", "window");
    refuse(m.context, m.bases, &config, "baseline", ",reduction=halving", "reduction");
    refuse(m.context, m.bases, &config, "sixblock", ",reduction=halving", "reduction");
    config.tuning = "plan=sixblock,reduction=running-sum";
    test_msm(m.context, m.bases, m.scalars, m.n, &config, m.expected, "sixblock, running sum");
    refuse(m.context, m.bases, &config, "nobody's", "", "auto, baseline");
}

/* Every plan can be made, and every kind in it has a description. */
static void test_words(void **state)
{
    const test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    json_t *described = test_context_plans(context, t->group), *text;
    const json_t *plans = json_object_get(described, "plans"), *kinds = json_object_get(described, "kinds");
    const char *name;
    json_object_foreach((json_t *)plans, name, text)
    {
        sumac_msm_config config = {.size = sizeof config};
        test_plan plan = {0};
        config.tuning = test_tuning("plan=%s", name);
        test_status(context, test_plan_create(context, t->group, 1000, NULL, &config, &plan), SUMAC_OK, name);
        assert_string_equal(plan.name, name);
        assert_true(json_string_length(text) > 20);
        for (size_t i = 0; i < TEST_STAGES; i++) {
            const char *about =
                json_string_value(json_object_get(json_object_get(kinds, test_stages[i]), plan.kinds[i]));
            assert_non_null(about);
            assert_true(strlen(about) > 10 && about[strlen(about) - 1] != '.');
        }
    }
    assert_true(json_object_size(plans) > 1);
    assert_string_equal(test_plan_name(context, 0), "auto");
    json_decref(described);
    char *json = NULL;
    assert_int_equal(sumac_context_plans(NULL, t->group, &json), SUMAC_BAD_ARGUMENT);
    TEST_BAD(context, sumac_context_plans(context, NULL, &json));
    TEST_BAD(context, sumac_context_plans(context, t->group, NULL));
}

static const test_entry entries[] = {
    {"refused options", test_refusals, TEST_EVERY_GROUP},
    {"words", test_words, TEST_EVERY_GROUP},
};
TEST_MAIN("plans", entries)
