/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file reads constraints of circom (.r1cs, version 1). Each constraint has three linear combinations A, B and C of
 * wires, and requires A*B = C. Wire 0 is the constant one; the public outputs, the public inputs and the other wires
 * follow.
 */
#ifndef SUMAC_CODEC_R1CS_H
#define SUMAC_CODEC_R1CS_H

#include "codec/binfile.h"

#define R1CS_MAGIC "r1cs"
#define R1CS_KIND ".r1cs"
enum {
    R1CS_VERSION = 1,
    R1CS_HEADER = 1,
    R1CS_CONSTRAINTS = 2,
    R1CS_WIRES = 3,
    R1CS_MOST_HEADER_BYTES = 32 + 64
};

/* This is section 1. Pointers point into the bytes of the section. */
typedef struct r1cs_header {
    uint32_t scalar_bytes;
    const uint8_t *order;
    uint32_t wires;
    uint32_t outputs, inputs; /* the numbers of public outputs and of public inputs */
    uint32_t private_inputs;
    uint64_t labels;
    uint32_t constraints;
} r1cs_header;

sumac_status r1cs_decode_header(const uint8_t *bytes, uint64_t size, r1cs_header *header, sumac_message *why);

/* A reader reads section 2, one term after another. */
typedef struct r1cs_reader {
    const uint8_t *bytes; /* the bytes of the section */
    uint64_t size;
    uint64_t offset; /* the offset of the section in the file, for messages */
    const r1cs_header *header;
    uint64_t at;
    uint32_t constraint, matrix; /* the position of the next term; matrix 0 is A, 1 is B, 2 is C */
    uint32_t left;               /* the number of remaining terms of this linear combination */
} r1cs_reader;

typedef struct r1cs_term {
    uint32_t constraint, matrix, wire;
    const uint8_t *value;
} r1cs_term;

sumac_status r1cs_begin(r1cs_reader *reader, const uint8_t *bytes, const binfile_section *section,
                        const r1cs_header *header, sumac_message *why);
/* Read the next term. After the last term, where the section must end, *more becomes 0. */
sumac_status r1cs_next(r1cs_reader *reader, r1cs_term *term, int *more, sumac_message *why);

#endif
