/*
 * Fp in lanes: sixteen elements at a time in radix 2^52, for AVX-512 IFMA. docs/avx512.md has the reasons and
 * figures.
 *
 * An fpv holds FPV_VECTORS vectors of eight lanes, as two independent multiplications hide each other's
 * latency. Lane l of vector v is one element, the sum of d[v][i] * 2^(52*i). Elements keep the factor R =
 * 2^(64*FP_LIMBS) of stored ones, so that loading and storing only moves bits; a multiplication divides by S
 * = 2^(52*FPV_DIGITS) instead of R, and rounds.h makes up for S/R.
 *
 * Bounds. "below k" means 0 <= d[v][i] < 2^52 and value < k*p; "loose" means |d[v][i]| <= 2^52 and 0 <= value
 * < 2*p. Every function states what it takes and gives; a SUMAC_VERIFY build checks each lane. As 16*p <= S,
 * a value below 16 has no carry out of its last digit.
 */
#ifndef SUMAC_AVX512_FPV_H
#define SUMAC_AVX512_FPV_H

#include <immintrin.h>

#include "math/curve.h"

#define FPV_VECTORS 2
#define FPV_LANES (8 * FPV_VECTORS)
#define FPV_DIGITS ((FP_BITS + 4 + 51) / 52)
#define FPV_MASK ((UINT64_C(1) << 52) - 1)

SUMAC_STATIC_ASSERT(FP_BITS + 4 <= 52 * FPV_DIGITS, "a value below 16 fits the digits");
/* A column of fpv_mul_pair adds up at most 6*FPV_DIGITS halves of products, each below 2^52, and a carry. */
SUMAC_STATIC_ASSERT(6 * FPV_DIGITS + 1 < 1024, "a column stays below 2^62");

typedef struct {
    __m512i d[FPV_VECTORS][FPV_DIGITS];
} fpv;

/* Digit i of p; the compiler folds it to a constant. */
SUMAC_FN uint64_t fpv_modulus_digit(int i)
{
    const int word = 52 * i / 64;
    const int shift = 52 * i % 64;
    uint64_t digit = fp_modulus[word] >> shift;
    if (shift > 12 && word + 1 < FP_LIMBS) {
        digit |= fp_modulus[word + 1] << (64 - shift);
    }
    return digit & FPV_MASK;
}

SUMAC_FN __m512i fpv_broadcast(uint64_t value)
{
    return _mm512_set1_epi64((long long)value);
}

#include "avx512/fpv_verify.h"

SUMAC_FN void fpv_set_zero(fpv *r)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = _mm512_setzero_si512();
        }
    }
}

/* r = a in the lanes of the mask: bit 8*v + l is lane l of vector v. */
SUMAC_FN void fpv_cmov(fpv *r, const fpv *a, uint32_t lanes)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = _mm512_mask_mov_epi64(r->d[v][i], (__mmask8)(lanes >> (8 * v)), a->d[v][i]);
        }
    }
}

/* The lanes whose digits are all 0. */
SUMAC_FN uint32_t fpv_zero_lanes(const fpv *a)
{
    uint32_t lanes = 0;
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i any = a->d[v][0];
        SUMAC_UNROLL
        for (int i = 1; i < FPV_DIGITS; i++) {
            any = _mm512_or_si512(any, a->d[v][i]);
        }
        lanes |= (uint32_t)_mm512_testn_epi64_mask(any, any) << (8 * v);
    }
    return lanes;
}

/* The lanes whose digits are the same. */
SUMAC_FN uint32_t fpv_equal_lanes(const fpv *a, const fpv *b)
{
    uint32_t lanes = 0;
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i any = _mm512_setzero_si512();
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            any = _mm512_or_si512(any, _mm512_xor_si512(a->d[v][i], b->d[v][i]));
        }
        lanes |= (uint32_t)_mm512_testn_epi64_mask(any, any) << (8 * v);
    }
    return lanes;
}

/* Signed digits, |t[i]| < 2^62, of a value in [0, S), to digits below 2^52. */
SUMAC_FN void fpv_carry(__m512i t[FPV_DIGITS])
{
    const __m512i mask = fpv_broadcast(FPV_MASK);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS - 1; i++) {
        t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srai_epi64(t[i], 52));
        t[i] = _mm512_and_si512(t[i], mask);
    }
}

/* r = a - b + 2p. In: a and b below 2, or loose. Out: below 4. */
SUMAC_FN void fpv_sub(fpv *r, const fpv *a, const fpv *b)
{
    SUMAC_VERIFY_CHECK(fpv_is_loose(a) && fpv_is_loose(b));
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = _mm512_add_epi64(_mm512_sub_epi64(a->d[v][i], b->d[v][i]),
                                    fpv_broadcast(2 * fpv_modulus_digit(i)));
        }
        fpv_carry(t);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = t[i];
        }
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 4));
}

/* factor*a for a small constant factor, 0 < factor < 8. */
SUMAC_FN __m512i fpv_times(__m512i a, unsigned factor)
{
    __m512i sum = factor & 1 ? a : _mm512_setzero_si512();
    if (factor & 2) {
        sum = _mm512_add_epi64(sum, _mm512_slli_epi64(a, 1));
    }
    if (factor & 4) {
        sum = _mm512_add_epi64(sum, _mm512_slli_epi64(a, 2));
    }
    return sum;
}

/* r = factor*a + offset*p for small constants. In: digits below 2^52, 0 <= r < S. Out: digits below 2^52. */
SUMAC_FN void fpv_linear(fpv *r, const fpv *a, int factor, unsigned offset)
{
    SUMAC_VERIFY_CHECK(fpv_has_digits(a));
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const __m512i start = fpv_broadcast(offset * fpv_modulus_digit(i));
            t[i] = factor < 0 ? _mm512_sub_epi64(start, fpv_times(a->d[v][i], (unsigned)-factor))
                              : _mm512_add_epi64(start, fpv_times(a->d[v][i], (unsigned)factor));
        }
        fpv_carry(t);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = t[i];
        }
    }
    SUMAC_VERIFY_CHECK(fpv_has_digits(r));
}

/*
 * One vector's value modulo p. In: |t[i]| <= 2^55 and p <= value + offset*p < 8p, offset <= 7. Out: below 2.
 *
 * With T = t[last] + offset*p[last] the quotient is q = floor(T / (p[last] + 17)) = floor((value +
 * offset*p)/p), or one less: the digits below the last one add less than 16 in absolute value to T. p[last]
 * >= 2^11 keeps the remainder below p + 8*17/2^11*p < 2p. All eight products (offset - q)*p[i] are one
 * constant vector, of which a permutation picks.
 */
SUMAC_FN void fpv_reduce(__m512i t[FPV_DIGITS], int offset)
{
    const uint64_t last = fpv_modulus_digit(FPV_DIGITS - 1);
    const uint64_t reciprocal = (UINT64_C(1) << 52) / (last + 17);
    const __m512i top = _mm512_add_epi64(t[FPV_DIGITS - 1], fpv_broadcast((uint64_t)offset * last));
    const __m512i q = _mm512_madd52hi_epu64(_mm512_setzero_si512(), top, fpv_broadcast(reciprocal));
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const long long digit = (long long)fpv_modulus_digit(i);
        const __m512i multiples = _mm512_setr_epi64(
            offset * digit, (offset - 1) * digit, (offset - 2) * digit, (offset - 3) * digit,
            (offset - 4) * digit, (offset - 5) * digit, (offset - 6) * digit, (offset - 7) * digit);
        t[i] = _mm512_add_epi64(t[i], _mm512_permutexvar_epi64(q, multiples));
    }
    fpv_carry(t);
}

/* r = a mod p. In: loose. Out: below 1. */
SUMAC_FN void fpv_canonical(fpv *r, const fpv *a)
{
    SUMAC_VERIFY_CHECK(fpv_is_loose(a));
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_DIGITS], less[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = a->d[v][i];
        }
        fpv_carry(t);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            less[i] = _mm512_sub_epi64(t[i], fpv_broadcast(fpv_modulus_digit(i)));
        }
        fpv_carry(less);
        const __mmask8 negative = _mm512_cmplt_epi64_mask(less[FPV_DIGITS - 1], _mm512_setzero_si512());
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = _mm512_mask_mov_epi64(less[i], negative, t[i]);
        }
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 1));
}

/* r = 2^shift * a. In: below 16/2^shift, or where p has more spare bits, 2^shift*a < S. shift is a constant.
 */
SUMAC_FN void fpv_shift_left(fpv *r, const fpv *a, int shift)
{
    const __m512i mask = fpv_broadcast(FPV_MASK);
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = FPV_DIGITS - 1; i > 0; i--) {
            const __m512i high = _mm512_and_si512(_mm512_slli_epi64(a->d[v][i], (unsigned)shift), mask);
            r->d[v][i] = _mm512_or_si512(high, _mm512_srli_epi64(a->d[v][i - 1], (unsigned)(52 - shift)));
        }
        r->d[v][0] = _mm512_and_si512(_mm512_slli_epi64(a->d[v][0], (unsigned)shift), mask);
    }
}

/* How many vectors a multiplication takes at a time: two as long as their columns fit the 32 registers. */
#define FPV_TOGETHER (FPV_DIGITS <= 8 ? 2 : 1)

typedef __m512i fpv_columns[FPV_TOGETHER][FPV_DIGITS];

/* t += a*b, low halves of the products, for one digit b and the digits of a from `from` on; the vectors take
 * turns. */
SUMAC_FN void fpv_row_low(fpv_columns t, const __m512i a[FPV_TOGETHER][FPV_DIGITS],
                          const __m512i b[FPV_TOGETHER], int from)
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        SUMAC_UNROLL
        for (int v = 0; v < FPV_TOGETHER; v++) {
            t[v][j] = j < from ? t[v][j] : _mm512_madd52lo_epu64(t[v][j], a[v][j], b[v]);
        }
    }
}

SUMAC_FN void fpv_row_high(fpv_columns t, const __m512i a[FPV_TOGETHER][FPV_DIGITS],
                           const __m512i b[FPV_TOGETHER], int from)
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        SUMAC_UNROLL
        for (int v = 0; v < FPV_TOGETHER; v++) {
            t[v][j] = j < from ? t[v][j] : _mm512_madd52hi_epu64(t[v][j], a[v][j], b[v]);
        }
    }
}

/* t += q*p, low halves, for the q that makes t[0] a multiple of 2^52, and then t = t/2^52. */
SUMAC_FN void fpv_row_reduce(fpv_columns t, __m512i q[FPV_TOGETHER])
{
    SUMAC_UNROLL
    for (int v = 0; v < FPV_TOGETHER; v++) {
        q[v] = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[v][0], fpv_broadcast(FP_INV & FPV_MASK));
    }
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        const __m512i p = fpv_broadcast(fpv_modulus_digit(j));
        SUMAC_UNROLL
        for (int v = 0; v < FPV_TOGETHER; v++) {
            t[v][j] = _mm512_madd52lo_epu64(t[v][j], q[v], p);
        }
    }
    SUMAC_UNROLL
    for (int v = 0; v < FPV_TOGETHER; v++) {
        t[v][1] = _mm512_add_epi64(t[v][1], _mm512_srli_epi64(t[v][0], 52));
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS - 1; j++) {
            t[v][j] = t[v][j + 1];
        }
        t[v][FPV_DIGITS - 1] = _mm512_setzero_si512();
    }
}

SUMAC_FN void fpv_row_modulus_high(fpv_columns t, const __m512i q[FPV_TOGETHER])
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        const __m512i p = fpv_broadcast(fpv_modulus_digit(j));
        SUMAC_UNROLL
        for (int v = 0; v < FPV_TOGETHER; v++) {
            t[v][j] = _mm512_madd52hi_epu64(t[v][j], q[v], p);
        }
    }
}

SUMAC_FN void fpv_columns_clear(fpv_columns t)
{
    SUMAC_UNROLL
    for (int v = 0; v < FPV_TOGETHER; v++) {
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            t[v][j] = _mm512_setzero_si512();
        }
    }
}

SUMAC_FN void fpv_columns_store(fpv *r, fpv_columns t, int first)
{
    SUMAC_UNROLL
    for (int v = 0; v < FPV_TOGETHER; v++) {
        fpv_carry(t[v]);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            r->d[first + v][j] = t[v][j];
        }
    }
}

/* The vectors from `first` of r = (a*b + c*e)/S mod p; without c*e where c is null, a constant at each call.
 */
static inline __attribute__((always_inline)) void fpv_mul_rows(fpv *r, const fpv *a, const fpv *b,
                                                               const fpv *c, const fpv *e, int first)
{
    fpv_columns t;
    fpv_columns_clear(t);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        __m512i q[FPV_TOGETHER], b_digit[FPV_TOGETHER], e_digit[FPV_TOGETHER];
        SUMAC_UNROLL
        for (int v = 0; v < FPV_TOGETHER; v++) {
            b_digit[v] = b->d[first + v][i];
            e_digit[v] = c == NULL ? b_digit[v] : e->d[first + v][i];
        }
        fpv_row_low(t, &a->d[first], b_digit, 0);
        if (c != NULL) {
            fpv_row_low(t, &c->d[first], e_digit, 0);
        }
        fpv_row_reduce(t, q);
        fpv_row_high(t, &a->d[first], b_digit, 0);
        if (c != NULL) {
            fpv_row_high(t, &c->d[first], e_digit, 0);
        }
        fpv_row_modulus_high(t, q);
    }
    fpv_columns_store(r, t, first);
}

/*
 * The vectors from `first` of r = a*a/S mod p. Row i takes a[i] times a[i] and times the digits of 2*a from i
 * + 1 on; in the first of these bit 0 is cleared, which is the carry out of 2*a[i]. So each product of two
 * digits is made once.
 */
static inline __attribute__((always_inline)) void fpv_sqr_rows(fpv *r, const fpv *a, int first)
{
    const __m512i mask = fpv_broadcast(FPV_MASK);
    const __m512i no_carry = fpv_broadcast(FPV_MASK - 1);
    fpv_columns t, factors;
    fpv_columns_clear(t);
    SUMAC_UNROLL
    for (int v = 0; v < FPV_TOGETHER; v++) {
        SUMAC_UNROLL
        for (int j = 1; j < FPV_DIGITS; j++) {
            const __m512i twice = _mm512_and_si512(_mm512_slli_epi64(a->d[first + v][j], 1), mask);
            factors[v][j] = _mm512_or_si512(twice, _mm512_srli_epi64(a->d[first + v][j - 1], 51));
        }
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        __m512i q[FPV_TOGETHER], digit[FPV_TOGETHER];
        SUMAC_UNROLL
        for (int v = 0; v < FPV_TOGETHER; v++) {
            factors[v][i] = digit[v] = a->d[first + v][i];
            if (i + 1 < FPV_DIGITS) {
                factors[v][i + 1] = _mm512_and_si512(factors[v][i + 1], no_carry);
            }
        }
        fpv_row_low(t, factors, digit, i);
        fpv_row_reduce(t, q);
        fpv_row_high(t, factors, digit, i);
        fpv_row_modulus_high(t, q);
    }
    fpv_columns_store(r, t, first);
}

/* r = a*b/S mod p. In: digits below 2^52, a*b <= 2*p*S. Out: a*b/S + p at most: below 3, and below 2 if a*b
 * <= p*S. r may alias the operands. */
SUMAC_BIG_FN void fpv_mul(fpv *r, const fpv *a, const fpv *b)
{
    SUMAC_VERIFY_CHECK(fpv_has_digits(a) && fpv_has_digits(b));
    for (int v = 0; v < FPV_VECTORS; v += FPV_TOGETHER) {
        fpv_mul_rows(r, a, b, NULL, NULL, v);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 3));
}

#if FE_DEGREE == 1
/* r = a*a/S mod p. In: below 4. Out: below 2. */
SUMAC_BIG_FN void fpv_sqr(fpv *r, const fpv *a)
{
    SUMAC_VERIFY_CHECK(fpv_is_below(a, 4));
    for (int v = 0; v < FPV_VECTORS; v += FPV_TOGETHER) {
        fpv_sqr_rows(r, a, v);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 2));
}
#endif

#if FE_DEGREE == 2
/* r = (a*b + c*e)/S mod p. In: a*b + c*e <= p*S. Out: below 2. */
SUMAC_BIG_FN void fpv_mul_pair(fpv *r, const fpv *a, const fpv *b, const fpv *c, const fpv *e)
{
    SUMAC_VERIFY_CHECK(fpv_has_digits(a) && fpv_has_digits(b) && fpv_has_digits(c) && fpv_has_digits(e));
    for (int v = 0; v < FPV_VECTORS; v += FPV_TOGETHER) {
        fpv_mul_rows(r, a, b, c, e, v);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 2));
}
#endif

#endif
