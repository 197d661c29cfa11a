/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

static unsigned long long value(const sumac_plan *plan, const char *name)
{
    return plan_integer(plan, name);
}

static void print_plan(const session *opened, const sumac_plan *plan)
{
    const char *name;
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
    print("plan         %s\n", sumac_plan_name(plan));
    print("stages      ");
    for (size_t i = 0; (name = sumac_plan_stage(plan, i)) != NULL; i++) {
        print("%s %s %s", i > 0 ? "," : "", name, sumac_plan_kind(plan, name));
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
    print("  %-12s %16.0f\n", "accumulate", sumac_plan_number(plan, "accumulate_additions"));
    print("  %-12s %16.0f\n", "reduce", sumac_plan_number(plan, "reduce_additions"));
    print("  %-12s %16.0f\n", "combine", sumac_plan_number(plan, "combine_additions"));
    print("bytes\n");
    for (size_t i = 0; (name = sumac_plan_row(plan, i)) != NULL; i++) {
        const unsigned long long bytes = sumac_plan_bytes(plan, name);
        const bool pinned = strcmp(name, "pinned") == 0;
        if (!pinned || bytes > 0) {
            print("  %-12s %16llu\n", pinned ? "page-locked" : name, bytes);
        }
    }
    print("predicted    %.3f ms\n", sumac_plan_number(plan, "milliseconds"));
}

/* ---- Descriptions ---- */

/* Return the description of a stage's kind, or null if it has none. */
static const char *kind_about(const session *opened, const sumac_plan *plan, const char *stage)
{
    const char *about =
        sumac_context_kind_about(opened->context, opened->curve, stage, sumac_plan_kind(plan, stage));
    return about == NULL || about[0] == '\0' ? NULL : about;
}

/* The names under which a plan reports the bytes of a stage's output (`row`) and its additions; null if it does not. */
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

static void explain_stage(const session *opened, const sumac_plan *plan, const char *stage)
{
    const char *about = kind_about(opened, plan, stage);
    const stage_numbers *numbers = numbers_of(stage);
    const double scalars = sumac_plan_number(plan, "n") * sumac_plan_number(plan, "batch");
    print("%s: %s\n", stage, sumac_plan_kind(plan, stage));
    if (about != NULL) {
        print_wrapped(about, 4);
    }
    if (numbers->additions != NULL) {
        const double additions = sumac_plan_number(plan, numbers->additions);
        print("    %.0f additions", additions);
        if (scalars > 0) {
            print(", %.1f for each scalar", additions / scalars);
        }
        print("\n");
    }
    if (numbers->row != NULL) {
        print("    %llu bytes of %s, in each of %llu passes\n",
              (unsigned long long)sumac_plan_bytes(plan, numbers->row), numbers->row, value(plan, "passes"));
    }
}

/* ---- JSON ---- */

uint64_t plan_integer(const sumac_plan *plan, const char *name)
{
    return (uint64_t)sumac_plan_number(plan, name);
}

json_t *plan_to_json(const sumac_plan *plan)
{
    static const char *const integers[] = {"n",
                                           "batch",
                                           "scalar_bits",
                                           "top_window_balancing",
                                           "c",
                                           "windows",
                                           "precompute_factor",
                                           "glv_terms",
                                           "table_digits",
                                           "modules",
                                           "buckets",
                                           "module_parts",
                                           "sub_batch",
                                           "modules_per_pass",
                                           "in_flight_passes",
                                           "passes",
                                           "chunks",
                                           "keeps_buckets",
                                           "copy_slices",
                                           "copy_slice_growth",
                                           "threads",
                                           "task_entries"};
    const char *name;
    json_t *kinds = json_object(), *bytes = json_object();
    for (size_t i = 0; (name = sumac_plan_stage(plan, i)) != NULL; i++) {
        json_put(&kinds, name, json_string(sumac_plan_kind(plan, name)));
    }
    for (size_t i = 0; (name = sumac_plan_row(plan, i)) != NULL; i++) {
        json_put(&bytes, name, json_integer((json_int_t)sumac_plan_bytes(plan, name)));
    }
    json_t *object = json_pack("{s:s, s:o}", "name", sumac_plan_name(plan), "kinds", kinds);
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        json_put(&object, integers[i], json_integer((json_int_t)plan_integer(plan, integers[i])));
    }
    json_put(&object, "additions",
             json_pack("{s:f, s:f, s:f}", "accumulate", sumac_plan_number(plan, "accumulate_additions"),
                       "reduce", sumac_plan_number(plan, "reduce_additions"), "combine",
                       sumac_plan_number(plan, "combine_additions")));
    json_put(&object, "milliseconds", json_real(sumac_plan_number(plan, "milliseconds")));
    json_put(&object, "bytes", bytes);
    return object;
}

static json_t *stages_to_json(const session *opened, const sumac_plan *plan)
{
    json_t *stages = json_array();
    const char *stage;
    for (size_t i = 0; (stage = sumac_plan_stage(plan, i)) != NULL; i++) {
        const stage_numbers *numbers = numbers_of(stage);
        json_t *row = json_pack("{s:s, s:s, s:s?}", "stage", stage, "kind", sumac_plan_kind(plan, stage),
                                "about", kind_about(opened, plan, stage));
        if (numbers->additions != NULL) {
            json_put(&row, "additions", json_real(sumac_plan_number(plan, numbers->additions)));
        }
        if (numbers->row != NULL) {
            json_put(&row, "bytes", json_integer((json_int_t)sumac_plan_bytes(plan, numbers->row)));
        }
        json_append(&stages, row);
    }
    return stages;
}

static int run_plan(const session *opened, const options *given)
{
    const sumac_group *info = opened->info;
    CLEANUP(close_plan) sumac_plan *plan = NULL;
    sumac_bases_config bases = bases_config(given);
    bases.typical_batch = (uint32_t)given->batch;
    bases.typical_n = (size_t)given->n;
    sumac_tuning tuning;
    const sumac_msm_config msm = msm_config(given, &tuning);
    CALL(opened, sumac_plan_create(opened->context, opened->curve, (size_t)given->n, &bases, &msm, &plan));
    const char *stage, *about = sumac_context_plan_about(opened->context, sumac_plan_name(plan));
    if (!given->json) {
        print_plan(opened, plan);
        print(given->plan != NULL ? "\n" : "");
        if (given->plan != NULL && about != NULL && about[0] != '\0') {
            print_wrapped(about, 0);
        }
        for (size_t i = 0; given->plan != NULL && (stage = sumac_plan_stage(plan, i)) != NULL; i++) {
            explain_stage(opened, plan, stage);
        }
        return STATUS_DONE;
    }
    json_t *answer = json_pack("{s:s, s:s, s:s, s:s, s:o}", "curve", info->curve, "group", info->name,
                               "backend", context_info(opened->context).backend, "variant",
                               context_info(opened->context).variant, "plan", plan_to_json(plan));
    if (given->plan != NULL) {
        json_put(&answer, "about", about != NULL ? json_string(about) : json_null());
        json_put(&answer, "stages", stages_to_json(opened, plan));
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
