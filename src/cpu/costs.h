/*
 * What the stages cost on this engine, for the planner: nanoseconds on one thread, in the order of struct
 * stage_costs.
 */
#ifndef SUMAC_CPU_COSTS_H
#define SUMAC_CPU_COSTS_H

#include "math/curve.h"

#if FP_LIMBS <= 4
#define COST_M 15.0
#elif FP_LIMBS <= 6
#define COST_M 28.0
#else
#define COST_M 110.0
#endif
#if FE_DEGREE == 2
#define COST_E (3.0 * COST_M)
#else
#define COST_E COST_M
#endif

#ifdef SUMAC_VARIANT_AVX512
/* An addition in lanes, in a task of 2^14 (docs/avx512.md); single points are added by the scalar code. An
 * inversion includes bringing sixteen lanes together. */
#if FP_LIMBS <= 4
#define COST_LANES 27.0
#elif FP_LIMBS <= 6
#define COST_LANES 55.0
#else
#define COST_LANES 220.0
#endif
#define STAGE_COSTS                                                                                          \
    {                                                                                                        \
        1.5, 5.0, COST_LANES *(FE_DEGREE == 2 ? 3.3 : 1.0), 4000.0, 15.0 * COST_E, 8.0 * COST_E              \
    }
#else
#define STAGE_COSTS                                                                                          \
    {                                                                                                        \
        4.0, 4.0, 7.0 * COST_E, 2000.0, 15.0 * COST_E, 8.0 * COST_E                                          \
    }
#endif

#endif
