/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This header has plain affine arithmetic with GMP on y^2 = x^3 + b over Fp or Fp2, with which tests compare the
 * library. It shares no constant and no formula with the library. p, r, b and the generator come from the curve's data
 * file.
 */
#ifndef SUMAC_TESTS_ORACLE_H
#define SUMAC_TESTS_ORACLE_H

#include "sumac/sumac.h"
#include "support/numbers.h"

/* This is the element c0 + c1*u, with u^2 = nonresidue. Over Fp, c1 is 0. */
typedef struct oracle_element {
    mpz_t c[2];
} oracle_element;

typedef struct oracle_point {
    oracle_element x, y;
    int is_infinity;
} oracle_point;

typedef struct oracle {
    const sumac_group *group;
    const sumac_group *info;
    mpz_t p, r;
    mpz_t montgomery;         /* R = 2^(64*limbs) mod p */
    mpz_t montgomery_inverse; /* 1/R mod p */
    unsigned degree;
    long nonresidue;
    oracle_element b;
    oracle_point generator;
    oracle_point *multiples; /* the generator's multiples, which the first oracle_mul_generator() computes */
} oracle;

/* Read the curve's data file. The test fails if it is missing. */
void oracle_init(oracle *o, const sumac_group *group);
void oracle_clear(oracle *o);

void oracle_point_init(oracle_point *point);
void oracle_point_clear(oracle_point *point);
void oracle_point_set(oracle_point *r, const oracle_point *a);
void oracle_point_set_infinity(oracle_point *r);

/* Declare a point that is cleared when its block ends. */
#define ORACLE_POINT(name)                                                                                   \
    CLEANUP(oracle_point_clear) oracle_point name;                                                           \
    oracle_point_init(&name)

int oracle_point_equal(const oracle_point *a, const oracle_point *b);
int oracle_point_on_curve(const oracle *o, const oracle_point *a);

/* r may alias the operands. */
void oracle_neg(const oracle *o, oracle_point *r, const oracle_point *a);
void oracle_add(const oracle *o, oracle_point *r, const oracle_point *a, const oracle_point *b);
void oracle_mul(const oracle *o, oracle_point *r, const mpz_t k, const oracle_point *a);
/* Compute (k mod r) times the generator from a table, six times faster than without one. It is not thread-safe. */
void oracle_mul_generator(const oracle *o, oracle_point *r, const mpz_t k);

/* Draw a random point of the curve. If the cofactor is not 1, it is seldom in the subgroup. */
void oracle_random_curve_point(const oracle *o, oracle_point *r, gmp_randstate_t random);

/* Draw an x that no point of the curve has, and set y to 0. */
void oracle_random_x_without_point(const oracle *o, oracle_point *r, gmp_randstate_t random);

/* These functions convert from and to raw bytes, which sumac.h describes. */
void oracle_point_from_raw(const oracle *o, oracle_point *r, const void *raw);
void oracle_point_to_raw(const oracle *o, void *raw, const oracle_point *a);

/* These functions convert points in the CPU backend's memory, in Montgomery form, affine or XYZZ. */
void oracle_point_from_affine(const oracle *o, oracle_point *r, const void *stored);
void oracle_point_from_xyzz(const oracle *o, oracle_point *r, const void *stored);
void oracle_point_to_affine(const oracle *o, void *stored, const oracle_point *a);
/* Store a point as (x z^2, y z^3, z^2, z^3) for a random z. */
void oracle_point_to_xyzz(const oracle *o, void *stored, const oracle_point *a, gmp_randstate_t random);

void oracle_scalar_from_raw(const oracle *o, mpz_t k, const void *raw); /* not reduced modulo r */
void oracle_scalar_to_raw(const oracle *o, void *raw, const mpz_t k);

/* Compute the sum of (k_i mod r)*P_i over raw inputs, by doubling and adding. */
void oracle_msm(const oracle *o, void *result, const void *bases, const void *scalars, size_t n);

/* Compute the MSM of points with known logarithms d_i, which are raw scalars. The result is (sum of k_i*d_i mod r)
 * times the generator. */
void oracle_known_msm(const oracle *o, void *result, const void *logarithms, const void *scalars, size_t n);

#endif
