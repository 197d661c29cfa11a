/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "plan_json.h"
#include "results.h"
#include "session.h"

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
    print("n            %llu\n", (unsigned long long)plan->n);
    print("batch        %u", (unsigned)plan->batch);
    if (plan->lot < plan->batch) {
        print(", in lots of %u", (unsigned)plan->lot);
    }
    print("\n");
    print("backend      %s (%s), threads: %u\n", sumac_context_backend(opened->context),
          sumac_context_variant(opened->context), (unsigned)plan->threads);
    print("plan         %s\n", plan->name);
    print_stages(plan);
    print("windows      %u of c = %u bits, for scalars of %u bits\n", (unsigned)plan->windows,
          (unsigned)plan->c, (unsigned)plan->scalar_bits);
    if (plan->spread > 1) {
        print("spread       over %u %s\n", (unsigned)plan->spread,
              plan->images > 1 ? "places each half" : "intervals of r/2");
    }
    print("precompute   %u", (unsigned)plan->precompute_factor);
    if (plan->images > 1) {
        print(", with the endomorphism's images");
    }
    if (plan->table_digits > 1) {
        print(", with %llu digits each", (unsigned long long)plan->table_digits);
    }
    print("\n");
    print("modules      %u of %llu buckets\n", (unsigned)plan->modules, (unsigned long long)plan->buckets);
    print("passes       %u of at most %u modules, for each of %u chunks\n", (unsigned)plan->passes,
          (unsigned)plan->modules_per_pass, (unsigned)plan->chunks);
    if (plan->tracks > 1) {
        print("tracks       %u passes at a time\n", (unsigned)plan->tracks);
    }
    if (plan->portions > 1) {
        print("portions     %u, each %u times as large as the one before\n", (unsigned)plan->portions,
              (unsigned)plan->portion_growth);
    }
    if (plan->task_entries != 0) {
        print("task         %llu bases\n", (unsigned long long)plan->task_entries);
    }
    print("additions expected\n");
    print("  %-12s %16.0f\n", "accumulate", plan->accumulate_additions);
    print("  %-12s %16.0f\n", "reduce", plan->reduce_additions);
    print("  %-12s %16.0f\n", "combine", plan->combine_additions);
    print("bytes\n");
    print_rows(plan);
    print("predicted    %.3f ms\n", plan->milliseconds);
}

static int print_plan_json(const session *opened, const sumac_plan *plan)
{
    return print_json(json_pack("{s:s, s:s, s:s, s:s, s:o}", "curve", opened->info->name, "group",
                                opened->info->group, "backend", sumac_context_backend(opened->context),
                                "variant", sumac_context_variant(opened->context), "plan",
                                plan_to_json(plan)));
}

static int query(const session *opened, const options *given)
{
    sumac_bases_config bases = bases_config(given);
    bases.typical_batch = (uint32_t)given->batch;
    bases.typical_n = (size_t)given->n;
    sumac_msm_config msm = msm_config(given);
    sumac_plan plan = sumac_plan_default();
    sumac_status status =
        sumac_plan_query(opened->context, opened->curve, (size_t)given->n, &bases, &msm, &plan);
    if (status != SUMAC_OK) {
        return session_failure(opened, status);
    }
    if (given->json) {
        return print_plan_json(opened, &plan);
    }
    print_plan(opened, &plan);
    return STATUS_DONE;
}

static int run_plan(const options *given)
{
    session opened;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = query(&opened, given);
    }
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_CURVE,
                                  OPTION_GROUP,
                                  OPTION_N,
                                  OPTION_BATCH,
                                  OPTION_SEPARATE_BASES,
                                  OPTION_SCALAR_BITS,
                                  OPTION_OUTSIDE_SUBGROUP,
                                  OPTION_BACKEND,
                                  OPTION_VARIANT,
                                  OPTION_DEVICE,
                                  OPTION_THREADS,
                                  OPTION_PLAN,
                                  OPTION_PRECOMPUTE,
                                  OPTION_TABLES,
                                  OPTION_TABLE_LIMIT,
                                  OPTION_C,
                                  OPTION_REDUCTION,
                                  OPTION_CHUNKS,
                                  OPTION_PORTIONS,
                                  OPTION_MEMORY_LIMIT,
                                  OPTION_JSON,
                                  OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_N, OPTION_END};

const command command_plan = {
    .name = "plan",
    .summary = "Print what `sumac msm` would do: windows, additions, bytes, predicted time",
    .takes = takes,
    .needs = needs,
    .run = run_plan,
};
