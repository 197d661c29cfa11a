/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file makes plans for callers, and describes them as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/msm.h"
#include "base/sizes.h"
#include "executor/msm.h"
#include "sumac/experimental.h"

/* These are the names of the stages, in the order of msm_stage. */
static const char *const stages[STAGES] = {"recode", "sort", "accumulate", "reduce", "combine"};

/* A plan's numbers are these fields of msm_plan; two numbers of shared_plan follow them. */
#define PLAN_NUMBERS(number)                                                                                 \
    number(n) number(batch) number(scalar_bits) number(c) number(windows) number(precompute_factor)          \
        number(glv_terms) number(negate_large_scalars) number(top_window_balancing) number(modules)          \
            number(buckets) number(table_digits) number(module_parts) number(sub_batch)                      \
                number(modules_per_pass) number(passes) number(in_flight_passes) number(chunks)              \
                    number(keeps_buckets) number(copy_slices) number(copy_slice_growth) number(threads)      \
                        number(task_entries) number(accumulate_additions) number(reduce_additions)           \
                            number(combine_additions)

/* A plan's memory has these rows. The field msm_plan.bytes_ROW has the size of ROW. */
#define PLAN_ROWS(row)                                                                                       \
    row(bases) row(scalars) row(staging) row(host_resident) row(digits) row(entries) row(buckets)            \
        row(scratch) row(workspace) row(total) row(pinned)

/* ---- JSON ---- */

/* This is a text that grows while it is written. */
typedef struct json_text {
    char *text;
    size_t length, capacity;
    size_t missing; /* bytes that could not be allocated; 0: the text is complete */
} json_text;

static void put(json_text *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(json_text *json, const char *format, ...)
{
    for (;;) {
        const size_t left = json->capacity - json->length;
        va_list arguments;
        va_start(arguments, format);
        const size_t needed =
            (size_t)vsnprintf(left == 0 ? NULL : json->text + json->length, left, format, arguments);
        va_end(arguments);
        if (needed < left) {
            json->length += needed;
            return;
        }
        const size_t bytes = 2 * json->capacity + needed + 1;
        char *longer = realloc(json->text, bytes);
        if (longer == NULL) {
            json->missing = bytes;
            return;
        }
        json->text = longer;
        json->capacity = bytes;
    }
}

/* Write a number that is not negative, with six digits of its fraction. printf() is not used for the whole number,
 * because its decimal point depends on the program's locale. */
static void put_number(json_text *json, const char *name, double number)
{
    const uint64_t whole = (uint64_t)fmin(number, 1e18);
    const double fraction = number - (double)whole;
    put(json, "\"%s\": %" PRIu64, name, whole);
    if (fraction > 0) {
        put(json, ".%06u", (unsigned)(fmin(fraction, 0.999999) * 1e6));
    }
}

/* Write a name and a description. No name and no description has a character that JSON would escape. */
static void put_about(json_text *json, int is_first, const char *name, const char *about)
{
    put(json, "%s\"%s\": \"%s\"", is_first ? "" : ", ", name, about == NULL ? "" : about);
}

/* Hand the text over to the caller. */
static sumac_status give_json(sumac_context *context, json_text *json, char **given)
{
    if (json->missing != 0) {
        free(json->text);
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a text",
                    json->missing);
    }
    *given = json->text;
    return SUMAC_OK;
}

#define PUT_NUMBER(name)                                                                                     \
    put_number(&text, #name, (double)plan->name);                                                            \
    put(&text, ", ");

/* The row of host-resident bases is omitted if the plan has no such bases. */
#define PUT_ROW(name)                                                                                        \
    if (&plan->bytes_##name != &plan->bytes_host_resident || plan->bytes_##name != 0) {                      \
        put(&text, "%s\"%s\": %" PRIu64, separator, #name, plan->bytes_##name);                              \
        separator = ", ";                                                                                    \
    }

static sumac_status give_plan(sumac_context *context, const shared_plan *shared, char **json)
{
    const msm_plan *plan = &shared->plan; /* with several devices, the plan of the slowest one */
    const char *separator = "";
    json_text text = {NULL, 0, 0, 0};
    put(&text, "{\"name\": \"%s\", ", plan->name);
    put_number(&text, "milliseconds", plan->milliseconds);
    put(&text, ", \"numbers\": {");
    PLAN_NUMBERS(PUT_NUMBER)
    put_number(&text, "devices", (double)shared->devices);
    put(&text, ", ");
    put_number(&text, "device_calls", (double)shared->calls);
    put(&text, "}, \"kinds\": {");
    for (size_t s = 0; s < STAGES; s++) {
        put(&text, "%s\"%s\": \"%s\"", s == 0 ? "" : ", ", stages[s], plan->kinds[s]->name);
    }
    put(&text, "}, \"bytes\": {");
    PLAN_ROWS(PUT_ROW)
    put(&text, "}}");
    return give_json(context, &text, json);
}

/* ---- Calls ---- */

/* Plan a checked call. */
static sumac_status make_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, char **json)
{
    msm_call call;
    shared_plan shared;
    msm_call_make(&call, context_executor(context), shape->group, n, config);
    TRY(shared_msm_plan(&context->executors, shape, &call, 0, &shared));
    return give_plan(context, &shared, json);
}

sumac_status sumac_plan_create(sumac_context *context, const sumac_group *group, size_t n,
                               const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                               char **json)
{
    sumac_msm_config msm;
    sumac_bases_config bases;
    BEGIN_MAKING(context, json);
    TRY(require(context, group != NULL, "the curve"));
    TRY(msm_config_take(msm_config, &msm, context_message(context)));
    TRY(public_take(&public_bases_config, bases_config, &bases, context_message(context)));
    const uint64_t sets = planning_base_sets(&msm);
    uint64_t needed;
    if (__builtin_mul_overflow(sets, n, &needed) || __builtin_add_overflow(needed, msm.first, &needed) ||
        needed > (uint64_t)1 << 31) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the call needs more than 2^31 bases: %zu + %llu*%zu",
                    msm.first, (unsigned long long)sets, n);
    }
    sumac_bases shape = {.group = group};
    TRY(msm_config_check(context, group, &msm));
    TRY(bases_shape(context, group, (size_t)needed, &bases, &shape));
    if (shape.shard_count > 1) {
        TRY(msm_config_check_shared(context, n, &msm));
    }
    return make_plan(context, &shape, n, &msm, json);
}

sumac_status sumac_call_plan(const sumac_call *call, char **json)
{
    if (json != NULL) {
        *json = NULL;
    }
    sumac_context *context = call == NULL ? NULL : call->context;
    HOLDS sumac_context *held = context_hold(context);
    TRY(call_require(context, json != NULL, "the address of the text"));
    return give_plan(context, &call->plan, json);
}

sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *given, char **json)
{
    sumac_msm_config config;
    BEGIN_MAKING(context, json);
    TRY(require(context, bases != NULL, "the bases"));
    TRY(msm_config_take(given, &config, context_message(context)));
    TRY(msm_config_check_call(context, bases, n, &config));
    return make_plan(context, bases, n, &config, json);
}

sumac_status sumac_context_plans(sumac_context *context, const sumac_group *group, char **json)
{
    BEGIN_MAKING(context, json);
    TRY(require(context, group != NULL, "the curve"));
    const backend *engine = context_executor(context)->backend;
    const group_code *code = context_code(context, group);
    const named_plan *plan;
    const stage_kind *kind;
    json_text text = {NULL, 0, 0, 0};
    put(&text, "{\"plans\": {");
    for (size_t i = 0; (plan = plan_named(engine, i)) != NULL; i++) {
        put_about(&text, i == 0, plan->name, plan->about);
    }
    put(&text, "}, \"kinds\": {");
    for (size_t s = 0; s < STAGES; s++) {
        int is_first = 1;
        put(&text, "%s\"%s\": {", s == 0 ? "" : ", ", stages[s]);
        for (uint32_t i = 0; (kind = plan_kind_at(engine, code, i)) != NULL; i++) {
            if (kind->stage == (msm_stage)s) {
                put_about(&text, is_first, kind->name, kind->about);
                is_first = 0;
            }
        }
        put(&text, "}");
    }
    put(&text, "}}");
    return give_json(context, &text, json);
}
