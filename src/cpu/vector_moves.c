/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cpu/vector_moves.h"

#include <string.h>

#include "base/integers.h"
#include "cpu/engine.h"

parallel_team vector_team(const vector_run *run, const char *name)
{
    return (parallel_team){run->threads, name, 0, &run->trace, run->pool};
}

typedef struct move_work {
    char *to;
    const char *from;
    size_t bytes;
    vector_slice to_slice, from_slice;
    const uint64_t *numbers;
    const void *element;
    uint64_t n;
    uint64_t rows, columns;
    uint64_t piece; /* elements of a run that are copied at a time; bytes of a tile that is transposed */
    uint32_t log2;
} move_work;

/* A task moves so many bytes at least. */
#define MOVE_BYTES ((uint64_t)1 << 18)

/* The items that a task moves, of `each` bytes. */
static uint64_t items_of_task(uint64_t each)
{
    return each >= MOVE_BYTES ? 1 : MOVE_BYTES / (each + 1) + 1;
}

static void run_moves(const vector_run *run, move_work *work, uint64_t items, uint64_t each,
                      void (*task)(void *arguments, size_t index, uint32_t thread))
{
    const parallel_team team = vector_team(run, "move");
    work->n = items;
    const uint64_t of_task = items_of_task(each);
    parallel_for(&team, (size_t)((items + of_task - 1) / of_task), task, work);
}

static void fill_task(void *arguments, size_t index, uint32_t thread)
{
    const move_work *work = arguments;
    const uint64_t of_task = items_of_task(work->bytes), first = index * of_task;
    const uint64_t end = work->n - first < of_task ? work->n : first + of_task;
    (void)thread;
    if (work->element == NULL) {
        memset(work->to + first * work->bytes, 0, (end - first) * work->bytes);
        return;
    }
    for (uint64_t k = first; k < end; k++) {
        memcpy(work->to + k * work->bytes, work->element, work->bytes);
    }
}

static sumac_status fill(const vector_run *run, void *to, const void *element, size_t bytes, uint64_t n)
{
    move_work work = {.to = to, .element = element, .bytes = bytes};
    run_moves(run, &work, n, bytes, fill_task);
    return SUMAC_OK;
}

static void copy_task(void *arguments, size_t index, uint32_t thread)
{
    const move_work *work = arguments;
    const vector_slice *from = &work->from_slice, *to = &work->to_slice;
    const uint64_t of_task = items_of_task(work->piece * work->bytes);
    const uint64_t pieces = ceil_divide(from->length, work->piece);
    (void)thread;
    for (uint64_t k = index * of_task; k < (index + 1) * of_task && k < work->n; k++) {
        const uint64_t at_run = k / pieces, at = k % pieces * work->piece;
        memcpy(work->to + (to->first + at_run * to->stride + at) * work->bytes,
               work->from + (from->first + at_run * from->stride + at) * work->bytes,
               smaller(work->piece, from->length - at) * work->bytes);
    }
}

static sumac_status copy_slices(const vector_run *run, void *to, const vector_slice *to_slice,
                                const void *from, const vector_slice *from_slice, size_t bytes)
{
    move_work work = {
        .to = to,
        .from = from,
        .bytes = bytes,
        .to_slice = *to_slice,
        .from_slice = *from_slice,
        .piece = smaller(from_slice->length, ceil_divide(MOVE_BYTES, bytes)),
    };
    run_moves(run, &work, from_slice->runs * ceil_divide(from_slice->length, work.piece), work.piece * bytes,
              copy_task);
    return SUMAC_OK;
}

static void gather_task(void *arguments, size_t index, uint32_t thread)
{
    const move_work *work = arguments;
    const uint64_t of_task = items_of_task(work->bytes);
    (void)thread;
    for (uint64_t k = index * of_task; k < (index + 1) * of_task && k < work->n; k++) {
        memcpy(work->to + k * work->bytes, work->from + work->numbers[k] * work->bytes, work->bytes);
    }
}

static sumac_status gather_rows(const vector_run *run, void *to, const void *from, size_t row_bytes,
                                const uint64_t *numbers, uint64_t n)
{
    move_work work = {.to = to, .from = from, .bytes = row_bytes, .numbers = numbers};
    run_moves(run, &work, n, row_bytes, gather_task);
    return SUMAC_OK;
}

/* A matrix is transposed by tiles, so that threads share a single one: of so few rows that a core's cache holds a line of
 * memory for each, of which every column of the result takes some elements. */
enum { TILE_ROWS = 16, TILE_COLUMNS = 256 };

static void transpose_tile(const move_work *work, uint64_t matrix, uint64_t first_row, uint64_t first_column)
{
    const size_t bytes = work->bytes, row_bytes = work->columns * bytes, column_bytes = work->rows * bytes;
    const uint64_t rows = smaller(work->rows - first_row, TILE_ROWS);
    const uint64_t columns = smaller(work->columns - first_column, TILE_COLUMNS);
    const char *from =
        work->from + matrix * work->rows * row_bytes + first_row * row_bytes + first_column * bytes;
    char *to = work->to + matrix * work->rows * row_bytes + first_column * column_bytes + first_row * bytes;
    for (uint64_t column = 0; column < columns; column++, from += bytes, to += column_bytes) {
        for (uint64_t row = 0; row < rows; row++) {
            memcpy(to + row * bytes, from + row * row_bytes, bytes);
        }
    }
}

static void transpose_task(void *arguments, size_t index, uint32_t thread)
{
    const move_work *work = arguments;
    const uint64_t of_task = items_of_task(work->piece);
    const uint64_t across = ceil_divide(work->columns, TILE_COLUMNS);
    const uint64_t tiles = across * ceil_divide(work->rows, TILE_ROWS); /* of a matrix */
    (void)thread;
    for (uint64_t k = index * of_task; k < (index + 1) * of_task && k < work->n; k++) {
        const uint64_t tile = k % tiles;
        transpose_tile(work, k / tiles, tile / across * TILE_ROWS, tile % across * TILE_COLUMNS);
    }
}

static sumac_status transpose(const vector_run *run, void *to, const void *from, size_t bytes, uint64_t count,
                              uint64_t rows, uint64_t columns)
{
    move_work work = {.to = to, .from = from, .bytes = bytes, .rows = rows, .columns = columns};
    work.piece = smaller(rows, TILE_ROWS) * smaller(columns, TILE_COLUMNS) * bytes;
    run_moves(run, &work, count * ceil_divide(rows, TILE_ROWS) * ceil_divide(columns, TILE_COLUMNS),
              work.piece, transpose_task);
    return SUMAC_OK;
}

static void bit_reverse_task(void *arguments, size_t index, uint32_t thread)
{
    const move_work *work = arguments;
    const uint64_t mask = (UINT64_C(1) << work->log2) - 1;
    const uint64_t of_task = items_of_task(work->bytes);
    char kept[768]; /* an element: at most an XYZZ point over Fp2 of 12 limbs */
    (void)thread;
    for (uint64_t k = index * of_task; k < (index + 1) * of_task && k < work->n; k++) {
        const uint64_t index_in_row = k & mask, other = reversed_bits(index_in_row, work->log2);
        if (index_in_row < other) { /* each pair is swapped once */
            char *one = work->to + k * work->bytes, *two = one + (other - index_in_row) * work->bytes;
            memcpy(kept, one, work->bytes);
            memcpy(one, two, work->bytes);
            memcpy(two, kept, work->bytes);
        }
    }
}

void sumac_vector_bit_reverse_rows(const vector_run *run, void *elements, size_t bytes, uint64_t rows,
                                   uint32_t log2)
{
    move_work work = {.to = elements, .bytes = bytes, .log2 = log2};
    run_moves(run, &work, rows << log2, bytes, bit_reverse_task);
}

static sumac_status bit_reverse(const vector_run *run, void *elements, size_t bytes, uint64_t rows,
                                uint32_t log2)
{
    sumac_vector_bit_reverse_rows(run, elements, bytes, rows, log2);
    return SUMAC_OK;
}

static const scalar_vector_ops *scalars(const sumac_curve *curve, const curve_code *code)
{
    (void)curve;
    return code->scalar_vectors;
}

static const point_vector_ops *points(const sumac_curve *curve, const curve_code *code)
{
    (void)curve;
    return code->point_vectors;
}

const vector_ops cpu_vectors = {
    .scalars = scalars,
    .points = points,
    .fill = fill,
    .copy_slices = copy_slices,
    .gather_rows = gather_rows,
    .transpose = transpose,
    .bit_reverse = bit_reverse,
};
