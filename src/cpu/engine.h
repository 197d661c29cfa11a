/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU engine's stages that do not depend on the curve. */
#ifndef SUMAC_CPU_ENGINE_H
#define SUMAC_CPU_ENGINE_H

#include "pipeline/backend.h"

extern const backend cpu_backend;

sumac_status cpu_recode(const msm_job *job, const msm_pass *pass, digit_table *digits);
sumac_status cpu_sort(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                      bucket_lists *lists, void *scratch);

/* 1 when this processor runs the adx variant: mulx, adcx, adox, and blsi of BMI1. */
int cpu_has_adx(void);

/* 1 when this processor runs the AVX-512 IFMA code and the operating system saves its registers. */
int cpu_has_avx512(void);

#endif
