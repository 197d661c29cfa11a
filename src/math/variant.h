/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names the code of a variant: the same source compiled with other multiplications. */
#ifndef SUMAC_MATH_VARIANT_H
#define SUMAC_MATH_VARIANT_H

#include "portable.h"

#ifdef __CUDACC__
#define SUMAC_VARIANT cuda
#define SUMAC_VARIANT_NAME "cuda"
#elif defined(SUMAC_VARIANT_AVX512)
#define SUMAC_VARIANT avx512
#define SUMAC_VARIANT_NAME "avx512"
#elif defined(SUMAC_VARIANT_ADX)
#define SUMAC_VARIANT adx
#define SUMAC_VARIANT_NAME "adx"
#else
#define SUMAC_VARIANT portable
#define SUMAC_VARIANT_NAME "portable"
#endif

#define SUMAC_SYMBOL_OF(name, id)                                                                            \
    SUMAC_CONCAT(SUMAC_CONCAT(SUMAC_CONCAT(sumac_, name), SUMAC_CONCAT(_, id)),                              \
                 SUMAC_CONCAT(_, SUMAC_VARIANT))

/* SUMAC_SYMBOL(code) is, say, sumac_code_bls12_381_g1_adx. */
#define SUMAC_SYMBOL(name) SUMAC_SYMBOL_OF(name, CURVE_ID)

/* Of code that has no lanes, which avx512 shares with adx: sumac_reduce_sums_bls12_381_g1_adx in both. */
#ifdef SUMAC_VARIANT_AVX512
#define SUMAC_ONE_BY_ONE_SYMBOL(name)                                                                        \
    SUMAC_CONCAT(SUMAC_CONCAT(SUMAC_CONCAT(sumac_, name), SUMAC_CONCAT(_, CURVE_ID)), _adx)
#else
#define SUMAC_ONE_BY_ONE_SYMBOL(name) SUMAC_SYMBOL(name)
#endif

/* Of code over the scalar field, which the groups of a curve share: sumac_scalar_vectors_bls12_381_adx. */
#define SUMAC_SCALARS_SYMBOL(name) SUMAC_SYMBOL_OF(name, FR_ID)

#endif
