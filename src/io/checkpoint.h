/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Checkpoints of a streamed MSM: a container (codec/container.h) of two sections. The first one says which MSM it is and
 * how many bases are done, the second one has the sum so far in the form of a partial result. docs/files.md has the bytes.
 */
#ifndef SUMAC_IO_CHECKPOINT_H
#define SUMAC_IO_CHECKPOINT_H

#include "sumac/sumac.h"

/* An MSM, described by all that its result depends on and by the checks that its points get, with its progress. */
typedef struct checkpoint {
    const sumac_curve *curve;
    const char *format; /* of the bases */
    sumac_check check;
    int outside_subgroup;
    const sumac_msm_config *msm;         /* scalar_form, scalar_bits and cut_scalars count */
    uint64_t bases_bytes, scalars_bytes; /* of the files */
    uint64_t first, n;
    uint64_t done;                   /* bases and scalars */
    uint64_t bases_sum, scalars_sum; /* checksums of their bytes */
} checkpoint;

/* Read the checkpoint of the MSM that *expected describes, if the file exists: its progress, and the sum so far, raw and
 * canonical, which is not checked. Otherwise *found is 0. Return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED,
 * SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM or SUMAC_MISMATCH. */
sumac_status checkpoint_read(sumac_context *context, const char *path, checkpoint *expected, uint8_t *point,
                             int *found);

/* Write or replace the file as a whole, and bring it to disk. */
sumac_status checkpoint_write(sumac_context *context, const char *path, const checkpoint *written,
                              const uint8_t *point);

#endif
