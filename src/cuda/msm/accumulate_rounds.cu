/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file accumulates: it makes bucket sums of bucket lists by rounds of pairwise affine additions over all buckets
 * at once.
 *
 * Bucket b has m_b entries and S_b = ceil(m_b/2) slots, u_b to u_b + S_b - 1, in an array of points. Round 1 writes the
 * sum of the bucket's entries 2t and 2t + 1 to slot u_b + t. Round r + 1 adds slots whose t differ by 2^(r - 1), in
 * place, so that the bucket's sum ends in slot u_b; a point without a partner stays in its slot. Every round is one
 * launch over the pairs of all buckets together. So the length of a bucket does not affect how evenly the work is
 * divided, only the number of rounds.
 *
 * A round takes at least as long as an inversion, even if it has few pairs, and only halves the number of points. So
 * when few points are left, one launch, the finish (accumulate_rounds_finish.cu), replaces the remaining rounds. In it
 * one or more quads of lanes add up each bucket. The kind "batched-affine-rounds" does not use the finish. The lengths
 * of the buckets determine when the finish starts: before round r, of stride 2^shift with shift = r - 2, a bucket has 1
 * + (S_b - 1 >> shift) points left. From this measure_kernel counts how many points are left before every round. The
 * lists end with the last round before the finish. If the host does not wait for the number of that round, it also
 * launches later rounds, which have no pairs.
 *
 * The first slot of a bucket is u_b = floor((start_b + b + 1)/2). Then u_(b+1) - u_b >= floor((m_b + 1)/2), so each
 * bucket has enough slots, and these follow from the starts of the buckets without a sum over buckets. At most
 * buckets/2 slots belong to no bucket.
 */
#include "base/integers.h"
#include "cuda/msm/stage.h"
#include "cuda/msm/accumulate_rounds_lists.h"

/* This is the state of a call. Its arrays lie in the scratch block. */
struct accumulate_work {
    cuda_engine *engine;
    const cuda_in_flight_pass *on;
    bool waits_for_nothing;
    bool shares; /* the device works on another pass at the same time */
    const cuda_group *group;
    slot_map map;
    const uint32_t *sorted; /* the entries, in the order of buckets */
    uint64_t entries;       /* an upper bound of the number of entries */
    uint64_t largest;       /* an upper bound of the entries of one bucket */
    uint32_t plain_rounds;  /* an upper bound of the rounds before the finish */
    uint64_t additions;     /* an upper bound of the additions of the finish */
    pair_lists lists;
    char *slot_points;
    void *products;   /* a field element for each pair, in whole rows */
    uint32_t *merges; /* a word for each bucket; used if passes add to the buckets of earlier passes */
};

/* Read the numbers for which the host has waited: the amount of work, and the number of rounds before the finish. */
static void read_mailbox(accumulate_work *work)
{
    const uint32_t *mailbox = work->on->mailbox;
    const uint32_t *left = &mailbox[MAIL_LEFT];
    uint32_t shift = 0;
    while (!can_finish(left[shift], mailbox[MAIL_LARGEST], shift, work->lists.finish_largest)) {
        shift++; /* the loop ends, because nothing is left at the last shift */
    }
    work->largest = mailbox[MAIL_LARGEST];
    work->entries = mailbox[MAIL_ENTRIES];
    work->plain_rounds = 1 + shift;
    work->additions = left[shift];
}

static_assert(MAIL_ENTRIES - MAIL_LARGEST == COUNT_ENTRIES - COUNT_LARGEST &&
                  MAIL_LEFT - MAIL_LARGEST == COUNT_LEFT - COUNT_LARGEST &&
                  MAIL_TOO_LARGE - MAIL_LEFT == ROUNDS - 1 && COUNT_SHIFT - COUNT_LEFT == ROUNDS - 1,
              "the mailbox has accumulate's counts in their order");

/* Make all lists. If the host waits for their lengths, replace the upper bounds in *work by the true numbers. If it
 * waits for nothing, the bounds remain, and the rounds after the last necessary one have no pairs. */
static sumac_status make_lists(accumulate_work *work)
{
    cuda_engine *engine = work->engine;
    const uint64_t slots = cuda_slots(work->entries, work->map.buckets);
    uint64_t end = 0;
    for (uint32_t round = 2; round <= ROUNDS; round++) {
        work->lists.first[round] = static_cast<uint32_t>(end);
        end += cuda_round_limit(slots, round);
    }
    for (uint32_t j = 0; j < FINISH_CLASSES; j++) {
        work->lists.first_finishing[j] = static_cast<uint32_t>(cuda_finish_begin(work->entries, j));
    }
    work->plain_rounds = ROUNDS;
    work->additions =
        work->lists.finish_largest > 0 && work->largest > 2 ? cuda_finish_limit(work->entries) : 0;
    TRY(cuda_make_lists(engine, work->on->stream, &work->map, work->sorted, work->entries, &work->lists,
                        &work->on->mailbox[MAIL_LARGEST],
                        work->waits_for_nothing ? NULL : work->on->counted.handle));
    if (!work->waits_for_nothing) {
        CUDA_TRY(engine, cudaEventSynchronize(work->on->counted));
        read_mailbox(work);
    }
    return SUMAC_OK;
}

uint64_t cuda_round_limit(uint64_t slots, uint32_t number)
{
    return number == 1 ? slots : slots / (((uint64_t)1 << (number - 2)) + 1);
}

static sumac_status run_rounds(const accumulate_work *work, const void *table)
{
    cuda_engine *engine = work->engine;
    const pair_lists *lists = &work->lists;
    const uint64_t singles = work->entries < work->map.buckets ? work->entries : work->map.buckets;
    const uint64_t slots = cuda_slots(work->entries, work->map.buckets);
    pair_round round = {};
    round.out = work->slot_points;
    round.shares = work->shares;
    round.products = work->products;
    round.points = table;
    round.entries = reinterpret_cast<const uint32_t *>(lists->entries);
    round.targets = lists->targets;
    TRY(work->group->copy_singles(engine, work->on->stream, table, lists->singles,
                                  &lists->counts[COUNT_SINGLES], singles, work->slot_points));
    uint32_t number = 1;
    /* `left` is the number of points that the largest bucket has before the round. */
    for (uint64_t left = work->largest; left > 1 && number <= work->plain_rounds; left = (left + 1) / 2) {
        if (number > 1) {
            round.points = work->slot_points;
            round.entries = NULL;
            round.lefts = lists->lefts + lists->first[number];
            round.stride = (uint32_t)1 << (number - 2);
        }
        round.count = &lists->counts[number];
        round.limit = number == 1 ? work->entries / 2 : cuda_round_limit(slots, number);
        TRY(work->group->sum_pairs(engine, work->on->stream, &round));
        number++;
    }
    return SUMAC_OK;
}

static sumac_status finish(const accumulate_work *work)
{
    const pair_lists *lists = &work->lists;
    finish_lists finishing = {};
    finishing.entries = lists->finishing;
    for (uint32_t j = 0; j < FINISH_CLASSES; j++) {
        finishing.first[j] = lists->first_finishing[j];
    }
    finishing.counts = &lists->counts[COUNT_FINISHING];
    finishing.shift = &lists->counts[COUNT_SHIFT];
    finishing.additions = work->additions;
    finishing.slot_points = work->slot_points;
    return work->group->finish(work->engine, work->on->stream, &finishing);
}

/* If a bucket has more points than the result, the finish is not used. The result is large_bucket_factor times the mean
 * of all buckets, which is computed as if no digit were 0. */
static uint32_t finish_largest(const msm_job *job, const accumulate_work *work)
{
    const uint64_t points = job->large_bucket_factor * work->entries / work->map.buckets;
    return job->large_bucket_factor == 0 ? FINISH_LARGEST
           : points < UINT32_MAX         ? static_cast<uint32_t>(points)
                                         : UINT32_MAX;
}

/* Take the arrays of a plan's passes from the scratch block. */
static accumulate_work lay_out(const group_code *code, const msm_plan *plan, scratch_block *scratch)
{
    const size_t affine_bytes = code->affine_bytes;
    const uint64_t entries = plan_pass_entries(plan), buckets = plan->modules_per_pass * plan->buckets;
    const uint64_t slots = cuda_slots(entries, buckets), end = cuda_slot_end(entries, buckets);
    const uint64_t pairs = entries / 2 + 1, merges = plan_merges(plan) ? buckets : 0;
    uint64_t lefts = 0;
    for (uint32_t number = 2; number <= ROUNDS; number++) {
        lefts += cuda_round_limit(slots, number);
    }
    accumulate_work work = {};
    work.slot_points = scratch->take<char>(end * affine_bytes);
    work.products = scratch->take<char>((larger(pairs, merges) + PAIR_BLOCK) * (affine_bytes / 2));
    work.lists.entries = scratch->take<uint2>(pairs);
    work.lists.targets = scratch->take<uint32_t>(pairs);
    work.lists.singles = scratch->take<uint2>(smaller(entries, buckets));
    work.merges = scratch->take<uint32_t>(merges);
    work.lists.lefts = scratch->take<uint32_t>(lefts);
    work.lists.finishing = scratch->take<uint2>(cuda_finish_begin(entries, FINISH_CLASSES));
    work.lists.first_buckets = scratch->take<uint32_t>(end / LIST_SLOTS + 1);
    work.lists.counts = scratch->take<uint32_t>(COUNTERS);
    return work;
}

/* Accumulate a pass, by either of the two kinds. */
static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                        bucket_sums *sums, void *memory)
{
    const bool with_quads = job->plan->kinds[STAGE_ACCUMULATE] != &cuda_accumulate_rounds;
    scratch_block scratch = {static_cast<char *>(memory), 0};
    accumulate_work work = lay_out(job->code, job->plan, &scratch);
    work.engine = engine_of(job);
    work.on = in_flight_of(pass);
    work.waits_for_nothing = job->status_later != NULL;
    work.shares = job->plan->in_flight_passes > 1;
    work.group = cuda_group_of(job->group);
    work.map = {lists->starts, pass->modules * job->plan->buckets};
    work.sorted = lists->entries;
    work.entries = pass->modules * plan_multiples(job->plan) * pass->n;
    work.largest = plan_multiples(job->plan) * pass->n;
    work.lists.finish_largest = with_quads ? finish_largest(job, &work) : 0;
    TRY(make_lists(&work));
    if (work.entries > 0) {
        TRY(run_rounds(&work, pass->inputs.bases));
        TRY(finish(&work));
    }
    if (!pass_adds_to_buckets(job->plan, pass)) {
        return work.group->collect(work.engine, work.on->stream, &work.map, work.slot_points, sums->points);
    }
    const merge_lists merges = {work.merges, work.lists.counts, work.products};
    return work.entries == 0
               ? SUMAC_OK
               : work.group->merge(work.engine, work.on->stream, &work.map, work.slot_points, &merges, sums);
}

const stage_kind cuda_accumulate_quads = {
    .stage = STAGE_ACCUMULATE,
    .name = "batched-affine-quads",
    .about = "adds up pairs of all buckets in rounds of affine additions that share inversions, and what is "
             "left of a "
             "bucket by quads of lanes in XYZZ",
    .takes = BUCKET_LISTS | LOOKED_UP_LISTS,
    .leaves = AFFINE_BUCKETS,
    .adds = 1,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cuda_cost_of_quads,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run>},
};

const stage_kind cuda_accumulate_rounds = {
    .stage = STAGE_ACCUMULATE,
    .name = "batched-affine-rounds",
    .about = "adds up pairs of all buckets in rounds of affine additions that share inversions",
    .takes = BUCKET_LISTS | LOOKED_UP_LISTS,
    .leaves = AFFINE_BUCKETS,
    .by_name = 1,
    .adds = 1,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cuda_cost_of_rounds,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run>},
};
