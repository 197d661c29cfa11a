/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file converts records in the device's memory to points, as convert_ops.import_points does on the host, and
 * decodes compressed points; it is compiled per curve. */
#include "cuda/device/kernels.cuh"
#include "codec/compressed.h"
#include "codec/record.h"
#include "cuda/device/elements.cuh"
#include "cuda/transfer/transfer.h"
#include "math/subgroup.h"

/* The blocks on an SM limit the registers of a thread. */
enum { SUBGROUP_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 + 1 };

SUMAC_STATIC_ASSERT(SUMAC_NOT_IN_SUBGROUP < 1 << FIRST_BAD_STATUS_BITS, "a status fits beside the index");

/* Keep the least index of a bad record, with its status. All lanes of a warp call this, and its first bad lane reports. */
static __device__ __forceinline__ void keep_first_bad(unsigned long long *first_bad, uint64_t i,
                                                      sumac_status status)
{
    const uint32_t bad = __ballot_sync(0xffffffff, status != SUMAC_OK);
    if (bad != 0 && threadIdx.x % 32 == (uint32_t)__ffs((int)bad) - 1) {
        atomicMin(first_bad, (unsigned long long)(i << FIRST_BAD_STATUS_BITS | (uint64_t)status));
    }
}

/* A record that is refused becomes infinity, so that the next kernel finds nothing wrong with it. */
static __global__ void __launch_bounds__(PAIR_BLOCK, PAIR_BLOCKS_PER_SM)
    import_kernel(affine *table, const uint8_t *records, uint64_t n,
                  const __grid_constant__ point_layout layout, sumac_check check,
                  unsigned long long *first_bad)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    sumac_status status = SUMAC_OK;
    if (i < n) {
        affine point;
        status = record_point(&point, records + i * layout.stride, &layout, check);
        if (status != SUMAC_OK) {
            affine_set_infinity(&point);
        }
        table[i] = point;
    }
    keep_first_bad(first_bad, i, status);
}

/* Check points of a table; table[i] is point number first + i of the call. */
static __global__ void __launch_bounds__(PAIR_BLOCK, SUBGROUP_BLOCKS_PER_SM)
    subgroup_kernel(const affine *table, uint64_t n, uint64_t first, unsigned long long *first_bad)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    sumac_status status = SUMAC_OK;
    if (i < n) {
        const affine point = table[i];
        if (!affine_is_infinity(&point) && !subgroup_contains(&point)) {
            status = SUMAC_NOT_IN_SUBGROUP;
        }
    }
    keep_first_bad(first_bad, first + i, status);
}

sumac_status SUMAC_SYMBOL(import_points)(cuda_engine *engine, const table_slice *slice,
                                         unsigned long long *first_bad)
{
    const unsigned blocks = blocks_for(slice->n, PAIR_BLOCK);
    affine *table = (affine *)slice->table + slice->first;
    TRY(cuda_launch(engine, engine->stream, import_kernel, blocks, PAIR_BLOCK, table,
                    (const uint8_t *)slice->points, slice->n, *slice->layout, slice->check, first_bad));
    if (slice->check == SUMAC_CHECK_SUBGROUP) {
        TRY(cuda_launch(engine, engine->stream, subgroup_kernel, blocks, PAIR_BLOCK, table, slice->n, 0,
                        first_bad));
    }
    return SUMAC_OK;
}

#if DEVICE_HAS_COMPRESSED

SUMAC_STATIC_ASSERT(sizeof(affine) == POINT_BYTES, "the integers of a point's limbs are its raw record");

/* A point that is refused becomes infinity, as in import_kernel. */
static __global__ void __launch_bounds__(PAIR_BLOCK, PAIR_BLOCKS_PER_SM)
    decode_kernel(affine *points, affine *raw, const uint8_t *records, uint64_t n, uint64_t first,
                  unsigned long long *first_bad)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    sumac_status status = SUMAC_OK;
    if (i < n) {
        affine point, integers;
        status = compressed_point(&point, &integers, records + i * COORDINATE_BYTES);
        points[i] = point;
        fe_store(&raw[i].x, &integers.x);
        fe_store(&raw[i].y, &integers.y);
    }
    keep_first_bad(first_bad, first + i, status);
}

sumac_status SUMAC_SYMBOL(decode_points)(cuda_engine *engine, const decode_slice *slice,
                                         unsigned long long *first_bad)
{
    const unsigned blocks = blocks_for(slice->n, PAIR_BLOCK);
    affine *points = static_cast<affine *>(slice->points);
    TRY(cuda_launch(engine, engine->stream, decode_kernel, blocks, PAIR_BLOCK, points,
                    static_cast<affine *>(slice->raw), slice->records, slice->n, slice->first, first_bad));
    if (slice->check == SUMAC_CHECK_SUBGROUP) {
        TRY(cuda_launch(engine, engine->stream, subgroup_kernel, blocks, PAIR_BLOCK, points, slice->n,
                        slice->first, first_bad));
    }
    return SUMAC_OK;
}

#endif
