/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a file is, by how it begins and how long it is: files of this library, and others' that people have.
 * No file is opened here, and nothing else of the library used: the program has a copy of its own. */
#ifndef SUMAC_CODEC_FILE_KINDS_H
#define SUMAC_CODEC_FILE_KINDS_H

#include <stddef.h>
#include <stdint.h>

/* Of a file, its first bytes; as many as there are, if there are fewer than FILE_HEAD_BYTES. */
enum { FILE_HEAD_BYTES = 1280 };
typedef struct file_head {
    const uint8_t *bytes;
    size_t count;
    uint64_t size; /* of the whole file */
} file_head;

/* Whose a file is: that decides what else can be told of it. */
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
        prefix_bytes; /* of FILE_POINTS: a count in front, or 0; of a key of gnark what is before its domain */
    int big_endian;   /* a count's order of bytes */
    /* The first bytes, of any kind that has its own; else what tells. */
    const char *magic;
    size_t magic_bytes;
    int (*fits)(const struct file_kind *kind, const file_head *head);
} file_kind;

/* The kind of a file, a constant; null: none of these. */
const file_kind *file_kind_find(const file_head *head);

/* For the end of the sentence that refuses a file for its length: "; it looks like ..." where its first bytes
 * tell what it is instead, else "". */
enum { FILE_LIKELY_BYTES = 320 };
const char *file_likely_text(const file_head *head, char text[FILE_LIKELY_BYTES]);

/* How many records there are by the count in front. */
uint64_t file_kind_count(const file_kind *kind, const file_head *head);

#endif
