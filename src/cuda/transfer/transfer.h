/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions transfer data to the device and back: scalars and host-resident bases (feed.cu), results
 * (deliver.cu), bases to a table (bases.cu), and compressed points (decode.cu).
 */
#ifndef SUMAC_CUDA_TRANSFER_TRANSFER_H
#define SUMAC_CUDA_TRANSFER_TRANSFER_H

#include "codec/decode_request.h"
#include "cuda/device/group.h"
#include "cuda/device/engine.h"

extern const feed_ops cuda_feed;
extern const deliver_ops cuda_deliver;

/* transfer_settle() waits until no copy is running, also after a failure. transfer_close() ends the threads that copy,
 * if the engine has any. */
void transfer_settle(cuda_engine *engine);
void transfer_close(cuda_engine *engine);

/* ---- Bases ---- */

/* The state of an import is index << FIRST_BAD_STATUS_BITS | status of the first bad record, or NONE_BAD. */
enum { FIRST_BAD_STATUS_BITS = 8 };
constexpr unsigned long long NONE_BAD = ~0ULL;

/* Call this when the import is done. If a record was refused, return the status in *engine->first_bad, and set *bad to
 * the record's index. Otherwise return SUMAC_OK, and leave *bad unchanged. */
sumac_status cuda_first_bad(const cuda_engine *engine, uint64_t *bad);

/* Import a slice of records in the device's memory, as device_ops.fill_table does, and wait for it. */
sumac_status cuda_import_slice(cuda_engine *engine, const cuda_group *code, const table_slice *slice,
                               uint64_t *bad);

/* ---- Functions of device_ops ---- */

sumac_status cuda_fill_table(void *engine, const sumac_group *group, const table_slice *slice, uint64_t *bad);

/* Decode compressed points. Memory allocated on the device is freed; page-locked memory is kept for the next call. */
sumac_status cuda_decode(void *engine, const sumac_group *group, const decode_request *request,
                         uint64_t *bad);
int cuda_can_decode(const sumac_group *group);

#endif
