/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has arithmetic on limbs modulo p for the device, under the contract that field.h states. Limbs in memory
 * have 64 bits, but the code computes with words of 32 bits, because the integer pipe multiplies 32 x 32 -> 64 bits and
 * adds a 64-bit register pair with carry in and out (IMAD.WIDE.U32.X).
 *
 * Columns. A product a[i] * b[j] belongs to words i + j and i + j + 1. This pair of words is aligned in registers only
 * if all pairs of an array begin at words of one parity. So a sum of products is kept as two arrays, `even` and `odd`,
 * and its value is the sum of the two. A row a * b[i] is one chain of carries through each array. ptxas fuses each
 * mad.lo.cc/madc.hi.cc pair into one instruction; docs/internals/cuda.md shows how this is checked.
 */
#ifndef SUMAC_MATH_MUL_CUDA_H
#define SUMAC_MATH_MUL_CUDA_H

#include "mul_rows.h"

#define FP_WORDS (2 * FP_LIMBS)

/*
 * This is -1/p mod 2^32. It is not const, although nothing ever writes it. If ptxas knew a value like 0xffffffff, it
 * would turn the multiplication by it into a negation, and then break the chains that use the result into single-width
 * products.
 */
static __device__ __constant__ uint32_t fp_inv_word = (uint32_t)FP_INV;

SUMAC_FN void fp_to_words(uint32_t *words, const uint64_t *limbs)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        words[2 * i] = (uint32_t)limbs[i];
        words[2 * i + 1] = (uint32_t)(limbs[i] >> 32);
    }
}

SUMAC_FN void fp_from_words(uint64_t *limbs, const uint32_t *words)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        limbs[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    }
}

/* ---- Chains. Each leaves its carry in the carry flag, for the statement that follows. ---- */

/* sum = a + b over count words. */
SUMAC_FN void words_add(uint32_t *sum, const uint32_t *a, const uint32_t *b, int count)
{
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum[0]) : "r"(a[0]), "r"(b[0]));
    SUMAC_UNROLL
    for (int i = 1; i < count; i++) {
        asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum[i]) : "r"(a[i]), "r"(b[i]));
    }
}

/* difference = a - b over count words; the flag is the borrow. */
SUMAC_FN void words_subtract(uint32_t *difference, const uint32_t *a, const uint32_t *b, int count)
{
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(difference[0]) : "r"(a[0]), "r"(b[0]));
    SUMAC_UNROLL
    for (int i = 1; i < count; i++) {
        asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(difference[i]) : "r"(a[i]), "r"(b[i]));
    }
}

/* Return the carry flag as 0 or 1. */
SUMAC_FN uint32_t words_carry(void)
{
    uint32_t carry;
    asm volatile("addc.u32 %0, 0, 0;" : "=r"(carry));
    return carry;
}

/* Return the borrow flag as 0 or 0xffffffff. */
SUMAC_FN uint32_t words_borrow_mask(void)
{
    uint32_t mask;
    asm volatile("subc.u32 %0, 0, 0;" : "=r"(mask));
    return mask;
}

/* Add the carry flag to the word, which is large enough for the sum. */
SUMAC_FN void word_add_carry(uint32_t *word)
{
    asm volatile("addc.u32 %0, %0, 0;" : "+r"(*word));
}

/* columns[0 .. count-1] += (a[0], a[2], .. a[count-2]) * b, where each product is a pair of words. The carry flag is added
 * at columns[0]. */
SUMAC_FN void row_add_with_carry(uint32_t *columns, const uint32_t *a, uint32_t b, int count)
{
    SUMAC_UNROLL
    for (int j = 0; j < count; j += 2) {
        asm volatile("madc.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
                     : "+r"(columns[j]), "+r"(columns[j + 1])
                     : "r"(a[j]), "r"(b));
    }
}

/* Do so without a carry at columns[0]. */
SUMAC_FN void row_add(uint32_t *columns, const uint32_t *a, uint32_t b, int count)
{
    asm volatile("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
                 : "+r"(columns[0]), "+r"(columns[1])
                 : "r"(a[0]), "r"(b));
    row_add_with_carry(columns + 2, a + 2, b, count - 2);
}

/* ---- Sums and differences ---- */

/* r = carry:t, less p if that is at least p. In: carry:t < 2p; the carry is 0 if p has a spare bit. */
SUMAC_FN void fp_reduce_words(uint64_t *r, const uint32_t *t, uint32_t carry)
{
    uint32_t p[FP_WORDS], reduced[FP_WORDS];
    fp_to_words(p, fp_modulus);
    words_subtract(reduced, t, p, FP_WORDS);
    const uint32_t keep = words_borrow_mask() & (carry - 1);
    SUMAC_UNROLL
    for (int i = 0; i < FP_WORDS; i++) {
        reduced[i] = keep ? t[i] : reduced[i];
    }
    fp_from_words(r, reduced);
}

SUMAC_FN void fp_add_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint32_t left[FP_WORDS], right[FP_WORDS], sum[FP_WORDS];
    fp_to_words(left, a);
    fp_to_words(right, b);
    words_add(sum, left, right, FP_WORDS);
    fp_reduce_words(r, sum, FP_SPARE_BITS > 0 ? 0 : words_carry());
}

/* r = a - b mod p. If there is a borrow in the end, a < b, and p is added back. */
SUMAC_FN void fp_sub_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint32_t left[FP_WORDS], right[FP_WORDS], difference[FP_WORDS], p[FP_WORDS];
    fp_to_words(left, a);
    fp_to_words(right, b);
    fp_to_words(p, fp_modulus);
    words_subtract(difference, left, right, FP_WORDS);
    const uint32_t negative = words_borrow_mask();
    SUMAC_UNROLL
    for (int i = 0; i < FP_WORDS; i++) {
        p[i] &= negative;
    }
    words_add(difference, difference, p, FP_WORDS);
    fp_from_words(r, difference);
}

#if FP_SPARE_BITS > 0

/* ---- Products ---- */

/*
 * This is Montgomery reduction: r = t / R mod p, where t = even + odd. The arrays have 2 * FP_WORDS words. In: t < p * R.
 * The upper halves are set aside, and added at the end. Step i makes word i 0 by adding q * p * 2^(32i). Before it,
 * even + odd < 2 * 2^(32*FP_WORDS) + 2^(32i) * p, so nothing carries out of word i + FP_WORDS.
 */
SUMAC_FN void fp_redc(uint64_t *r, uint32_t *even, uint32_t *odd)
{
    uint32_t p[FP_WORDS], high[FP_WORDS];
    fp_to_words(p, fp_modulus);
    words_add(high, even + FP_WORDS, odd + FP_WORDS, FP_WORDS);
    SUMAC_UNROLL
    for (int i = FP_WORDS; i < 2 * FP_WORDS; i++) {
        even[i] = 0;
        odd[i] = 0;
    }
    SUMAC_UNROLL
    for (int i = 0; i < FP_WORDS; i++) {
        uint32_t *aligned = i % 2 == 0 ? even : odd; /* its pairs begin at words of i's parity */
        uint32_t *other = i % 2 == 0 ? odd : even;
        asm volatile("add.cc.u32 %0, %0, %1;" : "+r"(aligned[i]) : "r"(other[i]));
        const uint32_t q = aligned[i] * fp_inv_word;
        row_add_with_carry(other + i + 1, p + 1, q, FP_WORDS);
        row_add(aligned + i, p, q, FP_WORDS);
        word_add_carry(&other[i + FP_WORDS]);
    }
    words_add(even + FP_WORDS, even + FP_WORDS, odd + FP_WORDS, FP_WORDS);
    words_add(even + FP_WORDS, even + FP_WORDS, high, FP_WORDS);
    fp_reduce_words(r, even + FP_WORDS, 0);
}

SUMAC_FN void words_clear(uint32_t *words, int count)
{
    SUMAC_UNROLL
    for (int i = 0; i < count; i++) {
        words[i] = 0;
    }
}

/* even + odd += a * b * 2^(32i) for one word b. This is row i of a sum of products that is below 2^(64*FP_WORDS). */
SUMAC_FN void product_row(uint32_t *even, uint32_t *odd, const uint32_t *a, uint32_t b, int i)
{
    uint32_t *aligned = i % 2 == 0 ? even : odd;
    uint32_t *other = i % 2 == 0 ? odd : even;
    row_add(other + i + 1, a + 1, b, FP_WORDS);
    if (i < FP_WORDS - 1) {
        word_add_carry(&other[i + 1 + FP_WORDS]); /* only carries reach this word before row i + 1 */
    }
    row_add(aligned + i, a, b, FP_WORDS);
    word_add_carry(&aligned[i + FP_WORDS]);
}

/*
 * r = a * b / R mod p, by rows. After row i of the product comes the step of the reduction that makes word i 0. Before
 * each row even + odd < 2^(32i) * 2p, so nothing carries out of word i + FP_WORDS. In the end even + odd < 2p * R.
 */
SUMAC_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint32_t left[FP_WORDS], right[FP_WORDS], p[FP_WORDS], even[2 * FP_WORDS], odd[2 * FP_WORDS];
    fp_to_words(left, a);
    fp_to_words(right, b);
    fp_to_words(p, fp_modulus);
    words_clear(even, 2 * FP_WORDS);
    words_clear(odd, 2 * FP_WORDS);
    SUMAC_UNROLL
    for (int i = 0; i < FP_WORDS; i++) {
        uint32_t *aligned = i % 2 == 0 ? even : odd;
        uint32_t *other = i % 2 == 0 ? odd : even;
        asm volatile("add.cc.u32 %0, %0, %1;" : "+r"(aligned[i]) : "r"(other[i]));
        row_add_with_carry(other + i + 1, left + 1, right[i], FP_WORDS);
        row_add(aligned + i, left, right[i], FP_WORDS);
        word_add_carry(&other[i + FP_WORDS]);
        const uint32_t q = aligned[i] * fp_inv_word;
        row_add(other + i + 1, p + 1, q, FP_WORDS);
        row_add(aligned + i, p, q, FP_WORDS);
        word_add_carry(&other[i + FP_WORDS]);
    }
    words_add(even + FP_WORDS, even + FP_WORDS, odd + FP_WORDS, FP_WORDS);
    fp_reduce_words(r, even + FP_WORDS, 0);
}

/*
 * a^2 = sum of a[i]^2 * 2^(64i) + sum over i < j of a[i] * 2a[j] * 2^(32(i + j)). These are
 * FP_WORDS * (FP_WORDS + 1) / 2 wide products. `doubled` holds the words of 2a. In row i its word i + 1 must not contain
 * the top bit of a[i], because row i multiplies only by the words of a above a[i].
 */
SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    uint32_t words[FP_WORDS], doubled[FP_WORDS], even[2 * FP_WORDS], odd[2 * FP_WORDS];
    fp_to_words(words, a);
    words_clear(even, 2 * FP_WORDS);
    words_clear(odd, 2 * FP_WORDS);
    SUMAC_UNROLL
    for (int j = FP_WORDS - 1; j > 0; j--) {
        doubled[j] = __funnelshift_l(words[j - 1], words[j], 1);
    }
    SUMAC_UNROLL
    for (int i = 0; i < FP_WORDS - 1; i++) {
        doubled[i + 1] = words[i + 1] << 1;
        /* The row adds to words 2i + 1, 2i + 3, .. of `odd`. */
        const int odd_count = (FP_WORDS - i) / 2 * 2;
        row_add(odd + 2 * i + 1, doubled + i + 1, words[i], odd_count);
        word_add_carry(&odd[2 * i + 1 + odd_count]);
        const int even_count = (FP_WORDS - 1 - i) / 2 * 2;
        if (even_count > 0) {
            row_add(even + 2 * i + 2, doubled + i + 2, words[i], even_count);
            word_add_carry(&even[2 * i + 2 + even_count]);
        }
    }
    asm volatile("mad.lo.cc.u32 %0, %2, %2, %0; madc.hi.cc.u32 %1, %2, %2, %1;"
                 : "+r"(even[0]), "+r"(even[1])
                 : "r"(words[0]));
    SUMAC_UNROLL
    for (int i = 1; i < FP_WORDS; i++) {
        asm volatile("madc.lo.cc.u32 %0, %2, %2, %0; madc.hi.cc.u32 %1, %2, %2, %1;"
                     : "+r"(even[2 * i]), "+r"(even[2 * i + 1])
                     : "r"(words[i]));
    }
    fp_redc(r, even, odd);
}

#if FP_SPARE_BITS >= 2
/* Both products are computed row by row, so that the carry of a row meets only carries in its word. One reduction serves
 * the sum. */
SUMAC_FN void fp_mul_pair_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                const uint64_t *d)
{
    uint32_t first[FP_WORDS], second[FP_WORDS], even[2 * FP_WORDS], odd[2 * FP_WORDS];
    fp_to_words(first, a);
    fp_to_words(second, c);
    words_clear(even, 2 * FP_WORDS);
    words_clear(odd, 2 * FP_WORDS);
    SUMAC_UNROLL
    for (int i = 0; i < FP_WORDS; i++) {
        product_row(even, odd, first, (uint32_t)(b[i / 2] >> (i % 2 * 32)), i);
        product_row(even, odd, second, (uint32_t)(d[i / 2] >> (i % 2 * 32)), i);
    }
    fp_redc(r, even, odd);
}
#endif

#else

/* A modulus without a spare bit takes rows over 64-bit limbs. They are slower, and only secp256k1 needs them. */
SUMAC_FN void fp_mul_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    fp_mul_rows(r, a, b);
}

SUMAC_FN void fp_sqr_limbs(uint64_t *r, const uint64_t *a)
{
    fp_mul_limbs(r, a, a);
}

#endif

#endif
