/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares pairings with an independent reference (tests/reference/pairing.py) and with gnark-crypto, whose
 * values tests/compat/gnark/pairings/pairings.go has written. Products of pairings are made
 * of points whose discrete logarithms are known. As e(a*P, b*Q) = e(P, Q)^(a*b), the logarithms say which products are
 * one. If a curve has a pairing, calls may pass either of its groups, and the tests pass both. Calls with other curves
 * must be refused.
 *
 * The files that follow the options on the command line hold EIP-2537's vectors for its pairing check, or vectors in
 * that form:
 *
 *   test_pairing [--variant NAME] [--test PATTERN] [pairing_check_bls.json..]
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/registry.h"
#include "codec/point_layout.h"
#include "support/eip2537.h"
#include "support/harness.h"
#include "support/json.h"
#include "sumac/experimental.h"
#include "sumac/pairing.h"

/* These are pairs (a*P, b*Q) of the generators' multiples, and a context. */
typedef struct scene {
    oracle oracles[2]; /* one for the first group, and one for the second */
    const sumac_group *group;
    sumac_context *context;
    gmp_randstate_t *random;
    size_t n;
    uint8_t *points[2];
    mpz_t a, b;
} scene;

static const sumac_group *group_of(const test_group *t, const char *group)
{
    for (size_t i = 0; i < sumac_registry_count; i++) {
        const sumac_group *info = &sumac_registry[i]->group;
        if (strcmp(info->curve, t->info->curve) == 0 && strcmp(info->name, group) == 0) {
            return &sumac_registry[i]->group;
        }
    }
    return NULL;
}

static int has_pairing(const test_group *t)
{
    static const char *const curves[] = {"bls12-381", "bls12-377", "bn254", "bw6-761"};
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        if (strcmp(t->info->curve, curves[i]) == 0) {
            return group_of(t, "g1") != NULL && group_of(t, "g2") != NULL;
        }
    }
    return 0;
}

/* Slow tests run for the second group only, because the pairs are the same for both groups. */
static void skip_first_group(const test_group *t)
{
    if (strcmp(t->info->name, "g1") == 0) {
        skip();
    }
}

/* With BW6-761 the tests that have many points take ten times as long as with others. The code that they test is that of the
 * other curves. */
static int is_slow(const test_group *t)
{
    return strcmp(t->info->curve, "bw6-761") == 0;
}

/* Make a scene whose points are all infinity. If the curve has no pairing, skip the test. */
static scene scene_begin(test_group *t, size_t n, uint32_t threads)
{
    if (!has_pairing(t)) {
        skip();
    }
    scene s = {.group = t->group, .context = test_context(threads, 0), .random = &t->random, .n = n};
    for (int i = 0; i < 2; i++) {
        oracle_init(&s.oracles[i], group_of(t, i == 0 ? "g1" : "g2"));
        s.points[i] = test_alloc(n * s.oracles[i].info->point_bytes);
        memset(s.points[i], 0, n * s.oracles[i].info->point_bytes);
    }
    mpz_inits(s.a, s.b, NULL);
    return s;
}

static void scene_end(scene *s)
{
    for (int i = 0; i < 2; i++) {
        oracle_clear(&s->oracles[i]);
        free(s->points[i]);
    }
    mpz_clears(s->a, s->b, NULL);
    sumac_context_destroy(s->context);
}

static uint8_t *point_at(const scene *s, int group, size_t index)
{
    return s->points[group] + index * s->oracles[group].info->point_bytes;
}

/* Set point `index` of a group to k times the generator, where k may be negative. */
static void set_multiple(const scene *s, int group, size_t index, const mpz_t k)
{
    const oracle *o = &s->oracles[group];
    ORACLE_POINT(point);
    TEST_NUMBERS(reduced);
    mpz_mod(reduced, k, o->r);
    oracle_mul_generator(o, &point, reduced);
    oracle_point_to_raw(o, point_at(s, group, index), &point);
}

static void draw_scalar(const scene *s, mpz_t k)
{
    mpz_sub_ui(k, s->oracles[0].r, 1);
    mpz_urandomm(k, *s->random, k);
    mpz_add_ui(k, k, 1);
}

/* Pairs [0, n - 1) are random, and the last one makes the product one. The second group's multipliers are short,
 * because the oracle is slow there. */
static void fill_cancelling(scene *s)
{
    TEST_NUMBERS(sum);
    for (size_t i = 0; i + 1 < s->n; i++) {
        draw_scalar(s, s->a);
        mpz_urandomb(s->b, *s->random, 32);
        mpz_add_ui(s->b, s->b, 1);
        set_multiple(s, 0, i, s->a);
        set_multiple(s, 1, i, s->b);
        mpz_submul(sum, s->a, s->b);
    }
    mpz_set_ui(s->b, 1);
    set_multiple(s, 0, s->n - 1, sum);
    set_multiple(s, 1, s->n - 1, s->b);
}

static void expect_first(const scene *s, size_t n, int expected, const char *label)
{
    int is_one = 7;
    test_status(s->context,
                test_pairing_check(s->context, s->group, s->points[0], s->points[1], n, SUMAC_CHECK_SUBGROUP,
                                   &is_one),
                SUMAC_OK, label);
    if (is_one != expected) {
        test_abort("%s: %d instead of %d, %zu pairs, %u threads", label, is_one, expected, n,
                   test_describe(s->context).threads);
    }
}

/* Check the product when half of the pairs, or all of them, are prepared. */
static void expect_prepared(const scene *s, size_t n, int expected, const char *label)
{
    const size_t counts[] = {n / 2, n};
    for (size_t i = 0; i < 2; i++) {
        const size_t count = counts[i];
        sumac_pairing_points *prepared = NULL;
        int is_one = 7;
        test_status(s->context,
                    test_pairing_points_create(s->context, s->group, s->points[1], count,
                                               SUMAC_CHECK_SUBGROUP, &prepared),
                    SUMAC_OK, label);
        test_status(s->context,
                    test_pairing_check_prepared(s->context, s->group, prepared, s->points[0],
                                                count == n ? NULL : point_at(s, 1, count), n,
                                                SUMAC_CHECK_NONE, &is_one),
                    SUMAC_OK, label);
        sumac_pairing_points_destroy(prepared);
        if (is_one != expected) {
            test_abort("%s: %d instead of %d, %zu pairs, %zu of them prepared, %u threads", label, is_one,
                       expected, n, count, test_describe(s->context).threads);
        }
    }
}

static void expect(const scene *s, int expected, const char *label)
{
    expect_first(s, s->n, expected, label);
}

/* ---- values ---- */

/* Read coefficient `part` of w^power, which is stored in Montgomery form. */
static void read_coefficient(const scene *s, mpz_t r, const uint8_t *value, size_t power, size_t part)
{
    const oracle *o = &s->oracles[0];
    const size_t place = power / 2 + (power % 2) * 3;
    mpz_import(r, o->info->field_bytes, -1, 1, -1, 0, value + (2 * place + part) * o->info->field_bytes);
    mpz_mul(r, r, o->montgomery_inverse);
    mpz_mod(r, r, o->p);
}

/* Compute the Miller loop of one pair. */
static void miller_loop(const pairing_ops *ops, void *value, const void *p, const void *q)
{
    const pairing_factors factors = {.g1_points = p, .g2_points = q, .n = 1};
    AUTO_FREE void *scratch = aligned_alloc(64, (ops->scratch_bytes + 63) / 64 * 64);
    assert_non_null(scratch);
    ops->miller(value, &factors, scratch);
}

static void import_first(const scene *s, int group, void *point)
{
    const oracle *o = &s->oracles[group];
    const point_layout layout = {SUMAC_FORM_CANONICAL, o->info->point_bytes, SUMAC_INFINITY_ZERO, 0};
    size_t bad;
    assert_int_equal(
        context_code(s->context, o->group)
            ->convert->import_points(point, point_at(s, group, 0), 1, &layout, SUMAC_CHECK_SUBGROUP, &bad),
        SUMAC_OK);
}

static void test_known_values(void **state)
{
    if (is_slow(*state)) {
        skip(); /* the reference has no tower of degree six; gnark-crypto's values are tested below */
    }
    CLEANUP(scene_end) scene s = scene_begin(*state, 1, 1);
    const pairing_ops *ops = context_code(s.context, s.oracles[1].group)->pairing;
    uint64_t p[2 * 12], q[4 * 12], value[12 * 12];
    char path[512];
    snprintf(path, sizeof path, "%s/pairings/%s.json", SUMAC_TEST_DATA, s.oracles[0].info->curve);
    json_t *file = json_load_file(path, 0, NULL);
    const json_t *cases = json_object_get(file, "cases");
    assert_true(json_array_size(cases) >= 4);
    assert_int_equal(ops->value_bytes, 12 * s.oracles[0].info->field_bytes);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *entry = json_array_get(cases, i);
        test_json_point(s.oracles[0].info, point_at(&s, 0, 0), json_object_get(entry, "g1"));
        test_json_point(s.oracles[1].info, point_at(&s, 1, 0), json_object_get(entry, "g2"));
        import_first(&s, 0, p);
        import_first(&s, 1, q);
        miller_loop(ops, value, p, q);
        ops->exponentiate(value);
        assert_false(ops->is_one(value));
        for (size_t power = 0; power < 6; power++) {
            for (size_t part = 0; part < 2; part++) {
                const json_t *expected =
                    json_array_get(json_array_get(json_object_get(entry, "value"), power), part);
                read_coefficient(&s, s.a, (const uint8_t *)value, power, part);
                assert_int_equal(mpz_set_str(s.b, json_string_value(expected), 0), 0);
                if (mpz_cmp(s.a, s.b) != 0) {
                    test_abort("case %zu: coefficient %zu of w^%zu is wrong", i, part, power);
                }
            }
        }
    }
    json_decref(file);
}

/* The largest value has twelve coefficients of 48 bytes, or six of 96. */
enum { MOST_VALUE = 12 * 48 };

static size_t value_bytes(const scene *s)
{
    return (s->oracles[0].info->field_bytes == 96 ? 6 : 12) * (size_t)s->oracles[0].info->field_bytes;
}

static void take_value(const scene *s, size_t n, uint8_t *value)
{
    const size_t g1 = s->oracles[0].info->point_bytes, g2 = s->oracles[1].info->point_bytes;
    TEST_OK(s->context, sumac_pairing_value(s->context, s->group, s->points[0], n * g1, s->points[1], n * g2,
                                            n, SUMAC_CHECK_SUBGROUP, value, value_bytes(s)));
}

static void expect_one(const scene *s, const uint8_t *value)
{
    for (size_t i = 0; i < value_bytes(s); i++) {
        assert_int_equal(value[i], i == 0);
    }
}

/* gnark-crypto writes the same bytes from the last one to the first one. */
static void expect_reversed(const scene *s, const uint8_t *value, const char *hexadecimal)
{
    const size_t bytes = value_bytes(s);
    assert_int_equal(strlen(hexadecimal), 2 * bytes);
    for (size_t i = 0; i < bytes; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", value[bytes - 1 - i]);
        assert_memory_equal(digits, hexadecimal + 2 * i, 2);
    }
}

static void test_values_of_gnark(void **state)
{
    CLEANUP(scene_end) scene s = scene_begin(*state, 1, 1);
    uint8_t value[MOST_VALUE];
    char path[512];
    snprintf(path, sizeof path, "%s/pairings/gnark/%s.json", SUMAC_TEST_DATA, s.oracles[0].info->curve);
    json_t *file = json_load_file(path, 0, NULL);
    const json_t *cases = json_object_get(file, "cases");
    assert_true(json_array_size(cases) >= 4);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *entry = json_array_get(cases, i);
        test_json_point(s.oracles[0].info, point_at(&s, 0, 0), json_object_get(entry, "g1"));
        test_json_point(s.oracles[1].info, point_at(&s, 1, 0), json_object_get(entry, "g2"));
        take_value(&s, 1, value);
        expect_reversed(&s, value, json_string_value(json_object_get(entry, "value")));
    }
    json_decref(file);
}

/* The value of a product that is one has the bytes of one. e(a*P, Q) * e(b*P, Q) is e((a + b)*P, Q), for any number of
 * threads. */
static void test_values(void **state)
{
    CLEANUP(scene_end) scene s = scene_begin(*state, 3, 1);
    uint8_t value[MOST_VALUE], other[MOST_VALUE];
    take_value(&s, 0, value);
    expect_one(&s, value);
    take_value(&s, 3, value); /* all points are infinity */
    expect_one(&s, value);
    fill_cancelling(&s);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        sumac_context_destroy(s.context);
        s.context = test_context(threads, 0);
        take_value(&s, 3, value);
        expect_one(&s, value);
        take_value(&s, 2, threads == 1 ? other : value);
        assert_true(threads == 1 || memcmp(value, other, value_bytes(&s)) == 0);
    }
    assert_int_not_equal(other[0], 1);
    mpz_set_ui(s.a, 2);
    mpz_set_ui(s.b, 3);
    set_multiple(&s, 0, 0, s.a);
    set_multiple(&s, 0, 1, s.b);
    mpz_set_ui(s.a, 7);
    set_multiple(&s, 1, 0, s.a);
    set_multiple(&s, 1, 1, s.a);
    take_value(&s, 2, value);
    mpz_set_ui(s.a, 35);
    mpz_set_ui(s.b, 1);
    set_multiple(&s, 0, 0, s.a);
    set_multiple(&s, 1, 0, s.b);
    take_value(&s, 1, other);
    assert_memory_equal(value, other, value_bytes(&s));
}

/* If a call is refused, it writes no value. */
static void test_refused_values(void **state)
{
    CLEANUP(scene_end) scene s = scene_begin(*state, 1, 1);
    const size_t g1 = s.oracles[0].info->point_bytes, g2 = s.oracles[1].info->point_bytes;
    const size_t bytes = value_bytes(&s);
    uint8_t value[MOST_VALUE], untouched[MOST_VALUE];
    memset(value, 7, sizeof value);
    memset(untouched, 7, sizeof untouched);
    TEST_SHORT(s.context, sumac_pairing_value(s.context, s.group, s.points[0], g1, s.points[1], g2, 1,
                                              SUMAC_CHECK_SUBGROUP, value, bytes - 1));
    TEST_SHORT(s.context, sumac_pairing_value(s.context, s.group, s.points[0], g1 - 1, s.points[1], g2, 1,
                                              SUMAC_CHECK_SUBGROUP, value, bytes));
    test_sentence(s.context,
                  sumac_pairing_value(s.context, s.group, s.points[0], g1, s.points[1], g2, 1,
                                      SUMAC_CHECK_SUBGROUP, NULL, bytes),
                  SUMAC_BAD_ARGUMENT, "the answer's address is null");
    point_at(&s, 1, 0)[0] = 1;
    test_sentence(s.context,
                  sumac_pairing_value(s.context, s.group, s.points[0], g1, s.points[1], g2, 1,
                                      SUMAC_CHECK_SUBGROUP, value, bytes),
                  SUMAC_NOT_ON_CURVE, "pair 0, its point of g2");
    ORACLE_POINT(point);
    for (int group = 0; group < 2; group++) {
        const oracle *o = &s.oracles[group];
        memset(point_at(&s, 1, 0), 0, g2);
        if (!o->info->cofactor_is_one) {
            oracle_random_curve_point(o, &point, *s.random);
            oracle_point_to_raw(o, point_at(&s, group, 0), &point);
            test_sentence(s.context,
                          sumac_pairing_value(s.context, s.group, s.points[0], g1, s.points[1], g2, 1,
                                              SUMAC_CHECK_SUBGROUP, value, bytes),
                          SUMAC_NOT_IN_SUBGROUP, group == 0 ? "its point of g1" : "its point of g2");
            memset(point_at(&s, group, 0), 0, o->info->point_bytes);
        }
    }
    assert_memory_equal(value, untouched, sizeof value);
}

/* ---- products ---- */

/* e(a*P, b*Q) * e(-a*b*P, Q) = 1. If a point is replaced by another one, the product is not 1. */
static void test_bilinear(void **state)
{
    CLEANUP(scene_end) scene s = scene_begin(*state, 2, 1);
    const int rounds = is_slow(*state) ? 1 : options.quick ? 2 : 10;
    TEST_NUMBERS(product, one);
    mpz_set_ui(one, 1);
    for (int round = 0; round < rounds; round++) {
        draw_scalar(&s, s.a);
        draw_scalar(&s, s.b);
        mpz_mul(product, s.a, s.b);
        mpz_neg(product, product);
        set_multiple(&s, 0, 0, s.a);
        set_multiple(&s, 1, 0, s.b);
        set_multiple(&s, 0, 1, product);
        set_multiple(&s, 1, 1, one);
        expect(&s, 1, "bilinear");
        expect_prepared(&s, 2, 1, "bilinear");
        mpz_add_ui(product, product, 1);
        set_multiple(&s, 0, 1, product);
        expect(&s, 0, "another multiple of P");
        mpz_sub_ui(product, product, 1);
        set_multiple(&s, 0, 1, product);
        mpz_add_ui(s.b, s.b, 1);
        set_multiple(&s, 1, 0, s.b);
        expect(&s, 0, "another multiple of Q");
        expect_prepared(&s, 2, 0, "another multiple of Q");
        mpz_sub_ui(s.b, s.b, 1);
        set_multiple(&s, 1, 0, s.b);
        mpz_neg(product, product);
        set_multiple(&s, 0, 1, product);
        expect(&s, 0, "the sign");
    }
}

/* The product of all n pairs is 1. Without the last pair it is not 1. Both hold however the threads share the work. */
static void test_many_pairs(void **state)
{
    static const size_t counts[] = {2, 3, 4, 5, 31, 32, 33, 65, 130};
    const size_t used = is_slow(*state) ? 3 : options.quick ? 6 : sizeof counts / sizeof counts[0];
    skip_first_group(*state);
    for (size_t i = 0; i < used; i++) {
        CLEANUP(scene_end) scene s = scene_begin(*state, counts[i], 1);
        fill_cancelling(&s);
        for (uint32_t threads = 1; threads <= 4; threads++) {
            sumac_context_destroy(s.context);
            s.context = test_context(threads, 0);
            expect(&s, 1, "many pairs");
            expect_first(&s, s.n - 1, 0, "all but the last pair");
        }
        expect_prepared(&s, s.n, 1, "many pairs");
    }
}

/* A pair with a point at infinity counts as 1, and so does the product of no pairs. */
static void test_infinity(void **state)
{
    CLEANUP(scene_end) scene s = scene_begin(*state, 6, 1);
    int is_one = 7;
    TEST_OK(s.context, test_pairing_check(s.context, s.group, NULL, NULL, 0, SUMAC_CHECK_SUBGROUP, &is_one));
    assert_int_equal(is_one, 1);
    expect(&s, 1, "nothing but infinity");
    mpz_set_ui(s.a, 5);
    set_multiple(&s, 0, 1, s.a); /* in pair 1 the second point is infinity */
    set_multiple(&s, 1, 2, s.a); /* in pair 2 the first point is infinity */
    expect(&s, 1, "infinity on one side");
    expect_prepared(&s, s.n, 1, "infinity on one side");
    set_multiple(&s, 0, 3, s.a);
    set_multiple(&s, 1, 3, s.a);
    expect(&s, 0, "one pair");
    mpz_set_si(s.a, -5);
    set_multiple(&s, 0, 5, s.a);
    mpz_set_si(s.a, 5);
    set_multiple(&s, 1, 5, s.a);
    expect(&s, 1, "two pairs between infinity");
    expect_prepared(&s, s.n, 1, "two pairs between infinity");
}

/* ---- refusals ---- */

/* Pair `index` has a bad point. Each check that includes `needed` refuses the pair with a message that names it, and
 * writes nothing. */
static void expect_bad(const scene *s, int group, size_t index, sumac_check needed, sumac_status status)
{
    char sentence[SUMAC_MESSAGE_BYTES];
    snprintf(sentence, sizeof sentence, "pair %zu, its point of %s: %s", index, s->oracles[group].info->name,
             sumac_status_text(status));
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
        const int is_looked_for =
            needed == SUMAC_CHECK_NONE || (check != SUMAC_CHECK_NONE && check >= (int)needed);
        const sumac_status expected = is_looked_for ? status : SUMAC_OK;
        int is_one = 7;
        test_status(s->context,
                    test_pairing_check(s->context, s->group, s->points[0], s->points[1], s->n,
                                       (sumac_check)check, &is_one),
                    expected, "a bad point");
        if (expected == SUMAC_OK) {
            assert_true(is_one == 0 || is_one == 1);
        } else {
            assert_int_equal(is_one, 7);
            assert_string_equal(sumac_context_message(s->context), sentence);
        }
    }
}

/* A check with prepared points also refuses a bad point of G1, and one of G2 behind the prepared ones. If a bad point of
 * G2 is among the points to prepare, the preparation is refused. */
static void expect_bad_prepared(const scene *s, int group, size_t index, sumac_status status)
{
    char sentence[SUMAC_MESSAGE_BYTES];
    const size_t count = group == 0 ? s->n / 2 : index;
    sumac_pairing_points *prepared = NULL, *none = NULL;
    int is_one = 7;
    snprintf(sentence, sizeof sentence, "pair %zu, its point of %s: %s", index, s->oracles[group].info->name,
             sumac_status_text(status));
    TEST_OK(s->context, test_pairing_points_create(s->context, s->group, s->points[1], count,
                                                   SUMAC_CHECK_SUBGROUP, &prepared));
    test_status(s->context,
                test_pairing_check_prepared(s->context, s->group, prepared, s->points[0],
                                            point_at(s, 1, count), s->n, SUMAC_CHECK_SUBGROUP, &is_one),
                status, "a bad point among prepared ones");
    assert_string_equal(sumac_context_message(s->context), sentence);
    assert_int_equal(is_one, 7);
    sumac_pairing_points_destroy(prepared);
    if (group == 1) {
        snprintf(sentence, sizeof sentence, "point %zu: %s", index, sumac_status_text(status));
        test_status(
            s->context,
            test_pairing_points_create(s->context, s->group, s->points[1], s->n, SUMAC_CHECK_SUBGROUP, &none),
            status, "a bad point");
        assert_string_equal(sumac_context_message(s->context), sentence);
        assert_null(none);
    }
}

static void test_bad_points(void **state)
{
    static const size_t places[] = {0, 2, 33, 35};
    skip_first_group(*state);
    if (is_slow(*state)) {
        skip();
    }
    for (uint32_t threads = 1; threads <= 2; threads++) {
        CLEANUP(scene_end) scene s = scene_begin(*state, 36, threads);
        fill_cancelling(&s);
        ORACLE_POINT(point);
        for (int group = 0; group < 2; group++) {
            const oracle *o = &s.oracles[group];
            AUTO_FREE uint8_t *saved = test_alloc(o->info->point_bytes);
            for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
                uint8_t *raw = point_at(&s, group, places[i]);
                memcpy(saved, raw, o->info->point_bytes);
                memset(raw, 0xff, o->info->field_bytes);
                expect_bad(&s, group, places[i], SUMAC_CHECK_NONE, SUMAC_BAD_ENCODING);
                memcpy(raw, saved, o->info->point_bytes);
                raw[0] ^= 1;
                expect_bad(&s, group, places[i], SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE);
                expect_bad_prepared(&s, group, places[i], SUMAC_NOT_ON_CURVE);
                if (!o->info->cofactor_is_one) {
                    oracle_random_curve_point(o, &point, *s.random);
                    oracle_point_to_raw(o, raw, &point);
                    expect_bad(&s, group, places[i], SUMAC_CHECK_SUBGROUP, SUMAC_NOT_IN_SUBGROUP);
                }
                memcpy(raw, saved, o->info->point_bytes);
            }
        }
        expect(&s, 1, "afterwards");
        /* The message names the first bad pair. If both points of a pair are bad, it names the first group. */
        point_at(&s, 0, 34)[0] ^= 1;
        point_at(&s, 1, 7)[0] ^= 1;
        expect_bad(&s, 1, 7, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE);
        point_at(&s, 0, 7)[0] ^= 1;
        expect_bad(&s, 0, 7, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE);
    }
}

#define TOO_MANY (((size_t)1 << 31) + 1)

static void test_bad_arguments(void **state)
{
    CLEANUP(scene_end) scene s = scene_begin(*state, 1, 1);
    int is_one = 7;
    const struct {
        const sumac_group *group;
        const void *g1, *g2;
        size_t n;
        sumac_check check;
        int *is_one;
        sumac_status status;
        const char *sentence;
    } calls[] = {
        {NULL, s.points[0], s.points[1], 1, SUMAC_CHECK_NONE, &is_one, SUMAC_BAD_ARGUMENT,
         "group must not be null"},
        {s.group, NULL, s.points[1], 1, SUMAC_CHECK_NONE, &is_one, SUMAC_BAD_ARGUMENT,
         "the points of g1 are null"},
        {s.group, s.points[0], NULL, 1, SUMAC_CHECK_NONE, &is_one, SUMAC_BAD_ARGUMENT,
         "the points of g2 are null"},
        {s.group, s.points[0], s.points[1], 1, SUMAC_CHECK_NONE, NULL, SUMAC_BAD_ARGUMENT,
         "the answer's address is null"},
        {s.group, s.points[0], s.points[1], 1, (sumac_check)4, &is_one, SUMAC_BAD_ARGUMENT,
         "4 is no sumac_check"},
        {s.group, s.points[0], s.points[1], TOO_MANY, SUMAC_CHECK_NONE, &is_one, SUMAC_NOT_SUPPORTED,
         "2147483649 pairs are more than 2^31"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        test_status(s.context,
                    test_pairing_check(s.context, calls[i].group, calls[i].g1, calls[i].g2, calls[i].n,
                                       calls[i].check, calls[i].is_one),
                    calls[i].status, calls[i].sentence);
        assert_string_equal(sumac_context_message(s.context), calls[i].sentence);
    }
    assert_int_equal(
        test_pairing_check(NULL, s.group, s.points[0], s.points[1], 1, SUMAC_CHECK_NONE, &is_one),
        SUMAC_BAD_ARGUMENT);
    assert_int_equal(is_one, 7);
}

static void test_bad_arguments_prepared(void **state)
{
    CLEANUP(scene_end) scene s = scene_begin(*state, 2, 1);
    sumac_pairing_points *prepared = NULL, *none = NULL;
    int is_one = 7;
    TEST_OK(s.context,
            test_pairing_points_create(s.context, s.group, s.points[1], 2, SUMAC_CHECK_SUBGROUP, &prepared));
    const struct {
        const sumac_pairing_points *prepared;
        const void *g1, *g2;
        size_t n;
        int *is_one;
        const char *sentence;
    } checks[] = {
        {NULL, s.points[0], s.points[1], 2, &is_one, "prepared must not be null"},
        {prepared, NULL, NULL, 2, &is_one, "the points of g1 are null"},
        {prepared, s.points[0], NULL, 3, &is_one, "the points of g2 are null"},
        {prepared, s.points[0], NULL, 2, NULL, "the answer's address is null"},
        {prepared, s.points[0], NULL, 1, &is_one, "1 pairs are less than the 2 prepared points"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        test_status(s.context,
                    test_pairing_check_prepared(s.context, s.group, checks[i].prepared, checks[i].g1,
                                                checks[i].g2, checks[i].n, SUMAC_CHECK_NONE,
                                                checks[i].is_one),
                    SUMAC_BAD_ARGUMENT, checks[i].sentence);
        assert_string_equal(sumac_context_message(s.context), checks[i].sentence);
    }
    const struct {
        const sumac_group *group;
        const void *g2;
        size_t n;
        sumac_pairing_points **prepared;
        sumac_status status;
        const char *sentence;
    } calls[] = {
        {NULL, s.points[1], 1, &none, SUMAC_BAD_ARGUMENT, "group must not be null"},
        {s.group, NULL, 1, &none, SUMAC_BAD_ARGUMENT, "the points of g2 are null"},
        {s.group, s.points[1], 1, NULL, SUMAC_BAD_ARGUMENT, "the address of the handle is null"},
        {s.group, s.points[1], TOO_MANY, &none, SUMAC_NOT_SUPPORTED, "2147483649 pairs are more than 2^31"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        test_status(s.context,
                    test_pairing_points_create(s.context, calls[i].group, calls[i].g2, calls[i].n,
                                               SUMAC_CHECK_NONE, calls[i].prepared),
                    calls[i].status, calls[i].sentence);
        assert_string_equal(sumac_context_message(s.context), calls[i].sentence);
    }
    assert_int_equal(test_pairing_points_create(NULL, s.group, s.points[1], 1, SUMAC_CHECK_NONE, &none),
                     SUMAC_BAD_ARGUMENT);
    assert_int_equal(
        test_pairing_check_prepared(NULL, s.group, prepared, s.points[0], NULL, 2, SUMAC_CHECK_NONE, &is_one),
        SUMAC_BAD_ARGUMENT);
    assert_null(none);
    assert_int_equal(is_one, 7);
    sumac_pairing_points_destroy(prepared);
    sumac_pairing_points_destroy(NULL);
}

/* The calls refuse buffers that are one byte too short. */
static void test_lengths(void **state)
{
    CLEANUP(scene_end) scene s = scene_begin(*state, 2, 1);
    const size_t g1 = s.oracles[0].info->point_bytes, g2 = s.oracles[1].info->point_bytes;
    CLEANUP(destroy_pairing_points) sumac_pairing_points *prepared = NULL;
    sumac_pairing_points *none = NULL;
    int is_one = 7;
    TEST_OK(s.context, sumac_pairing_points_create(s.context, s.group, s.points[1], g2, 1,
                                                   SUMAC_CHECK_SUBGROUP, &prepared));
    TEST_SHORT(s.context, sumac_pairing_points_create(s.context, s.group, s.points[1], 2 * g2 - 1, 2,
                                                      SUMAC_CHECK_SUBGROUP, &none));
    assert_null(none);
    TEST_SHORT(s.context, sumac_pairing_check(s.context, s.group, s.points[0], 2 * g1 - 1, s.points[1],
                                              2 * g2, 2, SUMAC_CHECK_SUBGROUP, &is_one));
    TEST_SHORT(s.context, sumac_pairing_check(s.context, s.group, s.points[0], 2 * g1, s.points[1],
                                              2 * g2 - 1, 2, SUMAC_CHECK_SUBGROUP, &is_one));
    TEST_SHORT(s.context,
               sumac_pairing_check_prepared(s.context, prepared, s.points[0], 2 * g1 - 1, point_at(&s, 1, 1),
                                            g2, 2, SUMAC_CHECK_SUBGROUP, &is_one));
    TEST_SHORT(s.context,
               sumac_pairing_check_prepared(s.context, prepared, s.points[0], 2 * g1, point_at(&s, 1, 1),
                                            g2 - 1, 2, SUMAC_CHECK_SUBGROUP, &is_one));
    assert_int_equal(is_one, 7);
    TEST_OK(s.context,
            sumac_pairing_check_prepared(s.context, prepared, s.points[0], 2 * g1, point_at(&s, 1, 1), g2, 2,
                                         SUMAC_CHECK_SUBGROUP, &is_one));
}

/* Curves without a pairing are refused, and so are curves of which the build has only one group. */
static void test_not_supported(void **state)
{
    const test_group *t = *state;
    if (has_pairing(t)) {
        skip();
    }
    char sentence[SUMAC_MESSAGE_BYTES];
    const char *lacking = group_of(t, "g1") == NULL ? "g1" : group_of(t, "g2") == NULL ? "g2" : NULL;
    if (lacking != NULL) {
        snprintf(sentence, sizeof sentence, "no pairing of %s: this build has no group %s of it",
                 t->info->curve, lacking);
    } else {
        snprintf(sentence, sizeof sentence, "there is no pairing of %s here", t->info->curve);
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    int is_one = 7;
    test_status(context, test_pairing_check(context, t->group, NULL, NULL, 0, SUMAC_CHECK_NONE, &is_one),
                SUMAC_NOT_SUPPORTED, "a curve without a pairing");
    assert_string_equal(sumac_context_message(context), sentence);
    assert_int_equal(is_one, 7);
}

/* ---- EIP-2537 ---- */

/* These are the program's arguments. From optind on they are files, because test_main() moves the options before
 * them. */
static struct {
    int count;
    char **values;
} arguments;

/* These are the calls that check whether points lie in the subgroup. */
typedef enum checked_by { BY_DECODER, BY_PAIRING, BY_PREPARATION, WAYS } checked_by;

enum { EIP_G1 = 128, EIP_G2 = 256, EIP_PAIR = EIP_G1 + EIP_G2, RAW_G1 = 96, RAW_G2 = 192 };

static sumac_status check_prepared(sumac_context *context, const sumac_group *group, const uint8_t *g1,
                                   const uint8_t *g2, size_t n, int *is_one)
{
    CLEANUP(destroy_pairing_points) sumac_pairing_points *prepared = NULL;
    TRY(test_pairing_points_create(context, group, g2, n, SUMAC_CHECK_SUBGROUP, &prepared));
    return test_pairing_check_prepared(context, group, prepared, g1, NULL, n, SUMAC_CHECK_SUBGROUP, is_one);
}

/* Do what the precompile does with n > 0 pairs. Each pair is a point of G1 followed by a point of G2. */
static sumac_status check_records(sumac_context *context, const uint8_t *input, size_t n, checked_by by,
                                  int *is_one)
{
    const sumac_check decoded = by == BY_DECODER ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_NONE;
    const sumac_group *g1, *g2;
    AUTO_FREE uint8_t *records = test_alloc(n * EIP_PAIR), *raw = test_alloc(n * (RAW_G1 + RAW_G2));
    for (size_t i = 0; i < n; i++) {
        memcpy(records + i * EIP_G1, input + i * EIP_PAIR, EIP_G1);
        memcpy(records + n * EIP_G1 + i * EIP_G2, input + i * EIP_PAIR + EIP_G1, EIP_G2);
    }
    assert_int_equal(sumac_group_find("bls12-381", "g1", &g1), SUMAC_OK);
    assert_int_equal(sumac_group_find("bls12-381", "g2", &g2), SUMAC_OK);
    TRY(test_points_decode(context, g1, records, n, "eip2537", decoded, raw));
    TRY(test_points_decode(context, g2, records + n * EIP_G1, n, "eip2537", decoded, raw + n * RAW_G1));
    const sumac_check left = by == BY_DECODER ? SUMAC_CHECK_NONE : SUMAC_CHECK_SUBGROUP;
    return by == BY_PREPARATION ? check_prepared(context, g2, raw, raw + n * RAW_G1, n, is_one)
                                : test_pairing_check(context, g1, raw, raw + n * RAW_G1, n, left, is_one);
}

/* Check that every way returns the expected status and, if that is SUMAC_OK, says whether the product is one. */
static void expect_records(sumac_context *context, const uint8_t *input, size_t size, sumac_status expected,
                           int product, const char *label)
{
    if (size == 0 || size % EIP_PAIR != 0) { /* the precompile refuses this before it decodes a point */
        assert_int_equal(expected, SUMAC_BAD_LENGTH);
        return;
    }
    for (int by = BY_DECODER; by < WAYS; by++) {
        int is_one = 7;
        test_status(context, check_records(context, input, size / EIP_PAIR, (checked_by)by, &is_one),
                    expected, label);
        if (is_one != (expected == SUMAC_OK ? product : 7)) {
            test_abort("%s: %d instead of %d, way %d", label, is_one, product, by);
        }
    }
}

static void check_case(sumac_context *context, const json_t *entry)
{
    static const char *const answers[] = {"0000000000000000000000000000000000000000000000000000000000000000",
                                          "0000000000000000000000000000000000000000000000000000000000000001"};
    const char *name = json_string_value(json_object_get(entry, "Name"));
    const char *answer = json_string_value(json_object_get(entry, "Expected"));
    const char *error = json_string_value(json_object_get(entry, "ExpectedError"));
    size_t size;
    assert_non_null(name);
    if ((answer == NULL) == (error == NULL) ||
        (answer != NULL && strcmp(answer, answers[0]) != 0 && strcmp(answer, answers[1]) != 0)) {
        test_abort("%s: an answer of 32 bytes, 0 or 1, or an error is expected", name);
    }
    AUTO_FREE uint8_t *input = eip2537_bytes(json_string_value(json_object_get(entry, "Input")), &size);
    expect_records(context, input, size, error == NULL ? SUMAC_OK : eip2537_status(error),
                   answer != NULL && strcmp(answer, answers[1]) == 0, name);
}

static void test_eip2537_files(void **state)
{
    const test_group *t = *state;
    if (optind >= arguments.count || strcmp(t->info->curve, "bls12-381") != 0 || !has_pairing(t)) {
        skip();
    }
    skip_first_group(t);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (int i = optind; i < arguments.count; i++) {
        json_error_t error;
        json_t *cases = json_load_file(arguments.values[i], 0, &error);
        if (json_array_size(cases) == 0) {
            test_abort("%s: %s", arguments.values[i], cases == NULL ? error.text : "no cases");
        }
        for (size_t j = 0; j < json_array_size(cases); j++) {
            check_case(context, json_array_get(cases, j));
        }
        print_message("%s: all %zu cases hold\n", arguments.values[i], json_array_size(cases));
        json_decref(cases);
    }
}

/* Encode the scene's pairs as the precompile's input. */
static void encode_pairs(const scene *s, uint8_t *input)
{
    const size_t record_bytes[] = {EIP_G1, EIP_G2};
    memset(input, 0, s->n * EIP_PAIR);
    for (size_t i = 0; i < s->n; i++) {
        for (int group = 0; group < 2; group++) {
            const uint8_t *raw = point_at(s, group, i);
            uint8_t *record = input + i * EIP_PAIR + (group == 0 ? 0 : EIP_G1);
            for (size_t j = 0; j < record_bytes[group] / 64 * 48; j++) {
                record[j / 48 * 64 + 63 - j % 48] = raw[j];
            }
        }
    }
}

static void test_eip2537(void **state)
{
    const test_group *t = *state;
    if (strcmp(t->info->curve, "bls12-381") != 0) {
        skip();
    }
    skip_first_group(t);
    enum { PAIRS = 3 };
    CLEANUP(scene_end) scene s = scene_begin(*state, PAIRS, 1);
    uint8_t input[PAIRS * EIP_PAIR], other[PAIRS * EIP_PAIR];
    oracle_point point;
    fill_cancelling(&s);
    encode_pairs(&s, input);
    expect_records(s.context, input, sizeof input, SUMAC_OK, 1, "records");
    expect_records(s.context, input, sizeof input - EIP_PAIR, SUMAC_OK, 0, "all but the last record");
    memset(point_at(&s, 0, 1), 0, RAW_G1);
    encode_pairs(&s, other);
    expect_records(s.context, other, sizeof input, SUMAC_OK, 0, "infinity");
    for (int group = 0; group < 2; group++) {
        const size_t at = group == 0 ? EIP_PAIR : EIP_PAIR + EIP_G1;
        memcpy(other, input, sizeof input);
        other[at] = 1;
        expect_records(s.context, other, sizeof input, SUMAC_BAD_ENCODING, 0, "padding");
        memcpy(other, input, sizeof input);
        memset(other + at + 16, 0xff, 48);
        expect_records(s.context, other, sizeof input, SUMAC_BAD_ENCODING, 0, "no element");
        memcpy(other, input, sizeof input);
        other[at + 63] ^= 1;
        expect_records(s.context, other, sizeof input, SUMAC_NOT_ON_CURVE, 0, "off the curve");
        oracle_point_init(&point);
        oracle_random_curve_point(&s.oracles[group], &point, *s.random);
        oracle_point_to_raw(&s.oracles[group], point_at(&s, group, 1), &point);
        oracle_point_clear(&point);
        encode_pairs(&s, other);
        expect_records(s.context, other, sizeof input, SUMAC_NOT_IN_SUBGROUP, 0, "outside the subgroup");
        memset(point_at(&s, group, 1), 0, s.oracles[group].info->point_bytes);
    }
}

int main(int argc, char **argv)
{
    arguments.count = argc;
    arguments.values = argv;
    static const test_entry entries[] = {
        {"known values", test_known_values, TEST_EVERY_GROUP},
        {"values of gnark-crypto", test_values_of_gnark, TEST_EVERY_GROUP},
        {"values", test_values, TEST_EVERY_GROUP},
        {"refused values", test_refused_values, TEST_EVERY_GROUP},
        {"bilinear", test_bilinear, TEST_EVERY_GROUP},
        {"many pairs", test_many_pairs, TEST_EVERY_GROUP},
        {"infinity", test_infinity, TEST_EVERY_GROUP},
        {"bad points", test_bad_points, TEST_EVERY_GROUP},
        {"bad arguments", test_bad_arguments, TEST_EVERY_GROUP},
        {"lengths", test_lengths, TEST_EVERY_GROUP},
        {"bad arguments, prepared", test_bad_arguments_prepared, TEST_EVERY_GROUP},
        {"not supported", test_not_supported, TEST_EVERY_AND_TINY},
        {"EIP-2537", test_eip2537, TEST_EVERY_GROUP},
        {"EIP-2537's files", test_eip2537_files, TEST_EVERY_GROUP},
    };
    return test_main("test_pairing", entries, sizeof entries / sizeof entries[0], argc, argv);
}
