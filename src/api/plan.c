/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Plans as callers ask for them and see them. */
#include <string.h>

#include "api/bases_shape.h"
#include "api/call.h"
#include "api/context.h"
#include "api/msm_members.h"
#include "api/planning.h"
#include "api/sizes.h"

/* By their numbers, as pipeline.h's. */
static const char *const stages[STAGES] = {"recode", "sort", "accumulate", "reduce", "combine"};

/* The rows of the memory, in the order of a plan's private array. */
static const struct {
    const char *name;
    size_t offset; /* of its bytes in msm_plan */
    int may_lack;  /* a row that is left out where it is 0 */
} rows[] = {
    {"bases", offsetof(msm_plan, bytes_bases), 0},
    {"scalars", offsetof(msm_plan, bytes_scalars), 0},
    {"staging", offsetof(msm_plan, bytes_staging), 0},
    {"host_resident", offsetof(msm_plan, bytes_host_resident), 1},
    {"digits", offsetof(msm_plan, bytes_digits), 0},
    {"entries", offsetof(msm_plan, bytes_entries), 0},
    {"buckets", offsetof(msm_plan, bytes_buckets), 0},
    {"scratch", offsetof(msm_plan, bytes_scratch), 0},
    {"workspace", offsetof(msm_plan, bytes_workspace), 0},
    {"total", offsetof(msm_plan, bytes_total), 0},
    {"pinned", offsetof(msm_plan, bytes_pinned), 0},
};

enum { ROWS = sizeof rows / sizeof *rows };

_Static_assert(STAGES <= sizeof((sumac_plan *)0)->private_kinds / sizeof(char *),
               "a plan has room for all kinds");
_Static_assert(ROWS <= sizeof((sumac_plan *)0)->private_bytes / sizeof(uint64_t),
               "a plan has room for all rows");

/* As much of the caller's plan as its size says, every byte of it, so that like plans are like bytes. */
static void plan_for_caller(const msm_plan *made, uint64_t devices, uint64_t calls, sumac_plan *plan)
{
    sumac_plan own = sumac_plan_default();
    own.name = made->name;
    own.reduction = made->kinds[STAGE_REDUCE]->reduction;
    own.negate_large_scalars = made->negate_large_scalars;
    own.top_window_balancing = made->top_window_balancing;
    own.glv_terms = made->glv_terms;
    own.n = made->n;
    own.batch = made->batch;
    own.scalar_bits = made->scalar_bits;
    own.c = made->c;
    own.windows = made->windows;
    own.precompute_factor = made->precompute_factor;
    own.modules = made->modules;
    own.buckets = made->buckets;
    own.table_digits = made->table_digits;
    own.module_parts = made->module_parts;
    own.sub_batch = made->sub_batch;
    own.modules_per_pass = made->modules_per_pass;
    own.passes = made->passes;
    own.in_flight_passes = made->in_flight_passes;
    own.chunks = made->chunks;
    own.copy_slices = made->copy_slices;
    own.copy_slice_growth = made->copy_slice_growth;
    own.threads = made->threads;
    own.task_entries = made->task_entries;
    own.accumulate_additions = made->accumulate_additions;
    own.reduce_additions = made->reduce_additions;
    own.combine_additions = made->combine_additions;
    own.milliseconds = made->milliseconds;
    own.devices = devices;
    own.device_calls = calls;
    for (size_t i = 0; i < STAGES; i++) {
        own.private_kinds[i] = made->kinds[i]->name;
    }
    for (size_t i = 0; i < ROWS; i++) {
        memcpy(&own.private_bytes[i], (const char *)made + rows[i].offset, sizeof own.private_bytes[i]);
    }
    public_copy(&own, plan);
}

/* The plan for the caller. */
static sumac_status give_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, sumac_plan *plan)
{
    msm_plan made;
    uint64_t devices = 1, calls = 1;
    const sumac_status status = shape->part_count > 0
                                    ? msm_members_plan(context, shape, n, config, &made, &devices, &calls)
                                    : planning_make_here(context, shape, n, config, &made);
    if (status == SUMAC_OK) {
        plan_for_caller(&made, devices, calls, plan);
    }
    return status;
}

sumac_status sumac_plan_query(sumac_context *context, const sumac_curve *curve, size_t n,
                              const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                              sumac_plan *plan)
{
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
    sumac_status status = public_take(&public_msm_config, msm_config, &msm, context->message);
    if (status == SUMAC_OK) {
        status = public_take(&public_bases_config, bases_config, &bases, context->message);
    }
    if (status == SUMAC_OK) {
        status = public_check(&public_plan, plan, context->message);
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
    status = planning_check_config(context, curve, &msm);
    if (status == SUMAC_OK) {
        status = bases_shape(context, curve, (size_t)needed, &bases, &shape);
    }
    if (status == SUMAC_OK && shape.part_count > 0) {
        status = planning_check_shared(context, n, &msm);
    }
    return status == SUMAC_OK ? give_plan(context, &shape, n, &msm, plan) : status;
}

sumac_status sumac_call_plan(const sumac_call *call, sumac_plan *plan)
{
    HOLDS sumac_context *held = call == NULL ? NULL : context_hold(call->context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (plan == NULL) {
        return fail(call->context, SUMAC_BAD_ARGUMENT, "the plan's address is null");
    }
    const sumac_status status = public_check(&public_plan, plan, call->context->message);
    if (status == SUMAC_OK) {
        plan_for_caller(&call->plan, call->devices, call->device_calls, plan);
    }
    return status;
}

sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *config, sumac_plan *plan)
{
    sumac_msm_config own;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (bases == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    bases == NULL ? "the bases' handle" : "the plan's address");
    }
    sumac_status status = planning_take_config(context, bases, n, config, &own);
    if (status == SUMAC_OK) {
        status = public_check(&public_plan, plan, context->message);
    }
    return status == SUMAC_OK ? give_plan(context, bases, n, &own, plan) : status;
}

const char *sumac_context_plan_name(const sumac_context *context, size_t index)
{
    const named_plan *plan = context == NULL ? NULL : plan_named(context->backend, index);
    return plan == NULL ? NULL : plan->name;
}

const char *sumac_context_plan_about(const sumac_context *context, const char *name)
{
    if (context == NULL || name == NULL) {
        return NULL;
    }
    const named_plan *plan;
    for (size_t i = 0; (plan = plan_named(context->backend, i)) != NULL; i++) {
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
            const stage_kind *found =
                plan_kind(context->backend, context_code(context, curve), (msm_stage)s, kind);
            return found == NULL ? NULL : found->about == NULL ? "" : found->about;
        }
    }
    return NULL;
}

/* Whether a plan has been written, and by a library like this one. */
static int is_plan(const sumac_plan *plan)
{
    return plan != NULL && plan->size >= public_plan.first && plan->name != NULL;
}

const char *sumac_plan_stage(const sumac_plan *plan, size_t index)
{
    return is_plan(plan) && index < STAGES ? stages[index] : NULL;
}

const char *sumac_plan_kind(const sumac_plan *plan, const char *stage)
{
    for (size_t i = 0; i < STAGES && is_plan(plan) && stage != NULL; i++) {
        if (strcmp(stages[i], stage) == 0) {
            return plan->private_kinds[i];
        }
    }
    return NULL;
}

const char *sumac_plan_row(const sumac_plan *plan, size_t index)
{
    for (size_t i = 0; i < ROWS && is_plan(plan); i++) {
        if ((!rows[i].may_lack || plan->private_bytes[i] != 0) && index-- == 0) {
            return rows[i].name;
        }
    }
    return NULL;
}

uint64_t sumac_plan_bytes(const sumac_plan *plan, const char *row)
{
    for (size_t i = 0; i < ROWS && is_plan(plan) && row != NULL; i++) {
        if (strcmp(rows[i].name, row) == 0) {
            return plan->private_bytes[i];
        }
    }
    return 0;
}
