/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file creates bases from points in the host's memory, from points in a device's memory, or from a vector.
 * bases_shape.c decides which points are kept for the bases, bases_fill.c computes these points, and bases_read.c
 * describes, reads and frees them. None of these three files uses this one.
 */
#include "api/bases.h"

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "base/sizes.h"
#include "vector/calls.h"

/* Records in a device's memory are copied to the host in blocks of this many records. */
#define DEVICE_BLOCK ((size_t)1 << 16)

static const uint8_t *record_at(const point_source *records, uint64_t index)
{
    return (const uint8_t *)records->points + index * records->layout->stride;
}

/* ---- Import by devices from the host's memory: a segment is copied while the one before is imported ---- */

enum { SEGMENTS = 2 };

typedef struct staged_import {
    executor_list *list;
    sumac_bases *bases;
    const point_source *records;
    uint8_t *staging[MOST_DEVICES]; /* memory for segments on each device */
} staged_import;

static void release_staging(staged_import *all)
{
    for (uint32_t k = 0; k < bases_filled_shards(all->bases); k++) {
        if (all->staging[k] != NULL) {
            all->list->at[k].backend->release(all->staging[k]);
            all->staging[k] = NULL;
        }
    }
}

/* Allocate memory for segments on each device. Return whether each device has enough. */
static int allocate_staging(staged_import *all)
{
    int is_complete = 1;
    for (uint32_t k = 0; k < bases_filled_shards(all->bases) && is_complete; k++) {
        executor *self = &all->list->at[k];
        const uint64_t records = smaller(all->bases->shards[k].table.count, SEGMENTS * BASES_SEGMENT);
        executor_enter(self);
        all->staging[k] = self->backend->allocate(self->engine, records * all->records->layout->stride);
        is_complete = all->staging[k] != NULL;
    }
    executor_enter(all->list->at);
    return is_complete;
}

static uint8_t *segment_of(const staged_import *all, uint32_t k, size_t first)
{
    return all->staging[k] + first / BASES_SEGMENT % SEGMENTS * BASES_SEGMENT * all->records->layout->stride;
}

/* Begin to copy the segment that starts at record `first` of a shard. If the shard has no such record, do nothing. */
static sumac_status begin_segment(const staged_import *all, uint32_t k, size_t first)
{
    executor *self = &all->list->at[k];
    const bases_shard *shard = &all->bases->shards[k];
    const point_layout *layout = all->records->layout;
    if (first >= shard->table.count) {
        return SUMAC_OK;
    }
    const size_t n = smaller(BASES_SEGMENT, shard->table.count - first);
    return executor_done(
        self, self->backend->device->begin_upload(self->engine, segment_of(all, k, first),
                                                  record_at(all->records, shard->first + first),
                                                  bases_records_bytes(all->bases->group, layout, n)));
}

static sumac_status import_segments(const staged_import *all, uint32_t k)
{
    executor *self = &all->list->at[k];
    bases_shard *shard = &all->bases->shards[k];
    bases_drop_host_points(shard);
    TRY(begin_segment(all, k, 0));
    for (size_t first = 0; first < shard->table.count; first += BASES_SEGMENT) {
        const point_source source = {.points = segment_of(all, k, first),
                                     .first = first,
                                     .layout = all->records->layout,
                                     .check = all->records->check};
        TRY(executor_done(self, self->backend->device->end_upload(self->engine)));
        TRY(begin_segment(all, k, first + BASES_SEGMENT));
        TRY(bases_fill_until(self, all->bases, shard, smaller(first + BASES_SEGMENT, shard->table.count),
                             &source));
    }
    return SUMAC_OK;
}

static sumac_status import_shard(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const staged_import *all = arguments;
    const executor *self = &all->list->at[k];
    (void)stop;
    if (k >= bases_filled_shards(all->bases)) {
        return SUMAC_OK;
    }
    const sumac_status status = import_segments(all, k);
    (void)self->backend->device->end_upload(self->engine); /* after a failure a copy may still run */
    return status;
}

/* ---- All ways to import ---- */

/* Import the points on the context's threads, block by block. If the records are on a device, each block is first
 * copied to the host. */
static sumac_status import_by_threads(sumac_context *context, sumac_bases *bases, const point_source *records)
{
    executor *first = context_executor(context);
    const size_t stride = records->layout->stride;
    const size_t most = records->location == SUMAC_LOCATION_DEVICE ? DEVICE_BLOCK : BASES_SEGMENT;
    AUTO_FREE uint8_t *copy = NULL;
    if (records->location == SUMAC_LOCATION_DEVICE) {
        const size_t bytes = (smaller(records->n, most - 1) + 1) * stride;
        copy = malloc(bytes);
        if (copy == NULL) {
            return fail(context, SUMAC_OUT_OF_MEMORY,
                        "there is no memory of %zu bytes to copy points from the device", bytes);
        }
    }
    for (size_t done = 0, count = 0; done < records->n; done += count) {
        const uint8_t *block = record_at(records, done);
        count = smaller(most, records->n - done);
        if (copy != NULL) {
            TRY(executor_done(first, first->backend->device->download(
                                         first->engine, copy, block,
                                         bases_records_bytes(bases->group, records->layout, count))));
            block = copy;
        }
        size_t bad;
        const sumac_status imported =
            bases_import(context, bases, done, block, count, records->layout, records->check, &bad);
        if (imported != SUMAC_OK) {
            return fail(context, imported, "point %zu: %s", done + bad, sumac_status_text(imported));
        }
        TRY(bases_advance(context, bases, done + count));
        TRY(context_report(context, (double)(done + count) / (double)records->n));
    }
    return SUMAC_OK;
}

static sumac_status import_all(sumac_context *context, sumac_bases *bases, const point_source *records)
{
    executor *first = context_executor(context);
    bases_shard *shard = &bases->shards[0];
    if (records->location == SUMAC_LOCATION_DEVICE) {
        const device_ops *device = first->backend->device;
        const memory_location location =
            records->n == 0 ? MEMORY_DEVICE : device->location_of(first->engine, records->points);
        if (location != MEMORY_DEVICE && location != MEMORY_BOTH) {
            return fail(context, SUMAC_BAD_ARGUMENT, "the points do not lie on the context's device");
        }
        /* Work on the default stream may still be writing the points. */
        TRY(executor_done(first, device->follow(first->engine)));
        if (shard->table.host_resident || bases_filled_shards(bases) > 1) {
            return import_by_threads(context, bases, records);
        }
        bases_drop_host_points(shard);
        TRY(bases_fill_until(first, bases, shard, records->n, records));
        return context_report(context, 1);
    }
    CLEANUP(release_staging) staged_import staged = {&context->executors, bases, records, {NULL}};
    if (!bases_devices_import(staged.list, bases, records->n) || !allocate_staging(&staged)) {
        release_staging(&staged);
        return import_by_threads(context, bases, records);
    }
    TRY(executors_run(staged.list, import_shard, &staged));
    return context_report(context, 1);
}

static point_layout layout_of(const sumac_group *group, const sumac_bases_config *config)
{
    return (point_layout){config->form, config->stride == 0 ? group->point_bytes : config->stride,
                          config->infinity, config->infinity_offset};
}

sumac_status bases_make(sumac_context *context, const sumac_group *group, const void *points, size_t n,
                        const sumac_bases_config *config, sumac_bases **bases)
{
    const point_layout layout = layout_of(group, config);
    const point_source records = {
        .points = points, .n = n, .layout = &layout, .check = config->check, .location = config->location};
    CLEANUP(bases_end) new_bases created = {context, NULL};
    *bases = NULL;
    TRY(bases_allocate(context, group, n, config, &created.bases));
    TRY(import_all(context, created.bases, &records));
    TRY(bases_complete(context, created.bases, 0));
    *bases = created.bases;
    created.bases = NULL;
    return SUMAC_OK;
}

/* Write the points as records, in the host's or the device's memory, wherever the vector lies. Then import these
 * records. */
sumac_status bases_make_from_vector(sumac_context *context, const sumac_vector *points, size_t first,
                                    size_t n, const sumac_bases_config *given, sumac_bases **bases)
{
    executor *self = context_executor(context);
    const size_t bytes = n * points->group->point_bytes;
    sumac_bases_config config = *given;
    config.form = SUMAC_FORM_MONTGOMERY;
    config.stride = 0;
    config.infinity = SUMAC_INFINITY_ZERO;
    config.location = context_location(context);
    config.check = SUMAC_CHECK_NONE;
    void *records = self->backend->allocate(self->engine, bytes);
    if (records == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for bases", bytes);
    }
    sumac_status status = vector_lay_out(self, points, first, n, records);
    if (status == SUMAC_OK) {
        status = bases_make(context, points->group, records, n, &config, bases);
    }
    self->backend->release(records);
    return status;
}

/* Refuse memory that is too short for `count` records. If the size of the records overflows, it is SIZE_MAX; even if
 * the caller gives SIZE_MAX bytes, bases_shape() refuses the number of records or their stride. */
static sumac_status require_records(sumac_context *context, const sumac_group *group,
                                    const sumac_bases_config *config, size_t count, size_t given)
{
    const point_layout layout = layout_of(group, config);
    size_t needed = 0;
    if (count > 0 && (__builtin_mul_overflow(count - 1, layout.stride, &needed) ||
                      __builtin_add_overflow(needed, bases_records_bytes(group, &layout, 1), &needed))) {
        needed = SIZE_MAX;
    }
    return needed <= given
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH,
                      "points: there are %zu bytes, fewer than the %zu of %zu points, one every %zu bytes",
                      given, needed, count, layout.stride);
}

sumac_status sumac_bases_create(sumac_context *context, const sumac_group *group, const void *points,
                                size_t points_bytes, size_t count, const sumac_bases_config *given,
                                sumac_bases **bases)
{
    sumac_bases_config config;
    BEGIN_MAKING(context, bases);
    TRY(require(context, group != NULL && (points != NULL || count == 0), "the group and the points"));
    TRY(public_take(&public_bases_config, given, &config, context_message(context)));
    TRY(require_records(context, group, &config, count, points_bytes));
    return bases_make(context, group, points, count, &config, bases);
}
