/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions read files in the library's container, as docs/formats.md describes them. Tests and fuzz targets find
 * sections, change bytes, and correct the checksums, so that the code after the checksums' comparison is tested. Only
 * the checksum function is the library's.
 */
#ifndef SUMAC_TESTS_SUPPORT_CONTAINER_H
#define SUMAC_TESTS_SUPPORT_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "codec/checksum.h"

enum {
    /* These are offsets in the header. */
    HEADER_VERSION = 8,
    HEADER_KIND = 12,
    HEADER_CURVE = 16,
    HEADER_SECTIONS = 48,
    HEADER_RESERVED = 52,
    HEADER_CHECKSUM = 56,
    HEADER_ENTRIES = 64,
    /* These are offsets in an entry, which has 64 bytes. */
    ENTRY_TYPE = 0,
    ENTRY_FLAGS = 4,
    ENTRY_GROUP = 8,
    ENTRY_OFFSET = 16,
    ENTRY_SIZE = 24,
    ENTRY_COUNT = 32,
    ENTRY_NUMBERS = 40, /* four numbers of 4 bytes */
    ENTRY_RESERVED = 56,
    ENTRY_BYTES = 64
};

static inline uint64_t file_load(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0) {
        value = value << 8 | at[bytes];
    }
    return value;
}

static inline void file_store(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

/* Return the end of a section of `size` bytes at `offset`, including its checksum and padding. */
static inline size_t file_section_end(size_t offset, size_t size)
{
    return (offset + size + 8 + 63) / 64 * 64;
}

typedef struct file_section {
    size_t entry;        /* its entry's offset in the header */
    size_t offset, size; /* its bytes, which its checksum follows */
    size_t end;
} file_section;

/* Return the number of sections, or of those whose entries lie in the file. */
static inline size_t file_sections(const uint8_t *bytes, size_t size)
{
    const uint64_t count = size < HEADER_ENTRIES ? 0 : file_load(bytes + HEADER_SECTIONS, 4);
    return count <= (size - HEADER_ENTRIES) / ENTRY_BYTES ? (size_t)count : 0;
}

static inline file_section file_section_at(const uint8_t *bytes, size_t i)
{
    const size_t entry = HEADER_ENTRIES + i * ENTRY_BYTES;
    const size_t offset = (size_t)file_load(bytes + entry + ENTRY_OFFSET, 8);
    const size_t size = (size_t)file_load(bytes + entry + ENTRY_SIZE, 8);
    return (file_section){entry, offset, size, file_section_end(offset, size)};
}

/* Return the section of a type. There must be one. */
static inline file_section file_section_of(const uint8_t *bytes, uint32_t type)
{
    size_t i = 0;
    while (file_load(bytes + HEADER_ENTRIES + i * ENTRY_BYTES, 4) != type) {
        i++;
    }
    return file_section_at(bytes, i);
}

static inline void file_correct_header(uint8_t *bytes, size_t size)
{
    checksum sum;
    if (size < HEADER_ENTRIES) {
        return;
    }
    checksum_begin(&sum);
    checksum_add(&sum, bytes, HEADER_CHECKSUM);
    checksum_add(&sum, bytes + HEADER_ENTRIES, file_sections(bytes, size) * ENTRY_BYTES);
    file_store(bytes + HEADER_CHECKSUM, checksum_result(&sum), 8);
}

/* Correct the checksums of the header and of all sections that lie in the file. */
static inline void file_correct(uint8_t *bytes, size_t size)
{
    file_correct_header(bytes, size);
    for (size_t i = 0; i < file_sections(bytes, size); i++) {
        const file_section section = file_section_at(bytes, i);
        if (section.size <= size && section.offset <= size - section.size &&
            size - section.size - section.offset >= 8) {
            file_store(bytes + section.offset + section.size,
                       checksum_of(bytes + section.offset, section.size), 8);
        }
    }
}

#endif
