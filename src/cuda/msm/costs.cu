/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Predicted costs of the kinds, in milliseconds.
 *
 * Machine: one NVIDIA H200. Date: 2026-11-21. Command: bench/h200.sh, whose stages, as bench/results/h200_msm.json has them,
 * the numbers are fitted to; where another command chose a number, it says so. Other GPUs differ by a factor that is about
 * the same for every plan: an H100's, from 2^19 on, is 1.03 to 1.10, over BN254 1.09 to 1.22.
 */
#include <cmath>

#include "cuda/msm/accumulate_rounds_lists.h"
#include "cuda/msm/stage.h"
#include "pipeline/counts.h"
#include "pipeline/plan_sizes.h"

/* The costs of a curve, from those of BLS12-381's G1. An addition is bound by memory as much as by products, so that its
 * cost grows more slowly with the limbs than that of products. */
struct costs {
    const double words;   /* an element's limbs: 1 for 12 words of 32 bits */
    const double element; /* what is bound by memory takes so much longer, */
    const double work;    /* and what is bound by products so much */
    const double scalar_size;

    explicit costs(const plan_request *request)
        : words((request->curve->info.field_bits + 63) / 64 / 6.0),
          element((request->curve->info.degree == 2 ? 3 : 1) * words),
          work((request->curve->info.degree == 2 ? 3 : 1) * pow(words, 1.4)),
          scalar_size(request->curve->info.scalar_bytes / 32.0)
    {
    }

    /* sort, and recode with it */
    const cost_row counting = {.fixed = 0.015, .digit = 2.3e-8};
    const cost_row ranks = {.digit = 1e-7, .bucket = 3e-7}; /* by calls of 2^8 to 2^12, where it is chosen */
    const cost_row lookup = {.digit =
                                 8e-9}; /* not measured: 16 bytes at 3.5 TB/s, and computing with a digit */

    /* accumulate */
    const double addition = 2.6e-7 * work; /* affine, of many at once */
    const double round = 0.042 * element;  /* a round besides its additions: mostly one inversion's latency */
    const double full_round = 0.08 * element; /* what a round of FULL_ROUND pairs takes besides, as its blocks
                                                 begin and end */
    const double finish = 0.05 * element;     /* the launch that replaces the last rounds */
    const double finish_point = 4e-6 * work;  /* an addition of it */
    const double empty = 1.3e-7 * element;    /* a bucket without entries, from the sort to the reduction */
    const double merge = 3.9e-7 * work;       /* a bucket that is added to the sum of earlier copy slices */
    const double sum_buckets = 0.01 * element; /* accumulate by quads alone: its launches */
    const double quad_step =
        6.5e-3 * work; /* an addition's time in it, where quads share the device: by 2^8 to
                                               2^13 points with all multiples, c = 8 to 15 */

    /* reduce */
    const double level = 0.06 * element;         /* a round and its lists */
    const double tail_round = 0.007 * element;   /* a round in XYZZ */
    const double tail_sum = 0.041 * element;     /* the last ones, which are one launch */
    const double tail_point = 6.5e-7 * work;     /* an addition in XYZZ, of many at once */
    const double running_step = 0.009 * element; /* of a running sum: a bucket's two additions, one by one */
    const double running_add = 1.0e-6 * work;    /* the same, of many modules at once */

    /* combine */
    const double host_double = 2.6e-4 * element;
    const double host_add = 4e-4 * element; /* of XYZZ points */
    const double host_threads =
        0.03;                      /* until the host's threads are awake, and have ended: by batches of 16 and
                                         64; 0.012 of it wakes 15 of them (docs/internals/pipeline.md) */
    const double host_turn = 0.06; /* until the host's results are on the device, where no work is queued yet:
                                         by step 4 of FK20, one to three blobs */
    const double host_shared = 1.7; /* how much longer each takes for what it does, as two are on a core: 1024
                                         MSMs on 16 threads take 18 ms */
    const double quad_double = 3.5e-3 * element; /* by a quad: the next one waits so long */
    const double quad_add = 4.7e-3 * element;
    const double export_points = 0.03 * element; /* XYZZ to raw points: an inversion, mostly */

    /* feed */
    const double scalar = 5.8e-7 * scalar_size;      /* copied from page-locked memory */
    const double peer_scalar = 1.2e-7 * scalar_size; /* from another device, of which three copy at a time */
    const double copy_slice = 0.4 * work; /* launches and rounds with few pairs, for each copy slice after the
                                             first; by an H100, with 1 and 2 from 2^19 on: 0.45, BN254 0.22 */
};

static const double FULL_ROUND = 1e6;

/* A call's launches, and the work that waits for the host. */
static const double CALL = 0.045;

/* The fraction of a pass's waiting that remains if the device has another pass to work on. */
static const double WAITING_OF_IN_FLIGHT_PASSES = 0.45;

/* Quads that are as fast together as one alone; and log2 of those of a warp. */
static const double IDLE_QUADS = 6000;
static const uint32_t WARP_QUAD_LEVELS = 3;

double cuda_elapsed(msm_plan *plan, const stage_cost *sum)
{
    return CALL + sum->work + sum->alone +
           sum->waiting * (plan->in_flight_passes > 1 ? WAITING_OF_IN_FLIGHT_PASSES : 1);
}

/* ---- feed ---- */

/* Copying a chunk of all sub-batches: its scalars, and its bases if host-resident. */
static double copy_cost(const plan_request *request, const costs &c, const msm_plan *plan)
{
    const double sub_batches = static_cast<double>(plan->batch) / plan->sub_batch;
    const double scalar = request->scalars_location == LOCATION_PEER ? c.peer_scalar : c.scalar;
    const double cost = static_cast<double>(plan->bytes_staging) * scalar +
                        static_cast<double>(plan->bytes_host_resident) * c.scalar;
    return sub_batches * cost / plan_turns(plan) / request->curve->info.scalar_bytes;
}

/* The part of the work on a chunk that grows with its size. */
static double chunk_cost(const costs &c, const msm_plan *plan)
{
    return static_cast<double>(plan->batch) * static_cast<double>(plan_chunk(plan)) * plan->windows *
           (c.addition + c.counting.digit);
}

/* The cost of a plan's copy slices: the launches and merges that those after the first cause, and the wait for
 * copies. The device waits for the first copy slice; for all copies, if they take longer than the work; and for a
 * second chunk that comes in one piece, behind the first. */
static double copy_slices_cost(const plan_request *request, const costs &c, const msm_plan *plan)
{
    const double merges =
        static_cast<double>(plan->batch) * plan->modules * static_cast<double>(plan->buckets) * c.merge;
    const double copy = copy_cost(request, c, plan), work = chunk_cost(c, plan);
    double all = 0, size = 1; /* in first copy slices */
    for (uint32_t p = 0; p < plan->copy_slices; p++, size *= plan->copy_slice_growth) {
        all += size;
    }
    double waits = fmax(copy / all, (copy - work) * plan->chunks);
    waits = plan->keeps_buckets ? fmax(waits, 2 * copy - work) : waits;
    const uint32_t sliced = plan->keeps_buckets ? 1 : plan->chunks;
    return waits + sliced * (plan->copy_slices - 1) * (c.copy_slice + merges);
}

stage_cost cuda_cost_of_feed(const plan_request *request, const msm_plan *plan)
{
    const uint64_t copied = plan->bytes_staging + plan->bytes_host_resident;
    return {.work = copied == 0 ? 0 : copy_slices_cost(request, costs(request), plan)};
}

/* While a copy slice is worked on, the next is copied: so much larger it may be. */
void cuda_choose_copy_slices(const plan_request *request, msm_plan *plan)
{
    const costs c(request);
    const double growth = chunk_cost(c, plan) / copy_cost(request, c, plan);
    plan->copy_slice_growth = growth < 1 ? 1 : growth > 16 ? 16 : static_cast<uint32_t>(growth);
    plan->copy_slices = request->copy_slices;
    if (request->copy_slices != 0) {
        return;
    }
    double least = 0;
    uint32_t best = 1;
    for (plan->copy_slices = 1; plan->copy_slices <= COPY_SLICES_MAX; plan->copy_slices++) {
        const double cost = copy_slices_cost(request, c, plan);
        if (plan->copy_slices == 1 || cost < least) {
            least = cost;
            best = plan->copy_slices;
        }
    }
    plan->copy_slices = best;
}

/* ---- recode and sort ---- */

/* Recoding is counted with the sort. */
stage_cost cuda_cost_of_recode(const plan_request *request, const msm_plan *plan)
{
    (void)request, (void)plan;
    return {};
}

stage_cost cuda_cost_of_sort(const plan_request *request, const msm_plan *plan)
{
    return {.work = cost_of_row(costs(request).counting, plan)};
}

stage_cost cuda_cost_of_ranks(const plan_request *request, const msm_plan *plan)
{
    return {.work = cost_of_row(costs(request).ranks, plan)};
}

stage_cost cuda_cost_of_lookup(const plan_request *request, const msm_plan *plan)
{
    return {.work = cost_of_row(costs(request).lookup, plan)};
}

/* ---- accumulate ---- */

/* Passes of accumulate that add to the buckets of earlier chunks; and those of reduce. */
static double passes_merging(const msm_plan *plan, const plan_counts *counts)
{
    return plan->keeps_buckets ? counts->passes * (1 - 1.0 / plan->chunks) : 0;
}

static double passes_reducing(const msm_plan *plan, const plan_counts *counts)
{
    return counts->passes - passes_merging(plan, counts);
}

/* Buckets that the top window's digits reach: few when c does not divide the bits of r/2 well, unless
 * multiples of r spread them over `spread` of the intervals of r/2, of which there are less than one more
 * (math/recode.h). */
static double top_buckets(const sumac_curve *curve, const msm_plan *plan)
{
    const double buckets = static_cast<double>(plan->buckets);
    if (plan->buckets == 1) {
        return 1;
    }
    if (plan->glv_terms > 1) {
        const glv_lattice *split = curve->scalars.split;
        double most = 0;
        for (uint32_t limb = split->limbs; limb-- > 0;) {
            most = most * 0x1p64 + static_cast<double>(split->bound[limb]);
        }
        return fmin(buckets, plan->top_window_balancing * most / exp2(plan->c * (plan->modules - 1.0)));
    }
    if (plan->top_window_balancing > 1) {
        return buckets * plan->top_window_balancing / (plan->top_window_balancing + 1.0);
    }
    const double bits = plan->scalar_bits - (plan->negate_large_scalars ? 1.0 : 0.0);
    return fmin(buckets, exp2(bits - plan->c * (plan->windows - 1.0)));
}

/* Additions that a bucket still needs when its points have been taken together `points` at a time: with m
 * about normal around `load`, E(ceil(m/points) - 1), the sum over j of P(m > j*points). */
static double additions_left(double load, double points)
{
    double sum = 0;
    if (load > 4 * points) {
        return load / points - 0.5;
    }
    for (double m = points; m < load + 6 * sqrt(load) + 3; m += points) {
        sum += 0.5 * erfc((m + 0.5 - load) / sqrt(2 * load));
    }
    return sum;
}

/* The time of a pass's rounds besides their additions, with the launch that may end them
 * (accumulate_rounds_finish.cu). `full` is the load of the fullest buckets. */
static double rounds_cost(const costs c, double load, double buckets, double full, uint32_t finish_largest)
{
    double cost = 0;
    double points = 1; /* of a bucket that are one by now */
    for (double most = full + 4 * sqrt(full) + 2; most > 1; most /= 2) {
        const double capacity =
            points > 1 ? cuda_finish_capacity(static_cast<uint32_t>(ceil(most)) - 1, finish_largest) : 0;
        const double left = capacity > 0 ? buckets * additions_left(load, points) : 0;
        if (left < capacity) {
            return cost + c.finish + left * c.finish_point;
        }
        points *= 2;
        cost += c.round + c.full_round * fmin(1, load * buckets / points / FULL_ROUND);
    }
    return cost;
}

/* The load of the buckets for uniform scalars, all passes together. */
struct bucket_load {
    double digits;
    double buckets;
    double mean;         /* digits of a bucket */
    double mean_reached; /* the same of those that digits can be in, where there is one window */
    double full; /* of the fullest ones: the top window's digits beside those of the windows that share its
                    module */
    double live; /* the share of buckets that are not empty */
};

static bucket_load load_of(const sumac_curve *curve, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double reached = top_buckets(curve, plan), unreached = static_cast<double>(plan->buckets) - reached;
    /* Buckets that are always empty: the top window's, if no other window shares its module. */
    const double never =
        plan->modules * plan->glv_terms < plan->windows ? 0 : counts.modules / plan->modules * unreached;
    const double top_digits = static_cast<double>(plan->n) * plan->glv_terms / plan->chunks;
    /* With window tables, windows may be small, and then many digits are 0. */
    bucket_load load = {.digits = plan->table_digits > 1 ? counts.entries : counts.digits};
    load.buckets = counts.modules * static_cast<double>(plan->buckets);
    load.mean = load.digits / load.buckets;
    load.full = load.mean + top_digits / reached - top_digits / static_cast<double>(plan->buckets);
    load.mean_reached = plan->windows == 1 ? load.digits / (load.buckets - never) : load.mean;
    load.live = (1 - exp(-load.mean)) * (1 - never / load.buckets);
    return load;
}

static stage_cost cost_of_accumulate(const plan_request *request, const msm_plan *plan,
                                     uint32_t finish_largest)
{
    const costs c(request);
    const plan_counts counts = plan_counts_of(plan);
    const bucket_load load = load_of(request->curve, plan);
    const double live = load.live * load.buckets, merging = passes_merging(plan, &counts);
    const double merged = merging * live / counts.passes; /* a merge is one more round */
    return {.work = (load.digits - live) * c.addition + (load.buckets - live) * c.empty + merged * c.merge,
            .waiting = counts.passes * rounds_cost(c, load.mean_reached, live / counts.passes, load.full,
                                                   finish_largest) +
                       merging * (c.round + c.full_round * fmin(1, live / counts.passes / FULL_ROUND)),
            .additions =
                counts.entries - counts.modules * static_cast<double>(plan->buckets) * counts.finite};
}

stage_cost cuda_cost_of_quads(const plan_request *request, const msm_plan *plan)
{
    return cost_of_accumulate(request, plan, FINISH_LARGEST);
}

/* Digits of the fullest of so many buckets with this mean, expected: about normal, but with more far above it. */
static double fullest_of(double buckets, double mean)
{
    const double deviations = fmax(0, sqrt(2 * log(buckets)) - 0.6);
    return mean + deviations * sqrt(mean) + deviations * deviations / 6;
}

/* In how many additions' time 2^level quads add up a bucket of so many entries and make `sums` sums one after another:
 * three products an entry, four a sum (accumulate_xyzz_quads_sums.cu), for which quads wait for each other. With these
 * factors the plans of h200_small_plans.json and of an H100 differ as measured. */
static double quad_additions(double entries, uint32_t level, uint32_t sums)
{
    return 0.78 * ldexp(entries, -static_cast<int>(level)) + 1.55 * sums;
}

/* The time, in additions, for so many buckets at once, of which the fullest ones hold about `full`. A warp takes as
 * long as the fullest of its buckets; when most warps have ended, the fullest bucket's warp goes on alone, unless
 * others wait for their turn. */
static double quad_steps(double load, double full, double buckets, uint32_t level)
{
    const uint32_t sums_of_warp = level < WARP_QUAD_LEVELS ? level : WARP_QUAD_LEVELS;
    const double buckets_of_warp = ldexp(1, static_cast<int>(WARP_QUAD_LEVELS - sums_of_warp));
    const double warp = quad_additions(fullest_of(buckets_of_warp, load), level, sums_of_warp);
    const double longest = quad_additions(fullest_of(buckets, full), level, level);
    const double turns = fmax(1, ldexp(buckets, static_cast<int>(level)) / IDLE_QUADS);
    return warp * turns + fmax(0, longest - warp) / turns;
}

uint32_t cuda_quad_level(double load, double buckets)
{
    uint32_t best = 0;
    for (uint32_t level = 1; level <= QUAD_GROUP_LEVELS; level++) {
        best = quad_steps(load, load, buckets, level) < quad_steps(load, load, buckets, best) ? level : best;
    }
    return best;
}

stage_cost cuda_cost_of_xyzz_quads(const plan_request *request, const msm_plan *plan)
{
    const costs c(request);
    const plan_counts counts = plan_counts_of(plan);
    const bucket_load load = load_of(request->curve, plan);
    const double buckets = load.buckets / counts.passes;
    const uint32_t level = cuda_quad_level(load.mean, buckets);
    const double steps = quad_steps(load.mean, load.full, buckets, level);
    return {.work = counts.passes * steps * c.quad_step,
            .waiting = counts.passes * c.sum_buckets,
            .additions = counts.entries};
}

stage_cost cuda_cost_of_rounds(const plan_request *request, const msm_plan *plan)
{
    return cost_of_accumulate(request, plan, 0);
}

/* ---- reduce ---- */

/* For each pass rounds of affine additions, of which only buckets that hold something cost one, then XYZZ. */
stage_cost cuda_cost_of_halving(const plan_request *request, const msm_plan *plan)
{
    const costs c(request);
    const plan_counts counts = plan_counts_of(plan);
    const double reductions = passes_reducing(plan, &counts);
    const double modules = plan->modules_per_pass, buckets = static_cast<double>(plan->buckets);
    const uint32_t bits = plan_bucket_bits(plan), level = cuda_tail_level(plan, plan->modules_per_pass);
    const double additions = level == 0 ? 0 : 2.2 * load_of(request->curve, plan).live * modules * buckets;
    const double tail_points = modules * ldexp(level + 2, static_cast<int>(bits - level));
    const double tail_rounds = fmax(0, static_cast<double>(bits - level) - 6);
    return {.work = reductions * (additions * c.addition + tail_points * c.tail_point),
            .waiting = reductions * (level * c.level + tail_rounds * c.tail_round + c.tail_sum),
            .additions = counts.modules * reductions / counts.passes * 2 *
                         (buckets + (buckets > 1 ? 4 * sqrt(buckets) : 0))};
}

stage_cost cuda_cost_of_running_sum(const plan_request *request, const msm_plan *plan)
{
    const costs c(request);
    const plan_counts counts = plan_counts_of(plan);
    const double reductions = passes_reducing(plan, &counts);
    const double buckets = static_cast<double>(plan->buckets);
    return {.work = reductions * plan->modules_per_pass * buckets * c.running_add,
            .waiting = reductions * buckets * c.running_step,
            .additions = counts.modules * reductions / counts.passes * 2 * buckets};
}

/* The one bucket of a module becomes its part. */
stage_cost cuda_cost_of_one_bucket(const plan_request *request, const msm_plan *plan)
{
    const costs c(request);
    const plan_counts counts = plan_counts_of(plan);
    return {.work = counts.modules * c.running_add, .waiting = counts.passes * c.running_step};
}

/* ---- combine ---- */

/* Chains of `terms` - 1 steps by quads, all chains at once. */
static double horner_cost(const costs c, double chains, double terms, double doublings)
{
    return (terms - 1) * (doublings * c.quad_double + c.quad_add) * fmax(1, chains / IDLE_QUADS);
}

static double combine_additions(const msm_plan *plan)
{
    return plan->batch * (plan->modules - 1.0) * (plan->c + 1.0);
}

/* The MSMs of a batch are shared out among the host's threads. */
stage_cost cuda_cost_of_host_combine(const plan_request *request, const msm_plan *plan)
{
    const costs c(request);
    const double turn = request->result_location == SUMAC_LOCATION_DEVICE ? c.host_turn : 0;
    const double threads = plan->batch < plan->threads ? plan->batch : plan->threads;
    const double msms = ceil(plan->batch / threads);
    const double terms = static_cast<double>(plan->modules) * plan->module_parts / plan->fold;
    const double folding = plan->fold == 1 ? 0 : horner_cost(c, plan->batch * terms, plan->fold, 1);
    const double doublings = terms > 1 ? static_cast<double>(plan->modules) * plan->c : 0;
    const double msm = doublings * c.host_double + terms * c.host_add;
    const double combining = threads > 1 ? msms * msm * c.host_shared + c.host_threads : msms * msm;
    return {.work = folding + combining + turn, .additions = combine_additions(plan)};
}

stage_cost cuda_cost_of_device_combine(const plan_request *request, const msm_plan *plan)
{
    const costs c(request);
    const double sub_batches = static_cast<double>(plan->batch) / plan->sub_batch;
    const double sub_batch =
        horner_cost(c, static_cast<double>(plan->sub_batch) * plan->modules, plan->module_parts, 1) +
        horner_cost(c, plan->sub_batch, plan->modules, plan->c) + c.export_points;
    return {.work = sub_batch * sub_batches, .additions = combine_additions(plan)};
}
