/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the commands `kzg` read: setups, blobs, cells, and commitments, proofs and elements in hexadecimal. */
#ifndef SUMAC_CLI_KZG_INPUT_H
#define SUMAC_CLI_KZG_INPUT_H

#include "session.h"
#include "sumac/kzg.h"

/* Whether a file is the text of one blob: as many digits, with "0x" before them or not, and white space at
 * their end. Two blobs of such bytes are taken for one, and no others. */
bool is_text_of_blob(const unsigned char *text, size_t size);

/* Decode hexadecimal text, with 0x or without and with white space at its end, to exactly `count` bytes,
 * which may lie where the text does; `name` is how messages call the text. */
int decode_hex(const char *name, const unsigned char *text, size_t size, unsigned char *bytes, size_t count);

/* The value of an option, which may be null: then the bytes are not touched. */
int decode_hex_option(const char *name, const char *text, unsigned char *bytes, size_t count);

/* The first of `count` elements that is not less than r, or `count`: the library checks this too, but knows
 * no files. */
int find_bad_element(const unsigned char *elements, size_t count, size_t *bad);

/* Whether all elements of `count` blobs, or of known cells of blobs, are less than r. They are the file's
 * from blob `first` on, which has record_bytes as each has. */
int check_elements_of_blobs(const char *path, const unsigned char *records, size_t count, size_t record_bytes,
                            size_t first);

/* A blob in binary or as text, SUMAC_KZG_BLOB_BYTES. Its elements are checked. */
int read_blob(const char *path, unsigned char *blob);

/* A file of exactly `count` records of `record_bytes`, called `what` in messages; freed by the caller. */
int read_records(const char *path, const char *what, size_t count, size_t record_bytes, unsigned char **data);

/* The tables of multiples that a setup is prepared with for proofs of so many blobs' cells: as the parameter
 * of sumac_kzg_setup_make_tables(). */
uint64_t table_bytes_for_blobs(size_t blobs);

/* The setup that --setup names; prepared for proofs of so many blobs' cells, if there are any and it is not.
 */
int read_kzg_setup(const session *opened, const options *given, size_t blobs, sumac_kzg_setup **setup);

/* What --cells says, as "0..63,70": numbers below SUMAC_KZG_CELLS, ascending; null: all. */
typedef struct cell_list {
    uint64_t indices[SUMAC_KZG_CELLS];
    size_t count;
} cell_list;
int parse_cells(const char *text, cell_list *cells);

/* The same of cells to recover from, which are half of them or more. */
int parse_known_cells(const char *text, cell_list *cells);

/* All cells, and proofs where they are not null, of `count` blobs from their known cells, which are the
 * file's from blob `first` on. Cells that do not fit each other are bad input. */
int recover_cells_of_blobs(const session *opened, const sumac_kzg_setup *setup, const char *path,
                           const cell_list *known, const unsigned char *records, size_t count, size_t first,
                           unsigned char *cells, unsigned char *proofs);

#endif
