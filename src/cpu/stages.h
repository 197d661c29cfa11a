/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These symbols of the CPU engine exist for each group. code.c collects them into the group's table. */
#ifndef SUMAC_CPU_STAGES_H
#define SUMAC_CPU_STAGES_H

#include "curves/group_code.h"
#include "math/curve.h"
#include "pipeline/kinds.h"
#include "vector/vector.h"

extern const stage_kind SUMAC_SYMBOL(accumulate_batched_affine);
extern const stage_kind SUMAC_NON_MSM_SYMBOL(accumulate_straus);
extern const stage_kind SUMAC_SYMBOL(reduce_halving);
extern const stage_kind SUMAC_SYMBOL(reduce_none);
extern const stage_kind SUMAC_NON_MSM_SYMBOL(reduce_sums);
extern const stage_kind SUMAC_NON_MSM_SYMBOL(combine_horner);

/* src/plans adds these kinds to those of code.c. The list ends with null, and the kinds have no lanes. */
extern const stage_kind *const SUMAC_SCALAR_CODE_SYMBOL(plan_kinds)[];

/* This implements group_code.combine. */
void SUMAC_NON_MSM_SYMBOL(combine)(const msm_job *job, const horner_terms *terms, void *results);

extern const convert_ops SUMAC_NON_MSM_SYMBOL(convert);
extern const point_ops SUMAC_NON_MSM_SYMBOL(points);
extern const pairing_ops SUMAC_NON_MSM_SYMBOL(pairing); /* where CURVE_HAS_PAIRING */
size_t SUMAC_NON_MSM_SYMBOL(map)(void *points, const uint8_t *elements, size_t n); /* where CURVE_HAS_MAP */
extern const point_vector_ops SUMAC_NON_MSM_SYMBOL(point_vectors);
extern const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors);

/* This implements point_vector_ops.transform. */
sumac_status SUMAC_NON_MSM_SYMBOL(transform_points)(const vector_run *run, void *r,
                                                    const vector_transform *transform,
                                                    const struct scalar_vector_ops *scalars);

/* This is defined in code.c. src/api/describe.c has it in its list. */
extern const group_code SUMAC_SYMBOL(code);

#endif
