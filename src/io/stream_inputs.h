/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions open the two files of a streamed MSM, find what they contain, and check that they are still the files
 * that were opened. */
#ifndef SUMAC_IO_STREAM_INPUTS_H
#define SUMAC_IO_STREAM_INPUTS_H

#include <time.h>

#include "codec/container.h"
#include "codec/format.h"
#include "io/stream_reader.h"
#include "sumac/experimental.h"

typedef struct stream_inputs {
    sumac_context *context;
    const sumac_group *group;
    reader_shape shape;
    record_file files[INPUTS];
    struct timespec modified[INPUTS]; /* the times of the last changes when the files were opened */
    const point_format *format;       /* the format of the bases' file */
    const point_format *records;      /* the format of the records in that file */
    int is_table;
    container_section table;
} stream_inputs;

/* Initialize the struct. Call this first, and inputs_close() at the end. */
void inputs_init(stream_inputs *inputs, sumac_context *context, const sumac_group *group);
void inputs_close(stream_inputs *inputs);

/* Open both files for reading in this shape, and find how many bases and scalars the configuration asks for. */
sumac_status inputs_open(stream_inputs *inputs, const char *bases_path, const char *scalars_path,
                         const sumac_files_config *config, const reader_shape *shape, uint64_t *n);

/* Return SUMAC_BAD_FILE if one of the files has changed since it was opened. */
sumac_status inputs_check_unchanged(const stream_inputs *inputs);

/* Report that bytes of a block are missing. */
sumac_status inputs_refuse_block(const stream_inputs *inputs, const record_block *block);

/* Add records [first, first + n) of a file to a checksum, through a block of reader_block_bytes(). */
sumac_status inputs_add_to_checksum(const stream_inputs *inputs, int which, uint64_t first, uint64_t n,
                                    uint8_t *block, checksum *sum);

/* Compare the checksum at the end of a table with that of its points. */
sumac_status inputs_check_table(stream_inputs *inputs, uint64_t sum);

#endif
