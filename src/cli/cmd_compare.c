/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * `sumac compare`: the named plans on the same inputs. Each result has to be the one that follows from the
 * bases' discrete logarithms, and the same bytes as the other plans'.
 */
#include <string.h>

#include "bench.h"
#include "commands.h"
#include "plan_json.h"
#include "session.h"

enum { PLAN_CAPACITY = 64 };

typedef struct comparison {
    const options *given;
    const session *opened;
    const char *plans[PLAN_CAPACITY];
    size_t plan_count;
    json_t *rows; /* null without a result file */
    size_t measured, wrong;
} comparison;

static int add_plan(comparison *all, const char *name)
{
    for (size_t i = 0; i < all->plan_count; i++) {
        if (strcmp(all->plans[i], name) == 0) {
            return bad_input("--plans has %s twice", name);
        }
    }
    if (all->plan_count == PLAN_CAPACITY) {
        return bad_input("--plans takes at most %d plans", PLAN_CAPACITY);
    }
    all->plans[all->plan_count++] = name;
    return STATUS_DONE;
}

/* List the plans of --plans; without that option all plans of the backend. */
static int list_plans(comparison *all)
{
    const sumac_context *context = all->opened->context;
    const char *name, *list = all->given->plans;
    int status = STATUS_DONE;
    if (list == NULL || strcmp(list, "all") == 0) {
        for (size_t i = 0; (name = sumac_context_plan_name(context, i)) != NULL && status == STATUS_DONE;
             i++) {
            status = add_plan(all, name);
        }
        return status;
    }
    for (;; list++) {
        size_t length = strcspn(list, ",");
        status = check_plan(context, list, length, &name);
        if (status == STATUS_DONE) {
            status = add_plan(all, name);
        }
        list += length;
        if (status != STATUS_DONE || *list == '\0') {
            return status;
        }
    }
}

/* ---- Rows ---- */

static const char *const stages[] = {"recode", "sort", "accumulate", "reduce", "combine"};
enum { STAGES = sizeof stages / sizeof *stages };

static void print_header(void)
{
    print("%-9s %-8s %-15s %2s %11s %11s", "n", "kind", "plan", "c", "min ms", "median ms");
    for (size_t s = 0; s < STAGES; s++) {
        print(" %10s", stages[s]);
    }
    print(" %13s %9s  %s\n", "additions", "MiB", "verified");
}

static void print_row(const bench_row *row)
{
    print("%-9llu %-8s %-15s", (unsigned long long)row->n, option_choice(OPTION_KINDS, row->kind),
          row->plan_name);
    if (row->refusal[0] != '\0') {
        print("  - %s\n", row->refusal);
    } else {
        print(" %2u %11.3f %11.3f", (unsigned)plan_integer(row->plan, "c"), row->times.minimum_ms,
              row->times.median_ms);
        for (size_t s = 0; s < STAGES; s++) {
            print(" %10.3f", bench_stage_ms(&row->times, stages[s]));
        }
        print(" %13.0f %9.1f  %s\n",
              sumac_plan_number(row->plan, "accumulate_additions") +
                  sumac_plan_number(row->plan, "reduce_additions") +
                  sumac_plan_number(row->plan, "combine_additions"),
              (double)sumac_plan_bytes(row->plan, "total") / 1048576,
              row->verified ? "yes" : "NO: WRONG RESULT");
    }
    fflush(report_stream());
}

static json_t *row_to_json(const bench_row *row)
{
    if (row->refusal[0] == '\0') {
        return bench_row_to_json(row);
    }
    return json_pack("{s:I, s:s, s:s, s:s}", "n", (json_int_t)row->n, "kind",
                     option_choice(OPTION_KINDS, row->kind), "plan_name", row->plan_name, "refused",
                     row->refusal);
}

/* Measure and print a row. The result is wrong, too, if it is another one than that of the first plan that was measured
 * with these inputs, whose result is kept in `first`. */
static int measure_row(comparison *all, bench_row *row, unsigned char first[BENCH_RESULT_BYTES],
                       bool *has_first)
{
    const int status = bench_measure(row, all->given);
    if (status != STATUS_DONE) {
        return status;
    }
    if (row->refusal[0] == '\0') {
        if (!*has_first) {
            memcpy(first, row->result, sizeof row->result);
        }
        *has_first = true;
        row->verified = row->verified && memcmp(row->result, first, sizeof row->result) == 0;
        all->measured++;
        all->wrong += row->verified ? 0 : 1;
    }
    print_row(row);
    if (all->rows != NULL && json_array_append_new(all->rows, row_to_json(row)) != 0) {
        return machine_fault("out of memory: a row of the result file could not be made");
    }
    return STATUS_DONE;
}

static int measure_plans(comparison *all, uint64_t n, uint64_t kind)
{
    const options *given = all->given;
    unsigned char first[BENCH_RESULT_BYTES];
    bool has_first = false;
    int status = STATUS_DONE;
    for (size_t i = 0; i < all->plan_count && status == STATUS_DONE; i++) {
        bench_row row = {.curve = all->opened->curve,
                         .plan_name = all->plans[i],
                         .n = n,
                         .kind = (scalar_kind)kind,
                         .batch = (uint32_t)given->batch,
                         .precompute = (uint32_t)given->precompute,
                         .threads = (uint32_t)given->threads,
                         .memory = MEMORY_PAGEABLE};
        status = measure_row(all, &row, first, &has_first);
        bench_row_free(&row);
    }
    return status;
}

/* A wrong result does not end the run, but is its status. A plan that does not go with a size does not end it either. */
static int measure_rows(void *user, json_t *rows)
{
    comparison *all = user;
    const options *given = all->given;
    all->rows = rows;
    print_header();
    for (size_t kind = 0; kind < given->kinds.count; kind++) {
        for (size_t size = 0; size < given->sizes.count; size++) {
            const int status = measure_plans(all, given->sizes.values[size], given->kinds.values[kind]);
            if (status != STATUS_DONE) {
                return status;
            }
        }
    }
    if (all->measured == 0) {
        return bad_input("no plan supports any of the sizes");
    }
    return bench_status(all->wrong);
}

static int run_compare(const options *given)
{
    options wanted = *given;
    session opened;
    comparison all = {.given = &wanted, .opened = &opened};
    wanted.curve = given->curve == NULL ? "bls12-381" : given->curve;
    int status = session_open(&opened, &wanted);
    if (status == STATUS_DONE) {
        status = list_plans(&all);
    }
    if (status == STATUS_DONE) {
        status =
            bench_measure_to_file(&wanted, sumac_context_device_name(opened.context, 0), measure_rows, &all);
    }
    return session_close(&opened, status);
}

static const option_id takes[] = {
    OPTION_CURVE,      OPTION_GROUP,   OPTION_SIZES,   OPTION_PLANS,     OPTION_KINDS,  OPTION_BATCH,
    OPTION_PRECOMPUTE, OPTION_THREADS, OPTION_BACKEND, OPTION_VARIANT,   OPTION_DEVICE, OPTION_MEMORY_LIMIT,
    OPTION_RUNS,       OPTION_SEED,    OPTION_COMMIT,  OPTION_JSON_FILE, OPTION_END};

const command command_compare = {
    .name = "compare",
    .summary = "Time and verify the named plans on the same inputs, side by side",
    .takes = takes,
    .notes = "Without --curve bls12-381. A row is a plan with a size and a kind of scalars, measured as by\n"
             "`sumac bench`; \"additions\" are what the plan expects for uniform scalars, \"MiB\" its bases, "
             "scalars\n"
             "and workspace. Each result is compared with the answer that follows from the bases' discrete\n"
             "logarithms, and with the first plan's. `sumac plan --plan NAME` explains a plan, `sumac-plot` "
             "draws\n"
             "pictures of the result file.\n",
    .run = run_compare,
};
