/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/importer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/bases_fill.h"
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/device_decode.h"
#include "api/handles.h"
#include "codec/slices.h"
#include "io/memory.h"
#include "pipeline/parallel.h"

/* Of raw points. A device decodes 16 MiB in ten times the time of its shortest call. */
#define BLOCK_BYTES ((uint64_t)1 << 20)
#define DEVICE_BLOCK_BYTES ((uint64_t)16 << 20)

/* Of `total` points that a device decodes: no more than there are, but for a block of the host's. */
static uint64_t device_block_bytes(const sumac_curve_info *info, uint64_t total)
{
    const uint64_t most =
        total < DEVICE_BLOCK_BYTES / info->point_bytes ? total * info->point_bytes : DEVICE_BLOCK_BYTES;
    return most < BLOCK_BYTES ? BLOCK_BYTES : most;
}

/* What the importer of so many points allocates at most, whatever their encoding. */
static uint64_t importer_bytes(const sumac_context *context, const sumac_curve *curve, uint64_t total)
{
    return context_executor(context)->engine == NULL
               ? POINT_IMPORTER_BYTES
               : POINT_IMPORTER_BYTES / BLOCK_BYTES * device_block_bytes(&curve->info, total);
}

sumac_status point_importer_begin(point_importer *importer)
{
    const sumac_curve *curve = importer->bases->curve;
    const sumac_curve_info *info = &curve->info;
    importer->record_bytes = importer->format->record_bytes(info);
    const uint64_t block_bytes = device_decodes(importer->context, curve, importer->format)
                                     ? device_block_bytes(info, importer->total)
                                     : BLOCK_BYTES;
    if (importer->capacity == 0) {
        importer->capacity = (size_t)(block_bytes / info->point_bytes);
    }
    sumac_status status;
    importer->records = memory_allocate(importer->context, importer->path,
                                        importer->capacity * importer->record_bytes, &status);
    importer->raw = importer->records;
    if (status == SUMAC_OK && !importer->format->is_raw) {
        importer->raw = memory_allocate(importer->context, importer->path,
                                        importer->capacity * info->point_bytes, &status);
    }
    if (status == SUMAC_OK && !importer->format->is_raw) {
        importer->outcomes =
            memory_allocate(importer->context, importer->path,
                            slices_count(importer->capacity) * sizeof *importer->outcomes, &status);
    }
    return status;
}

void point_importer_end(point_importer *importer)
{
    if (importer->raw != importer->records) {
        free(importer->raw);
    }
    free(importer->records);
    free(importer->outcomes);
}

static decode_outcome decode_on_threads(const point_importer *importer, size_t n)
{
    sumac_context *context = importer->context;
    const sumac_curve *curve = importer->bases->curve;
    const trace_sink trace = {context->config.trace, context->config.user};
    const parallel_team team = {context->threads, "decode", 0, &trace, context->pool};
    slices_job job = {.format = importer->format,
                      .info = &curve->info,
                      .convert = context_code(context, curve)->convert,
                      .from = importer->records,
                      .to = importer->raw,
                      .n = n,
                      .check = importer->check,
                      .team = &team,
                      .run = parallel_for,
                      .outcomes = importer->outcomes};
    return slices_decode(&job);
}

/* The block's records to raw points. */
static decode_outcome decode_block(const point_importer *importer, size_t n)
{
    decode_outcome outcome = {.status = SUMAC_OK};
    return importer->format->is_raw ||
                   decode_on_device(importer->context, importer->bases->curve, importer->format,
                                    importer->records, n, importer->check, 0, importer->raw, &outcome)
               ? outcome
               : decode_on_threads(importer, n);
}

/* The first bad record of a block whose import failed. */
static size_t find_bad_record(const point_importer *importer, size_t n, const point_layout *layout)
{
    const curve_code *code = context_code(importer->context, importer->bases->curve);
    uint64_t point[4 * 12]; /* room for the largest affine point, two coordinates in Fp2 */
    size_t i = 0;
    size_t bad;
    while (i < n && code->convert->import_points(point, importer->raw + i * layout->stride, 1, layout,
                                                 importer->check, &bad) == SUMAC_OK) {
        i++;
    }
    return i;
}

int point_is_refused(sumac_status status)
{
    return status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP;
}

sumac_status point_importer_refuse(const point_importer *importer, const decode_outcome *outcome,
                                   uint64_t location, uint64_t step)
{
    return fail(importer->context, outcome->status, "%s: the point at %s %" PRIu64 " %s", importer->path,
                importer->unit, location + outcome->bad * step, decode_problem(outcome));
}

/* The block's raw points to the bases. What is decoded is canonical, as the form of formats that have none. */
static sumac_status import_block(const point_importer *importer, size_t n, decode_outcome *outcome)
{
    const point_layout layout = {.form = importer->format->form,
                                 .stride = importer->bases->curve->info.point_bytes};
    const sumac_check check = importer->format->checks ? SUMAC_CHECK_NONE : importer->check;
    sumac_status status;
    size_t bad = n;
    if (importer->staging != NULL) {
        executor_enter(context_executor(importer->context));
        status = bases_send(importer->context, importer->bases, importer->staging, importer->raw, n, &layout,
                            check, &bad);
    } else {
        status = bases_import(importer->context, importer->bases, (size_t)importer->done, importer->raw, n,
                              &layout, check);
        bad = point_is_refused(status) ? find_bad_record(importer, n, &layout) : n;
    }
    *outcome = (decode_outcome){.status = bad < n ? status : SUMAC_OK, .bad = bad < n ? bad : 0};
    return bad < n ? SUMAC_OK : status;
}

sumac_status point_importer_take(point_importer *importer, size_t n, uint64_t location, uint64_t step)
{
    decode_outcome outcome = decode_block(importer, n);
    if (outcome.status == SUMAC_OK) {
        const sumac_status status = import_block(importer, n, &outcome);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    if (outcome.status != SUMAC_OK) {
        return point_importer_refuse(importer, &outcome, location, step);
    }
    importer->done += n;
    return importer->total == 0
               ? SUMAC_OK
               : context_report(importer->context, (double)importer->done / (double)importer->total);
}

sumac_status bases_for_file(sumac_context *context, const char *path, const sumac_bases *shape,
                            sumac_bases **bases)
{
    const size_t affine_bytes = context_code(context, shape->curve)->affine_bytes;
    const uint64_t points = shape->count * bases_factor(shape);
    const uint64_t importer = importer_bytes(context, shape->curve, shape->count);
    const sumac_status status = memory_require(context, path, points * affine_bytes + importer);
    return status != SUMAC_OK
               ? status
               : bases_allocate_table(context, shape, bases_factor(shape), affine_bytes, bases);
}

sumac_status bases_for_points(sumac_context *context, const sumac_curve *curve, const char *path, uint64_t n,
                              const sumac_bases_config *config, sumac_bases **bases)
{
    uint64_t bytes;
    if (n > SIZE_MAX || __builtin_mul_overflow(n, curve->info.point_bytes, &bytes)) {
        bytes = UINT64_MAX;
    }
    /* Before anything else: that there are too many points is the better reason than that no plan takes so
     * many. */
    const uint64_t importer = importer_bytes(context, curve, n);
    const sumac_status status =
        memory_require(context, path, bytes > UINT64_MAX - importer ? UINT64_MAX : bytes + importer);
    return status != SUMAC_OK ? status : bases_allocate(context, curve, (size_t)n, config, bases);
}
