/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file does two transforms of points at once; it is compiled per curve. A row of n points in natural order becomes
 * the transform of the lower half of its transform. In two successive transforms each layer is a chain of doublings,
 * which takes the same time even for few points. Here all multiples are computed at the same time, and there are fewer
 * of them than in the layers. point_twice_sums.h defines the multiples, and the sums before and after them.
 */
#include <cstdlib>
#include <cstring>

#include "cuda/device/kernels.cuh"
#include "cuda/device/quads.cuh"
#include "cuda/vector/point_multiples.cuh"
#include "cuda/vector/point_twice_sums.h"

#if POINT_TWICE

/* The rows that are transformed at a time have values of at most MOST_BYTES, which the memory pool serves, or are one
 * row. */
static const uint64_t MOST_BYTES = (uint64_t)256 << 20;

/* These rows are transformed at a time. The values of a slot lie together, one for each row; the rows' points lie as in
 * the caller's vector. */
struct twice_rows {
    xyzz *points, *values;
    uint32_t rows;
    uint32_t log2;
    uint32_t products; /* the number of factors; in each row a factor multiplies `width` points */
    uint32_t width;
    uint32_t pieces; /* POINT_DIGIT_HALVES if the scalars' halves are multiplied separately, else 1 */
    uint32_t slots;  /* if pieces > 1, the products' first pieces follow these, then the second ones */
};

static __device__ __forceinline__ xyzz *value_at(const twice_rows &t, uint32_t slot, uint32_t row)
{
    const uint32_t n = 1u << t.log2;
    return slot < n ? t.points + ((uint64_t)row << t.log2) + slot
                    : t.values + (uint64_t)(slot - n) * t.rows + row;
}

/* Pieces of a product have separate slots, because other warps read the same point. */
static __device__ __forceinline__ uint32_t piece_slot(const twice_rows &t, uint32_t product, uint32_t piece)
{
    return t.slots + piece * t.width * t.products + product;
}

/* ---- The sums ---- */

/* These are the sums of a stage. 2^level quads compute a sum. */
struct twice_stage {
    const twice_sum *sums;
    const uint32_t *terms;
    uint32_t count, most_terms; /* most_terms counts each piece */
    uint32_t level;
    bool is_reversed; /* values are written to the row's points in bit-reversed order */
};

/* This struct gives add_group() the terms of a sum of row `row`; second pieces come last. */
struct twice_terms {
    const twice_rows *t;
    const uint32_t *terms;
    uint32_t count;     /* 0: no sum */
    uint32_t in_pieces; /* the first in_pieces terms are products in two pieces */
    uint32_t row;

    __device__ __forceinline__ uint32_t fetch(fe *r, uint32_t k) const
    {
        fe_set_zero(r);
        if (k >= count + in_pieces) {
            return 0;
        }
        const uint32_t piece = k < count ? 0 : 1, i = k - piece * count;
        const uint32_t term = terms[i], slot = term >> TWICE_SLOT_SHIFT;
        load_coordinate(
            r, value_at(*t, i < in_pieces ? piece_slot(*t, slot - (1u << t->log2), piece) : slot, row));
        return term;
    }

    __device__ __forceinline__ void complete(fe *r, uint32_t term) const
    {
        const uint32_t power = term & TWICE_POWER_MASK, endomorphisms = twice_endomorphisms(power);
        if (__any_sync(0xffffffff, endomorphisms != 0)) {
            fe image;
            fe_mul_called(&image, r, &transform_beta);
            if (quad_lane() == QUAD_X && endomorphisms != 0) {
                fe_add(r, r, &image); /* 1 + beta = -beta^2 */
                fe_neg(r, r);
                *r = endomorphisms == 1 ? image : *r;
            }
        }
        apply_sign(r, (power & 1) != 0 && quad_lane() == QUAD_Y);
    }
};

static __global__ void __launch_bounds__(PAIR_BLOCK, QUADS_BLOCKS_PER_SM)
    twice_sums_kernel(const __grid_constant__ twice_rows t, const __grid_constant__ twice_stage stage)
{
    __shared__ __align__(16) unsigned char warp_sums[WARPS * QUAD * sizeof(fe)];
    const uint64_t number = quad_number() >> stage.level;
    const bool exists = number < (uint64_t)stage.count * t.rows;
    await_kernel_before();
    twice_sum sum_of_group = {};
    if (exists) {
        sum_of_group = stage.sums[number / t.rows];
    }
    twice_terms terms = {};
    terms.t = &t;
    terms.terms = stage.terms + sum_of_group.first_term;
    terms.count = sum_of_group.terms;
    terms.in_pieces = t.pieces > 1 ? sum_of_group.products : 0;
    terms.row = (uint32_t)(number % t.rows);
    fe sum;
    terms.complete(&sum, terms.fetch(&sum, quad_of(stage.level)));
    add_group(&sum, terms, 1, (stage.most_terms + (1u << stage.level) - 1) >> stage.level, stage.level,
              (fe *)warp_sums);
    if (exists && quad_of(stage.level) == 0) {
        const bool is_value = sum_of_group.target >> t.log2 == 0;
        const uint32_t target = is_value && stage.is_reversed ? __brev(sum_of_group.target) >> (32 - t.log2)
                                                              : sum_of_group.target;
        store_coordinate(value_at(t, target, terms.row), &sum);
    }
}

/* ---- The products ---- */

/* A thread or a quad has one product. Products are ordered by factor, so that those of a warp have the same factor. */
struct twice_product {
    uint32_t factor, piece;
    uint32_t index; /* the point's number among those of this factor */
    bool exists;
};

/* Return the number of points of a factor, rounded up to whole warps of in_warp points. */
static __host__ __device__ __forceinline__ uint32_t twice_span(const twice_rows &t, uint32_t in_warp)
{
    return (t.width * t.rows + in_warp - 1) / in_warp * in_warp;
}

static __device__ __forceinline__ twice_product product_of(const twice_rows &t, uint64_t number,
                                                           uint32_t in_warp)
{
    twice_product product = {};
    const uint32_t span = twice_span(t, in_warp);
    const uint64_t f = number / span;
    product.factor = (uint32_t)(f / t.pieces);
    product.piece = (uint32_t)(f % t.pieces);
    product.index = (uint32_t)(number % span);
    product.exists = product.factor < t.products && product.index < t.width * t.rows;
    return product;
}

/* The points of a factor lie in consecutive slots. */
static __device__ __forceinline__ const xyzz *point_of(const twice_rows &t, const twice_product &product,
                                                       const uint32_t *sources)
{
    return value_at(t, sources[product.factor] + product.index / t.rows, product.index % t.rows);
}

static __device__ __forceinline__ xyzz *multiple_of(const twice_rows &t, const twice_product &product)
{
    const uint32_t first = t.width * product.factor;
    const uint32_t slot = t.pieces == 1 ? (1u << t.log2) + first : piece_slot(t, first, product.piece);
    return value_at(t, slot, 0) + product.index;
}

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    twice_products_kernel(const __grid_constant__ twice_rows t, const sparse_digits *factors,
                          const uint32_t *sources)
{
    twice_product product = product_of(t, quad_number(), WARP_QUADS);
    if (product.factor >= t.products) {
        return; /* this holds for the whole block */
    }
    quad_chain chain = {};
    chain.sparse = factors + product.factor;
    chain.first_half = (int)product.piece;
    chain.end_half = t.pieces == 1 ? POINT_DIGIT_HALVES : chain.first_half + 1;
    await_kernel_before();
    fe a;
    fe_set_zero(&a);
    if (product.exists) {
        load_coordinate(&a, point_of(t, product, sources));
    }
    quad_multiply(&a, chain, product.exists);
    if (product.exists) {
        store_coordinate(multiple_of(t, product), &a);
    }
}

#if POINT_LANES
static __global__ void __launch_bounds__(PAIR_BLOCK, LANES_BLOCKS_PER_SM)
    twice_lanes_kernel(const __grid_constant__ twice_rows t, const sparse_digits *factors,
                       const uint32_t *sources)
{
    const uint64_t number = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    const twice_product product = product_of(t, number, 32);
    await_kernel_before();
    if (!product.exists) {
        return;
    }
    xyzz a = *point_of(t, product, sources);
    if (!xyzz_is_infinity(&a)) {
        lane_multiply(&a, &factors[product.factor]);
    }
    *multiple_of(t, product) = a;
}
#endif

/* ---- The factors ---- */

struct scalar {
    uint64_t limbs[FR_LIMBS];
};

/* By this struct point_twice_sums.h uses the host's arithmetic. */
struct host_field {
    typedef scalar element;
    typedef sumac_status (*operation)(const vector_run *, void *, const void *, uint64_t,
                                      const vector_operand *);
    const scalar_vector_ops *ops;
    vector_run run;
    sumac_status status;

    /* Store the status of the first failure. */
    void keep(sumac_status next)
    {
        status = status == SUMAC_OK ? next : status;
    }

    scalar apply(operation of, const scalar &a, const scalar &b)
    {
        const vector_operand operand = {&b, 1, 1};
        scalar r = {};
        keep(of(&run, &r, &a, 1, &operand));
        return r;
    }

    scalar add(const scalar &a, const scalar &b)
    {
        return apply(ops->add, a, b);
    }

    scalar subtract(const scalar &a, const scalar &b)
    {
        return apply(ops->subtract, a, b);
    }

    scalar multiply(const scalar &a, const scalar &b)
    {
        return apply(ops->multiply, a, b);
    }

    scalar inverse(scalar a)
    {
        keep(ops->invert(&run, &a, 1));
        return a;
    }

    scalar from_raw(const uint8_t *raw)
    {
        scalar r = {};
        uint64_t bad;
        keep(ops->import_scalars(&run, &r, raw, 1, SUMAC_FORM_CANONICAL, SUMAC_LITTLE_ENDIAN, &bad));
        return r;
    }
};

/* Compute the powers of z = -lambda^2 = 1 + lambda, and 1/6. */
static void begin_factors(twice_factors<host_field> *t, const scalar &one)
{
    static const uint64_t lambda[FR_LIMBS] = CURVE_LAMBDA;
    uint8_t raw[sizeof lambda];
    for (size_t i = 0; i < sizeof raw; i++) {
        raw[i] = (uint8_t)(lambda[i / 8] >> 8 * (i % 8));
    }
    t->roots[0] = one;
    t->roots[1] = t->f->add(one, t->f->from_raw(raw));
    scalar six = one;
    for (uint32_t i = 1; i < TWICE_ROOTS; i++) {
        six = t->f->add(six, one);
        if (i > 1) {
            t->roots[i] = t->f->multiply(t->roots[i - 1], t->roots[1]);
        }
    }
    t->sixth = t->f->inverse(six);
}

/* Compute b(d) = -2 w^d/(w^2d - 1) of all parts, n/2 - 1 of them; `powers` holds n elements, `denominators` n/2. */
static sumac_status compute_b(host_field *f, uint32_t log2, scalar *b, scalar *powers, scalar *denominators,
                              const scalar &one)
{
    const uint32_t n = 1u << log2, count = n / 2 - 1;
    const scalar two = f->add(one, one), minus_two = f->subtract(f->subtract(one, one), two);
    uint8_t raw[sizeof(scalar)];
    f->ops->root(raw, log2);
    const scalar root = f->from_raw(raw);
    for (uint32_t i = 0; i < n; i++) {
        powers[i] = one;
    }
    TRY(f->ops->scale_powers(&f->run, powers, n, n, &one, &root));
    uint32_t factor = 0;
    for (uint32_t part = 0; part + 2 <= log2; part++) {
        for (uint32_t a = 0; a < n >> (part + 2); a++, factor++) {
            const uint32_t exponent = (2 * a + 1) << part;
            b[factor] = f->multiply(powers[exponent], minus_two);
            denominators[factor] = f->subtract(powers[2 * exponent], one);
        }
    }
    if (count == 0) {
        return SUMAC_OK;
    }
    TRY(f->ops->invert(&f->run, denominators, count));
    const vector_operand inverses = {denominators, count, 1};
    return f->ops->multiply(&f->run, b, b, count, &inverses);
}

/* Compute the factors of rows of 2^log2 points. */
static sumac_status compute_factors(const vector_run *run, uint32_t log2, bool is_direct, scalar *factors)
{
    const uint32_t n = 1u << log2;
    scalar one;
    memcpy(&one, registered(run->group)->scalars.one, sizeof one);
    host_field field = {};
    field.ops = run->code->scalar_vectors;
    field.run.threads = 1;
    twice_factors<host_field> all = {};
    all.f = &field;
    all.factors = factors;
    AUTO_FREE scalar *b = static_cast<scalar *>(malloc(3 * n * sizeof *b));
    if (b == NULL) {
        return cuda_out_of_memory(engine_of_run(run), 3 * n * sizeof *b, "a transform of points");
    }
    scalar *memory = b + n;
    TRY(compute_b(&field, log2, b, memory, b + n / 2, one));
    begin_factors(&all, one);
    if (is_direct) {
        twice_list_direct_factors(&all, log2, b);
    } else {
        twice_list_factors(&all, log2, b, memory);
    }
    return field.status;
}

/* ---- Lists that the engine keeps for the last length, in each form ---- */

/* These are the arrays of the lists. Digits and scalars are needed only to compute the sparse digits. */
struct twice_arrays {
    sparse_digits *sparse;
    twice_sum *sums;
    uint32_t *terms, *sources;
    point_digits *digits;
    scalar *scalars;
    uint64_t bytes; /* the bytes of all arrays */
};

static twice_arrays arrays_in(void *memory, const twice_stages &stages)
{
    scratch_block block = {static_cast<char *>(memory), 0};
    twice_arrays arrays = {};
    arrays.sparse = block.take<sparse_digits>(stages.products);
    arrays.sums = block.take<twice_sum>(stages.sums);
    arrays.terms = block.take<uint32_t>(stages.terms);
    arrays.sources = block.take<uint32_t>(stages.products);
    arrays.digits = block.take<point_digits>(stages.products);
    arrays.scalars = block.take<scalar>(stages.products);
    arrays.bytes = block.bytes;
    return arrays;
}

/* Compute the lists for rows of 2^log2 points, unless they are kept already. The device computes the factors' digits. */
static sumac_status want_lists(const vector_run *run, point_form *lists, uint32_t log2, bool is_direct)
{
    cuda_engine *engine = engine_of_run(run);
    if (lists->group == run->group && lists->log2 == log2) {
        return SUMAC_OK;
    }
    const twice_stages stages = twice_list_stages(log2, is_direct, {});
    const uint64_t bytes = arrays_in(NULL, stages).bytes;
    if (lists->stages == NULL) {
        lists->stages = static_cast<twice_stages *>(malloc(sizeof *lists->stages));
    }
    /* The host's arrays have the layout of the device's. */
    AUTO_FREE void *memory = malloc(bytes);
    cuda_release(lists->memory);
    lists->group = NULL;
    lists->memory = lists->stages == NULL || memory == NULL ? NULL : cuda_allocate(engine, bytes);
    if (lists->memory == NULL) {
        return cuda_out_of_memory(engine, bytes, "a transform of points");
    }
    *lists->stages = stages;
    const twice_arrays host = arrays_in(memory, stages), device = arrays_in(lists->memory, stages);
    (void)twice_list_stages(log2, is_direct, {host.sums, host.terms, host.sources});
    TRY(compute_factors(run, log2, is_direct, host.scalars));
    TRY(cuda_upload(engine, device.sums, host.sums, stages.sums * sizeof *host.sums));
    TRY(cuda_upload(engine, device.terms, host.terms, stages.terms * sizeof *host.terms));
    TRY(cuda_upload(engine, device.sources, host.sources, stages.products * sizeof *host.sources));
    TRY(cuda_upload(engine, device.scalars, host.scalars, stages.products * sizeof *host.scalars));
    TRY(recode_scalars(run, device.digits, device.scalars, stages.products));
    TRY(recode_sparsely(run, device.sparse, device.digits, stages.products));
    TRY(cuda_wait(engine));
    lists->group = run->group;
    lists->log2 = log2;
    return SUMAC_OK;
}

/* ---- The call ---- */

/* Return the number of quads that the device works on at once: a warp for each of its schedulers. */
static uint64_t quads_at_once(const cuda_engine *engine)
{
    return (uint64_t)engine->multiprocessors * QUADS;
}

/* The direct form has the shorter latency if the device computes all of its products at once. */
static bool is_direct_faster(const cuda_engine *engine, uint64_t rows, uint32_t log2)
{
    return log2 >= TWICE_LEAST_LOG2 &&
           rows <= quads_at_once(engine) / TWICE_DIRECT_WIDTH / twice_count_long_products(log2, true);
}

/* Return whether the device computes all long products at once, by quads. The last blocks have short chains, and end
 * soon. */
static bool are_at_once(const cuda_engine *engine, const twice_rows &t, uint32_t pieces)
{
    const uint64_t factors = twice_count_long_products(t.log2, t.width == TWICE_DIRECT_WIDTH);
    return factors * pieces * twice_span(t, WARP_QUADS) <= quads_at_once(engine);
}

static sumac_status make_sums(cuda_engine *engine, const point_form &lists, const twice_rows &t,
                              uint32_t number, bool is_reversed)
{
    const twice_stages &stages = *lists.stages;
    const twice_arrays arrays = arrays_in(lists.memory, stages);
    twice_stage stage = {};
    stage.sums = arrays.sums + stages.first[number];
    stage.terms = arrays.terms;
    stage.count = stages.first[number + 1] - stages.first[number];
    stage.most_terms = t.pieces > 1 ? stages.most_pieces[number] : stages.most_terms[number];
    stage.is_reversed = is_reversed;
    const uint64_t sums = (uint64_t)stage.count * t.rows;
    /* Beyond a warp, doubling the quads saves nothing if each has at most two terms. */
    while (stage.level < QUAD_GROUP_LEVELS &&
           (stage.level < WARP_LEVELS ? 1u : 2u) << stage.level < stage.most_terms &&
           sums << (stage.level + 1) <= quads_at_once(engine)) {
        stage.level++;
    }
    return launch_early(engine, engine->stream, twice_sums_kernel,
                        blocks_for((sums << stage.level) * QUAD, PAIR_BLOCK), PAIR_BLOCK, t, stage);
}

/* Use quads if the device works on all of them at once, because their latency is shorter; otherwise use lanes. */
static sumac_status make_products(cuda_engine *engine, const point_form &lists, const twice_rows &t)
{
    const twice_arrays arrays = arrays_in(lists.memory, *lists.stages);
    auto *kernel = twice_products_kernel;
    uint64_t threads = (uint64_t)t.products * t.pieces * twice_span(t, WARP_QUADS) * QUAD;
#if POINT_LANES
    if (!are_at_once(engine, t, t.pieces)) {
        kernel = twice_lanes_kernel;
        threads = (uint64_t)t.products * twice_span(t, 32);
    }
#endif
    return launch_early(engine, engine->stream, kernel, blocks_for(threads, PAIR_BLOCK), PAIR_BLOCK, t,
                        arrays.sparse, arrays.sources);
}

static sumac_status transform_rows(cuda_engine *engine, const point_form &lists, const twice_rows &t,
                                   bool is_reversed)
{
    for (uint32_t i = 0; i < lists.stages->stages; i++) {
        if (i == lists.stages->before) {
            TRY(make_products(engine, lists, t));
        }
        TRY(make_sums(engine, lists, t, i, is_reversed));
    }
    return SUMAC_OK;
}

/* Return how many bytes all slots have, including those of the pieces. */
static uint64_t bytes_of(const twice_rows &t)
{
    const uint64_t slots = t.slots - (1u << t.log2) + (t.pieces > 1 ? t.pieces * t.width * t.products : 0);
    return slots * t.rows * sizeof(xyzz);
}

sumac_status SUMAC_SYMBOL(transform_points_twice)(const vector_run *run, void *r, uint64_t rows,
                                                  uint32_t log2, sumac_order value_order)
{
    cuda_engine *engine = engine_of_run(run);
    if (rows == 0 || log2 == 0 || log2 > TWICE_MOST_LOG2) {
        return SUMAC_NOT_SUPPORTED;
    }
    const bool is_direct = is_direct_faster(engine, rows, log2);
    point_form *lists = &engine->point_forms[is_direct];
    TRY(want_lists(run, lists, log2, is_direct));
    twice_rows t = {};
    t.log2 = log2;
    t.products = lists->stages->products;
    t.width = twice_width(is_direct);
    t.slots = lists->stages->slots;
    t.rows = 1;
    t.pieces = 1;
    const uint64_t most = MOST_BYTES / bytes_of(t) > 0 ? MOST_BYTES / bytes_of(t) : 1;
    const uint64_t slices = (rows + most - 1) / most;
    t.rows = (uint32_t)((rows + slices - 1) / slices);
    if (are_at_once(engine, t, POINT_DIGIT_HALVES)) {
        t.pieces = POINT_DIGIT_HALVES;
    }
    /* For few rows the engine's scratch memory saves the time of an allocation. */
    const uint64_t bytes = bytes_of(t);
    call_memory allocated = {engine, NULL};
    void *memory = NULL;
    if (bytes <= VECTOR_SCRATCH) {
        TRY(vector_scratch(engine, &memory));
    } else {
        memory = allocated.memory = cuda_allocate(engine, bytes);
    }
    if (memory == NULL) {
        return cuda_out_of_memory(engine, bytes, "a transform of points");
    }
    t.values = static_cast<xyzz *>(memory);
    for (uint64_t first = 0; first < rows; first += t.rows) {
        t.points = static_cast<xyzz *>(r) + (first << log2);
        t.rows = rows - first < t.rows ? (uint32_t)(rows - first) : t.rows;
        TRY(transform_rows(engine, *lists, t, value_order == SUMAC_ORDER_BIT_REVERSED));
    }
    return cuda_finished(engine);
}

#endif
