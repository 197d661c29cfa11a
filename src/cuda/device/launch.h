/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How many blocks a kernel is launched with. */
#ifndef SUMAC_CUDA_DEVICE_LAUNCH_H
#define SUMAC_CUDA_DEVICE_LAUNCH_H

#include "cuda/device/engine.h"

/* Blocks of `threads` that cover n items; at most 2^31 - 1. */
static inline unsigned blocks_for(uint64_t n, unsigned threads)
{
    return static_cast<unsigned>((n + threads - 1) / threads);
}

/* The same for blocks that go on to the next n: as many as fill the device `times` times over. */
static inline unsigned blocks_to_fill(const cuda_engine *engine, unsigned times, uint64_t n, unsigned threads)
{
    const unsigned most = static_cast<unsigned>(engine->multiprocessors) * times;
    const unsigned blocks = blocks_for(n, threads);
    return blocks < most ? blocks : most;
}

#endif
