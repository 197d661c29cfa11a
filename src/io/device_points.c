/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/device_points.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "pipeline/parallel.h"

/* A block is as much as keeps a device busy; one thread's checksum of it is what takes longest, a millisecond. */
#define BLOCK_BYTES ((uint64_t)8 << 20)

/* What a thread reads at a time. */
#define SLICE_BYTES ((uint64_t)1 << 20)

void device_points_begin(device_points *points, sumac_context *context, const sumac_bases *shape,
                         uint64_t total)
{
    const executor *own = context_executor(context);
    const uint32_t point_bytes = shape->curve->info.point_bytes;
    *points = (device_points){.context = context};
    if (!bases_are_sent(context, shape, total)) {
        return;
    }
    points->capacity = (size_t)smaller(total, BLOCK_BYTES / point_bytes);
    const uint64_t bytes = (uint64_t)points->capacity * point_bytes;
    executor_enter(own);
    points->staging = own->backend->allocate(own->engine, bytes);
    points->blocks =
        points->staging == NULL ? NULL : own->backend->device->allocate_pinned(own->engine, 2 * bytes);
}

void device_points_end(device_points *points)
{
    const backend *own = context_executor(points->context)->backend;
    if (points->blocks != NULL) {
        own->device->release_pinned(points->blocks);
    }
    if (points->staging != NULL) {
        own->release(points->staging);
    }
    points->blocks = NULL;
    points->staging = NULL;
}

typedef struct points_block {
    uint8_t *bytes;
    uint64_t offset; /* in the file */
    size_t n;
} points_block;

/* What is done at the same time: a block that was read is imported, and added to the checksum, while the next is read. */
enum { TASK_IMPORT, TASK_CHECKSUM, FIRST_SLICE };

typedef struct points_step {
    const device_points *points;
    const input_file *file;
    checksum *sum;             /* null: none */
    const points_block *there; /* of no points: none */
    const points_block *next;  /* likewise */
    int is_refused;            /* a point before the block that is there */
    decode_outcome outcome;    /* of the import */
    _Atomic int is_unread;     /* something of the next block */
} points_step;

static size_t block_bytes(const points_step *step, const points_block *block)
{
    return block->n * step->points->importer->bases->curve->info.point_bytes;
}

static void import_block(points_step *step)
{
    const point_importer *importer = step->points->importer;
    const point_layout layout = {.form = importer->format->form,
                                 .stride = importer->bases->curve->info.point_bytes};
    executor_enter(context_executor(importer->context));
    step->outcome.status =
        bases_send(importer->context, importer->bases, step->points->staging, step->there->bytes,
                   step->there->n, &layout, importer->check, &step->outcome.bad);
}

static void read_slice(points_step *step, uint64_t first)
{
    const uint64_t count = smaller(SLICE_BYTES, block_bytes(step, step->next) - first);
    int error;
    if (input_read_at(step->file, step->next->offset + first, step->next->bytes + first, (size_t)count,
                      &error) > 0) {
        atomic_store_explicit(&step->is_unread, 1, memory_order_relaxed);
    }
}

static void step_task(void *arguments, size_t index, uint32_t thread)
{
    points_step *step = arguments;
    (void)thread;
    if (index >= FIRST_SLICE) {
        read_slice(step, (index - FIRST_SLICE) * SLICE_BYTES);
    } else if (index == TASK_CHECKSUM && step->sum != NULL) {
        checksum_add(step->sum, step->there->bytes, block_bytes(step, step->there));
    } else if (index == TASK_IMPORT && step->there->n > 0 && !step->is_refused) {
        import_block(step);
    }
}

/* After the step: that the next block is there. What could not be read by slices is read once more, for the sentence. */
static sumac_status settle_read(input_file *file, const points_step *step)
{
    const points_block *next = step->next;
    const size_t bytes = block_bytes(step, next);
    if (!step->is_unread) {
        return input_seek(file, next->offset + bytes);
    }
    const sumac_status status = input_seek(file, next->offset);
    return status == SUMAC_OK ? input_read_exactly(file, next->bytes, bytes) : status;
}

/* And the verdict on the block that was. */
static sumac_status settle_import(const points_step *step)
{
    point_importer *importer = step->points->importer;
    const decode_outcome *outcome = &step->outcome;
    if (outcome->status == SUMAC_OK) {
        importer->done += step->there->n;
        return context_report(importer->context, (double)importer->done / (double)importer->total);
    }
    return outcome->bad == step->there->n ? outcome->status
                                          : point_importer_refuse(importer, outcome, step->there->offset,
                                                                  importer->bases->curve->info.point_bytes);
}

sumac_status device_points_read(device_points *points, input_file *file, uint64_t n, checksum *sum)
{
    const point_importer *importer = points->importer;
    const parallel_team team = executor_team(context_executor(importer->context), "read");
    const size_t point_bytes = importer->bases->curve->info.point_bytes;
    points_block blocks[2] = {{points->blocks, 0, 0},
                              {points->blocks + points->capacity * point_bytes, 0, 0}};
    sumac_status refused = SUMAC_OK, status = SUMAC_OK;
    for (uint32_t turn = 0; status == SUMAC_OK && (turn == 0 || blocks[1 - turn % 2].n > 0); turn++) {
        points_block *next = &blocks[turn % 2], *there = &blocks[1 - turn % 2];
        next->offset = file->offset;
        next->n = (size_t)smaller(n, points->capacity);
        n -= next->n;
        points_step step = {points, file, sum, there, next, refused != SUMAC_OK, {.status = SUMAC_OK}, 0};
        const size_t slices = ceil_divide(block_bytes(&step, next), SLICE_BYTES);
        parallel_for(&team, FIRST_SLICE + slices, step_task, &step);
        status = settle_read(file, &step);
        const sumac_status taken = status == SUMAC_OK && !step.is_refused ? settle_import(&step) : SUMAC_OK;
        if (sum != NULL && point_is_refused(taken)) {
            refused = taken;
        } else {
            status = status == SUMAC_OK ? taken : status;
        }
    }
    return status == SUMAC_OK ? refused : status;
}
