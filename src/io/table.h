/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Table files: bases with their precomputed multiples, codec/table.h. */
#ifndef SUMAC_IO_TABLE_H
#define SUMAC_IO_TABLE_H

#include "io/input.h"
#include "io/output.h"

/* Whether a file begins as a table does; the bytes stay to be read. */
sumac_status input_is_table(input_file *file, int *is_table);

/* A file that is a table and nothing else; curve may be null: the table's own. What is read, also after a
 * failure, the caller destroys. */
sumac_status table_write(sumac_context *context, const sumac_bases *bases, const char *path);
sumac_status table_read(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                        sumac_bases **bases);

/* Before a file is read in which a table lies. The header of a pipe may promise more points than follow.
 * Pages of the host's memory that nothing is written to cost nothing, but a device's are taken at once: there
 * the file is measured first. */
sumac_status table_begin_input(input_file *file);

/* A table as the end of a file that begins with something else: written where an open file stands, and read
 * from there to the end, after table_begin_input(). What is read, also after a failure, the caller destroys.
 */
sumac_status table_write_section(output_file *file, const sumac_bases *bases);
sumac_status table_read_section(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                                sumac_bases **bases);

/* The same of a table that something follows: it ends at byte `end`. */
sumac_status table_read_inner(input_file *file, uint64_t end, const sumac_curve *curve,
                              const sumac_bases_config *config, sumac_bases **bases);

/* The end of a file again, of bases [first, first + n), which are there, or of all for a larger n with first = 0: of a part
 * nothing else is read, and as the points' checksum is of all of them, each point is checked to lie on the
 * curve. */
sumac_status table_read_part(input_file *file, const sumac_curve *curve, uint64_t first, uint64_t n,
                             const sumac_bases_config *config, sumac_bases **bases);

/* The points of a table that is read in parts. */
typedef struct table_points {
    uint64_t count;  /* bases */
    uint32_t factor; /* points of each: those of the bases themselves come first */
    int outside_subgroup;
    uint64_t offset; /* the byte at which they begin; their checksum lies behind the last one */
} table_points;

/* Read the header of a table of this curve from the beginning of a file whose size is known. */
sumac_status table_open_points(input_file *file, const sumac_curve *curve, table_points *points);

/* SUMAC_BAD_CHECKSUM, with the sentence on points in bytes first to end - 1 whose checksum is another one. */
sumac_status table_fail_points(const input_file *file, uint64_t first, uint64_t end);

#endif
