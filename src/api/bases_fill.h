/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions choose the shape of bases and allocate their memory (bases_shape.c), and fill their tables
 * (bases_fill.c). */
#ifndef SUMAC_API_BASES_FILL_H
#define SUMAC_API_BASES_FILL_H

#include "codec/point_layout.h"
#include "executor/bases.h"
#include "executor/list.h"

/* Check a configuration, and describe bases of n points. *shape becomes complete, except for the tables. After a
 * failure *shape describes bases without multiples. It is written in any case, because compilers do not see that fail()
 * never returns SUMAC_OK. */
sumac_status bases_shape(sumac_context *context, const sumac_group *group, size_t n,
                         const sumac_bases_config *config, sumac_bases *shape);

/* Set how many points each shard of a shape keeps for a base. If `limit` is not 0, lambda*P is kept beside each base only
 * if all points take at most so many bytes. */
void bases_set_tables(sumac_bases *shape, uint32_t factor, int all_digits, size_t affine_bytes,
                      uint64_t limit);

/* Allocate bases. Their table, which has count*factor*glv_terms points, is not filled yet. If memory is short or the
 * sizes overflow, return null and store a message. */
sumac_status bases_allocate(sumac_context *context, const sumac_group *group, size_t n,
                            const sumac_bases_config *config, sumac_bases **bases);

/* Allocate bases of a known shape. For a device, `by_host` points of each base are first stored in host memory. If
 * `by_host` is 0, all points are sent to the device, and the table must fit there. */
sumac_status bases_allocate_table(sumac_context *context, const sumac_bases *shape, uint32_t by_host,
                                  size_t affine_bytes, sumac_bases **bases);

/* A device receives this many points at a time, in some milliseconds. Meanwhile the next points are imported. */
#define BASES_SEGMENT ((size_t)1 << 20)

/* A source describes points that lie in memory, one after another. */
typedef struct point_source {
    const void *points;
    uint64_t first;             /* the index, in the bases or the shard, of the first point in this memory */
    uint64_t n;                 /* read only if all points are imported */
    const point_layout *layout; /* the layout of the records; null: the points are affine points in host
                                   memory */
    sumac_check check;          /* the check that each record must pass */
    sumac_location location;    /* where the points lie; from records in its memory, a device fills its table
                                   itself */
    int has_multiples;          /* the points include the multiples, so no multiples are computed */
} point_source;

/* These are bases that are being created. At the end of a block, a variable with CLEANUP(bases_end) gives them up,
 * unless they were moved out of it. */
typedef struct new_bases {
    sumac_context *context;
    sumac_bases *bases;
} new_bases;
void bases_end(new_bases *created);

/* Wait until no device works on bases that are being created, and destroy them; null is allowed. */
void bases_abandon(sumac_context *context, sumac_bases *bases);

/* Import records [first, first + n) from host memory into allocated bases. If all records are good, *bad becomes n.
 * Otherwise it becomes the index of the first refused record, counted from `first`, and no message is stored. Readers
 * that stream a file call this block by block, so that memory never holds a second copy of the file. */
sumac_status bases_import(sumac_context *context, sumac_bases *bases, size_t first, const void *records,
                          size_t n, const point_layout *layout, sumac_check check, size_t *bad);

/* Call this after each import. If the first `imported` bases contain a segment that was not sent yet, this sends it to
 * the devices. */
sumac_status bases_advance(sumac_context *context, sumac_bases *bases, uint64_t imported);

/* Call this after the last import. It sends the remaining points to the devices. If multiples were not imported, it
 * computes them. */
sumac_status bases_complete(sumac_context *context, sumac_bases *bases, int has_multiples);

/* Return whether the device imports `points` records, which the caller then sends by bases_send(). */
int bases_are_sent(const sumac_context *context, const sumac_bases *bases, uint64_t points);

/* Send the next n records of a table, multiples included, to the device, which imports them. `staging` is memory of the
 * device for n records. If all records are good, *bad becomes n. Otherwise it becomes the index of the first refused
 * record, and no message is stored. Any thread may call this after executor_enter(), but only one thread at a time. */
sumac_status bases_send(sumac_context *context, sumac_bases *bases, void *staging, const void *records,
                        size_t n, const point_layout *layout, sumac_check check, size_t *bad);

/* Return whether the devices of the shards import `points` records. */
int bases_devices_import(const executor_list *list, const sumac_bases *bases, uint64_t points);

/* Have a device fill its shard's table up to `end`. If there is a progress function, this is done in pieces, and each
 * piece is reported. The last piece is reported only if computing multiples follows as a separate step. */
sumac_status bases_fill_until(executor *self, const sumac_bases *bases, bases_shard *shard, uint64_t end,
                              const point_source *source);

/* Free the host's copy of the points, if there is one. The device has the points or imports them. */
void bases_drop_host_points(bases_shard *shard);

/* Return how many bytes `count` records have. The padding after the last record's point or flag is not counted. */
size_t bases_records_bytes(const sumac_group *group, const point_layout *layout, size_t count);

#endif
