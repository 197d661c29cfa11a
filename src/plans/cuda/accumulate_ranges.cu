/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates by ranges, like src/plans/cpu/accumulate_ranges.c. Each module's sorted entries are divided
 * into equal ranges, one for each thread. The borders of the ranges are moved to the next start of a bucket, so that no
 * two threads share a bucket. A last window of few bits has few and large buckets, which would keep only a few threads
 * busy. The entries of each of its buckets are therefore divided equally among threads, and the sums of these shares
 * are added up as a tree.
 */
#include "base/integers.h"
#include "plans/cuda/xyzz.h"

/* If the last window has at most this many bits, it is handled separately, because it has too few buckets for the
 * threads. */
enum { APART_BITS = 2, APART_BUCKETS = (1 << APART_BITS) - 1, RANGES_BLOCK = 128 };

/* These are the last windows of a pass that are handled separately, and the shares of their buckets. */
struct apart_work {
    const uint32_t *starts;
    uint64_t buckets; /* buckets of a module */
    uint64_t first;   /* the pass's first module that is such a window */
    uint64_t period;  /* modules from one such module to the next */
    uint64_t modules; /* the number of such modules */
    uint32_t lists;   /* buckets of such a module that digits can reach */
    uint64_t shares;  /* shares of a bucket */
    uint2 *ranges;    /* [(module*lists + bucket)*shares + share] */
    uint32_t *keys;
    uint32_t *firsts;
};

static __global__ void __launch_bounds__(RANGES_BLOCK) shares_kernel(const __grid_constant__ apart_work apart)
{
    const uint64_t t = blockIdx.x * (uint64_t)RANGES_BLOCK + threadIdx.x;
    const uint64_t row = t / apart.shares, share = t - row * apart.shares;
    const uint64_t number = row / apart.lists, bucket = row - number * apart.lists;
    if (number >= apart.modules) {
        return;
    }
    const uint64_t b = (apart.first + number * apart.period) * apart.buckets + bucket;
    const uint64_t start = apart.starts[b], count = apart.starts[b + 1] - start;
    apart.ranges[t] = make_uint2((uint32_t)(start + count * share / apart.shares),
                                 (uint32_t)(start + count * (share + 1) / apart.shares));
    apart.keys[t] = 2 * (uint32_t)b + 1;
    apart.firsts[t] = (uint32_t)(row * apart.shares);
}

/* If the last window is handled separately, return the number of its buckets, 2^rest - 1; otherwise return 0. It is
 * handled separately if it has few bits and does not share its buckets with other windows. */
static uint32_t apart_buckets(const msm_plan *plan)
{
    const uint32_t rest = plan->scalar_bits - (plan->windows - 1) * plan->c;
    const int alone = plan->kinds[STAGE_RECODE]->unsigned_digits && plan->modules == plan->windows;
    return alone && plan->windows > 1 && rest <= APART_BITS && rest < plan->c ? (1u << rest) - 1 : 0;
}

/* Return the number of threads that share a bucket of a last window, of which a pass has few. */
static uint64_t apart_shares(const msm_plan *plan)
{
    return larger(1, smaller(plan_copy_slice(plan) / XYZZ_LEAST_ENTRIES, XYZZ_THREADS / APART_BUCKETS));
}

struct apart_arrays {
    char *shares; /* XYZZ points */
    uint2 *ranges;
    uint32_t *keys, *firsts;
};

/* Any pass may have last windows; a pass of m modules has at most ceil(m / plan.modules). */
static apart_arrays lay_out(const group_code *code, const msm_plan *plan, scratch_block *scratch)
{
    apart_arrays arrays = {};
    const uint64_t windows = (plan->modules_per_pass + plan->modules - 1) / plan->modules;
    const uint64_t lists = apart_buckets(plan) == 0 ? 0 : windows * APART_BUCKETS * apart_shares(plan);
    arrays.shares = scratch->take<char>(lists * code->xyzz_bytes);
    arrays.ranges = scratch->take<uint2>(lists);
    arrays.keys = scratch->take<uint32_t>(lists);
    arrays.firsts = scratch->take<uint32_t>(lists);
    return arrays;
}

/* Return the first of the pass's modules that is a last window; it may be behind the pass's end. */
static uint64_t first_apart(const msm_plan *plan, const msm_pass *pass)
{
    return plan->modules - 1 - pass->first_module % plan->modules;
}

/* Add up the shares of the last windows by trees, and add the results to the buckets, which are infinity or the earlier
 * sums. */
static sumac_status add_apart(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                              const bucket_sums *sums, void *memory)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const cuda_group *group = cuda_group_of(job->group);
    const msm_plan *plan = job->plan;
    scratch_block scratch = {static_cast<char *>(memory), 0};
    const apart_arrays arrays = lay_out(job->code, plan, &scratch);
    const uint64_t first = first_apart(plan, pass);
    const apart_work apart = {
        .starts = lists->starts,
        .buckets = plan->buckets,
        .first = first,
        .period = plan->modules,
        .modules = (pass->modules - first - 1) / plan->modules + 1,
        .lists = apart_buckets(plan),
        .shares = apart_shares(plan),
        .ranges = arrays.ranges,
        .keys = arrays.keys,
        .firsts = arrays.firsts,
    };
    const uint64_t all = apart.modules * apart.lists * apart.shares;
    TRY(cuda_launch(engine, stream, shares_kernel, blocks_for(all, RANGES_BLOCK), RANGES_BLOCK, apart));
    const entry_sums shares = {pass->inputs.bases, lists->entries, apart.ranges, NULL, all,
                               arrays.shares,      false};
    TRY(xyzz_of(group)->sum_entries(engine, stream, &shares));
    const point_runs runs = {arrays.shares, apart.keys, apart.firsts, all, sums->points};
    return xyzz_of(group)->join_runs(engine, stream, &runs);
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                        bucket_sums *sums, void *scratch)
{
    const msm_plan *plan = job->plan;
    const bool has_apart = apart_buckets(plan) > 0 && first_apart(plan, pass) < pass->modules;
    bucket_walk walk = {};
    walk.table = pass->inputs.bases;
    walk.entries = lists->entries;
    walk.starts = lists->starts;
    walk.modules = pass->modules;
    walk.buckets = plan->buckets;
    walk.threads = xyzz_module_threads(plan);
    walk.skip_period = has_apart ? plan->modules : 0;
    walk.skipped = has_apart ? static_cast<uint32_t>(first_apart(plan, pass)) : 0;
    walk.sums = sums->points;
    walk.adds = pass->first != pass->chunk_first;
    TRY(xyzz_of(cuda_group_of(job->group))->walk_buckets(engine_of(job), stream_of(pass), &walk));
    if (has_apart) {
        TRY(add_apart(job, pass, lists, sums, scratch));
    }
    return SUMAC_OK;
}

static stage_cost cost(const plan_request *request, const msm_plan *plan)
{
    return xyzz_cost_of_ranges(request, plan, apart_buckets(plan) != 0);
}

extern const stage_kind cuda_accumulate_ranges = {
    .stage = STAGE_ACCUMULATE,
    .name = "ranges",
    .about =
        "cuts a module's entries into equal ranges with borders where buckets begin, and adds each bucket up "
        "in XYZZ, point after point; a last window of one or two bits is shared out equally and added up as "
        "a tree",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .by_name = 1,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cost,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run>},
};
