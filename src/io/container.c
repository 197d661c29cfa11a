/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/container.h"

#include <inttypes.h>
#include <string.h>

#include "api/call.h"
#include "base/printable.h"
#include "base/try.h"

/* ---- Writing ---- */

sumac_status container_create(output_file *file, const container *layout)
{
    uint8_t header[CONTAINER_MOST_HEADER_BYTES];
    return output_write(file, header, container_encode(header, layout));
}

section_output section_begin(output_file *file, const container_section *section)
{
    section_output output = {.file = file, .section = section};
    checksum_begin(&output.sum);
    return output;
}

sumac_status section_write(section_output *output, const void *bytes, size_t count)
{
    checksum_add(&output->sum, bytes, count);
    return output_write(output->file, bytes, count);
}

sumac_status section_end(section_output *output)
{
    uint8_t trailer[CONTAINER_MOST_TRAILER_BYTES];
    return output_write(output->file, trailer,
                        container_encode_trailer(trailer, output->section, checksum_result(&output->sum)));
}

sumac_status section_save(output_file *file, const container_section *section, const void *bytes)
{
    section_output output = section_begin(file, section);
    TRY(section_write(&output, bytes, (size_t)section->size));
    return section_end(&output);
}

/* ---- Reading ---- */

sumac_status container_open(input_file *file, container_kind kind, container *layout)
{
    uint8_t header[CONTAINER_MOST_HEADER_BYTES];
    if (context_executor(file->context)->backend->device != NULL) {
        TRY(input_measure(file, INPUT_OF_ANY_SIZE));
    }
    if (file->offset != 0) {
        TRY(input_seek(file, 0));
    }
    TRY(input_read_exactly(file, header, CONTAINER_ALIGNMENT));
    TRY(input_refuse(file, container_decode_head(layout, header, kind, &file->why)));
    const size_t rest = container_header_bytes(layout) - CONTAINER_ALIGNMENT;
    TRY(input_read_exactly(file, header + CONTAINER_ALIGNMENT, rest));
    TRY(input_refuse(file, container_decode(layout, header, &file->why)));
    const uint64_t end = container_file_bytes(layout);
    if (file->has_size && file->size != end) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: %s: %" PRIu64 " bytes, where by its header the file ends at byte %" PRIu64,
                    file->path, file->size < end ? "truncated" : "too long", file->size, end);
    }
    return SUMAC_OK;
}

sumac_status container_expect_count(const input_file *file, const container *layout, uint32_t count)
{
    return layout->count == count
               ? SUMAC_OK
               : fail(file->context, SUMAC_BAD_FILE,
                      "%s: %" PRIu32 " sections by its header, where such a file has %" PRIu32, file->path,
                      layout->count, count);
}

sumac_status container_find_group(const input_file *file, const container *layout,
                                  const container_section *section, const sumac_group **group)
{
    const char *kind = container_kind_name(layout->kind);
    const sumac_group *found = NULL;
    const sumac_status status = sumac_group_find(layout->curve, section->group, &found);
    const sumac_group *info = status == SUMAC_OK ? found : NULL;
    /* The header must have the exact names of the curve and the group. sumac_group_find() also accepts other spellings,
     * so compare the names here. */
    if (info == NULL || strcmp(info->curve, layout->curve) != 0 || strcmp(info->name, section->group) != 0) {
        char curve_text[PRINTABLE_BYTES(CONTAINER_CURVE_BYTES)],
            group_text[PRINTABLE_BYTES(CONTAINER_GROUP_BYTES)];
        return fail(file->context, SUMAC_UNKNOWN_CURVE,
                    "%s: %s of %s %s, a curve that this library does not have", file->path, kind,
                    printable(curve_text, layout->curve, CONTAINER_CURVE_BYTES),
                    printable(group_text, section->group, CONTAINER_GROUP_BYTES));
    }
    if (*group != NULL && *group != found) {
        const sumac_group *expected = *group;
        return fail(file->context, SUMAC_MISMATCH, "%s: %s of %s %s, where %s %s is expected", file->path,
                    kind, info->curve, info->name, expected->curve, expected->name);
    }
    *group = found;
    return SUMAC_OK;
}

sumac_status section_open(section_input *input, input_file *file, const container *layout,
                          const container_section *section, const char *name)
{
    *input = (section_input){.file = file, .layout = layout, .section = section, .name = name};
    checksum_begin(&input->sum);
    return file->offset == section->offset ? SUMAC_OK : input_seek(file, section->offset);
}

sumac_status section_read(section_input *input, void *bytes, size_t count)
{
    TRY(input_read_exactly(input->file, bytes, count));
    checksum_add(&input->sum, bytes, count);
    return SUMAC_OK;
}

sumac_status section_close(section_input *input)
{
    uint8_t found[CONTAINER_MOST_TRAILER_BYTES], expected[CONTAINER_MOST_TRAILER_BYTES];
    const container *layout = input->layout;
    const size_t bytes = container_encode_trailer(expected, input->section, checksum_result(&input->sum));
    TRY(input_read_exactly(input->file, found, bytes));
    if (input->section == &layout->sections[layout->count - 1]) {
        TRY(input_expect_end(input->file));
    }
    return memcmp(found, expected, bytes) == 0
               ? SUMAC_OK
               : input_refuse(input->file,
                              container_refuse_section(input->section, input->name, &input->file->why));
}

sumac_status section_load(input_file *file, const container *layout, const container_section *section,
                          const char *name, void *bytes)
{
    section_input input;
    TRY(section_open(&input, file, layout, section, name));
    TRY(section_read(&input, bytes, (size_t)section->size));
    return section_close(&input);
}
