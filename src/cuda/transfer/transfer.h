/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What goes to the device and comes back: scalars and host-resident bases (feed.cu decides when, copies.cu copies),
 * results (deliver.cu), bases on their way into a table (bases.cu), compressed points (decode.cu).
 */
#ifndef SUMAC_CUDA_TRANSFER_TRANSFER_H
#define SUMAC_CUDA_TRANSFER_TRANSFER_H

#include "codec/decode_request.h"
#include "cuda/device/curve.h"
#include "cuda/device/engine.h"

/* Scalars that lie on the host come to the device copy slice by copy slice, host-resident bases chunk by chunk; what
 * lies on the device is read where it is. */
extern const feed_ops cuda_feed;
extern const deliver_ops cuda_deliver;

/* ---- Copies ---- */

/* Tell whether a job's scalars are copied: those of the host are, and those of MSMs of different lengths. */
static inline int transfer_copies_scalars(const msm_job *job)
{
    return job->scalars_location != SUMAC_LOCATION_DEVICE || job->offsets != NULL;
}

/*
 * Begin to copy a chunk load by load on a stream of its own, copy slice after copy slice: its scalars to `scalars`, of a
 * copy slice of n first those of MSM 0, with zeros behind those of one that has fewer; its bases to `bases`, of a copy
 * slice first those of set 0; either may be null. But for a call's first chunk, what the engine's stream holds already may
 * still read what lies there. Chunks take turns: those of the other turn may still be on their way, and lie elsewhere;
 * those of this turn have been waited for. See docs/cuda.md, "How are copies hidden?".
 */
sumac_status transfer_begin(const msm_job *job, uint32_t turn, uint64_t chunk_first, uint64_t chunk_n,
                            void *scalars, void *bases);

/* The pass's stream waits until a copy slice of the turn's chunk has arrived. */
sumac_status transfer_await(const msm_job *job, uint32_t turn, uint32_t copy_slice, cudaStream_t stream);

/* Wait until no copy is under way, also after a failure; and end the threads that copy, which an engine may not
 * have. */
void transfer_settle(cuda_engine *engine);
void transfer_close(cuda_engine *engine);

/* The bytes of page-locked memory that a call takes, from the plan's bytes_staging and bytes_host_resident. */
uint64_t transfer_pinned_bytes(const msm_plan *plan);

/* ---- Bases ---- */

/* The state of an import: the index of the first bad record, shifted left, with its status below; or NONE_BAD. */
enum { FIRST_BAD_STATUS_BITS = 8 };
constexpr unsigned long long NONE_BAD = ~0ULL;

/* After waiting: return the status of what *first_bad of the engine has found, SUMAC_OK where that is nothing. *bad becomes
 * the index of a record that is refused, and else stays. */
sumac_status cuda_first_bad(const cuda_engine *engine, uint64_t *bad);

/* Import a slice of records in the device's memory, as device_ops.fill_table does, and wait. */
sumac_status cuda_import_slice(cuda_engine *engine, const cuda_curve *code, const table_slice *slice,
                               uint64_t *bad);

/* ---- Functions of device_ops ---- */

sumac_status cuda_fill_table(void *engine, const sumac_curve *curve, const table_slice *slice, uint64_t *bad);

/* Decode compressed points. Memory that is allocated on the device is given back; page-locked memory stays for the
 * next call. */
sumac_status cuda_decode(void *engine, const sumac_curve *curve, const decode_request *request,
                         uint64_t *bad);
int cuda_can_decode(const sumac_curve *curve);

#endif
