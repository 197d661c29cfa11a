/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The container of every file that this library defines: tables of bases, partial results, checkpoints, saved setups,
 * FK20 tables and prepared proving keys. Kinds differ only in their lists of sections. All integers are little-endian
 * and have fixed sizes, so that files are portable between machines. docs/formats.md has the offsets of
 *
 *   header     the first 64 bytes hold kind, curve and the header's checksum; 64 bytes for each section follow
 *   sections   in the order of that list, each at a multiple of 64: bytes, their checksum, and zeros up to the next section
 *
 * Sizes are known before the first byte is written, and checksums follow the bytes that they cover, so that a file is
 * written and read in one pass, which works with pipes, too.
 */
#ifndef SUMAC_CODEC_CONTAINER_H
#define SUMAC_CODEC_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "base/refusal.h"

enum {
    CONTAINER_VERSION = 2,
    CONTAINER_ALIGNMENT =
        64, /* of sections; also the bytes of the header's beginning, and of an entry of its list */
    CONTAINER_MOST_SECTIONS = 16,
    CONTAINER_MOST_HEADER_BYTES = (1 + CONTAINER_MOST_SECTIONS) * CONTAINER_ALIGNMENT,
    CONTAINER_MOST_TRAILER_BYTES = CONTAINER_ALIGNMENT + 7, /* a checksum and zeros */
    CONTAINER_MAGIC_BYTES = 8,
    CONTAINER_CURVE_BYTES = 32, /* most bytes of a curve's name */
    CONTAINER_GROUP_BYTES = 8,
    CONTAINER_NUMBERS = 4
};

/* These numbers of files' kinds and sections' types never change. */
typedef enum container_kind {
    CONTAINER_TABLE = 1,
    CONTAINER_PARTIAL,
    CONTAINER_CHECKPOINT,
    CONTAINER_SETUP,
    CONTAINER_FK20,
    CONTAINER_KEY,
    CONTAINER_KINDS
} container_kind;

/* Types of sections, in the order in which a file has them. Flags, counts and numbers that are not listed are 0. */
typedef enum section_type {
    SECTION_TABLE = 1,      /* bases with their multiples, codec/table.h */
    SECTION_PROGRESS,       /* progress of a checkpoint, io/checkpoint.c */
    SECTION_RESULTS,        /* raw points; count: their number */
    SECTION_LAGRANGE,       /* raw points of a setup, bit-reversed; number 0: multiples of each */
    SECTION_MONOMIAL,       /* a setup's raw points in monomial form */
    SECTION_MONOMIAL_G2,    /* a setup's raw points of the other group */
    SECTION_LAGRANGE_TABLE, /* a table of the Lagrange points */
    SECTION_SRS,            /* hash of an SRS; count: coefficients n, number 0: elements l of a cell */
    SECTION_FK20_TABLE,     /* a table of 2n bases */
    SECTION_KEY,            /* a verifying key or nothing; numbers 0 to 2: wires, public inputs, domain */
    SECTION_ROWS,           /* wires of A's bases, then B1's, then B2's; count: their number */
    SECTION_MATRIX = 14,    /* A, then B; count: terms, number 0: values */
    SECTION_KEY_TABLE = 16  /* bases of A, then B1, B2, C */
} section_type;

typedef struct container_section {
    uint32_t type, flags;
    char group[CONTAINER_GROUP_BYTES + 1]; /* group of its points, or "" */
    uint64_t offset, size;                 /* position of its bytes in the file */
    uint64_t count;
    uint32_t numbers[CONTAINER_NUMBERS];
} container_section;

typedef struct container {
    container_kind kind;
    char curve[CONTAINER_CURVE_BYTES + 1];
    uint32_t count; /* number of sections */
    container_section sections[CONTAINER_MOST_SECTIONS];
} container;

/* The first bytes of files of this version. */
extern const uint8_t container_magic[CONTAINER_MAGIC_BYTES];

/* Return a kind's name, such as "a table", or "a file" if the number is no kind. */
const char *container_kind_name(container_kind kind);

/* ---- Writing ---- */

/* Append a section. The caller sets its flags, count and numbers. */
container_section *container_add(container *file, uint32_t type, const char *group, uint64_t size);

/* Encode the header of a file, after all sections were added. Return its size. */
size_t container_encode(uint8_t header[CONTAINER_MOST_HEADER_BYTES], const container *file);

/* Encode the checksum and the zeros that follow a section. Return their size. */
size_t container_encode_trailer(uint8_t trailer[CONTAINER_MOST_TRAILER_BYTES],
                                const container_section *section, uint64_t sum);

/* ---- Reading ---- */

/* Return 1 if bytes begin like a file of this library, of this version or an older one. */
int container_begins(const uint8_t *bytes, size_t count);

/* Check the first CONTAINER_ALIGNMENT bytes of a header, whose kind must be the expected one. file->count list entries
 * follow them. SUMAC_BAD_FILE. */
sumac_status container_decode_head(container *file, const uint8_t *head, container_kind expected,
                                   sumac_message *why);

/* Decode the whole header, of which container_decode_head() has accepted the first bytes. SUMAC_BAD_CHECKSUM,
 * SUMAC_BAD_FILE. */
sumac_status container_decode(container *file, const uint8_t *header, sumac_message *why);

/* Return the size of the header, and of the whole file. */
size_t container_header_bytes(const container *file);
uint64_t container_file_bytes(const container *file);

/* Find the section of a type; null if there is none. */
const container_section *container_find(const container *file, uint32_t type);

/* Find the section of the type of `expected`, which must equal it in everything but the offset. SUMAC_BAD_FILE. */
sumac_status container_expect(const container *file, const container_section *expected,
                              const container_section **section, sumac_message *why);

/* Report sections whose numbers contradict each other (SUMAC_BAD_FILE) or a section whose bytes are damaged
 * (SUMAC_BAD_CHECKSUM). `name` is the section's name in messages, such as "the points". */
sumac_status container_refuse_sizes(sumac_message *why);
sumac_status container_refuse_section(const container_section *section, const char *name, sumac_message *why);

#endif
