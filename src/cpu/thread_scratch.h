/* A thread's part of the scratch block, typed for the curve that is compiled. */
#ifndef SUMAC_CPU_THREAD_SCRATCH_H
#define SUMAC_CPU_THREAD_SCRATCH_H

#include "cpu/affine_sum.h"
#include "cpu/scratch.h"

static inline segment_scratch thread_scratch(const scratch_layout *layout, void *scratch, uint32_t thread)
{
    char *part = (char *)scratch + layout->thread_bytes * thread;
    const segment_scratch typed = {
        (affine *)(void *)(part + layout->items),     (fe *)(void *)(part + layout->products),
        (uint32_t *)(void *)(part + layout->starts),  (uint32_t *)(void *)(part + layout->targets),
        (uint32_t *)(void *)(part + layout->indices),
    };
    return typed;
}

#endif
