/*
 * Scalars on their way to the device. A chunk is copied portion by portion on a stream of its own; the
 * engine's stream waits for a portion where it is first needed. See docs/cuda.md, "Copies".
 */
#ifndef SUMAC_CUDA_TRANSFER_H
#define SUMAC_CUDA_TRANSFER_H

#include "cuda/engine.h"

/* Begin to copy the chunk's scalars to `to`, portion after portion: of a portion of n scalars of each MSM,
 * first those of MSM 0. What the engine's stream holds already may still read the chunk before from there. */
sumac_status transfer_begin(const msm_job *job, uint64_t chunk_first, uint64_t chunk_n, void *to);

/* The engine's stream waits until a portion has arrived. */
sumac_status transfer_await(const msm_job *job, uint32_t portion);

/* Wait until no copy is under way, also after a failure. */
void transfer_settle(cuda_engine *engine);

/* Page-locked memory for a call whose scalars on the device take so many bytes. */
uint64_t transfer_pinned_bytes(const sumac_plan *plan);

void transfer_close(cuda_engine *engine);

#endif
