/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file sums many short lists of affine points at once, by rounds of pairwise additions that share one inversion
 * (Montgomery's trick). An addition takes 5M + 1S and a share of the inversion; in XYZZ it would take 8M + 2S.
 *
 *   round: every list P0 P1 P2 P3 .. becomes P0+P1, P2+P3, ..; an odd last point is carried over.
 *   backwards over the pairs: products[k] = product of the denominators of the later pairs of k's chain
 *   one inversion
 *   forwards: the inverse of each denominator, slope, sum; sum k can be written in place, as pair k reads from
 *   index 2k on.
 *
 * There are two chains of products, for even and odd k, because the processor can overlap independent multiplications.
 * math/pair.h handles exceptional pairs.
 */
#ifndef SUMAC_CPU_AFFINE_SUM_H
#define SUMAC_CPU_AFFINE_SUM_H

#include "math/pair.h"

/* This is the working memory of one thread. Its capacity is a number of points. */
typedef struct segment_scratch {
    affine *items;    /* `capacity` points: the lists, one after another */
    fe *products;     /* capacity/2 + 1 elements */
    uint32_t *starts; /* capacity + 1 numbers: list s is items[starts[s]] .. items[starts[s + 1] - 1] */
} segment_scratch;

/* The backward pass prefetches points this many pairs ahead: random reads from memory take about 100 ns, and it spends about 30
 * ns on a pair. The forward pass prefetches them this many entries ahead, from the second-level cache, where the backward pass
 * left them. */
#define AFFINE_SUM_PREFETCH 12
#define AFFINE_SUM_PREFETCH_FORWARD 8

/* A source of points is an array that is read in order, if `entries` is null, or else a table of which the entries
 * 2*index + negative are read. When a call is compiled, it is known whether `entries` is null, so that the compiler
 * makes two loops from the same code. */
typedef struct point_source {
    const affine *points;
    const uint32_t *entries;
} point_source;

static inline __attribute__((always_inline)) const fe *source_x(const point_source source, size_t i)
{
    return source.entries != NULL ? &source.points[source.entries[i] >> 1].x : &source.points[i].x;
}

static inline __attribute__((always_inline)) void source_point(affine *r, const point_source source, size_t i)
{
    if (source.entries == NULL) {
        *r = source.points[i];
        return;
    }
    const uint32_t entry = source.entries[i];
    const affine *point = &source.points[entry >> 1];
    /* Compute y - 0 or 0 - y. The terms are selected by pointers, because fewer words are moved than if limbs were
     * selected. The pointers lie in an array, because compilers turn ?: into a branch, which is mispredicted for half
     * of the random signs. */
    static const fe zero;
    const fe *const terms[2] = {&point->y, &zero};
    r->x = point->x;
    fe_sub(&r->y, terms[entry & 1], terms[~entry & 1]);
}

static inline __attribute__((always_inline)) void source_prefetch(const point_source source, size_t i)
{
    const char *point = (const char *)&source.points[source.entries[i] >> 1];
    for (size_t line = 0; line < sizeof(affine); line += 64) {
        __builtin_prefetch(point + line);
    }
    __builtin_prefetch(point + sizeof(affine) - 1);
}

/* Prefetch the points of entries j + AFFINE_SUM_PREFETCH_FORWARD for i <= j < i + count, unless one of them is at or after
 * `last`. */
static inline __attribute__((always_inline)) void prefetch_forward(const point_source source, uint32_t i,
                                                                   uint32_t count, uint32_t last)
{
    if (source.entries != NULL && last - i >= AFFINE_SUM_PREFETCH_FORWARD + count) {
        for (uint32_t j = 0; j < count; j++) {
            source_prefetch(source, i + AFFINE_SUM_PREFETCH_FORWARD + j);
        }
    }
}

/* Do the backward half of a round, and return 1 if all pairs are plain (math/pair.h). inverses[0] and inverses[1] become the
 * inverses of the two chains' products.
 * Invariant: chain[k & 1] = product of the denominators of the pairs after k of the same parity. */
static inline __attribute__((always_inline)) int round_backward(const segment_scratch *scratch,
                                                                const point_source source, uint32_t segments,
                                                                uint32_t pairs, fe inverses[2])
{
    fe chain[2], both;
    int all_plain = 1;
    fe_set_one(&chain[0]);
    fe_set_one(&chain[1]);
    uint32_t k = pairs;
    for (uint32_t s = segments; s-- > 0;) {
        const uint32_t start = scratch->starts[s];
        for (uint32_t j = (scratch->starts[s + 1] - start) / 2; j-- > 0;) {
            const uint32_t i = start + 2 * j;
            if (source.entries != NULL && i >= scratch->starts[0] + 2 * AFFINE_SUM_PREFETCH) {
                source_prefetch(source, i - 2 * AFFINE_SUM_PREFETCH);
                source_prefetch(source, i - 2 * AFFINE_SUM_PREFETCH + 1);
            }
            fe denominator;
            if (SUMAC_UNLIKELY(!pair_is_plain(&denominator, source_x(source, i), source_x(source, i + 1)))) {
                affine a, b;
                source_point(&a, source, i);
                source_point(&b, source, i + 1);
                pair_rare_denominator(&denominator, &a, &b);
                all_plain = 0;
            }
            k--;
            scratch->products[k] = chain[k & 1];
            fe_mul(&chain[k & 1], &chain[k & 1], &denominator);
        }
    }
    fe_mul(&both, &chain[0], &chain[1]);
    fe_inv(&both, &both);
    fe_mul(&inverses[0], &both, &chain[1]);
    fe_mul(&inverses[1], &both, &chain[0]);
    return all_plain;
}

/* Compute the sums of `lanes` = 1 or 2 pairs: k, and k + 1 if there are two, whose points begin at index i of the source.
 * Each step is done for both pairs before the next step, because the steps of one pair depend on each other and those of
 * two pairs do not. The sums may overwrite the points, because all points are read first. */
static inline __attribute__((always_inline)) void forward_pairs(const segment_scratch *scratch,
                                                                const point_source source, uint32_t i,
                                                                uint32_t k, uint32_t out, fe inverses[2],
                                                                int all_plain, const uint32_t lanes)
{
    affine a[2], b[2];
    fe denominator[2], inverse[2], slope[2];
    int plain = 1;
    for (uint32_t l = 0; l < lanes; l++) {
        source_point(&a[l], source, i + 2 * l);
        source_point(&b[l], source, i + 2 * l + 1);
        fe_sub(&denominator[l], &b[l].x, &a[l].x);
        if (SUMAC_UNLIKELY(!all_plain) && !pair_is_plain(&denominator[l], &a[l].x, &b[l].x)) {
            pair_rare_denominator(&denominator[l], &a[l], &b[l]);
            plain = 0;
        }
    }
    for (uint32_t l = 0; l < lanes; l++) {
        fe_mul(&inverse[l], &inverses[(k + l) & 1], &scratch->products[k + l]);
        fe_mul(&inverses[(k + l) & 1], &inverses[(k + l) & 1], &denominator[l]);
    }
    if (SUMAC_UNLIKELY(!plain)) {
        for (uint32_t l = 0; l < lanes; l++) {
            pair_rare_sum(&scratch->items[out + l], &a[l], &b[l], &inverse[l]);
        }
        return;
    }
    for (uint32_t l = 0; l < lanes; l++) {
        fe_sub(&slope[l], &b[l].y, &a[l].y);
        fe_mul(&slope[l], &slope[l], &inverse[l]);
    }
    for (uint32_t l = 0; l < lanes; l++) {
        slope_x(&scratch->items[out + l].x, &a[l], &b[l], &slope[l]);
    }
    for (uint32_t l = 0; l < lanes; l++) {
        slope_y(&scratch->items[out + l].y, &a[l], &scratch->items[out + l].x, &slope[l]);
    }
}

/* Do the forward half of a round: store the sum of pair k to the next item, so that the lists move up.
 * Invariant: inverses[k & 1] = 1/(product of the denominators from pair k on of the same parity). */
static inline __attribute__((always_inline)) void round_forward(const segment_scratch *scratch,
                                                                const point_source source, uint32_t segments,
                                                                fe inverses[2], int all_plain)
{
    uint32_t out = 0;
    uint32_t k = 0;
    uint32_t start = scratch->starts[0];
    const uint32_t last = scratch->starts[segments];
    for (uint32_t s = 0; s < segments; s++) {
        const uint32_t end = scratch->starts[s + 1];
        scratch->starts[s] = out;
        uint32_t i = start;
        for (; i + 3 < end; i += 4, k += 2, out += 2) {
            prefetch_forward(source, i, 4, last);
            forward_pairs(scratch, source, i, k, out, inverses, all_plain, 2);
        }
        if (i + 1 < end) {
            prefetch_forward(source, i, 2, last);
            forward_pairs(scratch, source, i, k, out, inverses, all_plain, 1);
            i += 2;
            k++;
            out++;
        }
        if (i < end) {
            prefetch_forward(source, i, 1, last);
            source_point(&scratch->items[out], source, i);
            out++;
        }
        start = end;
    }
    scratch->starts[segments] = out;
}

/* Count the pairs of all lists. */
static inline uint32_t round_pairs(const segment_scratch *scratch, uint32_t segments)
{
    uint32_t pairs = 0;
    for (uint32_t s = 0; s < segments; s++) {
        pairs += (scratch->starts[s + 1] - scratch->starts[s]) / 2;
    }
    return pairs;
}

static inline __attribute__((always_inline)) void
sum_round(const segment_scratch *scratch, const point_source source, uint32_t segments, uint32_t pairs)
{
    fe inverses[2];
    int all_plain = 1;
    if (pairs > 0) {
        all_plain = round_backward(scratch, source, segments, pairs, inverses);
    }
    round_forward(scratch, source, segments, inverses, all_plain);
}

/*
 * Sum lists of points in a table. In: list s is entries[starts[s]] .. entries[starts[s + 1] - 1], not empty; all lists
 * together fit the capacity. Out: items[s] is the sum of list s; starts is overwritten.
 */
SUMAC_BIG_FN void segments_sum(const segment_scratch *scratch, const affine *table, const uint32_t *entries,
                               uint32_t segments)
{
    const point_source gathered = {table, entries};
    sum_round(scratch, gathered, segments, round_pairs(scratch, segments));
    const point_source items = {scratch->items, NULL};
    for (;;) {
        const uint32_t left = round_pairs(scratch, segments);
        if (left == 0) {
            return;
        }
        sum_round(scratch, items, segments, left);
    }
}

#endif
