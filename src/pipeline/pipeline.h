/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the data that flow through the pipeline. Read it first, then pipeline.c, which alone calls the stages.
 *
 *   scalars -> feed -> recode -> sort -> accumulate -> reduce -> combine -> deliver -> results
 *              inputs  digits    bucket  bucket        module    points     in the caller's memory
 *                                lists   sums          sums
 *
 * feed brings a pass's scalars and bases to memory that the engine reads; deliver provides the memory for combine's
 * results, and copies them to the caller. Each stage has several kinds, which are ways to do it (kinds.h); the plan
 * selects one of them.
 *
 * A call computes `batch` MSMs of n bases, plan.sub_batch of them at a time: each such sub-batch is a separate
 * job, with a plan whose batch is the sub-batch's, so that no stage handles other sub-batches. A scalar has W =
 * plan.windows digits of c bits; with precompute factor f the W windows share M = plan.modules = ceil(W/f)
 * bucket modules: module j holds the windows w = t*M + j, t < f, and window w takes its points from multiple
 * t of the bases, 2^(c*M*t) * P. Modules are numbered through the sub-batch: module g = msm*M + j. A pass works on
 * a range of modules whose arrays fit in the workspace; a chunk is a slice of the n bases, and a copy slice a
 * slice of a chunk (plan_sizes.h: one copy slice on the CPU). recode, sort and accumulate run for each copy slice and
 * add into the same buckets; reduce runs once a pass, pass after pass, chunk after chunk, or with plan.keeps_buckets
 * in the last chunk alone; combine runs once a sub-batch.
 *
 * With window tables all windows share one module of one bucket: f = W, K = 1, and a digit d of window w
 * takes its own point, d*2^(c*w) * P, from the table. The module's sum is the result.
 *
 * With plan.glv_terms = 2 a scalar is k1 + k2*lambda (GLV, math/glv.h): W/2 = M digits of each, f = 2, and
 * multiple 1 of a base is lambda times the base.
 *
 * A stage reads what its predecessor wrote as const and writes its own array only. Stages never call stages.
 */
#ifndef SUMAC_PIPELINE_PIPELINE_H
#define SUMAC_PIPELINE_PIPELINE_H

#include "math/scalar.h"
#include "sumac/sumac.h"

struct backend;
struct stage_kind;
struct thread_pool;

typedef enum msm_stage {
    STAGE_RECODE,
    STAGE_SORT,
    STAGE_ACCUMULATE,
    STAGE_REDUCE,
    STAGE_COMBINE,
    STAGES
} msm_stage;

/* A plan has all choices for one call, and the sizes of its memory. It is a pure function of group, sizes, machine and
 * options. */
typedef struct msm_plan {
    const char *name;
    const struct stage_kind *kinds[STAGES];
    int negate_large_scalars; /* recode: k > r/2 is used as -(r - k), which saves a bit */
    /* recode adds multiples of r to large scalars, so that they spread over this many intervals of r/2. Then the top
     * digit has more values, and no bucket is much larger than the others. */
    uint32_t top_window_balancing;
    uint64_t n; /* bases of each MSM */
    uint32_t batch;
    uint32_t scalar_bits;
    uint32_t c;
    uint32_t windows;           /* digits of a scalar */
    uint32_t precompute_factor; /* f */
    uint32_t
        glv_terms; /* 2: lambda times each base lies beside it, for one of a scalar's two terms; otherwise 1 */
    uint32_t modules;      /* bucket modules of one MSM, ceil(windows/(f*glv_terms)) */
    uint64_t buckets;      /* buckets of one module: 2^(c-1); of unsigned digits the least power of two that
                              is at least 2^c - 1; with window tables one */
    uint64_t table_digits; /* points kept for each multiple of a base: one, or 2^(c-1) with window tables */
    uint32_t module_parts; /* points that the reduction leaves for each module, for combine */
    uint32_t fold;         /* neighbouring parts that a device adds up before the host combines */
    uint32_t sub_batch;    /* MSMs of a sub-batch; they are computed together, from scalars to results, before
                              those of the next sub-batch */
    uint32_t modules_per_pass; /* modules, of all MSMs of a sub-batch together, that are in memory at once */
    uint32_t passes;           /* passes over each chunk of a sub-batch */
    uint32_t in_flight_passes; /* passes that a device works on at the same time; each has separate arrays */
    uint32_t chunks;
    int keeps_buckets; /* 1: all chunks add to the same buckets, which are reduced once; 0: buckets are reduced
                          after each chunk */
    uint32_t copy_slices;       /* parts of a chunk; while one is copied, the device works on the previous
                                   one */
    uint32_t copy_slice_growth; /* the size of a copy slice divided by that of the previous one */
    uint32_t threads;           /* at most those of the context; fewer for little work */
    uint64_t task_entries;      /* bases that one thread adds up at a time; 0 if the kind has no such tasks */
    double accumulate_additions; /* expected additions for uniform scalars */
    double reduce_additions;
    double combine_additions; /* doublings included */
    double milliseconds;      /* the cost model's prediction */
    uint64_t bytes_bases;     /* with multiples */
    uint64_t bytes_scalars;
    uint64_t bytes_staging;       /* the workspace has these parts: scalars on their way to a device, */
    uint64_t bytes_host_resident; /* host-resident bases on their way to a device, */
    uint64_t bytes_digits;        /* and the arrays that the stages write */
    uint64_t bytes_entries;
    uint64_t bytes_buckets;
    uint64_t bytes_scratch;
    uint64_t bytes_workspace; /* the sum of these parts, aligned: exactly what a call allocates */
    uint64_t bytes_total;     /* bases + scalars + workspace */
    uint64_t bytes_pinned; /* page-locked host memory, not part of the total, that a call allocates if a GPU's
                              scalars, or host-resident bases, lie in pageable memory */
} msm_plan;

/* A backend keeps bases as `factor` blocks of `count` affine points; multiple t of base i is point t*count + i.
 * With window tables multiple t = w*D + d - 1, D = 2^(c-1) = plan.table_digits, is d*2^(c*w) times the base, for
 * all windows w and 1 <= d <= D. */
typedef struct bases_table {
    const void *points;
    uint64_t count;
    uint32_t factor;
    uint32_t glv_terms; /* 2: behind the bases lie lambda*P; only with factor 1 */
    int all_digits;     /* window tables */
    int host_resident;  /* 1: a device's bases stay on the host, because its memory is too small, and are
                          copied chunk by chunk; factor is 1 */
} bases_table;

/* Return the number of points that are kept for a base. Each point serves some of a scalar's digits. */
static inline uint32_t plan_multiples(const msm_plan *plan)
{
    return plan->precompute_factor * plan->glv_terms;
}

/* Spans of work are reported to this function, unless it is null. */
typedef struct trace_sink {
    void (*report)(void *user, const sumac_trace_event *event);
    void *user;
} trace_sink;

/* This is the memory for results, which are raw points or elements of a vector of points (vector/vector.h). */
typedef struct msm_target {
    void *memory;
    int as_elements;
} msm_target;

/* This location means memory of another device. The interface does not have it. An engine copies scalars from it as
 * from host memory. */
enum { LOCATION_PEER = SUMAC_LOCATION_DEVICE + 1 };

/* A job is one checked and planned sub-batch of a call. Stages may read it and their predecessor's output, but nothing
 * else. */
typedef struct msm_job {
    const sumac_group *group;
    const struct group_code *code; /* the group's functions, of the variant that the context chose */
    const msm_plan *plan;          /* the sub-batch's plan: plan.batch is the number of its MSMs */
    uint32_t first_msm;            /* the number of the sub-batch's first MSM in the call */
    bases_table bases;
    const uint8_t *scalars; /* the sub-batch's scalars, MSM after MSM */
    scalar_layout layout;   /* the layout of the scalars */
    /* If this is null, each MSM has n scalars. Otherwise it has batch + 1 numbers, and MSM m of the sub-batch has the
     * scalars from offsets[m] - offsets[0] to offsets[m + 1] - offsets[0]. The scalars of the rest of its n bases are
     * 0. */
    const uint64_t *offsets;
    uint32_t scalars_location; /* a sumac_location, or LOCATION_PEER */
    sumac_form scalar_form;
    uint32_t cut_bits;     /* the number of a scalar's lowest bits that count; 0: all bits */
    uint32_t checked_bits; /* scalars outside of [-2^checked_bits, 2^checked_bits) are refused; 0: none are */
    uint32_t large_bucket_factor; /* as in the caller's tuning */
    sumac_form result_form;       /* the form of raw points */
    int results_as_elements;
    size_t result_bytes; /* bytes of one result */
    uint64_t first_base;
    uint64_t base_sets; /* MSM m of the sub-batch has set (first_set + m) % base_sets of n bases */
    uint64_t first_set;
    uint32_t threads;
    struct thread_pool *pool; /* the context's pool; not null if threads > 1 */
    trace_sink trace;
    void *engine; /* the context's queue on a device; null on the CPU */
    /* If this is not null, the stages queue their work without waiting for it, and the results lie on the device. If
     * the work succeeds, it writes the results. If it fails, it writes its status here, unless a failure is stored here
     * already. */
    sumac_status *status_later;
    sumac_location result_location;
    uint32_t dump; /* the number of the call's dump (dump.h); 0: none */
} msm_job;

/* job_start() returns the index of the first scalar of MSM m of the sub-batch, counted from job->scalars. job_length()
 * returns the number of its scalars. */
static inline uint64_t job_start(const msm_job *job, uint64_t m)
{
    return job->offsets == NULL ? m * job->plan->n : job->offsets[m] - job->offsets[0];
}

static inline uint64_t job_length(const msm_job *job, uint64_t m)
{
    return job->offsets == NULL ? job->plan->n : job->offsets[m + 1] - job->offsets[m];
}

/* Return how many scalars of MSM m lie in [first, first + n). */
static inline uint64_t job_length_within(const msm_job *job, uint64_t m, uint64_t first, uint64_t n)
{
    const uint64_t length = job_length(job, m);
    return length <= first ? 0 : length - first < n ? length - first : n;
}

/* This is the output of feed. It says from which memory the engine reads the inputs of a pass. */
typedef struct pass_inputs {
    const uint8_t
        *scalars; /* number m*stride + i belongs to MSM m of the sub-batch and base first + i of the pass */
    uint64_t
        stride; /* 0 if the engine reads MSMs of different lengths: MSM m's scalars begin at job_start(m) */
    const void *bases;   /* the table that entries are indices into */
    uint64_t first_base; /* the index in the table of the first scalar's base in set 0 */
    uint64_t set_bases;  /* the distance from one set of bases to the next */
} pass_inputs;

/* A pass is one slice of the work: modules [first_module, first_module + modules) of the bases [first, first + n) of
 * each MSM, which are copy slice `copy_slice` of the chunk [chunk_first, chunk_first + chunk_n). */
typedef struct msm_pass {
    uint32_t index;
    uint64_t first_module;
    uint64_t modules;
    uint64_t chunk_first;
    uint64_t chunk_n;
    uint32_t copy_slice;
    uint64_t first;
    uint64_t n;
    pass_inputs inputs;
    /* Feed sets this to the engine's object that works on the pass, with a stream and a mailbox; null on the CPU. */
    void *in_flight;
} msm_pass;

/* Return the index in the table of the base that belongs to a module's first scalar. `module` counts from the pass's
 * first module. */
static inline uint64_t pass_first_base(const msm_job *job, const msm_pass *pass, uint64_t module)
{
    const uint64_t msm = (pass->first_module + module) / job->plan->modules;
    return pass->inputs.first_base + (job->first_set + msm) % job->base_sets * pass->inputs.set_bases;
}

/*
 * This is the output of recode. For module g, multiple t and base i of the pass:
 *   code[((g - first_module)*f + t)*n + i] = 2*|d| + (d < 0),  f = plan_multiples(), d the digit,
 * |d| <= 2^(c-1), or 0 <= d < 2^c for kinds with unsigned digits; the code is 0 if there is no digit.
 */
typedef struct digit_table {
    uint32_t *codes;
} digit_table;

/*
 * This is the output of sort. Bucket b = (g - first_module)*K + |d| - 1, K = plan.buckets, holds the entries
 *   entries[starts[b]] .. entries[starts[b + 1] - 1],   entry = 2*(index into the bases' table) + (d < 0).
 * With window tables bucket g - first_module holds all entries of module g.
 * starts has modules*K + 1 non-decreasing numbers.
 */
typedef struct bucket_lists {
    uint32_t *entries;
    uint32_t *starts;
} bucket_lists;

/* This is the output of accumulate. points[b] is the sum of bucket b, affine, in the backend's form; if
 * pass_adds_to_buckets(), the sum is added to points[b]. A kind may leave XYZZ points instead, or sums of ranges; its
 * artefact_form says so. It writes the range sums of the pass's module m to points[m*S + i], i < S =
 * plan_module_sums(). */
typedef struct bucket_sums {
    void *points;
    void *behind; /* memory for the points of one pass if some passes add; otherwise null */
} bucket_sums;

/* Return whether a pass's copy slice adds to the buckets of earlier ones. */
static inline int pass_adds_to_buckets(const msm_plan *plan, const msm_pass *pass)
{
    return plan->keeps_buckets ? pass->first > 0 : pass->first != pass->chunk_first;
}

/* This is the output of reduce, in XYZZ. Module g has the parts points[g*L + l], l < L = plan.module_parts <= c, with
 * sum of 2^l * part l = sum of (|d| * bucket). If pass_adds_to_parts(), the result is added to the parts. */
typedef struct module_sums {
    void *points;
} module_sums;

/* Return whether a pass adds to the parts of earlier chunks. */
static inline int pass_adds_to_parts(const msm_plan *plan, const msm_pass *pass)
{
    return !plan->keeps_buckets && pass->chunk_first > 0;
}

/* A device works on one in-flight pass while another one waits. Each in-flight pass has a set of arrays, and successive
 * passes use these sets in turn. The arrays that outlive a pass exist once: the scalars and bases on the device, and
 * the modules' sums. Several passes are in flight only if the plan has one chunk and one copy slice. */
#define PLAN_MAX_IN_FLIGHT_PASSES 2u

static inline uint32_t pass_in_flight_pass(const msm_plan *plan, const msm_pass *pass)
{
    return (uint32_t)(pass->first_module / plan->modules_per_pass % plan->in_flight_passes);
}

/* A chunk is copied to this memory on its way to a device. */
typedef struct feed_memory {
    void *
        scalars; /* plan.bytes_staging: a chunk's scalars, copy slice after copy slice; two chunks take turns */
    void *bases; /* plan.bytes_host_resident: host-resident bases, in the same order */
} feed_memory;

/* These are the arrays of a call, for one in-flight pass. workspace.c lays them out in one block. */
typedef struct workspace {
    feed_memory feed;
    digit_table digits;
    bucket_lists lists;
    bucket_sums buckets;
    module_sums modules;
    void *scratch; /* memory that a stage needs besides its output */
} workspace;

/* Run a planned job, sub-batch after sub-batch. `memory` has plan.bytes_workspace bytes, 64-byte aligned; the results are
 * `batch` raw points or elements. */
sumac_status pipeline_run(const struct backend *engine, const msm_job *job, void *memory, void *results,
                          int (*progress)(void *user, double done), void *user);

#endif
