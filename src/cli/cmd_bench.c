/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "session.h"

static int add_curve(curve_list *list, const sumac_curve *curve)
{
    if (list->count == CURVE_CAPACITY) {
        return bad_input("--curves takes at most %d curves", CURVE_CAPACITY);
    }
    list->curves[list->count++] = curve;
    return STATUS_DONE;
}

static bool group_is_wanted(const options *given, const char *group)
{
    for (size_t i = 0; i < given->groups.count; i++) {
        if (strcmp(option_choice(OPTION_GROUPS, given->groups.values[i]), group) == 0) {
            return true;
        }
    }
    return false;
}

/* List the registry's curves that have a wanted group. */
static int list_all_curves(const options *given, curve_list *list)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < sumac_curve_count() && status == STATUS_DONE; i++) {
        if (group_is_wanted(given, sumac_curve_describe(sumac_curve_at(i))->group)) {
            status = add_curve(list, sumac_curve_at(i));
        }
    }
    return status;
}

/* List a curve in all wanted groups. A curve that has only one of them is no mistake. */
static int add_named_curve(const options *given, const char *name, curve_list *list)
{
    size_t before = list->count;
    const sumac_curve *curve;
    int status = STATUS_DONE;
    for (size_t i = 0; i < given->groups.count && status == STATUS_DONE; i++) {
        const char *group = option_choice(OPTION_GROUPS, given->groups.values[i]);
        if (sumac_curve_find(name, group, &curve) == SUMAC_OK) {
            status = add_curve(list, curve);
        }
    }
    if (status == STATUS_DONE && list->count == before) {
        return find_curve(name, option_choice(OPTION_GROUPS, given->groups.values[0]), &curve);
    }
    return status;
}

static int list_curves(const options *given, const char *names, curve_list *list)
{
    list->count = 0;
    if (names == NULL || strcmp(names, "all") == 0) {
        return list_all_curves(given, list);
    }
    int status = STATUS_DONE;
    for (const char *name = names; status == STATUS_DONE; name++) {
        char copy[64];
        size_t length = strcspn(name, ",");
        snprintf(copy, sizeof copy, "%.*s", (int)length, name);
        status = add_named_curve(given, copy, list);
        name += length;
        if (*name == '\0') {
            break;
        }
    }
    return status;
}

/* ---- Rows ---- */

/* Row i of all combinations: kinds change fastest, curves slowest. */
static bench_row row_at(const options *given, const curve_list *curves, size_t i)
{
    bench_row row;
    memset(&row, 0, sizeof row);
    row.kind = (scalar_kind)given->kinds.values[i % given->kinds.count];
    i /= given->kinds.count;
    row.memory = (scalar_memory)given->memory.values[i % given->memory.count];
    i /= given->memory.count;
    row.batch = (uint32_t)given->batch_list.values[i % given->batch_list.count];
    i /= given->batch_list.count;
    row.precompute = (uint32_t)given->precompute_list.values[i % given->precompute_list.count];
    i /= given->precompute_list.count;
    row.threads = (uint32_t)given->threads_list.values[i % given->threads_list.count];
    i /= given->threads_list.count;
    row.n = given->sizes.values[i % given->sizes.count];
    i /= given->sizes.count;
    row.curve = curves->curves[i];
    return row;
}

static size_t count_rows(const options *given, const curve_list *curves)
{
    return curves->count * given->sizes.count * given->threads_list.count * given->precompute_list.count *
           given->batch_list.count * given->memory.count * given->kinds.count;
}

static int measure_msms(const options *given, const curve_list *curves, json_t *rows, size_t *wrong)
{
    print_bench_header();
    for (size_t i = 0; i < count_rows(given, curves); i++) {
        bench_row row = row_at(given, curves, i);
        int status = bench_measure(&row, given);
        if (status != STATUS_DONE) {
            bench_row_free(&row);
            return status;
        }
        print_bench_row(&row);
        *wrong += row.verified ? 0 : 1;
        const bool kept = rows == NULL || json_array_append_new(rows, bench_row_to_json(&row)) == 0;
        bench_row_free(&row);
        if (!kept) {
            return machine_fault("out of memory: a row of the result file could not be made");
        }
    }
    return STATUS_DONE;
}

/* All rows, and what is counted of them. */
typedef struct bench_run {
    const options *given;
    curve_list curves;
} bench_run;

/* A wrong result does not end the run, but is its status. */
static int measure_rows(void *user, json_t *rows)
{
    const bench_run *run = user;
    size_t wrong = 0;
    const int status = run->given->groth16 ? bench_groth16(run->given, &run->curves, rows, &wrong)
                                           : measure_msms(run->given, &run->curves, rows, &wrong);
    return status != STATUS_DONE ? status : bench_status(wrong);
}

/* Buckets for each base that a window may have: what they cost is all that would be measured then, seconds
 * for a handful of bases. */
enum { MOST_BUCKETS = 1 << 12 };

static int check_msms(const options *given)
{
    if (given->given[OPTION_CHECK]) {
        return bad_input("--check is of a proving key's points: it goes with --groth16 only");
    }
    for (size_t i = 0; i < given->sizes.count; i++) {
        const uint64_t n = given->sizes.values[i],
                       buckets = given->c == 0 ? 0 : (uint64_t)1 << (given->c - 1);
        if (buckets / MOST_BUCKETS > n) {
            return bad_input(
                "-c %llu: %llu buckets for %llu bases, more than %d each: a window for --sizes %llu "
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
    int status = given->groth16 ? bench_groth16_check(given) : check_msms(given);
    if (status == STATUS_DONE) {
        status = list_curves(given, given->groth16 ? bench_groth16_curves(given) : given->curve, &run.curves);
    }
    if (status == STATUS_DONE) {
        status = create_context(given, NULL, false, &context);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    char device[256];
    snprintf(device, sizeof device, "%s", sumac_context_device_name(context, 0));
    sumac_context_destroy(context); /* each row's context has the memory for itself */
    return bench_measure_to_file(given, device, measure_rows, &run);
}

/* `sumac report` measures what --curves and --sizes name, without the table for people. */
static int run_report(const options *given)
{
    options wanted = *given;
    wanted.json_file = given->json_file != NULL ? given->json_file : "/dev/stdout";
    wanted.curve = given->curve != NULL ? given->curve : "bls12-381";
    report_silence();
    return run_bench(&wanted);
}

static const option_id takes[] = {OPTION_GROTH16,
                                  OPTION_CURVES,
                                  OPTION_GROUPS,
                                  OPTION_SIZES,
                                  OPTION_KINDS,
                                  OPTION_MEMORY,
                                  OPTION_THREADS_LIST,
                                  OPTION_PRECOMPUTE_LIST,
                                  OPTION_TABLES,
                                  OPTION_TABLE_LIMIT,
                                  OPTION_BATCH_LIST,
                                  OPTION_SEPARATE_BASES,
                                  OPTION_C,
                                  OPTION_REDUCTION,
                                  OPTION_CHUNKS,
                                  OPTION_COPY_SLICES,
                                  OPTION_LARGE_BUCKET_FACTOR,
                                  OPTION_SCALAR_BITS,
                                  OPTION_SCALAR_BYTES,
                                  OPTION_SCALAR_SIGNED,
                                  OPTION_PLAN,
                                  OPTION_CHECK,
                                  OPTION_BACKEND,
                                  OPTION_VARIANT,
                                  OPTION_DEVICE,
                                  OPTION_DEVICES,
                                  OPTION_MEMORY_LIMIT,
                                  OPTION_RUNS,
                                  OPTION_SEED,
                                  OPTION_COMMIT,
                                  OPTION_JSON_FILE,
                                  OPTION_END};

const command command_bench = {
    .name = "bench",
    .summary = "Time and verify many sizes, curves and settings",
    .takes = takes,
    .notes = "Every combination of the lists is a row: one call to warm up, then the timed ones, by the "
             "monotonic\n"
             "clock. The bases have known discrete logarithms, so that every result is verified. User time "
             "is the\n"
             "mean of a call, all threads together; the peak is of resident memory while the calls ran. "
             "\"bases\"\n"
             "is the time to make the bases with their multiples.\n"
             "\n"
             "With --groth16 each row is of proofs of a made circuit, its insecure key made and opened once, "
             "in unnamed\n"
             "files in TMPDIR (/tmp). A size N is N - 2 constraints, so that a power of two is the domain; "
             "--batch is\n"
             "witnesses in one call, --kinds uniform or sparse (90% zeros and ones), --curves bn254 where "
             "none is\n"
             "named. \"min\", \"median\" and \"user\" are of one proof there, and in the result file of a "
             "call; \"open\" is\n"
             "the time to open the key; the peak is less the witnesses. Proofs are verified as they are "
             "made, in the\n"
             "time, and once more after it.\n",
    .run = run_bench,
};

static const option_id takes_of_report[] = {OPTION_CURVES,  OPTION_SIZES,     OPTION_THREADS_LIST,
                                            OPTION_BACKEND, OPTION_VARIANT,   OPTION_DEVICES,
                                            OPTION_RUNS,    OPTION_JSON_FILE, OPTION_END};

const command command_report = {
    .name = "report",
    .summary = "Print JSON about this machine: what it is, and how long verified MSMs and their stages take",
    .takes = takes_of_report,
    .notes =
        "This is what a report of a slow machine should come with. Without --curves bls12-381. The JSON is\n"
        "that of `sumac bench --json`; `sumac-plot` draws pictures of it.\n",
    .run = run_report,
};
