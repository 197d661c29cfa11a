/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Scalars, and bases that visit, on their way to the device. A chunk is copied load by load on a stream of
 * its own; the engine's stream waits for a load where it is first needed. See docs/cuda.md, "Copies".
 */
#ifndef SUMAC_CUDA_TRANSFER_H
#define SUMAC_CUDA_TRANSFER_H

#include "cuda/engine.h"

/*
 * Begin to copy a chunk: its scalars to `scalars`, portion after portion (of a portion of n scalars of each
 * MSM, first those of MSM 0), its bases to `bases`, set after set; either may be null. What the engine's
 * stream holds already may still read the scalars of the chunk before at the same place; its bases lie
 * elsewhere, and those of the chunk before that may be overwritten.
 */
sumac_status transfer_begin(const msm_job *job, uint64_t chunk_first, uint64_t chunk_n, void *scalars,
                            void *bases);

/* The engine's stream waits until a portion's scalars, or the chunk's bases, have arrived. */
sumac_status transfer_await_scalars(const msm_job *job, uint32_t portion);
sumac_status transfer_await_bases(const msm_job *job);

/* Wait until no copy is under way, also after a failure. */
void transfer_settle(cuda_engine *engine);

/* Page-locked memory for a call that copies so many bytes of scalars and bases. */
uint64_t transfer_pinned_bytes(const msm_plan *plan);

void transfer_close(cuda_engine *engine);

#endif
