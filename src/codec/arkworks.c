/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The formats `arkworks-compressed` and `arkworks-uncompressed`: a Vec of affine points as ark-serialize
 * writes it, a count of 8 bytes and the points. Coordinates are little-endian in as few bytes as hold p, over
 * Fp2 c0 first; the last coordinate has two flags in the highest bits of its last byte, for which it may be a
 * byte longer. The curve BLS12-381 is encoded as Zcash does it. Each point has one encoding, and everything
 * else is refused.
 */
#include <string.h>

#include "base/try.h"
#include "codec/by_x.h"
#include "codec/bytes.h"
#include "codec/cursor.h"
#include "codec/file_kinds.h"

enum { NEGATIVE_Y = 0x80, INFINITY_FLAG = 0x40, BOTH_FLAGS = 0xc0, COUNT_BYTES = 8 };

/* Bytes of an element of Fp without flags and with them. */
static size_t plain_bytes(const sumac_curve_info *info)
{
    return (info->field_bits + 7) / 8;
}

static size_t flagged_bytes(const sumac_curve_info *info)
{
    return (info->field_bits + 2 + 7) / 8;
}

/* Bytes of several elements, the last one with flags. */
static size_t elements_bytes(const sumac_curve_info *info, size_t elements)
{
    return (elements - 1) * plain_bytes(info) + flagged_bytes(info);
}

/* Decode elements to raw ones, and the flags. Returns 0 if an element has more bits than a raw one can have. */
static int decode_elements(uint8_t *raw, int *flags, const uint8_t *record, size_t elements,
                           const sumac_curve_info *info)
{
    const size_t plain = plain_bytes(info), flagged = flagged_bytes(info);
    memset(raw, 0, elements * info->field_bytes);
    for (size_t i = 0; i + 1 < elements; i++) {
        memcpy(raw + i * info->field_bytes, record + i * plain, plain);
    }
    const uint8_t *last = record + (elements - 1) * plain;
    const uint8_t highest = last[flagged - 1] & (uint8_t)~BOTH_FLAGS;
    *flags = last[flagged - 1] & BOTH_FLAGS;
    uint8_t *to = raw + (elements - 1) * info->field_bytes;
    memcpy(to, last, flagged - 1);
    if (flagged <= info->field_bytes) {
        to[flagged - 1] = highest;
    }
    return flagged <= info->field_bytes || highest == 0;
}

static void encode_elements(uint8_t *record, int flags, const uint8_t *raw, size_t elements,
                            const sumac_curve_info *info)
{
    const size_t plain = plain_bytes(info), flagged = flagged_bytes(info);
    uint8_t *last = record + (elements - 1) * plain;
    memset(last, 0, flagged);
    for (size_t i = 0; i < elements; i++) {
        memcpy(record + i * plain, raw + i * info->field_bytes, plain);
    }
    last[flagged - 1] |= (uint8_t)flags;
}

/* Returns what is wrong with the flags of these elements, or null. */
static const char *flags_problem(int flags, const uint8_t *raw, size_t elements, const sumac_curve_info *info)
{
    if (flags == BOTH_FLAGS) {
        return "has the flags of infinity and of a sign";
    }
    return flags == INFINITY_FLAG && !all_zero(raw, elements * info->field_bytes)
               ? "has the flag of infinity and coordinates"
               : NULL;
}

/* ---- x ---- */

static size_t compressed_bytes(const sumac_curve_info *info)
{
    return elements_bytes(info, info->degree);
}

static const char *decode_x(uint8_t *raw, uint8_t *side, const uint8_t *record, const sumac_curve_info *info)
{
    int flags;
    memset(raw, 0, info->point_bytes);
    *side = LIFT_NONE;
    if (!decode_elements(raw, &flags, record, info->degree, info)) {
        return not_reduced;
    }
    const char *problem = flags_problem(flags, raw, info->degree, info);
    if (problem == NULL && flags != INFINITY_FLAG) {
        *side = flags == NEGATIVE_Y ? LIFT_LARGER : LIFT_SMALLER;
    }
    return problem;
}

static decode_outcome decode_compressed(uint8_t *raw, const uint8_t *records, size_t n,
                                        const sumac_curve_info *info, const convert_ops *convert,
                                        sumac_check check)
{
    const compressed_records compressed = {records, compressed_bytes(info), decode_x};
    return decode_by_x(raw, &compressed, n, info, convert, check);
}

static int flags_of(const uint8_t *raw, const sumac_curve_info *info, const convert_ops *convert)
{
    return all_zero(raw, info->point_bytes) ? INFINITY_FLAG : convert->y_is_larger(raw) ? NEGATIVE_Y : 0;
}

static void encode_compressed(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                              const convert_ops *convert)
{
    encode_elements(record, flags_of(raw, info, convert), raw, info->degree, info);
}

static const point_format compressed_records_format = {
    .holds = holds_every_curve,
    .layout = LAYOUT_RECORDS,
    .record_bytes = compressed_bytes,
    .decode = decode_compressed,
    .encode = encode_compressed,
    .checks = 1,
};

/* ---- x and y ---- */

static size_t uncompressed_bytes(const sumac_curve_info *info)
{
    return elements_bytes(info, 2 * info->degree);
}

static decode_outcome decode_both(uint8_t *raw, const uint8_t *record, const sumac_curve_info *info,
                                  const convert_ops *convert)
{
    const point_layout layout = {.form = SUMAC_FORM_CANONICAL, .stride = info->point_bytes};
    const size_t elements = (size_t)2 * info->degree;
    uint64_t point[POINT_MOST_BYTES / 8];
    size_t bad;
    int flags;
    if (!decode_elements(raw, &flags, record, elements, info) ||
        convert->import_points(point, raw, 1, &layout, SUMAC_CHECK_NONE, &bad) != SUMAC_OK) {
        return (decode_outcome){.status = SUMAC_BAD_ENCODING};
    }
    const char *problem = flags_problem(flags, raw, elements, info);
    if (problem == NULL && flags != INFINITY_FLAG) {
        /* Raw zeros would be infinity, but this is (0, 0). */
        if (all_zero(raw, info->point_bytes)) {
            return (decode_outcome){.status = SUMAC_NOT_ON_CURVE};
        }
        problem = convert->y_is_larger(raw) != (flags == NEGATIVE_Y) ? "has the sign flag of -y" : NULL;
    }
    return (decode_outcome){.status = problem == NULL ? SUMAC_OK : SUMAC_BAD_ENCODING, .problem = problem};
}

static decode_outcome decode_uncompressed(uint8_t *raw, const uint8_t *records, size_t n,
                                          const sumac_curve_info *info, const convert_ops *convert,
                                          sumac_check check)
{
    decode_outcome outcome = {.status = SUMAC_OK};
    (void)check;
    for (size_t i = 0; i < n && outcome.status == SUMAC_OK; i++) {
        outcome =
            decode_both(raw + i * info->point_bytes, records + i * uncompressed_bytes(info), info, convert);
        outcome.bad = i;
    }
    return outcome;
}

static void encode_uncompressed(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                                const convert_ops *convert)
{
    encode_elements(record, flags_of(raw, info, convert), raw, (size_t)2 * info->degree, info);
}

static const point_format uncompressed_records_format = {
    .holds = holds_every_curve,
    .layout = LAYOUT_RECORDS,
    .record_bytes = uncompressed_bytes,
    .decode = decode_uncompressed,
    .encode = encode_uncompressed,
};

/* ---- A vector of them ---- */

static const point_format *compressed_records_of(const sumac_curve_info *info)
{
    return holds_bls12_381(info) ? &zcash_compressed_format : &compressed_records_format;
}

static const point_format *uncompressed_records_of(const sumac_curve_info *info)
{
    return holds_bls12_381(info) ? &zcash_uncompressed_format : &uncompressed_records_format;
}

static sumac_status locate(record_run *run, const byte_source *source, const sumac_curve_info *info,
                           sumac_message *why)
{
    cursor c = {.source = source, .why = why};
    run->format = run->format->records(info);
    run->count = cursor_le64(&c, "the count that it begins with");
    TRY(c.status);
    return locate_behind_head(run, source, info, COUNT_BYTES, why);
}

static size_t head(uint8_t bytes[FRAME_HEAD_BYTES], uint64_t count)
{
    store_le64(bytes, count);
    return COUNT_BYTES;
}

const point_format arkworks_compressed_format = {
    .info = FORMAT_READ_WRITE("arkworks-compressed",
                              "a Vec of arkworks, compressed: a count, then x with flag bits"),
    .holds = holds_every_curve,
    .layout = LAYOUT_FRAMED,
    .locate = locate,
    .records = compressed_records_of,
    .head = head,
};

const point_format arkworks_uncompressed_format = {
    .info = FORMAT_READ_WRITE("arkworks-uncompressed",
                              "a Vec of arkworks, uncompressed: a count, then x and y with flag bits"),
    .holds = holds_every_curve,
    .layout = LAYOUT_FRAMED,
    .locate = locate,
    .records = uncompressed_records_of,
    .head = head,
};

const file_kind arkworks_kind = {
    .name = "a vector of arkworks",
    .advice = "sumac reads it in the formats arkworks-compressed and arkworks-uncompressed",
    .family = FILE_POINTS,
    .prefix_bytes = COUNT_BYTES,
    .fits = file_fits_count};
