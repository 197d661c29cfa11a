/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Records of a format to bases, about a mebibyte at a time and on all threads of the context, or compressed
 * points in larger blocks on its device. Every file of points is read with it.
 */
#ifndef SUMAC_IO_IMPORTER_H
#define SUMAC_IO_IMPORTER_H

#include "codec/format.h"

/* Fills the table of bases that are allocated, record after record. */
typedef struct point_importer {
    sumac_context *context;
    sumac_bases *bases;
    const char *path;
    const char *unit;           /* what records are found by in messages: "byte" or "line" */
    const point_format *format; /* of records */
    sumac_check check;
    size_t record_bytes;
    size_t capacity; /* records that fit in `records`; before the beginning 0: choose */
    uint64_t total;  /* records there will be, for the caller's progress */
    uint64_t done;
    uint8_t *records; /* the caller fills this and calls point_importer_take() */
    uint8_t *raw;     /* the same memory for raw points */
    void *staging;    /* memory of the device, which imports raw points from it; null: the host does */
    decode_outcome *outcomes;
} point_importer;

/* Bytes that one importer allocates, at most; where a device decodes, up to sixteen times as many. */
#define POINT_IMPORTER_BYTES ((uint64_t)4 << 20)

/* Allocate the buffers of an importer whose fields down to `check`, and `total`, are set. */
sumac_status point_importer_begin(point_importer *importer);
void point_importer_end(point_importer *importer);

/* Import the n records in the buffer. In messages record i is at `location + i*step`, in units. */
sumac_status point_importer_take(point_importer *importer, size_t n, uint64_t location, uint64_t step);

/* What a point that is wrong comes to; and its sentence, where records are numbered likewise. */
int point_is_refused(sumac_status status);
sumac_status point_importer_refuse(const point_importer *importer, const decode_outcome *outcome,
                                   uint64_t location, uint64_t step);

/* Allocated bases of this shape, or of n points with the config's multiples, whose points the host imports, if there is
 * memory for them. */
sumac_status bases_for_file(sumac_context *context, const char *path, const sumac_bases *shape,
                            sumac_bases **bases);
sumac_status bases_for_points(sumac_context *context, const sumac_curve *curve, const char *path, uint64_t n,
                              const sumac_bases_config *config, sumac_bases **bases);

#endif
