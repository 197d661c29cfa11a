/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file assigns lists to lanes. Lists are cut into pieces of at most PIECE_MAX entries. The pieces are sorted by
 * length, and every sixteen consecutive pieces form a bundle. The height h of a bundle is the length of its longest
 * piece. The bundle takes h rows of sixteen points: entry r of the piece in lane l is lane l of row r. Consecutive
 * pieces have nearly the same length, so nearly all lanes of all rows are used, whatever the lists look like.
 */
#ifndef SUMAC_LANES_SCHEDULE_H
#define SUMAC_LANES_SCHEDULE_H

#include <string.h>

#include "lanes/transpose.h"

/* A piece has at most this many entries. With longer pieces, fewer sums of pieces would have to be added up. With
 * shorter ones, fewer lanes would be unused if one list is long. */
#define PIECE_MAX 64

/* In the first round a group of bundles has at most this many pairs of rows. The number must be at least
 * PIECE_MAX/2. */
#define GROUP_PAIRS 64

typedef struct {
    uint32_t start; /* its entries are start .. start + length - 1, counted from the first list's first */
    uint32_t length;
    uint32_t number; /* pieces are numbered in the order of the lists */
} lane_piece;

typedef struct {
    uint32_t first_row;
    uint32_t height; /* the rows in use, which become fewer with each round */
} lane_bundle;

/* This is the working memory that one thread needs for computing in lanes. */
typedef struct {
    affine_lanes *rows;
    affine_lanes *upper; /* in the first round: the second row of each pair of a group */
    fev *products;       /* one for each pair of rows of a round */
    uint32_t *special;   /* one for each pair of rows: see rounds.h */
    lane_piece *pieces;
    lane_bundle *bundles;
} lanes_scratch;

SUMAC_FN void *lanes_take(char *memory, uint64_t *end, uint64_t bytes)
{
    char *part = memory == NULL ? NULL : memory + *end;
    *end += (bytes + 63) / 64 * 64;
    return part;
}

/* Lay the scratch out in a block that is aligned to 64 bytes; return how many bytes it takes. If the block is null,
 * only return the size. */
SUMAC_FN uint64_t lanes_scratch_at(lanes_scratch *scratch, void *memory, uint64_t entries)
{
    /* `rows` bounds the rows that the first round leaves: if piece i of the sorted order has length m_i, the bundles'
     * heights are m_0, m_16, m_32, .. and 16*(m_16 + m_32 + ..) <= m_0 + m_1 + .. = entries. */
    const uint64_t rows = entries / FPV_LANES + PIECE_MAX;
    const uint64_t pairs = rows / 2 > GROUP_PAIRS ? rows / 2 : GROUP_PAIRS;
    const uint64_t pieces = entries + 1; /* an upper bound, as no list is empty */
    uint64_t end = 0;
    scratch->rows = lanes_take(memory, &end, rows * sizeof(affine_lanes));
    scratch->upper = lanes_take(memory, &end, GROUP_PAIRS * sizeof(affine_lanes));
    scratch->products = lanes_take(memory, &end, pairs * sizeof(fev));
    scratch->special = lanes_take(memory, &end, pairs * sizeof(uint32_t));
    scratch->pieces = lanes_take(memory, &end, pieces * sizeof(lane_piece));
    scratch->bundles = lanes_take(memory, &end, (pieces / FPV_LANES + 1) * sizeof(lane_bundle));
    return end;
}

/* Return the number of pieces of a list of `length` entries; their lengths differ by at most one. */
SUMAC_FN uint32_t list_pieces(uint32_t length)
{
    return (length + PIECE_MAX - 1) / PIECE_MAX;
}

SUMAC_FN uint32_t piece_start(uint32_t length, uint32_t pieces, uint32_t j)
{
    return (uint32_t)((uint64_t)length * j / pieces);
}

/*
 * Cut each list s, entries starts[s] .. starts[s + 1] - 1, into pieces, and write them to scratch->pieces, the longest
 * first. Afterwards `starts` counts pieces: list s has the pieces numbered starts[s] .. starts[s + 1] - 1. Returns the
 * number of all pieces.
 */
SUMAC_LONG_FN uint32_t schedule_pieces(const lanes_scratch *scratch, uint32_t *starts, uint32_t lists)
{
    uint32_t position[PIECE_MAX + 1] = {
        0}; /* for each length: the number of its pieces, later the position of the next one */
    for (uint32_t s = 0; s < lists; s++) {
        const uint32_t length = starts[s + 1] - starts[s];
        const uint32_t pieces = list_pieces(length);
        const uint32_t shorter = length / pieces;
        position[shorter] += pieces - length % pieces;
        if (length % pieces != 0) {
            position[shorter + 1] += length % pieces;
        }
    }
    uint32_t next = 0;
    for (uint32_t length = PIECE_MAX; length > 0; length--) {
        const uint32_t count = position[length];
        position[length] = next;
        next += count;
    }
    uint32_t number = 0;
    uint32_t begin = 0; /* counted from `origin` */
    const uint32_t origin = starts[0];
    for (uint32_t s = 0; s < lists; s++) {
        const uint32_t length = starts[s + 1] - origin - begin;
        const uint32_t pieces = list_pieces(length);
        starts[s] = number;
        for (uint32_t j = 0; j < pieces; j++) {
            const uint32_t from = piece_start(length, pieces, j);
            const uint32_t to = piece_start(length, pieces, j + 1);
            const lane_piece piece = {begin + from, to - from, number++};
            scratch->pieces[position[to - from]++] = piece;
        }
        begin += length;
    }
    starts[lists] = number;
    return number;
}

/* Form a bundle of every sixteen pieces, and assign to it the rows that it has after the first round. Return the number
 * of bundles. */
SUMAC_LONG_FN uint32_t schedule_bundles(const lanes_scratch *scratch, uint32_t pieces)
{
    uint32_t row = 0;
    uint32_t bundles = 0;
    for (uint32_t first = 0; first < pieces; first += FPV_LANES) {
        const lane_bundle bundle = {row, scratch->pieces[first].length};
        scratch->bundles[bundles++] = bundle;
        row += (bundle.height + 1) / 2;
    }
    return bundles;
}

#endif
