/*
 * What the stages cost on this engine, for the planner: nanoseconds on one thread, in the order of struct stage_costs.
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

#define STAGE_COSTS {4.0, 4.0, 7.0 * COST_E, 2000.0, 15.0 * COST_E, 8.0 * COST_E}

#endif
