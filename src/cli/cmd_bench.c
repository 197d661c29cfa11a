/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "bench.h"

/* List the wanted groups of a curve. If `curve` is null, list those of all curves. */
static int list_groups(const options *given, const char *curve, group_list *list)
{
    const size_t before = list->count, entries = curve == NULL ? sumac_group_count() : 1;
    const sumac_group *group = NULL;
    for (size_t i = 0; i < entries * given->groups.count; i++) {
        const char *name = option_choice(OPTION_GROUP, given->groups.values[i % given->groups.count]);
        if (curve == NULL) {
            group = sumac_group_at(i / given->groups.count);
            if (strcmp(group->name, name) != 0) {
                continue;
            }
        } else if (sumac_group_find(curve, name, &group) != SUMAC_OK) {
            continue;
        }
        if (list->count == GROUP_CAPACITY) {
            return bad_input("--curve takes at most %d curves", GROUP_CAPACITY);
        }
        list->groups[list->count++] = group;
    }
    return curve != NULL && list->count == before
               ? find_group(curve, option_choice(OPTION_GROUP, given->groups.values[0]), &group)
               : STATUS_DONE;
}

static int list_groups_of_curves(const options *given, const char *curves, group_list *list)
{
    list->count = 0;
    if (curves == NULL || strcmp(curves, "all") == 0) {
        return list_groups(given, NULL, list);
    }
    for (;; curves++) {
        char curve[64];
        const size_t length = strcspn(curves, ",");
        snprintf(curve, sizeof curve, "%.*s", (int)length, curves);
        MUST(list_groups(given, curve, list));
        curves += length;
        if (*curves == '\0') {
            return STATUS_DONE;
        }
    }
}

/* ---- Rows ---- */

/* Rows are numbered through all combinations of the lists. Return the number that this list has in row *i, and divide
 * *i by the length of the list, for the remaining lists. */
static uint64_t take_number(const number_list *list, size_t *i)
{
    const uint64_t number = list->values[*i % list->count];
    *i /= list->count;
    return number;
}

/* Return row i of all combinations. From row to row, kinds change fastest and groups slowest. */
static bench_row row_at(const options *given, const group_list *groups, size_t i)
{
    bench_row row = {.plan = NULL};
    row.kind = (scalar_kind)take_number(&given->kinds, &i);
    row.memory = (scalar_memory)take_number(&given->memory, &i);
    row.batch = (uint32_t)take_number(&given->batch_list, &i);
    row.precompute = (uint32_t)take_number(&given->precompute_list, &i);
    row.threads = (uint32_t)take_number(&given->threads_list, &i);
    row.n = take_number(&given->sizes, &i);
    row.group = groups->groups[i];
    return row;
}

static void print_row(const bench_row *row)
{
    const sumac_group *group = row->group;
    char backend[40];
    snprintf(backend, sizeof backend, "%s/%s", row->backend, row->variant);
    print("%-10s %-5s %9llu %5u %-8s %-8s %3u %3u %-13s %3u %3u %11.3f %11.3f %9.4f %9.1f %9.1f  %s\n",
          group->curve, group->name, (unsigned long long)row->n, (unsigned)row->batch,
          option_choice(OPTION_KIND, row->kind), option_choice(OPTION_MEMORY, row->memory),
          (unsigned)row->threads, (unsigned)plan_integer(row->plan, "precompute_factor"), backend,
          (unsigned)plan_integer(row->plan, "c"), (unsigned)plan_integer(row->plan, "windows"),
          row->times.minimum_ms, row->times.median_ms, row->times.user_seconds,
          (double)row->times.peak_bytes / 1048576, row->bases_ms, row->verified ? "yes" : "NO: WRONG RESULT");
    fflush(report_stream()); /* the next row may take long */
}

static bool is_of_proofs(const options *given)
{
    return given->groth16 || given->plonk;
}

typedef struct bench_run {
    const options *given;
    group_list groups;
} bench_run;

static int measure_msms(const bench_run *run, json_t *rows, size_t *wrong)
{
    const options *given = run->given;
    const size_t count = run->groups.count * given->sizes.count * given->threads_list.count *
                         given->precompute_list.count * given->batch_list.count * given->memory.count *
                         given->kinds.count;
    print("%-10s %-5s %9s %5s %-8s %-8s %3s %3s %-13s %3s %3s %11s %11s %9s %9s %9s  %s\n", "curve", "group",
          "n", "batch", "kind", "memory", "thr", "f", "backend", "c", "win", "min ms", "median ms", "user s",
          "peak MiB", "bases ms", "verified");
    for (size_t i = 0; i < count; i++) {
        CLEANUP(bench_row_free) bench_row row = row_at(given, &run->groups, i);
        MUST(bench_measure(&row, given));
        print_row(&row);
        *wrong += row.verified ? 0 : 1;
        MUST(bench_add_row(rows, bench_row_to_json(&row)));
    }
    return STATUS_DONE;
}

/* Measure all rows. If a result is wrong, the run goes on, and the exit status reports it. */
static int measure_rows(void *user, json_t *rows)
{
    const bench_run *run = user;
    size_t wrong = 0;
    MUST(is_of_proofs(run->given) ? bench_proofs(run->given, &run->groups, rows, &wrong)
                                  : measure_msms(run, rows, &wrong));
    return bench_status(wrong);
}

/* A window may have at most this many buckets for each base. With more buckets, a call would measure hardly anything
 * else, and would take seconds for a handful of bases. */
enum { MOST_BUCKETS = 1 << 12 };

static int check_msms(const options *given)
{
    if (given->given[OPTION_VALIDATE]) {
        return bad_input("--validate is of a proving key's points: it goes with --groth16 or --plonk only");
    }
    if (given->given[OPTION_PROTOCOL]) {
        return bad_input("--protocol goes with --plonk only");
    }
    for (size_t i = 0; i < given->sizes.count; i++) {
        const uint64_t n = given->sizes.values[i],
                       buckets = given->c == 0 ? 0 : (uint64_t)1 << (given->c - 1);
        if (buckets / MOST_BUCKETS > n) {
            return bad_input("c=%llu: %llu buckets for %llu bases, more than %d each: a window for -n %llu "
                             "is smaller",
                             (unsigned long long)given->c, (unsigned long long)buckets, (unsigned long long)n,
                             (int)MOST_BUCKETS, (unsigned long long)n);
        }
    }
    return STATUS_DONE;
}

static int run_bench(const options *given)
{
    bench_run run = {.given = given};
    sumac_context *context;
    char device[256];
    MUST(is_of_proofs(given) ? bench_proofs_check(given) : check_msms(given));
    MUST(list_groups_of_curves(given, is_of_proofs(given) ? bench_proofs_curves(given) : given->curve,
                               &run.groups));
    MUST(create_context(given, NULL, false, &context));
    snprintf(device, sizeof device, "%s", context_info(context).device_names[0]);
    sumac_context_destroy(context); /* the contexts of the rows need all memory */
    return bench_measure_to_file(given, device, measure_rows, &run);
}

/* Run `sumac report`, which measures without printing a table. */
static int run_report(const options *given)
{
    options wanted = *given;
    wanted.json_file = given->json_file != NULL ? given->json_file : "/dev/stdout";
    report_silence();
    return run_bench(&wanted);
}

static const option_id takes[] = {
    OPTION_GROTH16,     OPTION_PLONK,        OPTION_PROTOCOL,      OPTION_CURVE,    OPTION_GROUP,
    OPTION_N,           OPTION_KIND,         OPTION_MEMORY,        OPTION_BATCH,    OPTION_SEPARATE_BASES,
    OPTION_SCALAR_BITS, OPTION_SCALAR_BYTES, OPTION_SCALAR_SIGNED, OPTION_VALIDATE, OPTIONS_OF_MACHINE,
    OPTIONS_OF_PLAN,    OPTION_RUNS,         OPTION_SEED,          OPTION_COMMIT,   OPTION_JSON_FILE,
    OPTION_END};

static const option_id lists[] = {OPTION_CURVE,   OPTION_GROUP,      OPTION_N,     OPTION_KIND, OPTION_MEMORY,
                                  OPTION_THREADS, OPTION_PRECOMPUTE, OPTION_BATCH, OPTION_END};

const command command_bench = {
    .name = "bench",
    .summary = "Time and verify many sizes, curves and settings",
    .takes = takes,
    .lists = lists,
    .presets = PRESETS({OPTION_CURVE, "all"}, {OPTION_N, "2^10,2^13,2^16"}),
    .takes_devices = true,
    .example = "bench --curve bn254 -n 2^10..2^16 --threads 1,2",
    .notes =
        "Every combination of the lists is a row: one call to warm up, then the timed ones, by the "
        "monotonic clock. The bases have known discrete logarithms, so that every result is verified. "
        "User time is the mean of a call, all threads together; the peak is of resident memory while "
        "the calls ran. \"bases\" is the time to make the bases with their multiples.\n\nWith --groth16 or "
        "--plonk each row is of proofs of a generated circuit, its insecure key made and opened once, in "
        "unnamed files in TMPDIR (/tmp). A size N is N - 2 constraints, (N - 4)/3 with --plonk, or "
        "(N - 6)/3 with --protocol fflonk, so that a power of two is the domain; --batch is witnesses in one "
        "call, --kind uniform or sparse (90% "
        "zeros and ones), "
        "--curve bn254 where none is named. \"min\", \"median\" and \"user\" are of one proof there, "
        "and in the result file of a call; \"open\" is the time to open the key; \"work\" the memory that a "
        "proof is stated to take besides the key; the peak is less the "
        "witnesses. Proofs are verified as they are made, in the time, and once more after it.",
    .run = run_bench,
};

const command command_report = {
    .name = "report",
    .summary = "Print JSON about this machine: what it is, and how long verified MSMs and their stages take",
    .takes = takes,
    .lists = lists,
    .presets = PRESETS({OPTION_CURVE, "bls12-381"}, {OPTION_N, "2^10,2^13,2^16"}),
    .takes_devices = true,
    .example = "report > report.json",
    .notes = "This is what a report of a slow machine should come with. Options and JSON are those of `sumac "
             "bench --json`; `sumac-plot` draws pictures of it.",
    .run = run_report,
};
