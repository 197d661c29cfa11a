/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The first round reads the table. Bundles are processed in groups of at most GROUP_PAIRS pairs of rows: a forward pass
 * over a group gathers its points, and a backward pass adds them up, while the points of the next group are prefetched.
 * Half of all additions happen in this round, so the points, which may lie anywhere in memory, have time to arrive.
 * Only the sums of a group are stored. They have at most half as many rows as the points.
 */
#ifndef SUMAC_LANES_FIRST_ROUND_H
#define SUMAC_LANES_FIRST_ROUND_H

#include "lanes/rounds.h"

/* This is a source of points. Point i is table[entries[i] >> 1], negated if bit 0 of the entry is set, or table[i] if
 * entries is null. */
typedef struct {
    const affine *table;
    const uint32_t *entries;
} lane_source;

static const affine lanes_infinity;

/* These are the pieces of a bundle, lane by lane. An unused lane has length 0. */
typedef struct {
    lane_words starts, lengths;
} lane_block;

/* There are `pieces` pieces in all. Return how many of them bundle b has. */
SUMAC_FN lane_block lane_block_of(const lanes_scratch *scratch, uint32_t pieces, uint32_t b)
{
    uint32_t starts[FPV_LANES] = {0}, lengths[FPV_LANES] = {0};
    const uint32_t first = b * FPV_LANES;
    for (uint32_t lane = 0; lane < FPV_LANES && first + lane < pieces; lane++) {
        starts[lane] = scratch->pieces[first + lane].start;
        lengths[lane] = scratch->pieces[first + lane].length;
    }
    const lane_block block = {words_load(starts), words_load(lengths)};
    return block;
}

/* Load sixteen entries, but only for lanes that are used. Indices are less than 2^31, as a call has fewer points. */
SUMAC_FN lane_words source_entries(const lane_source *source, lane_words indices, uint32_t lanes)
{
    return source->entries != NULL ? words_gather(source->entries, indices, lanes) : words_double(indices);
}

/* These are the addresses of the points of a row, and the lanes that are negated. If the piece of a lane is shorter,
 * the lane has infinity. */
typedef struct {
    const affine *points[FPV_LANES];
    uint32_t negative;
} row_points;

/* Prefetch a point's cache lines to the first- or second-level cache. A point begins at a multiple of 32 bytes.
 */
SUMAC_FN void fetch_point(const affine *point, int to_first_level)
{
    const char *const byte = (const char *)point;
    SUMAC_UNROLL
    for (size_t line = 0; line < (sizeof(affine) + 63) / 64; line++) {
        const size_t at = 64 * line < sizeof(affine) - 63 ? 64 * line : sizeof(affine) - 1;
        if (to_first_level) {
            __builtin_prefetch(byte + at, 0, 3);
        } else {
            __builtin_prefetch(byte + at, 0, 2);
        }
    }
}

/* Gather row r of a bundle. The points are prefetched to the first-level cache, because they are loaded after the current
 * addition. */
SUMAC_FN void find_row(row_points *row, const lane_source *source, const lane_block *block, uint32_t r)
{
    uint32_t indices[FPV_LANES];
    const uint32_t lanes = words_above(block->lengths, r);
    const lane_words entries = source_entries(source, words_add(block->starts, r), lanes);
    row->negative = words_odd(entries, lanes);
    words_store(indices, words_half(entries));
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        row->points[lane] = &source->table[indices[lane]];
    }
    if (SUMAC_UNLIKELY(lanes != 0xffff)) {
        for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
            row->points[lane] = (lanes >> lane & 1) != 0 ? row->points[lane] : &lanes_infinity;
        }
    }
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        fetch_point(row->points[lane], 1);
    }
}

/* Fetch the points of half a row, lanes first .. first + 7, to the second-level cache. */
SUMAC_FN void prefetch_half_row(const lane_source *source, const lane_block *block, uint32_t r,
                                uint32_t first)
{
    uint32_t indices[FPV_LANES];
    const uint32_t lanes = words_above(block->lengths, r);
    const lane_words entries = source_entries(source, words_add(block->starts, r), lanes);
    words_store(indices, words_half(entries));
    for (uint32_t lane = first; lane < first + FPV_LANES / 2 && (lanes >> lane & 1) != 0; lane++) {
        fetch_point(&source->table[indices[lane]], 0);
    }
}

/* These are the pieces of a call, and the next points that will be prefetched. A quarter of a pair of rows is
 * prefetched at a time. */
typedef struct {
    const lanes_scratch *scratch;
    lane_source source;
    uint32_t pieces;
    uint32_t bundles;
    uint32_t fetch_bundle;
    uint32_t fetch_row;
    uint32_t fetch_quarter;
    lane_block fetch_block; /* the pieces of fetch_bundle */
} first_round;

/* Prefetch the next quarter, up to bundle `end`. A quarter has about as many cache lines as the processor can load at
 * the same time. With more, the additions in between would wait, too. */
SUMAC_FN void fetch_points(first_round *round, uint32_t end)
{
    const uint32_t b = round->fetch_bundle;
    if (b >= end) {
        return;
    }
    const uint32_t half = (round->scratch->bundles[b].height + 1) / 2;
    const uint32_t quarter = round->fetch_quarter;
    if (round->fetch_row == 0 && quarter == 0) {
        round->fetch_block = lane_block_of(round->scratch, round->pieces, b);
    }
    prefetch_half_row(&round->source, &round->fetch_block, round->fetch_row + (quarter / 2) * half,
                      quarter % 2 * (FPV_LANES / 2));
    round->fetch_quarter = (quarter + 1) % 4;
    if (quarter == 3) {
        round->fetch_row++;
    }
    if (round->fetch_row == half) {
        round->fetch_row = 0;
        round->fetch_bundle++;
    }
}

/* Return the bundle after the group that begins with bundle `first`. */
SUMAC_FN uint32_t group_end(const first_round *round, uint32_t first)
{
    uint32_t b = first;
    uint32_t pairs = 0;
    while (b < round->bundles && pairs + round->scratch->bundles[b].height / 2 <= GROUP_PAIRS) {
        pairs += round->scratch->bundles[b].height / 2;
        b++;
    }
    return b;
}

/* The cursor has the next rows to gather: `row` and row + half of a bundle. */
typedef struct {
    uint32_t bundle;
    uint32_t row;
    lane_block block;
    row_points lower, upper;
} row_cursor;

/* Find the rows of the cursor, unless it has reached bundle `end`. */
SUMAC_FN void find_rows(row_cursor *cursor, const first_round *round, uint32_t end)
{
    if (cursor->bundle >= end) {
        return;
    }
    const uint32_t height = round->scratch->bundles[cursor->bundle].height;
    if (cursor->row == 0) {
        cursor->block = lane_block_of(round->scratch, round->pieces, cursor->bundle);
    }
    find_row(&cursor->lower, &round->source, &cursor->block, cursor->row);
    if (cursor->row + (height + 1) / 2 < height) {
        find_row(&cursor->upper, &round->source, &cursor->block, cursor->row + (height + 1) / 2);
    }
}

SUMAC_FN void next_rows(row_cursor *cursor, const first_round *round, uint32_t end)
{
    cursor->row++;
    if (cursor->row == (round->scratch->bundles[cursor->bundle].height + 1) / 2) {
        cursor->row = 0;
        cursor->bundle++;
    }
    find_rows(cursor, round, end);
}

/* Do the forward pass: gather the rows of the group, and store the lower half of each bundle to scratch->rows. Return
 * the number of pairs. This pass and the backward pass prefetch the points of the bundles before `fetch_end`. */
static uint32_t group_products(first_round *round, uint32_t first, uint32_t end, uint32_t fetch_end,
                               fev *chain)
{
    const lanes_scratch *scratch = round->scratch;
    row_cursor cursor;
    uint32_t k = 0;
    cursor.bundle = first;
    cursor.row = 0;
    find_rows(&cursor, round, end);
    for (uint32_t b = first; b < end; b++) {
        const uint32_t height = scratch->bundles[b].height;
        const uint32_t half = (height + 1) / 2;
        affine_lanes *rows = scratch->rows + scratch->bundles[b].first_row;
        for (uint32_t r = 0; r < half; r++) {
            lanes_load(&rows[r], cursor.lower.points, cursor.lower.negative);
            if (r + half < height) {
                lanes_load(&scratch->upper[k], cursor.upper.points, cursor.upper.negative);
            }
            next_rows(&cursor, round, end);
            if (r + half < height) {
                pair_product(&rows[r], &scratch->upper[k], &scratch->products[k], &scratch->special[k],
                             chain);
                k++;
            }
            fetch_points(round, fetch_end);
        }
    }
    return k;
}

/* Do the backward pass: add up the pairs of the group. */
static void group_sums(first_round *round, uint32_t first, uint32_t end, uint32_t pairs, uint32_t fetch_end,
                       fev *chain)
{
    const lanes_scratch *scratch = round->scratch;
    uint32_t k = pairs;
    for (uint32_t b = end; b-- > first;) {
        lane_bundle *bundle = &scratch->bundles[b];
        affine_lanes *rows = scratch->rows + bundle->first_row;
        for (uint32_t r = bundle->height / 2; r-- > 0;) {
            fev slope;
            k--;
            fetch_points(round, fetch_end);
            pair_slope(&slope, &rows[r], &scratch->upper[k], &scratch->products[k], scratch->special[k],
                       chain);
            fetch_points(round, fetch_end);
            pair_finish(&rows[r], &scratch->upper[k], &slope, scratch->special[k]);
            fetch_points(round, fetch_end);
        }
        bundle->height = (bundle->height + 1) / 2;
    }
}

/* Do the whole first round, one group after another. */
static void run_first_round(first_round *round, const fev *one, const fp *constant)
{
    uint32_t end = group_end(round, 0);
    while (round->fetch_bundle < end) {
        fetch_points(round, end);
    }
    for (uint32_t first = 0; first < round->bundles;) {
        fev chain = *one;
        const uint32_t next_end = group_end(round, end);
        const uint32_t pairs = group_products(round, first, end, next_end, &chain);
        if (pairs > 0) {
            chain_invert(&chain, constant);
            group_sums(round, first, end, pairs, next_end, &chain);
        }
        while (round->fetch_bundle < next_end) {
            fetch_points(round, next_end);
        }
        first = end;
        end = next_end;
    }
}

#endif
