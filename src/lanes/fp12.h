/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The coefficients of one element of Fp12 = Fp2[w] lie side by side, and an operation on Fp12 is one sum of products of
 * Fp2 in all lanes, with one division by S at its end.
 *
 * In this file an fpv is an fp12: vector 0 has the first components, vector 1 the second ones; lane i < 6 is the
 * coefficient of w^i, lanes 6 and 7 hold any values within the bounds. Elements have the factor S in the final
 * exponentiation. In a Miller loop they have any factor from Fp, which the final exponentiation turns into 1.
 *
 * Bounds. An element is below FP12_LANES_BOUND (fpv.h). With FP12_SPARE_BITS more bits in S than in p, operands of
 * products are below 128. Thus a sum of 12 products of less than 128*128*p*p is less than 2^18*p*p, and its quotient by S
 * is in (-p/16, (2 + 1/16)*p) for both components: fpv_columns_divide. Otherwise S is more than 64*p, elements are below 2,
 * and fp12_lanes_fold() ends each operation; comments give the bounds of operands as p, and the interval of a sum before
 * it is folded. A sum of t products of operands below k and l is in (-t*k*l/64, 2 + 2*t*k*l/64) times p. Functions with
 * other bounds state them.
 */
#ifndef SUMAC_LANES_FP12_H
#define SUMAC_LANES_FP12_H

#include "math/fp12.h"

#include "lanes/fpv_mul.h"

#define FP12_SPARE_BITS 22

#define FP12_IS_ROOMY (FP_BITS + FP12_SPARE_BITS <= 52 * FPV_DIGITS)

#if FE_DEGREE == 2 && FP2_BETA == 1 && FPV_LAST_BITS >= 17 && CURVE_PAIRING_XI <= (FP12_IS_ROOMY ? 1 : 9)
#define SUMAC_PAIRING_LANES

#define FP12_LANES_BOUND (FP12_IS_ROOMY ? 16 : 2)
#define FP12_LANES_TERMS 6

/*
 * In a column that a division leaves, the products of one term are at most 2*FPV_DIGITS halves, and so is the division:
 * c0 has one such sum with each sign, c1 one with plus and two with minus. The functions below add at most
 * FP12_LANES_MOST times the columns of one or three terms, which stays below the 2^62 of fpv_carry.
 */
#define FP12_LANES_MOST(terms) ((terms) == 1 ? 3 * (CURVE_PAIRING_XI + 3) + 2 : CURVE_PAIRING_XI + 3)
SUMAC_STATIC_ASSERT(2 * 2 * FPV_DIGITS * FP12_LANES_MOST(1) + 2 <= 1024 &&
                        2 * 3 * 2 * FPV_DIGITS * FP12_LANES_MOST(3) <= 1024 &&
                        2 * FP12_LANES_TERMS * 2 * FPV_DIGITS <= 1024,
                    "sums of columns are below 2^62");

/* An operand of sums has three vectors: both components of its elements, and their sum, for Karatsuba's product. */
typedef struct {
    vec d[3][FPV_DIGITS];
} fp12_factor;

/*
 * b as the right operand of sums: positions 6 to 11 have its coefficients, 0 to 5 those times xi. From position 6 - i on,
 * eight lanes are b*w^i. Positions 12 to 15 fill the last lanes.
 */
typedef struct {
    uint64_t d[3][FPV_DIGITS][16];
} fp12_rotations;

/* The left operand of a sum is one coefficient for all lanes, or a pair that is repeated, or all coefficients. */
typedef enum { FP12_ONE = 1, FP12_PAIR = 2, FP12_ALL = 8 } fp12_width;

FPV_INLINE vec fp12_lanes_left(const uint64_t *digit, fp12_width width)
{
    return width == FP12_ONE ? vec_broadcast(*digit)
           : width == FP12_PAIR
               ? _mm512_broadcast_i64x2(_mm_loadu_si128((const __m128i *)(const void *)digit))
               : vec_load(digit);
}

/* The compiler moves no memory access across this barrier. Without it gcc reads operands of one product during another,
 * and runs out of registers. */
FPV_INLINE void fp12_lanes_barrier(void)
{
    __asm__ volatile("" ::: "memory");
}

/* t += left * right, of one component each; the digits of `right` lie `stride` words apart. */
FPV_INLINE void fp12_lanes_add_product(vec t[FPV_COLUMNS], const uint64_t *left, const uint64_t *right,
                                       fp12_width width, int stride)
{
    vec a[FPV_DIGITS];
    fp12_lanes_barrier();
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        a[j] = vec_load(right + stride * j);
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        fpv_row(t + i, a, fp12_lanes_left(left + 8 * i, width), 0);
    }
}

/* t = the sum over `terms` of left[i]*right[i], of component `part` of the factors. */
FPV_INLINE void fp12_lanes_products(vec t[FPV_COLUMNS], const uint64_t *const *left,
                                    const uint64_t *const *right, int terms, int part, fp12_width width,
                                    int stride)
{
    fpv_columns_clear(t);
    for (int i = 0; i < terms; i++) {
        fp12_lanes_add_product(t, left[i] + part * 8 * FPV_DIGITS, right[i] + part * stride * FPV_DIGITS,
                               width, stride);
    }
    fp12_lanes_barrier();
}

/*
 * r = the sum over `terms` of left[i]*right[i]/S in Fp2, in each lane, as columns without carries. left[i] points to a
 * lane of a factor, right[i] to one of a factor (stride 8) or of rotations (stride 16). With T0 and T1 for the sums of
 * products of components 0 and 1 (Karatsuba):
 *   c0 = (T0 - T1)/S   c1 = (sum of (left0 + left1)*(right0 + right1) - T0 - T1)/S
 */
FPV_INLINE void fp12_lanes_sum(fpv *r, const uint64_t *const *left, const uint64_t *const *right, int terms,
                               fp12_width width, int stride)
{
    vec t[FPV_COLUMNS], others[FPV_COLUMNS];
    fp12_lanes_products(others, left, right, terms, 1, width, stride);
    fp12_lanes_products(t, left, right, terms, 0, width, stride);
    SUMAC_UNROLL
    for (int j = 0; j < FPV_COLUMNS; j++) {
        const vec both = vec_add(t[j], others[j]);
        t[j] = vec_sub(t[j], others[j]);
        others[j] = both;
    }
    fpv_columns_divide(t);
    fpv_store(r, 0, t + FPV_DIGITS);
    fp12_lanes_products(t, left, right, terms, 2, width, stride);
    SUMAC_UNROLL
    for (int j = 0; j < FPV_COLUMNS; j++) {
        t[j] = vec_sub(t[j], others[j]);
    }
    fpv_columns_divide(t);
    fpv_store(r, 1, t + FPV_DIGITS);
    fp12_lanes_barrier();
}

SUMAC_FN const uint64_t *fp12_factor_words(const fp12_factor *a)
{
    return (const uint64_t *)(const void *)a;
}

/* Set the third vector to the sum of the others. In: digits below 2^52. */
FPV_INLINE void fp12_factor_add(fp12_factor *r)
{
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        r->d[2][i] = vec_add(r->d[0][i], r->d[1][i]);
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS - 1; i++) { /* the bits above a digit are not read */
        r->d[2][i + 1] = vec_add(r->d[2][i + 1], vec_shift_right(r->d[2][i], 52));
    }
}

/* Add k*p to both components, whose digits are not carried, and complete the factor. In: digits of less than 2^62; the sums
 * in [0, S). */
FPV_INLINE void fp12_factor_carry(fp12_factor *r, unsigned k)
{
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const vec multiple = vec_broadcast(k * fpv_modulus_digit(i));
        r->d[0][i] = vec_add(r->d[0][i], multiple);
        r->d[1][i] = vec_add(r->d[1][i], multiple);
    }
    fpv_carry(r->d[0]);
    fpv_carry(r->d[1]);
    fp12_factor_add(r);
}

/* In: digits below 2^52. */
SUMAC_FN void fp12_factor_set(fp12_factor *r, const fpv *a)
{
    fpv_digits_copy(r->d[0], a->d[0]);
    fpv_digits_copy(r->d[1], a->d[1]);
    fp12_factor_add(r);
}

/* r = a + k*p, carried. In: digits of less than 2^62; the sum in [0, S). */
SUMAC_FN void fp12_lanes_carry(fpv *r, const fpv *a, unsigned k)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = vec_add(a->d[v][i], vec_broadcast(k * fpv_modulus_digit(i)));
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

/* fp12_lanes_fold() takes values in [(1 - FP12_FOLD_OFFSET)*p, (128 - FP12_FOLD_OFFSET)*p), and estimates quotients from
 * the bits from 52*(FPV_DIGITS - 1) + FP12_FOLD_SHIFT on, of which p has 17 to 26. */
#define FP12_FOLD_OFFSET (FP12_IS_ROOMY ? 64 : 80)
#define FP12_FOLD_SHIFT (FPV_LAST_BITS > 26 ? (unsigned)FPV_LAST_BITS - 26 : 0)

SUMAC_FN int fp12_lanes_can_be_folded(const fpv *a)
{
    fpv shifted;
    int all = 1;
    for (int v = 0; v < FPV_VECTORS; v++) {
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec multiple = vec_broadcast((FP12_FOLD_OFFSET - 1) * fpv_modulus_digit(i));
            shifted.d[v][i] = vec_add(a->d[v][i], multiple);
        }
    }
    for (int lane = 0; lane < FPV_LANES; lane++) {
        all &= fpv_lane_in_range(&shifted, lane, 127);
    }
    return all;
}

/*
 * r = r modulo p. In: digits of less than 2^62, a value in the interval above. Out: below 2.
 *
 * With V = r + FP12_FOLD_OFFSET*p, in [p, 128p), and P = floor(p/2^b) for the bits b below those of the quotient, T, which
 * comes from t[last] + floor(t[last - 1]/2^52) and FP12_FOLD_OFFSET*floor(p/2^(52*last)), is at most V/2^b + 1/2^40 and
 * at least V/2^b - 82. As P + 2 exceeds p/2^b by more than 1, q = floor(T/(P + 2)), or one less, is at most V/p; and it is
 * more than V/p - 1 - (3*128 + 82)/P - 1/2^19, so that V - q*p is below 2p. q*p is taken away as q*(S - p), modulo S.
 */
SUMAC_FN void fp12_lanes_fold(fpv *r)
{
    SUMAC_STATIC_ASSERT(FPV_QUOTIENT_DIGIT == FPV_DIGITS - 1,
                        "the quotient is estimated from the last digit");
    const uint64_t modulus_top = fpv_modulus_top();
    SUMAC_VERIFY_CHECK(fp12_lanes_can_be_folded(r));
    const vec reciprocal = vec_broadcast((UINT64_C(1) << 52) / ((modulus_top >> FP12_FOLD_SHIFT) + 2));
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS + 1];
        const vec top = vec_add(vec_add_carry(r->d[v][FPV_DIGITS - 1], r->d[v][FPV_DIGITS - 2]),
                                vec_broadcast(FP12_FOLD_OFFSET * modulus_top));
        const vec q = _mm512_madd52hi_epu64(vec_zero(), vec_shift_right(top, FP12_FOLD_SHIFT), reciprocal);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec complement = vec_broadcast(fp12_lanes_complement_digit(i));
            t[i] = vec_add(r->d[v][i], vec_broadcast(FP12_FOLD_OFFSET * fpv_modulus_digit(i)));
            t[i] = _mm512_madd52lo_epu64(t[i], complement, q);
            if (i > 0) {
                t[i] = _mm512_madd52hi_epu64(t[i], vec_broadcast(fp12_lanes_complement_digit(i - 1)), q);
            }
        }
        fpv_carry(t);
        t[FPV_DIGITS - 1] = vec_and(t[FPV_DIGITS - 1], vec_broadcast(FPV_MASK));
        fpv_store(r, v, t);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 2));
}

/* End an operation on Fp12: r = a + k*p, carried, which is below FP12_LANES_BOUND; or else r = a modulo p, folded. */
SUMAC_FN void fp12_lanes_finish(fpv *r, const fpv *a, unsigned k)
{
#if FP12_IS_ROOMY
    fp12_lanes_carry(r, a, k);
#else
    (void)k;
    fpv_copy(r, a);
    fp12_lanes_fold(r);
#endif
    SUMAC_VERIFY_CHECK(fpv_is_below(r, FP12_LANES_BOUND));
}

/* Return (CURVE_PAIRING_XI - 1)*a in the lanes of the mask, and 0 in others: xi = 1 + u + that. */
FPV_INLINE vec fp12_lanes_xi_excess(__mmask8 lanes, vec a)
{
#if CURVE_PAIRING_XI > 1
    return _mm512_maskz_slli_epi64(lanes, a, (unsigned)__builtin_ctz(CURVE_PAIRING_XI - 1));
#else
    (void)lanes, (void)a;
    return vec_zero();
#endif
}

/* Set the rotations of b. In: b below k, for which 2*(CURVE_PAIRING_XI + 1)*k*p is below S. */
SUMAC_FN void fp12_lanes_rotate(fp12_rotations *r, const fpv *b, unsigned k)
{
    enum { ALL = 0xff };
    fp12_factor plain, by_xi;
    SUMAC_VERIFY_CHECK(fpv_is_below(b, k));
    fp12_factor_set(&plain, b);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const vec b0 = vec_add(b->d[0][i], fp12_lanes_xi_excess(ALL, b->d[0][i]));
        const vec b1 = vec_add(b->d[1][i], fp12_lanes_xi_excess(ALL, b->d[1][i]));
        by_xi.d[0][i] = vec_add(vec_sub(b0, b->d[1][i]), vec_broadcast(k * fpv_modulus_digit(i)));
        by_xi.d[1][i] = vec_add(b1, b->d[0][i]);
    }
    fp12_factor_carry(&by_xi, 0);
    for (int part = 0; part < 3; part++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            vec_store(&r->d[part][i][0], by_xi.d[part][i]);
            vec_store(&r->d[part][i][6], plain.d[part][i]);
        }
    }
}

/* r = a*b for the rotations of b. a and b below 2: 6 products of 2 and 20, or less, (-4, 10). */
SUMAC_BIG_FN void fp12_lanes_mul_rotations(fpv *r, const fpv *a, const fp12_rotations *b)
{
    const uint64_t *left[6], *right[6];
    fp12_factor factor;
    fpv product;
    SUMAC_VERIFY_CHECK(fpv_is_below(a, FP12_LANES_BOUND));
    fp12_factor_set(&factor, a);
    for (int i = 0; i < 6; i++) {
        left[i] = fp12_factor_words(&factor) + i;
        right[i] = &b->d[0][0][6 - i];
    }
    fp12_lanes_sum(&product, left, right, 6, FP12_ONE, 16);
    fp12_lanes_finish(r, &product, 1);
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 4));
}

/* r = a*b. Out: below 4. */
SUMAC_BIG_FN void fp12_lanes_mul(fpv *r, const fpv *a, const fpv *b)
{
    fp12_rotations rotations;
    fp12_lanes_rotate(&rotations, b, FP12_LANES_BOUND);
    fp12_lanes_mul_rotations(r, a, &rotations);
}

/* r = a*b in Fp2, lane by lane, as columns without carries. In: operands. */
FPV_INLINE void fp2_lanes_product(fpv *r, const fp12_factor *a, const fp12_factor *b)
{
    const uint64_t *const left = fp12_factor_words(a), *const right = fp12_factor_words(b);
    fp12_lanes_sum(r, &left, &right, 1, FP12_ALL, 8);
}

/* r = a*b in Fp2, lane by lane. Out: below 4. */
SUMAC_BIG_FN void fp2_lanes_mul(fpv *r, const fpv *a, const fpv *b)
{
    fp12_factor left, right;
    fpv product;
    SUMAC_VERIFY_CHECK(fpv_is_below(a, FP12_LANES_BOUND) && fpv_is_below(b, FP12_LANES_BOUND));
    fp12_factor_set(&left, a);
    fp12_factor_set(&right, b);
    fp2_lanes_product(&product, &left, &right);
    fp12_lanes_finish(r, &product, 1);
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 4));
}

enum { EVEN_LANES = 0x55, LANE_0 = 1, LANE_6 = 0x40, LOW_LANES = 7 };

FPV_INLINE vec lanes_add_in(__mmask8 lanes, vec a, vec b)
{
    return _mm512_mask_add_epi64(a, lanes, a, b);
}

FPV_INLINE vec lanes_sub_in(__mmask8 lanes, vec a, vec b)
{
    return _mm512_mask_sub_epi64(a, lanes, a, b);
}

/*
 * The factors of fp12_lanes_sqr. With a = a0 + a1*w over Fp6 the left one has the coefficients of a0 + a1 in even lanes and
 * of a0 in odd ones, the right one a0 + v*a1 and a1. Out: the left one below 4, the right one below 2 if elements are;
 * otherwise both below 3*FP12_LANES_BOUND.
 */
SUMAC_FN void fp12_lanes_sqr_factors(fp12_factor *left, fpv *right, const fpv *a)
{
    const vec previous = _mm512_setr_epi64(5, 1, 1, 3, 3, 5, 6, 7);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        vec others[2];
        for (int v = 0; v < FPV_VECTORS; v++) {
            const vec x = a->d[v][i], swapped = _mm512_permutex_epi64(x, 0xb1);
            others[v] = _mm512_permutexvar_epi64(previous, x);
            left->d[v][i] = lanes_add_in(EVEN_LANES, swapped, x);
            right->d[v][i] = lanes_add_in(EVEN_LANES, x, others[v]);
            right->d[v][i] = vec_add(right->d[v][i], fp12_lanes_xi_excess(LANE_0, others[v]));
        }
        /* In lane 0 the addend is multiplied by xi. */
        const vec bound = vec_broadcast(FP12_LANES_BOUND * fpv_modulus_digit(i));
        right->d[0][i] = lanes_add_in(LANE_0, right->d[0][i], vec_sub(bound, others[1]));
        right->d[1][i] = lanes_add_in(LANE_0, right->d[1][i], others[0]);
    }
    fp12_factor_carry(left, 0);
    if (FP12_IS_ROOMY) {
        fp12_lanes_carry(right, right, 0);
    } else {
        fp12_lanes_fold(right);
    }
}

/*
 * r = a^2 as in fp12_sqr. Even lanes compute (a0 + a1)*(a0 + v*a1), odd ones a0*a1, both in Fp6 with three terms per
 * coefficient; c0 is the first product minus (1 + v) times the second, c1 twice the second. a below 2: the products are
 * (-3, 8) in even lanes and (-2, 6) in odd ones, which xi multiplies by (9, -1): (-74, 38).
 */
SUMAC_BIG_FN void fp12_lanes_sqr(fpv *r, const fpv *a)
{
    const vec previous = _mm512_setr_epi64(5, 1, 1, 3, 3, 5, 6, 7);
    const uint64_t *left[3], *right[3];
    fp12_factor left_factor;
    fpv right_factor, products;
    fp12_rotations rotations;
    SUMAC_VERIFY_CHECK(fpv_is_below(a, FP12_LANES_BOUND));
    fp12_lanes_sqr_factors(&left_factor, &right_factor, a);
    fp12_lanes_rotate(&rotations, &right_factor, FP12_IS_ROOMY ? 3 * FP12_LANES_BOUND : FP12_LANES_BOUND);
    for (int i = 0; i < 3; i++) {
        left[i] = fp12_factor_words(&left_factor) + 2 * i;
        right[i] = &rotations.d[0][0][6 - 2 * i];
    }
    fp12_lanes_sum(&products, left, right, 3, FP12_PAIR, 16);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        vec shifted[2], sum[2];
        for (int v = 0; v < FPV_VECTORS; v++) {
            const vec x = products.d[v][i];
            shifted[v] = _mm512_permutexvar_epi64(previous, x);
            sum[v] = lanes_sub_in(EVEN_LANES, x, _mm512_permutex_epi64(x, 0xb1));
            sum[v] = lanes_sub_in(EVEN_LANES, sum[v], shifted[v]);
            sum[v] = lanes_add_in(0xff & ~EVEN_LANES, sum[v], x);
            sum[v] = vec_sub(sum[v], fp12_lanes_xi_excess(LANE_0, shifted[v]));
        }
        r->d[0][i] = lanes_add_in(LANE_0, sum[0], shifted[1]);
        r->d[1][i] = lanes_sub_in(LANE_0, sum[1], shifted[0]);
    }
    fp12_lanes_finish(r, r, 8); /* (-6.4 .. 4.3) */
}

/* The factors of fp12_lanes_cyclotomic_sqr: a + b and a in lanes 0 to 2 and 3 to 5, a + xi*b and b. Lane 6 has c0 and
 * xi*c1. */
SUMAC_FN void fp12_lanes_fp4_factors(fp12_factor *left, fp12_factor *right, const fpv *a)
{
    const vec own = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 2, 7),
              others = _mm512_setr_epi64(3, 4, 5, 0, 1, 2, 5, 7);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const vec x0 = _mm512_permutexvar_epi64(own, a->d[0][i]),
                  y0 = _mm512_permutexvar_epi64(others, a->d[0][i]);
        const vec x1 = _mm512_permutexvar_epi64(own, a->d[1][i]),
                  y1 = _mm512_permutexvar_epi64(others, a->d[1][i]);
        const vec bound = vec_broadcast(FP12_LANES_BOUND * fpv_modulus_digit(i));
        left->d[0][i] = lanes_add_in(LOW_LANES, x0, y0);
        left->d[1][i] = lanes_add_in(LOW_LANES, x1, y1);
        const vec by_xi0 = lanes_add_in(LOW_LANES | LANE_6, y0, vec_sub(bound, y1));
        const vec by_xi1 = lanes_add_in(LOW_LANES | LANE_6, y1, y0);
        right->d[0][i] =
            vec_add(lanes_add_in(LOW_LANES, by_xi0, x0), fp12_lanes_xi_excess(LOW_LANES | LANE_6, y0));
        right->d[1][i] =
            vec_add(lanes_add_in(LOW_LANES, by_xi1, x1), fp12_lanes_xi_excess(LOW_LANES | LANE_6, y1));
    }
    fp12_factor_carry(left, 0);
    fp12_factor_carry(right, 0);
}

/*
 * r = a^2 as in fp12_cyclotomic_sqr. Lanes 0 to 2 are a0, b0, c0, the others a1, b1, c1. The products are s =
 * (a + b)*(a + xi*b) in lanes 0 to 2 and m = a*b in 3 to 5, of A, B and C, and xi*m of C in lane 6. r is
 * 3*(s - m - xi*m) - 2*a in even lanes, for the squares of A, B, C; 3*2*m + 2*a in lanes 3 and 5, for A and B; and
 * 3*2*xi*m + 2*a in lane 1, for C. a below 2: s is (-2, 5), m (-1/8, 2 + 1/8) and xi*m of C (-1, 4), so that r is
 * (-75, 26) in even lanes and (-6, 28) in odd ones. Out: below 2.
 */
SUMAC_BIG_FN void fp12_lanes_cyclotomic_sqr(fpv *r, const fpv *a)
{
    const vec of_s = _mm512_setr_epi64(0, 0, 1, 0, 2, 0, 6, 7);
    const vec of_m = _mm512_setr_epi64(3, 6, 4, 3, 5, 4, 7, 7);
    fp12_factor left, right;
    fpv products;
    SUMAC_VERIFY_CHECK(fpv_is_below(a, FP12_LANES_BOUND));
    fp12_lanes_fp4_factors(&left, &right, a);
    fp2_lanes_product(&products, &left, &right);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const vec m0 = _mm512_permutexvar_epi64(of_m, products.d[0][i]);
        const vec m1 = _mm512_permutexvar_epi64(of_m, products.d[1][i]);
        vec square[2];
        for (int v = 0; v < FPV_VECTORS; v++) {
            const vec m = v == 0 ? m0 : m1;
            const vec multiple = vec_add(vec_add(m, m), fp12_lanes_xi_excess(EVEN_LANES, m));
            square[v] = _mm512_mask_sub_epi64(multiple, EVEN_LANES,
                                              _mm512_permutexvar_epi64(of_s, products.d[v][i]), multiple);
        }
        square[0] = lanes_add_in(EVEN_LANES, square[0], m1);
        square[1] = lanes_sub_in(EVEN_LANES, square[1], m0);
        for (int v = 0; v < FPV_VECTORS; v++) {
            const vec x = a->d[v][i];
            const vec sum = lanes_sub_in(EVEN_LANES, vec_add(square[v], x), vec_add(x, x));
            r->d[v][i] = vec_add(vec_add(sum, sum), square[v]);
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
            r->d[v][i] = _mm512_mask_sub_epi64(a->d[v][i], (__mmask8)~EVEN_LANES, vec_zero(), a->d[v][i]);
        }
    }
    fp12_lanes_fold(r);
}

/* ---- elements of Fp2 that lie in memory ---- */

/* Set lane i to the element a[i * stride] of Fp2, without arithmetic. */
SUMAC_FN void fp2_lanes_load(fpv *r, const fp2 *a, int stride)
{
    const vec lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const vec offsets = _mm512_mullo_epi64(lane, vec_broadcast(2 * FP_LIMBS * (uint64_t)stride));
    const uint64_t *words = (const uint64_t *)(const void *)a;
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec limbs[FP_LIMBS];
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
            fe_mul_fp(&ordered[i], &coefficients[fp12_coefficient(i)], factor);
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
        vec vectors[FP_LIMBS];
        limbs_from_digits(vectors, reduced.d[v]);
        for (int i = 0; i < FP_LIMBS; i++) {
            vec_store(limbs[v][i], vectors[i]);
        }
    }
    for (int i = 0; i < 6; i++) {
        fp2 *const coefficient = &coefficients[fp12_coefficient(i)];
        for (int j = 0; j < FP_LIMBS; j++) {
            coefficient->c0.l[j] = limbs[0][j][i];
            coefficient->c1.l[j] = limbs[1][j][i];
        }
        fe_mul_fp(coefficient, coefficient, factor);
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
        fe_mul_fp(&factors[i], &fp12_frobenius_factors[i % 6], to_lanes);
    }
    fp2_lanes_load(&by, factors, 1);
    fpv_copy(&conjugate, a);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        conjugate.d[1][i] = vec_sub(vec_zero(), a->d[1][i]);
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
        fp_mul(&factors[i].c0, &fp12_frobenius_q_factors[i % 6], to_lanes);
    }
    fp2_lanes_load(&by, factors, 1);
    fp2_lanes_mul(r, a, &by);
}

#endif

#endif
