/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The header of a prepared Groth16 proving key, and how large the sections are that follow: a key as it is resident, so
 * that opening one is a copy and its checksums. docs/formats.md has the bytes.
 */
#ifndef SUMAC_CODEC_PREPARED_KEY_H
#define SUMAC_CODEC_PREPARED_KEY_H

#include "base/refusal.h"
#include "sumac/sumac.h"

enum {
    PREPARED_MAGIC_BYTES = 8,
    PREPARED_HEADER_BYTES = 144,
    PREPARED_TRAILER_BYTES = 8, /* a section's checksum */
    PREPARED_WORD_BYTES = 8,    /* of a row's number, and of a matrix's starts and terms */
    PREPARED_CURVE_BYTES = 32,  /* of a curve's name at most */
    PREPARED_SETS = 3,          /* A, B1, B2 */
    PREPARED_B2 = 2,            /* the one of the second group */
    PREPARED_TABLES = 4,        /* theirs, and C's */
    PREPARED_MATRICES = 2,      /* A, B */
    PREPARED_VERIFYING_G2 = 3,  /* beta, gamma, delta */
    PREPARED_EXTRA_BASES = 3,   /* of a set, before the wires' */
    PREPARED_LEAST_VALUES = 2   /* of a matrix: 1 and -1 */
};

/* What a prepared key begins with. */
extern const uint8_t prepared_magic[PREPARED_MAGIC_BYTES];

typedef struct prepared_header {
    char curve[PREPARED_CURVE_BYTES]; /* its name, then zeros */
    /* The curve's, which are not in the file: of a point of each group, and of a scalar. */
    uint32_t g1_bytes, g2_bytes, scalar_bytes;
    int takes_products, has_verifying;
    uint32_t wires, publics, domain;
    uint64_t rows[PREPARED_SETS]; /* bases of a set that some are left out of; 0: all are there */
    uint64_t terms[PREPARED_MATRICES], values[PREPARED_MATRICES];
    uint32_t factors[PREPARED_TABLES]; /* points of each base */
} prepared_header;

void prepared_encode_header(uint8_t bytes[PREPARED_HEADER_BYTES], const prepared_header *header);

/* What the bytes say of themselves: a prepared key, of this version, undamaged; all but the curve's sizes. SUMAC_BAD_FILE,
 * SUMAC_BAD_CHECKSUM. */
sumac_status prepared_decode_header(prepared_header *header, const uint8_t bytes[PREPARED_HEADER_BYTES],
                                    sumac_message *why);

/* With the curve's sizes: whether a key can have these numbers, in a file of so many bytes, and they are all it has.
 * SUMAC_BAD_FILE. */
sumac_status prepared_check_sizes(const prepared_header *header, uint64_t file_bytes, sumac_message *why);

/* Of a key that passed: how many matrices there are, the bases of table i, and the bytes of sections without their
 * checksums, but of a table with its header and all. */
int prepared_matrices(const prepared_header *header);
uint64_t prepared_table_count(const prepared_header *header, int i);
uint64_t prepared_table_bytes(const prepared_header *header, int i);
uint64_t prepared_verifying_bytes(const prepared_header *header);

/* All of the file. */
uint64_t prepared_file_bytes(const prepared_header *header);

#endif
