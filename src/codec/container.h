/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The container of everything that this library writes for itself: tables of bases, partial results, checkpoints, saved
 * setups, FK20 tables and prepared proving keys. Only the list of sections differs from one kind to another. All integers
 * are little-endian and of fixed size, so that a file written on one machine is read on another. docs/formats.md has the
 * offsets of
 *
 *   header     its first 64 bytes say kind and curve and have the header's checksum; 64 bytes for each section follow
 *   sections   in the order of that list, each at a multiple of 64: its bytes, their checksum, and zeros up to the next one
 *
 * Sizes are known before the first byte is written, and checksums stand behind what they cover: a file is written and read
 * in one pass, through a pipe, too.
 */
#ifndef SUMAC_CODEC_CONTAINER_H
#define SUMAC_CODEC_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "base/refusal.h"

enum {
    CONTAINER_VERSION = 2,
    CONTAINER_ALIGNMENT =
        64, /* of a section; also the bytes of the header's beginning, and of an entry of its list */
    CONTAINER_MOST_SECTIONS = 16,
    CONTAINER_MOST_HEADER_BYTES = (1 + CONTAINER_MOST_SECTIONS) * CONTAINER_ALIGNMENT,
    CONTAINER_MOST_TRAILER_BYTES = CONTAINER_ALIGNMENT + 7, /* a checksum, and zeros */
    CONTAINER_MAGIC_BYTES = 8,
    CONTAINER_CURVE_BYTES = 32, /* of a curve's name, at most */
    CONTAINER_GROUP_BYTES = 8,
    CONTAINER_NUMBERS = 4
};

/* A file's kind, and a section's type, are these numbers for ever. */
typedef enum container_kind {
    CONTAINER_TABLE = 1,
    CONTAINER_PARTIAL,
    CONTAINER_CHECKPOINT,
    CONTAINER_SETUP,
    CONTAINER_FK20,
    CONTAINER_KEY,
    CONTAINER_KINDS
} container_kind;

/* In the order in which a file has them. Flags, count and numbers that are not named are 0. */
typedef enum section_type {
    SECTION_TABLE = 1,      /* bases with their multiples, codec/table.h */
    SECTION_PROGRESS,       /* of a checkpoint, io/checkpoint.c */
    SECTION_RESULTS,        /* raw points; count: how many */
    SECTION_LAGRANGE,       /* raw points of a setup, in bit-reversed order; number 0: multiples of each */
    SECTION_MONOMIAL,       /* its raw points in monomial form, */
    SECTION_MONOMIAL_G2,    /* and those of the other group */
    SECTION_LAGRANGE_TABLE, /* a table of the Lagrange points */
    SECTION_SRS,            /* an SRS's hash; count: coefficients n, number 0: elements l of a cell */
    SECTION_FK20_TABLE,     /* a table of 2n bases */
    SECTION_KEY,         /* a verifying key, if there is one; numbers 0 to 2: wires, public inputs, domain */
    SECTION_ROWS,        /* wires of A's bases, and of B1's and B2's; count: how many */
    SECTION_MATRIX = 14, /* A, then B; count: terms, number 0: values */
    SECTION_KEY_TABLE = 16 /* bases of A, then B1, B2 and C */
} section_type;

typedef struct container_section {
    uint32_t type, flags;
    char group[CONTAINER_GROUP_BYTES + 1]; /* of its points, or "" */
    uint64_t offset, size;                 /* of its bytes in the file */
    uint64_t count;
    uint32_t numbers[CONTAINER_NUMBERS];
} container_section;

typedef struct container {
    container_kind kind;
    char curve[CONTAINER_CURVE_BYTES + 1];
    uint32_t count; /* of sections */
    container_section sections[CONTAINER_MOST_SECTIONS];
} container;

/* The first bytes of files of this version. */
extern const uint8_t container_magic[CONTAINER_MAGIC_BYTES];

/* "a table"; for numbers that are no kind "a file". */
const char *container_kind_name(container_kind kind);

/* ---- Writing ---- */

/* Add a section behind the others, whose flags, count and numbers the caller sets. */
container_section *container_add(container *file, uint32_t type, const char *group, uint64_t size);

/* The header of a file to which all sections were added. Returns its bytes. */
size_t container_encode(uint8_t header[CONTAINER_MOST_HEADER_BYTES], const container *file);

/* The checksum behind a section, and zeros. Returns how many bytes they are. */
size_t container_encode_trailer(uint8_t trailer[CONTAINER_MOST_TRAILER_BYTES],
                                const container_section *section, uint64_t sum);

/* ---- Reading ---- */

/* Returns 1 if bytes begin like a file of this library, of this version or an older one. */
int container_begins(const uint8_t *bytes, size_t count);

/* Check the first CONTAINER_ALIGNMENT bytes of a header: its kind must be the expected one. Then file->count entries follow.
 * SUMAC_BAD_FILE. */
sumac_status container_decode_head(container *file, const uint8_t *head, container_kind expected,
                                   sumac_message *why);

/* Decode a header that passed, with its list of sections. SUMAC_BAD_CHECKSUM, SUMAC_BAD_FILE. */
sumac_status container_decode(container *file, const uint8_t *header, sumac_message *why);

/* The bytes of the header, and of the whole file. */
size_t container_header_bytes(const container *file);
uint64_t container_file_bytes(const container *file);

/* The section of a type, or null. */
const container_section *container_find(const container *file, uint32_t type);

/* The section of the type of `expected`, which must be like it in all but its offset. SUMAC_BAD_FILE. */
sumac_status container_expect(const container *file, const container_section *expected,
                              const container_section **section, sumac_message *why);

/* SUMAC_BAD_FILE with the one sentence for sections whose numbers contradict each other, and SUMAC_BAD_CHECKSUM with that
 * for bytes that are damaged; `name` is what the section is called, "the points". */
sumac_status container_refuse_sizes(sumac_message *why);
sumac_status container_refuse_section(const container_section *section, const char *name, sumac_message *why);

#endif
