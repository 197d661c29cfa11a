/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines what a format of points is. Each format has one source file, which defines a point_format. This has
 * the format's name and says how records are encoded; encoding.c reads and writes records as it says. A new format
 * needs such a file, a declaration at the end of this header and an entry in format.c.
 */
#ifndef SUMAC_CODEC_FORMAT_H
#define SUMAC_CODEC_FORMAT_H

#include "codec/byte_source.h"
#include "codec/point_layout.h"
#include "base/refusal.h"
#include "curves/group_code.h"

/* A file of points has one of these layouts. */
typedef enum format_layout {
    LAYOUT_RECORDS,      /* points of equal size, and nothing else */
    LAYOUT_FRAMED,       /* records with other bytes before or after them */
    LAYOUT_TABLE,        /* a container with a table: codec/table.h */
    LAYOUT_TRUSTED_SETUP /* text: codec/trusted_setup.h */
} format_layout;

/* One call decodes at most this many records. They are the work that one thread does at a time. */
#define DECODE_MOST 64

/* This is the outcome of decoding some records. */
typedef struct decode_outcome {
    sumac_status status; /* SUMAC_OK, SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP */
    size_t bad;          /* the index of the first record that failed */
    const char *problem; /* details if the status does not say enough, or null */
} decode_outcome;

typedef struct point_format point_format;

/* This is a run of records in a file, with their format, whose layout is LAYOUT_RECORDS. */
typedef struct record_run {
    const point_format *format;
    uint64_t offset;
    uint64_t count;
} record_run;

/* A format writes at most this many bytes before the first record. */
#define FRAME_HEAD_BYTES 16

/* An element of Fp in a record has this many bytes. */
typedef enum element_width {
    ELEMENT_OF_LIMBS, /* as many bytes as a raw element */
    ELEMENT_OF_BITS,  /* fewest bytes that hold p; flags may add a byte to the last element */
    ELEMENT_OF_64
} element_width;

/* The flags of a record have these meanings. All meanings after RECORD_INFINITY are errors. */
typedef enum record_flag {
    RECORD_POINT,   /* the flags say nothing */
    RECORD_SMALLER, /* y is the smaller one of y and -y, or the larger one */
    RECORD_LARGER,
    RECORD_EVEN, /* y is the even one of y and -y, or the odd one; over Fp2 the parity is that of c0 */
    RECORD_ODD,
    RECORD_INFINITY,
    RECORD_OTHER_BITS, /* infinity with other bits set */
    RECORD_TWO_FLAGS,
    RECORD_COMPRESSED,
    RECORD_COMPRESSED_SIGN,
    RECORD_UNCOMPRESSED
} record_flag;

/* This says how a record is encoded. It has x and y, or only x; each is one or two elements of Fp. If numbers are
 * big-endian, the flags are the highest bits of the record's first byte, otherwise of its last byte. */
typedef struct record_encoding {
    element_width width;
    int big_endian;
    int c1_first;         /* over Fp2 c1 is first; otherwise c0 is */
    int x_only;           /* decoding computes y, and so checks points; otherwise the caller checks them */
    int zero_is_infinity; /* coordinates (0, 0) mean infinity; otherwise (0, 0) is not on the curve */
    int ones_are_infinity;
    uint32_t flag_bits;
    uint8_t flags[8]; /* a record_flag for each value of the flag bits */
} record_encoding;

struct point_format {
    sumac_format_info info;
    int (*holds)(const sumac_group *info); /* return 1 if the format has points of the group */
    format_layout layout;

    /* The fields from here to records() are set only for LAYOUT_FRAMED. Either locate() finds the records, or they
     * follow their count. If the marker is not 0, it comes before the count and has 8 bytes. */
    uint64_t marker;
    size_t count_bytes;
    int count_is_big_endian;
    /* Find the records in a file of the format run->format, and check the bytes around them. Then set run->format to
     * the format of the records. If the source fails to read, `why` stays unchanged. */
    sumac_status (*locate)(record_run *run, const byte_source *source, const sumac_group *info,
                           sumac_message *why);
    /* Return the format that the records of a group have. Return null if it differs between files. */
    const point_format *(*records)(const sumac_group *info);

    /* The remaining fields are set only for LAYOUT_RECORDS. */
    record_encoding encoding;
    int is_compressed; /* records are those of codec/compressed.h, which devices can decode */
    int is_raw;        /* records are raw points in `form`, which are imported as bases without conversion */
    sumac_form form;
};

/* The first macro defines the `info` of a format that is only read, the second one that of a format that is also
 * written. */
#define FORMAT_READ(format_name, text)                                                                       \
    {                                                                                                        \
        .size = sizeof(sumac_format_info), .name = (format_name), .description = (text), .can_read = 1       \
    }
#define FORMAT_READ_WRITE(format_name, text)                                                                 \
    {                                                                                                        \
        .size = sizeof(sumac_format_info), .name = (format_name), .description = (text), .can_read = 1,      \
        .can_write = 1                                                                                       \
    }

/* Return format i. Formats are counted from 0, in the order in which users see them. Return null if there are fewer. */
const point_format *format_at(size_t index);

/* Find the format of this name. Return null if there is none. */
const point_format *format_named(const char *name);

/* A message begins with the name of the bad record. Return the end of the message. */
const char *decode_problem(const decode_outcome *outcome);

/* Find the records of a file, either by locate() or by their count. */
sumac_status format_locate(record_run *run, const byte_source *source, const sumac_group *info,
                           sumac_message *why);

/* Write the header that precedes `count` records. Return its size, or 0 if the format cannot have that many records. */
size_t format_head(const point_format *format, uint8_t head[FRAME_HEAD_BYTES], uint64_t count);

/* ---- Records, of formats with LAYOUT_RECORDS ---- */

size_t format_record_bytes(const point_format *format, const sumac_group *info);

/* Decode n <= DECODE_MOST records to raw canonical points. The outcome describes the first bad record. */
decode_outcome format_decode(const point_format *format, uint8_t *raw, const uint8_t *records, size_t n,
                             const sumac_group *info, const convert_ops *convert, sumac_check check);

/* Encode a raw canonical point as a record. */
void format_encode(const point_format *format, uint8_t *record, const uint8_t *raw, const sumac_group *info,
                   const convert_ops *convert);

/* These are functions for `holds`. */
int holds_every_group(const sumac_group *info);
int holds_bls12_381(const sumac_group *info);
int holds_bls12_381_g1(const sumac_group *info);
int is_one_of(const sumac_group *info, const char *const *names); /* the list of names ends with null */

extern const point_format raw_format;
extern const point_format table_format;
extern const point_format trusted_setup_lagrange_format;
extern const point_format trusted_setup_monomial_format;
extern const point_format zcash_compressed_format;
extern const point_format zcash_uncompressed_format;
extern const point_format eip2537_format;
extern const point_format arkworks_compressed_format;
extern const point_format arkworks_uncompressed_format;
extern const point_format gnark_compressed_format;
extern const point_format gnark_raw_format;
extern const point_format gnark_dump_format;
extern const point_format halo2_monomial_format;
extern const point_format halo2_lagrange_format;
extern const point_format aztec_format;
extern const point_format ptau_tau_format;
extern const point_format ptau_alpha_tau_format;
extern const point_format ptau_beta_tau_format;
extern const point_format ptau_beta_format;
extern const point_format ptau_tau_lagrange_format;
extern const point_format ptau_alpha_tau_lagrange_format;
extern const point_format ptau_beta_tau_lagrange_format;

/* Several formats use these records, which are not formats that a user can name. */
extern const point_format montgomery_records;

#endif
