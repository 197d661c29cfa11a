/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transfers to the device and back: scalars and host-resident bases (feed.cu), results (deliver.cu), bases into a table
 * (bases.cu), compressed points (decode.cu).
 */
#ifndef SUMAC_CUDA_TRANSFER_TRANSFER_H
#define SUMAC_CUDA_TRANSFER_TRANSFER_H

#include "codec/decode_request.h"
#include "cuda/device/curve.h"
#include "cuda/device/engine.h"

extern const feed_ops cuda_feed;
extern const deliver_ops cuda_deliver;

/* Wait until no copy is under way, also after a failure; and end the threads that copy, which an engine may not have. */
void transfer_settle(cuda_engine *engine);
void transfer_close(cuda_engine *engine);

/* ---- Bases ---- */

/* The state of an import: the index of the first bad record, shifted left, with its status below; or NONE_BAD. */
enum { FIRST_BAD_STATUS_BITS = 8 };
constexpr unsigned long long NONE_BAD = ~0ULL;

/* After waiting: return the status that *first_bad of the engine holds, or SUMAC_OK. *bad becomes the index of the record that
 * is refused, or stays as it is. */
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
