/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MSMs of different lengths in one call: those that follow one another and are alike go together as a batch. */
#ifndef SUMAC_API_MSM_LENGTHS_H
#define SUMAC_API_MSM_LENGTHS_H

#include "sumac/msm.h"

/* Check a configuration with offsets, of MSMs of at most n scalars, against the bases. */
sumac_status lengths_check(sumac_context *context, const sumac_bases *bases, size_t n,
                           const sumac_msm_config *config);

/* The MSMs of such a call, run after run; the results are written when all are there. */
sumac_status lengths_run(sumac_context *context, const sumac_bases *bases, const void *scalars,
                         const sumac_msm_config *config, void *results);

#endif
