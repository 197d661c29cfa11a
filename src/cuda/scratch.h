/* The scratch block of the CUDA engine: one layout that the stages and the plan's byte count share. */
#ifndef SUMAC_CUDA_SCRATCH_H
#define SUMAC_CUDA_SCRATCH_H

#include "cuda/engine.h"
#include "cuda/sort.h"

/* Byte offsets into the block. Stages run one after another: each begins at 0 again. */
struct cuda_scratch {
    uint64_t pairs;   /* of a pass, at most */
    uint64_t buckets; /* of a pass */

    bool sorts_by_counting; /* sort: which of the two kinds' layouts holds */
    partition_layout partition;
    radix_layout radix;

    uint64_t slot_points;   /* accumulate: cuda_slot_places() points */
    uint64_t products;      /* a field element for each of pairs/2 pairs, in whole rows */
    uint64_t entries;       /* 2 * (pairs/2 + 1) words */
    uint64_t targets;       /* pairs/2 + 1 words */
    uint64_t singles;       /* two words for each bucket that has pairs, at most */
    uint64_t lefts;         /* a word for every pair of every round from the second on, at most */
    uint64_t first_buckets; /* a word for every LIST_SLOTS slots */
    uint64_t counters;      /* COUNTERS words */
    uint64_t merges;        /* with several portions: buckets words */

    uint64_t vectors;         /* reduce: buckets points */
    uint64_t live;            /* a byte for each of them */
    uint64_t live_lefts;      /* a word for every pair of the largest round */
    uint64_t live_counts;     /* COUNTERS words, one for each round */
    uint64_t reduce_products; /* a field element for every pair of the largest round */

    uint64_t tail; /* the live points after cuda_tail_level rounds, XYZZ */

    uint64_t bytes;
};

/* Slots that a block of accumulate lists. */
enum { LIST_SLOTS = 2048 };

/* Words that accumulate counts in: single entries, the pairs of each round; the largest bucket, and all
 * pairs. */
enum { ROUNDS = 33, COUNT_SINGLES = 0, COUNT_LARGEST = ROUNDS + 1, COUNT_PAIRS, COUNTERS = 64 };

/* Where the last of the slots ends: engine.h's first_slot() of no bucket. */
static inline uint64_t cuda_slot_places(uint64_t pairs, uint64_t buckets)
{
    return (pairs + buckets + 1) / 2;
}

/* The most slots that hold a point, ceil(m/2) for each bucket. */
static inline uint64_t cuda_slots(uint64_t pairs, uint64_t buckets)
{
    return (pairs + (pairs < buckets ? pairs : buckets)) / 2;
}

/*
 * The most pairs that round number can have. From round 2 on a bucket of S slots has floor(ceil(S/s)/2)
 * pairs, s the stride: none where S <= s, else at most S/(s + 1), as for S = s + 1.
 */
uint64_t cuda_round_limit(uint64_t slots, uint32_t number);

/* reduce: how many rounds are affine, for vectors of 2^bits points. Falls as there are fewer vectors. */
uint32_t cuda_tail_level(uint32_t bits, uint64_t vectors);

cuda_scratch cuda_scratch_of(const sumac_plan *plan, size_t affine_bytes);
uint64_t cuda_scratch_bytes(const sumac_curve *curve, const curve_code *code, const sumac_plan *plan);

/* Take so many bytes from *end on; what they begin at is a multiple of 256. */
static inline uint64_t scratch_place(uint64_t *end, uint64_t bytes)
{
    const uint64_t offset = *end;
    *end = (offset + bytes + 255) / 256 * 256;
    return offset;
}

#endif
