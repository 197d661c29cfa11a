/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The pairing of a curve, in the code of its second group: pairing_ops of pipeline/backend.h. */
#include "cpu/stages.h"

#if CURVE_HAS_PAIRING

#include "math/pairing.h"

#ifdef SUMAC_VARIANT_AVX512
#include "avx512/pairing_lanes.h"
#endif

#ifdef SUMAC_PAIRING_LANES
#define MILLER_LOOPS pairing_lanes_miller_loops
#define HARD_PART pairing_lanes_hard_part
#else
#define MILLER_LOOPS pairing_miller_loops
#define HARD_PART pairing_hard_part
#endif

static void pairing_miller(void *value, const void *g1_points, const void *g2_points, size_t n)
{
    const pairing_g1 *p = g1_points;
    const affine *q = g2_points;
    MILLER_LOOPS(value, p, q, n < PAIRING_BLOCK ? n : PAIRING_BLOCK);
    for (size_t done = PAIRING_BLOCK; done < n; done += PAIRING_BLOCK) {
        fp12 block;
        MILLER_LOOPS(&block, p + done, q + done, n - done < PAIRING_BLOCK ? n - done : PAIRING_BLOCK);
        fp12_mul(value, value, &block);
    }
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

const pairing_ops SUMAC_SYMBOL(pairing) = {
    .value_bytes = sizeof(fp12),
    .block = PAIRING_BLOCK,
    .miller = pairing_miller,
    .multiply = pairing_multiply,
    .exponentiate = pairing_exponentiate,
    .is_one = pairing_is_one,
};

#endif
