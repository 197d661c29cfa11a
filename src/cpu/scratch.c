/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cpu/scratch.h"

#include "pipeline/plan.h"

static uint64_t place(uint64_t *end, uint64_t bytes)
{
    const uint64_t offset = *end;
    *end = (offset + bytes + 63) / 64 * 64;
    return offset;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The columns and rows of one module's 2^bits buckets. */
static uint64_t halved_points(uint32_t bits)
{
    const uint32_t low = reduce_low_bits(bits);
    return bits <= PLAN_DIRECT_BITS ? 0 : ((uint64_t)1 << low) + ((uint64_t)1 << (bits - low));
}

scratch_layout scratch_layout_of(const msm_plan *plan, const curve_code *code)
{
    scratch_layout layout = {0};
    const uint64_t capacity = plan->task_entries;
    const uint64_t modules = plan->modules_per_pass;
    const uint64_t chunk = plan->chunks == 0 ? plan->n : (plan->n + plan->chunks - 1) / plan->chunks;
    const uint64_t pairs = modules * plan->precompute_factor * chunk;
    uint64_t part = 0;
    layout.capacity = capacity;
    layout.items = place(&part, capacity * code->affine_bytes);
    layout.sums = place(&part, code->task_bytes(capacity));
    layout.starts = place(&part, (capacity + 1) * sizeof(uint32_t));
    layout.targets = place(&part, capacity * sizeof(uint32_t));
    layout.indices = place(&part, capacity * sizeof(uint32_t));
    layout.thread_bytes = part;

    /* One slice of a module a thread when there are fewer modules than threads. */
    layout.slices = modules >= plan->threads ? 1 : (uint32_t)((plan->threads + modules - 1) / modules);
    layout.tasks = (pairs + capacity - 1) / capacity;

    uint64_t accumulate = layout.thread_bytes * plan->threads;
    uint64_t reduce = accumulate;
    layout.edge_points = place(&accumulate, 2 * layout.tasks * code->affine_bytes);
    layout.edge_buckets = place(&accumulate, 2 * layout.tasks * sizeof(uint32_t));
    const uint32_t bits = plan_bucket_bits(plan);
    if (plan->reduction == SUMAC_REDUCTION_RUNNING_SUM) {
        const uint64_t segments = bits < REDUCE_SEGMENT_BITS ? modules : modules << REDUCE_SEGMENT_BITS;
        layout.segment_sums = place(&reduce, 2 * segments * code->xyzz_bytes);
    } else {
        layout.vectors = place(&reduce, modules * halved_points(bits) * code->affine_bytes);
    }
    uint64_t sort = 0;
    layout.counts = place(&sort, (uint64_t)layout.slices * modules * plan->buckets * sizeof(uint32_t));
    layout.block_totals =
        place(&sort, modules * ((plan->buckets + SORT_BLOCK - 1) / SORT_BLOCK) * sizeof(uint32_t));
    layout.bytes = larger(larger(accumulate, reduce), sort);
    return layout;
}
