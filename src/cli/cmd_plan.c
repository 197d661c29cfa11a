/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "plan_json.h"
#include "results.h"

static void print_stages(const sumac_plan *plan)
{
    const char *stage;
    print("stages      ");
    for (size_t i = 0; (stage = sumac_plan_stage(plan, i)) != NULL; i++) {
        print("%s %s %s", i > 0 ? "," : "", stage, sumac_plan_kind(plan, stage));
    }
    print("\n");
}

static void print_rows(const sumac_plan *plan)
{
    const char *row;
    for (size_t i = 0; (row = sumac_plan_row(plan, i)) != NULL; i++) {
        uint64_t bytes = sumac_plan_bytes(plan, row);
        bool pinned = strcmp(row, "pinned") == 0;
        if (!pinned || bytes > 0) {
            print("  %-12s %16llu\n", pinned ? "page-locked" : row, (unsigned long long)bytes);
        }
    }
}

static void print_plan(const session *opened, const sumac_plan *plan)
{
    print("curve        %s %s\n", opened->info->name, opened->info->group);
    print("n            %llu\n", (unsigned long long)plan_integer(plan, "n"));
    print("batch        %u", (unsigned)plan_integer(plan, "batch"));
    if (plan_integer(plan, "sub_batch") < plan_integer(plan, "batch")) {
        print(", in sub-batches of %u", (unsigned)plan_integer(plan, "sub_batch"));
    }
    print("\n");
    print("backend      %s (%s), threads: %u\n", sumac_context_backend(opened->context),
          sumac_context_variant(opened->context), (unsigned)plan_integer(plan, "threads"));
    if (plan_integer(plan, "devices") > 1) {
        print("devices      %llu divide it; what follows is of the one with the most work, in %llu call%s of "
              "batch "
              "%u, n = %llu\n",
              (unsigned long long)plan_integer(plan, "devices"),
              (unsigned long long)plan_integer(plan, "device_calls"),
              plan_integer(plan, "device_calls") == 1 ? "" : "s", (unsigned)plan_integer(plan, "batch"),
              (unsigned long long)plan_integer(plan, "n"));
    }
    print("plan         %s\n", sumac_plan_name(plan));
    print_stages(plan);
    print("windows      %u of c = %u bits, for scalars of %u bits\n", (unsigned)plan_integer(plan, "windows"),
          (unsigned)plan_integer(plan, "c"), (unsigned)plan_integer(plan, "scalar_bits"));
    if (plan_integer(plan, "top_window_balancing") > 1) {
        print("balancing    of the last window over %u %s\n",
              (unsigned)plan_integer(plan, "top_window_balancing"),
              plan_integer(plan, "glv_terms") > 1 ? "values of each GLV term" : "intervals of r/2");
    }
    print("precompute   %u", (unsigned)plan_integer(plan, "precompute_factor"));
    if (plan_integer(plan, "glv_terms") > 1) {
        print(", with the endomorphism of each base");
    }
    if (plan_integer(plan, "table_digits") > 1) {
        print(", with %llu digits each", (unsigned long long)plan_integer(plan, "table_digits"));
    }
    print("\n");
    print("modules      %u of %llu buckets\n", (unsigned)plan_integer(plan, "modules"),
          (unsigned long long)plan_integer(plan, "buckets"));
    print("passes       %u of at most %u modules, for each of %u chunks%s\n",
          (unsigned)plan_integer(plan, "passes"), (unsigned)plan_integer(plan, "modules_per_pass"),
          (unsigned)plan_integer(plan, "chunks"),
          plan_integer(plan, "keeps_buckets") != 0 ? ", which add into the same buckets" : "");
    if (plan_integer(plan, "in_flight_passes") > 1) {
        print("in flight    %u passes at a time\n", (unsigned)plan_integer(plan, "in_flight_passes"));
    }
    if (plan_integer(plan, "copy_slices") > 1) {
        print("copy slices  %u, each %u times as large as the one before\n",
              (unsigned)plan_integer(plan, "copy_slices"), (unsigned)plan_integer(plan, "copy_slice_growth"));
    }
    if (plan_integer(plan, "task_entries") != 0) {
        print("task         %llu bases\n", (unsigned long long)plan_integer(plan, "task_entries"));
    }
    print("additions expected\n");
    print("  %-12s %16.0f\n", "accumulate", sumac_plan_number(plan, "accumulate_additions"));
    print("  %-12s %16.0f\n", "reduce", sumac_plan_number(plan, "reduce_additions"));
    print("  %-12s %16.0f\n", "combine", sumac_plan_number(plan, "combine_additions"));
    print("bytes\n");
    print_rows(plan);
    print("predicted    %.3f ms\n", sumac_plan_number(plan, "milliseconds"));
}

/* ---- In words ---- */

enum { WORDS_WIDTH = 96 };

/* Print words in lines of about WORDS_WIDTH columns, each of which begins with so many spaces. */
static void print_words(const char *words, int indent)
{
    int column = 0;
    while (*words != '\0') {
        const int length = (int)strcspn(words, " ");
        if (column == 0 || column + 1 + length > WORDS_WIDTH) {
            print("%s%*s", column == 0 ? "" : "\n", indent, "");
            column = indent;
        } else {
            print(" ");
            column++;
        }
        print("%.*s", length, words);
        column += length;
        words += length;
        words += strspn(words, " ");
    }
    print("\n");
}

/* A kind's description; null if it has none. */
static const char *kind_about(const session *opened, const sumac_plan *plan, const char *stage)
{
    const char *about =
        sumac_context_kind_about(opened->context, opened->curve, stage, sumac_plan_kind(plan, stage));
    return about == NULL || about[0] == '\0' ? NULL : about;
}

/* What a stage's output takes and costs. */
typedef struct stage_numbers {
    const char *row;  /* of the plan's memory; null: the stage's output is in none of its own */
    double additions; /* negative: the stage adds no points */
} stage_numbers;

static stage_numbers numbers_of(const sumac_plan *plan, const char *stage)
{
    const struct {
        const char *stage;
        stage_numbers numbers;
    } all[] = {
        {"recode", {"digits", -1}},
        {"sort", {"entries", -1}},
        {"accumulate", {"buckets", sumac_plan_number(plan, "accumulate_additions")}},
        {"reduce", {NULL, sumac_plan_number(plan, "reduce_additions")}},
        {"combine", {NULL, sumac_plan_number(plan, "combine_additions")}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].stage, stage) == 0) {
            return all[i].numbers;
        }
    }
    return (stage_numbers){NULL, -1};
}

static void explain_stage(const session *opened, const sumac_plan *plan, const char *stage)
{
    const char *about = kind_about(opened, plan, stage);
    const stage_numbers numbers = numbers_of(plan, stage);
    const double scalars = sumac_plan_number(plan, "n") * sumac_plan_number(plan, "batch");
    print("%s: %s\n", stage, sumac_plan_kind(plan, stage));
    if (about != NULL) {
        print_words(about, 4);
    }
    if (numbers.additions >= 0) {
        print("    %.0f additions", numbers.additions);
        if (scalars > 0) {
            print(", %.1f for each scalar", numbers.additions / scalars);
        }
        print("\n");
    }
    if (numbers.row != NULL) {
        print("    %llu bytes of %s, in each of %u passes\n",
              (unsigned long long)sumac_plan_bytes(plan, numbers.row), numbers.row,
              (unsigned)plan_integer(plan, "passes"));
    }
}

/* Explain a plan that was named: its idea, and each stage. */
static void explain_plan(const session *opened, const sumac_plan *plan)
{
    const char *about = sumac_context_plan_about(opened->context, sumac_plan_name(plan));
    const char *stage;
    print("\n");
    if (about != NULL && about[0] != '\0') {
        print_words(about, 0);
    }
    for (size_t i = 0; (stage = sumac_plan_stage(plan, i)) != NULL; i++) {
        explain_stage(opened, plan, stage);
    }
}

static json_t *stages_to_json(const session *opened, const sumac_plan *plan)
{
    json_t *stages = json_array();
    const char *stage;
    for (size_t i = 0; (stage = sumac_plan_stage(plan, i)) != NULL; i++) {
        const stage_numbers numbers = numbers_of(plan, stage);
        json_t *row = json_pack("{s:s, s:s, s:s?}", "stage", stage, "kind", sumac_plan_kind(plan, stage),
                                "about", kind_about(opened, plan, stage));
        if (numbers.additions >= 0) {
            json_put(&row, "additions", json_real(numbers.additions));
        }
        if (numbers.row != NULL) {
            json_put(&row, "bytes", json_integer((json_int_t)sumac_plan_bytes(plan, numbers.row)));
        }
        json_append(&stages, row);
    }
    return stages;
}

static int run_plan(const session *opened, const options *given)
{
    const sumac_curve_info *info = opened->info;
    CLEANUP(close_plan) sumac_plan *plan = NULL;
    sumac_bases_config bases = bases_config(given);
    bases.typical_batch = (uint32_t)given->batch;
    bases.typical_n = (size_t)given->n;
    sumac_tuning tuning;
    const sumac_msm_config msm = msm_config(given, &tuning);
    MUST(session_check(
        opened, sumac_plan_create(opened->context, opened->curve, (size_t)given->n, &bases, &msm, &plan)));
    if (!given->json) {
        print_plan(opened, plan);
        if (given->plan != NULL) {
            explain_plan(opened, plan);
        }
        return STATUS_DONE;
    }
    json_t *answer = json_pack("{s:s, s:s, s:s, s:s, s:o}", "curve", info->name, "group", info->group,
                               "backend", sumac_context_backend(opened->context), "variant",
                               sumac_context_variant(opened->context), "plan", plan_to_json(plan));
    if (given->plan != NULL) {
        const char *about = sumac_context_plan_about(opened->context, sumac_plan_name(plan));
        json_put(&answer, "about", about != NULL ? json_string(about) : json_null());
        json_put(&answer, "stages", stages_to_json(opened, plan));
    }
    return print_json(answer);
}

static const option_id takes[] = {OPTION_CURVE,        OPTION_GROUP,          OPTION_N,
                                  OPTION_BATCH,        OPTION_SEPARATE_BASES, OPTION_SCALAR_BITS,
                                  OPTION_SCALAR_BYTES, OPTION_SCALAR_SIGNED,  OPTION_OUTSIDE_SUBGROUP,
                                  OPTIONS_OF_MACHINE,  OPTIONS_OF_PLAN,       OPTION_JSON,
                                  OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_N, OPTION_END};

const command command_plan = {
    .name = "plan",
    .summary = "Print what `sumac msm` would do: windows, additions, bytes, predicted time",
    .takes = takes,
    .needs = needs,
    .takes_devices = true,
    .example = "plan --curve bls12-381 -n 2^20",
    .notes =
        "With --plan it also prints the plan's idea and what its kinds of stages do; `sumac compare` times "
        "plans.\n",
    .run_in = run_plan,
};
