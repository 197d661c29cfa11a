/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * If Fp12 is computed in lanes, this file computes parts of the pairing of math/pairing.h in lanes: the Miller loops of
 * many pairs as one product in Fp12, and the hard part of the final exponentiation. fp12.h has the bounds.
 */
#ifndef SUMAC_LANES_PAIRING_H
#define SUMAC_LANES_PAIRING_H

#include "math/pairing.h"

#include "lanes/fp12.h"

#ifdef SUMAC_PAIRING_LANES

/* ---- the Miller loop ---- */

/* These are eight lines at P, one in each lane. A line is a + b*w^2 + c*w^3. */
typedef struct {
    fpv a, b, c;
} pairing_lines;

/* f = f * line `lane`. Out: below 4. */
SUMAC_BIG_FN void fp12_lanes_mul_line(fpv *f, const pairing_lines *lines, int lane)
{
    fp12_rotations rotations;
    const uint64_t *const left[3] = {fp12_lanes_words(&lines->a) + lane, fp12_lanes_words(&lines->b) + lane,
                                     fp12_lanes_words(&lines->c) + lane};
    const uint64_t *const right[3] = {&rotations.d[0][0][6], &rotations.d[0][0][4], &rotations.d[0][0][3]};
    fp12_lanes_rotate(&rotations, f, FP12_LANES_BOUND);
    fp12_lanes_sum(f, left, right, 3, FP12_ONE, 16);
    fp12_lanes_finish(f, f, 1);
    SUMAC_VERIFY_CHECK(fpv_is_below(f, 4));
}

enum { PAIRING_LANES_STEPS = 8 }; /* the lines of this many steps are computed together */

/* Compute the lines of a loop's next steps, at most PAIRING_LANES_STEPS, in the lanes from 0 on. minus_px and py of the
 * state have the factor S, so that all coefficients of a line have the factor R. */
SUMAC_LONG_FN void pairing_lanes_lines(pairing_lines *lines, const pairing_slope *slopes,
                                       const pairing_state *s)
{
    const int stride = sizeof(pairing_slope) / sizeof(fp2);
    fp2 coordinate;
    fpv slope, at;
    fp2_set_zero(&coordinate);
    fp2_lanes_load(&lines->a, &slopes->constant, stride);
    coordinate.c0 = s->minus_px;
    fp2_lanes_load(&at, &coordinate, 0);
    fp2_lanes_load(&slope, &slopes->numerator, stride);
    fp2_lanes_mul(&lines->b, &slope, &at);
    coordinate.c0 = s->py;
    fp2_lanes_load(&at, &coordinate, 0);
    fp2_lanes_load(&slope, &slopes->denominator, stride);
    fp2_lanes_mul(&lines->c, &slope, &at);
}

/* Multiply f by the lines of `count` steps of all pairs. */
SUMAC_LONG_FN void pairing_lanes_take_steps(fpv *f, pairing_lines *lines, pairing_state *states, size_t n,
                                            const pairing_step *steps, int count, int f_is_one)
{
    pairing_slope slopes[PAIRING_LANES_STEPS] = {0};
    for (size_t i = 0; i < n; i++) {
        for (int j = 0; j < count; j++) {
            pairing_take_step(&slopes[j], &states[i], steps[j]);
        }
        pairing_lanes_lines(&lines[i], slopes, &states[i]);
    }
    for (int j = 0; j < count; j++) {
        if (steps[j] == PAIRING_DOUBLE && !(f_is_one && j == 0)) {
            fp12_lanes_sqr(f, f);
        }
        for (size_t i = 0; i < n; i++) {
            fp12_lanes_mul_line(f, &lines[i], j);
        }
    }
}

typedef struct {
    pairing_lines lines[PAIRING_BLOCK];
    pairing_scratch pairs;
} pairing_lanes_scratch;

/* Compute pairing_miller_loops(), times any factor from Fp. */
SUMAC_BIG_FN void pairing_lanes_miller_loops(fp12 *f, const pairing_pairs *pairs,
                                             pairing_lanes_scratch *scratch)
{
    pairing_state *const states = scratch->pairs.states;
    pairing_lines *const lines = scratch->lines;
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
    }
    fp12_lanes_load(&value, f, &to_lanes);
    for (int done = 0; done < count; done += PAIRING_LANES_STEPS) {
        const int rest = count - done;
        pairing_lanes_take_steps(&value, lines, states, n, steps + done,
                                 rest < PAIRING_LANES_STEPS ? rest : PAIRING_LANES_STEPS, done == 0);
    }
    fp12_lanes_store(f, &value, &from_lanes);
    pairing_finish_loop(f);
}

/* ---- the final exponentiation ---- */

/* r = a^x for a of the cyclotomic subgroup; r is not a. */
SUMAC_BIG_FN void pairing_lanes_pow_x(fpv *r, const fpv *a)
{
    fpv_copy(r, a);
    for (int i = 1; i < CURVE_PAIRING_X_DIGITS; i++) {
        fp12_lanes_cyclotomic_sqr(r, r);
        if (pairing_x[i] != 0) {
            fp12_lanes_mul(r, r, a);
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
    fpv cube, power, next, square;
    fp12_lanes_factors(&to_lanes, &from_lanes);
    fp12_lanes_load(&power, a, &to_lanes);
    fp12_lanes_cyclotomic_sqr(&cube, &power);
    fp12_lanes_mul(&cube, &cube, &power);
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
    fp12_lanes_mul(&cube, &cube, &next);
    fp12_lanes_frobenius_2(&next, &power, &to_lanes);
    fp12_lanes_mul(&cube, &cube, &next);
    fp12_lanes_conjugate(&power, &power);
    fp12_lanes_mul(&cube, &cube, &power);
    fp12_lanes_store(r, &cube, &from_lanes);
}

#endif

#endif
