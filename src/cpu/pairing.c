/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file implements pairing_ops of curves/group_code.h in the code of a curve's second group. */
#include "cpu/stages.h"

#if CURVE_HAS_PAIRING

#include "math/pairing.h"

#ifdef SUMAC_VARIANT_AVX512
#include "lanes/pairing.h"
#endif

#ifdef SUMAC_PAIRING_LANES
typedef pairing_lanes_scratch miller_scratch;
#define MILLER_LOOPS pairing_lanes_miller_loops
#define HARD_PART pairing_lanes_hard_part
#else
typedef pairing_scratch miller_scratch;
#define MILLER_LOOPS pairing_miller_loops
#define HARD_PART pairing_hard_part
#endif

static size_t pairing_lines_bytes(void)
{
    pairing_step steps[PAIRING_MOST_STEPS];
    return (size_t)pairing_steps(steps) * sizeof(pairing_slope);
}

static void pairing_make_lines(void *lines, const void *g2_point)
{
    pairing_prepare(lines, g2_point);
}

static void pairing_miller(void *value, const pairing_factors *factors, void *scratch)
{
    const pairing_pairs pairs = {.p = factors->g1_points,
                                 .q = factors->g2_points,
                                 .lines = factors->lines,
                                 .prepared = factors->prepared,
                                 .n = factors->n};
    MILLER_LOOPS(value, &pairs, scratch);
}

static void pairing_multiply(void *value, const void *factor)
{
    fp12_mul(value, value, factor);
}

static void pairing_exponentiate(void *value)
{
    fp12 power;
    pairing_easy_part(&power, value);
    HARD_PART(value, &power);
}

static int pairing_is_one(const void *value)
{
    fp12 one;
    fp12_set_one(&one);
    return fp12_eq(value, &one);
}

static void pairing_export(uint8_t *bytes, const void *value)
{
    const fp *coefficients = value;
    for (size_t i = 0; i < sizeof(fp12) / sizeof(fp); i++) {
        fp integer;
        fp_from_mont(&integer, &coefficients[i]);
        for (int j = 0; j < 8 * FP_LIMBS; j++) {
            *bytes++ = (uint8_t)(integer.l[j / 8] >> (8 * (j % 8)));
        }
    }
}

const pairing_ops SUMAC_SYMBOL(pairing) = {
    .value_bytes = sizeof(fp12),
    .block = PAIRING_BLOCK,
    .scratch_bytes = sizeof(miller_scratch),
    .lines_bytes = pairing_lines_bytes,
    .make_lines = pairing_make_lines,
    .miller = pairing_miller,
    .multiply = pairing_multiply,
    .exponentiate = pairing_exponentiate,
    .is_one = pairing_is_one,
    .export_value = pairing_export,
};

#endif
