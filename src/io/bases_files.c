/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/bases_files.h"

#include <inttypes.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/points.h"
#include "base/sizes.h"
#include "io/records.h"
#include "io/table.h"
#include "io/trusted_setup.h"

sumac_status format_choose(input_file *file, const char *name, const sumac_curve *curve,
                           const point_format **format)
{
    int is_table = 0;
    if (name != NULL) {
        return format_find(file->context, name, curve, format);
    }
    const sumac_status status = input_is_table(file, &is_table);
    *format = is_table ? &table_format : &raw_format;
    return status;
}

/* What a file says by its format is not the configuration's to say. */
static sumac_bases_config file_config(const sumac_bases_config *config)
{
    const sumac_bases_config defaults = sumac_bases_config_default();
    sumac_bases_config used = *config;
    used.form = defaults.form;
    used.stride = defaults.stride;
    used.infinity = defaults.infinity;
    used.infinity_offset = defaults.infinity_offset;
    used.location = defaults.location;
    return used;
}

static sumac_status read_bases(input_file *file, const sumac_curve *curve, const point_format *format,
                               const sumac_bases_config *config, sumac_bases **bases)
{
    switch (format->layout) {
    case LAYOUT_TABLE:
        return table_read(file, curve, config, bases);
    case LAYOUT_TRUSTED_SETUP:
        return trusted_setup_read_bases(file, format, curve, config, bases);
    default:
        return records_read(file, curve, format, config, bases);
    }
}

static sumac_status read_input(input_file *file, const sumac_curve *curve, const char *format,
                               const sumac_bases_config *config, sumac_bases **bases)
{
    const sumac_bases_config used = file_config(config);
    const point_format *found = NULL;
    *bases = NULL;
    sumac_status status = format_choose(file, format, curve, &found);
    if (status == SUMAC_OK && !found->info.can_read) {
        status = fail(file->context, SUMAC_NOT_SUPPORTED, "the format %s can be written only", format);
    }
    if (status == SUMAC_OK) {
        status = read_bases(file, curve, found, &used, bases);
    }
    if (status != SUMAC_OK) {
        sumac_bases_destroy(*bases);
        *bases = NULL;
    }
    return status;
}

sumac_status sumac_bases_open(sumac_context *context, const sumac_curve *curve, const char *path,
                              const char *format, const sumac_bases_config *config, sumac_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || path == NULL || bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, path and bases must not be null");
    }
    input_file file;
    const point_format *named;
    sumac_bases_config own;
    sumac_status status =
        public_take(&public_bases_config, config, &own, &context_executor(context)->message);
    if (status == SUMAC_OK && format != NULL) {
        status = format_find(context, format, curve, &named);
    }
    if (status != SUMAC_OK) {
        return status; /* before a pipe is waited for */
    }
    status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = read_input(&file, curve, format, &own, bases);
    }
    input_close(&file);
    return status;
}

/* A file of which parts can be read. */
typedef struct parts_file {
    input_file file;
    const point_format *format; /* of records, framed or not, or of tables */
    record_run run;             /* of records */
    uint64_t count;
} parts_file;

static sumac_status count_bases(parts_file *opened, const sumac_curve *curve)
{
    table_points points;
    if (opened->format->layout != LAYOUT_TABLE) {
        const sumac_status located = records_locate(&opened->file, curve, opened->format, &opened->run);
        opened->count = opened->run.count;
        return located;
    }
    sumac_status status = input_measure(&opened->file, INPUT_OF_ANY_SIZE);
    if (status == SUMAC_OK) {
        status = table_open_points(&opened->file, curve, &points);
    }
    if (status == SUMAC_OK) {
        opened->count = points.count;
    }
    return status;
}

/* Open it; input_close() also after a failure. */
static sumac_status open_parts(parts_file *opened, sumac_context *context, const sumac_curve *curve,
                               const char *path, const char *format)
{
    *opened = (parts_file){.file = {.descriptor = -1}};
    sumac_status status = format == NULL ? SUMAC_OK : format_find(context, format, curve, &opened->format);
    if (status == SUMAC_OK && format != NULL &&
        opened->format->layout == LAYOUT_TRUSTED_SETUP) { /* before a pipe is waited for */
        status =
            fail(context, SUMAC_NOT_SUPPORTED,
                 "%s: files of the format %s are not records of one size: they are read whole", path, format);
    }
    if (status == SUMAC_OK) {
        status = input_open(&opened->file, context, path);
    }
    return status == SUMAC_OK ? format_choose(&opened->file, format, curve, &opened->format) : status;
}

static sumac_status read_part(parts_file *opened, const sumac_curve *curve, uint64_t first, uint64_t n,
                              const sumac_bases_config *config, sumac_bases **bases)
{
    const int is_read_on = opened->format->layout == LAYOUT_RECORDS && !opened->file.has_size;
    opened->run = (record_run){.format = opened->format};
    sumac_status status = is_read_on ? SUMAC_OK : count_bases(opened, curve);
    if (status != SUMAC_OK) {
        return status;
    }
    if (!is_read_on && (first > opened->count || n > opened->count - first)) {
        return fail(opened->file.context, SUMAC_BAD_LENGTH,
                    "%s: there are %" PRIu64 " points, fewer than %" PRIu64 " + %" PRIu64, opened->file.path,
                    opened->count, first, n);
    }
    if (opened->format->layout != LAYOUT_TABLE) {
        return records_read_part(&opened->file, curve, &opened->run, first, n, config, bases);
    }
    status = input_seek(&opened->file, 0);
    return status == SUMAC_OK ? table_read_part(&opened->file, curve, first, n, config, bases) : status;
}

sumac_status sumac_bases_file_count(sumac_context *context, const sumac_curve *curve, const char *path,
                                    const char *format, size_t *n)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || path == NULL || n == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, path and n must not be null");
    }
    parts_file opened;
    sumac_status status = open_parts(&opened, context, curve, path, format);
    if (status == SUMAC_OK) {
        status = count_bases(&opened, curve);
    }
    input_close(&opened.file);
    if (status == SUMAC_OK) {
        *n = (size_t)opened.count;
    }
    return status;
}

sumac_status sumac_bases_open_part(sumac_context *context, const sumac_curve *curve, const char *path,
                                   size_t first, size_t n, const char *format,
                                   const sumac_bases_config *config, sumac_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || path == NULL || bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, path and bases must not be null");
    }
    sumac_bases_config own;
    sumac_status status =
        public_take(&public_bases_config, config, &own, &context_executor(context)->message);
    if (status != SUMAC_OK) {
        return status;
    }
    parts_file opened;
    status = open_parts(&opened, context, curve, path, format);
    if (status == SUMAC_OK) {
        own = file_config(&own);
        status = read_part(&opened, curve, first, n, &own, bases);
    }
    input_close(&opened.file);
    if (status != SUMAC_OK) {
        sumac_bases_destroy(*bases);
        *bases = NULL;
    }
    return status;
}

sumac_status sumac_bases_save_as(sumac_context *context, const sumac_bases *bases, const char *format,
                                 const char *path)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (bases == NULL || path == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "bases and path must not be null");
    }
    const point_format *found = &raw_format;
    const sumac_status status =
        format == NULL ? SUMAC_OK : format_find(context, format, bases->curve, &found);
    if (status != SUMAC_OK) {
        return status;
    }
    if (!found->info.can_write) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the format %s can be read only", format);
    }
    const sumac_status readable = bases_check_readable(context, bases);
    if (readable != SUMAC_OK) {
        return readable;
    }
    return found->layout == LAYOUT_TABLE ? table_write(context, bases, path)
                                         : records_write(context, bases, path, found);
}

sumac_status sumac_bases_save(sumac_context *context, const sumac_bases *bases, const char *path)
{
    return sumac_bases_save_as(context, bases, "table", path);
}
