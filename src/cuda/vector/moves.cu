/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file moves elements of vectors on the GPU. They may have any size, because no arithmetic is done. A thread moves
 * a chunk of an element, so that neighbouring threads write neighbouring chunks. */
#include <cstring>
#include <type_traits>

#include "cuda/device/kernels.cuh"
#include "cuda/vector/vectors.h"
#include "curves/group_code.h"

/* ---- Copies ---- */

/* This is the shape of a move. An element or a row has `each` chunks. */
struct move_shape {
    uint64_t items; /* chunks that the kernel handles */
    uint64_t each;
    uint64_t length, to_first, to_stride, from_first, from_stride; /* of slices, in chunks */
    uint64_t rows, columns;                                        /* of matrices, in elements */
    uint32_t log2;
};

/* Return the index of the source of chunk i, and set *to to the index that it is copied to. */
static __device__ __forceinline__ uint64_t slice_source(const move_shape &s, uint64_t i, uint64_t *to)
{
    const uint64_t run = i / s.length, index = i % s.length;
    *to = s.to_first + run * s.to_stride + index;
    return s.from_first + run * s.from_stride + index;
}

template <class chunk>
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    slices_kernel(chunk *to, const chunk *from, const __grid_constant__ move_shape s)
{
    const uint64_t i = blockIdx.x * (uint64_t)VECTOR_BLOCK + threadIdx.x;
    if (i < s.items) {
        uint64_t index;
        const uint64_t source = slice_source(s, i, &index);
        to[index] = from[source];
    }
}

template <class chunk>
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    gather_kernel(chunk *to, const chunk *from, const uint64_t *numbers, uint64_t row_chunks, uint64_t chunks)
{
    const uint64_t i = blockIdx.x * (uint64_t)VECTOR_BLOCK + threadIdx.x;
    if (i < chunks) {
        to[i] = from[numbers[i / row_chunks] * row_chunks + i % row_chunks];
    }
}

/* Element (column, row) of a result is a copy of element (row, column). */
template <class chunk>
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    transpose_kernel(chunk *to, const chunk *from, const __grid_constant__ move_shape s)
{
    const uint64_t i = blockIdx.x * (uint64_t)VECTOR_BLOCK + threadIdx.x;
    if (i < s.items) {
        const uint64_t element = i / s.each, part = i % s.each, matrix = s.rows * s.columns;
        const uint64_t index = element % matrix, column = index / s.rows, row = index % s.rows;
        to[i] = from[(element - index + row * s.columns + column) * s.each + part];
    }
}

/* The thread of the smaller index swaps both elements. */
template <class chunk>
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    reverse_kernel(chunk *elements, const __grid_constant__ move_shape s)
{
    const uint64_t i = blockIdx.x * (uint64_t)VECTOR_BLOCK + threadIdx.x;
    if (i < s.items) {
        const uint64_t element = i / s.each, part = i % s.each;
        const uint64_t index = element & (((uint64_t)1 << s.log2) - 1);
        const uint64_t other = __brevll((unsigned long long)index) >> (64 - s.log2);
        if (index < other) {
            chunk *first = elements + i, *second = elements + (element - index + other) * s.each + part;
            const chunk kept = *first;
            *first = *second;
            *second = kept;
        }
    }
}

struct fill_element {
    uint64_t limbs[SCALAR_MAX_LIMBS];
};

static __global__ void __launch_bounds__(VECTOR_BLOCK)
    fill_kernel(uint64_t *to, const __grid_constant__ fill_element element, uint32_t limbs, uint64_t n)
{
    const uint64_t i = blockIdx.x * (uint64_t)VECTOR_BLOCK + threadIdx.x;
    if (i < n) {
        to[i] = element.limbs[i % limbs];
    }
}

/* ---- The table ---- */

/* Call launch(to, from, each), where `each` is the number of chunks of an element. It launches a kernel that moves
 * elements of `bytes` bytes. If all addresses and sizes are multiples of 16, chunks have 16 bytes. Otherwise they have
 * 8, which always divides them. */
template <class launcher>
static sumac_status launch_by_chunks(void *to, const void *from, size_t bytes, const launcher &launch)
{
    return ((uintptr_t)to | (uintptr_t)from | bytes) % 16 == 0
               ? launch(static_cast<uint4 *>(to), static_cast<const uint4 *>(from), bytes / 16)
               : launch(static_cast<uint2 *>(to), static_cast<const uint2 *>(from), bytes / 8);
}

static sumac_status fill(const vector_run *run, void *to, const void *element, size_t bytes, uint64_t n)
{
    cuda_engine *engine = engine_of_run(run);
    if (n == 0) {
        return SUMAC_OK;
    }
    if (element == NULL) {
        CUDA_TRY(engine, cudaMemsetAsync(to, 0, n * bytes, engine->stream));
        return cuda_finished(engine);
    }
    fill_element copy = {};
    for (size_t i = 0; i < bytes / 8; i++) {
        copy.limbs[i] = static_cast<const uint64_t *>(element)[i];
    }
    const uint64_t limbs = n * (bytes / 8);
    return vector_launch(engine, fill_kernel, limbs, VECTOR_BLOCK, static_cast<uint64_t *>(to), copy,
                         static_cast<uint32_t>(bytes / 8), limbs);
}

static sumac_status copy_slices(const vector_run *run, void *to, const vector_slice *to_slice,
                                const void *from, const vector_slice *from_slice, size_t bytes)
{
    cuda_engine *engine = engine_of_run(run);
    if (from_slice->runs * from_slice->length * bytes == 0) {
        return SUMAC_OK;
    }
    return launch_by_chunks(to, from, bytes, [&](auto *target, const auto *source, uint64_t each) {
        const move_shape shape = {
            .items = from_slice->runs * from_slice->length * each,
            .length = from_slice->length * each,
            .to_first = to_slice->first * each,
            .to_stride = to_slice->stride * each,
            .from_first = from_slice->first * each,
            .from_stride = from_slice->stride * each,
        };
        return vector_launch(engine, slices_kernel<std::remove_pointer_t<decltype(target)>>, shape.items,
                             VECTOR_BLOCK, target, source, shape);
    });
}

static sumac_status upload(cuda_engine *engine, void *to, const void *from, uint64_t bytes)
{
    return cuda_upload(engine, to, from, bytes);
}

/* The numbers are copied to the device, at most as many at a time as the scratch memory holds. */
static sumac_status gather_rows(const vector_run *run, void *to, const void *from, size_t row_bytes,
                                const uint64_t *numbers, uint64_t n)
{
    cuda_engine *engine = engine_of_run(run);
    const uint64_t most = VECTOR_SCRATCH / sizeof *numbers;
    void *scratch;
    TRY(vector_scratch(engine, &scratch));
    const uint64_t *copied = static_cast<const uint64_t *>(scratch);
    for (uint64_t first = 0; row_bytes > 0 && first < n; first += most) {
        const uint64_t rows = n - first < most ? n - first : most;
        char *first_row = static_cast<char *>(to) + first * row_bytes;
        TRY((engine->queues ? cuda_bring : upload)(engine, scratch, numbers + first, rows * sizeof *numbers));
        TRY(launch_by_chunks(first_row, from, row_bytes,
                             [&](auto *target, const auto *source, uint64_t each) {
                                 return cuda_launch(engine, engine->stream,
                                                    gather_kernel<std::remove_pointer_t<decltype(target)>>,
                                                    blocks_for(rows * each, VECTOR_BLOCK), VECTOR_BLOCK,
                                                    target, source, copied, each, rows * each);
                             }));
    }
    return cuda_finished(engine);
}

static sumac_status transpose(const vector_run *run, void *to, const void *from, size_t bytes, uint64_t count,
                              uint64_t rows, uint64_t columns)
{
    cuda_engine *engine = engine_of_run(run);
    if (count * rows * columns * bytes == 0) {
        return SUMAC_OK;
    }
    return launch_by_chunks(to, from, bytes, [&](auto *target, const auto *source, uint64_t each) {
        const move_shape shape = {
            .items = count * rows * columns * each, .each = each, .rows = rows, .columns = columns};
        return vector_launch(engine, transpose_kernel<std::remove_pointer_t<decltype(target)>>, shape.items,
                             VECTOR_BLOCK, target, source, shape);
    });
}

sumac_status vector_reverse_rows(cuda_engine *engine, void *elements, size_t bytes, uint64_t rows,
                                 uint32_t log2)
{
    if (rows * bytes == 0 || log2 == 0) {
        return SUMAC_OK;
    }
    return launch_by_chunks(elements, elements, bytes, [&](auto *target, const auto *, uint64_t each) {
        const move_shape shape = {.items = (rows << log2) * each, .each = each, .log2 = log2};
        return cuda_launch(engine, engine->stream, reverse_kernel<std::remove_pointer_t<decltype(target)>>,
                           blocks_for(shape.items, VECTOR_BLOCK), VECTOR_BLOCK, target, shape);
    });
}

sumac_status vector_scale_numbers(const vector_run *run, const vector_transform *transform, uint64_t *factor,
                                  uint64_t *ratio)
{
    const scalar_vector_ops *host = run->code->scalar_vectors;
    const scalar_field *field = &registered(run->group)->scalars;
    const vector_run alone = {.threads = 1};
    const size_t bytes = field->limbs * sizeof *field->one;
    uint64_t two[SCALAR_MAX_LIMBS];
    const vector_operand operand = {two, 1, 1};
    memcpy(two, field->one, bytes);
    memcpy(factor, field->one, bytes);
    memcpy(ratio, transform->shift == NULL ? field->one : transform->shift, bytes);
    if (!transform->inverse) {
        return SUMAC_OK;
    }
    TRY(host->add(&alone, two, two, 1, &operand));
    TRY(host->invert(&alone, two, 1));
    for (uint32_t i = 0; i < transform->log2; i++) {
        TRY(host->multiply(&alone, factor, factor, 1, &operand));
    }
    return host->invert(&alone, ratio, 1);
}

static sumac_status bit_reverse(const vector_run *run, void *elements, size_t bytes, uint64_t rows,
                                uint32_t log2)
{
    cuda_engine *engine = engine_of_run(run);
    TRY(vector_reverse_rows(engine, elements, bytes, rows, log2));
    return cuda_finished(engine);
}

static const scalar_vector_ops *scalars(const sumac_group *group, const group_code *code)
{
    (void)code;
    return cuda_group_of(group)->scalar_vectors;
}

static const point_vector_ops *points(const sumac_group *group, const group_code *code)
{
    (void)code;
    return cuda_group_of(group)->point_vectors;
}

const vector_ops cuda_vectors = {
    .scalars = scalars,
    .points = points,
    .fill = fill,
    .copy_slices = copy_slices,
    .gather_rows = gather_rows,
    .transpose = transpose,
    .bit_reverse = bit_reverse,
};
