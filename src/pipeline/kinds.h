/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A kind is one way to do a stage, described by a row of data: its input and output, the condition for its use, its cost
 * and its function. A backend has a list of kinds, and a group's code has the list of those that are compiled for the
 * group. A plan has one kind for each stage; plan.c searches for the cheapest combination. A new kind needs one file and
 * one row.
 */
#ifndef SUMAC_PIPELINE_KINDS_H
#define SUMAC_PIPELINE_KINDS_H

#include <stddef.h>

#include "base/tuning.h"
#include "pipeline/pipeline.h"

/* A request has everything that a plan depends on. Requests are compared by their bytes, so a request that is kept must be
 * zeroed before it is filled. */
typedef struct plan_request {
    const sumac_group *group;
    const struct group_code *code;
    const struct backend *backend;
    uint64_t n;           /* the number of bases of each MSM */
    uint64_t bases_count; /* the number of bases in memory, for bytes_bases */
    uint32_t batch;       /* the number of MSMs, at least 1 */
    uint32_t c;           /* 0: choose */
    uint32_t given_c;     /* the caller's c, or 0; if multiples exist, they fix c even if this is 0 */
    uint32_t scalar_bits; /* 0: bits of r */
    scalar_layout layout;
    int has_lengths;            /* as job.offsets: MSMs have different lengths, at most n */
    uint32_t glv_terms;         /* 2: lambda*P lies beside each base P; otherwise 1 or 0 */
    uint32_t precompute_factor; /* at least 1; an upper bound if multiples have yet to be computed */
    uint32_t windows;           /* the number of windows that existing multiples fit; otherwise 0 */
    int all_digits;             /* window tables, one for each window: precompute_factor is 1 */
    uint64_t table_limit;       /* the most bytes of bases; 0: no limit */
    uint32_t chunks;            /* 0: choose */
    uint32_t copy_slices;       /* 0: choose */
    int keeps_buckets;          /* set by the search: chunks must add into the same buckets */
    uint32_t scalars_location;  /* as msm_job.scalars_location */
    sumac_location result_location;
    int bases_are_host_resident; /* as bases_table.host_resident */
    uint64_t base_sets;          /* as msm_job.base_sets of the call */
    uint32_t threads;
    int outside_subgroup;
    uint32_t reduction;
    const char *plan_name; /* null: the planner's choice */
    uint64_t memory_limit; /* the most bytes of workspace; 0: no limit */
    int limit_is_given;    /* the caller set memory_limit, so the planner chooses the fastest plan within
                              it */
} plan_request;

/* Return 1 if a device's engine copies scalars, which it also does to pad MSMs of different lengths to the same length. */
static inline int plan_copies_scalars(const plan_request *request)
{
    return request->scalars_location != SUMAC_LOCATION_DEVICE || request->has_lengths;
}

/* These are the forms of the data between the stages. */
typedef enum artefact_form {
    SCALARS = 1,
    DIGIT_ROWS = 2,      /* digit_table */
    BUCKET_LISTS = 4,    /* bucket_lists: an entry is in the list of its digit's bucket */
    LOOKED_UP_LISTS = 8, /* bucket_lists with one bucket a module: an entry is its digit's point */
    AFFINE_BUCKETS = 16, /* bucket_sums */
    XYZZ_BUCKETS = 32,   /* bucket_sums in XYZZ */
    RANGE_SUMS = 64,     /* bucket_sums in XYZZ of ranges, not buckets: a module's part is their sum */
    MODULE_PARTS = 128,  /* module_sums */
    RESULTS = 256        /* raw points, or elements of a vector */
} artefact_form;

/* The cost of a stage has the milliseconds that it takes in the whole call, and its additions. */
typedef struct stage_cost {
    double work;    /* milliseconds of work that all of an engine's threads share */
    double alone;   /* milliseconds in which one thread works while the others are idle */
    double waiting; /* milliseconds in which an engine could work on another in-flight pass */
    double additions;
} stage_cost;

typedef struct stage_kind {
    msm_stage stage;
    const char *name;
    const char *about; /* a sentence that describes the kind, without a full stop; may be null */
    unsigned takes;    /* the forms that the kind reads, or'ed */
    artefact_form leaves;
    int by_name; /* 1: the search skips the kind, and only plans that name it use it */
    /* These fields are for kinds of recode: */
    uint32_t glv_terms;  /* 2: scalars are k1 + k2*lambda; otherwise 1 */
    int negates;         /* k > r/2 becomes -(r - k) */
    int balances;        /* plan.top_window_balancing may be more than 1 */
    int unsigned_digits; /* digits are 0 .. 2^c - 1, with 2^c buckets */
    /* A kind of accumulate has this function; it returns how many points the kind leaves for a module, at most. If it
     * is null, the kind leaves one point per bucket. */
    uint64_t (*sums_of_module)(const msm_plan *plan);
    int adds; /* a pass may add to the output of passes over earlier chunks: plan.keeps_buckets */
    /* This field is for kinds of reduce: */
    uint32_t reduction; /* the caller's word for it, a bucket_reduction */
    /* The kinds of the plan's earlier stages are chosen. Return whether the plan can have this kind, and set the
     * numbers of the plan that the kind decides. If the function is null, every plan can have the kind. A kind of
     * combine is chosen when the rest of the plan is complete. */
    int (*accepts)(const plan_request *request, msm_plan *plan);
    uint64_t most_buckets; /* the most buckets of a pass; 0: no limit */
    /* A kind of combine on a device may have this function, which does the host's part of the work after the device has
     * done the work that `run` queued. `job` is the call's job, whose plan may no longer exist; `results` is the
     * argument that `run` got. If the function is null, the host has nothing to do. */
    void (*complete)(const msm_job *job, void *results);
    /* Return how many bytes of scratch memory the kind needs. If the function is null, it needs none. All kinds of a
     * plan use the same scratch memory, one after another. */
    uint64_t (*scratch_bytes)(const struct group_code *code, const msm_plan *plan);
    stage_cost (*cost)(const plan_request *request, const msm_plan *plan);
    union {
        sumac_status (*recode)(const msm_job *job, const msm_pass *pass, digit_table *digits);
        sumac_status (*sort)(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                             bucket_lists *lists, void *scratch);
        sumac_status (*accumulate)(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                   bucket_sums *sums, void *scratch);
        sumac_status (*reduce)(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                               module_sums *modules, void *scratch);
        sumac_status (*combine)(const msm_job *job, const module_sums *modules, void *results);
    } run;
} stage_kind;

/* A named plan fixes some kinds, by their names, and some numbers. If a kind is null or a number is 0, the search
 * chooses it. */
typedef struct named_plan {
    const char *name;
    const char *about; /* sentences on the idea and its source; may be null */
    const char *kinds[STAGES];
    uint32_t c;
} named_plan;

/* Return how many points accumulate leaves for a module, at most. */
static inline uint64_t plan_module_sums(const msm_plan *plan)
{
    const stage_kind *kind = plan->kinds[STAGE_ACCUMULATE];
    return kind->sums_of_module == NULL ? plan->buckets : kind->sums_of_module(plan);
}

/* Return how many bytes a point has that accumulate leaves. */
size_t plan_sum_bytes(const msm_plan *plan, const struct group_code *code);

#endif
