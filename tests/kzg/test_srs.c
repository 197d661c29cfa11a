/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests commitments, openings, challenges and FK20 on every curve, with an SRS whose secret is known here. GMP divides
 * the polynomials, evaluates the quotients at the secret, and multiplies the generator. If there is a pairing, it must
 * agree with GMP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/container.h"
#include "support/files.h"
#include "support/harness.h"
#include "sumac/experimental.h"
#include "sumac/pairing.h"

enum { MOST_SCALAR = 64, MOST_POINT = 192, SAMPLES = 6 };

/* This is an SRS of n points, its secret, and `count` polynomials. */
typedef struct scene {
    test_group *t;
    sumac_context *context;
    size_t n, count;
    mpz_t secret, *f; /* count*n coefficients */
    sumac_bases *srs;
    sumac_vector *polynomials;
} scene;

static void to_raw(const test_group *t, uint8_t *raw, const mpz_t value)
{
    memset(raw, 0, t->info->scalar_bytes);
    mpz_export(raw, NULL, -1, 1, 0, 0, value);
}

static sumac_vector *scalars_of(const scene *s, mpz_t *values, size_t count)
{
    AUTO_FREE uint8_t *raw = test_alloc(count * s->t->info->scalar_bytes);
    sumac_vector *vector = test_vector(s->context, s->t, SUMAC_VECTOR_SCALARS, count);
    for (size_t i = 0; i < count; i++) {
        to_raw(s->t, raw + i * s->t->info->scalar_bytes, values[i]);
    }
    TEST_OK(s->context, test_vector_set(s->context, vector, raw, 0, count, NULL));
    return vector;
}

static uint8_t *read_vector(const scene *s, const sumac_vector *vector)
{
    const size_t count = sumac_vector_count(vector);
    uint8_t *raw = test_alloc(count * s->t->info->point_bytes);
    TEST_OK(s->context, test_vector_get(s->context, vector, 0, count, NULL, raw));
    return raw;
}

/* Make the SRS from the powers of the secret, by MSMs of one base. */
static void make_srs(scene *s)
{
    AUTO_FREE uint8_t *powers = test_alloc(s->n * s->t->info->scalar_bytes);
    uint8_t *points = test_alloc(s->n * s->t->info->point_bytes), generator[MOST_POINT];
    sumac_msm_config config = {.size = sizeof config};
    mpz_t power;
    mpz_init_set_ui(power, 1);
    for (size_t i = 0; i < s->n; i++) {
        to_raw(s->t, powers + i * s->t->info->scalar_bytes, power);
        mpz_mul(power, power, s->secret);
        mpz_mod(power, power, s->t->oracle.r);
    }
    assert_int_equal(sumac_group_generator(s->t->group, generator, s->t->group->point_bytes), SUMAC_OK);
    CLEANUP(destroy_bases) sumac_bases *one = test_bases(s->context, s->t, generator, 1, NULL);
    config.batch = (uint32_t)s->n;
    TEST_OK(s->context, exact_msm(s->context, one, powers, 1, &config, points));
    s->srs = test_bases(s->context, s->t, points, s->n, NULL);
    mpz_clear(power);
    free(points);
}

static scene open_scene(test_group *t, size_t n, size_t count)
{
    /* FK20 treats many polynomials differently on one thread and on two. */
    scene s = {.t = t, .context = test_context(count > 4 ? 1 : 2, 0), .n = n, .count = count};
    s.f = test_alloc(count * n * sizeof *s.f);
    mpz_init(s.secret);
    mpz_urandomm(s.secret, t->random, t->oracle.r);
    for (size_t i = 0; i < count * n; i++) {
        mpz_init(s.f[i]);
        mpz_urandomm(s.f[i], t->random, t->oracle.r);
    }
    make_srs(&s);
    s.polynomials = scalars_of(&s, s.f, count * n);
    return s;
}

static void close_scene(scene *s)
{
    sumac_vector_destroy(s->polynomials);
    sumac_bases_destroy(s->srs);
    sumac_context_destroy(s->context);
    for (size_t i = 0; i < s->count * s->n; i++) {
        mpz_clear(s->f[i]);
    }
    mpz_clear(s->secret);
    free(s->f);
}

/* Evaluate the quotient of f by X^l - a at the secret. Its coefficients are q_j = f_(j + l) + a q_(j + l). */
static void divide_and_evaluate(const scene *s, mpz_t *f, size_t l, const mpz_t a, mpz_t value)
{
    AUTO_FREE mpz_t *q = test_alloc((s->n + l) * sizeof *q);
    for (size_t j = 0; j < s->n + l; j++) {
        mpz_init(q[j]);
    }
    mpz_set_ui(value, 0);
    for (size_t j = s->n - l; j-- > 0;) {
        mpz_mul(q[j], q[j + l], a);
        mpz_add(q[j], q[j], f[j + l]);
        mpz_mod(q[j], q[j], s->t->oracle.r);
        mpz_mul(value, value, s->secret);
        mpz_add(value, value, q[j]);
        mpz_mod(value, value, s->t->oracle.r);
    }
    for (size_t j = 0; j < s->n + l; j++) {
        mpz_clear(q[j]);
    }
}

static void evaluate(const scene *s, mpz_t *f, const mpz_t z, mpz_t value)
{
    mpz_set_ui(value, 0);
    for (size_t j = s->n; j-- > 0;) {
        mpz_mul(value, value, z);
        mpz_add(value, value, f[j]);
        mpz_mod(value, value, s->t->oracle.r);
    }
}

/* Multiply the generator by one plain multiplication, which shares nothing with MSMs and transforms. */
static void multiply_generator(const scene *s, const sumac_group *group, const mpz_t scalar, uint8_t *point)
{
    uint8_t raw[MOST_SCALAR], one[MOST_SCALAR] = {1};
    TEST_NUMBERS(reduced);
    mpz_mod(reduced, scalar, s->t->oracle.r);
    to_raw(s->t, raw, reduced);
    TEST_OK(s->context, test_known_answer(s->context, group, raw, one, 1, point));
}

static void expect_multiple(const scene *s, const uint8_t *found, const mpz_t value, const char *label,
                            size_t index)
{
    uint8_t expected[MOST_POINT];
    multiply_generator(s, s->t->group, value, expected);
    if (memcmp(found, expected, s->t->info->point_bytes) != 0) {
        test_abort("%s %s, n = %zu: %s %zu is wrong", s->t->info->curve, s->t->info->name, s->n, label,
                   index);
    }
}

/* ---- Commitments and openings ---- */

static void check_commitments(const scene *s)
{
    CLEANUP(destroy_vector)
    sumac_vector *commitments = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, s->count);
    TEST_NUMBERS(value);
    TEST_OK(s->context, sumac_srs_commit(s->context, s->srs, s->polynomials, s->n, commitments));
    AUTO_FREE uint8_t *found = read_vector(s, commitments);
    for (size_t i = 0; i < s->count; i++) {
        evaluate(s, s->f + i * s->n, s->secret, value);
        expect_multiple(s, found + i * s->t->info->point_bytes, value, "commitment", i);
    }
}

/* Open polynomial i at zs[i]. */
static void check_openings(const scene *s, mpz_t *zs)
{
    uint8_t expected[MOST_SCALAR];
    CLEANUP(destroy_vector) sumac_vector *places = scalars_of(s, zs, s->count);
    CLEANUP(destroy_vector)
    sumac_vector *values = test_vector(s->context, s->t, SUMAC_VECTOR_SCALARS, s->count);
    CLEANUP(destroy_vector)
    sumac_vector *proofs = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, s->count);
    TEST_NUMBERS(value);
    TEST_OK(s->context, sumac_srs_open(s->context, s->srs, s->polynomials, s->n, places, values, NULL));
    TEST_OK(s->context, sumac_srs_open(s->context, s->srs, s->polynomials, s->n, places, places, proofs));
    AUTO_FREE uint8_t *found_values = read_vector(s, values), *same_values = read_vector(s, places);
    AUTO_FREE uint8_t *found = read_vector(s, proofs);
    assert_memory_equal(found_values, same_values, s->count * s->t->info->scalar_bytes);
    for (size_t i = 0; i < s->count; i++) {
        evaluate(s, s->f + i * s->n, zs[i], value);
        to_raw(s->t, expected, value);
        assert_memory_equal(found_values + i * s->t->info->scalar_bytes, expected, s->t->info->scalar_bytes);
        divide_and_evaluate(s, s->f + i * s->n, 1, zs[i], value);
        expect_multiple(s, found + i * s->t->info->point_bytes, value, "opening", i);
    }
}

/* The evaluation points are 0, 1, -1, the secret, and random ones. */
static void test_openings(void **state)
{
    static const size_t lengths[] = {1, 2, 3, 8, 21};
    enum { COUNT = 6 };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        CLEANUP(close_scene) scene s = open_scene(*state, lengths[i], COUNT);
        mpz_t zs[COUNT];
        for (size_t j = 0; j < COUNT; j++) {
            mpz_init_set_ui(zs[j], j);
        }
        mpz_sub_ui(zs[2], s.t->oracle.r, 1);
        mpz_set(zs[3], s.secret);
        mpz_urandomm(zs[4], s.t->random, s.t->oracle.r);
        check_commitments(&s);
        check_openings(&s, zs);
        for (size_t j = 0; j < COUNT; j++) {
            mpz_clear(zs[j]);
        }
    }
}

/* ---- Verifying ---- */

enum { CLAIMS = 4 };

/* These are claims with a commitment cG and a proof wG, where c and w are known. A claim holds if w (s - z) = c - y
 * modulo r. */
typedef struct claims {
    mpz_t c[CLAIMS], z[CLAIMS], y[CLAIMS], w[CLAIMS];
} claims;

static sumac_vector *points_of(const scene *s, mpz_t *logarithms, size_t count)
{
    AUTO_FREE uint8_t *raw = test_alloc(count * s->t->info->point_bytes);
    sumac_vector *vector = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, count);
    for (size_t i = 0; i < count; i++) {
        multiply_generator(s, s->t->group, logarithms[i], raw + i * s->t->info->point_bytes);
    }
    TEST_OK(s->context, test_vector_set(s->context, vector, raw, 0, count, NULL));
    return vector;
}

/* Return 1 if the first `count` claims hold, as GMP computes. */
static int claims_hold(const scene *s, claims *all, size_t count)
{
    int hold = 1;
    TEST_NUMBERS(left, right);
    for (size_t i = 0; i < count; i++) {
        mpz_sub(left, s->secret, all->z[i]);
        mpz_mul(left, left, all->w[i]);
        mpz_sub(right, all->c[i], all->y[i]);
        mpz_sub(left, left, right);
        hold = hold && mpz_divisible_p(left, s->t->oracle.r) != 0;
    }
    return hold;
}

/* Verify with points of exactly their groups' lengths. */
static sumac_status verify(const scene *s, const uint8_t *g1, const uint8_t *g2,
                           const sumac_vector *commitments, const sumac_vector *places,
                           const sumac_vector *values, const sumac_vector *proofs, int *ok)
{
    const size_t bytes = s->t->info->point_bytes;
    const sumac_group *second;
    const size_t g2_bytes =
        sumac_group_find(s->t->info->curve, "g2", &second) == SUMAC_OK ? second->point_bytes : 0;
    return sumac_srs_verify(s->context, s->t->group, g1, bytes, g2, 2 * g2_bytes, commitments, places, values,
                            proofs, ok);
}

static void check_claims(const scene *s, const uint8_t *g1, const uint8_t *g2, claims *all, size_t count,
                         int expected, const char *what)
{
    int ok = 2;
    CLEANUP(destroy_vector)
    sumac_vector *commitments = points_of(s, all->c, count), *proofs = points_of(s, all->w, count);
    CLEANUP(destroy_vector)
    sumac_vector *places = scalars_of(s, all->z, count), *values = scalars_of(s, all->y, count);
    TEST_OK(s->context, verify(s, g1, g2, commitments, places, values, proofs, &ok));
    if (ok != expected || claims_hold(s, all, count) != expected) {
        test_abort("%s: %zu claims: %s: ok = %d", s->t->info->curve, count, what, ok);
    }
}

/* Add one to a number of claim i, check that verifying fails, and restore the number. */
static void check_wrong(const scene *s, const uint8_t *g1, const uint8_t *g2, claims *all, size_t count,
                        mpz_t *numbers, size_t i, const char *what)
{
    mpz_t kept;
    mpz_init_set(kept, numbers[i]);
    mpz_add_ui(numbers[i], numbers[i], 1);
    mpz_mod(numbers[i], numbers[i], s->t->oracle.r);
    check_claims(s, g1, g2, all, count, 0, what);
    mpz_set(numbers[i], kept);
    mpz_clear(kept);
}

/* On BLS12-381, a point of order 3 lies outside the subgroup. It is refused as a commitment and as a proof. */
static void check_outside_subgroup(const scene *s, const uint8_t *g1, const uint8_t *g2, claims *all)
{
    uint8_t outside[MOST_POINT] = {0};
    int ok = 2;
    outside[s->t->info->field_bytes] = 2; /* (0, 2) */
    CLEANUP(destroy_vector)
    sumac_vector *good = points_of(s, all->c, 1),
                 *bad = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, 1);
    CLEANUP(destroy_vector)
    sumac_vector *places = scalars_of(s, all->z, 1), *values = scalars_of(s, all->y, 1);
    TEST_OK(s->context, test_vector_set(s->context, bad, outside, 0, 1, NULL));
    test_status(s->context, verify(s, g1, g2, bad, places, values, good, &ok), SUMAC_NOT_IN_SUBGROUP,
                "commitment outside");
    test_status(s->context, verify(s, g1, g2, good, places, values, bad, &ok), SUMAC_NOT_IN_SUBGROUP,
                "proof outside");
    test_sentence(s->context,
                  sumac_srs_verify(s->context, s->t->group, g1, 95, g2, 384, good, places, values, good, &ok),
                  SUMAC_BAD_LENGTH, "g1_point: there are 95 bytes");
    test_sentence(s->context,
                  sumac_srs_verify(s->context, s->t->group, g1, 96, g2, 383, good, places, values, good, &ok),
                  SUMAC_BAD_LENGTH, "g2_points: there are 383 bytes");
    assert_int_equal(ok, 2);
}

static void check_verifying(const scene *s, const sumac_group *second)
{
    uint8_t g1[MOST_POINT], g2[4 * MOST_POINT];
    const size_t g2_bytes = second->point_bytes;
    claims all;
    TEST_NUMBERS(difference);
    assert_int_equal(sumac_group_generator(s->t->group, g1, s->t->group->point_bytes), SUMAC_OK);
    assert_int_equal(sumac_group_generator(second, g2, second->point_bytes), SUMAC_OK);
    multiply_generator(s, second, s->secret, g2 + g2_bytes);
    for (size_t i = 0; i < CLAIMS; i++) {
        mpz_inits(all.c[i], all.z[i], all.y[i], all.w[i], NULL);
        mpz_urandomm(all.c[i], s->t->random, s->t->oracle.r);
        mpz_urandomm(all.z[i], s->t->random, s->t->oracle.r);
        mpz_urandomm(all.y[i], s->t->random, s->t->oracle.r);
    }
    mpz_set(all.z[1], all.z[0]);
    mpz_set_ui(all.c[2], 0); /* a commitment to the polynomial 0, and an evaluation point of 0 */
    mpz_set_ui(all.z[2], 0);
    for (size_t i = 0; i < CLAIMS; i++) {
        mpz_sub(difference, s->secret, all.z[i]);
        mpz_invert(difference, difference, s->t->oracle.r);
        mpz_sub(all.w[i], all.c[i], all.y[i]);
        mpz_mul(all.w[i], all.w[i], difference);
        mpz_mod(all.w[i], all.w[i], s->t->oracle.r);
    }
    for (size_t count = 0; count <= CLAIMS; count++) {
        check_claims(s, g1, g2, &all, count, 1, "true claims");
    }
    for (size_t count = 1; count <= CLAIMS; count += CLAIMS - 1) {
        check_wrong(s, g1, g2, &all, count, all.c, 0, "another commitment");
        check_wrong(s, g1, g2, &all, count, all.z, count - 1, "another place");
        check_wrong(s, g1, g2, &all, count, all.y, count - 1, "another value");
        check_wrong(s, g1, g2, &all, count, all.w, 0, "another proof");
    }
    /* If claims were only added up, these two errors would cancel. */
    mpz_add_ui(all.y[0], all.y[0], 1);
    mpz_sub_ui(all.y[1], all.y[1], 1);
    check_claims(s, g1, g2, &all, 2, 0, "errors that cancel");
    if (strcmp(s->t->info->curve, "bls12-381") == 0) {
        check_outside_subgroup(s, g1, g2, &all);
    }
    for (size_t i = 0; i < CLAIMS; i++) {
        mpz_clears(all.c[i], all.z[i], all.y[i], all.w[i], NULL);
    }
}

/* Without a pairing, and in the second group, verifying is refused. */
static void test_verifying(void **state)
{
    CLEANUP(close_scene) scene s = open_scene(*state, 2, 1);
    const sumac_group *second;
    uint8_t point[4 * MOST_POINT] = {0};
    int is_one, ok = 2;
    const int has_pairing =
        test_pairing_check(s.context, s.t->group, NULL, NULL, 0, SUMAC_CHECK_NONE, &is_one) == SUMAC_OK;
    if (has_pairing && strcmp(s.t->info->name, "g1") == 0) {
        assert_int_equal(sumac_group_find(s.t->info->curve, "g2", &second), SUMAC_OK);
        check_verifying(&s, second);
    } else {
        CLEANUP(destroy_vector) sumac_vector *points = test_vector(s.context, s.t, SUMAC_VECTOR_POINTS, 1);
        CLEANUP(destroy_vector) sumac_vector *scalars = test_vector(s.context, s.t, SUMAC_VECTOR_SCALARS, 1);
        test_status(s.context, verify(&s, point, point, points, scalars, scalars, points, &ok),
                    has_pairing ? SUMAC_BAD_ARGUMENT : SUMAC_NOT_SUPPORTED, "no pairing");
        assert_int_equal(ok, 2);
    }
}

/* ---- Challenges, and openings at several points ---- */

/* The digests of "abc" are those of FIPS 180-4 and of Ethereum. GMP reduces them. */
static void test_challenges(void **state)
{
    static const struct {
        const char *hash, *digest;
    } cases[] = {{"sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                 {"keccak256", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"}};
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *c = test_context(1, 0);
    const size_t bytes = t->group->scalar_bytes;
    uint8_t expected[MOST_SCALAR], found[MOST_SCALAR + 1] = {0};
    TEST_NUMBERS(number);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mpz_set_str(number, cases[i].digest, 16);
        mpz_mod(number, number, t->oracle.r);
        to_raw(t, expected, number);
        found[bytes] = 7;
        TEST_OK(c, sumac_challenge(c, t->group, cases[i].hash, "abc", 3, found, bytes));
        assert_memory_equal(found, expected, bytes);
        assert_int_equal(found[bytes], 7);
        TEST_OK(c, sumac_challenge(c, t->group, cases[i].hash, NULL, 0, found, bytes));
        assert_memory_not_equal(found, expected, bytes);
    }
    TEST_SHORT(c, sumac_challenge(c, t->group, "sha256", "abc", 3, found, bytes - 1));
    test_sentence(c, sumac_challenge(c, t->group, "sha512", "abc", 3, found, bytes), SUMAC_BAD_ARGUMENT,
                  "hash must be");
    TEST_BAD(c, sumac_challenge(c, NULL, "sha256", "abc", 3, found, bytes));
    TEST_BAD(c, sumac_challenge(c, t->group, NULL, "abc", 3, found, bytes));
    TEST_BAD(c, sumac_challenge(c, t->group, "sha256", NULL, 3, found, bytes));
    TEST_BAD(c, sumac_challenge(c, t->group, "sha256", "abc", 3, NULL, bytes));
}

enum { JOINED = 6, JOINED_POINTS = 3 };

/* These are the scene's polynomials, which are opened at some of three points. */
typedef struct joined {
    const scene *s;
    const uint8_t *opened; /* null: all at all points */
    mpz_t at[JOINED_POINTS], z, factors[JOINED], values[JOINED * JOINED_POINTS];
    sumac_vector *points, *scalars, *evaluation_point, *quotient, *proof;
} joined;

static int is_joined(const joined *j, size_t i, size_t t)
{
    return j->opened == NULL || j->opened[i * JOINED_POINTS + t];
}

/* Multiply the differences x - u for the points u at which polynomial i is opened, or is not opened, but for point `without`. */
static void differences(const joined *j, size_t i, int opened, size_t without, const mpz_t x, mpz_t product)
{
    TEST_NUMBERS(difference);
    mpz_set_ui(product, 1);
    for (size_t t = 0; t < JOINED_POINTS; t++) {
        if (is_joined(j, i, t) == opened && t != without) {
            mpz_sub(difference, x, j->at[t]);
            mpz_mul(product, product, difference);
            mpz_mod(product, product, j->s->t->oracle.r);
        }
    }
}

/* Compute f_i(at) - r_i(x), where Lagrange's formula gives r_i. */
static void subtract_remainder(const joined *j, size_t i, const mpz_t at, const mpz_t x, mpz_t difference)
{
    TEST_NUMBERS(weight, divisor);
    evaluate(j->s, j->s->f + i * j->s->n, at, difference);
    for (size_t t = 0; t < JOINED_POINTS; t++) {
        if (is_joined(j, i, t)) {
            differences(j, i, 1, t, x, weight);
            differences(j, i, 1, t, j->at[t], divisor);
            mpz_invert(divisor, divisor, j->s->t->oracle.r);
            mpz_mul(weight, weight, divisor);
            mpz_mul(weight, weight, j->values[i * JOINED_POINTS + t]);
            mpz_sub(difference, difference, weight);
        }
    }
}

/* Compute h(secret) and l(secret)/(secret - z), the logarithms of the proof's points, by the formulas of the header. */
static void expect_logarithms(const joined *j, mpz_t h, mpz_t quotient)
{
    const scene *s = j->s;
    TEST_NUMBERS(term, product);
    for (size_t i = 0; i < s->count; i++) {
        subtract_remainder(j, i, s->secret, s->secret, term);
        differences(j, i, 1, JOINED_POINTS, s->secret, product);
        mpz_invert(product, product, s->t->oracle.r);
        mpz_mul(term, term, product);
        mpz_addmul(h, term, j->factors[i]);
        subtract_remainder(j, i, s->secret, j->z, term);
        differences(j, i, 0, JOINED_POINTS, j->z, product);
        mpz_mul(term, term, product);
        mpz_addmul(quotient, term, j->factors[i]);
    }
    differences(j, 0, 0, JOINED_POINTS, j->z, product);
    differences(j, 0, 1, JOINED_POINTS, j->z, term);
    mpz_mul(term, term, product);
    mpz_mul(term, term, h);
    mpz_sub(quotient, quotient, term);
    mpz_sub(term, s->secret, j->z);
    mpz_invert(term, term, s->t->oracle.r);
    mpz_mul(quotient, quotient, term);
    mpz_mod(h, h, s->t->oracle.r);
}

static void check_points(joined *j)
{
    const scene *s = j->s;
    const size_t opened_bytes = j->opened == NULL ? 0 : s->count * JOINED_POINTS;
    CLEANUP(destroy_vector) sumac_vector *point = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, 1);
    TEST_NUMBERS(h, quotient, value);
    expect_logarithms(j, h, quotient);
    TEST_OK(s->context, sumac_shplonk_quotient(s->context, s->srs, s->polynomials, s->n, j->points, j->opened,
                                               opened_bytes, j->scalars, j->quotient, point));
    AUTO_FREE uint8_t *first = read_vector(s, point), *coefficients = read_vector(s, j->quotient);
    expect_multiple(s, first, h, "quotient", 0);
    for (size_t i = s->n; i-- > 0;) {
        TEST_NUMBERS(coefficient);
        mpz_import(coefficient, s->t->info->scalar_bytes, -1, 1, 0, 0,
                   coefficients + i * s->t->info->scalar_bytes);
        mpz_mul(value, value, s->secret);
        mpz_add(value, value, coefficient);
    }
    mpz_mod(value, value, s->t->oracle.r);
    assert_int_equal(mpz_cmp(value, h), 0);
    TEST_OK(s->context,
            sumac_shplonk_open(s->context, s->srs, s->polynomials, s->n, j->points, j->opened, opened_bytes,
                               j->scalars, j->quotient, j->evaluation_point, point));
    AUTO_FREE uint8_t *second = read_vector(s, point);
    expect_multiple(s, second, quotient, "joined opening", 0);
    TEST_OK(s->context, test_vector_set(s->context, j->proof, first, 0, 1, NULL));
    TEST_OK(s->context, test_vector_set(s->context, j->proof, second, 1, 1, NULL));
}

static int joined_hold(const joined *j, const uint8_t *g1, const uint8_t *g2, size_t g2_bytes,
                       const sumac_vector *commitments, const sumac_vector *values)
{
    const scene *s = j->s;
    int ok = 2;
    TEST_OK(s->context, sumac_shplonk_verify(s->context, s->t->group, g1, s->t->info->point_bytes, g2,
                                             2 * g2_bytes, commitments, j->points, j->opened,
                                             j->opened == NULL ? 0 : s->count * JOINED_POINTS, values,
                                             j->scalars, j->evaluation_point, j->proof, &ok));
    return ok;
}

/* Add one to element i of a vector of scalars, or the generator to a point, and check that the proof does not hold then. */
static void check_altered(const joined *j, const uint8_t *g1, const uint8_t *g2, size_t g2_bytes,
                          const sumac_vector *commitments, const sumac_vector *values, sumac_vector *altered,
                          size_t i, int expected, const char *what)
{
    const scene *s = j->s;
    const sumac_vector_kind kind = sumac_vector_kind_of(altered);
    const uint8_t one[MOST_SCALAR] = {1};
    CLEANUP(destroy_vector)
    sumac_vector *difference =
                     test_vector_of(s->context, s->t, kind, 1, kind == SUMAC_VECTOR_SCALARS ? one : g1),
                 *element = NULL;
    TEST_OK(s->context, sumac_vector_view(s->context, altered, i, 1, &element));
    TEST_OK(s->context, sumac_vector_add(s->context, element, difference, 1, element));
    if (joined_hold(j, g1, g2, g2_bytes, commitments, values) != expected) {
        test_abort("%s: another %s %zu", s->t->info->curve, what, i);
    }
    TEST_OK(s->context, sumac_vector_subtract(s->context, element, difference, 1, element));
}

/* If there is a pairing, the proof holds, and no altered one does. */
static void check_joined_verifying(joined *j)
{
    const scene *s = j->s;
    const sumac_group *second;
    uint8_t g1[MOST_POINT], g2[4 * MOST_POINT];
    int is_one;
    if (test_pairing_check(s->context, s->t->group, NULL, NULL, 0, SUMAC_CHECK_NONE, &is_one) != SUMAC_OK ||
        strcmp(s->t->info->name, "g1") != 0) {
        return;
    }
    assert_int_equal(sumac_group_find(s->t->info->curve, "g2", &second), SUMAC_OK);
    assert_int_equal(sumac_group_generator(s->t->group, g1, s->t->group->point_bytes), SUMAC_OK);
    assert_int_equal(sumac_group_generator(second, g2, second->point_bytes), SUMAC_OK);
    multiply_generator(s, second, s->secret, g2 + second->point_bytes);
    CLEANUP(destroy_vector)
    sumac_vector *commitments = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, s->count),
                 *values = scalars_of(s, j->values, s->count * JOINED_POINTS);
    TEST_OK(s->context, sumac_srs_commit(s->context, s->srs, s->polynomials, s->n, commitments));
    const size_t g2_bytes = second->point_bytes;
    assert_int_equal(joined_hold(j, g1, g2, g2_bytes, commitments, values), 1);
    check_altered(j, g1, g2, g2_bytes, commitments, values, commitments, 0, 0, "commitment");
    check_altered(j, g1, g2, g2_bytes, commitments, values, commitments, s->count - 1, 0, "commitment");
    for (size_t i = 0; i < JOINED_POINTS; i++) { /* a value that is not used may be any */
        check_altered(j, g1, g2, g2_bytes, commitments, values, values, i, !is_joined(j, 0, i), "value");
    }
    check_altered(j, g1, g2, g2_bytes, commitments, values, j->proof, 0, 0, "quotient");
    check_altered(j, g1, g2, g2_bytes, commitments, values, j->proof, 1, 0, "opening");
    if (s->n > JOINED_POINTS) { /* otherwise the values may determine the polynomials, and the proof is 0 */
        check_altered(j, g1, g2, g2_bytes, commitments, values, j->scalars, 0, 0, "factor");
        check_altered(j, g1, g2, g2_bytes, commitments, values, j->scalars, s->count - 1, 0, "factor");
        check_altered(j, g1, g2, g2_bytes, commitments, values, j->points, 1, 0, "place");
        check_altered(j, g1, g2, g2_bytes, commitments, values, j->evaluation_point, 0, 0,
                      "evaluation point");
    }
}

static void check_joined(const scene *s, const uint8_t *opened)
{
    joined j = {.s = s, .opened = opened};
    for (size_t t = 0; t < JOINED_POINTS;
         t++) { /* secret + 1, secret + 3 and secret + 5 are not the secret or z */
        mpz_init(j.at[t]);
        mpz_add_ui(j.at[t], s->secret, 2 * t + 1);
        mpz_mod(j.at[t], j.at[t], s->t->oracle.r);
    }
    mpz_init(j.z);
    mpz_add_ui(j.z, s->secret, 2);
    mpz_mod(j.z, j.z, s->t->oracle.r);
    for (size_t i = 0; i < s->count; i++) {
        mpz_init(j.factors[i]);
        mpz_urandomm(j.factors[i], s->t->random, s->t->oracle.r);
        for (size_t t = 0; t < JOINED_POINTS; t++) {
            mpz_init(j.values[i * JOINED_POINTS + t]);
            evaluate(s, s->f + i * s->n, j.at[t], j.values[i * JOINED_POINTS + t]);
        }
    }
    j.points = scalars_of(s, j.at, JOINED_POINTS);
    j.scalars = scalars_of(s, j.factors, s->count);
    j.evaluation_point = scalars_of(s, &j.z, 1);
    j.quotient = test_vector(s->context, s->t, SUMAC_VECTOR_SCALARS, s->n);
    j.proof = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, 2);
    check_points(&j);
    check_joined_verifying(&j);
    sumac_vector *const vectors[] = {j.points, j.scalars, j.evaluation_point, j.quotient, j.proof};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        sumac_vector_destroy(vectors[i]);
    }
    for (size_t i = 0; i < s->count; i++) {
        mpz_clear(j.factors[i]);
        for (size_t t = 0; t < JOINED_POINTS; t++) {
            mpz_clear(j.values[i * JOINED_POINTS + t]);
        }
    }
    for (size_t t = 0; t < JOINED_POINTS; t++) {
        mpz_clear(j.at[t]);
    }
    mpz_clear(j.z);
}

/* Each polynomial is opened at other points, or all at all points. */
static void test_joined_openings(void **state)
{
    static const uint8_t some[JOINED * JOINED_POINTS] = {1, 0, 0, 0, 1, 0, 1, 1, 0,
                                                         0, 0, 1, 1, 0, 1, 1, 1, 1};
    static const size_t lengths[] = {1, 2, 3, 8, 21};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        CLEANUP(close_scene) scene s = open_scene(*state, lengths[i], JOINED);
        check_joined(&s, some);
        check_joined(&s, NULL);
    }
}

/* ---- FK20 ---- */

/* Compute a = w^exponent, where w has order `cells`. */
static void coset_constant(const scene *s, size_t cells, size_t exponent, mpz_t a)
{
    uint8_t raw[MOST_SCALAR];
    assert_int_equal(test_root_of_unity(s->t->group, (uint32_t)__builtin_ctzl(cells), raw), SUMAC_OK);
    mpz_import(a, s->t->info->scalar_bytes, -1, 1, 0, 0, raw);
    mpz_powm_ui(a, a, exponent, s->t->oracle.r);
}

static sumac_fk20_info describe(const sumac_fk20 *fk20)
{
    sumac_fk20_info info = {.size = sizeof info};
    assert_int_equal(sumac_fk20_describe(fk20, &info), SUMAC_OK);
    return info;
}

/* Check all proofs of each polynomial, or some if there are many. */
static void check_proofs(const scene *s, const sumac_fk20 *fk20, size_t rate, sumac_order order)
{
    const size_t l = describe(fk20).cell_elements, cells = rate * s->n / l;
    CLEANUP(destroy_vector)
    sumac_vector *proofs = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, s->count * cells);
    TEST_OK(s->context, sumac_fk20_prove(s->context, fk20, s->polynomials, rate, order, proofs));
    AUTO_FREE uint8_t *found = read_vector(s, proofs);
    TEST_NUMBERS(a, value);
    const size_t step = cells <= 8 ? 1 : cells / SAMPLES;
    for (size_t i = 0; i < s->count; i++) {
        for (size_t c = 0; c < cells; c += step) {
            coset_constant(
                s, cells,
                order == SUMAC_ORDER_NATURAL ? c : test_reversed(c, (uint32_t)__builtin_ctzl(cells)), a);
            divide_and_evaluate(s, s->f + i * s->n, l, a, value);
            expect_multiple(s, found + (i * cells + c) * s->t->info->point_bytes, value, "proof",
                            i * cells + c);
        }
    }
}

static sumac_fk20 *new_fk20(const scene *s, size_t l, uint64_t table_bytes)
{
    sumac_fk20 *fk20;
    TEST_OK(s->context, sumac_fk20_create(s->context, s->srs, s->n, l, table_bytes, &fk20));
    assert_ptr_equal(describe(fk20).group, s->t->group);
    assert_int_equal(describe(fk20).n, s->n);
    assert_int_equal(describe(fk20).cell_elements, l);
    return fk20;
}

/* Return 1 if the scalar field has a root of unity of this order. */
static int has_root(const test_group *t, size_t order)
{
    uint8_t root[MOST_SCALAR];
    return test_root_of_unity(t->group, (uint32_t)__builtin_ctzl(order), root) == SUMAC_OK;
}

/* For every shape of a few coefficients, calls work. If the field lacks a root of unity of the required order, they are
 * refused. */
static void test_shapes(void **state)
{
    const test_group *t = *state;
    const size_t most = options.quick ? 4 : 8;
    for (size_t n = 2; n <= most; n *= 2) {
        CLEANUP(close_scene) scene s = open_scene(*state, n, n == 4 ? 5 : 3);
        for (size_t l = 1; l < n; l *= 2) {
            if (!has_root(t, 2 * n / l)) {
                sumac_fk20 *none = (void *)&s;
                test_status(s.context, sumac_fk20_create(s.context, s.srs, n, l, 0, &none),
                            SUMAC_NOT_SUPPORTED, "no root");
                assert_null(none);
                continue;
            }
            CLEANUP(destroy_fk20) sumac_fk20 *fk20 = new_fk20(&s, l, l == 1 ? 1 << 16 : 1);
            check_proofs(&s, fk20, 2, SUMAC_ORDER_BIT_REVERSED);
            check_proofs(&s, fk20, 1, SUMAC_ORDER_NATURAL);
            if (has_root(t, 4 * n / l)) {
                check_proofs(&s, fk20, 4, n == 8 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL);
            }
        }
    }
}

/* Evaluate f modulo X^l - a at the secret. */
static void evaluate_remainder(const scene *s, mpz_t *f, size_t l, const mpz_t a, mpz_t value)
{
    TEST_NUMBERS(folded);
    mpz_set_ui(value, 0);
    for (size_t j = l; j-- > 0;) {
        mpz_set_ui(folded, 0);
        for (size_t m = s->n / l; m-- > 0;) {
            mpz_mul(folded, folded, a);
            mpz_add(folded, folded, f[m * l + j]);
            mpz_mod(folded, folded, s->t->oracle.r);
        }
        mpz_mul(value, value, s->secret);
        mpz_add(value, value, folded);
        mpz_mod(value, value, s->t->oracle.r);
    }
}

/* Check a verifier's equation, which is e(commitment, G2) e(-remainder(s)G, G2) e(proof, (a - s^l)G2) = 1. */
static void expect_pairing(const scene *s, const sumac_group *g2, const uint8_t *commitment,
                           const uint8_t *proof, size_t l, const mpz_t a)
{
    const size_t bytes = s->t->info->point_bytes, g2_bytes = g2->point_bytes;
    uint8_t first[3 * MOST_POINT], second[3 * MOST_POINT];
    int is_one = 7;
    TEST_NUMBERS(value);
    evaluate_remainder(s, s->f, l, a, value);
    mpz_neg(value, value);
    memcpy(first, commitment, bytes);
    multiply_generator(s, s->t->group, value, first + bytes);
    memcpy(first + 2 * bytes, proof, bytes);
    mpz_set_ui(value, 1);
    multiply_generator(s, g2, value, second);
    multiply_generator(s, g2, value, second + g2_bytes);
    mpz_powm_ui(value, s->secret, l, s->t->oracle.r);
    mpz_sub(value, a, value);
    multiply_generator(s, g2, value, second + 2 * g2_bytes);
    TEST_OK(s->context, test_pairing_check(s->context, g2, first, second, 3, SUMAC_CHECK_SUBGROUP, &is_one));
    assert_int_equal(is_one, 1);
}

/* Check some proofs of the first polynomial by pairings. */
static void check_by_pairing(const scene *s, const sumac_fk20 *fk20)
{
    const size_t l = describe(fk20).cell_elements, cells = 2 * s->n / l;
    const sumac_group *g2;
    int is_one;
    if (sumac_group_find(s->t->info->curve, "g2", &g2) != SUMAC_OK ||
        test_pairing_check(s->context, g2, NULL, NULL, 0, SUMAC_CHECK_NONE, &is_one) != SUMAC_OK) {
        return;
    }
    CLEANUP(destroy_vector)
    sumac_vector *commitments = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, s->count);
    CLEANUP(destroy_vector)
    sumac_vector *proofs = test_vector(s->context, s->t, SUMAC_VECTOR_POINTS, s->count * cells);
    TEST_OK(s->context, sumac_srs_commit(s->context, s->srs, s->polynomials, s->n, commitments));
    TEST_OK(s->context, sumac_fk20_prove(s->context, fk20, s->polynomials, 2, SUMAC_ORDER_NATURAL, proofs));
    AUTO_FREE uint8_t *commitment = read_vector(s, commitments), *found = read_vector(s, proofs);
    TEST_NUMBERS(a);
    for (size_t c = 1; c < cells; c += cells / SAMPLES + 1) {
        coset_constant(s, cells, c, a);
        expect_pairing(s, g2, commitment, found + c * s->t->info->point_bytes, l, a);
    }
}

static void check_large_shape(test_group *t, size_t n, size_t l, size_t count)
{
    enum { MOST = 5 };
    CLEANUP(close_scene) scene s = open_scene(t, n, count);
    CLEANUP(destroy_fk20) sumac_fk20 *fk20 = new_fk20(&s, l, 1);
    mpz_t zs[MOST];
    for (size_t j = 0; j < MOST; j++) {
        mpz_init(zs[j]);
        mpz_urandomm(zs[j], t->random, t->oracle.r);
    }
    check_proofs(&s, fk20, 2, SUMAC_ORDER_BIT_REVERSED);
    check_commitments(&s);
    check_openings(&s, zs);
    if (count == 1) {
        check_by_pairing(&s, fk20);
    }
    for (size_t j = 0; j < MOST; j++) {
        mpz_clear(zs[j]);
    }
}

/* Larger shapes have cells of 1, 16 and 64 elements, and openings of as many coefficients. Ethereum's sizes are in
 * test_kzg.c. */
static void test_large_shapes(void **state)
{
    static const struct {
        const char *curve;
        size_t n, l, count;
    } cases[] = {{"bls12-381", 128, 1, 1},
                 {"bls12-381", 512, 16, 1},
                 {"bn254", 128, 1, 1},
                 {"bn254", 256, 16, 1},
                 {"bn254", 1024, 64, 1},
                 /* A sub-batch has four polynomials, so that five polynomials need two. */
                 {"bn254", 1 << 14, 1 << 12, 5}};
    test_group *t = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(t->info->curve, cases[i].curve) == 0 && strcmp(t->info->name, "g1") == 0 &&
            (!options.quick || cases[i].n <= 256)) {
            check_large_shape(t, cases[i].n, cases[i].l, cases[i].count);
        }
    }
}

/* Tables of any size give the same proofs. On the CPU tables keep to their limit, and grow with it. On a GPU bases
 * without multiples have images, to which the limit does not apply. */
static void test_tables(void **state)
{
    static const uint64_t limits[] = {1, 1 << 16, 1 << 18, 1 << 20, 1 << 22};
    test_group *t = *state;
    const int on_cpu = strcmp(options.backend, "cpu") == 0;
    if (!has_root(t, 32)) {
        skip();
    }
    CLEANUP(close_scene) scene s = open_scene(t, 64, 2);
    CLEANUP(destroy_fk20) sumac_fk20 *first = new_fk20(&s, 4, 1);
    const uint64_t plain = describe(first).table_bytes;
    uint64_t before = plain;
    assert_true(plain >= 128 * t->info->point_bytes);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        CLEANUP(destroy_fk20) sumac_fk20 *other = new_fk20(&s, 4, limits[i]);
        const uint64_t bytes = describe(other).table_bytes;
        if (on_cpu) {
            assert_true(bytes >= before && (bytes <= limits[i] || bytes == plain));
        }
        before = bytes;
        check_proofs(&s, other, 2, SUMAC_ORDER_BIT_REVERSED);
    }
    assert_true(before > plain || !on_cpu);
}

/* ---- Files ---- */

static void expect_refused(const scene *s, const sumac_bases *srs, size_t n, size_t l, const char *path,
                           sumac_status expected, const char *sentence)
{
    sumac_fk20 *fk20 = (void *)&expected;
    test_sentence(s->context, sumac_fk20_open(s->context, srs, n, l, path, &fk20), expected, sentence);
    assert_non_null(strstr(sumac_context_message(s->context), path));
    assert_null(fk20);
}

/* If any part of a file is changed, if the file is cut off, or if it has more bytes, it is refused. */
static void damage_file(const scene *s, size_t l, const char *path)
{
    enum { HEADER = 192, TABLE = 256 }; /* a header with two sections: the SRS's hash, and the table */
    static const struct {
        size_t at;
        sumac_status expected;
        const char *sentence;
    } changes[] = {{0, SUMAC_BAD_FILE, "does not begin"},
                   {8, SUMAC_BAD_FILE, "version 3"},
                   {12, SUMAC_BAD_FILE, "is expected"},
                   {16, SUMAC_BAD_CHECKSUM, "header"},
                   {HEADER - 1, SUMAC_BAD_CHECKSUM, "header"},
                   {HEADER + 31, SUMAC_BAD_CHECKSUM, "bytes 192 to 223"},
                   {TABLE + 200, SUMAC_BAD_CHECKSUM, "bytes 256 to"}};
    size_t size;
    AUTO_FREE uint8_t *bytes = test_read_file(path, &size); /* followed by a zero */
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bytes[changes[i].at] ^= 1;
        test_write_file(path, bytes, size);
        bytes[changes[i].at] ^= 1;
        expect_refused(s, s->srs, s->n, l, path, changes[i].expected, changes[i].sentence);
    }
    const size_t lengths[] = {0, 7, HEADER - 1, HEADER, TABLE - 1, TABLE, size - 1, size + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        test_write_file(path, bytes, lengths[i]);
        expect_refused(s, s->srs, s->n, l, path, SUMAC_BAD_FILE, "");
    }
    test_write_file(path, bytes, size);
}

/* A saved FK20 is opened again, with tables or without. It gives the same proofs and is saved as the same bytes. */
static void check_file(const scene *s, size_t l, uint64_t table_bytes, const char *path)
{
    sumac_fk20 *fk20 = new_fk20(s, l, table_bytes), *loaded;
    TEST_OK(s->context, sumac_fk20_save(s->context, fk20, path));
    TEST_OK(s->context, sumac_fk20_open(s->context, s->srs, s->n, l, path, &loaded));
    assert_int_equal(describe(loaded).table_bytes, describe(fk20).table_bytes);
    sumac_fk20_destroy(fk20);
    check_proofs(s, loaded, 2, SUMAC_ORDER_BIT_REVERSED);
    size_t size, size_again;
    AUTO_FREE uint8_t *first = test_read_file(path, &size);
    TEST_OK(s->context, sumac_fk20_save(s->context, loaded, path));
    AUTO_FREE uint8_t *second = test_read_file(path, &size_again);
    assert_int_equal(size_again, size);
    assert_memory_equal(first, second, size);
    test_status(s->context, sumac_fk20_save(s->context, loaded, "/dev/full"), SUMAC_WRITE_FAILED, "full");
    test_status(s->context, sumac_fk20_save(s->context, loaded, "/nowhere/at/all"), SUMAC_CANNOT_OPEN,
                "path");
    sumac_fk20_destroy(loaded);
}

/* If a file of a smaller shape claims to be of this shape, it is refused, because its table has too few bases. */
static void refuse_other_table(const scene *s, const char *path)
{
    enum { SRS = 0, HASH_BYTES = 32 };
    sumac_fk20 *smaller;
    size_t whole, size;
    AUTO_FREE uint8_t *of_shape = test_read_file(path, &whole);
    TEST_OK(s->context, sumac_fk20_create(s->context, s->srs, 16, 4, 1, &smaller));
    TEST_OK(s->context, sumac_fk20_save(s->context, smaller, path));
    sumac_fk20_destroy(smaller);
    AUTO_FREE uint8_t *bytes = test_read_file(path, &size);
    const file_section from = file_section_at(of_shape, SRS), to = file_section_at(bytes, SRS);
    memcpy(bytes + to.offset, of_shape + from.offset, HASH_BYTES);
    file_store(bytes + to.entry + ENTRY_COUNT, 32, 8);
    file_correct(bytes, size);
    test_write_file(path, bytes, size);
    expect_refused(s, s->srs, 32, 4, path, SUMAC_BAD_FILE, "32 bases, where n = 32 makes 64");
}

static void test_files(void **state)
{
    test_group *t = *state;
    TEST_FILE(path);
    if (!has_root(t, 16)) {
        test_remove_file(path);
        skip();
    }
    CLEANUP(close_scene) scene s = open_scene(t, 32, 2), other = open_scene(t, 32, 1);
    check_file(&s, 4, 1, path);
    check_file(&s, 4, 1 << 18, path);
    expect_refused(&s, other.srs, 32, 4, path, SUMAC_MISMATCH, "another setup");
    expect_refused(&s, s.srs, 16, 4, path, SUMAC_MISMATCH, "n = 16 and cell_elements = 4 are expected");
    expect_refused(&s, s.srs, 32, 8, path, SUMAC_MISMATCH, "n = 32 and cell_elements = 4");
    damage_file(&s, 4, path);
    refuse_other_table(&s, path);
    test_remove_file(path);
    sumac_fk20 *none;
    test_status(s.context, sumac_fk20_open(s.context, s.srs, 32, 4, path, &none), SUMAC_CANNOT_OPEN, "path");
}

/* ---- Arguments ---- */

/* These are arguments for calls that are refused. */
typedef struct wrong_call {
    scene s, g2; /* g2 is of another curve */
    sumac_vector *points, *scalars, *few_points;
    sumac_fk20 *fk20;
} wrong_call;

static void refuse_openings(const wrong_call *w)
{
    sumac_context *c = w->s.context;
    const sumac_bases *srs = w->s.srs;
    const sumac_vector *f = w->s.polynomials;
    assert_int_equal(sumac_srs_commit(NULL, srs, f, 8, w->few_points), SUMAC_BAD_ARGUMENT);
    test_sentence(c, sumac_srs_commit(c, NULL, f, 8, w->few_points), SUMAC_BAD_ARGUMENT, "must not be null");
    test_sentence(c, sumac_srs_commit(c, srs, f, 0, w->few_points), SUMAC_BAD_ARGUMENT, "of 0 coefficients");
    test_sentence(c, sumac_srs_commit(c, srs, f, 3, w->few_points), SUMAC_BAD_ARGUMENT, "of 3 coefficients");
    test_sentence(c, sumac_srs_commit(c, srs, f, 16, w->few_points), SUMAC_BAD_ARGUMENT, "must be 1");
    test_sentence(c, sumac_srs_commit(c, srs, f, 8, w->scalars), SUMAC_BAD_ARGUMENT, "a vector of points");
    test_sentence(c, sumac_srs_commit(c, srs, w->points, 8, w->few_points), SUMAC_BAD_ARGUMENT,
                  "vector of scalars");
    test_sentence(c, sumac_srs_commit(c, w->g2.srs, f, 8, w->few_points), SUMAC_BAD_ARGUMENT,
                  "where the SRS is of");
    test_sentence(c, sumac_srs_open(c, srs, f, 8, w->scalars, NULL, NULL), SUMAC_BAD_ARGUMENT,
                  "must not be null");
    test_sentence(c, sumac_srs_open(c, srs, f, 8, w->few_points, NULL, w->few_points), SUMAC_BAD_ARGUMENT,
                  "the evaluation points must be a vector of scalars");
    test_sentence(c, sumac_srs_open(c, srs, f, 8, f, NULL, w->few_points), SUMAC_BAD_ARGUMENT,
                  "the evaluation points are 16");
    test_sentence(c, sumac_srs_open(c, srs, f, 8, w->scalars, NULL, w->points), SUMAC_BAD_ARGUMENT,
                  "the proofs are");
}

/* The SRS has 8 points, there are two polynomials of 8 coefficients, and the two points are both 0. */
static void refuse_joined_openings(const wrong_call *w)
{
    static const uint8_t opened[] = {1, 0, 0, 0};
    sumac_context *c = w->s.context;
    const sumac_bases *srs = w->s.srs;
    const sumac_vector *f = w->s.polynomials, *two = w->scalars;
    CLEANUP(destroy_vector)
    sumac_vector *h = test_vector(c, w->s.t, SUMAC_VECTOR_SCALARS, 8),
                 *many = test_vector(c, w->s.t, SUMAC_VECTOR_SCALARS, 65),
                 *one = test_vector(c, w->s.t, SUMAC_VECTOR_SCALARS, 1),
                 *point = test_vector(c, w->s.t, SUMAC_VECTOR_POINTS, 1);
    assert_int_equal(sumac_shplonk_quotient(NULL, srs, f, 8, one, NULL, 0, two, h, point),
                     SUMAC_BAD_ARGUMENT);
    test_sentence(c, sumac_shplonk_quotient(c, NULL, f, 8, one, NULL, 0, two, h, point), SUMAC_BAD_ARGUMENT,
                  "must not be null");
    test_sentence(c, sumac_shplonk_quotient(c, srs, f, 8, many, NULL, 0, two, h, point), SUMAC_BAD_ARGUMENT,
                  "65 points");
    test_sentence(c, sumac_shplonk_quotient(c, srs, f, 8, two, NULL, 0, two, h, point), SUMAC_BAD_ARGUMENT,
                  "points 0 and 1 are the same");
    test_sentence(c, sumac_shplonk_quotient(c, srs, f, 8, two, opened, 4, two, h, point), SUMAC_BAD_ARGUMENT,
                  "polynomial 1 is opened at no point");
    test_sentence(c, sumac_shplonk_quotient(c, srs, f, 8, two, opened, 3, two, h, point), SUMAC_BAD_LENGTH,
                  "opened: 3 bytes");
    test_sentence(c, sumac_shplonk_quotient(c, srs, f, 8, one, NULL, 0, one, h, point), SUMAC_BAD_ARGUMENT,
                  "the factors are 1");
    test_sentence(c, sumac_shplonk_quotient(c, srs, f, 8, one, NULL, 0, two, many, point), SUMAC_BAD_ARGUMENT,
                  "the quotient are 65");
    test_sentence(c, sumac_shplonk_quotient(c, srs, f, 16, one, NULL, 0, one, many, point),
                  SUMAC_BAD_ARGUMENT, "must be 16");
    test_sentence(c, sumac_shplonk_open(c, srs, f, 8, one, NULL, 0, two, h, two, point), SUMAC_BAD_ARGUMENT,
                  "the evaluation point are 2");
    test_sentence(c, sumac_shplonk_open(c, srs, f, 8, one, NULL, 0, two, h, one, NULL), SUMAC_BAD_ARGUMENT,
                  "must not be null");
}

static void refuse_fk20(const wrong_call *w)
{
    sumac_context *c = w->s.context;
    const sumac_vector *f = w->s.polynomials;
    sumac_fk20 *none = NULL;
    static const size_t shapes[][2] = {{0, 0}, {8, 0}, {8, 3}, {6, 2}, {8, 8}, {1, 1}, {(size_t)1 << 63, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        test_sentence(c, sumac_fk20_create(c, w->s.srs, shapes[i][0], shapes[i][1], 0, &none),
                      SUMAC_BAD_ARGUMENT, "both must be powers of two");
        assert_null(none);
    }
    test_sentence(c, sumac_fk20_create(c, w->s.srs, 16, 2, 0, &none), SUMAC_BAD_LENGTH,
                  "8 points, fewer than 16");
    test_sentence(c, sumac_fk20_create(c, NULL, 8, 2, 0, &none), SUMAC_BAD_ARGUMENT, "must not be null");
    test_sentence(c, sumac_fk20_save(c, w->fk20, NULL), SUMAC_BAD_ARGUMENT, "must not be null");
    test_sentence(c, sumac_fk20_open(c, w->s.srs, 8, 2, NULL, &none), SUMAC_BAD_ARGUMENT, "must not be null");
    test_sentence(c, sumac_fk20_prove(c, NULL, f, 2, SUMAC_ORDER_NATURAL, w->points), SUMAC_BAD_ARGUMENT,
                  "null");
    test_sentence(c, sumac_fk20_prove(c, w->fk20, f, 3, SUMAC_ORDER_NATURAL, w->points), SUMAC_BAD_ARGUMENT,
                  "a rate of 3");
    test_sentence(c, sumac_fk20_prove(c, w->fk20, f, 0, SUMAC_ORDER_NATURAL, w->points), SUMAC_BAD_ARGUMENT,
                  "rate");
    test_sentence(c, sumac_fk20_prove(c, w->fk20, f, 2, (sumac_order)7, w->points), SUMAC_BAD_ARGUMENT,
                  "order 7");
    test_sentence(c, sumac_fk20_prove(c, w->fk20, f, 1, SUMAC_ORDER_NATURAL, w->points), SUMAC_BAD_ARGUMENT,
                  "must be 8");
    test_sentence(c, sumac_fk20_prove(c, w->fk20, f, (size_t)1 << 60, SUMAC_ORDER_NATURAL, w->points),
                  SUMAC_NOT_SUPPORTED, "no root of unity");
    test_sentence(c, sumac_fk20_prove(c, w->fk20, w->scalars, 2, SUMAC_ORDER_NATURAL, w->points),
                  SUMAC_BAD_ARGUMENT, "are not polynomials of 8");
    sumac_fk20_info info = {.size = 0}, untouched = info;
    assert_int_equal(sumac_fk20_describe(w->fk20, &info), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_fk20_describe(w->fk20, NULL), SUMAC_BAD_ARGUMENT);
    info.size = untouched.size = sizeof info;
    assert_int_equal(sumac_fk20_describe(NULL, &info), SUMAC_BAD_ARGUMENT);
    assert_memory_equal(&info, &untouched, sizeof info);
    struct {
        sumac_fk20_info info;
        size_t unknown;
    } newer = {{.size = sizeof newer}, 1};
    assert_int_equal(sumac_fk20_describe(w->fk20, &newer.info), SUMAC_NOT_SUPPORTED);
    newer.unknown = 0;
    assert_int_equal(sumac_fk20_describe(w->fk20, &newer.info), SUMAC_OK);
    sumac_fk20_destroy(NULL);
}

/* A failing call writes nothing, and calls that have nothing to do succeed. */
static void test_arguments(void **state)
{
    test_group *t = *state, other = {.group = NULL};
    const sumac_group *g1 = NULL;
    if (sumac_group_find("bls12-381", "g1", &g1) != SUMAC_OK || t->group != g1) {
        return;
    }
    other.group = test_find_group("bls12-381", "g2");
    other.info = other.group;
    CLEANUP(oracle_clear) oracle o = {0};
    oracle_init(&o, other.group);
    other.oracle = o;
    gmp_randinit_default(other.random);
    CLEANUP(close_scene) scene s = open_scene(t, 8, 2), g2 = open_scene(&other, 8, 2);
    sumac_context *c = s.context;
    CLEANUP(destroy_vector)
    sumac_vector *points = test_vector(c, t, SUMAC_VECTOR_POINTS, 16),
                 *few_points = test_vector(c, t, SUMAC_VECTOR_POINTS, 2),
                 *scalars = test_vector(c, t, SUMAC_VECTOR_SCALARS, 2),
                 *no_scalars = test_vector(c, t, SUMAC_VECTOR_SCALARS, 0),
                 *no_points = test_vector(c, t, SUMAC_VECTOR_POINTS, 0);
    CLEANUP(destroy_fk20) sumac_fk20 *fk20 = new_fk20(&s, 2, 1);
    const wrong_call w = {s, g2, points, scalars, few_points, fk20};
    refuse_openings(&w);
    refuse_joined_openings(&w);
    refuse_fk20(&w);
    static const uint8_t zeros[16 * 96];
    AUTO_FREE uint8_t *found = read_vector(&s, points);
    assert_memory_equal(found, zeros, sizeof zeros);
    TEST_OK(c, sumac_srs_commit(c, s.srs, no_scalars, 8, no_points));
    TEST_OK(c, sumac_srs_open(c, s.srs, no_scalars, 8, no_scalars, NULL, no_points));
    TEST_OK(c, sumac_fk20_prove(c, fk20, no_scalars, 2, SUMAC_ORDER_NATURAL, no_points));
    gmp_randclear(other.random);
}

static const test_entry entries[] = {
    {"openings", test_openings, TEST_EVERY_AND_TINY},
    {"verifying", test_verifying, TEST_EVERY_GROUP},
    {"challenges", test_challenges, TEST_EVERY_AND_TINY},
    {"openings at several points", test_joined_openings, TEST_EVERY_AND_TINY},
    {"shapes", test_shapes, TEST_EVERY_AND_TINY},
    {"large shapes", test_large_shapes, TEST_EVERY_GROUP},
    {"tables", test_tables, TEST_EVERY_GROUP},
    {"files", test_files, TEST_EVERY_GROUP},
    {"arguments", test_arguments, TEST_EVERY_GROUP}};
TEST_MAIN("srs", entries)
