/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The planner uses these costs of the stages on this engine, in nanoseconds on one thread, in the order of struct
 * stage_costs: recode, sort, affine addition, inversion, list, XYZZ addition, doubling, combine one by one and in lanes.
 *
 * They were measured by bench/bench_costs.c (`cmake --build build --target bench_costs`; then
 * build/bench/bench_costs_CURVE_VARIANT) on one core of an Intel Xeon of 2023 (family 6, model 207, 2.3 GHz nominal; gcc
 * 12.2, -O3) on 2026-11-21. The named curve stands for all of its size. There were several runs, of which the slower
 * ones were 10 to 20% slower throughout. The list and combine costs of bn254 g1 and bls12-381 g1 were measured on a
 * shared machine, and are scaled by the times of additions and doublings in the same run; those of other curves are in
 * proportion to their products. The avx2 variant is not built for more than six limbs; its costs are adx's, times the
 * ratio of lanes to scalar code, run in turns on a busy AMD EPYC (Zen 3), in processor time, the least of 40 runs,
 * 2026-11-25. The costs of bls24-315 and bw6-633 are processor times on a shared machine, the least of four runs,
 * divided by the ratio of bls12-381's times in the same minutes to its row here (1.16 for scalar code, 1.27 for lanes).
 */
#ifndef SUMAC_CPU_COSTS_H
#define SUMAC_CPU_COSTS_H

#include "math/curve.h"
#include "curves/group_code.h"

static const stage_costs costs_of_variants[] = {
#if FP_LIMBS <= 4 && FE_DEGREE == 1              /* bn254 g1 */
    {6.4, 2.4, 172, 1250, 15, 300, 215, 475, 0}, /* portable */
    {6.2, 2.4, 122, 1180, 15, 193, 145, 320, 0}, /* adx */
    {6.2, 2.4, 77, 6800, 29, 193, 145, 320, 0},  /* avx2 */
    {0.6, 2.4, 23, 3500, 19, 190, 145, 320, 55}  /* avx512 */
#elif FP_LIMBS <= 4                              /* bn254 g2 */
    {6.4, 2.4, 440, 1400, 20, 790, 460, 1020, 0}, /* portable */
    {6.2, 2.4, 340, 1180, 20, 590, 365, 800, 0},  /* adx */
    {6.2, 2.4, 214, 14800, 45, 590, 365, 800, 0}, /* avx2 */
    {0.6, 2.4, 51, 6000, 30, 580, 350, 770, 190}  /* avx512 */
#elif FP_LIMBS <= 5 && FE_DEGREE == 1            /* bls24-315 g1 */
    {5.5, 2.4, 260, 1500, 17, 430, 300, 690, 0},  /* portable */
    {5.5, 2.4, 173, 1500, 17, 272, 204, 470, 0},  /* adx */
    {5.5, 2.4, 130, 10800, 35, 272, 204, 470, 0}, /* avx2 */
    {0.6, 2.4, 39, 5000, 20, 268, 197, 455, 105}  /* avx512 */
#elif FP_LIMBS <= 6 && FE_DEGREE == 1            /* bls12-381 g1 */
    {6.4, 2.3, 332, 1950, 20, 700, 400, 930, 0},  /* portable */
    {5.8, 2.3, 232, 1850, 20, 390, 270, 630, 0},  /* adx */
    {5.8, 2.3, 160, 12700, 45, 390, 270, 630, 0}, /* avx2 */
    {0.6, 2.3, 48, 6000, 22, 380, 265, 620, 130}  /* avx512 */
#elif FP_LIMBS <= 6                              /* bls12-381 g2 */
    {6.4, 2.3, 1050, 2000, 30, 2050, 1140, 2850, 0}, /* portable */
    {6.2, 2.3, 620, 1900, 30, 1090, 645, 1615, 0},   /* adx */
    {6.2, 2.3, 396, 27000, 70, 1090, 645, 1615, 0},  /* avx2 */
    {0.7, 2.1, 113, 11000, 42, 1090, 645, 1615, 430} /* avx512 */
#elif FP_LIMBS <= 10 && FE_DEGREE == 1           /* bw6-633 g1 */
    {5.0, 2.2, 1050, 4200, 30, 1940, 1230, 2830, 0}, /* portable */
    {5.0, 2.2, 590, 3800, 30, 1010, 640, 1490, 0},   /* adx */
    {5.0, 2.2, 528, 38700, 65, 1010, 640, 1490, 0},  /* avx2 */
    {0.9, 2.2, 108, 12500, 45, 1010, 640, 1490, 350} /* avx512 */
#else                                            /* bw6-761 g1 */
    {6.0, 2.2, 1500, 5200, 40, 2900, 1900, 4400, 0}, /* portable */
    {6.0, 2.2, 790, 4600, 40, 1420, 890, 2080, 0},   /* adx */
    {6.0, 2.2, 671, 35500, 90, 1420, 890, 2080, 0},  /* avx2 */
    {6.0, 2.2, 135, 20000, 60, 1360, 840, 1965, 440} /* avx512 */
#endif
};

#if defined(SUMAC_VARIANT_AVX512)
enum { COSTS_VARIANT = 3 };
#elif defined(SUMAC_VARIANT_AVX2)
enum { COSTS_VARIANT = 2 };
#elif defined(SUMAC_VARIANT_ADX) || FP_AARCH64 /* whose products are assembly, too */
enum { COSTS_VARIANT = 1 };
#else
enum { COSTS_VARIANT = 0 };
#endif

#endif
