/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header declares the CUDA engine's per-curve symbols, which code.cu collects into a group's table. */
#ifndef SUMAC_CUDA_DEVICE_SYMBOLS_H
#define SUMAC_CUDA_DEVICE_SYMBOLS_H

#include <type_traits>

#include "cuda/device/group.h"
#include "cuda/device/engine.h"
#include "math/curve.h"
#include "vector/vector.h"

/* Every group has these functions of cuda_group; each is in the file of its stage. */
#define CUDA_GROUP_FUNCTIONS(each)                                                                           \
    each(sum_pairs) each(copy_singles) each(sum_buckets) each(finish) each(collect) each(merge)              \
        each(reduce_tail) each(running_sum) each(horner) each(export_points) each(import_points)             \
            each(multiples) each(window_tables) each(endomorphism_images)

#define CUDA_GROUP_DECLARE(name) extern std::remove_pointer_t<decltype(cuda_group::name)> SUMAC_SYMBOL(name);
CUDA_GROUP_FUNCTIONS(CUDA_GROUP_DECLARE)
CUDA_GROUP_DECLARE(decode_points)

/* If POINT_TWICE is 0, point_transforms_twice.cu is not compiled: the proofs of FK20 lie in groups over prime fields
 * with an endomorphism. For other groups the kernels of this file would be a tenth of the engine's code, and nobody
 * would call them. */
#define POINT_TWICE (FE_DEGREE == 1 && FR_BITS > 64 && CURVE_HAS_GLV)

sumac_status SUMAC_SYMBOL(transform_points)(const vector_run *run, void *r, const vector_transform *transform,
                                            const struct scalar_vector_ops *scalars);
sumac_status SUMAC_SYMBOL(transform_points_twice)(const vector_run *run, void *r, uint64_t rows,
                                                  uint32_t log2, sumac_order value_order);

extern const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors);
extern const point_vector_ops SUMAC_SYMBOL(point_vectors);

/* The generated registry lists this table. */
extern const cuda_group SUMAC_SYMBOL(group);

#endif
