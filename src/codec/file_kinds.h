/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kinds of files, of this library and others, that are recognized by their first bytes and their length. This code
 * opens no file and uses nothing outside of src/codec, because the program links a separate copy of it. */
#ifndef SUMAC_CODEC_FILE_KINDS_H
#define SUMAC_CODEC_FILE_KINDS_H

#include <stddef.h>
#include <stdint.h>

/* The first FILE_HEAD_BYTES bytes of a file, or all bytes of a shorter one. */
enum { FILE_HEAD_BYTES = 1280 };
typedef struct file_head {
    const uint8_t *bytes;
    size_t count;
    uint64_t size; /* size of the whole file */
} file_head;

/* The family of a kind, which decides what else can be learned about a file. */
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
    const char *advice; /* a clause on what to do with another library's file, or null */
    file_family family;
    size_t
        prefix_bytes; /* size of the count before points, or of the marker before the domain of a key of gnark */
    int big_endian; /* byte order of that count */
    /* The first bytes, if they identify the kind; otherwise a function recognizes it. */
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

/* Recognize a file that is as long as its count says, with a record size of points or scalars. For use as `fits`. */
int file_fits_count(const file_kind *kind, const file_head *head);

/* Each kind is defined with its format, in container.c, trusted_setup.c, zkey.c, wtns.c, ptau.c, r1cs.c, gnark.c,
 * gnark_key.c, aztec.c, halo2.c or arkworks.c. A new kind needs a line here and an entry in file_kinds.c. */
extern const file_kind table_kind, partial_kind, checkpoint_kind, setup_kind, fk20_kind, prepared_key_kind;
extern const file_kind other_version_kind, trusted_setup_kind;
extern const file_kind zkey_kind, wtns_kind, ptau_kind, r1cs_kind;
extern const file_kind aztec_kind, halo2_kind, arkworks_kind, gnark_slice_kind, gnark_dump_kind;
extern const file_kind gnark_key_kind, gnark_key_dump_kind, gnark_verifying_key_kind, gnark_proof_kind;
extern const file_kind gnark_solution_kind, gnark_witness_kind;

/* Find the kind of a file; null if none fits. */
const file_kind *file_kind_find(const file_head *head);

/* Return the end of a message that refuses a file for its length: "; it looks like ..." if its first bytes suggest
 * another kind, or "". */
enum { FILE_LIKELY_BYTES = 320 };
const char *file_likely_text(const file_head *head, char text[FILE_LIKELY_BYTES]);

/* Return the count that precedes a file's records. */
uint64_t file_kind_count(const file_kind *kind, const file_head *head);

#endif
