/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file makes plans for callers and describes them. */
#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/msm.h"
#include "base/sizes.h"
#include "executor/msm.h"

/* Names of the stages, in the order of msm_stage. */
static const char *const stages[STAGES] = {"recode", "sort", "accumulate", "reduce", "combine"};

/* Callers can ask for these numbers: fields of msm_plan, followed by two of shared_plan. */
#define PLAN_NUMBERS(number)                                                                                 \
    number(n) number(batch) number(scalar_bits) number(c) number(windows) number(precompute_factor)          \
        number(glv_terms) number(negate_large_scalars) number(top_window_balancing) number(modules)          \
            number(buckets) number(table_digits) number(module_parts) number(sub_batch)                      \
                number(modules_per_pass) number(passes) number(in_flight_passes) number(chunks)              \
                    number(keeps_buckets) number(copy_slices) number(copy_slice_growth) number(threads)      \
                        number(task_entries) number(accumulate_additions) number(reduce_additions)           \
                            number(combine_additions) number(milliseconds)

/* These are the rows of a plan's memory; each has a field msm_plan.bytes_ROW. */
#define PLAN_ROWS(row)                                                                                       \
    row(bases) row(scalars) row(staging) row(host_resident) row(digits) row(entries) row(buckets)            \
        row(scratch) row(workspace) row(total) row(pinned)

#define NAME_OF(name) #name,
#define NUMBER_OF(name) (double)shared->plan.name,
#define ROW_INDEX(name) ROW_##name,
#define BYTES_OF(name) shared->plan.bytes_##name,

static const char *const number_names[] = {PLAN_NUMBERS(NAME_OF) "devices", "device_calls"};
static const char *const row_names[] = {PLAN_ROWS(NAME_OF)};
enum { PLAN_ROWS(ROW_INDEX) ROWS, NUMBERS = sizeof number_names / sizeof *number_names };

struct sumac_plan {
    msm_plan chosen; /* with several devices, the plan of the slowest one */
    double numbers[NUMBERS];
    uint64_t bytes[ROWS];
};

/* Return the index of a caller's name, which may be null, among a plan's names; `count` if it is not found. */
static size_t index_of(const char *name, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && (name == NULL || strcmp(names[i], name) != 0)) {
        i++;
    }
    return i;
}

/* Copy a plan to a new object for the caller. */
static sumac_status give_plan(sumac_context *context, const shared_plan *shared, sumac_plan **plan)
{
    sumac_plan *created = malloc(sizeof *created);
    if (created == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a plan",
                    sizeof *created);
    }
    const double numbers[] = {PLAN_NUMBERS(NUMBER_OF)};
    const uint64_t bytes[ROWS] = {PLAN_ROWS(BYTES_OF)};
    created->chosen = shared->plan;
    memcpy(created->numbers, numbers, sizeof numbers);
    memcpy(created->bytes, bytes, sizeof bytes);
    created->numbers[NUMBERS - 2] = (double)shared->devices;
    created->numbers[NUMBERS - 1] = (double)shared->calls;
    *plan = created;
    return SUMAC_OK;
}

/* Plan a checked call. */
static sumac_status make_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, sumac_plan **plan)
{
    msm_call call;
    shared_plan shared;
    msm_call_make(&call, context_executor(context), shape->curve, n, config);
    TRY(shared_msm_plan(&context->executors, shape, &call, 0, &shared));
    return give_plan(context, &shared, plan);
}

sumac_status sumac_plan_create(sumac_context *context, const sumac_group *curve, size_t n,
                               const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                               sumac_plan **plan)
{
    sumac_msm_config msm;
    sumac_bases_config bases;
    BEGIN_MAKING(context, plan);
    TRY(require(context, curve != NULL, "the curve"));
    TRY(msm_config_take(msm_config, &msm, context_message(context)));
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
    if (plan != NULL) {
        *plan = NULL;
    }
    sumac_context *context = call == NULL ? NULL : call->context;
    HOLDS sumac_context *held = context_hold(context);
    TRY(call_require(context, plan != NULL, "the address of the handle"));
    return give_plan(context, &call->plan, plan);
}

sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *given, sumac_plan **plan)
{
    sumac_msm_config config;
    BEGIN_MAKING(context, plan);
    TRY(require(context, bases != NULL, "the bases"));
    TRY(msm_config_take(given, &config, context_message(context)));
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
    const named_plan *plan =
        context == NULL || name == NULL ? NULL : plan_find(context_executor(context)->backend, name);
    return plan == NULL ? NULL : plan->about == NULL ? "" : plan->about;
}

const char *sumac_context_kind_about(const sumac_context *context, const sumac_group *curve,
                                     const char *stage, const char *kind)
{
    const size_t s = index_of(stage, stages, STAGES);
    if (context == NULL || curve == NULL || kind == NULL || s == STAGES) {
        return NULL;
    }
    const stage_kind *found =
        plan_kind(context_executor(context)->backend, context_code(context, curve), (msm_stage)s, kind);
    return found == NULL ? NULL : found->about == NULL ? "" : found->about;
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
    return plan != NULL && index < NUMBERS ? number_names[index] : NULL;
}

double sumac_plan_number(const sumac_plan *plan, const char *name)
{
    const size_t i = index_of(name, number_names, NUMBERS);
    return plan == NULL || i == NUMBERS ? 0 : plan->numbers[i];
}

const char *sumac_plan_stage(const sumac_plan *plan, size_t index)
{
    return plan != NULL && index < STAGES ? stages[index] : NULL;
}

const char *sumac_plan_kind(const sumac_plan *plan, const char *stage)
{
    const size_t s = index_of(stage, stages, STAGES);
    return plan == NULL || s == STAGES ? NULL : plan->chosen.kinds[s]->name;
}

/* The row of host-resident bases is omitted if the plan has no such bases. */
const char *sumac_plan_row(const sumac_plan *plan, size_t index)
{
    for (size_t i = 0; i < ROWS && plan != NULL; i++) {
        if ((i != ROW_host_resident || plan->bytes[i] != 0) && index-- == 0) {
            return row_names[i];
        }
    }
    return NULL;
}

uint64_t sumac_plan_bytes(const sumac_plan *plan, const char *row)
{
    const size_t i = index_of(row, row_names, ROWS);
    return plan == NULL || i == ROWS ? 0 : plan->bytes[i];
}
