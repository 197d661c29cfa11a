/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What a format of points is, and all there are. A format is one file of this folder, which has its name,
 * the size of a record, and how records are read and written. A new one is such a file, a line at the end of
 * this header and a row in format.c.
 */
#ifndef SUMAC_CODEC_FORMAT_H
#define SUMAC_CODEC_FORMAT_H

#include "codec/point_layout.h"
#include "curves/curve_code.h"

/* What a file of a format consists of. */
typedef enum format_layout {
    LAYOUT_RECORDS,      /* points, each in as many bytes, and nothing else */
    LAYOUT_TABLE,        /* codec/table.h */
    LAYOUT_TRUSTED_SETUP /* codec/trusted_setup.h */
} format_layout;

/* Records that are decoded at a time at most: what a thread takes. */
#define DECODE_MOST 64

/* What decoding some records came to. */
typedef struct decode_outcome {
    sumac_status status; /* SUMAC_OK, SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP */
    size_t bad;          /* the first record that failed */
    const char *problem; /* what is wrong with it, where there is more to say than the status; else null */
} decode_outcome;

typedef struct point_format {
    sumac_format_info info;
    int (*holds)(const sumac_curve_info *info); /* whether it has points of a curve */
    format_layout layout;

    /* The rest is of LAYOUT_RECORDS. */
    size_t (*record_bytes)(const sumac_curve_info *info);
    /* n <= DECODE_MOST records to raw canonical points. */
    decode_outcome (*decode)(uint8_t *raw, const uint8_t *records, size_t n, const sumac_curve_info *info,
                             const convert_ops *convert, sumac_check check);
    /* A raw canonical point to a record. */
    void (*encode)(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                   const convert_ops *convert);
    /* decode does as `check` says; else the raw points are still to be checked, their coordinates, too. */
    int checks;
    int is_compressed; /* records are those of codec/compressed.h, which a device decodes, too */
} point_format;

/* The format of this name; null: there is none. */
const point_format *format_named(const char *name);

/* How a sentence ends that begins with the record that failed. */
const char *decode_problem(const decode_outcome *outcome);

/* Values of `holds`. */
int holds_every_curve(const sumac_curve_info *info);
int holds_bls12_381(const sumac_curve_info *info);
int holds_bls12_381_g1(const sumac_curve_info *info);

extern const point_format raw_format;
extern const point_format table_format;
extern const point_format trusted_setup_lagrange_format;
extern const point_format trusted_setup_monomial_format;
extern const point_format zcash_compressed_format;
extern const point_format zcash_uncompressed_format;
extern const point_format eip2537_format;

#endif
