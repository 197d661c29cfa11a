/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads files of bases, whole or in part, and writes them. It implements functions of sumac/bases.h and
 * sumac/formats.h. */
#include "io/bases_files.h"

#include <inttypes.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/points.h"
#include "base/sizes.h"
#include "base/try.h"
#include "io/records.h"
#include "io/table.h"
#include "io/trusted_setup.h"

sumac_status format_choose(input_file *file, const char *name, const sumac_group *group,
                           const point_format **format)
{
    int is_table = 0;
    if (name != NULL) {
        return format_find(file->context, name, group, format);
    }
    TRY(input_is_table(file, &is_table));
    *format = is_table ? &table_format : &raw_format;
    return SUMAC_OK;
}

/* ---- Reading ---- */

typedef struct bases_file {
    input_file file;
    const point_format *format;
    record_run run; /* the records, if the file has records */
    uint64_t count;
} bases_file;

static void close_file(bases_file *opened)
{
    input_close(&opened->file);
}

static sumac_status require_group(sumac_context *context, const sumac_group *group,
                                  const point_format *format, const char *path)
{
    return group != NULL || format->layout == LAYOUT_TABLE
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "%s: the group is null, and only a table names its group",
                      path);
}

/* Open a file. `parts` is 1 if the caller reads only a part of it. A wrong format is refused first, because opening a
 * pipe may have to wait for its writer. */
static sumac_status open_file(bases_file *opened, sumac_context *context, const sumac_group *group,
                              const char *path, const char *format, int parts)
{
    if (format != NULL) {
        TRY(format_find(context, format, group, &opened->format));
        TRY(require_group(context, group, opened->format, path));
        if (parts && opened->format->layout == LAYOUT_TRUSTED_SETUP) {
            return fail(context, SUMAC_NOT_SUPPORTED,
                        "%s: files of the format %s are not records of one size: they are read whole", path,
                        format);
        }
    }
    TRY(input_open(&opened->file, context, path));
    TRY(format_choose(&opened->file, format, group, &opened->format));
    TRY(require_group(context, group, opened->format, path));
    return opened->format->info.can_read
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "the format %s can be written only", format);
}

/* Count the bases of a file. If the size of the file is not known, the file is read to its end. */
static sumac_status count_bases(bases_file *opened, const sumac_group *group)
{
    if (opened->format->layout == LAYOUT_TABLE) {
        container_section table;
        TRY(input_measure(&opened->file, INPUT_OF_ANY_SIZE));
        TRY(table_open_points(&opened->file, group, &table));
        opened->count = table.count;
        return SUMAC_OK;
    }
    TRY(records_locate(&opened->file, group, opened->format, &opened->run));
    opened->count = opened->run.count;
    return SUMAC_OK;
}

/* Read bases [first, first + n), or all from `first` on if n is SUMAC_ALL. */
static sumac_status read_bases(bases_file *opened, const sumac_group *group, uint64_t first, size_t n,
                               const sumac_bases_config *config, sumac_bases **bases)
{
    const format_layout layout = opened->format->layout;
    if (layout == LAYOUT_TRUSTED_SETUP) {
        return trusted_setup_read_bases(&opened->file, opened->format, group, config, bases);
    }
    if (layout == LAYOUT_TABLE && first == 0 && n == SUMAC_ALL) {
        return table_read_part(&opened->file, group, 0, UINT64_MAX, config, bases);
    }
    if (layout == LAYOUT_RECORDS && !opened->file.has_size && n != SUMAC_ALL) { /* from a pipe, read no
                                                                                   more */
        opened->run = (record_run){.format = opened->format};
        return records_read(&opened->file, group, &opened->run, first, n, config, bases);
    }
    TRY(count_bases(opened, group));
    if (first > opened->count || (n != SUMAC_ALL && n > opened->count - first)) {
        return fail(opened->file.context, SUMAC_BAD_LENGTH,
                    "%s: there are %" PRIu64 " points, fewer than %" PRIu64 " + %zu", opened->file.path,
                    opened->count, first, n == SUMAC_ALL ? 0 : n);
    }
    const uint64_t count = n == SUMAC_ALL ? opened->count - first : n;
    if (layout != LAYOUT_TABLE) {
        return records_read(&opened->file, group, &opened->run, first, count, config, bases);
    }
    TRY(input_seek(&opened->file, 0));
    return table_read_part(&opened->file, group, first, count, config, bases);
}

sumac_status sumac_bases_open(sumac_context *context, const sumac_group *group, const char *path,
                              const char *format, size_t first, size_t count,
                              const sumac_bases_config *config, sumac_bases **bases)
{
    BEGIN_MAKING(context, bases);
    TRY(require(context, path != NULL, "the path"));
    CLEANUP(close_file) bases_file opened = {.file = INPUT_CLOSED};
    CLEANUP(bases_end) new_bases created = {.context = context};
    sumac_bases_config used;
    TRY(public_take(&public_bases_config, config, &used, context_message(context)));
    /* The format of the file determines these fields, not the caller's configuration. */
    used.form = SUMAC_FORM_CANONICAL;
    used.stride = used.infinity_offset = 0;
    used.infinity = SUMAC_INFINITY_ZERO;
    used.location = SUMAC_LOCATION_HOST;
    TRY(open_file(&opened, context, group, path, format, first != 0 || count != SUMAC_ALL));
    TRY(read_bases(&opened, group, first, count, &used, &created.bases));
    *bases = created.bases;
    created.bases = NULL;
    return SUMAC_OK;
}

sumac_status sumac_bases_file_count(sumac_context *context, const sumac_group *group, const char *path,
                                    const char *format, size_t *count)
{
    BEGIN_CALL(context);
    TRY(require(context, path != NULL && count != NULL, "the path and the count"));
    CLEANUP(close_file) bases_file opened = {.file = INPUT_CLOSED};
    TRY(open_file(&opened, context, group, path, format, 1));
    TRY(count_bases(&opened, group));
    *count = (size_t)opened.count;
    return SUMAC_OK;
}

/* ---- Writing ---- */

sumac_status sumac_bases_save(sumac_context *context, const sumac_bases *bases, const char *path,
                              const char *format)
{
    BEGIN_CALL(context);
    TRY(require(context, bases != NULL && path != NULL, "the bases and the path"));
    const point_format *found = &table_format;
    if (format != NULL) {
        TRY(format_find(context, format, bases->group, &found));
    }
    if (!found->info.can_write) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the format %s can be read only", format);
    }
    TRY(bases_check_readable(context, bases));
    return found->layout == LAYOUT_TABLE ? table_write(context, bases, path)
                                         : records_write(context, bases, path, found);
}
