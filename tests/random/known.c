/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "random/known.h"

#include <stdlib.h>
#include <string.h>

#include "support/abort.h"

static void *known_alloc(size_t bytes)
{
    void *memory = calloc(bytes, 1);
    if (memory == NULL) {
        test_abort("out of memory");
    }
    return memory;
}

/* Write a point with its coordinates in canonical or Montgomery form. */
static void to_raw(const known_group *k, void *raw, const oracle_point *point, sumac_form form)
{
    if (form == SUMAC_FORM_MONTGOMERY) {
        oracle_point_to_affine(&k->oracle, raw, point);
    } else {
        oracle_point_to_raw(&k->oracle, raw, point);
    }
}

/* The first logarithms are small or otherwise special, where formulas have exceptions. */
static void choose_logarithm(const known_group *k, mpz_t d, size_t index, gmp_randstate_t random)
{
    if (index < 8) {
        mpz_set_ui(d, index + 1);
    } else if (index == 8) {
        mpz_fdiv_q_2exp(d, k->oracle.r, 1);
    } else {
        mpz_urandomm(d, random, k->oracle.r);
    }
    mpz_mod(d, d, k->oracle.r);
}

static void make_point(known_group *k, size_t index, gmp_randstate_t random)
{
    known_point *known = &k->points[index];
    ORACLE_POINT(point);
    mpz_init(known->logarithm);
    choose_logarithm(k, known->logarithm, index, random);
    known->outside = index < KNOWN_INSIDE ? -1 : (int)(index % KNOWN_OUTSIDE);
    if (index >= KNOWN_INSIDE && index < KNOWN_INSIDE + KNOWN_OUTSIDE) {
        mpz_set_ui(known->logarithm, 0);
    }
    oracle_mul_generator(&k->oracle, &point, known->logarithm);
    if (known->outside >= 0) {
        oracle_add(&k->oracle, &point, &point, &k->outside[known->outside]);
    }
    for (int negated = 0; negated < 2; negated++) {
        for (int form = 0; form < 2; form++) {
            known->raw[form][negated] = known_alloc(k->oracle.info->point_bytes);
            to_raw(k, known->raw[form][negated], &point, (sumac_form)form);
        }
        oracle_neg(&k->oracle, &point, &point);
    }
}

void known_init(known_group *k, const sumac_group *group)
{
    gmp_randstate_t random;
    gmp_randinit_mt(random);
    gmp_randseed_ui(random, 20261121);
    oracle_init(&k->oracle, group);
    mpz_init(k->montgomery);
    mpz_ui_pow_ui(k->montgomery, 2, 8 * (unsigned long)k->oracle.info->scalar_bytes);
    mpz_mod(k->montgomery, k->montgomery, k->oracle.r);
    for (int i = 0; i < KNOWN_OUTSIDE; i++) {
        oracle_point_init(&k->outside[i]);
        oracle_random_curve_point(&k->oracle, &k->outside[i], random);
    }
    k->point_count = k->oracle.info->cofactor_is_one ? KNOWN_INSIDE : KNOWN_POINTS;
    for (size_t i = 0; i < k->point_count; i++) {
        make_point(k, i, random);
    }
    gmp_randclear(random);
}

void known_clear(known_group *k)
{
    for (size_t i = 0; i < k->point_count; i++) {
        mpz_clear(k->points[i].logarithm);
        for (int j = 0; j < 4; j++) {
            free(k->points[i].raw[j / 2][j % 2]);
        }
    }
    for (int i = 0; i < KNOWN_OUTSIDE; i++) {
        oracle_point_clear(&k->outside[i]);
    }
    mpz_clear(k->montgomery);
    oracle_clear(&k->oracle);
}

void known_sum_begin(known_sum *sum)
{
    mpz_init(sum->inside);
    for (int i = 0; i < KNOWN_OUTSIDE; i++) {
        mpz_init(sum->outside[i]);
    }
}

void known_sum_add(known_sum *sum, const known_group *k, known_use use, const mpz_t scalar)
{
    if (use.point == KNOWN_INFINITY) {
        return;
    }
    const known_point *point = &k->points[use.point];
    void (*const add)(mpz_ptr, mpz_srcptr, mpz_srcptr) = use.negated ? mpz_submul : mpz_addmul;
    add(sum->inside, scalar, point->logarithm);
    if (point->outside >= 0) {
        mpz_t *outside = &sum->outside[point->outside];
        (use.negated ? mpz_sub : mpz_add)(*outside, *outside, scalar);
    }
}

void known_sum_end(known_sum *sum, const known_group *k, sumac_form form, void *raw)
{
    ORACLE_POINT(result);
    ORACLE_POINT(term);
    mpz_mod(sum->inside, sum->inside, k->oracle.r);
    oracle_mul_generator(&k->oracle, &result, sum->inside);
    for (int i = 0; i < KNOWN_OUTSIDE; i++) {
        const int negative = mpz_sgn(sum->outside[i]) < 0;
        mpz_abs(sum->outside[i], sum->outside[i]);
        if (mpz_sgn(sum->outside[i]) != 0) {
            oracle_mul(&k->oracle, &term, sum->outside[i], &k->outside[i]);
            if (negative) {
                oracle_neg(&k->oracle, &term, &term);
            }
            oracle_add(&k->oracle, &result, &result, &term);
        }
        mpz_clear(sum->outside[i]);
    }
    to_raw(k, raw, &result, form);
    mpz_clear(sum->inside);
}

void known_scalar_to_montgomery(const known_group *k, mpz_t scalar)
{
    mpz_mul(scalar, scalar, k->montgomery);
    mpz_mod(scalar, scalar, k->oracle.r);
}
