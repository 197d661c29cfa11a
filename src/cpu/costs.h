/*
 * What the stages cost on this engine, for the planner: nanoseconds on one thread, in the order of struct
 * stage_costs: recode, sort, affine addition, inversion, XYZZ addition, doubling.
 *
 * Measured by bench/bench_costs.c (`cmake --build build --target bench_costs`; then
 * build/bench/bench_costs_CURVE_VARIANT) on one core of an Intel Xeon of 2023 (family 6, model 207, 2.3 GHz
 * nominal; gcc 12.2, -O3) on 2026-11-21, the curve that is named for all of its size: several runs, of
 * which the slower ones were 10 to 20% slower throughout. Those of bls24-315 and bw6-633 were measured as
 * processor time while others used the machine, the least of four runs, and divided by what bls12-381 took
 * in the same minutes over its row here (1.16 for scalar code, 1.27 for lanes).
 */
#ifndef SUMAC_CPU_COSTS_H
#define SUMAC_CPU_COSTS_H

#include "math/curve.h"
#include "pipeline/backend.h"

static const stage_costs costs_of_variants[] = {
#if FP_LIMBS <= 4 && FE_DEGREE == 1    /* bn254 g1 */
    {6.4, 2.4, 172, 1250, 300, 215},   /* portable */
    {6.2, 2.4, 122, 1180, 193, 145},   /* adx */
    {0.6, 2.4, 23, 3500, 190, 145}     /* avx512 */
#elif FP_LIMBS <= 4                    /* bn254 g2 */
    {6.4, 2.4, 440, 1400, 790, 460}, /* portable */
    {6.2, 2.4, 340, 1180, 590, 365}, /* adx */
    {0.6, 2.4, 51, 6000, 580, 350}   /* avx512 */
#elif FP_LIMBS <= 5 && FE_DEGREE == 1  /* bls24-315 g1 */
    {5.5, 2.4, 260, 1500, 430, 300}, /* portable */
    {5.5, 2.4, 173, 1500, 272, 204}, /* adx */
    {0.6, 2.4, 39, 5000, 268, 197}   /* avx512 */
#elif FP_LIMBS <= 6 && FE_DEGREE == 1  /* bls12-381 g1 */
    {6.4, 2.3, 332, 1950, 700, 400}, /* portable */
    {5.8, 2.3, 232, 1850, 390, 270}, /* adx */
    {0.6, 2.3, 48, 6000, 380, 265}   /* avx512 */
#elif FP_LIMBS <= 6                    /* bls12-381 g2 */
    {6.4, 2.3, 1050, 2000, 2050, 1140}, /* portable */
    {6.2, 2.3, 620, 1900, 1090, 645},   /* adx */
    {0.7, 2.1, 113, 11000, 1090, 645}   /* avx512 */
#elif FP_LIMBS <= 10 && FE_DEGREE == 1 /* bw6-633 g1 */
    {5.0, 2.2, 1050, 4200, 1940, 1230}, /* portable */
    {5.0, 2.2, 590, 3800, 1010, 640},   /* adx */
    {0.9, 2.2, 108, 12500, 1010, 640}   /* avx512 */
#else                                  /* bw6-761 g1 */
    {6.0, 2.2, 1500, 5200, 2900, 1900}, /* portable */
    {6.0, 2.2, 790, 4600, 1420, 890},   /* adx */
    {6.0, 2.2, 135, 20000, 1360, 840}   /* avx512 */
#endif
};

#if defined(SUMAC_VARIANT_AVX512)
enum { COSTS_VARIANT = 2 };
#elif defined(SUMAC_VARIANT_ADX)
enum { COSTS_VARIANT = 1 };
#else
enum { COSTS_VARIANT = 0 };
#endif

#endif
