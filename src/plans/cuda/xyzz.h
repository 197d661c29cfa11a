/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sums in XYZZ coordinates by one thread each: what the kinds of the named plans (docs/plans.md) are made of.
 * A curve's functions for them are one table, from xyzz_sums.cu; the kinds know no curve.
 *
 * All sums are right for any points: equal and opposite ones, and infinity.
 */
#ifndef SUMAC_PLANS_CUDA_XYZZ_H
#define SUMAC_PLANS_CUDA_XYZZ_H

#include "cuda/device/kernels.cuh"
#include "cuda/msm/stage.h"
#include "pipeline/plan_sizes.h"

/* Threads that share the additions of a pass: about as many as an H200 holds of such kernels. */
static const uint64_t XYZZ_THREADS = 65536;

/* A thread for each list: the entries [ranges[t].x, ranges[t].y) of the table are added up, and the sum goes
 * to sums[targets[t]], or is added to it. */
struct entry_sums {
    const void *table; /* affine */
    const uint32_t *entries;
    const uint2 *ranges;
    const uint32_t *targets; /* null: t */
    uint64_t lists;
    void *sums;
    bool adds;
};

/*
 * Lists that belong to buckets, cut where the borders of threads are. The entries of each of `modules`
 * modules are shared out equally among `threads` threads. A thread adds up the buckets that begin in its
 * share. Where heads is null, it does so to their ends, wherever those lie. Else it stops where its share
 * does, and what its share begins with of a bucket of an earlier thread becomes heads[t], with keys[t] =
 * 2*bucket + 1; keys without a head are even. Keys never fall. Empty buckets, and those of modules that are
 * skipped, become infinity, or keep what they have where the sums are added.
 */
struct bucket_walk {
    const void *table;
    const uint32_t *entries;
    const uint32_t *starts; /* of the modules' buckets, and where the last one ends */
    uint64_t modules;
    uint64_t buckets; /* of a module */
    uint64_t threads; /* of a module */
    uint32_t
        skip_period;  /* the first module skipped, and every skip_period-th one after it, is left alone; */
    uint32_t skipped; /* 0: none is */
    void *sums;       /* for each bucket */
    void *heads;
    uint32_t *keys;
    bool adds;
};

/* Neighbouring points with the same odd key are a run: they are added up, as a tree, in place, and their sum
 * is added to sums[key / 2]. firsts[i] is the first point of the run that point i is in. */
struct point_runs {
    void *points;
    const uint32_t *keys;
    const uint32_t *firsts;
    uint64_t count;
    void *sums;
};

/*
 * Strided sums: of g < groups, l < width and q < parts
 *   out[(g*width + l)*parts + q] = the sum over i of point l*step + (i*parts + q)*stride of group g, as long
 * as i*parts + q < count and the position is below `limit`. Position p of group g is points[g*group_points +
 * p - shift]; with shift = 1 position 0 is infinity.
 */
struct strided_sums {
    const void *points;
    void *out;
    uint64_t groups;
    uint64_t group_points;
    uint64_t width;
    uint64_t step;
    uint64_t stride;
    uint64_t count;
    uint64_t parts;
    uint64_t limit;
    uint32_t shift;
    bool adds;
};

/* out[g*count + l] = points[g*group_points + positions[l]], or is added to. */
enum { PICKED_MOST = 32 };
struct picked_points {
    const void *points;
    void *out;
    uint64_t groups;
    uint64_t group_points;
    uint32_t count;
    uint32_t positions[PICKED_MOST];
    bool adds;
};

/* Each of `groups` groups of 2^bits buckets is cut into 2^chunk_bits chunks, a thread each: sums[chunk] = the sum over the
 * chunk's buckets b of (b + 1) times bucket b. */
struct chunk_sums {
    const void *buckets; /* XYZZ */
    void *sums;
    uint64_t groups;
    uint32_t bits;
    uint32_t chunk_bits;
};

/*
 * Each module's entries, sorted by buckets, are shared out equally among `ranges` threads: sums[t] = the sum
 * over the range of (bucket + 1) times the entry's point, or is added to.
 */
struct range_differences {
    const void *table;
    const uint32_t *entries;
    const uint32_t *starts;
    uint64_t modules;
    uint64_t buckets;
    uint64_t ranges;
    void *sums;
    bool adds;
};

struct xyzz_ops {
    sumac_status (*sum_entries)(cuda_engine *engine, cudaStream_t stream, const entry_sums *lists);
    sumac_status (*walk_buckets)(cuda_engine *engine, cudaStream_t stream, const bucket_walk *walk);
    sumac_status (*join_runs)(cuda_engine *engine, cudaStream_t stream, const point_runs *runs);
    sumac_status (*sum_strided)(cuda_engine *engine, cudaStream_t stream, const strided_sums *sums);
    sumac_status (*pick)(cuda_engine *engine, cudaStream_t stream, const picked_points *picked);
    sumac_status (*sum_chunks)(cuda_engine *engine, cudaStream_t stream, const chunk_sums *chunks);
    sumac_status (*sum_differences)(cuda_engine *engine, cudaStream_t stream, const range_differences *work);
};

/* The curve's table. */
const xyzz_ops *xyzz_of(const cuda_curve *curve);

/* All curves' tables; ends with null. Generated from curves.cu.in. */
struct xyzz_curve {
    const cuda_curve *curve;
    const xyzz_ops *ops;
};
extern const xyzz_curve xyzz_curves[];

/* ---- What kinds share, without a curve: xyzz_trees.cu ---- */

/* The strided sums with parts = 1 by as many threads as there can be, as a tree of a few levels. `memory` has
 * xyzz_tree_points() points for so many that are added up. */
sumac_status xyzz_tree_sums(cuda_engine *engine, cudaStream_t stream, const cuda_curve *curve,
                            const strided_sums *sums, void *memory);
uint64_t xyzz_tree_points(uint64_t points);

/* Threads of a module of a pass for so many entries, at least one: so that a pass has about XYZZ_THREADS, and
 * none has less than XYZZ_LEAST_ENTRIES on average. */
enum { XYZZ_LEAST_ENTRIES = 8 };
uint64_t xyzz_module_threads(const msm_plan *plan);

/* Return where a pass's modules have their parts. */
void *xyzz_module_parts(const msm_job *job, const msm_pass *pass, const module_sums *modules);

/* ---- What they cost: costs_xyzz.cu ---- */

/* The cost of a kind whose threads add up affine points: so many additions in all, and so many by the longest thread. */
stage_cost xyzz_cost_of_entries(const plan_request *request, double additions, double longest);
/* The cost of a kind whose threads add up points in XYZZ. */
stage_cost xyzz_cost_of_points(const plan_request *request, double additions, double longest);
/* The costs of kinds that leave a sum for each bucket: where threads share all entries equally, */
stage_cost xyzz_cost_of_buckets(const plan_request *request, const msm_plan *plan);
/* where a bucket is one thread's, but perhaps those of the last window, which are large; */
stage_cost xyzz_cost_of_whole_buckets(const plan_request *request, const msm_plan *plan, bool last_apart);
/* and where threads share them equally, but for a bucket that a border would cut. */
stage_cost xyzz_cost_of_ranges(const plan_request *request, const msm_plan *plan, bool last_apart);

#endif
