/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The formats `gnark-compressed`, `gnark-raw` and `gnark-dump`: a slice of affine points as gnark-crypto
 * writes it, by its encoder, with its option RawEncoding, and by WriteDump. The first two are a count of 4
 * bytes, big-endian, and points whose coordinates are big-endian, over Fp2 A1, which is c1, first. Where p
 * leaves three bits of the first byte free, flags are Zcash's; here are those where it leaves two. A dump is
 * a marker and a count, 8 bytes each, and Montgomery form, all little-endian. Each point has one encoding,
 * and everything else is refused.
 */
#include <string.h>

#include "base/try.h"
#include "codec/by_x.h"
#include "codec/bytes.h"
#include "codec/cursor.h"
#include "codec/file_kinds.h"

enum {
    COMPRESSED_SMALLEST = 0x80,
    COMPRESSED_LARGEST = 0xc0,
    COMPRESSED_INFINITY = 0x40,
    TWO_FLAGS = 0xc0,
    COUNT_BYTES = 4,
    DUMP_HEAD_BYTES = 16
};

static const uint64_t dump_marker = 0xdeadbeef;

static int holds_gnark(const sumac_curve_info *info)
{
    static const char *const names[] = {"bn254",     "bls12-381", "bls12-377", "bw6-761", "grumpkin",
                                        "bls24-315", "bls24-317", "bw6-633",   NULL};
    return is_one_of(info, names);
}

static int has_three_flags(const sumac_curve_info *info)
{
    return 8 * info->field_bytes - info->field_bits >= 3;
}

/* ---- x with two flags ---- */

static const char *decode_x(uint8_t *raw, uint8_t *side, const uint8_t *record, const sumac_curve_info *info)
{
    const size_t bytes = coordinate_bytes(info);
    const int flags = record[0] & TWO_FLAGS;
    memset(raw, 0, info->point_bytes);
    *side = LIFT_NONE;
    if (flags == 0) {
        return "lacks the flag of a compressed point";
    }
    if (flags == COMPRESSED_INFINITY) {
        return record[0] == COMPRESSED_INFINITY && all_zero(record + 1, bytes - 1)
                   ? NULL
                   : "has the flag of infinity and other bits too";
    }
    reverse_bytes(raw, record, bytes);
    raw[bytes - 1] &= (uint8_t)~TWO_FLAGS;
    *side = flags == COMPRESSED_LARGEST ? LIFT_LARGER : LIFT_SMALLER;
    return NULL;
}

static decode_outcome decode_compressed(uint8_t *raw, const uint8_t *records, size_t n,
                                        const sumac_curve_info *info, const convert_ops *convert,
                                        sumac_check check)
{
    const compressed_records compressed = {records, coordinate_bytes(info), decode_x};
    return decode_by_x(raw, &compressed, n, info, convert, check);
}

static void encode_compressed(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                              const convert_ops *convert)
{
    const size_t bytes = coordinate_bytes(info);
    reverse_bytes(record, raw, bytes);
    record[0] |= all_zero(raw, 2 * bytes)    ? COMPRESSED_INFINITY
                 : convert->y_is_larger(raw) ? COMPRESSED_LARGEST
                                             : COMPRESSED_SMALLEST;
}

static const point_format compressed_records_format = {
    .holds = holds_gnark,
    .layout = LAYOUT_RECORDS,
    .record_bytes = coordinate_bytes,
    .decode = decode_compressed,
    .encode = encode_compressed,
    .checks = 1,
};

/* ---- x and y with two flags, which are 0 ---- */

static decode_outcome decode_raw(uint8_t *raw, const uint8_t *records, size_t n, const sumac_curve_info *info,
                                 const convert_ops *convert, sumac_check check)
{
    const size_t bytes = coordinate_bytes(info);
    (void)convert;
    (void)check;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *record = records + 2 * i * bytes;
        if ((record[0] & TWO_FLAGS) != 0) {
            return (decode_outcome){SUMAC_BAD_ENCODING, i, "has the flag of a compressed point"};
        }
        reverse_bytes(raw + 2 * i * bytes, record, bytes);
        reverse_bytes(raw + (2 * i + 1) * bytes, record + bytes, bytes);
    }
    return (decode_outcome){.status = SUMAC_OK};
}

static void encode_raw(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                       const convert_ops *convert)
{
    const size_t bytes = coordinate_bytes(info);
    (void)convert;
    reverse_bytes(record, raw, bytes);
    reverse_bytes(record + bytes, raw + bytes, bytes);
}

static const point_format raw_records_format = {
    .holds = holds_gnark,
    .layout = LAYOUT_RECORDS,
    .record_bytes = raw_point_bytes,
    .decode = decode_raw,
    .encode = encode_raw,
};

/* ---- Slices ---- */

static const point_format *compressed_records_of(const sumac_curve_info *info)
{
    return has_three_flags(info) ? &zcash_compressed_format : &compressed_records_format;
}

static const point_format *raw_records_of(const sumac_curve_info *info)
{
    return has_three_flags(info) ? &zcash_uncompressed_format : &raw_records_format;
}

static sumac_status locate(record_run *run, const byte_source *source, const sumac_curve_info *info,
                           sumac_message *why)
{
    cursor c = {.source = source, .why = why};
    run->format = run->format->records(info);
    run->count = cursor_be32(&c, "the count that it begins with");
    TRY(c.status);
    return locate_behind_head(run, source, info, COUNT_BYTES, why);
}

static size_t head(uint8_t bytes[FRAME_HEAD_BYTES], uint64_t count)
{
    uint8_t reversed[COUNT_BYTES];
    store_le32(reversed, (uint32_t)count);
    reverse_bytes(bytes, reversed, sizeof reversed);
    return count > UINT32_MAX ? 0 : COUNT_BYTES;
}

const point_format gnark_compressed_format = {
    .info = FORMAT_READ_WRITE(
        "gnark-compressed", "a slice of gnark-crypto, compressed: a count, then x big-endian with flag bits"),
    .holds = holds_gnark,
    .layout = LAYOUT_FRAMED,
    .locate = locate,
    .records = compressed_records_of,
    .head = head,
};

const point_format gnark_raw_format = {
    .info = FORMAT_READ_WRITE("gnark-raw",
                              "a slice of gnark-crypto, raw encoding: a count, then x and y big-endian"),
    .holds = holds_gnark,
    .layout = LAYOUT_FRAMED,
    .locate = locate,
    .records = raw_records_of,
    .head = head,
};

/* ---- Dumps ---- */

static const point_format *dump_records_of(const sumac_curve_info *info)
{
    (void)info;
    return &montgomery_records;
}

static sumac_status locate_dump(record_run *run, const byte_source *source, const sumac_curve_info *info,
                                sumac_message *why)
{
    cursor c = {.source = source, .why = why};
    const uint64_t marker = cursor_le64(&c, "the marker of a dump");
    cursor_require(&c, marker == dump_marker, SUMAC_BAD_FILE,
                   "byte 0 does not begin with the marker of a dump, 0xdeadbeef");
    run->format = &montgomery_records;
    run->count = cursor_le64(&c, "the count of a dump");
    TRY(c.status);
    return locate_behind_head(run, source, info, DUMP_HEAD_BYTES, why);
}

static size_t dump_head(uint8_t bytes[FRAME_HEAD_BYTES], uint64_t count)
{
    store_le64(bytes, dump_marker);
    store_le64(bytes + 8, count);
    return DUMP_HEAD_BYTES;
}

const point_format gnark_dump_format = {
    .info =
        FORMAT_READ_WRITE("gnark-dump", "a dump of gnark-crypto: a marker and a count, then Montgomery form"),
    .holds = holds_gnark,
    .layout = LAYOUT_FRAMED,
    .locate = locate_dump,
    .records = dump_records_of,
    .head = dump_head,
};

const file_kind gnark_dump_kind = FILE_KIND("\xef\xbe\xad\xde\0\0\0\0", "a dump of gnark-crypto", FILE_POINTS,
                                            "sumac reads it in the format gnark-dump");

const file_kind gnark_slice_kind = {.name = "a slice of gnark-crypto",
                                    .advice = "sumac reads it in the formats gnark-compressed and gnark-raw",
                                    .family = FILE_POINTS,
                                    .prefix_bytes = COUNT_BYTES,
                                    .big_endian = 1,
                                    .fits = file_fits_count};
