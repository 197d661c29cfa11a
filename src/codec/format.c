/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/format.h"

#include <inttypes.h>
#include <string.h>

#include "base/try.h"
#include "codec/bytes.h"
#include "codec/cursor.h"

/* The formats are listed in the order in which users see them. */
static const point_format *const formats[] = {
    &raw_format,
    &table_format,
    &trusted_setup_lagrange_format,
    &trusted_setup_monomial_format,
    &zcash_compressed_format,
    &zcash_uncompressed_format,
    &eip2537_format,
    &arkworks_compressed_format,
    &arkworks_uncompressed_format,
    &gnark_compressed_format,
    &gnark_raw_format,
    &gnark_dump_format,
    &halo2_monomial_format,
    &halo2_lagrange_format,
    &aztec_format,
    &ptau_tau_format,
    &ptau_alpha_tau_format,
    &ptau_beta_tau_format,
    &ptau_beta_format,
    &ptau_tau_lagrange_format,
    &ptau_alpha_tau_lagrange_format,
    &ptau_beta_tau_lagrange_format,
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const point_format *format_at(size_t index)
{
    return index < FORMAT_COUNT ? formats[index] : NULL;
}

const point_format *format_named(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(formats[i]->info.name, name) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

const char *decode_problem(const decode_outcome *outcome)
{
    if (outcome->problem != NULL) {
        return outcome->problem;
    }
    return outcome->status == SUMAC_BAD_ENCODING
               ? "has a coordinate that is not less than the field's modulus"
           : outcome->status == SUMAC_NOT_ON_CURVE ? "is not on the curve"
                                                   : "is not in the subgroup of order r";
}

sumac_status format_locate(record_run *run, const byte_source *source, const sumac_group *info,
                           sumac_message *why)
{
    const point_format *format = run->format;
    if (format->locate != NULL) {
        return format->locate(run, source, info, why);
    }
    uint8_t count[8] = {0};
    cursor c = {.source = source, .why = why};
    if (format->marker != 0) {
        cursor_require(&c, cursor_le64(&c, "its marker") == format->marker, SUMAC_BAD_FILE,
                       "byte 0 does not begin with the marker %#" PRIx64, format->marker);
    }
    cursor_take(&c, "the count of its points", count, format->count_bytes);
    TRY(c.status);
    const uint64_t behind = source->size - c.at;
    run->format = format->records(info);
    run->offset = c.at;
    run->count = format->count_is_big_endian ? load_be(count, format->count_bytes)
                                             : load_le(count, format->count_bytes);
    const size_t record_bytes = format_record_bytes(run->format, info);
    if (behind % record_bytes == 0 && behind / record_bytes == run->count) {
        return SUMAC_OK;
    }
    return refuse(why, SUMAC_BAD_FILE,
                  "%s: it has a count of %" PRIu64 " points, which are %zu bytes each of %s %s, and %" PRIu64
                  " bytes behind it, from byte %" PRIu64 " on",
                  behind / record_bytes < run->count ? "truncated" : "too long", run->count, record_bytes,
                  info->curve, info->name, behind, run->offset);
}

size_t format_head(const point_format *format, uint8_t head[FRAME_HEAD_BYTES], uint64_t count)
{
    const size_t marker_bytes = format->marker != 0 ? sizeof format->marker : 0, bytes = format->count_bytes;
    uint8_t little[8];
    store_le64(head, format->marker);
    store_le64(little, count);
    if (format->count_is_big_endian) {
        reverse_bytes(head + marker_bytes, little, bytes);
    } else {
        memcpy(head + marker_bytes, little, bytes);
    }
    return all_zero(little + bytes, sizeof little - bytes) ? marker_bytes + bytes : 0;
}

int holds_every_group(const sumac_group *info)
{
    (void)info;
    return 1;
}

int is_one_of(const sumac_group *info, const char *const *names)
{
    while (*names != NULL && strcmp(*names, info->curve) != 0) {
        names++;
    }
    return *names != NULL;
}

int holds_bls12_381(const sumac_group *info)
{
    return strcmp(info->curve, "bls12-381") == 0;
}

int holds_bls12_381_g1(const sumac_group *info)
{
    return holds_bls12_381(info) && strcmp(info->name, "g1") == 0;
}
