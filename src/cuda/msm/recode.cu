/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file recodes: it makes digits of scalars, like src/cpu/recode.c. Every scalar is taken modulo r. With
 * plan.negate_large_scalars k > r/2 becomes -(r - k). With plan.top_window_balancing > 1 a multiple of r is added,
 * which spreads the top window's digits. With plan.glv_terms = 2 a separate kernel recodes the scalar's two halves
 * (math/glv.h). Each thread has one scalar.
 */
#include <cmath>
#include <cstring>
#include <utility>

#include "cuda/device/kernels.cuh"
#include "cuda/msm/stage.h"
#include "math/glv.h"
#include "math/recode.h"
#include "math/scalar.h"

enum { RECODE_BLOCK = 128 };

/* The kernels take these arguments by value: constants of the field, and the shape of the pass. */
struct recode_arguments {
    const uint8_t *scalars; /* from the pass's first base on; MSM j's begin j*stride scalars further on */
    scalar_layout layout;
    uint64_t stride;
    uint32_t *codes;
    uint64_t modulus[SCALAR_MAX_LIMBS];
    uint64_t half[SCALAR_MAX_LIMBS]; /* floor(r/2) */
    uint64_t inv;
    float inverse_top; /* at most 1/(R + 1), where R is the modulus's top limb */
    uint32_t bits;
    uint64_t first; /* the pass's first base */
    uint64_t n;
    uint64_t first_msm;
    uint64_t msms; /* the number of MSMs that the pass's modules belong to */
    uint64_t first_module;
    uint64_t end_module;
    uint32_t modules;
    uint32_t windows;
    uint32_t factor;
    uint32_t c;
    uint32_t checked_bits; /* msm_job.checked_bits */
    uint32_t cut_bits;     /* msm_job.cut_bits */
    int may_be_over;       /* a scalar may be r or more */
    int negate;
    int is_unsigned;
    uint32_t top_window_balancing;
    int montgomery;
    uint32_t *too_large;
    glv_lattice split; /* set if plan.glv_terms > 1 */
};

/* Return 1 if a < b, else 0. This is the borrow of a - b. It is computed without a branch, so that a and b stay in
 * registers. */
template <uint32_t limbs>
static __device__ __forceinline__ uint64_t is_less(const uint64_t *a, const uint64_t *b)
{
    uint64_t borrow = 0;
#pragma unroll
    for (uint32_t i = 0; i < limbs; i++) {
        (void)limb_sub_borrow(a[i], b[i], &borrow);
    }
    return borrow;
}

/* Compute k mod r as scalar_reduce() does. K is k's top limb and R that of r; the quotient is the product
 * K * inverse_top rounded down, q <= K/(R + 1), or 1 if that is 0. Each step leaves less than twice what the exact
 * quotient would leave, or 2^-22 of k if that is more. */
template <uint32_t limbs>
static __device__ __forceinline__ void reduce(uint64_t *k, const recode_arguments *a)
{
#pragma unroll 1
    while (!is_less<limbs>(k, a->modulus)) {
        uint64_t quotient = (uint64_t)__fmul_rd(__ull2float_rd(k[limbs - 1]), a->inverse_top);
        uint64_t carry = 0, borrow = 0;
        quotient += quotient == 0;
#pragma unroll
        for (uint32_t i = 0; i < limbs; i++) {
            const uint64_t product = limb_multiply_add(a->modulus[i], quotient, 0, &carry);
            k[i] = limb_sub_borrow(k[i], product, &borrow);
        }
    }
}

/* Return the code 2*d + sign. Bit 0 of `bits` belongs to the next lower window, and is dropped. */
static __device__ __forceinline__ uint32_t unsigned_code(uint32_t bits, uint32_t negative)
{
    return bits < 2 ? 0 : (bits & ~1u) | negative;
}

/* A scalar's digits belong to the multiples from `first` to end - 1; the scalar has `windows` digits. */
struct code_range {
    uint32_t first;
    uint32_t end;
    uint32_t windows;
};

/* Write the codes of the integer k + 2^(64*limbs)*high, from the lowest window up. Window (t - first)*modules + j
 * belongs to multiple t and module j; it is written if the pass has module j. */
template <uint32_t limbs>
static __device__ __forceinline__ void write_codes(const recode_arguments *a, const uint64_t *k,
                                                   uint32_t high, uint32_t negative, code_range range,
                                                   uint64_t msm, uint64_t i)
{
    enum { WORDS = 2 * limbs };
    uint32_t left[WORDS + 1]; /* floor(2*k / 2^(c*window)), whose low bits are the window's bits */
#pragma unroll
    for (int word = 0; word < WORDS; word++) {
        const uint32_t below = word == 0 ? 0 : (uint32_t)(k[(word - 1) / 2] >> (word - 1) % 2 * 32);
        left[word] = __funnelshift_r(below, (uint32_t)(k[word / 2] >> word % 2 * 32), 31);
    }
    left[WORDS] = high << 1 | (uint32_t)(k[limbs - 1] >> 63); /* windows*c < 64*limbs + 32 */
    const uint64_t module_codes = a->factor * a->n;
    const uint64_t passed = msm * a->modules - a->first_module; /* modulo 2^64, like all indices below */
    const uint32_t mask = (2u << a->c) - 1;
    uint32_t window = 0;
    for (uint32_t t = range.first; t < range.end; t++) {
        uint64_t to = passed * module_codes + t * a->n + i;
        for (uint32_t j = 0; j < a->modules; j++, window++, to += module_codes) {
            if (passed + j < a->end_module - a->first_module) {
                const uint32_t code = a->is_unsigned ? unsigned_code(left[0] & mask, negative)
                                                     : recode_signed_code(left[0] & mask, a->c, negative);
                a->codes[to] = window < range.windows ? code : 0;
            }
#pragma unroll
            for (int word = 0; word < WORDS; word++) {
                left[word] = __funnelshift_r(left[word], left[word + 1], a->c);
            }
            left[WORDS] >>= a->c;
        }
    }
}

/* A thread's scalar is number i of the pass's scalars of MSM `msm`. */
struct thread_scalar {
    uint64_t msm;
    uint64_t i;
    bool exists;
};

static __device__ __forceinline__ thread_scalar scalar_of_thread(const recode_arguments &a)
{
    const uint64_t index = blockIdx.x * (uint64_t)RECODE_BLOCK + threadIdx.x;
    const uint64_t number = a.msms == 1 ? 0 : index / a.n; /* a division takes as long as all the rest */
    return {a.first_msm + number, index - number * a.n, index < a.msms * a.n};
}

/* Load the scalar's limbs, and extend its sign. Only the last limb may have fewer than 8 bytes. */
template <uint32_t limbs>
static __device__ __forceinline__ void load_limbs(uint64_t *k, const recode_arguments &a, thread_scalar which)
{
    const uint64_t number = which.msm * a.stride + which.i;
    if (a.layout.bytes == 8 * limbs) {
        const uint64_t *from = reinterpret_cast<const uint64_t *>(a.scalars) + number * limbs;
#pragma unroll
        for (uint32_t limb = 0; limb < limbs; limb++) {
            k[limb] = from[limb];
        }
        return;
    }
    const uint8_t *from = a.scalars + number * a.layout.bytes;
#pragma unroll
    for (uint32_t limb = 0; limb < limbs; limb++) {
        k[limb] = 0;
#pragma unroll
        for (uint32_t byte = 0; byte < 8; byte++) {
            if (8 * limb + byte < a.layout.bytes) {
                k[limb] |= static_cast<uint64_t>(from[8 * limb + byte]) << 8 * byte;
            }
        }
    }
    if (a.layout.is_signed) {
        const uint32_t above = 64 * limbs - 8 * a.layout.bytes;
        k[limbs - 1] = static_cast<uint64_t>(static_cast<int64_t>(k[limbs - 1] << above) >> above);
    }
}

/* Set k to the scalar's absolute value modulo r, in canonical form, and return 1 if the scalar is negative. If it has
 * more bits than declared, set *a.too_large. */
template <uint32_t limbs>
static __device__ __forceinline__ uint32_t load_scalar(uint64_t *k, const recode_arguments &a,
                                                       thread_scalar which)
{
    uint32_t negative = 0;
    load_limbs<limbs>(k, a, which);
    if (a.layout.is_signed) {
        negative = scalar_absolute(k, limbs);
    }
    if (a.montgomery) {
        const scalar_field field = {limbs, a.bits, a.modulus, a.inv, NULL, NULL, NULL};
        uint64_t canonical[limbs]; /* lies in memory, as it is indexed; k stays in registers */
        memcpy(canonical, k, sizeof canonical);
        scalar_from_montgomery(canonical, &field);
        memcpy(k, canonical, sizeof canonical);
    }
    if (a.cut_bits != 0) {
        scalar_cut(k, limbs, a.cut_bits);
    }
    if (a.may_be_over) {
        reduce<limbs>(k, &a);
    }
    if (a.checked_bits != 0) {
        uint64_t copy[limbs];
        memcpy(copy, k, sizeof copy);
        if (scalar_is_large(copy, limbs, negative, a.checked_bits)) {
            *a.too_large = 1;
        }
    }
    return negative;
}

template <uint32_t limbs>
static __global__ void __launch_bounds__(RECODE_BLOCK)
    recode_kernel(const __grid_constant__ recode_arguments a)
{
    const thread_scalar which = scalar_of_thread(a);
    if (!which.exists) {
        return;
    }
    uint64_t k[limbs];
    uint32_t negative = load_scalar<limbs>(k, a, which);
    if (a.negate && is_less<limbs>(a.half, k)) {
        uint64_t borrow = 0;
#pragma unroll
        for (uint32_t limb = 0; limb < limbs; limb++) {
            k[limb] = limb_sub_borrow(a.modulus[limb], k[limb], &borrow);
        }
        negative ^= 1;
    }
    if (negative != 0 && a.layout.is_signed && !a.is_unsigned) {
        uint64_t copy[limbs];
        memcpy(copy, k, sizeof copy);
        negative = recode_is_least(copy, limbs, a.windows * a.c) ? 0 : negative;
    }
    uint32_t high = 0;
    if (a.top_window_balancing > 1) {
        const uint32_t interval = recode_interval(k, limbs, a.first + which.i, a.top_window_balancing);
        high = recode_balanced(k, a.modulus, limbs, interval);
        negative ^= interval & 1;
    }
    write_codes<limbs>(&a, k, high, negative, {0, a.factor, a.windows}, which.msm, which.i);
}

/* Recode a scalar by the GLV decomposition, where multiple 1 of a base is lambda times the base. */
template <uint32_t limbs>
static __global__ void __launch_bounds__(RECODE_BLOCK)
    recode_glv_kernel(const __grid_constant__ recode_arguments a)
{
    enum { HALF_LIMBS = limbs / 2 + 1 };
    const thread_scalar which = scalar_of_thread(a);
    if (!which.exists) {
        return;
    }
    uint64_t k[limbs];
    glv_scalars halves;
    const uint32_t negative = load_scalar<limbs>(k, a, which);
    split_scalar(&halves, k, &a.split, limbs, HALF_LIMBS,
                 glv_balance(k, limbs, a.first + which.i, a.top_window_balancing, 0),
                 glv_balance(k, limbs, a.first + which.i, a.top_window_balancing, 1));
#pragma unroll
    for (uint32_t t = 0; t < 2; t++) {
        write_codes<HALF_LIMBS>(&a, halves.k[t], 0, halves.negative[t] ^ negative, {t, t + 1, a.modules},
                                which.msm, which.i);
    }
}

/* Return the kernel for scalars of `limbs` limbs. Scalars of fewer limbs than r are below r. */
template <uint32_t... counts>
static auto kernel_for(uint32_t limbs, bool is_glv, std::integer_sequence<uint32_t, counts...>)
{
    static void (*const kernels[])(recode_arguments) = {recode_kernel<counts + 1>...};
    static void (*const glv_kernels[])(recode_arguments) = {recode_glv_kernel<counts + 1>...};
    return is_glv ? glv_kernels[limbs - 1] : kernels[limbs - 1];
}

static sumac_status run(const msm_job *job, const msm_pass *pass, digit_table *digits)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const scalar_field *field = &registered(job->group)->scalars;
    const msm_plan *plan = job->plan;
    recode_arguments arguments = {};
    memcpy(arguments.modulus, field->modulus, field->limbs * sizeof *field->modulus);
    scalar_half(arguments.half, field);
    arguments.scalars = pass->inputs.scalars;
    arguments.layout = job->layout;
    arguments.may_be_over = 8 * job->layout.bytes >= field->bits;
    arguments.stride = pass->inputs.stride;
    arguments.codes = digits->codes;
    arguments.inv = field->inv;
    arguments.inverse_top =
        nextafterf(static_cast<float>(1 / (static_cast<double>(field->modulus[field->limbs - 1]) + 1)), 0);
    arguments.bits = field->bits;
    arguments.first = pass->first;
    arguments.n = pass->n;
    arguments.first_msm = pass->first_module / plan->modules;
    arguments.msms = (pass->first_module + pass->modules - 1) / plan->modules - arguments.first_msm + 1;
    arguments.first_module = pass->first_module;
    arguments.end_module = pass->first_module + pass->modules;
    arguments.modules = plan->modules;
    arguments.windows = plan->windows;
    arguments.factor = plan_multiples(plan);
    arguments.c = plan->c;
    arguments.checked_bits = job->checked_bits;
    arguments.cut_bits = job->cut_bits;
    arguments.negate = plan->negate_large_scalars;
    arguments.is_unsigned = plan->kinds[STAGE_RECODE]->unsigned_digits;
    arguments.top_window_balancing = plan->top_window_balancing;
    if (plan->glv_terms > 1) {
        arguments.split = *field->split;
    }
    arguments.montgomery = job->scalar_form == SUMAC_FORM_MONTGOMERY;
    arguments.too_large = engine->too_large; /* a kernel may write page-locked memory */
    TRY(cuda_launch(engine, stream,
                    kernel_for((job->layout.bytes + 7) / 8, plan->glv_terms > 1,
                               std::make_integer_sequence<uint32_t, SCALAR_MAX_LIMBS>()),
                    blocks_for(arguments.msms * arguments.n, RECODE_BLOCK), RECODE_BLOCK, arguments));
    if (job->checked_bits != 0 && job->status_later == NULL) {
        CUDA_TRY(engine, cudaStreamSynchronize(stream));
        return *engine->too_large != 0 ? SUMAC_SCALAR_TOO_LARGE : SUMAC_OK; /* cuda_settle() clears it */
    }
    return SUMAC_OK;
}

/* All kinds share this code; they differ only in the numbers that they give a plan. */
const stage_kind cuda_recode_signed = {
    .stage = STAGE_RECODE,
    .name = "signed",
    .about =
        "cuts scalars into windows of c bits with digits between -2^(c-1) and 2^(c-1), by Booth's recoding",
    .takes = SCALARS,
    .leaves = DIGIT_ROWS,
    .glv_terms = 1,
    .cost = cuda_cost_of_recode,
    .run = {.recode = cuda_run<STAGE_RECODE, run>},
};

const stage_kind cuda_recode_negated = {
    .stage = STAGE_RECODE,
    .name = "signed-negated",
    .about = "as signed, after a scalar k over r/2 is taken as -(r - k), and spread where the top window has "
             "few digits",
    .takes = SCALARS,
    .leaves = DIGIT_ROWS,
    .glv_terms = 1,
    .negates = 1,
    .balances = 1,
    .cost = cuda_cost_of_recode,
    .run = {.recode = cuda_run<STAGE_RECODE, run>},
};

const stage_kind cuda_recode_glv = {
    .stage = STAGE_RECODE,
    .name = "signed-glv",
    .about = "as signed, of k1 and k2 of each scalar k1 + k2*lambda, for a base P and lambda*P",
    .takes = SCALARS,
    .leaves = DIGIT_ROWS,
    .glv_terms = 2,
    .balances = 1,
    .cost = cuda_cost_of_recode,
    .run = {.recode = cuda_run<STAGE_RECODE, run>},
};

const stage_kind cuda_recode_unsigned = {
    .stage = STAGE_RECODE,
    .name = "unsigned",
    .about = "cuts scalars into windows of c bits, whose digits lie between 0 and 2^c - 1",
    .takes = SCALARS,
    .leaves = DIGIT_ROWS,
    .by_name = 1,
    .glv_terms = 1,
    .unsigned_digits = 1,
    .cost = cuda_cost_of_recode,
    .run = {.recode = cuda_run<STAGE_RECODE, run>},
};
