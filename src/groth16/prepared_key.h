/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What opening and saving a prepared key have in common: its header, and how large what follows is. */
#ifndef SUMAC_GROTH16_PREPARED_KEY_H
#define SUMAC_GROTH16_PREPARED_KEY_H

#include "groth16/key.h"

enum {
    SETS = 3,     /* a, b1, b2 */
    TABLES = 4,   /* theirs, and c */
    MATRICES = 2, /* a, b */
    PREPARED_VERSION = 1,
    FLAG_PRODUCTS = 1,
    FLAG_VERIFYING = 2,
    ALL_FLAGS = 3,
    CURVE_BYTES = 32,
    /* Offsets in the header. */
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_CURVE = 16,
    AT_WIRES = 48,
    AT_PUBLICS = 52,
    AT_DOMAIN = 56,
    AT_RESERVED = 60,
    AT_ROWS = 64,
    AT_TERMS = 88,
    AT_VALUES = 104,
    AT_FACTORS = 120,
    AT_CHECKSUM = 136,
    HEADER_BYTES = 144,
    TRAILER_BYTES = 8, /* a section's checksum */
    WORD_BYTES = 8
};

/* Of a matrix or of rows, that are in the host's memory at a time. */
#define BLOCK_WORDS ((uint64_t)1 << 16)

typedef struct prepared_header {
    groups groups;
    int takes_products, has_verifying;
    uint32_t wires, publics, domain;
    uint64_t rows[SETS]; /* bases of a set that some are left out of; 0: all are there */
    uint64_t terms[MATRICES], values[MATRICES];
    uint32_t factors[TABLES]; /* points of each base */
} prepared_header;

/* Numbers of a matrix: as they lie in a file, and in memory. */
typedef union matrix_word {
    uint8_t bytes[WORD_BYTES];
    uint64_t start;
    sparse_term term;
} matrix_word;

int prepared_header_matrices(const prepared_header *header);
uint64_t prepared_table_bytes(const prepared_header *header, int i);
uint64_t prepared_verifying_bytes(const prepared_header *header);
uint64_t prepared_file_bytes(const prepared_header *header);
void prepared_encode_header(uint8_t bytes[HEADER_BYTES], const prepared_header *header);

#endif
