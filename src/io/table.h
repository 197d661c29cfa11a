/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Table files: bases with their precomputed multiples. docs/formats.md has the bytes. */
#ifndef SUMAC_IO_TABLE_H
#define SUMAC_IO_TABLE_H

#include "io/input.h"
#include "io/output.h"

/* Whether a file begins as a table does; the bytes stay to be read. */
sumac_status input_is_table(input_file *file, int *is_table);

/* A table as the end of a file that begins with something else: written where an open file stands, and read
 * from there to the end. On a device the size of the file is known (input_measure()). What is read, also
 * after a failure, the caller destroys. */
sumac_status table_write_section(output_file *file, const sumac_bases *bases);
sumac_status table_read_section(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                                sumac_bases **bases);

#endif
