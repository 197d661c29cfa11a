/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/zkey.h"

#include <inttypes.h>

#include "codec/bytes.h"
#include "codec/file_kinds.h"

/* Return the size of section 2 for fields of these sizes. */
static uint64_t header_bytes(uint32_t field_bytes, uint32_t scalar_bytes)
{
    return 5 * 4 + (uint64_t)field_bytes + scalar_bytes +
           18 * (uint64_t)field_bytes; /* 3 points of G1, 3 of G2 */
}

static int is_field_size(uint32_t bytes)
{
    return bytes > 0 && bytes <= ZKEY_MOST_FIELD_BYTES && bytes % 8 == 0;
}

zkey_primes zkey_take_primes(cursor *c, const uint8_t *bytes, uint64_t size,
                             uint64_t (*header_bytes_of)(uint32_t field_bytes, uint32_t scalar_bytes))
{
    const uint32_t p = size < 4 ? 0 : cursor_le32(c, "p");
    cursor_require(c, is_field_size(p) && size >= 8 + (uint64_t)p, SUMAC_BAD_FILE,
                   "section 2 (header) does not begin with the bytes of a prime: %" PRIu32, p);
    const uint8_t *modulus = bytes + cursor_skip(c, "p", p, 1);
    const uint32_t r = cursor_le32(c, "r");
    cursor_require(c, is_field_size(r) && size == header_bytes_of(p, r), SUMAC_BAD_FILE,
                   "section 2 (header) has %" PRIu64 " bytes, which primes of %" PRIu32 " and %" PRIu32
                   " bytes do not have",
                   size, p, r);
    return (zkey_primes){p, r, modulus, bytes + cursor_skip(c, "r", r, 1)};
}

sumac_status zkey_decode_header(const uint8_t *bytes, uint64_t size, zkey_header *header, sumac_message *why)
{
    const byte_source source = memory_source(bytes, size);
    cursor c = {.source = &source, .why = why};
    header->primes = zkey_take_primes(&c, bytes, size, header_bytes);
    const uint32_t p = header->primes.field_bytes;
    header->wires = cursor_le32(&c, "wires");
    header->publics = cursor_le32(&c, "public inputs");
    header->domain = cursor_le32(&c, "domain");
    header->alpha1 = bytes + cursor_skip(&c, "alpha1", 2, p);
    header->beta1 = bytes + cursor_skip(&c, "beta1", 2, p);
    header->beta2 = bytes + cursor_skip(&c, "beta2", 4, p);
    header->gamma2 = bytes + cursor_skip(&c, "gamma2", 4, p);
    header->delta1 = bytes + cursor_skip(&c, "delta1", 2, p);
    header->delta2 = bytes + cursor_skip(&c, "delta2", 4, p);
    cursor_require(&c, header->publics < header->wires, SUMAC_BAD_FILE,
                   "section 2 (header): %" PRIu32 " public inputs of %" PRIu32 " wires", header->publics,
                   header->wires);
    cursor_require(&c, header->domain != 0 && (header->domain & (header->domain - 1)) == 0, SUMAC_BAD_FILE,
                   "section 2 (header): a domain of %" PRIu32 ", which is no power of two", header->domain);
    return c.status;
}

zkey_term zkey_decode_term(const uint8_t *bytes)
{
    return (zkey_term){load_le32(bytes), load_le32(bytes + 4), load_le32(bytes + 8)};
}

sumac_status zkey_count_terms(const binfile_section *section, uint32_t scalar_bytes, uint64_t *count,
                              sumac_message *why)
{
    const uint64_t each = ZKEY_TERM_BYTES + (uint64_t)scalar_bytes;
    if (section->size < 4 || (section->size - 4) % each != 0) {
        return refuse(why, SUMAC_BAD_FILE,
                      "section 4 (coefficients), at byte %" PRIu64 ", has %" PRIu64
                      " bytes, which is not 4 and %" PRIu64 " for each coefficient",
                      section->offset, section->size, each);
    }
    *count = (section->size - 4) / each;
    return SUMAC_OK;
}

const file_kind zkey_kind = FILE_KIND(
    ZKEY_MAGIC, "a proving key of snarkjs (.zkey)", FILE_OTHER,
    "`sumac groth16 prove` or `sumac plonk prove` takes it, and `sumac groth16 info` or `sumac plonk "
    "info` tells more");
