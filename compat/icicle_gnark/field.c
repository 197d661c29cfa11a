/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "field.h"

#include <string.h>

__extension__ typedef unsigned __int128 uint128;

/* ---- The prime field ---- */

static int is_less(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t i = words; i-- > 0;) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return 0;
}

/* Subtract, and return the borrow. */
static uint64_t subtract(const uint64_t *a, const uint64_t *b, size_t words, uint64_t *result)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < words; i++) {
        const uint128 difference = (uint128)a[i] - b[i] - borrow;
        result[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    return borrow;
}

static void add_mod(const sumac_icicle_field *f, const uint64_t *a, const uint64_t *b, uint64_t *result)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < f->words; i++) {
        const uint128 sum = (uint128)a[i] + b[i] + carry;
        result[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry || !is_less(result, f->modulus, f->words)) {
        subtract(result, f->modulus, f->words, result);
    }
}

static void sub_mod(const sumac_icicle_field *f, const uint64_t *a, const uint64_t *b, uint64_t *result)
{
    if (subtract(a, b, f->words, result)) {
        uint64_t carry = 0;
        for (size_t i = 0; i < f->words; i++) {
            const uint128 sum = (uint128)result[i] + f->modulus[i] + carry;
            result[i] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
    }
}

/* Multiply and divide by R, word by word. For a < R and b < p the quotient is less than 2p before the subtraction. */
static void multiply(const sumac_icicle_field *f, const uint64_t *a, const uint64_t *b, uint64_t *result)
{
    uint64_t t[SUMAC_ICICLE_MOST_WORDS + 2] = {0};
    const size_t words = f->words;
    for (size_t i = 0; i < words; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < words; j++) {
            const uint128 sum = (uint128)a[i] * b[j] + t[j] + carry;
            t[j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        const uint128 top = (uint128)t[words] + carry;
        t[words] = (uint64_t)top;
        t[words + 1] = (uint64_t)(top >> 64);
        const uint64_t factor = t[0] * f->inverse;
        carry = (uint64_t)(((uint128)factor * f->modulus[0] + t[0]) >> 64);
        for (size_t j = 1; j < words; j++) {
            const uint128 sum = (uint128)factor * f->modulus[j] + t[j] + carry;
            t[j - 1] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        const uint128 last = (uint128)t[words] + carry;
        t[words - 1] = (uint64_t)last;
        t[words] = t[words + 1] + (uint64_t)(last >> 64);
    }
    if (t[words] || !is_less(t, f->modulus, words)) {
        subtract(t, f->modulus, words, t);
    }
    memcpy(result, t, words * sizeof *t);
}

void sumac_icicle_field_init(sumac_icicle_field *f, const uint64_t *modulus, size_t words, unsigned degree,
                             unsigned minus_square)
{
    *f = (sumac_icicle_field){
        .modulus = modulus, .words = words, .degree = degree, .minus_square = minus_square};
    uint64_t inverse = 1; /* Newton: the number of right bits doubles in each step */
    for (int i = 0; i < 6; i++) {
        inverse *= 2 - modulus[0] * inverse;
    }
    f->inverse = 0 - inverse;
    f->square[0] = 1;
    for (size_t i = 0; i < 2 * 64 * words; i++) {
        add_mod(f, f->square, f->square, f->square);
    }
}

static const uint64_t unit[SUMAC_ICICLE_MOST_WORDS] = {1};

void sumac_icicle_convert(const sumac_icicle_field *f, const void *from, size_t count, int into, void *to)
{
    const size_t bytes = f->words * sizeof(uint64_t);
    for (size_t i = 0; i < count; i++) {
        uint64_t element[SUMAC_ICICLE_MOST_WORDS];
        memcpy(element, (const char *)from + i * bytes, bytes);
        multiply(f, element, into ? f->square : unit, element);
        memcpy((char *)to + i * bytes, element, bytes);
    }
}

int sumac_icicle_all_reduced(const uint64_t *modulus, size_t words, const void *integers, size_t count)
{
    const size_t bytes = words * sizeof(uint64_t);
    for (size_t i = 0; i < count; i++) {
        uint64_t integer[SUMAC_ICICLE_MOST_WORDS];
        memcpy(integer, (const char *)integers + i * bytes, bytes);
        if (!is_less(integer, modulus, words)) {
            return 0;
        }
    }
    return 1;
}

/* ---- Elements of either field ---- */

typedef sumac_icicle_element element;

element sumac_icicle_load(const sumac_icicle_field *f, const void *from)
{
    element e = {0};
    for (unsigned d = 0; d < f->degree; d++) {
        sumac_icicle_convert(f, (const char *)from + d * f->words * sizeof(uint64_t), 1, 1, e.words[d]);
    }
    return e;
}

void sumac_icicle_store(const sumac_icicle_field *f, const element *e, void *to)
{
    for (unsigned d = 0; d < f->degree; d++) {
        sumac_icicle_convert(f, e->words[d], 1, 0, (char *)to + d * f->words * sizeof(uint64_t));
    }
}

element sumac_icicle_one(const sumac_icicle_field *f)
{
    element e = {0};
    multiply(f, f->square, unit, e.words[0]);
    return e;
}

element sumac_icicle_plus(const sumac_icicle_field *f, const element *a, const element *b)
{
    element e = {0};
    for (unsigned d = 0; d < f->degree; d++) {
        add_mod(f, a->words[d], b->words[d], e.words[d]);
    }
    return e;
}

element sumac_icicle_minus(const sumac_icicle_field *f, const element *a, const element *b)
{
    element e = {0};
    for (unsigned d = 0; d < f->degree; d++) {
        sub_mod(f, a->words[d], b->words[d], e.words[d]);
    }
    return e;
}

/* result += -u^2 * factor = minus_square * factor, or result -= it. */
static void add_small_multiple(const sumac_icicle_field *f, const uint64_t *factor, int negative,
                               uint64_t *result)
{
    for (unsigned i = 0; i < f->minus_square; i++) {
        (negative ? sub_mod : add_mod)(f, result, factor, result);
    }
}

element sumac_icicle_times(const sumac_icicle_field *f, const element *a, const element *b)
{
    element e = {0};
    multiply(f, a->words[0], b->words[0], e.words[0]);
    if (f->degree == 2) {
        uint64_t product[SUMAC_ICICLE_MOST_WORDS];
        multiply(f, a->words[1], b->words[1], product);
        add_small_multiple(f, product, 1, e.words[0]);
        multiply(f, a->words[0], b->words[1], e.words[1]);
        multiply(f, a->words[1], b->words[0], product);
        add_mod(f, e.words[1], product, e.words[1]);
    }
    return e;
}

/* 1/a = a^(p-2); 0 gives 0. */
static void invert(const sumac_icicle_field *f, const uint64_t *a, uint64_t *result)
{
    static const uint64_t two[SUMAC_ICICLE_MOST_WORDS] = {2};
    uint64_t exponent[SUMAC_ICICLE_MOST_WORDS], power[SUMAC_ICICLE_MOST_WORDS];
    subtract(f->modulus, two, f->words, exponent);
    multiply(f, f->square, unit, power);
    for (size_t bit = 64 * f->words; bit-- > 0;) {
        multiply(f, power, power, power);
        if (exponent[bit / 64] >> (bit % 64) & 1) {
            multiply(f, power, a, power);
        }
    }
    memcpy(result, power, f->words * sizeof *power);
}

/* 1/(a + b*u) = (a - b*u)/(a^2 - b^2*u^2) */
element sumac_icicle_inverse(const sumac_icicle_field *f, const element *a)
{
    element e = {0};
    if (f->degree == 1) {
        invert(f, a->words[0], e.words[0]);
        return e;
    }
    uint64_t norm[SUMAC_ICICLE_MOST_WORDS], square[SUMAC_ICICLE_MOST_WORDS];
    multiply(f, a->words[0], a->words[0], norm);
    multiply(f, a->words[1], a->words[1], square);
    add_small_multiple(f, square, 0, norm);
    invert(f, norm, norm);
    multiply(f, a->words[0], norm, e.words[0]);
    multiply(f, a->words[1], norm, square);
    sub_mod(f, e.words[1], square, e.words[1]);
    return e;
}

int sumac_icicle_equal(const element *a, const element *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

int sumac_icicle_is_zero(const element *a)
{
    static const element zero;
    return sumac_icicle_equal(a, &zero);
}
