/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CUDA engine's table, its scratch layout and its one exported function. */
#include <cstring>

#include "cuda/engine.h"
#include "cuda/scratch.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

cuda_scratch cuda_scratch_of(const msm_plan *plan, size_t affine_bytes)
{
    cuda_scratch layout = {};
    const uint64_t element_bytes = affine_bytes / 2;
    layout.pairs = plan->modules_per_pass * plan->precompute_factor * plan_portion(plan);
    layout.buckets = plan->modules_per_pass * plan->buckets;
    const uint64_t slots = cuda_slots(layout.pairs, layout.buckets);
    const uint64_t additions = layout.pairs / 2 + 1;
    const uint64_t merges = plan->portions > 1 ? layout.buckets : 0;

    layout.sorts_by_counting = strcmp(cuda_sort_kind(plan), "counting") == 0;
    uint64_t sort;
    if (layout.sorts_by_counting) {
        layout.partition = partition_layout_of(layout.pairs, layout.buckets);
        sort = layout.partition.bytes;
    } else {
        layout.radix = radix_layout_of(layout.pairs, layout.buckets);
        sort = layout.radix.bytes;
    }

    uint64_t accumulate = 0;
    layout.slot_points =
        scratch_place(&accumulate, cuda_slot_places(layout.pairs, layout.buckets) * affine_bytes);
    layout.products = scratch_place(&accumulate, (larger(additions, merges) + PAIR_BLOCK) * element_bytes);
    layout.entries = scratch_place(&accumulate, 2 * additions * sizeof(uint32_t));
    layout.targets = scratch_place(&accumulate, additions * sizeof(uint32_t));
    layout.singles = scratch_place(&accumulate, 2 * smaller(layout.pairs, layout.buckets) * sizeof(uint32_t));
    layout.merges = scratch_place(&accumulate, merges * sizeof(uint32_t));
    uint64_t lefts = 0;
    for (uint32_t number = 2; number <= ROUNDS; number++) {
        lefts += cuda_round_limit(slots, number);
    }
    layout.lefts = scratch_place(&accumulate, lefts * sizeof(uint32_t));
    layout.finishing =
        scratch_place(&accumulate, 2 * cuda_finish_places(layout.pairs, FINISH_CLASSES) * sizeof(uint32_t));
    layout.first_buckets = scratch_place(
        &accumulate, (cuda_slot_places(layout.pairs, layout.buckets) / LIST_SLOTS + 1) * sizeof(uint32_t));
    layout.counters = scratch_place(&accumulate, COUNTERS * sizeof(uint32_t));

    uint64_t reduce = 0;
    const uint64_t positions = static_cast<uint64_t>(plan->modules_per_pass) << (plan->c - 1);
    layout.vectors = scratch_place(&reduce, positions * affine_bytes);
    layout.live = scratch_place(&reduce, positions);
    layout.live_lefts = scratch_place(&reduce, positions / 2 * sizeof(uint32_t));
    layout.live_counts = scratch_place(&reduce, COUNTERS * sizeof(uint32_t));
    /* Round r has (r + 1) * K/2^(r + 1) pairs a module: at most K/2. */
    layout.reduce_products = scratch_place(&reduce, (positions / 2 + PAIR_BLOCK) * element_bytes);
    /* A pass of fewer modules may begin its tail at an earlier level; then what lies between two
     * powers of two of them is at most the larger one's points at the smaller one's level. */
    uint64_t tail_points = 0;
    for (uint64_t modules = 1; modules <= plan->modules_per_pass; modules = modules * 2) {
        const uint64_t most = modules * 2 <= plan->modules_per_pass ? modules * 2 : plan->modules_per_pass;
        const uint32_t level = cuda_tail_level(plan->c - 1, modules);
        tail_points = larger(tail_points, ((level + 1) * most) << (plan->c - 1 - level));
    }
    layout.tail = scratch_place(&reduce, tail_points * 2 * affine_bytes);
    layout.bytes = larger(larger(sort, accumulate), reduce);
    return layout;
}

uint64_t cuda_scratch_bytes(const sumac_curve *curve, const curve_code *code, const msm_plan *plan)
{
    (void)curve;
    return cuda_scratch_of(plan, code->affine_bytes).bytes;
}

const cuda_curve *cuda_curve_of(const sumac_curve *curve)
{
    for (const cuda_curve *const *entry = cuda_registry; *entry != NULL; entry++) {
        if (strcmp((*entry)->name, curve->info.name) == 0 &&
            strcmp((*entry)->group, curve->info.group) == 0) {
            return *entry;
        }
    }
    return NULL;
}

static const backend cuda_backend = {
    .name = "cuda",
    .recode = cuda_recode,
    .sort = cuda_sort,
    .accumulate = cuda_accumulate,
    .reduce = cuda_reduce,
    .combine = cuda_combine,
    .scratch_bytes = cuda_scratch_bytes,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .device = &cuda_device,
};

extern "C" SUMAC_API const backend *sumac_cuda_backend(uint32_t interface_version)
{
    return interface_version == SUMAC_ENGINE_INTERFACE ? &cuda_backend : NULL;
}
