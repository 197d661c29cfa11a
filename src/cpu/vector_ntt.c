/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has the number-theoretic transforms on the CPU. The core goes from coefficients in natural order to values
 * in bit-reversed order and back. Other orders and cosets need steps before and after the core.
 * docs/internals/transforms.md explains the method.
 */
#include "cpu/vector_scalars.h"

#include "base/integers.h"
#include "base/try.h"
#include "cpu/engine.h"

#ifdef SUMAC_SCALAR_LANES
#include "lanes/ntt.h"
#endif

/* This is the work of one call. The tasks of a step read it. */
typedef struct ntt_work {
    fp *elements;
    const fp *factors;
    uint64_t rows;
    uint32_t log2;
    int inverse;
    /* The step computes `layers` layers of blocks of 2^size elements. */
    uint32_t size;
    uint32_t layers;
    uint64_t tasks_of_block;
    /* The last step of an inverse transform without a coset multiplies by this, 1/2^log2. */
    const fp *scale;
    char *scratch; /* NTT_SCRATCH_BYTES for each thread */
} ntt_work;

/* Return the number of a block in its row, given its number in all rows. */
static uint64_t block_in_row(const ntt_work *work, uint64_t number)
{
    return number & ((UINT64_C(1) << (work->log2 - work->size)) - 1);
}

#ifndef SUMAC_SCALAR_LANES

/* ---- One element after another ---- */

#define NTT_SCRATCH_BYTES ((size_t)0)

/* Combine elements [first, end) of a block's lower half u with those of its upper half v. */
static void layer_piece(const ntt_work *work, fp *u, uint64_t block, uint32_t size, uint64_t first,
                        uint64_t end)
{
    fp *v = u + (UINT64_C(1) << (size - 1));
    fp factor = work->factors[work->inverse ? inverse_root(block) : block], other;
    if (!work->inverse) {
        for (uint64_t i = first; i < end; i++) {
            fp_mul(&other, &v[i], &factor);
            fp_sub(&v[i], &u[i], &other);
            fp_add(&u[i], &u[i], &other);
        }
        return;
    }
    if (block != 0) {
        fp_neg(&factor, &factor);
    }
    for (uint64_t i = first; i < end; i++) {
        fp_sub(&other, &u[i], &v[i]);
        fp_add(&u[i], &u[i], &v[i]);
        fp_mul(&v[i], &other, &factor);
    }
}

/* Compute all layers of a block of 2^size elements, one half after the other so that they stay in a cache. */
static void transform_block(const ntt_work *work, fp *elements, uint64_t block, uint32_t size)
{
    const uint64_t half = UINT64_C(1) << size >> 1;
    if (size == 0) {
        return;
    }
    if (work->inverse) {
        transform_block(work, elements, 2 * block, size - 1);
        transform_block(work, elements + half, 2 * block + 1, size - 1);
    }
    layer_piece(work, elements, block, size, 0, half);
    if (!work->inverse) {
        transform_block(work, elements, 2 * block, size - 1);
        transform_block(work, elements + half, 2 * block + 1, size - 1);
    }
}

/* If all threads share a layer, each task combines this many elements of a block's lower half with those of its upper
 * half. */
#define LAYER_PIECE ((uint64_t)1 << 12)

static void layer_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    const uint64_t half = UINT64_C(1) << (work->size - 1);
    const uint64_t number = index / work->tasks_of_block; /* the block's number in all rows */
    const uint64_t first = index % work->tasks_of_block * LAYER_PIECE;
    (void)thread;
    layer_piece(work, work->elements + (number << work->size), block_in_row(work, number), work->size, first,
                smaller(first + LAYER_PIECE, half));
}

static void block_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    (void)thread;
    transform_block(work, work->elements + ((uint64_t)index << work->size), block_in_row(work, index),
                    work->size);
}

static void run_shared_layer(const parallel_team *team, ntt_work *work, uint32_t size)
{
    work->size = size;
    work->tasks_of_block = ceil_divide(UINT64_C(1) << (size - 1), LAYER_PIECE);
    parallel_for(team, (work->rows << (work->log2 - size)) * work->tasks_of_block, layer_task, work);
}

/* Compute all layers. If there are fewer rows than threads, the threads share the first layers until there are enough
 * blocks. */
static void run_layers(const vector_run *run, ntt_work *work)
{
    const parallel_team team = vector_team(run, "ntt");
    uint32_t shared = 0;
    while (team.threads > 1 && (work->rows << shared) < 4 * (uint64_t)team.threads &&
           shared + 10 < work->log2) {
        shared++;
    }
    for (uint32_t i = 0; !work->inverse && i < shared; i++) {
        run_shared_layer(&team, work, work->log2 - i);
    }
    work->size = work->log2 - shared;
    parallel_for(&team, work->rows << shared, block_task, work);
    for (uint32_t i = shared; work->inverse && i-- > 0;) {
        run_shared_layer(&team, work, work->log2 - i);
    }
    if (work->scale != NULL) {
        const vector_operand scale = {work->scale, 1, 1};
        (void)SUMAC_SCALARS_SYMBOL(multiply)(run, work->elements, work->elements, work->rows << work->log2,
                                             &scale);
    }
}

#else

/* ---- Sixteen elements at once, one in each lane ---- */

enum {
    TILE_LOG2 = 8,              /* log2 of the most rows of a tile */
    BLOCK_LOG2 = 4 + TILE_LOG2, /* log2 of the most elements of a tile */
    LANES_LOG2 = 4,
    COLUMNS_LOG2 = 4, /* the least layers of a step on columns */
};

#define NTT_SCRATCH_BYTES (sizeof(fpv) << TILE_LOG2)

static ntt_tile tile_of(const ntt_work *work, uint32_t thread, uint32_t log2)
{
    return (ntt_tile){(fpv *)(void *)(work->scratch + NTT_SCRATCH_BYTES * thread), log2, 1};
}

static void tile_load(ntt_tile *tile, const fp *elements, uint64_t row_stride, uint64_t lane_stride,
                      uint32_t lanes)
{
    for (uint64_t i = 0; i < UINT64_C(1) << tile->log2; i++) {
        scalar_lanes_load(&tile->rows[i], elements + i * row_stride, lane_stride, lanes);
    }
    tile->bound = 1;
}

static void tile_store(const ntt_tile *tile, fp *elements, uint64_t row_stride, uint64_t lane_stride,
                       uint32_t lanes)
{
    for (uint64_t i = 0; i < UINT64_C(1) << tile->log2; i++) {
        scalar_lanes_store(elements + i * row_stride, lane_stride, lanes, &tile->rows[i]);
    }
}

/* Multiply by the scale after the last step, whose blocks are whole rows. */
static void tile_scale(const ntt_work *work, ntt_tile *tile)
{
    fpv factor;
    if (work->scale == NULL || work->size != work->log2) {
        return;
    }
    ntt_broadcast(&factor, work->scale);
    for (uint64_t i = 0; i < UINT64_C(1) << tile->log2; i++) {
        scalar_lanes_multiply(&tile->rows[i], &tile->rows[i], &factor);
    }
}

static void tile_layers(const ntt_work *work, ntt_tile *tile, uint64_t block)
{
    if (work->inverse) {
        ntt_tile_inverse(tile, block, work->factors);
    } else {
        ntt_tile_forward(tile, block, work->factors);
    }
}

/* Transform sixteen columns of a block that is too large for a tile. */
static void columns_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    const uint64_t number = index / work->tasks_of_block;
    const uint64_t stride = UINT64_C(1) << (work->size - work->layers);
    fp *elements = work->elements + (number << work->size) + index % work->tasks_of_block * FPV_LANES;
    ntt_tile tile = tile_of(work, thread, work->layers);
    tile_load(&tile, elements, stride, 1, FPV_LANES);
    tile_layers(work, &tile, block_in_row(work, number));
    tile_scale(work, &tile);
    tile_store(&tile, elements, stride, 1, FPV_LANES);
}

/* Transform a block that fits a tile, as rows of sixteen neighbours. The last four layers combine neighbours: they work on
 * groups of sixteen rows, transposed. */
static void whole_block_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    const uint64_t block = block_in_row(work, index);
    const uint64_t last_block =
        block << (work->size - LANES_LOG2); /* the number of its first block of sixteen elements */
    fp *elements = work->elements + ((uint64_t)index << work->size);
    ntt_tile tile = tile_of(work, thread, work->size - LANES_LOG2);
    const uint64_t groups = UINT64_C(1) << (tile.log2 - LANES_LOG2);
    if (!work->inverse) {
        tile_load(&tile, elements, FPV_LANES, 1, FPV_LANES);
        ntt_tile_forward(&tile, block, work->factors);
        ntt_settle(&tile);
    }
    for (uint64_t g = 0; g < groups; g++) {
        ntt_tile group = {tile.rows + g * FPV_LANES, LANES_LOG2, 1};
        fp *group_elements = elements + g * FPV_LANES * FPV_LANES;
        if (work->inverse) {
            tile_load(&group, group_elements, 1, FPV_LANES, FPV_LANES);
            ntt_last_inverse(group.rows, last_block + g * FPV_LANES, work->factors);
            ntt_transpose(group.rows);
        } else {
            ntt_transpose(group.rows);
            ntt_last_forward(group.rows, last_block + g * FPV_LANES, work->factors);
            tile_store(&group, group_elements, 1, FPV_LANES, FPV_LANES);
        }
    }
    if (work->inverse) {
        tile.bound = 4;
        ntt_tile_inverse(&tile, block, work->factors);
        tile_scale(work, &tile);
        tile_store(&tile, elements, FPV_LANES, 1, FPV_LANES);
    }
}

/* Transform sixteen short rows, each in a lane. */
static void rows_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    const uint32_t lanes = (uint32_t)smaller(work->rows - (uint64_t)index * FPV_LANES, FPV_LANES);
    fp *elements = work->elements + ((uint64_t)index * FPV_LANES << work->log2);
    ntt_tile tile = tile_of(work, thread, work->log2);
    tile_load(&tile, elements, 1, UINT64_C(1) << work->log2, lanes);
    tile_layers(work, &tile, 0);
    tile_scale(work, &tile);
    tile_store(&tile, elements, 1, UINT64_C(1) << work->log2, lanes);
}

static void run_columns(const parallel_team *team, ntt_work *work, uint32_t size, uint32_t layers)
{
    work->size = size;
    work->layers = layers;
    work->tasks_of_block = UINT64_C(1) << (size - layers - LANES_LOG2);
    lanes_for(team, (work->rows << (work->log2 - size)) * work->tasks_of_block, columns_task, work);
}

static void run_layers(const vector_run *run, ntt_work *work)
{
    const parallel_team team = vector_team(run, "ntt");
    uint32_t sizes[64], layers[64], steps = 0, size = work->log2;
    if (work->log2 < 2 * LANES_LOG2) {
        work->size = work->log2;
        lanes_for(&team, ceil_divide(work->rows, FPV_LANES), rows_task, work);
        return;
    }
    while (size > BLOCK_LOG2) {
        const uint32_t over = size - BLOCK_LOG2;
        sizes[steps] = size;
        layers[steps] = over < COLUMNS_LOG2 ? COLUMNS_LOG2 : over < TILE_LOG2 ? over : TILE_LOG2;
        size -= layers[steps++];
    }
    for (uint32_t i = 0; !work->inverse && i < steps; i++) {
        run_columns(&team, work, sizes[i], layers[i]);
    }
    work->size = size;
    lanes_for(&team, work->rows << (work->log2 - size), whole_block_task, work);
    for (uint32_t i = steps; work->inverse && i-- > 0;) {
        run_columns(&team, work, sizes[i], layers[i]);
    }
}

#endif

/* ---- The whole transform ---- */

/* In a forward transform, set the coefficients to 0 that the caller does not give. In an inverse one, set those to 0
 * that the caller does not want. */
static void clear_coefficients(const vector_transform *transform, fp *elements)
{
    const uint64_t length = UINT64_C(1) << transform->log2;
    for (uint64_t row = 0; transform->coefficients < length && row < transform->rows; row++) {
        memset(elements + row * length + transform->coefficients, 0,
               (length - transform->coefficients) * sizeof(fp));
    }
}

static void bit_reverse_rows(const vector_run *run, fp *elements, const vector_transform *transform)
{
    (void)cpu_vectors.bit_reverse(run, elements, sizeof(fp), transform->rows, transform->log2);
}

/* Multiply coefficient j of each row by factor*ratio^j. */
static void scale_coefficients(const vector_run *run, fp *elements, const vector_transform *transform,
                               const fp *factor, const void *ratio)
{
    (void)SUMAC_SCALARS_SYMBOL(scale_powers)(run, elements, transform->rows << transform->log2,
                                             UINT64_C(1) << transform->log2, factor, ratio);
}

sumac_status SUMAC_SCALARS_SYMBOL(transform)(const vector_run *run, void *r,
                                             const vector_transform *transform)
{
    const int values_reversed = transform->value_order == SUMAC_ORDER_BIT_REVERSED;
    const int coefficients_reversed = transform->coefficient_order == SUMAC_ORDER_BIT_REVERSED;
    const size_t scratch_bytes = NTT_SCRATCH_BYTES * run->threads;
    AUTO_FREE char *scratch = scratch_bytes > 0 ? aligned_alloc(64, scratch_bytes) : NULL;
    ntt_work work = {
        .elements = r,
        .factors = transform->roots,
        .rows = transform->rows,
        .log2 = transform->log2,
        .inverse = transform->inverse,
        .scratch = scratch,
    };
    fp factor, ratio; /* the factor is 1, or 1/2^log2 in an inverse transform */
    if (scratch_bytes > 0 && scratch == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    fp_set_one(&factor);
    if (!transform->inverse) {
        if (coefficients_reversed) {
            bit_reverse_rows(run, r, transform);
        }
        clear_coefficients(transform, r);
        if (transform->shift != NULL) {
            scale_coefficients(run, r, transform, &factor, transform->shift);
        }
        run_layers(run, &work);
        if (!values_reversed) {
            bit_reverse_rows(run, r, transform);
        }
        return SUMAC_OK;
    }
    for (uint32_t i = 0; i < transform->log2; i++) {
        fp_halve(&factor, &factor);
    }
    ratio = factor;
    scalar_to_factor(&ratio);
    work.scale = transform->shift == NULL ? &ratio : NULL;
    if (!values_reversed) {
        bit_reverse_rows(run, r, transform);
    }
    run_layers(run, &work);
    if (transform->shift != NULL) {
        fp_inv(&ratio, transform->shift);
        scale_coefficients(run, r, transform, &factor, &ratio);
    }
    clear_coefficients(transform, r);
    if (coefficients_reversed) {
        bit_reverse_rows(run, r, transform);
    }
    return SUMAC_OK;
}
