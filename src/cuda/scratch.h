/* The scratch block of the CUDA engine: one layout that the stages and the plan's byte count share. */
#ifndef SUMAC_CUDA_SCRATCH_H
#define SUMAC_CUDA_SCRATCH_H

#include "cuda/engine.h"

/* Byte offsets into the block. Stages run one after another: each begins at 0 again. */
struct cuda_scratch {
    uint64_t pairs;   /* of a pass, at most */
    uint64_t buckets; /* of a pass */
    uint64_t slots;   /* accumulate: ceil(count/2) for every bucket, at most so many together */

    uint64_t keys_in, keys_out, values_in; /* sort: pairs words each */
    uint64_t sort_temporary;
    uint64_t sort_temporary_bytes;

    uint64_t slot_points; /* accumulate: slots points */
    uint64_t products;    /* a field element for each of pairs/2 pairs, in whole rows */
    uint64_t slot_starts; /* buckets + 1 words */
    uint64_t owners;      /* slots words */
    uint64_t entries;     /* 2 * (pairs/2 + 1) words */
    uint64_t targets;     /* pairs/2 + 1 words */
    uint64_t lefts;       /* a word for every pair of every round from the second on, at most */
    uint64_t counters;    /* COUNTERS words */
    uint64_t merges;      /* with several portions: buckets words */
    uint64_t scan_temporary;
    uint64_t scan_temporary_bytes;

    uint64_t vectors;         /* reduce: buckets points */
    uint64_t reduce_products; /* a field element for every pair of the largest round */

    uint64_t tail; /* the live points after cuda_tail_level rounds, XYZZ */

    uint64_t bytes;
};

/* Words that accumulate counts in: the largest bucket, and the pairs of each round. */
enum { COUNTERS = 64, ROUNDS = 33 };

/*
 * The most pairs that round number can have. From round 2 on a bucket of S slots has floor(ceil(S/s)/2)
 * pairs, s the stride: none where S <= s, else at most S/(s + 1), as for S = s + 1.
 */
uint64_t cuda_round_limit(uint64_t slots, uint32_t number);

/* reduce: how many rounds are affine, for vectors of 2^bits points. Falls as there are fewer vectors. */
uint32_t cuda_tail_level(uint32_t bits, uint64_t vectors);

cuda_scratch cuda_scratch_of(const sumac_plan *plan, size_t affine_bytes);
uint64_t cuda_scratch_bytes(const sumac_curve *curve, const curve_code *code, const sumac_plan *plan);

/* Bytes that the library functions of sort.cu and slots.cu ask for. */
size_t cuda_sort_temporary_bytes(uint64_t pairs, uint64_t buckets);
size_t cuda_scan_temporary_bytes(uint64_t items);

#endif
