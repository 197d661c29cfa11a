/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/table.h"
#include "io/importer.h"
#include "io/memory.h"

_Static_assert(TABLE_MAX_C == PLAN_MAX_C, "a table may have any window that is planned");

sumac_status input_is_table(input_file *file, int *is_table)
{
    return input_begins_with(file, container_magic, sizeof container_magic, is_table);
}

/* ---- Writing ---- */

void table_add(container *layout, uint32_t type, const sumac_bases *bases)
{
    const sumac_group *group = bases->group;
    const uint32_t factor = bases_factor(bases);
    container_section *table =
        container_add(layout, type, group->name, bases->count * factor * group->point_bytes);
    table->flags = (bases->outside_subgroup ? TABLE_OUTSIDE_SUBGROUP : 0) |
                   (bases->shards[0].table.all_digits ? TABLE_ALL_DIGITS : 0);
    table->count = bases->count;
    table->numbers[TABLE_FACTOR] = factor;
    table->numbers[TABLE_SHIFT] = bases->shift;
    table->numbers[TABLE_C] = bases->c;
    table->numbers[TABLE_WINDOWS] = bases->windows;
}

sumac_status table_write_section(output_file *file, const container *layout, uint32_t type,
                                 const sumac_bases *bases)
{
    const group_code *code = context_code(file->context, bases->group);
    const size_t point_bytes = bases->group->point_bytes;
    const size_t capacity = ((size_t)1 << 20) / point_bytes;
    const uint64_t points = bases->count * bases_factor(bases);
    TAKE_MEMORY(uint8_t, records, file->context, file->path, capacity * point_bytes);
    AUTO_FREE void *block = host_points(capacity * code->affine_bytes);
    if (block == NULL) {
        return memory_failed(file->context, file->path, capacity * code->affine_bytes);
    }
    section_output output = section_begin(file, container_find(layout, type));
    for (uint64_t first = 0; first < points; first += capacity) {
        const size_t n = (size_t)smaller(points - first, capacity);
        TRY(bases_copy(file->context, bases, first, n, block));
        code->convert->export_points(records, block, n, SUMAC_FORM_MONTGOMERY);
        TRY(section_write(&output, records, n * point_bytes));
        TRY(context_report(file->context, (double)(first + n) / (double)points));
    }
    return section_end(&output);
}

sumac_status table_write(sumac_context *context, const sumac_bases *bases, const char *path)
{
    CLEANUP(output_discard) output_file file = OUTPUT_CLOSED;
    container layout = {.kind = CONTAINER_TABLE};
    TRY(output_open(&file, context, path));
    memcpy(layout.curve, bases->group->curve, strlen(bases->group->curve));
    table_add(&layout, SECTION_TABLE, bases);
    TRY(container_create(&file, &layout));
    TRY(table_write_section(&file, &layout, SECTION_TABLE, bases));
    return output_commit(&file);
}

/* ---- Reading ---- */

/* This is a table that is being read from a section of a file, and the part of its bases that the caller wants. */
typedef struct table_request {
    input_file *file;
    const container *layout;
    const container_section *table;
    const sumac_group *group;
    sumac_bases_config config;
    uint64_t first, n;
} table_request;

/* Read all points or, of each multiple, the points of the part. */
static sumac_status read_points(const table_request *request, point_importer *importer)
{
    input_file *file = request->file;
    const container_section *table = request->table;
    const uint64_t point_bytes = request->group->point_bytes;
    if (request->n == table->count) {
        section_input input;
        TRY(section_open(&input, file, request->layout, table, "the points"));
        const sumac_status imported = point_importer_read(importer, file, importer->total, &input.sum);
        if (imported != SUMAC_OK && !point_is_refused(imported)) {
            return imported;
        }
        TRY(section_close(&input));
        return imported;
    }
    for (uint32_t t = 0; t < table->numbers[TABLE_FACTOR] && request->n > 0; t++) {
        TRY(input_seek(file, table->offset + (t * table->count + request->first) * point_bytes));
        TRY(point_importer_read(importer, file, request->n, NULL));
    }
    return SUMAC_OK;
}

static sumac_status load_bases(const table_request *request, sumac_bases **bases)
{
    const container_section *table = request->table;
    sumac_context *context = request->file->context;
    const uint32_t factor = table->numbers[TABLE_FACTOR];
    sumac_bases shape;
    sumac_bases_config without_multiples = request->config;
    without_multiples.precompute_factor = 1;
    without_multiples.tables = SUMAC_TABLES_MULTIPLES;
    without_multiples.outside_subgroup |= (uint32_t)((table->flags & TABLE_OUTSIDE_SUBGROUP) != 0);
    TRY(bases_shape(context, request->group, (size_t)request->n, &without_multiples, &shape));
    bases_set_tables(&shape, factor, (table->flags & TABLE_ALL_DIGITS) != 0,
                     context_code(context, request->group)->affine_bytes, 0);
    shape.shift = table->numbers[TABLE_SHIFT];
    shape.c = table->numbers[TABLE_C];
    shape.windows = table->numbers[TABLE_WINDOWS];
    CLEANUP(point_importer_end)
    point_importer importer = {.context = context,
                               .path = request->file->path,
                               .unit = "byte",
                               .format = &montgomery_records,
                               .check = request->config.check,
                               .total = request->n * factor};
    TRY(point_importer_begin_bases(&importer, &shape, bases));
    TRY(read_points(request, &importer));
    return bases_complete(context, *bases, 1);
}

/* Find the table in its file. If the group is not given, find that, too. */
static sumac_status find_table(table_request *request, uint32_t type)
{
    input_file *file = request->file;
    request->table = container_find(request->layout, type);
    if (request->table == NULL) {
        return input_refuse(file, container_refuse_sizes(&file->why));
    }
    TRY(container_find_group(file, request->layout, request->table, &request->group));
    return input_refuse(file, table_check(request->table, request->group, &file->why));
}

static sumac_status read_table(table_request *request, uint32_t type, sumac_bases **bases)
{
    TRY(find_table(request, type));
    TRY(input_refuse(request->file,
                     table_check_multiples(request->table, &request->config, &request->file->why)));
    if (request->n < request->table->count) {
        /* If only a part of the table is read, its checksum can't be compared. Then check that the points lie on the
         * curve, which also shows damage. */
        request->config.check =
            request->config.check == SUMAC_CHECK_NONE ? SUMAC_CHECK_CURVE : request->config.check;
    } else {
        request->n = request->table->count;
    }
    return load_bases(request, bases);
}

sumac_status table_open_points(input_file *file, const sumac_group *group, container_section *table)
{
    container layout;
    table_request request = {.file = file, .layout = &layout, .group = group};
    TRY(container_open(file, CONTAINER_TABLE, &layout));
    TRY(find_table(&request, SECTION_TABLE));
    *table = *request.table;
    return SUMAC_OK;
}

sumac_status table_read_section(input_file *file, const container *layout, uint32_t type,
                                const sumac_group *group, const sumac_bases_config *config,
                                sumac_bases **bases)
{
    table_request request = {
        .file = file, .layout = layout, .group = group, .config = *config, .n = UINT64_MAX};
    return read_table(&request, type, bases);
}

sumac_status table_read_part(input_file *file, const sumac_group *group, uint64_t first, uint64_t n,
                             const sumac_bases_config *config, sumac_bases **bases)
{
    container layout;
    table_request request = {
        .file = file, .layout = &layout, .group = group, .config = *config, .first = first, .n = n};
    TRY(container_open(file, CONTAINER_TABLE, &layout));
    return read_table(&request, SECTION_TABLE, bases);
}
