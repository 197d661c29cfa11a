/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/binfile_output.h"

#include "base/try.h"
#include "codec/binfile.h"

sumac_status binfile_write_head(output_file *file, const char *magic, uint32_t version, uint32_t sections)
{
    uint8_t head[BINFILE_HEAD_BYTES];
    binfile_encode_head(head, magic, version, sections);
    return output_write(file, head, sizeof head);
}

sumac_status binfile_write_section(output_file *file, uint32_t type, uint64_t size, const void *bytes)
{
    uint8_t head[BINFILE_SECTION_HEAD_BYTES];
    binfile_encode_section_head(head, type, size);
    TRY(output_write(file, head, sizeof head));
    return bytes != NULL ? output_write(file, bytes, (size_t)size) : SUMAC_OK;
}
