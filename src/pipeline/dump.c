/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file writes the text files of dump.h. Points are affine and canonical, zero digits and points at infinity are
 * omitted, and the entries of a bucket are in ascending order, so that two dumps differ only if values do.
 */
#include "pipeline/dump.h"

#ifdef SUMAC_DUMP

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/try.h"
#include "codec/bytes.h"
#include "curves/group_code.h"

static FILE *open_file(uint32_t number, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%" PRIu32 "/%s.txt", SUMAC_DUMP, number, name);
    return fopen(path, "a");
}

static void close_file(FILE **file)
{
    if (*file != NULL) {
        fclose(*file);
    }
}

/* Copy an engine's array to host memory, which the caller frees. Return null on failure. */
static void *host_copy(const backend *engine, const msm_job *job, const void *from, uint64_t bytes)
{
    void *copy = malloc(bytes == 0 ? 1 : bytes);
    if (copy == NULL || engine->device == NULL) {
        return copy == NULL ? NULL : memcpy(copy, from, bytes);
    }
    if (engine->device->join(job->engine) != SUMAC_OK ||
        engine->device->download(job->engine, copy, from, bytes) != SUMAC_OK) {
        free(copy);
        return NULL;
    }
    return copy;
}

static void print_number(FILE *file, const uint8_t *little_endian, size_t bytes)
{
    fprintf(file, " 0x");
    while (bytes-- > 0) {
        fprintf(file, "%02x", little_endian[bytes]);
    }
}

/* Print a raw point and end the line. A coordinate in Fp2 is printed as one number that has both halves. */
static void print_point(FILE *file, const msm_job *job, const uint8_t *raw)
{
    const size_t bytes = job->group->point_bytes / 2;
    print_number(file, raw, bytes);
    print_number(file, raw + bytes, bytes);
    fputc('\n', file);
}

/* Convert n points of an engine, affine or XYZZ ones, to raw canonical records, which the caller frees. Return null if
 * memory is short. combine() converts XYZZ points: each is given to it as a module of one part. */
static uint8_t *raw_points(const backend *engine, const msm_job *job, const void *points, uint64_t n,
                           int are_affine)
{
    const group_code *code = job->code;
    uint8_t *raw = calloc(n == 0 ? 1 : n, job->group->point_bytes);
    AUTO_FREE void *copy =
        host_copy(engine, job, points, n * (are_affine ? code->affine_bytes : code->xyzz_bytes));
    if (raw == NULL || copy == NULL) {
        free(raw);
        return NULL;
    }
    if (are_affine) {
        code->convert->export_points(raw, copy, n, SUMAC_FORM_CANONICAL);
    } else if (n > 0) {
        msm_job exporting = {.group = job->group,
                             .code = code,
                             .threads = 1,
                             .result_form = SUMAC_FORM_CANONICAL,
                             .result_bytes = job->group->point_bytes};
        const horner_terms terms = {.points = copy, .msms = n, .count = 1, .parts = 1, .doublings = 1};
        code->combine(&exporting, &terms, raw);
    }
    return raw;
}

static void dump_plan(FILE *file, const backend *engine, const msm_job *job)
{
    const msm_plan *plan = job->plan;
    fprintf(file, "curve %s %s\nbackend %s %s\nplan %s\n", job->group->curve, job->group->name, engine->name,
            job->code->variant, plan->name);
    for (int stage = 0; stage < STAGES; stage++) {
        fprintf(file, "kind %s\n", plan->kinds[stage]->name);
    }
    fprintf(file,
            "n %" PRIu64 "\nbatch %" PRIu32 "\nc %" PRIu32 "\nwindows %" PRIu32 "\nmodules %" PRIu32
            "\nbuckets %" PRIu64 "\nmultiples %" PRIu32 "\nglv %" PRIu32 "\ndigits %" PRIu64
            "\nparts %" PRIu32 "\nfirst-base %" PRIu64 "\nbase-sets %" PRIu64 "\nchunks %" PRIu32
            "\ncopy-slices %" PRIu32 "\nsums-are-buckets %d\n",
            plan->n, plan->batch, plan->c, plan->windows, plan->modules, plan->buckets,
            plan->precompute_factor, plan->glv_terms, plan->table_digits, plan->module_parts, job->first_base,
            job->base_sets, plan->chunks, plan->copy_slices,
            plan->kinds[STAGE_ACCUMULATE]->leaves != RANGE_SUMS);
}

uint32_t dump_begin(const backend *engine, const msm_job *job)
{
    const bases_table *bases = &job->bases;
    char path[4096];
    uint32_t number = 0;
    mkdir(SUMAC_DUMP, 0777);
    do {
        snprintf(path, sizeof path, "%s/%" PRIu32, SUMAC_DUMP, ++number);
    } while (mkdir(path, 0777) != 0 && number < 100000);
    CLEANUP(close_file) FILE *plan = open_file(number, "plan");
    CLEANUP(close_file) FILE *points = open_file(number, "bases");
    CLEANUP(close_file) FILE *scalars = open_file(number, "scalars");
    if (plan == NULL || points == NULL || scalars == NULL) {
        return 0;
    }
    dump_plan(plan, engine, job);
    const uint64_t count = bases->count * bases->factor * bases->glv_terms;
    AUTO_FREE uint8_t *raw = raw_points(engine, job, bases->points, bases->host_resident ? 0 : count, 1);
    for (uint64_t i = 0; raw != NULL && !bases->host_resident && i < count; i++) {
        fprintf(points, "point %" PRIu64 ":", i);
        print_point(points, job, raw + i * job->group->point_bytes);
    }
    for (uint64_t m = 0; job->scalars_location == SUMAC_LOCATION_HOST && m < job->plan->batch; m++) {
        for (uint64_t i = 0; i < job_length(job, m); i++) {
            fprintf(scalars, "msm %" PRIu64 " base %" PRIu64 ":", m, i);
            print_number(scalars, job->scalars + (job_start(job, m) + i) * job->layout.bytes,
                         job->layout.bytes);
            fputc('\n', scalars);
        }
    }
    return number;
}

/* Return the number of a pass's module among all modules of the call. */
static uint64_t module_number(const msm_job *job, const msm_pass *pass, uint64_t module)
{
    return (uint64_t)job->first_msm * job->plan->modules + pass->first_module + module;
}

static void dump_digits(FILE *file, const msm_job *job, const msm_pass *pass, const uint32_t *codes)
{
    const uint32_t multiples = plan_multiples(job->plan);
    const int is_signed = !job->plan->kinds[STAGE_RECODE]->unsigned_digits;
    for (uint64_t row = 0; row < pass->modules * multiples; row++) {
        for (uint64_t i = 0; i < pass->n; i++) {
            const uint32_t code = codes[row * pass->n + i];
            if (code != 0) {
                fprintf(file, "module %" PRIu64 " multiple %" PRIu64 " base %" PRIu64 ": %s%" PRIu32 "\n",
                        module_number(job, pass, row / multiples), row % multiples, pass->first + i,
                        is_signed && code % 2 == 1 ? "-" : "", code / 2);
            }
        }
    }
}

static int compare_entries(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static void dump_lists(FILE *file, const msm_job *job, const msm_pass *pass, uint32_t *entries,
                       const uint32_t *starts)
{
    const uint64_t buckets = job->plan->buckets;
    for (uint64_t b = 0; b < pass->modules * buckets; b++) {
        const uint32_t begin = starts[b], n = starts[b + 1] - begin;
        if (n == 0) {
            continue;
        }
        qsort(entries + begin, n, sizeof *entries, compare_entries);
        fprintf(file, "module %" PRIu64 " bucket %" PRIu64 ":", module_number(job, pass, b / buckets),
                b % buckets + 1);
        for (uint32_t i = 0; i < n; i++) {
            fprintf(file, " %c%" PRIu32, entries[begin + i] % 2 == 0 ? '+' : '-', entries[begin + i] / 2);
        }
        fputc('\n', file);
    }
}

/* Print points as lines "module 2 NAME 5: x y". Each module has `each` points. */
static void dump_points(FILE *file, const msm_job *job, const uint8_t *raw, uint64_t first_module, uint64_t n,
                        uint64_t each, const char *name, uint64_t first)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *point = raw + i * job->group->point_bytes;
        if (!all_zero(point, job->group->point_bytes)) { /* the point is not infinity */
            fprintf(file, "module %" PRIu64 " %s %" PRIu64 ":", first_module + i / each, name,
                    i % each + first);
            print_point(file, job, point);
        }
    }
}

static void dump_results(FILE *file, const backend *engine, const msm_job *job, const void *results)
{
    const size_t bytes = job->group->point_bytes;
    if (engine->device != NULL) {
        fprintf(file, "the results of a device are not dumped\n");
        return;
    }
    AUTO_FREE uint8_t *raw =
        job->results_as_elements ? raw_points(engine, job, results, job->plan->batch, 0) : NULL;
    for (uint32_t m = 0; m < job->plan->batch; m++) {
        const uint8_t *points = job->results_as_elements ? raw : results;
        if (points != NULL) {
            fprintf(file, "msm %" PRIu32 ":", job->first_msm + m);
            print_point(file, job, points + m * bytes);
        }
    }
}

void dump_stage(const backend *engine, const msm_job *job, const msm_pass *pass, msm_stage stage,
                const workspace *space, const void *results)
{
    static const char *const names[STAGES] = {"1-digits", "2-lists", "3-buckets", "4-parts", "5-results"};
    const msm_plan *plan = job->plan;
    CLEANUP(close_file) FILE *file = job->dump == 0 ? NULL : open_file(job->dump, names[stage]);
    if (file == NULL) {
        return;
    }
    if (stage != STAGE_COMBINE) {
        fprintf(file, "pass: bases %" PRIu64 " to %" PRIu64 ", modules %" PRIu64 " to %" PRIu64 "\n",
                pass->first, pass->first + pass->n, module_number(job, pass, 0),
                module_number(job, pass, pass->modules));
    }
    const uint64_t entries = pass->modules * plan_multiples(plan) * pass->n;
    const uint64_t sums = pass->modules * plan_module_sums(plan);
    const uint64_t parts = pass->modules * plan->module_parts;
    AUTO_FREE uint32_t *numbers = NULL;
    AUTO_FREE uint32_t *starts = NULL;
    AUTO_FREE uint8_t *raw = NULL;
    switch (stage) {
    case STAGE_RECODE:
        numbers = host_copy(engine, job, space->digits.codes, entries * sizeof *numbers);
        if (numbers != NULL) {
            dump_digits(file, job, pass, numbers);
        }
        break;
    case STAGE_SORT:
        starts =
            host_copy(engine, job, space->lists.starts, (pass->modules * plan->buckets + 1) * sizeof *starts);
        numbers = starts == NULL ? NULL
                                 : host_copy(engine, job, space->lists.entries,
                                             starts[pass->modules * plan->buckets] * sizeof *numbers);
        if (numbers != NULL) {
            dump_lists(file, job, pass, numbers, starts);
        }
        break;
    case STAGE_ACCUMULATE:
        raw = raw_points(engine, job, space->buckets.points, sums,
                         plan->kinds[STAGE_ACCUMULATE]->leaves == AFFINE_BUCKETS);
        if (raw != NULL) {
            dump_points(file, job, raw, module_number(job, pass, 0), sums, plan_module_sums(plan), "bucket",
                        1);
        }
        break;
    case STAGE_REDUCE:
        raw = raw_points(engine, job,
                         (const char *)space->modules.points +
                             pass->first_module * plan->module_parts * job->code->xyzz_bytes,
                         parts, 0);
        if (raw != NULL) {
            dump_points(file, job, raw, module_number(job, pass, 0), parts, plan->module_parts, "part", 0);
        }
        break;
    default:
        dump_results(file, engine, job, results);
    }
}

#endif
