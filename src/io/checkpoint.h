/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Checkpoints of a streamed MSM: a container (codec/container.h) with two sections. The first one identifies the MSM
 * and counts the bases done; the second one has the sum so far in the form of a partial result. docs/files.md has the
 * bytes.
 */
#ifndef SUMAC_IO_CHECKPOINT_H
#define SUMAC_IO_CHECKPOINT_H

#include "sumac/sumac.h"

/* An MSM, identified by everything on which its result and its points' checks depend, and its progress. */
typedef struct checkpoint {
    const sumac_group *group;
    const char *format; /* format of the bases */
    sumac_check check;
    int outside_subgroup;
    const sumac_msm_config *msm;         /* only scalar_form, scalar_bits and cut_scalars are used */
    uint64_t bases_bytes, scalars_bytes; /* lengths of the files */
    uint64_t first, n;
    uint64_t done;                   /* number of bases and scalars done */
    uint64_t bases_sum, scalars_sum; /* checksums of the bytes of those done */
} checkpoint;

/* If the file exists, read the checkpoint of the MSM that *expected describes: its progress, and the sum so far as a
 * raw, canonical point that is not checked. Otherwise set *found to 0. Return SUMAC_OK, SUMAC_CANNOT_OPEN,
 * SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM or SUMAC_MISMATCH. */
sumac_status checkpoint_read(sumac_context *context, const char *path, checkpoint *expected, uint8_t *point,
                             int *found);

/* Write or replace the file as a whole, and sync it to disk. */
sumac_status checkpoint_write(sumac_context *context, const char *path, const checkpoint *written,
                              const uint8_t *point);

#endif
