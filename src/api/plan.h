/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The planner's plan as callers see it. */
#ifndef SUMAC_API_PLAN_H
#define SUMAC_API_PLAN_H

#include "pipeline/pipeline.h"

/* As much of the caller's plan as its size says, every byte of it, so that like plans are like bytes. */
void plan_for_caller(const msm_plan *made, sumac_plan *plan);

#endif
