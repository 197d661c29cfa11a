/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/bases_read.h"
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/printable.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "codec/table.h"
#include "io/importer.h"
#include "io/memory.h"
#include "io/output.h"

_Static_assert(TABLE_MAX_C == PLAN_MAX_C, "a table may have any window that is planned");

sumac_status input_is_table(input_file *file, int *is_table)
{
    return input_begins_with(file, table_magic, sizeof table_magic, is_table);
}

/* ---- Writing ---- */

static void encode_header(uint8_t bytes[TABLE_HEADER_BYTES], const sumac_bases *bases)
{
    const sumac_curve_info *info = &bases->curve->info;
    table_header header = {.count = bases->count,
                           .point_bytes = info->point_bytes,
                           .factor = bases_factor(bases),
                           .shift = bases->shift,
                           .c = bases->c,
                           .windows = bases->windows,
                           .outside_subgroup = bases->outside_subgroup,
                           .all_digits = bases->shards[0].table.all_digits};
    memcpy(header.curve, info->name, strnlen(info->name, TABLE_CURVE_BYTES));
    memcpy(header.group, info->group, strnlen(info->group, TABLE_GROUP_BYTES));
    table_encode_header(bytes, &header);
}

static sumac_status write_points(output_file *file, const sumac_bases *bases)
{
    const curve_code *code = context_code(file->context, bases->curve);
    const size_t point_bytes = bases->curve->info.point_bytes;
    const size_t capacity = ((size_t)1 << 20) / point_bytes;
    const uint64_t points = bases->count * bases_factor(bases);
    uint8_t trailer[TABLE_TRAILER_BYTES];
    sumac_status status;
    uint8_t *records = memory_allocate(file->context, file->path, capacity * point_bytes, &status);
    void *block = status == SUMAC_OK ? host_points(capacity * code->affine_bytes) : NULL;
    if (block == NULL) {
        free(records);
        return status != SUMAC_OK ? status
                                  : memory_failed(file->context, file->path, capacity * code->affine_bytes);
    }
    checksum sum;
    checksum_begin(&sum);
    for (uint64_t first = 0; status == SUMAC_OK && first < points;) {
        const size_t n = points - first < capacity ? (size_t)(points - first) : capacity;
        status = bases_copy(file->context, bases, first, n, block);
        if (status == SUMAC_OK) {
            code->convert->export_points(records, block, n, SUMAC_FORM_MONTGOMERY);
            checksum_add(&sum, records, n * point_bytes);
            status = output_write(file, records, n * point_bytes);
        }
        first += n;
        if (status == SUMAC_OK) {
            status = context_report(file->context, (double)first / (double)points);
        }
    }
    free(records);
    host_points_free(block);
    store_le64(trailer, checksum_result(&sum));
    return status != SUMAC_OK ? status : output_write(file, trailer, TABLE_TRAILER_BYTES);
}

sumac_status table_write_section(output_file *file, const sumac_bases *bases)
{
    uint8_t header[TABLE_HEADER_BYTES];
    encode_header(header, bases);
    const sumac_status status = output_write(file, header, TABLE_HEADER_BYTES);
    return status == SUMAC_OK ? write_points(file, bases) : status;
}

sumac_status table_write(sumac_context *context, const sumac_bases *bases, const char *path)
{
    output_file file;
    sumac_status status = output_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = table_write_section(&file, bases);
    }
    return output_close(&file, status);
}

/* ---- Reading ---- */

/* The curve of the table, which must be the one that the caller expects, if any. */
static sumac_status find_curve(const input_file *file, const table_header *header, const sumac_curve **curve)
{
    const sumac_curve *found = NULL;
    const sumac_status status = sumac_curve_find(header->curve, header->group, &found);
    const int is_exact = status == SUMAC_OK && strcmp(found->info.name, header->curve) == 0 &&
                         strcmp(found->info.group, header->group) == 0; /* not as people write them */
    if (!is_exact) {
        char curve_text[PRINTABLE_BYTES(TABLE_CURVE_BYTES)], group_text[PRINTABLE_BYTES(TABLE_GROUP_BYTES)];
        return fail(file->context, SUMAC_UNKNOWN_CURVE,
                    "%s: a table of %s %s, a curve that this library does not have", file->path,
                    printable(curve_text, header->curve, TABLE_CURVE_BYTES),
                    printable(group_text, header->group, TABLE_GROUP_BYTES));
    }
    if (*curve != NULL && *curve != found) {
        return fail(file->context, SUMAC_MISMATCH, "%s: a table of %s %s, where %s %s is expected",
                    file->path, header->curve, header->group, (*curve)->info.name, (*curve)->info.group);
    }
    *curve = found;
    return SUMAC_OK;
}

sumac_status table_fail_points(const input_file *file, uint64_t first, uint64_t end)
{
    return fail(file->context, SUMAC_BAD_CHECKSUM,
                "%s: the points, bytes %" PRIu64 " to %" PRIu64
                ", are damaged: their checksum does not match",
                file->path, first, end - 1);
}

/* All points, and the checksum behind them, where the file ends unless it is known to go on. */
static sumac_status read_points(input_file *file, point_importer *importer)
{
    uint8_t trailer[TABLE_TRAILER_BYTES];
    const uint64_t first = file->offset;
    checksum sum;
    checksum_begin(&sum);
    const sumac_status taken = point_importer_read(importer, file, importer->total, &sum);
    if (taken != SUMAC_OK && !point_is_refused(taken)) {
        return taken;
    }
    sumac_status status = input_read_exactly(file, trailer, TABLE_TRAILER_BYTES);
    if (status == SUMAC_OK && (!file->has_size || file->offset >= file->size)) {
        status = input_expect_end(file);
    }
    if (status == SUMAC_OK && load_le64(trailer) != checksum_result(&sum)) {
        return table_fail_points(file, first, file->offset - TABLE_TRAILER_BYTES);
    }
    return status == SUMAC_OK ? taken : status;
}

/* A part of the bases of a table. */
typedef struct base_range {
    uint64_t first, n;
} base_range;

/* Of each multiple the part's; the checksum is of all points and tells nothing of these. */
static sumac_status read_part(input_file *file, const table_header *header, base_range part,
                              point_importer *importer)
{
    const uint64_t start = file->offset;
    sumac_status status = SUMAC_OK;
    for (uint32_t t = 0; t < header->factor && part.n > 0 && status == SUMAC_OK; t++) {
        status = input_seek(file, start + (t * header->count + part.first) * header->point_bytes);
        if (status == SUMAC_OK) {
            status = point_importer_read(importer, file, part.n, NULL);
        }
    }
    return status;
}

static sumac_status load_bases(input_file *file, const table_header *header, const sumac_curve *curve,
                               base_range part, const sumac_bases_config *config, sumac_bases **bases)
{
    sumac_bases shape;
    sumac_bases_config without_multiples = *config;
    without_multiples.precompute_factor = 1;
    without_multiples.tables = SUMAC_TABLES_MULTIPLES;
    without_multiples.outside_subgroup |= (uint32_t)(header->outside_subgroup != 0);
    sumac_status status = bases_shape(file->context, curve, (size_t)part.n, &without_multiples, &shape);
    if (status == SUMAC_OK) {
        bases_set_tables(&shape, header->factor, header->all_digits,
                         context_code(file->context, curve)->affine_bytes);
        shape.shift = header->shift;
        shape.c = header->c;
        shape.windows = header->windows;
    }
    CLEANUP(point_importer_end)
    point_importer importer = {.context = file->context,
                               .path = file->path,
                               .unit = "byte",
                               .format = &montgomery_records,
                               .check = config->check,
                               .total = part.n * header->factor};
    if (status == SUMAC_OK) {
        status = point_importer_begin_bases(&importer, &shape, bases);
    }
    if (status == SUMAC_OK) {
        status =
            part.n == header->count ? read_points(file, &importer) : read_part(file, header, part, &importer);
    }
    return status == SUMAC_OK ? bases_complete_table(file->context, *bases) : status;
}

/* *curve may be null: then it becomes the table's. The table ends at byte *end, if that is known. */
static sumac_status read_header(input_file *file, const uint64_t *end, const sumac_curve **curve,
                                table_header *header)
{
    uint8_t bytes[TABLE_HEADER_BYTES];
    const uint64_t start = file->offset;
    sumac_message why;
    sumac_status status = input_read_exactly(file, bytes, TABLE_HEADER_BYTES);
    if (status != SUMAC_OK) {
        return status;
    }
    status = table_decode_header(header, bytes, start, &why);
    if (status != SUMAC_OK) {
        return input_refuse(file, status, &why);
    }
    status = find_curve(file, header, curve);
    if (status != SUMAC_OK) {
        return status;
    }
    return input_refuse(file, table_check_sizes(header, &(*curve)->info, file->offset, end, &why), &why);
}

/* Where a table ends that nothing follows; null: its file does not say. */
static const uint64_t *end_of(const input_file *file)
{
    return file->has_size ? &file->size : NULL;
}

sumac_status table_open_points(input_file *file, const sumac_curve *curve, table_points *points)
{
    table_header header;
    const sumac_status status = read_header(file, end_of(file), &curve, &header);
    if (status == SUMAC_OK) {
        *points = (table_points){.count = header.count,
                                 .factor = header.factor,
                                 .outside_subgroup = header.outside_subgroup,
                                 .offset = file->offset};
    }
    return status;
}

sumac_status table_begin_input(input_file *file)
{
    return context_executor(file->context)->backend->device == NULL ? SUMAC_OK
                                                                    : input_measure(file, INPUT_OF_ANY_SIZE);
}

static sumac_status read_table(input_file *file, const uint64_t *end, const sumac_curve *curve,
                               base_range part, const sumac_bases_config *config, sumac_bases **bases)
{
    table_header header;
    sumac_message why;
    sumac_status status = read_header(file, end, &curve, &header);
    if (status == SUMAC_OK) {
        status = input_refuse(file, table_check_multiples(&header, config, &why), &why);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    sumac_bases_config own = *config;
    part.n = part.n < header.count ? part.n : header.count;
    if (part.n < header.count && own.check == SUMAC_CHECK_NONE) {
        own.check = SUMAC_CHECK_CURVE; /* what the checksum does for a whole table: a damaged point is seen */
    }
    return load_bases(file, &header, curve, part, &own, bases);
}

sumac_status table_read_section(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                                sumac_bases **bases)
{
    return table_read_part(file, curve, 0, UINT64_MAX, config, bases);
}

sumac_status table_read_inner(input_file *file, uint64_t end, const sumac_curve *curve,
                              const sumac_bases_config *config, sumac_bases **bases)
{
    return read_table(file, &end, curve, (base_range){0, UINT64_MAX}, config, bases);
}

sumac_status table_read_part(input_file *file, const sumac_curve *curve, uint64_t first, uint64_t n,
                             const sumac_bases_config *config, sumac_bases **bases)
{
    return read_table(file, end_of(file), curve, (base_range){first, n}, config, bases);
}

sumac_status table_read(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                        sumac_bases **bases)
{
    const sumac_status status = table_begin_input(file);
    return status == SUMAC_OK ? table_read_section(file, curve, config, bases) : status;
}

sumac_status sumac_bases_open_table(sumac_context *context, const sumac_curve *curve, const char *path,
                                    sumac_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (path == NULL || bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "path and bases must not be null");
    }
    sumac_bases_config config = sumac_bases_config_default();
    config.check =
        SUMAC_CHECK_NONE; /* they were checked when the bases were made; the checksum finds damage since */
    input_file file;
    sumac_status status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = table_read(&file, curve, &config, bases);
    }
    input_close(&file);
    if (status != SUMAC_OK) {
        sumac_bases_destroy(*bases);
        *bases = NULL;
    }
    return status;
}
