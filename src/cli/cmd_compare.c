/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * `sumac compare`: the named plans on the same inputs. Each result has to be the one that follows from the
 * bases' discrete logarithms, and the same bytes as the other plans'.
 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare.h"
#include "files.h"
#include "machine.h"
#include "results.h"
#include "session.h"

enum { PLAN_CAPACITY = 64 };

typedef struct plan_names {
    const char *names[PLAN_CAPACITY];
    size_t count;
} plan_names;

static int add_plan(plan_names *plans, const char *name)
{
    for (size_t i = 0; i < plans->count; i++) {
        if (strcmp(plans->names[i], name) == 0) {
            return bad_input("--plan has %s twice", name);
        }
    }
    if (plans->count == PLAN_CAPACITY) {
        return bad_input("--plan takes at most %d plans", PLAN_CAPACITY);
    }
    plans->names[plans->count++] = name;
    return STATUS_DONE;
}

/* The plans of --plan, all without it. */
static int list_plans(const sumac_context *context, const char *list, plan_names *plans)
{
    const char *name;
    int status = STATUS_DONE;
    plans->count = 0;
    if (list == NULL || strcmp(list, "all") == 0) {
        for (size_t i = 0; (name = sumac_context_plan_name(context, i)) != NULL && status == STATUS_DONE;
             i++) {
            status = add_plan(plans, name);
        }
        return status;
    }
    for (;; list++) {
        size_t length = strcspn(list, ",");
        status = check_plan(context, list, length, &name);
        if (status == STATUS_DONE) {
            status = add_plan(plans, name);
        }
        list += length;
        if (status != STATUS_DONE || *list == '\0') {
            return status;
        }
    }
}

/* ---- Rows ---- */

static const char *const stages[] = {"recode", "sort", "accumulate", "reduce", "combine"};

static void print_header(void)
{
    print("%-9s %-8s %-15s %2s %11s %11s", "n", "kind", "plan", "c", "min ms", "median ms");
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        print(" %10s", stages[s]);
    }
    print(" %13s %9s  %s\n", "additions", "MiB", "verified");
}

static void print_row(const bench_row *row)
{
    if (row->refusal[0] != '\0') {
        print("%-9llu %-8s %-15s  - %s\n", (unsigned long long)row->n, option_choice(OPTION_KIND, row->kind),
              row->plan_name, row->refusal);
        fflush(report_stream());
        return;
    }
    print("%-9llu %-8s %-15s %2u %11.3f %11.3f", (unsigned long long)row->n,
          option_choice(OPTION_KIND, row->kind), row->plan_name, (unsigned)plan_integer(row->plan, "c"),
          row->times.minimum_ms, row->times.median_ms);
    for (int s = 1; s < BENCH_STAGES; s++) {
        print(" %10.3f", row->stage_ms[s]);
    }
    print(" %13.0f %9.1f  %s\n", row_additions(row), (double)sumac_plan_bytes(row->plan, "total") / 1048576,
          row->verified ? "yes" : "NO: WRONG RESULT");
    fflush(report_stream());
}

/* Of the plans of a size and kind before this row the first that could be had; else the row itself. */
static const bench_row *first_of(const comparison *all, size_t index)
{
    const bench_row *first = &all->rows[index - index % all->plan_count];
    while (first->refusal[0] != '\0' && first < &all->rows[index]) {
        first++;
    }
    return first;
}

/* What row i is to measure. */
static void begin_row(const options *given, const sumac_curve *curve, const comparison *all, size_t i)
{
    bench_row *row = &all->rows[i];
    memset(row, 0, sizeof *row);
    row->curve = curve;
    row->plan_name = all->plans[i % all->plan_count];
    row->n = given->sizes.values[i / all->plan_count % all->size_count];
    row->kind = (scalar_kind)given->kinds.values[i / all->plan_count / all->size_count];
    row->batch = (uint32_t)given->batch;
    row->precompute = (uint32_t)given->precompute;
    row->threads = (uint32_t)given->threads;
    row->memory = MEMORY_PAGEABLE;
}

/* A wrong result does not end the run, but is its status; nor does a plan that can't be had for a size. After
 * another failure the rest of the rows say so. */
static int measure_rows(const options *given, const sumac_curve *curve, comparison *all)
{
    const size_t count = all->kind_count * all->size_count * all->plan_count;
    size_t wrong = 0, refused = 0;
    int status = STATUS_DONE;
    print_header();
    for (size_t i = 0; i < count; i++) {
        bench_row *row = &all->rows[i];
        begin_row(given, curve, all, i);
        if (status == STATUS_DONE) {
            status = bench_measure(row, given);
        }
        if (status != STATUS_DONE) {
            snprintf(row->refusal, sizeof row->refusal, "not measured: the run ended before");
            continue;
        }
        const bench_row *first = first_of(all, i);
        row->verified = row->verified && memcmp(row->result, first->result, sizeof row->result) == 0;
        print_row(row);
        refused += row->refusal[0] != '\0';
        wrong += row->verified || row->refusal[0] != '\0' ? 0 : 1;
    }
    if (status != STATUS_DONE) {
        return status;
    }
    if (refused == count) {
        return bad_input("no plan could be had for any of the sizes");
    }
    return wrong > 0 ? found_different("%zu of the results are wrong; please report it", wrong) : STATUS_DONE;
}

/* ---- Files ---- */

static json_t *refusal_to_json(const bench_row *row)
{
    return json_pack("{s:I, s:s, s:s, s:s}", "n", (json_int_t)row->n, "kind",
                     option_choice(OPTION_KIND, row->kind), "plan_name", row->plan_name, "refused",
                     row->refusal);
}

static json_t *comparison_to_json(const options *given, const comparison *all, const char *device)
{
    json_t *result = bench_header_to_json(given, given->command_line, device);
    json_t *rows = json_object_get(result, "rows");
    for (size_t i = 0; i < all->kind_count * all->size_count * all->plan_count && rows != NULL; i++) {
        const bench_row *row = &all->rows[i];
        if (json_array_append_new(rows, row->refusal[0] != '\0' ? refusal_to_json(row)
                                                                : bench_row_to_json(row)) != 0) {
            json_decref(result);
            return NULL;
        }
    }
    return result;
}

static int write_json(const options *given, const comparison *all, const char *device, result_file *file)
{
    json_t *result = comparison_to_json(given, all, device);
    if (result == NULL) {
        return machine_fault("out of memory: the result file could not be made");
    }
    int status = result_file_begin(file);
    if (status != STATUS_DONE) {
        json_decref(result);
        return status;
    }
    status = write_json_file(file, result);
    return status == STATUS_DONE ? result_file_finish(file) : status;
}

static int write_page(const options *given, const comparison *all, const char *device, result_file *file)
{
    char model[128], date[BENCH_DATE_BYTES];
    int status = result_file_begin(file);
    if (status != STATUS_DONE) {
        return status;
    }
    machine_cpu_model(model, sizeof model);
    bench_date(date);
    const comparison_source source = {device[0] != '\0' ? device : model, given->commit, date,
                                      given->command_line};
    status = write_comparison_page(file->stream, all, &source);
    result_file_note_error(file);
    return status == STATUS_DONE ? result_file_finish(file) : status;
}

/* The outputs are opened before the work whose result they hold, which is what there is of it after a
 * failure, too. */
static int measure_and_write(const options *given, const session *opened, comparison *all)
{
    result_file json = RESULT_FILE_CLOSED, page = RESULT_FILE_CLOSED;
    const char *device = sumac_context_device_name(opened->context, 0);
    int status = given->json_file != NULL ? result_file_open(&json, given->json_file) : STATUS_DONE;
    int written = STATUS_DONE;
    bool measured = false;
    if (status == STATUS_DONE && given->html != NULL) {
        status = result_file_open(&page, given->html);
    }
    if (status == STATUS_DONE) {
        status = measure_rows(given, opened->curve, all);
        measured = true;
    }
    if (measured && given->json_file != NULL) {
        written = write_json(given, all, device, &json);
    }
    if (measured && written == STATUS_DONE && given->html != NULL) {
        written = write_page(given, all, device, &page);
    }
    result_file *const both[] = {&json, &page};
    if (measured && written == STATUS_DONE) {
        written = result_files_commit(both, sizeof both / sizeof *both);
    }
    result_file_discard(&json);
    result_file_discard(&page);
    return written != STATUS_DONE && (status == STATUS_DONE || status == STATUS_DIFFERENT) ? written : status;
}

static int compare(const options *given, const session *opened)
{
    plan_names plans;
    int status = list_plans(opened->context, given->plan, &plans);
    if (status != STATUS_DONE) {
        return status;
    }
    comparison all = {.plans = plans.names,
                      .plan_count = plans.count,
                      .size_count = given->sizes.count,
                      .kind_count = given->kinds.count};
    all.rows = allocate(all.plan_count * all.size_count * all.kind_count * sizeof *all.rows, "rows");
    if (all.rows == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    const size_t count = all.plan_count * all.size_count * all.kind_count;
    memset(all.rows, 0, count * sizeof *all.rows);
    status = measure_and_write(given, opened, &all);
    for (size_t i = 0; i < count; i++) {
        bench_row_free(&all.rows[i]);
    }
    free(all.rows);
    return status;
}

static int run_compare(const options *given)
{
    options wanted = *given;
    session opened;
    wanted.plan = NULL; /* a list of them */
    int status = session_open(&opened, &wanted);
    if (status == STATUS_DONE) {
        status = compare(given, &opened);
    }
    return session_close(&opened, status);
}

static const option_id takes[] = {
    OPTION_CURVE,      OPTION_GROUP,   OPTION_N,       OPTION_PLAN,      OPTION_KIND,    OPTION_BATCH,
    OPTION_PRECOMPUTE, OPTION_THREADS, OPTION_BACKEND, TUNE_VARIANT,     OPTION_DEVICES, OPTION_MEMORY_LIMIT,
    OPTION_RUNS,       OPTION_SEED,    OPTION_COMMIT,  OPTION_JSON_FILE, OPTION_HTML,    OPTION_END};

static const option_id lists[] = {OPTION_N, OPTION_KIND, OPTION_END};
static const option_preset presets[] = {
    {OPTION_CURVE, "bls12-381"}, {OPTION_N, "2^10,2^13,2^16"}, {OPTION_PLAN, "all"}, {OPTION_END, NULL}};

const command command_compare = {
    .name = "compare",
    .summary = "Time and verify the named plans on the same inputs, side by side",
    .takes = takes,
    .lists = lists,
    .presets = presets,
    .example = "compare -n 2^16 --plan auto,sixblock",
    .notes = "A row is a plan with a size and a kind of scalars, measured as by\n"
             "`sumac bench`; \"additions\" are what the plan expects for uniform scalars, \"MiB\" its bases, "
             "scalars\n"
             "and workspace. Each result is compared with the answer that follows from the bases' discrete\n"
             "logarithms, and with the first plan's. `sumac plan --plan NAME` explains a plan.\n",
    .run = run_compare,
};
