/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/binfile_input.h"

#include <stdlib.h>

#include "api/call.h"
#include "base/integers.h"
#include "io/memory.h"

static sumac_status find_sections(binfile_input *input)
{
    uint8_t head[BINFILE_SECTION_HEAD_BYTES];
    refusal why;
    int more = 0;
    sumac_status status = input_refuse(&input->file, binfile_continues(&input->sections, &more, &why), &why);
    while (status == SUMAC_OK && more) {
        status = input_seek(&input->file, input->sections.next);
        if (status == SUMAC_OK) {
            status = input_read_exactly(&input->file, head, sizeof head);
        }
        if (status == SUMAC_OK) {
            status = input_refuse(&input->file, binfile_add(&input->sections, head, &why), &why);
        }
        if (status == SUMAC_OK) {
            status = input_refuse(&input->file, binfile_continues(&input->sections, &more, &why), &why);
        }
    }
    return status;
}

sumac_status binfile_input_begin(binfile_input *input, const char *magic, const char *kind, uint32_t version)
{
    uint8_t head[BINFILE_HEAD_BYTES];
    refusal why;
    sumac_status status = input_measure(&input->file, INPUT_OF_ANY_SIZE);
    if (status == SUMAC_OK) {
        status = input_seek(&input->file, 0);
    }
    if (status == SUMAC_OK) {
        status = input_read_exactly(&input->file, head, (size_t)smaller(input->file.size, sizeof head));
    }
    if (status == SUMAC_OK) {
        status = input_refuse(
            &input->file, binfile_begin(&input->sections, head, input->file.size, magic, kind, version, &why),
            &why);
    }
    return status == SUMAC_OK ? find_sections(input) : status;
}

sumac_status binfile_input_open(binfile_input *input, sumac_context *context, const char *path,
                                const char *magic, const char *kind, uint32_t version)
{
    const sumac_status status = input_open(&input->file, context, path);
    return status == SUMAC_OK ? binfile_input_begin(input, magic, kind, version) : status;
}

sumac_status binfile_input_open_bytes(binfile_input *input, sumac_context *context, const void *bytes,
                                      size_t size, const char *name, const char *magic, const char *kind,
                                      uint32_t version)
{
    input_open_bytes(&input->file, context, bytes, size, name);
    return binfile_input_begin(input, magic, kind, version);
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

sumac_status binfile_input_take(binfile_input *input, const binfile_section *section, uint8_t **bytes)
{
    const uint64_t size = section->size;
    *bytes = NULL;
    sumac_status status = memory_require(input->file.context, input->file.path, size);
    if (status == SUMAC_OK) {
        *bytes = malloc(size > 0 ? (size_t)size : 1);
        status = *bytes == NULL ? memory_failed(input->file.context, input->file.path, size) : SUMAC_OK;
    }
    if (status == SUMAC_OK) {
        status = binfile_input_read(input, section, 0, *bytes, (size_t)size);
    }
    if (status != SUMAC_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
