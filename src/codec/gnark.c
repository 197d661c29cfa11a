/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the formats `gnark-compressed`, `gnark-raw` and `gnark-dump`. They are slices of affine points as
 * gnark-crypto writes them: with its encoder, with the option RawEncoding, and with WriteDump. In the first two a
 * big-endian count of 4 bytes is followed by points with big-endian coordinates; over Fp2 A1, which is c1, is first. If
 * p leaves three bits of the first byte free, the flags are Zcash's; this file defines the flags for two free bits. A
 * dump has a marker and a count of 8 bytes each, and then points in Montgomery form; everything is little-endian. Each
 * point has exactly one encoding; anything else is refused.
 */
#include "codec/file_kinds.h"
#include "codec/format.h"

enum { COUNT_BYTES = 4, DUMP_COUNT_BYTES = 8 };

static int holds_gnark(const sumac_group *info)
{
    static const char *const names[] = {"bn254",     "bls12-381", "bls12-377", "bw6-761", "grumpkin",
                                        "bls24-315", "bls24-317", "bw6-633",   NULL};
    return is_one_of(info, names);
}

static int has_three_flags(const sumac_group *info)
{
    return 8 * info->field_bytes - info->field_bits >= 3;
}

static const point_format compressed_records = {
    .holds = holds_gnark,
    .layout = LAYOUT_RECORDS,
    .encoding = {.big_endian = 1,
                 .c1_first = 1,
                 .x_only = 1,
                 .flag_bits = 2,
                 .flags = {RECORD_UNCOMPRESSED, RECORD_INFINITY, RECORD_SMALLER, RECORD_LARGER}},
};

static const point_format raw_records = {
    .holds = holds_gnark,
    .layout = LAYOUT_RECORDS,
    .encoding = {.big_endian = 1,
                 .c1_first = 1,
                 .zero_is_infinity = 1,
                 .flag_bits = 2,
                 .flags = {RECORD_POINT, RECORD_COMPRESSED, RECORD_COMPRESSED, RECORD_COMPRESSED}},
};

static const point_format *compressed_records_of(const sumac_group *info)
{
    return has_three_flags(info) ? &zcash_compressed_format : &compressed_records;
}

static const point_format *raw_records_of(const sumac_group *info)
{
    return has_three_flags(info) ? &zcash_uncompressed_format : &raw_records;
}

static const point_format *dump_records_of(const sumac_group *info)
{
    (void)info;
    return &montgomery_records;
}

const point_format gnark_compressed_format = {
    .info = FORMAT_READ_WRITE(
        "gnark-compressed", "a slice of gnark-crypto, compressed: a count, then x big-endian with flag bits"),
    .holds = holds_gnark,
    .layout = LAYOUT_FRAMED,
    .count_bytes = COUNT_BYTES,
    .count_is_big_endian = 1,
    .records = compressed_records_of,
};

const point_format gnark_raw_format = {
    .info = FORMAT_READ_WRITE("gnark-raw",
                              "a slice of gnark-crypto, raw encoding: a count, then x and y big-endian"),
    .holds = holds_gnark,
    .layout = LAYOUT_FRAMED,
    .count_bytes = COUNT_BYTES,
    .count_is_big_endian = 1,
    .records = raw_records_of,
};

const point_format gnark_dump_format = {
    .info =
        FORMAT_READ_WRITE("gnark-dump", "a dump of gnark-crypto: a marker and a count, then Montgomery form"),
    .holds = holds_gnark,
    .layout = LAYOUT_FRAMED,
    .marker = 0xdeadbeef,
    .count_bytes = DUMP_COUNT_BYTES,
    .records = dump_records_of,
};

const file_kind gnark_dump_kind = FILE_KIND("\xef\xbe\xad\xde\0\0\0\0", "a dump of gnark-crypto", FILE_POINTS,
                                            "sumac reads it in the format gnark-dump");

const file_kind gnark_slice_kind = {.name = "a slice of gnark-crypto",
                                    .advice = "sumac reads it in the formats gnark-compressed and gnark-raw",
                                    .family = FILE_POINTS,
                                    .prefix_bytes = COUNT_BYTES,
                                    .big_endian = 1,
                                    .fits = file_fits_count};
