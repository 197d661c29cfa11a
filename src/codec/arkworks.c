/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the formats `arkworks-compressed` and `arkworks-uncompressed`. A file is a Vec of affine points as
 * ark-serialize writes it: a count of 8 bytes, and then the points. A coordinate is little-endian, and has as few bytes
 * as can hold p; over Fp2 c0 is first. The last coordinate has two flags in the highest bits of its last byte; if p
 * leaves no bits for them, it is a byte longer. Points of BLS12-381 are encoded in Zcash's way. Each point has exactly
 * one encoding; anything else is refused.
 */
#include "codec/file_kinds.h"
#include "codec/format.h"

enum { COUNT_BYTES = 8 };

/* The highest bit means that y is the larger of y and -y, and the next bit means that the point is infinity. */
#define ARKWORKS_FLAGS                                                                                       \
    .flag_bits = 2, .flags = {RECORD_SMALLER, RECORD_INFINITY, RECORD_LARGER, RECORD_TWO_FLAGS}

static const point_format compressed_records = {
    .holds = holds_every_group,
    .layout = LAYOUT_RECORDS,
    .encoding = {.width = ELEMENT_OF_BITS, .x_only = 1, ARKWORKS_FLAGS},
};

static const point_format uncompressed_records = {
    .holds = holds_every_group,
    .layout = LAYOUT_RECORDS,
    .encoding = {.width = ELEMENT_OF_BITS, ARKWORKS_FLAGS},
};

static const point_format *compressed_records_of(const sumac_group *info)
{
    return holds_bls12_381(info) ? &zcash_compressed_format : &compressed_records;
}

static const point_format *uncompressed_records_of(const sumac_group *info)
{
    return holds_bls12_381(info) ? &zcash_uncompressed_format : &uncompressed_records;
}

const point_format arkworks_compressed_format = {
    .info = FORMAT_READ_WRITE("arkworks-compressed",
                              "a Vec of arkworks, compressed: a count, then x with flag bits"),
    .holds = holds_every_group,
    .layout = LAYOUT_FRAMED,
    .count_bytes = COUNT_BYTES,
    .records = compressed_records_of,
};

const point_format arkworks_uncompressed_format = {
    .info = FORMAT_READ_WRITE("arkworks-uncompressed",
                              "a Vec of arkworks, uncompressed: a count, then x and y with flag bits"),
    .holds = holds_every_group,
    .layout = LAYOUT_FRAMED,
    .count_bytes = COUNT_BYTES,
    .records = uncompressed_records_of,
};

const file_kind arkworks_kind = {
    .name = "a vector of arkworks",
    .advice = "sumac reads it in the formats arkworks-compressed and arkworks-uncompressed",
    .family = FILE_POINTS,
    .prefix_bytes = COUNT_BYTES,
    .fits = file_fits_count};
