/*
 * reduce: bucket sums -> module sums. Module g gets the sum over its buckets b < K of (b + 1)*B_b.
 *
 * For a vector of 2^bits points let total = sum of P_i and weighted = sum of i*P_i; the module is weighted +
 * total of its buckets. Two kinds compute them:
 *
 * halving      i = row*2^low + column. With R the sums of the rows and C the sums of the columns,
 *                weighted(P) = 2^low * weighted(R) + weighted(C),   total(P) = total(R),
 *              two additions a point as in the running sum, but all of them independent, so that they share
 * inversions (affine_sum.h: 6M each instead of 10M and 14M); R and C are halved again until they are short.
 * A vector of few finite points, as those of short or repeated scalars, is instead doubled and added up by
 * their indices' bits.
 *
 * running sum  from the last point down: run += P_i, weighted += run. Cut into segments of 2^s points,
 * segment j counts from 0: weighted(P) = sum of weighted_j + 2^s * sum of j*total_j.
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
    affine *free_points; /* the next unused point of the vectors' area */
    xyzz *free_sums;     /* the next unused one of the sums' area */
} reduce_state;

/* Vectors of 2^bits points, one after another, and where their sums go. */
typedef struct vector_set {
    const affine *points;
    uint64_t vectors;
    uint32_t bits;
    xyzz *weighted;
    xyzz *total;
} vector_set;

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
    const vector_set *set;
    uint32_t segment_bits; /* log2 of the segments of a vector */
    xyzz *weighted;        /* [vector << segment_bits | segment] */
    xyzz *total;
} segment_work;

static void segment_task(void *arguments, size_t index, uint32_t thread)
{
    const segment_work *work = arguments;
    const uint64_t length = (uint64_t)1 << (work->set->bits - work->segment_bits);
    (void)thread;
    running_sum(&work->weighted[index], &work->total[index], work->set->points + index * length, length);
}

/* Put the segments of one vector together; the weights of the totals are again a running sum, over segments.
 */
static void segment_join_task(void *arguments, size_t vector, uint32_t thread)
{
    const segment_work *work = arguments;
    const uint64_t segments = (uint64_t)1 << work->segment_bits;
    const xyzz *weighted = work->weighted + vector * segments;
    const xyzz *total = work->total + vector * segments;
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
    xyzz_double_times(&totals_weighted, &totals_weighted, work->set->bits - work->segment_bits);
    xyzz_add(&work->set->weighted[vector], &sum, &totals_weighted);
    work->set->total[vector] = run;
}

static void reduce_by_running_sum(reduce_state *state, const vector_set *set)
{
    const uint32_t segment_bits = set->bits < REDUCE_SEGMENT_BITS ? 0 : REDUCE_SEGMENT_BITS;
    const uint64_t segments = set->vectors << segment_bits;
    segment_work work = {set, segment_bits, state->free_sums, state->free_sums + segments};
    parallel_for(state->team, segments, segment_task, &work);
    parallel_for(state->team, set->vectors, segment_join_task, &work);
}

/* ---- Halving ---- */

/* Lists of equal length over the points of a vector set; list q takes `length` points from its first, `step`
 * apart. */
typedef struct list_work {
    const reduce_state *state;
    const affine *points;
    affine *sums;
    uint64_t lists;
    uint64_t lists_per_task;
    uint32_t bits;          /* of a vector */
    uint32_t position_bits; /* a vector has 2^position_bits lists */
    uint32_t first_shift;   /* the first point of list r of a vector is r << first_shift */
    uint32_t step_shift;    /* its points are 1 << step_shift apart */
} list_work;

static void list_task(void *arguments, size_t index, uint32_t thread)
{
    const list_work *work = arguments;
    const task_scratch scratch = thread_scratch(work->state->layout, work->state->scratch, thread);
    const uint64_t first = index * work->lists_per_task;
    const uint64_t left = work->lists - first;
    const uint32_t count = (uint32_t)(left < work->lists_per_task ? left : work->lists_per_task);
    const uint32_t length = (uint32_t)1 << (work->bits - work->position_bits);
    uint32_t next = 0;
    for (uint32_t s = 0; s < count; s++) {
        const uint64_t list = first + s;
        const uint64_t vector = list >> work->position_bits;
        const uint64_t position = list - (vector << work->position_bits);
        const uint64_t start = (vector << work->bits) + (position << work->first_shift);
        scratch.starts[s] = next;
        for (uint32_t e = 0; e < length; e++) {
            scratch.indices[next++] = (uint32_t)((start + ((uint64_t)e << work->step_shift)) << 1);
        }
    }
    scratch.starts[count] = next;
    task_sum_lists(&scratch, work->points, scratch.indices, count);
    for (uint32_t s = 0; s < count; s++) {
        work->sums[first + s] = scratch.items[s];
    }
}

/* Threads share lists out in so many tasks each, but a task has at least so many entries: an inversion is
 * shared by less of them. */
#define REDUCE_TASKS 3
#define REDUCE_MIN_ENTRIES 2048

static void sum_lists(const reduce_state *state, list_work *work, const vector_set *set)
{
    work->state = state;
    work->points = set->points;
    work->bits = set->bits;
    work->lists = set->vectors << work->position_bits;
    const uint32_t length_bits = set->bits - work->position_bits;
    const uint64_t share = work->lists / (REDUCE_TASKS * state->team->threads) + 1;
    const uint64_t least = (uint64_t)REDUCE_MIN_ENTRIES >> length_bits;
    work->lists_per_task = state->capacity >> length_bits;
    if (state->team->threads > 1 && work->lists_per_task > share && work->lists_per_task > least) {
        work->lists_per_task = share > least ? share : least;
    }
    parallel_for(state->team, (work->lists + work->lists_per_task - 1) / work->lists_per_task, list_task,
                 work);
}

typedef struct vector_work {
    const vector_set *set;
    const xyzz *columns_weighted;
    uint32_t low;
} vector_work;

static void leaf_task(void *arguments, size_t vector, uint32_t thread)
{
    const vector_work *work = arguments;
    const vector_set *set = work->set;
    (void)thread;
    running_sum(&set->weighted[vector], &set->total[vector], set->points + (vector << set->bits),
                (uint64_t)1 << set->bits);
}

static void join_task(void *arguments, size_t vector, uint32_t thread)
{
    const vector_work *work = arguments;
    xyzz *weighted = &work->set->weighted[vector];
    (void)thread;
    xyzz_double_times(weighted, weighted, work->low);
    xyzz_add(weighted, weighted, &work->columns_weighted[vector]);
}

static void reduce_by_halving(reduce_state *state, const vector_set *set)
{
    vector_work work = {set, NULL, 0};
    if (set->bits <= REDUCE_LEAF_BITS) {
        parallel_for(state->team, set->vectors, leaf_task, &work);
        return;
    }
    const uint32_t low = reduce_low_bits(set->bits);
    const uint32_t high = set->bits - low;
    list_work rows = {.sums = state->free_points, .position_bits = high, .first_shift = low, .step_shift = 0};
    state->free_points += set->vectors << high;
    sum_lists(state, &rows, set);
    list_work columns = {
        .sums = state->free_points, .position_bits = low, .first_shift = 0, .step_shift = low};
    state->free_points += set->vectors << low;
    sum_lists(state, &columns, set);

    xyzz *const saved = state->free_sums;
    const vector_set column_set = {columns.sums, set->vectors, low, saved, saved + set->vectors};
    state->free_sums += 2 * set->vectors;
    const vector_set row_set = {rows.sums, set->vectors, high, set->weighted, set->total};
    reduce_by_halving(state, &row_set);
    reduce_by_halving(state, &column_set);
    work.columns_weighted = column_set.weighted;
    work.low = low;
    parallel_for(state->team, set->vectors, join_task, &work);
    state->free_sums = saved;
}

/* ---- Few finite points ---- */

/* Adding a point for each bit of its index costs about as much as halving that many points: 15/2 additions of
 * some 300 ns, where halving has 2 of 50 ns a point in lanes, 240 ns without (docs/avx512.md). */
#define REDUCE_FEW_PART 64

typedef struct few_work {
    const reduce_state *state;
    const vector_set *set;
    uint32_t *many; /* for each vector 1 if it has too many finite points */
} few_work;

/* The indices of a vector's finite points; returns how many, or limit + 1 if there are more than that. */
static uint64_t finite_points(uint32_t *indices, uint64_t limit, const affine *points, uint64_t count)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!affine_is_infinity(&points[i])) {
            if (found == limit) {
                return limit + 1;
            }
            indices[found++] = (uint32_t)i;
        }
    }
    return found;
}

static void few_task(void *arguments, size_t vector, uint32_t thread)
{
    const few_work *work = arguments;
    const vector_set *set = work->set;
    const task_scratch scratch = thread_scratch(work->state->layout, work->state->scratch, thread);
    const affine *points = set->points + ((uint64_t)vector << set->bits);
    const uint64_t part = ((uint64_t)1 << set->bits) / REDUCE_FEW_PART;
    const uint64_t limit = part < work->state->capacity ? part : work->state->capacity;
    const uint64_t count = finite_points(scratch.indices, limit, points, (uint64_t)1 << set->bits);
    xyzz *weighted = &set->weighted[vector];
    work->many[vector] = count > limit;
    if (count > limit) {
        return;
    }
    xyzz_set_infinity(weighted);
    for (uint32_t bit = set->bits; bit-- > 0;) {
        xyzz_double_times(weighted, weighted, 1);
        for (uint64_t i = 0; i < count; i++) {
            if ((scratch.indices[i] >> bit & 1) != 0) {
                xyzz_add_affine(weighted, weighted, &points[scratch.indices[i]]);
            }
        }
    }
    xyzz_set_infinity(&set->total[vector]);
    for (uint64_t i = 0; i < count; i++) {
        xyzz_add_affine(&set->total[vector], &set->total[vector], &points[scratch.indices[i]]);
    }
}

/* All vectors of the pass: those of few points one by one, and the others in runs of neighbours. */
static void reduce_set(const reduce_state *state, const vector_set *set, uint32_t *many,
                       sumac_reduction reduction)
{
    few_work few = {state, set, many};
    parallel_for(state->team, set->vectors, few_task, &few);
    for (uint64_t first = 0; first < set->vectors;) {
        uint64_t end = first;
        while (end < set->vectors && many[end] != 0) {
            end++;
        }
        if (end > first) {
            reduce_state run_state = *state;
            const vector_set run = {set->points + (first << set->bits), end - first, set->bits,
                                    set->weighted + first, set->total + first};
            if (reduction == SUMAC_REDUCTION_RUNNING_SUM) {
                reduce_by_running_sum(&run_state, &run);
            } else {
                reduce_by_halving(&run_state, &run);
            }
        }
        first = end + 1;
    }
}

sumac_status SUMAC_SYMBOL(reduce)(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                  module_sums *modules, void *scratch)
{
    const scratch_layout layout = scratch_layout_of(job->plan, job->code);
    const parallel_team team = parallel_team_of(job, pass, "reduce");
    xyzz *const vector_sums = (xyzz *)(void *)((char *)scratch + layout.vector_sums);
    const reduce_state state = {
        .team = &team,
        .layout = &layout,
        .scratch = scratch,
        .capacity = job->plan->task_entries,
        .free_points = (affine *)(void *)((char *)scratch + layout.vectors),
        .free_sums = vector_sums + 2 * pass->modules,
    };
    const vector_set set = {sums->points, pass->modules, plan_bucket_bits(job->plan), vector_sums,
                            vector_sums + pass->modules};
    reduce_set(&state, &set, (uint32_t *)(void *)((char *)scratch + layout.many), job->plan->reduction);
    xyzz *const results = modules->points;
    for (uint64_t m = 0; m < pass->modules; m++) {
        xyzz *result = &results[pass->first_module + m];
        if (pass->chunk_first == 0) {
            xyzz_set_infinity(result);
        }
        xyzz_add(result, result, &set.weighted[m]);
        xyzz_add(result, result, &set.total[m]);
    }
    return SUMAC_OK;
}
