/*
 * Costs on an H200, in milliseconds, as docs/gpu-log.md has them; other GPUs differ by a factor that is about
 * the same for every plan. An addition is bound by memory as much as by products, so its cost grows more
 * slowly than they do.
 */
#include <cmath>

#include "cuda/engine.h"

struct costs {
    double addition;
    double pair;         /* recoded and sorted */
    double round;        /* of accumulate, when it has few pairs: one inversion's latency */
    double tail_round;   /* of reduce */
    double tail_bucket;  /* the same, for each of the first TAIL_BUCKETS buckets: XYZZ additions */
    double scalar;       /* copied from page-locked memory */
    double merge;        /* a bucket that is added to the sum of earlier portions, without the addition */
    double portion;      /* launches and rounds with few pairs, for each portion after the first */
    double part;         /* of combine: a doubling and an addition on the host */
    double host_threads; /* until the host's threads have begun and ended */
};

static const double TAIL_BUCKETS = 65536;

static costs costs_of(const sumac_curve *curve)
{
    const double words = (curve->info.field_bits + 63) / 64 / 6.0; /* 1 for 12 words of 32 bits */
    const double element = (curve->info.degree == 2 ? 3.0 : 1.0) * words;
    const costs c = {
        .addition = 2.85e-7 * element,
        .pair = 2.3e-8,
        .round = 0.066 * element,
        .tail_round = 0.009 * element,
        .tail_bucket = 1.2e-6 * element,
        .scalar = 5.8e-7 * curve->info.scalar_bytes / 32,
        .merge = 2.8e-7 * element,
        .portion = 0.65,
        .part = 5e-4 * element,
        .host_threads = 0.3,
    };
    return c;
}

/* How much of the chunk its first portion is: all that the device waits for. */
static double first_part(const sumac_plan *plan)
{
    double all = 0, size = 1;
    for (uint32_t p = 0; p < plan->portions; p++, size *= plan->portion_growth) {
        all += size;
    }
    return 1 / all;
}

/* What the portions of a plan cost: the wait for the first, and what the others cause. */
static double portions_cost(const costs *c, const sumac_plan *plan)
{
    const double chunk = static_cast<double>(plan->batch) * static_cast<double>(plan_chunk(plan));
    const double merges =
        static_cast<double>(plan->batch) * plan->modules * static_cast<double>(plan->buckets) * c->merge;
    return chunk * c->scalar * first_part(plan) + (plan->portions - 1) * (c->portion + merges);
}

/* While a portion is worked on, the next is copied: so much larger it may be. */
void cuda_choose_portions(const sumac_curve *curve, sumac_plan *plan, uint32_t wanted)
{
    const costs c = costs_of(curve);
    const double growth = plan->windows * (c.addition + c.pair) / c.scalar;
    plan->portion_growth = growth < 1 ? 1 : growth > 16 ? 16 : static_cast<uint32_t>(growth);
    plan->portions = wanted;
    if (wanted != 0) {
        return;
    }
    double least = 0;
    uint32_t best = 1;
    for (plan->portions = 1; plan->portions <= PORTIONS_MAX; plan->portions++) {
        const double cost = portions_cost(&c, plan);
        if (plan->portions == 1 || cost < least) {
            least = cost;
            best = plan->portions;
        }
    }
    plan->portions = best;
}

/* The host's doublings and additions; the MSMs of a batch are shared out among its threads. */
static double combine_cost(const costs *c, const sumac_plan *plan)
{
    const double threads = plan->batch < plan->threads ? plan->batch : plan->threads;
    const double msms = plan->batch / threads;
    return msms * plan->modules * plan->c * c->part + (threads > 1 ? c->host_threads : 0);
}

/* Buckets that the top window's digits reach: few when c does not divide the bits well, unless multiples of r
 * spread them over `spread` of the intervals of r/2, of which there are less than one more (math/recode.h).
 */
static double top_buckets(const sumac_plan *plan)
{
    const double buckets = static_cast<double>(plan->buckets);
    if (plan->spread > 1) {
        return buckets * plan->spread / (plan->spread + 1.0);
    }
    const int top_bits = static_cast<int>(plan->scalar_bits) - (plan->negate_large_scalars ? 1 : 0) -
                         static_cast<int>(plan->c * (plan->windows - 1));
    return fmin(buckets, ldexp(1, top_bits));
}

double cuda_predict(const sumac_curve *curve, const sumac_plan *plan)
{
    const costs c = costs_of(curve);
    const double passes = static_cast<double>(plan->passes) * plan->chunks;
    const double modules = static_cast<double>(plan->batch) * plan->modules * plan->chunks;
    const double digits = static_cast<double>(plan->batch) * static_cast<double>(plan->n) * plan->windows;
    const double buckets = modules * static_cast<double>(plan->buckets);
    const double load = digits / buckets;
    const double reached = top_buckets(plan), unreached = static_cast<double>(plan->buckets) - reached;
    /* Buckets that nothing can be in: the top window's, where it has a module of its own. */
    const double never = plan->modules < plan->windows ? 0 : modules / plan->modules * unreached;
    /* Pairs with infinity, which empty buckets make, go a slow way. */
    const double additions = digits + 2.5 * (buckets - never) + (load < 4 ? 3 * buckets / (1 + load) : 0);
    /* The fullest buckets have the top window's digits beside those of the windows that share its module. */
    const double top_digits = static_cast<double>(plan->n) / plan->chunks;
    const double full = load + top_digits / reached - top_digits / static_cast<double>(plan->buckets);
    double rounds = 0;
    for (double most = full + 4 * sqrt(full) + 2; most > 1; most /= 2) {
        rounds += 1;
    }
    const double copies = plan->bytes_staging == 0 ? 0 : portions_cost(&c, plan);
    return 0.1 + additions * c.addition + digits * c.pair + copies +
           passes * (rounds * c.round + (plan->c - 1) * c.tail_round) +
           (buckets < TAIL_BUCKETS ? buckets : TAIL_BUCKETS) * c.tail_bucket + combine_cost(&c, plan);
}
