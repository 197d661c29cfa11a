/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Inputs of the commands `kzg` other than blobs: setups, lists of cells, and commitments, proofs and elements in
 * hexadecimal. */
#ifndef SUMAC_CLI_KZG_INPUT_H
#define SUMAC_CLI_KZG_INPUT_H

#include "session.h"
#include "sumac/kzg.h"

void close_kzg_setup(sumac_kzg_setup **setup);

/* Tell whether a file is one blob in hexadecimal: exactly its digits, perhaps with "0x" before and white space behind them.
 * Two binary blobs of such bytes would be taken for text, and no other blobs. */
bool is_text_of_blob(const unsigned char *text, size_t size);

/* Decode hexadecimal text, with 0x or without and with white space at its end, to exactly `count` bytes, which may lie
 * where the text does; `name` is how messages call the text. */
int decode_hex(const char *name, const unsigned char *text, size_t size, unsigned char *bytes, size_t count);

/* Decode the value of an option; the bytes are not touched where it is null. */
int decode_hex_option(const char *name, const char *text, unsigned char *bytes, size_t count);

/* Read a file of exactly `count` records of `record_bytes`, called `what` in messages; freed by the caller. */
int read_records(const char *path, const char *what, size_t count, size_t record_bytes, unsigned char **data);

/* Read the setup that --setup names, or the one that is installed with the program; prepare it for proofs of so many
 * blobs' cells, if there are any and it is not. Ranks call it together. */
int read_kzg_setup(const session *opened, const options *given, size_t blobs, sumac_kzg_setup **setup);

/* The numbers of --cells, as "0..63,70": ascending and below SUMAC_KZG_CELLS; all for null. `least` of them are
 * needed. */
typedef struct cell_list {
    uint64_t indices[SUMAC_KZG_CELLS];
    size_t count;
} cell_list;
int parse_cells(const char *text, size_t least, cell_list *cells);

#endif
