/*
 * Sums of many lists of affine points in lanes: what segments_sum of cpu/affine_sum.h does one addition after another.
 * schedule.h gives the lists to lanes, rounds.h adds up.
 */
#ifndef SUMAC_AVX512_SEGMENTS_H
#define SUMAC_AVX512_SEGMENTS_H

#include "avx512/rounds.h"

/* Where entries come from: entry i is table[pairs[i] >> 1], negated if bit 0 is set, or without pairs table[i]. */
typedef struct {
    const affine *table;
    const uint32_t *pairs;
} lane_source;

static const affine lanes_infinity;

/* Row r of a bundle from the source; lanes whose piece is shorter get infinity. */
SUMAC_FN void gather_row(affine_lanes *row, const lane_source *source, const lane_piece *pieces, uint32_t count,
                         uint32_t r)
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
        const char *point = (const char *)&source->table[source->pairs != NULL ? source->pairs[entry] >> 1 : entry];
        for (size_t line = 0; line < sizeof(affine); line += 64) {
            __builtin_prefetch(point + line, 0, 2);
        }
        __builtin_prefetch(point + sizeof(affine) - 1, 0, 2);
    }
}

/*
 * The forward half of the first round, which also fills the rows. While a bundle is added up, the next one's points,
 * which are fewer, are fetched, so that each has the time of a bundle to arrive.
 */
static uint32_t gather_products(const lanes_scratch *scratch, const lane_source *source, uint32_t pieces,
                                uint32_t bundles, fev *chain)
{
    uint32_t k = 0;
    for (uint32_t b = 0; b < bundles; b++) {
        const lane_piece *first = scratch->pieces + b * FPV_LANES;
        const uint32_t left = pieces - b * FPV_LANES;
        const uint32_t count = left < FPV_LANES ? left : FPV_LANES;
        const uint32_t next_count = left - count < FPV_LANES ? left - count : FPV_LANES;
        const uint32_t height = scratch->bundles[b].height;
        const uint32_t half = (height + 1) / 2;
        affine_lanes *rows = scratch->rows + scratch->bundles[b].first_row;
        for (uint32_t r = 0; r < half; r++) {
            prefetch_row(source, first + FPV_LANES, next_count, r);
            prefetch_row(source, first + FPV_LANES, next_count, r + half);
            gather_row(&rows[r], source, first, count, r);
            if (r + half < height) {
                gather_row(&rows[r + half], source, first, count, r + half);
                pair_product(&rows[r], &rows[r + half], &scratch->products[k], &scratch->special[k], chain);
                k++;
            }
        }
    }
    return k;
}

/* The bundles' first rows to sums, each piece's sum at its number. */
static void store_sums(const lanes_scratch *scratch, affine *sums, uint32_t pieces)
{
    for (uint32_t first = 0; first < pieces; first += FPV_LANES) {
        affine *places[FPV_LANES];
        const uint32_t count = pieces - first < FPV_LANES ? pieces - first : FPV_LANES;
        for (uint32_t lane = 0; lane < count; lane++) {
            places[lane] = &sums[scratch->pieces[first + lane].number];
        }
        lanes_store(places, &scratch->rows[scratch->bundles[first / FPV_LANES].first_row], (int)count);
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
    chain = one;
    uint32_t pairs = gather_products(scratch, source, pieces, bundles, &chain);
    while (pairs > 0) {
        chain_invert(&chain, &constant);
        round_sums(scratch, bundles, pairs, &chain);
        while (bundles > 0 && scratch->bundles[bundles - 1].height == 1) {
            bundles--; /* heights fall from bundle to bundle */
        }
        chain = one;
        pairs = round_products(scratch, bundles, &chain);
    }
    store_sums(scratch, sums, pieces);
}

/*
 * Sum lists of a table's points. In: list s is pairs[starts[s]] .. pairs[starts[s + 1] - 1], not empty; together they
 * have at most as many entries as the scratch was made for. Out: sums[s] is the sum of list s; starts is overwritten.
 * sums has room for as many points as there are entries. Lists that were cut are summed again from their pieces' sums.
 */
SUMAC_BIG_FN void lanes_segments_sum(const lanes_scratch *scratch, affine *sums, uint32_t *starts, uint32_t lists,
                                     const affine *table, const uint32_t *pairs)
{
    lane_source source = {table, pairs};
    if (lists == 0) {
        return;
    }
    for (;;) {
        const uint32_t pieces = schedule_pieces(scratch, starts, lists);
        sum_pieces(scratch, &source, sums, pieces);
        if (pieces == lists) {
            return;
        }
        source.table = sums;
        source.pairs = NULL;
    }
}

#endif
