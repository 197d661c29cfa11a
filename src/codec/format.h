/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Formats of points. A format is one file of this directory that defines a point_format: a row that says its name and how its
 * records are encoded, which encoding.c reads and writes. A new format is such a file, a line at the end of this header and a
 * row in format.c.
 */
#ifndef SUMAC_CODEC_FORMAT_H
#define SUMAC_CODEC_FORMAT_H

#include "codec/byte_source.h"
#include "codec/point_layout.h"
#include "base/refusal.h"
#include "curves/curve_code.h"

/* The layout of a file of points. */
typedef enum format_layout {
    LAYOUT_RECORDS,      /* points, each in as many bytes, and nothing else */
    LAYOUT_FRAMED,       /* such records with other bytes before or behind them */
    LAYOUT_TABLE,        /* codec/table.h */
    LAYOUT_TRUSTED_SETUP /* codec/trusted_setup.h */
} format_layout;

/* The most records that are decoded in one call: a thread's share. */
#define DECODE_MOST 64

/* The outcome of decoding some records. */
typedef struct decode_outcome {
    sumac_status status; /* SUMAC_OK, SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP */
    size_t bad;          /* the first record that failed */
    const char *problem; /* what is wrong with it, where there is more to say than the status; else null */
} decode_outcome;

typedef struct point_format point_format;

/* The records of a file, and their format, which is one of LAYOUT_RECORDS. */
typedef struct record_run {
    const point_format *format;
    uint64_t offset;
    uint64_t count;
} record_run;

/* The most bytes that a format writes before the first record. */
#define FRAME_HEAD_BYTES 16

/* The bytes of an element of Fp in a record. */
typedef enum element_width {
    ELEMENT_OF_LIMBS, /* as many as a raw one */
    ELEMENT_OF_BITS,  /* as few as hold p; the last element's flags may take a byte more */
    ELEMENT_OF_64
} element_width;

/* The meanings of a record's flags. All behind RECORD_INFINITY are errors. */
typedef enum record_flag {
    RECORD_POINT,   /* nothing */
    RECORD_SMALLER, /* it has the smaller of y and -y, or the larger one */
    RECORD_LARGER,
    RECORD_EVEN, /* it has that of y and -y which is even, or odd; over Fp2 by c0 */
    RECORD_ODD,
    RECORD_INFINITY,
    RECORD_OTHER_BITS, /* infinity, and something else */
    RECORD_TWO_FLAGS,
    RECORD_COMPRESSED,
    RECORD_COMPRESSED_SIGN,
    RECORD_UNCOMPRESSED
} record_flag;

/* The bytes of a record: x and y, or x alone, each of one or two elements of Fp. Flags are the highest bits of its first byte
 * if numbers are big-endian, else of its last one. */
typedef struct record_encoding {
    element_width width;
    int big_endian;
    int c1_first; /* over Fp2; else c0 is first */
    int x_only; /* y is computed, and points are checked; else the caller checks points and their coordinates */
    int zero_is_infinity; /* of the coordinates; else (0, 0) is a point off the curve */
    int ones_are_infinity;
    uint32_t flag_bits;
    uint8_t flags[8]; /* a record_flag for each value of the flag bits */
} record_encoding;

struct point_format {
    sumac_format_info info;
    int (*holds)(const sumac_curve_info *info); /* 1 if it has points of a curve */
    format_layout layout;

    /* These are set for LAYOUT_FRAMED alone. Records stand behind a marker, if it is not 0, of 8 bytes, and their count; or
     * `locate` finds them. */
    uint64_t marker;
    size_t count_bytes;
    int count_is_big_endian;
    /* Find the records of a file of run->format, which becomes the records' own format, and check the bytes beside them. A
     * failure of the source's `read` leaves the message as it is. */
    sumac_status (*locate)(record_run *run, const byte_source *source, const sumac_curve_info *info,
                           sumac_message *why);
    /* The format of the records of a curve; null if it differs from file to file. */
    const point_format *(*records)(const sumac_curve_info *info);

    /* The rest is set for LAYOUT_RECORDS alone. */
    record_encoding encoding;
    int is_compressed; /* records are those of codec/compressed.h, which a device decodes, too */
    int is_raw;        /* records are raw points in this form, which bases take as they are */
    sumac_form form;
};

/* The `info` of a format that is read, and of one that is written, too. */
#define FORMAT_READ(format_name, text)                                                                       \
    {                                                                                                        \
        .size = sizeof(sumac_format_info), .name = (format_name), .description = (text), .can_read = 1       \
    }
#define FORMAT_READ_WRITE(format_name, text)                                                                 \
    {                                                                                                        \
        .size = sizeof(sumac_format_info), .name = (format_name), .description = (text), .can_read = 1,      \
        .can_write = 1                                                                                       \
    }

/* Return format number i, counted from 0 in the order in which users see them; null if there are fewer. */
const point_format *format_at(size_t index);

/* The format of this name; null: there is none. */
const point_format *format_named(const char *name);

/* The end of a sentence that begins with the record that failed. */
const char *decode_problem(const decode_outcome *outcome);

/* Call `locate`, or find records behind their count. */
sumac_status format_locate(record_run *run, const byte_source *source, const sumac_curve_info *info,
                           sumac_message *why);

/* Write the header that comes before `count` records. Return its length, or 0 if the format cannot have so many records. */
size_t format_head(const point_format *format, uint8_t head[FRAME_HEAD_BYTES], uint64_t count);

/* ---- Records: of formats of LAYOUT_RECORDS ---- */

size_t format_record_bytes(const point_format *format, const sumac_curve_info *info);

/* Decode n <= DECODE_MOST records to raw canonical points. The outcome is that of the first bad record. */
decode_outcome format_decode(const point_format *format, uint8_t *raw, const uint8_t *records, size_t n,
                             const sumac_curve_info *info, const convert_ops *convert, sumac_check check);

/* Encode a raw canonical point as a record. */
void format_encode(const point_format *format, uint8_t *record, const uint8_t *raw,
                   const sumac_curve_info *info, const convert_ops *convert);

/* Values of `holds`. */
int holds_every_curve(const sumac_curve_info *info);
int holds_bls12_381(const sumac_curve_info *info);
int holds_bls12_381_g1(const sumac_curve_info *info);
int is_one_of(const sumac_curve_info *info, const char *const *names); /* which end with null */

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

/* Records of several formats, which are no format by themselves. */
extern const point_format montgomery_records;

#endif
