/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Partial results, with which one MSM is split over processes and machines: a container (codec/container.h) with one
 * section of `batch` raw, canonical affine points. */
#ifndef SUMAC_CODEC_PARTIAL_H
#define SUMAC_CODEC_PARTIAL_H

#include "codec/container.h"
#include "sumac/sumac.h"

enum { PARTIAL_HEADER_BYTES = 2 * CONTAINER_ALIGNMENT };

/* Return the size of a partial result; 0 if batch is 0 or the size overflows a size_t. */
size_t partial_bytes(const sumac_group *info, uint32_t batch);

/* Write header and checksum around points, which lie after the header's place. */
void partial_seal(uint8_t *partial, const sumac_group *info, uint32_t batch);

/* Check that partial_bytes(info, batch) bytes are a partial result of this group and batch. SUMAC_BAD_FILE,
 * SUMAC_MISMATCH, SUMAC_BAD_CHECKSUM. */
sumac_status partial_check(const uint8_t *partial, const sumac_group *info, uint32_t batch,
                           sumac_message *why);

#endif
