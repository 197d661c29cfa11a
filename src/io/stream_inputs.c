/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE /* macOS's st_mtimespec */

#include "io/stream_inputs.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/table.h"
#include "io/bases_files.h"
#include "io/records.h"
#include "io/table.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

/* If a file is smaller than this, it does not pay to open a second descriptor for direct reads. */
#define DIRECT_LEAST ((uint64_t)64 << 20)

void inputs_init(stream_inputs *inputs, sumac_context *context, const sumac_group *group)
{
    *inputs = (stream_inputs){.context = context, .group = group};
    for (int i = 0; i < INPUTS; i++) {
        inputs->files[i].file = INPUT_CLOSED;
        inputs->files[i].direct.descriptor = -1;
    }
}

void inputs_close(stream_inputs *inputs)
{
    for (int i = 0; i < INPUTS; i++) {
        input_close(&inputs->files[i].file);
        direct_close(&inputs->files[i].direct);
    }
}

/* ---- Opening ---- */

static sumac_status get_facts(const input_file *file, struct stat *facts)
{
    return fstat(file->descriptor, facts) == 0
               ? SUMAC_OK
               : fail(file->context, SUMAC_READ_FAILED, "%s: its length can't be determined any more",
                      file->path);
}

/* Open a regular file of records of this size. Pipes and kernel files have no length, so they can't be read in parts,
 * and are refused. */
static sumac_status open_file(stream_inputs *inputs, int which, const char *path, size_t record_bytes)
{
    record_file *input = &inputs->files[which];
    input_file *file = &input->file;
    struct stat facts;
    int is_empty = 1;
    /* A pipe is not opened, because that would wait for its writer. */
    const int is_pipe = stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode);
    if (!is_pipe) {
        TRY(input_open(file, inputs->context, path));
        TRY(get_facts(file, &facts));
    }
    if (!S_ISREG(facts.st_mode)) {
        return fail(inputs->context, SUMAC_NOT_SUPPORTED,
                    "%s: only regular files are streamed: pipes and devices are read whole", path);
    }
    if (!file->has_size) {
        TRY(input_expect_nothing(file, &is_empty));
    }
    if (!is_empty) {
        return fail(inputs->context, SUMAC_NOT_SUPPORTED, "%s: a kernel file can only be read as a whole",
                    path);
    }
    inputs->modified[which] = facts.st_mtim;
    input->record_bytes = record_bytes;
    input->block_records = inputs->shape.block_bytes / record_bytes;
    /* Direct reads are used only with several threads. A single thread is faster with the system's read-ahead. */
    if (inputs->shape.threads > 1 && file->start == 0 && file->size >= DIRECT_LEAST) {
        direct_open(&input->direct, file->descriptor, file->size);
    }
    return SUMAC_OK;
}

/* Open a table without multiples. It is read as a whole, because its checksum covers all points. */
static sumac_status open_table(stream_inputs *inputs, const sumac_files_config *config)
{
    record_file *input = &inputs->files[INPUT_BASES];
    const container_section *table = &inputs->table;
    TRY(table_open_points(&input->file, inputs->group, &inputs->table));
    if (table->numbers[TABLE_FACTOR] != 1) {
        return fail(inputs->context, SUMAC_NOT_SUPPORTED,
                    "%s: a table with multiples is read whole; one without them can be streamed",
                    input->file.path);
    }
    if (config->first != 0 || (config->n != 0 && config->n != table->count)) {
        return fail(inputs->context, SUMAC_NOT_SUPPORTED,
                    "%s: the checksum of a table is that of all its %" PRIu64
                    " points: it can't be streamed in part",
                    input->file.path, table->count);
    }
    inputs->is_table = 1;
    inputs->records = &montgomery_records;
    input->data = table->offset;
    input->count = table->count;
    return SUMAC_OK;
}

static sumac_status open_bases(stream_inputs *inputs, const char *path, const sumac_files_config *config)
{
    record_file *input = &inputs->files[INPUT_BASES];
    record_run run;
    TRY(open_file(inputs, INPUT_BASES, path, inputs->group->point_bytes));
    TRY(format_choose(&input->file, config->format, inputs->group, &inputs->format));
    if (inputs->format->layout == LAYOUT_TABLE) {
        return open_table(inputs, config);
    }
    if (inputs->format->layout == LAYOUT_TRUSTED_SETUP) {
        return fail(inputs->context, SUMAC_NOT_SUPPORTED,
                    "%s: files of the format %s are not records of one size: they are read whole", path,
                    inputs->format->info.name);
    }
    TRY(records_locate(&input->file, inputs->group, inputs->format, &run));
    inputs->records = run.format;
    input->record_bytes = format_record_bytes(run.format, inputs->group);
    input->data = run.offset;
    input->count = run.count;
    return SUMAC_OK;
}

static sumac_status open_scalars(stream_inputs *inputs, const char *path)
{
    record_file *input = &inputs->files[INPUT_SCALARS];
    TRY(open_file(inputs, INPUT_SCALARS, path, inputs->group->scalar_bytes));
    input->count = input->file.size / input->record_bytes;
    return scalars_check_size(&input->file, inputs->group);
}

sumac_status inputs_open(stream_inputs *inputs, const char *bases_path, const char *scalars_path,
                         const sumac_files_config *config, const reader_shape *shape, uint64_t *n)
{
    inputs->shape = *shape;
    TRY(open_bases(inputs, bases_path, config));
    TRY(open_scalars(inputs, scalars_path));
    const record_file *bases = &inputs->files[INPUT_BASES], *scalars = &inputs->files[INPUT_SCALARS];
    const record_file *shorter = bases->count <= scalars->count ? bases : scalars;
    const int all = config->n == 0;
    if (all && bases->count != scalars->count) { /* if a file was cut off, it must not pass for a short one */
        return fail(inputs->context, SUMAC_BAD_LENGTH,
                    "%s: there are %" PRIu64 " bases, and in %s %" PRIu64 " scalars", bases->file.path,
                    bases->count, scalars->file.path, scalars->count);
    }
    if (config->first > shorter->count || (!all && config->n > shorter->count - config->first)) {
        return fail(inputs->context, SUMAC_BAD_LENGTH,
                    "%s: there are %" PRIu64 " %s, fewer than %" PRIu64 " + %" PRIu64, shorter->file.path,
                    shorter->count, shorter == bases ? "bases" : "scalars", config->first,
                    all ? 0 : config->n);
    }
    *n = all ? shorter->count - config->first : config->n;
    return SUMAC_OK;
}

/* ---- Checking ---- */

sumac_status inputs_check_unchanged(const stream_inputs *inputs)
{
    for (int i = INPUTS - 1; i >= 0; i--) { /* the bases are checked first */
        const input_file *file = &inputs->files[i].file;
        const struct timespec *then = &inputs->modified[i];
        struct stat now;
        TRY(get_facts(file, &now));
        if ((uint64_t)now.st_size != file->start + file->size) {
            return fail(inputs->context, SUMAC_BAD_FILE,
                        "%s: it changed while it was read: it had %" PRIu64 " bytes and has %" PRIu64,
                        file->path, file->start + file->size, (uint64_t)now.st_size);
        }
        if (now.st_mtim.tv_sec != then->tv_sec || now.st_mtim.tv_nsec != then->tv_nsec) {
            return fail(inputs->context, SUMAC_BAD_FILE, "%s: it changed while it was read", file->path);
        }
    }
    return SUMAC_OK;
}

sumac_status inputs_refuse_block(const stream_inputs *inputs, const record_block *block)
{
    const record_file *input = &inputs->files[block->which];
    const uint64_t end = block->offset + block->records * input->record_bytes - block->missing;
    char text[SYSTEM_ERROR_BYTES];
    return block->error == 0
               ? fail(inputs->context, SUMAC_BAD_FILE,
                      "%s: it changed while it was read: it ends at byte %" PRIu64, input->file.path, end)
               : fail(inputs->context, SUMAC_READ_FAILED, "%s: reading at byte %" PRIu64 " failed: %s",
                      input->file.path, end, system_error_text(block->error, text));
}

sumac_status inputs_add_to_checksum(const stream_inputs *inputs, int which, uint64_t first, uint64_t n,
                                    uint8_t *block, checksum *sum)
{
    const record_file *input = &inputs->files[which];
    for (uint64_t i = 0; i < n; i += input->block_records) {
        record_block read = {.which = which,
                             .offset = input->data + (first + i) * input->record_bytes,
                             .records = (size_t)smaller(n - i, input->block_records)};
        const size_t bytes = read.records * input->record_bytes;
        read.missing = input_read_at(&input->file, read.offset, block, bytes, &read.error);
        if (read.missing > 0) {
            return inputs_refuse_block(inputs, &read);
        }
        checksum_add(sum, block, bytes);
        TRY(context_report(inputs->context, 0));
    }
    return SUMAC_OK;
}

sumac_status inputs_check_table(stream_inputs *inputs, uint64_t sum)
{
    input_file *file = &inputs->files[INPUT_BASES].file;
    const uint64_t end = inputs->table.offset + inputs->table.size;
    uint8_t trailer[CONTAINER_MOST_TRAILER_BYTES], expected[CONTAINER_MOST_TRAILER_BYTES];
    const size_t bytes = container_encode_trailer(expected, &inputs->table, sum);
    record_block read = {.which = INPUT_BASES, .offset = end + bytes};
    read.missing = input_read_at(file, end, trailer, bytes, &read.error);
    if (read.missing > 0) {
        return inputs_refuse_block(inputs, &read);
    }
    return memcmp(trailer, expected, bytes) == 0
               ? SUMAC_OK
               : input_refuse(file, container_refuse_section(&inputs->table, "the points", &file->why));
}
