/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file sums many lists of affine points in lanes; segments_sum of cpu/affine_sum.h does the same one addition
 * after another. schedule.h assigns the lists to lanes, first_round.h reads the points, and rounds.h adds them up.
 */
#ifndef SUMAC_LANES_SEGMENTS_H
#define SUMAC_LANES_SEGMENTS_H

#include "lanes/first_round.h"

/* The first rows of the bundles are the sums of the pieces. Store each one to `sums`, at the number of its piece. */
static void store_sums(const lanes_scratch *scratch, affine *sums, uint32_t pieces)
{
    for (uint32_t first = 0; first < pieces; first += FPV_LANES) {
        affine *pointers[FPV_LANES];
        const uint32_t count = pieces - first < FPV_LANES ? pieces - first : FPV_LANES;
        for (uint32_t lane = 0; lane < count; lane++) {
            pointers[lane] = &sums[scratch->pieces[first + lane].number];
        }
        lanes_store(pointers, &scratch->rows[scratch->bundles[first / FPV_LANES].first_row], (int)count);
    }
}

/* Add up the scheduled pieces; sums[number] is the sum of the piece with that number. */
static void sum_pieces(const lanes_scratch *scratch, const lane_source *source, affine *sums, uint32_t pieces)
{
    uint32_t bundles = schedule_bundles(scratch, pieces);
    fp constant;
    fe scalar_one;
    fev one, chain;
    chain_constant(&constant);
    fe_set_one(&scalar_one);
    fev_broadcast(&one, &scalar_one);
    first_round first = {.scratch = scratch, .source = *source, .pieces = pieces, .bundles = bundles};
    run_first_round(&first, &one, &constant);
    for (;;) {
        while (bundles > 0 && scratch->bundles[bundles - 1].height == 1) {
            bundles--; /* heights fall from bundle to bundle */
        }
        if (bundles == 0) {
            break;
        }
        chain = one;
        const uint32_t pairs = round_products(scratch, bundles, &chain);
        chain_invert(&chain, &constant);
        round_sums(scratch, bundles, pairs, &chain);
    }
    store_sums(scratch, sums, pieces);
}

/* Do the work of lanes_segments_sum() between vec_begin() and vec_end(). */
SUMAC_BIG_FN void sum_segments(const lanes_scratch *scratch, affine *sums, uint32_t *starts, uint32_t lists,
                               const affine *table, const uint32_t *entries)
{
    lane_source source = {table, entries + starts[0]};
    for (uint32_t entry = 0; entry < starts[lists] - starts[0]; entry += 64 / sizeof(uint32_t)) {
        __builtin_prefetch(&source.entries[entry], 0, 2);
    }
    for (;;) {
        const uint32_t pieces = schedule_pieces(scratch, starts, lists);
        sum_pieces(scratch, &source, sums, pieces);
        if (pieces == lists) {
            return;
        }
        source.table = sums;
        source.entries = NULL;
    }
}

/*
 * Sum lists of a table's points. In: list s is entries[starts[s]] .. entries[starts[s + 1] - 1], not empty;
 * together they have at most as many entries as the scratch was laid out for. Out: sums[s] is the sum of list s;
 * starts is overwritten. sums has space for one point per entry. Lists that were cut are
 * summed again from their pieces' sums.
 */
SUMAC_BIG_FN void lanes_segments_sum(const lanes_scratch *scratch, affine *sums, uint32_t *starts,
                                     uint32_t lists, const affine *table, const uint32_t *entries)
{
    if (lists == 0) {
        return;
    }
    const uint32_t saved = vec_begin();
    sum_segments(scratch, sums, starts, lists, table, entries);
    vec_end(saved);
}

#endif
