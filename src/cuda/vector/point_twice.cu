/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Two transforms of few points at once, compiled per curve: rows of n points, natural order, become the transform of
 * the lower half of their transform. Two transforms one after the other would wait for two chains of doublings; here
 * all multiples begin at the same time, and are fewer than those of all layers of one.
 *
 * With w of order n and T_j the row's point number -j mod n
 *   y_i = sum over t < n/2 of w^(it) sum over j of w^(-tj) T_j = n/2 T_i + sum over odd d of g(d) T_(i-d),
 *   g(d) = 2/(1 - w^d):
 * the sum over t is 0 for even d. Half of this is made from U_j = T_j + T_(j+m), the other from V_j = T_j - T_(j+m),
 * m = n/2, j < m:  y_i = A_i + B_i, y_(i+m) = A_i - B_i. A is the same again, of half the length, U and w^2. And
 *   B_i = m/2 V_i + sum over odd d < m/2 of b(d) (V_(i-d) - V_(i+d)),  b(d) = 2w^d/(1 - w^2d),
 * where V_(j+-m) = -V_j: b(-d) = -b(d) and b(m - d) = b(d). So m points have m/4 factors each, and one that is m/2.
 *
 * `splits` times it is halved: part p has the V of length n/2^(p+1), and the last part what is left of T, which meets
 * all of its odd d.
 */
#include <new>

#include "cuda/device/early.cuh"
#include "cuda/device/memory.h"
#include "cuda/device/symbols.h"
#include "cuda/msm/quad_groups.cuh"
#include "cuda/vector/point_recoding.cuh"

#if POINT_TWICE

enum {
    LAST_LOG2 = 3,    /* of the last part's length: shorter ones would save few multiples */
    MOST_LOG2 = 12,   /* of a row's: longer ones have far too many */
    SPLIT_LEVEL = 3,  /* log2 of the quads that make a point of a part: a warp */
    MOST_FILLINGS = 6 /* of the device, with multiples: more take as long as two transforms */
};

struct twice_shape {
    uint64_t rows;
    uint32_t log2;
    uint32_t splits;
    uint32_t pieces;  /* of a product: its scalar's halves apart, or 1 */
    bool is_reversed; /* what is stored */
};

/* Of a part: its points, in a row's n, its factors, and its products, a span of them for each piece of a factor. */
struct twice_part {
    uint32_t length, first_point;
    uint32_t factors, first_factor;
    uint64_t span, first_product;
};

static __host__ __device__ __forceinline__ twice_part first_part(const twice_shape &s, uint32_t p)
{
    twice_part part = {};
    const uint32_t n = 1u << s.log2;
    part.length = p < s.splits ? n >> (p + 1) : n >> s.splits;
    part.first_point = n - (n >> p);
    part.factors = (p < s.splits ? part.length / 4 : part.length / 2) + 1;
    part.span = (part.length * s.rows + WARP_QUADS - 1) / WARP_QUADS * WARP_QUADS; /* a warp has one factor */
    return part;
}

static __host__ __device__ __forceinline__ uint64_t products_of(const twice_shape &s, const twice_part &part)
{
    return part.factors * s.pieces * part.span;
}

/* Part p + 1. */
static __host__ __device__ __forceinline__ twice_part next_part(const twice_shape &s, const twice_part &part,
                                                                uint32_t p)
{
    twice_part next = first_part(s, p + 1);
    next.first_factor = part.first_factor + part.factors;
    next.first_product = part.first_product + products_of(s, part);
    return next;
}

static __host__ __device__ __forceinline__ twice_part last_part(const twice_shape &s)
{
    twice_part part = first_part(s, 0);
    for (uint32_t p = 0; p < s.splits; p++) {
        part = next_part(s, part, p);
    }
    return part;
}

/* Of a value, in each part: the factor that is half the length, and length/2 others. */
static __host__ __device__ __forceinline__ uint32_t terms_of(const twice_shape &s, const twice_part &part)
{
    return (part.length / 2 + 1) * s.pieces;
}

/* ---- The parts' points ---- */

/* Terms of V_j or of the last part's U_j, for add_group(). */
struct split_terms {
    const xyzz *row;
    uint32_t first, step; /* numbers of T */
    uint32_t mask;
    uint32_t count;
    bool alternates;

    __device__ __forceinline__ uint32_t fetch(fe *r, uint32_t k) const
    {
        fe_set_zero(r);
        if (k < count) {
            load_coordinate(r, row + ((0 - (first + k * step)) & mask));
        }
        return alternates && (k & 1) != 0;
    }

    __device__ __forceinline__ void complete(fe *r, uint32_t negative) const
    {
        apply_sign(r, negative && quad_lane() == QUAD_Y);
    }
};

static __global__ void __launch_bounds__(PAIR_BLOCK, QUADS_BLOCKS_PER_SM)
    split_kernel(xyzz *parts, const xyzz *points, const __grid_constant__ twice_shape s)
{
    const uint64_t number = (blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x) / 32;
    if (number >= s.rows << s.log2) {
        return; /* the whole warp */
    }
    const uint32_t n = 1u << s.log2, place = (uint32_t)number & (n - 1);
    uint32_t p = 0;
    while (p < s.splits && place >= n - (n >> (p + 1))) {
        p++;
    }
    const twice_part part = first_part(s, p);
    split_terms terms = {};
    terms.row = points + (number - place);
    terms.first = place - part.first_point;
    terms.step = part.length;
    terms.mask = n - 1;
    terms.count = n / part.length;
    terms.alternates = p < s.splits;
    await_kernel_before();
    fe sum;
    terms.complete(&sum, terms.fetch(&sum, quad_of(SPLIT_LEVEL)));
    add_group(&sum, terms, 1, (terms.count + WARP_QUADS - 1) / WARP_QUADS, SPLIT_LEVEL, (fe *)NULL);
    if (quad_of(SPLIT_LEVEL) == 0) {
        store_coordinate(parts + number, &sum);
    }
}

/* ---- Their multiples ---- */

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    twice_products_kernel(xyzz *products, const xyzz *parts, const sparse_digits *factors,
                          const __grid_constant__ twice_shape s)
{
    const uint64_t number = quad_number();
    twice_part part = first_part(s, 0);
    for (uint32_t p = 0; p < s.splits && number >= part.first_product + products_of(s, part); p++) {
        part = next_part(s, part, p);
    }
    const uint64_t i = number - part.first_product, place = i % part.span;
    const bool exists = place < part.length * s.rows && i < products_of(s, part);
    const uint32_t f = exists ? (uint32_t)(i / part.span) : 0, piece = f % s.pieces;
    const uint64_t row = exists ? place / part.length : 0;
    const uint32_t j = exists ? (uint32_t)(place % part.length) : 0;
    quad_chain chain = {};
    /* Where a warp has products at all, its first quad has one. */
    const uint32_t factor = __shfl_sync(0xffffffff, part.first_factor + f / s.pieces, 0);
    chain.sparse = factors + factor;
    chain.first_half = s.pieces == 1 ? 0 : (int)__shfl_sync(0xffffffff, piece, 0);
    chain.end_half = s.pieces == 1 ? POINT_DIGIT_HALVES : chain.first_half + 1;
    await_kernel_before();
    fe a;
    load_coordinate(&a, &parts[(row << s.log2) + part.first_point + j]);
    quad_multiply(&a, chain, exists);
    if (exists) {
        store_coordinate(&products[number], &a);
    }
}

/* ---- Their sums ---- */

/* Terms of value i, for add_group(). */
struct value_terms {
    const xyzz *products;
    const twice_shape *s;
    uint64_t row;
    uint32_t i;
    uint32_t count;

    /* Term t of a part: the factor m/2's product, then b(1)'s with V_(i-1) and V_(i+1), b(3)'s .. */
    __device__ __forceinline__ const xyzz *term_of(const twice_part &part, bool is_last, uint32_t t,
                                                   uint32_t *negative) const
    {
        const uint32_t piece = t % s->pieces, number = t / s->pieces, m = part.length;
        uint32_t factor = part.factors - 1, j = i & (m - 1);
        *negative = !is_last && (i & m) != 0;
        if (number > 0) {
            const uint32_t own = is_last ? number - 1 : (number - 1) / 2, d = 2 * own + 1;
            const bool is_after = !is_last && number % 2 == 0;
            const uint32_t place = is_after ? j + d : j + m - d; /* of m, and m more if it is before */
            const bool wraps = is_after ? place >= m : place < m;
            *negative ^= !is_last && wraps != is_after;
            factor = own;
            j = place & (m - 1);
        }
        return products + part.first_product + (factor * s->pieces + piece) * part.span + row * m + j;
    }

    __device__ __forceinline__ uint32_t fetch(fe *r, uint32_t k) const
    {
        uint32_t negative = 0, p = 0;
        fe_set_zero(r);
        if (k < count) {
            twice_part part = first_part(*s, 0);
            for (; p < s->splits && k >= terms_of(*s, part); p++) {
                k -= terms_of(*s, part);
                part = next_part(*s, part, p);
            }
            load_coordinate(r, term_of(part, p == s->splits, k, &negative));
        }
        return negative;
    }

    __device__ __forceinline__ void complete(fe *r, uint32_t negative) const
    {
        apply_sign(r, negative && quad_lane() == QUAD_Y);
    }
};

static __global__ void __launch_bounds__(PAIR_BLOCK, QUADS_BLOCKS_PER_SM)
    values_kernel(xyzz *points, const xyzz *products, const __grid_constant__ twice_shape s, uint32_t terms,
                  uint32_t level)
{
    __shared__ __align__(16) unsigned char warp_sums[WARPS * QUAD * sizeof(fe)];
    const uint64_t number = quad_number() >> level;
    const bool exists = number < s.rows << s.log2;
    value_terms values = {};
    values.products = products;
    values.s = &s;
    values.row = number >> s.log2;
    values.i = (uint32_t)number & ((1u << s.log2) - 1);
    values.count = exists ? terms : 0;
    await_kernel_before();
    fe sum;
    values.complete(&sum, values.fetch(&sum, quad_of(level)));
    add_group(&sum, values, 1, (terms + (1u << level) - 1) >> level, level, (fe *)warp_sums);
    if (exists && quad_of(level) == 0) {
        const uint32_t place = s.is_reversed ? __brev(values.i) >> (32 - s.log2) : values.i;
        store_coordinate(&points[(values.row << s.log2) + place], &sum);
    }
}

/* ---- The factors ---- */

struct scalar {
    uint64_t limbs[FR_LIMBS];
};

/* Room for the host to compute the factors in. */
struct factor_numbers {
    scalar *powers;     /* of w, n of them */
    scalar *numerators; /* which become the factors */
    scalar *denominators;
};

/* Numerators and powers that are subtracted from 1 of every factor 2*numerator/(1 - power): m/2 is 2*(m/2)/(1 + 1). */
static void list_factors(const twice_shape &s, const factor_numbers &numbers, const scalar *twos)
{
    const uint32_t n = 1u << s.log2;
    twice_part part = first_part(s, 0);
    for (uint32_t p = 0; p <= s.splits; p++) {
        const bool is_last = p == s.splits;
        for (uint32_t f = 0; f < part.factors; f++) {
            const uint32_t own = part.first_factor + f, exponent = (2 * f + 1) << p;
            const bool is_half = f + 1 == part.factors;
            numbers.numerators[own] =
                is_half ? twos[s.log2 - (is_last ? p : p + 1) - 1] : numbers.powers[is_last ? 0 : exponent];
            numbers.denominators[own] = numbers.powers[is_half ? n / 2 : is_last ? exponent : 2 * exponent];
        }
        part = p < s.splits ? next_part(s, part, p) : part;
    }
}

static sumac_status compute_factors(const vector_run *run, const twice_shape &s,
                                    const factor_numbers &numbers, uint32_t count)
{
    const scalar_vector_ops *host = run->code->scalar_vectors;
    const vector_run alone = {.threads = 1};
    const uint32_t n = 1u << s.log2;
    uint8_t raw[sizeof(scalar)];
    uint64_t bad;
    scalar one, root, twos[32];
    for (int i = 0; i < FR_LIMBS; i++) {
        one.limbs[i] = run->curve->scalars.one[i];
    }
    twos[0] = one;
    for (uint32_t i = 1; i <= s.log2; i++) {
        const vector_operand same = {&twos[i - 1], 1, 1};
        STATUS_TRY(host->add(&alone, &twos[i], &twos[i - 1], 1, &same));
    }
    host->root(raw, s.log2);
    STATUS_TRY(host->import_scalars(&alone, &root, raw, 1, SUMAC_FORM_CANONICAL, SUMAC_LITTLE_ENDIAN, &bad));
    for (uint32_t i = 0; i < n; i++) {
        numbers.powers[i] = one;
    }
    STATUS_TRY(host->scale_powers(&alone, numbers.powers, n, n, &one, &root));
    list_factors(s, numbers, twos);
    /* -(power - 1) in place of 1 - power: the sign comes with -2. */
    scalar minus_two;
    const vector_operand ones = {&one, 1, 1}, twice = {&twos[1], 1, 1};
    STATUS_TRY(host->subtract(&alone, numbers.denominators, numbers.denominators, count, &ones));
    STATUS_TRY(host->invert(&alone, numbers.denominators, count));
    const vector_operand inverses = {numbers.denominators, count, 1}, sign = {&minus_two, 1, 1};
    scalar zero = {};
    STATUS_TRY(host->subtract(&alone, &minus_two, &zero, 1, &twice));
    STATUS_TRY(host->multiply(&alone, numbers.numerators, numbers.numerators, count, &inverses));
    return host->multiply(&alone, numbers.numerators, numbers.numerators, count, &sign);
}

/* The engine keeps what came last: of the curve's field, by length. */
static sumac_status recode_factors(const vector_run *run, const twice_shape &s, const scalar *factors,
                                   uint32_t count)
{
    cuda_engine *engine = engine_of_run(run);
    uint64_t bytes = 0;
    const uint64_t sparse = scratch_take(&bytes, count * sizeof(sparse_digits));
    const uint64_t digits = scratch_take(&bytes, count * sizeof(point_digits));
    const uint64_t scalars = scratch_take(&bytes, count * sizeof(scalar));
    cuda_release(engine->point_factors);
    engine->point_factors = cuda_allocate(engine, bytes);
    if (engine->point_factors == NULL) {
        return cuda_allocation_failed(engine, cudaErrorMemoryAllocation, bytes, "a transform of points");
    }
    char *memory = static_cast<char *>(engine->point_factors);
    point_digits *all = reinterpret_cast<point_digits *>(memory + digits);
    STATUS_TRY(cuda_upload(engine, memory + scalars, factors, count * sizeof(scalar)));
    STATUS_TRY(recode_scalars(run, all, memory + scalars, count));
    STATUS_TRY(recode_sparsely(run, reinterpret_cast<sparse_digits *>(memory + sparse), all, count));
    return vector_wait(engine);
}

static sumac_status want_factors(const vector_run *run, const twice_shape &s)
{
    cuda_engine *engine = engine_of_run(run);
    if (engine->point_factors_of == run->curve && engine->point_factors_log2 == s.log2) {
        return SUMAC_OK;
    }
    const twice_part last = last_part(s);
    const uint32_t n = 1u << s.log2, count = last.first_factor + last.factors;
    scalar *memory = new (std::nothrow) scalar[n + 2 * count];
    if (memory == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    engine->point_factors_of = NULL;
    const factor_numbers numbers = {memory, memory + n, memory + n + count};
    sumac_status status = compute_factors(run, s, numbers, count);
    if (status == SUMAC_OK) {
        status = recode_factors(run, s, numbers.numerators, count);
    }
    delete[] memory;
    if (status == SUMAC_OK) {
        engine->point_factors_of = run->curve;
        engine->point_factors_log2 = s.log2;
    }
    return status;
}

/* ---- The call ---- */

static uint64_t all_products(const twice_shape &s)
{
    const twice_part last = last_part(s);
    return last.first_product + products_of(s, last);
}

static uint32_t all_terms(const twice_shape &s)
{
    uint32_t terms = 0;
    for (uint32_t p = 0; p <= s.splits; p++) {
        terms += terms_of(s, first_part(s, p));
    }
    return terms;
}

/* Quads that the device works on, a warp for each of its schedulers. */
static uint64_t quads_at_once(const cuda_engine *engine)
{
    return (uint64_t)engine->multiprocessors * QUADS;
}

static twice_shape shape_of(const cuda_engine *engine, uint64_t rows, uint32_t log2, sumac_order value_order)
{
    twice_shape s = {};
    s.rows = rows;
    s.log2 = log2;
    s.splits = log2 > LAST_LOG2 ? log2 - LAST_LOG2 : 0;
    s.is_reversed = value_order == SUMAC_ORDER_BIT_REVERSED;
    s.pieces = POINT_DIGIT_HALVES;
    s.pieces = all_products(s) <= quads_at_once(engine) ? s.pieces : 1;
    return s;
}

/* Rows that may be counted in products. */
static bool are_few(const cuda_engine *engine, uint64_t rows, uint32_t log2)
{
    return log2 > 0 && log2 <= MOST_LOG2 && rows <= MOST_FILLINGS * quads_at_once(engine);
}

/* Whether it is faster, and the engine's scratch has room. */
static bool is_worth_it(const cuda_engine *engine, const twice_shape &s)
{
    const uint64_t products = all_products(s);
    return products <= MOST_FILLINGS * quads_at_once(engine) &&
           ((s.rows << s.log2) + products) * sizeof(xyzz) <= VECTOR_SCRATCH;
}

static sumac_status transform_at_once(const vector_run *run, xyzz *points, const twice_shape &s)
{
    cuda_engine *engine = engine_of_run(run);
    void *scratch;
    STATUS_TRY(want_factors(run, s));
    STATUS_TRY(vector_scratch(engine, &scratch));
    xyzz *parts = static_cast<xyzz *>(scratch), *products = parts + (s.rows << s.log2);
    const void *factors = engine->point_factors; /* the sparse digits come first */
    const uint64_t values = s.rows << s.log2;
    uint32_t terms = all_terms(s), level = SPLIT_LEVEL;
    while (level < QUAD_GROUP_LEVELS && values << (level + 1) <= quads_at_once(engine)) {
        level++;
    }
    twice_shape shape = s;
    void *split_arguments[] = {&parts, &points, &shape};
    void *product_arguments[] = {&products, &parts, &factors, &shape};
    void *value_arguments[] = {&points, &products, &shape, &terms, &level};
    STATUS_TRY(launch_early(engine, engine->stream, (const void *)split_kernel,
                            blocks_for(values * 32, PAIR_BLOCK), PAIR_BLOCK, split_arguments));
    STATUS_TRY(launch_early(engine, engine->stream, (const void *)twice_products_kernel,
                            blocks_for(all_products(s) * QUAD, PAIR_BLOCK), PAIR_BLOCK, product_arguments));
    STATUS_TRY(launch_early(engine, engine->stream, (const void *)values_kernel,
                            blocks_for((values << level) * QUAD, PAIR_BLOCK), PAIR_BLOCK, value_arguments));
    return vector_wait(engine);
}

sumac_status SUMAC_SYMBOL(transform_points_twice)(const vector_run *run, void *r, uint64_t rows,
                                                  uint32_t log2, sumac_order value_order)
{
    const cuda_engine *engine = engine_of_run(run);
    if (rows == 0 || !are_few(engine, rows, log2)) {
        return SUMAC_NOT_SUPPORTED;
    }
    const twice_shape s = shape_of(engine, rows, log2, value_order);
    return is_worth_it(engine, s) ? transform_at_once(run, static_cast<xyzz *>(r), s) : SUMAC_NOT_SUPPORTED;
}

#endif
