/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/table.h"

#include <inttypes.h>
#include <string.h>

#include "base/integers.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "codec/format.h"

/* As PNG's: the high bit and the line ends show a file that was copied as text. */
const uint8_t table_magic[TABLE_MAGIC_BYTES] = {0x89, 'S', 'U', 'M', 'A', 'C', '\r', '\n'};

/* Stages number the points of a table in 31 bits. */
#define TABLE_MAX_POINTS ((uint64_t)1 << 31)

enum {
    TABLE_VERSION = 1,
    FLAG_OUTSIDE_SUBGROUP = 1,
    FLAG_ALL_DIGITS = 2,
    ALL_FLAGS = 3,
    /* Offsets in the header. */
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_CURVE = 16,
    AT_GROUP = 48,
    AT_COUNT = 56,
    AT_POINT_BYTES = 64,
    AT_FACTOR = 68,
    AT_SHIFT = 72,
    AT_C = 76,
    AT_WINDOWS = 80,
    AT_RESERVED = 84,
    RESERVED_BYTES = 36,
    AT_CHECKSUM = 120
};

void table_encode_header(uint8_t bytes[TABLE_HEADER_BYTES], const table_header *header)
{
    memset(bytes, 0, TABLE_HEADER_BYTES);
    memcpy(bytes, table_magic, sizeof table_magic);
    store_le32(bytes + AT_VERSION, TABLE_VERSION);
    store_le32(bytes + AT_FLAGS, (header->outside_subgroup ? FLAG_OUTSIDE_SUBGROUP : 0) |
                                     (header->all_digits ? FLAG_ALL_DIGITS : 0));
    memcpy(bytes + AT_CURVE, header->curve, strlen(header->curve));
    memcpy(bytes + AT_GROUP, header->group, strlen(header->group));
    store_le64(bytes + AT_COUNT, header->count);
    store_le32(bytes + AT_POINT_BYTES, header->point_bytes);
    store_le32(bytes + AT_FACTOR, header->factor);
    store_le32(bytes + AT_SHIFT, header->shift);
    store_le32(bytes + AT_C, header->c);
    store_le32(bytes + AT_WINDOWS, header->windows);
    store_le64(bytes + AT_CHECKSUM, checksum_of(bytes, AT_CHECKSUM));
}

sumac_status table_decode_header(table_header *header, const uint8_t bytes[TABLE_HEADER_BYTES],
                                 uint64_t start, sumac_message *why)
{
    if (memcmp(bytes, table_magic, sizeof table_magic) != 0) {
        return refuse(why, SUMAC_BAD_FILE, "not a table of bases: it does not begin like one");
    }
    const uint32_t version = load_le32(bytes + AT_VERSION);
    if (version != TABLE_VERSION) {
        return refuse(why, SUMAC_BAD_FILE,
                      "a table of version %" PRIu32 " at byte %" PRIu64 "; this library reads version %d",
                      version, start + AT_VERSION, (int)TABLE_VERSION);
    }
    if (load_le64(bytes + AT_CHECKSUM) != checksum_of(bytes, AT_CHECKSUM)) {
        return refuse(why, SUMAC_BAD_CHECKSUM,
                      "the header, bytes %" PRIu64 " to %" PRIu64 ", is damaged: its checksum does not match",
                      start, start + TABLE_HEADER_BYTES - 1);
    }
    const uint32_t flags = load_le32(bytes + AT_FLAGS);
    *header = (table_header){
        .count = load_le64(bytes + AT_COUNT),
        .point_bytes = load_le32(bytes + AT_POINT_BYTES),
        .factor = load_le32(bytes + AT_FACTOR),
        .shift = load_le32(bytes + AT_SHIFT),
        .c = load_le32(bytes + AT_C),
        .windows = load_le32(bytes + AT_WINDOWS),
        .outside_subgroup = (flags & FLAG_OUTSIDE_SUBGROUP) != 0,
        .all_digits = (flags & FLAG_ALL_DIGITS) != 0,
    };
    memcpy(header->curve, bytes + AT_CURVE, TABLE_CURVE_BYTES);
    memcpy(header->group, bytes + AT_GROUP, TABLE_GROUP_BYTES);
    const size_t curve_bytes = strlen(header->curve), group_bytes = strlen(header->group);
    if (!all_zero(bytes + AT_RESERVED, RESERVED_BYTES) || flags > ALL_FLAGS ||
        !all_zero(bytes + AT_CURVE + curve_bytes, TABLE_CURVE_BYTES - curve_bytes) ||
        !all_zero(bytes + AT_GROUP + group_bytes, TABLE_GROUP_BYTES - group_bytes)) {
        return refuse(why, SUMAC_BAD_FILE, "the header uses bits that this version has no meaning for");
    }
    return SUMAC_OK;
}

/* Multiple t of a base is 2^(shift*t) times the base, with shift = c*ceil(windows/factor); of tables of
 * digits, w*D + d - 1 is d*2^(shift*w) times the base, with shift = c, D = 2^(c-1). See pipeline.h. */
static int multiples_fit(const table_header *header, const sumac_curve_info *info)
{
    if (header->all_digits) {
        return header->c > 0 && header->c <= TABLE_MAX_C && header->shift == header->c &&
               header->factor > 1 && header->windows <= 8 * info->scalar_bytes + 1 &&
               header->factor == (uint64_t)header->windows << (header->c - 1);
    }
    return header->c <= TABLE_MAX_C && header->windows <= 8 * info->scalar_bytes + 1 &&
           (header->factor == 1 ||
            (header->c > 0 && header->windows >= header->factor &&
             header->shift == header->c * ceil_divide(header->windows, header->factor)));
}

sumac_status table_check_sizes(const table_header *header, const sumac_curve_info *info, uint64_t data,
                               const uint64_t *file_bytes, sumac_message *why)
{
    uint64_t points, bytes;
    if (header->point_bytes != info->point_bytes || header->factor == 0 || !multiples_fit(header, info) ||
        __builtin_mul_overflow(header->count, header->factor, &points) ||
        __builtin_mul_overflow(points, header->point_bytes, &bytes) ||
        __builtin_add_overflow(bytes, data + TABLE_TRAILER_BYTES, &bytes)) {
        return refuse(why, SUMAC_BAD_FILE, "the sizes in the header do not fit each other");
    }
    if (file_bytes != NULL && *file_bytes != bytes) {
        return refuse(why, SUMAC_BAD_FILE,
                      "%s: %" PRIu64 " bytes, where a table of %" PRIu64 " points ends at byte %" PRIu64,
                      *file_bytes < bytes ? "truncated" : "too long", *file_bytes, points, bytes);
    }
    if (points > TABLE_MAX_POINTS) {
        return refuse(why, SUMAC_NOT_SUPPORTED, "a table of %" PRIu64 " points, more than %" PRIu64, points,
                      TABLE_MAX_POINTS);
    }
    return SUMAC_OK;
}

/* A factor may have been lowered when the table was made, to the number of multiples that some window uses.
 */
static int has_factor(const table_header *header, uint32_t asked)
{
    return header->windows != 0 &&
           ceil_divide(header->windows, ceil_divide(header->windows, asked)) == header->factor;
}

sumac_status table_check_multiples(const table_header *header, const sumac_bases_config *config,
                                   sumac_message *why)
{
    if (header->all_digits ? config->precompute_factor > 1 : config->tables == SUMAC_TABLES_WINDOWS) {
        return refuse(why, SUMAC_MISMATCH, "a table of %s, where %s are asked for",
                      header->all_digits ? "digits" : "multiples",
                      header->all_digits ? "multiples" : "digits");
    }
    if (config->precompute_factor > 1 && !has_factor(header, config->precompute_factor)) {
        return refuse(why, SUMAC_MISMATCH,
                      "a table with precompute factor %" PRIu32 ", where %" PRIu32 " is asked for",
                      header->factor, config->precompute_factor);
    }
    if ((config->precompute_factor > 1 || config->tables != SUMAC_TABLES_MULTIPLES) && config->c != 0 &&
        config->c != header->c) {
        return refuse(why, SUMAC_MISMATCH,
                      "a table for windows of %" PRIu32 " bits, where %" PRIu32 " are asked for", header->c,
                      config->c);
    }
    if (header->factor > 1 && config->outside_subgroup && !header->outside_subgroup) {
        return refuse(why, SUMAC_MISMATCH,
                      "a table whose multiples are made for points of the subgroup only");
    }
    return SUMAC_OK;
}

const point_format table_format = {
    .info = {.size = sizeof(sumac_format_info),
             .name = "table",
             .description = "bases with their precomputed multiples, as sumac_bases_save() writes them",
             .can_read = 1,
             .can_write = 1},
    .holds = holds_every_curve,
    .layout = LAYOUT_TABLE,
};
