/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/container.h"

#include <inttypes.h>

#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "codec/file_kinds.h"

/* The magic has a byte with its high bit set, and line ends. As in PNG, they reveal a file that was copied as text.
 * Version 1 had five kinds of files, each with a different magic and header. The first two and the last two bytes of
 * each magic were the same as here. */
const uint8_t container_magic[CONTAINER_MAGIC_BYTES] = {0x89, 'S', 'U', 'M', 'A', 'C', '\r', '\n'};

static const char *const kind_names[CONTAINER_KINDS] = {
    "a file",        "a table",           "a partial result", "a checkpoint",
    "a saved setup", "saved FK20 tables", "a prepared key",   "a prepared PLONK key",
};

enum {
    CHECKSUM_BYTES = 8,
    /* The fields in the first 64 bytes of the header have these offsets. */
    AT_VERSION = 8,
    AT_KIND = 12,
    AT_CURVE = 16,
    AT_SECTIONS = 48,
    AT_CHECKSUM = 56,
    /* The fields of an entry in the header's list of sections have these offsets. */
    AT_TYPE = 0,
    AT_FLAGS = 4,
    AT_GROUP = 8,
    AT_OFFSET = 16,
    AT_SIZE = 24,
    AT_COUNT = 32,
    AT_NUMBERS = 40
};

const char *container_kind_name(container_kind kind)
{
    return kind_names[kind < CONTAINER_KINDS ? kind : 0];
}

size_t container_header_bytes(const container *file)
{
    return (1 + (size_t)file->count) * CONTAINER_ALIGNMENT;
}

/* Return the end of the checksum and the zeros that follow a section. */
static uint64_t section_end(const container_section *section)
{
    const uint64_t end = section->offset + section->size + CHECKSUM_BYTES;
    return ceil_divide(end, CONTAINER_ALIGNMENT) * CONTAINER_ALIGNMENT;
}

uint64_t container_file_bytes(const container *file)
{
    return file->count == 0 ? CONTAINER_ALIGNMENT : section_end(&file->sections[file->count - 1]);
}

const container_section *container_find(const container *file, uint32_t type)
{
    for (uint32_t i = 0; i < file->count; i++) {
        if (file->sections[i].type == type) {
            return &file->sections[i];
        }
    }
    return NULL;
}

sumac_status container_expect(const container *file, const container_section *expected,
                              const container_section **section, sumac_message *why)
{
    const container_section *found = *section = container_find(file, expected->type);
    return found != NULL && found->flags == expected->flags && found->size == expected->size &&
                   found->count == expected->count && strcmp(found->group, expected->group) == 0 &&
                   memcmp(found->numbers, expected->numbers, sizeof found->numbers) == 0
               ? SUMAC_OK
               : container_refuse_sizes(why);
}

/* ---- Writing ---- */

container_section *container_add(container *file, uint32_t type, const char *group, uint64_t size)
{
    container_section *added = &file->sections[file->count++];
    *added = (container_section){.type = type, .size = size};
    memcpy(added->group, group, strnlen(group, CONTAINER_GROUP_BYTES));
    /* The list of sections has become longer, so all sections begin later. */
    for (uint32_t i = 0; i < file->count; i++) {
        file->sections[i].offset =
            i == 0 ? container_header_bytes(file) : section_end(&file->sections[i - 1]);
    }
    return added;
}

static uint64_t header_checksum(const uint8_t *header, size_t bytes)
{
    checksum sum;
    checksum_begin(&sum);
    checksum_add(&sum, header, AT_CHECKSUM);
    checksum_add(&sum, header + CONTAINER_ALIGNMENT, bytes - CONTAINER_ALIGNMENT);
    return checksum_result(&sum);
}

size_t container_encode(uint8_t header[CONTAINER_MOST_HEADER_BYTES], const container *file)
{
    const size_t bytes = container_header_bytes(file);
    memset(header, 0, bytes);
    memcpy(header, container_magic, sizeof container_magic);
    store_le32(header + AT_VERSION, CONTAINER_VERSION);
    store_le32(header + AT_KIND, (uint32_t)file->kind);
    memcpy(header + AT_CURVE, file->curve, strlen(file->curve));
    store_le32(header + AT_SECTIONS, file->count);
    for (uint32_t i = 0; i < file->count; i++) {
        const container_section *section = &file->sections[i];
        uint8_t *entry = header + (1 + i) * CONTAINER_ALIGNMENT;
        store_le32(entry + AT_TYPE, section->type);
        store_le32(entry + AT_FLAGS, section->flags);
        memcpy(entry + AT_GROUP, section->group, strlen(section->group));
        store_le64(entry + AT_OFFSET, section->offset);
        store_le64(entry + AT_SIZE, section->size);
        store_le64(entry + AT_COUNT, section->count);
        for (size_t j = 0; j < CONTAINER_NUMBERS; j++) {
            store_le32(entry + AT_NUMBERS + 4 * j, section->numbers[j]);
        }
    }
    store_le64(header + AT_CHECKSUM, header_checksum(header, bytes));
    return bytes;
}

size_t container_encode_trailer(uint8_t trailer[CONTAINER_MOST_TRAILER_BYTES],
                                const container_section *section, uint64_t sum)
{
    memset(trailer, 0, CONTAINER_MOST_TRAILER_BYTES);
    store_le64(trailer, sum);
    return (size_t)(section_end(section) - section->offset - section->size);
}

/* ---- Reading ---- */

int container_begins(const uint8_t *bytes, size_t count)
{
    return count >= sizeof container_magic && memcmp(bytes, container_magic, 2) == 0 &&
           memcmp(bytes + 6, container_magic + 6, 2) == 0;
}

sumac_status container_decode_head(container *file, const uint8_t *head, container_kind expected,
                                   sumac_message *why)
{
    const char *name = container_kind_name(expected);
    if (!container_begins(head, CONTAINER_MAGIC_BYTES)) {
        return refuse(why, SUMAC_BAD_FILE, "not %s: it does not begin like one", name);
    }
    const uint32_t version =
        memcmp(head, container_magic, sizeof container_magic) == 0 ? load_le32(head + AT_VERSION) : 1;
    if (version != CONTAINER_VERSION) {
        return refuse(why, SUMAC_BAD_FILE,
                      "a file of version %" PRIu32 ", by its first bytes; this library reads version %d and "
                      "must write the file again",
                      version, (int)CONTAINER_VERSION);
    }
    *file = (container){.kind = (container_kind)load_le32(head + AT_KIND),
                        .count = load_le32(head + AT_SECTIONS)};
    if (file->kind != expected) {
        return refuse(why, SUMAC_BAD_FILE, "%s, by its byte %d, where %s is expected",
                      container_kind_name(file->kind), (int)AT_KIND, name);
    }
    return file->count > 0 && file->count <= CONTAINER_MOST_SECTIONS
               ? SUMAC_OK
               : refuse(why, SUMAC_BAD_FILE, "%" PRIu32 " sections at byte %d, where a file has 1 to %d",
                        file->count, (int)AT_SECTIONS, (int)CONTAINER_MOST_SECTIONS);
}

sumac_status container_refuse_sizes(sumac_message *why)
{
    return refuse(why, SUMAC_BAD_FILE, "the sizes in the header do not fit each other");
}

/* Decode an entry of the list of sections. Types must ascend, and each section must begin where the previous one
 * ends. */
static sumac_status decode_entry(container *file, uint32_t i, const uint8_t *entry, sumac_message *why)
{
    const container_section *before = i == 0 ? NULL : &file->sections[i - 1];
    container_section *section = &file->sections[i];
    uint64_t end;
    *section = (container_section){.type = load_le32(entry + AT_TYPE),
                                   .flags = load_le32(entry + AT_FLAGS),
                                   .offset = load_le64(entry + AT_OFFSET),
                                   .size = load_le64(entry + AT_SIZE),
                                   .count = load_le64(entry + AT_COUNT)};
    memcpy(section->group, entry + AT_GROUP, CONTAINER_GROUP_BYTES);
    for (size_t j = 0; j < CONTAINER_NUMBERS; j++) {
        section->numbers[j] = load_le32(entry + AT_NUMBERS + 4 * j);
    }
    return section->offset == (before == NULL ? container_header_bytes(file) : section_end(before)) &&
                   (before == NULL || section->type > before->type) &&
                   !__builtin_add_overflow(section->offset, section->size, &end) &&
                   end < UINT64_MAX - CONTAINER_MOST_TRAILER_BYTES
               ? SUMAC_OK
               : container_refuse_sizes(why);
}

sumac_status container_decode(container *file, const uint8_t *header, sumac_message *why)
{
    uint8_t again[CONTAINER_MOST_HEADER_BYTES];
    const size_t bytes = container_header_bytes(file);
    if (load_le64(header + AT_CHECKSUM) != header_checksum(header, bytes)) {
        return refuse(why, SUMAC_BAD_CHECKSUM,
                      "the header, bytes 0 to %zu, is damaged: its checksum does not match", bytes - 1);
    }
    memcpy(file->curve, header + AT_CURVE, CONTAINER_CURVE_BYTES);
    for (uint32_t i = 0; i < file->count; i++) {
        TRY(decode_entry(file, i, header + (1 + i) * CONTAINER_ALIGNMENT, why));
    }
    /* A header has exactly one encoding: reserved bytes, and those after a name, must be zero. So encode the header
     * again, and compare. */
    container_encode(again, file);
    return memcmp(again, header, bytes) == 0
               ? SUMAC_OK
               : refuse(why, SUMAC_BAD_FILE, "the header uses bits that this version does not know");
}

sumac_status container_refuse_section(const container_section *section, const char *name, sumac_message *why)
{
    return refuse(why, SUMAC_BAD_CHECKSUM,
                  "%s, bytes %" PRIu64 " to %" PRIu64 ": damaged, as the checksum behind them does not match",
                  name, section->offset, section->offset + section->size - 1);
}

/* ---- Kinds of files ---- */

/* Define a kind of file by its number; the magic and the version follow from that. */
#define OURS(number, is, whose, what_to_do)                                                                  \
    FILE_KIND("\x89SUMAC\r\n\2\0\0\0" number "\0\0\0", is, whose, what_to_do)

const file_kind table_kind = OURS("\1", "a table", FILE_TABLE, NULL);
const file_kind partial_kind = OURS("\2", "a partial result", FILE_PARTIAL, NULL);
const file_kind checkpoint_kind = OURS("\3", "a checkpoint", FILE_CHECKPOINT, NULL);
const file_kind setup_kind = OURS("\4", "a saved setup", FILE_SETUP, NULL);
const file_kind fk20_kind = OURS("\5", "saved FK20 tables", FILE_FK20, NULL);
const file_kind prepared_key_kind =
    OURS("\6", "a prepared proving key", FILE_OTHER,
         "`sumac groth16 prove` takes it, and `sumac groth16 info` tells more");
const file_kind prepared_plonk_kind = OURS("\7", "a prepared PLONK proving key", FILE_OTHER,
                                           "`sumac plonk prove` takes it, and `sumac plonk info` tells more");

/* Recognize files of other versions. Partial results of version 1 began differently from its other files. */
static int fits_other_version(const file_kind *kind, const file_head *head)
{
    (void)kind;
    return container_begins(head->bytes, head->count) ||
           (head->count >= 8 && memcmp(head->bytes, "sumacPR1", 8) == 0);
}

const file_kind other_version_kind = FILE_KIND_BY(fits_other_version, "a file of another version of sumac",
                                                  FILE_OTHER, "this version has to write it again");
