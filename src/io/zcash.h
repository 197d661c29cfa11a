/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Single BLS12-381 points as Zcash and Ethereum write them: docs/formats.md has the bytes. */
#ifndef SUMAC_IO_ZCASH_H
#define SUMAC_IO_ZCASH_H

#include "executor/executor.h"
#include "io/points.h"

extern const point_encoding zcash_compressed;   /* 48 bytes in G1, 96 in G2 */
extern const point_encoding zcash_uncompressed; /* 96 bytes in G1, 192 in G2 */

/* A raw canonical point to a record of zcash_compressed. */
void zcash_compress(const executor *self, const sumac_curve *curve, uint8_t *record, const uint8_t *raw);

#endif
