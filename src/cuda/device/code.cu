/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A curve's kernels, collected into its table. */
#include "codec/compressed.h"
#include "cuda/device/symbols.h"
#include "math/point.h"

extern const cuda_curve SUMAC_SYMBOL(curve) = {
    .name = CURVE_NAME,
    .group = CURVE_GROUP,
    .affine_bytes = sizeof(affine),
    .element_bytes = sizeof(fe),
    .xyzz_bytes = sizeof(xyzz),
    .sum_pairs = SUMAC_SYMBOL(sum_pairs),
    .copy_singles = SUMAC_SYMBOL(copy_singles),
    .sum_buckets = SUMAC_SYMBOL(sum_buckets),
    .finish = SUMAC_SYMBOL(finish),
    .collect = SUMAC_SYMBOL(collect),
    .merge = SUMAC_SYMBOL(merge),
    .reduce_tail = SUMAC_SYMBOL(reduce_tail),
    .running_sum = SUMAC_SYMBOL(running_sum),
    .horner = SUMAC_SYMBOL(horner),
    .export_points = SUMAC_SYMBOL(export_points),
    .import_points = SUMAC_SYMBOL(import_points),
#if DEVICE_HAS_COMPRESSED
    .decode_points = SUMAC_SYMBOL(decode_points),
#else
    .decode_points = NULL,
#endif
    .multiples = SUMAC_SYMBOL(multiples),
    .window_tables = SUMAC_SYMBOL(window_tables),
    .endomorphism_images = SUMAC_SYMBOL(endomorphism_images),
    .scalar_vectors = &SUMAC_SCALARS_SYMBOL(scalar_vectors),
    .point_vectors = &SUMAC_SYMBOL(point_vectors),
};
