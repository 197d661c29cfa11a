/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/records.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "io/importer.h"
#include "io/memory.h"
#include "io/output.h"

static sumac_status fail_cut_off(const input_file *file, const sumac_curve *curve, uint64_t bytes,
                                 size_t record_bytes)
{
    char likely[FILE_LIKELY_BYTES];
    return fail(file->context, SUMAC_BAD_FILE,
                "%s: %" PRIu64 " bytes are not a whole number of %zu-byte points of %s %s: the last one, at "
                "byte %" PRIu64 ", is cut off%s",
                file->path, bytes, record_bytes, curve->info.name, curve->info.group,
                bytes / record_bytes * record_bytes, input_likely_text(file, likely));
}

/* A pipe ended before record first + n. */
static sumac_status fail_short(const input_file *file, const point_importer *importer, uint64_t first)
{
    const uint64_t count = file->offset / importer->record_bytes;
    if (file->offset % importer->record_bytes != 0) {
        return fail_cut_off(file, importer->bases->curve, file->offset, importer->record_bytes);
    }
    return fail(file->context, SUMAC_BAD_LENGTH,
                "%s: there are %" PRIu64 " points, fewer than %" PRIu64 " + %" PRIu64, file->path, count,
                first, importer->total);
}

/* To the first record that is wanted. */
static sumac_status go_to(input_file *file, const point_importer *importer, const record_run *run,
                          uint64_t first)
{
    uint64_t offset, skipped = 0;
    if (__builtin_mul_overflow(first, importer->record_bytes, &offset)) {
        offset = UINT64_MAX; /* longer than any pipe; a file of known size has the record */
    }
    if (file->has_size) {
        return run->offset + offset != file->offset ? input_seek(file, run->offset + offset) : SUMAC_OK;
    }
    const sumac_status status = input_skip(file, offset, &skipped);
    return status != SUMAC_OK || skipped == offset ? status : fail_short(file, importer, first);
}

/* All that the importer wants; behind the last record of a file of known size there is nothing else. */
static sumac_status read_all(input_file *file, point_importer *importer, const record_run *run,
                             uint64_t first)
{
    sumac_status status = go_to(file, importer, run, first);
    while (status == SUMAC_OK && importer->done < importer->total) {
        const uint64_t left = importer->total - importer->done;
        const size_t n = left < importer->capacity ? (size_t)left : importer->capacity;
        const size_t bytes = n * importer->record_bytes;
        const uint64_t offset = file->offset;
        size_t got = bytes;
        status = file->has_size ? input_read_exactly(file, importer->records, bytes)
                                : input_read(file, importer->records, bytes, &got);
        if (status == SUMAC_OK && got < bytes) {
            return fail_short(file, importer, first);
        }
        if (status == SUMAC_OK) {
            status = point_importer_take(importer, n, offset, importer->record_bytes);
        }
    }
    return status == SUMAC_OK && file->has_size && file->offset >= file->size ? input_expect_end(file)
                                                                              : status;
}

static sumac_status locate_framed(input_file *file, const sumac_curve *curve, const point_format *format,
                                  record_run *run)
{
    const byte_source source = input_source(file);
    sumac_message why = {""};
    return input_refuse(file, format->locate(run, &source, &curve->info, &why), &why);
}

sumac_status records_locate(input_file *file, const sumac_curve *curve, const point_format *format,
                            record_run *run)
{
    const sumac_status status = input_measure(file, INPUT_OF_ANY_SIZE);
    *run = (record_run){.format = format};
    if (status != SUMAC_OK) {
        return status;
    }
    if (format->layout == LAYOUT_FRAMED) {
        return locate_framed(file, curve, format, run);
    }
    const size_t record_bytes = format->record_bytes(&curve->info);
    run->count = file->size / record_bytes;
    return file->size % record_bytes == 0 ? SUMAC_OK : fail_cut_off(file, curve, file->size, record_bytes);
}

sumac_status records_read_part(input_file *file, const sumac_curve *curve, const record_run *run,
                               uint64_t first, uint64_t n, const sumac_bases_config *config,
                               sumac_bases **bases)
{
    sumac_context *context = file->context;
    sumac_status status = bases_for_points(context, curve, file->path, n, config, bases);
    if (status != SUMAC_OK) {
        return status;
    }
    point_importer importer = {.context = context,
                               .bases = *bases,
                               .path = file->path,
                               .unit = "byte",
                               .format = run->format,
                               .check = config->check,
                               .total = n};
    status = point_importer_begin(&importer);
    if (status == SUMAC_OK) {
        status = read_all(file, &importer, run, first);
    }
    point_importer_end(&importer);
    return status != SUMAC_OK ? status : bases_complete(context, *bases);
}

sumac_status records_read(input_file *file, const sumac_curve *curve, const point_format *format,
                          const sumac_bases_config *config, sumac_bases **bases)
{
    record_run run;
    const sumac_status status = records_locate(file, curve, format, &run);
    return status != SUMAC_OK ? status : records_read_part(file, curve, &run, 0, run.count, config, bases);
}

/* Bases block by block to raw points and these to records, which are the same memory for raw points. */
static sumac_status write_all(output_file *file, const sumac_bases *bases, const point_format *format,
                              uint8_t *raw, uint8_t *records, size_t capacity)
{
    const sumac_curve_info *info = &bases->curve->info;
    const convert_ops *convert = context_code(file->context, bases->curve)->convert;
    const size_t record_bytes = format->record_bytes(info);
    const size_t count = sumac_bases_count(bases);
    for (size_t first = 0; first < count;) {
        const size_t n = count - first < capacity ? count - first : capacity;
        sumac_status status = sumac_bases_get(file->context, bases, first, n, raw);
        for (size_t i = 0; records != raw && status == SUMAC_OK && i < n; i++) {
            format->encode(records + i * record_bytes, raw + i * info->point_bytes, info, convert);
        }
        if (status == SUMAC_OK) {
            status = output_write(file, records, n * record_bytes);
        }
        first += n;
        if (status == SUMAC_OK) {
            status = context_report(file->context, (double)first / (double)count);
        }
        if (status != SUMAC_OK) {
            return status;
        }
    }
    return SUMAC_OK;
}

sumac_status records_write(sumac_context *context, const sumac_bases *bases, const char *path,
                           const point_format *format)
{
    const sumac_curve_info *info = &bases->curve->info;
    uint8_t head[FRAME_HEAD_BYTES];
    size_t head_bytes = 0;
    if (format->layout == LAYOUT_FRAMED) {
        head_bytes = format->head(head, sumac_bases_count(bases));
        if (head_bytes == 0) {
            return fail(context, SUMAC_NOT_SUPPORTED, "%s: the format %s does not count %zu points", path,
                        format->info.name, sumac_bases_count(bases));
        }
        format = format->records(info);
    }
    const size_t capacity = ((size_t)1 << 20) / info->point_bytes;
    const int is_raw = format == &raw_format;
    sumac_status status;
    uint8_t *raw = memory_allocate(context, path, capacity * info->point_bytes, &status), *records = NULL;
    if (status == SUMAC_OK && !is_raw) {
        records = memory_allocate(context, path, capacity * format->record_bytes(info), &status);
    }
    if (status == SUMAC_OK) {
        output_file file;
        status = output_open(&file, context, path);
        if (status == SUMAC_OK) {
            status = output_write(&file, head, head_bytes);
        }
        if (status == SUMAC_OK) {
            status = write_all(&file, bases, format, raw, is_raw ? raw : records, capacity);
        }
        status = output_close(&file, status);
    }
    free(records);
    free(raw);
    return status;
}
