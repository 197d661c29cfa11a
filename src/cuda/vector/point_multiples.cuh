/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This header computes multiples of points by recoded scalars (vector/point_digits.h), for transforms. Quads have the
 * shorter latency if multiples are few; one lane for each multiple needs less than half of a quad's products.
 */
#ifndef SUMAC_CUDA_VECTOR_POINT_MULTIPLES_CUH
#define SUMAC_CUDA_VECTOR_POINT_MULTIPLES_CUH

#include "cuda/device/kernels.cuh"
#include "cuda/device/quads.cuh"
#include "cuda/vector/vectors.h"
#include "curves/group_code.h"
#include "vector/point_digits.h"

#if CURVE_HAS_GLV
SUMAC_CONST fe transform_beta = CURVE_BETA;
#endif

/* These are the sparse digits of a scalar. */
struct sparse_digits {
    uint8_t codes[POINT_DIGIT_HALVES][POINT_SPARSE_POSITIONS];
    uint32_t positions;
};

/* ---- By quads ---- */

/* quad_sum() and quad_doubled() are not inlined, because a multiple takes hundreds of them. */
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

/* A scalar's multiple is a chain: from the top position down, doublings and then the addition of a digit of each half.
 * Sparse digits take fewer additions if all quads of a warp have the same scalar, and more if they have several. */
struct quad_chain {
    const point_digits *digits;
    const sparse_digits *sparse; /* null: `digits` is used */
    uint32_t positions;
    int first_half, end_half; /* the scalar's halves that are used */
};

/* Compute POINT_DIGIT_MOST multiples of the point: 1, 3, 5 .. if `odd`, else 1, 2, 3 ... If with_endomorphism, their
 * images follow them. */
static __device__ __forceinline__ void quad_multiples(fe *table, const fe *a, bool odd,
                                                      bool with_endomorphism)
{
    const fe twice = quad_doubled(*a);
    const fe step = odd ? twice : *a;
    table[0] = *a;
    table[1] = odd ? quad_sum(*a, twice) : twice;
#pragma unroll 1
    for (int m = 2; m < POINT_DIGIT_MOST; m++) {
        table[m] = quad_sum(table[m - 1], step);
    }
#if CURVE_HAS_GLV
#pragma unroll 1
    for (int m = 0; with_endomorphism && m < POINT_DIGIT_MOST; m++) {
        fe mapped;
        fe_mul_called(&mapped, &table[m], &transform_beta);
        table[POINT_DIGIT_MOST + m] = quad_lane() == QUAD_X ? mapped : table[m];
    }
#endif
}

/* If `wanted`, set *a to the scalar's multiple of the point, whose order must divide r. All lanes of the warp call
 * this, with sparse digits for all quads or for none. */
static __device__ __forceinline__ void quad_multiply(fe *a, const quad_chain &chain, bool wanted)
{
    const bool finite = (quad_ballot(fe_is_zero(a)) >> QUAD_ZZ & 1) == 0;
    const bool odd = chain.sparse != NULL;
    if (!__any_sync(0xffffffff, wanted && finite)) {
        return;
    }
    fe table[POINT_DIGIT_HALVES * POINT_DIGIT_MOST], sum, term;
    const int doublings = odd ? 1 : POINT_DIGIT_BITS;
    const uint32_t positions = odd ? chain.sparse->positions : chain.positions;
    /* If there is only the second half, it is multiplied like the first, and the endomorphism is applied to the sum. */
    const bool alone = chain.first_half + 1 == chain.end_half;
    quad_multiples(table, a, odd, !alone);
    fe_set_zero(&sum);
#pragma unroll 1
    for (uint32_t w = positions; w-- > 0;) {
#pragma unroll 1
        for (int i = 0; i < doublings && w + 1 < positions; i++) {
            sum = quad_doubled(sum);
        }
#pragma unroll 1
        for (int half = chain.first_half; half < chain.end_half; half++) {
            const uint32_t digit = odd ? chain.sparse->codes[half][w] : chain.digits->codes[half][w];
            const uint32_t code = wanted ? digit : 0;
            if (__any_sync(0xffffffff, code > 1)) {
                fe_set_zero(&term);
                if (code > 1) {
                    term = table[(alone ? 0 : half * POINT_DIGIT_MOST) + (odd ? code >> 2 : (code >> 1) - 1)];
                }
                apply_sign(&term, (code & 1) != 0 && quad_lane() == QUAD_Y);
                sum = quad_sum(sum, term);
            }
        }
    }
#if CURVE_HAS_GLV
    if (alone && chain.first_half > 0) {
        fe_mul_called(&term, &sum, &transform_beta);
        sum = quad_lane() == QUAD_X ? term : sum;
    }
#endif
    if (wanted) {
        *a = sum;
    }
}

/* ---- By one lane ---- */

/* One lane is used for a multiple if its coordinates fit into registers. The formulas for a table assume that no two of
 * the point's first 2*POINT_DIGIT_MOST multiples are equal or opposite: the point's order is r, or 1. */
#define POINT_LANES (FE_DEGREE == 1 && FP_LIMBS <= 6 && FR_BITS > 64)

#if POINT_LANES
enum { LANES_BLOCKS_PER_SM = 2 /* limits the registers; large transforms fill these */ };

static __device__ __noinline__ fe square_of(fe a)
{
    fe r;
    fe_sqr(&r, &a);
    return r;
}

static __device__ __forceinline__ void fe_sqr_called(fe *r, const fe *a)
{
    *r = square_of(*a);
}

/* p = 2p, by dbl-2009-l, with products that are not inlined.
 *   A = X^2 | B = Y^2 | C = B^2 | D = 2((X + B)^2 - A - C) | E = 3A
 *   X3 = E^2 - 2D | Z3 = 2YZ | Y3 = E(D - X3) - 8C */
static __device__ __forceinline__ void lane_double(jacobian *p)
{
    fe a, b, c, d, e;
    fe_sqr_called(&a, &p->x);
    fe_sqr_called(&b, &p->y);
    fe_mul_called(&p->z, &p->z, &p->y);
    fe_double(&p->z, &p->z);
    fe_sqr_called(&c, &b);
    fe_add(&d, &p->x, &b);
    fe_sqr_called(&d, &d);
    fe_sub(&d, &d, &a);
    fe_sub(&d, &d, &c);
    fe_double(&d, &d);
    fe_triple(&e, &a);
    fe_sqr_called(&p->x, &e);
    fe_sub(&p->x, &p->x, &d);
    fe_sub(&p->x, &p->x, &d);
    fe_sub(&d, &d, &p->x);
    fe_mul_called(&p->y, &e, &d);
    fe_double(&c, &c);
    fe_double(&c, &c);
    fe_double(&c, &c);
    fe_sub(&p->y, &p->y, &c);
}

/* p += (x, y), which must not be equal or opposite, and *h = Z3/Z1; neither may be infinity. This is madd, 8M + 3S.
 *   H = xZ1^2 - X1 | R = yZ1^3 - Y1 | V = X1 H^2
 *   X3 = R^2 - H^3 - 2V | Y3 = R(V - X3) - Y1 H^3 | Z3 = Z1 H
 * If H = 0, p stays unchanged, *h = 0 and *equal = (R = 0). */
static __device__ __forceinline__ void lane_add_affine(jacobian *p, const fe *x, const fe *y, fe *h,
                                                       bool *equal)
{
    fe r, v, hh, hhh;
    fe_sqr_called(&hh, &p->z);
    fe_mul_called(h, x, &hh);
    fe_sub(h, h, &p->x);
    fe_mul_called(&hh, &hh, &p->z);
    fe_mul_called(&r, y, &hh);
    fe_sub(&r, &r, &p->y);
    *equal = false;
    if (SUMAC_UNLIKELY(fe_is_zero(h))) {
        *equal = fe_is_zero(&r);
        return;
    }
    fe_mul_called(&p->z, &p->z, h);
    fe_sqr_called(&hh, h);
    fe_mul_called(&hhh, &hh, h);
    fe_mul_called(&v, &p->x, &hh);
    fe_sqr_called(&p->x, &r);
    fe_sub(&p->x, &p->x, &hhh);
    fe_sub(&p->x, &p->x, &v);
    fe_sub(&p->x, &p->x, &v);
    fe_sub(&v, &v, &p->x);
    fe_mul_called(&v, &v, &r);
    fe_mul_called(&hhh, &hhh, &p->y);
    fe_sub(&p->y, &v, &hhh);
}

/* Add (x, y), which is not infinity, to any point. */
static __device__ __forceinline__ void lane_add(jacobian *p, const fe *x, const fe *y)
{
    fe h;
    bool equal;
    if (fe_is_zero(&p->z)) {
        p->x = *x;
        p->y = *y;
        fe_set_one(&p->z);
        return;
    }
    lane_add_affine(p, x, y, &h, &equal);
    if (SUMAC_UNLIKELY(fe_is_zero(&h))) {
        if (equal) {
            lane_double(p);
        } else {
            fe_set_zero(&p->z);
        }
    }
}

/* The table has the odd multiples 1, 3, .. of a point. They are affine on the isomorphic curve of the coordinates
 * (x*u^2, y*u^3). If there is an endomorphism, beta times each x follows. */
struct lane_table {
    fe x[POINT_DIGIT_HALVES * POINT_DIGIT_MOST], y[POINT_DIGIT_MOST];
    fe u;
};

/* (X, Y) of an XYZZ point is affine on the isomorphic curve with u^2 = ZZ. Its double is D = (X', Y') on the curve with
 * u *= Z'. There every odd multiple is the previous one plus D, and all are finally scaled to the last one's Z. */
static __device__ __forceinline__ void lane_multiples(lane_table *table, const fe *x, const fe *y)
{
    fe ratios[POINT_DIGIT_MOST], square;
    jacobian twice, sum;
    bool equal;
    twice.x = *x;
    twice.y = *y;
    fe_set_one(&twice.z);
    lane_double(&twice);
    fe_sqr_called(&square, &twice.z);
    fe_mul_called(&sum.x, x, &square);
    fe_mul_called(&square, &square, &twice.z);
    fe_mul_called(&sum.y, y, &square);
    fe_set_one(&sum.z);
    table->x[0] = sum.x;
    table->y[0] = sum.y;
#pragma unroll 1
    for (int m = 1; m < POINT_DIGIT_MOST; m++) {
        lane_add_affine(&sum, &twice.x, &twice.y, &ratios[m], &equal);
        table->x[m] = sum.x;
        table->y[m] = sum.y;
    }
    fe_mul_called(&table->u, &sum.z, &twice.z);
    fe ratio = ratios[POINT_DIGIT_MOST - 1]; /* the last Z divided by that of multiple m */
#pragma unroll 1
    for (int m = POINT_DIGIT_MOST - 2; m >= 0; m--) {
        fe_sqr_called(&square, &ratio);
        fe_mul_called(&table->x[m], &table->x[m], &square);
        fe_mul_called(&square, &square, &ratio);
        fe_mul_called(&table->y[m], &table->y[m], &square);
        if (m > 0) {
            fe_mul_called(&ratio, &ratio, &ratios[m]);
        }
    }
#if CURVE_HAS_GLV
#pragma unroll 1
    for (int m = 0; m < POINT_DIGIT_MOST; m++) {
        fe_mul_called(&table->x[POINT_DIGIT_MOST + m], &table->x[m], &transform_beta);
    }
#endif
}

/* Set *a to the scalar's multiple of the point. Infinity stays infinity, because ZZ = ZZZ = 0 are factors of those of
 * the result. */
static __device__ __forceinline__ void lane_multiply(xyzz *a, const sparse_digits *digits)
{
    lane_table table;
    jacobian sum;
    lane_multiples(&table, &a->x, &a->y);
    sum.x = sum.y = a->x;
    fe_set_zero(&sum.z);
#pragma unroll 1
    for (uint32_t w = digits->positions; w-- > 0;) {
        lane_double(&sum);
#pragma unroll 1
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            const uint32_t code = digits->codes[half][w];
            if (code > 1) {
                fe y = table.y[code >> 2];
                apply_sign(&y, code & 1);
                lane_add(&sum, &table.x[half * POINT_DIGIT_MOST + (code >> 2)], &y);
            }
        }
    }
    fe_mul_called(&sum.z, &sum.z, &table.u);
    a->x = sum.x;
    a->y = sum.y;
    fe_sqr_called(&table.u, &sum.z);
    fe_mul_called(&a->zz, &a->zz, &table.u);
    fe_mul_called(&table.u, &table.u, &sum.z);
    fe_mul_called(&a->zzz, &a->zzz, &table.u);
}
#endif

/* ---- Digits of scalars in the device's memory; these functions do not wait ---- */

/* A kernel that recodes needs these constants of the scalar field. */
struct recoding_field {
    uint64_t modulus[FR_LIMBS];
    scalar_field field; /* the kernel replaces its pointers, which are the host's */
    glv_lattice split;
};

static __global__ void __launch_bounds__(PAIR_BLOCK)
    recode_kernel(point_digits *digits, const uint64_t *scalars, uint64_t n, uint32_t positions,
                  const __grid_constant__ recoding_field constants)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (i < n) {
        scalar_field field = constants.field;
        field.modulus = constants.modulus;
        field.split = &constants.split;
        point_digits_recode(&digits[i], scalars + i * FR_LIMBS, &field, positions);
    }
}

static __global__ void __launch_bounds__(PAIR_BLOCK)
    sparse_kernel(sparse_digits *sparse, const point_digits *digits, uint64_t n)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (i < n) {
        uint32_t most = 0;
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            const uint32_t positions = point_digits_sparse(sparse[i].codes[half], &digits[i], half);
            most = positions > most ? positions : most;
        }
        sparse[i].positions = most;
    }
}

/* Return the number of positions of scalars, computed on the host like point_digit_positions(). */
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

/* Recode n > 0 scalars in a vector's format. */
static sumac_status recode_scalars(const vector_run *run, point_digits *digits, const void *scalars,
                                   uint64_t n)
{
    cuda_engine *engine = engine_of_run(run);
    const scalar_field *field = &registered(run->group)->scalars;
    recoding_field constants = {};
    constants.field = *field;
    for (int i = 0; i < FR_LIMBS; i++) {
        constants.modulus[i] = field->modulus[i];
    }
    if (field->split != NULL) {
        constants.split = *field->split;
    }
    return cuda_launch(engine, engine->stream, recode_kernel, blocks_for(n, PAIR_BLOCK), PAIR_BLOCK, digits,
                       static_cast<const uint64_t *>(scalars), n, digit_positions(field), constants);
}

static sumac_status recode_sparsely(const vector_run *run, sparse_digits *sparse, const point_digits *digits,
                                    uint64_t n)
{
    cuda_engine *engine = engine_of_run(run);
    return cuda_launch(engine, engine->stream, sparse_kernel, blocks_for(n, PAIR_BLOCK), PAIR_BLOCK, sparse,
                       digits, n);
}

#endif
