/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares top-window balancing (math/recode.h) with GMP, for every window size: the number of intervals of a
 * plan, the integer that a scalar becomes in each of them, and its digits. Further tests are about the distribution of
 * top digits, the calls whose scalars a plan balances, memory limits, and the halves of a GLV decomposition, balanced
 * or not.
 */
#include <stdlib.h>
#include <string.h>

#include "api/registry.h"
#include "cpu/engine.h"
#include "math/glv.h"
#include "math/recode.h"
#include "math/scalar.h"
#include "curves/group_code.h"
#include "pipeline/engine.h"
#include "pipeline/plan.h"
#include "support/harness.h"

static uint32_t windows_of(const test_group *t, uint32_t c)
{
    return (registered(t->group)->scalars.bits + c - 1) / c;
}

static uint32_t intervals_of(const test_group *t, uint32_t c)
{
    return plan_intervals(&registered(t->group)->scalars, windows_of(t, c), c);
}

static void to_limbs(uint64_t *limbs, const mpz_t value)
{
    memset(limbs, 0, (SCALAR_MAX_LIMBS + 1) * sizeof *limbs);
    mpz_export(limbs, NULL, -1, sizeof *limbs, 0, 0, value);
}

static void test_intervals(void **state)
{
    const test_group *t = *state;
    TEST_NUMBERS(expected);
    for (uint32_t c = 1; c <= PLAN_MAX_C; c++) {
        mpz_set_ui(expected, 0);
        mpz_setbit(expected, (mp_bitcnt_t)windows_of(t, c) * c);
        mpz_fdiv_q(expected, expected, t->oracle.r);
        assert_int_equal(mpz_cmp_ui(expected, intervals_of(t, c)), 0);
    }
}

/* recode_balanced() turns k <= r/2 into an integer v. Check that v lies in [interval*r/2, (interval + 1)*r/2), that it is k or
 * -k modulo r, and that its digits add up to it. */
static void check_balancing(const test_group *t, const mpz_t k, uint32_t c, uint32_t interval)
{
    const scalar_field *field = &registered(t->group)->scalars;
    const uint32_t windows = windows_of(t, c);
    uint64_t limbs[SCALAR_MAX_LIMBS + 1];
    TEST_NUMBERS(v, sum, digit);
    to_limbs(limbs, k);
    limbs[field->limbs] = recode_balanced(limbs, field->modulus, field->limbs, interval);
    mpz_import(v, field->limbs + 1, -1, sizeof *limbs, 0, 0, limbs);
    mpz_mul_2exp(sum, v, 1);
    mpz_fdiv_q(sum, sum, t->oracle.r);
    assert_true(mpz_cmp_ui(sum, interval) == 0 ||
                (mpz_sgn(k) == 0 && interval % 2 == 1 && mpz_cmp_ui(sum, interval + 1) == 0));
    if (interval % 2 == 0) {
        mpz_sub(sum, v, k);
    } else {
        mpz_add(sum, v, k);
    }
    assert_true(mpz_divisible_p(sum, t->oracle.r));
    mpz_set_ui(sum, 0);
    for (uint32_t w = windows; w-- > 0;) {
        const uint32_t code = recode_signed_digit(limbs, field->limbs + 1, w, c, 0);
        assert_true(code >> 1 <= (uint32_t)1 << (c - 1));
        mpz_mul_2exp(sum, sum, c);
        mpz_set_ui(digit, code >> 1);
        if (code & 1) {
            mpz_neg(digit, digit);
        }
        mpz_add(sum, sum, digit);
    }
    assert_int_equal(mpz_cmp(sum, v), 0);
}

/* Make a scalar of at most r/2. If `kind` is small, the scalar is near 0, r/2 or the boundary of a limb. Otherwise it
 * is random. */
static void folded_scalar(test_group *t, mpz_t k, unsigned kind)
{
    TEST_NUMBERS(half);
    mpz_fdiv_q_2exp(half, t->oracle.r, 1);
    mpz_set_ui(k, 0);
    if (kind < 3) {
        mpz_set_ui(k, kind);
    } else if (kind < 6) {
        mpz_sub_ui(k, half, kind - 3);
    } else if (kind < 8) {
        mpz_setbit(k, t->info->scalar_bytes * 8u - 64);
        mpz_sub_ui(k, k, kind - 6);
    } else {
        mpz_urandomb(k, t->random, t->info->scalar_bits);
    }
    mpz_add_ui(half, half, 1);
    mpz_mod(k, k, half);
}

static void test_balancing(void **state)
{
    test_group *t = *state;
    TEST_NUMBERS(k);
    for (uint32_t c = 1; c <= PLAN_MAX_C; c++) {
        const uint32_t intervals = intervals_of(t, c);
        for (unsigned kind = 0; kind < 16; kind++) {
            folded_scalar(t, k, kind);
            for (uint32_t interval = 0; interval < intervals; interval += 1 + interval / 2) {
                check_balancing(t, k, c, interval);
            }
            check_balancing(t, k, c, intervals - 1);
        }
    }
}

/* A scalar whose top limb is 0 stays in interval 0. The intervals of other scalars follow from their indices by
 * multiples of the golden section, which are much more evenly distributed than random numbers. */
static void test_interval_of_index(void)
{
    enum { N = 10000, MOST = 600 };
    const uint64_t small[2] = {UINT64_MAX, 0}, large[2] = {0, 1};
    for (uint32_t intervals = 2; intervals < MOST; intervals += 1 + intervals / 5) {
        uint32_t counts[MOST] = {0};
        for (uint64_t i = 0; i < N; i++) {
            const uint32_t interval = recode_interval(large, 2, i, intervals);
            assert_true(interval < intervals);
            counts[interval]++;
            assert_int_equal(recode_interval(small, 2, i, intervals), 0);
        }
        for (uint32_t interval = 0; interval < intervals; interval++) {
            assert_true(counts[interval] + 4 >= N / intervals && counts[interval] <= N / intervals + 5);
        }
    }
    assert_true(recode_interval(large, 2, UINT32_MAX, 1 << 24) < 1 << 24);
}

/* With uniform scalars no value of the top digit may be much more frequent than if all values were equally likely. Then
 * buckets have about the same length. */
static void test_top_digit(void **state)
{
    test_group *t = *state;
    enum { N = 20000 };
    const scalar_field *field = &registered(t->group)->scalars;
    if (t->info->scalar_bits % 64 > 0 && t->info->scalar_bits % 64 < 16) {
        skip(); /* the top limb of many scalars is 0, and these are not balanced */
    }
    uint64_t limbs[SCALAR_MAX_LIMBS + 1];
    TEST_NUMBERS(k);
    for (uint32_t c = 4; c <= 8; c++) {
        const uint32_t top_window_balancing = intervals_of(t, c), values = (uint32_t)1 << (c - 1);
        uint32_t counts[257] = {0}, most = 0;
        for (uint64_t i = 0; i < N; i++) {
            folded_scalar(t, k, 16);
            to_limbs(limbs, k);
            const uint32_t interval = recode_interval(limbs, field->limbs, i, top_window_balancing);
            limbs[field->limbs] = recode_balanced(limbs, field->modulus, field->limbs, interval);
            counts[recode_signed_digit(limbs, field->limbs + 1, windows_of(t, c) - 1, c, 0) >> 1]++;
        }
        for (uint32_t digit = 0; digit <= values; digit++) {
            most = counts[digit] > most ? counts[digit] : most;
        }
        const double mean = (double)N / values * (top_window_balancing + 1) / top_window_balancing;
        assert_true(most < mean * 1.5 && most > mean * 0.5);
    }
}

/* ---- Plans of an imagined engine ---- */

static uint64_t fixed_wish(const plan_request *request, const msm_plan *plan, uint32_t attempt)
{
    (void)request, (void)plan;
    return attempt > 0 ? 0 : (uint64_t)1 << 32;
}

static stage_cost no_cost(const plan_request *request, const msm_plan *plan)
{
    (void)request, (void)plan;
    return (stage_cost){0, 0, 0, 0};
}

static int one_part(const plan_request *request, msm_plan *plan)
{
    (void)request;
    plan->module_parts = 1;
    return 1;
}

static double prefer_top_window_balancing(msm_plan *plan, const stage_cost *sum)
{
    (void)sum;
    return plan->top_window_balancing > 1 ? 1 : 2;
}

static double prefer_plain(msm_plan *plan, const stage_cost *sum)
{
    return 3 - prefer_top_window_balancing(plan, sum);
}

static double prefer_balanced_glv(msm_plan *plan, const stage_cost *sum)
{
    return 5 + prefer_top_window_balancing(plan, sum) - 2 * plan->glv_terms;
}

/* These are kinds that cost nothing. The number of parts that reduce leaves for each module is 1. */
#define RECODE_KIND(label, halves, negated, top_window_balancing)                                            \
    {                                                                                                        \
        .stage = STAGE_RECODE, .name = (label), .takes = SCALARS, .leaves = DIGIT_ROWS,                      \
        .glv_terms = (halves), .negates = (negated), .balances = (top_window_balancing), .cost = no_cost     \
    }
static const stage_kind imagined[] = {
    RECODE_KIND("signed", 1, 0, 0),
    RECODE_KIND("signed-negated", 1, 1, 1),
    RECODE_KIND("signed-glv", 2, 0, 1),
    {.stage = STAGE_SORT, .name = "sort", .takes = DIGIT_ROWS, .leaves = BUCKET_LISTS, .cost = no_cost},
    {.stage = STAGE_ACCUMULATE,
     .name = "sums",
     .takes = BUCKET_LISTS,
     .leaves = AFFINE_BUCKETS,
     .cost = no_cost},
    {.stage = STAGE_REDUCE,
     .name = "parts",
     .takes = AFFINE_BUCKETS,
     .leaves = MODULE_PARTS,
     .accepts = one_part,
     .cost = no_cost},
    {.stage = STAGE_COMBINE, .name = "sum", .takes = MODULE_PARTS, .leaves = RESULTS, .cost = no_cost},
};
static const stage_kind *const imagined_kinds[] = {&imagined[0], &imagined[1], &imagined[2], &imagined[3],
                                                   &imagined[4], &imagined[5], &imagined[6], NULL};
static const named_plan *const imagined_plans[] = {NULL};
static const feed_ops no_feed;

static backend imagined_engine(double (*elapsed)(msm_plan *plan, const stage_cost *sum))
{
    const backend engine = {
        .kinds = imagined_kinds,
        .plans = imagined_plans,
        .feed = &no_feed,
        .most_in_flight_passes = 1,
        .wish = fixed_wish,
        .elapsed = elapsed,
    };
    return engine;
}

/* Return a request for one MSM of n bases, on one thread. */
static plan_request request_for(const backend *b, const test_group *t, uint32_t c, uint64_t n)
{
    const plan_request request = {
        .group = t->group,
        .code = registry_portable_code(t->group), /* every machine can run it */
        .backend = b,
        .n = n,
        .bases_count = n,
        .batch = 1,
        .c = c,
        .layout = {t->info->scalar_bytes, 0},
        .precompute_factor = 1,
        .threads = 1,
    };
    return request;
}

static msm_plan plan_for(const backend *b, const test_group *t, uint32_t c, uint32_t scalar_bits,
                         int outside_subgroup, uint32_t glv_terms)
{
    msm_plan plan;
    uint64_t missing;
    plan_request request = request_for(b, t, c, 1000);
    request.scalar_bits = scalar_bits;
    request.glv_terms = glv_terms;
    request.outside_subgroup = outside_subgroup;
    assert_int_equal(plan_make(&request, &plan, &missing), SUMAC_OK);
    return plan;
}

static msm_plan plan_on(const backend *b, const test_group *t, uint32_t c, uint32_t scalar_bits,
                        int outside_subgroup)
{
    return plan_for(b, t, c, scalar_bits, outside_subgroup, 1);
}

/* Plan a call over bases that are kept together with their images under the endomorphism. */
static msm_plan plan_with_glv(const backend *b, const test_group *t, uint32_t c, uint32_t scalar_bits,
                              int outside_subgroup)
{
    return plan_for(b, t, c, scalar_bits, outside_subgroup, 2);
}

static void check_plan(const msm_plan *plan, uint32_t top_window_balancing, const char *recode)
{
    assert_int_equal(plan->top_window_balancing, top_window_balancing);
    assert_string_equal(plan->kinds[STAGE_RECODE]->name, recode);
}

static void test_plans(void **state)
{
    test_group *t = *state;
    const backend balancing = imagined_engine(prefer_top_window_balancing),
                  plain = imagined_engine(prefer_plain);
    const uint32_t bits = t->info->scalar_bits;
    for (uint32_t c = 1; c <= PLAN_MAX_C; c++) {
        const uint32_t intervals = intervals_of(t, c);
        msm_plan plan = plan_on(&balancing, t, c, 0, 0);
        check_plan(&plan, intervals, "signed-negated");
        plan = plan_on(&balancing, t, c, 0, 1);
        check_plan(&plan, 1, "signed");
        plan = plan_on(&balancing, t, c, bits - 1, 0);
        check_plan(&plan, 1, "signed");
        plan = plan_on(&plain, t, c, 0, 0);
        check_plan(&plan, 1, "signed-negated");
        plan = plan_on(&cpu_backend, t, c, 0, 0);
        check_plan(&plan, 1, "signed-negated");
    }
}

static sumac_status plan_in(const backend *b, const test_group *t, uint32_t c, uint32_t batch, uint64_t limit,
                            int limit_is_given, uint64_t *missing)
{
    msm_plan plan;
    plan_request request = request_for(b, t, c, 4096);
    request.batch = batch;
    request.precompute_factor = 2;
    request.memory_limit = limit;
    request.limit_is_given = limit_is_given;
    const sumac_status status = plan_make(&request, &plan, missing);
    assert_true(status != SUMAC_OK || limit == 0 || plan.bytes_workspace <= limit);
    return status;
}

/* `missing` is exact, whether the caller or the engine set the limit. If the limit is larger by `missing`, it suffices,
 * and by one byte less it does not. Without a limit every call has a plan. */
static void test_limits(void **state)
{
    static const uint32_t batches[] = {1, 7, 4000}, windows[] = {4, 16, 24};
    const test_group *t = *state;
    const backend engine = imagined_engine(prefer_plain);
    for (size_t i = 0; i < 9; i++) {
        const uint32_t batch = batches[i / 3], c = windows[i % 3];
        uint64_t missing, rest;
        assert_int_equal(plan_in(&engine, t, c, batch, 0, 0, &missing), SUMAC_OK);
        for (int given = 0; given < 2; given++) {
            uint64_t limit = 1;
            assert_int_equal(plan_in(&engine, t, c, batch, limit, given, &missing), SUMAC_MEMORY_LIMIT);
            limit += missing;
            assert_int_equal(plan_in(&engine, t, c, batch, limit - 1, given, &rest), SUMAC_MEMORY_LIMIT);
            assert_int_equal(rest, 1);
            assert_int_equal(plan_in(&engine, t, c, batch, limit, given, &rest), SUMAC_OK);
        }
    }
}

/* The planner refuses a memory limit that would need very many passes. A plan within a limit has at most 512 passes, or
 * at most one for every 2048 entries and buckets, where a bucket counts once for each chunk. The planner aims at an
 * eighth of that number. The bound is larger because the last pass, MSM and chunk may have half the work of the
 * others. */
static void test_passes(void **state)
{
    static const uint32_t batches[] = {1, 30, 4000};
    static const uint64_t sizes[] = {1, 10, 1000, 100000};
    static const device_ops some_device;
    const test_group *t = *state;
    backend engine = imagined_engine(prefer_plain);
    engine.device = &some_device;
    for (uint32_t i = 0; i < 12 * 24; i++) {
        const uint64_t n = sizes[i / 24 % 4];
        msm_plan plan;
        plan_request request = request_for(&engine, t, 0, n);
        request.batch = batches[i / 24 / 4];
        request.memory_limit = (uint64_t)1024 << i % 24;
        request.limit_is_given = 1;
        uint64_t missing;
        sumac_status status = plan_make(&request, &plan, &missing);
        if (status != SUMAC_OK) {
            assert_int_equal(status, SUMAC_MEMORY_LIMIT);
            request.memory_limit += missing;
            assert_int_equal(plan_make(&request, &plan, &missing), SUMAC_OK);
        }
        const uint64_t sub_batches = (plan.batch + plan.sub_batch - 1) / plan.sub_batch;
        const uint64_t passes = sub_batches * plan.chunks * plan.copy_slices * plan.passes;
        const uint64_t modules = (uint64_t)plan.batch * plan.modules;
        const uint64_t entries = n * modules * plan.precompute_factor * plan.glv_terms;
        const uint64_t most = (entries + plan.chunks * modules * plan.buckets) / 2048;
        if (passes > (most > 512 ? most : 512)) {
            fail_msg("%u MSMs of %llu bases with %llu bytes: %llu passes", plan.batch, (unsigned long long)n,
                     (unsigned long long)request.memory_limit, (unsigned long long)passes);
        }
    }
}

/* Compute lambda from the basis of the lattice alone, where each vector (a, b) has a + b*lambda = 0 modulo r. */
static void find_lambda(const test_group *t, mpz_t lambda)
{
    const glv_lattice *split = registered(t->group)->scalars.split;
    TEST_NUMBERS(a, b, limit);
    mpz_setbit(limit, 64 * split->limbs);
    for (int v = 0; v < 2; v++) {
        mpz_import(a, split->limbs, -1, sizeof(uint64_t), 0, 0, split->basis[v][0]);
        mpz_import(b, split->limbs, -1, sizeof(uint64_t), 0, 0, split->basis[v][1]);
        if (mpz_tstbit(a, 64 * split->limbs - 1)) {
            mpz_sub(a, a, limit);
        }
        if (mpz_tstbit(b, 64 * split->limbs - 1)) {
            mpz_sub(b, b, limit);
        }
        assert_true(mpz_invert(b, b, t->oracle.r));
        mpz_mul(b, b, a);
        mpz_neg(b, b);
        mpz_mod(b, b, t->oracle.r);
        assert_true(v == 0 || mpz_cmp(lambda, b) == 0);
        mpz_set(lambda, b);
    }
    mpz_mul(a, lambda, lambda);
    mpz_add(a, a, lambda);
    mpz_add_ui(a, a, 1);
    assert_true(mpz_divisible_p(a, t->oracle.r));
}

/* Check that k1 + k2*lambda = k modulo r, that both halves are at most (2*most + 1) times the bound, and that the digits of
 * each add up to it. */
static void check_glv(const test_group *t, const mpz_t k, const mpz_t lambda, uint32_t c, int32_t m1,
                      int32_t m2, uint32_t most)
{
    const scalar_field *field = &registered(t->group)->scalars;
    const glv_lattice *split = field->split;
    uint64_t limbs[SCALAR_MAX_LIMBS + 1];
    glv_scalars halves;
    TEST_NUMBERS(sum, half, digits, bound);
    to_limbs(limbs, k);
    split_scalar(&halves, limbs, split, field->limbs, split->limbs, m1, m2);
    mpz_import(bound, split->limbs, -1, sizeof(uint64_t), 0, 0, split->bound);
    const uint32_t windows = (uint32_t)mpz_sizeinbase(bound, 2) / c + 1;
    mpz_mul_ui(bound, bound, 2 * most + 1);
    mpz_neg(sum, k);
    for (int i = 0; i < 2; i++) {
        mpz_import(half, split->limbs, -1, sizeof(uint64_t), 0, 0, halves.k[i]);
        assert_true(mpz_cmp(half, bound) <= 0);
        mpz_set_ui(digits, 0);
        for (uint32_t w = windows; w-- > 0;) {
            const uint32_t code = recode_signed_digit(halves.k[i], split->limbs, w, c, 0);
            assert_true(code >> 1 <= (uint32_t)1 << (c - 1));
            mpz_mul_2exp(digits, digits, c);
            if ((code & 1) != 0) {
                mpz_sub_ui(digits, digits, code >> 1);
            } else {
                mpz_add_ui(digits, digits, code >> 1);
            }
        }
        assert_int_equal(mpz_cmp(digits, half), 0);
        if (halves.negative[i]) {
            mpz_neg(half, half);
        }
        if (i == 1) {
            mpz_mul(half, half, lambda);
        }
        mpz_add(sum, sum, half);
    }
    assert_true(mpz_divisible_p(sum, t->oracle.r));
}

static void test_glv(void **state)
{
    test_group *t = *state;
    const glv_lattice *split = registered(t->group)->scalars.split;
    TEST_NUMBERS(k, lambda);
    if (split == NULL) {
        skip();
    }
    find_lambda(t, lambda);
    const backend with_glv = imagined_engine(prefer_balanced_glv);
    for (uint32_t c = 1; c <= 22;
         c++) { /* buckets of larger windows do not fit in the workspace of no_wish() */
        const msm_plan plan = plan_with_glv(&with_glv, t, c, 0, 0);
        assert_int_equal(plan.glv_terms, 2);
        assert_int_equal(plan.windows, 2 * plan.modules);
        assert_int_equal(plan.precompute_factor, 1);
        const int32_t most = (int32_t)(plan.top_window_balancing / 2);
        for (uint32_t i = 0; i < 60; i++) {
            if (i % 6 < 4) { /* k is near 0, lambda, r/2 or r */
                mpz_mul_ui(k, i % 6 == 0 ? lambda : t->oracle.r, i % 6 == 0 ? i : i % 6 % 3);
                mpz_fdiv_q_2exp(k, k, 1);
                mpz_add_ui(k, k, i / 6);
                mpz_sub_ui(k, k, 5);
                mpz_mod(k, k, t->oracle.r);
            } else {
                mpz_urandomm(k, t->random, t->oracle.r);
            }
            check_glv(t, k, lambda, c, 0, 0, 0);
            check_glv(t, k, lambda, c, most, -most, (uint32_t)most);
            check_glv(t, k, lambda, c, -most, -most, (uint32_t)most);
            uint64_t limbs[SCALAR_MAX_LIMBS + 1];
            to_limbs(limbs, k);
            const int32_t m1 =
                glv_balance(limbs, registered(t->group)->scalars.limbs, i, plan.top_window_balancing, 0);
            const int32_t m2 =
                glv_balance(limbs, registered(t->group)->scalars.limbs, i, plan.top_window_balancing, 1);
            assert_true(m1 >= -most && m1 <= most && m2 >= -most && m2 <= most);
        }
    }
    /* There is no GLV if scalars are short, if points lie outside the subgroup, or if the bases have no images. */
    assert_int_equal(plan_with_glv(&with_glv, t, 8, t->info->scalar_bits - 1, 0).glv_terms, 1);
    assert_int_equal(plan_with_glv(&with_glv, t, 8, 0, 1).glv_terms, 1);
    assert_int_equal(plan_on(&with_glv, t, 8, 0, 0).glv_terms, 1);
}

static const test_entry entries[] = {
    {"intervals", test_intervals, TEST_EVERY_AND_TINY},
    {"balanced scalars", test_balancing, TEST_EVERY_AND_TINY},
    {"interval of an index", TEST_ONCE(test_interval_of_index)},
    {"top digit", test_top_digit, TEST_EVERY_GROUP},
    {"plans", test_plans, TEST_EVERY_AND_TINY},
    {"limits", test_limits, TEST_EVERY_GROUP},
    {"passes within a limit", test_passes, TEST_SOME_GROUPS},
    {"halves of scalars", test_glv, TEST_EVERY_AND_TINY},
};
TEST_MAIN("recode", entries)
