/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A caller's configuration of MSMs, checked before anything is planned. */
#ifndef SUMAC_API_MSM_CONFIG_H
#define SUMAC_API_MSM_CONFIG_H

#include "sumac/sumac.h"

/* Values that mean nothing, or that the context's backend can't honour, are refused. */
sumac_status msm_config_check(sumac_context *context, const sumac_curve *curve,
                              const sumac_msm_config *config);

/* The same with its sizes against the bases: all for which neither scalars nor results are needed. */
sumac_status msm_config_check_call(sumac_context *context, const sumac_bases *bases, size_t n,
                                   const sumac_msm_config *config);

/* Whether there are all bases that a call uses, which has offsets or not, and whether its memory can be counted. */
sumac_status msm_config_check_sizes(sumac_context *context, const sumac_bases *bases, size_t n,
                                    const sumac_msm_config *config);

/* The caller's configuration, checked so. */
sumac_status msm_config_take(sumac_context *context, const sumac_bases *bases, size_t n,
                             const sumac_msm_config *config, sumac_msm_config *own);

/* Whether a checked call can be shared out over the context's devices. */
sumac_status msm_config_check_shared(sumac_context *context, size_t n, const sumac_msm_config *config);

#endif
