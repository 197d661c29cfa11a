/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A circuit that is read from a .r1cs. */
#ifndef SUMAC_GROTH16_R1CS_FILE_H
#define SUMAC_GROTH16_R1CS_FILE_H

#include "codec/r1cs.h"
#include "groth16/coefficients.h"
#include "groth16/groups.h"
#include "io/binfile_input.h"

typedef struct r1cs_file {
    binfile_input input;
    uint8_t header_bytes[R1CS_MOST_HEADER_BYTES];
    r1cs_header header;
    groups groups;
    coefficients coefficients; /* matrices A, B, C; values are canonical */
} r1cs_file;

/* Open a file and read its header. r1cs_close() also after a failure. */
sumac_status r1cs_open(r1cs_file *r1cs, sumac_context *context, const char *path);
void r1cs_close(r1cs_file *r1cs);

/* All constraints. */
sumac_status r1cs_read(r1cs_file *r1cs);

#endif
