/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Horner's rule over the parts of sixteen MSMs at a time: combine's doublings and additions in lanes, by the
 * XYZZ formulas of math/point.h. Coordinates have the factor S here, so that a (*) b = a*b/S is their
 * product; points are converted when they are loaded, by one product each coordinate.
 *
 * Bounds, as in fpv.h: X and Y are below 2, ZZ and ZZZ are products, operands below FEV_PRODUCT <= 4. A
 * product of operands below 4 and 4 is such a product. Which lanes are infinity is kept in a mask. A doubling
 * of a point of order 2, or an addition of equal or opposite points, is left to scalar code, for all sixteen:
 * that is judged by one digit, by chance once in 2^45 times.
 */
#ifndef SUMAC_LANES_COMBINE_H
#define SUMAC_LANES_COMBINE_H

#include "lanes/rounds.h"

/* Sixteen points. */
typedef struct {
    fev x, y, zz, zzz;
    uint32_t infinite; /* these lanes are infinity, whatever the coordinates are */
} xyzz_lanes;

/* r = a^2/S. In: an operand below 4. Out: as of fev_mul. */
SUMAC_BIG_FN void fev_sqr(fev *r, const fev *a)
{
    fpv_ending endings[FE_DEGREE] = {{0, NULL, 0}};
    endings[0].add = FE_DEGREE - 1;
    fev_sqr_ending(r, a, endings);
    SUMAC_VERIFY_CHECK(fev_is_product(r));
}

/* r = a*b/S, below 2. */
SUMAC_FN void fev_mul_settle(fev *r, const fev *a, const fev *b)
{
    fev_mul(r, a, b);
    fev_settle(r, r);
}

/* The lanes of a value below 4 that may be 0 mod p: its lowest digit is one of 0, p's, 2p's and 3p's. */
SUMAC_FN uint32_t fev_suspicious_lanes(const fev *a)
{
    const uint64_t p = fpv_modulus_digit(0);
    uint32_t lanes = 0;
    for (int v = 0; v < FPV_VECTORS; v++) {
        const __m512i digit = a->c[0].d[v][0];
        const uint32_t zero = _mm512_testn_epi64_mask(digit, digit) |
                              _mm512_cmpeq_epi64_mask(digit, fpv_broadcast(p)) |
                              _mm512_cmpeq_epi64_mask(digit, fpv_broadcast(2 * p & FPV_MASK)) |
                              _mm512_cmpeq_epi64_mask(digit, fpv_broadcast(3 * p & FPV_MASK));
        lanes |= zero << (8 * v);
    }
    return lanes;
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

/* sum = 2*sum; 0 where a lane may have order 2. */
SUMAC_BIG_FN int xyzz_lanes_double(xyzz_lanes *sum)
{
    fev u, v, w, s, m, x3, less;
    fev_linear(&u, &sum->y, 2, 0);
    if (SUMAC_UNLIKELY((fev_suspicious_lanes(&u) & ~sum->infinite & 0xffff) != 0)) {
        return 0;
    }
    fev_sqr(&v, &u);
    fev_mul(&w, &u, &v);
    fev_mul_settle(&s, &sum->x, &v);
    fev_sqr(&m, &sum->x);
    fev_settle(&m, &m);
    fev_linear(&m, &m, 3, 0);
    fev_settle(&m, &m);
    fev_linear(&less, &s, 2, 0);
    fev_sqr_less(&x3, &m, &less, 5); /* (0 .. 2.25) - (0 .. 4) */
    fev_sub(&u, &s, &x3);
    fev_mul_settle(&less, &w, &sum->y);
    fev_mul_less(&sum->y, &m, &u, &less, FE_DEGREE == 2 ? 4 : 3); /* (-1/8 .. 2.5) - (0 .. 2) */
    fev_copy(&sum->x, &x3);
    fev_mul(&sum->zz, &v, &sum->zz);
    fev_mul(&sum->zzz, &w, &sum->zzz);
    return 1;
}

/* sum = point, x and y operands below 4, in these lanes. */
SUMAC_BIG_FN void xyzz_lanes_begin(xyzz_lanes *sum, const affine_lanes *point, uint32_t lanes)
{
    fev coordinate;
    fev_settle(&coordinate, &point->x);
    fev_cmov(&sum->x, &coordinate, lanes);
    fev_settle(&coordinate, &point->y);
    fev_cmov(&sum->y, &coordinate, lanes);
    lanes_constant(&coordinate, 1); /* S */
    fev_cmov(&sum->zz, &coordinate, lanes);
    fev_cmov(&sum->zzz, &coordinate, lanes);
    sum->infinite &= ~lanes;
}

/* sum += point, x and y operands below 4, in the lanes that are not `absent`; 0 where points of a lane may be
 * equal or opposite: sum is as before then. Where some lanes are kept, the sum is first put where a term was
 * that is no longer needed. */
SUMAC_BIG_FN int xyzz_lanes_add(xyzz_lanes *sum, const affine_lanes *point, uint32_t absent)
{
    fev p, r, pp, ppp, q, x3, less;
    const uint32_t first = sum->infinite & ~absent;
    const uint32_t kept = absent | first;
    fev *const y3 = kept == 0 ? &sum->y : &q, *const zz3 = kept == 0 ? &sum->zz : &pp,
               *const zzz3 = kept == 0 ? &sum->zzz : &ppp;
    fev_mul_settle(&p, &point->x, &sum->zz);
    fev_mul_settle(&r, &point->y, &sum->zzz);
    fev_sub(&p, &p, &sum->x);
    fev_sub(&r, &r, &sum->y);
    if (SUMAC_UNLIKELY((fev_suspicious_lanes(&p) & ~kept & 0xffff) != 0)) {
        return 0;
    }
    fev_sqr(&pp, &p);
    fev_mul(&ppp, &p, &pp);
    fev_mul_settle(&q, &sum->x, &pp);
    fev_settle(&less, &ppp);
    fev_sqr_less(&x3, &r, &less, 3); /* (0 .. 3) - (0 .. 2) */
    fev_linear(&less, &q, -2, 4);
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_add_operand(&x3.c[part], &x3.c[part], &less.c[part]); /* below 6 */
    }
    fev_settle(&x3, &x3);
    fev_sub(&p, &q, &x3);
    fev_mul_settle(&less, &ppp, &sum->y);
    fev_mul_less(y3, &r, &p, &less, FE_DEGREE == 2 ? 4 : 3); /* (-1/4 .. 3) - (0 .. 2) */
    fev_mul(zz3, &pp, &sum->zz);
    fev_mul(zzz3, &ppp, &sum->zzz);
    if (kept == 0) {
        fev_copy(&sum->x, &x3);
        return 1;
    }
    fev_cmov(&sum->x, &x3, ~kept);
    fev_cmov(&sum->y, y3, ~kept);
    fev_cmov(&sum->zz, zz3, ~kept);
    fev_cmov(&sum->zzz, zzz3, ~kept);
    if (first != 0) {
        xyzz_lanes_begin(sum, point, first);
    }
    return 1;
}

/* Part `index` of each MSM, with the factor S; *absent are the lanes where it is infinity. 0 where a part is
 * not affine. */
SUMAC_FN int parts_load(affine_lanes *r, uint32_t *absent, const xyzz *const parts[FPV_LANES], uint64_t index,
                        const fev *factor, const fe *one)
{
    const affine *points[FPV_LANES];
    *absent = 0;
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        const xyzz *part = parts[lane] + index;
        points[lane] = (const affine *)(const void *)part; /* x and y come first */
        if (xyzz_is_infinity(part)) {
            *absent |= (uint32_t)1 << lane;
        } else if (!fe_eq(&part->zz, one) || !fe_eq(&part->zzz, one)) {
            return 0;
        }
    }
    lanes_load(r, points, 0);
    fev_mul(&r->x, &r->x, factor);
    fev_mul(&r->y, &r->y, factor);
    return 1;
}

/* One coordinate back to the factor R, to limbs. */
SUMAC_FN void coordinate_to_limbs(uint64_t limbs[FE_DEGREE * FP_LIMBS][FPV_LANES], const fev *a,
                                  const fev *stored_one)
{
    fev stored;
    fev_mul(&stored, a, stored_one);
    fev_settle(&stored, &stored);
    fev_canonical(&stored, &stored);
    lanes_to_limbs(limbs, &stored);
}

/* Apart, so that its arrays are not on the stack of those that compute the sums. */
SUMAC_LONG_FN __attribute__((noinline)) void xyzz_lanes_store(xyzz *sums, uint32_t count, const xyzz_lanes *a,
                                                              const fev *stored_one)
{
    uint64_t x[FE_DEGREE * FP_LIMBS][FPV_LANES], y[FE_DEGREE * FP_LIMBS][FPV_LANES];
    uint64_t zz[FE_DEGREE * FP_LIMBS][FPV_LANES], zzz[FE_DEGREE * FP_LIMBS][FPV_LANES];
    coordinate_to_limbs(x, &a->x, stored_one);
    coordinate_to_limbs(y, &a->y, stored_one);
    coordinate_to_limbs(zz, &a->zz, stored_one);
    coordinate_to_limbs(zzz, &a->zzz, stored_one);
    for (uint32_t lane = 0; lane < count; lane++) {
        lane_coordinate(&sums[lane].x, x, (int)lane);
        lane_coordinate(&sums[lane].y, y, (int)lane);
        lane_coordinate(&sums[lane].zz, zz, (int)lane);
        lane_coordinate(&sums[lane].zzz, zzz, (int)lane);
        if ((a->infinite >> lane & 1) != 0) {
            xyzz_set_infinity(&sums[lane]);
        }
    }
}

/*
 * sums[i] = the sum of 2^(c*j + l) * parts[i][j*count + l] over all j < modules and l < count <= c, for
 * msms <= FPV_LANES MSMs. 0 where that is left to scalar code: nothing is written then.
 */
SUMAC_LONG_FN int lanes_combine(xyzz *sums, const xyzz *const parts[FPV_LANES], uint32_t msms,
                                uint32_t modules, uint32_t count, uint32_t c)
{
    xyzz_lanes sum;
    fev factor;
    fe scalar_one;
    fe_set_one(&scalar_one);
    lanes_constant(&factor, 2); /* S*S/R */
    fev_set_zero(&sum.x);
    fev_set_zero(&sum.y);
    fev_set_zero(&sum.zz);
    fev_set_zero(&sum.zzz);
    sum.infinite = 0xffff;
    for (uint32_t j = modules; j-- > 0;) {
        uint32_t position = c;
        for (uint32_t l = count; l-- > 0;) {
            affine_lanes point;
            uint32_t absent;
            if (!parts_load(&point, &absent, parts, (uint64_t)j * count + l, &factor, &scalar_one)) {
                return 0;
            }
            for (; position > l; position--) {
                if (sum.infinite != 0xffff && !xyzz_lanes_double(&sum)) {
                    return 0;
                }
            }
            if (absent != 0xffff && !xyzz_lanes_add(&sum, &point, absent)) {
                return 0;
            }
        }
    }
    lanes_constant(&factor, 0);
    xyzz_lanes_store(sums, msms, &sum, &factor);
    return 1;
}

#endif
