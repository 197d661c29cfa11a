/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Plans as callers ask for them and see them. */
#include <stdlib.h>
#include <string.h>

#include "api/bases_shape.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/msm_config.h"
#include "base/sizes.h"
#include "executor/planning.h"

/* By their numbers, as pipeline.h's. */
static const char *const stages[STAGES] = {"recode", "sort", "accumulate", "reduce", "combine"};

struct sumac_plan {
    msm_plan made; /* of several devices: that of the one with the most work */
    uint64_t devices;
    uint64_t device_calls;
};

/* The rows of the memory. */
static const struct {
    const char *name;
    size_t offset; /* of its bytes */
    int may_lack;  /* a row that is left out where it is 0 */
} rows[] = {
    {"bases", offsetof(sumac_plan, made.bytes_bases), 0},
    {"scalars", offsetof(sumac_plan, made.bytes_scalars), 0},
    {"staging", offsetof(sumac_plan, made.bytes_staging), 0},
    {"host_resident", offsetof(sumac_plan, made.bytes_host_resident), 1},
    {"digits", offsetof(sumac_plan, made.bytes_digits), 0},
    {"entries", offsetof(sumac_plan, made.bytes_entries), 0},
    {"buckets", offsetof(sumac_plan, made.bytes_buckets), 0},
    {"scratch", offsetof(sumac_plan, made.bytes_scratch), 0},
    {"workspace", offsetof(sumac_plan, made.bytes_workspace), 0},
    {"total", offsetof(sumac_plan, made.bytes_total), 0},
    {"pinned", offsetof(sumac_plan, made.bytes_pinned), 0},
};

enum { ROWS = sizeof rows / sizeof *rows };

typedef enum number_type { NUMBER_INT, NUMBER_32, NUMBER_64, NUMBER_DOUBLE } number_type;

#define TYPE_OF(field)                                                                                       \
    _Generic(((sumac_plan *)0)->field, int                                                                   \
             : NUMBER_INT, uint32_t                                                                          \
             : NUMBER_32, uint64_t                                                                           \
             : NUMBER_64, double                                                                             \
             : NUMBER_DOUBLE)
#define NUMBER(name)                                                                                         \
    {                                                                                                        \
#name, offsetof(sumac_plan, made.name), TYPE_OF(made.name)                                           \
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
    {"devices", offsetof(sumac_plan, devices), TYPE_OF(devices)},
    {"device_calls", offsetof(sumac_plan, device_calls), TYPE_OF(device_calls)},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* A plan as the caller's own object. */
static sumac_status give_plan(sumac_context *context, const shared_plan *made, sumac_plan **plan)
{
    sumac_plan *given = malloc(sizeof *given);
    if (given == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a plan",
                    sizeof *given);
    }
    *given = (sumac_plan){.made = made->plan, .devices = made->devices, .device_calls = made->calls};
    *plan = given;
    return SUMAC_OK;
}

/* The plan of a call that is checked. */
static sumac_status make_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, sumac_plan **plan)
{
    shared_plan made;
    const sumac_status status = shared_msm_plan(&context->executors, shape, n, config, &made);
    return status == SUMAC_OK ? give_plan(context, &made, plan) : status;
}

/* The caller's handle, until there is a plan. */
static void forget(sumac_plan **plan)
{
    if (plan != NULL) {
        *plan = NULL;
    }
}

sumac_status sumac_plan_create(sumac_context *context, const sumac_curve *curve, size_t n,
                               const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                               sumac_plan **plan)
{
    forget(plan);
    sumac_msm_config msm;
    sumac_bases_config bases;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    curve == NULL ? "the curve" : "the plan's address");
    }
    sumac_status status =
        public_take(&public_msm_config, msm_config, &msm, &context_executor(context)->message);
    if (status == SUMAC_OK) {
        status = public_take(&public_bases_config, bases_config, &bases, &context_executor(context)->message);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    const uint64_t sets = planning_base_sets(&msm);
    uint64_t needed;
    if (__builtin_mul_overflow(sets, n, &needed) || __builtin_add_overflow(needed, msm.first, &needed) ||
        needed > (uint64_t)1 << 31) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the call needs more than 2^31 bases: %zu + %llu*%zu",
                    msm.first, (unsigned long long)sets, n);
    }
    sumac_bases shape = {.curve = curve};
    status = msm_config_check(context, curve, &msm);
    if (status == SUMAC_OK) {
        status = bases_shape(context, curve, (size_t)needed, &bases, &shape);
    }
    if (status == SUMAC_OK && shape.shard_count > 1) {
        status = msm_config_check_shared(context, n, &msm);
    }
    return status == SUMAC_OK ? make_plan(context, &shape, n, &msm, plan) : status;
}

sumac_status sumac_call_plan(const sumac_call *call, sumac_plan **plan)
{
    forget(plan);
    HOLDS sumac_context *held = call == NULL ? NULL : context_hold(call->context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (plan == NULL) {
        return fail(call->context, SUMAC_BAD_ARGUMENT, "the plan's address is null");
    }
    return give_plan(call->context, &call->plan, plan);
}

sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *config, sumac_plan **plan)
{
    forget(plan);
    sumac_msm_config own;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (bases == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    bases == NULL ? "the bases' handle" : "the plan's address");
    }
    const sumac_status status = msm_config_take(context, bases, n, config, &own);
    return status == SUMAC_OK ? make_plan(context, bases, n, &own, plan) : status;
}

const char *sumac_context_plan_name(const sumac_context *context, size_t index)
{
    const named_plan *plan = context == NULL ? NULL : plan_named(context_executor(context)->backend, index);
    return plan == NULL ? NULL : plan->name;
}

const char *sumac_context_plan_about(const sumac_context *context, const char *name)
{
    if (context == NULL || name == NULL) {
        return NULL;
    }
    const named_plan *plan;
    for (size_t i = 0; (plan = plan_named(context_executor(context)->backend, i)) != NULL; i++) {
        if (strcmp(plan->name, name) == 0) {
            return plan->about == NULL ? "" : plan->about;
        }
    }
    return NULL;
}

const char *sumac_context_kind_about(const sumac_context *context, const sumac_curve *curve,
                                     const char *stage, const char *kind)
{
    if (context == NULL || curve == NULL || stage == NULL || kind == NULL) {
        return NULL;
    }
    for (int s = 0; s < STAGES; s++) {
        if (strcmp(stages[s], stage) == 0) {
            const stage_kind *found = plan_kind(context_executor(context)->backend,
                                                context_code(context, curve), (msm_stage)s, kind);
            return found == NULL ? NULL : found->about == NULL ? "" : found->about;
        }
    }
    return NULL;
}

void sumac_plan_destroy(sumac_plan *plan)
{
    free(plan);
}

const char *sumac_plan_name(const sumac_plan *plan)
{
    return plan == NULL ? NULL : plan->made.name;
}

double sumac_plan_milliseconds(const sumac_plan *plan)
{
    return plan == NULL ? 0 : plan->made.milliseconds;
}

uint32_t sumac_plan_window_bits(const sumac_plan *plan)
{
    return plan == NULL ? 0 : plan->made.c;
}

uint32_t sumac_plan_precompute_factor(const sumac_plan *plan)
{
    return plan == NULL ? 0 : plan->made.precompute_factor;
}

uint64_t sumac_plan_workspace_bytes(const sumac_plan *plan)
{
    return plan == NULL ? 0 : plan->made.bytes_workspace;
}

const char *sumac_plan_number_name(const sumac_plan *plan, size_t index)
{
    return plan != NULL && index < NUMBERS ? numbers[index].name : NULL;
}

static double number_at(const void *field, number_type type)
{
    switch (type) {
    case NUMBER_INT:
        return *(const int *)field;
    case NUMBER_32:
        return *(const uint32_t *)field;
    case NUMBER_64:
        return (double)*(const uint64_t *)field;
    default:
        return *(const double *)field;
    }
}

double sumac_plan_number(const sumac_plan *plan, const char *name)
{
    for (size_t i = 0; i < NUMBERS && plan != NULL && name != NULL; i++) {
        if (strcmp(numbers[i].name, name) == 0) {
            return number_at((const char *)plan + numbers[i].offset, numbers[i].type);
        }
    }
    return 0;
}

const char *sumac_plan_stage(const sumac_plan *plan, size_t index)
{
    return plan != NULL && index < STAGES ? stages[index] : NULL;
}

const char *sumac_plan_kind(const sumac_plan *plan, const char *stage)
{
    for (size_t i = 0; i < STAGES && plan != NULL && stage != NULL; i++) {
        if (strcmp(stages[i], stage) == 0) {
            return plan->made.kinds[i]->name;
        }
    }
    return NULL;
}

static uint64_t bytes_of_row(const sumac_plan *plan, size_t row)
{
    uint64_t bytes;
    memcpy(&bytes, (const char *)plan + rows[row].offset, sizeof bytes);
    return bytes;
}

const char *sumac_plan_row(const sumac_plan *plan, size_t index)
{
    for (size_t i = 0; i < ROWS && plan != NULL; i++) {
        if ((!rows[i].may_lack || bytes_of_row(plan, i) != 0) && index-- == 0) {
            return rows[i].name;
        }
    }
    return NULL;
}

uint64_t sumac_plan_bytes(const sumac_plan *plan, const char *row)
{
    for (size_t i = 0; i < ROWS && plan != NULL && row != NULL; i++) {
        if (strcmp(rows[i].name, row) == 0) {
            return bytes_of_row(plan, i);
        }
    }
    return 0;
}
