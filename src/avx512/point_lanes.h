/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sixteen multiples of points at a time, each by its own scalar, and sixteen butterflies. Coordinates have
 * the factor S as in combine.h.
 *
 * Points of a chain are Jacobian, with T = 2Y for Y: a doubling then multiplies by no constants but 2 and 3.
 * Products and squares of an operation, where a*b - c*d counts as 1 1/2 (one reduction):
 *
 *                          doubling     + a point with Z = 1     a position: 4 doublings, 2 additions
 *   XYZZ                   6M + 3S      8M + 2S                  56
 *   Jacobian with T        3.5M + 2S    7.5M + 3S                43
 *   projective, complete   6M + 2S      11M (and 2 by 3b)        54, without exceptions
 *
 * (The last is Renes, Costello and Batina's, EUROCRYPT 2016, algorithms 8 and 9.) The table of a point has Z
 * = 1 without an inversion: on y^2 = x^3 + b*z^6, which is isomorphic to the curve and whose b no formula
 * reads, the Jacobian point (X, Y, z) is the affine (X, Y). Multiples 1 .. 8 are made there, and brought to
 * the Z of the last; that Z and z are multiplied onto the result.
 *
 * Bounds, as in fpv.h: X and T are below 2, Z is a product. Which lanes are infinity is kept in a mask.
 * Additions of points that may be equal or opposite are left to scalar code, for all sixteen: that is judged
 * by one digit. A scalar's chain never meets them in a group of large order (docs/transforms.md); in
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

/* Multiples 1 .. POINT_DIGIT_MOST of sixteen points, with one Z for each lane; the images' T is the same. */
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

/* r = a + 2b, digits before carries: only to be subtracted. In: below 2. */
FPV_INLINE void fev_add_twice_raw(fev *r, const fev *a, const fev *b)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                const __m512i twice = _mm512_slli_epi64(b->c[part].d[v][i], 1);
                r->c[part].d[v][i] = a == NULL ? twice : _mm512_add_epi64(a->c[part].d[v][i], twice);
            }
        }
    }
}

/* r = a*b/S, below 2. In: operands whose product is as fev.h says of 4 and 4. */
SUMAC_BIG_FN void fev_mul_reduced(fev *r, const fev *a, const fev *b)
{
    fev zero;
    fev_set_zero(&zero);
    fev_mul_less(r, a, b, &zero, FE_DEGREE);
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
    fev v, s, m, x3, less;
    fev_sqr(&v, &sum->t);
    fev_mul(&sum->z, &sum->t, &sum->z);
    fev_mul_reduced(&s, &sum->x, &v);
    fev_times_operand(&m, &sum->x, 3);
    fev_mul(&m, &m, &sum->x); /* below 3 in Fp, below 4 in Fp2 */
    fev_add_twice_raw(&less, NULL, &s);
    fev_sqr_less(&x3, &m, &less, 5); /* (0 .. 2.75) - (0 .. 4) */
    fev_sub_twice(&less, &s, &x3);
    fev_mul_sub_sqr(&sum->t, &m, &less, &v);
    fev_copy(&sum->x, &x3);
}

/*
 * sum += (x, t), operands, Z = 1, in the lanes that are not `absent`; 0 where points of a lane may be equal
 * or opposite. *ratio becomes what Z was multiplied with. H = x ZZ - X | r = t ZZZ - T | W = 2H | I = W^2 | J
 * = HI | V = XI X3 = r^2 - J - 2V | T3 = 2r(V - X3) - 2TJ | Z3 = WZ
 */
SUMAC_BIG_FN int jacobian_lanes_add(jacobian_lanes *sum, const fev *x, const fev *t, uint32_t absent,
                                    const fev *one, fev *ratio)
{
    fev zz, h, r, i, j, v, x3, less, difference;
    const uint32_t first = sum->infinite & ~absent;
    const uint32_t kept = absent | first;
    jacobian_lanes old;
    fev_sqr(&zz, &sum->z);
    fev_mul_less(&h, x, &zz, &sum->x, FE_DEGREE == 2 ? 4 : 3); /* (-1/4 .. 3) - (0 .. 2) */
    if (SUMAC_UNLIKELY((fev_suspicious_lanes(&h) & ~kept & ALL_LANES) != 0)) {
        return 0;
    }
    fev_mul(&zz, &zz, &sum->z);
    fev_mul_less(&r, t, &zz, &sum->t, FE_DEGREE == 2 ? 4 : 3);
    if (kept != 0) {
        fev_copy(&old.x, &sum->x);
        fev_copy(&old.t, &sum->t);
        fev_copy(&old.z, &sum->z);
        if (first != 0) {
            fev_settle(&difference, x);
            fev_cmov(&old.x, &difference, first);
            fev_settle(&difference, t);
            fev_cmov(&old.t, &difference, first);
            fev_cmov(&old.z, one, first);
        }
    }
    fev_times_operand(ratio, &h, 2);
    fev_sqr(&i, ratio);
    fev_mul_reduced(&j, &h, &i);
    fev_mul_reduced(&v, &sum->x, &i);
    fev_mul(&sum->z, &sum->z, ratio);
    fev_add_twice_raw(&less, &j, &v);
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int vector = 0; vector < FPV_VECTORS; vector++) {
            fpv_carry(less.c[part].d[vector]);
        }
    }
    fev_settle(&less, &less);
    fev_sqr_less(&x3, &r, &less, 3); /* (0 .. 3) - (0 .. 2) */
    fev_sub_twice(&difference, &v, &x3);
    fev_times_operand(&j, &j, 2);
    fev_mul_sub_mul(&sum->t, &r, &difference, &sum->t, &j);
    fev_copy(&sum->x, &x3);
    if (kept != 0) {
        fev_cmov(&sum->x, &old.x, kept);
        fev_cmov(&sum->t, &old.t, kept);
        fev_cmov(&sum->z, &old.z, kept);
    }
    sum->infinite &= absent;
    return 1;
}

/* The multiples of (x, t), x and t below 2; *z becomes their Z. 0 where two may have the same x, but in the
 * lanes of `infinite`, which hold nothing. */
static int multiples_lanes_make(multiples_lanes *table, fev *z, const fev *x, const fev *t, uint32_t infinite,
                                const lanes_numbers *numbers)
{
    fev ratios[POINT_DIGIT_MOST], ratio, power; /* ratios[m]: from Z of multiple m to that of m + 1 */
    jacobian_lanes sum;
    fev_copy(&sum.x, x);
    fev_copy(&sum.t, t);
    fev_copy(&sum.z, &numbers->one);
    sum.infinite = infinite;
    fev_copy(&table->x[0][0], x);
    fev_copy(&table->t[0], t);
    jacobian_lanes_double(&sum);
    fev_copy(&ratios[1], t);
    for (int m = 1; m < POINT_DIGIT_MOST; m++) {
        if (m > 1 && !jacobian_lanes_add(&sum, x, t, infinite, &numbers->one, &ratios[m])) {
            return 0;
        }
        fev_copy(&table->x[0][m], &sum.x);
        fev_copy(&table->t[m], &sum.t);
    }
    fev_copy(z, &sum.z);
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
    fe scalar, half_p;
    lanes_constant(&r->stored_one, 0);
    lanes_constant(&r->one, 1);
    lanes_constant(&r->factor, 2);
    fe_set_one(&scalar);
    fe_double(&half_p, &scalar);
    fe_inv(&half_p, &half_p);
    fev_broadcast(&r->half, &half_p);
    fev_mul(&r->half, &r->half, &r->factor);
#if CURVE_HAS_GLV
    const fe beta = CURVE_BETA;
    fev_broadcast(&r->beta, &beta);
    fev_mul(&r->beta, &r->beta, &r->factor);
#endif
}

/* Sixteen stored points. */
static void xyzz_lanes_load(xyzz_lanes *r, xyzz *const points[FPV_LANES], const lanes_numbers *numbers)
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
static void xyzz_lanes_write(xyzz *const points[FPV_LANES], uint32_t count, const xyzz_lanes *a,
                             const lanes_numbers *numbers)
{
    xyzz stored[FPV_LANES];
    xyzz_lanes_store(stored, count, a, &numbers->stored_one);
    for (uint32_t lane = 0; lane < count; lane++) {
        *points[lane] = stored[lane];
    }
}

/* ---- multiples and butterflies ---- */

/* points *= the lanes' scalars, whose digits have so many positions. 0 where that is left to scalar code:
 * points are as before then. */
static int xyzz_lanes_multiply(xyzz_lanes *points, const point_digits *const digits[FPV_LANES],
                               uint32_t positions, const lanes_numbers *numbers)
{
    multiples_lanes table;
    jacobian_lanes sum;
    fev x, t, z, ratio;
    /* From XYZZ: Z = ZZ, X = X ZZ, Y = Y ZZZ. */
    fev_mul_reduced(&x, &points->x, &points->zz);
    fev_mul_reduced(&t, &points->y, &points->zzz);
    fev_linear(&t, &t, 2, 0);
    fev_settle(&t, &t);
    if (!multiples_lanes_make(&table, &z, &x, &t, points->infinite, numbers)) {
        return 0;
    }
    fev_mul(&z, &z, &points->zz);
    fev_set_zero(&sum.x);
    fev_set_zero(&sum.t);
    fev_set_zero(&sum.z);
    sum.infinite = ALL_LANES;
    for (uint32_t w = positions; w-- > 0;) {
        for (int i = 0; i < POINT_DIGIT_BITS && sum.infinite != ALL_LANES; i++) {
            jacobian_lanes_double(&sum);
        }
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            uint8_t codes[FPV_LANES];
            for (int lane = 0; lane < FPV_LANES; lane++) {
                codes[lane] = digits[lane]->codes[half][w];
            }
            const uint32_t absent = multiples_lanes_pick(&x, &t, &table, half, codes) | points->infinite;
            if (absent != ALL_LANES && !jacobian_lanes_add(&sum, &x, &t, absent, &numbers->one, &ratio)) {
                return 0;
            }
        }
    }
    /* To XYZZ: ZZ = Z^2, ZZZ = Z^3. */
    fev_mul(&z, &z, &sum.z);
    fev_copy(&points->x, &sum.x);
    fev_mul_reduced(&points->y, &sum.t, &numbers->half);
    fev_sqr(&points->zz, &z);
    fev_mul(&points->zzz, &points->zz, &z);
    points->infinite = sum.infinite;
    return 1;
}

#endif
