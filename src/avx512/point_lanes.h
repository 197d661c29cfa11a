/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sixteen multiples of points at a time, each by its own scalar, and sixteen butterflies. Coordinates have
 * the factor S as in combine.h.
 *
 * Points of a chain are Jacobian, with T = 2Y for Y: a doubling then multiplies by no constants but 2 and 3.
 * Products and squares of an operation, where a*b - c*d counts as 1 1/2 (one reduction):
 *
 *                          doubling         + a point with Z = 1   a position: 4 doublings, 2 additions
 *   XYZZ                   6M + 3S          8M + 2S                56
 *   Jacobian with T        3M + 2S + 1.5    6M + 3S + 1.5          47
 *   projective, complete   6M + 2S          11M (and 2 by 3b)      54, without exceptions
 *
 * (The last is Renes, Costello and Batina's, EUROCRYPT 2016, algorithms 8 and 9.) The table of a point has Z
 * = 1 without an inversion: on y^2 = x^3 + b*z^6, which is isomorphic to the curve and whose b no formula
 * reads, the Jacobian point (X, Y, z) is the affine (X, Y). Multiples 1 .. 8 are made there, and brought to
 * the Z of the last; that Z and z are multiplied onto the result.
 *
 * Bounds, as in fpv.h: X and T are below 2, Z is a product. Which lanes are infinity is kept in a mask.
 * Additions of points that may be equal or opposite are left to scalar code, for all sixteen: that is judged
 * by one digit. A scalar's chain hardly ever meets them in a group of large order (docs/transforms.md); in
 * butterflies they are what the points make them.
 */
#ifndef SUMAC_AVX512_POINT_LANES_H
#define SUMAC_AVX512_POINT_LANES_H

#include "avx512/combine.h"
#include "vector/point_digits.h"

#define ALL_LANES 0xffffu

typedef struct {
    fev x, t, z;
    uint32_t infinite; /* these lanes are infinity, whatever the coordinates are */
} jacobian_lanes;

/* POINT_DIGIT_MOST multiples of sixteen points, with one Z for each lane; the images' T is the same. */
typedef struct {
    fev x[POINT_DIGIT_HALVES][POINT_DIGIT_MOST];
    fev t[POINT_DIGIT_MOST];
} multiples_lanes;

/* Numbers in all lanes: R, S, S*S/R, S/2, S*beta. */
typedef struct {
    fev stored_one, one, factor, half, beta;
} lanes_numbers;

/* ---- elements ---- */

/* r = factor*a for a small constant, an operand. In: digits below 2^52, factor*a below S. */
FPV_INLINE void fev_times_operand(fev *r, const fev *a, unsigned factor)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            __m512i t[FPV_DIGITS];
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                t[i] = fpv_times(a->c[part].d[v][i], factor);
            }
            fpv_carry_operand(t);
            fpv_store(&r->c[part], v, t);
        }
    }
}

/* r = 2*(a - b + 2p), an operand below 8. In: a and b below 2. */
FPV_INLINE void fev_sub_twice(fev *r, const fev *a, const fev *b)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            __m512i t[FPV_DIGITS];
            fpv_difference(t, &a->c[part], &b->c[part], v, 2);
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                t[i] = _mm512_slli_epi64(t[i], 1);
            }
            fpv_carry_operand(t);
            fpv_store(&r->c[part], v, t);
        }
    }
}

/* r = a + b, an operand. In: digits below 2^52. */
FPV_INLINE void fev_add_operand(fev *r, const fev *a, const fev *b)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            __m512i t[FPV_DIGITS];
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                t[i] = _mm512_add_epi64(a->c[part].d[v][i], b->c[part].d[v][i]);
            }
            fpv_carry_operand(t);
            fpv_store(&r->c[part], v, t);
        }
    }
}

/* r = 2a, digits before carries: only to be subtracted. */
FPV_INLINE void fev_twice_raw(fev *r, const fev *a)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                r->c[part].d[v][i] = _mm512_slli_epi64(a->c[part].d[v][i], 1);
            }
        }
    }
}

/* r = a + 2b, below 2. In: below 2. */
FPV_INLINE void fev_add_twice(fev *r, const fev *a, const fev *b)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            __m512i t[FPV_DIGITS];
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                const __m512i twice = _mm512_slli_epi64(b->c[part].d[v][i], 1);
                t[i] = _mm512_add_epi64(a->c[part].d[v][i], twice);
            }
            fpv_reduce(t, 1);
            fpv_store(&r->c[part], v, t);
        }
        SUMAC_VERIFY_CHECK(fpv_is_below(&r->c[part], 2));
    }
}

/* r = a*b/S, below 2. In: operands whose product is as fev.h says of 4 and 4. */
SUMAC_BIG_FN void fev_mul_reduced(fev *r, const fev *a, const fev *b)
{
    fpv_ending endings[FE_DEGREE];
    for (int part = 0; part < FE_DEGREE; part++) {
        const fpv_ending ending = {0, NULL, FE_DEGREE};
        endings[part] = ending;
    }
    fev_mul_ending(r, a, b, endings);
}

#if FE_DEGREE == 1

/* r = (a*b - columns)/S, below 2; the difference is in [(1 - offset)*p, (8 - offset)*p). */
FPV_INLINE void fpv_columns_finish(fpv *r, int v, __m512i columns[FPV_COLUMNS], const fpv *a, const fpv *b,
                                   int offset)
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_COLUMNS; j++) {
        columns[j] = _mm512_sub_epi64(_mm512_setzero_si512(), columns[j]);
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        fpv_row(columns + i, a->d[v], b->d[v][i], 0);
    }
    fpv_columns_divide(columns);
    fpv_reduce(columns + FPV_DIGITS, offset);
    fpv_store(r, v, columns + FPV_DIGITS);
}

/* r = (a*b - c*d)/S, below 2. In: operands with a*b <= 48*p^2 and c*d <= 16*p^2; so that the difference is in
 * (-1, 5). r may alias. */
SUMAC_BIG_FN void fev_mul_sub_mul(fev *r, const fev *a, const fev *b, const fev *c, const fev *d)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_COLUMNS];
        fpv_product(t, c->c[0].d[v], d->c[0].d[v]);
        fpv_columns_finish(&r->c[0], v, t, &a->c[0], &b->c[0], 2);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(&r->c[0], 2));
}

/* r = (a*b - c^2)/S, likewise. */
SUMAC_BIG_FN void fev_mul_sub_sqr(fev *r, const fev *a, const fev *b, const fev *c)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_COLUMNS];
        fpv_square(t, c->c[0].d[v]);
        fpv_columns_finish(&r->c[0], v, t, &a->c[0], &b->c[0], 2);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(&r->c[0], 2));
}

#else

/* Over Fp2 with reductions of their own: a*b/S is in (-p, 4p) and what is subtracted below 2. */
SUMAC_BIG_FN void fev_mul_sub_mul(fev *r, const fev *a, const fev *b, const fev *c, const fev *d)
{
    fev less;
    fev_mul_reduced(&less, c, d);
    fev_mul_less(r, a, b, &less, 4);
}

SUMAC_BIG_FN void fev_mul_sub_sqr(fev *r, const fev *a, const fev *b, const fev *c)
{
    fev less;
    fev_sqr(&less, c);
    fev_settle(&less, &less);
    fev_mul_less(r, a, b, &less, 4);
}

#endif

/* ---- points ---- */

/* sum = 2*sum, for points that have no order of 2.
 *   V = T^2 | S = XV | M = 3X^2 | X3 = M^2 - 2S | T3 = 2M(S - X3) - V^2 | Z3 = TZ */
SUMAC_BIG_FN void jacobian_lanes_double(jacobian_lanes *sum)
{
    fev v, s, m, less;
    fev_sqr(&v, &sum->t);
    fev_mul(&sum->z, &sum->t, &sum->z);
    fev_mul_reduced(&s, &sum->x, &v);
    fev_times_operand(&m, &sum->x, 3);
    fev_mul(&m, &m, &sum->x); /* below 3 in Fp, below 4 in Fp2 */
    fev_twice_raw(&less, &s);
    fev_sqr_less(&sum->x, &m, &less, 5); /* (0 .. 2.75) - (0 .. 4) */
    fev_sub_twice(&less, &s, &sum->x);
    fev_mul_sub_sqr(&sum->t, &m, &less, &v);
}

#if FPV_IS_ROOMY

/*
 * sum = -2*sum, looser: X below 9, T and Z products. In: X of digits below 2^52, below 9; T and Z below 3.
 * Nothing is reduced, as p has room in the digits, and -T3 is a sum of products:
 *   V = T^2 | S = XV | M = 3X^2 | X3 = M^2 - 2S + 6p | B = 2(X3 - S + 3p) | T3 = MB + V^2 | Z3 = TZ
 * V, S and M/3 are below 3, so that M is below 9, B below 24, and MB + V^2 below 225*p^2.
 */
SUMAC_BIG_FN void jacobian_lanes_double_loose(jacobian_lanes *sum)
{
    SUMAC_VERIFY_CHECK(fpv_is_below(&sum->x.c[0], 9) && fpv_operand_is_below(&sum->t.c[0], 3));
    for (int i = 0; i < FPV_VECTORS; i++) {
        __m512i *const x = sum->x.c[0].d[i], *const t = sum->t.c[0].d[i], *const z = sum->z.c[0].d[i];
        __m512i columns[FPV_COLUMNS], v[FPV_DIGITS], s[FPV_DIGITS], m[FPV_DIGITS], b[FPV_DIGITS];
        __m512i *const result = columns + FPV_DIGITS;
        fpv_product(columns, t, z);
        fpv_columns_divide(columns);
        fpv_carry_operand(result);
        fpv_digits_copy(z, result);
        fpv_square(columns, t);
        fpv_columns_divide(columns);
        fpv_carry_operand(result);
        fpv_digits_copy(v, result);
        fpv_product(columns, x, v);
        fpv_columns_divide(columns);
        fpv_carry(result);
        fpv_digits_copy(s, result);
        fpv_square(columns, x);
        fpv_columns_divide(columns);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            m[j] = fpv_times(result[j], 3);
        }
        fpv_carry_operand(m);
        fpv_square(columns, m);
        fpv_columns_divide(columns);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            result[j] = _mm512_sub_epi64(_mm512_add_epi64(result[j], fpv_broadcast(6 * fpv_modulus_digit(j))),
                                         _mm512_slli_epi64(s[j], 1));
        }
        fpv_carry(result);
        fpv_digits_copy(x, result);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            b[j] = _mm512_sub_epi64(_mm512_add_epi64(x[j], fpv_broadcast(3 * fpv_modulus_digit(j))), s[j]);
            b[j] = _mm512_slli_epi64(b[j], 1);
        }
        fpv_carry_operand(b);
        fpv_square(columns, v);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_DIGITS; j++) {
            fpv_row(columns + j, b, m[j], 0);
        }
        fpv_columns_divide(columns);
        fpv_carry_operand(result);
        fpv_digits_copy(t, result);
    }
}

#endif

/* sum = 2^times * sum or its negative, which 1 says, times > 0; X and T are below 2. The last doubling is one
 * that reduces. */
SUMAC_FN int jacobian_lanes_double_times(jacobian_lanes *sum, uint32_t times)
{
    for (uint32_t i = 1; i < times; i++) {
#if FPV_IS_ROOMY
        jacobian_lanes_double_loose(sum);
#else
        jacobian_lanes_double(sum);
#endif
    }
    jacobian_lanes_double(sum);
    return FPV_IS_ROOMY && times % 2 == 0;
}

/*
 * sum += (x, t), operands, Z = 1; 0 where points of a lane that is not `ignored` may be equal or opposite.
 * *ratio becomes what Z was multiplied with.
 *   H = x ZZ - X | r = t ZZZ - T | W = 2H | I = W^2 | J = HI | V = XI
 *   X3 = r^2 - J - 2V | T3 = 2r(V - X3) - 2TJ | Z3 = WZ
 */
SUMAC_BIG_FN int jacobian_lanes_add_finite(jacobian_lanes *sum, const fev *x, const fev *t, uint32_t ignored,
                                           fev *ratio)
{
    fev zz, h, r, i, j, v, less;
    fev_sqr(&zz, &sum->z);
    fev_mul_less(&h, x, &zz, &sum->x, FE_DEGREE == 2 ? 4 : 3); /* (-1/4 .. 3) - (0 .. 2) */
    if (SUMAC_UNLIKELY((fev_suspicious_lanes(&h) & ~ignored & ALL_LANES) != 0)) {
        return 0;
    }
    fev_mul(&zz, &zz, &sum->z);
    fev_mul_less(&r, t, &zz, &sum->t, FE_DEGREE == 2 ? 4 : 3);
    fev_times_operand(ratio, &h, 2);
    fev_sqr(&i, ratio);
    fev_mul_reduced(&j, &h, &i);
    fev_mul_reduced(&v, &sum->x, &i);
    fev_mul(&sum->z, &sum->z, ratio);
    fev_add_twice(&less, &j, &v);
    fev_sqr_less(&sum->x, &r, &less, 3); /* (0 .. 3) - (0 .. 2) */
    fev_sub_twice(&less, &v, &sum->x);
    fev_times_operand(&j, &j, 2);
    fev_mul_sub_mul(&sum->t, &r, &less, &sum->t, &j);
    return 1;
}

/* The same with infinity: lanes that are `absent` add nothing. */
SUMAC_BIG_FN int jacobian_lanes_add(jacobian_lanes *sum, const fev *x, const fev *t, uint32_t absent,
                                    const fev *one, fev *ratio)
{
    const uint32_t first = sum->infinite & ~absent;
    const uint32_t kept = absent | first;
    jacobian_lanes result;
    if (kept == 0) {
        return jacobian_lanes_add_finite(sum, x, t, 0, ratio);
    }
    fev_copy(&result.x, &sum->x);
    fev_copy(&result.t, &sum->t);
    fev_copy(&result.z, &sum->z);
    if (!jacobian_lanes_add_finite(&result, x, t, kept, ratio)) {
        return 0;
    }
    if (first != 0) {
        fev settled;
        fev_settle(&settled, x);
        fev_cmov(&sum->x, &settled, first);
        fev_settle(&settled, t);
        fev_cmov(&sum->t, &settled, first);
        fev_cmov(&sum->z, one, first);
    }
    fev_cmov(&sum->x, &result.x, ~kept);
    fev_cmov(&sum->t, &result.t, ~kept);
    fev_cmov(&sum->z, &result.z, ~kept);
    sum->infinite &= absent;
    return 1;
}

/*
 * Multiples 1, 2, 3 .. of (x, t), x and t below 2, or 1, 3, 5 .. where `odd`; *z becomes their Z. 0 where two
 * of them may have the same x, but in the lanes of `infinite`, which hold nothing.
 * The odd ones are sums with 2P: made where that has Z = 1.
 */
SUMAC_LONG_FN int multiples_lanes_make(multiples_lanes *table, fev *z, const fev *x, const fev *t, int odd,
                                       uint32_t infinite, const lanes_numbers *numbers)
{
    fev ratios[POINT_DIGIT_MOST], ratio, power; /* ratios[m]: from Z of entry m - 1 to that of m */
    fev step_x, step_t;
    jacobian_lanes sum;
    fev_copy(&sum.x, x);
    fev_copy(&sum.t, t);
    fev_copy(&sum.z, &numbers->one);
    sum.infinite = infinite;
    jacobian_lanes_double(&sum);
    fev_copy(&table->x[0][0], x);
    fev_copy(&table->t[0], t);
    fev_copy(z, &numbers->one);
    if (odd) {
        fev_copy(z, &sum.z);
        fev_sqr(&power, z);
        fev_mul_reduced(&table->x[0][0], x, &power);
        fev_mul(&power, &power, z);
        fev_mul_reduced(&table->t[0], t, &power);
        fev_copy(&step_x, &sum.x);
        fev_copy(&step_t, &sum.t);
        fev_copy(&sum.x, &table->x[0][0]);
        fev_copy(&sum.t, &table->t[0]);
        fev_copy(&sum.z, &numbers->one);
    } else {
        fev_copy(&step_x, x);
        fev_copy(&step_t, t);
        fev_copy(&ratios[1], t); /* Z of 2P */
    }
    for (int m = 1; m < POINT_DIGIT_MOST; m++) {
        if ((odd || m > 1) &&
            !jacobian_lanes_add(&sum, &step_x, &step_t, infinite, &numbers->one, &ratios[m])) {
            return 0;
        }
        fev_copy(&table->x[0][m], &sum.x);
        fev_copy(&table->t[m], &sum.t);
    }
    fev_mul(z, z, &sum.z);
    fev_copy(&ratio, &ratios[POINT_DIGIT_MOST - 1]);
    for (int m = POINT_DIGIT_MOST - 1; m-- > 0;) {
        fev_sqr(&power, &ratio);
        fev_mul_reduced(&table->x[0][m], &table->x[0][m], &power);
        fev_mul(&power, &power, &ratio);
        fev_mul_reduced(&table->t[m], &table->t[m], &power);
        if (m > 0) {
            fev_mul(&ratio, &ratio, &ratios[m]);
        }
    }
#if CURVE_HAS_GLV
    for (int m = 0; m < POINT_DIGIT_MOST; m++) {
        fev_mul_reduced(&table->x[1][m], &table->x[0][m], &numbers->beta);
    }
#endif
    return 1;
}

/* Each lane's element of eight; the lanes whose magnitude is 0 have 0. */
SUMAC_FN void fev_pick(fev *r, const fev entries[POINT_DIGIT_MOST], const uint32_t lanes[POINT_DIGIT_MOST])
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            __m512i t[FPV_DIGITS];
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                t[i] = _mm512_setzero_si512();
            }
            SUMAC_UNROLL
            for (int m = 0; m < POINT_DIGIT_MOST; m++) {
                const __mmask8 mask = (__mmask8)(lanes[m] >> (8 * v));
                SUMAC_UNROLL
                for (int i = 0; i < FPV_DIGITS; i++) {
                    t[i] = _mm512_mask_mov_epi64(t[i], mask, entries[m].c[part].d[v][i]);
                }
            }
            fpv_store(&r->c[part], v, t);
        }
    }
}

/* r = 2p - r in these lanes, an operand. In: below 2. */
SUMAC_FN void fev_negate_lanes_operand(fev *r, uint32_t lanes)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            __m512i *t = r->c[part].d[v];
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                t[i] = _mm512_mask_sub_epi64(t[i], (__mmask8)(lanes >> (8 * v)),
                                             fpv_broadcast(2 * fpv_modulus_digit(i)), t[i]);
            }
            fpv_carry_operand(t);
        }
    }
}

/* The points of one half and position that the lanes add; returns the lanes that add none. */
SUMAC_BIG_FN uint32_t multiples_lanes_pick(fev *x, fev *t, const multiples_lanes *table, int half,
                                           const uint8_t codes[FPV_LANES])
{
    const __m512i code = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)codes));
    const __m512i magnitude = _mm512_srli_epi32(code, 1);
    const uint32_t negative = _mm512_test_epi32_mask(code, _mm512_set1_epi32(1));
    uint32_t lanes[POINT_DIGIT_MOST];
    for (int m = 0; m < POINT_DIGIT_MOST; m++) {
        lanes[m] = _mm512_cmpeq_epi32_mask(magnitude, _mm512_set1_epi32(m + 1));
    }
    fev_pick(x, table->x[half], lanes);
    fev_pick(t, table->t, lanes);
    fev_negate_lanes_operand(t, negative);
    return _mm512_testn_epi32_mask(code, code);
}

/* ---- in and out ---- */

SUMAC_FN void lanes_numbers_make(lanes_numbers *r)
{
    fe half;
    lanes_constant(&r->stored_one, 0);
    lanes_constant(&r->one, 1);
    lanes_constant(&r->factor, 2);
    fe_set_one(&half);
    fe_halve(&half, &half);
    fev_broadcast(&r->half, &half);
    fev_mul(&r->half, &r->half, &r->factor);
#if CURVE_HAS_GLV
    const fe beta = CURVE_BETA;
    fev_broadcast(&r->beta, &beta);
    fev_mul(&r->beta, &r->beta, &r->factor);
#endif
}

/* Sixteen stored points. */
SUMAC_LONG_FN void xyzz_lanes_load(xyzz_lanes *r, xyzz *const points[FPV_LANES], const lanes_numbers *numbers)
{
    const affine *numerators[FPV_LANES], *denominators[FPV_LANES];
    affine_lanes pair;
    r->infinite = 0;
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        const xyzz *point = points[lane];
        numerators[lane] = (const affine *)(const void *)&point->x; /* x and y, zz and zzz lie side by side */
        denominators[lane] = (const affine *)(const void *)&point->zz;
        r->infinite |= (uint32_t)xyzz_is_infinity(point) << lane;
    }
    lanes_load(&pair, numerators, 0);
    fev_mul_reduced(&r->x, &pair.x, &numbers->factor);
    fev_mul_reduced(&r->y, &pair.y, &numbers->factor);
    lanes_load(&pair, denominators, 0);
    fev_mul(&r->zz, &pair.x, &numbers->factor);
    fev_mul(&r->zzz, &pair.y, &numbers->factor);
}

/* The first `count` of them. */
SUMAC_LONG_FN void xyzz_lanes_write(xyzz *const points[FPV_LANES], uint32_t count, const xyzz_lanes *a,
                                    const lanes_numbers *numbers)
{
    xyzz stored[FPV_LANES];
    xyzz_lanes_store(stored, count, a, &numbers->stored_one);
    for (uint32_t lane = 0; lane < count; lane++) {
        *points[lane] = stored[lane];
    }
}

/* ---- multiples and butterflies ---- */

/* sum = the lanes' scalars times what the table has multiples 1, 2, 3 .. of, but in the lanes of `infinite`.
 * 0 as of jacobian_lanes_add. */
SUMAC_LONG_FN int multiples_lanes_chain(jacobian_lanes *sum, const multiples_lanes *table,
                                        const point_digits *const digits[FPV_LANES], uint32_t positions,
                                        uint32_t infinite, const lanes_numbers *numbers)
{
    fev x, t, ratio;
    for (uint32_t w = positions; w-- > 0;) {
        for (int i = 0; i < POINT_DIGIT_BITS && sum->infinite != ALL_LANES; i++) {
            jacobian_lanes_double(sum);
        }
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            uint8_t codes[FPV_LANES];
            for (int lane = 0; lane < FPV_LANES; lane++) {
                codes[lane] = digits[lane]->codes[half][w];
            }
            const uint32_t absent = multiples_lanes_pick(&x, &t, table, half, codes) | infinite;
            if (absent != ALL_LANES && !jacobian_lanes_add(sum, &x, &t, absent, &numbers->one, &ratio)) {
                return 0;
            }
        }
    }
    return 1;
}

/* The same for one scalar of all lanes; the table has multiples 1, 3, 5 .. */
SUMAC_LONG_FN int multiples_lanes_sparse_chain(jacobian_lanes *sum, const multiples_lanes *table,
                                               const point_digits *digits, uint32_t infinite,
                                               const lanes_numbers *numbers)
{
    uint8_t codes[POINT_DIGIT_HALVES][POINT_SPARSE_POSITIONS];
    uint32_t positions = 0;
    fev t, ratio;
    for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
        const uint32_t count = point_digits_sparse(codes[half], digits, half);
        positions = count > positions ? count : positions;
    }
    for (uint32_t w = positions; w-- > 0;) {
        if (sum->infinite != ALL_LANES) {
            jacobian_lanes_double(sum);
        }
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            const uint32_t code = codes[half][w];
            if (code == 0 || infinite == ALL_LANES) {
                continue;
            }
            fev_copy(&t, &table->t[code >> 2]);
            fev_negate_lanes_operand(&t, (code & 1) != 0 ? ALL_LANES : 0);
            if (!jacobian_lanes_add(sum, &table->x[half][code >> 2], &t, infinite, &numbers->one, &ratio)) {
                return 0;
            }
        }
    }
    return 1;
}

/* points *= the lanes' scalars, whose digits have so many positions. 0 where that is left to scalar code:
 * points are as before then. */
SUMAC_LONG_FN int xyzz_lanes_multiply(xyzz_lanes *points, const point_digits *const digits[FPV_LANES],
                                      uint32_t positions, const lanes_numbers *numbers)
{
    multiples_lanes table;
    jacobian_lanes sum;
    fev x, t, z;
    int same = 1;
    for (int lane = 1; lane < FPV_LANES; lane++) {
        same &= digits[lane] == digits[0];
    }
    /* From XYZZ: Z = ZZ, X = X ZZ, Y = Y ZZZ. */
    fev_mul_reduced(&x, &points->x, &points->zz);
    fev_mul_reduced(&t, &points->y, &points->zzz);
    fev_linear(&t, &t, 2, 0);
    fev_settle(&t, &t);
    if (!multiples_lanes_make(&table, &z, &x, &t, same, points->infinite, numbers)) {
        return 0;
    }
    fev_set_zero(&sum.x);
    fev_set_zero(&sum.t);
    fev_set_zero(&sum.z);
    sum.infinite = ALL_LANES;
    if (!(same ? multiples_lanes_sparse_chain(&sum, &table, digits[0], points->infinite, numbers)
               : multiples_lanes_chain(&sum, &table, digits, positions, points->infinite, numbers))) {
        return 0;
    }
    /* To XYZZ: ZZ = Z^2, ZZZ = Z^3. */
    fev_mul(&z, &z, &points->zz);
    fev_mul(&z, &z, &sum.z);
    fev_copy(&points->x, &sum.x);
    fev_mul_reduced(&points->y, &sum.t, &numbers->half);
    fev_sqr(&points->zz, &z);
    fev_mul(&points->zzz, &points->zz, &z);
    points->infinite = sum.infinite;
    return 1;
}

/*
 * (lower, upper) becomes (lower + upper, lower - upper), or (lower + upper, upper - lower) where `reverse`;
 * x and y below 2. 0 where a lane holds infinity, or points that may be equal or opposite: they are as before
 * then. The sum is add-2008-s; together 14M + 3S in place of 24M + 4S:
 *   U = X1 ZZ2 | P = X2 ZZ1 - U | S = Y1 ZZZ2 | R = Y2 ZZZ1 - S | N = Y2 ZZZ1 + S | A = PPP + 2Q, Q = U PP
 *   sum         X3 = R^2 - A | Y3 = R(Q - X3) - S PPP
 *   difference  X3 = N^2 - A | Y3 = N(X3 - Q) - S PPP
 */
SUMAC_LONG_FN int xyzz_lanes_butterfly(xyzz_lanes *lower, xyzz_lanes *upper, int reverse)
{
    fev u, p, s, r, n, pp, ppp, q, a, x3, difference;
    if ((lower->infinite | upper->infinite) != 0) {
        return 0;
    }
    fev_mul_reduced(&u, &lower->x, &upper->zz);
    fev_mul_less(&p, &upper->x, &lower->zz, &u, FE_DEGREE == 2 ? 4 : 3); /* (-1/4 .. 3) - (0 .. 2) */
    if (SUMAC_UNLIKELY((fev_suspicious_lanes(&p) & ALL_LANES) != 0)) {
        return 0;
    }
    fev_mul_reduced(&s, &lower->y, &upper->zzz);
    fev_mul_reduced(&n, &upper->y, &lower->zzz);
    fev_sub(&r, &n, &s);
    fev_add_operand(&n, &n, &s);
    fev_sqr(&pp, &p);
    fev_mul_reduced(&ppp, &p, &pp);
    fev_mul_reduced(&q, &u, &pp);
    fev_add_twice(&a, &ppp, &q);
    fev_sqr_less(&x3, &r, &a, 3); /* (0 .. 3) - (0 .. 2) */
    fev_sub(&difference, &q, &x3);
    fev_mul_sub_mul(&lower->y, &r, &difference, &s, &ppp);
    fev_copy(&lower->x, &x3);
    fev_sqr_less(&x3, &n, &a, 3);
    if (reverse) {
        fev_sub(&difference, &q, &x3);
        fev_negate_lanes_operand(&s, ALL_LANES);
    } else {
        fev_sub(&difference, &x3, &q);
    }
    fev_mul_sub_mul(&upper->y, &n, &difference, &s, &ppp);
    fev_copy(&upper->x, &x3);
    fev_mul(&pp, &pp, &lower->zz);
    fev_mul(&lower->zz, &pp, &upper->zz);
    fev_copy(&upper->zz, &lower->zz);
    fev_mul(&ppp, &ppp, &lower->zzz);
    fev_mul(&lower->zzz, &ppp, &upper->zzz);
    fev_copy(&upper->zzz, &lower->zzz);
    return 1;
}

#endif
