/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The scratch block of the CPU engine: one layout that the stages and the plan's byte count share. Stages run
 * one after another, so all of them use the same block.
 */
#ifndef SUMAC_CPU_SCRATCH_H
#define SUMAC_CPU_SCRATCH_H

#include "pipeline/backend.h"

/* Byte offsets into the block; sizes follow from the plan and from the code's bytes of points and of a task.
 */
typedef struct scratch_layout {
    uint64_t capacity;     /* task_entries */
    uint64_t thread_bytes; /* one task_scratch (thread_scratch.h) for each thread, from offset 0 */
    uint64_t items;        /* within a thread's part: task_entries affine points */
    uint64_t sums;         /* what the code adds lists up with: code.task_bytes */
    uint64_t starts;       /* task_entries + 1 words */
    uint64_t targets;      /* task_entries words */
    uint64_t indices;      /* task_entries words */
    uint64_t edge_points;  /* accumulate: two points for each task */
    uint64_t edge_buckets; /* accumulate: two words for each task */
    uint64_t counts; /* sort: slices * modules_per_pass * buckets words, in place of the threads' parts */
    uint64_t block_totals; /* sort: a word for each block of buckets of each module */
    uint64_t vectors;      /* reduce: the sums of columns and rows of all modules */
    uint64_t segment_sums; /* reduce by running sums: two XYZZ sums of each segment */
    uint64_t bytes;        /* of the whole block */
    uint32_t slices;       /* sort: parts of a module */
    uint64_t tasks;        /* accumulate: at most so many */
} scratch_layout;

scratch_layout scratch_layout_of(const msm_plan *plan, const curve_code *code);

/* Buckets of a module that a task of sort counts through. */
#define SORT_BLOCK ((uint64_t)2048)

/* reduce's rows, where a module is halved, are of 2^low_bits buckets. */
static inline uint32_t reduce_low_bits(uint32_t bits)
{
    return bits / 2;
}

/* A running sum over a module is cut into at most 2^REDUCE_SEGMENT_BITS segments, so that threads can share
 * it. */
#define REDUCE_SEGMENT_BITS 5

#endif
