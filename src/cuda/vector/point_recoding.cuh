/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scalars on the device to the digits of their multiples (point_multiples.cuh). Does not wait. */
#ifndef SUMAC_CUDA_VECTOR_POINT_RECODING_CUH
#define SUMAC_CUDA_VECTOR_POINT_RECODING_CUH

#include "cuda/device/errors.h"
#include "cuda/device/launch.h"
#include "cuda/vector/point_multiples.cuh"
#include "cuda/vector/vectors.h"
#include "curves/curve_code.h"

/* What recoding scalars takes of their field, for a kernel. */
struct recoding_field {
    uint64_t modulus[FR_LIMBS];
    scalar_field field; /* whose pointers are the host's */
    glv_lattice split;
};

static __global__ void __launch_bounds__(PAIR_BLOCK)
    recode_kernel(point_digits *digits, const uint64_t *scalars, uint64_t n, uint32_t positions,
                  const __grid_constant__ recoding_field own)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (i < n) {
        scalar_field field = own.field;
        field.modulus = own.modulus;
        field.split = &own.split;
        point_digits_recode(&digits[i], scalars + i * FR_LIMBS, &field, positions);
    }
}

static __global__ void __launch_bounds__(PAIR_BLOCK)
    sparse_kernel(sparse_digits *sparse, const point_digits *digits, uint64_t n)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (i < n) {
        uint32_t most = 0;
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            const uint32_t positions = point_digits_sparse(sparse[i].codes[half], &digits[i], half);
            most = positions > most ? positions : most;
        }
        sparse[i].positions = most;
    }
}

/* As point_digit_positions, on the host. */
static uint32_t digit_positions(const scalar_field *field)
{
    uint32_t bits = field->bits;
#if CURVE_HAS_GLV
    uint32_t limbs = field->split->limbs;
    while (limbs > 1 && field->split->bound[limbs - 1] == 0) {
        limbs--;
    }
    bits = 64 * limbs - (uint32_t)__builtin_clzll(field->split->bound[limbs - 1]);
#endif
    return bits / POINT_DIGIT_BITS + 1;
}

/* n > 0 scalars, as in a vector. */
static sumac_status recode_scalars(const vector_run *run, point_digits *digits, const void *scalars,
                                   uint64_t n)
{
    cuda_engine *engine = engine_of_run(run);
    const scalar_field *field = &run->curve->scalars;
    recoding_field own = {};
    own.field = *field;
    for (int i = 0; i < FR_LIMBS; i++) {
        own.modulus[i] = field->modulus[i];
    }
    if (field->split != NULL) {
        own.split = *field->split;
    }
    recode_kernel<<<blocks_for(n, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
        digits, static_cast<const uint64_t *>(scalars), n, digit_positions(field), own);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

static sumac_status recode_sparsely(const vector_run *run, sparse_digits *sparse, const point_digits *digits,
                                    uint64_t n)
{
    cuda_engine *engine = engine_of_run(run);
    sparse_kernel<<<blocks_for(n, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(sparse, digits, n);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

#endif
