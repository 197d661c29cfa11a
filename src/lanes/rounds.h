/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file does a round of pairwise affine additions in lanes, with one inversion for all (Montgomery's trick):
 *
 *   forwards   over the pairs of rows k: d_k = x2 - x1;  products[k] = C_(k-1);  C_k = C_(k-1) (*) d_k
 *   one inversion for the sixteen lanes' last products gives J_last
 *   backwards  1/d_k ~ J_k (*) C_(k-1);  J_(k-1) = J_k (*) d_k;  slope, x3, y3
 *
 * where a (*) b = a*b/S. Elements have the factor R, not S, and with J_k = s*S/C_k the chain gives
 *   J_k (*) C_(k-1) = s*S/D,   slope = s*(y2 - y1)/(x2 - x1),   J_(k-1) = s*S/C_(k-1)
 * for D = d_k as stored. With s^2 = R*S the square of the slope is slope (*) slope = R*(..)^2, as required, and
 * the other product is slope (*) (2^SLOPE_SHIFT * (x1 - x3)) with 2^SLOPE_SHIFT = S/s. So the different radix
 * costs one shift per addition, and no element is ever converted.
 *
 * Bundles are halved in place: in a bundle of height h, row r + ceil(h/2) is added to row r, r < floor(h/2); lanes
 * whose piece is shorter hold infinity in the rows above it.
 */
#ifndef SUMAC_LANES_ROUNDS_H
#define SUMAC_LANES_ROUNDS_H

#include "lanes/schedule.h"

/* For each pair of rows, a word has two masks of the lanes whose addition is not plain. In these lanes d is chosen so
   that it is not 0. */
#define SPECIAL_KEEP(word) ((word)&0xffff)  /* the sum is what the first row holds; d = 1 */
#define SPECIAL_DOUBLE(word) ((word) >> 16) /* the points are the same; d = 2*y1 */

/* This is R*2^(3*SLOPE_SHIFT) mod p, for chain_invert. */
SUMAC_FN void chain_constant(fp *r)
{
    fp_set_one(r);
    for (int i = 0; i < 3 * SLOPE_SHIFT; i++) {
        fp_double(r, r);
    }
}

/* Exchange the partners of a butterfly: lane i of r is lane (i xor distance) of a; distance is 1, 2, 4 or 8. */
SUMAC_FN void fpv_exchange(fpv *r, const fpv *a, int distance)
{
    fpv result;
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            result.d[v][i] = distance < VEC_LANES ? vec_exchange(a->d[v][i], distance)
                                                  : a->d[v ^ (distance / VEC_LANES)][i];
        }
    }
    *r = result;
}

/*
 * Replace C_last by J_last in `chain`, lane by lane: with T the product of all lanes, J = (s*S/T) (*) (the other
 * lanes' product). T has 15 operations (*) and the others' product 14, so that the factors S cancel. fe_inv(T) is R^2/T,
 * and s*S/R^2 = R*2^(3*SLOPE_SHIFT)/R, as S = R*2^(2*SLOPE_SHIFT) and s = R*2^SLOPE_SHIFT; so the inverse is
 * multiplied by `constant` = R*2^(3*SLOPE_SHIFT) mod p with fp_mul.
 */
SUMAC_BIG_FN void chain_invert(fev *chain, const fp *constant)
{
    fev total = *chain, others, partner;
    uint64_t limbs[FE_DEGREE * FP_LIMBS][FPV_LANES];
    fe inverse;
    for (int distance = 1; distance < FPV_LANES; distance *= 2) {
        SUMAC_UNROLL
        for (int part = 0; part < FE_DEGREE; part++) {
            fpv_exchange(&partner.c[part], &total.c[part], distance);
        }
        if (distance == 1) {
            others = partner;
        } else {
            fev_mul(&others, &others, &partner);
        }
        fev_mul(&total, &total, &partner);
    }
    fev_settle(&total, &total);
    fev_canonical(&total, &total);
    lanes_to_limbs(limbs, &total);
    lane_coordinate(&inverse, limbs, 0);
    fe_inv(&inverse, &inverse);
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fp *component = (fp *)(void *)((char *)&inverse + (size_t)part * sizeof(fp));
        fp_mul(component, component, constant);
    }
    fev_broadcast(&partner, &inverse);
    fev_mul(chain, &others, &partner);
}

/* Return the lanes in which x1 or x2 may be 0 or both may be equal, judged by one digit; d = x2 - x1 + 2p is below 4. */
SUMAC_FN uint32_t pair_suspicious_lanes(const fev *x1, const fev *x2, const fev *d)
{
    const uint64_t p = fpv_modulus_digit(0);
    uint32_t lanes = 0;
    for (int v = 0; v < FPV_VECTORS; v++) {
        const vec a = x1->c[0].d[v][0], b = x2->c[0].d[v][0], e = d->c[0].d[v][0];
        const uint32_t zero = vec_zero_lanes(a) | vec_zero_lanes(b);
        const uint32_t equal = vec_equal_lanes(e, vec_broadcast(p)) |
                               vec_equal_lanes(e, vec_broadcast(2 * p & FPV_MASK)) |
                               vec_equal_lanes(e, vec_broadcast(3 * p & FPV_MASK));
        lanes |= (zero | equal) << (VEC_LANES * v);
    }
    return lanes;
}

SUMAC_FN uint32_t affine_lanes_infinite(const affine_lanes *a)
{
    return fev_zero_lanes(&a->x) & fev_zero_lanes(&a->y);
}

/*
 * Find the exact lanes that are no plain addition, and set their d. If the sum is neither the first point nor a doubling,
 * it is written to the first point:
 *   P + 0  keep P                   P + P     double, d = 2y
 *   0 + P  keep, with P moved       P + (-P)  keep, with infinity written (also for points of order 2)
 */
SUMAC_BIG_FN uint32_t pair_special(affine_lanes *a, const affine_lanes *b, fev *d, uint32_t suspicious)
{
    fev one, zero, twice;
    fe scalar_one;
    uint32_t keep = affine_lanes_infinite(b);
    uint32_t doubles = 0;
    fe_set_one(&scalar_one);
    fev_broadcast(&one, &scalar_one);
    if ((suspicious & ~keep) != 0) {
        affine_lanes first, second;
        fev_set_zero(&zero);
        fev_canonical(&first.x, &a->x);
        fev_canonical(&first.y, &a->y);
        fev_canonical(&second.x, &b->x);
        fev_canonical(&second.y, &b->y);
        const uint32_t first_infinite = affine_lanes_infinite(&first);
        const uint32_t second_infinite = affine_lanes_infinite(&second);
        const uint32_t finite = ~(first_infinite | second_infinite);
        fev_linear(&twice, &first.y, 2, 0);
        const uint32_t same_x = finite & fev_equal_lanes(&first.x, &second.x);
        doubles = same_x & fev_equal_lanes(&first.y, &second.y) & ~fev_zero_lanes(&first.y);
        const uint32_t cancels = same_x & ~doubles;
        const uint32_t moves = first_infinite & ~second_infinite;
        fev_cmov(&a->x, &b->x, moves);
        fev_cmov(&a->y, &b->y, moves);
        fev_cmov(&a->x, &zero, cancels);
        fev_cmov(&a->y, &zero, cancels);
        fev_cmov(d, &twice, doubles);
        keep = first_infinite | second_infinite | cancels;
    }
    fev_cmov(d, &one, keep);
    return keep | doubles << 16;
}

/* Do one pair of the forward half. The x of row b becomes d, because x2 is not needed afterwards. */
FPV_INLINE void pair_product(affine_lanes *a, affine_lanes *b, fev *product, uint32_t *special, fev *chain)
{
    fev d;
    fev_sub(&d, &b->x, &a->x);
    const uint32_t suspicious = pair_suspicious_lanes(&a->x, &b->x, &d);
    *special = SUMAC_UNLIKELY(suspicious != 0) ? pair_special(a, b, &d, suspicious) : 0;
    fev_copy(&b->x, &d);
    fev_copy(product, chain);
    fev_mul(chain, &d, chain);
}

/* x3 = slope^2 - x1 - x2 = slope^2 - (2*x1 + d - 2p), where d = x2 - x1 + 2p. The subtrahend 2*x1 + d lies in [2p, 6p),
 * and the square is below 3 (it may be negative by less than 2^-20*p), so that the offset is 7. */
SUMAC_BIG_FN void pair_x(fev *x3, const fev *slope, const fev *x1, const fev *d)
{
    fev less;
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                const vec twice = vec_shift_left(x1->c[part].d[v][i], 1);
                less.c[part].d[v][i] = vec_add(twice, d->c[part].d[v][i]);
            }
        }
    }
    fev_sqr_less(x3, slope, &less, 7);
}

/* y3 = slope*(x1 - x3) - y1. The product is below 5, over Fp2 in [-p, 4p): see fev.h; y1 is below 2. */
SUMAC_BIG_FN void pair_y(fev *y3, const fev *slope, const fev *x_difference, const fev *y1)
{
    fev_mul_less(y3, x_difference, slope, y1, FE_DEGREE == 2 ? 4 : 3);
}

/* Set the slope's numerator of doublings to 3*x1^2, below 2: (2^(2*SLOPE_SHIFT)*x1) (*) x1 has the factor R^2 * S/R / S
 * = R. In all special lanes set d to x2 - x1 + 2p with x1 for x2, which keeps pair_x within its bounds. */
SUMAC_BIG_FN void pair_special_slope(fev *numerator, fev *d, const fev *x1, uint32_t special)
{
    fev square, shifted;
    fev_canonical(&square, x1);
    fev_shift_left(&shifted, &square, SLOPE_SHIFT); /* together they may be more than a digit */
    fev_shift_left(&shifted, &shifted, SLOPE_SHIFT);
    fev_mul(&square, &shifted, &square);
    fev_settle(&square, &square);
    fev_linear(&square, &square, 3, 0);
    fev_settle(&square, &square);
    fev_cmov(numerator, &square, SPECIAL_DOUBLE(special));
    fev_set_zero(&square);
    fev_linear(&square, &square, 1, 2);
    fev_cmov(d, &square, SPECIAL_DOUBLE(special) | SPECIAL_KEEP(special));
}

/* Do the backward half of one pair. Row b has d and y2. Compute the slope and, in special lanes, another d. Then row a
 * becomes the sum. */
FPV_INLINE void pair_slope(fev *slope, const affine_lanes *a, affine_lanes *b, const fev *product,
                           uint32_t special, fev *chain)
{
    fev numerator;
    fev_mul(slope, product, chain);
    fev_mul(chain, &b->x, chain);
    fev_sub_operand(&numerator, &b->y, &a->y);
    if (SUMAC_UNLIKELY(special != 0)) {
        pair_special_slope(&numerator, &b->x, &a->x, special);
    }
    fev_mul(slope, &numerator, slope);
}

FPV_INLINE void pair_finish(affine_lanes *a, const affine_lanes *b, const fev *slope, uint32_t special)
{
    fev x3, y3, difference;
    pair_x(&x3, slope, &a->x, &b->x);
    fev_sub_shift(&difference, &a->x, &x3);
    pair_y(&y3, slope, &difference, &a->y);
    if (SUMAC_UNLIKELY(special != 0)) {
        fev_cmov(&x3, &a->x, SPECIAL_KEEP(special));
        fev_cmov(&y3, &a->y, SPECIAL_KEEP(special));
    }
    fev_copy(&a->x, &x3);
    fev_copy(&a->y, &y3);
}

/* Do the backward half of a round over the bundles, and set their heights to those of the next round. */
SUMAC_LONG_FN void round_sums(const lanes_scratch *scratch, uint32_t bundles, uint32_t pairs, fev *chain)
{
    uint32_t k = pairs;
    for (uint32_t b = bundles; b-- > 0;) {
        lane_bundle *bundle = &scratch->bundles[b];
        const uint32_t half = (bundle->height + 1) / 2;
        affine_lanes *rows = scratch->rows + bundle->first_row;
        for (uint32_t r = bundle->height / 2; r-- > 0;) {
            k--;
            fev slope;
            pair_slope(&slope, &rows[r], &rows[r + half], &scratch->products[k], scratch->special[k], chain);
            pair_finish(&rows[r], &rows[r + half], &slope, scratch->special[k]);
        }
        bundle->height = half;
    }
}

/* Do the forward half of a round; return the number of pairs. */
SUMAC_LONG_FN uint32_t round_products(const lanes_scratch *scratch, uint32_t bundles, fev *chain)
{
    uint32_t k = 0;
    for (uint32_t b = 0; b < bundles; b++) {
        const lane_bundle *bundle = &scratch->bundles[b];
        const uint32_t half = (bundle->height + 1) / 2;
        affine_lanes *rows = scratch->rows + bundle->first_row;
        for (uint32_t r = 0; r < bundle->height / 2; r++, k++) {
            pair_product(&rows[r], &rows[r + half], &scratch->products[k], &scratch->special[k], chain);
        }
    }
    return k;
}

#endif
