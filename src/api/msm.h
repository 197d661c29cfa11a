/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Functions for MSMs within calls; they check configurations before anything is planned. */
#ifndef SUMAC_API_MSM_H
#define SUMAC_API_MSM_H

#include "sumac/msm.h"

/* Reject values that are invalid or that the context's backend does not support. */
sumac_status msm_config_check(sumac_context *context, const sumac_group *group,
                              const sumac_msm_config *config);

/* Check everything that needs neither scalars nor results: the values, and the sizes against the bases. */
sumac_status msm_config_check_call(sumac_context *context, const sumac_bases *bases, size_t n,
                                   const sumac_msm_config *config);

/* Check whether a call with valid values can be distributed over the context's devices. */
sumac_status msm_config_check_shared(sumac_context *context, size_t n, const sumac_msm_config *config);

/* Do the work of sumac_msm() for a caller whose memory is long enough, with a workspace limit that replaces the context's;
 * on the CPU all executors share it. With limit = 0 the context's limit applies. */
sumac_status msm_within(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, uint64_t limit, void *results);

#endif
