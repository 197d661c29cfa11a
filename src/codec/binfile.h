/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file reads the container of iden3's files (.zkey, .wtns, .r1cs, .ptau). A container has a magic, a version, and
 * sections in any order. Each section has a type and bytes. All integers are little-endian.
 */
#ifndef SUMAC_CODEC_BINFILE_H
#define SUMAC_CODEC_BINFILE_H

#include "codec/byte_source.h"
#include "base/refusal.h"

enum { BINFILE_HEAD_BYTES = 12, BINFILE_SECTION_HEAD_BYTES = 12, BINFILE_MOST_SECTIONS = 32 };

typedef struct binfile_section {
    uint32_t type;
    uint64_t offset; /* the offset of the first byte after the section's head */
    uint64_t size;
} binfile_section;

typedef struct binfile {
    uint32_t count;
    binfile_section sections[BINFILE_MOST_SECTIONS];
} binfile;

/* Find the sections of a file that begins with the four letters of `magic`. Messages call it `kind`. Each section must
 * end within the file, and no two may have the same type. If the source fails to read, `why` keeps the source's
 * message. */
sumac_status binfile_read(binfile *file, const byte_source *source, const char *magic, const char *kind,
                          uint32_t version, sumac_message *why);

/* Find the section of a type. Messages call it `name`. If there is none, return SUMAC_BAD_FILE. */
sumac_status binfile_find(const binfile *file, uint32_t type, const char *name,
                          const binfile_section **section, sumac_message *why);

/* Find a section that must have `size` bytes. */
sumac_status binfile_expect(const binfile *file, uint32_t type, const char *name, uint64_t size,
                            const binfile_section **section, sumac_message *why);

/* A header begins with the length of a prime. Read this length. In addition to the prime, the header has `others`
 * bytes. */
sumac_status binfile_prime_bytes(const uint8_t *header, uint64_t size, uint64_t others, uint32_t *prime_bytes,
                                 sumac_message *why);

#endif
