/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/partial.h"

#include <stdio.h>
#include <string.h>

#include "codec/bytes.h"
#include "codec/checksum.h"

enum { MAGIC_BYTES = 8, AT_BATCH = 8, AT_POINT_BYTES = 12, AT_CURVE = 16, AT_CHECKSUM = 48 };

/* Everything of the header but the checksum. */
static void write_header(uint8_t header[PARTIAL_HEADER_BYTES], const sumac_curve_info *info, uint32_t batch)
{
    memset(header, 0, PARTIAL_HEADER_BYTES);
    memcpy(header, "sumacPR1", MAGIC_BYTES);
    store_le32(header + AT_BATCH, batch);
    store_le32(header + AT_POINT_BYTES, info->point_bytes);
    (void)snprintf((char *)header + AT_CURVE, AT_CHECKSUM - AT_CURVE, "%s/%s", info->name, info->group);
}

static uint64_t partial_checksum(const uint8_t *partial, size_t bytes)
{
    checksum state;
    checksum_begin(&state);
    checksum_add(&state, partial, AT_CHECKSUM);
    checksum_add(&state, partial + PARTIAL_HEADER_BYTES, bytes - PARTIAL_HEADER_BYTES);
    return checksum_result(&state);
}

size_t partial_bytes(const sumac_curve_info *info, uint32_t batch)
{
    size_t points, bytes;
    return batch == 0 || __builtin_mul_overflow((size_t)batch, info->point_bytes, &points) ||
                   __builtin_add_overflow(points, PARTIAL_HEADER_BYTES, &bytes)
               ? 0
               : bytes;
}

void partial_seal(uint8_t *partial, const sumac_curve_info *info, uint32_t batch)
{
    write_header(partial, info, batch);
    store_le64(partial + AT_CHECKSUM, partial_checksum(partial, partial_bytes(info, batch)));
}

sumac_status partial_check(const uint8_t *partial, const sumac_curve_info *info, uint32_t batch)
{
    uint8_t expected[PARTIAL_HEADER_BYTES];
    write_header(expected, info, batch);
    if (memcmp(partial, expected, MAGIC_BYTES) != 0) {
        return SUMAC_BAD_FILE;
    }
    if (memcmp(partial, expected, AT_CHECKSUM) != 0) {
        return SUMAC_MISMATCH;
    }
    return load_le64(partial + AT_CHECKSUM) == partial_checksum(partial, partial_bytes(info, batch))
               ? SUMAC_OK
               : SUMAC_BAD_CHECKSUM;
}
