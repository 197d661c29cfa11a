/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/binfile.h"

#include <inttypes.h>
#include <string.h>

#include "codec/bytes.h"

sumac_status binfile_begin(binfile *file, const uint8_t *head, uint64_t size, const char *magic,
                           const char *kind, uint32_t version, refusal *why)
{
    if (size < BINFILE_HEAD_BYTES) {
        return refuse(why, SUMAC_BAD_FILE, "truncated: a %s file has more than %" PRIu64 " bytes", kind,
                      size);
    }
    if (memcmp(head, magic, 4) != 0) {
        return refuse(why, SUMAC_BAD_FILE, "it does not begin as a %s file", kind);
    }
    *file = (binfile){.size = size,
                      .version = load_le32(head + 4),
                      .count = load_le32(head + 8),
                      .next = BINFILE_HEAD_BYTES};
    if (file->version != version) {
        return refuse(why, SUMAC_BAD_FILE,
                      "a %s file of version %" PRIu32 " at byte 4; this library reads version %" PRIu32, kind,
                      file->version, version);
    }
    return file->count <= BINFILE_MOST_SECTIONS
               ? SUMAC_OK
               : refuse(why, SUMAC_BAD_FILE, "%" PRIu32 " sections at byte 8, where a %s file has at most %d",
                        file->count, kind, (int)BINFILE_MOST_SECTIONS);
}

sumac_status binfile_continues(const binfile *file, int *more, refusal *why)
{
    *more = file->known < file->count;
    if (*more && file->size - file->next < BINFILE_SECTION_HEAD_BYTES) {
        return refuse(why, SUMAC_BAD_FILE,
                      "truncated: it ends at byte %" PRIu64 ", in the head of section %" PRIu32
                      " of %" PRIu32,
                      file->size, file->known + 1, file->count);
    }
    if (!*more && file->next != file->size) {
        return refuse(why, SUMAC_BAD_FILE,
                      "too long: it should end at byte %" PRIu64 ", behind its last section", file->next);
    }
    return SUMAC_OK;
}

sumac_status binfile_add(binfile *file, const uint8_t *head, refusal *why)
{
    const binfile_section added = {load_le32(head), file->next + BINFILE_SECTION_HEAD_BYTES,
                                   load_le64(head + 4)};
    for (uint32_t i = 0; i < file->known; i++) {
        if (file->sections[i].type == added.type) {
            return refuse(why, SUMAC_BAD_FILE,
                          "section %" PRIu32 " is there twice: at bytes %" PRIu64 " and %" PRIu64, added.type,
                          file->sections[i].offset, added.offset);
        }
    }
    if (added.size > file->size - added.offset) {
        return refuse(why, SUMAC_BAD_FILE,
                      "truncated: section %" PRIu32 ", at byte %" PRIu64 ", has %" PRIu64
                      " bytes, and the file ends at byte %" PRIu64,
                      added.type, added.offset, added.size, file->size);
    }
    file->sections[file->known++] = added;
    file->next = added.offset + added.size;
    return SUMAC_OK;
}

sumac_status binfile_find(const binfile *file, uint32_t type, const char *name,
                          const binfile_section **section, refusal *why)
{
    for (uint32_t i = 0; i < file->known; i++) {
        if (file->sections[i].type == type) {
            *section = &file->sections[i];
            return SUMAC_OK;
        }
    }
    return refuse(why, SUMAC_BAD_FILE, "section %" PRIu32 " (%s) is missing", type, name);
}

sumac_status binfile_expect(const binfile *file, uint32_t type, const char *name, uint64_t size,
                            const binfile_section **section, refusal *why)
{
    const sumac_status status = binfile_find(file, type, name, section, why);
    if (status == SUMAC_OK && (*section)->size != size) {
        return refuse(why, SUMAC_BAD_FILE,
                      "section %" PRIu32 " (%s), at byte %" PRIu64 ", has %" PRIu64
                      " bytes, where there must be %" PRIu64,
                      type, name, (*section)->offset, (*section)->size, size);
    }
    return status;
}
