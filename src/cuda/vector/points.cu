/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file implements point_vector_ops of vector/vector.h on the GPU; it is compiled per curve. Quads (quads.cuh) do
 * the additions.
 */
#include "cuda/device/kernels.cuh"
#include "base/integers.h"
#include "codec/record.h"
#include "cuda/transfer/transfer.h"
#include "cuda/device/quads.cuh"
#include "cuda/vector/vectors.h"

/* ---- In and out ---- */

static __global__ void __launch_bounds__(PAIR_BLOCK) lift_kernel(xyzz *r, const affine *points, uint64_t n)
{
    const uint64_t i = quad_number();
    fe coordinate;
    quad_load_affine(&coordinate, i < n ? &points[i] : NULL);
    if (i < n) {
        store_coordinate(&r[i], &coordinate);
    }
}

/* Records are imported in order, as many at a time as the scratch memory holds with their points, so that the first bad
 * record of a part is the first of all. */
static sumac_status import_records(const vector_run *run, void *r, const uint8_t *records, uint64_t n,
                                   sumac_form form, sumac_check check, uint64_t *bad)
{
    cuda_engine *engine = engine_of_run(run);
    const point_layout layout = {form, POINT_BYTES, SUMAC_INFINITY_ZERO, 0};
    const uint64_t most = VECTOR_SCRATCH / (2 * sizeof(affine));
    void *scratch;
    TRY(vector_scratch(engine, &scratch));
    affine *points = static_cast<affine *>(scratch) + most;
    for (uint64_t first = 0; first < n; first += most) {
        const uint64_t count = smaller(n - first, most);
        table_slice slice = {};
        slice.table = points;
        slice.points = scratch;
        slice.layout = &layout;
        slice.check = check;
        slice.count = count;
        slice.n = count;
        slice.factor = 1;
        TRY(cuda_upload(engine, scratch, records + first * POINT_BYTES, count * POINT_BYTES));
        const sumac_status status = cuda_import_slice(engine, &SUMAC_SYMBOL(group), &slice, bad);
        if (status != SUMAC_OK) {
            *bad += first;
            return status;
        }
        TRY(cuda_launch(engine, engine->stream, lift_kernel, blocks_for(count * QUAD, PAIR_BLOCK), PAIR_BLOCK,
                        static_cast<xyzz *>(r) + first, points, count));
    }
    return cuda_finished(engine);
}

/* Convert points to raw ones, as many at a time as the scratch memory holds. They are first converted in a copy, each
 * at the beginning of its XYZZ point, and then packed, in the device's memory at `records` or, for the host, in the
 * scratch. */
static sumac_status write_records(const vector_run *run, void *records, const void *a, uint64_t n,
                                  sumac_form form, bool on_host)
{
    cuda_engine *engine = engine_of_run(run);
    const uint64_t most = VECTOR_SCRATCH / (sizeof(xyzz) + POINT_BYTES);
    void *scratch;
    TRY(vector_scratch(engine, &scratch));
    for (uint64_t first = 0; first < n; first += most) {
        const uint64_t count = smaller(n - first, most);
        uint8_t *to = static_cast<uint8_t *>(records) + first * POINT_BYTES;
        void *packed = on_host ? static_cast<void *>(static_cast<xyzz *>(scratch) + most) : to;
        CUDA_TRY(engine, cudaMemcpyAsync(scratch, static_cast<const xyzz *>(a) + first, count * sizeof(xyzz),
                                         cudaMemcpyDeviceToDevice, engine->stream));
        TRY(SUMAC_SYMBOL(export_points)(engine, scratch, count, 1, form));
        CUDA_TRY(engine, cudaMemcpy2DAsync(packed, POINT_BYTES, scratch, sizeof(xyzz), POINT_BYTES, count,
                                           cudaMemcpyDeviceToDevice, engine->stream));
        if (on_host) {
            TRY(cuda_download(engine, to, packed, count * POINT_BYTES));
        }
    }
    return cuda_finished(engine);
}

static sumac_status export_records(const vector_run *run, uint8_t *records, const void *a, uint64_t n,
                                   sumac_form form)
{
    return write_records(run, records, a, n, form, true);
}

static sumac_status lay_out_records(const vector_run *run, void *records, const void *a, uint64_t n)
{
    return write_records(run, records, a, n, SUMAC_FORM_MONTGOMERY, false);
}

/* ---- Element by element ---- */

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    vector_add_kernel(xyzz *r, const xyzz *a, uint64_t n, const xyzz *b, uint64_t each, uint64_t count,
                      int subtract)
{
    const uint64_t i = quad_number();
    fe left, right;
    fe_set_zero(&left); /* infinity, for quads behind the last point */
    fe_set_zero(&right);
    if (i < n) {
        load_coordinate(&left, &a[i]);
        load_coordinate(&right, &b[i / each % count]);
        apply_sign(&right, subtract && quad_lane() == QUAD_Y);
    }
    quad_add(&left, &left, &right);
    if (i < n) {
        store_coordinate(&r[i], &left);
    }
}

template <int subtract>
static sumac_status add(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b)
{
    return vector_launch(engine_of_run(run), vector_add_kernel, n * QUAD, PAIR_BLOCK, static_cast<xyzz *>(r),
                         static_cast<const xyzz *>(a), n, static_cast<const xyzz *>(b->elements), b->each,
                         b->count, subtract);
}

/* ---- Sums of rows ---- */

enum { SUM_MOST_WARPS = 4096 };

/* A warp adds up a part of a row: each of its quads adds up every WARP_QUADS-th point, and then the quads' sums are
 * added. */
static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    vector_sum_kernel(xyzz *r, const xyzz *a, uint64_t sums, uint64_t length, uint64_t parts)
{
    const uint64_t number = (blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x) / 32;
    if (number >= sums) {
        return;
    }
    const uint64_t part = number % parts, share = (length + parts - 1) / parts;
    const uint64_t end = (part + 1) * share < length ? (part + 1) * share : length;
    const xyzz *row = a + number / parts * length;
    fe sum, term;
    fe_set_zero(&sum);
#pragma unroll 1
    for (uint64_t first = part * share; first < end; first += WARP_QUADS) {
        const uint64_t i = first + threadIdx.x % 32 / QUAD;
        fe_set_zero(&term);
        if (i < end) {
            load_coordinate(&term, &row[i]);
        }
        quad_add_unless_infinity(&sum, &term);
    }
#pragma unroll 1
    for (int distance = 16; distance >= QUAD; distance /= 2) {
        fe_from_lane_above(&term, &sum, distance);
        quad_add_unless_infinity(&sum, &term);
    }
    if (threadIdx.x % 32 < QUAD) {
        store_coordinate(&r[number], &sum);
    }
}

static sumac_status sum_rows(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length)
{
    cuda_engine *engine = engine_of_run(run);
    return vector_sum_rows<xyzz>(
        engine, r, a, rows, length, SUM_MOST_WARPS, WARP_QUADS,
        [engine](xyzz *sums, const xyzz *points, uint64_t row_count, uint64_t row_length, uint64_t parts) {
            return cuda_launch(engine, engine->stream, vector_sum_kernel,
                               blocks_for(row_count * parts * 32, PAIR_BLOCK), PAIR_BLOCK, sums, points,
                               row_count * parts, row_length, parts);
        });
}

extern const point_vector_ops SUMAC_SYMBOL(point_vectors) = {
    .bytes = sizeof(xyzz),
    .import_records = import_records,
    .export_records = export_records,
    .lay_out_records = lay_out_records,
    .add = add<0>,
    .subtract = add<1>,
    .sum = sum_rows,
    .transform = SUMAC_SYMBOL(transform_points),
#if POINT_TWICE
    .transform_twice = SUMAC_SYMBOL(transform_points_twice),
#endif
};
