/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What a format of points is, and all there are. A format is one file of this folder, which has its name,
 * the size of a record, and how records are read and written. A new one is such a file, a line at the end of
 * this header and a row in format.c.
 */
#ifndef SUMAC_CODEC_FORMAT_H
#define SUMAC_CODEC_FORMAT_H

#include "codec/byte_source.h"
#include "codec/point_layout.h"
#include "base/refusal.h"
#include "curves/curve_code.h"

/* What a file of a format consists of. */
typedef enum format_layout {
    LAYOUT_RECORDS,      /* points, each in as many bytes, and nothing else */
    LAYOUT_FRAMED,       /* such records with other bytes before or behind them */
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

typedef struct point_format point_format;

/* Where in a file records lie, and of which format of LAYOUT_RECORDS they are. */
typedef struct record_run {
    const point_format *format;
    uint64_t offset;
    uint64_t count;
} record_run;

/* Bytes before the first record that a format writes, at most. */
#define FRAME_HEAD_BYTES 16

struct point_format {
    sumac_format_info info;
    int (*holds)(const sumac_curve_info *info); /* whether it has points of a curve */
    format_layout layout;

    /* These are of LAYOUT_FRAMED. */
    /* Find the records of a file of run->format, which then becomes their format. What is beside them is
     * checked. After a failure of `read` the refusal stays as it is. */
    sumac_status (*locate)(record_run *run, const byte_source *source, const sumac_curve_info *info,
                           sumac_message *why);
    /* What the records of a curve are; null where each file says it. */
    const point_format *(*records)(const sumac_curve_info *info);
    /* What a file of `count` records begins with; returns how many bytes, 0 if there can't be so many
     * records. Nothing comes behind them. */
    size_t (*head)(uint8_t head[FRAME_HEAD_BYTES], uint64_t count);

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
    int is_raw;        /* records are raw points in this form, which bases take as they are */
    sumac_form form;
};

/* The format of a number from 0 on, in the order in which users see them; null: there are not so many. */
const point_format *format_at(size_t index);

/* The format of this name; null: there is none. */
const point_format *format_named(const char *name);

/* How a sentence ends that begins with the record that failed. */
const char *decode_problem(const decode_outcome *outcome);
extern const char not_reduced[]; /* of a coordinate that is not below p */

/* A locate for files that are a head of so many bytes and `count` records, which must be all of the file. */
sumac_status locate_behind_head(record_run *run, const byte_source *source, const sumac_curve_info *info,
                                size_t head_bytes, sumac_message *why);

/* Values of `record_bytes`: of x and y as raw points have them, and of x alone. */
size_t raw_point_bytes(const sumac_curve_info *info);
size_t coordinate_bytes(const sumac_curve_info *info);

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

/* Records of other formats that are no format of their own. */
extern const point_format montgomery_records;

#endif
