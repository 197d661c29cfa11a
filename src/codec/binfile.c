/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/binfile.h"

#include <inttypes.h>
#include <string.h>

#include "codec/bytes.h"

/* The head of a file, of BINFILE_HEAD_BYTES or as many as there are. */
static sumac_status begin(binfile *file, const uint8_t *head, uint64_t size, const char *magic,
                          const char *kind, uint32_t version, sumac_message *why)
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

/* Whether the head of another section follows, at file->next, all of which is in the file. */
static sumac_status look_for_more(const binfile *file, int *more, sumac_message *why)
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

/* The head that lies there. */
static sumac_status add(binfile *file, const uint8_t *head, sumac_message *why)
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

sumac_status binfile_read(binfile *file, const byte_source *source, const char *magic, const char *kind,
                          uint32_t version, sumac_message *why)
{
    uint8_t head[BINFILE_HEAD_BYTES] = {0}, section_head[BINFILE_SECTION_HEAD_BYTES];
    const size_t there = source->size < sizeof head ? (size_t)source->size : sizeof head;
    int more = 0;
    sumac_status status = source->read(source->owner, 0, head, there);
    if (status == SUMAC_OK) {
        status = begin(file, head, source->size, magic, kind, version, why);
    }
    while (status == SUMAC_OK && (status = look_for_more(file, &more, why)) == SUMAC_OK && more) {
        status = source->read(source->owner, file->next, section_head, sizeof section_head);
        if (status == SUMAC_OK) {
            status = add(file, section_head, why);
        }
    }
    return status;
}

sumac_status binfile_find(const binfile *file, uint32_t type, const char *name,
                          const binfile_section **section, sumac_message *why)
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
                            const binfile_section **section, sumac_message *why)
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
