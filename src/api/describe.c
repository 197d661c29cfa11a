/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines a group's entry in the registry and is compiled once for each group. CMake generates the registry from
 * the list of src/curves/generated.
 */
#include "math/portable.h"
#include SUMAC_CURVE_HEADER
#include "curves/group_code.h"

#define GROUP_CODE(variant) SUMAC_CONCAT(SUMAC_CONCAT(sumac_code_, CURVE_ID), SUMAC_CONCAT(_, variant))
#define GROUP_ENTRY SUMAC_CONCAT(sumac_group_, CURVE_ID)

extern const group_code GROUP_CODE(portable);
#ifdef SUMAC_HAVE_AVX512
extern const group_code GROUP_CODE(avx512);
#endif
#ifdef SUMAC_HAVE_AVX2
extern const group_code GROUP_CODE(avx2);
#endif
#ifdef SUMAC_HAVE_ADX
extern const group_code GROUP_CODE(adx);
#endif
extern const registered_group GROUP_ENTRY;

static const uint64_t modulus[FP_LIMBS] = FP_MODULUS;
static const uint64_t order[FR_LIMBS] = FR_MODULUS;
static const uint64_t order_one[FR_LIMBS] = FR_ONE;
static const uint64_t order_r2[FR_LIMBS] = FR_R2;

#if CURVE_HAS_GLV
static const glv_lattice split = {
    .limbs = FR_LIMBS / 2 + 1,
    .bound = CURVE_SPLIT_BOUND,
    .basis = CURVE_SPLIT_BASIS,
    .quotients = CURVE_SPLIT_QUOTIENTS,
    .negative = CURVE_SPLIT_NEGATIVE,
};
#define CURVE_SPLIT &split
#else
#define CURVE_SPLIT NULL
#endif

static const group_code *const variants[] = {
#ifdef SUMAC_HAVE_AVX512
    &GROUP_CODE(avx512),
#endif
#ifdef SUMAC_HAVE_AVX2
    &GROUP_CODE(avx2),
#endif
#ifdef SUMAC_HAVE_ADX
    &GROUP_CODE(adx),
#endif
    &GROUP_CODE(portable), NULL,
};

const registered_group GROUP_ENTRY = {
    .group =
        {
            .size = sizeof(sumac_group),
            .curve = CURVE_NAME,
            .name = CURVE_GROUP,
            .field_bits = FP_BITS,
            .field_bytes = 8 * FP_LIMBS,
            .degree = FE_DEGREE,
            .scalar_bits = FR_BITS,
            .scalar_bytes = 8 * FR_LIMBS,
            .point_bytes = 2 * FE_DEGREE * 8 * FP_LIMBS,
            .modulus = modulus,
            .order = order,
            .cofactor_is_one = CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_TRIVIAL,
        },
    .scalars = {FR_LIMBS, FR_BITS, order, FR_INV, order_one, order_r2, CURVE_SPLIT},
    .for_tests = CURVE_FOR_TESTS,
    .variants = variants,
};
