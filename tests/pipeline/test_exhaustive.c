/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tries everything in a group of 11 points: all pairs of points with all pairs of scalars, all multisets of
 * three terms, and all ways of writing a residue. Then come points of a whole curve, where r*P is not infinity, so that
 * no shortcut is allowed.
 */
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

enum { ORDER = 11 };

typedef struct tiny_group {
    size_t point_bytes;
    uint8_t *multiples; /* k*G for k < 11 */
} tiny_group;

static tiny_group make_tiny_group(const test_group *t)
{
    tiny_group group = {t->info->point_bytes, test_alloc(ORDER * (size_t)t->info->point_bytes)};
    ORACLE_POINT(sum);
    assert_int_equal(mpz_cmp_ui(t->oracle.r, ORDER), 0);
    for (size_t k = 0; k < ORDER; k++) {
        oracle_point_to_raw(&t->oracle, group.multiples + k * group.point_bytes, &sum);
        oracle_add(&t->oracle, &sum, &sum, &t->oracle.generator);
    }
    assert_true(sum.is_infinity);
    return group;
}

static void free_group(tiny_group *group)
{
    free(group->multiples);
}

static void put_multiple(const tiny_group *group, uint8_t *points, size_t index, uint64_t k)
{
    memcpy(points + index * group->point_bytes, group->multiples + k % ORDER * group->point_bytes,
           group->point_bytes);
}

static void test_pairs(void **state)
{
    const test_group *t = *state;
    CLEANUP(free_group) tiny_group group = make_tiny_group(t);
    const uint32_t batch = ORDER * ORDER * ORDER * ORDER;
    AUTO_FREE uint8_t *points = test_alloc(2 * batch * group.point_bytes),
                      *expected = test_alloc(batch * group.point_bytes);
    AUTO_FREE uint64_t *scalars = test_alloc(2 * batch * sizeof *scalars);
    for (uint32_t i = 0; i < batch; i++) {
        const uint64_t a = i % 11, b = i / 11 % 11, k = i / 121 % 11, l = i / 1331;
        put_multiple(&group, points, 2 * (size_t)i, a);
        put_multiple(&group, points, 2 * (size_t)i + 1, b);
        scalars[2 * i] = k;
        scalars[2 * i + 1] = l;
        put_multiple(&group, expected, i, a * k + b * l);
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    for (uint32_t factor = 0; factor <= 3; factor++) { /* if the factor is 0, there are window tables */
        const int digits = factor == 0;
        for (uint32_t c = 1; c <= (options.quick ? 2 : digits ? 4 : 6); c++) {
            sumac_bases_config bases_config = {.size = sizeof bases_config};
            bases_config.precompute_factor = factor;
            bases_config.tables = digits ? SUMAC_TABLES_WINDOWS : SUMAC_TABLES_MULTIPLES;
            bases_config.tuning = test_tuning("c=%u", c);
            bases_config.outside_subgroup = c % 2;
            CLEANUP(destroy_bases)
            sumac_bases *bases = test_bases(context, t, points, 2 * (size_t)batch, &bases_config);
            for (int reduction = REDUCTION_RUNNING_SUM; reduction <= REDUCTION_HALVING; reduction++) {
                sumac_msm_config config = {.size = sizeof config};
                config.batch = batch;
                config.base_sets = batch;
                config.tuning = test_tuning("c=%u,reduction=%s,chunks=%u", c, test_reductions[reduction],
                                            1 + (c + (uint32_t)reduction) % 2);
                test_msm(context, bases, scalars, 2, &config, expected, "all pairs");
            }
            for (size_t i = 0; factor == 1 + c % 2 && c < 4 && test_plan_name(context, i) != NULL; i++) {
                sumac_msm_config config = {.size = sizeof config};
                const char *plan = test_plan_name(context, i);
                config.tuning = test_tuning("plan=%s,chunks=%u,c=%u", plan, 1 + c % 2, c);
                config.batch = batch;
                config.base_sets = batch;
                if (!test_plan_is_refused(context, bases, 2, &config, c % 2)) {
                    test_msm(context, bases, scalars, 2, &config, expected, config.tuning);
                }
            }
        }
    }
    /* Each pair is also computed in its own call, by the planner's choice for n = 2. */
    for (uint32_t i = 0; i < batch; i += options.quick ? 97 : 1) {
        CLEANUP(destroy_bases)
        sumac_bases *bases = test_bases(context, t, points + 2 * (size_t)i * group.point_bytes, 2, NULL);
        test_msm(context, bases, scalars + 2 * i, 2, NULL, expected + i * group.point_bytes, "a pair");
    }
}

/* Terms are numbered 11*point + scalar. For each number there is a batch of all a <= b <= number. */
static void test_multisets_of_three(void **state)
{
    const test_group *t = *state;
    CLEANUP(free_group) tiny_group group = make_tiny_group(t);
    const uint32_t terms = ORDER * ORDER, most = terms * (terms + 1) / 2;
    AUTO_FREE uint8_t *points = test_alloc(3 * most * group.point_bytes),
                      *expected = test_alloc(most * group.point_bytes);
    AUTO_FREE uint64_t *scalars = test_alloc(3 * most * sizeof *scalars);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (uint32_t largest = 0; largest < terms; largest += options.quick ? 40 : 1) {
        uint32_t batch = 0;
        for (uint32_t b = 0; b <= largest; b++) {
            for (uint32_t a = 0; a <= b; a++, batch++) {
                const uint32_t term[3] = {a, b, largest};
                uint64_t sum = 0;
                for (uint32_t i = 0; i < 3; i++) {
                    put_multiple(&group, points, 3 * (size_t)batch + i, term[i] / ORDER);
                    scalars[3 * batch + i] = term[i] % ORDER;
                    sum += (uint64_t)(term[i] / ORDER) * (term[i] % ORDER);
                }
                put_multiple(&group, expected, batch, sum);
            }
        }
        sumac_msm_config config = {.size = sizeof config};
        config.batch = batch;
        config.base_sets = batch;
        config.tuning =
            test_tuning("c=%u,reduction=%s", 1 + largest % 4, test_reductions[1 + largest / 4 % 2]);
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, 3 * (size_t)batch, NULL);
        test_msm(context, bases, scalars, 3, &config, expected, "all multisets of three");
    }
}

/* Scalars have 64 bits here, and r has 4. Every value means its residue. */
static void test_unreduced_scalars(void **state)
{
    const test_group *t = *state;
    CLEANUP(free_group) tiny_group group = make_tiny_group(t);
    enum { COUNT = 3000 };
    AUTO_FREE uint64_t *scalars = test_alloc(COUNT * sizeof *scalars);
    AUTO_FREE uint8_t *expected = test_alloc(COUNT * group.point_bytes);
    for (uint64_t i = 0; i < COUNT; i++) {
        scalars[i] = i < 1000   ? i
                     : i < 2000 ? UINT64_MAX - (i - 1000)
                                : (UINT64_C(1) << (i % 64)) + i / 64 - 40;
        put_multiple(&group, expected, i, 3 * (scalars[i] % ORDER));
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (uint32_t outside = 0; outside < 2; outside++) {
        for (uint32_t c = 0; c <= 5; c++) {
            sumac_bases_config bases_config = {.size = sizeof bases_config};
            bases_config.outside_subgroup = outside;
            CLEANUP(destroy_bases)
            sumac_bases *bases =
                test_bases(context, t, group.multiples + 3 * group.point_bytes, 1, &bases_config);
            sumac_msm_config config = {.size = sizeof config};
            config.tuning = test_tuning("c=%u", c);
            config.batch = COUNT;
            test_msm(context, bases, scalars, 1, &config, expected, "scalars that are not reduced");
        }
    }
}

/* Bases are declared to be of the whole curve, and scalars lie near 0, r/2 and r, or above r. The result must be
 * the sum of (k mod r)*P, although r*P is not infinity. */
static void test_points_of_the_whole_curve(void **state)
{
    test_group *t = *state;
    if (t->info->cofactor_is_one) {
        skip();
    }
    enum { COUNT = 9 };
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    AUTO_FREE uint8_t *points = test_alloc(COUNT * point), *scalars = test_alloc(COUNT * scalar),
                      *expected = test_alloc(point);
    ORACLE_POINT(p);
    ORACLE_POINT(multiple);
    TEST_NUMBERS(k);
    for (size_t i = 0; i < COUNT; i++) {
        do {
            oracle_random_curve_point(&t->oracle, &p, t->random);
            oracle_mul(&t->oracle, &multiple, t->oracle.r, &p);
        } while (multiple.is_infinity);
        oracle_point_to_raw(&t->oracle, points + i * point, &p);
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    sumac_bases *bases = NULL;
    bases_config.check = SUMAC_CHECK_SUBGROUP;
    test_status(context, exact_create(context, t->group, points, COUNT, &bases_config, &bases),
                SUMAC_NOT_IN_SUBGROUP, "points outside of the subgroup");
    assert_null(bases);
    bases_config.check = SUMAC_CHECK_CURVE;
    bases_config.outside_subgroup = 1;
    for (uint32_t turn = 0; turn < (options.quick ? 6 : 30); turn++) {
        test_random_scalars(t, scalars, COUNT);
        mpz_sub_ui(k, t->oracle.r, 1 + turn % 3);
        oracle_scalar_to_raw(&t->oracle, scalars, k);
        mpz_fdiv_q_2exp(k, t->oracle.r, 1);
        mpz_add_ui(k, k, turn % 2);
        oracle_scalar_to_raw(&t->oracle, scalars + scalar, k);
        mpz_set_ui(k, turn);
        oracle_scalar_to_raw(&t->oracle, scalars + 2 * scalar, k);
        test_random_bytes(t, scalars + 3 * scalar, scalar); /* any value, also above r */
        oracle_msm(&t->oracle, expected, points, scalars, COUNT);
        bases_config.tuning = test_tuning("c=%u", turn % 10);
        bases_config.precompute_factor = 1 + turn % 4;
        bases = test_bases(context, t, points, COUNT, &bases_config);
        sumac_msm_config config = {.size = sizeof config};
        config.tuning = test_tuning("c=%u,reduction=%s", turn % 10, test_reductions[turn % 3]);
        test_msm(context, bases, scalars, COUNT, &config, expected, "points of the whole curve");
        sumac_bases_destroy(bases);
    }
}

static const test_entry entries[] = {
    {"all pairs", test_pairs, TEST_TINY},
    {"all multisets of three", test_multisets_of_three, TEST_TINY},
    {"unreduced scalars", test_unreduced_scalars, TEST_TINY},
    {"points of the whole curve", test_points_of_the_whole_curve, TEST_EVERY_AND_TINY},
};
TEST_MAIN("exhaustive", entries)
