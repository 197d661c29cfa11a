/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A call of sumac_msm() on several devices: which MSMs, and which bases of each, are whose; and their sums.
 */
#ifndef SUMAC_EXECUTOR_SHARED_MSM_H
#define SUMAC_EXECUTOR_SHARED_MSM_H

#include "api/handles.h"

/* The call, of checked arguments. The results are written when all are there. */
sumac_status msm_members_run(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                             const sumac_msm_config *config, void *results);

/* Each member's plans and workspace for it. */
sumac_status msm_members_prepare(sumac_context *context, const sumac_bases *bases, size_t n,
                                 const sumac_msm_config *config);

/* The plan of the member with the largest share, for bases that exist or (shape) are only thought of; and how
 * many members have work, and how often that one goes by its plan. */
sumac_status msm_members_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, msm_plan *plan, uint64_t *devices,
                              uint64_t *calls);

#endif
