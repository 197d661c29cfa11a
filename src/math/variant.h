/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file gives names to the code of a variant, which is the same source compiled with other multiplications. */
#ifndef SUMAC_MATH_VARIANT_H
#define SUMAC_MATH_VARIANT_H

#include "portable.h"

#ifdef __CUDACC__
#define SUMAC_VARIANT cuda
#define SUMAC_VARIANT_NAME "cuda"
#elif defined(SUMAC_VARIANT_AVX512)
#define SUMAC_VARIANT avx512
#define SUMAC_VARIANT_NAME "avx512"
#elif defined(SUMAC_VARIANT_AVX2)
#define SUMAC_VARIANT avx2
#define SUMAC_VARIANT_NAME "avx2"
#elif defined(SUMAC_VARIANT_ADX)
#define SUMAC_VARIANT adx
#define SUMAC_VARIANT_NAME "adx"
#else
#define SUMAC_VARIANT portable
#define SUMAC_VARIANT_NAME "portable"
#endif

#define SUMAC_SYMBOL_OF(name, id, variant)                                                                   \
    SUMAC_CONCAT(SUMAC_CONCAT(SUMAC_CONCAT(sumac_, name), SUMAC_CONCAT(_, id)), SUMAC_CONCAT(_, variant))

/* SUMAC_SYMBOL(code) is, say, sumac_code_bls12_381_g1_adx. */
#define SUMAC_SYMBOL(name) SUMAC_SYMBOL_OF(name, CURVE_ID, SUMAC_VARIANT)

/* The avx2 variant has lanes for sums of lists of points and for vectors of scalars; avx512 has them for more. Each function
 * is compiled once and has the name of the variant that compiled it:
 *   SUMAC_SYMBOL             code with lanes in both variants
 *   SUMAC_NON_MSM_SYMBOL     code with lanes in avx512 alone: avx2 uses sumac_combine_bls12_381_g1_adx
 *   SUMAC_SCALAR_CODE_SYMBOL code that never has lanes: both use sumac_plan_kinds_bls12_381_g1_adx */
#if defined(SUMAC_VARIANT_AVX512) || defined(SUMAC_VARIANT_AVX2)
#define SUMAC_LISTS_IN_LANES
#define SUMAC_SCALAR_CODE_SYMBOL(name) SUMAC_SYMBOL_OF(name, CURVE_ID, adx)
#else
#define SUMAC_SCALAR_CODE_SYMBOL(name) SUMAC_SYMBOL(name)
#endif
#ifdef SUMAC_VARIANT_AVX2
#define SUMAC_NON_MSM_VARIANT adx
#else
#define SUMAC_NON_MSM_VARIANT SUMAC_VARIANT
#endif
#define SUMAC_NON_MSM_SYMBOL(name) SUMAC_SYMBOL_OF(name, CURVE_ID, SUMAC_NON_MSM_VARIANT)

/* Code over the scalar field, which the groups of a curve share, has such a name, for example
 * sumac_scalar_vectors_bls12_381_adx. */
#define SUMAC_SCALARS_SYMBOL(name) SUMAC_SYMBOL_OF(name, FR_ID, SUMAC_VARIANT)

#endif
