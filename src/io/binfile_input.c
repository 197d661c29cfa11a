/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/binfile_input.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "api/call.h"
#include "base/integers.h"
#include "io/memory.h"
#include "pipeline/parallel.h"

/* So many bytes and more are read by the context's threads, a slice each: most of it is waiting for fresh memory. */
#define SHARED_LEAST ((size_t)4 << 20)
#define SLICE_BYTES ((size_t)1 << 20)

sumac_status binfile_input_begin(binfile_input *input, const char *magic, const char *kind, uint32_t version)
{
    sumac_message why = {""};
    const sumac_status status = input_measure(&input->file, INPUT_OF_ANY_SIZE);
    if (status != SUMAC_OK) {
        return status;
    }
    const byte_source source = input_source(&input->file);
    return input_refuse(&input->file, binfile_read(&input->sections, &source, magic, kind, version, &why),
                        &why);
}

sumac_status binfile_input_open(binfile_input *input, sumac_context *context, const char *path,
                                const char *magic, const char *kind, uint32_t version)
{
    const sumac_status status = input_open(&input->file, context, path);
    return status == SUMAC_OK ? binfile_input_begin(input, magic, kind, version) : status;
}

void binfile_input_close(binfile_input *input)
{
    input_close(&input->file);
}

sumac_status binfile_input_find(const binfile_input *input, uint32_t type, const char *name,
                                const binfile_section **section)
{
    sumac_message why;
    return input_refuse(&input->file, binfile_find(&input->sections, type, name, section, &why), &why);
}

sumac_status binfile_input_expect(const binfile_input *input, uint32_t type, const char *name, uint64_t size,
                                  const binfile_section **section)
{
    sumac_message why;
    return input_refuse(&input->file, binfile_expect(&input->sections, type, name, size, section, &why),
                        &why);
}

typedef struct shared_read {
    const input_file *file;
    uint64_t offset; /* in it */
    uint8_t *bytes;
    size_t count;
    _Atomic int is_unread; /* some of it */
} shared_read;

static void read_slice(void *arguments, size_t index, uint32_t thread)
{
    shared_read *read = arguments;
    const size_t first = index * SLICE_BYTES, count = smaller(SLICE_BYTES, read->count - first);
    int error;
    (void)thread;
    if (input_read_at(read->file, read->offset + first, read->bytes + first, count, &error) > 0) {
        atomic_store_explicit(&read->is_unread, 1, memory_order_relaxed);
    }
}

/* Whether all of it could be read. */
static int read_by_threads(const input_file *file, uint64_t offset, void *bytes, size_t count)
{
    const parallel_team team = executor_team(context_executor(file->context), "read");
    shared_read read = {.file = file, .offset = offset, .bytes = bytes, .count = count};
    parallel_for(&team, ceil_divide(count, SLICE_BYTES), read_slice, &read);
    return !read.is_unread;
}

sumac_status binfile_input_read(binfile_input *input, const binfile_section *section, uint64_t first,
                                void *bytes, size_t count)
{
    const uint64_t offset = section->offset + first;
    if (count >= SHARED_LEAST && read_by_threads(&input->file, offset, bytes, count)) {
        return input_seek(&input->file, offset + count);
    }
    /* What the threads could not read is read once more, for the sentence. */
    const sumac_status status = input_seek(&input->file, offset);
    return status == SUMAC_OK ? input_read_exactly(&input->file, bytes, count) : status;
}

sumac_status binfile_input_header(binfile_input *input, uint32_t type, uint8_t *bytes, size_t most,
                                  const binfile_section **section)
{
    sumac_message why;
    sumac_status status = binfile_find(&input->sections, type, "header", section, &why);
    if (status == SUMAC_OK && (*section)->size > most) {
        status = refuse(&why, SUMAC_BAD_FILE,
                        "section %" PRIu32 " (header), at byte %" PRIu64 ", has %" PRIu64 " bytes", type,
                        (*section)->offset, (*section)->size);
    }
    return status == SUMAC_OK ? binfile_input_read(input, *section, 0, bytes, (size_t)(*section)->size)
                              : input_refuse(&input->file, status, &why);
}

sumac_status binfile_input_take(binfile_input *input, const binfile_section *section, uint8_t **bytes)
{
    const uint64_t size = section->size;
    sumac_status status;
    *bytes = memory_allocate(input->file.context, input->file.path, size, &status);
    if (status == SUMAC_OK) {
        status = binfile_input_read(input, section, 0, *bytes, (size_t)size);
    }
    if (status != SUMAC_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
