/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Vectors of points on the GPU, compiled per curve: point_vector_ops of vector/vector.h. Additions are made
 * by quads (quads.cuh).
 */
#include "cuda/quads.cuh"
#include "cuda/symbols.h"
#include "cuda/vectors.h"
#include "pipeline/record.h"
#include "vector/point_digits.h"

enum { POINTS_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 /* for the registers */ };

static __device__ __forceinline__ uint64_t quad_number(void)
{
    return (blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x) / QUAD;
}

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

/* Records and then points, in the scratch: so many at a time. */
static uint64_t records_at_a_time(void)
{
    return VECTOR_SCRATCH / (2 * sizeof(affine));
}

/* The device refuses a portion's first bad record, and so the first of all. */
static sumac_status import_records(const vector_run *run, void *r, const uint8_t *records, uint64_t n,
                                   sumac_form form, sumac_check check, uint64_t *bad)
{
    cuda_engine *engine = engine_of_run(run);
    const point_layout layout = {form, POINT_BYTES, SUMAC_INFINITY_ZERO, 0};
    const uint64_t most = records_at_a_time();
    void *scratch;
    STATUS_TRY(vector_scratch(engine, &scratch));
    affine *points = static_cast<affine *>(scratch) + most;
    for (uint64_t first = 0; first < n; first += most) {
        const uint64_t count = n - first < most ? n - first : most;
        table_slice slice = {};
        slice.table = points;
        slice.points = scratch;
        slice.layout = &layout;
        slice.check = check;
        slice.count = count;
        slice.n = count;
        slice.factor = 1;
        STATUS_TRY(cuda_device.upload(engine, scratch, records + first * POINT_BYTES, count * POINT_BYTES));
        const sumac_status status = cuda_import_slice(engine, &SUMAC_SYMBOL(curve), &slice, bad);
        if (status != SUMAC_OK) {
            *bad += first;
            return status;
        }
        lift_kernel<<<blocks_for(count * QUAD, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
            static_cast<xyzz *>(r) + first, points, count);
        CUDA_TRY(engine, cudaGetLastError());
    }
    return vector_wait(engine);
}

/* Points become raw in a copy of them, each at the beginning of its place, and then lie next to each other:
 * `count` of them, no more than the scratch holds. */
static sumac_status pack_records(cuda_engine *engine, void *scratch, void *records, const xyzz *points,
                                 uint64_t count, sumac_form form)
{
    CUDA_TRY(engine, cudaMemcpyAsync(scratch, points, count * sizeof(xyzz), cudaMemcpyDeviceToDevice,
                                     engine->stream));
    STATUS_TRY(SUMAC_SYMBOL(export_points)(engine, scratch, count, 1, form));
    CUDA_TRY(engine, cudaMemcpy2DAsync(records, POINT_BYTES, scratch, sizeof(xyzz), POINT_BYTES, count,
                                       cudaMemcpyDeviceToDevice, engine->stream));
    return SUMAC_OK;
}

static uint64_t points_at_a_time(void)
{
    return VECTOR_SCRATCH / (sizeof(xyzz) + POINT_BYTES);
}

static sumac_status export_records(const vector_run *run, uint8_t *records, const void *a, uint64_t n,
                                   sumac_form form)
{
    cuda_engine *engine = engine_of_run(run);
    const xyzz *points = static_cast<const xyzz *>(a);
    const uint64_t most = points_at_a_time();
    void *scratch;
    STATUS_TRY(vector_scratch(engine, &scratch));
    void *packed = static_cast<xyzz *>(scratch) + most;
    for (uint64_t first = 0; first < n; first += most) {
        const uint64_t count = n - first < most ? n - first : most;
        STATUS_TRY(pack_records(engine, scratch, packed, points + first, count, form));
        STATUS_TRY(cuda_device.download(engine, records + first * POINT_BYTES, packed, count * POINT_BYTES));
    }
    return SUMAC_OK;
}

static sumac_status lay_out_records(const vector_run *run, void *records, const void *a, uint64_t n)
{
    cuda_engine *engine = engine_of_run(run);
    const uint64_t most = points_at_a_time();
    void *scratch;
    STATUS_TRY(vector_scratch(engine, &scratch));
    for (uint64_t first = 0; first < n; first += most) {
        const uint64_t count = n - first < most ? n - first : most;
        STATUS_TRY(pack_records(engine, scratch, static_cast<uint8_t *>(records) + first * POINT_BYTES,
                                static_cast<const xyzz *>(a) + first, count, SUMAC_FORM_MONTGOMERY));
    }
    return vector_wait(engine);
}

/* ---- Element by element ---- */

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    vector_add_kernel(xyzz *r, const xyzz *a, uint64_t n, const xyzz *b, uint64_t each, uint64_t count,
                      int subtract)
{
    const uint64_t i = quad_number();
    fe left, right;
    fe_set_zero(&left); /* infinity: the rest of the last warp takes part */
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

static sumac_status add_signed(const vector_run *run, void *r, const void *a, uint64_t n,
                               const vector_operand *b, int subtract)
{
    cuda_engine *engine = engine_of_run(run);
    if (n == 0) {
        return SUMAC_OK;
    }
    vector_add_kernel<<<blocks_for(n * QUAD, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
        static_cast<xyzz *>(r), static_cast<const xyzz *>(a), n, static_cast<const xyzz *>(b->elements),
        b->each, b->count, subtract);
    CUDA_TRY(engine, cudaGetLastError());
    return vector_wait(engine);
}

static sumac_status add(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b)
{
    return add_signed(run, r, a, n, b, 0);
}

static sumac_status subtract(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b)
{
    return add_signed(run, r, a, n, b, 1);
}

/* ---- Sums of rows ---- */

enum { WARP_QUADS = 32 / QUAD, SUM_MOST_WARPS = 4096 };

/* A warp has a part of a row: its quads add up points that lie so many apart, and then their sums. */
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

static sumac_status launch_sums(cuda_engine *engine, xyzz *r, const xyzz *a, uint64_t rows, uint64_t length,
                                uint64_t parts)
{
    vector_sum_kernel<<<blocks_for(rows * parts * 32, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
        r, a, rows * parts, length, parts);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

/* Few long rows are added up in parts, which the scratch holds, and these once more. */
static sumac_status sum_rows(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length)
{
    cuda_engine *engine = engine_of_run(run);
    const xyzz *points = static_cast<const xyzz *>(a);
    uint64_t parts = 1;
    if (rows == 0) {
        return SUMAC_OK;
    }
    while (2 * parts * rows <= SUM_MOST_WARPS && 2 * parts * WARP_QUADS <= length) {
        parts *= 2;
    }
    if (parts > 1) {
        void *scratch;
        STATUS_TRY(vector_scratch(engine, &scratch));
        STATUS_TRY(launch_sums(engine, static_cast<xyzz *>(scratch), points, rows, length, parts));
        points = static_cast<const xyzz *>(scratch);
        length = parts;
    }
    STATUS_TRY(launch_sums(engine, static_cast<xyzz *>(r), points, rows, length, 1));
    return vector_wait(engine);
}

/* ---- Transforms ---- */

/* What recoding scalars takes of their field, for a kernel. */
struct recoding_field {
    uint64_t modulus[FR_LIMBS];
    scalar_field field; /* whose pointers are the host's */
    scalar_split split;
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

/* As quad_add and quad_twice, called: a multiple is made of hundreds of them. */
static __device__ __noinline__ fe quad_sum(fe a, fe b)
{
    quad_add(&a, &a, &b);
    return a;
}

static __device__ __noinline__ fe quad_doubled(fe a)
{
    quad_twice(&a);
    return a;
}

#if CURVE_HAS_GLV
SUMAC_CONST fe transform_beta = CURVE_BETA;
#endif

/* Multiples 1 .. POINT_DIGIT_MOST of the point, and behind them their images. */
static __device__ __forceinline__ void quad_multiples(fe *table, const fe *a)
{
    table[0] = *a;
    table[1] = quad_doubled(*a);
#pragma unroll 1
    for (int m = 2; m < POINT_DIGIT_MOST; m++) {
        table[m] = quad_sum(table[m - 1], *a);
    }
#if CURVE_HAS_GLV
#pragma unroll 1
    for (int m = 0; m < POINT_DIGIT_MOST; m++) {
        fe image;
        fe_mul_called(&image, &table[m], &transform_beta);
        table[POINT_DIGIT_MOST + m] = quad_lane() == QUAD_X ? image : table[m];
    }
#endif
}

/* *a = the scalar's multiple of the point, whose order divides r, where wanted. The whole warp calls it. */
static __device__ __forceinline__ void quad_multiply(fe *a, const point_digits *digits, uint32_t positions,
                                                     bool wanted)
{
    const bool finite = (quad_ballot(fe_is_zero(a)) >> QUAD_ZZ & 1) == 0;
    if (!__any_sync(0xffffffff, wanted && finite)) {
        return;
    }
    fe table[POINT_DIGIT_HALVES * POINT_DIGIT_MOST], sum, term;
    quad_multiples(table, a);
    fe_set_zero(&sum);
#pragma unroll 1
    for (uint32_t w = positions; w-- > 0;) {
#pragma unroll 1
        for (int i = 0; i < POINT_DIGIT_BITS && w + 1 < positions; i++) {
            sum = quad_doubled(sum);
        }
#pragma unroll 1
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            const uint32_t code = wanted ? digits->codes[half][w] : 0;
            if (__any_sync(0xffffffff, code > 1)) {
                fe_set_zero(&term);
                if (code > 1) {
                    term = table[half * POINT_DIGIT_MOST + (code >> 1) - 1];
                }
                apply_sign(&term, (code & 1) != 0 && quad_lane() == QUAD_Y);
                sum = quad_sum(sum, term);
            }
        }
    }
    if (wanted) {
        *a = sum;
    }
}

/* A layer of all rows, as src/cpu/vector_points.c explains it; or the products with scalars before or after
 * the layers. */
struct point_layer {
    xyzz *points;
    const point_digits *digits; /* of the roots; of the scalars */
    uint64_t items;             /* butterflies, or points */
    uint64_t rows;
    uint64_t half;  /* of a block */
    uint64_t count; /* of scalars: 1, or one for each of the first so many points of a row */
    uint32_t log2;
    uint32_t positions;
};

/* 1/w of block b is -w of another block: the difference is turned round. Blocks one after another, so that a
 * warp's quads have one root. */
template <bool inverse>
static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    butterflies_kernel(const __grid_constant__ point_layer layer)
{
    const uint64_t number = quad_number();
    const bool exists = number < layer.items;
    const uint64_t i = exists ? number : layer.items - 1;
    const uint64_t offset = i % layer.half, row = i / layer.half % layer.rows;
    const uint64_t block = i / layer.half / layer.rows;
    xyzz *lower = layer.points + (row << layer.log2) + 2 * layer.half * block + offset;
    xyzz *upper = lower + layer.half;
    const uint64_t other = block == 0 ? 0 : ((uint64_t)3 << (63 - __clzll((long long)block))) - 1 - block;
    fe u, v, difference;
    load_coordinate(&u, lower);
    load_coordinate(&v, upper);
    if (!inverse) {
        quad_multiply(&v, &layer.digits[block], layer.positions, block != 0);
    }
    fe minuend = u, subtrahend = v;
    if (inverse && block != 0) {
        minuend = v;
        subtrahend = u;
    }
    apply_sign(&subtrahend, quad_lane() == QUAD_Y);
    difference = quad_sum(minuend, subtrahend);
    u = quad_sum(u, v);
    if (inverse) {
        quad_multiply(&difference, &layer.digits[other], layer.positions, block != 0);
    }
    if (exists) {
        store_coordinate(lower, &u);
        store_coordinate(upper, &difference);
    }
}

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    multiply_kernel(const __grid_constant__ point_layer layer)
{
    const uint64_t number = quad_number();
    const bool exists = number < layer.items;
    const uint64_t i = exists ? number : layer.items - 1, each = layer.items / layer.rows;
    const uint64_t row = i / each, place = i % each;
    xyzz *point = layer.points + (row << layer.log2) + place;
    fe a;
    load_coordinate(&a, point);
    quad_multiply(&a, &layer.digits[layer.count == 1 ? 0 : place], layer.positions, true);
    if (exists) {
        store_coordinate(point, &a);
    }
}

/* A transform under way: the digits of its scalars in the device's memory. */
struct point_transform {
    const vector_run *run;
    const vector_transform *transform;
    const scalar_vector_ops *scalars;
    point_layer layer;
    point_digits *roots, *scale;
    void *factors; /* the scalars that the digits of scale are of */
};

static sumac_status recode(const point_transform *t, point_digits *digits, const void *scalars, uint64_t n)
{
    cuda_engine *engine = engine_of_run(t->run);
    const scalar_field *field = &t->run->curve->scalars;
    recoding_field own = {};
    own.field = *field;
    for (int i = 0; i < FR_LIMBS; i++) {
        own.modulus[i] = field->modulus[i];
    }
    if (field->split != NULL) {
        own.split = *field->split;
    }
    recode_kernel<<<blocks_for(n, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
        digits, static_cast<const uint64_t *>(scalars), n, t->layer.positions, own);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

/* What coefficient j is multiplied with, before a forward transform and after an inverse one: factor*ratio^j.
 * The host computes both numbers. */
static sumac_status scale_numbers(const point_transform *t, uint64_t *factor, uint64_t *ratio)
{
    const vector_transform *transform = t->transform;
    const scalar_vector_ops *host = t->run->code->scalar_vectors;
    const vector_run alone = {.threads = 1};
    const scalar_field *field = &t->run->curve->scalars;
    uint64_t half[FR_LIMBS];
    const vector_operand operand = {half, 1, 1};
    for (int i = 0; i < FR_LIMBS; i++) {
        half[i] = factor[i] = ratio[i] = field->one[i];
        if (transform->shift != NULL) {
            ratio[i] = static_cast<const uint64_t *>(transform->shift)[i];
        }
    }
    if (transform->inverse) {
        STATUS_TRY(host->add(&alone, half, half, 1, &operand));
        STATUS_TRY(host->invert(&alone, half, 1));
        for (uint32_t i = 0; i < transform->log2; i++) {
            STATUS_TRY(host->multiply(&alone, factor, factor, 1, &operand));
        }
        STATUS_TRY(host->invert(&alone, ratio, 1));
    }
    return SUMAC_OK;
}

static void *allocate(cuda_engine *engine, uint64_t bytes, sumac_status *status)
{
    void *memory = *status == SUMAC_OK ? cuda_allocate(engine, bytes) : NULL;
    if (*status == SUMAC_OK && memory == NULL) {
        *status = cuda_allocation_failed(engine, cudaErrorMemoryAllocation, bytes, "a transform of points");
    }
    return memory;
}

/* The digits of the roots, and of the numbers that coefficients are multiplied with, if they are. */
static sumac_status begin_transform(point_transform *t)
{
    cuda_engine *engine = engine_of_run(t->run);
    const vector_transform *transform = t->transform;
    const uint64_t roots = ((uint64_t)1 << transform->log2) / 2;
    uint64_t factor[FR_LIMBS], ratio[FR_LIMBS];
    sumac_status status = SUMAC_OK;
    t->layer.count =
        transform->shift != NULL ? transform->coefficients : transform->inverse && transform->log2 > 0;
    t->roots = static_cast<point_digits *>(allocate(engine, roots * sizeof(point_digits), &status));
    if (status == SUMAC_OK && roots > 0) {
        status = recode(t, t->roots, transform->roots, roots);
    }
    if (status != SUMAC_OK || t->layer.count == 0) {
        return status;
    }
    t->scale = static_cast<point_digits *>(allocate(engine, t->layer.count * sizeof(point_digits), &status));
    t->factors = allocate(engine, t->layer.count * t->scalars->bytes, &status);
    STATUS_TRY(status);
    STATUS_TRY(scale_numbers(t, factor, ratio));
    STATUS_TRY(
        cuda_vectors.fill(t->run, t->factors, t->run->curve->scalars.one, t->scalars->bytes, t->layer.count));
    STATUS_TRY(t->scalars->scale_powers(t->run, t->factors, t->layer.count, t->layer.count, factor, ratio));
    return recode(t, t->scale, t->factors, t->layer.count);
}

static sumac_status scale_points(const point_transform *t)
{
    cuda_engine *engine = engine_of_run(t->run);
    point_layer layer = t->layer;
    if (layer.count == 0) {
        return SUMAC_OK;
    }
    layer.digits = t->scale;
    layer.items = layer.rows * t->transform->coefficients;
    multiply_kernel<<<blocks_for(layer.items * QUAD, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(layer);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

/* The coefficients that are not looked at, or not wanted, become infinity. */
static sumac_status clear_coefficients(const point_transform *t)
{
    cuda_engine *engine = engine_of_run(t->run);
    const uint64_t n = (uint64_t)1 << t->transform->log2, used = t->transform->coefficients;
    if (used < n) {
        CUDA_TRY(engine, cudaMemset2DAsync(t->layer.points + used, n * sizeof(xyzz), 0,
                                           (n - used) * sizeof(xyzz), t->layer.rows, engine->stream));
    }
    return SUMAC_OK;
}

static sumac_status make_layers(const point_transform *t)
{
    cuda_engine *engine = engine_of_run(t->run);
    const uint32_t log2 = t->transform->log2;
    for (uint32_t i = 0; i < log2; i++) {
        point_layer layer = t->layer;
        layer.digits = t->roots;
        layer.items = (layer.rows << log2) / 2;
        layer.half = (uint64_t)1 << (t->transform->inverse ? i : log2 - 1 - i);
        const unsigned blocks = blocks_for(layer.items * QUAD, PAIR_BLOCK);
        if (t->transform->inverse) {
            butterflies_kernel<true><<<blocks, PAIR_BLOCK, 0, engine->stream>>>(layer);
        } else {
            butterflies_kernel<false><<<blocks, PAIR_BLOCK, 0, engine->stream>>>(layer);
        }
        CUDA_TRY(engine, cudaGetLastError());
    }
    return SUMAC_OK;
}

static sumac_status reorder(const point_transform *t, bool wanted)
{
    return wanted ? vector_reverse_rows(engine_of_run(t->run), t->layer.points, sizeof(xyzz), t->layer.rows,
                                        t->layer.log2)
                  : SUMAC_OK;
}

static sumac_status make_transform(point_transform *t)
{
    const vector_transform *transform = t->transform;
    const bool reversed = transform->coefficient_order == SUMAC_ORDER_BIT_REVERSED;
    const bool natural = transform->value_order == SUMAC_ORDER_NATURAL;
    STATUS_TRY(begin_transform(t));
    STATUS_TRY(reorder(t, transform->inverse ? natural : reversed));
    if (!transform->inverse) {
        STATUS_TRY(clear_coefficients(t));
        STATUS_TRY(scale_points(t));
    }
    STATUS_TRY(make_layers(t));
    if (transform->inverse) {
        STATUS_TRY(scale_points(t));
        STATUS_TRY(clear_coefficients(t));
    }
    STATUS_TRY(reorder(t, transform->inverse ? reversed : natural));
    return vector_wait(engine_of_run(t->run));
}

static sumac_status transform_points(const vector_run *run, void *r, const vector_transform *transform,
                                     const struct scalar_vector_ops *scalars)
{
    point_transform t = {};
    if (transform->rows == 0) {
        return SUMAC_OK;
    }
    t.run = run;
    t.transform = transform;
    t.scalars = scalars;
    t.layer.points = static_cast<xyzz *>(r);
    t.layer.rows = transform->rows;
    t.layer.log2 = transform->log2;
    t.layer.positions = digit_positions(&run->curve->scalars);
    const sumac_status status = make_transform(&t);
    (void)cudaStreamSynchronize(engine_of_run(run)->stream); /* after a failure, too */
    cuda_release(t.roots);
    cuda_release(t.scale);
    cuda_release(t.factors);
    return status;
}

extern const point_vector_ops SUMAC_SYMBOL(point_vectors) = {
    .bytes = sizeof(xyzz),
    .import_records = import_records,
    .export_records = export_records,
    .lay_out_records = lay_out_records,
    .add = add,
    .subtract = subtract,
    .sum = sum_rows,
    .transform = transform_points,
};
