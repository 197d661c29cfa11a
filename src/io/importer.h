/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Import records of a format as bases; all files of points are read this way. The context's threads decode and import
 * one block of records at a time. A device decodes larger blocks of compressed points, and imports raw points that are
 * sent to it unchanged.
 */
#ifndef SUMAC_IO_IMPORTER_H
#define SUMAC_IO_IMPORTER_H

#include "codec/checksum.h"
#include "codec/format.h"
#include "io/input.h"

/* The state of importing records into allocated bases, one block after another. */
typedef struct point_importer {
    sumac_context *context;
    sumac_bases *bases;
    const char *path;
    const char *unit;           /* unit of a record's location in messages: "byte" or "line" */
    const point_format *format; /* format of the records */
    sumac_check check;
    uint64_t total; /* all records, for the caller's progress; 0 to report nothing */
    int has_blocks; /* the caller owns `records`, and `staging` if the device imports */
    size_t record_bytes;
    size_t capacity; /* most records of a block; if 0, point_importer_begin() chooses it */
    uint64_t done;
    uint8_t *records; /* a block of records, which the caller writes before point_importer_import() */
    uint8_t *raw;     /* the block's points, unless records are raw points */
    decode_outcome *outcomes;
    void *staging;          /* device memory for a block of raw points; null if the host imports */
    uint8_t *pinned_blocks; /* two page-locked blocks, if the importer owns `staging` */
} point_importer;

/* The most bytes that one importer allocates; up to sixteen times as many if a device decodes. */
#define POINT_IMPORTER_BYTES ((uint64_t)4 << 20)

/* Allocate the buffers of an importer whose fields up to `has_blocks` are set. Call point_importer_end() also after a
 * failure. */
sumac_status point_importer_begin(point_importer *importer);
void point_importer_end(point_importer *importer);

/* Allocate bases of this shape for the importer, and begin. The device imports the points if they are raw, it can take
 * all of them, and has memory for them; otherwise the host does. The caller destroys *bases, also after a failure. */
sumac_status point_importer_begin_bases(point_importer *importer, const sumac_bases *shape,
                                        sumac_bases **bases);

/* Allocate bases of this shape on the device if the importer has staging memory and the device can import the points.
 * Otherwise *bases is null, and the importer releases its staging memory, so that the host imports. */
sumac_status point_importer_allocate_on_device(point_importer *importer, const sumac_bases *shape,
                                               sumac_bases **bases);

/* Import the n records in importer->records. Messages give record i's location as `location + i*step` units. */
sumac_status point_importer_import(point_importer *importer, size_t n, uint64_t location, uint64_t step);

/* Import the next n records of a file, and add them to the checksum unless it is null. With a checksum, the records
 * after a wrong one are read, too, because the checksum shows if that one is damaged. */
sumac_status point_importer_read(point_importer *importer, input_file *file, uint64_t n, checksum *sum);

/* Return 1 if the status means that a record is wrong. */
int point_is_refused(sumac_status status);

/* Allocate bases of n points with the configuration's multiples, which the host imports, if there is memory for
 * them. */
sumac_status bases_for_points(sumac_context *context, const sumac_group *group, const char *path, uint64_t n,
                              const sumac_bases_config *config, sumac_bases **bases);

#endif
