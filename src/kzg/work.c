/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/work.h"

#include <stdlib.h>

#include "api/call.h"
#include "codec/bytes.h"

enum { MOST_SCALAR_BYTES = 64 /* of any curve */ };

work work_begin(sumac_context *context, const sumac_curve *curve)
{
    return (work){.context = context, .curve = curve};
}

size_t work_sub_batch(const work *w, size_t count, size_t scalars)
{
    static const size_t most_scalars[] = {
        [SUMAC_LOCATION_HOST] = (size_t)1 << 17,   /* what a core's cache holds of them */
        [SUMAC_LOCATION_DEVICE] = (size_t)1 << 22, /* what keeps a GPU busy for tens of milliseconds */
    };
    const size_t most = most_scalars[sumac_context_location(w->context)];
    const size_t sub_batch = scalars < most ? most / scalars : 1;
    return sub_batch < count ? sub_batch : count;
}

sumac_status work_end(work *w)
{
    for (size_t i = 0; i < w->vector_count; i++) {
        sumac_vector_destroy(w->vectors[i]);
    }
    for (size_t i = 0; i < w->block_count; i++) {
        free(w->blocks[i]);
    }
    w->vector_count = w->block_count = 0;
    return w->status;
}

int work_is_ok(const work *w)
{
    return w->status == SUMAC_OK;
}

void work_note(work *w, sumac_status status)
{
    if (w->status == SUMAC_OK) {
        w->status = status;
    }
}

void *work_memory(work *w, size_t count, size_t size)
{
    size_t bytes;
    if (w->status != SUMAC_OK) {
        return NULL;
    }
    if (w->block_count == WORK_MOST) {
        w->status = fail(w->context, SUMAC_INTERNAL, "a call has more blocks of memory than it may");
        return NULL;
    }
    void *block = NULL;
    if (!__builtin_mul_overflow(count, size, &bytes)) {
        block = malloc(bytes > 0 ? bytes : 1);
    }
    if (block == NULL) {
        w->status =
            fail(w->context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu times %zu bytes", count, size);
        return NULL;
    }
    w->blocks[w->block_count++] = block;
    return block;
}

static sumac_vector *create(work *w, sumac_vector_kind elements, size_t count)
{
    sumac_vector *vector = NULL;
    if (w->status == SUMAC_OK && w->vector_count == WORK_MOST) {
        w->status = fail(w->context, SUMAC_INTERNAL, "a call has more vectors than it may");
    }
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_create(w->context, w->curve, elements, count, &vector);
    }
    if (w->status == SUMAC_OK) {
        w->vectors[w->vector_count++] = vector;
    }
    return vector;
}

sumac_vector *work_scalars(work *w, size_t count)
{
    return create(w, SUMAC_VECTOR_SCALARS, count);
}

sumac_vector *work_points(work *w, size_t count)
{
    return create(w, SUMAC_VECTOR_POINTS, count);
}

static sumac_element_layout big_endian(void)
{
    sumac_element_layout layout = sumac_element_layout_default();
    layout.byte_order = SUMAC_BIG_ENDIAN;
    return layout;
}

void work_write_elements(work *w, sumac_vector *to, size_t first, size_t n, const uint8_t *elements)
{
    const sumac_element_layout layout = big_endian();
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_set(w->context, to, elements, first, n, &layout);
    }
}

void work_read_elements(work *w, const sumac_vector *from, size_t first, size_t n, uint8_t *elements)
{
    const sumac_element_layout layout = big_endian();
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_get(w->context, from, first, n, &layout, elements);
    }
}

void work_write(work *w, sumac_vector *to, size_t first, size_t n, const uint8_t *raw)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_set(w->context, to, raw, first, n, NULL);
    }
}

void work_read(work *w, const sumac_vector *from, size_t first, size_t n, uint8_t *raw)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_get(w->context, from, first, n, NULL, raw);
    }
}

void work_copy(work *w, sumac_vector *to, work_part to_part, const sumac_vector *from, work_part from_part,
               size_t runs, size_t length)
{
    sumac_slice to_slice = sumac_slice_of(to_part.first, length);
    sumac_slice from_slice = sumac_slice_of(from_part.first, length);
    to_slice.runs = from_slice.runs = runs;
    to_slice.stride = to_part.stride;
    from_slice.stride = from_part.stride;
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_copy(w->context, from, &from_slice, to, &to_slice);
    }
}

void work_add(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_add(w->context, a, b, each, result);
    }
}

void work_subtract(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_subtract(w->context, a, b, each, result);
    }
}

void work_multiply(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_multiply(w->context, a, b, each, result);
    }
}

void work_square(work *w, sumac_vector *vector, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        work_multiply(w, vector, vector, vector, 1);
    }
}

void work_invert(work *w, sumac_vector *vector)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_invert(w->context, vector);
    }
}

void work_fill(work *w, sumac_vector *vector, const uint8_t *raw)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_fill(w->context, vector, raw);
    }
}

void work_fill_integer(work *w, sumac_vector *vector, uint64_t integer)
{
    uint8_t raw[MOST_SCALAR_BYTES] = {0};
    store_le64(raw, integer);
    work_fill(w, vector, raw);
}

void work_sum(work *w, sumac_vector *result, const sumac_vector *a, size_t length)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_sum(w->context, a, length, result);
    }
}

void work_gather(work *w, sumac_vector *to, const sumac_vector *from, size_t length, const uint64_t *rows,
                 size_t n)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_gather(w->context, from, length, rows, n, to);
    }
}

void work_transpose(work *w, sumac_vector *result, const sumac_vector *a, size_t rows, size_t columns)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_transpose(w->context, a, rows, columns, result);
    }
}

void work_ntt(work *w, sumac_vector *vector, const sumac_transform_config *config)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_ntt(w->context, vector, config);
    }
}

void work_point_transform(work *w, sumac_vector *vector, const sumac_transform_config *config)
{
    if (w->status == SUMAC_OK) {
        w->status = sumac_vector_point_transform(w->context, vector, config);
    }
}

void work_powers(work *w, sumac_vector *powers, const sumac_vector *base)
{
    uint8_t ratio[MOST_SCALAR_BYTES];
    work_read(w, base, 0, 1, ratio);
    work_fill_integer(w, powers, 1);
    if (w->status == SUMAC_OK && sumac_vector_count(powers) > 0) {
        w->status = sumac_vector_scale_powers(w->context, powers, NULL, ratio, sumac_vector_count(powers));
    }
}

void work_msm(work *w, const work_sums *sums, const sumac_vector *scalars, size_t first,
              sumac_vector *results, size_t result_first)
{
    sumac_msm_config config = sumac_msm_config_default();
    config.batch = (uint32_t)sums->batch;
    config.separate_bases = sums->base_sets != 0;
    config.base_sets = (uint32_t)sums->base_sets;
    config.first = sums->first_base;
    if (w->status == SUMAC_OK) {
        w->status = sumac_msm_vectors(w->context, sums->bases, scalars, first, sums->n, &config, results,
                                      result_first);
    }
}
