/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions check and compute MSMs as a part of a call. Configurations are checked before anything is planned. */
#ifndef SUMAC_API_MSM_H
#define SUMAC_API_MSM_H

#include "sumac/msm.h"

/* Reject a configuration with values that are invalid or that the context's backend does not support. */
sumac_status msm_config_check(sumac_context *context, const sumac_group *group,
                              const sumac_msm_config *config);

/* Check everything that can be checked without the scalars and the results: the values, and whether the bases suffice
 * for the sizes. */
sumac_status msm_config_check_call(sumac_context *context, const sumac_bases *bases, size_t n,
                                   const sumac_msm_config *config);

/* Check whether a call with valid values can be distributed over the context's devices. */
sumac_status msm_config_check_shared(sumac_context *context, size_t n, const sumac_msm_config *config);

/* Do the work of sumac_msm() for a caller whose memory is long enough. `limit` replaces the context's limit of
 * workspaces; on the CPU all executors share it. If `limit` is 0, the context's limit holds. */
sumac_status msm_within(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, uint64_t limit, void *results);

#endif
