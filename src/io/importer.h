/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * An importer imports records of a format as bases. All files of points are read by it. The context's threads decode
 * and import one block of records after another. If there is a device, it decodes larger blocks of compressed points,
 * and imports raw points, which are sent to it unchanged.
 */
#ifndef SUMAC_IO_IMPORTER_H
#define SUMAC_IO_IMPORTER_H

#include "codec/checksum.h"
#include "codec/format.h"
#include "io/input.h"

/* An importer imports records into allocated bases, one block after another. This is its state. */
typedef struct point_importer {
    sumac_context *context;
    sumac_bases *bases;
    const char *path;
    const char *unit;           /* the unit in which messages give a record's location: "byte" or "line" */
    const point_format *format; /* the format of the records */
    sumac_check check;
    uint64_t total; /* the number of all records, for the caller's progress; 0: report nothing */
    int has_blocks; /* the caller owns `records` and, if the device imports, `staging` */
    size_t record_bytes;
    size_t capacity; /* the most records of a block; 0: point_importer_begin() chooses it */
    uint64_t done;
    uint8_t *records; /* a block of records, which the caller writes before point_importer_import() */
    uint8_t *raw;     /* the block's points, unless records are raw points */
    decode_outcome *outcomes;
    void *staging;          /* device memory for a block of raw points; null if the host imports */
    uint8_t *pinned_blocks; /* two page-locked blocks, if the importer owns `staging` */
} point_importer;

/* An importer allocates at most this many bytes. If a device decodes, it may allocate sixteen times as many. */
#define POINT_IMPORTER_BYTES ((uint64_t)4 << 20)

/* Allocate the buffers of an importer whose fields up to `has_blocks` are set. The caller must call
 * point_importer_end(), also after a failure. */
sumac_status point_importer_begin(point_importer *importer);
void point_importer_end(point_importer *importer);

/* Allocate bases of this shape for the importer, and begin. The device imports the points if they are raw and it has
 * memory for all of them; otherwise the host does. The caller destroys *bases, also after a failure. */
sumac_status point_importer_begin_bases(point_importer *importer, const sumac_bases *shape,
                                        sumac_bases **bases);

/* Allocate bases of this shape on the device if the importer has staging memory and the device can import the points.
 * Otherwise *bases becomes null, and the importer frees its staging memory, so that the host imports the points. */
sumac_status point_importer_allocate_on_device(point_importer *importer, const sumac_bases *shape,
                                               sumac_bases **bases);

/* Import the n records in importer->records. Messages give record i's location as `location + i*step` units. */
sumac_status point_importer_import(point_importer *importer, size_t n, uint64_t location, uint64_t step);

/* Import the next n records of a file, and add them to the checksum unless it is null. With a checksum, all records are
 * read even if one is wrong, because a wrong checksum then shows that the file is damaged. */
sumac_status point_importer_read(point_importer *importer, input_file *file, uint64_t n, checksum *sum);

/* Return 1 if the status means that a record is wrong. */
int point_is_refused(sumac_status status);

/* Allocate bases of n points with the configuration's multiples, if there is memory for them. The host will import the
 * points. */
sumac_status bases_for_points(sumac_context *context, const sumac_group *group, const char *path, uint64_t n,
                              const sumac_bases_config *config, sumac_bases **bases);

#endif
