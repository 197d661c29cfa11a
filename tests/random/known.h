/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Points of a curve whose discrete logarithms are known, and sums of them, all computed by GMP and without the
 * library. If the curve has points outside the subgroup of order r, some of the points lie there.
 */
#ifndef SUMAC_RANDOM_KNOWN_H
#define SUMAC_RANDOM_KNOWN_H

#include "support/oracle.h"

enum {
    KNOWN_POINTS = 96, /* those from KNOWN_INSIDE on may lie outside the subgroup */
    KNOWN_INSIDE = 80,
    KNOWN_OUTSIDE = 2, /* random points outside; other points outside are sums of one and a point inside */
    KNOWN_INFINITY = KNOWN_POINTS /* the known_use.point that means infinity */
};

/* This is the point logarithm*G + known_group.outside[outside]. If `outside` is -1, the second term is missing. */
typedef struct known_point {
    mpz_t logarithm;
    int outside;
    uint8_t *raw[2][2]; /* [form][negated] */
} known_point;

/* This says which known point a base is, and whether it is negated. */
typedef struct known_use {
    uint8_t point;
    uint8_t negated;
} known_use;

typedef struct known_group {
    oracle oracle;
    mpz_t montgomery; /* 2^(64*limbs) mod r: the factor of the scalars' Montgomery form */
    oracle_point outside[KNOWN_OUTSIDE];
    known_point points[KNOWN_POINTS];
    size_t point_count; /* KNOWN_INSIDE if the whole curve is the subgroup */
} known_group;

void known_init(known_group *k, const sumac_group *group);
void known_clear(known_group *k);

/* This is the expected sum of one MSM: inside*G plus outside[i]*known_group.outside[i] for each i. */
typedef struct known_sum {
    mpz_t inside;
    mpz_t outside[KNOWN_OUTSIDE];
} known_sum;

void known_sum_begin(known_sum *sum);
void known_sum_add(known_sum *sum, const known_group *k, known_use use, const mpz_t scalar);
/* Write the sum as a raw point in this form, and clear it. */
void known_sum_end(known_sum *sum, const known_group *k, sumac_form form, void *raw);

/* Multiply by R modulo r, which gives the scalar's Montgomery form. */
void known_scalar_to_montgomery(const known_group *k, mpz_t scalar);

#endif
