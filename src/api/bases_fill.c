/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The table of bases is filled: records are imported and checked by the context's threads or the device, multiples made,
 * points sent to the device. Where the records come from is for bases.c and for the readers of files.
 */
#include "api/bases_fill.h"

#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/least.h"
#include "pipeline/table_slice.h"

/* Points that a thread imports or multiplies at a time. */
#define IMPORT_BLOCK ((size_t)512)

/* The same for window tables, some thousand points a base; an inversion is shared by so many additions. */
#define DIGITS_BLOCK ((size_t)64)

/* Tasks of multiples for each thread from one report to the next: some tenths of a second. */
#define MULTIPLES_TASKS ((size_t)64)

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
    size_t first_bad; /* the least index of a bad record, n when there is none: by note_least() */
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
    note_least(&work->first_bad, first + bad);
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

void bases_drop_host_points(bases_shard *shard)
{
    if (shard->points != shard->table.points) {
        host_points_free(shard->points);
        shard->points = (void *)(uintptr_t)shard->table.points;
    }
}

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
               ? refuse(&own->message, status, "point %zu: %s", (size_t)(shard->first + slice.first + bad),
                        sumac_status_text(status))
               : executor_done(own, status);
}

sumac_status bases_fill_until(executor *own, const sumac_bases *bases, bases_shard *shard, uint64_t end,
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
    for (uint32_t k = 0; k < bases_filled_shards(bases) && status == SUMAC_OK; k++) {
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
    sumac_status status = bases_fill_until(own, bases, shard, shard->table.count, &source);
    if (status == SUMAC_OK) {
        status = executor_done(own, device->join(own->engine));
    }
    if (status == SUMAC_OK) {
        bases_drop_host_points(shard);
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
    if (k >= bases_filled_shards(work->bases)) {
        return SUMAC_OK;
    }
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
        bases_drop_host_points(shard);
    }
    return executor_done(own, status);
}

/* A replica of a table that is complete. Either may have stayed on the host. */
static sumac_status copy_replica(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const completion *work = arguments;
    const bases_table *from = &work->bases->shards[0].table;
    bases_shard *shard = &work->bases->shards[k];
    executor *own = &work->list->at[k];
    const device_ops *device = own->backend->device;
    void *to = (void *)(uintptr_t)shard->table.points;
    sumac_status status = SUMAC_OK;
    (void)stop;
    if (k == 0) {
        return SUMAC_OK;
    }
    if (from->glv_terms < shard->table.glv_terms) { /* for want of memory there */
        shard->table.glv_terms = from->glv_terms;
    }
    const uint64_t bytes = bases_shard_bytes(work->bases, k);
    if (from->host_resident && shard->table.host_resident) {
        memcpy(to, from->points, (size_t)bytes);
    } else if (from->host_resident) {
        status = executor_done(own, device->upload(own->engine, to, from->points, bytes));
    } else if (shard->table.host_resident) {
        status = executor_done(own, device->download(own->engine, to, from->points, bytes));
    } else {
        status = executor_copy_across(own, to, from->points, bytes);
    }
    if (status == SUMAC_OK) {
        bases_drop_host_points(shard);
    }
    return status;
}

/* Multiples count from 0 again. Else all bases have been told of, and what devices still ask does not go back. */
static sumac_status complete(sumac_context *context, sumac_bases *bases, int has_multiples)
{
    completion work = {&context->executors, bases, has_multiples};
    const double start = context->progress_start, share = context->progress_share;
    if (has_multiples || bases_factor(bases) == 1) {
        context_progress_part(context, start + share, 0);
    }
    sumac_status status = executors_run(work.list, complete_shard, &work);
    if (status == SUMAC_OK && bases_filled_shards(bases) < bases->shard_count) {
        status = executors_run(work.list, copy_replica, &work);
    }
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

size_t bases_records_bytes(const sumac_bases *bases, const point_layout *layout, size_t count)
{
    const size_t point_bytes = bases->curve->info.point_bytes;
    const size_t last = layout->infinity == SUMAC_INFINITY_FLAG && layout->infinity_offset >= point_bytes
                            ? layout->infinity_offset + 1
                            : point_bytes;
    return (count - 1) * layout->stride + last;
}

int bases_are_sent(const sumac_context *context, const sumac_bases *bases, uint64_t points)
{
    return context_executor(context)->engine != NULL && bases_filled_shards(bases) == 1 &&
           !bases->shards[0].table.host_resident && points >= BASES_SENT_LEAST;
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
    bases_drop_host_points(shard);
    sumac_status status =
        device->upload(own->engine, staging, records, bases_records_bytes(bases, layout, n));
    if (status == SUMAC_OK) {
        status = device->fill_table(own->engine, bases->curve, &slice, &first_bad);
    }
    shard->sent += n;
    *bad = (size_t)first_bad;
    return first_bad < n ? status : executor_done(own, status);
}
