/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MSMs within calls: configurations are checked before anything is planned. */
#ifndef SUMAC_API_MSM_H
#define SUMAC_API_MSM_H

#include "sumac/msm.h"

/* Refuse values that mean nothing, or that the context's backend does not support. */
sumac_status msm_config_check(sumac_context *context, const sumac_curve *curve,
                              const sumac_msm_config *config);

/* Check the values, and the sizes against the bases: all that needs neither scalars nor results. */
sumac_status msm_config_check_call(sumac_context *context, const sumac_bases *bases, size_t n,
                                   const sumac_msm_config *config);

/* Check whether a call whose values are checked can be shared out over the context's devices. */
sumac_status msm_config_check_shared(sumac_context *context, size_t n, const sumac_msm_config *config);

/* sumac_msm_measure() of a configuration that is the library's own, with batch + 1 offsets or none. */
sumac_status msm_sizes_take(const sumac_curve *curve, size_t n, const sumac_msm_config *config,
                            sumac_msm_sizes *sizes, sumac_message *message);

/* sumac_msm() within a limit of workspace that replaces the context's; on the CPU all executors share it. 0: the context's
 * limit holds. */
sumac_status msm_within(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, uint64_t limit, void *results);

#endif
