/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Fp12 is computed in lanes if S/p is large enough (FP12_LANES_SPARE_BITS bits) and the twist is of type M. The
 * coefficients of one element of Fp12 = Fp2[w] lie side by side, and an operation on Fp12 is one sum of products of Fp2
 * in all lanes, with one division by S at its end.
 *
 * In this file an fpv is an fp12: vector 0 has the first components, vector 1 the second ones; lane i < 6 is the
 * coefficient of w^i, lanes 6 and 7 hold any values within the bounds. Elements have the factor S in the final
 * exponentiation. In a Miller loop they have any factor from Fp, which the final exponentiation turns into 1.
 *
 * Bounds. An element is below FP12_LANES_BOUND (fpv.h). Operands of products are below 128. Thus a sum of 12 products of
 * less than 128*128*p*p is less than 2^18*p*p, and with p <= S/2^FP12_LANES_SPARE_BITS its quotient by S is in (-p/16,
 * (2 + 1/16)*p) for both components: fpv_columns_divide. Functions with other bounds state them.
 */
#ifndef SUMAC_LANES_FP12_H
#define SUMAC_LANES_FP12_H

#include "math/fp12.h"

#include "lanes/fpv_mul.h"

#define FP12_LANES_SPARE_BITS 22

#if CURVE_TWIST_M && CURVE_PAIRING_FAMILY == CURVE_PAIRING_BLS12 && CURVE_PAIRING_XI == 1 &&                 \
    FP_BITS + FP12_LANES_SPARE_BITS <= 52 * FPV_DIGITS && FPV_LAST_BITS >= 17
#define SUMAC_PAIRING_LANES

#define FP12_LANES_BOUND 16
#define FP12_LANES_TERMS 6

/* A column of a sum has at most FP12_LANES_TERMS times two products of 2*FPV_DIGITS halves; the division adds
 * 2*FPV_DIGITS halves and a carry. The functions below add at most four such columns, which stays below the 2^62 of
 * fpv_carry. */
SUMAC_STATIC_ASSERT((2 * FP12_LANES_TERMS + 1) * 2 * FPV_DIGITS + 1 <= 256, "four columns are below 2^62");

/*
 * b as the right operand of sums: positions 6 to 11 have its coefficients, 0 to 5 those times xi. From position 6 - i on,
 * eight lanes are b*w^i. Positions 12 to 15 fill the last lanes.
 */
typedef struct {
    uint64_t d[2][FPV_DIGITS][16];
} fp12_rotations;

/* The left operand of a sum is one coefficient for all lanes, or a pair that is repeated, or all coefficients. */
typedef enum { FP12_ONE = 1, FP12_PAIR = 2, FP12_ALL = 8 } fp12_width;

FPV_INLINE __m512i fp12_lanes_left(const uint64_t *digit, fp12_width width)
{
    return width == FP12_ONE ? vec_broadcast(*digit)
           : width == FP12_PAIR
               ? _mm512_broadcast_i64x2(_mm_loadu_si128((const __m128i *)(const void *)digit))
               : _mm512_loadu_si512(digit);
}

/* The compiler moves no memory access across this barrier. Without it gcc reads operands of one product during another,
 * and runs out of registers. */
FPV_INLINE void fp12_lanes_barrier(void)
{
    __asm__ volatile("" ::: "memory");
}

/* t += left * right, of one component each; the digits of `right` lie `stride` words apart. */
FPV_INLINE void fp12_lanes_add_product(__m512i t[FPV_COLUMNS], const uint64_t *left, const uint64_t *right,
                                       fp12_width width, int stride)
{
    __m512i a[FPV_DIGITS];
    fp12_lanes_barrier();
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        a[j] = _mm512_loadu_si512(right + stride * j);
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        fpv_row(t + i, a, fp12_lanes_left(left + 8 * i, width), 0);
    }
}

/*
 * r = the sum over `terms` of left[i]*right[i]/S in Fp2, in each lane, as columns without carries. left[i]
 * points to a lane of vector 0 of an fpv, right[i] to one of an fpv (stride 8) or of rotations (stride 16).
 *   c0 = (left0*right0 - left1*right1)/S   c1 = (left0*right1 + left1*right0)/S
 */
FPV_INLINE void fp12_lanes_sum(fpv *r, const uint64_t *const *left, const uint64_t *const *right, int terms,
                               fp12_width width, int stride)
{
    const int left1 = 8 * FPV_DIGITS, right1 = stride * FPV_DIGITS; /* the second component's words */
    __m512i t[FPV_COLUMNS];
    fpv_columns_clear(t);
    for (int i = 0; i < terms; i++) {
        fp12_lanes_add_product(t, left[i] + left1, right[i] + right1, width, stride);
    }
    SUMAC_UNROLL
    for (int j = 0; j < FPV_COLUMNS; j++) {
        t[j] = _mm512_sub_epi64(_mm512_setzero_si512(), t[j]);
    }
    for (int i = 0; i < terms; i++) {
        fp12_lanes_add_product(t, left[i], right[i], width, stride);
    }
    fp12_lanes_barrier();
    fpv_columns_divide(t);
    fpv_store(r, 0, t + FPV_DIGITS);
    fpv_columns_clear(t);
    for (int i = 0; i < terms; i++) {
        fp12_lanes_add_product(t, left[i], right[i] + right1, width, stride);
        fp12_lanes_add_product(t, left[i] + left1, right[i], width, stride);
    }
    fp12_lanes_barrier();
    fpv_columns_divide(t);
    fpv_store(r, 1, t + FPV_DIGITS);
    fp12_lanes_barrier();
}

SUMAC_FN const uint64_t *fp12_lanes_words(const fpv *a)
{
    return (const uint64_t *)(const void *)a;
}

/* r = a + k*p, carried. In: digits of less than 2^62; the sum in [0, S). */
SUMAC_FN void fp12_lanes_finish(fpv *r, const fpv *a, unsigned k)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = _mm512_add_epi64(a->d[v][i], vec_broadcast(k * fpv_modulus_digit(i)));
        }
        fpv_carry(t);
        fpv_store(r, v, t);
    }
}

/* Return digit i of S - p. */
SUMAC_FN uint64_t fp12_lanes_complement_digit(int i)
{
    return (FPV_MASK - fpv_modulus_digit(i) + (i == 0)) & FPV_MASK;
}

/*
 * r = r modulo p. In: digits of less than 2^62, a value in [-63p, 64p). Out: below 2.
 *
 * With V = r + 64p, in [p, 128p), and P = floor(p/2^b) for the bits b below the last digit, T = t[last] +
 * floor(t[last - 1]/2^52) + 64*P is at most V/2^b + 1/2^40 and at least V/2^b - 67. As P + 2 exceeds p/2^b by
 * more than 1, q = floor(T/(P + 2)), or one less, is at most V/p; and it is more than V/p - 1 - (3*128 +
 * 67)/P
 * - 1/2^20, so that V - q*p is below 2p. q*p is taken away as q*(S - p), modulo S.
 */
SUMAC_FN void fp12_lanes_fold(fpv *r)
{
    SUMAC_STATIC_ASSERT(FPV_QUOTIENT_DIGIT == FPV_DIGITS - 1,
                        "the quotient is estimated from the last digit");
    const uint64_t modulus_top = fpv_modulus_top();
    const __m512i reciprocal = vec_broadcast((UINT64_C(1) << 52) / (modulus_top + 2));
    const __m512i zero = _mm512_setzero_si512();
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_DIGITS + 1];
        const __m512i top = _mm512_add_epi64(
            _mm512_add_epi64(r->d[v][FPV_DIGITS - 1], _mm512_srai_epi64(r->d[v][FPV_DIGITS - 2], 52)),
            vec_broadcast(64 * modulus_top));
        const __m512i q = _mm512_madd52hi_epu64(zero, top, reciprocal);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const __m512i complement = vec_broadcast(fp12_lanes_complement_digit(i));
            t[i] = _mm512_add_epi64(r->d[v][i], vec_broadcast(64 * fpv_modulus_digit(i)));
            t[i] = _mm512_madd52lo_epu64(t[i], complement, q);
            if (i > 0) {
                t[i] = _mm512_madd52hi_epu64(t[i], vec_broadcast(fp12_lanes_complement_digit(i - 1)), q);
            }
        }
        fpv_carry(t);
        t[FPV_DIGITS - 1] = _mm512_and_si512(t[FPV_DIGITS - 1], vec_broadcast(FPV_MASK));
        fpv_store(r, v, t);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 2));
}

/* Set the rotations of b. In: b below k <= 48. */
SUMAC_FN void fp12_lanes_rotate(fp12_rotations *r, const fpv *b, unsigned k)
{
    fpv xi_b;
    SUMAC_VERIFY_CHECK(fpv_is_below(b, k));
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        xi_b.d[0][i] = _mm512_add_epi64(_mm512_sub_epi64(b->d[0][i], b->d[1][i]),
                                        vec_broadcast(k * fpv_modulus_digit(i)));
        xi_b.d[1][i] = _mm512_add_epi64(b->d[0][i], b->d[1][i]);
    }
    for (int v = 0; v < FPV_VECTORS; v++) {
        fpv_carry(xi_b.d[v]);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            _mm512_storeu_si512(&r->d[v][i][0], xi_b.d[v][i]);
            _mm512_storeu_si512(&r->d[v][i][6], b->d[v][i]);
        }
    }
}

/* r = a*b. Out: below 4. */
SUMAC_BIG_FN void fp12_lanes_mul(fpv *r, const fpv *a, const fpv *b)
{
    const uint64_t *left[6], *right[6];
    fp12_rotations rotations;
    fpv product;
    SUMAC_VERIFY_CHECK(fpv_is_below(a, FP12_LANES_BOUND));
    fp12_lanes_rotate(&rotations, b, FP12_LANES_BOUND);
    for (int i = 0; i < 6; i++) {
        left[i] = fp12_lanes_words(a) + i;
        right[i] = &rotations.d[0][0][6 - i];
    }
    fp12_lanes_sum(&product, left, right, 6, FP12_ONE, 16);
    fp12_lanes_finish(r, &product, 1);
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 4));
}

/* r = a*b in Fp2, lane by lane. Out: below 4. */
SUMAC_BIG_FN void fp2_lanes_mul(fpv *r, const fpv *a, const fpv *b)
{
    const uint64_t *const left = fp12_lanes_words(a), *const right = fp12_lanes_words(b);
    fpv product;
    SUMAC_VERIFY_CHECK(fpv_is_below(a, FP12_LANES_BOUND) && fpv_is_below(b, FP12_LANES_BOUND));
    fp12_lanes_sum(&product, &left, &right, 1, FP12_ALL, 8);
    fp12_lanes_finish(r, &product, 1);
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 4));
}

enum { EVEN_LANES = 0x55, LANE_0 = 1, LANE_1 = 2, LOW_LANES = 7 };

FPV_INLINE __m512i lanes_add_in(__mmask8 lanes, __m512i a, __m512i b)
{
    return _mm512_mask_add_epi64(a, lanes, a, b);
}

FPV_INLINE __m512i lanes_sub_in(__mmask8 lanes, __m512i a, __m512i b)
{
    return _mm512_mask_sub_epi64(a, lanes, a, b);
}

/*
 * The factors of fp12_lanes_sqr. With a = a0 + a1*w over Fp6 the left one has the coefficients of a0 + a1 in
 * even lanes and of a0 in odd ones, the right one a0 + v*a1 and a1.
 */
SUMAC_FN void fp12_lanes_sqr_factors(fpv *left, fpv *right, const fpv *a)
{
    const __m512i previous = _mm512_setr_epi64(5, 1, 1, 3, 3, 5, 6, 7);
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const __m512i x = a->d[v][i], swapped = _mm512_permutex_epi64(x, 0xb1);
            left->d[v][i] = lanes_add_in(EVEN_LANES, swapped, x);
            right->d[v][i] = lanes_add_in(EVEN_LANES, x, _mm512_permutexvar_epi64(previous, x));
        }
    }
    /* In lane 0 the addend is multiplied by xi. */
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const __m512i bound = vec_broadcast(FP12_LANES_BOUND * fpv_modulus_digit(i));
        const __m512i minus = _mm512_sub_epi64(bound, _mm512_permutexvar_epi64(previous, a->d[1][i]));
        right->d[0][i] = lanes_add_in(LANE_0, right->d[0][i], minus);
        right->d[1][i] = lanes_add_in(LANE_0, right->d[1][i], _mm512_permutexvar_epi64(previous, a->d[0][i]));
    }
    for (int v = 0; v < FPV_VECTORS; v++) {
        fpv_carry(left->d[v]);
        fpv_carry(right->d[v]);
    }
}

/*
 * r = a^2 as in fp12_sqr. Even lanes compute (a0 + a1)*(a0 + v*a1), odd ones a0*a1, both in Fp6 with three terms per
 * coefficient; c0 is the first product minus (1 + v) times the second, c1 twice the second.
 */
SUMAC_BIG_FN void fp12_lanes_sqr(fpv *r, const fpv *a)
{
    const __m512i previous = _mm512_setr_epi64(5, 1, 1, 3, 3, 5, 6, 7);
    const uint64_t *left[3], *right[3];
    fpv left_factor, right_factor, products;
    fp12_rotations rotations;
    SUMAC_VERIFY_CHECK(fpv_is_below(a, FP12_LANES_BOUND));
    fp12_lanes_sqr_factors(&left_factor, &right_factor, a);
    fp12_lanes_rotate(&rotations, &right_factor, 3 * FP12_LANES_BOUND);
    for (int i = 0; i < 3; i++) {
        left[i] = fp12_lanes_words(&left_factor) + 2 * i;
        right[i] = &rotations.d[0][0][6 - 2 * i];
    }
    fp12_lanes_sum(&products, left, right, 3, FP12_PAIR, 16);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        __m512i shifted[2], sum[2];
        for (int v = 0; v < FPV_VECTORS; v++) {
            const __m512i x = products.d[v][i];
            shifted[v] = _mm512_permutexvar_epi64(previous, x);
            sum[v] = lanes_sub_in(EVEN_LANES, x, _mm512_permutex_epi64(x, 0xb1));
            sum[v] = lanes_sub_in(EVEN_LANES, sum[v], shifted[v]);
            sum[v] = lanes_add_in(0xff & ~EVEN_LANES, sum[v], x);
        }
        r->d[0][i] = lanes_add_in(LANE_0, sum[0], shifted[1]);
        r->d[1][i] = lanes_sub_in(LANE_0, sum[1], shifted[0]);
    }
    fp12_lanes_finish(r, r, 8); /* (-6.4 .. 4.3) */
    SUMAC_VERIFY_CHECK(fpv_is_below(r, FP12_LANES_BOUND));
}

/* The factors of fp12_lanes_cyclotomic_sqr: a + b and a in lanes 0 to 2 and 3 to 5, a + xi*b and b. */
SUMAC_FN void fp12_lanes_fp4_factors(fpv *left, fpv *right, const fpv *x)
{
    const __m512i others = _mm512_setr_epi64(3, 4, 5, 0, 1, 2, 6, 7);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const __m512i y0 = _mm512_permutexvar_epi64(others, x->d[0][i]);
        const __m512i y1 = _mm512_permutexvar_epi64(others, x->d[1][i]);
        const __m512i bound = vec_broadcast(FP12_LANES_BOUND * fpv_modulus_digit(i));
        left->d[0][i] = lanes_add_in(LOW_LANES, x->d[0][i], y0);
        left->d[1][i] = lanes_add_in(LOW_LANES, x->d[1][i], y1);
        right->d[0][i] =
            lanes_add_in(LOW_LANES, y0, _mm512_add_epi64(_mm512_sub_epi64(x->d[0][i], y1), bound));
        right->d[1][i] = lanes_add_in(LOW_LANES, y1, _mm512_add_epi64(x->d[1][i], y0));
    }
    for (int v = 0; v < FPV_VECTORS; v++) {
        fpv_carry(left->d[v]);
        fpv_carry(right->d[v]);
    }
}

/*
 * r = a^2 as in fp12_cyclotomic_sqr. Lanes 0 to 2 are a0, b0, c0, the others a1, b1, c1. The products are s =
 * (a + b)*(a + xi*b) in lanes 0 to 2 and m = a*b in 3 to 5, of A, B and C. r is 3*(s - m - xi*m) - 2*a in even lanes,
 * for the squares of A, B, C; 3*2*m + 2*a in lanes 3 and 5, for A and B; and 3*2*xi*m + 2*a in lane 1, for C.
 * Out: below 2.
 */
SUMAC_BIG_FN void fp12_lanes_cyclotomic_sqr(fpv *r, const fpv *a)
{
    const __m512i of_s = _mm512_setr_epi64(0, 0, 1, 0, 2, 0, 6, 7);
    const __m512i of_m = _mm512_setr_epi64(3, 5, 4, 3, 5, 4, 6, 7);
    fpv left, right, products;
    const uint64_t *const left_words = fp12_lanes_words(&left), *const right_words = fp12_lanes_words(&right);
    SUMAC_VERIFY_CHECK(fpv_is_below(a, FP12_LANES_BOUND));
    fp12_lanes_fp4_factors(&left, &right, a);
    fp12_lanes_sum(&products, &left_words, &right_words, 1, FP12_ALL, 8);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const __m512i m0 = _mm512_permutexvar_epi64(of_m, products.d[0][i]);
        const __m512i m1 = _mm512_permutexvar_epi64(of_m, products.d[1][i]);
        const __m512i twice0 = _mm512_add_epi64(m0, m0), twice1 = _mm512_add_epi64(m1, m1);
        __m512i square[2];
        square[0] = _mm512_mask_sub_epi64(twice0, EVEN_LANES,
                                          _mm512_permutexvar_epi64(of_s, products.d[0][i]), twice0);
        square[0] = lanes_add_in(EVEN_LANES, square[0], m1);
        square[0] = lanes_sub_in(LANE_1, square[0], twice1);
        square[1] = _mm512_mask_sub_epi64(twice1, EVEN_LANES,
                                          _mm512_permutexvar_epi64(of_s, products.d[1][i]), twice1);
        square[1] = lanes_sub_in(EVEN_LANES, square[1], m0);
        square[1] = lanes_add_in(LANE_1, square[1], twice0);
        for (int v = 0; v < FPV_VECTORS; v++) {
            const __m512i x = a->d[v][i];
            const __m512i sum =
                lanes_sub_in(EVEN_LANES, _mm512_add_epi64(square[v], x), _mm512_add_epi64(x, x));
            r->d[v][i] = _mm512_add_epi64(_mm512_add_epi64(sum, sum), square[v]);
        }
    }
    fp12_lanes_fold(r); /* 3*(-6.3 .. 8.3) - (0 .. 32), or + */
}

/* r = conj(a), where w^i becomes -w^i for odd i. Out: below 2. */
SUMAC_FN void fp12_lanes_conjugate(fpv *r, const fpv *a)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] =
                _mm512_mask_sub_epi64(a->d[v][i], (__mmask8)~EVEN_LANES, _mm512_setzero_si512(), a->d[v][i]);
        }
    }
    fp12_lanes_fold(r);
}

/* ---- elements of Fp2 that lie in memory ---- */

/* Set lane i to the element a[i * stride] of Fp2, without arithmetic. */
SUMAC_FN void fp2_lanes_load(fpv *r, const fp2 *a, int stride)
{
    const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i offsets = _mm512_mullo_epi64(lane, vec_broadcast(2 * FP_LIMBS * (uint64_t)stride));
    const uint64_t *words = (const uint64_t *)(const void *)a;
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i limbs[FP_LIMBS];
        SUMAC_UNROLL
        for (int i = 0; i < FP_LIMBS; i++) {
            limbs[i] = _mm512_i64gather_epi64(offsets, words + v * FP_LIMBS + i, 8);
        }
        digits_from_limbs(r->d[v], limbs);
    }
}

/* Return the index of the coefficient of w^i. */
SUMAC_FN int fp12_coefficient(int i)
{
    return i / 2 + i % 2 * 3;
}

/* r = a, with each coordinate multiplied by factor/R. */
SUMAC_FN void fp12_lanes_load(fpv *r, const fp12 *a, const fp *factor)
{
    const fp2 *coefficients = (const fp2 *)(const void *)a;
    fp2 ordered[8];
    for (int i = 0; i < 8; i++) {
        fp2_set_zero(&ordered[i]);
        if (i < 6) {
            fp2_mul_fp(&ordered[i], &coefficients[fp12_coefficient(i)], factor);
        }
    }
    fp2_lanes_load(r, ordered, 1);
}

/* r = a, with each coordinate multiplied by factor/R. */
SUMAC_FN void fp12_lanes_store(fp12 *r, const fpv *a, const fp *factor)
{
    uint64_t limbs[2][FP_LIMBS][8];
    fp2 *coefficients = (fp2 *)(void *)r;
    fpv reduced;
    fpv_copy(&reduced, a);
    fp12_lanes_fold(&reduced);
    fpv_canonical(&reduced, &reduced);
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i vectors[FP_LIMBS];
        limbs_from_digits(vectors, reduced.d[v]);
        for (int i = 0; i < FP_LIMBS; i++) {
            _mm512_storeu_si512(limbs[v][i], vectors[i]);
        }
    }
    for (int i = 0; i < 6; i++) {
        fp2 *const coefficient = &coefficients[fp12_coefficient(i)];
        for (int j = 0; j < FP_LIMBS; j++) {
            coefficient->c0.l[j] = limbs[0][j][i];
            coefficient->c1.l[j] = limbs[1][j][i];
        }
        fp2_mul_fp(coefficient, coefficient, factor);
    }
}

/* Set the factors R*2^k mod p for k = SHIFT, and R*R/S. fp_mul by the first replaces R by S, by the second S by R.
 */
SUMAC_FN void fp12_lanes_factors(fp *to_lanes, fp *from_lanes)
{
    enum { SHIFT = 52 * FPV_DIGITS - 64 * FP_LIMBS, REST = 64 * FP_LIMBS - SHIFT };
    SUMAC_STATIC_ASSERT(SHIFT < 64 && REST < FP_BITS - 1, "both are below p before they are converted");
    fp_set_zero(to_lanes);
    to_lanes->l[0] = UINT64_C(1) << SHIFT;
    fp_to_mont(to_lanes, to_lanes);
    fp_set_zero(from_lanes);
    from_lanes->l[REST / 64] = UINT64_C(1) << (REST % 64);
}

/* ---- powers by p ---- */

/* r = a^p, which has the conjugates of the coefficients, times factors. */
SUMAC_FN void fp12_lanes_frobenius(fpv *r, const fpv *a, const fp *to_lanes)
{
    fp2 factors[8];
    fpv conjugate, by;
    for (int i = 0; i < 8; i++) {
        fp2_mul_fp(&factors[i], &fp12_frobenius_factors[i % 6], to_lanes);
    }
    fp2_lanes_load(&by, factors, 1);
    fpv_copy(&conjugate, a);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        conjugate.d[1][i] = _mm512_sub_epi64(_mm512_setzero_si512(), a->d[1][i]);
    }
    fp12_lanes_fold(&conjugate);
    fp2_lanes_mul(r, &conjugate, &by);
}

SUMAC_FN void fp12_lanes_frobenius_2(fpv *r, const fpv *a, const fp *to_lanes)
{
    fp2 factors[8];
    fpv by;
    for (int i = 0; i < 8; i++) {
        fp2_set_zero(&factors[i]);
        fp_mul(&factors[i].c0, &fp12_frobenius_2_factors[i % 6], to_lanes);
    }
    fp2_lanes_load(&by, factors, 1);
    fp2_lanes_mul(r, a, &by);
}

#endif

#endif
