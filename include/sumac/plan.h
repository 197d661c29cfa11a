/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file plan.h
 *  @brief Plans: the choices for a call, with its memory; and the names of plans and of the kinds in them.
 */
#ifndef SUMAC_PLAN_H
#define SUMAC_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/msm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** All the choices for one call, with its memory. A pure function of curve, sizes, machine and options. */
typedef struct sumac_plan {
    size_t size;
    const char *name;          /**< one of sumac_context_plan_name() */
    sumac_reduction reduction; /**< the kind of the stage "reduce" */
    int negate_large_scalars;  /**< recode: k > r/2 is used as -(r - k), which saves a bit */
    uint32_t
        top_window_balancing; /**< recode: multiples of r spread large scalars over [0, spread*r/2), or lattice vectors
                        each half of them over so many places, so that the top digit has more values and no
                        bucket is much larger than the others; 1: they do not */
    uint64_t n;               /**< bases of each MSM */
    uint32_t batch;
    uint32_t scalar_bits;
    uint32_t c;
    uint32_t windows;           /**< digits of a scalar */
    uint32_t precompute_factor; /**< f */
    uint32_t glv_terms; /**< 2: each base has its image under the curve's endomorphism beside it, which
                           takes half of each scalar; 1: it has not */
    uint32_t modules;   /**< bucket modules of one MSM, ceil(windows/(f*images)) */
    uint64_t buckets;   /**< buckets of one module, 2^(c-1); one with tables of digits */
    uint64_t
        table_digits; /**< points kept for each multiple of a base: one, or 2^(c-1) with tables of digits */
    uint32_t module_parts; /**< points that the reduction leaves for each module, for combine */
    uint32_t
        sub_batch; /**< MSMs of the batch that are worked off together, a sub-batch, from their scalars to
                                       their results, before the next ones */
    uint32_t modules_per_pass; /**< modules, of a sub-batch's MSMs together, that are in memory at once */
    uint32_t passes;           /**< passes over each chunk of a sub-batch */
    uint32_t
        in_flight_passes; /**< passes that a device works on at the same time, each with arrays of its own */
    uint32_t chunks;
    uint32_t
        copy_slices; /**< parts of a chunk, whose copy to a device overlaps the work on the part before */
    uint32_t copy_slice_growth;  /**< how many times as large as the one before a copy slice is */
    uint32_t threads;            /**< at most those of the context: little work is not worth sharing */
    uint64_t task_entries;       /**< bases that one thread adds up at a time; 0 on a GPU */
    double accumulate_additions; /**< expected additions for uniform scalars */
    double reduce_additions;
    double combine_additions;     /**< doublings included */
    double milliseconds;          /**< the cost model's prediction */
    const char *private_kinds[8]; /**< for sumac_plan_kind() */
    uint64_t private_bytes[16];   /**< for sumac_plan_bytes() */
    /** How many devices share the call out; if more than one, the plan is that of the one with the largest
     * share: n and batch are those of its calls, of which it makes device_calls. */
    uint64_t devices;
    uint64_t device_calls;
} sumac_plan;

/** What sumac_plan_default() does, for bindings, too: the defaults as a struct of `size` bytes. */
SUMAC_API void sumac_plan_init(sumac_plan *plan, size_t size);

/** No plan yet, for sumac_plan_query() and sumac_msm_plan() to write. */
static inline sumac_plan sumac_plan_default(void)
{
    sumac_plan plan;
    sumac_plan_init(&plan, sizeof plan);
    return plan;
}

/** The name of the stage at an index, in the order in which they run: "recode", "sort", "accumulate",
 * "reduce", "combine"; null past the end. Other versions may have others. */
SUMAC_API const char *sumac_plan_stage(const sumac_plan *plan, size_t index);

/** The kind that the plan chose for the stage of a name, a constant: of combine "horner" on the CPU,
 * "horner-host" or "horner-device" on a GPU; docs/pipeline.md has all. Null where there is no such stage. */
SUMAC_API const char *sumac_plan_kind(const sumac_plan *plan, const char *stage);

/** The name of the row at an index of the plan's memory; null past the end. "bases" (with multiples) and
 * "scalars" are the inputs; then comes the workspace, stage by stage: "staging", scalars on their way to a
 * device; "visiting", only in plans that have it: bases on their way, where they are too large for the
 * device; what the stages write, "digits", "entries" and "buckets"; and their "scratch". "workspace" is their
 * sum, aligned: exactly what a call allocates. "total" is bases, scalars and workspace. "pinned" is beside
 * them, of the host's memory, page-locked: what a call takes when a GPU's scalars, or bases that stay on the
 * host, lie in pageable memory. "bases", "scalars", "staging", "visiting", "workspace", "total" and "pinned"
 * have their meaning in all versions; the others may change. */
SUMAC_API const char *sumac_plan_row(const sumac_plan *plan, size_t index);

/** The bytes of the row of a name; 0 where there is no such row. */
SUMAC_API uint64_t sumac_plan_bytes(const sumac_plan *plan, const char *row);

/** The plan that a call would use.
 *  @param bases_config null for the defaults; with f > 1 its multiples are planned for
 *  @param plan of sumac_plan_default(); written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_UNKNOWN_PLAN, SUMAC_MEMORY_LIMIT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plan_query(sumac_context *context, const sumac_curve *curve,
                                                       size_t n, const sumac_bases_config *bases_config,
                                                       const sumac_msm_config *msm_config, sumac_plan *plan);

/** The plan that sumac_msm() would use for existing bases, with the window that their multiples are made for.
 * Where that window has more buckets than the call has points for them, and they take more memory than 16
 * MiB, on a GPU 128 MiB, the call leaves the multiples alone (precompute_factor is 1 then) and has a window
 * of its own, unless config->c asks for that one.
 *  @return as sumac_plan_query(), and SUMAC_BAD_LENGTH where sumac_msm() would give it */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases,
                                                     size_t n, const sumac_msm_config *config,
                                                     sumac_plan *plan);

/** The plan of a prepared call; waits for nothing.
 *  @param plan  initialised with sumac_plan_default()
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (a newer plan's size) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_plan(const sumac_call *call, sumac_plan *plan);

/** The name of the context's named plan at an index, a constant, for sumac_msm_config.plan; null past the
 * end. The first is "auto", the planner's choice of every kind. */
SUMAC_API const char *sumac_context_plan_name(const sumac_context *context, size_t index);

/** What a named plan is about, for people: sentences; "" of one that is not told about; null where there is
 * none of that name. */
SUMAC_API const char *sumac_context_plan_about(const sumac_context *context, const char *name);

/** What a kind of a stage does, for people: a sentence without its end, whose subject is the stage; "" of one
 * that is not told about; null where there is none. `stage` and `kind` are as sumac_plan_stage() and
 * sumac_plan_kind() give them. */
SUMAC_API const char *sumac_context_kind_about(const sumac_context *context, const sumac_curve *curve,
                                               const char *stage, const char *kind);

#ifdef __cplusplus
}
#endif
#endif
