/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read and write tables of bases with their multiples (codec/table.h). A table is a separate file, or a
 * section of another file. */
#ifndef SUMAC_IO_TABLE_H
#define SUMAC_IO_TABLE_H

#include "io/container.h"

/* Test whether a file begins like a table. The bytes can still be read afterwards. */
sumac_status input_is_table(input_file *file, int *is_table);

/* Write a file that contains only a table. */
sumac_status table_write(sumac_context *context, const sumac_bases *bases, const char *path);

/* Read bases [first, first + n) of a table's file, which must have them. If `first` is 0 and n is larger than their
 * number, read all bases. If `group` is null, use the table's group. The checksum covers all points; if only a part is
 * read, each point is checked to lie on the curve instead. The caller destroys *bases, also after a failure. */
sumac_status table_read_part(input_file *file, const sumac_group *group, uint64_t first, uint64_t n,
                             const sumac_bases_config *config, sumac_bases **bases);

/* table_add() adds a table to the sections of a file's layout. The second function writes that section. */
void table_add(container *layout, uint32_t type, const sumac_bases *bases);
sumac_status table_write_section(output_file *file, const container *layout, uint32_t type,
                                 const sumac_bases *bases);

/* Read a section that is a table. The caller destroys *bases, also after a failure. */
sumac_status table_read_section(input_file *file, const container *layout, uint32_t type,
                                const sumac_group *group, const sumac_bases_config *config,
                                sumac_bases **bases);

/* Read the header of a table of this group, whose points will be read in parts. The table begins at the file's first
 * byte, and the file's size must be known. `table` then says where the points are, and how many there are. */
sumac_status table_open_points(input_file *file, const sumac_group *group, container_section *table);

#endif
