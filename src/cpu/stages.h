/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The per-curve symbols of the CPU engine, as code.c collects them into a curve's table. */
#ifndef SUMAC_CPU_STAGES_H
#define SUMAC_CPU_STAGES_H

#include "math/curve.h"
#include "pipeline/backend.h"

sumac_status SUMAC_SYMBOL(accumulate)(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                      bucket_sums *sums, void *scratch);
sumac_status SUMAC_SYMBOL(reduce)(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                  module_sums *modules, void *scratch);
sumac_status SUMAC_SYMBOL(combine)(const msm_job *job, const module_sums *modules, void *results);

extern const convert_ops SUMAC_SYMBOL(convert);
extern const point_ops SUMAC_SYMBOL(points);

/* Defined in code.c, listed by src/api/describe.c. */
extern const curve_code SUMAC_SYMBOL(code);

#endif
