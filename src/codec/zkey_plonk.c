/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/zkey_plonk.h"

#include <inttypes.h>

uint64_t zkey_plonk_header_bytes(uint32_t field_bytes, uint32_t scalar_bytes)
{
    return 7 * 4 + 3 * (uint64_t)scalar_bytes + (1 + 2 * ZKEY_PLONK_POINTS + 4) * (uint64_t)field_bytes;
}

static void check_counts(cursor *c, const zkey_plonk_header *header)
{
    cursor_require(c, header->additions < header->all_wires, SUMAC_BAD_FILE,
                   "section 2 (header): %" PRIu32 " additions of %" PRIu32 " wires", header->additions,
                   header->all_wires);
    cursor_require(c, header->publics < header->all_wires - header->additions, SUMAC_BAD_FILE,
                   "section 2 (header): %" PRIu32 " public inputs of %" PRIu32 " wires", header->publics,
                   header->all_wires - header->additions);
    cursor_require(
        c, header->domain >= ZKEY_PLONK_LEAST_DOMAIN && (header->domain & (header->domain - 1)) == 0,
        SUMAC_BAD_FILE, "section 2 (header): a domain of %" PRIu32 ", which is no power of two from %d on",
        header->domain, (int)ZKEY_PLONK_LEAST_DOMAIN);
    cursor_require(c, header->publics <= header->gates && header->gates <= header->domain, SUMAC_BAD_FILE,
                   "section 2 (header): %" PRIu32 " gates, with %" PRIu32
                   " public inputs and a domain of %" PRIu32,
                   header->gates, header->publics, header->domain);
}

sumac_status zkey_plonk_decode_header(const uint8_t *bytes, uint64_t size, zkey_plonk_header *header,
                                      sumac_message *why)
{
    const byte_source source = memory_source(bytes, size);
    cursor c = {.source = &source, .why = why};
    header->primes = zkey_take_primes(&c, bytes, size, zkey_plonk_header_bytes);
    const uint32_t p = header->primes.field_bytes, r = header->primes.scalar_bytes;
    header->all_wires = cursor_le32(&c, "wires");
    header->publics = cursor_le32(&c, "public inputs");
    header->domain = cursor_le32(&c, "domain");
    header->additions = cursor_le32(&c, "additions");
    header->gates = cursor_le32(&c, "gates");
    header->k1 = bytes + cursor_skip(&c, "k1", r, 1);
    header->k2 = bytes + cursor_skip(&c, "k2", r, 1);
    header->points = bytes + cursor_skip(&c, "the commitments", 2 * ZKEY_PLONK_POINTS, p);
    header->tau2 = bytes + cursor_skip(&c, "tau", 4, p);
    check_counts(&c, header);
    return c.status;
}
