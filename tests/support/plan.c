/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "support/plan.h"

#include <string.h>

#include "support/abort.h"

typedef enum number_type { NUMBER_32, NUMBER_64, NUMBER_DOUBLE } number_type;

#define NUMBER(name)                                                                                         \
    {                                                                                                        \
#name, offsetof(test_plan, name),                                                                    \
            _Generic(((test_plan *)0)->name, uint32_t                                                        \
                     : NUMBER_32, uint64_t                                                                   \
                     : NUMBER_64, double                                                                     \
                     : NUMBER_DOUBLE)                                                                        \
    }

static const struct {
    const char *name;
    size_t offset;
    number_type type;
} numbers[] = {
    NUMBER(n),
    NUMBER(batch),
    NUMBER(scalar_bits),
    NUMBER(c),
    NUMBER(windows),
    NUMBER(precompute_factor),
    NUMBER(glv_terms),
    NUMBER(negate_large_scalars),
    NUMBER(top_window_balancing),
    NUMBER(modules),
    NUMBER(buckets),
    NUMBER(table_digits),
    NUMBER(module_parts),
    NUMBER(sub_batch),
    NUMBER(modules_per_pass),
    NUMBER(passes),
    NUMBER(in_flight_passes),
    NUMBER(chunks),
    NUMBER(keeps_buckets),
    NUMBER(copy_slices),
    NUMBER(copy_slice_growth),
    NUMBER(threads),
    NUMBER(task_entries),
    NUMBER(accumulate_additions),
    NUMBER(reduce_additions),
    NUMBER(combine_additions),
    NUMBER(devices),
    NUMBER(device_calls),
};

enum { COUNT = sizeof numbers / sizeof *numbers };

const char *const test_stages[TEST_STAGES + 1] = {"recode", "sort", "accumulate", "reduce", "combine", NULL};

const char *const test_rows[TEST_ROWS + 1] = {"bases",   "scalars", "staging",       "digits",
                                              "entries", "buckets", "scratch",       "workspace",
                                              "total",   "pinned",  "host_resident", NULL};

static void require(int holds, const char *what)
{
    if (!holds) {
        test_abort("the JSON of a plan: %s", what);
    }
}

static void read_number(const char *name, const json_t *member, size_t index, test_plan *plan)
{
    require(index < COUNT && strcmp(name, numbers[index].name) == 0, name);
    const double value = json_number_value(member);
    const uint64_t wide = (uint64_t)value;
    const uint32_t narrow = (uint32_t)wide;
    char *field = (char *)plan + numbers[index].offset;
    switch (numbers[index].type) {
    case NUMBER_32:
        memcpy(field, &narrow, sizeof narrow);
        break;
    case NUMBER_64:
        memcpy(field, &wide, sizeof wide);
        break;
    default:
        memcpy(field, &value, sizeof value);
    }
}

static size_t index_of(const char *name, const char *const *names)
{
    size_t i = 0;
    while (names[i] != NULL && strcmp(names[i], name) != 0) {
        i++;
    }
    require(names[i] != NULL, name);
    return i;
}

/* Check that the text is null exactly if the call failed, read the plan from it, and check that test_plan has a field
 * for each member of the JSON. */
static sumac_status take(sumac_status status, char *text, test_plan *plan)
{
    require((status == SUMAC_OK) == (text != NULL), "there must be one exactly if the call succeeds");
    if (text == NULL) {
        return status;
    }
    const char *name;
    json_t *member;
    size_t count = 0, stages = 0;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    require(json_object_size(json) == 5, text);
    memset(plan, 0, sizeof *plan);
    snprintf(plan->name, sizeof plan->name, "%s", json_string_value(json_object_get(json, "name")));
    plan->milliseconds = json_number_value(json_object_get(json, "milliseconds"));
    json_object_foreach(json_object_get(json, "numbers"), name, member)
    {
        read_number(name, member, count++, plan);
    }
    json_object_foreach(json_object_get(json, "kinds"), name, member)
    {
        require(index_of(name, test_stages) == stages, name);
        snprintf(plan->kinds[stages++], sizeof plan->kinds[0], "%s", json_string_value(member));
    }
    json_object_foreach(json_object_get(json, "bytes"), name, member)
    {
        plan->bytes[index_of(name, test_rows)] = (uint64_t)json_integer_value(member);
        plan->rows++;
    }
    require(count == COUNT && stages == TEST_STAGES, "it must have all members of test_plan");
    json_decref(json);
    sumac_free(text);
    return status;
}

/* This is an invalid address, which a failing call must replace by null. */
#define NO_PLAN(plan) ((char *)(plan))

sumac_status test_plan_create(sumac_context *context, const sumac_group *group, size_t n,
                              const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                              test_plan *plan)
{
    char *json = NO_PLAN(plan);
    const sumac_status status = sumac_plan_create(context, group, n, bases_config, msm_config, &json);
    return take(status, json, plan);
}

sumac_status test_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                           const sumac_msm_config *config, test_plan *plan)
{
    char *json = NO_PLAN(plan);
    const sumac_status status = sumac_msm_plan(context, bases, n, config, &json);
    return take(status, json, plan);
}

sumac_status test_call_plan(const sumac_call *call, test_plan *plan)
{
    char *json = NO_PLAN(plan);
    const sumac_status status = sumac_call_plan(call, &json);
    return take(status, json, plan);
}

uint64_t test_plan_bytes(const test_plan *plan, const char *row)
{
    return plan->bytes[index_of(row, test_rows)];
}

const char *test_plan_kind(const test_plan *plan, const char *stage)
{
    return plan->kinds[index_of(stage, test_stages)];
}

json_t *test_context_plans(sumac_context *context, const sumac_group *group)
{
    char *text = NULL;
    require(sumac_context_plans(context, group, &text) == SUMAC_OK, "sumac_context_plans() succeeds");
    json_t *plans = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    require(json_object_size(plans) == 2, text);
    sumac_free(text);
    return plans;
}

int test_has_plan(sumac_context *context, const char *name)
{
    json_t *plans = test_context_plans(context, sumac_group_at(0));
    const int has = json_object_get(json_object_get(plans, "plans"), name) != NULL;
    json_decref(plans);
    return has;
}

const char *test_plan_name(sumac_context *context, size_t index)
{
    static _Thread_local char copy[32];
    json_t *plans = test_context_plans(context, sumac_group_at(0)), *about;
    const char *name, *found = NULL;
    json_object_foreach(json_object_get(plans, "plans"), name, about)
    {
        if (index-- == 0) {
            snprintf(copy, sizeof copy, "%s", name);
            found = copy;
        }
    }
    json_decref(plans);
    return found;
}

const stage_kind *test_find_kind(const backend *engine, const group_code *code, msm_stage stage,
                                 const char *name)
{
    const stage_kind *kind;
    for (uint32_t i = 0; (kind = plan_kind_at(engine, code, i)) != NULL; i++) {
        if (kind->stage == stage && strcmp(kind->name, name) == 0) {
            break;
        }
    }
    return kind;
}

int test_plan_is_refused(sumac_context *context, const sumac_bases *bases, size_t n,
                         const sumac_msm_config *config, int outside)
{
    tuning_values by_hand;
    sumac_message message;
    require(tuning_read(config->tuning, &by_hand, &message) == SUMAC_OK, message.text);
    const char *name = by_hand.plan;
    const int may_be = (strcmp(name, "baseline") == 0 && by_hand.c > 1) || strcmp(name, "mikevoronov") == 0 ||
                       (strcmp(name, "yrrid") == 0 && outside);
    test_plan plan = {0};
    if (!may_be || test_msm_plan(context, bases, n, config, &plan) == SUMAC_OK) {
        return 0;
    }
    if (strstr(sumac_context_message(context), name) == NULL) {
        test_abort("%s: \"%s\"", name, sumac_context_message(context));
    }
    return 1;
}
