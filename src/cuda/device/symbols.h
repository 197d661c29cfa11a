/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The per-curve symbols of the CUDA engine, as code.cu collects them into a curve's table. */
#ifndef SUMAC_CUDA_DEVICE_SYMBOLS_H
#define SUMAC_CUDA_DEVICE_SYMBOLS_H

#include "cuda/device/curve.h"
#include "math/curve.h"
#include "vector/vector.h"

sumac_status SUMAC_SYMBOL(sum_pairs)(cuda_engine *engine, cudaStream_t stream, const pair_round *round);
sumac_status SUMAC_SYMBOL(copy_singles)(cuda_engine *engine, cudaStream_t stream, const void *table,
                                        const uint2 *singles, const uint32_t *count, uint64_t limit,
                                        void *out);
sumac_status SUMAC_SYMBOL(sum_buckets)(cuda_engine *engine, cudaStream_t stream, const quad_tasks *tasks);
sumac_status SUMAC_SYMBOL(finish)(cuda_engine *engine, cudaStream_t stream, const finish_lists *lists);
sumac_status SUMAC_SYMBOL(collect)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                                   const void *slot_points, void *sums);
sumac_status SUMAC_SYMBOL(merge)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                                 const void *slot_points, const merge_lists *lists, const bucket_sums *sums);
sumac_status SUMAC_SYMBOL(reduce_tail)(cuda_engine *engine, cudaStream_t stream, const vector_tail *work,
                                       int add, void *parts);
sumac_status SUMAC_SYMBOL(running_sum)(cuda_engine *engine, cudaStream_t stream, const void *sums,
                                       uint32_t buckets, uint64_t modules, int add, void *parts);
sumac_status SUMAC_SYMBOL(horner)(cuda_engine *engine, const horner_sums *sums);
sumac_status SUMAC_SYMBOL(export_points)(cuda_engine *engine, void *points, uint64_t count, uint64_t stride,
                                         sumac_form form);
sumac_status SUMAC_SYMBOL(import_points)(cuda_engine *engine, const table_slice *slice,
                                         unsigned long long *first_bad);
sumac_status SUMAC_SYMBOL(decode_points)(cuda_engine *engine, const decode_slice *slice,
                                         unsigned long long *first_bad);
sumac_status SUMAC_SYMBOL(multiples)(cuda_engine *engine, const table_slice *slice);
sumac_status SUMAC_SYMBOL(window_tables)(cuda_engine *engine, const table_slice *slice);
sumac_status SUMAC_SYMBOL(endomorphism_images)(cuda_engine *engine, const table_slice *slice);

sumac_status SUMAC_SYMBOL(transform_points)(const vector_run *run, void *r, const vector_transform *transform,
                                            const struct scalar_vector_ops *scalars);
sumac_status SUMAC_SYMBOL(transform_points_twice)(const vector_run *run, void *r, uint64_t rows,
                                                  uint32_t log2, sumac_order value_order);

extern const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors);
extern const point_vector_ops SUMAC_SYMBOL(point_vectors);

/* Listed by the generated registry. */
extern const cuda_curve SUMAC_SYMBOL(curve);

#endif
