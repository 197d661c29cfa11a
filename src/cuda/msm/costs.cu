/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file predicts the costs of the kinds, in milliseconds.
 *
 * The costs were measured on one NVIDIA H200 on 2026-11-21, by bench/h200.sh. The numbers are fitted to the stages'
 * times in bench/results/h200_msm.json. If another measurement chose a number, its comment says so. Other GPUs differ
 * by a factor that is about the same for every plan: from 2^19 on, an H100's factor is 1.03 to 1.10, for BN254 1.09 to
 * 1.22.
 */
#include <cmath>

#include "cuda/msm/accumulate_rounds_lists.h"
#include "cuda/msm/stage.h"
#include "pipeline/counts.h"
#include "pipeline/plan_sizes.h"

/* The costs of a curve are scaled from those of BLS12-381's G1. An addition is bound by memory as much as by products,
 * so its cost grows more slowly with the number of limbs than the cost of products. */
struct costs {
    const double words;   /* an element's limbs: 1 for 12 words of 32 bits */
    const double element; /* the factor for costs that are bound by memory */
    const double work;    /* the factor for costs that are bound by products */
    const double scalar_size;

    explicit costs(const plan_request *request)
        : words((request->group->field_bits + 63) / 64 / 6.0),
          element((request->group->degree == 2 ? 3 : 1) * words),
          work((request->group->degree == 2 ? 3 : 1) * pow(words, 1.4)),
          scalar_size(request->group->scalar_bytes / 32.0)
    {
    }

    /* These are costs of sort; they include recode. */
    const cost_row counting = {.fixed = 0.015, .digit = 2.3e-8};
    const cost_row ranks = {.digit = 1e-7, .bucket = 3e-7}; /* measured at 2^8 to 2^12, where it is chosen */
    const cost_row lookup = {.digit =
                                 8e-9}; /* not measured: 16 bytes at 3.5 TB/s, and computing with a digit */

    /* These are costs of accumulate. */
    const double addition = 2.6e-7 * work; /* an affine addition, if there are many at once */
    const double round = 0.042 * element;  /* a round without its additions: mostly one inversion's latency */
    const double full_round = 0.08 * element;  /* added to `round` for a round of FULL_ROUND pairs, as its
                                                 blocks begin and end */
    const double finish = 0.05 * element;      /* the launch that replaces the last rounds */
    const double finish_point = 4e-6 * work;   /* an addition of that launch */
    const double empty = 1.3e-7 * element;     /* a bucket without entries, from the sort to the reduction */
    const double merge = 3.9e-7 * work;        /* a bucket that is added to the sum of earlier copy slices */
    const double sum_buckets = 0.01 * element; /* the launches of accumulate by quads alone */
    const double quad_step =
        6.5e-3 * work; /* an addition of it, if quads share the device: measured with 2^8 to
                                               2^13 points with all multiples, c = 8 to 15 */

    /* These are costs of reduce. */
    const double level = 0.06 * element;         /* a round and its lists */
    const double tail_round = 0.007 * element;   /* a round in XYZZ */
    const double tail_sum = 0.041 * element;     /* the last rounds, which are one launch */
    const double tail_point = 6.5e-7 * work;     /* an addition in XYZZ, if there are many at once */
    const double running_step = 0.009 * element; /* a running sum's two successive additions for a bucket */
    const double running_add = 1.0e-6 * work;    /* these two additions, if there are many modules at once */

    /* These are costs of combine. */
    const double host_double = 2.6e-4 * element;
    const double host_add = 4e-4 * element; /* an addition of XYZZ points */
    const double host_threads =
        0.03;                       /* waking the host's threads and awaiting their end: measured with batches
                                         of 16 and 64; waking 15 takes 0.012 (docs/internals/pipeline.md) */
    const double host_turn = 0.06;  /* copying the host's results to the device, which has no queued work
                                         meanwhile: measured with step 4 of FK20, one to three blobs */
    const double host_shared = 1.7; /* the factor by which a thread is slower if two share a core: 1024 MSMs
                                         on 16 threads take 18 ms */
    const double quad_double = 3.5e-3 * element; /* a quad's latency of a doubling */
    const double quad_add = 4.7e-3 * element;
    const double export_points = 0.03 * element; /* XYZZ to raw points, mostly an inversion */

    /* These are costs of feed. */
    const double scalar = 5.8e-7 * scalar_size;      /* a scalar copied from page-locked memory */
    const double peer_scalar = 1.2e-7 * scalar_size; /* copied from another device, if three copy at once */
    const double copy_slice = 0.4 * work; /* launches and rounds with few pairs of each copy slice after the
                                             first; an H100, 1 and 2 from 2^19 on: 0.45, BN254 0.22 */
};

static const double FULL_ROUND = 1e6;

/* Each call pays for its launches, and for the time in which the device waits for the host. */
static const double CALL = 0.045;

/* This fraction of a pass's waiting remains if the device has another pass to work on. */
static const double WAITING_OF_IN_FLIGHT_PASSES = 0.45;

/* Up to IDLE_QUADS quads together take the time of one; a warp has 2^WARP_QUAD_LEVELS quads. */
static const double IDLE_QUADS = 6000;
static const uint32_t WARP_QUAD_LEVELS = 3;

double cuda_elapsed(msm_plan *plan, const stage_cost *sum)
{
    return CALL + sum->work + sum->alone +
           sum->waiting * (plan->in_flight_passes > 1 ? WAITING_OF_IN_FLIGHT_PASSES : 1);
}

/* ---- feed ---- */

/* Return the time of copying a chunk of all sub-batches: its scalars, and its bases if they are host-resident. */
static double copy_cost(const plan_request *request, const costs &c, const msm_plan *plan)
{
    const double sub_batches = static_cast<double>(plan->batch) / plan->sub_batch;
    const double scalar = request->scalars_location == LOCATION_PEER ? c.peer_scalar : c.scalar;
    const double cost = static_cast<double>(plan->bytes_staging) * scalar +
                        static_cast<double>(plan->bytes_host_resident) * c.scalar;
    return sub_batches * cost / plan_turns(plan) / request->group->scalar_bytes;
}

/* Return the part of the work on a chunk that grows with the chunk's size. */
static double chunk_cost(const costs &c, const msm_plan *plan)
{
    return static_cast<double>(plan->batch) * static_cast<double>(plan_chunk(plan)) * plan->windows *
           (c.addition + c.counting.digit);
}

/* Return the cost of a plan's copy slices: the launches and merges of all slices but the first, and the wait for
 * copies. The device always waits for the first copy slice. If all copies take longer than the work, it also waits for
 * them. It also waits for a second chunk that is copied in one piece behind the first one. */
static double copy_slices_cost(const plan_request *request, const costs &c, const msm_plan *plan)
{
    const double merges =
        static_cast<double>(plan->batch) * plan->modules * static_cast<double>(plan->buckets) * c.merge;
    const double copy = copy_cost(request, c, plan), work = chunk_cost(c, plan);
    double all = 0, size = 1; /* in units of the first copy slice */
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

/* The next copy slice is copied while the device works on one, so it may be larger by the ratio work/copying. */
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

/* The cost of recoding is part of the sort's. */
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

/* Return the number of passes of accumulate that add to the buckets of earlier chunks; all other passes are reduced. */
static double passes_merging(const msm_plan *plan, const plan_counts *counts)
{
    return plan->keeps_buckets ? counts->passes * (1 - 1.0 / plan->chunks) : 0;
}

static double passes_reducing(const msm_plan *plan, const plan_counts *counts)
{
    return counts->passes - passes_merging(plan, counts);
}

/* Return the number of buckets that the top window's digits reach. If only few bits of r/2 are left for the top window,
 * this number is small. But if multiples of r spread the digits, they spread over top_window_balancing intervals of
 * r/2, and the buckets span less than one interval more (math/recode.h). */
static double top_buckets(const sumac_group *group, const msm_plan *plan)
{
    const double buckets = static_cast<double>(plan->buckets);
    if (plan->buckets == 1) {
        return 1;
    }
    if (plan->glv_terms > 1) {
        const glv_lattice *split = registered(group)->scalars.split;
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

/* Return the number of additions that a bucket still needs after groups of `points` points have been added up. If m is
 * about normal around `load`, this is E(ceil(m/points) - 1) = the sum over j of P(m > j*points). */
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

/* Return the time of the rounds of a pass without their additions. It includes the launch that may replace the last
 * rounds (accumulate_rounds_finish.cu). `full` is the load of the fullest buckets. */
static double rounds_cost(const costs c, double load, double buckets, double full, uint32_t finish_largest)
{
    double cost = 0;
    double points = 1; /* the number of a bucket's points in each sum so far */
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

/* This is the load of the buckets for uniform scalars. `digits` and `buckets` are those of all passes. */
struct bucket_load {
    double digits;
    double buckets;
    double mean;         /* digits of a bucket */
    double mean_reached; /* digits of a bucket that digits can reach, if there is one window; else `mean` */
    double full; /* digits of the fullest buckets, which have digits of the top window and of the windows
                    that share its module */
    double live; /* the share of buckets that are not empty */
};

static bucket_load load_of(const sumac_group *group, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double reached = top_buckets(group, plan), unreached = static_cast<double>(plan->buckets) - reached;
    /* If no other window shares the top window's module, some of its buckets are always empty. */
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
    const bucket_load load = load_of(request->group, plan);
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

/* Return the expected digits of the fullest of `buckets` buckets with this mean. The number of digits of a bucket is
 * about normally distributed, but large deviations above the mean are more frequent. */
static double fullest_of(double buckets, double mean)
{
    const double deviations = fmax(0, sqrt(2 * log(buckets)) - 0.6);
    return mean + deviations * sqrt(mean) + deviations * deviations / 6;
}

/* Return the time, in additions, in which 2^level quads add up a bucket of `entries` entries, followed by `sums`
 * successive sums of quads: an entry takes three products and a sum four (accumulate_xyzz_quads_sums.cu), and quads
 * wait for each other. With these factors the plans of h200_small_plans.json and of an H100 differ as measured. */
static double quad_additions(double entries, uint32_t level, uint32_t sums)
{
    return 0.78 * ldexp(entries, -static_cast<int>(level)) + 1.55 * sums;
}

/* Return the time, in additions, for `buckets` buckets at once, the fullest of which hold about `full` entries. A warp
 * takes as long as the fullest of its buckets. When most warps have ended, the fullest bucket's warp continues alone,
 * unless other warps are still waiting to run. */
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
    const bucket_load load = load_of(request->group, plan);
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

/* Each pass first has rounds of affine additions, in which empty buckets cost no addition, and then rounds in XYZZ. */
stage_cost cuda_cost_of_halving(const plan_request *request, const msm_plan *plan)
{
    const costs c(request);
    const plan_counts counts = plan_counts_of(plan);
    const double reductions = passes_reducing(plan, &counts);
    const double modules = plan->modules_per_pass, buckets = static_cast<double>(plan->buckets);
    const uint32_t bits = plan_bucket_bits(plan), level = cuda_tail_level(plan, plan->modules_per_pass);
    const double additions = level == 0 ? 0 : 2.2 * load_of(request->group, plan).live * modules * buckets;
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

/* The only bucket of a module becomes the module's part. */
stage_cost cuda_cost_of_one_bucket(const plan_request *request, const msm_plan *plan)
{
    const costs c(request);
    const plan_counts counts = plan_counts_of(plan);
    return {.work = counts.modules * c.running_add, .waiting = counts.passes * c.running_step};
}

/* ---- combine ---- */

/* Return the time of `chains` chains of terms - 1 steps each, one for each quad, all at once. */
static double horner_cost(const costs c, double chains, double terms, double doublings)
{
    return (terms - 1) * (doublings * c.quad_double + c.quad_add) * fmax(1, chains / IDLE_QUADS);
}

static double combine_additions(const msm_plan *plan)
{
    return plan->batch * (plan->modules - 1.0) * (plan->c + 1.0);
}

/* The host's threads share the MSMs of a batch. */
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
