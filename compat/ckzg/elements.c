/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is Montgomery multiplication word by word, for elements of tests and of bindings. Its functions are not
 * fast. */
#include "elements.h"

#include <string.h>

__extension__ typedef unsigned __int128 u128;

enum { FR_WORDS = 4, FP_WORDS = 6, WORD_BYTES = 8 };

typedef struct field {
    size_t words;
    uint64_t modulus[FP_WORDS];
    uint64_t square[FP_WORDS]; /* R^2 mod the modulus */
    uint64_t inverse;          /* -1/modulus mod 2^64 */
} field;

static const field SCALARS = {
    FR_WORDS,
    {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48},
    {0xc999e990f3f29c6d, 0x2b6cedcb87925c23, 0x05d314967254398f, 0x0748d9d99f59ff11},
    0xfffffffeffffffff,
};

static const field COORDINATES = {
    FP_WORDS,
    {0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf, 0x4b1ba7b6434bacd7,
     0x1a0111ea397fe69a},
    {0xf4df1f341c341746, 0x0a76e6a609d104f1, 0x8de5476c4c95b6d5, 0x67eb88a9939d83c0, 0x9a793e85b519952d,
     0x11988fe592cae3aa},
    0x89f3fffcfffcfffd,
};

static const uint64_t ONE[FP_WORDS] = {1};

/* Subtract the modulus from a, unless a is less. Before, a < 2*modulus < 2^(64*words), because both moduli have a
 * spare bit. */
static void reduce(const field *f, uint64_t *a)
{
    uint64_t difference[FP_WORDS] = {0}, borrow = 0;
    for (size_t i = 0; i < f->words; i++) {
        const u128 d = (u128)a[i] - f->modulus[i] - borrow;
        difference[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    if (borrow == 0) {
        memcpy(a, difference, f->words * WORD_BYTES);
    }
}

/* Compute out = a*b/R modulo the modulus. a may have any value, but b must be less than the modulus. Therefore sum <
 * 2*modulus after each step. */
static void multiply(const field *f, uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    uint64_t sum[FP_WORDS] = {0};
    for (size_t i = 0; i < f->words; i++) {
        u128 product = 0, folded = 0;
        for (size_t j = 0; j < f->words; j++) {
            product += (u128)a[i] * b[j] + sum[j];
            sum[j] = (uint64_t)product;
            product >>= 64;
        }
        const uint64_t factor = sum[0] * f->inverse; /* it makes the lowest word 0 */
        for (size_t j = 0; j < f->words; j++) {
            folded += (u128)factor * f->modulus[j] + sum[j];
            sum[j > 0 ? j - 1 : 0] = (uint64_t)folded;
            folded >>= 64;
        }
        sum[f->words - 1] = (uint64_t)(folded + product);
    }
    reduce(f, sum);
    memcpy(out, sum, f->words * WORD_BYTES);
}

/* Compute a^(modulus - 2), which is 1/a, or 0 for a = 0. */
static void invert(const field *f, uint64_t *out, const uint64_t *a)
{
    uint64_t power[FP_WORDS];
    multiply(f, power, f->square, ONE);
    for (size_t bit = 64 * f->words; bit-- > 0;) {
        const uint64_t word = f->modulus[bit / 64] - (bit < 64 ? 2 : 0);
        multiply(f, power, power, power);
        if (word >> bit % 64 & 1) {
            multiply(f, power, power, a);
        }
    }
    memcpy(out, power, f->words * WORD_BYTES);
}

static uint64_t read_word(const uint8_t *bytes, size_t count, size_t i, bool big_endian)
{
    uint64_t word = 0;
    for (size_t k = WORD_BYTES; k-- > 0;) {
        const size_t at = i * WORD_BYTES + k;
        word = word << 8 | bytes[big_endian ? count - 1 - at : at];
    }
    return word;
}

/* Convert integers that are less than the modulus to words, and back. */
static void to_words(const field *f, uint64_t *words, const uint8_t *bytes, bool big_endian)
{
    uint64_t integer[FP_WORDS];
    for (size_t i = 0; i < f->words; i++) {
        integer[i] = read_word(bytes, f->words * WORD_BYTES, i, big_endian);
    }
    multiply(f, words, integer, f->square);
}

static void from_words(const field *f, uint8_t *bytes, const uint64_t *words, bool big_endian)
{
    const size_t count = f->words * WORD_BYTES;
    uint64_t integer[FP_WORDS];
    multiply(f, integer, words, ONE);
    for (size_t at = 0; at < count; at++) {
        bytes[big_endian ? count - 1 - at : at] = (uint8_t)(integer[at / WORD_BYTES] >> at % WORD_BYTES * 8);
    }
}

void sumac_ckzg_element_to_words(fr_t *words, const Bytes32 *element)
{
    to_words(&SCALARS, words->words, element->bytes, true);
}

void sumac_ckzg_element_from_words(Bytes32 *element, const fr_t *words)
{
    from_words(&SCALARS, element->bytes, words->words, true);
}

void sumac_ckzg_point_to_jacobian(g1_t *point, const uint8_t affine[RAW_POINT_BYTES])
{
    static const uint8_t infinity[RAW_POINT_BYTES];
    memset(point, 0, sizeof *point);
    if (memcmp(affine, infinity, sizeof infinity) != 0) {
        to_words(&COORDINATES, point->x, affine, false);
        to_words(&COORDINATES, point->y, affine + COORDINATE_BYTES, false);
        multiply(&COORDINATES, point->z, COORDINATES.square, ONE);
    }
}

void sumac_ckzg_point_from_jacobian(uint8_t affine[RAW_POINT_BYTES], const g1_t *point)
{
    const field *f = &COORDINATES;
    uint64_t inverse[FP_WORDS], factor[FP_WORDS], coordinate[FP_WORDS];
    invert(f, inverse, point->z);
    multiply(f, factor, inverse, inverse);
    multiply(f, coordinate, point->x, factor);
    from_words(f, affine, coordinate, false);
    multiply(f, factor, factor, inverse);
    multiply(f, coordinate, point->y, factor);
    from_words(f, affine + COORDINATE_BYTES, coordinate, false);
}
