/* Kernels over single points, compiled per curve: the parts of modules, and multiples of the bases. */
#include "cuda/engine.h"
#include "cuda/pairs.cuh"
#include "cuda/symbols.h"

/* Part l of module g: S_l, at position 2^l of its vector; with T, at position 0, in part 0; infinity in the last. */
static __global__ void __launch_bounds__(PAIR_BLOCK)
    parts_kernel(const affine *vectors, uint32_t bits, uint64_t modules, int add, xyzz *parts)
{
    const uint64_t index = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    const uint32_t count = bits + 1;
    if (index >= modules * count) {
        return;
    }
    const uint32_t part = (uint32_t)(index % count);
    const affine *vector = vectors + ((index / count) << bits);
    xyzz sum;
    xyzz_set_infinity(&sum);
    if (add) {
        sum = parts[index];
    }
    if (part == 0) {
        xyzz_add_affine(&sum, &sum, &vector[0]);
    }
    if (part < bits) {
        xyzz_add_affine(&sum, &sum, &vector[(uint64_t)1 << part]);
    }
    parts[index] = sum;
}

sumac_status SUMAC_SYMBOL(take_parts)(cuda_engine *engine, const void *vectors, uint32_t bits, uint64_t modules,
                                      int add, void *parts)
{
    parts_kernel<<<blocks_for(modules * (bits + 1), PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
        (const affine *)vectors, bits, modules, add, (xyzz *)parts);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

/* weighted = sum of (i + 1)*P_i, from the last point down: run = P_i + P_(i+1) + .., weighted += run. */
static __global__ void __launch_bounds__(PAIR_BLOCK)
    running_kernel(const affine *sums, uint32_t bits, uint64_t modules, int add, xyzz *parts)
{
    const uint64_t module = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (module >= modules) {
        return;
    }
    const affine *vector = sums + (module << bits);
    xyzz run, weighted;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&weighted);
    if (add) {
        weighted = parts[module * (bits + 1)];
    }
#pragma unroll 1
    for (uint64_t i = (uint64_t)1 << bits; i-- > 0;) {
        xyzz_add_affine(&run, &run, &vector[i]);
        xyzz_add(&weighted, &weighted, &run);
    }
    parts[module * (bits + 1)] = weighted;
    xyzz_set_infinity(&run);
    for (uint32_t part = 1; part <= bits; part++) {
        parts[module * (bits + 1) + part] = run;
    }
}

sumac_status SUMAC_SYMBOL(running_sum)(cuda_engine *engine, const void *sums, uint32_t bits, uint64_t modules, int add,
                                       void *parts)
{
    running_kernel<<<blocks_for(modules, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>((const affine *)sums, bits,
                                                                                      modules, add, (xyzz *)parts);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

/* table[t*count + i] = 2^(shift*t) * table[i]. A block's points share their inversions; threads without a point, and
 * points at infinity, take part with 1. */
static __global__ void __launch_bounds__(PAIR_BLOCK, 2)
    multiples_kernel(affine *table, uint64_t count, uint32_t factor, uint32_t shift)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    affine point;
    affine_set_infinity(&point);
    if (i < count) {
        point = table[i];
    }
    for (uint32_t t = 1; t < factor; t++) {
        jacobian multiple;
        fe inverse, square;
        multiple.x = point.x;
        multiple.y = point.y;
        fe_set_one(&multiple.z);
        if (affine_is_infinity(&point)) {
            fe_set_zero(&multiple.z);
        }
#pragma unroll 1
        for (uint32_t doubling = 0; doubling < shift; doubling++) {
            jacobian_double(&multiple, &multiple);
        }
        const int infinity = fe_is_zero(&multiple.z);
        inverse = multiple.z;
        if (infinity) {
            fe_set_one(&inverse);
        }
        block_inverse(&inverse);
        fe_sqr(&square, &inverse);
        fe_mul(&point.x, &multiple.x, &square);
        fe_mul(&square, &square, &inverse);
        fe_mul(&point.y, &multiple.y, &square);
        if (infinity) {
            affine_set_infinity(&point);
        }
        if (i < count) {
            table[t * count + i] = point;
        }
    }
}

sumac_status SUMAC_SYMBOL(multiples)(cuda_engine *engine, void *table, uint64_t count, uint32_t factor, uint32_t shift)
{
    if (count > 0 && factor > 1) {
        multiples_kernel<<<blocks_for(count, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>((affine *)table, count,
                                                                                          factor, shift);
        CUDA_TRY(engine, cudaGetLastError());
    }
    return SUMAC_OK;
}
