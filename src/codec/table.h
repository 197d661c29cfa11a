/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The format `table`: a header, the points of bases_table in Montgomery form, multiple after multiple, and
 * their checksum. Everything is little-endian and of fixed size, so that a table written on one machine loads
 * on another. docs/formats.md has the bytes.
 */
#ifndef SUMAC_CODEC_TABLE_H
#define SUMAC_CODEC_TABLE_H

#include "base/refusal.h"
#include "sumac/sumac.h"

enum {
    TABLE_MAGIC_BYTES = 8,
    TABLE_HEADER_BYTES = 128,
    TABLE_TRAILER_BYTES = 8, /* the points' checksum */
    TABLE_CURVE_BYTES = 32,  /* of a curve's name at most */
    TABLE_GROUP_BYTES = 8,
    TABLE_MAX_C = 24 /* as the planner's */
};

/* What a table begins with. */
extern const uint8_t table_magic[TABLE_MAGIC_BYTES];

typedef struct table_header {
    char curve[TABLE_CURVE_BYTES + 1];
    char group[TABLE_GROUP_BYTES + 1];
    uint64_t count; /* bases */
    uint32_t point_bytes;
    uint32_t factor; /* points of each: those of the bases themselves come first */
    uint32_t shift;
    uint32_t c;
    uint32_t windows;
    int outside_subgroup;
    int all_digits;
} table_header;

void table_encode_header(uint8_t bytes[TABLE_HEADER_BYTES], const table_header *header);

/* What a header that lies at byte `start` of a file says of itself: a table, of this version, undamaged.
 * SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM. */
sumac_status table_decode_header(table_header *header, const uint8_t bytes[TABLE_HEADER_BYTES],
                                 uint64_t start, sumac_message *why);

/* Whether its numbers fit each other, the curve, and the file: of file_bytes bytes, if that is not null, of
 * which the points begin at byte `data`. SUMAC_BAD_FILE, SUMAC_NOT_SUPPORTED. */
sumac_status table_check_sizes(const table_header *header, const sumac_curve_info *info, uint64_t data,
                               const uint64_t *file_bytes, sumac_message *why);

/* Where the caller asks for multiples, the table must have them. SUMAC_MISMATCH. */
sumac_status table_check_multiples(const table_header *header, const sumac_bases_config *config,
                                   sumac_message *why);

#endif
