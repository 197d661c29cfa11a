/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tables of bases with their multiples (codec/table.h), as separate files and as sections of other files. */
#ifndef SUMAC_IO_TABLE_H
#define SUMAC_IO_TABLE_H

#include "io/container.h"

/* Test if a file begins like a table. The bytes can still be read afterwards. */
sumac_status input_is_table(input_file *file, int *is_table);

/* Write a file that contains only a table. */
sumac_status table_write(sumac_context *context, const sumac_bases *bases, const char *path);

/* Read bases [first, first + n) of a table's file, which must have them; if first = 0 and n is larger, read all. If
 * group is null, the table's is used. The checksum covers all points, so in a part each point is checked to lie on the
 * curve instead. The caller destroys *bases, also after a failure. */
sumac_status table_read_part(input_file *file, const sumac_group *group, uint64_t first, uint64_t n,
                             const sumac_bases_config *config, sumac_bases **bases);

/* Add a table to the sections of a file's layout; and write that section. */
void table_add(container *layout, uint32_t type, const sumac_bases *bases);
sumac_status table_write_section(output_file *file, const container *layout, uint32_t type,
                                 const sumac_bases *bases);

/* Read a section that is a table. The caller destroys *bases, also after a failure. */
sumac_status table_read_section(input_file *file, const container *layout, uint32_t type,
                                const sumac_group *group, const sumac_bases_config *config,
                                sumac_bases **bases);

/* Read the header of a table of this group from the beginning of a file of known size, to read its points in parts.
 * `table` tells where the points are, and how many. */
sumac_status table_open_points(input_file *file, const sumac_group *group, container_section *table);

#endif
