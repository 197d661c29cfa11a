/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Records of a format to bases: every file of points is read with it. The context's threads decode and import a block of
 * records at a time; a device decodes larger blocks of compressed points, and imports raw points that are sent to it as
 * they are.
 */
#ifndef SUMAC_IO_IMPORTER_H
#define SUMAC_IO_IMPORTER_H

#include "codec/checksum.h"
#include "codec/format.h"
#include "io/input.h"

/* Imports records into bases that are allocated, one block after another. */
typedef struct point_importer {
    sumac_context *context;
    sumac_bases *bases;
    const char *path;
    const char *unit;           /* in which messages say where a record is: "byte" or "line" */
    const point_format *format; /* of records */
    sumac_check check;
    uint64_t total; /* records of the whole work, for the caller's progress; 0: nothing is reported */
    int has_blocks; /* the caller sets `records`, and `staging` if the device imports, to memory of its own */
    size_t record_bytes;
    size_t capacity; /* records of a block at most; 0 before point_importer_begin(): choose */
    uint64_t done;
    uint8_t *records; /* a block's; the caller writes them and calls point_importer_import() */
    uint8_t *raw;     /* the block's points, where records are no raw points */
    decode_outcome *outcomes;
    void *staging;          /* memory of the device for a block of raw points; null: the host imports */
    uint8_t *pinned_blocks; /* two page-locked blocks, with `staging` of the importer's own */
} point_importer;

/* Bytes that one importer allocates, at most; where a device decodes, up to sixteen times as many. */
#define POINT_IMPORTER_BYTES ((uint64_t)4 << 20)

/* Allocate the buffers of an importer whose fields down to `has_blocks` are set. point_importer_end() also after a
 * failure. */
sumac_status point_importer_begin(point_importer *importer);
void point_importer_end(point_importer *importer);

/* Allocate bases of this shape, which become the importer's, and begin. The device imports the points if it can take
 * them all, raw, and has memory for them; else the host does. What is in *bases, also after a failure, the caller
 * destroys. */
sumac_status point_importer_begin_bases(point_importer *importer, const sumac_bases *shape,
                                        sumac_bases **bases);

/* Allocate bases of this shape on the device, where the importer has staging memory and the device can import the points.
 * Else *bases stays null, and the importer gives up its staging memory: the host is to import them. */
sumac_status point_importer_allocate_on_device(point_importer *importer, const sumac_bases *shape,
                                               sumac_bases **bases);

/* Import the n records in importer->records. In messages record i is at `location + i*step`, in units. */
sumac_status point_importer_import(point_importer *importer, size_t n, uint64_t location, uint64_t step);

/* Import the next n records of a file, and add them to the checksum, if there is one. With a checksum the records behind
 * a wrong one are read all the same: the checksum tells whether that one is damaged. */
sumac_status point_importer_read(point_importer *importer, input_file *file, uint64_t n, checksum *sum);

/* Returns 1 for the status of a record that is wrong. */
int point_is_refused(sumac_status status);

/* Allocate bases of n points, with the configuration's multiples, that the host imports, if there is memory for them. */
sumac_status bases_for_points(sumac_context *context, const sumac_curve *curve, const char *path, uint64_t n,
                              const sumac_bases_config *config, sumac_bases **bases);

#endif
