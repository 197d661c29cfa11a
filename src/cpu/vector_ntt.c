/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Number-theoretic transforms on the CPU. The core goes from coefficients in natural order to values in
 * bit-reversed order and back; other orders and cosets are steps before and after it. docs/internals/transforms.md.
 */
#include "cpu/vector_scalars.h"

#include <stdlib.h>

#include "vector/roots.h"

#ifdef SUMAC_SCALAR_LANES
#include "lanes/ntt.h"
#endif

/* One call's work, for the tasks of a step. */
typedef struct ntt_work {
    fp *elements;
    const fp *factors;
    uint64_t rows;
    uint32_t log2;
    int inverse;
    /* The step makes `layers` layers of blocks of 2^size elements. */
    uint32_t size;
    uint32_t layers;
    uint64_t tasks_of_block;
    /* The last step of an inverse transform without a coset multiplies by this, 1/2^log2. */
    const fp *scale;
    void *scratch; /* bytes_of_scratch of each thread */
} ntt_work;

#ifndef SUMAC_SCALAR_LANES

/* ---- One element after another ---- */

/* A piece [first, end) of the halves of block number `block` of its layer. */
static void layer_forward(fp *u, fp *v, const fp *factor, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) {
        fp product;
        fp_mul(&product, &v[i], factor);
        fp_sub(&v[i], &u[i], &product);
        fp_add(&u[i], &u[i], &product);
    }
}

/* 1/factors[block]. */
static void inverse_factor(fp *r, const fp *factors, uint64_t block)
{
    *r = factors[inverse_root(block)];
    if (block != 0) {
        fp_neg(r, r);
    }
}

static void layer_inverse(fp *u, fp *v, const fp *factor, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) {
        fp difference;
        fp_sub(&difference, &u[i], &v[i]);
        fp_add(&u[i], &u[i], &v[i]);
        fp_mul(&v[i], &difference, factor);
    }
}

static void layer_piece(const ntt_work *work, fp *block_elements, uint64_t block, uint32_t size,
                        uint64_t first, uint64_t end)
{
    fp *u = block_elements;
    fp *v = u + (UINT64_C(1) << (size - 1));
    if (work->inverse) {
        fp factor;
        inverse_factor(&factor, work->factors, block);
        layer_inverse(u, v, &factor, first, end);
    } else {
        layer_forward(u, v, &work->factors[block], first, end);
    }
}

/* All layers of a block of 2^size elements, the halves one after the other so that they stay in a cache. */
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

/* Elements of a half that a task has of a layer that all threads share. */
#define LAYER_PIECE ((uint64_t)1 << 12)

static void layer_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    const uint64_t half = UINT64_C(1) << (work->size - 1);
    const uint64_t number = index / work->tasks_of_block; /* of the block, through all rows */
    const uint64_t first = index % work->tasks_of_block * LAYER_PIECE;
    (void)thread;
    layer_piece(work, work->elements + (number << work->size),
                number & ((UINT64_C(1) << (work->log2 - work->size)) - 1), work->size, first,
                first + LAYER_PIECE < half ? first + LAYER_PIECE : half);
}

static void block_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    (void)thread;
    transform_block(work, work->elements + ((uint64_t)index << work->size),
                    index & ((UINT64_C(1) << (work->log2 - work->size)) - 1), work->size);
}

static void run_shared_layer(const parallel_team *team, ntt_work *work, uint32_t size)
{
    const uint64_t half = UINT64_C(1) << (size - 1);
    work->size = size;
    work->tasks_of_block = (half + LAYER_PIECE - 1) / LAYER_PIECE;
    parallel_for(team, (work->rows << (work->log2 - size)) * work->tasks_of_block, layer_task, work);
}

/* The first layers are shared by all threads where there are fewer rows than threads, until there are blocks
 * enough. */
static void run_elements(const parallel_team *team, ntt_work *work)
{
    uint32_t shared = 0;
    while (team->threads > 1 && (work->rows << shared) < 4 * (uint64_t)team->threads &&
           shared + 10 < work->log2) {
        shared++;
    }
    for (uint32_t i = 0; !work->inverse && i < shared; i++) {
        run_shared_layer(team, work, work->log2 - i);
    }
    work->size = work->log2 - shared;
    parallel_for(team, work->rows << shared, block_task, work);
    for (uint32_t i = shared; work->inverse && i-- > 0;) {
        run_shared_layer(team, work, work->log2 - i);
    }
}

/* Before the first element changes; work->scratch is freed by the caller. */
static sumac_status allocate_scratch(const vector_run *run, ntt_work *work)
{
    (void)run;
    work->scratch = NULL;
    return SUMAC_OK;
}

static void run_core(const vector_run *run, ntt_work *work)
{
    const parallel_team team = vector_team(run, "ntt");
    run_elements(&team, work);
    if (work->scale != NULL) {
        const vector_operand scale = {work->scale, 1, 1};
        (void)SUMAC_SCALARS_SYMBOL(multiply)(run, work->elements, work->elements, work->rows << work->log2,
                                             &scale);
    }
}

#else

/* ---- In lanes ---- */

enum {
    TILE_LOG2 = 8,              /* of the rows of a tile at most */
    BLOCK_LOG2 = 4 + TILE_LOG2, /* of the elements that one tile holds */
    LANES_LOG2 = 4,
    COLUMNS_LOG2 = 4, /* layers that a step makes at least, where a block is too large */
};

#define TILE_BYTES (sizeof(fpv) << TILE_LOG2)

static ntt_tile tile_of(const ntt_work *work, uint32_t thread, uint32_t log2)
{
    return (ntt_tile){(fpv *)(void *)((char *)work->scratch + TILE_BYTES * thread), log2, 1};
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

/* After the layers of a step on blocks of 2^size elements: the last step is that on the whole row. */
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

/* Sixteen columns of a block that is too large for a tile. */
static void columns_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    const uint64_t number = index / work->tasks_of_block;
    const uint64_t stride = UINT64_C(1) << (work->size - work->layers);
    fp *elements = work->elements + (number << work->size) + index % work->tasks_of_block * FPV_LANES;
    ntt_tile tile = tile_of(work, thread, work->layers);
    tile_load(&tile, elements, stride, 1, FPV_LANES);
    tile_layers(work, &tile, number & ((UINT64_C(1) << (work->log2 - work->size)) - 1));
    tile_scale(work, &tile);
    tile_store(&tile, elements, stride, 1, FPV_LANES);
}

/* A block that fits a tile: rows of sixteen neighbours; the last four layers in groups of sixteen rows,
 * transposed. */
static void whole_block_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    const uint64_t block = index & ((UINT64_C(1) << (work->log2 - work->size)) - 1);
    const uint64_t last_block = block << (work->size - LANES_LOG2); /* of blocks of sixteen elements */
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

/* Sixteen short rows, each in a lane. */
static void rows_task(void *arguments, size_t index, uint32_t thread)
{
    const ntt_work *work = arguments;
    const uint64_t left = work->rows - (uint64_t)index * FPV_LANES;
    const uint32_t lanes = left < FPV_LANES ? (uint32_t)left : FPV_LANES;
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
    parallel_for(team, (work->rows << (work->log2 - size)) * work->tasks_of_block, columns_task, work);
}

static void run_lanes(const parallel_team *team, ntt_work *work)
{
    uint32_t sizes[64], layers[64], steps = 0, size = work->log2;
    if (work->log2 < 2 * LANES_LOG2) {
        work->size = work->log2;
        parallel_for(team, (work->rows + FPV_LANES - 1) / FPV_LANES, rows_task, work);
        return;
    }
    while (size > BLOCK_LOG2) {
        const uint32_t over = size - BLOCK_LOG2;
        sizes[steps] = size;
        layers[steps] = over < COLUMNS_LOG2 ? COLUMNS_LOG2 : over < TILE_LOG2 ? over : TILE_LOG2;
        size -= layers[steps++];
    }
    for (uint32_t i = 0; !work->inverse && i < steps; i++) {
        run_columns(team, work, sizes[i], layers[i]);
    }
    work->size = size;
    parallel_for(team, work->rows << (work->log2 - size), whole_block_task, work);
    for (uint32_t i = steps; work->inverse && i-- > 0;) {
        run_columns(team, work, sizes[i], layers[i]);
    }
}

/* Before the first element changes; work->scratch is freed by the caller. */
static sumac_status allocate_scratch(const vector_run *run, ntt_work *work)
{
    work->scratch = aligned_alloc(64, TILE_BYTES * vector_team(run, "ntt").threads);
    return work->scratch == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK;
}

static void run_core(const vector_run *run, ntt_work *work)
{
    const parallel_team team = vector_team(run, "ntt");
    run_lanes(&team, work);
}

#endif

/* ---- The whole ---- */

/* The coefficients from `wanted` on of each row become 0. */
static void clear_coefficients(const vector_transform *transform, fp *elements)
{
    const uint64_t length = UINT64_C(1) << transform->log2;
    for (uint64_t row = 0; transform->coefficients < length && row < transform->rows; row++) {
        memset(elements + row * length + transform->coefficients, 0,
               (length - transform->coefficients) * sizeof(fp));
    }
}

static void bit_reverse(const vector_run *run, fp *elements, const vector_transform *transform)
{
    sumac_vector_bit_reverse_rows(run, elements, sizeof(fp), transform->rows, transform->log2);
}

static void forward(const vector_run *run, fp *r, const vector_transform *transform, ntt_work *work)
{
    const uint64_t length = UINT64_C(1) << transform->log2;
    if (transform->coefficient_order == SUMAC_ORDER_BIT_REVERSED) {
        bit_reverse(run, r, transform);
    }
    clear_coefficients(transform, r);
    if (transform->shift != NULL) {
        fp one;
        fp_set_one(&one);
        (void)SUMAC_SCALARS_SYMBOL(scale_powers)(run, r, transform->rows * length, length, &one,
                                                 transform->shift);
    }
    run_core(run, work);
    if (transform->value_order == SUMAC_ORDER_NATURAL) {
        bit_reverse(run, r, transform);
    }
}

static void inverse(const vector_run *run, fp *r, const vector_transform *transform, ntt_work *work)
{
    const uint64_t length = UINT64_C(1) << transform->log2;
    fp factor, ratio;
    fp_set_one(&factor);
    for (uint32_t i = 0; i < transform->log2; i++) {
        fp_halve(&factor, &factor);
    }
    ratio = factor;
    scalar_to_factor(&ratio);
    work->scale = transform->shift == NULL ? &ratio : NULL;
    if (transform->value_order == SUMAC_ORDER_NATURAL) {
        bit_reverse(run, r, transform);
    }
    run_core(run, work);
    if (transform->shift != NULL) {
        fp_inv(&ratio, transform->shift);
        (void)SUMAC_SCALARS_SYMBOL(scale_powers)(run, r, transform->rows * length, length, &factor, &ratio);
    }
    clear_coefficients(transform, r);
    if (transform->coefficient_order == SUMAC_ORDER_BIT_REVERSED) {
        bit_reverse(run, r, transform);
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(transform)(const vector_run *run, void *r,
                                             const vector_transform *transform)
{
    ntt_work work = {
        .elements = r,
        .factors = transform->roots,
        .rows = transform->rows,
        .log2 = transform->log2,
        .inverse = transform->inverse,
    };
    const sumac_status status = allocate_scratch(run, &work);
    if (status == SUMAC_OK && transform->inverse) {
        inverse(run, r, transform, &work);
    } else if (status == SUMAC_OK) {
        forward(run, r, transform, &work);
    }
    free(work.scratch);
    return status;
}
