/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * `sumac compare` measures the named plans on the same inputs. Each result must be the one that follows from the bases'
 * discrete logarithms, and must have the same bytes as the other plans' results.
 */
#include "cli.h"

#include "bench.h"

enum { PLAN_CAPACITY = 64 };

typedef struct comparison {
    const options *given;
    const session *opened;
    const char *plans[PLAN_CAPACITY];
    size_t plan_count;
    json_t *known_plans; /* an object whose keys are the names in `plans` */
    json_t *rows;        /* null without a result file */
    size_t measured, wrong;
} comparison;

static int add_plan(comparison *all, const char *name)
{
    for (size_t i = 0; i < all->plan_count; i++) {
        if (strcmp(all->plans[i], name) == 0) {
            return bad_input("--plan has %s twice", name);
        }
    }
    if (all->plan_count == PLAN_CAPACITY) {
        return bad_input("--plan takes at most %d plans", PLAN_CAPACITY);
    }
    all->plans[all->plan_count++] = name;
    return STATUS_DONE;
}

static int list_plans(comparison *all)
{
    sumac_context *context = all->opened->context;
    const char *name, *list = all->given->plan;
    json_t *about;
    MUST(open_plans(context, all->opened->group, &all->known_plans));
    if (strcmp(list, "all") == 0) {
        json_object_foreach(json_object_get(all->known_plans, "plans"), name, about)
        {
            MUST(add_plan(all, name));
        }
        return STATUS_DONE;
    }
    for (;; list++) {
        const size_t length = strcspn(list, ",");
        MUST(check_plan(context, all->known_plans, list, length, &name));
        MUST(add_plan(all, name));
        list += length;
        if (*list == '\0') {
            return STATUS_DONE;
        }
    }
}

/* ---- Rows ---- */

static const char *const stages[] = {"recode", "sort", "accumulate", "reduce", "combine"};
enum { STAGES = sizeof stages / sizeof *stages };

static void print_row(const bench_row *row)
{
    print("%-9llu %-8s %-15s", (unsigned long long)row->n, option_choice(OPTION_KIND, row->kind),
          row->plan_name);
    if (row->refusal[0] != '\0') {
        print("  - %s\n", row->refusal);
    } else {
        print(" %2u %11.3f %11.3f", (unsigned)plan_integer(row->plan, "c"), row->times.minimum_ms,
              row->times.median_ms);
        for (size_t s = 0; s < STAGES; s++) {
            print(" %10.3f", json_real_value(json_object_get(row->times.stages, stages[s])));
        }
        print(" %13.0f %9.1f  %s\n",
              plan_number(row->plan, "accumulate_additions") + plan_number(row->plan, "reduce_additions") +
                  plan_number(row->plan, "combine_additions"),
              json_number_value(json_object_get(json_object_get(row->plan, "bytes"), "total")) / 1048576,
              row->verified ? "yes" : "NO: WRONG RESULT");
    }
    fflush(report_stream());
}

/* Measure the plans on the same inputs. A result is also wrong if it differs from that of the first plan. */
static int measure_plans(comparison *all, uint64_t n, uint64_t kind)
{
    const options *given = all->given;
    unsigned char first[BENCH_RESULT_BYTES];
    bool has_first = false;
    for (size_t i = 0; i < all->plan_count; i++) {
        CLEANUP(bench_row_free)
        bench_row row = {.group = all->opened->group,
                         .plan_name = all->plans[i],
                         .n = n,
                         .kind = (scalar_kind)kind,
                         .batch = (uint32_t)given->batch,
                         .precompute = (uint32_t)given->precompute,
                         .threads = (uint32_t)given->threads,
                         .memory = MEMORY_PAGEABLE};
        MUST(bench_measure(&row, given));
        if (row.refusal[0] == '\0') {
            if (!has_first) {
                memcpy(first, row.result, sizeof first);
            }
            has_first = true;
            row.verified = row.verified && memcmp(row.result, first, sizeof first) == 0;
            all->measured++;
            all->wrong += row.verified ? 0 : 1;
        }
        print_row(&row);
        MUST(bench_add_row(all->rows, row.refusal[0] == '\0'
                                          ? bench_row_to_json(&row)
                                          : json_pack("{s:I, s:s, s:s, s:s}", "n", (json_int_t)n, "kind",
                                                      option_choice(OPTION_KIND, kind), "plan_name",
                                                      row.plan_name, "refused", row.refusal)));
    }
    return STATUS_DONE;
}

/* Measure all rows. If a result is wrong, the run goes on, and the exit status reports it. If a plan does not support a
 * size, the run goes on, too. */
static int measure_rows(void *user, json_t *rows)
{
    comparison *all = user;
    const options *given = all->given;
    all->rows = rows;
    print("%-9s %-8s %-15s %2s %11s %11s", "n", "kind", "plan", "c", "min ms", "median ms");
    for (size_t s = 0; s < STAGES; s++) {
        print(" %10s", stages[s]);
    }
    print(" %13s %9s  %s\n", "additions", "MiB", "verified");
    for (size_t i = 0; i < given->kinds.count * given->sizes.count; i++) {
        MUST(measure_plans(all, given->sizes.values[i % given->sizes.count],
                           given->kinds.values[i / given->sizes.count]));
    }
    return all->measured == 0 ? bad_input("no plan supports any of the sizes") : bench_status(all->wrong);
}

static int compare(comparison *all, session *opened)
{
    options wanted = *all->given;
    wanted.plan = NULL; /* here --plan has a list of plans */
    MUST(session_open(opened, &wanted));
    MUST(list_plans(all));
    return bench_measure_to_file(all->given, context_info(opened->context).device_names[0], measure_rows,
                                 all);
}

static int run_compare(const options *given)
{
    session opened = {.context = NULL};
    comparison all = {.given = given, .opened = &opened};
    const int status = session_close(&opened, compare(&all, &opened));
    json_decref(all.known_plans);
    return status;
}

const command command_compare = {
    .name = "compare",
    .summary = "Time and verify the named plans on the same inputs, side by side",
    .takes = OPTIONS(OPTION_CURVE, OPTION_GROUP, OPTION_N, OPTION_PLAN, OPTION_KIND, OPTION_BATCH,
                     OPTION_PRECOMPUTE, OPTION_THREADS, OPTION_BACKEND, TUNE_VARIANT, OPTION_DEVICES,
                     OPTION_MEMORY_LIMIT, OPTION_RUNS, OPTION_SEED, OPTION_COMMIT, OPTION_JSON_FILE),
    .lists = OPTIONS(OPTION_N, OPTION_KIND),
    .presets = PRESETS({OPTION_CURVE, "bls12-381"}, {OPTION_N, "2^10,2^13,2^16"}, {OPTION_PLAN, "all"}),
    .example = "compare -n 2^16 --plan auto,sixblock",
    .notes =
        "A row is a plan with a size and a kind of scalars, measured as by `sumac bench`; \"additions\" are "
        "what the plan expects for uniform scalars, \"MiB\" its bases, scalars and workspace. Each result is "
        "compared with the answer that follows from the bases' discrete logarithms, and with the first "
        "plan's. `sumac plan --plan NAME` explains a plan, `sumac-plot` draws pictures of the result file.",
    .run = run_compare,
};
