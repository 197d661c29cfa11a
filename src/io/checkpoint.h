/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checkpoints of an MSM of files: what it is of, how far it is, and the sum so far. */
#ifndef SUMAC_IO_CHECKPOINT_H
#define SUMAC_IO_CHECKPOINT_H

#include "sumac/sumac.h"

/* What the result depends on, and what was promised to be checked. */
typedef struct checkpoint_subject {
    const sumac_curve *curve;
    const char *format; /* of the bases */
    sumac_check check;
    int outside_subgroup;
    sumac_form scalar_form;
    uint32_t scalar_bits;
    int cut_scalars;
    uint64_t bases_bytes; /* of the files */
    uint64_t scalars_bytes;
    uint64_t first;
    uint64_t n;
} checkpoint_subject;

/* How far it is. The point lies behind it. */
typedef struct checkpoint_state {
    uint64_t done;      /* bases and scalars */
    uint64_t bases_sum; /* checksums of their bytes */
    uint64_t scalars_sum;
} checkpoint_state;

/* Read the file if there is one; *found is 0 if there is none. The point is raw, canonical, and not checked.
 * SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM, SUMAC_MISMATCH. */
sumac_status checkpoint_read(sumac_context *context, const char *path, const checkpoint_subject *subject,
                             checkpoint_state *state, uint8_t *point, int *found);

/* Write or replace it, whole and on disk. */
sumac_status checkpoint_write(sumac_context *context, const char *path, const checkpoint_subject *subject,
                              const checkpoint_state *state, const uint8_t *point);

#endif
