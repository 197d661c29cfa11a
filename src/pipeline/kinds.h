/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A kind is one way to do a stage, as a row of data: it says what the kind takes and leaves, when it can be used, what it
 * costs and how it runs. A backend has a list of kinds, and a curve's code the list of those that are compiled
 * for it. A plan has one kind for each stage; plan.c looks for the cheapest that fit together.
 *
 * A new kind is a file and a row.
 */
#ifndef SUMAC_PIPELINE_KINDS_H
#define SUMAC_PIPELINE_KINDS_H

#include <stddef.h>

#include "pipeline/pipeline.h"

/* Everything that a plan depends on. Requests are compared by their bytes, so that a request that is kept must be zeroed
 * before it is filled. */
typedef struct plan_request {
    const sumac_curve *curve;
    const struct curve_code *code;
    const struct backend *backend;
    uint64_t n;           /* bases of each MSM */
    uint64_t bases_count; /* bases in memory: counted in bytes_bases */
    uint32_t batch;       /* at least 1 */
    uint32_t c;           /* 0: choose */
    uint32_t given_c;     /* the caller's c; 0: none was given. Multiples that exist fix c without it */
    uint32_t scalar_bits; /* 0: bits of r */
    scalar_layout layout;
    int has_lengths;            /* job.offsets: MSMs of different lengths, of which n is the longest */
    uint32_t glv_terms;         /* 2: lambda*P lies beside each base P; else 1, or 0 */
    uint32_t precompute_factor; /* at least 1; an upper bound if multiples have yet to be computed */
    uint32_t windows;           /* with multiples that exist: the windows that they are made for; else 0 */
    int all_digits;             /* window tables, one for each window: precompute_factor is 1 */
    uint64_t table_limit;       /* most bytes of bases; 0: none */
    uint32_t chunks;            /* 0: choose */
    uint32_t copy_slices;       /* 0: choose */
    int keeps_buckets;          /* set by the search: chunks must add into the same buckets */
    uint32_t scalars_location;  /* as msm_job's */
    sumac_location result_location;
    int bases_are_host_resident; /* as bases_table.host_resident */
    uint64_t base_sets;          /* as msm_job's, of the call */
    uint32_t threads;
    int outside_subgroup;
    sumac_reduction reduction;
    const char *plan_name; /* null: the planner's choice */
    uint64_t memory_limit; /* of the workspace; 0: none */
    int limit_is_given;    /* the caller set memory_limit: choose the fastest plan within it */
} plan_request;

/* Return 1 if a device's engine copies scalars. It also does so for MSMs of different lengths, which become alike on the way. */
static inline int plan_copies_scalars(const plan_request *request)
{
    return request->scalars_location != SUMAC_LOCATION_DEVICE || request->has_lengths;
}

/* The forms of artefacts between the stages. */
typedef enum artefact_form {
    SCALARS = 1,
    DIGIT_ROWS = 2,      /* digit_table */
    BUCKET_LISTS = 4,    /* bucket_lists: an entry is in the list of its digit's bucket */
    LOOKED_UP_LISTS = 8, /* bucket_lists with one bucket a module: an entry is its digit's point */
    AFFINE_BUCKETS = 16, /* bucket_sums */
    XYZZ_BUCKETS = 32,   /* the same in XYZZ */
    RANGE_SUMS = 64,     /* bucket_sums in XYZZ that are no buckets: the sum of a module's is its part */
    MODULE_PARTS = 128,  /* module_sums */
    RESULTS = 256        /* raw points, or elements of a vector */
} artefact_form;

/* Milliseconds of one stage in the whole call, and its additions. */
typedef struct stage_cost {
    double work;    /* all of an engine's threads share it */
    double alone;   /* one thread works while the others are idle */
    double waiting; /* meanwhile an engine could work on another in-flight pass */
    double additions;
} stage_cost;

typedef struct stage_kind {
    msm_stage stage;
    const char *name;
    const char *about; /* a sentence on what it does, without a full stop; may be null */
    unsigned takes;    /* forms that it reads, or'ed */
    artefact_form leaves;
    int by_name; /* only plans that name it use it: the search skips it */
    /* Kinds of recode: */
    uint32_t glv_terms;  /* 2: scalars are k1 + k2*lambda; else 1 */
    int negates;         /* k > r/2 becomes -(r - k) */
    int balances;        /* plan.top_window_balancing may be more than 1 */
    int unsigned_digits; /* 0 .. 2^c - 1, and as many buckets */
    /* Kinds of accumulate: how many points the kind leaves for a module, at most; null: one a bucket. */
    uint64_t (*sums_of_module)(const msm_plan *plan);
    int adds; /* a pass may add to what passes of earlier chunks have left: plan.keeps_buckets */
    /* Kinds of reduce: */
    sumac_reduction reduction; /* the caller's word for it */
    /* Return whether a plan whose earlier stages are chosen can have this kind, and set the numbers of the plan that the kind
     * decides. Null: it always can. Kinds of combine are chosen when the rest of the plan is complete. */
    int (*accepts)(const plan_request *request, msm_plan *plan);
    uint64_t most_buckets; /* of a pass; 0: as many as there may be */
    /* Kinds of combine on a device: the host's work once the device has done what run queued. The job is the call's, whose
     * plan may no longer exist; results are those of run. Null: nothing is left to the host. */
    void (*complete)(const msm_job *job, void *results);
    /* Bytes of scratch memory; null: none. Kinds run one after another in the same memory. */
    uint64_t (*scratch_bytes)(const struct curve_code *code, const msm_plan *plan);
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

/* A plan that has a name fixes some kinds by their names, and some numbers. The search chooses the kinds that are null and
 * the numbers that are 0. */
typedef struct named_plan {
    const char *name;
    const char *about; /* sentences on the idea and its source; may be null */
    const char *kinds[STAGES];
    uint32_t c;
} named_plan;

/* How many points accumulate leaves for a module, at most. */
static inline uint64_t plan_module_sums(const msm_plan *plan)
{
    const stage_kind *kind = plan->kinds[STAGE_ACCUMULATE];
    return kind->sums_of_module == NULL ? plan->buckets : kind->sums_of_module(plan);
}

/* The bytes of one of these points. */
size_t plan_sum_bytes(const msm_plan *plan, const struct curve_code *code);

#endif
