/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file does the last rounds of reduce by halving, in XYZZ, which leave the parts of modules; it is compiled per
 * curve. The head of reduce_halving.cu describes the method, and defines classes of points. */
#include "cuda/device/kernels.cuh"
#include "cuda/device/quads.cuh"

/* The blocks of quads on an SM limit the registers of a thread. */
enum { TAIL_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 + 1 };

/* A single block does at most PARTS_SUM_BITS last rounds of reduce; it has a quad for each point of a list. */
enum { PARTS_SUM_BITS = 6, PARTS_BLOCK = QUAD << PARTS_SUM_BITS };

/* Kernels take these numbers of a vector_tail (device/group.h) by value. */
struct tail_shape {
    uint32_t bits;  /* log2 of the points of a vector */
    uint32_t level; /* rounds that are done */
    uint32_t vectors;
    bool are_xyzz; /* the points are XYZZ ones, and no round has been done; else they are affine */
};

/* Return the index, in all vectors, of a point with which the tail begins: tail[row * 2^(bits - level) + element], for
 * row = class*vectors + v, is point first(class) + element * 2^level of vector v. */
static __device__ __forceinline__ uint64_t tail_source(tail_shape shape, uint64_t row, uint64_t element)
{
    const uint64_t vector = row % shape.vectors, group = row / shape.vectors;
    const uint64_t first = group == 0 ? 0 : (uint64_t)1 << (group - 1);
    return (vector << shape.bits) + first + (element << shape.level);
}

/* Load the lane's coordinate of a point. If the point does not exist, load that of infinity. */
static __device__ __forceinline__ void load_source(fe *r, const void *vectors, tail_shape shape,
                                                   uint64_t index, bool exists)
{
    if (!shape.are_xyzz) {
        quad_load_affine(r, exists ? (const affine *)vectors + index : NULL);
        return;
    }
    fe_set_zero(r);
    if (exists) {
        load_coordinate(r, (const xyzz *)vectors + index);
    }
}

static __global__ void __launch_bounds__(PAIR_BLOCK)
    tail_begin_kernel(xyzz *tail, const void *vectors, tail_shape shape)
{
    await_kernel_before();
    const uint64_t index = quad_number();
    const uint32_t element_bits = shape.bits - shape.level;
    const uint64_t row = index >> element_bits;
    const uint64_t element = index & (((uint64_t)1 << element_bits) - 1);
    const bool exists = row < (shape.level + 1) * (uint64_t)shape.vectors;
    fe coordinate;
    load_source(&coordinate, vectors, shape, tail_source(shape, row, element), exists);
    if (exists) {
        store_coordinate(&tail[index], &coordinate);
    }
}

/* Do round `level` while the tail is written: store the sums of neighbours, and for class 0 also the right neighbours,
 * which are its list 1. */
static __global__ void __launch_bounds__(PAIR_BLOCK, TAIL_BLOCKS_PER_SM)
    tail_first_round_kernel(xyzz *tail, const void *vectors, tail_shape shape)
{
    await_kernel_before();
    const uint64_t k = quad_number();
    const uint32_t element_bits = shape.bits - shape.level;
    const uint64_t row = k >> (element_bits - 1);
    const uint64_t element = (k & (((uint64_t)1 << (element_bits - 1)) - 1)) * 2;
    const bool exists = row < (shape.level + 1) * (uint64_t)shape.vectors;
    const uint64_t left = tail_source(shape, row, element);
    xyzz *sum = &tail[2 * k];
    fe a, b;
    load_source(&a, vectors, shape, left, exists);
    load_source(&b, vectors, shape, left + ((uint64_t)1 << shape.level), exists);
    if (exists && row < shape.vectors) {
        store_coordinate(sum + 1, &b);
    }
    quad_add_unless_infinity(&a, &b);
    if (exists) {
        store_coordinate(sum, &a);
    }
}

/* Do round level + step: class 0 continues the rounds of reduce_halving.cu, and the lists of the other classes are
 * added up. */
static __global__ void __launch_bounds__(PAIR_BLOCK, TAIL_BLOCKS_PER_SM)
    tail_round_kernel(xyzz *tail, tail_shape shape, uint32_t step)
{
    const uint64_t k = quad_number();
    const uint32_t vector_bits = shape.bits - shape.level;
    const uint32_t element_bits = vector_bits - step - 1;
    const uint64_t element = k & (((uint64_t)1 << element_bits) - 1);
    const uint64_t row = k >> element_bits;
    const uint64_t vector = row % shape.vectors;
    const uint32_t list = (uint32_t)(row / shape.vectors);
    const bool exists = list <= step + shape.level;
    const uint32_t group = exists && list > step ? list - step : 0;
    const uint64_t first = list == 0 || list > step ? 0 : (uint64_t)1 << (list - 1);
    xyzz *left =
        tail + ((group * (uint64_t)shape.vectors + vector) << vector_bits) + first + (element << (step + 1));
    left = exists ? left : tail; /* quads without a pair compute a sum that is not stored */
    await_kernel_before();
    fe a, b;
    load_coordinate(&b, left + ((uint64_t)1 << step));
    if (!__any_sync(0xffffffff, quad_lane() == QUAD_ZZ && !fe_is_zero(&b))) {
        return; /* infinity is all that the warp would add */
    }
    load_coordinate(&a, left);
    quad_add(&a, &a, &b);
    if (exists) {
        store_coordinate(left, &a);
    }
}

/*
 * Do the last sum_bits rounds, and write the parts of each module: part l is S_l, part 0 is S_0 + T, the last is
 * infinity. Each list still has 2^sum_bits points, one for each quad of a block, which adds them up, first across its
 * warps, then within each warp. Rounds would split class 0 further, by the lowest sum_bits bits of the element's
 * number; here each of these lists is added up from class 0 instead.
 */
static __global__ void __launch_bounds__(PARTS_BLOCK)
    parts_kernel(const xyzz *tail, tail_shape shape, uint32_t sum_bits, int add, xyzz *parts)
{
    __shared__ __align__(16) unsigned char exchange[PARTS_BLOCK * sizeof(fe)];
    fe *const exchanged = (fe *)exchange + threadIdx.x;
    const uint64_t quad = (blockIdx.x * (uint64_t)PARTS_BLOCK + threadIdx.x) / QUAD;
    const uint32_t element = (uint32_t)quad & ((1u << sum_bits) - 1);
    const uint64_t index = quad >> sum_bits;
    const uint32_t vector_bits = shape.bits - shape.level, step = vector_bits - sum_bits;
    const uint32_t count = shape.bits + 1;
    const uint64_t vector = index / count;
    const uint32_t part = (uint32_t)(index % count);
    const bool exists = vector < shape.vectors;
    await_kernel_before();
    fe sum, other;
    fe_set_zero(&sum);
    fe_set_zero(&other);
    if (exists && part < shape.bits) {
        const uint32_t list = part < shape.level ? 0 : part - shape.level; /* the list of class 0 */
        const uint64_t group = part < shape.level ? part + 1 : 0;
        const uint64_t first = part < shape.level || list >= step ? 0 : (uint64_t)1 << list;
        if (list < step || part < shape.level || (element >> (list - step) & 1) != 0) {
            load_coordinate(&sum, &tail[((group * shape.vectors + vector) << vector_bits) + first +
                                        ((uint64_t)element << step)]);
        }
    }
    if (exists && part == 0) {
        load_coordinate(&other, &tail[(vector << vector_bits) + ((uint64_t)element << step)]);
    }
    quad_add_unless_infinity(&sum, &other);
    uint32_t stride = (1u << sum_bits) / 2; /* in quads; the same for the whole block */
    for (; stride >= 32 / QUAD; stride /= 2) {
        __syncthreads(); /* the points of the previous stride have been read */
        fe_store(exchanged, &sum);
        __syncthreads();
        if (element < stride) { /* true for all lanes of a warp, or for none */
            fe_load(&other, exchanged + stride * QUAD);
            quad_add_unless_infinity(&sum, &other);
        }
    }
    for (; stride > 0; stride /= 2) {
        fe_from_lane_above(&other, &sum, (int)stride * QUAD);
        if (element >=
            stride) { /* these quads have been added already; adding one again could look like a doubling */
            fe_set_zero(&other);
        }
        quad_add_unless_infinity(&sum, &other);
    }
    if (add) {
        fe_set_zero(&other);
        if (exists) {
            load_coordinate(&other, &parts[index]);
        }
        quad_add_unless_infinity(&sum, &other);
    }
    if (exists && element == 0) {
        store_coordinate(&parts[index], &sum);
    }
}

/* Return how many last rounds parts_kernel does. These are as many as its blocks can do if each SM has one block at a
 * time. */
static uint32_t sum_bits_of(const cuda_engine *engine, const vector_tail *work)
{
    const uint64_t parts = (uint64_t)work->vectors * (work->bits + 1);
    const uint64_t quads = (uint64_t)engine->multiprocessors * ((unsigned)PARTS_BLOCK / QUAD);
    uint32_t sum_bits = 0;
    while (sum_bits < PARTS_SUM_BITS && sum_bits < work->bits - work->level &&
           parts << (sum_bits + 1) <= quads) {
        sum_bits++;
    }
    return sum_bits;
}

sumac_status SUMAC_SYMBOL(reduce_tail)(cuda_engine *engine, cudaStream_t stream, const vector_tail *work,
                                       int add, void *parts)
{
    const tail_shape shape = {work->bits, work->level, work->vectors, work->are_xyzz};
    xyzz *tail = (xyzz *)work->tail;
    const uint32_t steps = work->bits - work->level;
    const uint32_t sum_bits = sum_bits_of(engine, work);
    const uint32_t rounds = steps - sum_bits;
    const uint64_t points = ((uint64_t)(work->level + 1) * work->vectors) << steps;
    const void *vectors = work->points;
    if (rounds == 0 && work->are_xyzz) {
        tail = (xyzz *)work->points; /* parts_kernel only reads them */
    } else {
        TRY(launch_early(engine, stream, rounds == 0 ? tail_begin_kernel : tail_first_round_kernel,
                         blocks_for((rounds == 0 ? points : points / 2) * QUAD, PAIR_BLOCK), PAIR_BLOCK, tail,
                         vectors, shape));
    }
    for (uint32_t step = 1; step < rounds; step++) {
        const uint64_t pairs = ((uint64_t)(work->level + step + 1) * work->vectors) << (steps - step - 1);
        TRY(launch_early(engine, stream, tail_round_kernel, blocks_for(pairs * QUAD, PAIR_BLOCK), PAIR_BLOCK,
                         tail, shape, step));
    }
    const uint64_t quads = (uint64_t)work->vectors * (work->bits + 1) << sum_bits;
    return launch_early(engine, stream, parts_kernel, blocks_for(quads * QUAD, PARTS_BLOCK), PARTS_BLOCK,
                        tail, shape, sum_bits, add, static_cast<xyzz *>(parts));
}
