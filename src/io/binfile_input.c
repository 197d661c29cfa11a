/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/binfile_input.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "io/memory.h"

sumac_status binfile_input_begin(binfile_input *input, const char *magic, const char *kind, uint32_t version)
{
    refusal why = {""};
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

sumac_status binfile_input_read(binfile_input *input, const binfile_section *section, uint64_t first,
                                void *bytes, size_t count)
{
    const sumac_status status = input_seek(&input->file, section->offset + first);
    return status == SUMAC_OK ? input_read_exactly(&input->file, bytes, count) : status;
}

sumac_status binfile_input_header(binfile_input *input, uint32_t type, uint8_t *bytes, size_t most,
                                  const binfile_section **section)
{
    refusal why;
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
