/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/work.h"

#include <stdlib.h>

#include "api/bases.h"
#include "codec/bytes.h"

enum { MOST_SCALAR_BYTES = 64 /* of any curve */ };

work work_begin(sumac_context *context, const sumac_curve *curve)
{
    return (work){.executor = context_executor(context), .whole = context, .curve = curve};
}

work work_of_share(const share *own, const sumac_curve *curve)
{
    return (work){.executor = own->executor, .shard = own->index, .curve = curve};
}

work work_within(const work *outer)
{
    return (work){
        .executor = outer->executor, .shard = outer->shard, .whole = outer->whole, .curve = outer->curve};
}

size_t work_sub_batch(const work *w, size_t count, size_t scalars)
{
    static const size_t most_scalars[] = {
        [SUMAC_LOCATION_HOST] = (size_t)1 << 17,   /* what a core's cache holds of them */
        [SUMAC_LOCATION_DEVICE] = (size_t)1 << 22, /* what keeps a GPU busy for tens of milliseconds */
    };
    const size_t most =
        most_scalars[w->executor->engine == NULL ? SUMAC_LOCATION_HOST : SUMAC_LOCATION_DEVICE];
    const size_t sub_batch = scalars < most ? most / scalars : 1;
    return sub_batch < count ? sub_batch : count;
}

sumac_status work_end(work *w)
{
    for (size_t i = 0; i < w->vector_count; i++) {
        vector_destroy(w->vectors[i]);
    }
    for (size_t i = 0; i < w->block_count; i++) {
        free(w->blocks[i]);
    }
    for (size_t i = 0; i < w->bases_count; i++) {
        sumac_bases_destroy(w->bases[i]);
    }
    w->vector_count = w->block_count = w->bases_count = 0;
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

void work_ask(work *w)
{
    if (w->status == SUMAC_OK) {
        w->status = executor_report(w->executor, 0);
    }
}

void *work_memory(work *w, size_t count, size_t size)
{
    size_t bytes;
    if (w->status != SUMAC_OK) {
        return NULL;
    }
    if (w->block_count == WORK_MOST) {
        w->status =
            refuse(&w->executor->message, SUMAC_INTERNAL, "a call has more blocks of memory than it may");
        return NULL;
    }
    void *block = NULL;
    if (!__builtin_mul_overflow(count, size, &bytes)) {
        block = malloc(bytes > 0 ? bytes : 1);
    }
    if (block == NULL) {
        w->status = refuse(&w->executor->message, SUMAC_OUT_OF_MEMORY,
                           "there is no memory of %zu times %zu bytes", count, size);
        return NULL;
    }
    w->blocks[w->block_count++] = block;
    return block;
}

static sumac_vector *create(work *w, sumac_vector_kind elements, size_t count)
{
    sumac_vector *vector = NULL;
    if (w->status == SUMAC_OK && w->vector_count == WORK_MOST) {
        w->status = refuse(&w->executor->message, SUMAC_INTERNAL, "a call has more vectors than it may");
    }
    if (w->status == SUMAC_OK) {
        w->status = vector_create_zeros(w->executor, w->curve, elements, count, &vector);
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

const sumac_bases *work_bases(work *w, const uint8_t *points, size_t n)
{
    sumac_bases_config config = sumac_bases_config_default();
    sumac_bases *bases = NULL;
    config.check = SUMAC_CHECK_NONE; /* they were checked where they came from: work.h */
    if (w->status == SUMAC_OK && w->bases_count == WORK_MOST_BASES) {
        w->status = refuse(&w->executor->message, SUMAC_INTERNAL, "a call has more bases than it may");
    }
    if (w->status == SUMAC_OK) {
        w->status = bases_make(w->whole, w->curve, points, n, &config, &bases);
    }
    if (w->status == SUMAC_OK) {
        w->bases[w->bases_count++] = bases;
    }
    return bases;
}

static sumac_element_layout big_endian(void)
{
    sumac_element_layout layout = sumac_element_layout_default();
    layout.byte_order = SUMAC_BIG_ENDIAN;
    return layout;
}

static void write_elements(work *w, sumac_vector *to, size_t first, size_t n, const uint8_t *elements,
                           const sumac_element_layout *layout)
{
    if (w->status == SUMAC_OK && n > 0) {
        w->status = vector_set(w->executor, to, first, n, elements, layout);
    }
}

static void read_elements(work *w, const sumac_vector *from, size_t first, size_t n, uint8_t *elements,
                          const sumac_element_layout *layout)
{
    if (w->status == SUMAC_OK && n > 0) {
        w->status = vector_get(w->executor, from, first, n, elements, layout);
    }
}

void work_write_elements(work *w, sumac_vector *to, size_t first, size_t n, const uint8_t *elements)
{
    const sumac_element_layout layout = big_endian();
    write_elements(w, to, first, n, elements, &layout);
}

void work_read_elements(work *w, const sumac_vector *from, size_t first, size_t n, uint8_t *elements)
{
    const sumac_element_layout layout = big_endian();
    read_elements(w, from, first, n, elements, &layout);
}

void work_write(work *w, sumac_vector *to, size_t first, size_t n, const uint8_t *raw)
{
    sumac_element_layout layout = sumac_element_layout_default();
    layout.check = SUMAC_CHECK_NONE; /* points of bases, which were checked when those were made */
    write_elements(w, to, first, n, raw, &layout);
}

void work_read(work *w, const sumac_vector *from, size_t first, size_t n, uint8_t *raw)
{
    const sumac_element_layout layout = sumac_element_layout_default();
    read_elements(w, from, first, n, raw, &layout);
}

void work_copy_across(work *w, sumac_vector *to, size_t to_first, const sumac_vector *from, size_t from_first,
                      size_t n)
{
    if (w->status == SUMAC_OK && n > 0) {
        w->status = vector_copy_across(w->executor, to, to_first, from, from_first, n);
    }
}

void work_copy(work *w, sumac_vector *to, work_part to_part, const sumac_vector *from, work_part from_part,
               size_t runs, size_t length)
{
    const vector_slice to_slice = {to_part.first, runs, length, to_part.stride};
    const vector_slice from_slice = {from_part.first, runs, length, from_part.stride};
    if (w->status == SUMAC_OK) {
        w->status = vector_copy(w->executor, to, &to_slice, from, &from_slice);
    }
}

void work_add(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each)
{
    if (w->status == SUMAC_OK) {
        w->status = vector_add(w->executor, result, a, b, each);
    }
}

void work_subtract(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each)
{
    if (w->status == SUMAC_OK) {
        w->status = vector_subtract(w->executor, result, a, b, each);
    }
}

void work_multiply(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each)
{
    if (w->status == SUMAC_OK) {
        w->status = vector_multiply(w->executor, result, a, b, each);
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
        w->status = vector_invert(w->executor, vector);
    }
}

void work_fill(work *w, sumac_vector *vector, const uint8_t *raw)
{
    if (w->status == SUMAC_OK) {
        w->status = vector_fill(w->executor, vector, raw);
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
        w->status = vector_sum(w->executor, result, a, length);
    }
}

void work_gather(work *w, sumac_vector *to, const sumac_vector *from, size_t length, const uint64_t *rows,
                 size_t n)
{
    if (w->status == SUMAC_OK) {
        w->status = vector_gather(w->executor, to, from, length, rows, n);
    }
}

void work_transpose(work *w, sumac_vector *result, const sumac_vector *a, size_t rows, size_t columns)
{
    if (w->status == SUMAC_OK) {
        w->status = vector_transpose(w->executor, result, a, rows, columns);
    }
}

void work_ntt(work *w, sumac_vector *vector, const sumac_transform_config *config)
{
    work_ask(w);
    if (w->status == SUMAC_OK) {
        w->status = vector_ntt(w->executor, vector, config);
    }
}

void work_point_transform(work *w, sumac_vector *vector, const sumac_transform_config *config)
{
    work_ask(w);
    if (w->status == SUMAC_OK) {
        w->status = vector_ntt(w->executor, vector, config);
    }
}

void work_point_transform_twice(work *w, sumac_vector *points, size_t length, sumac_order value_order)
{
    work_ask(w);
    if (w->status == SUMAC_OK) {
        w->status = vector_point_transform_twice(w->executor, points, length, value_order);
    }
}

void work_powers(work *w, sumac_vector *powers, const sumac_vector *base)
{
    uint8_t ratio[MOST_SCALAR_BYTES];
    work_read(w, base, 0, 1, ratio);
    work_fill_integer(w, powers, 1);
    if (w->status == SUMAC_OK && sumac_vector_count(powers) > 0) {
        w->status = vector_scale_powers(w->executor, powers, sumac_vector_count(powers), NULL, ratio);
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
    if (w->status != SUMAC_OK) {
        return;
    }
    w->status = vector_msm(w->executor, w->whole != NULL ? context_executors(w->whole) : NULL, sums->bases,
                           w->shard, scalars, first, sums->n, &config, results, result_first);
}
