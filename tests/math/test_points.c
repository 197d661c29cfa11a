/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares the point formulas of one curve with plain affine arithmetic. It is compiled once per curve and
 * variant. The operands are all pairs from a list of points that formulas may get wrong: infinity, a point with two
 * different Z, a point and its opposite, points of order 2, and points outside the subgroup.
 */
#include "math/point.h"

#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

enum { MAX_POINTS = 16 };

typedef struct point_list {
    test_group *t;
    oracle_point points[MAX_POINTS];
    size_t count;
} point_list;

static oracle_point *append(point_list *list)
{
    assert_true(list->count < MAX_POINTS);
    oracle_point_init(&list->points[list->count]);
    return &list->points[list->count++];
}

/* Append (-1, 0) and (1, 0) if they lie on the curve. */
static void append_order_two(point_list *list)
{
    const oracle *o = &list->t->oracle;
    for (int sign = -1; sign <= 1; sign += 2) {
        ORACLE_POINT(candidate);
        mpz_set_si(candidate.x.c[0], sign);
        mpz_mod(candidate.x.c[0], candidate.x.c[0], o->p);
        candidate.is_infinity = 0;
        if (oracle_point_on_curve(o, &candidate)) {
            oracle_point_set(append(list), &candidate);
        }
    }
}

static point_list make_list(test_group *t)
{
    point_list list = {.t = t};
    const oracle *o = &t->oracle;
    TEST_NUMBERS(k);
    (void)append(&list); /* infinity */
    oracle_point_set(append(&list), &o->generator);
    oracle_neg(o, append(&list), &o->generator);
    oracle_point *twice = append(&list);
    oracle_add(o, twice, &o->generator, &o->generator);
    mpz_urandomm(k, t->random, o->r);
    oracle_point *random = append(&list);
    oracle_mul_generator(o, random, k);
    oracle_neg(o, append(&list), random);
    for (int i = 0; i < 3; i++) {
        oracle_random_curve_point(o, append(&list), t->random);
    }
    append_order_two(&list);
    return list;
}

static void free_list(point_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        oracle_point_clear(&list->points[i]);
    }
}

static void assert_affine(const point_list *list, const affine *actual, const oracle_point *expected)
{
    ORACLE_POINT(point);
    oracle_point_from_affine(&list->t->oracle, &point, actual);
    assert_true(oracle_point_equal(&point, expected));
}

/* Check the point, and the invariant ZZ^3 = ZZZ^2. */
static void assert_xyzz(const point_list *list, const xyzz *actual, const oracle_point *expected)
{
    ORACLE_POINT(point);
    fe left, right;
    oracle_point_from_xyzz(&list->t->oracle, &point, actual);
    assert_true(oracle_point_equal(&point, expected));
    fe_sqr(&left, &actual->zz);
    fe_mul(&left, &left, &actual->zz);
    fe_sqr(&right, &actual->zzz);
    assert_true(fe_eq(&left, &right));
}

static void test_conversions(void **state)
{
    test_group *t = *state;
    CLEANUP(free_list) point_list list = make_list(t);
    for (size_t i = 0; i < list.count; i++) {
        affine a, back;
        xyzz p;
        ORACLE_POINT(negative);
        oracle_point_to_affine(&t->oracle, &a, &list.points[i]);
        assert_int_equal(affine_is_infinity(&a), list.points[i].is_infinity);
        assert_true(affine_is_on_curve(&a));
        xyzz_from_affine(&p, &a);
        assert_int_equal(xyzz_is_infinity(&p), list.points[i].is_infinity);
        assert_xyzz(&list, &p, &list.points[i]);
        oracle_point_to_xyzz(&t->oracle, &p, &list.points[i], t->random);
        xyzz_to_affine(&back, &p);
        assert_true(fe_eq(&a.x, &back.x) && fe_eq(&a.y, &back.y));
        affine_neg(&back, &a);
        oracle_neg(&t->oracle, &negative, &list.points[i]);
        assert_affine(&list, &back, &negative);
        if (!affine_is_infinity(&a)) { /* with another y the point seldom lies on the curve */
            fe one;
            fe_set_one(&one);
            fe_add(&a.y, &a.y, &one);
            oracle_point_from_affine(&t->oracle, &negative, &a);
            assert_int_equal(affine_is_on_curve(&a), oracle_point_on_curve(&t->oracle, &negative));
        }
    }
}

static void test_additions(void **state)
{
    test_group *t = *state;
    CLEANUP(free_list) point_list list = make_list(t);
    ORACLE_POINT(expected);
    for (size_t i = 0; i < list.count; i++) {
        for (size_t j = 0; j < list.count; j++) {
            xyzz p, q, r;
            affine a;
            oracle_add(&t->oracle, &expected, &list.points[i], &list.points[j]);
            oracle_point_to_xyzz(&t->oracle, &p, &list.points[i], t->random);
            oracle_point_to_xyzz(&t->oracle, &q, &list.points[j], t->random);
            oracle_point_to_affine(&t->oracle, &a, &list.points[j]);
            xyzz_add(&r, &p, &q);
            assert_xyzz(&list, &r, &expected);
            r = p;
            xyzz_add(&r, &r, &q);
            assert_xyzz(&list, &r, &expected);
            r = q;
            xyzz_add(&r, &p, &r);
            assert_xyzz(&list, &r, &expected);
            xyzz_add_affine(&r, &p, &a);
            assert_xyzz(&list, &r, &expected);
            r = p;
            xyzz_add_affine(&r, &r, &a);
            assert_xyzz(&list, &r, &expected);
        }
        xyzz p;
        oracle_add(&t->oracle, &expected, &list.points[i], &list.points[i]);
        oracle_point_to_xyzz(&t->oracle, &p, &list.points[i], t->random);
        xyzz_add(&p, &p, &p);
        assert_xyzz(&list, &p, &expected);
    }
}

static void test_doublings(void **state)
{
    test_group *t = *state;
    CLEANUP(free_list) point_list list = make_list(t);
    ORACLE_POINT(expected);
    for (size_t i = 0; i < list.count; i++) {
        affine a;
        xyzz p, r;
        oracle_point_to_affine(&t->oracle, &a, &list.points[i]);
        oracle_point_to_xyzz(&t->oracle, &p, &list.points[i], t->random);
        oracle_add(&t->oracle, &expected, &list.points[i], &list.points[i]);
        xyzz_double(&r, &p);
        assert_xyzz(&list, &r, &expected);
        r = p;
        xyzz_double(&r, &r);
        assert_xyzz(&list, &r, &expected);
        xyzz_double_affine(&r, &a);
        assert_xyzz(&list, &r, &expected);
        oracle_point_set(&expected, &list.points[i]);
        for (uint32_t times = 0; times < 20; times++) {
            xyzz_double_times(&r, &p, times);
            assert_xyzz(&list, &r, &expected);
            oracle_add(&t->oracle, &expected, &expected, &expected);
        }
    }
}

static void test_multiplications(void **state)
{
    test_group *t = *state;
    enum { LIMBS = FR_LIMBS };
    CLEANUP(free_list) point_list list = make_list(t);
    ORACLE_POINT(expected);
    TEST_NUMBERS(k);
    uint64_t limbs[LIMBS];
    for (size_t i = 0; i < list.count; i++) {
        affine a;
        oracle_point_to_affine(&t->oracle, &a, &list.points[i]);
        for (unsigned long turn = 0; turn < 24; turn++) {
            xyzz r;
            if (turn < 16) {
                mpz_set_ui(k, turn);
            } else if (turn < 20) {
                mpz_sub_ui(k, t->oracle.r, turn - 16);
            } else {
                mpz_urandomb(k, t->random, 64 * LIMBS);
            }
            oracle_scalar_to_raw(&t->oracle, limbs, k);
            oracle_mul(&t->oracle, &expected, k, &list.points[i]);
            xyzz_mul(&r, &a, limbs, LIMBS);
            assert_xyzz(&list, &r, &expected);
        }
    }
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"conversions", test_conversions, TEST_EVERY_AND_TINY},
        {"additions", test_additions, TEST_EVERY_AND_TINY},
        {"doublings", test_doublings, TEST_EVERY_AND_TINY},
        {"multiplications", test_multiplications, TEST_EVERY_AND_TINY},
    };
    options.curve = CURVE_NAME "/" CURVE_GROUP;
    return test_main("points", entries, sizeof entries / sizeof *entries, argc, argv);
}
