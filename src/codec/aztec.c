/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The format `aztec`: bn254_g1.dat and bn254_g2.dat of Aztec's reference string, as barretenberg reads them.
 * Coordinates are 32 bytes, big-endian, over Fp2 c0 first; infinity is all bits one. */
#include <string.h>

#include "codec/bytes.h"
#include "codec/file_kinds.h"
#include "codec/format.h"

static int holds_bn254(const sumac_curve_info *info)
{
    return strcmp(info->name, "bn254") == 0;
}

static int all_ones(const uint8_t *bytes, size_t count)
{
    uint8_t every = 0xff;
    for (size_t i = 0; i < count; i++) {
        every &= bytes[i];
    }
    return every == 0xff;
}

/* Reverse the bytes of each element of Fp, to decode and to encode. */
static void reverse_elements(uint8_t *to, const uint8_t *from, const sumac_curve_info *info)
{
    for (size_t at = 0; at < info->point_bytes; at += info->field_bytes) {
        reverse_bytes(to + at, from + at, info->field_bytes);
    }
}

static decode_outcome decode(uint8_t *raw, const uint8_t *records, size_t n, const sumac_curve_info *info,
                             const convert_ops *convert, sumac_check check)
{
    const size_t bytes = info->point_bytes;
    (void)convert;
    (void)check;
    for (size_t i = 0; i < n; i++) {
        if (all_ones(records + i * bytes, bytes)) {
            memset(raw + i * bytes, 0, bytes);
        } else if (all_zero(records + i * bytes, bytes)) { /* raw zeros would be infinity */
            return (decode_outcome){.status = SUMAC_NOT_ON_CURVE, .bad = i};
        } else {
            reverse_elements(raw + i * bytes, records + i * bytes, info);
        }
    }
    return (decode_outcome){.status = SUMAC_OK};
}

static void encode(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                   const convert_ops *convert)
{
    (void)convert;
    if (all_zero(raw, info->point_bytes)) {
        memset(record, 0xff, info->point_bytes);
    } else {
        reverse_elements(record, raw, info);
    }
}

const point_format aztec_format = {
    .info =
        FORMAT_READ_WRITE("aztec", "BN254 as in Aztec's bn254_g1.dat and bn254_g2.dat: x then y, big-endian"),
    .holds = holds_bn254,
    .layout = LAYOUT_RECORDS,
    .record_bytes = raw_point_bytes,
    .decode = decode,
    .encode = encode,
};

/* The file begins with the generator, (1, 2), in 32 bytes each, big-endian. */
static int fits_aztec(const file_kind *kind, const file_head *head)
{
    (void)kind;
    return head->size % 64 == 0 && head->count >= 64 && all_zero(head->bytes, 31) && head->bytes[31] == 1 &&
           all_zero(head->bytes + 32, 31) && head->bytes[63] == 2;
}

const file_kind aztec_kind = {.name = "points of Aztec (bn254_g1.dat)",
                              .advice = "sumac reads them in the format aztec",
                              .family = FILE_POINTS,
                              .fits = fits_aztec};
