/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A curve's points whose discrete logarithms are known, and what any sum of them comes to, all by GMP: the
 * library has no part in it. Some points lie outside the subgroup of order r where the curve has such.
 */
#ifndef SUMAC_RANDOM_KNOWN_H
#define SUMAC_RANDOM_KNOWN_H

#include "support/oracle.h"

enum {
    KNOWN_POINTS = 96, /* of them the last 16 may lie outside the subgroup */
    KNOWN_INSIDE = 80,
    KNOWN_OUTSIDE = 2,            /* so many points outside; the others are these and a point inside */
    KNOWN_INFINITY = KNOWN_POINTS /* in known_use */
};

/* logarithm*G + (the outside point of this number, -1: none). */
typedef struct known_point {
    mpz_t logarithm;
    int outside;
    uint8_t *raw[2][2]; /* [form][negated] */
} known_point;

/* A base of a case. */
typedef struct known_use {
    uint8_t point;
    uint8_t negated;
} known_use;

typedef struct known_curve {
    oracle oracle;
    mpz_t montgomery; /* 2^(64*limbs) mod r: the factor of the scalars' Montgomery form */
    oracle_point outside[KNOWN_OUTSIDE];
    known_point points[KNOWN_POINTS];
    size_t point_count; /* KNOWN_INSIDE where the whole curve is the subgroup */
} known_curve;

void known_init(known_curve *k, const sumac_group *curve);
void known_clear(known_curve *k);

/* The sum that one MSM is to give. */
typedef struct known_sum {
    mpz_t inside; /* times G */
    mpz_t outside[KNOWN_OUTSIDE];
} known_sum;

void known_sum_begin(known_sum *sum);
void known_sum_add(known_sum *sum, const known_curve *k, known_use use, const mpz_t scalar);
/* The result as point_bytes in a form; ends the sum. */
void known_sum_end(known_sum *sum, const known_curve *k, sumac_form form, void *raw);

/* Raw scalars: the integer times R modulo r, and the integer. */
void known_scalar_to_montgomery(const known_curve *k, mpz_t scalar);

#endif
