/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A table_slice asks an engine to fill a part of a table of bases (pipeline.h, bases_table). */
#ifndef SUMAC_PIPELINE_TABLE_SLICE_H
#define SUMAC_PIPELINE_TABLE_SLICE_H

#include "codec/point_layout.h"

/* A slice describes points [first, first + n) of the table. */
typedef struct table_slice {
    void *table;        /* factor*digits blocks of count points */
    const void *points; /* affine points in host memory; with a layout, records in the device's memory */
    const point_layout *layout;
    sumac_check check; /* the check of records */
    uint64_t count;
    uint64_t first;
    uint64_t n;
    uint32_t factor;
    uint32_t shift;
    uint32_t digits;    /* points of each multiple, a power of two: 1 or, with window tables,
                           plan.table_digits. With window tables factor is the number of windows, and shift is
                           their number of bits */
    uint32_t glv_terms; /* 2: the points lambda*P follow the points P; then factor is 1 */
} table_slice;

#endif
