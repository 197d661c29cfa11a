/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/zkey_plonk.h"

#include <inttypes.h>

/* The size of a header is 7 counts, p, r, k1, k2, the roots, the commitments, and tau. */
static uint64_t header_bytes(const zkey_plonk_layout *layout, uint32_t field_bytes, uint32_t scalar_bytes)
{
    return 7 * 4 + (3 + layout->roots) * (uint64_t)scalar_bytes +
           (1 + 2 * layout->points + 4) * (uint64_t)field_bytes;
}

static uint64_t plonk_header_bytes(uint32_t field_bytes, uint32_t scalar_bytes)
{
    return header_bytes(&zkey_layout_plonk, field_bytes, scalar_bytes);
}

static uint64_t fflonk_header_bytes(uint32_t field_bytes, uint32_t scalar_bytes)
{
    return header_bytes(&zkey_layout_fflonk, field_bytes, scalar_bytes);
}

const zkey_plonk_layout zkey_layout_plonk = {
    .protocol = ZKEY_PLONK,
    .sections = 14,
    .selectors = {7, 8, 9, 10, 11},
    .sigma = {12, 12, 12},
    .lagrange = 13,
    .powers = 14,
    .powers_of_domain = 1,
    .more_powers = 6,
    .points = 8,
    .header_bytes = plonk_header_bytes,
};

const zkey_plonk_layout zkey_layout_fflonk = {
    .protocol = ZKEY_FFLONK,
    .sections = 17,
    .selectors = {9, 7, 8, 10, 11},
    .sigma = {12, 13, 14},
    .lagrange = 15,
    .powers = 16,
    .combined = 17,
    .powers_of_domain = 9,
    .more_powers = 18,
    .roots = 4,
    .points = 1,
    .tau_is_first = 1,
    .protocol_is_first = 1,
    .blind_rows = 2,
    .header_bytes = fflonk_header_bytes,
};

static void check_counts(cursor *c, const zkey_plonk_layout *layout, const zkey_plonk_header *header)
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
    cursor_require(
        c, header->publics <= header->gates && header->gates + (uint64_t)layout->blind_rows <= header->domain,
        SUMAC_BAD_FILE,
        "section 2 (header): %" PRIu32 " gates, with %" PRIu32 " public inputs and a domain of %" PRIu32,
        header->gates, header->publics, header->domain);
}

sumac_status zkey_plonk_decode_header(const zkey_plonk_layout *layout, const uint8_t *bytes, uint64_t size,
                                      zkey_plonk_header *header, sumac_message *why)
{
    const byte_source source = memory_source(bytes, size);
    cursor c = {.source = &source, .why = why};
    header->primes = zkey_take_primes(&c, bytes, size, layout->header_bytes);
    const uint32_t p = header->primes.field_bytes, r = header->primes.scalar_bytes;
    header->all_wires = cursor_le32(&c, "wires");
    header->publics = cursor_le32(&c, "public inputs");
    header->domain = cursor_le32(&c, "domain");
    header->additions = cursor_le32(&c, "additions");
    header->gates = cursor_le32(&c, "gates");
    header->k1 = bytes + cursor_skip(&c, "k1", r, 1);
    header->k2 = bytes + cursor_skip(&c, "k2", r, 1);
    header->roots = bytes + cursor_skip(&c, "the roots of unity", layout->roots, r);
    if (layout->tau_is_first) {
        header->tau2 = bytes + cursor_skip(&c, "tau", 4, p);
    }
    header->points = bytes + cursor_skip(&c, "the commitments", 2 * layout->points, p);
    if (!layout->tau_is_first) {
        header->tau2 = bytes + cursor_skip(&c, "tau", 4, p);
    }
    check_counts(&c, layout, header);
    return c.status;
}
