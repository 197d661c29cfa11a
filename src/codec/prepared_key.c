/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/prepared_key.h"

#include <inttypes.h>
#include <string.h>

#include "codec/bytes.h"
#include "codec/checksum.h"
#include "codec/table.h"

/* As a table's, with another name. */
const uint8_t prepared_magic[PREPARED_MAGIC_BYTES] = {0x89, 'S', 'U', 'G', '1', '6', '\r', '\n'};

enum {
    PREPARED_VERSION = 2,
    FLAG_PRODUCTS = 1,
    FLAG_VERIFYING = 2,
    /* Offsets in the header. */
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_CURVE = 16,
    AT_WIRES = 48,
    AT_PUBLICS = 52,
    AT_DOMAIN = 56,
    AT_ROWS = 64,
    AT_TERMS = 88,
    AT_VALUES = 104,
    AT_FACTORS = 120,
    AT_CHECKSUM = 136
};

/* ---- Sizes ---- */

int prepared_matrices(const prepared_header *header)
{
    return header->takes_products ? 0 : PREPARED_MATRICES;
}

uint64_t prepared_table_count(const prepared_header *header, int i)
{
    return i == PREPARED_SETS     ? (uint64_t)header->wires - header->publics - 1 + header->domain
           : header->rows[i] != 0 ? header->rows[i]
                                  : (uint64_t)header->wires + PREPARED_EXTRA_BASES;
}

uint64_t prepared_table_bytes(const prepared_header *header, int i)
{
    return TABLE_HEADER_BYTES + TABLE_TRAILER_BYTES +
           prepared_table_count(header, i) * header->factors[i] *
               (i == PREPARED_B2 ? header->g2_bytes : header->g1_bytes);
}

/* alpha1, and beta, gamma, delta of the second group; then the public inputs' points. */
uint64_t prepared_verifying_bytes(const prepared_header *header)
{
    return ((uint64_t)header->publics + 2) * header->g1_bytes +
           PREPARED_VERIFYING_G2 * (uint64_t)header->g2_bytes;
}

static uint64_t matrix_bytes(const prepared_header *header, int i)
{
    return ((uint64_t)header->domain + 1 + header->terms[i]) * PREPARED_WORD_BYTES +
           header->values[i] * header->scalar_bytes;
}

uint64_t prepared_file_bytes(const prepared_header *header)
{
    uint64_t bytes = PREPARED_HEADER_BYTES +
                     (header->has_verifying ? prepared_verifying_bytes(header) + PREPARED_TRAILER_BYTES : 0);
    for (int i = 0; i < PREPARED_SETS; i++) {
        bytes += header->rows[i] != 0 ? header->rows[i] * PREPARED_WORD_BYTES + PREPARED_TRAILER_BYTES : 0;
    }
    for (int i = 0; i < prepared_matrices(header); i++) {
        bytes += matrix_bytes(header, i) + PREPARED_TRAILER_BYTES;
    }
    for (int i = 0; i < PREPARED_TABLES; i++) {
        bytes += prepared_table_bytes(header, i);
    }
    return bytes;
}

/* ---- Header ---- */

void prepared_encode_header(uint8_t bytes[PREPARED_HEADER_BYTES], const prepared_header *header)
{
    memset(bytes, 0, PREPARED_HEADER_BYTES);
    memcpy(bytes, prepared_magic, PREPARED_MAGIC_BYTES);
    store_le32(bytes + AT_VERSION, PREPARED_VERSION);
    store_le32(bytes + AT_FLAGS,
               (header->takes_products ? FLAG_PRODUCTS : 0) | (header->has_verifying ? FLAG_VERIFYING : 0));
    memcpy(bytes + AT_CURVE, header->curve, PREPARED_CURVE_BYTES);
    store_le32(bytes + AT_WIRES, header->wires);
    store_le32(bytes + AT_PUBLICS, header->publics);
    store_le32(bytes + AT_DOMAIN, header->domain);
    for (size_t i = 0; i < PREPARED_SETS; i++) {
        store_le64(bytes + AT_ROWS + i * 8, header->rows[i]);
    }
    for (size_t i = 0; i < PREPARED_MATRICES; i++) {
        store_le64(bytes + AT_TERMS + i * 8, header->terms[i]);
        store_le64(bytes + AT_VALUES + i * 8, header->values[i]);
    }
    for (size_t i = 0; i < PREPARED_TABLES; i++) {
        store_le32(bytes + AT_FACTORS + i * 4, header->factors[i]);
    }
    store_le64(bytes + AT_CHECKSUM, checksum_of(bytes, AT_CHECKSUM));
}

static prepared_header decode_numbers(const uint8_t bytes[PREPARED_HEADER_BYTES])
{
    const uint32_t flags = load_le32(bytes + AT_FLAGS);
    prepared_header header = {.takes_products = (flags & FLAG_PRODUCTS) != 0,
                              .has_verifying = (flags & FLAG_VERIFYING) != 0,
                              .wires = load_le32(bytes + AT_WIRES),
                              .publics = load_le32(bytes + AT_PUBLICS),
                              .domain = load_le32(bytes + AT_DOMAIN)};
    memcpy(header.curve, bytes + AT_CURVE, PREPARED_CURVE_BYTES);
    for (size_t i = 0; i < PREPARED_SETS; i++) {
        header.rows[i] = load_le64(bytes + AT_ROWS + i * 8);
    }
    for (size_t i = 0; i < PREPARED_MATRICES; i++) {
        header.terms[i] = load_le64(bytes + AT_TERMS + i * 8);
        header.values[i] = load_le64(bytes + AT_VALUES + i * 8);
    }
    for (size_t i = 0; i < PREPARED_TABLES; i++) {
        header.factors[i] = load_le32(bytes + AT_FACTORS + i * 4);
    }
    return header;
}

static sumac_status refuse_numbers(sumac_message *why)
{
    return refuse(why, SUMAC_BAD_FILE, "the header, bytes 0 to %d, has numbers that no key has",
                  PREPARED_HEADER_BYTES - 1);
}

sumac_status prepared_decode_header(prepared_header *header, const uint8_t bytes[PREPARED_HEADER_BYTES],
                                    sumac_message *why)
{
    uint8_t expected[PREPARED_HEADER_BYTES];
    const uint32_t version = load_le32(bytes + AT_VERSION);
    if (version != PREPARED_VERSION) {
        return refuse(why, SUMAC_BAD_FILE,
                      "a prepared key of version %" PRIu32 " at byte %d; this library reads version %d",
                      version, (int)AT_VERSION, (int)PREPARED_VERSION);
    }
    if (load_le64(bytes + AT_CHECKSUM) != checksum_of(bytes, AT_CHECKSUM)) {
        return refuse(why, SUMAC_BAD_CHECKSUM,
                      "the header, bytes 0 to %d, is damaged: its checksum does not match",
                      PREPARED_HEADER_BYTES - 1);
    }
    *header = decode_numbers(bytes);
    prepared_encode_header(expected, header);
    return memcmp(bytes, expected, PREPARED_HEADER_BYTES) == 0 ? SUMAC_OK : refuse_numbers(why);
}

/* Whether a header's numbers can be those of a key, in a file of this size, so that sums of them are right. */
static int numbers_fit(const prepared_header *header, uint64_t size)
{
    int fit = header->domain != 0 && (header->domain & (header->domain - 1)) == 0 &&
              header->publics < header->wires;
    for (int i = 0; i < PREPARED_SETS; i++) {
        fit &= header->rows[i] <= (uint64_t)header->wires + PREPARED_EXTRA_BASES;
    }
    for (int i = 0; i < PREPARED_TABLES; i++) {
        fit &= header->factors[i] <= 8 * header->scalar_bytes;
    }
    for (int i = 0; i < PREPARED_MATRICES; i++) {
        fit &= header->takes_products
                   ? header->terms[i] == 0 && header->values[i] == 0
                   : header->terms[i] <= size / PREPARED_WORD_BYTES && header->values[i] <= UINT32_MAX &&
                         header->values[i] >= PREPARED_LEAST_VALUES;
    }
    return fit;
}

sumac_status prepared_check_sizes(const prepared_header *header, uint64_t file_bytes, sumac_message *why)
{
    if (!numbers_fit(header, file_bytes)) {
        return refuse_numbers(why);
    }
    const uint64_t size = prepared_file_bytes(header);
    return file_bytes == size
               ? SUMAC_OK
               : refuse(why, SUMAC_BAD_FILE,
                        "%s: %" PRIu64 " bytes, where by its header the key ends at byte %" PRIu64,
                        file_bytes < size ? "truncated" : "too long", file_bytes, size);
}
