/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The points of a table that the context's device imports and checks, from the file on: while it has one block of them,
 * the threads of the context read the next.
 */
#ifndef SUMAC_IO_DEVICE_POINTS_H
#define SUMAC_IO_DEVICE_POINTS_H

#include "codec/checksum.h"
#include "io/importer.h"
#include "io/input.h"

typedef struct device_points {
    sumac_context *context;
    point_importer *importer; /* of which the records go to the device: for device_points_read() */
    size_t capacity;          /* points of a block */
    uint8_t *blocks;          /* two of them, page-locked; null: the host imports the points */
    void *staging;            /* one, in the device's memory */
} device_points;

/* Memory for so many points in a raw form, where a device takes them for bases of this shape; else, and where memory is
 * short, they are the host's: `blocks` is null. device_points_end() in any case. */
void device_points_begin(device_points *points, sumac_context *context, const sumac_bases *shape,
                         uint64_t total);
void device_points_end(device_points *points);

/* The next n points of a file of known size, which are added to the checksum, if any. With a checksum the points behind a
 * wrong one are read all the same: it tells whether that one is damaged. */
sumac_status device_points_read(device_points *points, input_file *file, uint64_t n, checksum *sum);

#endif
