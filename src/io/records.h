/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files of equal-sized records: points, possibly with other bytes before or after them, and scalars. */
#ifndef SUMAC_IO_RECORDS_H
#define SUMAC_IO_RECORDS_H

#include "codec/format.h"
#include "io/input.h"

/* Determine the size of a file of this format, and find its records. */
sumac_status records_locate(input_file *file, const sumac_group *group, const point_format *format,
                            record_run *run);

/* Read records [first, first + n) of a run. A file of known size must have them; a pipe, whose run begins at its first
 * byte, is read up to their end and no further. The caller destroys *bases, also after a failure. */
sumac_status records_read(input_file *file, const sumac_group *group, const record_run *run, uint64_t first,
                          uint64_t n, const sumac_bases_config *config, sumac_bases **bases);
sumac_status records_write(sumac_context *context, const sumac_bases *bases, const char *path,
                           const point_format *format);

/* Return SUMAC_BAD_LENGTH for a file of known size that is not a whole number of the group's raw scalars. */
sumac_status scalars_check_size(const input_file *file, const sumac_group *group);

#endif
