/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The two files of a streamed MSM: what they hold, and whether they are still what was opened. */
#ifndef SUMAC_IO_MSM_FILES_INPUTS_H
#define SUMAC_IO_MSM_FILES_INPUTS_H

#include <time.h>

#include "codec/format.h"
#include "io/msm_files_reader.h"
#include "sumac/files.h"

/* What a file was when it was opened. */
typedef struct file_facts {
    uint64_t size;
    struct timespec modified;
} file_facts;

typedef struct stream_files {
    sumac_context *context;
    const sumac_curve *curve;
    stream_input inputs[STREAM_INPUTS];
    file_facts facts[STREAM_INPUTS];
    const file_format *format; /* of the bases */
    int is_table;
    int outside_subgroup; /* the table says so */
} stream_files;

/* Before all else; stream_files_close() is due from then on. */
void stream_files_begin(stream_files *files, sumac_context *context, const sumac_curve *curve);
void stream_files_close(stream_files *files);

/* Open both, and find how many bases and scalars the configuration asks for. */
sumac_status stream_files_open(stream_files *files, const char *bases_path, const char *scalars_path,
                               const sumac_files_config *config, uint64_t *n);

/* SUMAC_BAD_FILE where one of them has changed since. */
sumac_status stream_files_check(const stream_files *files);

/* The sentence on a block with missing bytes. */
sumac_status stream_files_fail_block(const stream_files *files, const stream_block *block);

/* Add records [first, first + n) of a file to a checksum, through stream_block_bytes(). */
sumac_status stream_files_sum(const stream_files *files, int which, uint64_t first, uint64_t n,
                              uint8_t *block, checksum *sum);

/* Whether the checksum at the end of a table is that of its points. */
sumac_status stream_files_check_table(const stream_files *files, uint64_t sum);

#endif
