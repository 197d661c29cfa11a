/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The two files of an MSM of files: what they hold, and whether they are still what was opened. */
#ifndef SUMAC_IO_STREAM_INPUTS_H
#define SUMAC_IO_STREAM_INPUTS_H

#include <time.h>

#include "codec/format.h"
#include "io/stream_reader.h"
#include "sumac/files.h"

/* What a file was when it was opened. */
typedef struct file_facts {
    uint64_t size;
    struct timespec modified;
} file_facts;

typedef struct msm_inputs {
    sumac_context *context;
    const sumac_curve *curve;
    reader_shape shape;
    record_file inputs[INPUTS];
    file_facts facts[INPUTS];
    const point_format *format;  /* of the bases' file */
    const point_format *records; /* of its records */
    int is_table;
    int outside_subgroup; /* the table says so */
} msm_inputs;

/* Before all else; inputs_close() is due from then on. */
void inputs_begin(msm_inputs *files, sumac_context *context, const sumac_curve *curve);
void inputs_close(msm_inputs *files);

/* Open both, to be read in that shape, and find how many bases and scalars the configuration asks for. */
sumac_status inputs_open(msm_inputs *files, const char *bases_path, const char *scalars_path,
                         const sumac_files_config *config, const reader_shape *shape, uint64_t *n);

/* SUMAC_BAD_FILE where one of them has changed since. */
sumac_status inputs_check(const msm_inputs *files);

/* The sentence on a block with missing bytes. */
sumac_status inputs_fail_block(const msm_inputs *files, const record_block *block);

/* Add records [first, first + n) of a file to a checksum, through block_bytes_of(). */
sumac_status inputs_sum(const msm_inputs *files, int which, uint64_t first, uint64_t n, uint8_t *block,
                        checksum *sum);

/* Whether the checksum at the end of a table is that of its points. */
sumac_status inputs_check_table(const msm_inputs *files, uint64_t sum);

#endif
