/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Plans as callers ask for them and see them. */
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/msm.h"
#include "base/sizes.h"
#include "executor/planning.h"

/* Names of the stages, in the order of msm_stage. */
static const char *const stages[STAGES] = {"recode", "sort", "accumulate", "reduce", "combine"};

struct sumac_plan {
    msm_plan chosen; /* with several devices, the plan of the one that takes longest */
    uint64_t devices;
    uint64_t device_calls;
};

/* Rows of a plan's memory. */
static const struct {
    const char *name;
    size_t offset;   /* of its bytes */
    int is_optional; /* the row is left out if it has no bytes */
} rows[] = {
    {"bases", offsetof(sumac_plan, chosen.bytes_bases), 0},
    {"scalars", offsetof(sumac_plan, chosen.bytes_scalars), 0},
    {"staging", offsetof(sumac_plan, chosen.bytes_staging), 0},
    {"host_resident", offsetof(sumac_plan, chosen.bytes_host_resident), 1},
    {"digits", offsetof(sumac_plan, chosen.bytes_digits), 0},
    {"entries", offsetof(sumac_plan, chosen.bytes_entries), 0},
    {"buckets", offsetof(sumac_plan, chosen.bytes_buckets), 0},
    {"scratch", offsetof(sumac_plan, chosen.bytes_scratch), 0},
    {"workspace", offsetof(sumac_plan, chosen.bytes_workspace), 0},
    {"total", offsetof(sumac_plan, chosen.bytes_total), 0},
    {"pinned", offsetof(sumac_plan, chosen.bytes_pinned), 0},
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
#name, offsetof(sumac_plan, chosen.name), TYPE_OF(chosen.name)                                       \
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

/* Copy a plan to an object of the caller's. */
static sumac_status give_plan(sumac_context *context, const shared_plan *shared, sumac_plan **plan)
{
    sumac_plan *created = malloc(sizeof *created);
    if (created == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a plan",
                    sizeof *created);
    }
    *created =
        (sumac_plan){.chosen = shared->plan, .devices = shared->devices, .device_calls = shared->calls};
    *plan = created;
    return SUMAC_OK;
}

/* Plan a call that is checked. */
static sumac_status make_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, sumac_plan **plan)
{
    msm_call call;
    shared_plan shared;
    msm_call_make(&call, context_executor(context), shape->curve, n, config);
    TRY(shared_msm_plan(&context->executors, shape, &call, &shared));
    return give_plan(context, &shared, plan);
}

/* Clear the caller's handle before there is a plan. */
static void clear(sumac_plan **plan)
{
    if (plan != NULL) {
        *plan = NULL;
    }
}

sumac_status sumac_plan_create(sumac_context *context, const sumac_curve *curve, size_t n,
                               const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                               sumac_plan **plan)
{
    sumac_msm_config msm;
    sumac_bases_config bases;
    clear(plan);
    BEGIN_CALL(context);
    if (curve == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    curve == NULL ? "the curve" : "the plan's address");
    }
    TRY(public_take(&public_msm_config, msm_config, &msm, context_message(context)));
    TRY(public_take(&public_bases_config, bases_config, &bases, context_message(context)));
    const uint64_t sets = planning_base_sets(&msm);
    uint64_t needed;
    if (__builtin_mul_overflow(sets, n, &needed) || __builtin_add_overflow(needed, msm.first, &needed) ||
        needed > (uint64_t)1 << 31) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the call needs more than 2^31 bases: %zu + %llu*%zu",
                    msm.first, (unsigned long long)sets, n);
    }
    sumac_bases shape = {.curve = curve};
    TRY(msm_config_check(context, curve, &msm));
    TRY(bases_shape(context, curve, (size_t)needed, &bases, &shape));
    if (shape.shard_count > 1) {
        TRY(msm_config_check_shared(context, n, &msm));
    }
    return make_plan(context, &shape, n, &msm, plan);
}

sumac_status sumac_call_plan(const sumac_call *call, sumac_plan **plan)
{
    clear(plan);
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
                            const sumac_msm_config *given, sumac_plan **plan)
{
    sumac_msm_config config;
    clear(plan);
    BEGIN_CALL(context);
    if (bases == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    bases == NULL ? "the bases' handle" : "the plan's address");
    }
    TRY(public_take(&public_msm_config, given, &config, context_message(context)));
    TRY(msm_config_check_call(context, bases, n, &config));
    return make_plan(context, bases, n, &config, plan);
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
    return plan == NULL ? NULL : plan->chosen.name;
}

double sumac_plan_milliseconds(const sumac_plan *plan)
{
    return plan == NULL ? 0 : plan->chosen.milliseconds;
}

uint32_t sumac_plan_window_bits(const sumac_plan *plan)
{
    return plan == NULL ? 0 : plan->chosen.c;
}

uint32_t sumac_plan_precompute_factor(const sumac_plan *plan)
{
    return plan == NULL ? 0 : plan->chosen.precompute_factor;
}

uint64_t sumac_plan_workspace_bytes(const sumac_plan *plan)
{
    return plan == NULL ? 0 : plan->chosen.bytes_workspace;
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
            return plan->chosen.kinds[i]->name;
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
        if ((!rows[i].is_optional || bytes_of_row(plan, i) != 0) && index-- == 0) {
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
