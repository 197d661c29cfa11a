/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file implements point_vector_ops of vector/vector.h; vector_point_transforms.c has the transforms. */
#include <stdlib.h>

#include "base/integers.h"
#include "base/try.h"
#include "codec/record.h"
#include "cpu/normalize.h"
#include "cpu/ranges.h"
#include "cpu/stages.h"

/* If there are fewer rows than threads, each row is cut into this many parts, which are summed at the same time. */
#define POINTS_VECTOR_SUM_PARTS 64

/* ---- Import and export ---- */

typedef struct points_import_work {
    affine *points;
    const uint8_t *records;
    point_layout layout;
    sumac_check check;
    xyzz *result;
    size_t first_bad; /* the lowest index of a bad record, set by note_least(); n if all are good */
} points_import_work;

static void points_import_task(void *arguments, index_range range)
{
    points_import_work *work = arguments;
    size_t bad;
    if (SUMAC_SYMBOL(convert).import_points(
            work->points + range.first, work->records + range.first * POINT_BYTES, range.end - range.first,
            &work->layout, work->check, &bad) != SUMAC_OK) {
        note_least(&work->first_bad, range.first + bad);
    }
}

static void points_import_lift_task(void *arguments, index_range range)
{
    const points_import_work *work = arguments;
    for (uint64_t i = range.first; i < range.end; i++) {
        xyzz_from_affine(&work->result[i], &work->points[i]);
    }
}

/* Read all records before the first point is written, so that nothing is written on failure. */
static sumac_status points_vector_import_records(const vector_run *run, void *r, const uint8_t *records,
                                                 uint64_t n, sumac_form form, sumac_check check,
                                                 uint64_t *bad)
{
    AUTO_FREE affine *points = malloc(larger(n, 1) * sizeof *points);
    points_import_work work = {.points = points,
                               .records = records,
                               .layout = {form, POINT_BYTES, SUMAC_INFINITY_ZERO, 0},
                               .check = check,
                               .result = r,
                               .first_bad = n};
    if (points == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    vector_ranges(run, "import", n, NORMALIZE_BLOCK, points_import_task, &work);
    if (work.first_bad < n) { /* read this record again for its status */
        size_t first = 0;
        *bad = work.first_bad;
        return SUMAC_SYMBOL(convert).import_points(points, records + *bad * POINT_BYTES, 1, &work.layout,
                                                   check, &first);
    }
    vector_ranges(run, "import", n, NORMALIZE_BLOCK, points_import_lift_task, &work);
    return SUMAC_OK;
}

typedef struct points_export_work {
    uint8_t *records;
    const xyzz *points;
    sumac_form form;
} points_export_work;

static void points_export_task(void *arguments, index_range range)
{
    const points_export_work *work = arguments;
    const uint32_t count = (uint32_t)(range.end - range.first);
    affine points[NORMALIZE_BLOCK];
    normalize_block(points, work->points + range.first, count);
    SUMAC_SYMBOL(convert).export_points(work->records + range.first * POINT_BYTES, points, count, work->form);
}

static sumac_status points_vector_export_records(const vector_run *run, uint8_t *records, const void *a,
                                                 uint64_t n, sumac_form form)
{
    points_export_work work = {records, a, form};
    vector_ranges(run, "export", n, NORMALIZE_BLOCK, points_export_task, &work);
    return SUMAC_OK;
}

static sumac_status points_vector_lay_out_records(const vector_run *run, void *records, const void *a,
                                                  uint64_t n)
{
    return points_vector_export_records(run, records, a, n, SUMAC_FORM_MONTGOMERY);
}

/* ---- Element by element ---- */

typedef struct points_addition_work {
    xyzz *result;
    const xyzz *a;
    const vector_operand *b;
    int subtract;
} points_addition_work;

static void points_addition_task(void *arguments, index_range range)
{
    const points_addition_work *work = arguments;
    const vector_operand *b = work->b;
    for (uint64_t i = range.first; i < range.end; i++) {
        xyzz term = ((const xyzz *)b->elements)[i / b->each % b->count];
        if (work->subtract) {
            fe_neg(&term.y, &term.y);
        }
        xyzz_add(&work->result[i], &work->a[i], &term);
    }
}

static sumac_status points_vector_add(const vector_run *run, void *r, const void *a, uint64_t n,
                                      const vector_operand *b)
{
    points_addition_work work = {r, a, b, 0};
    vector_ranges(run, "add", n, NORMALIZE_BLOCK, points_addition_task, &work);
    return SUMAC_OK;
}

static sumac_status points_vector_subtract(const vector_run *run, void *r, const void *a, uint64_t n,
                                           const vector_operand *b)
{
    points_addition_work work = {r, a, b, 1};
    vector_ranges(run, "subtract", n, NORMALIZE_BLOCK, points_addition_task, &work);
    return SUMAC_OK;
}

typedef struct points_sum_work {
    xyzz *sums;
    const xyzz *points;
    uint64_t length; /* elements per row */
    uint64_t parts;  /* parts per row */
} points_sum_work;

static void points_sum_task(void *arguments, size_t index, uint32_t thread)
{
    const points_sum_work *work = arguments;
    const uint64_t part = index % work->parts, part_length = ceil_divide(work->length, work->parts);
    const uint64_t end = smaller((part + 1) * part_length, work->length);
    const xyzz *row = work->points + index / work->parts * work->length;
    xyzz sum;
    (void)thread;
    xyzz_set_infinity(&sum);
    for (uint64_t i = part * part_length; i < end; i++) {
        xyzz_add(&sum, &sum, &row[i]);
    }
    work->sums[index] = sum;
}

static sumac_status points_vector_sum(const vector_run *run, void *r, const void *a, uint64_t rows,
                                      uint64_t length)
{
    const parallel_team team = vector_team(run, "sum");
    if (rows == 0) {
        return SUMAC_OK;
    }
    const uint64_t wanted = smaller(run->threads / rows, POINTS_VECTOR_SUM_PARTS / rows);
    const uint64_t parts = larger(smaller(wanted, length / NORMALIZE_BLOCK), 1);
    xyzz sums[POINTS_VECTOR_SUM_PARTS];
    points_sum_work work = {parts > 1 ? sums : r, a, length, parts};
    parallel_for(&team, rows * parts, points_sum_task, &work);
    if (parts > 1) {
        points_sum_work rest = {r, sums, parts, 1};
        parallel_for(&team, rows, points_sum_task, &rest);
    }
    return SUMAC_OK;
}

const point_vector_ops SUMAC_SYMBOL(point_vectors) = {
    .bytes = sizeof(xyzz),
    .import_records = points_vector_import_records,
    .export_records = points_vector_export_records,
    .lay_out_records = points_vector_lay_out_records,
    .add = points_vector_add,
    .subtract = points_vector_subtract,
    .sum = points_vector_sum,
    .transform = SUMAC_SYMBOL(transform_points),
};
