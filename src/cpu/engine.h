/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU engine: its table, and the kinds of its stages that do not depend on the curve. */
#ifndef SUMAC_CPU_ENGINE_H
#define SUMAC_CPU_ENGINE_H

#include "pipeline/engine.h"

extern const backend cpu_backend;
extern const struct vector_ops cpu_vectors; /* vector_moves.c */

extern const stage_kind cpu_recode_signed;
extern const stage_kind cpu_recode_negated;
extern const stage_kind cpu_recode_unsigned;
extern const stage_kind cpu_sort_counting;
extern const stage_kind cpu_sort_lookup;

/* src/plans defines the named plans, and those of their kinds that do not depend on the curve. Both end with null. */
extern const named_plan *const cpu_plans[];
extern const stage_kind *const cpu_plan_kinds[];

/* 1 when this processor runs the adx variant: mulx, adcx, adox, and blsi of BMI1. */
int cpu_has_adx(void);

/* 1 when this processor also has AVX2 and FMA, which the avx2 variant needs, and registers of 256 bits that are not two halves. */
int cpu_has_avx2(void);

/* 1 when this processor runs the AVX-512 IFMA code and the operating system saves its registers. */
int cpu_has_avx512(void);

#endif
