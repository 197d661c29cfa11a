/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/binfile.h"

#include <inttypes.h>
#include <string.h>

#include "base/try.h"
#include "codec/bytes.h"
#include "codec/cursor.h"

static int is_twice(const binfile *file, uint32_t type)
{
    uint32_t i = 0;
    while (i < file->count && file->sections[i].type != type) {
        i++;
    }
    return i < file->count;
}

sumac_status binfile_read(binfile *file, const byte_source *source, const char *magic, const char *kind,
                          uint32_t version, sumac_message *why)
{
    uint8_t begins[4];
    const uint64_t size = source->size;
    cursor c = {.source = source, .why = why};
    *file = (binfile){.count = 0};
    cursor_require(&c, size >= BINFILE_HEAD_BYTES, SUMAC_BAD_FILE,
                   "truncated: a %s file has more than %" PRIu64 " bytes", kind, size);
    cursor_take(&c, "its magic", begins, sizeof begins);
    cursor_require(&c, memcmp(begins, magic, sizeof begins) == 0, SUMAC_BAD_FILE,
                   "it does not begin as a %s file", kind);
    const uint32_t found = cursor_le32(&c, "its version"), count = cursor_le32(&c, "its sections");
    cursor_require(&c, found == version, SUMAC_BAD_FILE,
                   "a %s file of version %" PRIu32 " at byte 4; this library reads version %" PRIu32, kind,
                   found, version);
    cursor_require(&c, count <= BINFILE_MOST_SECTIONS, SUMAC_BAD_FILE,
                   "%" PRIu32 " sections at byte 8, where a %s file has at most %d", count, kind,
                   (int)BINFILE_MOST_SECTIONS);
    while (c.status == SUMAC_OK && file->count < count) {
        cursor_require(&c, size - c.at >= BINFILE_SECTION_HEAD_BYTES, SUMAC_BAD_FILE,
                       "truncated: it ends at byte %" PRIu64 ", in the head of section %" PRIu32
                       " of %" PRIu32,
                       size, file->count + 1, count);
        binfile_section added = {.type = cursor_le32(&c, "a section"), .size = cursor_le64(&c, "a section")};
        added.offset = c.at;
        cursor_require(&c, !is_twice(file, added.type), SUMAC_BAD_FILE,
                       "section %" PRIu32 " is there twice, the second time at byte %" PRIu64, added.type,
                       added.offset);
        cursor_require(&c, added.size <= size - c.at, SUMAC_BAD_FILE,
                       "truncated: section %" PRIu32 ", at byte %" PRIu64 ", has %" PRIu64
                       " bytes, and the file ends at byte %" PRIu64,
                       added.type, added.offset, added.size, size);
        cursor_skip(&c, "a section", added.size, 1);
        file->sections[file->count++] = added;
    }
    cursor_require(&c, c.at == size, SUMAC_BAD_FILE,
                   "too long: it should end at byte %" PRIu64 ", behind its last section", c.at);
    return c.status;
}

sumac_status binfile_find(const binfile *file, uint32_t type, const char *name,
                          const binfile_section **section, sumac_message *why)
{
    for (uint32_t i = 0; i < file->count; i++) {
        if (file->sections[i].type == type) {
            *section = &file->sections[i];
            return SUMAC_OK;
        }
    }
    return refuse(why, SUMAC_BAD_FILE, "section %" PRIu32 " (%s) is missing", type, name);
}

sumac_status binfile_expect(const binfile *file, uint32_t type, const char *name, uint64_t size,
                            const binfile_section **section, sumac_message *why)
{
    TRY(binfile_find(file, type, name, section, why));
    return (*section)->size == size ? SUMAC_OK
                                    : refuse(why, SUMAC_BAD_FILE,
                                             "section %" PRIu32 " (%s), at byte %" PRIu64 ", has %" PRIu64
                                             " bytes, where there must be %" PRIu64,
                                             type, name, (*section)->offset, (*section)->size, size);
}

sumac_status binfile_prime_bytes(const uint8_t *header, uint64_t size, uint64_t others, uint32_t *prime_bytes,
                                 sumac_message *why)
{
    *prime_bytes = size < 4 ? 0 : load_le32(header);
    if (*prime_bytes == 0 || size != others + *prime_bytes) {
        return refuse(why, SUMAC_BAD_FILE,
                      "section 1 (header) has %" PRIu64 " bytes, which a prime of %" PRIu32
                      " bytes does not have",
                      size, *prime_bytes);
    }
    return SUMAC_OK;
}
