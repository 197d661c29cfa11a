/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which rows of pairs each block of a round has. */
#ifndef SUMAC_CUDA_MSM_ACCUMULATE_ROUNDS_ROWS_CUH
#define SUMAC_CUDA_MSM_ACCUMULATE_ROUNDS_ROWS_CUH

#include "cuda/device/elements.cuh"

/* Chosen by bench_cuda_msm on an H200, 2026-11-21, accumulate of BLS12-381 at 2^22: 16.4 ms with a MAX_DEPTH of 32,
 * 15.3 with 64, 14.9 with 128, even with 256. Few blocks for few rows: 2^16 0.71 for 0.86, 2^18 1.70 for 1.91. */
enum {
    MAX_DEPTH = 128,   /* rows of a block: long enough to make its share of an inversion cheap */
    SPARSE_DEPTH = 4,  /* up to so many rows a block, an SM has one block */
    PAIRED_DEPTH = 30, /* up to so many it has two, beyond as many as it holds */
    FAR_DEPTH = 24,    /* the same for pairs whose points lie FAR_STRIDE or more apart */
    FAR_STRIDE = 4,
    SINGLE_DEPTH = 20 /* up to so many an SM has its blocks once, and they begin and end together */
};

struct row_range {
    uint32_t first;
    uint32_t end;
};

/* So few that no SM has more than one block. */
static __host__ __device__ bool rows_are_few(uint32_t rows, uint32_t multiprocessors)
{
    return rows <= multiprocessors * SPARSE_DEPTH;
}

/*
 * How many blocks have rows, and how the rows are shared out. A block takes as long as one inversion and its
 * rows' additions. With few rows the inversions count: they compete for the SM, so there are few blocks, too.
 * With more, an SM has all the blocks that it holds, with many `fills` times over; as a block that waits for
 * its points and one that multiplies get on better than two of a kind, those that an SM begins with have 1,
 * 2, .. B of B parts of the usual rows, B the blocks of an SM, and the last ones what is missing: B - 1, .. 0
 * parts.
 *
 * Where two in-flight passes share the device, each takes two blocks of an SM: while one waits, the other multiplies.
 */
struct row_plan {
    uint32_t blocks;
    uint32_t fills; /* 0: every block has the same */
};

static __host__ __device__ row_plan plan_rows(uint32_t rows, uint32_t stride, bool shares,
                                              uint32_t multiprocessors)
{
    enum { B = PAIR_BLOCKS_PER_SM };
    const uint32_t paired_depth = shares ? MAX_DEPTH : stride < FAR_STRIDE ? PAIRED_DEPTH : FAR_DEPTH;
    const uint32_t resident = multiprocessors * B;
    row_plan plan = {0, 0};
    if (rows_are_few(rows, multiprocessors)) {
        plan.blocks = rows < multiprocessors ? rows : multiprocessors;
    } else if (rows <= multiprocessors * 2 * paired_depth) {
        plan.blocks = multiprocessors * 2;
    } else if (rows <= resident * SINGLE_DEPTH) {
        plan.blocks = resident;
    } else {
        plan.fills = (rows + resident * MAX_DEPTH - 1) / (resident * MAX_DEPTH);
        plan.blocks = (plan.fills + 1) * resident;
    }
    return plan;
}

static __device__ row_range rows_of(uint32_t block, uint32_t rows, uint32_t stride, bool shares,
                                    uint32_t multiprocessors)
{
    enum { B = PAIR_BLOCKS_PER_SM };
    const row_plan plan = plan_rows(rows, stride, shares, multiprocessors);
    const uint32_t resident = multiprocessors * B;
    uint64_t before, parts,
        total; /* of `total` parts of the rows the block has `parts`, and others those before it */
    if (block >= plan.blocks) {
        before = parts = 0;
        total = 1;
    } else if (plan.fills == 0) {
        before = block;
        parts = 1;
        total = plan.blocks;
    } else {
        const uint32_t fill = block / resident;
        const uint32_t phase = block % resident / multiprocessors;
        const uint32_t place = block % multiprocessors;
        total = (uint64_t)resident * B * plan.fills;
        if (fill == 0) {
            parts = phase + 1;
            before = (uint64_t)multiprocessors * (phase * (phase + 1) / 2) + place * parts;
        } else if (fill < plan.fills) {
            parts = B;
            before = (uint64_t)multiprocessors * (B * (B + 1) / 2) + (block - resident) * (uint64_t)B;
        } else {
            parts = B - 1 - phase;
            before = total - (uint64_t)multiprocessors * ((parts + 1) * parts / 2) + place * parts;
        }
    }
    const row_range range = {(uint32_t)(before * rows / total), (uint32_t)((before + parts) * rows / total)};
    return range;
}

#endif
