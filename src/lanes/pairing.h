/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes parts of the pairing of math/pairing.h in lanes: the steps of T and their lines, the Miller loops of
 * many pairs as one product in Fp12, and the hard part of the final exponentiation. fp12.h has the bounds.
 */
#ifndef SUMAC_LANES_PAIRING_H
#define SUMAC_LANES_PAIRING_H

#include "math/pairing.h"

#include "lanes/fp12.h"

#ifdef SUMAC_PAIRING_LANES

/* ---- the Miller loop ---- */

/* The coefficients of a line are its constant, its numerator times -xP, and its denominator times yP. */
enum { LINE_CONSTANT, LINE_NUMERATOR, LINE_DENOMINATOR, LINE_COEFFICIENTS };

/* f = f * line. `line` points to the coefficients in lanes of factors below FP12_LANES_BOUND. f below 2: (-2, 6). Out:
 * below 4. */
SUMAC_BIG_FN void fp12_lanes_mul_line(fpv *f, const uint64_t *const line[LINE_COEFFICIENTS])
{
#if CURVE_TWIST_M
    enum { W_CONSTANT = 0, W_NUMERATOR = 2, W_DENOMINATOR = 3 }; /* these powers of w have the coefficients */
#else
    enum { W_CONSTANT = 3, W_NUMERATOR = 1, W_DENOMINATOR = 0 };
#endif
    fp12_rotations rotations;
    const uint64_t *const right[LINE_COEFFICIENTS] = {&rotations.d[0][0][6 - W_CONSTANT],
                                                      &rotations.d[0][0][6 - W_NUMERATOR],
                                                      &rotations.d[0][0][6 - W_DENOMINATOR]};
    fp12_lanes_rotate(&rotations, f, FP12_LANES_BOUND);
    fp12_lanes_sum(f, line, right, LINE_COEFFICIENTS, FP12_ONE, 16);
    fp12_lanes_finish(f, f, 1);
    SUMAC_VERIFY_CHECK(fpv_is_below(f, 4));
}

/*
 * The steps of math/pairing.h take few products one after another, because the products of one step lie side by side.
 * Coordinates have the factor S. Besides X, Y and Z there is W = 3b'*Z, by which 3b'*Z^2 is a product like others. In
 * `now` T has the lanes below, and the last step's line has the lanes 5 to 7, all below 2. In the fixed factors lanes 0 to
 * 3 have x and y of Q, or -Q, twice, and 5 to 7 have -xP, yP and 1.
 */
typedef struct {
    fp12_factor now, plus, minus;
} pairing_lanes_state;

enum {
    LANE_X = 0,
    LANE_Y = 1,
    LANE_Z = 3,
    LANE_W = 4,
    LANE_NUMERATOR = 5,
    LANE_DENOMINATOR = 6,
    LANE_CONSTANT = 7
};
enum { LINE_LANES = 0xe0, BITS_X = 1, BITS_Y = 2, BITS_SLOPE = 3 };

/* Set lane i of r to lane lanes[i] of a. */
FPV_INLINE void fp12_factor_permute(fp12_factor *r, const fp12_factor *a, vec lanes)
{
    for (int part = 0; part < 3; part++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[part][i] = _mm512_permutexvar_epi64(lanes, a->d[part][i]);
        }
    }
}

/* r = a in the lanes of the mask. */
FPV_INLINE void fp12_factor_blend(fp12_factor *r, __mmask8 lanes, const fp12_factor *a)
{
    for (int part = 0; part < 3; part++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[part][i] = _mm512_mask_mov_epi64(r->d[part][i], lanes, a->d[part][i]);
        }
    }
}

/* End a step by its columns. */
FPV_INLINE void pairing_lanes_end_step(pairing_lanes_state *s, fpv *columns)
{
    fp12_lanes_fold(columns);
    fp12_factor_set(&s->now, columns);
}

/*
 * The factors of pairing_lanes_double(), from the products B = Y^2, E = Z*W and others, which are below 2 + 1/8 and not
 * below -1/8.
 *   lane    0       1       2   3    4    5      6     7
 *   left    2XY     B + 3E  E   B    B    3X^2   2YZ   B - E    and 3p: (0, 12)
 *   right   B - 3E  B + 3E  E   YZ   YW   -xP    yP    1        and 7p, in lanes 0 to 4: (0, 16)
 */
SUMAC_FN void pairing_lanes_double_factors(fp12_factor *left, fp12_factor *right, const fpv *products,
                                           const fp12_factor *fixed)
{
    enum { XY, YY, ZW, YZ, XX, YW };
    enum { ONCE_MORE = 0x43, TWICE_MORE = 0x22, MINUS = 0x80 };
    const vec first = _mm512_setr_epi64(XY, YY, ZW, YY, YY, XX, YZ, YY);
    const vec added = _mm512_setr_epi64(XY, ZW, ZW, ZW, ZW, XX, YZ, ZW);
    const vec second = _mm512_setr_epi64(YY, YY, ZW, YZ, YW, YW, YW, YW);
    const vec all_e = _mm512_set1_epi64(ZW);
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec x = products->d[v][i];
            const vec a = _mm512_permutexvar_epi64(added, x), e = _mm512_permutexvar_epi64(all_e, x);
            const vec e3 = vec_add(vec_add(e, e), e);
            vec l = _mm512_permutexvar_epi64(first, x), r = _mm512_permutexvar_epi64(second, x);
            l = lanes_add_in(ONCE_MORE, l, a);
            l = lanes_add_in(TWICE_MORE, l, vec_add(a, a));
            l = lanes_sub_in(MINUS, l, a);
            left->d[v][i] = vec_add(l, vec_broadcast(3 * fpv_modulus_digit(i)));
            r = lanes_sub_in(BITS_X, r, e3);
            right->d[v][i] = vec_add(lanes_add_in(BITS_Y, r, e3), vec_broadcast(7 * fpv_modulus_digit(i)));
        }
    }
    fp12_factor_carry(left, 0);
    fp12_factor_carry(right, 0);
    fp12_factor_blend(right, LINE_LANES, fixed);
}

/*
 * Set T to 2*T and compute the tangent, as pairing_double() with T multiplied by 4: by two products in lanes,
 *   X' = 2XY*(B - 3E)   Y' = (B + 3E)^2 - 12*E^2   Z' = 8*B*YZ   W' = 8*B*YW,
 * which lie in (-41, 27) before they are folded.
 */
SUMAC_BIG_FN void pairing_lanes_double(pairing_lanes_state *s)
{
    const vec shifts = _mm512_setr_epi64(0, 0, 0, 3, 3, 0, 0, 0), all_ee = _mm512_set1_epi64(2);
    fp12_factor left, right;
    fpv products;
    fp12_factor_permute(&left, &s->now,
                        _mm512_setr_epi64(LANE_X, LANE_Y, LANE_Z, LANE_Y, LANE_X, LANE_Y, 0, 0));
    fp12_factor_permute(&right, &s->now,
                        _mm512_setr_epi64(LANE_Y, LANE_Y, LANE_W, LANE_Z, LANE_X, LANE_W, 0, 0));
    fp2_lanes_product(&products, &left, &right);
    pairing_lanes_double_factors(&left, &right, &products, &s->plus);
    fp2_lanes_product(&products, &left, &right);
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec x = products.d[v][i];
            const vec e4 = vec_shift_left(_mm512_permutexvar_epi64(all_ee, x), 2);
            const vec e12 = vec_add(vec_add(e4, e4), e4);
            products.d[v][i] = lanes_sub_in(BITS_Y, _mm512_sllv_epi64(x, shifts), e12);
        }
    }
    pairing_lanes_end_step(s, &products);
}

/*
 * Set T to T + Q for the Q of `fixed`, and compute the line, as pairing_add(), by four products in lanes. The lanes of the
 * factors, and the multiples of p that are added to them, are
 *   lane     0        1        2     3    4    5     6    7
 *   first    Z*x      Z*y      Y*x   X*y
 *   second   D*D      N*N                      N*-xP D*yP (Y*x - X*y)*1      D = X - Z*x and N = Y - Z*y, and 3p: (0, 6)
 *   third    D*E      X*E      Z*N^2                                         E = D^2, N^2, and p: (0, 5)
 *   fourth   D*H      N*(G-H)  Y*F   Z*F  W*F                                F, H, G - H, and 7p: (0, 15)
 * with F = D*E, G = X*E and H = F + Z*N^2 - 2G. X' = D*H, Y' = N*(G - H) - Y*F, Z' and W' lie in (-4, 6) before they are
 * folded.
 */
SUMAC_BIG_FN void pairing_lanes_add(pairing_lanes_state *s, const fp12_factor *fixed)
{
    const fp12_factor *const now = &s->now;
    fp12_factor slope, left, right;
    fpv products, line;
    fp12_factor_permute(&left, now, _mm512_setr_epi64(LANE_Z, LANE_Z, LANE_Y, LANE_X, 0, 0, 0, 0));
    fp2_lanes_product(&products, &left, fixed);
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec x = products.d[v][i];
            vec own = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 0, 1, 0, 1, 0, 0), now->d[v][i]);
            own = _mm512_mask_permutexvar_epi64(own, 1 << LANE_CONSTANT, _mm512_set1_epi64(2), x);
            own = vec_sub(own, _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 0, 1, 0, 1, 0, 3), x));
            slope.d[v][i] = vec_add(own, vec_broadcast(3 * fpv_modulus_digit(i)));
        }
    }
    fp12_factor_carry(&slope, 0);
    right = slope;
    fp12_factor_blend(&right, LINE_LANES, fixed);
    fp2_lanes_product(&line, &slope, &right);
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            right.d[v][i] = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 1, 0, 0, 0, 0, 0), line.d[v][i]);
        }
    }
    fp12_factor_carry(&right, 1);
    fp12_factor_permute(&left, now, _mm512_setr_epi64(0, LANE_X, LANE_Z, 0, 0, 0, 0, 0));
    fp12_factor_blend(&left, BITS_X, &slope);
    fp2_lanes_product(&products, &left, &right);
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec x = products.d[v][i];
            const vec f = _mm512_permutexvar_epi64(vec_zero(), x);
            const vec g = _mm512_permutexvar_epi64(_mm512_set1_epi64(1), x);
            const vec h =
                vec_sub(vec_add(f, _mm512_permutexvar_epi64(_mm512_set1_epi64(2), x)), vec_add(g, g));
            const vec all = _mm512_mask_sub_epi64(_mm512_mask_mov_epi64(f, BITS_X, h), BITS_Y, g, h);
            right.d[v][i] = all;
        }
    }
    fp12_factor_carry(&right, 7);
    fp12_factor_permute(&left, now, _mm512_setr_epi64(0, 0, LANE_Y, LANE_Z, LANE_W, 0, 0, 0));
    fp12_factor_blend(&left, BITS_SLOPE, &slope);
    fp2_lanes_product(&products, &left, &right);
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec x = products.d[v][i];
            const vec sum = lanes_sub_in(BITS_Y, x, _mm512_permutexvar_epi64(_mm512_set1_epi64(2), x));
            products.d[v][i] = _mm512_mask_mov_epi64(sum, LINE_LANES, line.d[v][i]);
        }
    }
    pairing_lanes_end_step(s, &products);
}

/* Set the lanes of a fixed factor for the point (x, y). */
SUMAC_LONG_FN void pairing_lanes_fix(fp12_factor *fixed, const fp2 *x, const fp2 *y, const pairing_state *s,
                                     const fp *to_lanes)
{
    fp2 lanes[8];
    fpv loaded;
    for (int i = 0; i < 8; i++) {
        fp2_set_zero(&lanes[i]);
    }
    fe_mul_fp(&lanes[0], x, to_lanes);
    fe_mul_fp(&lanes[1], y, to_lanes);
    lanes[2] = lanes[0];
    lanes[3] = lanes[1];
    lanes[LANE_NUMERATOR].c0 = s->minus_px;
    lanes[LANE_DENOMINATOR].c0 = s->py;
    fp_set_one(&lanes[LANE_CONSTANT].c0);
    fp_mul(&lanes[LANE_CONSTANT].c0, &lanes[LANE_CONSTANT].c0, to_lanes);
    fp2_lanes_load(&loaded, lanes, 1);
    fp12_factor_set(fixed, &loaded);
}

/* Begin with T = Q. minus_px and py of the state have the factor S. */
SUMAC_LONG_FN void pairing_lanes_begin(pairing_lanes_state *lanes, const pairing_state *s, const fp *to_lanes)
{
    fp2 point[8], minus_y;
    fpv loaded;
    for (int i = 0; i < 8; i++) {
        fp2_set_zero(&point[i]);
    }
    fp2_set_one(&point[LANE_Z]);
    pairing_mul_3b(&point[LANE_W], &point[LANE_Z]);
    point[LANE_X] = s->q.x;
    point[LANE_Y] = s->q.y;
    for (int i = 0; i <= LANE_W; i++) {
        fe_mul_fp(&point[i], &point[i], to_lanes);
    }
    fp2_lanes_load(&loaded, point, 1);
    fp12_factor_set(&lanes->now, &loaded);
    fp2_neg(&minus_y, &s->q.y);
    pairing_lanes_fix(&lanes->plus, &s->q.x, &s->q.y, s, to_lanes);
    pairing_lanes_fix(&lanes->minus, &s->q.x, &minus_y, s, to_lanes);
}

SUMAC_FN void pairing_lanes_take_step(pairing_lanes_state *lanes, pairing_state *s, pairing_step step,
                                      const fp *to_lanes)
{
    if (step == PAIRING_DOUBLE) {
        pairing_lanes_double(lanes);
        return;
    }
#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BN
    if (step == PAIRING_ADD_IMAGE || step == PAIRING_SUBTRACT_IMAGE) {
        fp2 minus_y;
        pairing_frobenius(&s->q);
        fp2_neg(&minus_y, &s->q.y);
        pairing_lanes_fix(&lanes->plus, &s->q.x, step == PAIRING_ADD_IMAGE ? &s->q.y : &minus_y, s, to_lanes);
        pairing_lanes_add(lanes, &lanes->plus);
        return;
    }
#else
    (void)s, (void)to_lanes;
#endif
    pairing_lanes_add(lanes, step == PAIRING_ADD ? &lanes->plus : &lanes->minus);
}

enum {
    PAIRING_LANES_STEPS = 8
}; /* the prepared lines of this many steps are computed together, one in each lane */

typedef struct {
    fp12_factor coefficients[LINE_COEFFICIENTS];
} pairing_lanes_lines;

/* Compute the next lines of prepared slopes, `count` of them, at most PAIRING_LANES_STEPS, in the lanes from 0 on. minus_px
 * and py of the state have the factor S, so that all coefficients of a line have the factor R. */
SUMAC_LONG_FN void pairing_lanes_prepared(pairing_lanes_lines *lines, pairing_state *s, int count)
{
    const int stride = sizeof(pairing_slope) / sizeof(fp2);
    pairing_slope slopes[PAIRING_LANES_STEPS] = {0};
    fp2 coordinate;
    fpv slope, at;
    for (int i = 0; i < count; i++) {
        slopes[i] = *s->next++;
    }
    fp2_set_zero(&coordinate);
    fp2_lanes_load(&slope, &slopes->constant, stride);
    fp12_factor_set(&lines->coefficients[LINE_CONSTANT], &slope);
    coordinate.c0 = s->minus_px;
    fp2_lanes_load(&at, &coordinate, 0);
    fp2_lanes_load(&slope, &slopes->numerator, stride);
    fp2_lanes_mul(&slope, &slope, &at);
    fp12_factor_set(&lines->coefficients[LINE_NUMERATOR], &slope);
    coordinate.c0 = s->py;
    fp2_lanes_load(&at, &coordinate, 0);
    fp2_lanes_load(&slope, &slopes->denominator, stride);
    fp2_lanes_mul(&slope, &slope, &at);
    fp12_factor_set(&lines->coefficients[LINE_DENOMINATOR], &slope);
}

/* A pair has prepared lines, or a point from which they are computed. */
typedef union {
    pairing_lanes_state state;
    pairing_lanes_lines lines;
} pairing_lanes_pair;

typedef struct {
    pairing_lanes_pair lanes[PAIRING_BLOCK];
    pairing_scratch pairs;
} pairing_lanes_scratch;

/* Compute the line of a pair's step, and multiply f by it. `index` counts steps. */
SUMAC_LONG_FN void pairing_lanes_multiply(fpv *f, pairing_lanes_pair *lanes, pairing_state *s,
                                          pairing_step step, int index, int rest, const fp *to_lanes)
{
    const uint64_t *line[LINE_COEFFICIENTS];
    if (s->next != NULL) {
        const int lane = index % PAIRING_LANES_STEPS;
        if (lane == 0) {
            pairing_lanes_prepared(&lanes->lines, s, rest < PAIRING_LANES_STEPS ? rest : PAIRING_LANES_STEPS);
        }
        for (int i = 0; i < LINE_COEFFICIENTS; i++) {
            line[i] = fp12_factor_words(&lanes->lines.coefficients[i]) + lane;
        }
    } else {
        const uint64_t *const words = fp12_factor_words(&lanes->state.now);
        pairing_lanes_take_step(&lanes->state, s, step, to_lanes);
        line[LINE_CONSTANT] = words + LANE_CONSTANT;
        line[LINE_NUMERATOR] = words + LANE_NUMERATOR;
        line[LINE_DENOMINATOR] = words + LANE_DENOMINATOR;
    }
    fp12_lanes_mul_line(f, line);
}

/* Compute pairing_miller_loops(), times any factor from Fp. */
SUMAC_BIG_FN void pairing_lanes_miller_loops(fp12 *f, const pairing_pairs *pairs,
                                             pairing_lanes_scratch *scratch)
{
    pairing_state *const states = scratch->pairs.states;
    pairing_step steps[PAIRING_MOST_STEPS];
    const int count = pairing_steps(steps);
    const size_t n = pairing_begin(states, pairs, count);
    fp to_lanes, from_lanes;
    fpv value;
    fp12_set_one(f);
    if (n == 0) {
        return;
    }
    fp12_lanes_factors(&to_lanes, &from_lanes);
    for (size_t i = 0; i < n; i++) {
        fp_mul(&states[i].minus_px, &states[i].minus_px, &to_lanes);
        fp_mul(&states[i].py, &states[i].py, &to_lanes);
        if (states[i].next == NULL) {
            pairing_lanes_begin(&scratch->lanes[i].state, &states[i], &to_lanes);
        }
    }
    fp12_lanes_load(&value, f, &to_lanes);
    for (int index = 0; index < count; index++) {
        if (index > 0 && steps[index] == PAIRING_DOUBLE) {
            fp12_lanes_sqr(&value, &value);
        }
        for (size_t i = 0; i < n; i++) {
            pairing_lanes_multiply(&value, &scratch->lanes[i], &states[i], steps[index], index, count - index,
                                   &to_lanes);
        }
    }
    fp12_lanes_store(f, &value, &from_lanes);
    pairing_finish_loop(f);
}

/* ---- the final exponentiation ---- */

/* r = a^x for a of the cyclotomic subgroup; r is not a. */
SUMAC_BIG_FN void pairing_lanes_pow_x(fpv *r, const fpv *a)
{
    fp12_rotations powers[CURVE_PAIRING_X_POWERS], inverses[CURVE_PAIRING_X_POWERS];
    fpv power, inverse, square;
    SUMAC_VERIFY_CHECK(pairing_x[0] == 1);
    fp12_lanes_cyclotomic_sqr(&square, a);
    fpv_copy(&power, a);
    fpv_copy(r, a);
    for (int i = 0; i < CURVE_PAIRING_X_POWERS; i++) {
        fp12_lanes_rotate(&powers[i], &power, FP12_LANES_BOUND);
        fp12_lanes_conjugate(&inverse, &power);
        fp12_lanes_rotate(&inverses[i], &inverse, FP12_LANES_BOUND);
        if (i + 1 < CURVE_PAIRING_X_POWERS) {
            fp12_lanes_mul_rotations(&power, &square, &powers[i]);
        }
    }
    for (int i = 1; i < CURVE_PAIRING_X_DIGITS; i++) {
        const int digit = pairing_x[i];
        fp12_lanes_cyclotomic_sqr(r, r);
        if (digit != 0) {
            fp12_lanes_mul_rotations(r, r, digit > 0 ? &powers[digit / 2] : &inverses[-digit / 2]);
        }
    }
#if CURVE_PAIRING_X_NEGATIVE
    fp12_lanes_conjugate(r, r);
#endif
}

/* Compute pairing_hard_part() by its steps. */
SUMAC_BIG_FN void pairing_lanes_hard_part(fp12 *r, const fp12 *a)
{
    fp to_lanes, from_lanes;
    fpv value, power, next;
    fp12_lanes_factors(&to_lanes, &from_lanes);
    fp12_lanes_load(&power, a, &to_lanes);
#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BLS12
    fpv square;
    fp12_lanes_cyclotomic_sqr(&value, &power);
    fp12_lanes_mul(&value, &value, &power);
    for (int i = 0; i < 2; i++) { /* to the x - 1 */
        pairing_lanes_pow_x(&next, &power);
        fp12_lanes_conjugate(&power, &power);
        fp12_lanes_mul(&power, &power, &next);
    }
    pairing_lanes_pow_x(&next, &power); /* to the x + p */
    fp12_lanes_frobenius(&power, &power, &to_lanes);
    fp12_lanes_mul(&power, &power, &next);
    pairing_lanes_pow_x(&square, &power); /* to the x^2 + p^2 - 1 */
    pairing_lanes_pow_x(&next, &square);
    fp12_lanes_mul(&value, &value, &next);
    fp12_lanes_frobenius_2(&next, &power, &to_lanes);
    fp12_lanes_mul(&value, &value, &next);
    fp12_lanes_conjugate(&power, &power);
    fp12_lanes_mul(&value, &value, &power);
#else
    fpv base, x2, x6, part_a, part_b;
    fpv_copy(&base, &power);
    pairing_lanes_pow_x(&x2, &base);
    fp12_lanes_cyclotomic_sqr(&x2, &x2); /* 2x */
    fp12_lanes_cyclotomic_sqr(&x6, &x2);
    fp12_lanes_mul(&x6, &x6, &x2);         /* 6x */
    pairing_lanes_pow_x(&power, &x6);      /* 6x^2 */
    fp12_lanes_mul(&value, &base, &power); /* 6x^2 + 1 */
    fp12_lanes_mul(&part_a, &x6, &power);
    fp12_lanes_cyclotomic_sqr(&power, &power);
    pairing_lanes_pow_x(&next, &power); /* 12x^3 */
    fp12_lanes_mul(&part_a, &part_a, &next);
    fp12_lanes_conjugate(&x2, &x2);
    fp12_lanes_mul(&part_b, &part_a, &x2);
    fp12_lanes_mul(&value, &value, &part_a);
    fp12_lanes_frobenius(&power, &part_b, &to_lanes);
    fp12_lanes_mul(&value, &value, &power);
    fp12_lanes_frobenius_2(&power, &part_a, &to_lanes);
    fp12_lanes_mul(&value, &value, &power);
    fp12_lanes_conjugate(&power, &base);
    fp12_lanes_mul(&power, &power, &part_b);
    fp12_lanes_frobenius(&power, &power, &to_lanes);
    fp12_lanes_frobenius_2(&power, &power, &to_lanes);
    fp12_lanes_mul(&value, &value, &power);
#endif
    fp12_lanes_store(r, &value, &from_lanes);
}

#endif

#endif
