/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines kinds of files, of this library and of others, and recognizes them by their first bytes and their
 * length. This code opens no file and uses nothing outside of src/codec, because the program links a separate copy of
 * it. */
#ifndef SUMAC_CODEC_FILE_KINDS_H
#define SUMAC_CODEC_FILE_KINDS_H

#include <stddef.h>
#include <stdint.h>

/* A head has the first FILE_HEAD_BYTES bytes of a file. If the file is shorter, it has all its bytes. */
enum { FILE_HEAD_BYTES = 1280 };
typedef struct file_head {
    const uint8_t *bytes;
    size_t count;
    uint64_t size; /* the size of the whole file */
} file_head;

/* Each kind has a family, which decides what else can be found out about a file. */
typedef enum file_family {
    FILE_TABLE,
    FILE_PARTIAL,
    FILE_CHECKPOINT,
    FILE_SETUP, /* a saved setup, or the ceremony's text */
    FILE_FK20,
    FILE_POINTS, /* another library's file, which may have points that are readable here */
    FILE_OTHER
} file_family;

typedef struct file_kind {
    const char *name;   /* "a table" */
    const char *advice; /* a clause that says what to do with another library's file, or null */
    file_family family;
    size_t
        prefix_bytes; /* the size of the count before points, or of the marker before the domain of a key of
                         gnark */
    int big_endian;   /* the byte order of that count */
    /* If the first bytes identify the kind, these are its first bytes. Otherwise the function below recognizes the
     * kind. */
    const char *magic;
    size_t magic_bytes;
    int (*fits)(const struct file_kind *kind, const file_head *head);
} file_kind;

/* Define a kind that its first bytes identify. */
#define FILE_KIND(text, is, whose, what_to_do)                                                               \
    {                                                                                                        \
        .name = (is), .advice = (what_to_do), .family = (whose), .magic = (text),                            \
        .magic_bytes = sizeof(text) - 1                                                                      \
    }

/* Define a kind that a function recognizes. */
#define FILE_KIND_BY(function, is, whose, what_to_do)                                                        \
    {                                                                                                        \
        .name = (is), .advice = (what_to_do), .family = (whose), .fits = (function)                          \
    }

/* Recognize a file that has as many records as its count says, if the records have a size of points or scalars. This is
 * a function for `fits`. */
int file_fits_count(const file_kind *kind, const file_head *head);

/* Each kind is defined in the file of its format: container.c, trusted_setup.c, zkey.c, wtns.c, ptau.c, r1cs.c,
 * gnark.c, gnark_key.c, gnark_plonk.c, aztec.c, halo2.c or arkworks.c. A new kind needs a line here and an entry in file_kinds.c. */
extern const file_kind table_kind, partial_kind, checkpoint_kind, setup_kind, fk20_kind, prepared_key_kind,
    prepared_plonk_kind;
extern const file_kind other_version_kind, trusted_setup_kind;
extern const file_kind zkey_kind, wtns_kind, ptau_kind, r1cs_kind;
extern const file_kind aztec_kind, halo2_kind, arkworks_kind, gnark_slice_kind, gnark_dump_kind;
extern const file_kind gnark_key_kind, gnark_key_dump_kind, gnark_verifying_key_kind, gnark_proof_kind;
extern const file_kind gnark_solution_kind, gnark_witness_kind, gnark_plonk_kind, gnark_system_kind;

/* Find the kind of a file. Return null if none fits. */
const file_kind *file_kind_find(const file_head *head);

/* A message refuses a file because of its length. Return the end of this message: "; it looks like ..." if the first
 * bytes of the file suggest another kind, otherwise "". */
enum { FILE_LIKELY_BYTES = 320 };
const char *file_likely_text(const file_head *head, char text[FILE_LIKELY_BYTES]);

/* Return the count that precedes a file's records. */
uint64_t file_kind_count(const file_kind *kind, const file_head *head);

#endif
