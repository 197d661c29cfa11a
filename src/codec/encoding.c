/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file decodes records to raw points, and encodes raw points as records, as the record_encoding of their format
 * describes (format.h). */
#include <string.h>

#include "codec/bytes.h"
#include "codec/format.h"

static const char *const problems[] = {
    [RECORD_OTHER_BITS] = "has the flag of infinity and other bits too",
    [RECORD_TWO_FLAGS] = "has the flags of infinity and of a sign",
    [RECORD_COMPRESSED] = "has the flag of a compressed point",
    [RECORD_COMPRESSED_SIGN] = "has the sign flag of a compressed point",
    [RECORD_UNCOMPRESSED] = "lacks the flag of a compressed point",
};

/* This struct has the sizes in a record of a format and a group. */
typedef struct record_shape {
    const record_encoding *encoding;
    const sumac_group *info;
    size_t elements;
    size_t width, last_width; /* bytes of an element; of the last element */
} record_shape;

static record_shape shape_of(const point_format *format, const sumac_group *info)
{
    const record_encoding *encoding = &format->encoding;
    const size_t elements = encoding->x_only ? info->degree : 2 * info->degree;
    const size_t width = encoding->width == ELEMENT_OF_LIMBS ? info->field_bytes
                         : encoding->width == ELEMENT_OF_64  ? 64
                                                             : (info->field_bits + 7) / 8;
    const size_t last_width =
        encoding->width == ELEMENT_OF_BITS ? (info->field_bits + encoding->flag_bits + 7) / 8 : width;
    return (record_shape){encoding, info, elements, width, last_width};
}

static size_t shape_bytes(const record_shape *shape)
{
    return (shape->elements - 1) * shape->width + shape->last_width;
}

size_t format_record_bytes(const point_format *format, const sumac_group *info)
{
    const record_shape shape = shape_of(format, info);
    return shape_bytes(&shape);
}

/* Return the offset in a raw point of the element that is element i of a record. */
static size_t raw_offset(const record_shape *shape, size_t i)
{
    const size_t last = shape->info->degree - 1; /* 0 or 1 */
    return (shape->encoding->c1_first ? i ^ last : i) * shape->info->field_bytes;
}

/* Return the offset of the byte of a record that has the flags. */
static size_t flags_offset(const record_shape *shape)
{
    return shape->encoding->big_endian ? 0 : shape_bytes(shape) - 1;
}

static uint8_t flags_mask(const record_encoding *encoding)
{
    return (uint8_t)(0xff00 >> encoding->flag_bits);
}

/* ---- Decoding ---- */

/* Decode the elements without the flags. Return 0 if one has more bits than a raw element holds. */
static int decode_elements(const record_shape *shape, uint8_t *raw, const uint8_t *record)
{
    const size_t bytes = shape->info->field_bytes, end = shape->elements - 1;
    const uint8_t mask = flags_mask(shape->encoding);
    int fits = 1;
    for (size_t i = 0; i <= end; i++) {
        const uint8_t *from = record + i * shape->width;
        uint8_t *to = raw + raw_offset(shape, i);
        const size_t width = i == end ? shape->last_width : shape->width;
        if (shape->encoding->big_endian) {
            fits &= all_zero(from, width - bytes);
            reverse_bytes(to, from + width - bytes, bytes);
            to[bytes - 1] &= (uint8_t) ~(i == 0 ? mask : 0);
        } else {
            const size_t count = width < bytes ? width : bytes;
            const uint8_t kept = (uint8_t) ~(i == end ? mask : 0);
            memcpy(to, from, count);
            memset(to + count, 0, bytes - count);
            if (width <= bytes) {
                to[width - 1] &= kept;
            } else {
                fits &= (from[width - 1] & kept) == 0;
            }
        }
    }
    return fits;
}

/* Check that the coordinates of a raw point are less than p, and convert it from one form to another. If the forms are
 * equal, nothing is written. */
static sumac_status change_form(uint8_t *to, sumac_form to_form, const uint8_t *from, sumac_form from_form,
                                const sumac_group *info, const convert_ops *convert)
{
    const point_layout layout = {.form = from_form, .stride = info->point_bytes};
    uint64_t point[POINT_MOST_BYTES / 8];
    size_t bad;
    const sumac_status status = convert->import_points(point, from, 1, &layout, SUMAC_CHECK_NONE, &bad);
    if (status == SUMAC_OK && to_form != from_form) {
        convert->export_points(to, point, 1, to_form);
    }
    return status;
}

static decode_outcome wrong(const char *problem)
{
    return (decode_outcome){.status = SUMAC_BAD_ENCODING, .problem = problem};
}

/* Decode one record and its flag. If the point is infinity, its flag becomes RECORD_INFINITY, in whatever way infinity
 * is encoded. If the record has only x and the point is not infinity, y is not set. */
static decode_outcome decode_record(const point_format *format, const record_shape *shape, uint8_t *raw,
                                    uint8_t *flag, const uint8_t *record, const convert_ops *convert)
{
    const record_encoding *encoding = shape->encoding;
    const size_t point_bytes = shape->info->point_bytes;
    *flag = encoding->flags[record[flags_offset(shape)] >> (8 - encoding->flag_bits)];
    if (*flag > RECORD_INFINITY) {
        return wrong(problems[*flag]);
    }
    if (encoding->ones_are_infinity && record[0] == 0xff &&
        memcmp(record, record + 1, point_bytes - 1) == 0) {
        *flag = RECORD_INFINITY;
        memset(raw, 0, point_bytes);
        return (decode_outcome){.status = SUMAC_OK};
    }
    if (!decode_elements(shape, raw, record)) {
        return wrong(encoding->width == ELEMENT_OF_64 ? "has a coordinate whose first 16 bytes are not zero"
                                                      : NULL);
    }
    const int is_zero = all_zero(raw, encoding->x_only ? point_bytes / 2 : point_bytes);
    if (*flag == RECORD_INFINITY || (is_zero && encoding->zero_is_infinity)) {
        *flag = RECORD_INFINITY;
        memset(raw, 0, point_bytes);
        if (!is_zero) {
            return wrong(problems[RECORD_OTHER_BITS]);
        }
        return (decode_outcome){.status = SUMAC_OK};
    }
    if (encoding->x_only) {
        return (decode_outcome){.status = SUMAC_OK};
    }
    if (is_zero) {
        return (decode_outcome){.status = SUMAC_NOT_ON_CURVE};
    }
    if (format->form != SUMAC_FORM_CANONICAL || *flag != RECORD_POINT) {
        const sumac_status status =
            change_form(raw, SUMAC_FORM_CANONICAL, raw, format->form, shape->info, convert);
        if (status != SUMAC_OK) {
            return (decode_outcome){.status = status};
        }
    }
    if (*flag != RECORD_POINT && convert->y_is_larger(raw) != (*flag == RECORD_LARGER)) {
        return wrong("has the sign flag of -y");
    }
    return (decode_outcome){.status = SUMAC_OK};
}

/* Replace an element that is less than p by its negative. */
static void negate(uint8_t *raw, const sumac_group *info)
{
    uint64_t borrow = 0;
    if (all_zero(raw, info->field_bytes)) {
        return;
    }
    for (size_t i = 0; i < info->field_bytes / 8; i++) {
        const uint64_t minuend = info->modulus[i], subtrahend = load_le64(raw + 8 * i);
        const uint64_t difference = minuend - subtrahend;
        store_le64(raw + 8 * i, difference - borrow);
        borrow = minuend < subtrahend || difference < borrow;
    }
}

/* The y of a point was computed. Choose the even or the odd one of y and -y. Return 0 if neither has that parity, which
 * happens for y = 0. */
static int choose_y(uint8_t *raw, int is_odd, const sumac_group *info)
{
    uint8_t *y = raw + info->point_bytes / 2;
    if ((y[0] & 1) != is_odd) {
        for (size_t part = 0; part < info->degree; part++) {
            negate(y + part * info->field_bytes, info);
        }
    }
    return (y[0] & 1) == is_odd;
}

/* The x of n points is set. Compute their y. */
static decode_outcome lift_points(uint8_t *raw, const uint8_t *flags, size_t n, const sumac_group *info,
                                  const convert_ops *convert, sumac_check check)
{
    uint8_t sides[DECODE_MOST];
    size_t bad = 0;
    for (size_t i = 0; i < n; i++) {
        sides[i] = flags[i] == RECORD_INFINITY ? LIFT_NONE
                   : flags[i] == RECORD_LARGER ? LIFT_LARGER
                                               : LIFT_SMALLER;
    }
    const sumac_status lifted = convert->lift_x(raw, sides, n, check, &bad);
    const size_t good = lifted == SUMAC_OK ? n : bad;
    for (size_t i = 0; i < good; i++) {
        if ((flags[i] == RECORD_EVEN || flags[i] == RECORD_ODD) &&
            !choose_y(raw + i * info->point_bytes, flags[i] == RECORD_ODD, info)) {
            return (decode_outcome){SUMAC_BAD_ENCODING, i, "has the sign flag of an odd y, and y is even"};
        }
    }
    return (decode_outcome){
        lifted, good,
        lifted == SUMAC_NOT_ON_CURVE ? "has an x coordinate that no point of the curve has" : NULL};
}

decode_outcome format_decode(const point_format *format, uint8_t *raw, const uint8_t *records, size_t n,
                             const sumac_group *info, const convert_ops *convert, sumac_check check)
{
    const record_shape shape = shape_of(format, info);
    const size_t record_bytes = shape_bytes(&shape);
    decode_outcome outcome = {.status = SUMAC_OK};
    uint8_t flags[DECODE_MOST];
    size_t good = 0;
    while (good < n && outcome.status == SUMAC_OK) {
        outcome = decode_record(format, &shape, raw + good * info->point_bytes, &flags[good],
                                records + good * record_bytes, convert);
        good += outcome.status == SUMAC_OK;
    }
    outcome.bad = good;
    if (format->encoding.x_only) { /* the x of a record before a malformed one may have no y */
        const decode_outcome lifted = lift_points(raw, flags, good, info, convert, check);
        return lifted.status != SUMAC_OK ? lifted : outcome;
    }
    return outcome;
}

/* ---- Encoding ---- */

/* Return the value of the flag bits with this meaning, or 0 if the encoding has none. */
static uint32_t find_flag(const record_encoding *encoding, record_flag flag)
{
    for (uint32_t value = 0; value < 1U << encoding->flag_bits; value++) {
        if (encoding->flags[value] == flag) {
            return value;
        }
    }
    return 0;
}

void format_encode(const point_format *format, uint8_t *record, const uint8_t *raw, const sumac_group *info,
                   const convert_ops *convert)
{
    const record_shape shape = shape_of(format, info);
    const record_encoding *encoding = shape.encoding;
    const int is_infinity = all_zero(raw, info->point_bytes);
    uint64_t changed[POINT_MOST_BYTES / 8];
    if (format->form == SUMAC_FORM_MONTGOMERY) { /* this can't fail, because coordinates are less than p */
        (void)change_form((uint8_t *)changed, format->form, raw, SUMAC_FORM_CANONICAL, info, convert);
        raw = (const uint8_t *)changed;
    }
    memset(record, is_infinity && encoding->ones_are_infinity ? 0xff : 0, shape_bytes(&shape));
    for (size_t i = 0; i < shape.elements && !is_infinity; i++) {
        const uint8_t *from = raw + raw_offset(&shape, i);
        uint8_t *to = record + i * shape.width;
        if (encoding->big_endian) {
            reverse_bytes(to + shape.width - info->field_bytes, from, info->field_bytes);
        } else {
            memcpy(to, from, shape.width);
        }
    }
    const uint32_t larger = find_flag(encoding, RECORD_LARGER);
    const uint32_t flag = is_infinity                                ? find_flag(encoding, RECORD_INFINITY)
                          : larger != 0 && convert->y_is_larger(raw) ? larger
                                                                     : find_flag(encoding, RECORD_SMALLER);
    record[flags_offset(&shape)] |= (uint8_t)(flag << (8 - encoding->flag_bits));
}
