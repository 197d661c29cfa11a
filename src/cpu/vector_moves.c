/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These operations on vectors on the CPU move elements of any size, and need no arithmetic. */
#include <string.h>

#include "base/integers.h"
#include "cpu/engine.h"
#include "cpu/ranges.h"

#define MOVE_BYTES ((uint64_t)1 << 18)

typedef struct move_work {
    char *to;
    const char *from;
    size_t bytes;
    vector_slice to_slice, from_slice;
    const uint64_t *numbers;
    const void *element;
    uint64_t rows, columns;
    uint64_t piece; /* the elements of a run that are copied at a time */
    uint32_t log2;
    uint32_t side; /* log2 of the runs of a tile, and of the elements of a run */
} move_work;

/* Call the task for ranges of items of `item_bytes` each, so that each call moves at least MOVE_BYTES. */
static void run_moves(const vector_run *run, move_work *work, uint64_t items, uint64_t item_bytes,
                      void (*task)(void *arguments, index_range range))
{
    vector_ranges(run, "move", items, item_bytes >= MOVE_BYTES ? 1 : MOVE_BYTES / (item_bytes + 1) + 1, task,
                  work);
}

static void fill_task(void *arguments, index_range range)
{
    const move_work *work = arguments;
    if (work->element == NULL) {
        memset(work->to + range.first * work->bytes, 0, (range.end - range.first) * work->bytes);
        return;
    }
    for (uint64_t k = range.first; k < range.end; k++) {
        memcpy(work->to + k * work->bytes, work->element, work->bytes);
    }
}

static sumac_status fill(const vector_run *run, void *to, const void *element, size_t bytes, uint64_t n)
{
    move_work work = {.to = to, .element = element, .bytes = bytes};
    run_moves(run, &work, n, bytes, fill_task);
    return SUMAC_OK;
}

static void copy_task(void *arguments, index_range range)
{
    const move_work *work = arguments;
    const vector_slice *from = &work->from_slice, *to = &work->to_slice;
    const uint64_t pieces = ceil_divide(from->length, work->piece);
    for (uint64_t k = range.first; k < range.end; k++) {
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

static void gather_task(void *arguments, index_range range)
{
    const move_work *work = arguments;
    for (uint64_t k = range.first; k < range.end; k++) {
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

/* A matrix is transposed by tiles, so that all threads can work on the same matrix. A tile has few rows, so that a
 * core's cache keeps one line of each row until all columns in it are copied. */
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

static void transpose_task(void *arguments, index_range range)
{
    const move_work *work = arguments;
    const uint64_t across = ceil_divide(work->columns, TILE_COLUMNS);
    const uint64_t tiles = across * ceil_divide(work->rows, TILE_ROWS); /* tiles per matrix */
    for (uint64_t k = range.first; k < range.end; k++) {
        const uint64_t tile = k % tiles;
        transpose_tile(work, k / tiles, tile / across * TILE_ROWS, tile % across * TILE_COLUMNS);
    }
}

static sumac_status transpose(const vector_run *run, void *to, const void *from, size_t bytes, uint64_t count,
                              uint64_t rows, uint64_t columns)
{
    move_work work = {.to = to, .from = from, .bytes = bytes, .rows = rows, .columns = columns};
    run_moves(run, &work, count * ceil_divide(rows, TILE_ROWS) * ceil_divide(columns, TILE_COLUMNS),
              smaller(rows, TILE_ROWS) * smaller(columns, TILE_COLUMNS) * bytes, transpose_task);
    return SUMAC_OK;
}

/*
 * An index of log2 bits has three parts (a, m, b), of which a and b have `side` bits each. Reversed, it is (rev b, rev m, rev a).
 * So the elements with the middle bits m form a tile of 2^side runs, which changes places with the transposed tile of rev m.
 * Both are read into buffers first: then each run, of some cache lines, is read once and written once, whereas single
 * elements, swapped in their order, would miss the caches (Carter and Gatlin, "Towards an optimal bit-reversal permutation
 * program", 1998).
 */
enum { TILE_BYTES = 8192, TILE_MOST_SIDE = 4 };

static void copy_element(char *to, const char *from, size_t bytes)
{
    if (bytes == 32) { /* most scalars; the compiler copies a constant number of bytes without a call */
        memcpy(to, from, 32);
    } else {
        memcpy(to, from, bytes);
    }
}

static void read_tile(const move_work *work, char *tile, const char *row, uint64_t middle)
{
    const size_t run_bytes = work->bytes << work->side;
    for (uint64_t a = 0; a >> work->side == 0; a++) {
        memcpy(tile + a * run_bytes,
               row + ((a << (work->log2 - work->side)) + (middle << work->side)) * work->bytes, run_bytes);
    }
}

static void write_transposed_tile(const move_work *work, char *row, uint64_t middle, const char *tile)
{
    for (uint64_t a = 0; a >> work->side == 0; a++) {
        char *to = row + ((a << (work->log2 - work->side)) + (middle << work->side)) * work->bytes;
        const char *from = tile + reversed_bits(a, work->side) * work->bytes;
        for (uint64_t b = 0; b >> work->side == 0; b++) {
            copy_element(to + b * work->bytes,
                         from + (reversed_bits(b, work->side) << work->side) * work->bytes, work->bytes);
        }
    }
}

static void bit_reverse_task(void *arguments, index_range range)
{
    const move_work *work = arguments;
    const uint32_t middle_bits = work->log2 - 2 * work->side;
    char one[TILE_BYTES], two[TILE_BYTES];
    for (uint64_t k = range.first; k < range.end; k++) {
        const uint64_t middle = k & ((UINT64_C(1) << middle_bits) - 1),
                       other = reversed_bits(middle, middle_bits);
        char *row = work->to + (k >> middle_bits << work->log2) * work->bytes;
        if (middle <= other) { /* each pair changes places only once */
            read_tile(work, one, row, middle);
            read_tile(work, two, row, other);
            write_transposed_tile(work, row, other, one);
            write_transposed_tile(work, row, middle, two);
        }
    }
}

/* The largest element is an XYZZ point over Fp2 of 12 limbs, of 768 bytes. */
static sumac_status bit_reverse(const vector_run *run, void *elements, size_t bytes, uint64_t rows,
                                uint32_t log2)
{
    move_work work = {.to = elements,
                      .bytes = bytes,
                      .log2 = log2,
                      .side = log2 / 2 < TILE_MOST_SIDE ? log2 / 2 : TILE_MOST_SIDE};
    while (bytes << 2 * work.side > TILE_BYTES) {
        work.side--;
    }
    run_moves(run, &work, rows << (log2 - 2 * work.side), bytes << 2 * work.side, bit_reverse_task);
    return SUMAC_OK;
}

static const scalar_vector_ops *scalars(const sumac_group *group, const group_code *code)
{
    (void)group;
    return code->scalar_vectors;
}

static const point_vector_ops *points(const sumac_group *group, const group_code *code)
{
    (void)group;
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
