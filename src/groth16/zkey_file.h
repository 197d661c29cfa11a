/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A .zkey that is being read. */
#ifndef SUMAC_GROTH16_ZKEY_FILE_H
#define SUMAC_GROTH16_ZKEY_FILE_H

#include "codec/zkey.h"
#include "groth16/verifying_key.h"
#include "io/binfile_input.h"

typedef struct zkey_file {
    binfile_input input;
    uint8_t *header_bytes;
    zkey_header header;
    groups groups;
    uint64_t coefficient_count;
    const binfile_section *ic, *coefficients, *a, *b1, *b2, *c, *h;
} zkey_file;

/* Find the sections of a file that is open, and stays the caller's to close. zkey_close() also after a failure. */
sumac_status zkey_begin(zkey_file *zkey, const input_file *file);
void zkey_close(zkey_file *zkey);

/* The header, and where the sections are, all of their sizes; without `whole` what verifies alone. */
sumac_status zkey_read_header(zkey_file *zkey, int whole);

sumac_status zkey_read_verifying(zkey_file *zkey, sumac_check check, sumac_groth16_verifying_key **verifying);

/* "<path>: section 5 (A), at byte 1234", for the beginning of a sentence. */
void zkey_describe_section(const zkey_file *zkey, const binfile_section *section, const char *name,
                           sumac_message *text);

#endif
