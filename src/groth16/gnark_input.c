/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/gnark_input.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "api/points.h"
#include "base/refusal.h"
#include "io/memory.h"

/* Points whose records are in memory at a time. */
enum { SLICE = 1 << 16 };

static sumac_status read_slice(input_file *file, const sumac_curve *curve, const gnark_points *points,
                               uint64_t first, size_t n, sumac_check check, uint8_t *records, uint8_t *raw)
{
    const size_t each = points->format->record_bytes(sumac_curve_describe(curve));
    sumac_status status = input_seek(file, points->offset + first * each);
    status = status == SUMAC_OK ? input_read_exactly(file, records, n * each) : status;
    if (status != SUMAC_OK) {
        return status;
    }
    status = encoded_points_decode(file->context, curve, points->format, "point", (size_t)first, records, n,
                                   check, raw);
    if (is_bad_point(status)) {
        return refuse_in(&context_executor(file->context)->message, status,
                         "%s: %s, from byte %" PRIu64 " on", file->path, points->name, points->offset);
    }
    return status;
}

sumac_status gnark_points_read(input_file *file, const sumac_curve *curve, const gnark_points *points,
                               sumac_check check, uint8_t *raw)
{
    const sumac_curve_info *info = sumac_curve_describe(curve);
    const size_t room = points->count < SLICE ? (size_t)points->count : SLICE;
    const size_t bytes = room * points->format->record_bytes(info);
    sumac_status status;
    uint8_t *records = memory_allocate(file->context, file->path, bytes, &status);
    for (uint64_t first = 0; first < points->count && status == SUMAC_OK; first += SLICE) {
        const uint64_t left = points->count - first;
        status = read_slice(file, curve, points, first, left < SLICE ? (size_t)left : SLICE, check, records,
                            raw + first * info->point_bytes);
    }
    free(records);
    return status;
}
