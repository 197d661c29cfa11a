/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file collects a group's functions in one variant into its table. */
#ifdef SUMAC_VARIANT_AVX512
#include "lanes/recode.h"
#endif
#include "cpu/costs.h"
#include "cpu/stages.h"
#include "math/point.h"
#include "vector/vector.h"

static const stage_kind *const kinds[] = {
    &SUMAC_SYMBOL(accumulate_batched_affine),
    &SUMAC_NON_MSM_SYMBOL(accumulate_straus),
    &SUMAC_SYMBOL(reduce_halving),
    &SUMAC_SYMBOL(reduce_none),
    &SUMAC_NON_MSM_SYMBOL(reduce_sums),
    &SUMAC_NON_MSM_SYMBOL(combine_horner),
    NULL,
};

const group_code SUMAC_SYMBOL(code) = {
    .variant = SUMAC_VARIANT_NAME,
    .affine_bytes = sizeof(affine),
    .xyzz_bytes = sizeof(xyzz),
#ifdef SUMAC_VARIANT_AVX512
    .recode = sumac_avx512_recode,
#endif
    .convert = &SUMAC_NON_MSM_SYMBOL(convert),
    .points = &SUMAC_NON_MSM_SYMBOL(points),
    .scalar_vectors = &SUMAC_SCALARS_SYMBOL(scalar_vectors),
#if CURVE_HAS_PAIRING
    .pairing = &SUMAC_NON_MSM_SYMBOL(pairing),
#endif
#if CURVE_HAS_MAP
    .map = SUMAC_NON_MSM_SYMBOL(map),
#endif
    .point_vectors = &SUMAC_NON_MSM_SYMBOL(point_vectors),
    .combine = SUMAC_NON_MSM_SYMBOL(combine),
    .kinds = kinds,
    .plan_kinds = SUMAC_SCALAR_CODE_SYMBOL(plan_kinds),
    .costs = &costs_of_variants[COSTS_VARIANT],
};
