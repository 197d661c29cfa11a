/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A checkpoint of a streamed MSM is a container (codec/container.h) with two sections. The first one identifies the
 * MSM, and has the number of bases done. The second one has the sum of these, in the form of a partial result.
 * docs/files.md describes the bytes.
 */
#ifndef SUMAC_IO_CHECKPOINT_H
#define SUMAC_IO_CHECKPOINT_H

#include "sumac/sumac.h"

/* A checkpoint has the progress of an MSM. The MSM is identified by everything on which its result and the checks of
 * its points depend. */
typedef struct checkpoint {
    const sumac_group *group;
    const char *format; /* the format of the bases */
    sumac_check check;
    int outside_subgroup;
    const sumac_msm_config *msm;         /* only scalar_form, scalar_bits and cut_scalars are used */
    uint64_t bases_bytes, scalars_bytes; /* the lengths of the files */
    uint64_t first, n;
    uint64_t done;                   /* the number of bases and scalars done */
    uint64_t bases_sum, scalars_sum; /* checksums of the bytes of these bases and scalars */
} checkpoint;

/* If the file exists, read the checkpoint of the MSM that *expected describes. It has the progress, and the sum so far
 * as a raw, canonical point, which is not checked. If the file does not exist, set *found to 0. Return SUMAC_OK,
 * SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM or SUMAC_MISMATCH. */
sumac_status checkpoint_read(sumac_context *context, const char *path, checkpoint *expected, uint8_t *point,
                             int *found);

/* Write the file as a whole, or replace it, and sync it to the disk. */
sumac_status checkpoint_write(sumac_context *context, const char *path, const checkpoint *written,
                              const uint8_t *point);

#endif
