/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* accumulate by rounds: what its lists of pairs are, and when accumulate_rounds_finish.cu takes over. */
#ifndef SUMAC_CUDA_MSM_ACCUMULATE_ROUNDS_LISTS_H
#define SUMAC_CUDA_MSM_ACCUMULATE_ROUNDS_LISTS_H

#include "cuda/device/curve.h"

/* Slots that a block of accumulate lists. */
enum { LIST_SLOTS = 2048 };

/* Words that accumulate counts in. */
enum {
    ROUNDS = 33,       /* at most; those from the second on are ROUNDS - 1, as many as a warp has lanes */
    COUNT_SINGLES = 0, /* then the pairs of round 1, 2, .. ROUNDS */
    COUNT_FINISHING = ROUNDS + 1,             /* buckets of each class of accumulate_rounds_finish.cu */
    LISTS = COUNT_FINISHING + FINISH_CLASSES, /* that the words up to here are the lengths of */
    COUNT_LARGEST = LISTS,                    /* entries of the largest bucket */
    COUNT_ENTRIES,                            /* of all buckets */
    COUNT_LEFT,                               /* additions that are left before round 2, 3, .. ROUNDS */
    COUNT_SHIFT = COUNT_LEFT + ROUNDS - 1,    /* finish_lists' shift */
    COUNTERS = 128
};

/* accumulate_rounds_finish.cu takes what is left when its one launch is sooner done than the rounds. With these 2^14 is even with rounds
 * and 2^22 equal scalars take 17.87 ms for 18.24; with 65536 additions in all 2^16 takes 1.02 ms for 0.85 (BLS12-381,
 * H200, 2026-11-21). */
enum {
    FINISH_ADDITIONS_A_ROUND = 8192, /* of all buckets, at most, for every round that is saved */
    FINISH_ADDITIONS = 4 * FINISH_ADDITIONS_A_ROUND, /* and at most in all */
    FINISH_LARGEST = 256 /* points, at most, of the largest bucket where the call doesn't say */
};

/* The most additions of all buckets that the finish (accumulate_rounds_finish.cu) takes, if the largest bucket has
 * `most` additions left, which is less than 2^(rounds left). It takes none if `most` is not below `largest`:
 * FINISH_LARGEST, or 0 if the kind does without the finish. Each round that is saved pays for so many; the launch
 * itself takes as long as one round. */
static __host__ __device__ inline uint32_t cuda_finish_capacity(uint32_t most, uint32_t largest)
{
    uint32_t capacity = 0;
    for (uint32_t rest = most / 2; most < largest && rest > 0 && capacity < FINISH_ADDITIONS; rest /= 2) {
        capacity += FINISH_ADDITIONS_A_ROUND;
    }
    return capacity;
}

/* Additions that are left to accumulate_rounds_finish.cu at most: before round 2 a bucket of m entries needs ceil(m/2) - 1. */
static inline uint64_t cuda_finish_limit(uint64_t entries)
{
    return entries / 2 < FINISH_ADDITIONS ? entries / 2 : FINISH_ADDITIONS;
}

/* The index at which class j's list begins, and with j = FINISH_CLASSES the end of the last list: a bucket of class
 * j needs at least 2^j additions. */
static inline uint64_t cuda_finish_begin(uint64_t entries, uint32_t j)
{
    uint64_t end = 0;
    for (uint32_t earlier = 0; earlier < j; earlier++) {
        end += cuda_finish_limit(entries) >> earlier;
    }
    return end;
}

/* The end of the last bucket's slots: device/curve.h's first_slot() of the bucket behind it. */
static inline uint64_t cuda_slot_end(uint64_t entries, uint64_t buckets)
{
    return (entries + buckets + 1) / 2;
}

/* The most slots that hold a point, ceil(m/2) for each bucket. */
static inline uint64_t cuda_slots(uint64_t entries, uint64_t buckets)
{
    return (entries + (entries < buckets ? entries : buckets)) / 2;
}

/*
 * The most pairs that round number can have. From round 2 on a bucket of S slots has floor(ceil(S/s)/2)
 * pairs, s the stride: none where S <= s, else at most S/(s + 1), as for S = s + 1.
 */
uint64_t cuda_round_limit(uint64_t slots, uint32_t number);

/* The additions that a bucket's slots need before round 2. */
static __host__ __device__ inline uint32_t additions_of(uint32_t entries)
{
    return entries == 0 ? 0 : (entries - 1) / 2;
}

/* Tell whether the finish takes what is left before the round of stride 2^shift. If nothing is left, it does. */
static __host__ __device__ inline bool can_finish(uint32_t additions_left, uint32_t largest, uint32_t shift,
                                                  uint32_t finish_largest)
{
    const uint32_t most = additions_of(largest) >> shift; /* of one bucket: less than 2^(rounds left) */
    return most == 0 || additions_left <= cuda_finish_capacity(most, finish_largest);
}

/* The pairs of round 1 and what has no partner in it; for each later round the slots that are the left ones
 * of its pairs; for each class of accumulate_rounds_finish.cu its buckets. */
struct pair_lists {
    uint32_t finish_largest; /* as cuda_finish_capacity's */
    uint2 *entries;
    uint32_t *targets;
    uint2 *singles; /* slot and entry */
    uint32_t *lefts;
    uint32_t first[ROUNDS + 1]; /* round r's list of left slots begins at lefts[first[r]] */
    uint2 *finishing;           /* finish_lists' entries, and where those of a class begin */
    uint32_t first_finishing[FINISH_CLASSES];
    uint32_t *counts;        /* COUNTERS words */
    uint32_t *first_buckets; /* for every LIST_SLOTS slots */
};

/* Queue what makes the lists of so many entries at most, which are `sorted` by buckets: accumulate_rounds_lists.cu.
 * `measured` is recorded where not null, when counts[COUNT_LARGEST] and what follows are at `mailbox`. */
sumac_status cuda_make_lists(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                             const uint32_t *sorted, uint64_t entries, const pair_lists *lists,
                             uint32_t *mailbox, cudaEvent_t measured);

#endif
