/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header defines the lists of pairs of accumulate by rounds, and decides when the finish
 * (accumulate_rounds_finish.cu) replaces the remaining rounds. */
#ifndef SUMAC_CUDA_MSM_ACCUMULATE_ROUNDS_LISTS_H
#define SUMAC_CUDA_MSM_ACCUMULATE_ROUNDS_LISTS_H

#include "cuda/device/group.h"

/* A block of list_kernel lists LIST_SLOTS slots. */
enum { LIST_SLOTS = 2048 };

/* The words of pair_lists.counts have these indices. */
enum {
    ROUNDS = 33,                              /* the most rounds; ROUNDS - 1 is the number of lanes of a
                                                 warp */
    COUNT_SINGLES = 0,                        /* followed by the pairs of round 1, 2, .. ROUNDS */
    COUNT_FINISHING = ROUNDS + 1,             /* buckets of each class of accumulate_rounds_finish.cu */
    LISTS = COUNT_FINISHING + FINISH_CLASSES, /* the words before this index are the lists' lengths */
    COUNT_LARGEST = LISTS,                    /* entries of the largest bucket */
    COUNT_ENTRIES,                            /* entries of all buckets */
    COUNT_LEFT,                               /* additions that are left before round 2, 3, .. ROUNDS */
    COUNT_SHIFT = COUNT_LEFT + ROUNDS - 1,    /* the value of *finish_lists.shift */
    COUNTERS = 128
};

/* The finish replaces the remaining rounds when its one launch takes less time than they do. With these numbers 2^14
 * points take the same time as with rounds only, and 2^22 equal scalars take 17.87 ms instead of 18.24. With
 * FINISH_ADDITIONS = 65536, 2^16 points take 1.02 ms instead of 0.85 (BLS12-381, H200, 2026-11-21). */
enum {
    FINISH_ADDITIONS_A_ROUND = 8192,                 /* the most additions of all buckets for each saved
                                                        round */
    FINISH_ADDITIONS = 4 * FINISH_ADDITIONS_A_ROUND, /* the most additions of all buckets */
    FINISH_LARGEST = 256 /* the most points of the largest bucket if the call sets no factor */
};

/* The largest bucket has `most` additions left, and most < 2^(rounds left). Return how many additions of all buckets
 * the finish (accumulate_rounds_finish.cu) may do. If `most` is not less than `largest`, it may do none. `largest` is
 * finish_largest(), or 0 if the kind does not use the finish. Each saved round pays for FINISH_ADDITIONS_A_ROUND
 * additions, except the first one, because the launch of the finish takes as long as one round. */
static __host__ __device__ inline uint32_t cuda_finish_capacity(uint32_t most, uint32_t largest)
{
    uint32_t capacity = 0;
    for (uint32_t rest = most / 2; most < largest && rest > 0 && capacity < FINISH_ADDITIONS; rest /= 2) {
        capacity += FINISH_ADDITIONS_A_ROUND;
    }
    return capacity;
}

/* Return how many additions accumulate_rounds_finish.cu does at most. Before round 2 a bucket of m entries still needs
 * ceil(m/2) - 1 additions. */
static inline uint64_t cuda_finish_limit(uint64_t entries)
{
    return entries / 2 < FINISH_ADDITIONS ? entries / 2 : FINISH_ADDITIONS;
}

/* Return the index at which class j's list begins, or for j = FINISH_CLASSES the end of the last list. A bucket of
 * class j needs at least 2^j additions, which bounds the lengths of the lists. */
static inline uint64_t cuda_finish_begin(uint64_t entries, uint32_t j)
{
    uint64_t end = 0;
    for (uint32_t earlier = 0; earlier < j; earlier++) {
        end += cuda_finish_limit(entries) >> earlier;
    }
    return end;
}

/* Return the end of the last bucket's slots: first_slot(buckets, entries) of device/group.h. */
static inline uint64_t cuda_slot_end(uint64_t entries, uint64_t buckets)
{
    return (entries + buckets + 1) / 2;
}

/* Return how many slots have a point at most. A bucket of m entries has ceil(m/2) such slots. */
static inline uint64_t cuda_slots(uint64_t entries, uint64_t buckets)
{
    return (entries + (entries < buckets ? entries : buckets)) / 2;
}

/*
 * Return how many pairs round `number` can have at most. From round 2 on, a bucket of S slots has floor(ceil(S/s)/2)
 * pairs, where s is the stride: none if S <= s, else at most S/(s + 1), which S = s + 1 reaches.
 */
uint64_t cuda_round_limit(uint64_t slots, uint32_t number);

/* Return the number of additions that a bucket's slots still need before round 2. */
static __host__ __device__ inline uint32_t additions_of(uint32_t entries)
{
    return entries == 0 ? 0 : (entries - 1) / 2;
}

/* Return whether the finish can do the additions that are left before the round of stride 2^shift. If none are left,
 * return true. */
static __host__ __device__ inline bool can_finish(uint32_t additions_left, uint32_t largest, uint32_t shift,
                                                  uint32_t finish_largest)
{
    const uint32_t most = additions_of(largest) >> shift; /* the most additions of one bucket: less than
                                                             2^(rounds left) */
    return most == 0 || additions_left <= cuda_finish_capacity(most, finish_largest);
}

/* There is a list of the pairs of round 1, and one of the entries without a partner in it. For each later round there
 * is a list of the left slots of its pairs. For each class of accumulate_rounds_finish.cu there is a list of its
 * buckets. */
struct pair_lists {
    uint32_t finish_largest; /* the `largest` of cuda_finish_capacity() */
    uint2 *entries;
    uint32_t *targets;
    uint2 *singles; /* slot and entry */
    uint32_t *lefts;
    uint32_t first[ROUNDS + 1]; /* round r's list of left slots begins at lefts[first[r]] */
    uint2 *finishing;           /* finish_lists.entries; those of class j begin at first_finishing[j] */
    uint32_t first_finishing[FINISH_CLASSES];
    uint32_t *counts;        /* COUNTERS words */
    uint32_t *first_buckets; /* one for every LIST_SLOTS slots */
};

/* Queue the kernels that make the lists of at most `entries` entries, which are sorted by buckets:
 * accumulate_rounds_lists.cu. If `measured` is not null, it is recorded when the counts from counts[COUNT_LARGEST] up
 * to COUNT_SHIFT have been copied to `mailbox`. */
sumac_status cuda_make_lists(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                             const uint32_t *sorted, uint64_t entries, const pair_lists *lists,
                             uint32_t *mailbox, cudaEvent_t measured);

#endif
