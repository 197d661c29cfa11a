/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/importer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/points.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/slices.h"
#include "io/memory.h"
#include "pipeline/parallel.h"

/* These are the sizes of blocks of raw points. A device takes ten times as long for 16 MiB as for its shortest call. */
#define BLOCK_BYTES ((uint64_t)1 << 20)
#define DECODED_BLOCK_BYTES ((uint64_t)16 << 20)

/* A block that is sent to a device is large enough to keep it busy. The slowest step is one thread's checksum of it,
 * which takes a millisecond. */
#define SENT_BLOCK_BYTES ((uint64_t)8 << 20)

/* ---- Memory ---- */

/* Return the size of a block that a device decodes. It is at least the size of a block of the host. A larger block has
 * at most `total` points. */
static uint64_t decoded_block_bytes(const sumac_group *info, uint64_t total)
{
    const uint64_t points = smaller(total, DECODED_BLOCK_BYTES / info->point_bytes);
    return points == total ? larger(BLOCK_BYTES, total * info->point_bytes) : DECODED_BLOCK_BYTES;
}

/* Return how many bytes an importer of `total` points allocates at most, whatever their encoding is. */
static uint64_t importer_bytes(const sumac_context *context, const sumac_group *group, uint64_t total)
{
    return context_executor(context)->engine == NULL
               ? POINT_IMPORTER_BYTES
               : POINT_IMPORTER_BYTES / BLOCK_BYTES * decoded_block_bytes(group, total);
}

sumac_status point_importer_begin(point_importer *importer)
{
    sumac_context *context = importer->context;
    const sumac_group *group = importer->bases->group;
    const point_format *format = importer->format;
    const size_t point_bytes = group->point_bytes;
    importer->record_bytes = format_record_bytes(format, group);
    if (importer->capacity == 0) {
        const uint64_t bytes = device_decodes(context, group, format)
                                   ? decoded_block_bytes(group, importer->total)
                                   : BLOCK_BYTES;
        importer->capacity = (size_t)(bytes / point_bytes);
    }
    const size_t capacity = importer->capacity;
    if (!importer->has_blocks && importer->pinned_blocks == NULL) {
        importer->records = memory_allocate(context, importer->path, capacity * importer->record_bytes);
        TRY(memory_got(importer->records));
    }
    if (!format->is_raw) {
        importer->raw = memory_allocate(context, importer->path, capacity * point_bytes);
        TRY(memory_got(importer->raw));
        importer->outcomes =
            memory_allocate(context, importer->path, slices_count(capacity) * sizeof *importer->outcomes);
        TRY(memory_got(importer->outcomes));
    }
    return SUMAC_OK;
}

static void release_staging(point_importer *importer)
{
    if (!importer->has_blocks && importer->staging != NULL) {
        const backend *engine = context_executor(importer->context)->backend;
        if (importer->pinned_blocks != NULL) {
            engine->device->release_pinned(importer->pinned_blocks);
        }
        engine->release(importer->staging);
    }
    importer->staging = NULL;
    importer->pinned_blocks = NULL;
}

void point_importer_end(point_importer *importer)
{
    release_staging(importer);
    if (!importer->has_blocks) {
        free(importer->records);
    }
    free(importer->raw);
    free(importer->outcomes);
    *importer = (point_importer){0};
}

/* ---- The bases ---- */

/* Allocate memory by which raw points are copied to the device. If memory is short, the host imports the points
 * instead. */
static void allocate_staging(point_importer *importer, const sumac_bases *shape)
{
    const executor *first = context_executor(importer->context);
    const size_t point_bytes = shape->group->point_bytes;
    if (!importer->format->is_raw || !bases_are_sent(importer->context, shape, importer->total)) {
        return;
    }
    const size_t capacity = (size_t)smaller(importer->total, SENT_BLOCK_BYTES / point_bytes);
    executor_enter(first);
    importer->staging = first->backend->allocate(first->engine, capacity * point_bytes);
    if (importer->staging != NULL) {
        importer->pinned_blocks =
            first->backend->device->allocate_pinned(first->engine, 2 * capacity * point_bytes);
    }
    if (importer->pinned_blocks == NULL) {
        release_staging(importer);
        return;
    }
    importer->capacity = capacity;
}

sumac_status point_importer_allocate_on_device(point_importer *importer, const sumac_bases *shape,
                                               sumac_bases **bases)
{
    sumac_context *context = importer->context;
    *bases = NULL;
    if (importer->staging != NULL && bases_are_sent(context, shape, shape->count * bases_factor(shape))) {
        const size_t affine_bytes = context_code(context, shape->group)->affine_bytes;
        const sumac_status status = bases_allocate_table(context, shape, 0, affine_bytes, bases);
        if (status != SUMAC_OUT_OF_MEMORY) {
            return status;
        }
        context_message(context)->text[0] = '\0';
    }
    if (importer->pinned_blocks != NULL) {
        importer->capacity = 0;
    }
    release_staging(importer);
    return SUMAC_OK;
}

sumac_status point_importer_begin_bases(point_importer *importer, const sumac_bases *shape,
                                        sumac_bases **bases)
{
    sumac_context *context = importer->context;
    const size_t affine_bytes = context_code(context, shape->group)->affine_bytes;
    allocate_staging(importer, shape);
    TRY(point_importer_allocate_on_device(importer, shape, bases));
    if (*bases == NULL) {
        const uint64_t bytes = shape->count * bases_factor(shape) * affine_bytes;
        TRY(memory_require(context, importer->path,
                           bytes + importer_bytes(context, shape->group, shape->count)));
        TRY(bases_allocate_table(context, shape, bases_factor(shape), affine_bytes, bases));
    }
    importer->bases = *bases;
    return point_importer_begin(importer);
}

sumac_status bases_for_points(sumac_context *context, const sumac_group *group, const char *path, uint64_t n,
                              const sumac_bases_config *config, sumac_bases **bases)
{
    uint64_t bytes;
    if (n > SIZE_MAX || __builtin_mul_overflow(n, group->point_bytes, &bytes)) {
        bytes = UINT64_MAX;
    }
    /* Check the memory first, because the message that memory is short is more useful than the message that no plan
     * supports so many points. */
    const uint64_t importer = importer_bytes(context, group, n);
    TRY(memory_require(context, path, bytes > UINT64_MAX - importer ? UINT64_MAX : bytes + importer));
    return bases_allocate(context, group, (size_t)n, config, bases);
}

/* ---- A block ---- */

int point_is_refused(sumac_status status)
{
    return status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP;
}

/* Decode the block's records to raw points, on the device or on the context's threads. */
static decode_outcome decode_block(const point_importer *importer, size_t n)
{
    sumac_context *context = importer->context;
    const sumac_group *group = importer->bases->group;
    decode_outcome outcome = {.status = SUMAC_OK};
    if (importer->format->is_raw || decode_on_device(context, group, importer->format, importer->records, n,
                                                     importer->check, 0, importer->raw, &outcome)) {
        return outcome;
    }
    const trace_sink trace = {context->config.trace, context->config.user};
    const parallel_team team = {context->threads, "decode", 0, &trace, context->pool, NULL};
    slices_job job = {.format = importer->format,
                      .info = group,
                      .convert = context_code(context, group)->convert,
                      .from = importer->records,
                      .to = importer->raw,
                      .n = n,
                      .check = importer->check,
                      .team = &team,
                      .run = parallel_for,
                      .outcomes = importer->outcomes};
    return slices_decode(&job);
}

/* Import the next n raw points. If the format sets no form, its points were decoded to the canonical form, which is 0.
 * If a point is refused, `outcome` says so, and the status is SUMAC_OK. */
static sumac_status import_points(const point_importer *importer, const uint8_t *raw, size_t n,
                                  decode_outcome *outcome)
{
    sumac_context *context = importer->context;
    const point_layout layout = {.form = importer->format->form,
                                 .stride = importer->bases->group->point_bytes};
    const sumac_check check = importer->format->encoding.x_only ? SUMAC_CHECK_NONE : importer->check;
    sumac_status status;
    size_t bad;
    if (importer->staging != NULL) {
        executor_enter(context_executor(context));
        status = bases_send(context, importer->bases, importer->staging, raw, n, &layout, check, &bad);
    } else {
        status = bases_import(context, importer->bases, (size_t)importer->done, raw, n, &layout, check, &bad);
    }
    *outcome = (decode_outcome){.status = bad < n ? status : SUMAC_OK, .bad = bad < n ? bad : 0};
    return bad < n ? SUMAC_OK : status;
}

/* Finish a block. If a record was refused, report that; otherwise report the progress. */
static sumac_status settle_block(point_importer *importer, size_t n, const decode_outcome *outcome,
                                 uint64_t location, uint64_t step)
{
    if (outcome->status != SUMAC_OK) {
        return fail(importer->context, outcome->status, "%s: the point at %s %" PRIu64 " %s", importer->path,
                    importer->unit, location + outcome->bad * step, decode_problem(outcome));
    }
    importer->done += n;
    return importer->total == 0
               ? SUMAC_OK
               : context_report(importer->context, (double)importer->done / (double)importer->total);
}

sumac_status point_importer_import(point_importer *importer, size_t n, uint64_t location, uint64_t step)
{
    decode_outcome outcome = decode_block(importer, n);
    if (outcome.status == SUMAC_OK) {
        const uint8_t *raw = importer->format->is_raw ? importer->records : importer->raw;
        TRY(import_points(importer, raw, n, &outcome));
    }
    return settle_block(importer, n, &outcome, location, step);
}

/* ---- Blocks of a file ---- */

/* Read and import one block after another. */
static sumac_status read_for_host(point_importer *importer, input_file *file, uint64_t n, checksum *sum)
{
    sumac_status refused = SUMAC_OK;
    while (n > 0) {
        const size_t count = (size_t)smaller(n, importer->capacity);
        const size_t bytes = count * importer->record_bytes;
        const uint64_t offset = file->offset;
        TRY(input_read_exactly(file, importer->records, bytes));
        if (sum != NULL) {
            checksum_add(sum, importer->records, bytes);
        }
        if (refused == SUMAC_OK) {
            refused = point_importer_import(importer, count, offset, importer->record_bytes);
        }
        if (refused != SUMAC_OK && (sum == NULL || !point_is_refused(refused))) {
            return refused;
        }
        n -= count;
    }
    return refused;
}

/* A step has these tasks: the device imports a loaded block, a thread adds this block to the checksum, and other
 * threads read the slices of the next block. */
enum { TASK_IMPORT, TASK_CHECKSUM, FIRST_SLICE };

typedef struct block_step {
    const point_importer *importer;
    checksum *sum;              /* null if there is none */
    const input_slices *loaded; /* the block that was read; if it has 0 bytes, there is none */
    input_slices *next;         /* the block that is being read */
    int is_refused;             /* an earlier point was refused, so nothing more is imported */
    sumac_status status;        /* the status of the import */
    decode_outcome outcome;
} block_step;

static void step_task(void *arguments, size_t index, uint32_t thread)
{
    block_step *step = arguments;
    const input_slices *loaded = step->loaded;
    (void)thread;
    if (index >= FIRST_SLICE) {
        input_read_slice(step->next, index - FIRST_SLICE);
    } else if (index == TASK_CHECKSUM && step->sum != NULL) {
        checksum_add(step->sum, loaded->bytes, loaded->count);
    } else if (index == TASK_IMPORT && loaded->count > 0 && !step->is_refused) {
        step->status = import_points(step->importer, loaded->bytes,
                                     loaded->count / step->importer->record_bytes, &step->outcome);
    }
}

static sumac_status read_for_device(point_importer *importer, input_file *file, uint64_t n, checksum *sum)
{
    const parallel_team team = executor_team(context_executor(importer->context), "read");
    const size_t record_bytes = importer->record_bytes;
    input_slices blocks[2] = {
        {.file = file, .bytes = importer->pinned_blocks},
        {.file = file, .bytes = importer->pinned_blocks + importer->capacity * record_bytes}};
    sumac_status refused = SUMAC_OK;
    for (uint32_t turn = 0; turn == 0 || blocks[1 - turn % 2].count > 0; turn++) {
        input_slices *next = &blocks[turn % 2], *loaded = &blocks[1 - turn % 2];
        const uint64_t points = smaller(n, importer->capacity);
        next->offset = file->offset;
        next->count = (size_t)points * record_bytes;
        n -= points;
        block_step step = {.importer = importer,
                           .sum = sum,
                           .loaded = loaded,
                           .next = next,
                           .is_refused = refused != SUMAC_OK};
        parallel_for(&team, FIRST_SLICE + input_slice_count(next), step_task, &step);
        TRY(input_finish_slices(file, next));
        if (refused == SUMAC_OK) {
            TRY(step.status);
            refused = settle_block(importer, loaded->count / record_bytes, &step.outcome, loaded->offset,
                                   record_bytes);
        }
        if (refused != SUMAC_OK && (sum == NULL || !point_is_refused(refused))) {
            return refused;
        }
    }
    return refused;
}

sumac_status point_importer_read(point_importer *importer, input_file *file, uint64_t n, checksum *sum)
{
    return importer->pinned_blocks != NULL ? read_for_device(importer, file, n, sum)
                                           : read_for_host(importer, file, n, sum);
}
