/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The formats `zcash-compressed` and `zcash-uncompressed`: BLS12-381 points as Zcash's and Ethereum's
 * specifications encode them. Coordinates are big-endian, over Fp2 c1 before c0, so that all bytes of a raw
 * coordinate are reversed. The three bits of the first byte that a coordinate leaves free are flags. Each
 * point has one encoding, and everything else is refused. compressed.h decodes the first one on a device.
 */
#include <string.h>

#include "codec/by_x.h"
#include "codec/bytes.h"
#include "codec/format.h"
#include "codec/zcash_flags.h"

/* Decode a big-endian coordinate to a raw one, without its flags. */
static void decode_coordinate(uint8_t *raw, const uint8_t *record, size_t bytes, int mask)
{
    reverse_bytes(raw, record, bytes);
    raw[bytes - 1] &= (uint8_t)~mask;
}

/* Decode infinity, which has its flag and no other bit but that of compression. Returns what is wrong, or null. */
static const char *decode_infinity(uint8_t *raw, size_t raw_bytes, const uint8_t *record, size_t record_bytes)
{
    memset(raw, 0, raw_bytes);
    return (record[0] & ~FLAG_COMPRESSED) != FLAG_INFINITY || !all_zero(record + 1, record_bytes - 1)
               ? "has the flag of infinity and other bits too"
               : NULL;
}

/* ---- zcash-compressed: x ---- */

/* Decode flags and x of a record; *side says which y it has. Returns what is wrong, or null. */
static const char *decode_x(uint8_t *raw, uint8_t *side, const uint8_t *record, const sumac_curve_info *info)
{
    const size_t bytes = coordinate_bytes(info);
    *side = LIFT_NONE;
    if ((record[0] & FLAG_COMPRESSED) == 0) {
        return "lacks the flag of a compressed point";
    }
    if ((record[0] & FLAG_INFINITY) != 0) {
        return decode_infinity(raw, info->point_bytes, record, bytes);
    }
    decode_coordinate(raw, record, bytes, FLAGS);
    *side = (record[0] & FLAG_LARGER) != 0 ? LIFT_LARGER : LIFT_SMALLER;
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
    record[0] |= FLAG_COMPRESSED;
    if (all_zero(raw, 2 * bytes)) {
        record[0] |= FLAG_INFINITY;
    } else if (convert->y_is_larger(raw)) {
        record[0] |= FLAG_LARGER;
    }
}

const point_format zcash_compressed_format = {
    .info = FORMAT_READ_WRITE("zcash-compressed",
                              "BLS12-381 as Zcash and Ethereum write it: x big-endian with flag bits"),
    .holds = holds_bls12_381,
    .layout = LAYOUT_RECORDS,
    .record_bytes = coordinate_bytes, /* 48 in G1, 96 in G2 */
    .decode = decode_compressed,
    .encode = encode_compressed,
    .checks = 1,
    .is_compressed = 1,
};

/* ---- zcash-uncompressed: x and y ---- */

static decode_outcome decode_both(uint8_t *raw, const uint8_t *record, const sumac_curve_info *info)
{
    const size_t bytes = coordinate_bytes(info);
    const char *problem = NULL;
    if ((record[0] & FLAG_COMPRESSED) != 0) {
        problem = "has the flag of a compressed point";
    } else if ((record[0] & FLAG_INFINITY) != 0) {
        problem = decode_infinity(raw, info->point_bytes, record, 2 * bytes);
    } else if ((record[0] & FLAG_LARGER) != 0) {
        problem = "has the sign flag of a compressed point";
    } else {
        decode_coordinate(raw, record, bytes, 0);
        decode_coordinate(raw + bytes, record + bytes, bytes, 0);
        /* Raw zeros would be infinity, but this is (0, 0). */
        return (decode_outcome){.status = all_zero(record, 2 * bytes) ? SUMAC_NOT_ON_CURVE : SUMAC_OK};
    }
    return (decode_outcome){.status = problem == NULL ? SUMAC_OK : SUMAC_BAD_ENCODING, .problem = problem};
}

static decode_outcome decode_uncompressed(uint8_t *raw, const uint8_t *records, size_t n,
                                          const sumac_curve_info *info, const convert_ops *convert,
                                          sumac_check check)
{
    decode_outcome outcome = {.status = SUMAC_OK};
    (void)convert;
    (void)check;
    for (size_t i = 0; i < n && outcome.status == SUMAC_OK; i++) {
        outcome = decode_both(raw + i * info->point_bytes, records + i * info->point_bytes, info);
        outcome.bad = i;
    }
    return outcome;
}

static void encode_uncompressed(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                                const convert_ops *convert)
{
    const size_t bytes = coordinate_bytes(info);
    (void)convert;
    reverse_bytes(record, raw, bytes);
    reverse_bytes(record + bytes, raw + bytes, bytes);
    if (all_zero(raw, 2 * bytes)) {
        record[0] |= FLAG_INFINITY;
    }
}

const point_format zcash_uncompressed_format = {
    .info = FORMAT_READ_WRITE("zcash-uncompressed",
                              "BLS12-381 as Zcash writes it: x and y big-endian with flag bits"),
    .holds = holds_bls12_381,
    .layout = LAYOUT_RECORDS,
    .record_bytes = raw_point_bytes, /* 96 in G1, 192 in G2 */
    .decode = decode_uncompressed,
    .encode = encode_uncompressed,
};
