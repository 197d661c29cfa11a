/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A curve's functions in one variant, collected into its table. */
#ifdef SUMAC_VARIANT_AVX512
#include "avx512/recode.h"
#endif
#include "cpu/costs.h"
#include "cpu/stages.h"
#include "cpu/thread_scratch.h"

static const stage_ops stages = {
    .accumulate = SUMAC_SYMBOL(accumulate),
    .reduce = SUMAC_SYMBOL(reduce),
    .combine = SUMAC_SYMBOL(combine),
};

const curve_code SUMAC_SYMBOL(code) = {
    .variant = SUMAC_VARIANT_NAME,
    .affine_bytes = sizeof(affine),
    .xyzz_bytes = sizeof(xyzz),
    .task_bytes = task_sums_bytes,
#ifdef SUMAC_VARIANT_AVX512
    .recode = sumac_avx512_recode,
#endif
    .convert = &SUMAC_SYMBOL(convert),
    .points = &SUMAC_SYMBOL(points),
    .stages = &stages,
    .costs = &costs_of_variants[COSTS_VARIANT],
};
