/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The kinds of the named plans (docs/plans.md) use these sums in XYZZ coordinates, each by one thread. xyzz_sums.cu
 * defines a table of functions for each group; the kinds do not depend on a group.
 *
 * All sums are correct for all points, including equal and opposite ones, and infinity.
 */
#ifndef SUMAC_PLANS_CUDA_XYZZ_H
#define SUMAC_PLANS_CUDA_XYZZ_H

#include "cuda/device/kernels.cuh"
#include "cuda/msm/stage.h"
#include "pipeline/plan_sizes.h"

/* At most this number of threads share the additions of a pass. About as many threads of such kernels run on an H200 at
 * once. */
static const uint64_t XYZZ_THREADS = 65536;

/* For each list t one thread adds up the entries [ranges[t].x, ranges[t].y), and writes the sum to sums[targets[t]], or
 * if `adds` adds it to that. */
struct entry_sums {
    const void *table; /* affine */
    const uint32_t *entries;
    const uint2 *ranges;
    const uint32_t *targets; /* null: targets[t] = t */
    uint64_t lists;
    void *sums;
    bool adds;
};

/*
 * The entries of each of `modules` modules are divided equally among `threads` threads. A thread adds up the buckets
 * that begin in its share. If heads is null, it adds them up to their ends, even beyond its share. Else it stops at the
 * end of its share, and the sum of the entries at the beginning of its share that belong to a bucket of an earlier
 * thread becomes heads[t], with keys[t] = 2*bucket + 1. Keys without a head are even, and keys are non-decreasing.
 * Empty buckets, and those of skipped modules, become infinity, or if `adds` keep their value.
 */
struct bucket_walk {
    const void *table;
    const uint32_t *entries;
    const uint32_t *starts; /* the starts of the modules' buckets, and the end of the last one */
    uint64_t modules;
    uint64_t buckets; /* buckets of a module */
    uint64_t threads; /* threads of a module */
    uint32_t
        skip_period; /* module number `skipped`, and every skip_period-th one after it, is skipped; 0: none is */
    uint32_t skipped; /* the first skipped module, if skip_period > 0 */
    void *sums;       /* one for each bucket */
    void *heads;
    uint32_t *keys;
    bool adds;
};

/* Neighbouring points with the same odd key are a run. The points of a run are added up as a tree, in place, and their
 * sum is added to sums[key / 2]. firsts[i] is the first point of point i's run. */
struct point_runs {
    void *points;
    const uint32_t *keys;
    const uint32_t *firsts;
    uint64_t count;
    void *sums;
};

/*
 * Strided sums are, for g < groups, l < width and q < parts,
 *   out[(g*width + l)*parts + q] = the sum over i of the point at position l*step + (i*parts + q)*stride of group g,
 * as long as i*parts + q < count and the position is below `limit`. If `adds`, they are added to `out`. Position p of
 * group g is points[g*group_points + p - shift]; with shift = 1 position 0 is infinity.
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

/* out[g*count + l] = points[g*group_points + positions[l]], or if `adds` this is added to it. */
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

/* Each of `groups` groups of 2^bits buckets is divided into 2^chunk_bits chunks, one for each thread: sums[chunk] = the
 * sum over the chunk's buckets b of (b + 1) times bucket b. */
struct chunk_sums {
    const void *buckets; /* XYZZ */
    void *sums;
    uint64_t groups;
    uint32_t bits;
    uint32_t chunk_bits;
};

/*
 * Each module's entries, sorted by buckets, are divided equally among `ranges` threads: sums[t] = the sum over the
 * range of (bucket + 1) times the entry's point, or if `adds` this is added to it.
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

/* Return the group's table. */
const xyzz_ops *xyzz_of(const cuda_group *group);

/* xyzz_groups lists all groups' tables, and ends with null; it is generated from groups.cu.in. */
struct xyzz_group {
    const cuda_group *group;
    const xyzz_ops *ops;
};
extern const xyzz_group xyzz_groups[];

/* ---- Common code of kinds, without a group: xyzz_trees.cu ---- */

/* Compute strided sums with parts = 1 by as many threads as useful, as a tree of a few levels. If `points` points are
 * added up, `memory` must be large enough for xyzz_tree_points(points) points. */
sumac_status xyzz_tree_sums(cuda_engine *engine, cudaStream_t stream, const cuda_group *group,
                            const strided_sums *sums, void *memory);
uint64_t xyzz_tree_points(uint64_t points);

/* Return the number of threads of a module, at least one. A pass has at most about XYZZ_THREADS threads, and a thread
 * has on average at least XYZZ_LEAST_ENTRIES entries. */
enum { XYZZ_LEAST_ENTRIES = 8 };
uint64_t xyzz_module_threads(const msm_plan *plan);

/* Return the address of the parts of a pass's modules. */
void *xyzz_module_parts(const msm_job *job, const msm_pass *pass, const module_sums *modules);

/* ---- Costs of kinds: costs_xyzz.cu ---- */

/* Return the cost of a kind whose threads add up affine points: `additions` in all, and `longest` by the longest thread. */
stage_cost xyzz_cost_of_entries(const plan_request *request, double additions, double longest);
/* Return the cost of a kind whose threads add up points in XYZZ, with the same arguments. */
stage_cost xyzz_cost_of_points(const plan_request *request, double additions, double longest);
/* Return the cost of a kind that leaves a sum for each bucket, if threads share all entries equally. */
stage_cost xyzz_cost_of_buckets(const plan_request *request, const msm_plan *plan);
/* Return that cost if one thread adds up a bucket, except, if last_apart, the large ones of the last window. */
stage_cost xyzz_cost_of_whole_buckets(const plan_request *request, const msm_plan *plan, bool last_apart);
/* Return that cost if threads share the entries equally, except that borders do not cut buckets. */
stage_cost xyzz_cost_of_ranges(const plan_request *request, const msm_plan *plan, bool last_apart);

#endif
