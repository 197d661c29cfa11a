/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/zkey.h"

#include <inttypes.h>

#include "codec/bytes.h"
#include "codec/file_kinds.h"

/* The bytes of section 2 for fields of such sizes. */
static uint64_t header_bytes(uint32_t field_bytes, uint32_t scalar_bytes)
{
    return 5 * 4 + (uint64_t)field_bytes + scalar_bytes +
           18 * (uint64_t)field_bytes; /* 3 points of G1, 3 of G2 */
}

static int is_field_size(uint32_t bytes)
{
    return bytes > 0 && bytes <= ZKEY_MOST_FIELD_BYTES && bytes % 8 == 0;
}

/* The next `bytes`, which are there. */
static const uint8_t *take(const uint8_t **at, uint32_t bytes)
{
    const uint8_t *taken = *at;
    *at += bytes;
    return taken;
}

static uint32_t take_number(const uint8_t **at)
{
    return load_le32(take(at, 4));
}

sumac_status zkey_decode_header(const uint8_t *bytes, uint64_t size, zkey_header *header, sumac_message *why)
{
    const uint8_t *at = bytes;
    header->field_bytes = size < 4 ? 0 : take_number(&at);
    if (!is_field_size(header->field_bytes) || size < 8 + (uint64_t)header->field_bytes) {
        return refuse(why, SUMAC_BAD_FILE,
                      "section 2 (header) does not begin with the bytes of a prime: %" PRIu32,
                      header->field_bytes);
    }
    header->modulus = take(&at, header->field_bytes);
    header->scalar_bytes = take_number(&at);
    if (!is_field_size(header->scalar_bytes) ||
        size != header_bytes(header->field_bytes, header->scalar_bytes)) {
        return refuse(why, SUMAC_BAD_FILE,
                      "section 2 (header) has %" PRIu64 " bytes, which primes of %" PRIu32 " and %" PRIu32
                      " bytes do not have",
                      size, header->field_bytes, header->scalar_bytes);
    }
    const uint32_t g1 = 2 * header->field_bytes, g2 = 4 * header->field_bytes;
    header->order = take(&at, header->scalar_bytes);
    header->wires = take_number(&at);
    header->publics = take_number(&at);
    header->domain = take_number(&at);
    header->alpha1 = take(&at, g1);
    header->beta1 = take(&at, g1);
    header->beta2 = take(&at, g2);
    header->gamma2 = take(&at, g2);
    header->delta1 = take(&at, g1);
    header->delta2 = take(&at, g2);
    if (header->wires == 0 || header->publics >= header->wires) {
        return refuse(why, SUMAC_BAD_FILE,
                      "section 2 (header): %" PRIu32 " public inputs of %" PRIu32 " wires", header->publics,
                      header->wires);
    }
    return header->domain != 0 && (header->domain & (header->domain - 1)) == 0
               ? SUMAC_OK
               : refuse(why, SUMAC_BAD_FILE,
                        "section 2 (header): a domain of %" PRIu32 ", which is no power of two",
                        header->domain);
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

const file_kind zkey_kind = FILE_KIND(ZKEY_MAGIC, "a proving key of snarkjs (.zkey)", FILE_OTHER,
                                      "`sumac groth16 prove` takes it, and `sumac groth16 info` tells more");
