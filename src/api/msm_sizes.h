/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The memory of a caller that a call of MSMs reads and writes. */
#ifndef SUMAC_API_MSM_SIZES_H
#define SUMAC_API_MSM_SIZES_H

#include "sumac/msm.h"

/* sumac_msm_measure() of a configuration that is the library's own, with batch + 1 offsets or none. */
sumac_status msm_sizes_take(const sumac_curve *curve, size_t n, const sumac_msm_config *config,
                            sumac_msm_sizes *sizes, sumac_message *message);

#endif
