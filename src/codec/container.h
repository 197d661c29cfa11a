/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Every file that this library defines is a container: tables of bases, partial results, checkpoints, saved setups,
 * FK20 tables and prepared proving keys of Groth16 and PLONK. The kinds of files differ only in their lists of sections. All integers are
 * little-endian and have fixed sizes, so that files are portable between machines. docs/formats.md has the offsets of
 *
 *   header     the first 64 bytes hold kind, curve and the header's checksum; 64 bytes for each section follow
 *   sections   in the order of that list, each at a multiple of 64: bytes, their checksum, and zeros up to the next section
 *
 * All sizes are known before the first byte is written, and each checksum follows the bytes that it covers. So a file
 * is written and read in one pass, which works with pipes, too.
 */
#ifndef SUMAC_CODEC_CONTAINER_H
#define SUMAC_CODEC_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "base/refusal.h"

enum {
    CONTAINER_VERSION = 2,
    CONTAINER_ALIGNMENT =
        64, /* alignment of sections; also the size of the header's beginning, and of an entry of its list */
    CONTAINER_MOST_SECTIONS = 16,
    CONTAINER_MOST_HEADER_BYTES = (1 + CONTAINER_MOST_SECTIONS) * CONTAINER_ALIGNMENT,
    CONTAINER_MOST_TRAILER_BYTES = CONTAINER_ALIGNMENT + 7, /* a checksum and zeros */
    CONTAINER_MAGIC_BYTES = 8,
    CONTAINER_CURVE_BYTES = 32, /* most bytes of the name of a curve */
    CONTAINER_GROUP_BYTES = 8,
    CONTAINER_NUMBERS = 4
};

/* The numbers of the kinds of files and of the types of sections never change. */
typedef enum container_kind {
    CONTAINER_TABLE = 1,
    CONTAINER_PARTIAL,
    CONTAINER_CHECKPOINT,
    CONTAINER_SETUP,
    CONTAINER_FK20,
    CONTAINER_KEY,
    CONTAINER_PLONK_KEY,
    CONTAINER_KINDS
} container_kind;

/* These are the types of sections, in the order in which a file has them. If a flag, a count or a number is not
 * mentioned here, it is 0. */
typedef enum section_type {
    SECTION_TABLE = 1,      /* bases with their multiples, codec/table.h */
    SECTION_PROGRESS,       /* the progress of a checkpoint, io/checkpoint.c */
    SECTION_RESULTS,        /* raw points; count: the number of points */
    SECTION_LAGRANGE,       /* raw points of a setup, bit-reversed; number 0: the number of multiples of
                               each */
    SECTION_MONOMIAL,       /* a setup's raw points in monomial form */
    SECTION_MONOMIAL_G2,    /* a setup's raw points of the other group */
    SECTION_LAGRANGE_TABLE, /* a table of the Lagrange points */
    SECTION_SRS,            /* the hash of an SRS; count: coefficients n, number 0: elements l of a cell */
    SECTION_FK20_TABLE,     /* a table of 2n bases */
    SECTION_KEY,         /* a verifying key or nothing; numbers: wires, public inputs, domain, commitments */
    SECTION_ROWS,        /* wires of A's bases, then of B1's, then of B2's; count: the number of wires */
    SECTION_MATRIX = 14, /* matrix A, then B; count: the number of terms, number 0: of values */
    SECTION_KEY_TABLE = 16,   /* bases of A, then B1, B2, C, and with commitments theirs */
    SECTION_COMMITMENTS = 21, /* numbers of wires and values; count: their number, number 0: the hash */
    /* a verifying key of PLONK; count: additions, numbers: wires, public inputs, gates, domain */
    SECTION_PLONK_KEY,
    SECTION_PLONK_POLYNOMIALS, /* coefficients; count: their number */
    SECTION_PLONK_LEVELS,      /* where each level of additions ends; count: the number of levels */
    SECTION_PLONK_ADDITIONS,   /* a matrix, as the next one; count and number 0 as of SECTION_MATRIX */
    SECTION_PLONK_MAPS,        /* the wires of gates */
    SECTION_PLONK_TABLE,       /* the powers of tau */
    SECTION_PLONK_COMMITTED    /* where each commitment's wires end, and their gates; count: all numbers */
} section_type;

typedef struct container_section {
    uint32_t type, flags;
    char group[CONTAINER_GROUP_BYTES + 1]; /* the group of its points, or "" */
    uint64_t offset, size;                 /* the position of its bytes in the file */
    uint64_t count;
    uint32_t numbers[CONTAINER_NUMBERS];
} container_section;

typedef struct container {
    container_kind kind;
    char curve[CONTAINER_CURVE_BYTES + 1];
    uint32_t count; /* the number of sections */
    container_section sections[CONTAINER_MOST_SECTIONS];
} container;

/* Files of this version begin with these bytes. */
extern const uint8_t container_magic[CONTAINER_MAGIC_BYTES];

/* Return the name of a kind, such as "a table". If no kind has this number, return "a file". */
const char *container_kind_name(container_kind kind);

/* ---- Writing ---- */

/* Append a section. The caller sets its flags, count and numbers. */
container_section *container_add(container *file, uint32_t type, const char *group, uint64_t size);

/* Encode the header of a file. All sections must have been added before. Return its size. */
size_t container_encode(uint8_t header[CONTAINER_MOST_HEADER_BYTES], const container *file);

/* Encode the checksum and the zeros that follow a section. Return their size. */
size_t container_encode_trailer(uint8_t trailer[CONTAINER_MOST_TRAILER_BYTES],
                                const container_section *section, uint64_t sum);

/* ---- Reading ---- */

/* Return 1 if the bytes begin like a file of this library, whether of this version or of an older one. */
int container_begins(const uint8_t *bytes, size_t count);

/* Check the first CONTAINER_ALIGNMENT bytes of a header. The kind must be the expected one; otherwise the function
 * returns SUMAC_BAD_FILE. In the file, file->count entries of the list follow these bytes. */
sumac_status container_decode_head(container *file, const uint8_t *head, container_kind expected,
                                   sumac_message *why);

/* Decode the whole header. container_decode_head() must have accepted its first bytes. The function may return
 * SUMAC_BAD_CHECKSUM or SUMAC_BAD_FILE. */
sumac_status container_decode(container *file, const uint8_t *header, sumac_message *why);

/* The first function returns the size of the header, the second one that of the whole file. */
size_t container_header_bytes(const container *file);
uint64_t container_file_bytes(const container *file);

/* Find the section of a type. Return null if there is none. */
const container_section *container_find(const container *file, uint32_t type);

/* Find the section that has the type of `expected`. It must be equal to `expected`, except for the offset; otherwise
 * the function returns SUMAC_BAD_FILE. */
sumac_status container_expect(const container *file, const container_section *expected,
                              const container_section **section, sumac_message *why);

/* The first function reports that the numbers of sections contradict each other (SUMAC_BAD_FILE), the second one that
 * the bytes of a section are damaged (SUMAC_BAD_CHECKSUM). Messages call the section `name`, for example "the
 * points". */
sumac_status container_refuse_sizes(sumac_message *why);
sumac_status container_refuse_section(const container_section *section, const char *name, sumac_message *why);

#endif
