/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Partial results: a header and points, so that one MSM can be split over processes and machines.
 *
 *   offset 0   "sumacPR1", 8 bytes: magic and version
 *          8   batch, 4 bytes, and bytes of a point, 4 bytes, little-endian
 *         16   curve and group, "bls12-381/g1", 32 bytes, filled up with zeros
 *         48   checksum over everything else, 8 bytes, little-endian
 *         56   batch raw affine points, canonical
 */
#ifndef SUMAC_CODEC_PARTIAL_H
#define SUMAC_CODEC_PARTIAL_H

#include "sumac/sumac.h"

enum { PARTIAL_HEADER_BYTES = 56 };

/* 0 where there is none: of no MSMs, or of more bytes than a size_t counts. */
size_t partial_bytes(const sumac_curve_info *info, uint32_t batch);

/* Write the header before points that are there. */
void partial_seal(uint8_t *partial, const sumac_curve_info *info, uint32_t batch);

/* Whether it is one, whole, of this curve and batch: SUMAC_OK, SUMAC_BAD_FILE, SUMAC_MISMATCH,
 * SUMAC_BAD_CHECKSUM. */
sumac_status partial_check(const uint8_t *partial, const sumac_curve_info *info, uint32_t batch);

#endif
