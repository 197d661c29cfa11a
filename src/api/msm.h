/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MSMs for clients that make one of many. */
#ifndef SUMAC_API_MSM_H
#define SUMAC_API_MSM_H

#include "sumac/sumac.h"

/* sumac_msm() within a limit of workspace in place of the context's, on the CPU of all devices together; 0:
 * within the context's. */
sumac_status msm_within(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, uint64_t limit, void *results);

#endif
