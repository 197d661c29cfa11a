/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* By partial results one MSM is divided among processes and machines. A partial result is a container
 * (codec/container.h) with one section of `batch` raw, canonical affine points. */
#ifndef SUMAC_CODEC_PARTIAL_H
#define SUMAC_CODEC_PARTIAL_H

#include "codec/container.h"
#include "sumac/sumac.h"

enum { PARTIAL_HEADER_BYTES = 2 * CONTAINER_ALIGNMENT };

/* Return the size of a partial result. Return 0 if `batch` is 0 or the size overflows a size_t. */
size_t partial_bytes(const sumac_group *info, uint32_t batch);

/* The points lie behind the place of the header. Write the header before them, and the checksum behind them. */
void partial_seal(uint8_t *partial, const sumac_group *info, uint32_t batch);

/* Check that partial_bytes(info, batch) bytes are a partial result of this group and batch. The function may return
 * SUMAC_BAD_FILE, SUMAC_MISMATCH or SUMAC_BAD_CHECKSUM. */
sumac_status partial_check(const uint8_t *partial, const sumac_group *info, uint32_t batch,
                           sumac_message *why);

#endif
