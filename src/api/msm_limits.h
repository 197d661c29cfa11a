/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MSMs for clients of src/api that make one of many. */
#ifndef SUMAC_API_MSM_LIMITS_H
#define SUMAC_API_MSM_LIMITS_H

#include "api/call.h"

/* What such a call has in place of its context's own. */
typedef struct msm_limits {
    uint64_t
        workspace; /* most bytes of workspace, on the CPU of all devices together; 0: as the context says */
    progress_sink progress;
} msm_limits;

/* sumac_msm() within limits. */
sumac_status msm_within(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, const msm_limits *limits, void *results);

#endif
