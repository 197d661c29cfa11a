/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files that are records of one size from their first byte to their last. */
#ifndef SUMAC_IO_RECORDS_H
#define SUMAC_IO_RECORDS_H

#include "codec/format.h"
#include "io/input.h"

/* Make the size of a file of records and nothing else known, and how many there are. */
sumac_status records_count(input_file *file, const sumac_curve *curve, const point_format *format,
                           uint64_t *n);

/* Records [first, first + n) of such a file: those of a file whose size is known are there, and a pipe is
 * read up to them and no further; or all. */
sumac_status records_read_part(input_file *file, const sumac_curve *curve, const point_format *format,
                               uint64_t first, uint64_t n, const sumac_bases_config *config,
                               sumac_bases **bases);
sumac_status records_read(input_file *file, const sumac_curve *curve, const point_format *format,
                          const sumac_bases_config *config, sumac_bases **bases);
sumac_status records_write(sumac_context *context, const sumac_bases *bases, const char *path,
                           const point_format *format);

#endif
