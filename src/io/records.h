/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read files of records of equal size. The records are points, possibly with other bytes before or
 * after them, or scalars. */
#ifndef SUMAC_IO_RECORDS_H
#define SUMAC_IO_RECORDS_H

#include "codec/format.h"
#include "io/input.h"

/* Determine the size of a file of this format, and find its records. */
sumac_status records_locate(input_file *file, const sumac_group *group, const point_format *format,
                            record_run *run);

/* Read records [first, first + n) of a run. If the file's size is known, it must have these records. If the file is a
 * pipe, the run begins at its first byte, and the pipe is read to the end of these records and no further. The caller
 * destroys *bases, also after a failure. */
sumac_status records_read(input_file *file, const sumac_group *group, const record_run *run, uint64_t first,
                          uint64_t n, const sumac_bases_config *config, sumac_bases **bases);
sumac_status records_write(sumac_context *context, const sumac_bases *bases, const char *path,
                           const point_format *format);

/* If a file's size is known and is not a multiple of the size of the group's raw scalars, return SUMAC_BAD_LENGTH. */
sumac_status scalars_check_size(const input_file *file, const sumac_group *group);

#endif
