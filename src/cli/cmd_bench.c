/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "files.h"
#include "results.h"
#include "session.h"

static int add_curve(curve_list *list, const sumac_curve *curve)
{
    if (list->count == CURVE_CAPACITY) {
        return bad_input("--curve takes at most %d curves", CURVE_CAPACITY);
    }
    list->curves[list->count++] = curve;
    return STATUS_DONE;
}

static bool group_is_wanted(const options *given, const char *group)
{
    for (size_t i = 0; i < given->groups.count; i++) {
        if (strcmp(option_choice(OPTION_GROUP, given->groups.values[i]), group) == 0) {
            return true;
        }
    }
    return false;
}

/* All of the registry's that have a wanted group. */
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

/* One name of the list, in all wanted groups; a curve without a second group is no mistake if both are
 * wanted. */
static int add_named_curve(const options *given, const char *name, curve_list *list)
{
    size_t before = list->count;
    const sumac_curve *curve;
    int status = STATUS_DONE;
    for (size_t i = 0; i < given->groups.count && status == STATUS_DONE; i++) {
        const char *group = option_choice(OPTION_GROUP, given->groups.values[i]);
        if (sumac_curve_find(name, group, &curve) == SUMAC_OK) {
            status = add_curve(list, curve);
        }
    }
    if (status == STATUS_DONE && list->count == before) {
        return find_curve(name, option_choice(OPTION_GROUP, given->groups.values[0]), &curve);
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

/* Measure and print all rows, and add them to the array. A wrong result does not end the run, but is its
 * status. */
static int measure_rows(const options *given, const curve_list *curves, json_t *rows)
{
    size_t wrong = 0;
    const int status = given->groth16 ? bench_groth16(given, curves, rows, &wrong)
                                      : measure_msms(given, curves, rows, &wrong);
    return status == STATUS_DONE && wrong > 0
               ? found_different("%zu of the results are wrong; please report it", wrong)
               : status;
}

static int write_result_file(const options *given, const curve_list *curves, result_file *file)
{
    sumac_context *context;
    int opened = create_context(given, NULL, false, &context);
    if (opened != STATUS_DONE) {
        return opened;
    }
    json_t *result = bench_header_to_json(given, given->command_line, sumac_context_device_name(context, 0));
    sumac_context_destroy(context);
    if (result == NULL) {
        return machine_fault("out of memory: the result file could not be made");
    }
    int status = measure_rows(given, curves, json_object_get(result, "rows"));
    if (status != STATUS_DONE && json_array_size(json_object_get(result, "rows")) == 0) {
        json_decref(result);
        return status;
    }
    /* The rows that are there are kept whatever came then. */
    int begun = result_file_begin(file);
    if (begun != STATUS_DONE) {
        json_decref(result);
        return begun;
    }
    int written = write_json_file(file, result);
    if (written != STATUS_DONE) {
        return written;
    }
    int committed = result_file_commit(file);
    return status != STATUS_DONE ? status : committed;
}

/* Buckets for each base that a window may have: what they cost is all that would be measured then, seconds
 * for a handful of bases. */
enum { MOST_BUCKETS = 1 << 12 };

static int check_msms(const options *given)
{
    if (given->given[OPTION_VALIDATE]) {
        return bad_input("--validate is of a proving key's points: it goes with --groth16 only");
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
    curve_list curves;
    result_file file = RESULT_FILE_CLOSED;
    int status = given->groth16 ? bench_groth16_check(given) : check_msms(given);
    if (status == STATUS_DONE) {
        status = list_curves(given, given->groth16 ? bench_groth16_curves(given) : given->curve, &curves);
    }
    if (status == STATUS_DONE && given->json_file == NULL) {
        return measure_rows(given, &curves, NULL);
    }
    if (status == STATUS_DONE) {
        status = result_file_open(&file, given->json_file);
    }
    if (status == STATUS_DONE) {
        status = write_result_file(given, &curves, &file);
    }
    result_file_discard(&file);
    return status;
}

static const option_id takes[] = {OPTION_GROTH16,
                                  OPTION_CURVE,
                                  OPTION_GROUP,
                                  OPTION_N,
                                  OPTION_KIND,
                                  OPTION_MEMORY,
                                  OPTION_THREADS,
                                  OPTION_PRECOMPUTE,
                                  OPTION_TABLES,
                                  OPTION_TABLE_LIMIT,
                                  OPTION_BATCH,
                                  OPTION_SEPARATE_BASES,
                                  TUNE_C,
                                  TUNE_REDUCTION,
                                  TUNE_CHUNKS,
                                  TUNE_COPY_SLICES,
                                  TUNE_LARGE_BUCKETS,
                                  OPTION_SCALAR_BITS,
                                  OPTION_SCALAR_BYTES,
                                  OPTION_SCALAR_SIGNED,
                                  OPTION_PLAN,
                                  OPTION_VALIDATE,
                                  OPTION_BACKEND,
                                  TUNE_VARIANT,
                                  OPTION_DEVICES,
                                  OPTION_MEMORY_LIMIT,
                                  OPTION_RUNS,
                                  OPTION_SEED,
                                  OPTION_COMMIT,
                                  OPTION_JSON_FILE,
                                  OPTION_END};

static const option_id lists[] = {OPTION_CURVE,   OPTION_GROUP,      OPTION_N,     OPTION_KIND, OPTION_MEMORY,
                                  OPTION_THREADS, OPTION_PRECOMPUTE, OPTION_BATCH, OPTION_END};
static const option_preset presets[] = {
    {OPTION_CURVE, "all"}, {OPTION_N, "2^10,2^13,2^16"}, {OPTION_END, NULL}};

const command command_bench = {
    .name = "bench",
    .summary = "Time and verify many sizes, curves and settings",
    .takes = takes,
    .lists = lists,
    .presets = presets,
    .takes_devices = true,
    .example = "bench --curve bn254 -n 2^10..2^16 --threads 1,2",
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
             "witnesses in one call, --kind uniform or sparse (90% zeros and ones), --curve bn254 where "
             "none is\n"
             "named. \"min\", \"median\" and \"user\" are of one proof there, and in the result file of a "
             "call; \"open\" is\n"
             "the time to open the key; the peak is less the witnesses. Proofs are verified as they are "
             "made, in the\n"
             "time, and once more after it.\n",
    .run = run_bench,
};
