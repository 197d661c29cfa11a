/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind adds up few bases by Straus' interleaving: for each base it computes the odd multiples up to 2^(W-1), and
 * makes of the digits of its terms, which lie in the lists, integers, and of these digits of W bits that are odd or 0 (wNAF): of
 * W + 1 successive ones one is not 0. From the highest one down it doubles the sum and adds the digits' multiples. Fewer than
 * some 30 bases leave so few points in a bucket that sums of buckets would save nothing, and the many short lists of
 * other kinds would each wait for inversions.
 *
 * The sum of all modules of an MSM that lie in the pass is left in the lowest of these modules, and infinity in the
 * others. So combine has nothing left to double, unless an MSM's modules lie in several passes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "cpu/normalize.h"
#include "cpu/engine.h"
#include "cpu/stages.h"
#include "pipeline/parallel.h"
#include "pipeline/plan_sizes.h"

#define STRAUS_BITS 5
/* A term has this many multiples. */
#define STRAUS_MULTIPLES 8
SUMAC_STATIC_ASSERT(STRAUS_MULTIPLES == 1 << (STRAUS_BITS - 2) && NORMALIZE_BLOCK % STRAUS_MULTIPLES == 0,
                    "the odd numbers below 2^(STRAUS_BITS - 1)");
/* More buckets would only take longer to look through. */
#define STRAUS_MOST_BUCKETS 16
#define STRAUS_MOST_BASES ((uint64_t)64)
/* The integers of the terms, and a digit's carry, have this many limbs. */
#define STRAUS_LIMBS (SCALAR_MAX_LIMBS + 1)

typedef struct straus_work {
    const msm_job *job;
    const msm_pass *pass;
    const bucket_lists *lists;
    xyzz *sums;
    char *scratch;
    uint64_t first_msm;
} straus_work;

/* The odd multiples of a base are made by a chain of additions. */
typedef struct straus_chain {
    fe ratios[STRAUS_MULTIPLES - 1]; /* the Z of a multiple, over that of the one before */
    fe z;                            /* the Z of the last one */
    fe before;                       /* the product of the z of the bases before */
} straus_chain;

/* A thread's scratch memory has a table, the multiples of each base and, after those of all bases, of lambda times each
 * base; then the terms' integers, and their digits, those of one position after another. */
typedef struct straus_scratch {
    affine *table;
    straus_chain *chains; /* one for each base */
    uint64_t (*integers)[STRAUS_LIMBS];
    signed char *digits;
    uint64_t terms;
} straus_scratch;

static uint64_t most_terms(const msm_plan *plan)
{
    return plan->glv_terms * plan_chunk(plan);
}

/* Return how many digits an integer of `modules` modules has: its carry takes one more. */
static uint64_t positions_of(const msm_plan *plan, uint64_t modules)
{
    return modules * plan->c + 1;
}

static uint64_t scratch_of_thread(const msm_plan *plan)
{
    const uint64_t bytes = STRAUS_MULTIPLES * sizeof(affine) + STRAUS_LIMBS * sizeof(uint64_t) +
                           positions_of(plan, plan->modules);
    return ceil_divide(most_terms(plan) * bytes + plan_chunk(plan) * sizeof(straus_chain), 64) * 64;
}

static straus_scratch scratch_at(char *memory, const msm_plan *plan)
{
    const uint64_t most = most_terms(plan);
    straus_scratch scratch = {.table = (affine *)(void *)memory};
    scratch.chains = (straus_chain *)(void *)(scratch.table + most * STRAUS_MULTIPLES);
    scratch.integers = (uint64_t(*)[STRAUS_LIMBS])(void *)(scratch.chains + plan_chunk(plan));
    scratch.digits = (signed char *)(scratch.integers + most);
    return scratch;
}

/*
 * Compute the odd multiples of a base. With D = 2P as (X, Y, ZZ, ZZZ), (x, y) -> (x ZZ, y ZZZ) leads to an isomorphic curve
 * on which D is the affine (X, Y). There D is added; the way back multiplies the denominators.
 */
static void odd_multiples(xyzz *multiples, const affine *base)
{
    xyzz twice;
    affine isomorphic, step;
    xyzz_double_affine(&twice, base);
    if (xyzz_is_infinity(&twice)) { /* and so all odd multiples are the base */
        for (int k = 0; k < STRAUS_MULTIPLES; k++) {
            xyzz_from_affine(&multiples[k], base);
        }
        return;
    }
    step = (affine){twice.x, twice.y};
    fe_mul(&isomorphic.x, &base->x, &twice.zz);
    fe_mul(&isomorphic.y, &base->y, &twice.zzz);
    xyzz_from_affine(&multiples[0], base);
    xyzz sum;
    xyzz_from_affine(&sum, &isomorphic);
    for (int k = 1; k < STRAUS_MULTIPLES; k++) {
        xyzz_add_affine(&sum, &sum, &step);
        multiples[k] = sum;
        fe_mul(&multiples[k].zz, &sum.zz, &twice.zz);
        fe_mul(&multiples[k].zzz, &sum.zzz, &twice.zzz);
    }
}

/*
 * Compute the odd multiples of a base, each with its own Z, by additions of D = 2P, which is moved to the new Z with each. With
 * the same Z before (Meloni 2007, ZADDU), this costs 4M + 2S, and 1M for Z:
 *   E = (X1 - X2)^2 | F = X1 E | G = X2 E | X3 = (Y1 - Y2)^2 - F - G | A = Y1(F - G) | Y3 = (Y1 - Y2)(F - X3) - A
 *   D = (F, A) | Z3 = Z(X1 - X2)
 * If one of the multiples is D, -D or infinity, z becomes 0.
 */
static void chain_multiples(affine multiples[STRAUS_MULTIPLES], straus_chain *chain, const affine *base)
{
    xyzz twice;
    xyzz_double_affine(&twice, base);
    affine step = {twice.x, twice.y};
    fe_double(&chain->z, &base->y);
    fe_mul(&multiples[0].x, &base->x, &twice.zz);
    fe_mul(&multiples[0].y, &base->y, &twice.zzz);
    for (int k = 1; k < STRAUS_MULTIPLES; k++) {
        const affine *last = &multiples[k - 1];
        affine *next = &multiples[k];
        fe *difference = &chain->ratios[k - 1], square, slope, other;
        fe_sub(difference, &step.x, &last->x);
        fe_sub(&slope, &step.y, &last->y);
        fe_mul(&chain->z, &chain->z, difference);
        fe_sqr(&square, difference);
        fe_mul(&step.x, &step.x, &square);
        fe_mul(&other, &last->x, &square);
        fe_sqr(&next->x, &slope);
        fe_sub(&next->x, &next->x, &step.x);
        fe_sub(&next->x, &next->x, &other);
        fe_sub(&other, &step.x, &other);
        fe_mul(&step.y, &step.y, &other);
        fe_sub(&other, &step.x, &next->x);
        fe_mul(&other, &slope, &other);
        fe_sub(&next->y, &other, &step.y);
    }
}

/*
 * Fill the table for n bases with points of an isomorphic curve, so that no inversion is needed: (x, y) becomes (x z^2, y z^3) for
 * the product z of the Z of all bases' last multiples, which a multiple reaches by the ratios of the later ones and by the
 * other bases' Z. z becomes 0, and the table is not filled, if a base has a small order.
 */
static void fill_isomorphic_table(affine *table, straus_chain *chains, const affine *bases, uint64_t n, fe *z)
{
    fe after;
    fe_set_one(z);
    for (uint64_t i = 0; i < n; i++) {
        chain_multiples(table + i * STRAUS_MULTIPLES, &chains[i], &bases[i]);
        chains[i].before = *z;
        fe_mul(z, z, &chains[i].z);
    }
    if (fe_is_zero(z)) {
        return;
    }
    fe_set_one(&after);
    for (uint64_t i = n; i-- > 0;) {
        fe factor, power;
        fe_mul(&factor, &chains[i].before, &after);
        fe_mul(&after, &after, &chains[i].z);
        for (int k = STRAUS_MULTIPLES; k-- > 0;) {
            affine *multiple = &table[i * STRAUS_MULTIPLES + (uint64_t)k];
            fe_sqr(&power, &factor);
            fe_mul(&multiple->x, &multiple->x, &power);
            fe_mul(&power, &power, &factor);
            fe_mul(&multiple->y, &multiple->y, &power);
            if (k > 0) {
                fe_mul(&factor, &factor, &chains[i].ratios[k - 1]);
            }
        }
    }
}

/* Fill the table for n bases. It is not inlined, so that its stack memory is free while the table is used. */
static __attribute__((noinline)) void fill_table(affine *table, const affine *bases, uint64_t n)
{
    xyzz multiples[NORMALIZE_BLOCK];
    const uint64_t block = NORMALIZE_BLOCK / STRAUS_MULTIPLES;
    for (uint64_t first = 0; first < n; first += block) {
        const uint64_t end = smaller(first + block, n);
        for (uint64_t i = first; i < end; i++) {
            odd_multiples(&multiples[(i - first) * STRAUS_MULTIPLES], &bases[i]);
        }
        normalize_block(table + first * STRAUS_MULTIPLES, multiples,
                        (uint32_t)((end - first) * STRAUS_MULTIPLES));
    }
}

/* Add digit*2^shift, or subtract it, modulo 2^(64*STRAUS_LIMBS). */
static void add_digit(uint64_t integer[STRAUS_LIMBS], uint64_t digit, uint64_t shift, int negative)
{
    const uint64_t low = digit << shift % 64, high = shift % 64 == 0 ? 0 : digit >> (64 - shift % 64);
    uint64_t carry = 0;
    for (uint64_t i = shift / 64; i < STRAUS_LIMBS; i++) {
        const uint64_t limb = i == shift / 64 ? low : i == shift / 64 + 1 ? high : 0;
        integer[i] =
            negative ? limb_sub_borrow(integer[i], limb, &carry) : limb_add_carry(integer[i], limb, &carry);
    }
}

/* Make the integers of the terms of modules [begin, end). `first` is the index of the MSM's first base. */
static void collect_integers(straus_scratch *scratch, const straus_work *work, uint64_t begin, uint64_t end,
                             uint64_t first)
{
    const msm_plan *plan = work->job->plan;
    memset(scratch->integers, 0, scratch->terms * sizeof *scratch->integers);
    for (uint64_t module = begin; module < end; module++) {
        const uint32_t *starts = work->lists->starts + module * plan->buckets;
        for (uint64_t b = 0; b < plan->buckets; b++) {
            for (uint32_t e = starts[b]; e < starts[b + 1]; e++) {
                const uint32_t entry = work->lists->entries[e];
                const uint64_t term = (entry >> 1) / work->job->bases.count;
                const uint64_t base = (entry >> 1) - term * work->job->bases.count - first;
                add_digit(scratch->integers[term * work->pass->n + base], b + 1, (module - begin) * plan->c,
                          entry & 1);
            }
        }
    }
}

/* Return the digits of W bits at a bit of an integer of `bits` bits. */
static int32_t bits_at(const uint64_t *integer, uint64_t bit)
{
    const uint64_t limb = bit / 64, shift = bit % 64;
    uint64_t bits = integer[limb] >> shift;
    if (shift > 64 - STRAUS_BITS && limb + 1 < STRAUS_LIMBS) {
        bits |= integer[limb + 1] << (64 - shift);
    }
    return (int32_t)(bits & ((1u << STRAUS_BITS) - 1));
}

/* Write the digits of a term, at positions that are `stride` apart: from a bit that is not the carry on, W bits become an odd
 * digit of absolute value below 2^(W-1), and a carry. */
static void write_digits(signed char *digits, uint64_t stride, uint64_t positions, uint64_t *integer)
{
    const int negative = (int)(integer[STRAUS_LIMBS - 1] >> 63);
    int32_t carry = 0;
    uint64_t bit = 0;
    if (negative) {
        uint64_t borrow = 0;
        for (uint64_t i = 0; i < STRAUS_LIMBS; i++) {
            integer[i] = limb_sub_borrow(0, integer[i], &borrow);
        }
    }
    while (bit < positions) {
        int32_t digit = bits_at(integer, bit);
        if ((digit & 1) == carry) {
            digits[bit++ * stride] = 0;
            continue;
        }
        digit += carry;
        carry = digit >> (STRAUS_BITS - 1);
        digit -= carry << STRAUS_BITS;
        digits[bit * stride] = (signed char)(negative ? -digit : digit);
        for (uint64_t end = smaller(bit + STRAUS_BITS, positions); ++bit < end;) {
            digits[bit * stride] = 0;
        }
    }
}

/* Add the multiples that the digits of one position name. */
static void add_position(jacobian *sum, const straus_scratch *scratch, const signed char *digits)
{
    for (uint64_t term = 0; term < scratch->terms; term++) {
        if (digits[term] != 0) {
            affine point = scratch->table[term * STRAUS_MULTIPLES + (uint64_t)abs(digits[term]) / 2];
            if (digits[term] < 0) {
                affine_neg(&point, &point);
            }
            jacobian_add_affine(sum, sum, &point);
        }
    }
}

static void straus_task(void *arguments, size_t index, uint32_t thread)
{
    const straus_work *work = arguments;
    const msm_pass *pass = work->pass;
    const msm_plan *plan = work->job->plan;
    const uint64_t msm = work->first_msm + index;
    const uint64_t begin = larger(msm * plan->modules, pass->first_module) - pass->first_module;
    const uint64_t end = smaller((msm + 1) * plan->modules - pass->first_module, pass->modules);
    const uint64_t first = pass_first_base(work->job, pass, begin);
    const uint64_t points = pass->n * STRAUS_MULTIPLES, positions = positions_of(plan, end - begin);
    straus_scratch scratch = scratch_at(work->scratch + thread * scratch_of_thread(plan), plan);
    const affine *bases = (const affine *)pass->inputs.bases + first;
    jacobian sum;
    fe z;
    fe_set_zero(&sum.x);
    fe_set_zero(&sum.y);
    fe_set_zero(&sum.z);
    scratch.terms = plan->glv_terms * pass->n;
    fill_isomorphic_table(scratch.table, scratch.chains, bases, pass->n, &z);
    if (fe_is_zero(&z)) {
        fill_table(scratch.table, bases, pass->n);
        fe_set_one(&z);
    }
    if (plan->glv_terms > 1) {
        work->job->code->points->endomorphism_images(scratch.table, points, 0, points);
    }
    collect_integers(&scratch, work, begin, end, first);
    for (uint64_t term = 0; term < scratch.terms; term++) {
        write_digits(scratch.digits + term, scratch.terms, positions, scratch.integers[term]);
    }
    for (uint64_t position = positions; position-- > 0;) {
        if (!fe_is_zero(&sum.z)) {
            jacobian_double(&sum, &sum);
        }
        add_position(&sum, &scratch, scratch.digits + position * scratch.terms);
    }
    fe_mul(&sum.z, &sum.z, &z);
    for (uint64_t module = begin; module < end; module++) {
        xyzz_set_infinity(&work->sums[module]);
    }
    xyzz_from_jacobian(&work->sums[begin], &sum);
}

static sumac_status straus_run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                               bucket_sums *sums, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "accumulate");
    const uint64_t first_msm = pass->first_module / job->plan->modules;
    const uint64_t end_msm = (pass->first_module + pass->modules - 1) / job->plan->modules + 1;
    straus_work work = {job, pass, lists, sums->points, scratch, first_msm};
    parallel_for(&team, end_msm - first_msm, straus_task, &work);
    return SUMAC_OK;
}

static uint64_t straus_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    (void)code;
    return plan->threads * scratch_of_thread(plan);
}

static uint64_t one_sum(const msm_plan *plan)
{
    (void)plan;
    return 1;
}

/* An MSM is one task. */
static int straus_accepts(const plan_request *request, msm_plan *plan)
{
    plan->task_entries = plan->n * plan->windows;
    return !request->all_digits && plan->precompute_factor == 1 && plan->n <= STRAUS_MOST_BASES &&
           plan->buckets <= STRAUS_MOST_BUCKETS && positions_of(plan, plan->modules) <= 64 * STRAUS_LIMBS - 1;
}

const stage_kind SUMAC_NON_MSM_SYMBOL(accumulate_straus) = {
    .stage = STAGE_ACCUMULATE,
    .name = "straus",
    .about =
        "computes the multiples of each base that digits select, and adds these up from the highest module "
        "down, doubling the sum c times between modules: for few bases",
    .takes = BUCKET_LISTS,
    .leaves = RANGE_SUMS,
    .sums_of_module = one_sum,
    .accepts = straus_accepts,
    .scratch_bytes = straus_scratch_bytes,
    .cost = cpu_cost_of_straus,
    .run = {.accumulate = straus_run},
};
