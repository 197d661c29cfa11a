/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Quads add XYZZ points. A quad is four neighbouring lanes of a warp; its lane j holds coordinate j of X, Y, ZZ, ZZZ. One
 * lane computes a sum by 14 products one after another; a quad needs 4 steps. If the work is too little to fill the device,
 * quads are faster because they wait less; otherwise they cost a seventh more, as 16 products are computed instead of 14.
 */
#ifndef SUMAC_CUDA_DEVICE_QUADS_CUH
#define SUMAC_CUDA_DEVICE_QUADS_CUH

#include "cuda/device/elements.cuh"

enum { QUAD_X, QUAD_Y, QUAD_ZZ, QUAD_ZZZ, QUAD };

enum {
    QUADS = (unsigned)PAIR_BLOCK / QUAD,
    WARPS = PAIR_BLOCK / 32,
    WARP_LEVELS = 3, /* log2 of a warp's quads */
    WARP_QUADS = 1 << WARP_LEVELS,
    QUADS_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 + 1, /* limits the registers of a thread */
    POINTS_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2     /* limits them in kernels over vectors of points */
};

/* Return the lane's number in its quad, which is also the coordinate that the lane holds. */
static __device__ __forceinline__ uint32_t quad_lane(void)
{
    return threadIdx.x % QUAD;
}

/* Return the quad's number in the grid. */
static __device__ __forceinline__ uint64_t quad_number(void)
{
    return (blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x) / QUAD;
}

/* Load the lane's coordinate of a point. */
static __device__ __forceinline__ void load_coordinate(fe *r, const xyzz *point)
{
    fe_load(r, (const fe *)point + quad_lane());
}

static __device__ __forceinline__ void store_coordinate(xyzz *point, const fe *a)
{
    fe_store((fe *)point + quad_lane(), a);
}

/* Set r to the a of lane number `lane` of the quad. */
static __device__ __forceinline__ void fe_from_lane(fe *r, const fe *a, int lane)
{
    fe_shuffle(r, a, [=](uint32_t word) { return __shfl_sync(0xffffffff, word, lane, QUAD); });
}

/* Set r to the a of the lane that is `distance` lanes further on in the warp. If there is no such lane, set r to this
 * lane's a. */
static __device__ __forceinline__ void fe_from_lane_above(fe *r, const fe *a, int distance)
{
    fe_shuffle(r, a, [=](uint32_t word) { return __shfl_down_sync(0xffffffff, word, (unsigned)distance); });
}

/* Return 4 bits: bit j is set if the condition holds in lane j of this lane's quad. */
static __device__ __forceinline__ uint32_t quad_ballot(int condition)
{
    return __ballot_sync(0xffffffff, condition) >> (threadIdx.x % 32 - quad_lane()) & ((1u << QUAD) - 1);
}

/* Read the lane's coordinate of an affine point, x or y; a null point is infinity. */
static __device__ __forceinline__ void quad_fetch_affine(fe *r, const affine *point)
{
    fe_set_zero(r);
    if (point != NULL && quad_lane() < QUAD_ZZ) {
        fe_load(r, (const fe *)point + quad_lane());
    }
}

/* Turn the coordinate that quad_fetch_affine() read into the lane's coordinate in XYZZ. All lanes of the warp call this. */
static __device__ __forceinline__ void quad_complete_affine(fe *r)
{
    /* Infinity is x = y = 0, and then ZZ = ZZZ = 0. */
    const bool finite = quad_ballot(!fe_is_zero(r)) != 0;
    if (finite && quad_lane() >= QUAD_ZZ) {
        fe_set_one(r);
    }
}

static __device__ __forceinline__ void quad_load_affine(fe *r, const affine *point)
{
    quad_fetch_affine(r, point);
    quad_complete_affine(r);
}

/* Set r to this lane's coordinate of 2a. Doublings are rare here, so each lane computes all coordinates. */
static __device__ __noinline__ void quad_double(fe *r, const fe *x, const fe *y, const fe *zz, const fe *zzz)
{
    const xyzz a = {*x, *y, *zz, *zzz};
    xyzz sum;
    xyzz_double(&sum, &a);
    const uint32_t lane = quad_lane();
    *r = lane == QUAD_X ? sum.x : lane == QUAD_Y ? sum.y : lane == QUAD_ZZ ? sum.zz : sum.zzz;
}

/*
 * r = a + b, where each lane has one coordinate of each point; r may be a or b. All lanes of the warp call this.
 * Infinity has ZZ = 0. The formulas are those of xyzz_add(), add-2008-s:
 *     lane X        lane Y          lane ZZ        lane ZZZ
 *     U1 = X1*ZZ2   S1 = Y1*ZZZ2    U2 = ZZ1*X2    S2 = ZZZ1*Y2    P = U2 - U1, R = S2 - S1
 *     PP = P^2      RR = R^2        Z = ZZ1*ZZ2    Y = ZZZ1*ZZZ2
 *     Q = U1*PP     -               ZZ3 = Z*PP     PPP = P*PP      X3 = RR - PPP - 2Q
 *     R*(Q - X3)    S1*PPP          -              ZZZ3 = Y*PPP    Y3 = the difference of the first two
 */
static __device__ __forceinline__ void quad_add(fe *r, const fe *a, const fe *b)
{
    const uint32_t lane = quad_lane();
    const bool upper = lane >= QUAD_ZZ;
    fe first, other, difference, second, third, left, right;
    fe_exchange(&other, b, 2);
    fe_mul_called(&first, a, &other); /* U1, S1, U2, S2 */
    fe_exchange(&other, &first, 2);
    left = upper ? first : other;
    right = upper ? other : first;
    fe_sub(&difference, &left, &right); /* P, R, P, R */
    const uint32_t equal = quad_ballot(fe_is_zero(&difference)) & (1u << QUAD_X | 1u << QUAD_Y);
    const bool no_a = (quad_ballot(fe_is_zero(a)) >> QUAD_ZZ & 1) != 0;
    const bool no_b = (quad_ballot(fe_is_zero(b)) >> QUAD_ZZ & 1) != 0;
    left = upper ? *a : difference;
    right = upper ? *b : difference;
    fe_mul_called(&second, &left, &right); /* PP, RR, ZZ1*ZZ2, ZZZ1*ZZZ2 */
    fe_from_lane(&other, &second, QUAD_X);
    fe_from_lane(&left, &difference, QUAD_X);
    left = lane == QUAD_ZZZ ? left : lane == QUAD_ZZ ? second : first;
    fe_mul_called(&third, &left, &other);      /* Q, -, ZZ3, PPP */
    fe_from_lane(&other, &third, QUAD_ZZZ);    /* PPP */
    fe_from_lane(&left, &second, QUAD_Y);      /* RR */
    fe_from_lane(&right, &difference, QUAD_Y); /* R */
    fe_sub(&left, &left, &other);
    fe_sub(&left, &left, &third);
    fe_sub(&left, &left, &third); /* X3 in lane X */
    fe sum = lane == QUAD_X ? left : third;
    fe_sub(&difference, &third, &left);
    left = lane == QUAD_X ? difference : lane == QUAD_Y ? first : second;
    right = lane == QUAD_X ? right : other;
    fe_mul_called(&left, &left, &right); /* R*(Q - X3), S1*PPP, -, ZZZ3 */
    fe_from_lane(&other, &left, QUAD_X);
    fe_sub(&other, &other, &left);
    sum = lane == QUAD_Y ? other : lane == QUAD_ZZZ ? left : sum;
    /* If P = R = 0, the sum is a doubling. If only P = 0, it is infinity, which the formulas give because PP = 0. */
    const bool twice = equal == (1u << QUAD_X | 1u << QUAD_Y) && !no_a && !no_b;
    if (SUMAC_UNLIKELY(__any_sync(0xffffffff, twice))) {
        fe x, y, zz, zzz;
        fe_from_lane(&x, a, QUAD_X);
        fe_from_lane(&y, a, QUAD_Y);
        fe_from_lane(&zz, a, QUAD_ZZ);
        fe_from_lane(&zzz, a, QUAD_ZZZ);
        if (twice) {
            fe doubled;
            quad_double(&doubled, &x, &y, &zz, &zzz);
            sum = doubled;
        }
    }
    *r = no_b ? *a : no_a ? *b : sum;
}

/* Add b to the sum. All lanes of the warp call this. If b is infinity in all quads of the warp, nothing is computed. */
static __device__ __forceinline__ void quad_add_unless_infinity(fe *sum, const fe *b)
{
    if (__any_sync(0xffffffff, quad_lane() == QUAD_ZZ && !fe_is_zero(b))) {
        quad_add(sum, sum, b);
    }
}

/*
 * a = 2a, where each lane has one coordinate. All lanes of the warp call this. The formulas are those of xyzz_double(),
 * dbl-2008-s-1:
 *     lane X        lane Y      lane ZZ       lane ZZZ
 *     XX = X^2      V = (2Y)^2
 *     S = X*V       W = 2Y*V    ZZ3 = ZZ*V    MM = M^2          M = 3XX
 *     M*(S - X3)    Y*W                       ZZZ3 = ZZZ*W      X3 = MM - 2S
 *     Y3 = M*(S - X3) - Y*W
 * Infinity stays infinity: ZZ3 and ZZZ3 are products of ZZ and ZZZ. Y = 0 gives infinity, as V = 0.
 */
static __device__ __forceinline__ void quad_twice(fe *a)
{
    const uint32_t lane = quad_lane();
    fe first, second, left, right, m, x3;
    fe_double(&left, a); /* U = 2Y */
    left = lane == QUAD_Y ? left : *a;
    fe_mul_called(&first, &left, &left); /* XX, V, -, - */
    fe_from_lane(&m, &first, QUAD_X);
    fe_triple(&m, &m);
    fe_from_lane(&right, &first, QUAD_Y);
    left = lane == QUAD_ZZZ ? m : left;
    right = lane == QUAD_ZZZ ? m : right;
    fe_mul_called(&second, &left, &right); /* S, W, ZZ3, MM */
    fe_from_lane(&x3, &second, QUAD_ZZZ);
    fe_sub(&x3, &x3, &second);
    fe_sub(&x3, &x3, &second); /* in lane X */
    fe_sub(&left, &second, &x3);
    fe_from_lane(&right, &second, QUAD_Y);
    left = lane == QUAD_X ? left : *a;
    right = lane == QUAD_X ? m : right;
    fe_mul_called(&first, &left, &right); /* M*(S - X3), Y*W, -, ZZZ3 */
    fe_from_lane(&left, &first, QUAD_X);
    fe_sub(&left, &left, &first); /* Y3 in lane Y */
    *a = lane == QUAD_X ? x3 : lane == QUAD_Y ? left : lane == QUAD_ZZ ? second : first;
}

/*
 * ---- Sums of many points by groups of 2^level quads, at most all of a block ----
 *
 * Each quad of a group adds up some of the points one after another; then the quads' sums are added up as a tree.
 */

SUMAC_STATIC_ASSERT(QUADS == 1 << QUAD_GROUP_LEVELS, "the largest group has all quads of a block");
SUMAC_STATIC_ASSERT(WARPS <= WARP_QUADS, "one warp adds up the sums of a block's warps");

/* Return the quad's number in its group of 2^level quads. */
static __device__ __forceinline__ uint32_t quad_of(uint32_t level)
{
    return threadIdx.x / QUAD & ((1u << level) - 1);
}

/* Give the sum of each of the group's warps to one quad of its first warp. All other quads get infinity. */
static __device__ __forceinline__ void gather_warps(fe *sum, fe *warp_sums, uint32_t level)
{
    const uint32_t warp = threadIdx.x / 32, quad = threadIdx.x % 32 / QUAD;
    const uint32_t warps = 1u << (level - WARP_LEVELS); /* the number of warps of a group */
    if (quad == 0) {
        fe_store(&warp_sums[warp * QUAD + quad_lane()], sum);
    }
    __syncthreads();
    fe_set_zero(sum);
    if (warp % warps == 0 && quad < warps) {
        fe_load(sum, &warp_sums[(warp + quad) * QUAD + quad_lane()]);
    }
}

/*
 * Add the group's points, from number first << level on, to the sums that its quads already have, and leave the total
 * in the group's first quad. points.fetch(r, k) starts to read this lane's part of point k, if the point exists, and
 * returns a number that points.complete(r, number) needs to turn it into the lane's coordinate; so the next point is
 * read while one is added. All quads of a warp add steps - first points, and all groups of a block have the same level.
 * warp_sums is shared memory for WARPS * QUAD elements.
 */
template <typename group_points>
static __device__ __forceinline__ void add_group(fe *sum, const group_points &points, uint32_t first,
                                                 uint32_t steps, uint32_t level, fe *warp_sums)
{
    fe next;
    uint32_t fetched = points.fetch(&next, quad_of(level) + (first << level));
#pragma unroll 1
    for (uint32_t step = first; step < steps + level; step++) {
        fe other;
        if (step < steps) {
            other = next;
            points.complete(&other, fetched);
            fetched = points.fetch(&next, quad_of(level) + ((step + 1) << level));
        } else {
            const uint32_t tree_level = step - steps;
            if (tree_level == WARP_LEVELS) {
                gather_warps(sum, warp_sums, level);
            }
            fe_exchange(&other, sum, QUAD << tree_level % WARP_LEVELS);
        }
        quad_add_unless_infinity(sum, &other);
    }
}

#endif
