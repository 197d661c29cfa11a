/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Constraints of circom (.r1cs, version 1). Each has three linear combinations A, B and C of wires, with A*B = C. Wire
 * 0 is the constant one; public outputs, public inputs and the other wires follow.
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

/* Section 1. Pointers point into its bytes. */
typedef struct r1cs_header {
    uint32_t scalar_bytes;
    const uint8_t *order;
    uint32_t wires;
    uint32_t outputs, inputs; /* numbers of public outputs and inputs */
    uint32_t private_inputs;
    uint64_t labels;
    uint32_t constraints;
} r1cs_header;

sumac_status r1cs_decode_header(const uint8_t *bytes, uint64_t size, r1cs_header *header, sumac_message *why);

/* A reader of section 2, one term after another. */
typedef struct r1cs_reader {
    const uint8_t *bytes; /* bytes of the section */
    uint64_t size;
    uint64_t offset; /* offset of the section in the file, for messages */
    const r1cs_header *header;
    uint64_t at;
    uint32_t constraint, matrix; /* position of the next term; matrix 0 is A, 1 is B, 2 is C */
    uint32_t left;               /* remaining terms of this linear combination */
} r1cs_reader;

typedef struct r1cs_term {
    uint32_t constraint, matrix, wire;
    const uint8_t *value;
} r1cs_term;

sumac_status r1cs_begin(r1cs_reader *reader, const uint8_t *bytes, const binfile_section *section,
                        const r1cs_header *header, sumac_message *why);
/* Read the next term. *more is 0 after the last one, where the section must end. */
sumac_status r1cs_next(r1cs_reader *reader, r1cs_term *term, int *more, sumac_message *why);

#endif
