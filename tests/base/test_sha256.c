/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares every variant of SHA-256 that this processor runs with the examples of FIPS 180-4, with NIST's
 * first vectors, and with libcrypto's digests. The digests are of all short lengths and of long inputs, added whole and
 * in pieces. If the processor has instructions for SHA-256, the variant that uses them must be chosen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "base/instructions.h"
#include "base/sha256.h"
#include "support/harness.h"

enum { SHORTEST_LENGTHS = 300, LONG_BYTES = 131072 + 63 };

static void hash_in_pieces(const sha256_variant *variant, const uint8_t *bytes, size_t count,
                           size_t longest_piece, gmp_randstate_t random, uint8_t digest[SHA256_BYTES])
{
    sha256 hash;
    sha256_begin(&hash);
    hash.variant = variant;
    while (longest_piece > 0 && count > 0) {
        size_t piece = gmp_urandomm_ui(random, longest_piece + 1);
        piece = piece < count ? piece : count;
        sha256_add(&hash, piece == 0 ? NULL : bytes, piece);
        bytes += piece;
        count -= piece;
    }
    sha256_add(&hash, bytes, count);
    sha256_end(&hash, digest);
}

/* NIST's SHA256ShortMsg.rsp and SHA256LongMsg.rsp begin with such lengths. The texts are examples of FIPS 180-2. */
static const struct {
    const char *bytes;
    size_t count, times;
    const char *digest;
} vectors[] = {
    {"", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"\xd3", 1, 1, "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"},
    {"\x11\xaf", 2, 1, "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"},
    {"\xb4\x19\x0e", 3, 1, "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"},
    {"\x74\xba\x25\x21", 4, 1, "b16aa56be3880d18cd41e68384cf1ec8c17680c45a02b1575dc1518923ae8b0e"},
    {"abc", 3, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"a", 1, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

static void test_vectors(void **state)
{
    (void)state;
    for (size_t v = 0; v < sha256_variant_count; v++) {
        for (size_t i = 0; i < sizeof vectors / sizeof *vectors && sha256_variants[v].runs_here(); i++) {
            uint8_t digest[SHA256_BYTES];
            char text[2 * SHA256_BYTES + 1];
            sha256 hash;
            sha256_begin(&hash);
            hash.variant = &sha256_variants[v];
            for (size_t time = 0; time < vectors[i].times; time++) {
                sha256_add(&hash, vectors[i].bytes, vectors[i].count);
            }
            sha256_end(&hash, digest);
            for (size_t j = 0; j < SHA256_BYTES; j++) {
                snprintf(text + 2 * j, 3, "%02x", digest[j]);
            }
            if (strcmp(text, vectors[i].digest) != 0) {
                test_abort("%s, vector %zu: %s instead of %s", sha256_variants[v].name, i, text,
                           vectors[i].digest);
            }
        }
    }
}

static void compare(const uint8_t *bytes, size_t count, size_t longest_piece, gmp_randstate_t random)
{
    uint8_t expected[SHA256_BYTES], digest[SHA256_BYTES];
    unsigned length;
    assert_int_equal(EVP_Digest(bytes, count, expected, &length, EVP_sha256(), NULL), 1);
    for (size_t v = 0; v < sha256_variant_count; v++) {
        if (sha256_variants[v].runs_here()) {
            hash_in_pieces(&sha256_variants[v], bytes, count, longest_piece, random, digest);
            if (memcmp(digest, expected, SHA256_BYTES) != 0) {
                test_abort("%s: %zu bytes in pieces of at most %zu have another digest than libcrypto's",
                           sha256_variants[v].name, count, longest_piece);
            }
        }
    }
}

static void test_libcrypto(void **state)
{
    static const size_t longest_pieces[] = {0, 1, 7, 63, 64, 65, 130, 1000};
    AUTO_FREE uint8_t *bytes = malloc(LONG_BYTES);
    gmp_randstate_t random;
    (void)state;
    assert_non_null(bytes);
    gmp_randinit_default(random);
    for (size_t i = 0; i < LONG_BYTES; i++) {
        bytes[i] = (uint8_t)gmp_urandomb_ui(random, 8);
    }
    for (size_t i = 0; i < sizeof longest_pieces / sizeof *longest_pieces; i++) {
        for (size_t count = 0; count <= SHORTEST_LENGTHS; count++) {
            /* The buffer has exactly that length, so that a sanitizer detects a read beyond its end. */
            AUTO_FREE uint8_t *exact = malloc(count + (count == 0));
            assert_non_null(exact);
            memcpy(exact, bytes + LONG_BYTES - count, count);
            compare(exact, count, longest_pieces[i], random);
        }
        for (size_t misaligned = 0; misaligned < 64; misaligned += 7) {
            compare(bytes + misaligned, LONG_BYTES - misaligned, longest_pieces[i], random);
        }
    }
    gmp_randclear(random);
}

static void test_choice(void **state)
{
    sha256 hash;
    (void)state;
    sha256_begin(&hash);
    assert_true(hash.variant->runs_here());
    assert_ptr_equal(hash.variant, cpu_has_sha256()
                                       ? &sha256_variants[0]
                                       : &sha256_variants[sha256_variant_count - (cpu_has_bmi2() ? 2 : 1)]);
    assert_string_equal(sha256_variants[sha256_variant_count - 1].name, "portable");
    assert_true(sha256_variants[sha256_variant_count - 1].runs_here());
    for (size_t v = 0; v < sha256_variant_count; v++) {
        print_message("%s: %s\n", sha256_variants[v].name,
                      sha256_variants[v].runs_here() ? "tested" : "not here");
    }
}

static const test_entry entries[] = {
    {"vectors", TEST_ONCE(test_vectors)},
    {"libcrypto", TEST_ONCE(test_libcrypto)},
    {"choice", TEST_ONCE(test_choice)},
};
TEST_MAIN("sha256", entries)
