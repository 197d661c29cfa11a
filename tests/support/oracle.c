/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/try.h"
#include "support/oracle.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/abort.h"

enum { DIGIT_BITS = 4, DIGIT_VALUES = 1 << DIGIT_BITS };

/* ---- elements ---- */

static void element_init(oracle_element *a)
{
    mpz_inits(a->c[0], a->c[1], NULL);
}

static void element_clear(oracle_element *a)
{
    mpz_clears(a->c[0], a->c[1], NULL);
}

static void element_set(oracle_element *r, const oracle_element *a)
{
    mpz_set(r->c[0], a->c[0]);
    mpz_set(r->c[1], a->c[1]);
}

static int element_equal(const oracle_element *a, const oracle_element *b)
{
    return mpz_cmp(a->c[0], b->c[0]) == 0 && mpz_cmp(a->c[1], b->c[1]) == 0;
}

static int element_is_zero(const oracle_element *a)
{
    return mpz_sgn(a->c[0]) == 0 && mpz_sgn(a->c[1]) == 0;
}

/* Reduce r modulo p. Usually one addition or subtraction suffices. */
static void element_reduce(const oracle *o, oracle_element *r)
{
    for (unsigned i = 0; i < o->degree; i++) {
        if (mpz_sgn(r->c[i]) < 0) {
            mpz_add(r->c[i], r->c[i], o->p);
        } else if (mpz_cmp(r->c[i], o->p) >= 0) {
            mpz_sub(r->c[i], r->c[i], o->p);
        }
        if (mpz_sgn(r->c[i]) < 0 || mpz_cmp(r->c[i], o->p) >= 0) {
            mpz_mod(r->c[i], r->c[i], o->p);
        }
    }
}

static void element_add(const oracle *o, oracle_element *r, const oracle_element *a, const oracle_element *b)
{
    for (unsigned i = 0; i < o->degree; i++) {
        mpz_add(r->c[i], a->c[i], b->c[i]);
    }
    element_reduce(o, r);
}

static void element_sub(const oracle *o, oracle_element *r, const oracle_element *a, const oracle_element *b)
{
    for (unsigned i = 0; i < o->degree; i++) {
        mpz_sub(r->c[i], a->c[i], b->c[i]);
    }
    element_reduce(o, r);
}

static void element_mul(const oracle *o, oracle_element *r, const oracle_element *a, const oracle_element *b)
{
    if (o->degree == 1) {
        mpz_mul(r->c[0], a->c[0], b->c[0]);
        mpz_mod(r->c[0], r->c[0], o->p);
        return;
    }
    TEST_NUMBERS(c0, c1);
    mpz_mul(c1, a->c[1], b->c[1]);
    mpz_mul_si(c1, c1, o->nonresidue);
    mpz_mul(c0, a->c[0], b->c[0]);
    mpz_add(c0, c0, c1);
    mpz_mul(c1, a->c[0], b->c[1]);
    mpz_addmul(c1, a->c[1], b->c[0]);
    mpz_mod(r->c[0], c0, o->p);
    mpz_mod(r->c[1], c1, o->p);
}

/* 1/a = conjugate(a) / (c0^2 - nonresidue*c1^2) */
static void element_inv(const oracle *o, oracle_element *r, const oracle_element *a)
{
    if (o->degree == 1) {
        mpz_invert(r->c[0], a->c[0], o->p);
        return;
    }
    TEST_NUMBERS(norm, t);
    mpz_mul(norm, a->c[0], a->c[0]);
    mpz_mul(t, a->c[1], a->c[1]);
    mpz_mul_si(t, t, o->nonresidue);
    mpz_sub(norm, norm, t);
    mpz_invert(norm, norm, o->p);
    mpz_mul(t, a->c[1], norm);
    mpz_neg(t, t);
    mpz_mul(r->c[0], a->c[0], norm);
    mpz_mod(r->c[0], r->c[0], o->p);
    mpz_mod(r->c[1], t, o->p);
}

static void element_scale(const oracle *o, oracle_element *r, const oracle_element *a, const mpz_t factor)
{
    for (int i = 0; i < 2; i++) {
        mpz_mul(r->c[i], a->c[i], factor);
        mpz_mod(r->c[i], r->c[i], o->p);
    }
}

static void element_random(const oracle *o, oracle_element *r, gmp_randstate_t random)
{
    mpz_urandomm(r->c[0], random, o->p);
    if (o->degree == 2) {
        mpz_urandomm(r->c[1], random, o->p);
    }
}

/* Compute a square root by Tonelli and Shanks, or return 0 if there is none. */
static int integer_sqrt_mod(const oracle *o, mpz_t r, const mpz_t a)
{
    if (mpz_sgn(a) == 0) {
        mpz_set_ui(r, 0);
        return 1;
    }
    if (mpz_legendre(a, o->p) != 1) {
        return 0;
    }
    TEST_NUMBERS(t, z, exponent, b, x);
    mpz_sub_ui(t, o->p, 1);
    unsigned long s = mpz_scan1(t, 0);
    mpz_tdiv_q_2exp(t, t, s);
    mpz_set_ui(z, 2);
    while (mpz_legendre(z, o->p) != -1) {
        mpz_add_ui(z, z, 1);
    }
    mpz_powm(z, z, t, o->p);
    mpz_add_ui(exponent, t, 1);
    mpz_tdiv_q_2exp(exponent, exponent, 1);
    mpz_powm(x, a, exponent, o->p); /* x^2 = a*b with b of order 2^k, k < s */
    mpz_powm(b, a, t, o->p);
    while (mpz_cmp_ui(b, 1) != 0) {
        unsigned long k = 0;
        mpz_set(exponent, b);
        while (mpz_cmp_ui(exponent, 1) != 0) {
            mpz_powm_ui(exponent, exponent, 2, o->p);
            k++;
        }
        for (unsigned long i = 0; i + k + 1 < s; i++) {
            mpz_powm_ui(z, z, 2, o->p);
        }
        mpz_mul(x, x, z);
        mpz_mod(x, x, o->p);
        mpz_powm_ui(z, z, 2, o->p);
        mpz_mul(b, b, z);
        mpz_mod(b, b, o->p);
        s = k;
    }
    mpz_set(r, x);
    return 1;
}

/* In Fp2, let x0 + x1*u be a root of a. Then the norm of a is a square n^2, x0^2 = (a0 +- n)/2, and x1 = a1/(2*x0). */
static int element_sqrt(const oracle *o, oracle_element *r, const oracle_element *a)
{
    if (o->degree == 1) {
        return integer_sqrt_mod(o, r->c[0], a->c[0]);
    }
    CLEANUP(element_clear) oracle_element root = {0}, square = {0};
    TEST_NUMBERS(norm, t, half);
    element_init(&root);
    element_init(&square);
    mpz_mul(norm, a->c[0], a->c[0]);
    mpz_mul(t, a->c[1], a->c[1]);
    mpz_mul_si(t, t, o->nonresidue);
    mpz_sub(norm, norm, t);
    mpz_mod(norm, norm, o->p);
    mpz_set_ui(half, 2);
    mpz_invert(half, half, o->p);
    int found = 0;
    if (integer_sqrt_mod(o, norm, norm)) {
        for (int sign = 0; sign < 2 && !found; sign++) {
            mpz_add(t, a->c[0], norm);
            mpz_mul(t, t, half);
            mpz_mod(t, t, o->p);
            mpz_neg(norm, norm);
            if (integer_sqrt_mod(o, root.c[0], t) && mpz_sgn(root.c[0]) != 0) {
                mpz_mul_ui(t, root.c[0], 2);
                mpz_invert(t, t, o->p);
                mpz_mul(t, t, a->c[1]);
                mpz_mod(root.c[1], t, o->p);
                element_mul(o, &square, &root, &root);
                found = element_equal(&square, a);
            }
        }
    }
    if (found) {
        element_set(r, &root);
    }
    return found;
}

static size_t limbs_of_field(const oracle *o)
{
    return o->info->field_bytes / 8;
}

static void element_from_limbs(const oracle *o, oracle_element *r, const uint8_t *bytes, const mpz_t factor)
{
    for (unsigned i = 0; i < o->degree; i++) {
        mpz_import(r->c[i], limbs_of_field(o), -1, 8, -1, 0, bytes + i * o->info->field_bytes);
    }
    if (factor != NULL) {
        element_scale(o, r, r, factor);
    }
}

static void element_to_limbs(const oracle *o, uint8_t *bytes, const oracle_element *a, const mpz_t factor)
{
    CLEANUP(element_clear) oracle_element scaled = {0};
    element_init(&scaled);
    element_set(&scaled, a);
    if (factor != NULL) {
        element_scale(o, &scaled, a, factor);
    }
    memset(bytes, 0, (size_t)o->degree * o->info->field_bytes);
    for (unsigned i = 0; i < o->degree; i++) {
        mpz_export(bytes + i * o->info->field_bytes, NULL, -1, 8, -1, 0, scaled.c[i]);
    }
}

/* ---- the curve's data file ---- */

static void read_integer(mpz_t r, const json_t *value)
{
    const char *text = json_string_value(value);
    if (text == NULL || mpz_set_str(r, text, 0) != 0) {
        test_abort("a curve's data file holds no integer where one should be");
    }
}

static void read_element(const oracle *o, oracle_element *r, const json_t *value)
{
    if (o->degree == 1) {
        read_integer(r->c[0], value);
    } else {
        read_integer(r->c[0], json_array_get(value, 0));
        read_integer(r->c[1], json_array_get(value, 1));
    }
}

static size_t digits_of_scalar(const oracle *o)
{
    return (mpz_sizeinbase(o->r, 2) + DIGIT_BITS - 1) / DIGIT_BITS;
}

void oracle_init(oracle *o, const sumac_group *group)
{
    char path[512];
    json_error_t error;
    o->group = group;
    o->info = group;
    snprintf(path, sizeof path, "%s/%s_%s.json", SUMAC_TEST_CURVES, o->info->curve, o->info->name);
    for (char *c = path + strlen(SUMAC_TEST_CURVES); *c != '\0'; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    json_t *data = json_load_file(path, 0, &error);
    if (data == NULL) {
        test_abort("cannot read the curve's data file %s: %s", path, error.text);
    }
    mpz_inits(o->p, o->r, o->montgomery, o->montgomery_inverse, NULL);
    element_init(&o->b);
    oracle_point_init(&o->generator);
    const json_t *nonresidue = json_object_get(data, "nr");
    o->degree = nonresidue != NULL ? 2 : 1;
    o->nonresidue = (long)json_integer_value(nonresidue);
    read_integer(o->p, json_object_get(data, "p"));
    read_integer(o->r, json_object_get(data, "r"));
    read_element(o, &o->b, json_object_get(data, "b"));
    const json_t *generator = json_object_get(data, "generator");
    read_element(o, &o->generator.x, json_object_get(generator, "x"));
    read_element(o, &o->generator.y, json_object_get(generator, "y"));
    o->generator.is_infinity = 0;
    json_decref(data);

    mpz_ui_pow_ui(o->montgomery, 2, 8 * (unsigned long)o->info->field_bytes);
    mpz_mod(o->montgomery, o->montgomery, o->p);
    mpz_invert(o->montgomery_inverse, o->montgomery, o->p);

    o->multiples = calloc(digits_of_scalar(o) * DIGIT_VALUES, sizeof *o->multiples);
    if (o->multiples == NULL) {
        test_abort("out of memory");
    }
    for (size_t i = 0; i < digits_of_scalar(o) * DIGIT_VALUES; i++) {
        oracle_point_init(&o->multiples[i]);
    }
}

void oracle_clear(oracle *o)
{
    for (size_t i = 0; i < digits_of_scalar(o) * DIGIT_VALUES; i++) {
        oracle_point_clear(&o->multiples[i]);
    }
    free(o->multiples);
    mpz_clears(o->p, o->r, o->montgomery, o->montgomery_inverse, NULL);
    element_clear(&o->b);
    oracle_point_clear(&o->generator);
}

/* ---- points ---- */

void oracle_point_init(oracle_point *point)
{
    element_init(&point->x);
    element_init(&point->y);
    point->is_infinity = 1;
}

void oracle_point_clear(oracle_point *point)
{
    element_clear(&point->x);
    element_clear(&point->y);
}

void oracle_point_set(oracle_point *r, const oracle_point *a)
{
    element_set(&r->x, &a->x);
    element_set(&r->y, &a->y);
    r->is_infinity = a->is_infinity;
}

void oracle_point_set_infinity(oracle_point *r)
{
    r->is_infinity = 1;
}

int oracle_point_equal(const oracle_point *a, const oracle_point *b)
{
    if (a->is_infinity || b->is_infinity) {
        return a->is_infinity && b->is_infinity;
    }
    return element_equal(&a->x, &b->x) && element_equal(&a->y, &b->y);
}

/* right = x^3 + b */
static void curve_right_side(const oracle *o, oracle_element *right, const oracle_element *x)
{
    CLEANUP(element_clear) oracle_element cube = {0};
    element_init(&cube);
    element_mul(o, &cube, x, x);
    element_mul(o, &cube, &cube, x);
    element_add(o, right, &cube, &o->b);
}

int oracle_point_on_curve(const oracle *o, const oracle_point *a)
{
    CLEANUP(element_clear) oracle_element left = {0}, right = {0};
    element_init(&left);
    element_init(&right);
    element_mul(o, &left, &a->y, &a->y);
    curve_right_side(o, &right, &a->x);
    int on_curve = a->is_infinity || element_equal(&left, &right);
    return on_curve;
}

void oracle_neg(const oracle *o, oracle_point *r, const oracle_point *a)
{
    CLEANUP(element_clear) oracle_element zero = {0};
    element_init(&zero);
    oracle_point_set(r, a);
    element_sub(o, &r->y, &zero, &a->y);
}

void oracle_add(const oracle *o, oracle_point *r, const oracle_point *a, const oracle_point *b)
{
    if (a->is_infinity || b->is_infinity) {
        oracle_point_set(r, a->is_infinity ? b : a);
        return;
    }
    CLEANUP(element_clear) oracle_element slope = {0}, divisor = {0}, x = {0};
    element_init(&slope);
    element_init(&divisor);
    element_init(&x);
    int is_infinity = 0;
    if (!element_equal(&a->x, &b->x)) {
        element_sub(o, &slope, &b->y, &a->y);
        element_sub(o, &divisor, &b->x, &a->x);
    } else if (element_equal(&a->y, &b->y) && !element_is_zero(&a->y)) {
        element_mul(o, &x, &a->x, &a->x);
        element_add(o, &slope, &x, &x);
        element_add(o, &slope, &slope, &x);
        element_add(o, &divisor, &a->y, &a->y);
    } else {
        is_infinity = 1;
    }
    if (!is_infinity) {
        element_inv(o, &divisor, &divisor);
        element_mul(o, &slope, &slope, &divisor);
        element_mul(o, &x, &slope, &slope);
        element_sub(o, &x, &x, &a->x);
        element_sub(o, &x, &x, &b->x);
        element_sub(o, &divisor, &a->x, &x);
        element_mul(o, &divisor, &divisor, &slope);
        element_sub(o, &r->y, &divisor, &a->y);
        element_set(&r->x, &x);
    }
    r->is_infinity = is_infinity;
}

void oracle_mul(const oracle *o, oracle_point *r, const mpz_t k, const oracle_point *a)
{
    ORACLE_POINT(sum);
    for (size_t bit = mpz_sizeinbase(k, 2); bit-- > 0;) {
        oracle_add(o, &sum, &sum, &sum);
        if (mpz_tstbit(k, bit)) {
            oracle_add(o, &sum, &sum, a);
        }
    }
    oracle_point_set(r, &sum);
}

/* Multiple d of row i is d*2^(DIGIT_BITS*i) times the generator. */
static void make_multiples(const oracle *o)
{
    ORACLE_POINT(power);
    oracle_point_set(&power, &o->generator);
    for (size_t i = 0; i < digits_of_scalar(o); i++) {
        oracle_point *row = o->multiples + i * DIGIT_VALUES;
        for (size_t d = 1; d < DIGIT_VALUES; d++) {
            oracle_add(o, &row[d], &row[d - 1], &power);
        }
        oracle_add(o, &power, &power, &row[DIGIT_VALUES - 1]);
    }
}

void oracle_mul_generator(const oracle *o, oracle_point *r, const mpz_t k)
{
    TEST_NUMBERS(rest);
    if (o->multiples[1].is_infinity) {
        make_multiples(o);
    }
    mpz_mod(rest, k, o->r);
    oracle_point_set_infinity(r);
    for (size_t i = 0; mpz_sgn(rest) != 0; i++) {
        oracle_add(o, r, r, &o->multiples[i * DIGIT_VALUES + mpz_fdiv_ui(rest, DIGIT_VALUES)]);
        mpz_fdiv_q_2exp(rest, rest, DIGIT_BITS);
    }
}

void oracle_random_curve_point(const oracle *o, oracle_point *r, gmp_randstate_t random)
{
    CLEANUP(element_clear) oracle_element right = {0};
    element_init(&right);
    do {
        element_random(o, &r->x, random);
        curve_right_side(o, &right, &r->x);
    } while (!element_sqrt(o, &r->y, &right));
    r->is_infinity = 0;
}

void oracle_random_x_without_point(const oracle *o, oracle_point *r, gmp_randstate_t random)
{
    CLEANUP(element_clear) oracle_element right = {0}, root = {0};
    element_init(&right);
    element_init(&root);
    do {
        element_random(o, &r->x, random);
        curve_right_side(o, &right, &r->x);
    } while (element_sqrt(o, &root, &right));
    mpz_set_ui(r->y.c[0], 0);
    mpz_set_ui(r->y.c[1], 0);
    r->is_infinity = 0;
}

/* ---- encodings ---- */

static void point_from_limbs(const oracle *o, oracle_point *r, const void *bytes, const mpz_t factor)
{
    const uint8_t *raw = bytes;
    element_from_limbs(o, &r->x, raw, factor);
    element_from_limbs(o, &r->y, raw + o->info->point_bytes / 2, factor);
    r->is_infinity = element_is_zero(&r->x) && element_is_zero(&r->y);
}

static void point_to_limbs(const oracle *o, void *bytes, const oracle_point *a, const mpz_t factor)
{
    uint8_t *raw = bytes;
    if (a->is_infinity) {
        memset(raw, 0, o->info->point_bytes);
        return;
    }
    element_to_limbs(o, raw, &a->x, factor);
    element_to_limbs(o, raw + o->info->point_bytes / 2, &a->y, factor);
}

void oracle_point_from_raw(const oracle *o, oracle_point *r, const void *raw)
{
    point_from_limbs(o, r, raw, NULL);
}

void oracle_point_to_raw(const oracle *o, void *raw, const oracle_point *a)
{
    point_to_limbs(o, raw, a, NULL);
}

void oracle_point_from_affine(const oracle *o, oracle_point *r, const void *stored)
{
    point_from_limbs(o, r, stored, o->montgomery_inverse);
}

void oracle_point_to_affine(const oracle *o, void *stored, const oracle_point *a)
{
    point_to_limbs(o, stored, a, o->montgomery);
}

void oracle_point_from_xyzz(const oracle *o, oracle_point *r, const void *stored)
{
    const uint8_t *bytes = stored;
    const size_t size = o->info->point_bytes / 2;
    CLEANUP(element_clear) oracle_element zz = {0}, zzz = {0};
    element_init(&zz);
    element_init(&zzz);
    point_from_limbs(o, r, stored, o->montgomery_inverse);
    element_from_limbs(o, &zz, bytes + 2 * size, o->montgomery_inverse);
    element_from_limbs(o, &zzz, bytes + 3 * size, o->montgomery_inverse);
    r->is_infinity = element_is_zero(&zz);
    if (!r->is_infinity) {
        element_inv(o, &zz, &zz);
        element_inv(o, &zzz, &zzz);
        element_mul(o, &r->x, &r->x, &zz);
        element_mul(o, &r->y, &r->y, &zzz);
    }
}

void oracle_point_to_xyzz(const oracle *o, void *stored, const oracle_point *a, gmp_randstate_t random)
{
    uint8_t *bytes = stored;
    const size_t size = o->info->point_bytes / 2;
    CLEANUP(element_clear) oracle_element z = {0}, zz = {0}, zzz = {0}, t = {0};
    element_init(&z);
    element_init(&zz);
    element_init(&zzz);
    element_init(&t);
    do {
        element_random(o, &z, random);
    } while (element_is_zero(&z));
    element_mul(o, &zz, &z, &z);
    element_mul(o, &zzz, &zz, &z);
    element_mul(o, &t, &a->x, &zz);
    element_to_limbs(o, bytes, &t, o->montgomery);
    element_mul(o, &t, &a->y, &zzz);
    element_to_limbs(o, bytes + size, &t, o->montgomery);
    element_to_limbs(o, bytes + 2 * size, &zz, o->montgomery);
    element_to_limbs(o, bytes + 3 * size, &zzz, o->montgomery);
    if (a->is_infinity) { /* x and y are arbitrary, because ZZ = 0 marks infinity */
        memset(bytes + 2 * size, 0, 2 * size);
    }
}

void oracle_scalar_from_raw(const oracle *o, mpz_t k, const void *raw)
{
    mpz_import(k, o->info->scalar_bytes / 8, -1, 8, -1, 0, raw);
}

void oracle_scalar_to_raw(const oracle *o, void *raw, const mpz_t k)
{
    memset(raw, 0, o->info->scalar_bytes);
    mpz_export(raw, NULL, -1, 8, -1, 0, k);
}

void oracle_msm(const oracle *o, void *result, const void *bases, const void *scalars, size_t n)
{
    oracle_point sum, *points = calloc(n + 1, sizeof *points);
    AUTO_FREE mpz_t *k = calloc(n + 1, sizeof *k);
    size_t bits = mpz_sizeinbase(o->r, 2);
    if (points == NULL || k == NULL) {
        test_abort("out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        oracle_point_init(&points[i]);
        oracle_point_from_raw(o, &points[i], (const uint8_t *)bases + i * o->info->point_bytes);
        mpz_init(k[i]);
        oracle_scalar_from_raw(o, k[i], (const uint8_t *)scalars + i * o->info->scalar_bytes);
        mpz_mod(k[i], k[i], o->r);
    }
    oracle_point_init(&sum);
    for (size_t bit = bits; bit-- > 0;) {
        oracle_add(o, &sum, &sum, &sum);
        for (size_t i = 0; i < n; i++) {
            if (mpz_tstbit(k[i], bit)) {
                oracle_add(o, &sum, &sum, &points[i]);
            }
        }
    }
    oracle_point_to_raw(o, result, &sum);
    oracle_point_clear(&sum);
    for (size_t i = 0; i < n; i++) {
        oracle_point_clear(&points[i]);
        mpz_clear(k[i]);
    }
    free(points);
}

void oracle_known_msm(const oracle *o, void *result, const void *logarithms, const void *scalars, size_t n)
{
    TEST_NUMBERS(sum, k, d);
    ORACLE_POINT(point);
    for (size_t i = 0; i < n; i++) {
        oracle_scalar_from_raw(o, k, (const uint8_t *)scalars + i * o->info->scalar_bytes);
        oracle_scalar_from_raw(o, d, (const uint8_t *)logarithms + i * o->info->scalar_bytes);
        mpz_addmul(sum, k, d);
    }
    oracle_mul_generator(o, &point, sum);
    oracle_point_to_raw(o, result, &point);
}
