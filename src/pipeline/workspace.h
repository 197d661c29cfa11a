/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The layout of a call's arrays in the one block that the call allocates. */
#ifndef SUMAC_PIPELINE_WORKSPACE_H
#define SUMAC_PIPELINE_WORKSPACE_H

#include "curves/curve_code.h"
#include "pipeline/kinds.h"

/* Fill the plan's bytes_digits .. bytes_workspace, from everything else in it. */
void workspace_measure(msm_plan *plan, const curve_code *code);

/* Lay out a block of plan->bytes_workspace bytes, 64-byte aligned, for one of plan->in_flight_passes. */
workspace workspace_at(const msm_plan *plan, const curve_code *code, void *memory, uint32_t in_flight_pass);

#endif
