/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Checkpoints of a streamed MSM: a container (codec/container.h) of two sections. The first one says which MSM it is and
 * how far it is, the second one has the sum so far, as a partial result has it. docs/files.md has the bytes.
 */
#ifndef SUMAC_IO_CHECKPOINT_H
#define SUMAC_IO_CHECKPOINT_H

#include "sumac/sumac.h"

/* The result depends on these, or they are checks that were promised. */
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

/* How far it is. */
typedef struct checkpoint_counters {
    uint64_t done;      /* bases and scalars */
    uint64_t bases_sum; /* checksums of their bytes */
    uint64_t scalars_sum;
} checkpoint_counters;

/* Read the file if it exists; else *found is 0. The point is raw, canonical, and not checked. SUMAC_OK,
 * SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM, SUMAC_MISMATCH. */
sumac_status checkpoint_read(sumac_context *context, const char *path, const checkpoint_subject *subject,
                             checkpoint_counters *counters, uint8_t *point, int *found);

/* Write or replace it, whole and on disk. */
sumac_status checkpoint_write(sumac_context *context, const char *path, const checkpoint_subject *subject,
                              const checkpoint_counters *counters, const uint8_t *point);

#endif
