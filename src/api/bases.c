/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bases are made of points in the host's memory, in a device's, or of a vector. What is kept for them is decided in
 * bases_shape.c, bases_fill.c fills it, and bases_read.c reads it.
 */
#include "api/bases.h"

#include <stdlib.h>

#include "api/bases_fill.h"
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "base/sizes.h"
#include "vector/calls.h"

/* Records that are copied from a device at a time. */
#define DEVICE_BLOCK ((size_t)1 << 16)

/* Host-resident bases, and those of several shards: import the device's records block by block. */
static sumac_status import_by_host(sumac_context *context, sumac_bases *bases, const void *points, size_t n,
                                   const point_layout *layout, sumac_check check)
{
    executor *first = context_executor(context);
    sumac_status status = SUMAC_OK;
    const size_t block_bytes = (n < DEVICE_BLOCK ? n + 1 : DEVICE_BLOCK) * layout->stride;
    uint8_t *block = malloc(block_bytes);
    if (block == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY,
                    "there is no memory of %zu bytes to copy points from the device", block_bytes);
    }
    for (size_t done = 0; done < n && status == SUMAC_OK; done += DEVICE_BLOCK) {
        const size_t count = n - done < DEVICE_BLOCK ? n - done : DEVICE_BLOCK;
        status =
            executor_done(first, first->backend->device->download(
                                     first->engine, block, (const uint8_t *)points + done * layout->stride,
                                     bases_records_bytes(bases, layout, count)));
        if (status == SUMAC_OK) {
            status = bases_import(context, bases, done, block, count, layout, check);
        }
        if (status == SUMAC_OK) {
            status = bases_advance(context, bases, done + count);
        }
        if (status == SUMAC_OK) {
            status = context_report(context, (double)(done + count) / (double)n);
        }
    }
    free(block);
    return status;
}

/* Import all records from the memory of the first device. */
static sumac_status import_from_device(sumac_context *context, sumac_bases *bases, const void *points,
                                       size_t n, const point_layout *layout, sumac_check check)
{
    executor *first = context_executor(context);
    const device_ops *device = first->backend->device;
    bases_shard *shard = &bases->shards[0];
    const memory_location location = n == 0 ? MEMORY_DEVICE : device->location_of(first->engine, points);
    if (location != MEMORY_DEVICE && location != MEMORY_BOTH) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the points do not lie on the context's device");
    }
    /* The default stream may still be bringing the points there. */
    const sumac_status status = executor_done(first, device->follow(first->engine, NULL, NULL));
    if (status != SUMAC_OK) {
        return status;
    }
    if (shard->table.host_resident || bases_filled_shards(bases) > 1) {
        return import_by_host(context, bases, points, n, layout, check);
    }
    bases_drop_host_points(shard);
    const point_source source = {points, 0, layout, check};
    const sumac_status filled = bases_fill_until(first, bases, shard, n, &source);
    return filled == SUMAC_OK ? context_report(context, 1) : filled;
}

/* Segments of records on their way: one is copied while the one before is imported. */
enum { SEGMENTS = 2 };

/* Records of the host's memory that devices import, each those of its shard. */
typedef struct staged_import {
    executor_list *list;
    sumac_bases *bases;
    const uint8_t *points;
    const point_layout *layout;
    sumac_check check;
    uint8_t *staging[SUMAC_MAX_DEVICES]; /* memory of the devices for their segments */
} staged_import;

static void release_staging(const staged_import *all)
{
    for (uint32_t k = 0; k < bases_filled_shards(all->bases); k++) {
        all->list->at[k].backend->release(all->staging[k]);
    }
}

/* Whether the devices import: there are enough records, and memory for them. */
static int allocate_staging(staged_import *all, size_t n)
{
    int is_there = all->list->at->engine != NULL && n >= BASES_SENT_LEAST;
    for (uint32_t k = 0; k < bases_filled_shards(all->bases) && is_there; k++) {
        const bases_table *table = &all->bases->shards[k].table;
        executor *own = &all->list->at[k];
        executor_enter(own);
        if (!table->host_resident) {
            all->staging[k] = own->backend->allocate(
                own->engine, smaller(table->count, SEGMENTS * BASES_SEGMENT) * all->layout->stride);
        }
        is_there = all->staging[k] != NULL;
    }
    executor_enter(all->list->at);
    if (!is_there) {
        release_staging(all);
    }
    return is_there;
}

static uint8_t *segment_of(const staged_import *all, uint32_t k, size_t first)
{
    return all->staging[k] + first / BASES_SEGMENT % SEGMENTS * BASES_SEGMENT * all->layout->stride;
}

/* Begin to copy the segment of a shard from its record `first` on, if there is one. */
static sumac_status begin_segment(const staged_import *all, uint32_t k, size_t first)
{
    executor *own = &all->list->at[k];
    const bases_shard *shard = &all->bases->shards[k];
    if (first >= shard->table.count) {
        return SUMAC_OK;
    }
    const size_t n = smaller(BASES_SEGMENT, shard->table.count - first);
    return executor_done(
        own, own->backend->device->begin_upload(own->engine, segment_of(all, k, first),
                                                all->points + (shard->first + first) * all->layout->stride,
                                                bases_records_bytes(all->bases, all->layout, n)));
}

static sumac_status import_shard(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const staged_import *all = arguments;
    executor *own = &all->list->at[k];
    const device_ops *device = own->backend->device;
    (void)stop;
    if (k >= bases_filled_shards(all->bases)) {
        return SUMAC_OK;
    }
    bases_shard *shard = &all->bases->shards[k];
    bases_drop_host_points(shard);
    sumac_status status = begin_segment(all, k, 0);
    for (size_t first = 0; first < shard->table.count && status == SUMAC_OK; first += BASES_SEGMENT) {
        const point_source source = {segment_of(all, k, first), first, all->layout, all->check};
        const uint64_t end = smaller(first + BASES_SEGMENT, shard->table.count);
        status = executor_done(own, device->end_upload(own->engine));
        status = status == SUMAC_OK ? begin_segment(all, k, first + BASES_SEGMENT) : status;
        status = status == SUMAC_OK ? bases_fill_until(own, all->bases, shard, end, &source) : status;
    }
    (void)device->end_upload(own->engine); /* after a failure the next segment may be on its way */
    return status;
}

/* Import all records from the host's memory, segment by segment. */
static sumac_status import_from_host(sumac_context *context, sumac_bases *bases, const void *points, size_t n,
                                     const point_layout *layout, sumac_check check)
{
    sumac_status status = SUMAC_OK;
    staged_import staged = {context_executors(context), bases, points, layout, check, {NULL}};
    if (allocate_staging(&staged, n)) {
        status = executors_run(staged.list, import_shard, &staged);
        release_staging(&staged);
        return status == SUMAC_OK ? context_report(context, 1) : status;
    }
    for (size_t first = 0; first < n && status == SUMAC_OK; first += BASES_SEGMENT) {
        const size_t count = n - first < BASES_SEGMENT ? n - first : BASES_SEGMENT;
        status = bases_import(context, bases, first, (const uint8_t *)points + first * layout->stride, count,
                              layout, check);
        status = status == SUMAC_OK ? bases_advance(context, bases, first + count) : status;
        status = status == SUMAC_OK ? context_report(context, (double)(first + count) / (double)n) : status;
    }
    return status;
}

sumac_status bases_make(sumac_context *context, const sumac_curve *curve, const void *points, size_t n,
                        const sumac_bases_config *config, sumac_bases **bases)
{
    const point_layout layout = {
        config->form,
        config->stride == 0 ? curve->info.point_bytes : config->stride,
        config->infinity,
        config->infinity_offset,
    };
    *bases = NULL;
    sumac_status status = bases_allocate(context, curve, n, config, bases);
    if (status == SUMAC_OK) {
        status = config->location == SUMAC_LOCATION_DEVICE
                     ? import_from_device(context, *bases, points, n, &layout, config->check)
                     : import_from_host(context, *bases, points, n, &layout, config->check);
    }
    if (status == SUMAC_OK) {
        status = bases_complete(context, *bases);
    }
    if (status != SUMAC_OK) {
        bases_abandon(context, *bases);
        *bases = NULL;
    }
    return status;
}

/* By way of records where the vector lies. */
sumac_status bases_make_from_vector(sumac_context *context, const sumac_vector *points, size_t first,
                                    size_t n, const sumac_bases_config *config, sumac_bases **bases)
{
    executor *self = context_executor(context);
    const size_t bytes = n * points->curve->info.point_bytes;
    sumac_bases_config own = *config;
    own.form = SUMAC_FORM_MONTGOMERY;
    own.stride = 0;
    own.infinity = SUMAC_INFINITY_ZERO;
    own.location = sumac_context_location(context);
    own.check = SUMAC_CHECK_NONE;
    void *records = self->backend->allocate(self->engine, bytes);
    if (records == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for bases", bytes);
    }
    sumac_status status = vector_lay_out(self, points, first, n, records);
    if (status == SUMAC_OK) {
        status = bases_make(context, points->curve, records, n, &own, bases);
    }
    self->backend->release(records);
    return status;
}

sumac_status sumac_bases_create(sumac_context *context, const sumac_curve *curve, const void *points,
                                size_t n, const sumac_bases_config *config, sumac_bases **bases)
{
    sumac_bases_config own;
    if (bases != NULL) {
        *bases = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL || bases == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || (points == NULL && n != 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    curve == NULL ? "the curve" : "the points' address");
    }
    const sumac_status status =
        public_take(&public_bases_config, config, &own, &context_executor(context)->message);
    return status == SUMAC_OK ? bases_make(context, curve, points, n, &own, bases) : status;
}
