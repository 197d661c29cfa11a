/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Spread scalars against GMP, for every window: the intervals that a plan counts, the integer that a scalar
 * becomes in each of them, and its digits. Then how evenly the top digits are spread, and for which calls a
 * plan spreads them at all. Digits in radices that are no powers of two: what they add up to, how many are
 * needed, and which radix a plan takes.
 */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "cpu/engine.h"
#include "math/recode.h"
#include "math/scalar.h"
#include "pipeline/plan.h"
#include "support/harness.h"

static uint32_t windows_of(const test_curve *t, uint32_t c)
{
    return (t->curve->scalars.bits + c - 1) / c;
}

static uint32_t intervals_of(const test_curve *t, uint32_t c)
{
    return plan_intervals(&t->curve->scalars, windows_of(t, c), c);
}

static void to_limbs(uint64_t *limbs, const mpz_t value)
{
    memset(limbs, 0, (SCALAR_MAX_LIMBS + 1) * sizeof *limbs);
    mpz_export(limbs, NULL, -1, sizeof *limbs, 0, 0, value);
}

static void test_intervals(void **state)
{
    const test_curve *t = *state;
    mpz_t expected;
    mpz_init(expected);
    for (uint32_t c = 1; c <= PLAN_MAX_C; c++) {
        mpz_set_ui(expected, 0);
        mpz_setbit(expected, (mp_bitcnt_t)windows_of(t, c) * c);
        mpz_fdiv_q(expected, expected, t->oracle.r);
        assert_int_equal(mpz_cmp_ui(expected, intervals_of(t, c)), 0);
    }
    mpz_clear(expected);
}

/* The integer for k <= r/2 in an interval: in [interval*r/2, (interval + 1)*r/2), k or -k modulo r, and the
 * sum of its digits. */
static void check_spread(const test_curve *t, const mpz_t k, uint32_t c, uint32_t interval)
{
    const scalar_field *field = &t->curve->scalars;
    const uint32_t windows = windows_of(t, c);
    uint64_t limbs[SCALAR_MAX_LIMBS + 1];
    mpz_t v, sum, digit;
    mpz_inits(v, sum, digit, NULL);
    to_limbs(limbs, k);
    limbs[field->limbs] = recode_spread(limbs, field->modulus, field->limbs, interval);
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
    mpz_clears(v, sum, digit, NULL);
}

/* Kind `kind` of scalar up to r/2: the ends, and where a limb ends. */
static void folded_scalar(test_curve *t, mpz_t k, unsigned kind)
{
    mpz_t half;
    mpz_init(half);
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
    mpz_clear(half);
}

static void test_spread(void **state)
{
    test_curve *t = *state;
    mpz_t k;
    mpz_init(k);
    for (uint32_t c = 1; c <= PLAN_MAX_C; c++) {
        const uint32_t intervals = intervals_of(t, c);
        for (unsigned kind = 0; kind < 16; kind++) {
            folded_scalar(t, k, kind);
            for (uint32_t interval = 0; interval < intervals; interval += 1 + interval / 2) {
                check_spread(t, k, c, interval);
            }
            check_spread(t, k, c, intervals - 1);
        }
    }
    mpz_clear(k);
}

/* Small scalars stay as they are, and the indices' intervals are in the range, each about as often as the
 * next: much closer than chance, as multiples of the golden section are. */
static void test_interval_of_index(void **state)
{
    (void)state;
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

/* Uniform scalars: no value of the top digit is met much more often than if all of them were equally likely,
 * which is what makes buckets even. */
static void test_top_digit(void **state)
{
    test_curve *t = *state;
    enum { N = 20000 };
    const scalar_field *field = &t->curve->scalars;
    if (t->info->scalar_bits % 64 > 0 && t->info->scalar_bits % 64 < 16) {
        skip(); /* many scalars have no top limb, and those are not spread */
    }
    uint64_t limbs[SCALAR_MAX_LIMBS + 1];
    mpz_t k;
    mpz_init(k);
    for (uint32_t c = 4; c <= 8; c++) {
        const uint32_t spread = intervals_of(t, c), values = (uint32_t)1 << (c - 1);
        uint32_t counts[257] = {0}, most = 0;
        for (uint64_t i = 0; i < N; i++) {
            folded_scalar(t, k, 16);
            to_limbs(limbs, k);
            const uint32_t interval = recode_interval(limbs, field->limbs, i, spread);
            limbs[field->limbs] = recode_spread(limbs, field->modulus, field->limbs, interval);
            counts[recode_signed_digit(limbs, field->limbs + 1, windows_of(t, c) - 1, c, 0) >> 1]++;
        }
        for (uint32_t digit = 0; digit <= values; digit++) {
            most = counts[digit] > most ? counts[digit] : most;
        }
        const double mean = (double)N / values * (spread + 1) / spread;
        assert_true(most < mean * 1.5 && most > mean * 0.5);
    }
    mpz_clear(k);
}

/* ---- radices that are no powers of two ---- */

/* The radix of c bits with that odd part. */
static uint32_t odd_radix(uint32_t odd, uint32_t c)
{
    while (odd >> (c - 1) == 0) {
        odd *= 2;
    }
    return odd;
}

/* What so many digits hold at most: q/2 in each of them. */
static void largest_held(mpz_t largest, uint32_t radix, uint32_t digits)
{
    mpz_set_ui(largest, 0);
    for (uint32_t i = 0; i < digits; i++) {
        mpz_mul_ui(largest, largest, radix);
        mpz_add_ui(largest, largest, radix / 2);
    }
}

static uint32_t odd_windows(const test_curve *t, uint32_t odd, uint32_t c, uint32_t scalar_bits)
{
    const plan_request request = {.curve = t->curve, .scalar_bits = scalar_bits, .radix_odd = odd};
    return plan_windows(&request, c, odd);
}

/* The digits are from 1 - q/2 to q/2 and add up to k. */
static void check_odd_digits(const test_curve *t, const mpz_t k, const recode_radix *radix, uint32_t odd,
                             uint32_t c)
{
    const uint32_t limbs = t->curve->scalars.limbs, q = odd_radix(odd, c);
    uint64_t k_limbs[SCALAR_MAX_LIMBS + 1];
    uint32_t words[RECODE_RADIX_WORDS(SCALAR_MAX_LIMBS)];
    mpz_t sum, power;
    mpz_init_set_ui(sum, 0);
    mpz_init_set_ui(power, 1);
    to_limbs(k_limbs, k);
    recode_radix_begin(words, k_limbs, limbs, radix);
    for (uint32_t w = 0; w < radix->windows; w++) {
        const uint32_t counts_negative = w % 2; /* the other sign, for half of them */
        const uint32_t code = recode_radix_digit(words, limbs, w, radix, counts_negative);
        const int negative = code != 0 && ((code ^ counts_negative) & 1) != 0;
        assert_true(code != 1 && code >> 1 <= q / 2 - (negative ? 1 : 0));
        if (negative) {
            mpz_submul_ui(sum, power, code >> 1);
        } else {
            mpz_addmul_ui(sum, power, code >> 1);
        }
        mpz_mul_ui(power, power, q);
    }
    assert_int_equal(mpz_cmp(sum, k), 0);
    mpz_clears(sum, power, NULL);
}

static void check_odd_radix(test_curve *t, uint32_t odd, uint32_t c, uint32_t scalar_bits)
{
    const uint32_t limbs = t->curve->scalars.limbs, q = odd_radix(odd, c);
    const uint32_t windows = odd_windows(t, odd, c, scalar_bits);
    const recode_radix radix = recode_radix_of(odd, c, windows, limbs);
    mpz_t k, most, held;
    mpz_inits(k, most, held, NULL);
    mpz_fdiv_q_2exp(most, t->oracle.r, 1);
    mpz_setbit(k, scalar_bits == 0 ? t->info->scalar_bits : scalar_bits);
    mpz_sub_ui(k, k, 1);
    if (mpz_cmp(k, most) < 0) {
        mpz_set(most, k);
    }
    assert_int_equal(radix_of(odd, c), q);
    largest_held(held, q, windows - 1);
    assert_true(windows == 1 || mpz_cmp(held, most) < 0);
    largest_held(held, q, windows);
    assert_true(mpz_cmp(held, most) >= 0);
    if (mpz_sizeinbase(held, 2) <= (size_t)64 * limbs) {
        check_odd_digits(t, held, &radix, odd, c); /* the most that they hold */
    }
    const uint32_t near_sign = q / 2 - 1; /* where a digit becomes negative */
    const uint32_t ends[] = {0, 1, 2, near_sign, near_sign + 1, near_sign + 2, q - 1, q};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        mpz_set_ui(k, ends[i]);
        if (mpz_cmp(k, most) <= 0) {
            check_odd_digits(t, k, &radix, odd, c);
            mpz_sub(k, most, k);
            check_odd_digits(t, k, &radix, odd, c);
        }
    }
    for (uint32_t i = 0; i < 20; i++) {
        mpz_add_ui(held, most, 1);
        mpz_urandomm(k, t->random, held);
        check_odd_digits(t, k, &radix, odd, c);
    }
    mpz_clears(k, most, held, NULL);
}

static void test_odd_radix_digits(void **state)
{
    test_curve *t = *state;
    for (uint32_t odd = 3; odd <= RADIX_MAX_ODD; odd += 2) {
        for (uint32_t c = 3; c <= PLAN_MAX_C; c++) {
            if (radix_is_valid(odd, c)) {
                check_odd_radix(t, odd, c, 0);
                check_odd_radix(t, odd, c, 1 + (odd * c) % t->info->scalar_bits);
                check_odd_radix(t, odd, c, t->info->scalar_bits - 1);
            } else {
                assert_true(odd >> c != 0 || odd >> (c - 1) != 0);
            }
        }
    }
    assert_false(radix_is_valid(1, 5) || radix_is_valid(6, 5) || radix_is_valid(33, 7) ||
                 radix_is_valid(3, 2));
}

/* ---- plans for a device that is not there ---- */

static uint64_t no_scratch(const sumac_curve *curve, const curve_code *code, const msm_plan *plan)
{
    (void)curve;
    (void)code;
    (void)plan;
    return 0;
}

static uint32_t one_part(const msm_plan *plan)
{
    (void)plan;
    return 1;
}

static const char *counting(const msm_plan *plan)
{
    (void)plan;
    return "counting";
}

static void one_portion(const sumac_curve *curve, msm_plan *plan, uint32_t wanted)
{
    (void)curve;
    (void)wanted;
    plan->portions = 1;
}

static uint64_t nothing_pinned(const msm_plan *plan)
{
    (void)plan;
    return 0;
}

static double prefer_spread(const sumac_curve *curve, const msm_plan *plan)
{
    (void)curve;
    return plan->spread > 1 ? 1 : 2;
}

static double prefer_plain(const sumac_curve *curve, const msm_plan *plan)
{
    return 3 - prefer_spread(curve, plan);
}

static msm_plan plan_on(const backend *b, const test_curve *t, uint32_t c, uint32_t scalar_bits,
                        int outside_subgroup)
{
    msm_plan plan;
    uint64_t missing;
    const plan_request request = {
        .curve = t->curve,
        .code = t->curve->variants[0],
        .backend = b,
        .n = 1000,
        .bases_count = 1000,
        .batch = 1,
        .c = c,
        .scalar_bits = scalar_bits,
        .precompute_factor = 1,
        .threads = 1,
        .outside_subgroup = outside_subgroup,
    };
    assert_int_equal(plan_make(&request, &plan, &missing), SUMAC_OK);
    return plan;
}

static void check_plan(const msm_plan *plan, uint32_t spread, const char *recode)
{
    assert_int_equal(plan->spread, spread);
    assert_string_equal(plan->recode, recode);
}

static void test_plans(void **state)
{
    test_curve *t = *state;
    device_ops device = {
        .choose_portions = one_portion,
        .pinned_bytes = nothing_pinned,
        .sort_kind = counting,
        .module_parts = one_part,
        .predict = prefer_spread,
    };
    const backend with_device = {.scratch_bytes = no_scratch, .device = &device};
    const uint32_t bits = t->info->scalar_bits;
    for (uint32_t c = 1; c <= PLAN_MAX_C; c++) {
        const uint32_t intervals = intervals_of(t, c);
        device.predict = prefer_spread;
        msm_plan plan = plan_on(&with_device, t, c, 0, 0);
        check_plan(&plan, intervals, intervals > 1 ? "signed-spread" : "signed-negated");
        plan = plan_on(&with_device, t, c, 0, 1);
        check_plan(&plan, 1, "signed");
        plan = plan_on(&with_device, t, c, bits - 1, 0);
        check_plan(&plan, 1, "signed");
        device.predict = prefer_plain;
        plan = plan_on(&with_device, t, c, 0, 0);
        check_plan(&plan, 1, "signed-negated");
        plan = plan_on(&cpu_backend, t, c, 0, 0);
        check_plan(&plan, 1, "signed-negated");
    }
}

static uint32_t wanted_windows;

/* Odd radices only, and of them the one with so many windows. */
static double prefer_windows(const sumac_curve *curve, const msm_plan *plan)
{
    (void)curve;
    const uint32_t w = plan->windows;
    return plan->radix_odd == 1 ? 1000 : w < wanted_windows ? wanted_windows - w : w - wanted_windows;
}

/* No smaller odd radix does with so many windows. */
static void check_least_radix(const test_curve *t, const msm_plan *plan)
{
    mpz_t held, half;
    mpz_inits(held, half, NULL);
    mpz_fdiv_q_2exp(half, t->oracle.r, 1);
    const uint32_t radix = odd_radix(plan->radix_odd, plan->c);
    largest_held(held, radix, plan->windows);
    assert_true(mpz_cmp(held, half) >= 0);
    for (uint32_t odd = 3; odd <= 31; odd += 2) {
        for (uint32_t c = 18; c <= 24; c++) {
            largest_held(held, odd_radix(odd, c), plan->windows);
            assert_true(odd_radix(odd, c) >= radix || mpz_cmp(held, half) < 0);
        }
    }
    assert_int_equal(plan->buckets, radix / 2);
    assert_int_equal(plan->modules, 1);
    assert_int_equal(plan->precompute_factor, plan->windows);
    assert_int_equal(plan->spread, 1);
    assert_string_equal(plan->recode, "signed-odd-radix");
    mpz_clears(held, half, NULL);
}

static void test_radix_of_plan(void **state)
{
    test_curve *t = *state;
    const device_ops device = {
        .choose_portions = one_portion,
        .pinned_bytes = nothing_pinned,
        .sort_kind = counting,
        .module_parts = one_part,
        .predict = prefer_windows,
    };
    const backend with_device = {.scratch_bytes = no_scratch, .device = &device};
    const plan_request all = {
        .curve = t->curve,
        .code = t->curve->variants[0],
        .backend = &with_device,
        .n = 1 << 16, /* so that the workspace may hold the buckets */
        .bases_count = 1 << 16,
        .batch = 1,
        .precompute_factor = t->info->scalar_bits,
        .threads = 1,
    };
    msm_plan plan;
    uint64_t missing;
    const uint32_t most = t->info->scalar_bits / 23;
    uint32_t fewest = 0; /* in the largest odd radix */
    mpz_t held, half;
    mpz_inits(held, half, NULL);
    mpz_fdiv_q_2exp(half, t->oracle.r, 1);
    do {
        largest_held(held, odd_radix(31, 24), ++fewest);
    } while (mpz_cmp(held, half) < 0);
    mpz_clears(held, half, NULL);
    for (wanted_windows = fewest; wanted_windows <= most; wanted_windows++) {
        assert_int_equal(plan_make(&all, &plan, &missing), SUMAC_OK);
        assert_int_equal(plan.windows, wanted_windows);
        check_least_radix(t, &plan);
        if (strcmp(t->info->name, "bls12-381") == 0 && wanted_windows == 11) {
            assert_true(plan.radix_odd == 9 && plan.c == 24);
        }
        /* Multiples that exist have the radix that they have. */
        plan_request made = all;
        msm_plan again;
        made.c = plan.c;
        made.windows = made.precompute_factor = plan.windows;
        made.radix_odd = plan.radix_odd;
        assert_int_equal(plan_make(&made, &again, &missing), SUMAC_OK);
        assert_memory_equal(&again, &plan, sizeof plan);
        made.scalar_bits = t->info->scalar_bits - 1;
        assert_int_equal(plan_make(&made, &again, &missing), SUMAC_OK);
        assert_true(again.windows <= plan.windows && again.negate_large_scalars);
        made.backend = &cpu_backend;
        assert_int_equal(plan_make(&made, &again, &missing), SUMAC_OK);
        assert_int_equal(again.radix_odd, plan.radix_odd);
        assert_int_equal(again.buckets, (uint64_t)1 << (plan.c - 1));
    }
    /* Where there is none to choose. */
    plan_request others[6] = {all, all, all, all, all, all};
    others[0].outside_subgroup = 1;
    others[1].scalar_bits = t->info->scalar_bits - 1;
    others[2].c = 24;
    others[3].precompute_factor = fewest - 1;
    others[4].backend = &cpu_backend;
    others[5].reduction = SUMAC_REDUCTION_RUNNING_SUM;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(plan_make(&others[i], &plan, &missing), SUMAC_OK);
        assert_int_equal(plan.radix_odd, 1);
        assert_int_equal(plan.buckets, (uint64_t)1 << (plan.c - 1));
    }
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"intervals", test_intervals, TEST_EVERY_AND_TINY},
        {"spread scalars", test_spread, TEST_EVERY_AND_TINY},
        {"interval of an index", test_interval_of_index, TEST_ONCE},
        {"top digit", test_top_digit, TEST_EVERY_CURVE},
        {"plans", test_plans, TEST_EVERY_AND_TINY},
        {"digits in odd radices", test_odd_radix_digits, TEST_EVERY_AND_TINY},
        {"radix of a plan", test_radix_of_plan, TEST_EVERY_CURVE},
    };
    return test_main("recode", entries, sizeof entries / sizeof *entries, argc, argv);
}
