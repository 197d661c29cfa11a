/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The container of iden3's files (.zkey, .wtns, .r1cs, .ptau): a magic, a version, and sections in any order, each
 * with a type and its bytes. All integers are little-endian. Whoever has the file reads the heads of sections where
 * binfile.next says and hands them over one by one; io/binfile_input.h does.
 */
#ifndef SUMAC_CODEC_BINFILE_H
#define SUMAC_CODEC_BINFILE_H

#include <stddef.h>
#include <stdint.h>

#include "codec/refuse.h"

enum { BINFILE_HEAD_BYTES = 12, BINFILE_SECTION_HEAD_BYTES = 12, BINFILE_MOST_SECTIONS = 32 };

typedef struct binfile_section {
    uint32_t type;
    uint64_t offset; /* of its first byte behind its head */
    uint64_t size;
} binfile_section;

typedef struct binfile {
    uint64_t size; /* of the file */
    uint32_t version;
    uint32_t count; /* of sections */
    uint32_t known; /* of those, whose heads were read */
    uint64_t next;  /* where the next section's head is; in the end, where the file ends */
    binfile_section sections[BINFILE_MOST_SECTIONS];
} binfile;

/* A file of `size` bytes that begins with this head, of BINFILE_HEAD_BYTES or as many as there are; `magic` is its four
 * letters, `kind` what it is called. */
sumac_status binfile_begin(binfile *file, const uint8_t *head, uint64_t size, const char *magic,
                           const char *kind, uint32_t version, refusal *why);

/* Whether the head of another section follows, at file->next, where BINFILE_SECTION_HEAD_BYTES are in the file. */
sumac_status binfile_continues(const binfile *file, int *more, refusal *why);

/* The head that lies there: a section that ends in the file, of a type that none before it has. */
sumac_status binfile_add(binfile *file, const uint8_t *head, refusal *why);

/* The section of a type, called `name` in sentences. */
sumac_status binfile_find(const binfile *file, uint32_t type, const char *name,
                          const binfile_section **section, refusal *why);

/* The same of a section that must have so many bytes. */
sumac_status binfile_expect(const binfile *file, uint32_t type, const char *name, uint64_t size,
                            const binfile_section **section, refusal *why);

#endif
