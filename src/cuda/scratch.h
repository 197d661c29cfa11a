/* SPDX-License-Identifier: Apache-2.0 OR MIT */
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

    uint64_t slot_points; /* accumulate: cuda_slot_places() points */
    uint64_t products;    /* a field element for each of pairs/2 pairs, in whole rows */
    uint64_t entries;     /* 2 * (pairs/2 + 1) words */
    uint64_t targets;     /* pairs/2 + 1 words */
    uint64_t singles;     /* two words for each bucket that has pairs, at most */
    uint64_t lefts;       /* a word for every pair of every round from the second on, at most */
    uint64_t finishing;   /* two words for each bucket of each class at most: cuda_finish_places() of them */
    uint64_t first_buckets; /* a word for every LIST_SLOTS slots */
    uint64_t counters;      /* COUNTERS words */
    uint64_t merges;        /* with several portions: buckets words */

    uint64_t vectors;         /* reduce: 2^(c-1) points a module, of which buckets have a sum */
    uint64_t live;            /* a byte for each of them */
    uint64_t live_lefts;      /* a word for every pair of the largest round */
    uint64_t live_counts;     /* COUNTERS words, one for each round */
    uint64_t reduce_products; /* a field element for every pair of the largest round */

    uint64_t tail; /* the live points after cuda_tail_level rounds, XYZZ */

    uint64_t bytes;
};

/* Slots that a block of accumulate lists. */
enum { LIST_SLOTS = 2048 };

/* Words that accumulate counts in. */
enum {
    ROUNDS = 33,       /* at most; those from the second on are ROUNDS - 1, as many as a warp has lanes */
    COUNT_SINGLES = 0, /* then the pairs of round 1, 2, .. ROUNDS */
    COUNT_FINISHING = ROUNDS + 1,             /* buckets of each class of finish.cu */
    LISTS = COUNT_FINISHING + FINISH_CLASSES, /* that the words up to here are the lengths of */
    COUNT_LARGEST = LISTS,                    /* entries of the largest bucket */
    COUNT_PAIRS,                              /* of all buckets */
    COUNT_LEFT,                               /* additions that are left before round 2, 3, .. ROUNDS */
    COUNT_SHIFT = COUNT_LEFT + ROUNDS - 1,    /* finish_lists' shift */
    COUNTERS = 128
};

/* finish.cu takes what is left when its one launch is sooner done than the rounds: docs/gpu-log.md. */
enum {
    FINISH_ADDITIONS_A_ROUND = 8192, /* of all buckets, at most, for every round that is saved */
    FINISH_ADDITIONS = 4 * FINISH_ADDITIONS_A_ROUND, /* and at most in all */
    FINISH_LARGEST = 256 /* points, at most, of the largest bucket where the call doesn't say */
};

/* How many additions of all buckets finish.cu takes where the largest bucket has `most` left, which is less
 * than 2^(rounds left), and may have `largest` points. Each round that is saved pays for so many; the launch
 * itself takes as long as one round. */
static __host__ __device__ inline uint32_t cuda_finish_room(uint32_t most, uint32_t largest)
{
    uint32_t room = 0;
    for (uint32_t rest = most / 2; most < largest && rest > 0 && room < FINISH_ADDITIONS; rest /= 2) {
        room += FINISH_ADDITIONS_A_ROUND;
    }
    return room;
}

/* Additions that are left to finish.cu at most: before round 2 a bucket of m entries needs ceil(m/2) - 1. */
static inline uint64_t cuda_finish_limit(uint64_t pairs)
{
    return pairs / 2 < FINISH_ADDITIONS ? pairs / 2 : FINISH_ADDITIONS;
}

/* Where class j's list begins, and with j = FINISH_CLASSES where the last one ends: a bucket of class j needs
 * at least 2^j additions. */
static inline uint64_t cuda_finish_places(uint64_t pairs, uint32_t j)
{
    uint64_t places = 0;
    for (uint32_t earlier = 0; earlier < j; earlier++) {
        places += cuda_finish_limit(pairs) >> earlier;
    }
    return places;
}

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

cuda_scratch cuda_scratch_of(const msm_plan *plan, size_t affine_bytes);
uint64_t cuda_scratch_bytes(const sumac_curve *curve, const curve_code *code, const msm_plan *plan);

/* Take so many bytes from *end on; what they begin at is a multiple of 256. */
static inline uint64_t scratch_place(uint64_t *end, uint64_t bytes)
{
    const uint64_t offset = *end;
    *end = (offset + bytes + 255) / 256 * 256;
    return offset;
}

#endif
