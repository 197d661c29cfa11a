/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compressed points from the host's memory to raw ones there. */
#ifndef SUMAC_CUDA_TRANSFER_DECODE_H
#define SUMAC_CUDA_TRANSFER_DECODE_H

#include "codec/decode_request.h"
#include "cuda/device/engine.h"

/* As device_ops.decode and can_decode. What decode allocates on the device it gives back; page-locked memory
 * it keeps for the next call. */
sumac_status cuda_decode(void *engine, const sumac_curve *curve, const decode_request *request,
                         uint64_t *bad);
int cuda_can_decode(const sumac_curve *curve);

void decode_close(cuda_engine *engine);

#endif
