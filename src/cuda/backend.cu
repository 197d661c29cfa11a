/* The CUDA engine's table, its scratch layout and its one exported function. */
#include <cstring>

#include "cuda/engine.h"
#include "cuda/scratch.h"

static uint64_t place(uint64_t *end, uint64_t bytes)
{
    const uint64_t offset = *end;
    *end = (offset + bytes + 255) / 256 * 256;
    return offset;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

cuda_scratch cuda_scratch_of(const sumac_plan *plan, size_t affine_bytes)
{
    cuda_scratch layout;
    const uint64_t element_bytes = affine_bytes / 2;
    layout.pairs = plan->modules_per_pass * plan->precompute_factor * plan_portion(plan);
    layout.buckets = plan->modules_per_pass * plan->buckets;
    layout.slots = (layout.pairs + (layout.pairs < layout.buckets ? layout.pairs : layout.buckets)) / 2 + 1;
    const uint64_t additions = layout.pairs / 2 + 1;
    const uint64_t merges = plan->portions > 1 ? layout.buckets : 0;

    uint64_t sort = 0;
    layout.keys_in = place(&sort, layout.pairs * sizeof(uint32_t));
    layout.keys_out = place(&sort, layout.pairs * sizeof(uint32_t));
    layout.values_in = place(&sort, layout.pairs * sizeof(uint32_t));
    layout.sort_temporary_bytes = cuda_sort_temporary_bytes(layout.pairs, layout.buckets);
    layout.sort_temporary = place(&sort, layout.sort_temporary_bytes);

    uint64_t accumulate = 0;
    layout.slot_points = place(&accumulate, layout.slots * affine_bytes);
    layout.products = place(&accumulate, (larger(additions, merges) + PAIR_BLOCK) * element_bytes);
    layout.slot_starts = place(&accumulate, (layout.buckets + 1) * sizeof(uint32_t));
    layout.owners = place(&accumulate, layout.slots * sizeof(uint32_t));
    layout.entries = place(&accumulate, 2 * additions * sizeof(uint32_t));
    layout.targets = place(&accumulate, additions * sizeof(uint32_t));
    layout.merges = place(&accumulate, merges * sizeof(uint32_t));
    uint64_t lefts = 0;
    for (uint32_t number = 2; number <= ROUNDS; number++) {
        lefts += cuda_round_limit(layout.slots, number);
    }
    layout.lefts = place(&accumulate, lefts * sizeof(uint32_t));
    layout.counters = place(&accumulate, COUNTERS * sizeof(uint32_t));
    layout.scan_temporary_bytes = cuda_scan_temporary_bytes(larger(layout.slots, layout.buckets + 1));
    layout.scan_temporary = place(&accumulate, layout.scan_temporary_bytes);

    uint64_t reduce = 0;
    layout.vectors = place(&reduce, layout.buckets * affine_bytes);
    /* Round r has (r + 1) * K/2^(r + 1) pairs a module: at most K/2. */
    layout.reduce_products = place(&reduce, (layout.buckets / 2 + PAIR_BLOCK) * element_bytes);
    /* A pass of fewer modules may begin its tail at an earlier level; then it has at most 2 * 131072 points
     * and what a round's bound leaves: see cuda_tail_level. */
    uint64_t tail_points = 0;
    for (uint64_t modules = 1; modules <= plan->modules_per_pass; modules = modules * 2) {
        const uint64_t most = modules * 2 <= plan->modules_per_pass ? modules * 2 : plan->modules_per_pass;
        const uint32_t level = cuda_tail_level(plan->c - 1, modules);
        tail_points = larger(tail_points, ((level + 1) * most) << (plan->c - 1 - level));
    }
    layout.tail = place(&reduce, tail_points * 2 * affine_bytes);
    layout.bytes = larger(larger(sort, accumulate), reduce);
    return layout;
}

uint64_t cuda_scratch_bytes(const sumac_curve *curve, const curve_code *code, const sumac_plan *plan)
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
