/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/sha256.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "base/instructions.h"

/* The round keys are the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const _Alignas(64) uint32_t round_keys[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t rotate_right(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

/* Return the message schedule's word 16 places after words[i]; `words` is a ring of the last 16 words. */
static inline uint32_t next_word(uint32_t words[16], int i)
{
    const uint32_t low = words[(i + 1) & 15], high = words[(i + 14) & 15];
    words[i & 15] += words[(i + 9) & 15] + (rotate_right(low, 7) ^ rotate_right(low, 18) ^ low >> 3) +
                     (rotate_right(high, 17) ^ rotate_right(high, 19) ^ high >> 10);
    return words[i & 15];
}

/* Do one round. It leaves the new value of a in h and that of e in d, so the arguments of the next round are rotated by
 * one. */
static inline __attribute__((always_inline)) void one_round(uint32_t a, uint32_t b, uint32_t c, uint32_t *d,
                                                            uint32_t e, uint32_t f, uint32_t g, uint32_t *h,
                                                            uint32_t words[16], int i)
{
    const uint32_t word = i < 16 ? words[i] : next_word(words, i);
    *h += (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + ((e & (f ^ g)) ^ g) +
          round_keys[i] + word;
    *d += *h;
    *h += (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + (((a ^ b) & (b ^ c)) ^ b);
}

static inline __attribute__((always_inline)) void compress(uint32_t state[8], const uint8_t *blocks,
                                                           size_t count)
{
    for (; count > 0; count--, blocks += SHA256_BLOCK_BYTES) {
        uint32_t words[16];
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int i = 0; i < 16; i++) {
            const uint8_t *bytes = blocks + (size_t)4 * (size_t)i;
            words[i] =
                (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
        }
#pragma GCC unroll 8 /* without this a fifth of the time goes into moves between registers */
        for (int i = 0; i < 64; i += 8) {
            one_round(a, b, c, &d, e, f, g, &h, words, i);
            one_round(h, a, b, &c, d, e, f, &g, words, i + 1);
            one_round(g, h, a, &b, c, d, e, &f, words, i + 2);
            one_round(f, g, h, &a, b, c, d, &e, words, i + 3);
            one_round(e, f, g, &h, a, b, c, &d, words, i + 4);
            one_round(d, e, f, &g, h, a, b, &c, words, i + 5);
            one_round(c, d, e, &f, g, h, a, &b, words, i + 6);
            one_round(b, c, d, &e, f, g, h, &a, words, i + 7);
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}

/* ---- Portable code, also compiled with instructions that rotate into another register ---- */

static void compress_portable(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    compress(state, blocks, count);
}

static int runs_everywhere(void)
{
    return 1;
}

#if defined(__x86_64__)
__attribute__((target("bmi2"))) static void compress_bmi2(uint32_t state[8], const uint8_t *blocks,
                                                          size_t count)
{
    compress(state, blocks, count);
}

/* ---- x86-64's instructions for SHA-256 ---- */

#define SHA_NI __attribute__((target("sha,sse4.1")))

/* Do four rounds. The instruction does two rounds with the lower half of words plus keys, and leaves the new (a, b, e,
 * f) in place of (c, d, g, h). */
SHA_NI static inline void four_rounds(__m128i *abef, __m128i *cdgh, __m128i w, int i)
{
    const __m128i m = _mm_add_epi32(w, _mm_load_si128((const __m128i *)(const void *)round_keys + i));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, m);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(m, 0x0e));
}

/* Return the four words of the message schedule that follow w3. */
SHA_NI static inline __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
    return _mm_sha256msg2_epu32(sum, w3);
}

SHA_NI static inline __m128i load_four_words(const uint8_t *bytes)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)bytes), big_endian);
}

SHA_NI static void compress_sha_ni(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    __m128i *const halves = (__m128i *)(void *)state;
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(halves), 0xb1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(halves + 1), 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
    for (; count > 0; count--, blocks += SHA256_BLOCK_BYTES) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            w[i] = load_four_words(blocks + (size_t)16 * (size_t)i);
        }
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            four_rounds(&abef, &cdgh, w[i & 3], i);
            if (i < 12) {
                w[i & 3] = next_words(w[i & 3], w[(i + 1) & 3], w[(i + 2) & 3], w[(i + 3) & 3]);
            }
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(halves, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(halves + 1, _mm_alignr_epi8(dchg, feba, 8));
}
#elif defined(__aarch64__)
/* ---- ARMv8's instructions for SHA-256 ---- */

/* This code uses assembly because compilers offer the intrinsics only if the whole file may use them, or by attributes
 * that gcc and clang spell differently. */
#define SHA256_INSTRUCTION(instruction) ".arch_extension sha2\n\t" instruction

static inline uint32x4_t next_words(uint32x4_t w0, uint32x4_t w1, uint32x4_t w2, uint32x4_t w3)
{
    __asm__(SHA256_INSTRUCTION("sha256su0 %0.4s, %1.4s\n\tsha256su1 %0.4s, %2.4s, %3.4s")
            : "+&w"(w0)
            : "w"(w1), "w"(w2), "w"(w3));
    return w0;
}

static inline void four_rounds(uint32x4_t *abcd, uint32x4_t *efgh, uint32x4_t w, int i)
{
    const uint32x4_t m = vaddq_u32(w, vld1q_u32(round_keys + (size_t)4 * (size_t)i)), abcd_before = *abcd;
    __asm__(SHA256_INSTRUCTION("sha256h %q0, %q1, %3.4s\n\tsha256h2 %q1, %q2, %3.4s")
            : "+&w"(*abcd), "+&w"(*efgh)
            : "w"(abcd_before), "w"(m));
}

static void compress_armv8(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
    for (; count > 0; count--, blocks += SHA256_BLOCK_BYTES) {
        const uint32x4_t abcd_before = abcd, efgh_before = efgh;
        uint32x4_t w[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks + (size_t)16 * (size_t)i)));
        }
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            four_rounds(&abcd, &efgh, w[i & 3], i);
            if (i < 12) {
                w[i & 3] = next_words(w[i & 3], w[(i + 1) & 3], w[(i + 2) & 3], w[(i + 3) & 3]);
            }
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}
#endif

/* ---- The choice ---- */

const sha256_variant sha256_variants[] = {
#if defined(__x86_64__)
    {"sha-ni", cpu_has_sha256, compress_sha_ni},
    {"bmi2", cpu_has_bmi2, compress_bmi2},
#elif defined(__aarch64__)
    {"armv8", cpu_has_sha256, compress_armv8},
#endif
    {"portable", runs_everywhere, compress_portable},
};
const size_t sha256_variant_count = sizeof sha256_variants / sizeof *sha256_variants;

static const sha256_variant *fastest_variant(void)
{
    const sha256_variant *variant = sha256_variants;
    while (!variant->runs_here()) {
        variant++;
    }
    return variant;
}

/* ---- Any number of bytes ---- */

void sha256_begin(sha256 *hash)
{
    /* The initial state is the first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    *hash = (sha256){.variant = fastest_variant(),
                     .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                               0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(sha256 *hash, const void *bytes, size_t count)
{
    const uint8_t *next = bytes;
    const size_t pending = hash->total % SHA256_BLOCK_BYTES, missing = SHA256_BLOCK_BYTES - pending;
    if (count == 0) {
        return;
    }
    hash->total += count;
    if (pending > 0 && count >= missing) {
        memcpy(hash->pending + pending, next, missing);
        hash->variant->compress(hash->state, hash->pending, 1);
        next += missing;
        count -= missing;
    } else if (pending > 0) {
        memcpy(hash->pending + pending, next, count);
        return;
    }
    hash->variant->compress(hash->state, next, count / SHA256_BLOCK_BYTES);
    memcpy(hash->pending, next + count / SHA256_BLOCK_BYTES * SHA256_BLOCK_BYTES, count % SHA256_BLOCK_BYTES);
}

void sha256_end(sha256 *hash, uint8_t digest[SHA256_BYTES])
{
    /* Append a bit of 1, then the fewest bits of 0 after which the 64 bits of the length end a block, then the length. */
    const uint64_t bits = 8 * hash->total;
    const size_t pending = hash->total % SHA256_BLOCK_BYTES;
    uint8_t padding[SHA256_BLOCK_BYTES + 8] = {0x80};
    const size_t zeros_end = (pending < 56 ? 56 : 120) - pending;
    for (size_t i = 0; i < 8; i++) {
        padding[zeros_end + i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    sha256_add(hash, padding, zeros_end + 8);
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
    }
}
