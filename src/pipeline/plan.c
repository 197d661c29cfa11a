/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The planner. For each window c that is allowed it lays the call out, predicts its time from the measured
 * costs of the curve's code (stage_costs), and keeps the cheapest layout that fits the memory.
 */
#include "pipeline/plan.h"

#include <math.h>
#include <string.h>

#include "math/scalar.h"
#include "pipeline/integers.h"
#include "pipeline/portions.h"
#include "pipeline/workspace.h"

/* Bases that a thread adds up at a time: what is left of them after the first additions, half as many points,
 * and their products stay in a second-level cache of 1 to 2 MiB. Swept with `sumac bench` on BLS12-381 at
 * 2^16: in scalar code 2^11 .. 2^14 points of 96 bytes differ by 2%; in lanes 2^14 is faster than 2^13
 * (docs/avx512.md). */
#define TASK_BYTES ((uint64_t)1536 * 1024)
#define TASK_MIN_ENTRIES ((uint64_t)256)

/* Without a limit, the workspace may take this part of the inputs, but always the floor: passes over the
 * windows cost little, so there is no need for all windows' pairs to be in memory at once. Where that is too
 * little, as with many threads, it may take more, and then tasks become smaller, and threads fewer; one MSM
 * of many bases on many threads is so much faster in one pass that it may take a multiple of its own inputs.
 *
 * Small MSMs share passes whatever the memory, and those of half as much are 3 to 7% faster: BLS12-381, 8 to
 * 1024 bases, batches of 128 to 4096, `sumac bench` with --memory-limit 10M against 24M. */
#define WORKSPACE_INPUT_PART 5
#define WORKSPACE_FLOOR ((uint64_t)24 << 20)
#define WORKSPACE_SMALL_FLOOR ((uint64_t)12 << 20)
#define WORKSPACE_SMALL_BASES 4096
#define WORKSPACE_MORE_PART 3
#define WORKSPACE_MORE_FLOOR ((uint64_t)64 << 20)
#define WORKSPACE_MSM_MULTIPLE 16

/* On a device a pass also waits for inversions and launches, 0.3 ms: half a gigabyte is work for 2 ms. An MSM
 * of more bases has wider windows, which cost more each time that they are reduced. */
#define DEVICE_WORKSPACE_INPUT_PART 3
#define DEVICE_WORKSPACE_FLOOR ((uint64_t)512 << 20)
#define DEVICE_WORKSPACE_BASES 4096

/* Waking and awaiting threads: about 14 parallel regions a pass. On an idle machine a region costs two
 * threads 1 us while the pool's threads still look for work and 5 to 8 us when they sleep; waking 15 takes 12
 * us (docs/pipeline.md says how that was measured). Where other programs want the processors, a thread that
 * has taken a task may be a time slice late; one that has not is not waited for. */
#define PARALLEL_REGIONS 14.0
#define PARALLEL_REGION_NS 10e3

/* What a bucket costs beside its list, full or empty, and a module: clearing and counting, four tasks of
 * sort. Alike on all curves: half of it is memory that is passed over. */
#define BUCKET_NS 8.0
#define MODULE_NS 80.0

/* MSMs that combine does in lanes. */
#define COMBINE_LANES 16

/* Pairs and buckets of a pass are numbered in 32 bits; an index into the bases has 31, as a pair holds a
 * sign, too. */
#define MAX_PASS_PAIRS ((uint64_t)UINT32_MAX)
#define MAX_PASS_BUCKETS ((uint64_t)1 << 31)
#define MAX_TABLE_POINTS ((uint64_t)1 << 31)

/* 1 when k > r/2 may be replaced by -(r - k): every point must have order r, and scalars must be full. */
static int may_negate(const plan_request *request)
{
    return !request->outside_subgroup &&
           (request->scalar_bits == 0 || request->scalar_bits >= request->curve->scalars.bits);
}

/* Bits of a scalar as the recoding sees it, after reduction modulo r. */
static uint32_t effective_bits(const plan_request *request)
{
    const uint32_t bits = request->curve->scalars.bits;
    return request->scalar_bits == 0 || request->scalar_bits > bits ? bits : request->scalar_bits;
}

/* Signed digits need one bit more than the integer (recode.h): windows*c >= bits + 1; r - k <= r/2 saves one.
 */
uint32_t plan_windows(const plan_request *request, uint32_t c)
{
    const uint32_t bits = effective_bits(request) + (may_negate(request) ? 0 : 1);
    return (bits + c - 1) / c;
}

/* Bits of the largest half of a scalar. */
static uint32_t half_bits(const scalar_split *split)
{
    return scalar_bits(split->bound, split->limbs);
}

/* floor(2^exponent/m) for an m of so many bits, by long division; 2^exponent >= m > 1. */
static uint32_t divide_power(const uint64_t *m, uint32_t limbs, uint32_t bits, uint32_t exponent)
{
    uint64_t rest[SCALAR_MAX_LIMBS] = {0}; /* 2^(bit - 1) modulo m */
    uint32_t quotient = 0;
    rest[(bits - 1) / 64] = (uint64_t)1 << (bits - 1) % 64;
    for (uint32_t bit = bits; bit <= exponent; bit++) {
        uint64_t carry = 0;
        for (uint32_t limb = 0; limb < limbs; limb++) {
            rest[limb] = limb_add_carry(rest[limb], rest[limb], &carry);
        }
        const int divides = carry != 0 || !scalar_is_less(rest, m, limbs);
        quotient = 2 * quotient + (divides ? 1 : 0);
        if (divides) {
            scalar_subtract(rest, rest, m, limbs);
        }
    }
    return quotient;
}

uint32_t plan_intervals(const scalar_field *field, uint32_t windows, uint32_t c)
{
    return divide_power(field->modulus, field->limbs, field->bits, windows * c);
}

/* The largest 2M + 1 such that halves so many times as long are less than 2^(windows*c - 1). The bound is no
 * power of two (tools/gen_curves.py), and so never divides it. */
static uint32_t half_intervals(const scalar_split *split, uint32_t windows, uint32_t c)
{
    const uint32_t most = divide_power(split->bound, split->limbs, half_bits(split), windows * c - 1);
    return most - (most % 2 == 0);
}

/* The most that a bucket of a module is likely to hold: mean + 4 deviations. */
static double rounds_of(double pairs, double buckets)
{
    const double mean = pairs / buckets;
    return ceil(log2(mean + 4 * sqrt(mean) + 2));
}

/* Lists that are added up in tasks: how many points, in how many lists that are not empty, and the rounds
 * that the longest of them take. */
typedef struct list_counts {
    double points;
    double lists;
    double rounds;
} list_counts;

/* Lists of `count` points each of which `finite` of all points are there. */
static list_counts lists_of(double lists, double count, double finite)
{
    const list_counts result = {lists * count * finite, lists * -expm1(-count * finite),
                                ceil(log2(count + 1))};
    return result;
}

static double additions_of(const list_counts *counts)
{
    return counts->points - counts->lists;
}

/* The nanoseconds that lists take which come in so many passes. */
static double lists_cost(const stage_costs *costs, const msm_plan *plan, const list_counts *counts,
                         double passes)
{
    const double tasks = passes * ceil(counts->points / passes / (double)plan->task_entries);
    return additions_of(counts) * costs->affine_addition + counts->lists * costs->list +
           tasks * counts->rounds * costs->inversion;
}

/* reduce: the parts of so many modules of which `finite` of the buckets are not empty; adds its additions up.
 */
static double reduce_cost(const stage_costs *costs, msm_plan *plan, double modules, double finite,
                          double passes)
{
    const double buckets = (double)plan->buckets;
    const double bits = plan->buckets > 1 ? plan->c - 1.0 : 0;
    if (plan->reduction == SUMAC_REDUCTION_RUNNING_SUM) {
        plan->reduce_additions = 2 * modules * buckets;
        return plan->reduce_additions * costs->xyzz_addition;
    }
    if (bits <= PLAN_DIRECT_BITS) {
        const list_counts parts =
            lists_of(modules * (bits + 1), (bits * buckets / 2 + 1) / (bits + 1), finite);
        plan->reduce_additions = additions_of(&parts);
        return lists_cost(costs, plan, &parts, passes);
    }
    const double lines = sqrt(buckets); /* as many columns as rows */
    const list_counts halves = lists_of(modules * 2 * lines, lines, finite);
    const list_counts parts = lists_of(modules * bits, lines / 2, -expm1(-lines * finite));
    plan->reduce_additions = additions_of(&halves) + additions_of(&parts);
    return lists_cost(costs, plan, &halves, passes) + lists_cost(costs, plan, &parts, passes);
}

/* combine, of all MSMs on one thread: by Horner's rule, one by one or in lanes of which some may be idle. */
static double combine_cost(const stage_costs *costs, const msm_plan *plan)
{
    const double positions = (double)plan->modules * plan->c;
    const double additions = (double)plan->modules * plan->module_parts;
    const uint64_t share = ceil_divide(plan->lot, plan->threads);
    const double lanes = (double)smaller(share, COMBINE_LANES);
    const double one = plan->module_parts == 1
                           ? positions * costs->doubling + additions * costs->xyzz_addition
                           : positions * costs->combine;
    const double together = positions * costs->combine_lanes * COMBINE_LANES / lanes;
    const int affine_parts = plan->reduction != SUMAC_REDUCTION_RUNNING_SUM && plan->chunks == 1;
    return plan->batch * (affine_parts && costs->combine_lanes > 0 ? fmin(one, together) : one);
}

/* Fill the expected operation counts and the predicted time. */
static void predict(const plan_request *request, msm_plan *plan)
{
    const stage_costs *costs = request->code->costs;
    const double msms = plan->batch;
    const double modules = msms * plan->modules * plan->chunks;
    const double buckets = (double)plan->buckets;
    const double digits = msms * (double)plan->n * plan->windows;
    const double pairs = digits * (1.0 - ldexp(1, -(int)plan->c));
    const double module_pairs = modules > 0 ? pairs / modules : 0;
    const double finite = -expm1(-module_pairs / buckets);
    const double passes = ceil(msms / plan->lot) * plan->passes * plan->chunks;
    const list_counts lists = {pairs, modules * buckets * finite,
                               rounds_of(fmin(module_pairs, buckets * (double)plan->task_entries), buckets)};
    plan->accumulate_additions = additions_of(&lists);
    const double reduce = reduce_cost(costs, plan, modules, finite, passes);
    plan->combine_additions = msms * (plan->modules - 1.0) * (plan->c + 1.0);
    if (request->backend->device != NULL) {
        const int halves = plan->reduction == SUMAC_REDUCTION_HALVING && plan->buckets > 1;
        plan->reduce_additions = modules * 2 * (buckets + (halves ? 4 * sqrt(buckets) : 0));
        plan->milliseconds = request->backend->device->predict(request->curve, plan);
        return;
    }
    plan->combine_additions = msms * plan->modules * ((double)plan->c + plan->module_parts);

    const double combine = combine_cost(costs, plan);
    const double parallel = digits * costs->recode + pairs * costs->sort + modules * MODULE_NS +
                            modules * buckets * BUCKET_NS + lists_cost(costs, plan, &lists, passes) + reduce +
                            (plan->batch > 1 ? combine : 0);
    const double serial = (plan->batch > 1 ? 0 : combine) + 2 * ceil(msms / COMBINE_LANES) * costs->inversion;
    const double regions = passes * PARALLEL_REGIONS * PARALLEL_REGION_NS;
    if (plan->threads > 1 && parallel <= parallel / plan->threads + regions) {
        plan->threads = 1;
    }
    plan->milliseconds =
        1e-6 * (plan->threads == 1 ? parallel + serial : parallel / plan->threads + regions + serial);
}

/* The time of a plan that is complete, its scalars spread where a device predicts that to be faster. */
static void choose_spread(const plan_request *request, msm_plan *plan)
{
    plan->spread = 1;
    predict(request, plan);
    if (request->backend->device != NULL && (plan->negate_large_scalars || plan->images > 1)) {
        const scalar_field *field = &request->curve->scalars;
        msm_plan other = *plan;
        other.spread = plan->images > 1 ? half_intervals(field->split, plan->modules, plan->c)
                                        : plan_intervals(field, plan->windows, plan->c);
        predict(request, &other);
        if (other.milliseconds < plan->milliseconds) {
            *plan = other;
        }
    }
    plan->recode = plan->images > 1             ? plan->spread > 1 ? "signed-halves-spread" : "signed-halves"
                   : plan->spread > 1           ? "signed-spread"
                   : plan->negate_large_scalars ? "signed-negated"
                                                : "signed";
}

static void measure(const plan_request *request, msm_plan *plan)
{
    workspace_measure(plan, request->code,
                      request->backend->scratch_bytes(request->curve, request->code, plan));
}

/* The modules that a pass can have at most, whatever the memory; 0 when a module has too many pairs. */
static uint64_t most_modules(const msm_plan *plan)
{
    const uint64_t module_pairs = larger(1, plan_multiples(plan) * plan_portion(plan));
    const uint64_t most = smaller(MAX_PASS_PAIRS / module_pairs, UINT32_MAX);
    return most == 0 ? 0 : larger(1, smaller(most, MAX_PASS_BUCKETS / plan->buckets));
}

/* Cut the modules of a lot into passes so that the workspace of so many tracks is at most `budget`; 0 when
 * not even one module a pass fits. */
static int fit_passes(const plan_request *request, msm_plan *plan, uint32_t tracks, uint64_t budget)
{
    const uint64_t modules = (uint64_t)plan->lot * plan->modules;
    uint64_t low = 1, high = smaller(modules, most_modules(plan));
    plan->tracks = tracks;
    if (high == 0) {
        plan->bytes_workspace = UINT64_MAX;
        return 0;
    }
    while (low < high) { /* the largest count that fits lies in [low, high], or none fits */
        const uint64_t middle = low + (high - low + 1) / 2;
        plan->modules_per_pass = (uint32_t)middle;
        measure(request, plan);
        if (plan->bytes_workspace <= budget) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    plan->passes = (uint32_t)ceil_divide(modules, low);
    plan->modules_per_pass = (uint32_t)ceil_divide(modules, plan->passes);
    measure(request, plan);
    return plan->bytes_workspace <= budget;
}

/* The same with the best number of tracks: where a device needs several passes, two smaller ones at a time. A
 * chunk's later portions, and later chunks, add to what the passes before have left: there it is one. */
static int fit_tracks(const plan_request *request, msm_plan *plan, uint64_t budget)
{
    const int fits = fit_passes(request, plan, 1, budget);
    if (!fits || plan->passes == 1 || plan->chunks > 1 || plan->portions > 1 || request->bases_visit) {
        return fits;
    }
    const msm_plan one = *plan;
    if (!fit_passes(request, plan, PLAN_MAX_TRACKS, budget)) {
        *plan = one;
    }
    return 1;
}

/* On the host a lot is the most MSMs that are in the workspace together, all their modules in one pass; where
 * that is not even one, one MSM in passes. A device's lot is chosen already. */
static int fit_lot(const plan_request *request, msm_plan *plan, uint64_t budget)
{
    uint64_t low = 1, high = smaller(plan->batch, most_modules(plan) / plan->modules);
    if (request->backend->device != NULL) {
        return fit_tracks(request, plan, budget);
    }
    plan->passes = plan->tracks = 1;
    while (low < high) { /* as in fit_passes */
        plan->lot = (uint32_t)(low + (high - low + 1) / 2);
        plan->modules_per_pass = plan->lot * plan->modules;
        measure(request, plan);
        if (plan->bytes_workspace <= budget) {
            low = plan->lot;
        } else {
            high = plan->lot - 1;
        }
    }
    plan->lot = (uint32_t)ceil_divide(plan->batch, ceil_divide(plan->batch, low));
    return fit_passes(request, plan, 1, budget);
}

/* The longest list of the reduction, which fits a task. */
static uint64_t task_column(const msm_plan *plan)
{
    return (uint64_t)1 << (plan->c / 2);
}

/* Smaller tasks where the work would not fill the threads. */
static uint64_t task_entries_of(const msm_plan *plan, const curve_code *code)
{
    const uint64_t pairs = plan->n * plan->windows * plan->batch;
    uint64_t entries = TASK_MIN_ENTRIES;
    while (2 * entries * code->affine_bytes <= TASK_BYTES &&
           (plan->threads == 1 || entries * plan->threads * 8 < pairs)) {
        entries *= 2;
    }
    return larger(entries, task_column(plan));
}

/* How much memory a plan may take. */
typedef enum plan_room {
    ROOM_WISH, /* without a limit */
    ROOM_MORE, /* the same, where the wish is too little */
    ROOM_GIVEN /* a number of bytes */
} plan_room;

typedef struct plan_budget {
    plan_room room;
    uint64_t bytes; /* where they are given */
} plan_budget;

static uint64_t budget_bytes(const plan_request *request, const msm_plan *plan, const plan_budget *budget)
{
    const uint64_t inputs = plan->bytes_bases + plan->bytes_scalars;
    if (budget->room == ROOM_GIVEN) {
        return budget->bytes;
    }
    if (request->backend->device != NULL) {
        const uint64_t wish =
            larger(DEVICE_WORKSPACE_FLOOR * ceil_divide(larger(1, plan->n), DEVICE_WORKSPACE_BASES),
                   inputs / DEVICE_WORKSPACE_INPUT_PART);
        return request->memory_limit == 0 ? wish : smaller(wish, request->memory_limit);
    }
    if (budget->room == ROOM_WISH) {
        const int small = plan->batch > 1 && plan->n <= WORKSPACE_SMALL_BASES;
        return larger(small ? WORKSPACE_SMALL_FLOOR : WORKSPACE_FLOOR, inputs / WORKSPACE_INPUT_PART);
    }
    const uint64_t msm_inputs = plan->n * (request->code->affine_bytes + request->curve->info.scalar_bytes);
    return larger(WORKSPACE_MORE_FLOOR,
                  larger(inputs / WORKSPACE_MORE_PART, msm_inputs * WORKSPACE_MSM_MULTIPLE));
}

/* What is kept for the bases and how their windows share modules; 1 when that is within the request's limits.
 * Of multiples that are still to be made, those that some window uses. */
static int lay_out_tables(const plan_request *request, msm_plan *plan)
{
    const uint32_t made_for = request->windows == 0 ? plan->windows : request->windows;
    const uint32_t factor = request->all_digits ? made_for : request->precompute_factor;
    uint64_t points;
    plan->modules = (uint32_t)smaller(ceil_divide(made_for, factor * plan->images), plan->windows);
    plan->precompute_factor =
        request->windows == 0 ? (uint32_t)ceil_divide(made_for, plan->modules * plan->images) : factor;
    plan->table_digits = request->all_digits ? (uint64_t)1 << (plan->c - 1) : 1;
    plan->buckets = request->all_digits ? 1 : (uint64_t)1 << (plan->c - 1);
    const uint64_t kept = plan->precompute_factor * plan->table_digits * larger(1, request->images);
    if (__builtin_mul_overflow(request->bases_count, kept, &points) || points > MAX_TABLE_POINTS) {
        return 0;
    }
    plan->bytes_bases = points * request->code->affine_bytes;
    return request->table_limit == 0 || plan->bytes_bases <= request->table_limit;
}

/* A window to consider, and how to reduce. */
typedef struct window_choice {
    uint32_t c;
    sumac_reduction reduction;
    uint32_t images; /* 2: halves of scalars; else 1 */
} window_choice;

/* A running sum is two lanes' work on a device, so that only many small modules are worth it. */
#define RUNNING_SUM_MAX_C 6u

/* Bytes of a device's workspace that each MSM of a lot takes, however few modules a pass has. */
static uint64_t bytes_of_msm(const plan_request *request, const msm_plan *plan, uint64_t visits)
{
    const uint64_t sums = (uint64_t)plan->modules * plan->module_parts * request->code->xyzz_bytes;
    const int copies = request->scalars_place == SUMAC_PLACE_HOST;
    const uint64_t scalar_bytes = copies ? request->curve->info.scalar_bytes : 0;
    const uint64_t base_bytes = request->separate_bases ? visits * request->code->affine_bytes : 0;
    return sums + plan_chunk(plan) * (scalar_bytes + base_bytes);
}

/* As many MSMs as leave three quarters of the budget to the passes; lots of about the same size. */
static uint32_t lot_within(const msm_plan *plan, uint64_t msm_bytes, uint64_t budget)
{
    const uint64_t most = larger(1, smaller(plan->batch, budget / 4 / msm_bytes));
    const uint64_t lots = ceil_divide(plan->batch, most);
    return (uint32_t)ceil_divide(plan->batch, lots);
}

/* Chunks, lots and passes within so many bytes of workspace; 1 when it fits. Only a limit makes the
 * input be cut into chunks. */
static int fit_chunks(const plan_request *request, msm_plan *plan, uint64_t budget)
{
    const device_ops *device = request->backend->device;
    uint64_t chunks = request->chunks == 0 ? 1 : smaller(request->chunks, larger(1, plan->n));
    for (;;) {
        plan->chunks = (uint32_t)larger(1, ceil_divide(plan->n, larger(1, ceil_divide(plan->n, chunks))));
        /* One chunk's bases come while another one's are worked on. */
        const uint64_t visits = request->bases_visit ? smaller(plan->chunks, 2) : 0;
        plan->lot = device == NULL ? plan->batch /* fit_lot chooses it */
                                   : lot_within(plan, bytes_of_msm(request, plan, visits), budget);
        plan->bytes_visiting = visits * plan_chunk(plan) * (request->separate_bases ? plan->lot : 1) *
                               request->code->affine_bytes;
        if (device != NULL && request->scalars_place == SUMAC_PLACE_HOST) {
            plan->bytes_staging = plan_chunk(plan) * plan->lot * request->curve->info.scalar_bytes;
            device->choose_portions(request->curve, plan, request->portions);
        }
        if (plan->bytes_staging + plan->bytes_visiting > 0) {
            plan->bytes_pinned = device->pinned_bytes(plan);
        }
        if (fit_lot(request, plan, budget)) {
            return 1;
        }
        if (request->memory_limit == 0 || request->chunks != 0 || chunks >= plan->n ||
            chunks > UINT32_MAX / 2) {
            return 0;
        }
        chunks *= 2;
    }
}

/* The plan for one window within a budget; 1 when it fits, else plan.bytes_workspace is the least that was
 * seen.
 */
static int plan_for_window(const plan_request *request, const window_choice *choice,
                           const plan_budget *budget, msm_plan *plan)
{
    plan->c = choice->c;
    plan->reduction = choice->reduction;
    plan->reduce = request->all_digits                                ? "none"
                   : choice->reduction == SUMAC_REDUCTION_RUNNING_SUM ? "running-sum"
                                                                      : "halving";
    plan->images = choice->images;
    plan->negate_large_scalars = plan->images == 1 && may_negate(request);
    plan->windows = plan->images == 1 ? plan_windows(request, choice->c)
                                      : 2 * (half_bits(request->curve->scalars.split) / choice->c + 1);
    plan->bytes_workspace = UINT64_MAX;
    if (!lay_out_tables(request, plan)) {
        return 0;
    }
    const uint64_t bytes = budget_bytes(request, plan, budget);
    plan->threads = request->threads;
    plan->task_entries = task_entries_of(plan, request->code);
    if (request->backend->device != NULL) {
        plan->module_parts = request->backend->device->module_parts(plan);
        if (!fit_chunks(request, plan, bytes)) {
            return 0;
        }
        plan->sort = request->backend->device->sort_kind(plan);
        return 1;
    }
    plan->module_parts = plan_module_parts(plan);
    const uint64_t least_entries = larger(TASK_MIN_ENTRIES, task_column(plan));
    while (!fit_chunks(request, plan, bytes)) {
        if (budget->room == ROOM_WISH || (plan->task_entries / 2 < least_entries && plan->threads == 1)) {
            return 0;
        }
        if (plan->task_entries / 2 >= least_entries) {
            plan->task_entries /= 2;
        } else {
            plan->threads = (plan->threads + 1) / 2;
        }
    }
    return 1;
}

/* Whether scalars may be taken in halves: full ones, of points of order r whose images are there. */
static int may_take_halves(const plan_request *request)
{
    return request->images > 1 && request->curve->scalars.split != NULL && request->precompute_factor == 1 &&
           !request->all_digits && may_negate(request);
}

/* The windows that the request leaves open. */
static uint32_t list_choices(const plan_request *request, window_choice *choices)
{
    const uint32_t first = request->c == 0 ? 1 : request->c;
    const uint32_t last = request->c == 0 ? PLAN_MAX_C : request->c;
    const uint32_t most_images = may_take_halves(request) ? 2 : 1;
    uint32_t count = 0;
    for (uint32_t c = first; c <= last; c++) {
        for (uint32_t images = 1; images <= most_images; images++) {
            if (request->reduction != SUMAC_REDUCTION_RUNNING_SUM) {
                choices[count++] = (window_choice){c, SUMAC_REDUCTION_HALVING, images};
            }
            if (request->reduction == SUMAC_REDUCTION_RUNNING_SUM ||
                (request->reduction == SUMAC_REDUCTION_AUTO && request->backend->device != NULL &&
                 c <= RUNNING_SUM_MAX_C)) {
                choices[count++] = (window_choice){c, SUMAC_REDUCTION_RUNNING_SUM, images};
            }
        }
    }
    return count;
}

/* The cheapest plan within a budget, as for plan_for_window; 1 when there is one, else *smallest is the least
 * workspace that was seen. */
static int plan_within(const plan_request *request, plan_room room, uint64_t bytes, msm_plan *plan,
                       uint64_t *smallest)
{
    window_choice choices[4 * PLAN_MAX_C];
    const uint32_t count = list_choices(request, choices);
    const plan_budget budget = {room, bytes};
    msm_plan candidate = *plan;
    int found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!plan_for_window(request, &choices[i], &budget, &candidate)) {
            *smallest = smaller(*smallest, candidate.bytes_workspace);
            continue;
        }
        choose_spread(request, &candidate);
        if (!found || candidate.milliseconds < plan->milliseconds) {
            *plan = candidate;
            found = 1;
        }
    }
    return found;
}

static int is_named(const plan_request *request, const char *name)
{
    return request->plan_name != NULL && strcmp(request->plan_name, name) == 0;
}

static void plan_begin(const plan_request *request, msm_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->name = is_named(request, PLAN_RADIX) ? PLAN_RADIX : PLAN_DEFAULT;
    plan->sort = request->all_digits ? "lookup" : "counting";
    plan->accumulate = request->backend->device != NULL ? "batched-affine-rounds" : "batched-affine";
    plan->n = request->n;
    plan->batch = request->batch;
    plan->portions = 1;
    plan->portion_growth = 1;
    plan->scalar_bits = effective_bits(request);
    plan->bytes_scalars = request->n * request->batch * request->curve->info.scalar_bytes;
}

sumac_status plan_make(const plan_request *request, msm_plan *plan, uint64_t *missing)
{
    uint64_t smallest = UINT64_MAX;
    *missing = 0;
    if (request->plan_name != NULL && !is_named(request, PLAN_DEFAULT) &&
        !(request->backend->device != NULL && is_named(request, PLAN_RADIX))) {
        return SUMAC_UNKNOWN_PLAN;
    }
    if (request->bases_count > MAX_TABLE_POINTS || request->n > PLAN_MAX_SCALARS / request->batch) {
        return SUMAC_NOT_SUPPORTED;
    }
    plan_begin(request, plan);
    if (request->memory_limit != 0) {
        /* All of a device's memory is a limit, too, but a call should not take it because it is there. */
        if ((request->backend->device != NULL && !request->limit_is_given &&
             plan_within(request, ROOM_WISH, 0, plan, &smallest)) ||
            plan_within(request, ROOM_GIVEN, request->memory_limit, plan, &smallest)) {
            return SUMAC_OK;
        }
        *missing = smallest - request->memory_limit;
        return SUMAC_MEMORY_LIMIT;
    }
    /* Where a window is asked for whose buckets alone are more than that, as little as there can be. */
    if (plan_within(request, ROOM_WISH, 0, plan, &smallest) ||
        plan_within(request, ROOM_MORE, 0, plan, &smallest) ||
        (smallest != UINT64_MAX && plan_within(request, ROOM_GIVEN, smallest, plan, &smallest))) {
        return SUMAC_OK;
    }
    return SUMAC_NOT_SUPPORTED;
}
