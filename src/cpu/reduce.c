/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * reduce: bucket sums -> module sums. Module g gets the sum over its buckets b < K of (b + 1)*B_b.
 *
 * halving      Part l of a module is the sum of the points whose weight has bit l: as many independent lists
 *              as a module has parts, whose additions share inversions (affine_sum.h). Of up to 2^5 buckets
 *              these are the buckets themselves. Of more, with b = row*2^low + column,
 *                sum of (b + 1)*B_b = 2^low * sum of row*R_row + sum of (column + 1)*C_column
 *              for the sums R of the rows and C of the columns, two additions a bucket, and the lists are
 * over these about 2*sqrt(K) points. Lists leave out what is infinity, so that buckets which short or
 *              repeated scalars leave empty cost nothing.
 *
 * running sum  from the last bucket down: run += B_b, sum += run; one part. Cut into segments of 2^s buckets,
 *              segment j counts from 0: weighted = sum of weighted_j + 2^s * sum of j*total_j, and the module
 * is weighted + total.
 */
#include "cpu/parallel.h"
#include "cpu/stages.h"
#include "cpu/thread_scratch.h"
#include "pipeline/plan.h"

typedef struct reduce_state {
    const parallel_team *team;
    const scratch_layout *layout;
    void *scratch;
    uint64_t capacity;
    const affine *buckets;
    uint64_t modules;
    uint32_t bits;     /* log2 of a module's buckets */
    uint32_t parts;    /* of a module */
    int adds;          /* to what earlier chunks left */
    xyzz *module_sums; /* parts [module*parts + l] */
} reduce_state;

/* The result is set by the first chunk, and added to by later ones. */
static void add_part(const reduce_state *state, uint64_t part, const xyzz *sum)
{
    xyzz *result = &state->module_sums[part];
    if (state->adds) {
        xyzz_add(result, result, sum);
    } else {
        *result = *sum;
    }
}

/* The running sum of count points from the last to the first: weighted by their index from 0. */
static void running_sum(xyzz *weighted, xyzz *total, const affine *points, uint64_t count)
{
    xyzz run, sum;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&sum);
    for (uint64_t i = count; i-- > 1;) {
        xyzz_add_affine(&run, &run, &points[i]);
        xyzz_add(&sum, &sum, &run);
    }
    xyzz_add_affine(total, &run, &points[0]);
    *weighted = sum;
}

/* ---- Running sum, in corrected segments ---- */

typedef struct segment_work {
    const reduce_state *state;
    uint32_t segment_bits; /* log2 of the segments of a module */
    xyzz *weighted;        /* [module << segment_bits | segment] */
    xyzz *total;
} segment_work;

static void segment_task(void *arguments, size_t index, uint32_t thread)
{
    const segment_work *work = arguments;
    const uint64_t length = (uint64_t)1 << (work->state->bits - work->segment_bits);
    (void)thread;
    running_sum(&work->weighted[index], &work->total[index], work->state->buckets + index * length, length);
}

/* Put the segments of one module together; the weights of the totals are again a running sum, over segments.
 */
static void segment_join_task(void *arguments, size_t module, uint32_t thread)
{
    const segment_work *work = arguments;
    const uint64_t segments = (uint64_t)1 << work->segment_bits;
    const xyzz *weighted = work->weighted + module * segments;
    const xyzz *total = work->total + module * segments;
    xyzz run, totals_weighted, sum;
    (void)thread;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&totals_weighted);
    xyzz_set_infinity(&sum);
    for (uint64_t j = segments; j-- > 0;) {
        xyzz_add(&sum, &sum, &weighted[j]);
        xyzz_add(&run, &run, &total[j]);
        if (j > 0) {
            xyzz_add(&totals_weighted, &totals_weighted, &run);
        }
    }
    xyzz_double_times(&totals_weighted, &totals_weighted, work->state->bits - work->segment_bits);
    xyzz_add(&sum, &sum, &totals_weighted);
    xyzz_add(&sum, &sum, &run);
    add_part(work->state, module, &sum);
}

static void reduce_by_running_sum(const reduce_state *state)
{
    const uint32_t segment_bits = state->bits < REDUCE_SEGMENT_BITS ? 0 : REDUCE_SEGMENT_BITS;
    const uint64_t segments = state->modules << segment_bits;
    xyzz *const sums = (xyzz *)(void *)((char *)state->scratch + state->layout->segment_sums);
    segment_work work = {state, segment_bits, sums, sums + segments};
    parallel_for(state->team, segments, segment_task, &work);
    parallel_for(state->team, state->modules, segment_join_task, &work);
}

/* ---- Halving ---- */

/* Lists of points to be added up. All have at most max_length points, which fit a task. */
typedef struct list_work {
    const reduce_state *state;
    /* Write the indices of the finite points of a list, and returns how many they are. */
    uint32_t (*list)(const struct list_work *work, uint64_t list, uint32_t *pairs);
    void (*store)(const struct list_work *work, uint64_t list, const affine *sum);
    const affine *points;
    uint64_t lists;
    uint32_t max_length;
    uint64_t lists_per_task;
    affine *sums; /* of rows or columns */
    /* Rows or columns of a module: 2^position_bits lists. The first point of list r is r << first_shift, and
     * its points are 1 << step_shift apart. */
    uint32_t position_bits;
    uint32_t first_shift;
    uint32_t step_shift;
    /* Parts: of 2^low columns, module m's from column m << low on, and of 2^high rows, from rows +
     * (m << high) on. */
    uint32_t low;
    uint32_t high;
    uint64_t rows;
} list_work;

/* Append the point of that index to a list, unless it is infinity. */
static inline uint32_t append_finite(uint32_t *pairs, uint32_t count, const affine *points, uint64_t index)
{
    pairs[count] = (uint32_t)(index << 1);
    return affine_is_infinity(&points[index]) ? count : count + 1;
}

static void list_task(void *arguments, size_t index, uint32_t thread)
{
    const list_work *work = arguments;
    const task_scratch scratch = thread_scratch(work->state->layout, work->state->scratch, thread);
    const uint64_t first = index * work->lists_per_task;
    const uint64_t end =
        first + work->lists_per_task < work->lists ? first + work->lists_per_task : work->lists;
    uint32_t next = 0;
    uint32_t count = 0;
    for (uint64_t list = first; list < end; list++) {
        const uint32_t length = work->list(work, list, scratch.indices + next);
        if (length == 0) {
            static const affine infinity;
            work->store(work, list, &infinity);
            continue;
        }
        scratch.starts[count] = next;
        scratch.targets[count] = (uint32_t)(list - first);
        count++;
        next += length;
    }
    scratch.starts[count] = next;
    task_sum_lists(&scratch, work->points, scratch.indices, count);
    for (uint32_t s = 0; s < count; s++) {
        work->store(work, first + scratch.targets[s], &scratch.items[s]);
    }
}

/* Threads share lists out in so many tasks each, but a task has at least so many entries: an inversion is
 * shared by less of them. */
#define REDUCE_TASKS 3
#define REDUCE_MIN_ENTRIES 2048

static void sum_lists(list_work *work)
{
    const reduce_state *state = work->state;
    const uint64_t share = work->lists / (REDUCE_TASKS * state->team->threads) + 1;
    const uint64_t least = REDUCE_MIN_ENTRIES / work->max_length;
    work->lists_per_task = state->capacity / work->max_length;
    if (state->team->threads > 1 && work->lists_per_task > share && work->lists_per_task > least) {
        work->lists_per_task = share > least ? share : least;
    }
    parallel_for(state->team, (work->lists + work->lists_per_task - 1) / work->lists_per_task, list_task,
                 work);
}

static uint32_t list_of_line(const list_work *work, uint64_t list, uint32_t *pairs)
{
    const uint32_t bits = work->state->bits;
    const uint64_t module = list >> work->position_bits;
    const uint64_t position = list - (module << work->position_bits);
    const uint64_t start = (module << bits) + (position << work->first_shift);
    uint32_t count = 0;
    for (uint32_t e = 0; e < (uint32_t)1 << (bits - work->position_bits); e++) {
        count = append_finite(pairs, count, work->points, start + ((uint64_t)e << work->step_shift));
    }
    return count;
}

static void store_line(const list_work *work, uint64_t list, const affine *sum)
{
    work->sums[list] = *sum;
}

/* Part l: columns count column + 1 times, rows row*2^low times. */
static uint32_t list_of_part(const list_work *work, uint64_t list, uint32_t *pairs)
{
    const uint64_t module = list / work->state->parts;
    const uint32_t l = (uint32_t)(list - module * work->state->parts);
    uint32_t count = 0;
    /* The numbers with bit l: those below 2^low + 1, and those below 2^high with bit l - low. */
    if (l <= work->low) {
        for (uint32_t weight = (uint32_t)1 << l; weight <= (uint32_t)1 << work->low;
             weight = (weight + 1) | (uint32_t)1 << l) {
            count = append_finite(pairs, count, work->points, (module << work->low) + weight - 1);
        }
    }
    if (l >= work->low) {
        const uint32_t bit = (uint32_t)1 << (l - work->low);
        for (uint32_t row = bit; row < (uint32_t)1 << work->high; row = (row + 1) | bit) {
            count = append_finite(pairs, count, work->points, work->rows + (module << work->high) + row);
        }
    }
    return count;
}

static void store_part(const list_work *work, uint64_t list, const affine *sum)
{
    xyzz part;
    xyzz_from_affine(&part, sum);
    add_part(work->state, list, &part);
}

/* Rows or columns: lists of the buckets. */
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

static void reduce_by_halving(const reduce_state *state)
{
    list_work parts = {
        .state = state,
        .list = list_of_part,
        .store = store_part,
        .points = state->buckets,
        .lists = state->modules * state->parts,
        .low = state->bits,
    };
    if (state->bits > PLAN_DIRECT_BITS) {
        affine *const columns = (affine *)(void *)((char *)state->scratch + state->layout->vectors);
        parts.low = reduce_low_bits(state->bits);
        parts.high = state->bits - parts.low;
        parts.rows = state->modules << parts.low;
        parts.points = columns;
        sum_lines(state, columns, parts.low, 0, parts.low);
        sum_lines(state, columns + parts.rows, parts.high, parts.low, 0);
    }
    /* Half of the columns or, where they are more, of the rows; and at 2^low the last column. */
    const uint32_t widest = parts.high > parts.low ? parts.high : parts.low;
    parts.max_length = ((uint32_t)1 << widest) / 2 + 1;
    sum_lists(&parts);
}

sumac_status SUMAC_SYMBOL(reduce)(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                  module_sums *modules, void *scratch)
{
    const scratch_layout layout = scratch_layout_of(job->plan, job->code);
    const parallel_team team = parallel_team_of(job, pass, "reduce");
    const uint32_t parts = job->plan->module_parts;
    const reduce_state state = {
        .team = &team,
        .layout = &layout,
        .scratch = scratch,
        .capacity = job->plan->task_entries,
        .buckets = sums->points,
        .modules = pass->modules,
        .bits = plan_bucket_bits(job->plan),
        .parts = parts,
        .adds = pass->chunk_first != 0,
        .module_sums = (xyzz *)modules->points + pass->first_module * parts,
    };
    if (job->plan->reduction == SUMAC_REDUCTION_RUNNING_SUM) {
        reduce_by_running_sum(&state);
    } else {
        reduce_by_halving(&state);
    }
    return SUMAC_OK;
}
