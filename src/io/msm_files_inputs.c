/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE /* macOS's st_mtimespec */

#include "io/msm_files_inputs.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "io/bases_files.h"
#include "io/importer.h"
#include "io/records.h"
#include "io/scalars.h"
#include "io/table.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

/* Smaller files are not worth a second descriptor. */
#define DIRECT_LEAST ((uint64_t)64 << 20)

void inputs_begin(msm_inputs *files, sumac_context *context, const sumac_curve *curve)
{
    *files = (msm_inputs){.context = context, .curve = curve};
    for (int i = 0; i < INPUTS; i++) {
        files->inputs[i].file.descriptor = -1;
        files->inputs[i].direct.descriptor = -1;
    }
}

void inputs_close(msm_inputs *files)
{
    for (int i = 0; i < INPUTS; i++) {
        input_close(&files->inputs[i].file);
        direct_close(&files->inputs[i].direct);
    }
}

static sumac_status look_at(const input_file *file, struct stat *found)
{
    return fstat(file->descriptor, found) == 0
               ? SUMAC_OK
               : fail(file->context, SUMAC_READ_FAILED, "%s: its length can't be had any more", file->path);
}

/* Open a regular file; what has no length (pipes, files of the kernel) can't be read in parts. */
static sumac_status open_file(msm_inputs *files, int which, const char *path)
{
    input_file *file = &files->inputs[which].file;
    struct stat found;
    /* Opening a pipe would wait for its writer. */
    const int is_pipe = stat(path, &found) == 0 && S_ISFIFO(found.st_mode);
    sumac_status status = is_pipe ? SUMAC_OK : input_open(file, files->context, path);
    if (status == SUMAC_OK && !is_pipe) {
        status = look_at(file, &found);
    }
    if (status == SUMAC_OK && !S_ISREG(found.st_mode)) {
        status = fail(files->context, SUMAC_NOT_SUPPORTED,
                      "%s: only regular files are streamed: pipes and devices are read whole", path);
    }
    if (status == SUMAC_OK && !file->has_size) { /* it says that it is empty */
        int is_empty = 0;
        status = input_expect_nothing(file, &is_empty);
        if (status == SUMAC_OK && !is_empty) {
            status =
                fail(files->context, SUMAC_NOT_SUPPORTED, "%s: a file of the kernel is read whole", path);
        }
    }
    if (status == SUMAC_OK) {
        files->facts[which] = (file_facts){file->start + file->size, found.st_mtim};
    }
    /* One thread that reads ahead is the faster for the system's own reading ahead. */
    if (status == SUMAC_OK && files->shape.threads > 1 && file->start == 0 && file->size >= DIRECT_LEAST) {
        direct_open(&files->inputs[which].direct, file->descriptor, file->size);
    }
    return status;
}

static sumac_status check_unchanged(const msm_inputs *files, int which)
{
    const input_file *file = &files->inputs[which].file;
    const file_facts *then = &files->facts[which];
    struct stat now;
    const sumac_status status = look_at(file, &now);
    if (status != SUMAC_OK) {
        return status;
    }
    if ((uint64_t)now.st_size != then->size) {
        return fail(files->context, SUMAC_BAD_FILE,
                    "%s: it changed while it was read: it had %" PRIu64 " bytes and has %" PRIu64, file->path,
                    then->size, (uint64_t)now.st_size);
    }
    if (now.st_mtim.tv_sec != then->modified.tv_sec || now.st_mtim.tv_nsec != then->modified.tv_nsec) {
        return fail(files->context, SUMAC_BAD_FILE, "%s: it changed while it was read", file->path);
    }
    return SUMAC_OK;
}

sumac_status inputs_check(const msm_inputs *files)
{
    const sumac_status status = check_unchanged(files, INPUT_BASES);
    return status == SUMAC_OK ? check_unchanged(files, INPUT_SCALARS) : status;
}

/* A table without multiples, all of it: its checksum is that of all points. */
static sumac_status open_table(msm_inputs *files, const sumac_files_config *config)
{
    record_file *input = &files->inputs[INPUT_BASES];
    table_points table;
    sumac_status status = table_open_points(&input->file, files->curve, &table);
    if (status != SUMAC_OK) {
        return status;
    }
    if (table.factor != 1) {
        return fail(files->context, SUMAC_NOT_SUPPORTED,
                    "%s: a table with multiples is read whole; one without them can be streamed",
                    input->file.path);
    }
    if (config->first != 0 || (config->n != SUMAC_ALL_BASES && config->n != table.count)) {
        return fail(files->context, SUMAC_NOT_SUPPORTED,
                    "%s: the checksum of a table is that of all its %" PRIu64
                    " points: it can't be streamed in part",
                    input->file.path, table.count);
    }
    input->data = table.offset;
    input->count = table.count;
    files->outside_subgroup = table.outside_subgroup;
    return SUMAC_OK;
}

static sumac_status open_bases(msm_inputs *files, const char *path, const sumac_files_config *config)
{
    record_file *input = &files->inputs[INPUT_BASES];
    sumac_status status = open_file(files, INPUT_BASES, path);
    if (status == SUMAC_OK) {
        status = format_choose(&input->file, config->format, files->curve, &files->format);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    input->record_bytes = files->curve->info.point_bytes;
    input->block_records = files->shape.block_bytes / input->record_bytes;
    files->is_table = files->format == &table_format;
    if (files->is_table) {
        files->records = &montgomery_records;
        return open_table(files, config);
    }
    if (files->format->layout == LAYOUT_TRUSTED_SETUP) {
        return fail(files->context, SUMAC_NOT_SUPPORTED,
                    "%s: files of the format %s are not records of one size: they are read whole", path,
                    files->format->info.name);
    }
    record_run run;
    const sumac_status located = records_locate(&input->file, files->curve, files->format, &run);
    files->records = run.format;
    if (located == SUMAC_OK) {
        input->record_bytes = run.format->record_bytes(&files->curve->info);
        input->data = run.offset;
        input->count = run.count;
    }
    return located;
}

static sumac_status open_scalars(msm_inputs *files, const char *path)
{
    record_file *input = &files->inputs[INPUT_SCALARS];
    const sumac_status status = open_file(files, INPUT_SCALARS, path);
    input->record_bytes = files->curve->info.scalar_bytes;
    input->block_records = files->shape.block_bytes / input->record_bytes;
    input->count = input->file.size / input->record_bytes;
    return status == SUMAC_OK ? scalars_check_size(&input->file, files->curve) : status;
}

/* How many there are to do. Without an n, a file that was cut off must not be taken for a short one. */
static sumac_status count_all(const msm_inputs *files, const sumac_files_config *config, uint64_t *n)
{
    const record_file *bases = &files->inputs[INPUT_BASES], *scalars = &files->inputs[INPUT_SCALARS];
    const record_file *shorter = bases->count <= scalars->count ? bases : scalars;
    const char *path = shorter->file.path, *what = shorter == bases ? "bases" : "scalars";
    const int all = config->n == SUMAC_ALL_BASES;
    if (all && bases->count != scalars->count) {
        return fail(files->context, SUMAC_BAD_LENGTH,
                    "%s: there are %" PRIu64 " bases, and in %s %" PRIu64 " scalars", bases->file.path,
                    bases->count, scalars->file.path, scalars->count);
    }
    if (config->first > shorter->count || (!all && config->n > shorter->count - config->first)) {
        return fail(files->context, SUMAC_BAD_LENGTH,
                    "%s: there are %" PRIu64 " %s, fewer than %" PRIu64 " + %" PRIu64, path, shorter->count,
                    what, config->first, all ? 0 : config->n);
    }
    *n = all ? shorter->count - config->first : config->n;
    return SUMAC_OK;
}

sumac_status inputs_open(msm_inputs *files, const char *bases_path, const char *scalars_path,
                         const sumac_files_config *config, const reader_shape *shape, uint64_t *n)
{
    files->shape = *shape;
    sumac_status status = open_bases(files, bases_path, config);
    if (status == SUMAC_OK) {
        status = open_scalars(files, scalars_path);
    }
    return status == SUMAC_OK ? count_all(files, config, n) : status;
}

sumac_status inputs_fail_block(const msm_inputs *files, const record_block *block)
{
    const record_file *input = &files->inputs[block->which];
    const uint64_t end = block->offset + block->records * input->record_bytes - block->missing;
    char text[SYSTEM_ERROR_BYTES];
    return block->error == 0
               ? fail(files->context, SUMAC_BAD_FILE,
                      "%s: it changed while it was read: it ends at byte %" PRIu64, input->file.path, end)
               : fail(files->context, SUMAC_READ_FAILED, "%s: reading at byte %" PRIu64 " failed: %s",
                      input->file.path, end, system_error_text(block->error, text));
}

sumac_status inputs_sum(const msm_inputs *files, int which, uint64_t first, uint64_t n, uint8_t *block,
                        checksum *sum)
{
    const record_file *input = &files->inputs[which];
    for (uint64_t i = 0; i < n; i += input->block_records) {
        record_block read = {.which = which,
                             .offset = input->data + (first + i) * input->record_bytes,
                             .records = (size_t)smaller(n - i, input->block_records)};
        const size_t bytes = read.records * input->record_bytes;
        read.missing = input_read_at(&input->file, read.offset, block, bytes, &read.error);
        if (read.missing > 0) {
            return inputs_fail_block(files, &read);
        }
        checksum_add(sum, block, bytes);
        const sumac_status status = context_report(files->context, 0);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    return SUMAC_OK;
}

sumac_status inputs_check_table(const msm_inputs *files, uint64_t sum)
{
    const record_file *input = &files->inputs[INPUT_BASES];
    const container_section points = {.offset = input->data, .size = input->count * input->record_bytes};
    const uint64_t end = points.offset + points.size;
    uint8_t trailer[CONTAINER_MOST_TRAILER_BYTES], expected[CONTAINER_MOST_TRAILER_BYTES];
    const size_t bytes = container_encode_trailer(expected, &points, sum);
    record_block read = {.which = INPUT_BASES, .offset = end + bytes};
    read.missing = input_read_at(&input->file, end, trailer, bytes, &read.error);
    if (read.missing > 0) {
        return inputs_fail_block(files, &read);
    }
    return memcmp(trailer, expected, bytes) == 0 ? SUMAC_OK
                                                 : table_fail_points(&input->file, points.offset, end);
}
