/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/records.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "base/try.h"
#include "io/importer.h"
#include "io/memory.h"
#include "io/output.h"
#include "sumac/experimental.h"

/* ---- Reading ---- */

static sumac_status fail_cut_off(const input_file *file, const sumac_group *group, uint64_t bytes,
                                 const char *noun, size_t record_bytes)
{
    char likely[FILE_LIKELY_BYTES];
    return fail(file->context, SUMAC_BAD_FILE,
                "%s: %" PRIu64 " bytes are not a whole number of %zu-byte %s of %s %s: the last one, at "
                "byte %" PRIu64 ", is cut off%s",
                file->path, bytes, record_bytes, noun, group->curve, group->name,
                bytes / record_bytes * record_bytes, input_likely_text(file, likely));
}

/* Report a pipe that ended before record first + n. */
static sumac_status fail_short(const input_file *file, const point_importer *importer, uint64_t first)
{
    if (file->offset % importer->record_bytes != 0) {
        return fail_cut_off(file, importer->bases->group, file->offset, "points", importer->record_bytes);
    }
    return fail(file->context, SUMAC_BAD_LENGTH,
                "%s: there are %" PRIu64 " points, fewer than %" PRIu64 " + %" PRIu64, file->path,
                file->offset / importer->record_bytes, first, importer->total);
}

sumac_status records_locate(input_file *file, const sumac_group *group, const point_format *format,
                            record_run *run)
{
    *run = (record_run){.format = format};
    TRY(input_measure(file, INPUT_OF_ANY_SIZE));
    if (format->layout == LAYOUT_FRAMED) {
        const byte_source source = input_source(file);
        return input_refuse(file, format_locate(run, &source, group, &file->why));
    }
    const size_t record_bytes = format_record_bytes(format, group);
    run->count = file->size / record_bytes;
    return file->size % record_bytes == 0 ? SUMAC_OK
                                          : fail_cut_off(file, group, file->size, "points", record_bytes);
}

/* Import the records from `first` on. If the file's size is known, nothing may follow its last record. */
static sumac_status read_run(input_file *file, point_importer *importer, const record_run *run,
                             uint64_t first)
{
    uint64_t offset, skipped;
    if (__builtin_mul_overflow(first, importer->record_bytes, &offset)) {
        offset = UINT64_MAX; /* a pipe is never that long; a file of known size has the record */
    }
    if (file->has_size) {
        if (run->offset + offset != file->offset) {
            TRY(input_seek(file, run->offset + offset));
        }
        TRY(point_importer_read(importer, file, importer->total, NULL));
        return file->offset >= file->size ? input_expect_end(file) : SUMAC_OK;
    }
    TRY(input_skip(file, offset, &skipped));
    if (skipped < offset) {
        return fail_short(file, importer, first);
    }
    const sumac_status status = point_importer_read(importer, file, importer->total, NULL);
    return status == SUMAC_BAD_FILE ? fail_short(file, importer, first) : status;
}

sumac_status records_read(input_file *file, const sumac_group *group, const record_run *run, uint64_t first,
                          uint64_t n, const sumac_bases_config *config, sumac_bases **bases)
{
    sumac_context *context = file->context;
    TRY(bases_for_points(context, group, file->path, n, config, bases));
    CLEANUP(point_importer_end)
    point_importer importer = {.context = context,
                               .bases = *bases,
                               .path = file->path,
                               .unit = "byte",
                               .format = run->format,
                               .check = config->check,
                               .total = n};
    TRY(point_importer_begin(&importer));
    TRY(read_run(file, &importer, run, first));
    return bases_complete(context, *bases, 0);
}

/* ---- Scalars ---- */

sumac_status scalars_check_size(const input_file *file, const sumac_group *group)
{
    const size_t bytes = group->scalar_bytes;
    if (file->size % bytes == 0) {
        return SUMAC_OK;
    }
    (void)fail_cut_off(file, group, file->size, "scalars", bytes);
    return SUMAC_BAD_LENGTH;
}

sumac_status sumac_scalars_read(sumac_context *context, const sumac_group *group, const char *path,
                                void **scalars, size_t *scalars_bytes)
{
    BEGIN_CALL(context);
    if (group == NULL || path == NULL || scalars == NULL || scalars_bytes == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, path, scalars and their length must not be null");
    }
    *scalars = NULL;
    *scalars_bytes = 0;
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open(&file, context, path));
    TRY(input_measure(&file, INPUT_OF_ANY_SIZE));
    TRY(scalars_check_size(&file, group));
    if (file.memory == NULL) { /* a pipe's bytes are already in memory */
        TAKE_MEMORY(uint8_t, bytes, context, path, file.size);
        TRY(input_read_exactly(&file, bytes, (size_t)file.size));
        TRY(input_expect_end(&file));
        file.memory = bytes;
        bytes = NULL;
    }
    *scalars = file.memory;
    file.memory = NULL;
    *scalars_bytes = (size_t)file.size;
    return SUMAC_OK;
}

/* ---- Writing ---- */

sumac_status records_write(sumac_context *context, const sumac_bases *bases, const char *path,
                           const point_format *format)
{
    const sumac_group *group = bases->group;
    const convert_ops *convert = context_code(context, bases->group)->convert;
    const size_t count = sumac_bases_count(bases), capacity = ((size_t)1 << 20) / group->point_bytes;
    uint8_t head[FRAME_HEAD_BYTES];
    size_t head_bytes = 0;
    if (format->layout == LAYOUT_FRAMED) {
        head_bytes = format_head(format, head, count);
        if (head_bytes == 0) {
            return fail(context, SUMAC_NOT_SUPPORTED, "%s: the format %s does not count %zu points", path,
                        format->info.name, count);
        }
        format = format->records(group);
    }
    const size_t record_bytes = format_record_bytes(format, group);
    const int is_raw = format == &raw_format;
    TAKE_MEMORY(uint8_t, raw, context, path, capacity * group->point_bytes);
    AUTO_FREE uint8_t *records = is_raw ? NULL : memory_allocate(context, path, capacity * record_bytes);
    TRY(is_raw ? SUMAC_OK : memory_got(records));
    CLEANUP(output_discard) output_file file = OUTPUT_CLOSED;
    TRY(output_open(&file, context, path));
    TRY(output_write(&file, head, head_bytes));
    for (size_t first = 0, n; first < count; first += n) {
        n = (size_t)smaller(count - first, capacity);
        TRY(sumac_bases_get(context, bases, first, n, raw, n * group->point_bytes));
        for (size_t i = 0; !is_raw && i < n; i++) {
            format_encode(format, records + i * record_bytes, raw + i * group->point_bytes, group, convert);
        }
        TRY(output_write(&file, is_raw ? raw : records, n * record_bytes));
        TRY(context_report(context, (double)(first + n) / (double)count));
    }
    return output_commit(&file);
}
