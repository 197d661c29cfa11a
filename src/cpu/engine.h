/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU engine: its table, and the kinds of its stages that do not depend on the curve. */
#ifndef SUMAC_CPU_ENGINE_H
#define SUMAC_CPU_ENGINE_H

#include "pipeline/engine.h"

extern const backend cpu_backend;
extern const struct vector_ops cpu_vectors; /* vector_moves.c */

extern const stage_kind cpu_recode_signed;
extern const stage_kind cpu_recode_negated;
extern const stage_kind cpu_recode_glv;
extern const stage_kind cpu_recode_unsigned;
extern const stage_kind cpu_sort_counting;
extern const stage_kind cpu_sort_lookup;

/* src/plans defines the named plans, and those of their kinds that do not depend on the curve. Both end with null. */
extern const named_plan *const cpu_plans[];
extern const stage_kind *const cpu_plan_kinds[];

#endif
