/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The formats `zcash-compressed` and `zcash-uncompressed`: BLS12-381 points as Zcash's and Ethereum's
 * specifications encode them. Coordinates are big-endian, over Fp2 c1 before c0, so that all bytes of a raw
 * coordinate are reversed. The three bits of the first byte that a coordinate leaves free are flags. Each
 * point has one encoding, and everything else is refused.
 */
#include "io/zcash.h"

#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "codec/zcash_flags.h"
#include "io/format.h"

static size_t compressed_bytes(const sumac_curve_info *info)
{
    return (size_t)info->degree * info->field_bytes;
}

static size_t uncompressed_bytes(const sumac_curve_info *info)
{
    return info->point_bytes;
}

/* A big-endian coordinate without the flags, to raw. */
static void decode_coordinate(uint8_t *raw, const uint8_t *record, size_t bytes, int mask)
{
    reverse_bytes(raw, record, bytes);
    raw[bytes - 1] &= (uint8_t)~mask;
}

/* Infinity: its flag, and no other bit but that of compression. */
static sumac_status decode_infinity(uint8_t *raw, size_t raw_bytes, const uint8_t *record,
                                    size_t record_bytes, const char **problem)
{
    memset(raw, 0, raw_bytes);
    if ((record[0] & ~FLAG_COMPRESSED) != FLAG_INFINITY || !all_zero(record + 1, record_bytes - 1)) {
        *problem = "has the flag of infinity and other bits too";
        return SUMAC_BAD_ENCODING;
    }
    return SUMAC_OK;
}

/* Flags and x of a record; *side is which y it has. */
static sumac_status decode_x(uint8_t *raw, uint8_t *side, const uint8_t *record, const sumac_curve_info *info,
                             const char **problem)
{
    const size_t bytes = compressed_bytes(info);
    *side = LIFT_NONE;
    if ((record[0] & FLAG_COMPRESSED) == 0) {
        *problem = "lacks the flag of a compressed point";
        return SUMAC_BAD_ENCODING;
    }
    if ((record[0] & FLAG_INFINITY) != 0) {
        return decode_infinity(raw, info->point_bytes, record, bytes, problem);
    }
    decode_coordinate(raw, record, bytes, FLAGS);
    *side = (record[0] & FLAG_LARGER) != 0 ? LIFT_LARGER : LIFT_SMALLER;
    return SUMAC_OK;
}

/* What is wrong with the first bad record is said: of those before one that is no record, one may have no y.
 */
static sumac_status decode_compressed(uint8_t *raw, const uint8_t *records, size_t n,
                                      const sumac_curve_info *info, const convert_ops *convert,
                                      sumac_check check, size_t *bad, const char **problem)
{
    uint8_t sides[DECODE_MOST];
    sumac_status status = SUMAC_OK;
    size_t good = 0;
    while (good < n && status == SUMAC_OK) {
        status = decode_x(raw + good * info->point_bytes, &sides[good],
                          records + good * compressed_bytes(info), info, problem);
        good += status == SUMAC_OK;
    }
    *bad = good;
    const sumac_status lifted = convert->lift_x(raw, sides, good, check, bad);
    if (lifted != SUMAC_OK) {
        *problem = lifted == SUMAC_NOT_ON_CURVE ? "has an x coordinate that no point of the curve has" : NULL;
        return lifted;
    }
    return status;
}

static sumac_status decode_both(uint8_t *raw, const uint8_t *record, const sumac_curve_info *info,
                                const char **problem)
{
    const size_t bytes = compressed_bytes(info);
    if ((record[0] & FLAG_COMPRESSED) != 0) {
        *problem = "has the flag of a compressed point";
        return SUMAC_BAD_ENCODING;
    }
    if ((record[0] & FLAG_INFINITY) != 0) {
        return decode_infinity(raw, info->point_bytes, record, 2 * bytes, problem);
    }
    if ((record[0] & FLAG_LARGER) != 0) {
        *problem = "has the sign flag of a compressed point";
        return SUMAC_BAD_ENCODING;
    }
    decode_coordinate(raw, record, bytes, 0);
    decode_coordinate(raw + bytes, record + bytes, bytes, 0);
    /* Raw zeros would be infinity, but this is (0, 0). */
    return all_zero(record, 2 * bytes) ? SUMAC_NOT_ON_CURVE : SUMAC_OK;
}

static sumac_status decode_uncompressed(uint8_t *raw, const uint8_t *records, size_t n,
                                        const sumac_curve_info *info, const convert_ops *convert,
                                        sumac_check check, size_t *bad, const char **problem)
{
    sumac_status status = SUMAC_OK;
    (void)convert;
    (void)check;
    for (*bad = 0; *bad < n; ++*bad) {
        status = decode_both(raw + *bad * info->point_bytes, records + *bad * uncompressed_bytes(info), info,
                             problem);
        if (status != SUMAC_OK) {
            break;
        }
    }
    return status;
}

static void encode_compressed(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                              const convert_ops *convert)
{
    const size_t bytes = compressed_bytes(info);
    reverse_bytes(record, raw, bytes);
    record[0] |= FLAG_COMPRESSED;
    if (all_zero(raw, 2 * bytes)) {
        record[0] |= FLAG_INFINITY;
    } else if (convert->y_is_larger(raw)) {
        record[0] |= FLAG_LARGER;
    }
}

static void encode_uncompressed(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                                const convert_ops *convert)
{
    const size_t bytes = compressed_bytes(info);
    (void)convert;
    reverse_bytes(record, raw, bytes);
    reverse_bytes(record + bytes, raw + bytes, bytes);
    if (all_zero(raw, 2 * bytes)) {
        record[0] |= FLAG_INFINITY;
    }
}

const point_encoding zcash_compressed = {compressed_bytes, decode_compressed, encode_compressed, 1, 1};
const point_encoding zcash_uncompressed = {uncompressed_bytes, decode_uncompressed, encode_uncompressed, 0,
                                           0};

void zcash_compress(const executor *self, const sumac_curve *curve, uint8_t *record, const uint8_t *raw)
{
    encode_compressed(record, raw, sumac_curve_describe(curve), executor_code(self, curve)->convert);
}

static sumac_status compressed_read(input_file *file, const sumac_curve *curve,
                                    const sumac_bases_config *config, sumac_bases **bases)
{
    return records_read(file, curve, &zcash_compressed, config, bases);
}

static sumac_status compressed_write(sumac_context *context, const sumac_bases *bases, const char *path)
{
    return records_write(context, bases, path, &zcash_compressed);
}

static sumac_status uncompressed_read(input_file *file, const sumac_curve *curve,
                                      const sumac_bases_config *config, sumac_bases **bases)
{
    return records_read(file, curve, &zcash_uncompressed, config, bases);
}

static sumac_status uncompressed_write(sumac_context *context, const sumac_bases *bases, const char *path)
{
    return records_write(context, bases, path, &zcash_uncompressed);
}

const file_format zcash_compressed_format = {
    .info = {.size = sizeof(sumac_format_info),
             .name = "zcash-compressed",
             .description = "BLS12-381 as Zcash and Ethereum write it: x big-endian with flag bits",
             .can_read = 1,
             .can_write = 1},
    .holds = holds_bls12_381,
    .read = compressed_read,
    .write = compressed_write,
    .is_records = 1,
    .encoding = &zcash_compressed,
};

const file_format zcash_uncompressed_format = {
    .info = {.size = sizeof(sumac_format_info),
             .name = "zcash-uncompressed",
             .description = "BLS12-381 as Zcash writes it: x and y big-endian with flag bits",
             .can_read = 1,
             .can_write = 1},
    .holds = holds_bls12_381,
    .read = uncompressed_read,
    .write = uncompressed_write,
    .is_records = 1,
    .encoding = &zcash_uncompressed,
};
