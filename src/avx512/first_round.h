/*
 * The first round, which reads the table. Bundles are taken in groups of at most GROUP_PAIRS pairs of rows:
 * forwards over a group its points are gathered, backwards they are added up, and meanwhile the points of the
 * next group are fetched. Half of all additions happen here, so that the points, which may lie anywhere in
 * memory, have that much time to arrive, and only the sums of a group stay: at most half as many rows as
 * there were points.
 */
#ifndef SUMAC_AVX512_FIRST_ROUND_H
#define SUMAC_AVX512_FIRST_ROUND_H

#include "avx512/rounds.h"

/* Where entries come from: entry i is table[pairs[i] >> 1], negated if bit 0 is set, or without pairs
 * table[i]. */
typedef struct {
    const affine *table;
    const uint32_t *pairs;
} lane_source;

static const affine lanes_infinity;

/* Row r of a bundle from the source; lanes whose piece is shorter get infinity. */
SUMAC_FN void gather_row(affine_lanes *row, const lane_source *source, const lane_piece *pieces,
                         uint32_t count, uint32_t r)
{
    const affine *points[FPV_LANES];
    uint32_t negative = 0;
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        if (lane >= count || pieces[lane].length <= r) {
            points[lane] = &lanes_infinity;
            continue;
        }
        const uint32_t entry = pieces[lane].start + r;
        const uint32_t pair = source->pairs != NULL ? source->pairs[entry] : entry << 1;
        points[lane] = &source->table[pair >> 1];
        negative |= (pair & 1) << lane;
    }
    lanes_load(row, points, negative);
}

SUMAC_FN void prefetch_row(const lane_source *source, const lane_piece *pieces, uint32_t count, uint32_t r)
{
    for (uint32_t lane = 0; lane < count && pieces[lane].length > r; lane++) {
        const uint32_t entry = pieces[lane].start + r;
        const char *point =
            (const char *)&source->table[source->pairs != NULL ? source->pairs[entry] >> 1 : entry];
        for (size_t line = 0; line < sizeof(affine) - 1; line += 64) {
            __builtin_prefetch(point + line, 0, 2);
        }
        __builtin_prefetch(point + sizeof(affine) - 1, 0, 2);
    }
}

/* The pieces of a call, and how far the points that will be needed have been fetched. */
typedef struct {
    const lanes_scratch *scratch;
    lane_source source;
    uint32_t pieces;
    uint32_t bundles;
    uint32_t fetched_bundles;
    uint32_t fetched_pairs; /* of the bundle after those */
} first_round;

/* How many pieces bundle b has. */
SUMAC_FN uint32_t bundle_pieces(const first_round *round, uint32_t b)
{
    const uint32_t left = round->pieces - b * FPV_LANES;
    return left < FPV_LANES ? left : FPV_LANES;
}

/* Fetch the points of the next pair of rows before bundle `end`. */
SUMAC_FN void fetch_pair(first_round *round, uint32_t end)
{
    const uint32_t b = round->fetched_bundles;
    if (b >= end) {
        return;
    }
    const lane_piece *pieces = round->scratch->pieces + b * FPV_LANES;
    const uint32_t count = bundle_pieces(round, b);
    const uint32_t half = (round->scratch->bundles[b].height + 1) / 2;
    prefetch_row(&round->source, pieces, count, round->fetched_pairs);
    prefetch_row(&round->source, pieces, count, round->fetched_pairs + half);
    round->fetched_pairs++;
    if (round->fetched_pairs == half) {
        round->fetched_pairs = 0;
        round->fetched_bundles++;
    }
}

/* The bundle after the group that begins with bundle `first`. */
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

/* Forwards: gather the group's rows, the lower half of each bundle to its place; returns the number of pairs.
 */
static uint32_t group_products(const first_round *round, uint32_t first, uint32_t end, fev *chain)
{
    const lanes_scratch *scratch = round->scratch;
    uint32_t k = 0;
    for (uint32_t b = first; b < end; b++) {
        const lane_piece *pieces = scratch->pieces + b * FPV_LANES;
        const uint32_t count = bundle_pieces(round, b);
        const uint32_t height = scratch->bundles[b].height;
        const uint32_t half = (height + 1) / 2;
        affine_lanes *rows = scratch->rows + scratch->bundles[b].first_row;
        for (uint32_t r = 0; r < half; r++) {
            gather_row(&rows[r], &round->source, pieces, count, r);
            if (r + half < height) {
                gather_row(&scratch->upper[k], &round->source, pieces, count, r + half);
                pair_product(&rows[r], &scratch->upper[k], &scratch->products[k], &scratch->special[k],
                             chain);
                k++;
            }
        }
    }
    return k;
}

/* Backwards: add the group's pairs up and fetch the points of the bundles before `fetch_end`. */
static void group_sums(first_round *round, uint32_t first, uint32_t end, uint32_t pairs, uint32_t fetch_end,
                       fev *chain)
{
    const lanes_scratch *scratch = round->scratch;
    uint32_t k = pairs;
    for (uint32_t b = end; b-- > first;) {
        lane_bundle *bundle = &scratch->bundles[b];
        affine_lanes *rows = scratch->rows + bundle->first_row;
        for (uint32_t r = bundle->height / 2; r-- > 0;) {
            k--;
            fetch_pair(round, fetch_end);
            pair_sum(&rows[r], &scratch->upper[k], &scratch->products[k], scratch->special[k], chain);
        }
        bundle->height = (bundle->height + 1) / 2;
    }
}

/* The whole first round, group after group. */
static void run_first_round(first_round *round, const fev *one, const fp *constant)
{
    uint32_t end = group_end(round, 0);
    while (round->fetched_bundles < end) {
        fetch_pair(round, end);
    }
    for (uint32_t first = 0; first < round->bundles;) {
        fev chain = *one;
        const uint32_t next_end = group_end(round, end);
        const uint32_t pairs = group_products(round, first, end, &chain);
        if (pairs > 0) {
            chain_invert(&chain, constant);
            group_sums(round, first, end, pairs, next_end, &chain);
        }
        while (round->fetched_bundles < next_end) {
            fetch_pair(round, next_end);
        }
        first = end;
        end = next_end;
    }
}

#endif
