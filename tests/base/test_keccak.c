/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares SHA3-256 with NIST's first vectors (SHA3_256ShortMsg.rsp) and with libcrypto's digests of all lengths
 * up to some blocks, added whole and in pieces. Keccak-256 differs in one byte of padding, and is compared with digests
 * that Ethereum's specification has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "base/keccak.h"
#include "support/harness.h"

enum { LONGEST = 3 * KECCAK_BLOCK_BYTES + 1 };

static const struct {
    keccak_padding padding;
    const char *bytes, *digest;
} vectors[] = {
    {SHA3_256_PADDING, "", "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"},
    {SHA3_256_PADDING, "\xe9", "f0d04dd1e6cfc29a4460d521796852f25d9ef8d28b44ee91ff5b759d72c1e6d6"},
    {SHA3_256_PADDING, "\xd4\x77", "94279e8f5ccdf6e17f292b59698ab4e614dfe696a46c46da78305fc6a3146ab7"},
    /* The hashes of no code and of the empty string's RLP, and the selector's digest of ERC-20's transfer. */
    {KECCAK256_PADDING, "", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
    {KECCAK256_PADDING, "\x80", "56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"},
    {KECCAK256_PADDING, "transfer(address,uint256)",
     "a9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b"},
};

static void test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        uint8_t digest[KECCAK_BYTES];
        char text[2 * KECCAK_BYTES + 1];
        keccak hash;
        keccak_begin(&hash);
        keccak_add(&hash, vectors[i].bytes, strlen(vectors[i].bytes));
        keccak_end(&hash, vectors[i].padding, digest);
        for (size_t j = 0; j < KECCAK_BYTES; j++) {
            snprintf(text + 2 * j, 3, "%02x", digest[j]);
        }
        assert_string_equal(text, vectors[i].digest);
    }
}

static void test_libcrypto(void **state)
{
    uint8_t bytes[LONGEST];
    (void)state;
    for (size_t i = 0; i < LONGEST; i++) {
        bytes[i] = (uint8_t)(i * i + 7);
    }
    for (size_t count = 0; count <= LONGEST; count++) {
        for (size_t piece = 1; piece <= LONGEST; piece = piece * 5 + 1) {
            uint8_t expected[KECCAK_BYTES], digest[KECCAK_BYTES];
            unsigned length;
            keccak hash;
            assert_int_equal(EVP_Digest(bytes, count, expected, &length, EVP_sha3_256(), NULL), 1);
            keccak_begin(&hash);
            for (size_t at = 0; at < count; at += piece) {
                keccak_add(&hash, bytes + at, count - at < piece ? count - at : piece);
            }
            keccak_add(&hash, NULL, 0);
            keccak_end(&hash, SHA3_256_PADDING, digest);
            if (memcmp(digest, expected, KECCAK_BYTES) != 0) {
                test_abort("%zu bytes in pieces of %zu have another digest than libcrypto's", count, piece);
            }
        }
    }
}

static const test_entry entries[] = {
    {"vectors", TEST_ONCE(test_vectors)},
    {"libcrypto", TEST_ONCE(test_libcrypto)},
};
TEST_MAIN("keccak", entries)
