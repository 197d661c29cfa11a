/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Scalars, and host-resident bases, on their way to the device. A chunk is copied load by load on a stream of
 * its own; the engine's stream waits for a copy slice's where it is first needed. See docs/cuda.md,
 * "How are copies hidden?".
 */
#ifndef SUMAC_CUDA_TRANSFER_COPIES_H
#define SUMAC_CUDA_TRANSFER_COPIES_H

#include "cuda/device/engine.h"

/* Whether a job's scalars are copied: those of the host, and those of MSMs of different lengths. */
static inline int transfer_copies_scalars(const msm_job *job)
{
    return job->scalars_location != SUMAC_LOCATION_DEVICE || job->offsets != NULL;
}

/*
 * Begin to copy a chunk, copy slice after copy slice: its scalars to `scalars`, of a copy slice of n first those of
 * MSM 0, with zeros behind those of one that has fewer; its bases to `bases`, of a copy slice first those of set 0; either may be null. But for a call's first
 * chunk, what the engine's stream holds already may still read what lies there. Chunks take turns: those of
 * the other turn may still be on their way, and lie elsewhere; those of this turn have been waited for.
 */
sumac_status transfer_begin(const msm_job *job, uint32_t turn, uint64_t chunk_first, uint64_t chunk_n,
                            void *scalars, void *bases);

/* The pass's stream waits until a copy slice of the turn's chunk has arrived. */
sumac_status transfer_await(const msm_job *job, uint32_t turn, uint32_t copy_slice, cudaStream_t stream);

/* Wait until no copy is under way, also after a failure. */
void transfer_settle(cuda_engine *engine);

/* Bytes of page-locked memory for a call of a plan whose bytes_staging and bytes_host_resident are there. */
uint64_t transfer_pinned_bytes(const msm_plan *plan);

void transfer_close(cuda_engine *engine);

#endif
