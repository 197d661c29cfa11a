/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A kind is one way to do a stage, as a row of data: what it takes and leaves, when it can be used, what it
 * costs, how it runs. A backend has a list of kinds, and a curve's code the list of those that are compiled
 * for it. A plan has one kind for each stage; plan.c looks for the cheapest that fit together.
 *
 * A new kind is a file and a row.
 */
#ifndef SUMAC_PIPELINE_KINDS_H
#define SUMAC_PIPELINE_KINDS_H

#include <stddef.h>

#include "pipeline/pipeline.h"

/* Everything that a plan depends on. */
typedef struct plan_request {
    const sumac_curve *curve;
    const struct curve_code *code;
    const struct backend *backend;
    uint64_t n;           /* bases of each MSM */
    uint64_t bases_count; /* bases in memory: counted in bytes_bases */
    uint32_t batch;       /* at least 1 */
    uint32_t c;           /* 0: choose */
    uint32_t scalar_bits; /* 0: bits of r */
    scalar_layout layout;
    int has_lengths;            /* job.offsets: MSMs of different lengths, of which n is the longest */
    uint32_t glv_terms;         /* 2: lambda*P lies beside each base P; else 1, or 0 */
    uint32_t precompute_factor; /* at least 1; of multiples still to be made at most so many */
    uint32_t windows;           /* with multiples that exist: the windows that they are made for; else 0 */
    int all_digits;             /* window tables, one for each window: precompute_factor is 1 */
    uint64_t table_limit;       /* most bytes of bases; 0: none */
    uint32_t chunks;            /* 0: choose */
    uint32_t copy_slices;       /* 0: choose */
    int keeps_buckets;          /* the search's: chunks are to add into the same buckets */
    uint32_t scalars_location;  /* as msm_job's */
    sumac_location result_location;
    int bases_are_host_resident; /* as bases_table.host_resident */
    uint64_t base_sets;          /* as msm_job's, of the call */
    uint32_t threads;
    int outside_subgroup;
    sumac_reduction reduction;
    const char *plan_name; /* null: the planner's choice */
    uint64_t memory_limit; /* of the workspace; 0: none */
    int limit_is_given;    /* by the caller: what is fastest within it, however much that takes */
} plan_request;

/* Whether a device's engine copies scalars: MSMs of different lengths are made alike on the way. */
static inline int plan_copies_scalars(const plan_request *request)
{
    return request->scalars_location != SUMAC_LOCATION_DEVICE || request->has_lengths;
}

/* What the artefacts between the stages can be like. */
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

/* Milliseconds of one stage, for the whole call, and its additions. */
typedef struct stage_cost {
    double work;    /* that all of an engine's threads share */
    double alone;   /* of one thread, while the others have nothing to do */
    double waiting; /* in which an engine could work on another in-flight pass */
    double additions;
} stage_cost;

typedef struct stage_kind {
    msm_stage stage;
    const char *name;
    const char *about; /* what it does: a sentence without its end; null: not told */
    unsigned takes;    /* forms that it reads, or'ed */
    artefact_form leaves;
    int by_name; /* only for plans that name it: the search leaves it out */
    /* Of recode: */
    uint32_t glv_terms;  /* 2: scalars are k1 + k2*lambda; else 1 */
    int negates;         /* k > r/2 becomes -(r - k) */
    int balances;        /* plan.top_window_balancing may be more than 1 */
    int unsigned_digits; /* 0 .. 2^c - 1, and as many buckets */
    /* Of accumulate: how many points it leaves for a module, at most; null: one a bucket. */
    uint64_t (*sums_of_module)(const msm_plan *plan);
    int adds; /* of accumulate: a pass may add to what passes of earlier chunks have left: plan.keeps_buckets */
    /* Of reduce: */
    sumac_reduction reduction; /* the caller's word for it */
    /* Whether a plan whose earlier stages are chosen can have this kind, and the numbers of the plan that are
     * the kind's to set. Null: it always can. Kinds of combine are chosen when all the rest of the plan is.
     */
    int (*accepts)(const plan_request *request, msm_plan *plan);
    uint64_t most_buckets; /* of a pass; 0: as many as there may be */
    /* Of combine on a device: what is left to the host when the device has done what run queued. The job is the call's,
     * of which the plan may be gone; results are those of run. Null: nothing. */
    void (*complete)(const msm_job *job, void *results);
    /* Bytes beside the kind's output; null: none. Kinds run one after another in the same memory. */
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

/* A plan that has a name: the kinds that it fixes, by their names; null: the search chooses. So it does where
 * a number is 0. */
typedef struct named_plan {
    const char *name;
    const char *about; /* the idea and where it comes from: sentences; null: not told */
    const char *kinds[STAGES];
    uint32_t c;
} named_plan;

/* How many points accumulate leaves for a module, at most. */
static inline uint64_t plan_module_sums(const msm_plan *plan)
{
    const stage_kind *kind = plan->kinds[STAGE_ACCUMULATE];
    return kind->sums_of_module == NULL ? plan->buckets : kind->sums_of_module(plan);
}

/* The bytes of each. */
size_t plan_sum_bytes(const msm_plan *plan, const struct curve_code *code);

#endif
