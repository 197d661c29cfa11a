/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "scalars.h"

enum { SCALAR_WORDS = 16 }; /* 1024 bits; the largest order of a known curve has 377 */

/* This is the random generator xoshiro256** by Blackman and Vigna. It is seeded by splitmix64, as its authors
 * advise. */
typedef struct generator {
    uint64_t state[4];
} generator;

static generator seeded(uint64_t seed)
{
    generator random;
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15;
        uint64_t mixed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        random.state[i] = mixed ^ mixed >> 31;
    }
    return random;
}

static uint64_t rotated(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static uint64_t next_word(generator *random)
{
    uint64_t *s = random->state;
    uint64_t word = rotated(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotated(s[3], 45);
    return word;
}

/* Scalars are drawn from the range 0..largest. Its words are little-endian. */
typedef struct scalar_range {
    size_t words;
    uint64_t largest[SCALAR_WORDS];
    uint64_t top_mask; /* a mask of the bits of word `top` up to its highest one */
    size_t top;        /* the index of the last word that is not 0 */
} scalar_range;

static bool exceeds(const uint64_t *left, const uint64_t *right, size_t words)
{
    for (size_t i = words; i-- > 0;) {
        if (left[i] != right[i]) {
            return left[i] > right[i];
        }
    }
    return false;
}

/* Return the range whose largest number is the smaller one of order - 1 and 2^bits - 1. */
static scalar_range range_of(const sumac_group *info, uint64_t bits)
{
    scalar_range range = {.words = info->scalar_bytes / 8};
    memcpy(range.largest, info->order, info->scalar_bytes);
    range.largest[0] -= 1; /* orders are odd, so there is no borrow */
    uint64_t bound[SCALAR_WORDS] = {0};
    if (bits > 0 && bits < 64 * range.words) {
        for (size_t i = 0; i < range.words; i++) {
            bound[i] = bits >= 64 * (i + 1) ? UINT64_MAX : bits > 64 * i ? ((uint64_t)1 << bits % 64) - 1 : 0;
        }
        if (exceeds(range.largest, bound, range.words)) {
            memcpy(range.largest, bound, info->scalar_bytes);
        }
    }
    range.top = range.words - 1;
    while (range.top > 0 && range.largest[range.top] == 0) {
        range.top--;
    }
    range.top_mask = range.largest[range.top];
    for (unsigned shift = 1; shift < 64; shift *= 2) {
        range.top_mask |= range.top_mask >> shift;
    }
    return range;
}

static void draw_uniform(generator *random, const scalar_range *range, uint64_t *scalar)
{
    do {
        memset(scalar, 0, SCALAR_WORDS * sizeof *scalar);
        for (size_t i = 0; i <= range->top; i++) {
            scalar[i] = next_word(random);
        }
        scalar[range->top] &= range->top_mask;
    } while (exceeds(scalar, range->largest, range->words)); /* fewer than two rounds on average */
}

/* Draw a scalar from the range that is less than 2^bits, where bits < 64. */
static void draw_small(generator *random, const scalar_range *range, unsigned bits, uint64_t *scalar)
{
    if (range->top == 0 && range->top_mask >> bits == 0) {
        draw_uniform(random, range, scalar);
        return;
    }
    scalar[0] = next_word(random) & (((uint64_t)1 << bits) - 1);
}

/* Replace the scalar by largest - scalar. */
static void subtract_from_largest(const scalar_range *range, uint64_t *scalar)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < range->words; i++) {
        const uint64_t subtrahend = scalar[i] + borrow, wrapped = subtrahend < borrow;
        scalar[i] = range->largest[i] - subtrahend;
        borrow = wrapped | (range->largest[i] < subtrahend);
    }
}

/* Draw a scalar. Its memory is 0 before. */
static void draw(generator *random, const scalar_range *range, scalar_kind kind, const uint64_t *repeated,
                 uint64_t *scalar)
{
    static const scalar_kind mixture[] = {KIND_ZEROS, KIND_ONES,  KIND_TOP,
                                          KIND_EQUAL, KIND_SMALL, KIND_UNIFORM};
    const bool is_mixed = kind == KIND_MIXED;
    kind = is_mixed ? mixture[next_word(random) % 6] : kind;
    switch (kind) {
    case KIND_SPARSE:
        if (next_word(random) % 100 != 0) {
            scalar[0] = next_word(random) & 1;
            break;
        } /* fall through */
    case KIND_UNIFORM:
        draw_uniform(random, range, scalar);
        break;
    case KIND_SMALL:
        draw_small(random, range, is_mixed ? 32 : 16, scalar);
        break;
    case KIND_EQUAL:
        memcpy(scalar, repeated, sizeof range->largest);
        break;
    case KIND_ONES:
        scalar[0] = 1;
        break;
    case KIND_TOP:
        if (!is_mixed) {
            draw_small(random, range, 20, scalar);
        }
        subtract_from_largest(range, scalar);
        break;
    case KIND_BITS:
        scalar[0] = next_word(random) & 1;
        break;
    case KIND_ZEROS:
    case KIND_MIXED:
        break;
    }
}

void make_scalars(const sumac_group *info, scalar_kind kind, uint64_t bits, uint64_t seed, uint64_t n,
                  unsigned char *scalars)
{
    generator random = seeded(seed);
    scalar_range range = range_of(info, bits);
    uint64_t repeated[SCALAR_WORDS], scalar[SCALAR_WORDS];
    draw_uniform(&random, &range, repeated);
    for (uint64_t i = 0; i < n; i++) {
        memset(scalar, 0, sizeof scalar);
        draw(&random, &range, kind, repeated, scalar);
        for (size_t word = 0; word < range.words; word++) {
            for (unsigned byte = 0; byte < 8; byte++) {
                *scalars++ = (unsigned char)(scalar[word] >> 8 * byte);
            }
        }
    }
}

/* Compute result = minuend - value, all in little-endian bytes. The last borrow is dropped. */
static void subtract_bytes(unsigned char *result, const unsigned char *minuend, const unsigned char *value,
                           uint64_t bytes)
{
    unsigned borrow = 0;
    for (uint64_t i = 0; i < bytes; i++) {
        const unsigned difference = 256u + minuend[i] - value[i] - borrow;
        result[i] = (unsigned char)difference;
        borrow = difference < 256 ? 1 : 0;
    }
}

void narrow_scalars(const sumac_group *info, uint64_t bytes, bool is_signed, uint64_t n, unsigned char *whole,
                    unsigned char *narrow)
{
    unsigned char order[8 * SCALAR_WORDS], zero[8 * SCALAR_WORDS] = {0};
    for (uint32_t i = 0; i < info->scalar_bytes; i++) {
        order[i] = (unsigned char)(info->order[i / 8] >> i % 8 * 8);
    }
    for (uint64_t i = 0; i < n; i++, whole += info->scalar_bytes, narrow += bytes) {
        memcpy(narrow, whole, bytes);
        if (is_signed && i % 2 == 1 && memcmp(whole, zero, info->scalar_bytes) != 0) {
            subtract_bytes(narrow, zero, whole, bytes);
            subtract_bytes(whole, order, whole, info->scalar_bytes);
        }
    }
}
