/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file transforms points on the GPU; it is compiled per curve. A product by a root is a chain of some 128
 * doublings, and each layer waits for its products. So a transform of few points merges several layers, whose products
 * all begin at the same time, and a transform of many points computes each product by one lane.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/vector/point_multiples.cuh"

/* ---- A layer at a time; products with scalars ---- */

static __device__ __forceinline__ quad_chain chain_of(const point_digits *digits, const sparse_digits *sparse,
                                                      uint64_t number, uint32_t positions)
{
    return {&digits[number], sparse == NULL ? NULL : &sparse[number], positions, 0, POINT_DIGIT_HALVES};
}

/* This is a layer of all rows, which src/cpu/vector_point_transforms.c explains, or the products with scalars before or
 * after the layers. */
struct point_layer {
    xyzz *points;
    const point_digits *digits;  /* digits of the roots, or of the scalars */
    const sparse_digits *sparse; /* digits of the roots; null if a warp has several roots */
    uint64_t items;              /* butterflies, or points */
    uint64_t rows;
    uint64_t half;  /* half of the points of a block */
    uint64_t count; /* scalars: 1 for all points, or one for each of a row's first `count` points */
    uint32_t log2;
    uint32_t positions;
};

/* 1/w of block b is -w of another block, so an inverse negates the difference. Quads are numbered block by block, so
 * that a warp's quads have one root. */
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
        quad_multiply(&v, chain_of(layer.digits, layer.sparse, block, layer.positions), block != 0);
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
        quad_multiply(&difference, chain_of(layer.digits, layer.sparse, other, layer.positions), block != 0);
    }
    if (exists) {
        store_coordinate(lower, &u);
        store_coordinate(upper, &difference);
    }
}

#if POINT_LANES
static __device__ __noinline__ void lane_sum(xyzz *r, const xyzz *a, const xyzz *b)
{
    xyzz_add(r, a, b);
}

/* Do a layer of a forward transform, one lane for each butterfly. */
static __global__ void __launch_bounds__(PAIR_BLOCK, LANES_BLOCKS_PER_SM)
    lanes_kernel(const __grid_constant__ point_layer layer)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (i >= layer.items) {
        return;
    }
    const uint64_t offset = i % layer.half, row = i / layer.half % layer.rows;
    const uint64_t block = i / layer.half / layer.rows;
    xyzz *lower = layer.points + (row << layer.log2) + 2 * layer.half * block + offset;
    xyzz *upper = lower + layer.half;
    xyzz u, v = *upper, sum;
    if (block != 0 && !xyzz_is_infinity(&v)) {
        lane_multiply(&v, &layer.sparse[block]);
    }
    u = *lower;
    lane_sum(&sum, &u, &v);
    *lower = sum;
    fe_neg(&v.y, &v.y);
    lane_sum(&sum, &u, &v);
    *upper = sum;
}
#endif

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    multiply_kernel(const __grid_constant__ point_layer layer)
{
    const uint64_t number = quad_number();
    const bool exists = number < layer.items;
    const uint64_t i = exists ? number : layer.items - 1, each = layer.items / layer.rows;
    const uint64_t row = i / each, index = i % each;
    xyzz *point = layer.points + (row << layer.log2) + index;
    fe a;
    load_coordinate(&a, point);
    quad_multiply(&a, chain_of(layer.digits, NULL, layer.count == 1 ? 0 : index, layer.positions), true);
    if (exists) {
        store_coordinate(point, &a);
    }
}

/* ---- Several layers at once, forward ---- */

/*
 * These are layers first .. first + merged - 1 of all rows. In block b of 2^first blocks the 2^merged points x_k,
 * `spacing` apart, become
 *   y_j = sum over k of x_k z_j^k,  z_j = z_0 w^(rev(j) n/2^merged),
 * where w has order n = 2^log2, rev reverses `merged` bits, and z_0 is root number b*2^(merged - 1). So an x_k with k =
 * 2^v*odd has 2^(merged - v) factors, half of which are the negatives of the others. That leaves 2^(merged - 1 - v)
 * products, numbered in the order of v, then of k. x_0 itself is the last "product".
 */
struct merged_layers {
    xyzz *points;
    xyzz *products;
    const point_digits *digits;  /* digits of the roots */
    const sparse_digits *sparse; /* digits of the roots; null if a warp has several roots */
    uint64_t items;              /* products, or parts of sums */
    uint64_t rows;
    uint64_t spacing;
    uint32_t log2, merged;
    uint32_t positions;
    uint32_t terms; /* products of 2^merged points, x_0 included */
    uint32_t parts; /* neighbouring quads that share a sum: a divisor of WARP_QUADS and of 2^merged */
};

enum { MOST_MERGED = 7 };

/* Return the number of products of all x_k with k = 2^v*odd. */
static __host__ __device__ __forceinline__ uint32_t terms_of_power(uint32_t merged, uint32_t v)
{
    return 1u << 2 * (merged - 1 - v);
}

static uint32_t terms_of(uint32_t merged)
{
    uint32_t terms = 1;
    for (uint32_t v = 0; v < merged; v++) {
        terms += terms_of_power(merged, v);
    }
    return terms;
}

/* Return the number of quads that share a sum. */
static uint32_t parts_of(uint32_t merged)
{
    return merged < 4 ? 1 : WARP_QUADS;
}

static __device__ __forceinline__ uint64_t reversed(uint64_t i, uint32_t bits)
{
    return bits == 0 ? 0 : __brevll(i) >> (64 - bits);
}

/* Return the exponent of w in product `term` of a block, and set *k to the number of the product's x_k. */
static __device__ __forceinline__ uint64_t term_exponent(const merged_layers &m, uint64_t block,
                                                         uint32_t term, uint32_t *k)
{
    uint32_t v = 0;
    for (; v < m.merged && term >= terms_of_power(m.merged, v); v++) {
        term -= terms_of_power(m.merged, v);
    }
    if (v == m.merged) { /* x_0 */
        *k = 0;
        return 0;
    }
    const uint32_t factors = 1u << (m.merged - 1 - v);
    const uint64_t n = (uint64_t)1 << m.log2;
    *k = (2 * (term / factors) + 1) << v;
    const uint64_t first = reversed(block << (m.merged - 1), m.log2 - 1);
    return (*k * first + (((uint64_t)(term % factors) << v) * n >> m.merged)) & (n - 1);
}

/* Return the number of the product of x_k that is a summand of y_j. *negative becomes 1 if it is subtracted. */
static __device__ __forceinline__ uint32_t term_of(const merged_layers &m, uint32_t j, uint32_t k,
                                                   bool *negative)
{
    *negative = false;
    if (k == 0) {
        return m.terms - 1;
    }
    const uint32_t v = (uint32_t)__ffs((int)k) - 1;
    uint32_t before = 0;
    for (uint32_t smaller = 0; smaller < v; smaller++) {
        before += terms_of_power(m.merged, smaller);
    }
    const uint32_t turn = (k * (uint32_t)reversed(j, m.merged) & ((1u << m.merged) - 1)) >> v;
    const uint32_t factors = 1u << (m.merged - 1 - v);
    *negative = turn >= factors;
    return before + (k >> (v + 1)) * factors + turn % factors;
}

/* Quads are numbered term by term, so that a warp's quads have the same root if rows * spacing is large enough. */
static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    products_kernel(const __grid_constant__ merged_layers m)
{
    const uint64_t number = quad_number();
    const bool exists = number < m.items;
    const uint64_t i = exists ? number : m.items - 1;
    const uint64_t offset = i % m.spacing, row = i / m.spacing % m.rows, rest = i / m.spacing / m.rows;
    const uint64_t block = rest / m.terms, half = (uint64_t)1 << (m.log2 - 1);
    uint32_t k;
    const uint64_t exponent = term_exponent(m, block, (uint32_t)(rest % m.terms), &k);
    const uint64_t root = reversed(exponent & (half - 1), m.log2 - 1);
    fe a;
    load_coordinate(&a, &m.points[(row << m.log2) + ((block << m.merged) + k) * m.spacing + offset]);
    quad_multiply(&a, chain_of(m.digits, m.sparse, root, m.positions), root != 0);
    apply_sign(&a, exponent >= half && quad_lane() == QUAD_Y);
    if (exists) {
        store_coordinate(&m.products[i], &a);
    }
}

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    merged_sums_kernel(const __grid_constant__ merged_layers m)
{
    const uint64_t number = quad_number();
    const bool exists = number < m.items;
    const uint64_t i = (exists ? number : m.items - 1) / m.parts;
    const uint64_t offset = i % m.spacing, row = i / m.spacing % m.rows, rest = i / m.spacing / m.rows;
    const uint64_t block = rest >> m.merged;
    const uint32_t j = (uint32_t)rest & ((1u << m.merged) - 1);
    fe sum, term;
    fe_set_zero(&sum);
#pragma unroll 1
    for (uint32_t k = (uint32_t)number % m.parts; k < 1u << m.merged; k += m.parts) {
        bool negative;
        const uint64_t number_of_term = block * m.terms + term_of(m, j, k, &negative);
        load_coordinate(&term, &m.products[(number_of_term * m.rows + row) * m.spacing + offset]);
        apply_sign(&term, negative && quad_lane() == QUAD_Y);
        sum = quad_sum(sum, term);
    }
#pragma unroll 1
    for (uint32_t distance = m.parts / 2; distance > 0; distance /= 2) {
        fe_from_lane_above(&term, &sum, (int)(distance * QUAD));
        sum = quad_sum(sum, term);
    }
    if (exists && number % m.parts == 0) {
        store_coordinate(&m.points[(row << m.log2) + ((block << m.merged) + j) * m.spacing + offset], &sum);
    }
}

/* ---- A transform ---- */

/* This is the state of a transform. The digits of its scalars are in the device's memory. */
struct point_transform {
    const vector_run *run;
    const vector_transform *transform;
    const scalar_vector_ops *scalars;
    point_layer layer;
    point_digits *roots, *scale;
    sparse_digits *sparse; /* digits of the roots */
    uint64_t *factors;     /* the scalars whose digits are `scale` */
    xyzz *products;        /* the products of merged layers; null if no layers are merged */
};

/* Allocate memory of the device, which end_transform() frees behind the transform's work. */
template <typename element>
static sumac_status allocate(const point_transform *t, element **memory, uint64_t count)
{
    cuda_engine *engine = engine_of_run(t->run);
    const uint64_t bytes = count * sizeof(element);
    *memory = static_cast<element *>(cuda_allocate_in_order(engine, bytes));
    return *memory == NULL ? cuda_out_of_memory(engine, bytes, "a transform of points") : SUMAC_OK;
}

/* Compute the digits of the roots, and if coefficients are scaled, those of the factors. */
static sumac_status begin_transform(point_transform *t)
{
    const vector_transform *transform = t->transform;
    const uint64_t roots = ((uint64_t)1 << transform->log2) / 2;
    uint64_t factor[FR_LIMBS], ratio[FR_LIMBS];
    t->layer.count =
        transform->shift != NULL ? transform->coefficients : transform->inverse && transform->log2 > 0;
    TRY(allocate(t, &t->roots, roots));
    TRY(allocate(t, &t->sparse, roots));
    if (roots > 0) {
        TRY(recode_scalars(t->run, t->roots, transform->roots, roots));
        TRY(recode_sparsely(t->run, t->sparse, t->roots, roots));
    }
    if (t->layer.count == 0) {
        return SUMAC_OK;
    }
    TRY(allocate(t, &t->scale, t->layer.count));
    TRY(allocate(t, &t->factors, t->layer.count * FR_LIMBS));
    TRY(vector_scale_numbers(t->run, transform, factor, ratio));
    TRY(cuda_vectors.fill(t->run, t->factors, registered(t->run->group)->scalars.one, t->scalars->bytes,
                          t->layer.count));
    TRY(t->scalars->scale_powers(t->run, t->factors, t->layer.count, t->layer.count, factor, ratio));
    return recode_scalars(t->run, t->scale, t->factors, t->layer.count);
}

[[maybe_unused]] static void end_transform(point_transform *t)
{
    for (void *memory :
         {static_cast<void *>(t->roots), static_cast<void *>(t->sparse), static_cast<void *>(t->products),
          static_cast<void *>(t->scale), static_cast<void *>(t->factors)}) {
        cuda_release_in_order(engine_of_run(t->run), memory);
    }
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
    return cuda_launch(engine, engine->stream, multiply_kernel, blocks_for(layer.items * QUAD, PAIR_BLOCK),
                       PAIR_BLOCK, layer);
}

/* Return whether one lane computes a butterfly. It does if the butterflies are enough for a warp on five of eight of
 * the device's schedulers. */
static bool by_lanes(const point_transform *t)
{
    const uint64_t butterflies = (t->layer.rows << t->layer.log2) / 2;
    return POINT_LANES && !t->transform->inverse &&
           8 * butterflies >= 5 * (uint64_t)engine_of_run(t->run)->multiprocessors * PAIR_BLOCK;
}

static sumac_status make_layer(const point_transform *t, uint32_t number)
{
    cuda_engine *engine = engine_of_run(t->run);
    const uint32_t log2 = t->transform->log2;
    point_layer layer = t->layer;
    layer.digits = t->roots;
    layer.items = (layer.rows << log2) / 2;
    layer.half = (uint64_t)1 << (t->transform->inverse ? number : log2 - 1 - number);
    layer.sparse = layer.rows * layer.half % WARP_QUADS == 0 ? t->sparse : NULL;
#if POINT_LANES
    if (by_lanes(t)) {
        layer.sparse = t->sparse;
        return cuda_launch(engine, engine->stream, lanes_kernel, blocks_for(layer.items, PAIR_BLOCK),
                           PAIR_BLOCK, layer);
    }
#endif
    return cuda_launch(engine, engine->stream,
                       t->transform->inverse ? butterflies_kernel<true> : butterflies_kernel<false>,
                       blocks_for(layer.items * QUAD, PAIR_BLOCK), PAIR_BLOCK, layer);
}

/* Return the time of `merged` merged layers, in successive products of a quad: the products of multiples by roots,
 * which a scheduler computes faster for several warps at once than one by one, and the products of the sums. */
static uint64_t cost_of_merged(const point_transform *t, uint32_t merged)
{
    enum { MULTIPLE = 620, SUM = 4, ONCE = 3, EACH = 7 /* in tenths of a multiple's time */ };
    const uint64_t quads = (uint64_t)engine_of_run(t->run)->multiprocessors * PAIR_BLOCK / QUAD;
    const uint64_t products = (t->layer.rows << t->layer.log2 >> merged) * (terms_of(merged) - 1);
    const uint64_t waves = (products + quads - 1) / quads;
    return MULTIPLE * (ONCE + EACH * waves) / 10 +
           SUM * ((1u << merged) / parts_of(merged) + parts_of(merged));
}

/* Return how many of the `left` remaining layers to merge next, so that all remaining layers take the least time. A
 * single layer is done in place. */
static uint32_t layers_at_once(const point_transform *t, uint32_t left)
{
    uint64_t least[64] = {0};
    uint32_t chosen[64] = {0};
    if (t->transform->inverse || by_lanes(t)) {
        return 1;
    }
    for (uint32_t layers = 1; layers <= left; layers++) {
        for (uint32_t merged = 1; merged <= layers && merged <= MOST_MERGED; merged++) {
            const uint64_t cost = cost_of_merged(t, merged) + least[layers - merged];
            if (merged == 1 || cost < least[layers]) {
                least[layers] = cost;
                chosen[layers] = merged;
            }
        }
    }
    return chosen[left];
}

static sumac_status make_merged(const point_transform *t, uint32_t first, uint32_t merged)
{
    cuda_engine *engine = engine_of_run(t->run);
    merged_layers m = {};
    m.points = t->layer.points;
    m.products = t->products;
    m.digits = t->roots;
    m.rows = t->layer.rows;
    m.log2 = t->layer.log2;
    m.merged = merged;
    m.spacing = (uint64_t)1 << (m.log2 - first - merged);
    m.sparse = m.rows * m.spacing % WARP_QUADS == 0 ? t->sparse : NULL;
    m.positions = t->layer.positions;
    m.terms = terms_of(merged);
    m.parts = parts_of(merged);
    m.items = (m.rows << m.log2 >> merged) * m.terms;
    TRY(cuda_launch(engine, engine->stream, products_kernel, blocks_for(m.items * QUAD, PAIR_BLOCK),
                    PAIR_BLOCK, m));
    m.items = (m.rows << m.log2) * m.parts;
    return cuda_launch(engine, engine->stream, merged_sums_kernel, blocks_for(m.items * QUAD, PAIR_BLOCK),
                       PAIR_BLOCK, m);
}

/* Do all layers, and allocate memory for the products of merged layers. */
static sumac_status make_layers(point_transform *t)
{
    const uint32_t log2 = t->transform->log2;
    uint64_t most = 0;
    for (uint32_t left = log2, merged; left > 0; left -= merged) {
        merged = layers_at_once(t, left);
        const uint64_t products = (t->layer.rows << log2 >> merged) * terms_of(merged);
        most = merged > 1 && products > most ? products : most;
    }
    if (most > 0) {
        TRY(allocate(t, &t->products, most));
    }
    for (uint32_t i = 0, merged; i < log2; i += merged) {
        merged = layers_at_once(t, log2 - i);
        TRY(merged == 1 ? make_layer(t, i) : make_merged(t, i, merged));
    }
    return SUMAC_OK;
}

sumac_status SUMAC_SYMBOL(transform_points)(const vector_run *run, void *r, const vector_transform *transform,
                                            const struct scalar_vector_ops *scalars)
{
    CLEANUP(end_transform) point_transform t = {};
    t.run = run;
    t.transform = transform;
    t.scalars = scalars;
    t.layer.points = static_cast<xyzz *>(r);
    t.layer.rows = transform->rows;
    t.layer.log2 = transform->log2;
    t.layer.positions = digit_positions(&registered(run->group)->scalars);
    if (transform->rows == 0) {
        return SUMAC_OK;
    }
    TRY(begin_transform(&t));
    return vector_transform_by(
        engine_of_run(run), r, sizeof(xyzz), transform, [&]() { return scale_points(&t); },
        [&]() { return make_layers(&t); });
}
