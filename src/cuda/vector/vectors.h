/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header has common code of the GPU's vectors, whose tables and rules vector/vector.h defines. Functions queue
 * their work on the engine's stream, and wait for it unless the engine queues, as another context may read the vector
 * next. The scratch memory is used in the order of the stream. */
#ifndef SUMAC_CUDA_VECTOR_VECTORS_H
#define SUMAC_CUDA_VECTOR_VECTORS_H

#include "cuda/device/group.h"
#include "cuda/device/kernels.cuh"
#include "vector/vector.h"

extern const vector_ops cuda_vectors; /* moves.cu */

/* A block has VECTOR_BLOCK threads. An engine keeps VECTOR_SCRATCH bytes of device memory for transfers and for tables. */
enum { VECTOR_BLOCK = 256 };
static const uint64_t VECTOR_SCRATCH = (uint64_t)32 << 20;

static inline cuda_engine *engine_of_run(const vector_run *run)
{
    return static_cast<cuda_engine *>(run->engine);
}

/* Launch a kernel with a thread for each of n items, and end the function. */
template <class... parameters>
sumac_status vector_launch(cuda_engine *engine, void (*kernel)(parameters...), uint64_t n, unsigned threads,
                           typename exactly<parameters>::type... arguments)
{
    TRY(cuda_launch(engine, engine->stream, kernel, blocks_for(n, threads), threads, arguments...));
    return cuda_finished(engine);
}

/* Set *memory to VECTOR_SCRATCH bytes of the device's memory, which the engine keeps until it is closed. */
static inline sumac_status vector_scratch(cuda_engine *engine, void **memory)
{
    TRY(buffer_want(engine, &engine->vector_scratch, VECTOR_SCRATCH, "vectors"));
    *memory = engine->vector_scratch.memory;
    return SUMAC_OK;
}

/* In each row of 2^log2 elements, swap element i with the one whose index has i's bits reversed. This does not wait. */
sumac_status vector_reverse_rows(cuda_engine *engine, void *elements, size_t bytes, uint64_t rows,
                                 uint32_t log2);

/* Set r[i] to the sum of row i of a. A few long rows are added up in parts of at least `shortest` elements, at most
 * most_sums parts in all, whose sums the scratch memory holds; then the parts' sums are added up. launch(r, a, rows,
 * length, parts) launches a kernel. */
template <class element, class launcher>
sumac_status vector_sum_rows(cuda_engine *engine, void *r, const void *a, uint64_t rows, uint64_t length,
                             uint64_t most_sums, uint64_t shortest, const launcher &launch)
{
    const element *elements = static_cast<const element *>(a);
    uint64_t parts = 1;
    if (rows == 0) {
        return SUMAC_OK;
    }
    while (2 * parts * rows <= most_sums && 2 * parts * shortest <= length) {
        parts *= 2;
    }
    if (parts > 1) {
        void *scratch;
        TRY(vector_scratch(engine, &scratch));
        TRY(launch(static_cast<element *>(scratch), elements, rows, length, parts));
        elements = static_cast<const element *>(scratch);
        length = parts;
    }
    TRY(launch(static_cast<element *>(r), elements, rows, length, 1));
    return cuda_finished(engine);
}

/* ---- Common steps of transforms of scalars and of points ---- */

/* Transform the elements. layers() computes values in bit-reversed order from coefficients in natural order, or the
 * reverse for an inverse. scale() multiplies the coefficients by the numbers of vector_scale_numbers(). In each row the
 * coefficients from number transform->coefficients on are set to zero. */
template <class scaler, class layer_maker>
sumac_status vector_transform_by(cuda_engine *engine, void *elements, size_t bytes,
                                 const vector_transform *transform, const scaler &scale,
                                 const layer_maker &layers)
{
    const bool turns_values = transform->value_order == SUMAC_ORDER_NATURAL;
    const bool turns_coefficients = transform->coefficient_order == SUMAC_ORDER_BIT_REVERSED;
    const uint64_t n = (uint64_t)1 << transform->log2, used = transform->coefficients;
    const auto clear = [=]() {
        if (used < n) {
            CUDA_TRY(engine, cudaMemset2DAsync(static_cast<char *>(elements) + used * bytes, n * bytes, 0,
                                               (n - used) * bytes, transform->rows, engine->stream));
        }
        return SUMAC_OK;
    };
    if (transform->inverse ? turns_values : turns_coefficients) {
        TRY(vector_reverse_rows(engine, elements, bytes, transform->rows, transform->log2));
    }
    if (!transform->inverse) {
        TRY(clear());
        TRY(scale());
    }
    TRY(layers());
    if (transform->inverse) {
        TRY(scale());
        TRY(clear());
    }
    if (transform->inverse ? turns_coefficients : turns_values) {
        TRY(vector_reverse_rows(engine, elements, bytes, transform->rows, transform->log2));
    }
    return cuda_finished(engine);
}

/* Compute `factor` and `ratio` on the host: coefficient j is multiplied by factor * ratio^j, which is shift^j before a
 * forward transform, and 1/2^log2 * 1/shift^j after an inverse one. */
sumac_status vector_scale_numbers(const vector_run *run, const vector_transform *transform, uint64_t *factor,
                                  uint64_t *ratio);

#endif
