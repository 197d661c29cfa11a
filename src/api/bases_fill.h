/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Filling the table of bases that are allocated. */
#ifndef SUMAC_API_BASES_FILL_H
#define SUMAC_API_BASES_FILL_H

#include "codec/point_layout.h"
#include "executor/bases.h"
#include "executor/executor.h"

/* Points that go to a device at a time, while the next are imported: some milliseconds of copying. */
#define BASES_SEGMENT ((size_t)1 << 20)

/* So many records are worth a way to the device, where they are checked much faster. */
#define BASES_SENT_LEAST ((size_t)1 << 8)

/* Import records [first, first + n) into allocated bases; the message names point `first + bad`. For readers
 * that stream: no second copy of the file is ever held. */
sumac_status bases_import(sumac_context *context, sumac_bases *bases, size_t first, const void *records,
                          size_t n, const point_layout *layout, sumac_check check);

/* While more is imported: what a device can begin with when the first `imported` points are there. */
sumac_status bases_advance(sumac_context *context, sumac_bases *bases, uint64_t imported);

/* The same when the first `imported` of one shard are there. */
sumac_status bases_advance_shard(sumac_context *context, sumac_bases *bases, uint32_t k, uint64_t imported);

/* After the last import: upload to a device; compute the multiples. */
sumac_status bases_complete(sumac_context *context, sumac_bases *bases);

/* The same where the multiples have been imported, too. */
sumac_status bases_complete_table(sumac_context *context, sumac_bases *bases);

/* Give up bases that are being made. */
void bases_abandon(sumac_context *context, sumac_bases *bases);

/* The points of a table, its multiples among them, as records that the device imports: whether it takes so many, and the
 * next n of them, by way of `staging`, which is memory of the device for them. *bad is n; but where a record is refused
 * the index of the first one. On any thread, one at a time, for which executor_enter() was called. */
int bases_are_sent(const sumac_context *context, const sumac_bases *bases, uint64_t points);
sumac_status bases_send(sumac_context *context, sumac_bases *bases, void *staging, const void *records,
                        size_t n, const point_layout *layout, sumac_check check, size_t *bad);

/* Where a shard's points come from: points in host memory or, with a layout, records in the device's. */
typedef struct point_source {
    const void *points;
    uint64_t first; /* the number of the first one there */
    const point_layout *layout;
    sumac_check check;
} point_source;

/* A shard's points up to `end`, piece by piece where somebody asks. The last piece of a shard is told of where there are
 * multiples: they are a step of their own. */
sumac_status bases_fill_until(executor *own, const sumac_bases *bases, bases_shard *shard, uint64_t end,
                              const point_source *source);

/* The device has all points, or makes them itself: give the host's copy back, if there is one. */
void bases_drop_host_points(bases_shard *shard);

/* Bytes of so many records: of the last one there may be no more than the point or the flag. */
size_t bases_records_bytes(const sumac_bases *bases, const point_layout *layout, size_t count);

#endif
