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
#include "api/handles.h"
#include "api/host_points.h"
#include "base/sizes.h"
#include "base/integers.h"
#include "pipeline/table_slice.h"
#include "vector/calls.h"

/* Points that a thread imports or multiplies at a time. */
#define IMPORT_BLOCK ((size_t)512)

/* The same for window tables, some thousand points a base; an inversion is shared by so many additions. */
#define DIGITS_BLOCK ((size_t)64)

/* Tasks of multiples for each thread from one report to the next: some tenths of a second. */
#define MULTIPLES_TASKS ((size_t)64)

/* Points that go to a device at a time, while the next are imported: some milliseconds of copying. */
#define BASES_SEGMENT ((size_t)1 << 20)

/* Points of a window table that a device makes from one report to the next: some hundredths of a second. */
#define DIGITS_SEGMENT ((uint64_t)1 << 27)

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

/* To one shard, from its point `first` on; the message names point named + bad. */
static sumac_status import_to_shard(sumac_context *context, const sumac_bases *bases, uint32_t k,
                                    size_t first, size_t named, const uint8_t *records, size_t n,
                                    const point_layout *layout, sumac_check check)
{
    const curve_code *code = context_code(context, bases->curve);
    const parallel_team team = executor_team(context_executor(context), "import");
    import_work work = {
        .code = code,
        .table = (char *)bases->shards[k].points + first * code->affine_bytes,
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
    return fail(context, status, "point %zu: %s", named + work.first_bad, sumac_status_text(status));
}

/* What the first replica has got, for the others. */
static void copy_to_replicas(const sumac_bases *bases, size_t first, size_t n, size_t affine_bytes)
{
    const char *from = bases->shards[0].points;
    for (uint32_t k = 1; k < bases->shard_count; k++) {
        memcpy((char *)bases->shards[k].points + first * affine_bytes, from + first * affine_bytes,
               n * affine_bytes);
    }
}

sumac_status bases_import(sumac_context *context, sumac_bases *bases, size_t first, const void *records,
                          size_t n, const point_layout *layout, sumac_check check)
{
    for (size_t done = 0; done < n;) {
        uint32_t k;
        uint64_t local;
        const size_t run = (size_t)bases_shard_run(bases, first + done, n - done, &k, &local);
        const sumac_status status =
            import_to_shard(context, bases, k, (size_t)local, first + done,
                            (const uint8_t *)records + done * layout->stride, run, layout, check);
        if (status != SUMAC_OK) {
            return status;
        }
        done += run;
    }
    if (bases->replicated && bases->shard_count > 1) {
        copy_to_replicas(bases, first, n, context_code(context, bases->curve)->affine_bytes);
    }
    return SUMAC_OK;
}

typedef struct multiples_work {
    const curve_code *code;
    const sumac_bases *bases;
    const bases_shard *shard;
    uint64_t block; /* bases of a task */
} multiples_work;

static void multiples_task(void *arguments, size_t index, uint32_t thread)
{
    const multiples_work *work = arguments;
    void *points = work->shard->points;
    const bases_table *table = &work->shard->table;
    const uint64_t first = index * work->block;
    const uint64_t count = table->count - first < work->block ? table->count - first : work->block;
    (void)thread;
    if (table->all_digits) {
        work->code->points->window_tables(points, table->count, table->factor, work->bases->c, first, count);
    } else {
        work->code->points->multiples(points, table->count, table->factor, work->bases->shift, first, count);
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

/* Where a shard's points come from: points in host memory or, with a layout, records in the device's. */
typedef struct point_source {
    const void *points;
    uint64_t first; /* the number of the first one there */
    const point_layout *layout;
    sumac_check check;
} point_source;

/* A shard's points [sent, end). */
static sumac_status fill_table(executor *own, const sumac_bases *bases, bases_shard *shard, uint64_t end,
                               const point_source *source)
{
    const uint32_t digits = shard->table.all_digits ? (uint32_t)1 << (bases->c - 1) : 1;
    const size_t stride =
        source->layout == NULL ? executor_code(own, bases->curve)->affine_bytes : source->layout->stride;
    const table_slice slice = {
        .table = (void *)(uintptr_t)shard->table.points,
        .points = (const char *)source->points + (shard->sent - source->first) * stride,
        .layout = source->layout,
        .check = source->check,
        .count = shard->table.count,
        .first = shard->sent,
        .n = end - shard->sent,
        .factor = shard->table.factor / digits,
        .shift = bases->shift,
        .digits = digits,
        .glv_terms = shard->table.glv_terms,
    };
    uint64_t bad;
    const sumac_status status = own->backend->device->fill_table(own->engine, bases->curve, &slice, &bad);
    shard->sent = end;
    return status != SUMAC_OK && bad < slice.n
               ? executor_fail(own, status, "point %zu: %s", (size_t)(slice.first + bad),
                               sumac_status_text(status))
               : executor_done(own, status);
}

/* The same, where somebody asks piece by piece. The last piece of a shard is told of where there are multiples: they are
 * a step of their own. */
static sumac_status fill_until(executor *own, const sumac_bases *bases, bases_shard *shard, uint64_t end,
                               const point_source *source)
{
    const uint64_t count = shard->table.count;
    const uint64_t step = own->means.progress == NULL ? count
                          : shard->table.all_digits   ? DIGITS_SEGMENT / shard->table.factor + 1
                                                      : BASES_SEGMENT;
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && shard->sent < end) {
        status = fill_table(own, bases, shard, shard->sent + smaller(step, end - shard->sent), source);
        if (status == SUMAC_OK && (shard->sent < count || shard->table.factor > 1)) {
            status = executor_report(own, (double)shard->sent / (double)count);
        }
    }
    return status;
}

sumac_status bases_advance_shard(sumac_context *context, sumac_bases *bases, uint32_t k, uint64_t imported)
{
    executor *own = &context->executors.at[k];
    bases_shard *shard = &bases->shards[k];
    if (own->engine == NULL || shard->table.host_resident || imported - shard->sent < BASES_SEGMENT) {
        return SUMAC_OK;
    }
    const point_source source = {.points = shard->points};
    executor_enter(own);
    return executors_adopt(&context->executors, k, fill_table(own, bases, shard, imported, &source));
}

sumac_status bases_advance(sumac_context *context, sumac_bases *bases, uint64_t imported)
{
    sumac_status status = SUMAC_OK;
    for (uint32_t k = 0; k < bases->shard_count && status == SUMAC_OK; k++) {
        const bases_shard *shard = &bases->shards[k];
        if (imported > shard->first) {
            status =
                bases_advance_shard(context, bases, k, smaller(imported - shard->first, shard->table.count));
        }
    }
    return status;
}

/* The shards are completed by those who have them, at the same time. */
typedef struct completion {
    executor_list *list;
    sumac_bases *bases;
    int has_multiples; /* they have been imported, too */
} completion;

static sumac_status complete_on_device(executor *own, const sumac_bases *bases, bases_shard *shard)
{
    const device_ops *device = own->backend->device;
    const point_source source = {.points = shard->points};
    sumac_status status = fill_until(own, bases, shard, shard->table.count, &source);
    if (status == SUMAC_OK) {
        status = executor_done(own, device->join(own->engine));
    }
    if (status == SUMAC_OK) {
        drop_host_points(shard);
    }
    return status;
}

static sumac_status make_multiples(executor *own, const sumac_bases *bases, const bases_shard *shard)
{
    const uint64_t block = shard->table.all_digits ? DIGITS_BLOCK : IMPORT_BLOCK;
    const uint64_t tasks = shard->table.factor > 1 ? ceil_divide(shard->table.count, block) : 0;
    multiples_work work = {executor_code(own, bases->curve), bases, shard, block};
    return executor_for(own, "multiples", tasks, MULTIPLES_TASKS, multiples_task, &work);
}

static sumac_status complete_shard(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const completion *work = arguments;
    executor *own = &work->list->at[k];
    bases_shard *shard = &work->bases->shards[k];
    (void)stop;
    if (own->engine == NULL && !work->has_multiples) {
        return make_multiples(own, work->bases, shard);
    }
    if (own->engine == NULL || shard->table.host_resident) {
        return SUMAC_OK;
    }
    /* Of nothing but points lambda*P is made there. */
    if (!work->has_multiples || shard->table.factor == 1) {
        return complete_on_device(own, work->bases, shard);
    }
    if (shard->sent > 0) { /* all of them */
        return executor_done(own, own->backend->device->join(own->engine));
    }
    const sumac_status status =
        own->backend->device->upload(own->engine, (void *)(uintptr_t)shard->table.points, shard->points,
                                     bases_shard_bytes(work->bases, k));
    if (status == SUMAC_OK) {
        drop_host_points(shard);
    }
    return executor_done(own, status);
}

/* Multiples count from 0 again. Else all bases have been told of, and what devices still ask does not go back. */
static sumac_status complete(sumac_context *context, sumac_bases *bases, int has_multiples)
{
    completion work = {&context->executors, bases, has_multiples};
    const double start = context->progress_start, share = context->progress_share;
    if (has_multiples || bases_factor(bases) == 1) {
        context_progress_part(context, start + share, 0);
    }
    const sumac_status status = executors_run(work.list, complete_shard, &work);
    context_progress_part(context, start, share);
    return status;
}

sumac_status bases_complete(sumac_context *context, sumac_bases *bases)
{
    return complete(context, bases, 0);
}

sumac_status bases_complete_table(sumac_context *context, sumac_bases *bases)
{
    return complete(context, bases, 1);
}

void bases_abandon(sumac_context *context, sumac_bases *bases)
{
    for (uint32_t k = 0; bases != NULL && k < context->executors.count; k++) {
        const executor *own = &context->executors.at[k];
        if (own->engine != NULL) {
            own->backend->device->settle(own->engine);
        }
    }
    sumac_bases_destroy(bases);
}

/* Of the last record there may be no more than the point or the flag. */
static size_t records_bytes(const sumac_bases *bases, const point_layout *layout, size_t count)
{
    const size_t point_bytes = bases->curve->info.point_bytes;
    const size_t last = layout->infinity == SUMAC_INFINITY_FLAG && layout->infinity_offset >= point_bytes
                            ? layout->infinity_offset + 1
                            : point_bytes;
    return (count - 1) * layout->stride + last;
}

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
                                     records_bytes(bases, layout, count)));
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
    if (shard->table.host_resident || bases->shard_count > 1) {
        return import_by_host(context, bases, points, n, layout, check);
    }
    drop_host_points(shard);
    const point_source source = {points, 0, layout, check};
    const sumac_status filled = fill_until(first, bases, shard, n, &source);
    return filled == SUMAC_OK ? context_report(context, 1) : filled;
}

/* Records that are worth a visit to the device, where they are checked much faster, and how many go there at a time. */
#define STAGED_LEAST ((size_t)1 << 8)
#define STAGED_BLOCK BASES_SEGMENT

int bases_are_sent(const sumac_context *context, const sumac_bases *bases, uint64_t points)
{
    return context_executor(context)->engine != NULL && bases->shard_count == 1 &&
           !bases->shards[0].table.host_resident && points >= STAGED_LEAST;
}

/* Memory of the device for records on their way; null: they are imported here. */
static void *allocate_staging(const sumac_context *context, const sumac_bases *bases, size_t n, size_t stride)
{
    executor *own = context_executor(context);
    if (!bases_are_sent(context, bases, n)) {
        return NULL;
    }
    executor_enter(own);
    return own->backend->allocate(own->engine, smaller(n, STAGED_BLOCK) * stride);
}

sumac_status bases_send(sumac_context *context, sumac_bases *bases, void *staging, const void *records,
                        size_t n, const point_layout *layout, sumac_check check, size_t *bad)
{
    executor *own = context_executor(context);
    const device_ops *device = own->backend->device;
    bases_shard *shard = &bases->shards[0];
    /* Of one point each: the multiples are points like others. */
    const table_slice slice = {
        .table = (void *)(uintptr_t)shard->table.points,
        .points = staging,
        .layout = layout,
        .check = check,
        .count = shard->table.count * shard->table.factor,
        .first = shard->sent,
        .n = n,
        .factor = 1,
        .digits = 1,
        .glv_terms = shard->table.glv_terms,
    };
    uint64_t first_bad = n;
    drop_host_points(shard);
    sumac_status status = device->upload(own->engine, staging, records, records_bytes(bases, layout, n));
    if (status == SUMAC_OK) {
        status = device->fill_table(own->engine, bases->curve, &slice, &first_bad);
    }
    shard->sent += n;
    *bad = (size_t)first_bad;
    return first_bad < n ? status : executor_done(own, status);
}

/* Records of the host's memory that the device imports, block by block. */
static sumac_status import_staged(sumac_context *context, sumac_bases *bases, void *staging,
                                  const void *points, size_t n, const point_layout *layout, sumac_check check)
{
    executor *own = context_executor(context);
    const device_ops *device = own->backend->device;
    bases_shard *shard = &bases->shards[0];
    sumac_status status = SUMAC_OK;
    drop_host_points(shard);
    for (size_t first = 0; first < n && status == SUMAC_OK; first += STAGED_BLOCK) {
        const size_t count = n - first < STAGED_BLOCK ? n - first : STAGED_BLOCK;
        const point_source source = {staging, first, layout, check};
        const void *records = (const uint8_t *)points + first * layout->stride;
        status = executor_done(
            own, device->upload(own->engine, staging, records, records_bytes(bases, layout, count)));
        status = status == SUMAC_OK ? fill_until(own, bases, shard, first + count, &source) : status;
    }
    own->backend->release(staging);
    return status == SUMAC_OK ? context_report(context, 1) : status;
}

/* Import all records from the host's memory, segment by segment. */
static sumac_status import_from_host(sumac_context *context, sumac_bases *bases, const void *points, size_t n,
                                     const point_layout *layout, sumac_check check)
{
    sumac_status status = SUMAC_OK;
    void *staging = allocate_staging(context, bases, n, layout->stride);
    if (staging != NULL) {
        return import_staged(context, bases, staging, points, n, layout, check);
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
        public_take(&public_bases_config, config, &own, context_executor(context)->message);
    return status == SUMAC_OK ? bases_make(context, curve, points, n, &own, bases) : status;
}
