/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes the optimal ate pairing e(P, Q) of a point P of G1 and a point Q of G2, both affine and of order r,
 * for the families BLS12 and BN (Vercauteren 2010), and for BW6-761 (El Housni, Guillevic 2020):
 *
 *   BLS12   f_(x,Q)(P)^e                                         e = 3 * (p^12 - 1)/r
 *   BN      (f_(6x+2,Q)(P) * l1(P) * l2(P))^e                    e = 2x(6x^2 + 3x + 1) * (p^12 - 1)/r
 *   BW6     f_(x+1,Q)(P) * f_(x^3-x^2-x,pi(Q))(P), to the power  e = (x + 1) * (p^6 - 1)/r
 *
 * Here pi is the Frobenius map, l1 is the line through (6x+2)*Q and pi(Q), and l2 is the line through their sum and
 * -pi^2(Q). The chains of the final exponentiation give these multiples of (p^12 - 1)/r. r does not divide their factors
 * 3, 2x(6x^2 + 3x + 1) and x + 1, so the pairing is 1 for the same points as without the factors. The two functions of BW6
 * are computed in one loop, whose digits say when Q and when pi(Q) is added.
 * docs/internals/pairing.md has formulas, sources and costs.
 *
 * Q lies on the twist over Fp2, which has type D or M. The twist is mapped to the curve over Fp12:
 *   D  y^2 = x^3 + b/xi   (x, y) -> (x * w^2, y * w^3)
 *   M  y^2 = x^3 + b*xi   (x, y) -> (x / w^2, y / w^3)
 * Lines are taken on that curve. They are multiplied by factors from Fp2 and by powers of w^3. All these factors lie in
 * Fp4, so the final exponentiation turns them into 1. For BW6 everything is as much smaller as fp12.h says.
 *
 * Bounds, aliasing and costs are as in fp6.h; m is a multiplication of Fp2 by an element of Fp. If a point does not lie
 * in its subgroup, or on its curve, the result means nothing.
 */
#ifndef SUMAC_MATH_PAIRING_H
#define SUMAC_MATH_PAIRING_H

#include "curve.h"
#include "fp12.h"
#include "point.h"

/* This many pairs share their squarings. */
#define PAIRING_BLOCK 32

SUMAC_CONST signed char pairing_x[CURVE_PAIRING_X_DIGITS] = CURVE_PAIRING_X;
SUMAC_CONST signed char pairing_loop[CURVE_PAIRING_LOOP_DIGITS] = CURVE_PAIRING_LOOP;
#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BW6
/* These digits belong to pi(Q), those above to Q. Their first one is 1, and the other first one is 0. */
SUMAC_CONST signed char pairing_image_loop[CURVE_PAIRING_LOOP_DIGITS] = CURVE_PAIRING_IMAGE_LOOP;
SUMAC_CONST signed char pairing_x_third[CURVE_PAIRING_X_THIRD_DIGITS] = CURVE_PAIRING_X_THIRD;
#endif

/* This is a point of G1. As on the twist, (0, 0) is infinity. */
typedef struct pairing_g1 {
    fp x, y;
} pairing_g1;

/* This is a line of the twist, before it is evaluated at a point of G1. Its slope is numerator/denominator, and
 * constant = numerator*x - denominator*y for its points (x, y). */
typedef struct pairing_slope {
    fe numerator, denominator, constant;
} pairing_slope;

/* This is the value of a line. With twist D it is a + b*w + c*w^3, and with M it is a + b*w^2 + c*w^3. */
typedef struct pairing_line {
    fe a, b, c;
} pairing_line;

/* This is the product of two lines. With twist D it is c0 + (c1 + d1*v)*w, and with M it is c0 + (c1 + d1*v)*v*w. */
typedef struct pairing_line_pair {
    fp6 c0;
    fe c1, d1;
} pairing_line_pair;

/* This is the state of one pair in the loop. T = (X/Z, Y/Z), on the twist, is the present multiple of Q. */
typedef struct pairing_state {
    fe x, y, z;
    affine q;
    fp minus_px, py;
    const pairing_slope *next; /* the next prepared line of Q; null: lines are computed from T */
} pairing_state;

/* These steps set T to 2*T, T + Q, T - Q, T + pi(Q) and T - pi(Q). The last two occur only with BN, at the end, where Q is
 * replaced by pi(Q), and with BW6. */
typedef enum pairing_step {
    PAIRING_DOUBLE,
    PAIRING_ADD,
    PAIRING_SUBTRACT,
    PAIRING_ADD_IMAGE,
    PAIRING_SUBTRACT_IMAGE
} pairing_step;

#define PAIRING_MOST_STEPS (2 * CURVE_PAIRING_LOOP_DIGITS)

SUMAC_FN int pairing_g1_is_infinity(const pairing_g1 *p)
{
    return fp_is_zero(&p->x) && fp_is_zero(&p->y);
}

/*
 * Compute the line at P, times the denominator. This costs 2m.
 *   D: denominator*yP - numerator*xP*w + constant*w^3
 *   M: constant - numerator*xP*w^2 + denominator*yP*w^3
 */
SUMAC_FN void pairing_line_at(pairing_line *line, const pairing_state *s, const pairing_slope *slope)
{
    fe_mul_fp(&line->b, &slope->numerator, &s->minus_px);
#if CURVE_TWIST_M
    line->a = slope->constant;
    fe_mul_fp(&line->c, &slope->denominator, &s->py);
#else
    fe_mul_fp(&line->a, &slope->denominator, &s->py);
    line->c = slope->constant;
#endif
}

/* r = 3*b'*a for the b' of the twist. With twist M over Fp2 this is 3*b*xi*a, which takes only additions. Otherwise it costs
 * 1M. */
SUMAC_FN void pairing_mul_3b(fe *r, const fe *a)
{
#if CURVE_TWIST_M && FE_DEGREE == 2
    SUMAC_STATIC_ASSERT((CURVE_TWIST_B & (CURVE_TWIST_B - 1)) == 0, "b is a power of two");
    fe_mul_xi(r, a);
    fe_triple(r, r);
    SUMAC_UNROLL
    for (unsigned factor = 1; factor < CURVE_TWIST_B; factor *= 2) {
        fe_double(r, r);
    }
#else
    static const fe three_b = CURVE_TWIST_3B;
    fe_mul(r, a, &three_b);
#endif
}

/* r = a^2 - b*c for b and c with b0*c1 = b1*c0, one of which is a multiple of the other by an element of Fp. If u^2 is
 * -1, this takes two sums of two products of Fp:
 *   (a0 + a1)*(a0 - a1) + (b0 + b1)*(c1 - c0)   2*(a0*a1 - b0*c1) */
SUMAC_FN void pairing_sqr_minus(fe *r, const fe *a, const fe *b, const fe *c)
{
#if FE_DEGREE == 2 && FP2_BETA == 1
    fp sum, difference, other_sum, other_difference;
    fp_add(&sum, &a->c0, &a->c1);
    fp_sub(&difference, &a->c0, &a->c1);
    fp_add(&other_sum, &b->c0, &b->c1);
    fp_sub(&other_difference, &c->c1, &c->c0);
    fp_mul_pair(&sum, &sum, &difference, &other_sum, &other_difference);
    fp_neg(&difference, &c->c1);
    fp_mul_pair(&r->c1, &a->c0, &a->c1, &b->c0, &difference);
    fp_double(&r->c1, &r->c1);
    r->c0 = sum;
#else
    fe square;
    fe_sqr(&square, a);
    fe_mul(r, b, c);
    fe_sub(r, &square, r);
#endif
}

/*
 * Set T to 2*T, and compute the tangent at T. This costs 3M + 4S, pairing_sqr_minus and a multiplication by 3b' (Aranha,
 * Karabina, Longa, Gebotys, Lopez 2011). The slope is 3*X^2 / 2*Y*Z, and on the curve
 * 3*X^3/Z - 2*Y^2 = Y^2 - 3*b'*Z^2.
 *   A = XY/2   B = Y^2   C = Z^2   E = 3b'C   F = 3E   G = (B + F)/2   H = (Y + Z)^2 - B - C = 2YZ
 *   X' = A*(B - F)   Y' = G^2 - 3*E^2   Z' = B*H
 */
SUMAC_FN void pairing_double(pairing_slope *slope, pairing_state *s)
{
    fe a, b, c, e, f, g, h;
    fe_mul(&a, &s->x, &s->y);
    fe_halve(&a, &a);
    fe_sqr(&b, &s->y);
    fe_sqr(&c, &s->z);
    fe_add(&h, &s->y, &s->z);
    fe_sqr(&h, &h);
    fe_sub(&h, &h, &b);
    fe_sub(&h, &h, &c);
    pairing_mul_3b(&e, &c);
    fe_triple(&f, &e);
    fe_sqr(&slope->numerator, &s->x);
    fe_triple(&slope->numerator, &slope->numerator);
    slope->denominator = h;
    fe_sub(&slope->constant, &b, &e);
    fe_add(&g, &b, &f);
    fe_halve(&g, &g);
    pairing_sqr_minus(&s->y, &g, &e, &f);
    fe_sub(&f, &b, &f);
    fe_mul(&s->x, &a, &f);
    fe_mul(&s->z, &b, &h);
}

/*
 * Set T to T + Q', where Q' = (x, y), and compute the line through both. This costs 11M + 2S (the same source). T must be
 * neither infinity nor +-Q', and in the loop it is not if Q has order r.
 *   N = Y - yZ   D = X - xZ   (the slope is N/D)   E = D^2   F = D*E   G = X*E   H = F + Z*N^2 - 2*G
 *   X' = D*H   Y' = N*(G - H) - F*Y   Z' = Z*F
 */
SUMAC_FN void pairing_add(pairing_slope *slope, pairing_state *s, const fe *x, const fe *y)
{
    fe numerator, denominator, constant, e, f, g, h;
    fe_mul(&numerator, y, &s->z);
    fe_sub(&numerator, &s->y, &numerator);
    fe_mul(&denominator, x, &s->z);
    fe_sub(&denominator, &s->x, &denominator);
    fe_mul(&constant, &numerator, x);
    fe_mul(&e, &denominator, y);
    fe_sub(&constant, &constant, &e);
    slope->numerator = numerator;
    slope->denominator = denominator;
    slope->constant = constant;
    fe_sqr(&e, &denominator);
    fe_mul(&f, &denominator, &e);
    fe_mul(&g, &s->x, &e);
    fe_sqr(&h, &numerator);
    fe_mul(&h, &h, &s->z);
    fe_add(&h, &h, &f);
    fe_sub(&h, &h, &g);
    fe_sub(&h, &h, &g);
    fe_mul(&s->x, &denominator, &h);
    fe_sub(&g, &g, &h);
    fe_mul(&g, &g, &numerator);
    fe_mul(&e, &f, &s->y);
    fe_sub(&s->y, &g, &e);
    fe_mul(&s->z, &s->z, &f);
}

#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BN
/* Set Q to pi(Q), which is (conj(x) * w^(2p-2), conj(y) * w^(3p-3)) on the twist of type D. */
SUMAC_FN void pairing_frobenius(affine *q)
{
    SUMAC_STATIC_ASSERT(!CURVE_TWIST_M, "with type M the factors are the inverses of these");
    fp12_frobenius_part(&q->x, &q->x, 2);
    fp12_frobenius_part(&q->y, &q->y, 3);
}
#elif CURVE_PAIRING_FAMILY == CURVE_PAIRING_BW6
/* Set Q to pi(Q), which is (x / w^(2p-2), y / w^(3p-3)) on the twist of type M. As w^(6p-6) = 1, w^(4p-4) multiplies x. */
SUMAC_FN void pairing_frobenius(affine *q)
{
    SUMAC_STATIC_ASSERT(CURVE_TWIST_M, "with type D the factors are the inverses of these");
    fe_mul_fp(&q->x, &q->x, &fp12_frobenius_q_factors[4]);
    fe_mul_fp(&q->y, &q->y, &fp12_frobenius_q_factors[3]);
}
#endif

/* Write the steps of the loop in their order, and return their number. The first step is a doubling. */
SUMAC_FN int pairing_steps(pairing_step steps[PAIRING_MOST_STEPS])
{
    int count = 0;
    for (int i = 1; i < CURVE_PAIRING_LOOP_DIGITS; i++) {
        steps[count++] = PAIRING_DOUBLE;
        if (pairing_loop[i] != 0) {
            steps[count++] = pairing_loop[i] > 0 ? PAIRING_ADD : PAIRING_SUBTRACT;
        }
#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BW6
        if (pairing_image_loop[i] != 0) {
            steps[count++] = pairing_image_loop[i] > 0 ? PAIRING_ADD_IMAGE : PAIRING_SUBTRACT_IMAGE;
        }
#endif
    }
#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BN
    steps[count++] = PAIRING_ADD_IMAGE;      /* T + pi(Q) */
    steps[count++] = PAIRING_SUBTRACT_IMAGE; /* less pi^2(Q) */
#elif CURVE_PAIRING_FAMILY == CURVE_PAIRING_BW6
    count--; /* The last step leads to infinity. Its line is vertical, so the final exponentiation turns it into 1. */
#endif
    return count;
}

SUMAC_BIG_FN void pairing_take_step(pairing_slope *slope, pairing_state *s, pairing_step step)
{
    if (s->next != NULL) {
        *slope = *s->next++;
        return;
    }
    if (step == PAIRING_DOUBLE) {
        pairing_double(slope, s);
        return;
    }
    affine q = s->q;
#if CURVE_PAIRING_FAMILY != CURVE_PAIRING_BLS12
    if (step == PAIRING_ADD_IMAGE || step == PAIRING_SUBTRACT_IMAGE) {
        pairing_frobenius(&q);
        if (CURVE_PAIRING_FAMILY == CURVE_PAIRING_BN) {
            s->q = q;
        }
    }
#endif
    if (step == PAIRING_SUBTRACT || step == PAIRING_SUBTRACT_IMAGE) {
        fe_neg(&q.y, &q.y);
    }
    pairing_add(slope, s, &q.x, &q.y);
}

/* r = a * l, 13M, by Karatsuba's method over w. A product by one element of Fp2 takes 3M, and one by two of them takes
 * 5M. */
SUMAC_BIG_FN void fp12_mul_line(fp12 *r, const fp12 *a, const pairing_line *l)
{
    fp6 low, high, sum;
    fe joined;
    fp6_add(&sum, &a->c0, &a->c1);
#if CURVE_TWIST_M
    fp6_mul_by_two(&low, &a->c0, &l->a, &l->b);
    fp6_mul_fe(&high, &a->c1, &l->c);
    fp6_mul_v(&high, &high);
    fe_add(&joined, &l->b, &l->c);
    fp6_mul_by_two(&sum, &sum, &l->a, &joined);
#else
    fp6_mul_fe(&low, &a->c0, &l->a);
    fp6_mul_by_two(&high, &a->c1, &l->b, &l->c);
    fe_add(&joined, &l->a, &l->b);
    fp6_mul_by_two(&sum, &sum, &joined, &l->c);
#endif
    fp12_join(r, &low, &high, &sum);
}

/*
 * Compute the product of two lines, 6M (Karatsuba).
 *   M: (a + b*v + c*v*w)(a' + b'*v + c'*v*w) = (aa' + xi*cc') + (ab' + a'b)*v + bb'*v^2
 *                                              + (ac' + a'c + (bc' + b'c)*v)*v*w
 *   D: (a + b*w + c*v*w)(a' + b'*w + c'*v*w) = (aa' + xi*cc') + bb'*v + (bc' + b'c)*v^2
 *                                              + (ab' + a'b + (ac' + a'c)*v)*w
 */
SUMAC_BIG_FN void pairing_multiply_lines(pairing_line_pair *r, const pairing_line *l, const pairing_line *k)
{
    fe aa, bb, cc, ab, ac, bc;
    fe_mul(&aa, &l->a, &k->a);
    fe_mul(&bb, &l->b, &k->b);
    fe_mul(&cc, &l->c, &k->c);
    fe_cross_product(&ab, &l->a, &l->b, &k->a, &k->b, &aa, &bb);
    fe_cross_product(&ac, &l->a, &l->c, &k->a, &k->c, &aa, &cc);
    fe_cross_product(&bc, &l->b, &l->c, &k->b, &k->c, &bb, &cc);
    fe_mul_xi(&cc, &cc);
    fe_add(&r->c0.c0, &aa, &cc);
#if CURVE_TWIST_M
    r->c0.c1 = ab;
    r->c0.c2 = bb;
    r->c1 = ac;
    r->d1 = bc;
#else
    r->c0.c1 = bb;
    r->c0.c2 = bc;
    r->c1 = ab;
    r->d1 = ac;
#endif
}

/* r = a * l, 17M. */
SUMAC_BIG_FN void fp12_mul_line_pair(fp12 *r, const fp12 *a, const pairing_line_pair *l)
{
    fp6 low, high, sum, other = l->c0;
    fp6_mul(&low, &a->c0, &l->c0);
    fp6_mul_by_two(&high, &a->c1, &l->c1, &l->d1);
    fp6_add(&sum, &a->c0, &a->c1);
#if CURVE_TWIST_M
    fp6_mul_v(&high, &high);
    fe_add(&other.c1, &other.c1, &l->c1);
    fe_add(&other.c2, &other.c2, &l->d1);
#else
    fe_add(&other.c0, &other.c0, &l->c1);
    fe_add(&other.c1, &other.c1, &l->d1);
#endif
    fp6_mul(&sum, &sum, &other);
    fp12_join(r, &low, &high, &sum);
}

/* Take a step, and compute its line at P. */
SUMAC_FN void pairing_next_line(pairing_line *line, pairing_state *s, pairing_step step)
{
    pairing_slope slope;
    pairing_take_step(&slope, s, step);
    pairing_line_at(line, s, &slope);
}

/* Take one step for all pairs, and multiply f by their lines, two by two. */
SUMAC_FN void pairing_step_all(fp12 *f, pairing_state *states, size_t n, pairing_step step)
{
    pairing_line first, second;
    pairing_line_pair both;
    size_t i = 0;
    for (; i + 1 < n; i += 2) {
        pairing_next_line(&first, &states[i], step);
        pairing_next_line(&second, &states[i + 1], step);
        pairing_multiply_lines(&both, &first, &second);
        fp12_mul_line_pair(f, f, &both);
    }
    if (i < n) {
        pairing_next_line(&first, &states[i], step);
        fp12_mul_line(f, f, &first);
    }
}

/* Begin with T = Q, or with T = pi(Q) for BW6. */
SUMAC_FN void pairing_state_begin(pairing_state *s, const affine *q)
{
    affine first = *q;
#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BW6
    pairing_frobenius(&first);
#endif
    s->x = first.x;
    s->y = first.y;
    fe_set_one(&s->z);
    s->q = *q;
    s->next = NULL;
}

/* Compute the lines of Q, one for each step of pairing_steps(). Only the lines of infinity begin with zeros. */
SUMAC_BIG_FN void pairing_prepare(pairing_slope *lines, const affine *q)
{
    pairing_step steps[PAIRING_MOST_STEPS];
    pairing_state s;
    const int count = pairing_steps(steps);
    pairing_state_begin(&s, q);
    for (int i = 0; i < count; i++) {
        pairing_take_step(&lines[i], &s, steps[i]);
    }
}

/* Return 1 if these are the lines of infinity. The first line is the tangent at Q, whose slope is 3*x^2 / 2*y. */
SUMAC_FN int pairing_lines_are_infinity(const pairing_slope *lines)
{
    return fe_is_zero(&lines[0].numerator) && fe_is_zero(&lines[0].denominator);
}

/* These are the pairs (P_i, Q_i) of a product of Miller loops. For the first `prepared` pairs `lines` has the lines of
 * Q_i, as many for each point as there are steps, and q is not read. */
typedef struct pairing_pairs {
    const pairing_g1 *p;
    const affine *q;
    const pairing_slope *lines;
    size_t prepared;
    size_t n;
} pairing_pairs;

/* Set the states of the pairs that have no point at infinity; return their number. `count` is the number of steps. */
SUMAC_FN size_t pairing_begin(pairing_state *states, const pairing_pairs *pairs, int count)
{
    size_t begun = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        pairing_state *s = &states[begun];
        const pairing_slope *lines = i < pairs->prepared ? pairs->lines + i * (size_t)count : NULL;
        if (pairing_g1_is_infinity(&pairs->p[i]) ||
            (lines != NULL ? pairing_lines_are_infinity(lines) : affine_is_infinity(&pairs->q[i]))) {
            continue;
        }
        if (lines != NULL) {
            s->next = lines;
        } else {
            pairing_state_begin(s, &pairs->q[i]);
        }
        fp_neg(&s->minus_px, &pairs->p[i].x);
        s->py = pairs->p[i].y;
        begun++;
    }
    return begun;
}

/* If x < 0, f_(x,Q) = 1 / f_(-x,Q), up to factors that the final exponentiation turns into 1. After the first part of
 * that, conjugation is inversion, so f can be conjugated instead. */
SUMAC_FN void pairing_finish_loop(fp12 *f)
{
#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BLS12 && CURVE_PAIRING_X_NEGATIVE
    fp12_conjugate(f, f);
#else
    (void)f;
#endif
}

/* This is scratch memory for the loops of a block. It is too large for a thread's stack. */
typedef struct pairing_scratch {
    pairing_state states[PAIRING_BLOCK];
} pairing_scratch;

/* Set f to the product of n <= PAIRING_BLOCK Miller loops. A pair with a point at infinity counts as 1. */
SUMAC_BIG_FN void pairing_miller_loops(fp12 *f, const pairing_pairs *pairs, pairing_scratch *scratch)
{
    pairing_state *const states = scratch->states;
    pairing_step steps[PAIRING_MOST_STEPS];
    const int count = pairing_steps(steps);
    const size_t n = pairing_begin(states, pairs, count);
    fp12_set_one(f);
    if (n == 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if (i > 0 && steps[i] == PAIRING_DOUBLE) {
            fp12_sqr(f, f);
        }
        pairing_step_all(f, states, n, steps[i]);
    }
    pairing_finish_loop(f);
}

/* r = a^x for a of the cyclotomic subgroup, where inverses are conjugates. */
SUMAC_FN void pairing_pow_x(fp12 *r, const fp12 *a)
{
#if CURVE_PAIRING_X_COMPRESSED > 0
    SUMAC_STATIC_ASSERT(CURVE_PAIRING_X_COMPRESSED <= FP12_MOST_COMPRESSED, "the compressed elements fit");
    fp12_sparse_pow(r, a, pairing_x, CURVE_PAIRING_X_DIGITS, CURVE_PAIRING_X_COMPRESSED);
#else
    fp12_cyclotomic_pow(r, a, pairing_x, CURVE_PAIRING_X_DIGITS);
#endif
#if CURVE_PAIRING_X_NEGATIVE
    fp12_conjugate(r, r);
#endif
}

/* r = a^((p^6 - 1)(p^2 + 1)), which lies in the cyclotomic subgroup, of order p^4 - p^2 + 1. For BW6 p replaces p^2. */
SUMAC_FN void pairing_easy_part(fp12 *r, const fp12 *a)
{
    fp12 inverse, power;
    fp12_inv(&inverse, a);
    fp12_conjugate(&power, a);
    fp12_mul(&power, &power, &inverse);
    fp12_frobenius_q(r, &power);
    fp12_mul(r, r, &power);
}

#if CURVE_PAIRING_FAMILY == CURVE_PAIRING_BLS12

/*
 * r = a^(3*(p^4 - p^2 + 1)/r). The exponent is (x - 1)^2 * (x + p) * (x^2 + p^2 - 1) + 3 (Hayashida, Hayasaka, Teruya
 * 2020). This takes five powers of x, seven products, one cyclotomic square, and two Frobenius maps.
 */
SUMAC_BIG_FN void pairing_hard_part(fp12 *r, const fp12 *a)
{
    fp12 cube, power, next;
    fp12_cyclotomic_sqr(&cube, a);
    fp12_mul(&cube, &cube, a);
    power = *a;
    for (int i = 0; i < 2; i++) { /* to the x - 1 */
        pairing_pow_x(&next, &power);
        fp12_conjugate(&power, &power);
        fp12_mul(&power, &power, &next);
    }
    pairing_pow_x(&next, &power); /* to the x + p */
    fp12_frobenius(&power, &power);
    fp12_mul(&power, &power, &next);
    pairing_pow_x(&next, &power); /* to the x^2 + p^2 - 1 */
    pairing_pow_x(&next, &next);
    fp12_mul(&cube, &cube, &next);
    fp12_frobenius_q(&next, &power);
    fp12_mul(&cube, &cube, &next);
    fp12_conjugate(&power, &power);
    fp12_mul(r, &cube, &power);
}

#elif CURVE_PAIRING_FAMILY == CURVE_PAIRING_BN

/*
 * r = a^(2x(6x^2 + 3x + 1)*(p^4 - p^2 + 1)/r). With A = 12x^3 + 6x^2 + 6x and B = A - 2x, the exponent is
 *   (A + 6x^2 + 1) + B*p + A*p^2 + (B - 1)*p^3
 * (Fuentes-Castaneda, Knapp, Rodriguez-Henriquez 2011). This takes three powers of x, ten products, three cyclotomic
 * squares, and four Frobenius maps. r must not alias a.
 */
SUMAC_BIG_FN void pairing_hard_part(fp12 *r, const fp12 *a)
{
    fp12 x2, x6, part_a, part_b, power;
    pairing_pow_x(&x2, a);
    fp12_cyclotomic_sqr(&x2, &x2); /* 2x */
    fp12_cyclotomic_sqr(&x6, &x2);
    fp12_mul(&x6, &x6, &x2);    /* 6x */
    pairing_pow_x(&power, &x6); /* 6x^2 */
    fp12_mul(r, a, &power);     /* 6x^2 + 1 */
    fp12_mul(&part_a, &x6, &power);
    fp12_cyclotomic_sqr(&power, &power);
    pairing_pow_x(&power, &power); /* 12x^3 */
    fp12_mul(&part_a, &part_a, &power);
    fp12_conjugate(&x2, &x2);
    fp12_mul(&part_b, &part_a, &x2);
    fp12_mul(r, r, &part_a);
    fp12_frobenius(&power, &part_b);
    fp12_mul(r, r, &power);
    fp12_frobenius_q(&power, &part_a);
    fp12_mul(r, r, &power);
    fp12_conjugate(&power, a);
    fp12_mul(&power, &power, &part_b);
    fp12_frobenius(&power, &power);
    fp12_frobenius_q(&power, &power);
    fp12_mul(r, r, &power);
}

#else

/* r = a^(x - 1). r must not alias a. */
SUMAC_FN void pairing_pow_x_less_one(fp12 *r, const fp12 *a)
{
    fp12 inverse;
    fp12_conjugate(&inverse, a);
    pairing_pow_x(r, a);
    fp12_mul(r, r, &inverse);
}

/* r = a^(x + 1). r must not alias a. */
SUMAC_FN void pairing_pow_x_plus_one(fp12 *r, const fp12 *a)
{
    pairing_pow_x(r, a);
    fp12_mul(r, r, a);
}

/* r = a^e for a small e > 0. r must not alias a. */
SUMAC_FN void pairing_pow_small(fp12 *r, const fp12 *a, unsigned e)
{
    *r = *a;
    for (unsigned bit = 1u << 30; bit > 0; bit /= 2) {
        if (e / bit > 1) {
            fp12_cyclotomic_sqr(r, r);
            if (e & bit) {
                fp12_mul(r, r, a);
            }
        }
    }
}

/* r = a^3. r must not alias a. */
SUMAC_FN void pairing_cube(fp12 *r, const fp12 *a)
{
    fp12_cyclotomic_sqr(r, a);
    fp12_mul(r, r, a);
}

/* r = a^((x - 1)/3). */
SUMAC_FN void pairing_pow_x_third(fp12 *r, const fp12 *a)
{
    fp12_cyclotomic_pow(r, a, pairing_x_third, CURVE_PAIRING_X_THIRD_DIGITS);
}

/*
 * r = a^((x + 1)*(p^2 - p + 1)/r). The exponent is 3A + 3J + B + 103*I (El Housni 2022, algorithm 4.4) for
 *   A = (x - 1)^2 + p   B = A*(x + 1) - 1   C = B*(x - 1)/3   D = C*(x - 1)   E = D*(x - 1)^2 + D
 *   F = B - D   G = E*(x + 1) + F   H = G + C   I = (G - D)*(x + 1) - F   J = 11*H + E.
 * 103 and 11 belong to BW6-761. r must not alias a.
 */
SUMAC_BIG_FN void pairing_hard_part(fp12 *r, const fp12 *a)
{
    fp12 part_b, part_c, part_d, part_e, part_f, part_g, power, next;
    pairing_pow_x_less_one(&next, a);
    pairing_pow_x_less_one(&power, &next);
    fp12_frobenius_q(&next, a);
    fp12_mul(&power, &power, &next); /* A */
    pairing_cube(r, &power);
    pairing_pow_x_plus_one(&part_b, &power);
    fp12_conjugate(&next, a);
    fp12_mul(&part_b, &part_b, &next);
    fp12_mul(r, r, &part_b);
    pairing_pow_x_third(&part_c, &part_b);
    pairing_pow_x_less_one(&part_d, &part_c);
    pairing_pow_x_less_one(&next, &part_d);
    pairing_pow_x_less_one(&part_e, &next);
    fp12_mul(&part_e, &part_e, &part_d);
    fp12_conjugate(&part_d, &part_d);
    fp12_mul(&part_f, &part_b, &part_d);
    pairing_pow_x_plus_one(&part_g, &part_e);
    fp12_mul(&part_g, &part_g, &part_f);
    fp12_mul(&next, &part_g, &part_c); /* H */
    pairing_pow_small(&power, &next, 11);
    fp12_mul(&power, &power, &part_e); /* J */
    pairing_cube(&next, &power);
    fp12_mul(r, r, &next);
    fp12_mul(&next, &part_g, &part_d);
    pairing_pow_x_plus_one(&power, &next);
    fp12_conjugate(&part_f, &part_f);
    fp12_mul(&next, &power, &part_f); /* I */
    pairing_pow_small(&power, &next, 103);
    fp12_mul(r, r, &power);
}

#endif

#endif
