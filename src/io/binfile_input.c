/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/binfile_input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "io/memory.h"
#include "pipeline/parallel.h"

/* If a section has at least this size, each of the context's threads reads a slice of it, because most of the time goes
 * into the first write to each page of memory. */
#define SHARED_LEAST ((size_t)4 << 20)

/* A file was refused. If it begins as another kind of file, say as which. */
static sumac_status refuse_other(input_file *file, const char *magic, const char *kind)
{
    uint8_t begins[4] = {0};
    char likely[FILE_LIKELY_BYTES];
    int error;
    return file->size < sizeof begins || input_read_at(file, 0, begins, sizeof begins, &error) > 0 ||
                   memcmp(begins, magic, sizeof begins) == 0
               ? SUMAC_BAD_FILE
               : refuse(&file->why, SUMAC_BAD_FILE, "it does not begin as a %s file%s", kind,
                        input_likely_text(file, likely));
}

sumac_status binfile_input_begin(binfile_input *input, input_file *file, const char *magic, const char *kind,
                                 uint32_t version)
{
    input->file = file;
    TRY(input_measure(file, INPUT_OF_ANY_SIZE));
    const byte_source source = input_source(file);
    sumac_status status = binfile_read(&input->sections, &source, magic, kind, version, &file->why);
    if (status == SUMAC_BAD_FILE) {
        status = refuse_other(file, magic, kind);
    }
    return input_refuse(file, status);
}

sumac_status binfile_input_find(binfile_input *input, uint32_t type, const char *name,
                                const binfile_section **section)
{
    return input_refuse(input->file, binfile_find(&input->sections, type, name, section, &input->file->why));
}

sumac_status binfile_input_expect(binfile_input *input, uint32_t type, const char *name, uint64_t size,
                                  const binfile_section **section)
{
    return input_refuse(input->file,
                        binfile_expect(&input->sections, type, name, size, section, &input->file->why));
}

static void slice_task(void *arguments, size_t index, uint32_t thread)
{
    (void)thread;
    input_read_slice(arguments, index);
}

sumac_status binfile_input_read(binfile_input *input, const binfile_section *section, uint64_t first,
                                void *bytes, size_t count)
{
    input_file *file = input->file;
    const uint64_t offset = section->offset + first;
    if (count >= SHARED_LEAST) {
        const parallel_team team = executor_team(context_executor(file->context), "read");
        input_slices slices = {.file = file, .offset = offset, .bytes = bytes, .count = count};
        parallel_for(&team, input_slice_count(&slices), slice_task, &slices);
        return input_finish_slices(file, &slices);
    }
    TRY(input_seek(file, offset));
    return input_read_exactly(file, bytes, count);
}

sumac_status binfile_input_header(binfile_input *input, uint32_t type, uint8_t *bytes, size_t most,
                                  const binfile_section **section)
{
    TRY(input_refuse(input->file,
                     binfile_find(&input->sections, type, "header", section, &input->file->why)));
    if ((*section)->size > most) {
        return fail(input->file->context, SUMAC_BAD_FILE,
                    "%s: section %" PRIu32 " (header), at byte %" PRIu64 ", has %" PRIu64 " bytes",
                    input->file->path, type, (*section)->offset, (*section)->size);
    }
    return binfile_input_read(input, *section, 0, bytes, (size_t)(*section)->size);
}

sumac_status binfile_input_take(binfile_input *input, const binfile_section *section, uint8_t **bytes)
{
    *bytes = memory_allocate(input->file->context, input->file->path, section->size);
    TRY(memory_got(*bytes));
    return binfile_input_read(input, section, 0, *bytes, (size_t)section->size);
}
