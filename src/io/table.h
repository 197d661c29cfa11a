/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tables of bases with their multiples, codec/table.h: files of their own, and sections of other files. */
#ifndef SUMAC_IO_TABLE_H
#define SUMAC_IO_TABLE_H

#include "io/container.h"

/* Tell whether a file begins as a table does; the bytes stay to be read. */
sumac_status input_is_table(input_file *file, int *is_table);

/* Write a file that is a table and nothing else. */
sumac_status table_write(sumac_context *context, const sumac_bases *bases, const char *path);

/* Read bases [first, first + n) of such a file, which must be there, or for a larger n with first = 0 all; curve may be null: the
 * table's own. The points' checksum covers all of them: in a part of them each point is checked to lie on the curve instead. The
 * caller destroys what is read, also after a failure. */
sumac_status table_read_part(input_file *file, const sumac_curve *curve, uint64_t first, uint64_t n,
                             const sumac_bases_config *config, sumac_bases **bases);

/* Add a table to the sections of a file, and write it as one of them. */
void table_add(container *layout, uint32_t type, const sumac_bases *bases);
sumac_status table_write_section(output_file *file, const container *layout, uint32_t type,
                                 const sumac_bases *bases);

/* Read a section that is a table. The caller destroys what is read, also after a failure. */
sumac_status table_read_section(input_file *file, const container *layout, uint32_t type,
                                const sumac_curve *curve, const sumac_bases_config *config,
                                sumac_bases **bases);

/* Read the header of a table of this curve, which is read in parts, from the beginning of a file whose size is known: where its
 * points are, and how many. */
sumac_status table_open_points(input_file *file, const sumac_curve *curve, container_section *table);

#endif
