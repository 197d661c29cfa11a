/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arrays of points: point_vector_ops of vector/vector.h. Transforms are vector_point_transforms.c's. */
#include "cpu/vector_points.h"

#include <stdlib.h>

#include "base/integers.h"
#include "codec/record.h"
#include "cpu/stages.h"

/* Parts of rows that are summed at the same time where there are fewer rows than threads. */
#define POINTS_VECTOR_SUM_PARTS 64

/* ---- in and out ---- */

typedef struct points_import_block {
    sumac_status status;
    size_t bad;
} points_import_block;

typedef struct points_import_work {
    affine *points;
    points_import_block *blocks;
    const uint8_t *records;
    uint64_t n;
    point_layout layout;
    sumac_check check;
    xyzz *result;
} points_import_work;

static void points_import_task(void *arguments, size_t index, uint32_t thread)
{
    const points_import_work *work = arguments;
    const uint64_t first = index * POINTS_VECTOR_BLOCK;
    points_import_block *block = &work->blocks[index];
    (void)thread;
    block->status = SUMAC_SYMBOL(convert).import_points(
        work->points + first, work->records + first * POINT_BYTES,
        smaller(POINTS_VECTOR_BLOCK, work->n - first), &work->layout, work->check, &block->bad);
}

static void points_import_lift_task(void *arguments, size_t index, uint32_t thread)
{
    const points_import_work *work = arguments;
    const uint64_t first = index * POINTS_VECTOR_BLOCK, end = smaller(first + POINTS_VECTOR_BLOCK, work->n);
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        xyzz_from_affine(&work->result[i], &work->points[i]);
    }
}

/* All records are read before the first point is written: on failure nothing is. */
static sumac_status points_vector_import_records(const vector_run *run, void *r, const uint8_t *records,
                                                 uint64_t n, sumac_form form, sumac_check check,
                                                 uint64_t *bad)
{
    const parallel_team team = vector_team(run, "import");
    const uint64_t blocks = ceil_divide(n, POINTS_VECTOR_BLOCK);
    const point_layout layout = {form, POINT_BYTES, SUMAC_INFINITY_ZERO, 0};
    points_import_work work = {NULL, NULL, records, n, layout, check, r};
    sumac_status status = SUMAC_OK;
    if (n == 0) {
        return SUMAC_OK;
    }
    work.points = malloc(n * sizeof *work.points);
    work.blocks = malloc(blocks * sizeof *work.blocks);
    if (work.points == NULL || work.blocks == NULL) {
        free(work.points);
        free(work.blocks);
        return SUMAC_OUT_OF_MEMORY;
    }
    parallel_for(&team, blocks, points_import_task, &work);
    for (uint64_t i = 0; i < blocks && status == SUMAC_OK; i++) {
        status = work.blocks[i].status;
        if (status != SUMAC_OK) {
            *bad = i * POINTS_VECTOR_BLOCK + work.blocks[i].bad;
        }
    }
    if (status == SUMAC_OK) {
        parallel_for(&team, blocks, points_import_lift_task, &work);
    }
    free(work.points);
    free(work.blocks);
    return status;
}

typedef struct points_export_work {
    uint8_t *records;
    const xyzz *points;
    uint64_t n;
    sumac_form form;
} points_export_work;

static void points_export_task(void *arguments, size_t index, uint32_t thread)
{
    const points_export_work *work = arguments;
    const uint64_t first = index * POINTS_VECTOR_BLOCK;
    const uint32_t count = (uint32_t)smaller(POINTS_VECTOR_BLOCK, work->n - first);
    affine points[POINTS_VECTOR_BLOCK];
    (void)thread;
    normalize_block(points, work->points + first, count);
    SUMAC_SYMBOL(convert).export_points(work->records + first * POINT_BYTES, points, count, work->form);
}

static sumac_status points_vector_export_records(const vector_run *run, uint8_t *records, const void *a,
                                                 uint64_t n, sumac_form form)
{
    const parallel_team team = vector_team(run, "export");
    points_export_work work = {records, a, n, form};
    parallel_for(&team, ceil_divide(n, POINTS_VECTOR_BLOCK), points_export_task, &work);
    return SUMAC_OK;
}

static sumac_status points_vector_lay_out_records(const vector_run *run, void *records, const void *a,
                                                  uint64_t n)
{
    return points_vector_export_records(run, records, a, n, SUMAC_FORM_MONTGOMERY);
}

/* ---- element by element ---- */

typedef struct points_addition_work {
    xyzz *result;
    const xyzz *a;
    const vector_operand *b;
    uint64_t n;
    int subtract;
} points_addition_work;

static void points_addition_task(void *arguments, size_t index, uint32_t thread)
{
    const points_addition_work *work = arguments;
    const vector_operand *b = work->b;
    const uint64_t first = index * POINTS_VECTOR_BLOCK, end = smaller(first + POINTS_VECTOR_BLOCK, work->n);
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        xyzz term = ((const xyzz *)b->elements)[i / b->each % b->count];
        if (work->subtract) {
            fe_neg(&term.y, &term.y);
        }
        xyzz_add(&work->result[i], &work->a[i], &term);
    }
}

static sumac_status points_vector_add_signed(const vector_run *run, void *r, const void *a, uint64_t n,
                                             const vector_operand *b, int subtract)
{
    const parallel_team team = vector_team(run, subtract ? "subtract" : "add");
    points_addition_work work = {r, a, b, n, subtract};
    parallel_for(&team, ceil_divide(n, POINTS_VECTOR_BLOCK), points_addition_task, &work);
    return SUMAC_OK;
}

static sumac_status points_vector_add(const vector_run *run, void *r, const void *a, uint64_t n,
                                      const vector_operand *b)
{
    return points_vector_add_signed(run, r, a, n, b, 0);
}

static sumac_status points_vector_subtract(const vector_run *run, void *r, const void *a, uint64_t n,
                                           const vector_operand *b)
{
    return points_vector_add_signed(run, r, a, n, b, 1);
}

typedef struct points_sum_work {
    xyzz *sums;
    const xyzz *points;
    uint64_t length; /* of a row */
    uint64_t parts;  /* of a row */
} points_sum_work;

static void points_sum_task(void *arguments, size_t index, uint32_t thread)
{
    const points_sum_work *work = arguments;
    const uint64_t part = index % work->parts, share = ceil_divide(work->length, work->parts);
    const uint64_t end = smaller((part + 1) * share, work->length);
    const xyzz *row = work->points + index / work->parts * work->length;
    xyzz sum;
    (void)thread;
    xyzz_set_infinity(&sum);
    for (uint64_t i = part * share; i < end; i++) {
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
    const uint64_t parts = larger(smaller(wanted, length / POINTS_VECTOR_BLOCK), 1);
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
