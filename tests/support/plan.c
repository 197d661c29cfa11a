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
    NUMBER(milliseconds),
    NUMBER(devices),
    NUMBER(device_calls),
};

enum { COUNT = sizeof numbers / sizeof *numbers };

static void require(int holds, const char *what)
{
    if (!holds) {
        test_abort("a plan's getters: %s", what);
    }
}

static void read_number(const sumac_plan *handle, size_t index, test_plan *plan)
{
    const double value = sumac_plan_number(handle, numbers[index].name);
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

static void read_names(const sumac_plan *handle, test_plan *plan)
{
    for (size_t i = 0; (plan->stages[i] = sumac_plan_stage(handle, i)) != NULL; i++) {
        require(i < TEST_PLAN_NAMES - 1, plan->stages[i]);
        plan->kinds[i] = sumac_plan_kind(handle, plan->stages[i]);
        require(plan->kinds[i] != NULL, plan->stages[i]);
    }
    for (size_t i = 0; (plan->rows[i] = sumac_plan_row(handle, i)) != NULL; i++) {
        require(i < TEST_PLAN_NAMES - 1, plan->rows[i]);
        plan->bytes[i] = sumac_plan_bytes(handle, plan->rows[i]);
    }
}

/* Check that there is a plan exactly if the call succeeded, and that test_plan has a member for each of its numbers. */
static sumac_status take(sumac_status status, sumac_plan *handle, test_plan *plan)
{
    require((status == SUMAC_OK) == (handle != NULL), "a plan on success alone");
    if (handle != NULL) {
        size_t count = 0;
        memset(plan, 0, sizeof *plan);
        plan->name = sumac_plan_name(handle);
        for (const char *name; (name = sumac_plan_number_name(handle, count)) != NULL; count++) {
            require(count < COUNT && strcmp(name, numbers[count].name) == 0, name);
            read_number(handle, count, plan);
        }
        require(count == COUNT, "as many numbers as are known");
        read_names(handle, plan);
        require(sumac_plan_window_bits(handle) == plan->c &&
                    sumac_plan_precompute_factor(handle) == plan->precompute_factor &&
                    sumac_plan_workspace_bytes(handle) == test_plan_bytes(plan, "workspace") &&
                    sumac_plan_milliseconds(handle) == plan->milliseconds,
                "getters agree");
        sumac_plan_destroy(handle);
    }
    return status;
}

/* An invalid handle, which a failing call must set to null. */
#define NO_PLAN(plan) ((sumac_plan *)(plan))

sumac_status test_plan_create(sumac_context *context, const sumac_group *curve, size_t n,
                              const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                              test_plan *plan)
{
    sumac_plan *handle = NO_PLAN(plan);
    const sumac_status status = sumac_plan_create(context, curve, n, bases_config, msm_config, &handle);
    return take(status, handle, plan);
}

sumac_status test_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                           const sumac_msm_config *config, test_plan *plan)
{
    sumac_plan *handle = NO_PLAN(plan);
    const sumac_status status = sumac_msm_plan(context, bases, n, config, &handle);
    return take(status, handle, plan);
}

sumac_status test_call_plan(const sumac_call *call, test_plan *plan)
{
    sumac_plan *handle = NO_PLAN(plan);
    const sumac_status status = sumac_call_plan(call, &handle);
    return take(status, handle, plan);
}

uint64_t test_plan_bytes(const test_plan *plan, const char *row)
{
    for (size_t i = 0; i < TEST_PLAN_NAMES && plan->rows[i] != NULL; i++) {
        if (strcmp(plan->rows[i], row) == 0) {
            return plan->bytes[i];
        }
    }
    return 0;
}

const char *test_plan_kind(const test_plan *plan, const char *stage)
{
    for (size_t i = 0; i < TEST_PLAN_NAMES && plan->stages[i] != NULL; i++) {
        if (strcmp(plan->stages[i], stage) == 0) {
            return plan->kinds[i];
        }
    }
    return NULL;
}

int test_plan_is_refused(sumac_context *context, const sumac_bases *bases, size_t n,
                         const sumac_msm_config *config, int outside)
{
    const char *name = config->tuning->plan;
    const int may_be = (strcmp(name, "baseline") == 0 && config->c > 1) || strcmp(name, "mikevoronov") == 0 ||
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
