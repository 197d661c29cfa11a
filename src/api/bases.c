/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bases are made: imported and checked by the context's threads, their multiples made, sent to a device. What
 * is kept for them is decided in bases_shape.c; bases_read.c reads them.
 */
#include "api/bases.h"

#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/context.h"
#include "api/host_points.h"
#include "api/members.h"
#include "api/sizes.h"
#include "base/integers.h"
#include "cpu/parallel.h"
#include "pipeline/table_slice.h"

/* Points that a thread imports or multiplies at a time. */
#define IMPORT_BLOCK ((size_t)512)

/* The same for tables of digits, some thousand points a base; an inversion is shared by so many additions. */
#define DIGITS_BLOCK ((size_t)64)

/* Points that go to a device at a time, while the next are imported: some milliseconds of copying. */
#define BASES_SEGMENT ((size_t)1 << 20)

typedef struct import_work {
    const curve_code *code;
    char *table;
    const uint8_t *records;
    size_t n;
    const point_layout *layout;
    sumac_check check;
    size_t blocks;
    size_t first_bad; /* the least index of a bad record, n when there is none; guarded by compare and swap */
} import_work;

static void import_task(void *arguments, size_t index, uint32_t thread)
{
    import_work *work = arguments;
    const size_t first = index * IMPORT_BLOCK;
    const size_t count = work->n - first < IMPORT_BLOCK ? work->n - first : IMPORT_BLOCK;
    size_t bad = 0;
    (void)thread;
    if (work->code->convert->import_points(work->table + first * work->code->affine_bytes,
                                           work->records + first * work->layout->stride, count, work->layout,
                                           work->check, &bad) == SUMAC_OK) {
        return;
    }
    size_t known = __atomic_load_n(&work->first_bad, __ATOMIC_RELAXED);
    while (first + bad < known && !__atomic_compare_exchange_n(&work->first_bad, &known, first + bad, 0,
                                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static sumac_status fail_point(sumac_context *context, sumac_status status, size_t index)
{
    return fail(context, status, "point %zu: %s", index, sumac_status_text(status));
}

/* To one table; the message names point named + bad. */
static sumac_status import_points(sumac_context *context, sumac_bases *bases, size_t first, size_t named,
                                  const uint8_t *records, size_t n, const point_layout *layout,
                                  sumac_check check)
{
    const curve_code *code = context_code(context, bases->curve);
    const trace_sink sink = {context->config.trace, context->config.user};
    const parallel_team team = {context->threads, "import", 0, &sink, context->pool};
    import_work work = {
        .code = code,
        .table = (char *)bases_only_shard(bases)->points + first * code->affine_bytes,
        .records = records,
        .n = n,
        .layout = layout,
        .check = check,
        .first_bad = n,
    };
    parallel_for(&team, (n + IMPORT_BLOCK - 1) / IMPORT_BLOCK, import_task, &work);
    if (work.first_bad == n) {
        return SUMAC_OK;
    }
    /* Once more, alone, for what is wrong with the first of them. */
    size_t bad = 0;
    const sumac_status status =
        code->convert->import_points(work.table + work.first_bad * code->affine_bytes,
                                     work.records + work.first_bad * layout->stride, 1, layout, check, &bad);
    return fail_point(context, status, named + work.first_bad);
}

/* What the first replica has got, for the others. */
static void copy_to_replicas(const sumac_bases *bases, size_t first, size_t n, size_t affine_bytes)
{
    const char *from = bases->parts[0]->shards[0].points;
    for (uint32_t k = 1; k < bases->part_count; k++) {
        memcpy((char *)bases->parts[k]->shards[0].points + first * affine_bytes, from + first * affine_bytes,
               n * affine_bytes);
    }
}

sumac_status bases_import(sumac_context *context, sumac_bases *bases, size_t first, const void *records,
                          size_t n, const point_layout *layout, sumac_check check)
{
    if (bases->parts == NULL) {
        return import_points(context, bases, first, first, records, n, layout, check);
    }
    for (size_t done = 0; done < n;) {
        uint32_t part;
        uint64_t local;
        const size_t run = (size_t)bases_part_run(bases, first + done, n - done, &part, &local);
        const sumac_status status =
            import_points(context, bases->parts[part], (size_t)local, first + done,
                          (const uint8_t *)records + done * layout->stride, run, layout, check);
        if (status != SUMAC_OK) {
            return status;
        }
        done += run;
    }
    if (bases->replicated) {
        copy_to_replicas(bases, first, n, context_code(context, bases->curve)->affine_bytes);
    }
    return SUMAC_OK;
}

typedef struct multiples_work {
    const curve_code *code;
    sumac_bases *bases;
    uint64_t block; /* bases of a task */
} multiples_work;

static void multiples_task(void *arguments, size_t index, uint32_t thread)
{
    const multiples_work *work = arguments;
    sumac_bases *bases = work->bases;
    void *points = bases_only_shard(bases)->points;
    const bases_table *table = bases_only_table(bases);
    const uint64_t first = index * work->block;
    const uint64_t count = table->count - first < work->block ? table->count - first : work->block;
    (void)thread;
    if (table->all_digits) {
        work->code->points->window_tables(points, table->count, table->factor, bases->c, first, count);
    } else {
        work->code->points->multiples(points, table->count, table->factor, bases->shift, first, count);
    }
}

/* The device has all points, or makes them itself: give the host's copy back, if there is one. */
static void drop_host_points(bases_shard *shard)
{
    if (shard->points != shard->table.points) {
        host_points_free(shard->points);
        shard->points = (void *)(uintptr_t)shard->table.points;
    }
}

/* The table's points [sent, end) from host memory; with a layout, from records in the device's. */
static sumac_status fill_table(sumac_context *context, sumac_bases *bases, uint64_t end, const void *points,
                               const point_layout *layout, sumac_check check)
{
    const device_ops *device = context->backend->device;
    bases_shard *shard = bases_only_shard(bases);
    const uint32_t digits = shard->table.all_digits ? (uint32_t)1 << (bases->c - 1) : 1;
    const table_slice slice = {
        .table = (void *)(uintptr_t)shard->table.points,
        .points = points,
        .layout = layout,
        .check = check,
        .count = shard->table.count,
        .first = shard->sent,
        .n = end - shard->sent,
        .factor = shard->table.factor / digits,
        .shift = bases->shift,
        .digits = digits,
        .glv_terms = shard->table.glv_terms,
    };
    uint64_t bad;
    const sumac_status status = device->fill_table(context->engine, bases->curve, &slice, &bad);
    shard->sent = end;
    return status == SUMAC_OK ? status
           : bad < slice.n    ? fail_point(context, status, (size_t)(slice.first + bad))
                              : fail(context, status, "%s", device->message(context->engine));
}

static sumac_status send_points(sumac_context *context, sumac_bases *bases, uint64_t end)
{
    const bases_shard *shard = bases_only_shard(bases);
    const char *points = shard->points;
    const uint64_t first = shard->sent * context_code(context, bases->curve)->affine_bytes;
    return fill_table(context, bases, end, points + first, NULL, SUMAC_CHECK_NONE);
}

static sumac_status advance_parts(sumac_context *context, const sumac_bases *bases, uint64_t imported)
{
    sumac_status status = SUMAC_OK;
    for (uint32_t k = 0; k < bases->part_count && status == SUMAC_OK; k++) {
        sumac_context *member = context->members->at[k].context;
        const bases_shard *shard = &bases->parts[k]->shards[0];
        if (imported > shard->first) {
            HOLDS sumac_context *held = context_begin(member);
            status = held == NULL ? SUMAC_BAD_ARGUMENT
                                  : bases_advance(member, bases->parts[k],
                                                  smaller(imported - shard->first, shard->table.count));
            status = members_adopt(context, k, status);
        }
    }
    return status;
}

sumac_status bases_advance(sumac_context *context, sumac_bases *bases, uint64_t imported)
{
    if (bases->parts != NULL) {
        return context->backend->device == NULL ? SUMAC_OK : advance_parts(context, bases, imported);
    }
    const bases_shard *shard = bases_only_shard(bases);
    if (context->backend->device == NULL || shard->table.host_resident ||
        imported - shard->sent < BASES_SEGMENT) {
        return SUMAC_OK;
    }
    return send_points(context, bases, imported);
}

static sumac_status complete_on_device(sumac_context *context, sumac_bases *bases)
{
    const device_ops *device = context->backend->device;
    bases_shard *shard = bases_only_shard(bases);
    if (shard->table.host_resident) {
        return SUMAC_OK;
    }
    sumac_status status =
        shard->sent < shard->table.count ? send_points(context, bases, shard->table.count) : SUMAC_OK;
    if (status == SUMAC_OK) {
        status = device->join(context->engine);
        if (status != SUMAC_OK) {
            return fail(context, status, "%s", device->message(context->engine));
        }
        drop_host_points(shard);
    }
    return status;
}

/* The ends of all parts, at the same time. */
typedef struct parts_work {
    const sumac_context *context;
    const sumac_bases *bases;
    sumac_status (*complete)(sumac_context *context, sumac_bases *bases);
} parts_work;

static sumac_status complete_part(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const parts_work *work = arguments;
    sumac_context *member = work->context->members->at[k].context;
    (void)stop;
    HOLDS sumac_context *held = context_begin(member);
    return held == NULL ? SUMAC_BAD_ARGUMENT : work->complete(member, work->bases->parts[k]);
}

sumac_status bases_complete_table(sumac_context *context, sumac_bases *bases)
{
    if (bases->parts != NULL) {
        parts_work work = {context, bases, bases_complete_table};
        return members_run(context, complete_part, &work);
    }
    const device_ops *device = context->backend->device;
    bases_shard *shard = bases_only_shard(bases);
    if (device == NULL || shard->table.host_resident) {
        return SUMAC_OK;
    }
    if (shard->table.factor == 1) { /* nothing but points, whose images are made there */
        return complete_on_device(context, bases);
    }
    const sumac_status status = device->upload(context->engine, (void *)(uintptr_t)shard->table.points,
                                               shard->points, sumac_bases_bytes(bases));
    if (status != SUMAC_OK) {
        return fail(context, status, "%s", device->message(context->engine));
    }
    drop_host_points(shard);
    return SUMAC_OK;
}

void bases_abandon(sumac_context *context, sumac_bases *bases)
{
    for (uint32_t k = 0; bases != NULL && context->engine != NULL && k < bases->part_count; k++) {
        context->backend->device->settle(context->members->at[k].context->engine);
    }
    if (bases != NULL && context->engine != NULL) {
        context->backend->device->settle(context->engine);
    }
    sumac_bases_destroy(bases);
}

sumac_status bases_complete(sumac_context *context, sumac_bases *bases)
{
    if (bases->parts != NULL) {
        parts_work work = {context, bases, bases_complete};
        return members_run(context, complete_part, &work);
    }
    if (context->backend->device != NULL) {
        return complete_on_device(context, bases);
    }
    const bases_table *table = bases_only_table(bases);
    const trace_sink sink = {context->config.trace, context->config.user};
    const parallel_team team = {context->threads, "multiples", 0, &sink, context->pool};
    const uint64_t block = table->all_digits ? DIGITS_BLOCK : IMPORT_BLOCK;
    multiples_work work = {context_code(context, bases->curve), bases, block};
    if (table->factor > 1) {
        parallel_for(&team, (table->count + block - 1) / block, multiples_task, &work);
    }
    return SUMAC_OK;
}

/* Records that are copied from a device at a time. */
#define DEVICE_BLOCK ((size_t)1 << 16)

/* Visiting bases, whose table is the host's, and bases with parts: import the device's records block by
 * block. */
static sumac_status import_by_host(sumac_context *context, sumac_bases *bases, const void *points, size_t n,
                                   const point_layout *layout, sumac_check check)
{
    const device_ops *device = context->backend->device;
    sumac_status status = SUMAC_OK;
    const size_t block_bytes = (n < DEVICE_BLOCK ? n + 1 : DEVICE_BLOCK) * layout->stride;
    uint8_t *block = malloc(block_bytes);
    if (block == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY,
                    "there is no memory of %zu bytes to copy points from the device", block_bytes);
    }
    for (size_t first = 0; first < n && status == SUMAC_OK; first += DEVICE_BLOCK) {
        const size_t count = n - first < DEVICE_BLOCK ? n - first : DEVICE_BLOCK;
        /* Of the last record there may be no more than the point or the flag. */
        const size_t last = layout->infinity == SUMAC_INFINITY_FLAG &&
                                    layout->infinity_offset >= bases->curve->info.point_bytes
                                ? layout->infinity_offset + 1
                                : bases->curve->info.point_bytes;
        status = device->download(context->engine, block, (const uint8_t *)points + first * layout->stride,
                                  (count - 1) * layout->stride + last);
        status = status != SUMAC_OK ? fail(context, status, "%s", device->message(context->engine))
                                    : bases_import(context, bases, first, block, count, layout, check);
        if (status == SUMAC_OK && bases->parts != NULL) {
            status = bases_advance(context, bases, first + count);
        }
    }
    free(block);
    return status;
}

/* Import all records from the device's memory. */
static sumac_status import_from_device(sumac_context *context, sumac_bases *bases, const void *points,
                                       size_t n, const point_layout *layout, sumac_check check)
{
    const device_ops *device = context->backend->device;
    const memory_location location = n == 0 ? MEMORY_DEVICE : device->location_of(context->engine, points);
    if (location != MEMORY_DEVICE && location != MEMORY_BOTH) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the points do not lie on the context's device");
    }
    /* The default stream may still be bringing the points there. */
    const sumac_status status = device->follow(context->engine, NULL, NULL);
    if (status != SUMAC_OK) {
        return fail(context, status, "%s", device->message(context->engine));
    }
    if (bases_only_table(bases)->host_resident || bases->parts != NULL) {
        return import_by_host(context, bases, points, n, layout, check);
    }
    drop_host_points(bases_only_shard(bases));
    return fill_table(context, bases, n, points, layout, check);
}

/* Import all records from the host's memory, segment by segment. */
static sumac_status import_from_host(sumac_context *context, sumac_bases *bases, const void *points, size_t n,
                                     const point_layout *layout, sumac_check check)
{
    sumac_status status = SUMAC_OK;
    for (size_t first = 0; first < n && status == SUMAC_OK; first += BASES_SEGMENT) {
        const size_t count = n - first < BASES_SEGMENT ? n - first : BASES_SEGMENT;
        status = bases_import(context, bases, first, (const uint8_t *)points + first * layout->stride, count,
                              layout, check);
        status = status == SUMAC_OK ? bases_advance(context, bases, first + count) : status;
    }
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
    sumac_status status = public_take(&public_bases_config, config, &own, context->message);
    if (status != SUMAC_OK) {
        return status;
    }
    const point_layout layout = {
        own.form,
        own.stride == 0 ? curve->info.point_bytes : own.stride,
        own.infinity,
        own.infinity_offset,
    };
    status = bases_allocate(context, curve, n, &own, bases);
    if (status == SUMAC_OK) {
        status = own.location == SUMAC_LOCATION_DEVICE
                     ? import_from_device(context, *bases, points, n, &layout, own.check)
                     : import_from_host(context, *bases, points, n, &layout, own.check);
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

void sumac_bases_destroy(sumac_bases *bases)
{
    for (uint32_t k = 0; bases != NULL && k < bases->part_count; k++) {
        sumac_bases_destroy(bases->parts[k]);
    }
    if (bases != NULL && bases->parts != NULL) {
        free(bases->parts);
        free(bases);
        return;
    }
    for (uint32_t i = 0; bases != NULL && i < BASES_SHARDS; i++) {
        const bases_shard *shard = &bases->shards[i];
        if (shard->points != shard->table.points || shard->table.host_resident) {
            host_points_free(shard->points);
        }
        if (!shard->table.host_resident) {
            bases->backend->release((void *)(uintptr_t)shard->table.points);
        }
    }
    free(bases);
}
