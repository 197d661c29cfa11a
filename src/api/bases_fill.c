/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file fills the table of bases from records that bases.c and the readers of files provide. The context's threads
 * or the devices import and check the records and compute the multiples. If the threads do so, the points are then sent
 * to the devices.
 */
#include "api/bases_fill.h"

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "pipeline/table_slice.h"

/* A task imports this many points, or computes the multiples of this many bases. */
#define IMPORT_BLOCK ((size_t)512)

/* A task computes the window tables of this many bases. Each table has thousands of points, so many additions share an
 * inversion. */
#define DIGITS_BLOCK ((size_t)64)

/* Between two progress reports each thread computes this many tasks of multiples, in some tenths of a second. */
#define MULTIPLES_TASKS ((size_t)64)

/* Between two progress reports a device computes this many points of a window table, in some hundredths of a second. */
#define DIGITS_SEGMENT ((uint64_t)1 << 27)

/* If there are fewer records than this, they are checked on the host. The device's check would be much faster, but
 * copying the records would take longer than that saves. */
#define SENT_LEAST ((uint64_t)1 << 8)

/* ---- Import on the host ---- */

typedef struct import_work {
    const group_code *code;
    char *table;
    const uint8_t *records;
    size_t n;
    const point_layout *layout;
    sumac_check check;
    size_t first_bad; /* the lowest index of a bad record, set by note_least(); n if all are good */
} import_work;

static sumac_status import_records(const import_work *work, size_t first, size_t n, size_t *bad)
{
    return work->code->convert->import_points(work->table + first * work->code->affine_bytes,
                                              work->records + first * work->layout->stride, n, work->layout,
                                              work->check, bad);
}

static void import_task(void *arguments, size_t index, uint32_t thread)
{
    import_work *work = arguments;
    const size_t first = index * IMPORT_BLOCK;
    size_t bad = 0;
    (void)thread;
    if (import_records(work, first, smaller(IMPORT_BLOCK, work->n - first), &bad) != SUMAC_OK) {
        note_least(&work->first_bad, first + bad);
    }
}

sumac_status bases_import(sumac_context *context, sumac_bases *bases, size_t first, const void *records,
                          size_t n, const point_layout *layout, sumac_check check, size_t *bad)
{
    const group_code *code = context_code(context, bases->group);
    const parallel_team team = executor_team(context_executor(context), "import");
    *bad = n;
    for (size_t done = 0; done < n;) {
        uint32_t k;
        uint64_t local;
        const size_t run = (size_t)bases_shard_run(bases, first + done, n - done, &k, &local);
        import_work work = {
            .code = code,
            .table = (char *)bases->shards[k].points + local * code->affine_bytes,
            .records = (const uint8_t *)records + done * layout->stride,
            .n = run,
            .layout = layout,
            .check = check,
            .first_bad = run,
        };
        parallel_for(&team, ceil_divide(run, IMPORT_BLOCK), import_task, &work);
        if (work.first_bad < run) { /* import the bad record once more, without others, to get its status */
            size_t alone;
            *bad = done + work.first_bad;
            return import_records(&work, work.first_bad, 1, &alone);
        }
        done += run;
    }
    return SUMAC_OK;
}

/* ---- Tables of devices ---- */

void bases_drop_host_points(bases_shard *shard)
{
    if (shard->points != shard->table.points) {
        free(shard->points);
        shard->points = (void *)(uintptr_t)shard->table.points;
    }
}

/* Have the device fill points [sent, end) of its table. If it succeeds, *bad becomes the number of these points. If a
 * record is refused, *bad becomes the index of the first refused record, counted from `sent`, and no message is
 * stored. */
static sumac_status fill_slice(executor *self, const sumac_bases *bases, bases_shard *shard, uint64_t end,
                               const point_source *source, uint64_t *bad)
{
    const bases_table *table = &shard->table;
    const uint32_t digits = table->all_digits ? (uint32_t)1 << (bases->c - 1) : 1;
    const size_t stride =
        source->layout == NULL ? executor_code(self, bases->group)->affine_bytes : source->layout->stride;
    table_slice slice = {
        .table = (void *)(uintptr_t)table->points,
        .points = (const char *)source->points + (shard->sent - source->first) * stride,
        .layout = source->layout,
        .check = source->check,
        .count = table->count,
        .first = shard->sent,
        .n = end - shard->sent,
        .factor = table->factor / digits,
        .shift = bases->shift,
        .digits = digits,
        .glv_terms = table->glv_terms,
    };
    if (source->has_multiples) { /* each multiple is imported like a base */
        slice.count *= table->factor;
        slice.factor = slice.digits = 1;
        slice.shift = 0;
    }
    *bad = slice.n;
    const sumac_status status = self->backend->device->fill_table(self->engine, bases->group, &slice, bad);
    shard->sent = end;
    return status != SUMAC_OK && *bad < slice.n ? status : executor_done(self, status);
}

static sumac_status fill_table(executor *self, const sumac_bases *bases, bases_shard *shard, uint64_t end,
                               const point_source *source)
{
    const uint64_t first = shard->sent;
    uint64_t bad;
    const sumac_status status = fill_slice(self, bases, shard, end, source, &bad);
    return status != SUMAC_OK && bad < end - first
               ? refuse(&self->message, status, "point %zu: %s", (size_t)(shard->first + first + bad),
                        sumac_status_text(status))
               : status;
}

sumac_status bases_fill_until(executor *self, const sumac_bases *bases, bases_shard *shard, uint64_t end,
                              const point_source *source)
{
    const uint64_t count = shard->table.count;
    const uint64_t step = shard->table.all_digits ? DIGITS_SEGMENT / shard->table.factor + 1 : BASES_SEGMENT;
    while (shard->sent < end) {
        TRY(fill_table(self, bases, shard, shard->sent + smaller(step, end - shard->sent), source));
        if (shard->sent < count || shard->table.factor > 1) {
            TRY(executor_report(self, (double)shard->sent / (double)count));
        }
    }
    return SUMAC_OK;
}

sumac_status bases_advance(sumac_context *context, sumac_bases *bases, uint64_t imported)
{
    executor_list *list = &context->executors;
    for (uint32_t k = 0; k < bases_filled_shards(bases); k++) {
        executor *self = &list->at[k];
        bases_shard *shard = &bases->shards[k];
        const uint64_t end =
            imported <= shard->first ? 0 : smaller(imported - shard->first, shard->table.count);
        if (self->engine != NULL && !shard->table.host_resident && end >= shard->sent + BASES_SEGMENT) {
            const point_source source = {.points = shard->points};
            executor_enter(self);
            TRY(executors_adopt(list, k, fill_table(self, bases, shard, end, &source)));
        }
    }
    return SUMAC_OK;
}

size_t bases_records_bytes(const sumac_group *group, const point_layout *layout, size_t count)
{
    const size_t point_bytes = group->point_bytes;
    const size_t last = layout->infinity == SUMAC_INFINITY_FLAG && layout->infinity_offset >= point_bytes
                            ? layout->infinity_offset + 1
                            : point_bytes;
    return (count - 1) * layout->stride + last;
}

int bases_devices_import(const executor_list *list, const sumac_bases *bases, uint64_t points)
{
    int import = list->at->engine != NULL && points >= SENT_LEAST;
    for (uint32_t k = 0; k < bases_filled_shards(bases); k++) {
        import = import && !bases->shards[k].table.host_resident;
    }
    return import;
}

int bases_are_sent(const sumac_context *context, const sumac_bases *bases, uint64_t points)
{
    return bases_filled_shards(bases) == 1 && bases_devices_import(&context->executors, bases, points);
}

sumac_status bases_send(sumac_context *context, sumac_bases *bases, void *staging, const void *records,
                        size_t n, const point_layout *layout, sumac_check check, size_t *bad)
{
    executor *self = context_executor(context);
    bases_shard *shard = &bases->shards[0];
    const point_source source = {
        .points = staging, .first = shard->sent, .layout = layout, .check = check, .has_multiples = 1};
    uint64_t first_bad;
    *bad = n;
    bases_drop_host_points(shard);
    TRY(executor_done(self, self->backend->device->upload(self->engine, staging, records,
                                                          bases_records_bytes(bases->group, layout, n))));
    const sumac_status status = fill_slice(self, bases, shard, shard->sent + n, &source, &first_bad);
    *bad = (size_t)first_bad;
    return status;
}

/* ---- Completion: the executors complete their shards at the same time ---- */

typedef struct completion {
    executor_list *list;
    sumac_bases *bases;
    int has_multiples; /* the records included the multiples */
} completion;

typedef struct multiples_work {
    const group_code *code;
    const sumac_bases *bases;
    const bases_shard *shard;
    uint64_t block; /* the number of bases of a task */
} multiples_work;

static void multiples_task(void *arguments, size_t index, uint32_t thread)
{
    const multiples_work *work = arguments;
    void *points = work->shard->points;
    const bases_table *table = &work->shard->table;
    const uint64_t first = index * work->block;
    const uint64_t count = smaller(work->block, table->count - first);
    (void)thread;
    if (table->glv_terms > 1) {
        work->code->points->endomorphism_images(points, table->count, first, count);
    } else if (table->all_digits) {
        work->code->points->window_tables(points, table->count, table->factor, work->bases->c, first, count);
    } else {
        work->code->points->multiples(points, table->count, table->factor, work->bases->shift, first, count);
    }
}

static sumac_status complete_shard(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const completion *work = arguments;
    const sumac_bases *bases = work->bases;
    executor *self = &work->list->at[k];
    const device_ops *device = self->backend->device;
    bases_shard *shard = &work->bases->shards[k];
    const bases_table *table = &shard->table;
    (void)stop;
    if (k >= bases_filled_shards(bases)) {
        return SUMAC_OK;
    }
    if (self->engine == NULL) {
        const uint64_t block = table->all_digits ? DIGITS_BLOCK : IMPORT_BLOCK;
        const uint64_t tasks = ceil_divide(table->count, block);
        multiples_work multiples = {executor_code(self, bases->group), bases, shard, block};
        if (table->glv_terms > 1) { /* this takes so little time that no progress is reported */
            const parallel_team team = executor_team(self, "multiples");
            parallel_for(&team, tasks, multiples_task, &multiples);
            return SUMAC_OK;
        }
        return table->factor == 1 || work->has_multiples
                   ? SUMAC_OK
                   : executor_for(self, "multiples", tasks, MULTIPLES_TASKS, multiples_task, &multiples);
    }
    if (table->host_resident) {
        return SUMAC_OK;
    }
    if (!work->has_multiples || table->factor == 1) { /* points lambda*P are always computed on the device */
        const point_source source = {.points = shard->points};
        TRY(bases_fill_until(self, bases, shard, table->count, &source));
        TRY(executor_done(self, device->join(self->engine)));
    } else if (shard->sent > 0) { /* all points were sent */
        return executor_done(self, device->join(self->engine));
    } else {
        TRY(executor_done(self, device->upload(self->engine, (void *)(uintptr_t)table->points, shard->points,
                                               bases_shard_bytes(bases, k))));
    }
    bases_drop_host_points(shard);
    return SUMAC_OK;
}

/* Copy a complete table to a replica. The table, the replica or both may lie in host memory. */
static sumac_status copy_replica(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const completion *work = arguments;
    const bases_table *from = &work->bases->shards[0].table;
    bases_shard *shard = &work->bases->shards[k];
    executor *self = &work->list->at[k];
    const device_ops *device = self->backend->device;
    void *to = (void *)(uintptr_t)shard->table.points;
    (void)stop;
    if (k == 0) {
        return SUMAC_OK;
    }
    if (from->glv_terms < shard->table.glv_terms) { /* the first device had too little memory for lambda*P */
        shard->table.glv_terms = from->glv_terms;
    }
    const uint64_t bytes = bases_shard_bytes(work->bases, k);
    if (from->host_resident && shard->table.host_resident) {
        memcpy(to, from->points, (size_t)bytes);
    } else if (from->host_resident) {
        TRY(executor_done(self, device->upload(self->engine, to, from->points, bytes)));
    } else if (shard->table.host_resident) {
        TRY(executor_done(self, device->download(self->engine, to, from->points, bytes)));
    } else {
        TRY(executor_copy_across(self, to, from->points, bytes));
    }
    bases_drop_host_points(shard);
    return SUMAC_OK;
}

/* If multiples are computed, progress starts from 0 again. Otherwise the import has reported the progress 1, and later
 * reports of devices must not be lower. */
sumac_status bases_complete(sumac_context *context, sumac_bases *bases, int has_multiples)
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

void bases_abandon(sumac_context *context, sumac_bases *bases)
{
    for (uint32_t k = 0; bases != NULL && k < context->executors.count; k++) {
        const executor *self = &context->executors.at[k];
        if (self->engine != NULL) {
            self->backend->device->settle(self->engine);
        }
    }
    sumac_bases_destroy(bases);
}

void bases_end(new_bases *created)
{
    bases_abandon(created->context, created->bases);
}
