/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file reduces by halving. Part l of a module is the sum of the points whose weight has bit l. Each part is an
 * independent list, and the additions of all lists share inversions (affine_sum.h). If a module has up to 2^5 buckets,
 * the points are the buckets. If it has more, let b = row*2^low + column. Then sum of (b + 1)*B_b = 2^low * sum of
 * row*R_row + sum of (column + 1)*C_column where R_row are the sums of the rows and C_column those of the columns.
 * These sums take two additions for each bucket, and the lists have only these points, which are about 2*sqrt(K).
 * Points at infinity are left out of the lists, so buckets that are empty because scalars are short or repeated cost
 * nothing.
 */
#include "base/integers.h"
#include "cpu/engine.h"
#include "cpu/ranges.h"
#include "cpu/reduce.h"
#include "cpu/stages.h"
#include "cpu/thread_scratch.h"
#include "pipeline/plan_sizes.h"

typedef struct reduce_state {
    const parallel_team *team;
    task_layout layout;
    void *scratch;
    const affine *buckets;
    uint64_t modules;
    uint32_t bits; /* log2 of a module's buckets */
    module_target target;
} reduce_state;

/* These are lists of points that are added up. Each has at most max_length points, which fit in a task. */
typedef struct list_work {
    const reduce_state *state;
    /* Write the indices of the finite points of a list, and return their number. */
    uint32_t (*list)(const struct list_work *work, uint64_t list, uint32_t *entries);
    void (*store)(const struct list_work *work, uint64_t list, const affine *sum);
    const affine *points;
    uint64_t lists;
    uint32_t max_length;
    affine *sums; /* the sums of rows or columns */
    /* The rows or columns of a module are 2^position_bits lists. The first point of list r is r << first_shift, and
     * its points are 1 << step_shift apart. */
    uint32_t position_bits;
    uint32_t first_shift;
    uint32_t step_shift;
    /* A part is a sum over 2^low columns and 2^high rows. For module m the columns begin at column m << low, and the
     * rows begin at rows + (m << high). */
    uint32_t low;
    uint32_t high;
    uint64_t rows;
} list_work;

/* Append the point of that index to a list, unless it is infinity. */
static inline uint32_t append_finite(uint32_t *entries, uint32_t count, const affine *points, uint64_t index)
{
    entries[count] = (uint32_t)(index << 1);
    return affine_is_infinity(&points[index]) ? count : count + 1;
}

static void list_task(void *arguments, index_range range)
{
    const list_work *work = arguments;
    const task_scratch scratch = thread_scratch(&work->state->layout, work->state->scratch, range.thread);
    uint32_t next = 0;
    uint32_t count = 0;
    for (uint64_t list = range.first; list < range.end; list++) {
        const uint32_t length = work->list(work, list, scratch.indices + next);
        if (length == 0) {
            static const affine infinity;
            work->store(work, list, &infinity);
            continue;
        }
        scratch.starts[count] = next;
        scratch.targets[count] = (uint32_t)(list - range.first);
        count++;
        next += length;
    }
    scratch.starts[count] = next;
    task_sum_lists(&scratch, work->points, scratch.indices, count);
    for (uint32_t s = 0; s < count; s++) {
        work->store(work, range.first + scratch.targets[s], &scratch.items[s]);
    }
}

/* Each thread has REDUCE_TASKS tasks, but a task has at least REDUCE_MIN_ENTRIES entries, so that enough of them share an
 * inversion. */
#define REDUCE_TASKS 3
#define REDUCE_MIN_ENTRIES 2048

static void sum_lists(list_work *work)
{
    const reduce_state *state = work->state;
    uint64_t lists_per_task = state->layout.capacity / work->max_length;
    if (state->team->threads > 1) {
        const uint64_t even = work->lists / (REDUCE_TASKS * state->team->threads) + 1;
        lists_per_task = smaller(lists_per_task, larger(even, REDUCE_MIN_ENTRIES / work->max_length));
    }
    parallel_ranges(state->team, work->lists, lists_per_task, list_task, work);
}

/* Return 1 if a few points of a line are all finite. Then the other points of the line are not tested: a test would
 * wait for memory, and a point at infinity in a list does no harm. */
enum { SAMPLED_POINTS = 4 };

static int looks_full(const list_work *work, uint64_t start, uint32_t length)
{
    int full = 1;
    for (uint32_t e = 0; e < SAMPLED_POINTS; e++) {
        const uint64_t step = (uint64_t)e * length / SAMPLED_POINTS;
        full &= !affine_is_infinity(&work->points[start + (step << work->step_shift)]);
    }
    return full;
}

static uint32_t list_of_line(const list_work *work, uint64_t list, uint32_t *entries)
{
    const uint32_t bits = work->state->bits, length = (uint32_t)1 << (bits - work->position_bits);
    const uint64_t module = list >> work->position_bits;
    const uint64_t position = list - (module << work->position_bits);
    const uint64_t start = (module << bits) + (position << work->first_shift);
    const int full = looks_full(work, start, length);
    uint32_t count = 0;
    for (uint32_t e = 0; e < length; e++) {
        const uint64_t index = start + ((uint64_t)e << work->step_shift);
        entries[count] = (uint32_t)(index << 1);
        count += full || !affine_is_infinity(&work->points[index]);
    }
    return count;
}

static void store_line(const list_work *work, uint64_t list, const affine *sum)
{
    work->sums[list] = *sum;
}

/* List the points of part l. A column counts column + 1 times, and a row counts row*2^low times. */
static uint32_t list_of_part(const list_work *work, uint64_t list, uint32_t *entries)
{
    const uint64_t module = list / work->state->target.parts;
    const uint32_t l = (uint32_t)(list - module * work->state->target.parts);
    uint32_t count = 0;
    /* For l <= low some weights of columns have bit l, because these are at most 2^low. The weight of a row has bit l
     * if the row's number has bit l - low. */
    if (l <= work->low) {
        for (uint32_t weight = (uint32_t)1 << l; weight <= (uint32_t)1 << work->low;
             weight = (weight + 1) | (uint32_t)1 << l) {
            count = append_finite(entries, count, work->points, (module << work->low) + weight - 1);
        }
    }
    if (l >= work->low) {
        const uint32_t bit = (uint32_t)1 << (l - work->low);
        for (uint32_t row = bit; row < (uint32_t)1 << work->high; row = (row + 1) | bit) {
            count = append_finite(entries, count, work->points, work->rows + (module << work->high) + row);
        }
    }
    return count;
}

static void store_part(const list_work *work, uint64_t list, const affine *sum)
{
    xyzz part;
    xyzz_from_affine(&part, sum);
    add_part(&work->state->target, list, &part);
}

/* Sum the rows or the columns, which are lists of buckets. */
static void sum_lines(const reduce_state *state, affine *sums, uint32_t position_bits, uint32_t first_shift,
                      uint32_t step_shift)
{
    list_work work = {
        .state = state,
        .list = list_of_line,
        .store = store_line,
        .points = state->buckets,
        .lists = state->modules << position_bits,
        .max_length = (uint32_t)1 << (state->bits - position_bits),
        .sums = sums,
        .position_bits = position_bits,
        .first_shift = first_shift,
        .step_shift = step_shift,
    };
    sum_lists(&work);
}

/* If a module is halved, it has 2^low_bits columns. Return low_bits. */
static uint32_t low_bits_of(uint32_t bits)
{
    return bits / 2;
}

static uint64_t halving_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    const uint32_t bits = plan_bucket_bits(plan), low = low_bits_of(bits);
    const uint64_t lines =
        bits <= REDUCE_DIRECT_BITS ? 0 : ((uint64_t)1 << low) + ((uint64_t)1 << (bits - low));
    (void)code;
    return task_layout_of(plan).bytes + plan->modules_per_pass * lines * sizeof(affine);
}

static sumac_status halving_run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                module_sums *modules, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "reduce");
    const reduce_state state = {
        .team = &team,
        .layout = task_layout_of(job->plan),
        .scratch = scratch,
        .buckets = sums->points,
        .modules = pass->modules,
        .bits = plan_bucket_bits(job->plan),
        .target = module_target_of(job->plan, pass, modules),
    };
    list_work parts = {
        .state = &state,
        .list = list_of_part,
        .store = store_part,
        .points = state.buckets,
        .lists = state.modules * state.target.parts,
        .low = state.bits,
    };
    if (state.bits > REDUCE_DIRECT_BITS) {
        affine *const columns = (affine *)(void *)((char *)scratch + state.layout.bytes);
        parts.low = low_bits_of(state.bits);
        parts.high = state.bits - parts.low;
        parts.rows = state.modules << parts.low;
        parts.points = columns;
        sum_lines(&state, columns, parts.low, 0, parts.low);
        sum_lines(&state, columns + parts.rows, parts.high, parts.low, 0);
    }
    /* A part has at most half of the columns or half of the rows, whichever is more, and also the last column. */
    parts.max_length = ((uint32_t)1 << larger(parts.high, parts.low)) / 2 + 1;
    sum_lists(&parts);
    return SUMAC_OK;
}

/* The last bucket counts 2^bits times. Without rows and columns it forms a separate part; otherwise it is in the last
 * column's sum. */
static int halving_accepts(const plan_request *request, msm_plan *plan)
{
    const uint32_t bits = plan_bucket_bits(plan);
    plan->module_parts = bits > REDUCE_DIRECT_BITS ? bits : bits + 1;
    return request->reduction != REDUCTION_RUNNING_SUM && !request->all_digits;
}

const stage_kind SUMAC_SYMBOL(reduce_halving) = {
    .stage = STAGE_REDUCE,
    .name = "halving",
    .about = "adds up rows and columns of the buckets, and of these sums those that have each bit in their "
             "number: as many parts of a module, each of independent affine additions",
    .takes = AFFINE_BUCKETS,
    .leaves = MODULE_PARTS,
    .reduction = REDUCTION_HALVING,
    .accepts = halving_accepts,
    .scratch_bytes = halving_scratch_bytes,
    .cost = cpu_cost_of_halving,
    .run = {.reduce = halving_run},
};

/* Accept plans with one bucket per module, which is the module's only part. */
static int accepts_one_bucket(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return request->all_digits;
}

const stage_kind SUMAC_SYMBOL(reduce_none) = {
    .stage = STAGE_REDUCE,
    .name = "none",
    .about = "has nothing to do, as there is one bucket",
    .takes = AFFINE_BUCKETS,
    .leaves = MODULE_PARTS,
    .reduction = REDUCTION_HALVING,
    .accepts = accepts_one_bucket,
    .scratch_bytes = halving_scratch_bytes,
    .cost = cpu_cost_of_halving,
    .run = {.reduce = halving_run},
};
