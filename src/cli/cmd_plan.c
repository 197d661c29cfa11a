/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

static unsigned long long value(const json_t *plan, const char *name)
{
    return plan_integer(plan, name);
}

static void print_plan(const session *opened, const json_t *plan)
{
    const char *name, *separator = "";
    json_t *entry;
    print("curve        %s %s\n", opened->info->curve, opened->info->name);
    print("n            %llu\n", value(plan, "n"));
    print("batch        %llu", value(plan, "batch"));
    if (value(plan, "sub_batch") < value(plan, "batch")) {
        print(", in sub-batches of %llu", value(plan, "sub_batch"));
    }
    print("\n");
    print("backend      %s (%s), threads: %llu\n", context_info(opened->context).backend,
          context_info(opened->context).variant, value(plan, "threads"));
    if (value(plan, "devices") > 1) {
        print("devices      %llu share the work; the rest describes the one with the most work, in %llu "
              "call%s of "
              "batch %llu, n = %llu\n",
              value(plan, "devices"), value(plan, "device_calls"),
              value(plan, "device_calls") == 1 ? "" : "s", value(plan, "batch"), value(plan, "n"));
    }
    print("plan         %s\n", plan_name(plan));
    print("stages      ");
    json_object_foreach(json_object_get(plan, "kinds"), name, entry)
    {
        print("%s %s %s", separator, name, json_string_value(entry));
        separator = ",";
    }
    print("\n");
    print("windows      %llu of c = %llu bits, for scalars of %llu bits\n", value(plan, "windows"),
          value(plan, "c"), value(plan, "scalar_bits"));
    if (value(plan, "top_window_balancing") > 1) {
        print("balancing    of the last window over %llu %s\n", value(plan, "top_window_balancing"),
              value(plan, "glv_terms") > 1 ? "values of each GLV term" : "intervals of r/2");
    }
    print("precompute   %llu", value(plan, "precompute_factor"));
    if (value(plan, "glv_terms") > 1) {
        print(", with the endomorphism of each base");
    }
    if (value(plan, "table_digits") > 1) {
        print(", with %llu digits each", value(plan, "table_digits"));
    }
    print("\n");
    print("modules      %llu of %llu buckets\n", value(plan, "modules"), value(plan, "buckets"));
    print("passes       %llu of at most %llu modules, for each of %llu chunks%s\n", value(plan, "passes"),
          value(plan, "modules_per_pass"), value(plan, "chunks"),
          value(plan, "keeps_buckets") != 0 ? ", which add into the same buckets" : "");
    if (value(plan, "in_flight_passes") > 1) {
        print("in flight    %llu passes at a time\n", value(plan, "in_flight_passes"));
    }
    if (value(plan, "copy_slices") > 1) {
        print("copy slices  %llu, each %llu times as large as the one before\n", value(plan, "copy_slices"),
              value(plan, "copy_slice_growth"));
    }
    if (value(plan, "task_entries") != 0) {
        print("task         %llu bases\n", value(plan, "task_entries"));
    }
    print("additions expected\n");
    print("  %-12s %16.0f\n", "accumulate", plan_number(plan, "accumulate_additions"));
    print("  %-12s %16.0f\n", "reduce", plan_number(plan, "reduce_additions"));
    print("  %-12s %16.0f\n", "combine", plan_number(plan, "combine_additions"));
    print("bytes\n");
    json_object_foreach(json_object_get(plan, "bytes"), name, entry)
    {
        const unsigned long long bytes = (unsigned long long)json_integer_value(entry);
        const bool pinned = strcmp(name, "pinned") == 0;
        if (!pinned || bytes > 0) {
            print("  %-12s %16llu\n", pinned ? "page-locked" : name, bytes);
        }
    }
    print("predicted    %.3f ms\n", json_number_value(json_object_get(plan, "milliseconds")));
}

/* ---- Descriptions ---- */

/* A plan reports the bytes of a stage's output under the name `row`, and its additions under the other name. A name is
 * null if the plan does not report the number. */
typedef struct stage_numbers {
    const char *stage, *row, *additions;
} stage_numbers;

static const stage_numbers *numbers_of(const char *stage)
{
    static const stage_numbers all[] = {{"recode", "digits", NULL},
                                        {"sort", "entries", NULL},
                                        {"accumulate", "buckets", "accumulate_additions"},
                                        {"reduce", NULL, "reduce_additions"},
                                        {"combine", NULL, "combine_additions"},
                                        {NULL, NULL, NULL}};
    const stage_numbers *found = all;
    while (found->stage != NULL && strcmp(found->stage, stage) != 0) {
        found++;
    }
    return found;
}

/* Print what sumac_context_plans() and the plan say about a stage's kind. */
static void explain_stage(const json_t *plans, const json_t *plan, const char *stage, const char *kind)
{
    const char *about =
        json_string_value(json_object_get(json_object_get(json_object_get(plans, "kinds"), stage), kind));
    const stage_numbers *numbers = numbers_of(stage);
    const double scalars = plan_number(plan, "n") * plan_number(plan, "batch");
    print("%s: %s\n", stage, kind);
    if (about != NULL && about[0] != '\0') {
        print_wrapped(about, 4);
    }
    if (numbers->additions != NULL) {
        const double additions = plan_number(plan, numbers->additions);
        print("    %.0f additions", additions);
        if (scalars > 0) {
            print(", %.1f for each scalar", additions / scalars);
        }
        print("\n");
    }
    if (numbers->row != NULL) {
        const json_t *bytes = json_object_get(json_object_get(plan, "bytes"), numbers->row);
        print("    %llu bytes of %s, in each of %llu passes\n", (unsigned long long)json_integer_value(bytes),
              numbers->row, value(plan, "passes"));
    }
}

static void explain(const json_t *plans, const json_t *plan)
{
    const char *stage;
    json_t *kind;
    const char *about = json_string_value(json_object_get(json_object_get(plans, "plans"), plan_name(plan)));
    print("\n");
    if (about != NULL && about[0] != '\0') {
        print_wrapped(about, 0);
    }
    json_object_foreach(json_object_get(plan, "kinds"), stage, kind)
    {
        explain_stage(plans, plan, stage, json_string_value(kind));
    }
}

static int run_plan(const session *opened, const options *given)
{
    const sumac_group *info = opened->info;
    CLEANUP(close_json) json_t *plan = NULL;
    CLEANUP(close_json) json_t *plans = NULL;
    const tuning_text tuning = tuning_of(given);
    sumac_bases_config bases = bases_config(given, &tuning);
    bases.typical_batch = (uint32_t)given->batch;
    bases.typical_n = (size_t)given->n;
    const sumac_msm_config msm = msm_config(given, &tuning);
    char *text = NULL;
    const sumac_status status =
        sumac_plan_create(opened->context, opened->group, (size_t)given->n, &bases, &msm, &text);
    MUST(take_json(opened->context, status, text, &plan));
    if (given->plan != NULL) {
        MUST(open_plans(opened->context, opened->group, &plans));
    }
    if (!given->json) {
        print_plan(opened, plan);
        if (given->plan != NULL) {
            explain(plans, plan);
        }
        return STATUS_DONE;
    }
    json_t *answer = json_pack("{s:s, s:s, s:s, s:s, s:O}", "curve", info->curve, "group", info->name,
                               "backend", context_info(opened->context).backend, "variant",
                               context_info(opened->context).variant, "plan", plan);
    if (given->plan != NULL) {
        json_put(&answer, "about", json_incref(plans));
    }
    return print_json(answer);
}

const command command_plan = {
    .name = "plan",
    .summary = "Print what `sumac msm` would do: windows, additions, bytes, predicted time",
    .takes = OPTIONS(OPTION_CURVE, OPTION_GROUP, OPTION_N, OPTION_BATCH, OPTION_SEPARATE_BASES,
                     OPTION_SCALAR_BITS, OPTION_SCALAR_BYTES, OPTION_SCALAR_SIGNED, OPTION_OUTSIDE_SUBGROUP,
                     OPTIONS_OF_MACHINE, OPTIONS_OF_PLAN, OPTION_JSON),
    .needs = OPTIONS(OPTION_CURVE, OPTION_N),
    .takes_devices = true,
    .example = "plan --curve bls12-381 -n 2^20",
    .notes = "With --plan it also prints the plan's idea and what its kinds of stages do; `sumac compare` "
             "times plans.",
    .run_in = run_plan,
};
