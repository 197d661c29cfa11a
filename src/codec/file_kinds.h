/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kinds of files that are recognised by their beginning and their length: files of this library, and others' that people
 * have. No file is opened here, and nothing outside of src/codec is used: the program has a copy of its own. */
#ifndef SUMAC_CODEC_FILE_KINDS_H
#define SUMAC_CODEC_FILE_KINDS_H

#include <stddef.h>
#include <stdint.h>

/* The first bytes of a file: FILE_HEAD_BYTES of them, or all if it is shorter. */
enum { FILE_HEAD_BYTES = 1280 };
typedef struct file_head {
    const uint8_t *bytes;
    size_t count;
    uint64_t size; /* of the whole file */
} file_head;

/* The family of a file, which decides what else can be found out about it. */
typedef enum file_family {
    FILE_TABLE,
    FILE_PARTIAL,
    FILE_CHECKPOINT,
    FILE_SETUP, /* saved, or the ceremony's text */
    FILE_FK20,
    FILE_POINTS, /* another library's, perhaps of points that are read here */
    FILE_OTHER
} file_family;

typedef struct file_kind {
    const char *name;   /* "a table" */
    const char *advice; /* what to do with another library's file, a clause; else null */
    file_family family;
    size_t
        prefix_bytes; /* of a count in front of points, or of the marker before the domain of a key of gnark */
    int big_endian;   /* the order of that count's bytes */
    /* The first bytes, if the kind has its own; otherwise a function that recognises it. */
    const char *magic;
    size_t magic_bytes;
    int (*fits)(const struct file_kind *kind, const file_head *head);
} file_kind;

/* A kind with first bytes of its own. */
#define FILE_KIND(text, is, whose, what_to_do)                                                               \
    {                                                                                                        \
        .name = (is), .advice = (what_to_do), .family = (whose), .magic = (text),                            \
        .magic_bytes = sizeof(text) - 1                                                                      \
    }

/* A kind that a function recognises. */
#define FILE_KIND_BY(function, is, whose, what_to_do)                                                        \
    {                                                                                                        \
        .name = (is), .advice = (what_to_do), .family = (whose), .fits = (function)                          \
    }

/* A value of `fits`: the file is as long as its count says, with records of a size that points or scalars have. */
int file_fits_count(const file_kind *kind, const file_head *head);

/* Each is defined with its format: in container.c, trusted_setup.c, zkey.c, wtns.c, ptau.c, r1cs.c, gnark.c, gnark_key.c,
 * aztec.c, halo2.c and arkworks.c. A new one is a line here and in file_kinds.c. */
extern const file_kind table_kind, partial_kind, checkpoint_kind, setup_kind, fk20_kind, prepared_key_kind;
extern const file_kind other_version_kind, trusted_setup_kind;
extern const file_kind zkey_kind, wtns_kind, ptau_kind, r1cs_kind;
extern const file_kind aztec_kind, halo2_kind, arkworks_kind, gnark_slice_kind, gnark_dump_kind;
extern const file_kind gnark_key_kind, gnark_key_dump_kind, gnark_verifying_key_kind, gnark_proof_kind;
extern const file_kind gnark_solution_kind, gnark_witness_kind;

/* Find the kind of a file, or null. */
const file_kind *file_kind_find(const file_head *head);

/* The end of the sentence that refuses a file for its length: "; it looks like ..." if its first bytes say what it is
 * instead, or "". */
enum { FILE_LIKELY_BYTES = 320 };
const char *file_likely_text(const file_head *head, char text[FILE_LIKELY_BYTES]);

/* The count in front of a file's records. */
uint64_t file_kind_count(const file_kind *kind, const file_head *head);

#endif
