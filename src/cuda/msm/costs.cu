/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Costs on an H200, in milliseconds, fitted to stages as bench/results/h200_msm.json has them; other GPUs differ by
 * a factor that is about the same for every plan: an H100's, from 2^19 on, is 1.03 to 1.10, over BN254 1.09 to 1.22. An addition is
 * bound by memory as much as by products, so its cost grows more slowly than they do.
 */
#include "cuda/msm/stage.h"

#include <cmath>

#include "cuda/msm/accumulate_rounds_lists.h"
#include "pipeline/counts.h"
#include "pipeline/plan_sizes.h"

struct costs {
    double addition;     /* affine, of many at once */
    double entry;        /* recoded and sorted */
    double sort;         /* the counting partition's launches */
    double ranked_entry; /* recoded and sorted by ranks */
    double ranked_bucket;
    double lookup;       /* recoded and looked up in window tables */
    double round;        /* of accumulate, beside its additions: most of it one inversion's latency */
    double full_round;   /* what one of FULL_ROUND pairs takes besides, as its blocks begin and end */
    double finish;       /* the launch that takes the place of the last rounds */
    double finish_point; /* an addition of it */
    double sum_buckets;  /* accumulate by quads alone: its launches */
    double quad_step;    /* of it: an addition's time, where quads share the device */
    double level;        /* of reduce: a round and its lists */
    double tail_round;   /* the same in XYZZ */
    double tail_sum;     /* the last ones, which are one launch */
    double tail_point;   /* an addition in XYZZ, of many at once */
    double running_step; /* of a running sum: the two additions for a bucket, one after another */
    double running_add;  /* the same, of many modules at once */
    double empty;        /* a bucket that nothing is in, from the sort to the reduction */
    double scalar;       /* copied from page-locked memory */
    double peer_scalar;  /* copied from another device */
    double merge;        /* a bucket that is added to the sum of earlier copy slices */
    double copy_slice;   /* launches and rounds with few pairs, for each copy slice after the first */
    double host_double;  /* of combine, on the host */
    double host_add;     /* the same, of XYZZ points */
    double host_threads; /* until the host's threads, which sleep meanwhile, are awake and have ended */
    double host_turn;    /* until the host's results are on the device, where no work is queued yet */
    double host_shared;  /* how much longer each takes for what it does: two are on a core */
    double quad_double;  /* of combine, by a quad: the next one waits so long */
    double quad_add;
    double export_points; /* XYZZ to raw points: an inversion, mostly */
};

static const double FULL_ROUND = 1e6;

/* Of a call: launches, and what waits for the host. */
static const double CALL = 0.045;

/* What is left of the waiting in a pass when the device has another one to work on. */
static const double WAITING_OF_IN_FLIGHT_PASSES = 0.45;

/* Quads that are as fast together as one alone; and log2 of those of a warp. */
static const double IDLE_QUADS = 6000;
static const uint32_t WARP_QUAD_LEVELS = 3;

static costs costs_of(const sumac_curve *curve)
{
    const double words = (curve->info.field_bits + 63) / 64 / 6.0; /* 1 for 12 words of 32 bits */
    const double degree = curve->info.degree == 2 ? 3 : 1;
    const double element = degree * words, work = degree * pow(words, 1.4);
    const costs c = {
        .addition = 2.6e-7 * work,
        .entry = 2.3e-8,
        .sort = 0.015,
        .ranked_entry = 1e-7, /* where it is chosen, 2^8 to 2^12, calls take what is planned */
        .ranked_bucket = 3e-7,
        .lookup = 8e-9, /* not measured: 16 bytes of memory's 3.5 TB/s, and what a digit is computed with */
        .round = 0.042 * element,
        .full_round = 0.08 * element,
        .finish = 0.05 * element,
        .finish_point = 4e-6 * work,
        .sum_buckets = 0.01 * element,
        .quad_step = 6.5e-3 * work, /* by 2^8 to 2^13 points with all multiples, c = 8 to 15 */
        .level = 0.06 * element,
        .tail_round = 0.007 * element,
        .tail_sum = 0.041 * element,
        .tail_point = 6.5e-7 * work,
        .running_step = 0.009 * element,
        .running_add = 1.0e-6 * work,
        .empty = 1.3e-7 * element,
        .scalar = 5.8e-7 * curve->info.scalar_bytes / 32,
        .peer_scalar =
            1.2e-7 * curve->info.scalar_bytes / 32, /* three devices copy from one at the same time */
        .merge = 3.9e-7 * work,
        .copy_slice = 0.4 * work, /* H100, with 1 and 2 from 2^19 on: 0.45, BN254 0.22 */
        .host_double = 2.6e-4 * element,
        .host_add = 4e-4 * element,
        .host_threads = 0.03, /* by batches of 16 and 64; 0.012 of it wakes 15 of them (docs/pipeline.md) */
        .host_turn = 0.06,    /* by step 4 of FK20, one to three blobs */
        .host_shared = 1.7,   /* 1024 MSMs on 16 threads: 18 ms */
        .quad_double = 3.5e-3 * element,
        .quad_add = 4.7e-3 * element,
        .export_points = 0.03 * element,
    };
    return c;
}

/* How much of the chunk its first copy slice is: all that the device waits for. */
static double first_part(const msm_plan *plan)
{
    double all = 0, size = 1;
    for (uint32_t p = 0; p < plan->copy_slices; p++, size *= plan->copy_slice_growth) {
        all += size;
    }
    return 1 / all;
}

/* Copying a chunk of all sub-batches: its scalars, and its bases if host-resident. */
static double copy_cost(const plan_request *request, const costs *c, const msm_plan *plan)
{
    const double sub_batches = static_cast<double>(plan->batch) / plan->sub_batch;
    const double scalar = request->scalars_location == LOCATION_PEER ? c->peer_scalar : c->scalar;
    const double cost = static_cast<double>(plan->bytes_staging) * scalar +
                        static_cast<double>(plan->bytes_host_resident) * c->scalar;
    return sub_batches * cost / plan_turns(plan) / request->curve->info.scalar_bytes;
}

/* The work on such a chunk that grows with it. */
static double chunk_cost(const costs *c, const msm_plan *plan)
{
    return static_cast<double>(plan->batch) * static_cast<double>(plan_chunk(plan)) * plan->windows *
           (c->addition + c->entry);
}

/* What waits for copies: the first copy slice's; all that is copied where that takes longer than the work; and a
 * second chunk that comes in one piece, behind the first. */
static double copy_waits(double copy, double work, const msm_plan *plan)
{
    const double waits = fmax(copy * first_part(plan), (copy - work) * plan->chunks);
    return plan->keeps_buckets ? fmax(waits, 2 * copy - work) : waits;
}

/* What the copy slices of a plan cost: the waits, and what those after the first cause. */
static double copy_slices_cost(const plan_request *request, const costs *c, const msm_plan *plan)
{
    const double merges =
        static_cast<double>(plan->batch) * plan->modules * static_cast<double>(plan->buckets) * c->merge;
    const double copy = copy_cost(request, c, plan), work = chunk_cost(c, plan);
    const uint32_t sliced = plan->keeps_buckets ? 1 : plan->chunks;
    return copy_waits(copy, work, plan) + sliced * (plan->copy_slices - 1) * (c->copy_slice + merges);
}

/* While a copy slice is worked on, the next is copied: so much larger it may be. */
void cuda_choose_copy_slices(const plan_request *request, msm_plan *plan)
{
    const costs c = costs_of(request->curve);
    const double growth = chunk_cost(&c, plan) / copy_cost(request, &c, plan);
    plan->copy_slice_growth = growth < 1 ? 1 : growth > 16 ? 16 : static_cast<uint32_t>(growth);
    plan->copy_slices = request->copy_slices;
    if (request->copy_slices != 0) {
        return;
    }
    double least = 0;
    uint32_t best = 1;
    for (plan->copy_slices = 1; plan->copy_slices <= COPY_SLICES_MAX; plan->copy_slices++) {
        const double cost = copy_slices_cost(request, &c, plan);
        if (plan->copy_slices == 1 || cost < least) {
            least = cost;
            best = plan->copy_slices;
        }
    }
    plan->copy_slices = best;
}

/* Chains of `terms` - 1 steps by quads, all chains at once. */
static double horner_cost(const costs *c, double chains, double terms, double doublings)
{
    return (terms - 1) * (doublings * c->quad_double + c->quad_add) * fmax(1, chains / IDLE_QUADS);
}

static double combine_additions(const msm_plan *plan)
{
    return plan->batch * (plan->modules - 1.0) * (plan->c + 1.0);
}

/* The MSMs of a batch are shared out among the host's threads. */
static double host_combine_cost(const costs *c, const msm_plan *plan, uint32_t fold)
{
    const double threads = plan->batch < plan->threads ? plan->batch : plan->threads;
    const double msms = ceil(plan->batch / threads);
    const double terms = static_cast<double>(plan->modules) * plan->module_parts / fold;
    const double folding = fold == 1 ? 0 : horner_cost(c, plan->batch * terms, fold, 1);
    const double doublings = terms > 1 ? static_cast<double>(plan->modules) * plan->c : 0;
    const double msm = doublings * c->host_double + terms * c->host_add;
    return folding + (threads > 1 ? msms * msm * c->host_shared + c->host_threads : msms * msm);
}

stage_cost cuda_cost_of_host_combine(const plan_request *request, const msm_plan *plan)
{
    const costs c = costs_of(request->curve);
    const double turn = request->result_location == SUMAC_LOCATION_DEVICE ? c.host_turn : 0;
    return {.work = host_combine_cost(&c, plan, plan->fold) + turn, .additions = combine_additions(plan)};
}

stage_cost cuda_cost_of_device_combine(const plan_request *request, const msm_plan *plan)
{
    const costs c = costs_of(request->curve);
    const double sub_batches = static_cast<double>(plan->batch) / plan->sub_batch;
    const double sub_batch =
        horner_cost(&c, static_cast<double>(plan->sub_batch) * plan->modules, plan->module_parts, 1) +
        horner_cost(&c, plan->sub_batch, plan->modules, plan->c) + c.export_points;
    return {.work = sub_batch * sub_batches, .additions = combine_additions(plan)};
}

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

/* What a pass's rounds take beside their additions, and the launch that ends them where it does (accumulate_rounds_finish.cu).
 * `full` is the load of the fullest buckets. */
static double rounds_cost(const costs *c, double load, double buckets, double full, uint32_t finish_largest)
{
    double cost = 0;
    double points = 1; /* of a bucket that are one by now */
    for (double most = full + 4 * sqrt(full) + 2; most > 1; most /= 2) {
        const double room =
            points > 1 ? cuda_finish_room(static_cast<uint32_t>(ceil(most)) - 1, finish_largest) : 0;
        const double left = room > 0 ? buckets * additions_left(load, points) : 0;
        if (left < room) {
            return cost + c->finish + left * c->finish_point;
        }
        points *= 2;
        cost += c->round + c->full_round * fmin(1, load * buckets / points / FULL_ROUND);
    }
    return cost;
}

/* What buckets of uniform scalars hold, of all passes together. */
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
    /* Buckets that nothing can be in: the top window's, where it has a module of its own. */
    const double never =
        plan->modules * plan->glv_terms < plan->windows ? 0 : counts.modules / plan->modules * unreached;
    const double top_digits = static_cast<double>(plan->n) * plan->glv_terms / plan->chunks;
    /* Of few digits many are 0: with window tables windows may be of any size. */
    bucket_load load = {.digits = plan->table_digits > 1 ? counts.entries : counts.digits};
    load.buckets = counts.modules * static_cast<double>(plan->buckets);
    load.mean = load.digits / load.buckets;
    load.full = load.mean + top_digits / reached - top_digits / static_cast<double>(plan->buckets);
    load.mean_reached = plan->windows == 1 ? load.digits / (load.buckets - never) : load.mean;
    load.live = (1 - exp(-load.mean)) * (1 - never / load.buckets);
    return load;
}

stage_cost cuda_cost_of_feed(const plan_request *request, const msm_plan *plan)
{
    const costs c = costs_of(request->curve);
    const uint64_t copied = plan->bytes_staging + plan->bytes_host_resident;
    return {.work = copied == 0 ? 0 : copy_slices_cost(request, &c, plan)};
}

/* Recoding is counted with the sort. */
stage_cost cuda_cost_of_recode(const plan_request *request, const msm_plan *plan)
{
    (void)request, (void)plan;
    return {};
}

stage_cost cuda_cost_of_sort(const plan_request *request, const msm_plan *plan)
{
    const costs c = costs_of(request->curve);
    return {.work = c.sort + plan_counts_of(plan).digits * c.entry};
}

stage_cost cuda_cost_of_ranks(const plan_request *request, const msm_plan *plan)
{
    const costs c = costs_of(request->curve);
    const plan_counts counts = plan_counts_of(plan);
    const double buckets = counts.modules * static_cast<double>(plan->buckets);
    return {.work = counts.digits * c.ranked_entry + buckets * c.ranked_bucket};
}

stage_cost cuda_cost_of_lookup(const plan_request *request, const msm_plan *plan)
{
    return {.work = plan_counts_of(plan).digits * costs_of(request->curve).lookup};
}

static stage_cost cost_of_accumulate(const plan_request *request, const msm_plan *plan,
                                     uint32_t finish_largest)
{
    const costs c = costs_of(request->curve);
    const plan_counts counts = plan_counts_of(plan);
    const bucket_load load = load_of(request->curve, plan);
    const double live = load.live * load.buckets, merging = passes_merging(plan, &counts);
    const double merged = merging * live / counts.passes; /* a merge is a round of its own */
    return {.work = (load.digits - live) * c.addition + (load.buckets - live) * c.empty + merged * c.merge,
            .waiting = counts.passes * rounds_cost(&c, load.mean_reached, live / counts.passes, load.full,
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
 * three products an entry, four a sum (accumulate_xyzz_quads_mixed.cuh), for which quads wait for each other. The factors are those with which the
 * plans of h200_small_plans.json and of an H100 differ as measured. */
static double quad_additions(double entries, uint32_t level, uint32_t sums)
{
    return 0.78 * ldexp(entries, -static_cast<int>(level)) + 1.55 * sums;
}

/* The same for so many buckets at once, of which the fullest ones hold about `full`. A warp takes what the fullest of
 * its buckets takes; when most have ended, the fullest bucket's goes on alone, unless others wait for their turn. */
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
    const costs c = costs_of(request->curve);
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

/* For each pass rounds of affine additions, of which only buckets that hold something cost one, then XYZZ. */
stage_cost cuda_cost_of_halving(const plan_request *request, const msm_plan *plan)
{
    const costs c = costs_of(request->curve);
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
    const costs c = costs_of(request->curve);
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
    const costs c = costs_of(request->curve);
    const plan_counts counts = plan_counts_of(plan);
    return {.work = counts.modules * c.running_add, .waiting = counts.passes * c.running_step};
}

double cuda_elapsed(msm_plan *plan, const stage_cost *sum)
{
    return CALL + sum->work + sum->alone +
           sum->waiting * (plan->in_flight_passes > 1 ? WAITING_OF_IN_FLIGHT_PASSES : 1);
}
