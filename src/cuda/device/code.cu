/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file collects a group's kernels into its table. */
#include "codec/compressed.h"
#include "cuda/device/symbols.h"
#include "math/point.h"

#define ENTRY(name) .name = SUMAC_SYMBOL(name),

extern const cuda_group SUMAC_SYMBOL(group) = {
    .curve = CURVE_NAME,
    .name = CURVE_GROUP,
    .affine_bytes = sizeof(affine),
    .element_bytes = sizeof(fe),
    .xyzz_bytes = sizeof(xyzz),
    CUDA_GROUP_FUNCTIONS(ENTRY)
#if DEVICE_HAS_COMPRESSED
        .decode_points = SUMAC_SYMBOL(decode_points),
#endif
    .scalar_vectors = &SUMAC_SCALARS_SYMBOL(scalar_vectors),
    .point_vectors = &SUMAC_SYMBOL(point_vectors),
};
