/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Formats of points. A format is one source file that defines a point_format: its name and how its records are encoded,
 * from which encoding.c reads and writes them. A new format needs such a file, a declaration at the end of this header
 * and an entry in format.c.
 */
#ifndef SUMAC_CODEC_FORMAT_H
#define SUMAC_CODEC_FORMAT_H

#include "codec/byte_source.h"
#include "codec/point_layout.h"
#include "base/refusal.h"
#include "curves/group_code.h"

/* The layout of a file of points. */
typedef enum format_layout {
    LAYOUT_RECORDS,      /* points of equal size, and nothing else */
    LAYOUT_FRAMED,       /* records with other bytes before or after them */
    LAYOUT_TABLE,        /* a container with a table: codec/table.h */
    LAYOUT_TRUSTED_SETUP /* text: codec/trusted_setup.h */
} format_layout;

/* The most records that one call decodes: one thread's share. */
#define DECODE_MOST 64

/* The outcome of decoding some records. */
typedef struct decode_outcome {
    sumac_status status; /* SUMAC_OK, SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP */
    size_t bad;          /* the first record that failed */
    const char *problem; /* details if the status does not say enough, or null */
} decode_outcome;

typedef struct point_format point_format;

/* A run of records in a file, and their format, which has LAYOUT_RECORDS. */
typedef struct record_run {
    const point_format *format;
    uint64_t offset;
    uint64_t count;
} record_run;

/* The most bytes that a format writes before the first record. */
#define FRAME_HEAD_BYTES 16

/* The bytes of an element of Fp in a record. */
typedef enum element_width {
    ELEMENT_OF_LIMBS, /* as many bytes as a raw element */
    ELEMENT_OF_BITS,  /* fewest bytes that hold p; flags may add a byte to the last element */
    ELEMENT_OF_64
} element_width;

/* The meanings of a record's flags. All that follow RECORD_INFINITY are errors. */
typedef enum record_flag {
    RECORD_POINT,   /* no meaning */
    RECORD_SMALLER, /* y is the smaller of y and -y, or the larger */
    RECORD_LARGER,
    RECORD_EVEN, /* y is the even one of y and -y, or the odd one; over Fp2 by c0 */
    RECORD_ODD,
    RECORD_INFINITY,
    RECORD_OTHER_BITS, /* infinity with other bits set */
    RECORD_TWO_FLAGS,
    RECORD_COMPRESSED,
    RECORD_COMPRESSED_SIGN,
    RECORD_UNCOMPRESSED
} record_flag;

/* How a record is encoded: x and y, or only x, each of one or two elements of Fp. Flags are the highest bits of its
 * first byte if numbers are big-endian, otherwise of its last byte. */
typedef struct record_encoding {
    element_width width;
    int big_endian;
    int c1_first;         /* over Fp2; otherwise c0 is first */
    int x_only;           /* decoding computes y and checks points; otherwise the caller checks them */
    int zero_is_infinity; /* coordinates (0, 0) are infinity, otherwise a point off the curve */
    int ones_are_infinity;
    uint32_t flag_bits;
    uint8_t flags[8]; /* a record_flag for each value of the flag bits */
} record_encoding;

struct point_format {
    sumac_format_info info;
    int (*holds)(const sumac_group *info); /* return 1 if the format has points of the group */
    format_layout layout;

    /* These are set for LAYOUT_FRAMED only. Records follow a marker of 8 bytes, unless it is 0, and their count; or
     * locate() finds them. */
    uint64_t marker;
    size_t count_bytes;
    int count_is_big_endian;
    /* Find the records of a file of run->format, replace that by the records' format, and check the bytes around them.
     * If the source fails to read, `why` stays unchanged. */
    sumac_status (*locate)(record_run *run, const byte_source *source, const sumac_group *info,
                           sumac_message *why);
    /* Return the format of a group's records; null if it differs between files. */
    const point_format *(*records)(const sumac_group *info);

    /* The rest is set for LAYOUT_RECORDS only. */
    record_encoding encoding;
    int is_compressed; /* records are those of codec/compressed.h, which devices can decode */
    int is_raw;        /* records are raw points in `form`, which bases take without conversion */
    sumac_form form;
};

/* The `info` of a format that is read only, and of one that is also written. */
#define FORMAT_READ(format_name, text)                                                                       \
    {                                                                                                        \
        .size = sizeof(sumac_format_info), .name = (format_name), .description = (text), .can_read = 1       \
    }
#define FORMAT_READ_WRITE(format_name, text)                                                                 \
    {                                                                                                        \
        .size = sizeof(sumac_format_info), .name = (format_name), .description = (text), .can_read = 1,      \
        .can_write = 1                                                                                       \
    }

/* Return format i, counted from 0 in the order in which users see them; null if there are fewer. */
const point_format *format_at(size_t index);

/* Find the format of this name; null if there is none. */
const point_format *format_named(const char *name);

/* Return the end of a message that begins by naming the bad record. */
const char *decode_problem(const decode_outcome *outcome);

/* Find a file's records, by locate() or by their count. */
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

/* Functions for `holds`. */
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

/* Records that several formats use and that are no format by themselves. */
extern const point_format montgomery_records;

#endif
