/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The formulas of points in lanes need these operations on coordinates besides those of fev.h: sums, differences and small
 * multiples that are operands without a reduction, differences of products with one reduction, and constants. Bounds are
 * those of fpv.h.
 */
#ifndef SUMAC_LANES_FEV_FORMULAS_H
#define SUMAC_LANES_FEV_FORMULAS_H

#include "lanes/rounds.h"

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

/* r = 2a, with digits before carries, so that r may only be subtracted. */
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

/* r = 2p - r in these lanes, an operand. In: below 2. */
SUMAC_FN void fev_negate_lanes_operand(fev *r, uint32_t lanes)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            __m512i *t = r->c[part].d[v];
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                t[i] = _mm512_mask_sub_epi64(t[i], (__mmask8)(lanes >> (8 * v)),
                                             vec_broadcast(2 * fpv_modulus_digit(i)), t[i]);
            }
            fpv_carry_operand(t);
        }
    }
}

/* r = a*b/S, below 2. In: operands whose product satisfies the bounds of fev.h for k = l = 4. */
SUMAC_BIG_FN void fev_mul_reduced(fev *r, const fev *a, const fev *b)
{
    fpv_ending endings[FE_DEGREE];
    for (int part = 0; part < FE_DEGREE; part++) {
        const fpv_ending ending = {0, NULL, FE_DEGREE};
        endings[part] = ending;
    }
    fev_mul_ending(r, a, b, endings);
}

/* r = a^2/S. In: an operand below 4. Out: below FEV_PRODUCT. */
SUMAC_BIG_FN void fev_sqr(fev *r, const fev *a)
{
    fpv_ending endings[FE_DEGREE] = {{0, NULL, 0}};
    endings[0].add = FE_DEGREE - 1;
    fev_sqr_ending(r, a, endings);
    SUMAC_VERIFY_CHECK(fev_is_product(r));
}

/* Return the lanes in which a value below 4 may be 0 mod p: its lowest digit is that of 0, p, 2p or 3p. */
SUMAC_FN uint32_t fev_suspicious_lanes(const fev *a)
{
    const uint64_t p = fpv_modulus_digit(0);
    uint32_t lanes = 0;
    for (int v = 0; v < FPV_VECTORS; v++) {
        const __m512i digit = a->c[0].d[v][0];
        const uint32_t zero = _mm512_testn_epi64_mask(digit, digit) |
                              _mm512_cmpeq_epi64_mask(digit, vec_broadcast(p)) |
                              _mm512_cmpeq_epi64_mask(digit, vec_broadcast(2 * p & FPV_MASK)) |
                              _mm512_cmpeq_epi64_mask(digit, vec_broadcast(3 * p & FPV_MASK));
        lanes |= zero << (8 * v);
    }
    return lanes;
}

/* Return the lanes in which a*b/S = c. In: operands as fev_mul() takes them; c below 2. */
SUMAC_LONG_FN uint32_t fev_product_equal_lanes(const fev *a, const fev *b, const fev *c)
{
    fev difference;
    fev_mul_less(&difference, a, b, c, FE_DEGREE == 2 ? 4 : 3);
    fev_canonical(&difference, &difference);
    return fev_zero_lanes(&difference);
}

/* r = R*2^doublings mod p, in all lanes. */
SUMAC_FN void lanes_one_doubled(fev *r, int doublings)
{
    fe scalar;
    fe_set_one(&scalar);
    for (int i = 0; i < doublings; i++) {
        fe_double(&scalar, &scalar);
    }
    fev_broadcast(r, &scalar);
}

/* r = R*(S/R)^times mod p, in all lanes; S/R = 2^(2*SLOPE_SHIFT). */
SUMAC_FN void lanes_constant(fev *r, int times)
{
    lanes_one_doubled(r, 2 * SLOPE_SHIFT * times);
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

/* r = (a*b - c^2)/S, with the bounds of fev_mul_sub_mul(). */
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

/* Over Fp2 both products are reduced separately: a*b/S is in (-p, 4p), and the subtrahend is below 2. */
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

#endif
