/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file reduces modules that have few buckets by a running sum; it is compiled per curve. Two lanes have a module.
 *
 * An addition of XYZZ points is seven steps of two products, and the addition of an affine point five, so no lane waits
 * for the other: a quad (quads.cuh) would take a third more time of the multiplier.
 *
 * The module's two points and an addition's temporary elements lie in shared memory, where both lanes see them. An
 * operation loads its operands and stores its result, which costs a tenth of a product, and the registers hold one
 * product. A row has one word of element 2e and one of element 2e + 1 for each of a warp's modules. So a warp has no
 * bank conflict if its two lanes use elements of different parity, or the same element.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/device/elements.cuh"

/* These are the numbers of a module's elements: its two points, and an addition's temporary elements. */
enum {
    COORDINATE_X, /* the coordinates' offsets from a point's first element */
    COORDINATE_Y,
    COORDINATE_ZZ,
    COORDINATE_ZZZ,
    COORDINATES,
    RUN = 0, /* the sum of the buckets so far */
    WEIGHTED = COORDINATES,
    P = 2 * COORDINATES,
    R,
    S,
    T,
    ELEMENTS
};

/* A block has as many warps, up to 4, as static shared memory suffices for. */
enum {
    WORDS = sizeof(fe) / 4,
    LANES = 2, /* lanes of a module */
    WARP_MODULES = 32 / LANES,
    WARP_WORDS = ELEMENTS * WORDS * WARP_MODULES,
    STATIC_SHARED_WORDS = 48 * 1024 / 4,
    RUNNING_BLOCK = STATIC_SHARED_WORDS / WARP_WORDS < 4 ? STATIC_SHARED_WORDS / WARP_WORDS * 32 : 128
};

SUMAC_STATIC_ASSERT(ELEMENTS % 2 == 0 && RUNNING_BLOCK >= 32, "whole rows, and a warp of them");

static __shared__ uint32_t elements[RUNNING_BLOCK / 32 * WARP_WORDS];

static __device__ __forceinline__ uint32_t lane_of_module(void)
{
    return threadIdx.x % LANES;
}

/* Return the address of an element's first word; its words lie 32 words apart. */
static __device__ __forceinline__ uint32_t *element_at(uint32_t number)
{
    return elements + threadIdx.x / 32 * WARP_WORDS + number / 2 * (WORDS * 32) + number % 2 * WARP_MODULES +
           threadIdx.x % 32 / LANES;
}

static __device__ __forceinline__ void take(fe *a, uint32_t number)
{
    const uint32_t *element = element_at(number);
    uint32_t *words = (uint32_t *)a;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        words[i] = element[32 * i];
    }
}

static __device__ __forceinline__ void put(uint32_t number, const fe *a)
{
    uint32_t *element = element_at(number);
    const uint32_t *words = (const uint32_t *)a;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        element[32 * i] = words[i];
    }
}

/* Compute left * right, and store it to element `to` if `keeps`. */
static __device__ __noinline__ void multiply(uint32_t to, uint32_t left, uint32_t right, bool keeps)
{
    fe a, b;
    take(&a, left);
    take(&b, right);
    fe_mul(&a, &a, &b);
    if (keeps) {
        put(to, &a);
    }
}

static __device__ __noinline__ void subtract(uint32_t to, uint32_t left, uint32_t right)
{
    fe a, b;
    take(&a, left);
    take(&b, right);
    fe_sub(&a, &a, &b);
    put(to, &a);
}

static __device__ __noinline__ bool is_zero(uint32_t number)
{
    fe a;
    take(&a, number);
    return fe_is_zero(&a) != 0;
}

static __device__ __forceinline__ void copy(uint32_t to, uint32_t from)
{
    fe a;
    take(&a, from);
    put(to, &a);
}

/* A single lane runs the functions from here to end_addition(), because they are rarely needed, or cheap. */

static __device__ __noinline__ void set_infinity(uint32_t point)
{
    fe zero;
    fe_set_zero(&zero);
    for (uint32_t i = 0; i < COORDINATES; i++) {
        put(point + i, &zero);
    }
}

static __device__ __noinline__ void copy_point(uint32_t to, uint32_t from)
{
    for (uint32_t i = 0; i < COORDINATES; i++) {
        copy(to + i, from + i);
    }
}

static __device__ __noinline__ void set_affine(uint32_t point, const affine *a)
{
    fe coordinate;
    fe_load(&coordinate, &a->x);
    put(point + COORDINATE_X, &coordinate);
    fe_load(&coordinate, &a->y);
    put(point + COORDINATE_Y, &coordinate);
    fe_set_one(&coordinate);
    put(point + COORDINATE_ZZ, &coordinate);
    put(point + COORDINATE_ZZZ, &coordinate);
}

/* Double a point in place, by the formulas of xyzz_double(), dbl-2008-s-1:
 *   U = 2Y | V = U^2 | W = UV | S = XV | M = 3X^2 | X3 = M^2 - 2S | Y3 = M(S - X3) - WY | ZZ3 = V ZZ
 *   ZZZ3 = W ZZZ */
static __device__ __noinline__ void twice(uint32_t point)
{
    fe a;
    take(&a, point + COORDINATE_Y);
    fe_double(&a, &a);
    put(T, &a);
    multiply(P, T, T, true); /* V */
    multiply(T, T, P, true); /* W */
    multiply(S, point + COORDINATE_X, P, true);
    multiply(point + COORDINATE_ZZ, point + COORDINATE_ZZ, P, true);
    multiply(point + COORDINATE_ZZZ, point + COORDINATE_ZZZ, T, true);
    multiply(point + COORDINATE_Y, point + COORDINATE_Y, T, true);
    multiply(P, point + COORDINATE_X, point + COORDINATE_X, true);
    take(&a, P);
    fe_triple(&a, &a);
    put(P, &a); /* M */
    multiply(point + COORDINATE_X, P, P, true);
    subtract(point + COORDINATE_X, point + COORDINATE_X, S);
    subtract(point + COORDINATE_X, point + COORDINATE_X, S);
    subtract(S, S, point + COORDINATE_X);
    multiply(S, S, P, true);
    subtract(point + COORDINATE_Y, S, point + COORDINATE_Y);
}

/*
 * Complete an addition to a point. On entry its coordinates are X1 ZZ2 = U1, Y1 ZZZ2 = S1, ZZ1 ZZ2, ZZZ1 ZZZ2, and the
 * elements P and R are P = U2 - U1 and R = S2 - S1. All lanes of the warp call this. If `adds` is false, which both
 * lanes of a module agree on, the point is left unchanged. The formulas are those of xyzz_add(), add-2008-s:
 *     lane 0                    lane 1
 *     T = P^2                   S = R^2
 *     P = PPP = P T             X = Q = U1 T
 *     ZZ3 = ZZ T                ZZZ3 = ZZZ PPP
 *     T = X3 = S - PPP - 2Q
 *     S = R (Q - X3)            Y = S1 PPP
 *     X = X3                    Y3 = S - Y
 */
static __device__ __noinline__ void end_addition(uint32_t point, bool adds)
{
    const bool first = lane_of_module() == 0;
    multiply(first ? T : S, first ? P : R, first ? P : R, true);
    __syncwarp();
    multiply(first ? P : point + COORDINATE_X, first ? P : point + COORDINATE_X, T, first || adds);
    __syncwarp();
    const uint32_t scaled = point + (first ? COORDINATE_ZZ : COORDINATE_ZZZ);
    multiply(scaled, scaled, first ? T : P, adds);
    __syncwarp();
    if (first) {
        subtract(T, S, P);
        subtract(T, T, point + COORDINATE_X);
        subtract(T, T, point + COORDINATE_X);
        subtract(S, point + COORDINATE_X, T);
    }
    __syncwarp();
    multiply(first ? S : point + COORDINATE_Y, first ? S : point + COORDINATE_Y, first ? R : P,
             first || adds);
    __syncwarp();
    if (adds && first) {
        copy(point + COORDINATE_X, T);
    } else if (adds) {
        subtract(point + COORDINATE_Y, S, point + COORDINATE_Y);
    }
    __syncwarp();
}

/* By P and R compare() finds the kind of an addition. All lanes of the warp call it. */
enum addition { ADDS, DOUBLES, CANCELS };

static __device__ __forceinline__ addition compare(void)
{
    const uint32_t zeros = __ballot_sync(0xffffffff, is_zero(P + lane_of_module()));
    const uint32_t module_zeros = zeros >> (threadIdx.x % 32 - lane_of_module());
    return (module_zeros & 1) == 0 ? ADDS : (module_zeros & 2) != 0 ? DOUBLES : CANCELS;
}

/* Add *bucket to RUN, or nothing if `bucket` is null. All lanes of the warp call this. The formulas are those of
 * xyzz_add_affine(), madd-2008-s. */
static __device__ __forceinline__ void add_bucket(const affine *bucket)
{
    const uint32_t lane = lane_of_module();
    fe coordinate;
    fe_set_zero(&coordinate);
    if (bucket != NULL) {
        fe_load(&coordinate, lane == 0 ? &bucket->x : &bucket->y);
    }
    const uint32_t nonzero = __ballot_sync(0xffffffff, !fe_is_zero(&coordinate));
    const bool finite = (nonzero >> (threadIdx.x % 32 - lane) & 3) != 0;
    if (nonzero == 0) {
        return; /* the whole warp */
    }
    const bool begins = is_zero(RUN + COORDINATE_ZZ);
    put(P + lane, &coordinate);
    multiply(P + lane, P + lane, RUN + COORDINATE_ZZ + lane, true);
    subtract(P + lane, P + lane, RUN + COORDINATE_X + lane);
    const addition kind = compare();
    end_addition(RUN, finite && !begins && kind == ADDS);
    if (lane == 0 && finite) {
        if (begins) {
            set_affine(RUN, bucket);
        } else if (kind == DOUBLES) {
            twice(RUN);
        } else if (kind == CANCELS) {
            set_infinity(RUN);
        }
    }
    __syncwarp();
}

/* Add RUN to WEIGHTED. All lanes of the warp call this. */
static __device__ __forceinline__ void add_run(void)
{
    const uint32_t lane = lane_of_module();
    const bool finite = !is_zero(RUN + COORDINATE_ZZ);
    if (!__any_sync(0xffffffff, finite)) {
        return;
    }
    const bool begins = is_zero(WEIGHTED + COORDINATE_ZZ);
    const bool adds = finite && !begins;
    const uint32_t coordinate = WEIGHTED + COORDINATE_X + lane, scale = COORDINATE_ZZ + lane;
    __syncwarp(); /* ZZ has been read */
    multiply(P + lane, RUN + COORDINATE_X + lane, WEIGHTED + scale, true);
    multiply(coordinate, coordinate, RUN + scale, adds);
    multiply(WEIGHTED + scale, WEIGHTED + scale, RUN + scale, adds);
    subtract(P + lane, P + lane, coordinate);
    const addition kind = compare();
    end_addition(WEIGHTED, adds && kind == ADDS);
    if (lane == 0 && finite) {
        if (begins) {
            copy_point(WEIGHTED, RUN);
        } else if (kind == DOUBLES) {
            copy_point(WEIGHTED, RUN);
            twice(WEIGHTED);
        } else if (kind == CANCELS) {
            set_infinity(WEIGHTED);
        }
    }
    __syncwarp();
}

/* Set WEIGHTED to the sum of (i + 1)*P_i. For each i, from the last bucket down, RUN becomes P_i + P_(i+1) + .., and is
 * added to WEIGHTED. */
static __global__ void __launch_bounds__(RUNNING_BLOCK)
    running_kernel(const affine *sums, uint32_t buckets, uint64_t modules, int add, xyzz *parts)
{
    const uint64_t module = (blockIdx.x * (uint64_t)RUNNING_BLOCK + threadIdx.x) / LANES;
    const bool exists = module < modules;
    fe *part = &parts[exists ? module : 0].x; /* the first of its four coordinates */
    fe coordinate;
    if (lane_of_module() == 0) {
        set_infinity(RUN);
        set_infinity(WEIGHTED);
        for (uint32_t i = 0; add && exists && i < COORDINATES; i++) {
            fe_load(&coordinate, &part[i]);
            put(WEIGHTED + i, &coordinate);
        }
    }
    __syncwarp();
#pragma unroll 1
    for (uint32_t i = buckets; i-- > 0;) {
        add_bucket(exists ? &sums[module * buckets + i] : NULL);
        add_run();
    }
    for (uint32_t i = lane_of_module(); exists && i < COORDINATES; i += LANES) {
        take(&coordinate, WEIGHTED + i);
        fe_store(&part[i], &coordinate);
    }
}

sumac_status SUMAC_SYMBOL(running_sum)(cuda_engine *engine, cudaStream_t stream, const void *sums,
                                       uint32_t buckets, uint64_t modules, int add, void *parts)
{
    return cuda_launch(engine, stream, running_kernel, blocks_for(modules * LANES, RUNNING_BLOCK),
                       RUNNING_BLOCK, (const affine *)sums, buckets, modules, add, (xyzz *)parts);
}
