/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Vectors of points of one curve and variant. Transforms: the points have known logarithms to the generator,
 * so that what comes out must be the generator's multiples by the transform of the logarithms, which is
 * summed up here term by term with GMP; the multiples are made by plain doubling and adding. The rest:
 * against plain affine arithmetic. Compiled once per curve and variant.
 */
#include "codec/record.h"
#include "cpu/stages.h"
#include "math/point.h"
#include "vector/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "support/harness.h"

enum {
    MOST_LOG2 = 6,
    MOST_POINTS = 1 << MOST_LOG2,
    MOST_ROWS = 3,
    MOST_THREADS = 3,
    LIST = 16,
    MANY = 300 /* more than two blocks of the vectors' code */
};

static const point_vector_ops *const ops = &SUMAC_SYMBOL(point_vectors);

/* A run of so many threads; to be ended. */
static vector_run run_begin(uint32_t threads)
{
    vector_run run = {.threads = threads, .pool = threads > 1 ? pool_create(threads) : NULL};
    assert_true(threads == 1 || run.pool != NULL);
    return run;
}

static void run_end(const vector_run *run)
{
    pool_destroy(run->pool);
}

/* ---- the field of scalars ---- */

typedef struct transform_field {
    const oracle *o;
    uint32_t two_adicity;
    uint32_t log2; /* the largest size that is tested */
    mpz_t root;    /* of order 2^log2 */
    uint64_t roots[MOST_POINTS / 2][FR_LIMBS];
    affine powers[64 * FR_LIMBS]; /* 2^i times the generator */
} transform_field;

static void to_montgomery(uint64_t limbs[FR_LIMBS], const mpz_t k, const mpz_t r)
{
    TEST_NUMBERS(product);
    mpz_mul_2exp(product, k, 64 * FR_LIMBS);
    mpz_mod(product, product, r);
    memset(limbs, 0, FR_LIMBS * sizeof *limbs);
    mpz_export(limbs, NULL, -1, sizeof *limbs, 0, 0, product);
}

/* The root is what is no square to the (r - 1)/2^two_adicity, squared until its order is small enough. */
static void field_begin(transform_field *field, const oracle *o)
{
    mpz_t exponent, power;
    ORACLE_POINT(multiple);
    oracle_point_set(&multiple, &o->generator);
    mpz_inits(field->root, exponent, power, NULL);
    field->o = o;
    mpz_sub_ui(exponent, o->r, 1);
    field->two_adicity = (uint32_t)mpz_scan1(exponent, 0);
    field->log2 = field->two_adicity < MOST_LOG2 ? field->two_adicity : MOST_LOG2;
    mpz_fdiv_q_2exp(exponent, exponent, field->two_adicity);
    mpz_set_ui(power, 2);
    while (mpz_legendre(power, o->r) != -1) {
        mpz_add_ui(power, power, 1);
    }
    mpz_powm(field->root, power, exponent, o->r);
    for (uint32_t i = field->two_adicity; i > field->log2; i--) {
        mpz_mul(field->root, field->root, field->root);
        mpz_mod(field->root, field->root, o->r);
    }
    for (unsigned long i = 0; i < 1ul << field->log2 >> 1; i++) {
        mpz_powm_ui(power, field->root, test_reversed(i, field->log2 - 1), o->r);
        to_montgomery(field->roots[i], power, o->r);
    }
    for (size_t i = 0; i < 64 * FR_LIMBS; i++) {
        oracle_point_to_affine(o, &field->powers[i], &multiple);
        oracle_add(o, &multiple, &multiple, &multiple);
    }
    mpz_clears(exponent, power, NULL);
}

static void field_end(transform_field *field)
{
    mpz_clear(field->root);
}

/* ---- transforms ---- */

/* A transform and its logarithms. */
typedef struct transform_case {
    test_curve *t;
    const transform_field *field;
    vector_run run;
    vector_transform transform;
    mpz_t shift;
    int has_shift;
    mpz_t before[MOST_ROWS * MOST_POINTS]; /* in the order of the vector */
} transform_case;

/* The place of number i of n in a row of that order. */
static size_t place_of(size_t i, uint32_t log2, sumac_order order)
{
    return order == SUMAC_ORDER_NATURAL ? i : test_reversed(i, log2);
}

/* x = shift*root^i, the point of value i. */
static void value_argument(mpz_t x, const transform_case *c, unsigned long i)
{
    const mpz_t *r = &c->field->o->r;
    mpz_powm_ui(x, c->field->root, i << (c->field->log2 - c->transform.log2), *r);
    if (c->has_shift) {
        mpz_mul(x, x, c->shift);
        mpz_mod(x, x, *r);
    }
}

/* after = the logarithms that a row should have, term by term. */
static void expect_row(mpz_t *after, const transform_case *c, const mpz_t *before)
{
    const vector_transform *transform = &c->transform;
    const size_t n = (size_t)1 << transform->log2;
    TEST_NUMBERS(x, term, inverse_n);
    mpz_set_ui(term, n);
    assert_true(mpz_invert(inverse_n, term, c->field->o->r) != 0);
    for (size_t i = 0; i < n; i++) {
        mpz_set_ui(after[i], 0);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t value_place = place_of(i, transform->log2, transform->value_order);
        for (size_t j = 0; j < transform->coefficients; j++) {
            const size_t place = place_of(j, transform->log2, transform->coefficient_order);
            value_argument(x, c, i);
            if (transform->inverse) {
                assert_true(mpz_invert(x, x, c->field->o->r) != 0);
            }
            mpz_powm_ui(term, x, j, c->field->o->r);
            if (transform->inverse) {
                mpz_mul(term, term, inverse_n);
            }
            mpz_mul(term, term, before[transform->inverse ? value_place : place]);
            mpz_t *sum = &after[transform->inverse ? place : value_place];
            mpz_add(*sum, *sum, term);
            mpz_mod(*sum, *sum, c->field->o->r);
        }
    }
}

/* k times the generator, 0 <= k < 2^(64*FR_LIMBS): the sum of those 2^i times the generator that k has. */
static affine generator_multiple(const mpz_t k, const transform_field *field)
{
    affine point;
    xyzz sum;
    xyzz_set_infinity(&sum);
    for (size_t i = 0; i < mpz_sizeinbase(k, 2); i++) {
        if (mpz_tstbit(k, i)) {
            xyzz_add_affine(&sum, &sum, &field->powers[i]);
        }
    }
    xyzz_to_affine(&point, &sum);
    return point;
}

/* The same point with another Z. */
static xyzz with_random_z(test_curve *t, const affine *point)
{
    xyzz r;
    fe z, power;
    fp *parts = (fp *)(void *)&z;
    for (int part = 0; part < FE_DEGREE; part++) {
        test_random_bytes(t, &parts[part], sizeof(fp));
        parts[part].l[FP_LIMBS - 1] >>= 64 * FP_LIMBS - FP_BITS + 1;
        parts[part].l[0] |= 1;
    }
    xyzz_from_affine(&r, point);
    fe_sqr(&power, &z);
    fe_mul(&r.x, &r.x, &power);
    fe_mul(&r.zz, &r.zz, &power);
    fe_mul(&power, &power, &z);
    fe_mul(&r.y, &r.y, &power);
    fe_mul(&r.zzz, &r.zzz, &power);
    return r;
}

static void assert_same_point(const xyzz *actual, const affine *expected, const char *what, size_t index)
{
    affine point;
    fe left, right;
    xyzz_to_affine(&point, actual);
    fe_sqr(&left, &actual->zz);
    fe_mul(&left, &left, &actual->zz);
    fe_sqr(&right, &actual->zzz);
    if (!fe_eq(&point.x, &expected->x) || !fe_eq(&point.y, &expected->y) || !fe_eq(&left, &right)) {
        test_abort("%s: element %zu differs", what, index);
    }
}

/* What is not read: not even points. */
static void spoil_unused(transform_case *c, xyzz *row)
{
    const vector_transform *transform = &c->transform;
    for (size_t j = transform->coefficients; !transform->inverse && j < (size_t)1 << transform->log2; j++) {
        memset(&row[place_of(j, transform->log2, transform->coefficient_order)], 1, sizeof *row);
    }
}

static void check_transform(transform_case *c)
{
    const vector_transform *transform = &c->transform;
    const size_t n = (size_t)1 << transform->log2;
    AUTO_FREE xyzz *points = test_alloc(transform->rows * n * sizeof *points);
    uint64_t shift[FR_LIMBS];
    mpz_t after[MOST_POINTS];
    char what[128];
    for (size_t i = 0; i < transform->rows * n; i++) {
        const affine point = generator_multiple(c->before[i], c->field);
        points[i] = with_random_z(c->t, &point);
    }
    for (size_t row = 0; row < transform->rows; row++) {
        spoil_unused(c, points + row * n);
    }
    to_montgomery(shift, c->shift, c->field->o->r);
    c->transform.shift = c->has_shift ? shift : NULL;
    c->transform.roots = c->field->roots;
    assert_int_equal(ops->transform(&c->run, points, transform, NULL), SUMAC_OK);
    for (size_t i = 0; i < n; i++) {
        mpz_init(after[i]);
    }
    for (size_t row = 0; row < transform->rows; row++) {
        expect_row(after, c, (const mpz_t *)(c->before + row * n));
        for (size_t i = 0; i < n; i++) {
            const affine expected = generator_multiple(after[i], c->field);
            snprintf(what, sizeof what,
                     "%s of %zu, %u coefficients, orders %d (values) and %d, %s, row %zu of %u, %u threads",
                     transform->inverse ? "inverse" : "forward", n, (unsigned)transform->coefficients,
                     transform->value_order, transform->coefficient_order,
                     c->has_shift ? "coset" : "no coset", row, (unsigned)transform->rows, c->run.threads);
            assert_same_point(&points[row * n + i], &expected, what, i);
        }
    }
    for (size_t i = 0; i < n; i++) {
        mpz_clear(after[i]);
    }
}

static void case_begin(transform_case *c, test_curve *t, transform_field *field, uint32_t threads)
{
    memset(c, 0, sizeof *c);
    field_begin(field, &t->oracle);
    c->t = t;
    c->field = field;
    c->run = run_begin(threads);
    mpz_init_set_ui(c->shift, 1);
    for (size_t i = 0; i < MOST_ROWS * MOST_POINTS; i++) {
        mpz_init(c->before[i]);
    }
}

static void case_end(transform_case *c, transform_field *field)
{
    for (size_t i = 0; i < MOST_ROWS * MOST_POINTS; i++) {
        mpz_clear(c->before[i]);
    }
    mpz_clear(c->shift);
    run_end(&c->run);
    field_end(field);
}

static void draw_logarithms(transform_case *c)
{
    for (size_t i = 0; i < MOST_ROWS * MOST_POINTS; i++) {
        mpz_urandomm(c->before[i], c->t->random, c->field->o->r);
    }
}

/* All orders and both directions, on a coset and not. */
static void check_directions(transform_case *c)
{
    for (unsigned turn = 0; turn < 16; turn++) {
        c->transform.inverse = turn & 1;
        c->transform.value_order = turn & 2 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
        c->transform.coefficient_order = turn & 4 ? SUMAC_ORDER_BIT_REVERSED : SUMAC_ORDER_NATURAL;
        c->has_shift = turn >> 3 & 1;
        check_transform(c);
    }
}

static void test_sizes(void **state)
{
    transform_case c;
    transform_field field;
    case_begin(&c, *state, &field, 1);
    draw_logarithms(&c);
    mpz_set_ui(c.shift, 7);
    c.transform.rows = 1;
    for (c.transform.log2 = 0; c.transform.log2 <= field.log2; c.transform.log2++) {
        const uint64_t n = (uint64_t)1 << c.transform.log2;
        c.transform.coefficients = n;
        check_directions(&c);
    }
    case_end(&c, &field);
}

static void test_pruning(void **state)
{
    transform_case c;
    transform_field field;
    case_begin(&c, *state, &field, 2);
    draw_logarithms(&c);
    mpz_urandomm(c.shift, c.t->random, field.o->r);
    mpz_setbit(c.shift, 0);
    c.transform.rows = 1;
    for (c.transform.log2 = 1; c.transform.log2 <= field.log2 && c.transform.log2 <= 4; c.transform.log2++) {
        const uint64_t n = (uint64_t)1 << c.transform.log2;
        for (c.transform.coefficients = 1; c.transform.coefficients < n; c.transform.coefficients++) {
            check_directions(&c);
        }
    }
    case_end(&c, &field);
}

static void test_rows(void **state)
{
    transform_case c;
    transform_field field;
    case_begin(&c, *state, &field, MOST_THREADS);
    draw_logarithms(&c);
    mpz_set_ui(c.shift, 5);
    for (c.transform.rows = 0; c.transform.rows <= MOST_ROWS; c.transform.rows++) {
        c.transform.log2 = field.log2 < 5 ? field.log2 : 5;
        c.transform.coefficients = ((uint64_t)1 << c.transform.log2) * 5 / 8 + 1;
        check_directions(&c);
    }
    case_end(&c, &field);
}

/* Points that meet themselves, their opposites and infinity in butterflies: logarithm i of pattern k. */
enum { PATTERNS = 7 };
static long pattern(unsigned k, size_t i)
{
    switch (k) {
    case 0:
        return 0; /* infinity only */
    case 1:
        return 1; /* the same */
    case 2:
        return i % 2 == 0 ? 1 : -1;
    case 3:
        return i == 0 ? 1 : 0; /* one point: all values are the same */
    case 4:
        return i == 3 ? 0 : 5;
    case 5:
        return i % 8 < 4 ? 3 : 0;
    default:
        return i % 4 < 2 ? -2 : 2;
    }
}

static void test_special_points(void **state)
{
    transform_case c;
    transform_field field;
    case_begin(&c, *state, &field, 1);
    mpz_set_ui(c.shift, 3);
    c.transform.rows = 2;
    c.transform.log2 = field.log2 < 5 ? field.log2 : 5;
    c.transform.coefficients = (uint64_t)1 << c.transform.log2;
    for (unsigned k = 0; k < PATTERNS; k++) {
        for (size_t i = 0; i < MOST_ROWS * MOST_POINTS; i++) {
            mpz_set_si(c.before[i], pattern(k, i));
            mpz_mod(c.before[i], c.before[i], field.o->r);
        }
        check_directions(&c);
    }
    case_end(&c, &field);
}

/* Values of one coefficient, turned back: at each layer half of the points become infinity. */
static void test_points_that_vanish(void **state)
{
    transform_case c;
    transform_field field;
    TEST_NUMBERS(x);
    case_begin(&c, *state, &field, 1);
    c.transform.rows = 1;
    c.transform.log2 = field.log2 < 5 ? field.log2 : 5;
    const size_t n = (size_t)1 << c.transform.log2;
    c.transform.coefficients = n;
    for (unsigned long j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            value_argument(x, &c, i);
            mpz_powm_ui(c.before[i], x, j, field.o->r);
        }
        c.transform.inverse = 1;
        check_transform(&c);
        c.transform.inverse = 0;
        check_transform(&c);
    }
    case_end(&c, &field);
}

/* Every pair of points of a group of few, and every coset. */
static void test_all_of_a_tiny_group(void **state)
{
    test_curve *t = *state;
    transform_case c;
    transform_field field;
    if (!t->info->size || mpz_cmp_ui(t->oracle.r, 100) > 0) {
        return;
    }
    case_begin(&c, t, &field, 1);
    const unsigned long r = mpz_get_ui(t->oracle.r);
    c.transform.rows = 1;
    c.transform.log2 = 1;
    for (unsigned long k = 0; k < r * r * (r - 1); k++) {
        mpz_set_ui(c.before[0], k % r);
        mpz_set_ui(c.before[1], k / r % r);
        mpz_set_ui(c.shift, k / r / r + 1);
        for (c.transform.coefficients = 1; c.transform.coefficients <= 2; c.transform.coefficients++) {
            c.has_shift = 1;
            for (c.transform.inverse = 0; c.transform.inverse < 2; c.transform.inverse++) {
                check_transform(&c);
            }
        }
    }
    case_end(&c, &field);
}

/* ---- element by element ---- */

typedef struct point_list {
    test_curve *t;
    oracle_point points[LIST];
    xyzz stored[LIST];
} point_list;

/* (x, 0) with x = -1 or 1, where it lies on the curve. */
static void set_order_two(const oracle *o, oracle_point *point)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        ORACLE_POINT(candidate);
        mpz_set_si(candidate.x.c[0], sign);
        mpz_mod(candidate.x.c[0], candidate.x.c[0], o->p);
        candidate.is_infinity = 0;
        if (oracle_point_on_curve(o, &candidate)) {
            oracle_point_set(point, &candidate);
        }
    }
}

/* Infinity, points of the curve in and out of the subgroup, equal and opposite ones. */
static void list_begin(point_list *list, test_curve *t)
{
    const oracle *o = &t->oracle;
    list->t = t;
    for (size_t i = 0; i < LIST; i++) {
        oracle_point *point = &list->points[i];
        oracle_point_init(point);
        if (i == 1) {
            oracle_point_set(point, &o->generator);
        } else if (i == 2) {
            oracle_neg(o, point, &o->generator);
        } else if (i == 3) {
            oracle_add(o, point, &o->generator, &o->generator);
        } else if (i == 4) {
            set_order_two(o, point);
        } else if (i == 9 || i == 13) {
            oracle_point_set(point, &list->points[i - 4]);
        } else if (i == 10) {
            oracle_neg(o, point, &list->points[6]);
        } else if (i > 0) {
            oracle_random_curve_point(o, point, t->random);
        }
        oracle_point_to_xyzz(o, &list->stored[i], point, t->random);
    }
}

static void list_end(point_list *list)
{
    for (size_t i = 0; i < LIST; i++) {
        oracle_point_clear(&list->points[i]);
    }
}

static void assert_oracle_point(const point_list *list, const xyzz *actual, const oracle_point *expected,
                                const char *what, size_t index)
{
    affine point;
    oracle_point_to_affine(&list->t->oracle, &point, expected);
    assert_same_point(actual, &point, what, index);
}

/* result = a +- b, where a has n elements, the list again and again, each `a_each` times. */
static void check_addition(const point_list *list, const vector_run *run, size_t a_each, size_t b_count,
                           size_t b_each, int in_place)
{
    xyzz a[MANY], result[MANY];
    ORACLE_POINT(expected);
    ORACLE_POINT(term);
    const vector_operand b = {list->stored, b_count, b_each};
    for (int subtract = 0; subtract < 2; subtract++) {
        for (size_t i = 0; i < MANY; i++) {
            a[i] = list->stored[i / a_each % LIST];
        }
        xyzz *r = in_place ? a : result;
        (subtract ? ops->subtract : ops->add)(run, r, a, MANY, &b);
        for (size_t i = 0; i < MANY; i++) {
            const oracle_point *other = &list->points[i / b_each % b_count];
            oracle_point_set(&term, other);
            if (subtract) {
                oracle_neg(&list->t->oracle, &term, other);
            }
            oracle_add(&list->t->oracle, &expected, &list->points[i / a_each % LIST], &term);
            assert_oracle_point(list, &r[i], &expected, subtract ? "difference" : "sum", i);
        }
    }
}

static void test_additions(void **state)
{
    point_list list;
    list_begin(&list, *state);
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads += 2) {
        const vector_run run = run_begin(threads);
        check_addition(&list, &run, LIST, LIST, 1, 0); /* all pairs */
        check_addition(&list, &run, 1, LIST, LIST, 1);
        check_addition(&list, &run, 1, 1, 1, 0);
        check_addition(&list, &run, 3, 7, 5, 1);
        run_end(&run);
    }
    list_end(&list);
}

/* The second operand is the result, too. */
static void test_addition_to_the_second(void **state)
{
    point_list list;
    const vector_run run = run_begin(1);
    xyzz a[LIST], b[LIST];
    ORACLE_POINT(expected);
    list_begin(&list, *state);
    for (size_t i = 0; i < LIST; i++) {
        a[i] = list.stored[i];
        b[i] = list.stored[LIST - 1 - i];
    }
    const vector_operand operand = {b, LIST, 1};
    ops->subtract(&run, b, a, LIST, &operand);
    for (size_t i = 0; i < LIST; i++) {
        oracle_neg(&list.t->oracle, &expected, &list.points[LIST - 1 - i]);
        oracle_add(&list.t->oracle, &expected, &list.points[i], &expected);
        assert_oracle_point(&list, &b[i], &expected, "difference", i);
    }
    list_end(&list);
}

static void test_sums(void **state)
{
    static const size_t shapes[][2] = {{0, 3}, {1, 0}, {1, 1}, {1, MANY}, {3, 100}, {MANY, 1}, {100, 3}};
    point_list list;
    ORACLE_POINT(expected);
    xyzz a[MANY], result[MANY];
    list_begin(&list, *state);
    for (size_t i = 0; i < MANY; i++) {
        a[i] = list.stored[i * i % LIST];
    }
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads++) {
        const vector_run run = run_begin(threads);
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            const size_t rows = shapes[s][0], length = shapes[s][1];
            ops->sum(&run, result, a, rows, length);
            for (size_t row = 0; row < rows; row++) {
                oracle_point_set_infinity(&expected);
                for (size_t i = row * length; i < (row + 1) * length; i++) {
                    oracle_add(&list.t->oracle, &expected, &expected, &list.points[i * i % LIST]);
                }
                assert_oracle_point(&list, &result[row], &expected, "sum of a row", row);
            }
        }
        run_end(&run);
    }
    list_end(&list);
}

/* ---- in and out ---- */

static void check_records(const point_list *list, const vector_run *run)
{
    AUTO_FREE uint8_t *records = test_alloc((size_t)MANY * POINT_BYTES),
                      *back = test_alloc((size_t)MANY * POINT_BYTES);
    xyzz points[MANY];
    uint64_t bad = MANY;
    for (size_t i = 0; i < MANY; i++) {
        oracle_point_to_raw(&list->t->oracle, records + i * POINT_BYTES, &list->points[i % LIST]);
    }
    assert_int_equal(
        ops->import_records(run, points, records, MANY, SUMAC_FORM_CANONICAL, SUMAC_CHECK_CURVE, &bad),
        SUMAC_OK);
    for (size_t i = 0; i < MANY; i++) {
        assert_oracle_point(list, &points[i], &list->points[i % LIST], "import", i);
        points[i] = list->stored[i % LIST]; /* with a Z */
    }
    assert_int_equal(ops->export_records(run, back, points, MANY, SUMAC_FORM_CANONICAL), SUMAC_OK);
    assert_memory_equal(back, records, (size_t)MANY * POINT_BYTES);
    assert_int_equal(ops->export_records(run, back, points, MANY, SUMAC_FORM_MONTGOMERY), SUMAC_OK);
    assert_int_equal(
        ops->import_records(run, points, back, MANY, SUMAC_FORM_MONTGOMERY, SUMAC_CHECK_CURVE, &bad),
        SUMAC_OK);
    for (size_t i = 0; i < MANY; i++) {
        assert_oracle_point(list, &points[i], &list->points[i % LIST], "import in Montgomery form", i);
    }
    assert_int_equal(bad, MANY);
}

static void test_records(void **state)
{
    point_list list;
    list_begin(&list, *state);
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads += 2) {
        const vector_run run = run_begin(threads);
        check_records(&list, &run);
        run_end(&run);
    }
    list_end(&list);
}

/* The first bad record of two is told, and no point is written. */
static void check_bad_records(test_curve *t, const vector_run *run, size_t first, sumac_status expected)
{
    AUTO_FREE uint8_t *records = test_alloc((size_t)MANY * POINT_BYTES);
    xyzz points[MANY], before[MANY];
    uint64_t bad = MANY;
    for (size_t i = 0; i < MANY; i++) {
        oracle_point_to_raw(&t->oracle, records + i * POINT_BYTES, &t->oracle.generator);
    }
    memset(points, 7, sizeof points);
    memcpy(before, points, sizeof points);
    records[(MANY - 1) * POINT_BYTES] ^= 1; /* another x */
    if (expected == SUMAC_BAD_ENCODING) {
        memset(records + first * POINT_BYTES, 0xff, POINT_BYTES);
    } else {
        records[first * POINT_BYTES + COORDINATE_BYTES] ^= 1;
    }
    assert_int_equal(
        ops->import_records(run, points, records, MANY, SUMAC_FORM_CANONICAL, SUMAC_CHECK_CURVE, &bad),
        expected);
    assert_int_equal(bad, first);
    assert_memory_equal(points, before, sizeof points);
}

static void test_bad_records(void **state)
{
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads += 2) {
        const vector_run run = run_begin(threads);
        check_bad_records(*state, &run, 0, SUMAC_BAD_ENCODING);
        check_bad_records(*state, &run, 130, SUMAC_NOT_ON_CURVE);
        check_bad_records(*state, &run, 258, SUMAC_BAD_ENCODING);
        run_end(&run);
    }
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"sizes", test_sizes, TEST_EVERY_AND_TINY},
        {"pruning", test_pruning, TEST_EVERY_AND_TINY},
        {"rows", test_rows, TEST_EVERY_AND_TINY},
        {"special points", test_special_points, TEST_EVERY_AND_TINY},
        {"points that vanish", test_points_that_vanish, TEST_EVERY_AND_TINY},
        {"all of a tiny group", test_all_of_a_tiny_group, TEST_TINY},
        {"additions", test_additions, TEST_EVERY_AND_TINY},
        {"addition to the second operand", test_addition_to_the_second, TEST_EVERY_AND_TINY},
        {"sums", test_sums, TEST_EVERY_AND_TINY},
        {"records", test_records, TEST_EVERY_AND_TINY},
        {"bad records", test_bad_records, TEST_EVERY_AND_TINY},
    };
    options.curve = CURVE_NAME "/" CURVE_GROUP;
    return test_main("vector_points", entries, sizeof entries / sizeof *entries, argc, argv);
}
