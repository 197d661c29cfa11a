/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU's vectors of points: what its two sources share. Compiled once a curve and variant. */
#ifndef SUMAC_CPU_VECTOR_POINTS_H
#define SUMAC_CPU_VECTOR_POINTS_H

#include "cpu/normalize.h"
#include "cpu/vector_moves.h"
#include "pipeline/parallel.h"
#include "vector/vector.h"

/* Elements of a task of cheap work. */
#define POINTS_VECTOR_BLOCK NORMALIZE_BLOCK

/* Implements point_vector_ops.transform. */
sumac_status SUMAC_SYMBOL(transform_points)(const vector_run *run, void *r, const vector_transform *transform,
                                            const struct scalar_vector_ops *scalars);

#endif
