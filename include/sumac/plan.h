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

/** All the choices for one call. A pure function of curve, sizes, machine and options; immutable, shared by
 * threads at will, and needing no context: it outlives the one that made it. What is asked of a null plan is 0
 * or null. */
typedef struct sumac_plan sumac_plan;

/** The plan that a call would use.
 *  @param bases_config null for the defaults; with f > 1 its multiples are planned for
 *  @param msm_config null for the defaults
 *  @param plan freed with sumac_plan_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_UNKNOWN_PLAN, SUMAC_MEMORY_LIMIT,
 * SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plan_create(sumac_context *context, const sumac_curve *curve,
                                                        size_t n, const sumac_bases_config *bases_config,
                                                        const sumac_msm_config *msm_config,
                                                        sumac_plan **plan);

/** The plan that sumac_msm() would use for existing bases, with the window that their multiples are made for.
 * Where that window has more buckets than the call has points for them, and they take more memory than 16
 * MiB, on a GPU 128 MiB, the call leaves the multiples alone (the precompute factor is 1 then) and has a
 * window of its own, unless config->c asks for that one.
 *  @return as sumac_plan_create(), and SUMAC_BAD_LENGTH where sumac_msm() would give it */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases,
                                                     size_t n, const sumac_msm_config *config,
                                                     sumac_plan **plan);

/** The plan of a prepared call, as an object of its own; waits for nothing.
 *  @param plan freed with sumac_plan_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_plan(const sumac_call *call, sumac_plan **plan);

/** Free a plan; null is allowed. */
SUMAC_API void sumac_plan_destroy(sumac_plan *plan);

/** One of sumac_context_plan_name(), a constant. */
SUMAC_API const char *sumac_plan_name(const sumac_plan *plan);

/** The cost model's prediction; the bits of a window, c; how many multiples of each base are used, f; the
 * bytes of workspace that the call takes. */
SUMAC_API double sumac_plan_milliseconds(const sumac_plan *plan);
SUMAC_API uint32_t sumac_plan_window_bits(const sumac_plan *plan);
SUMAC_API uint32_t sumac_plan_precompute_factor(const sumac_plan *plan);
SUMAC_API uint64_t sumac_plan_workspace_bytes(const sumac_plan *plan);

/** The name of the plan's number at an index; null past the end. Other versions may have others:
 *
 *  | name                 | what it counts                                                                  |
 *  |----------------------|---------------------------------------------------------------------------------|
 *  | n                    | bases of each MSM                                                               |
 *  | batch                | MSMs                                                                            |
 *  | scalar_bits          | bits of a scalar that count                                                     |
 *  | c                    | bits of a window                                                                |
 *  | windows              | digits of a scalar                                                              |
 *  | precompute_factor    | f: multiples kept for each base                                                 |
 *  | glv_terms            | 2: beside each base P lies lambda*P, which takes half of each scalar (GLV); 1: it does not |
 *  | negate_large_scalars | 1: k > r/2 is used as -(r - k), which saves a bit                               |
 *  | top_window_balancing | multiples of r spread large scalars over [0, this*r/2), or lattice vectors each of their two terms over so many, so that the top digit has more values and no bucket is much larger than the others; 1: they do not |
 *  | modules              | bucket modules of one MSM, ceil(windows/(f*glv_terms))                          |
 *  | buckets              | buckets of one module, 2^(c-1); one with fixed-base window tables               |
 *  | table_digits         | points kept for each multiple of a base: one, or 2^(c-1) with such tables       |
 *  | module_parts         | points that the reduction leaves for each module, for combine                   |
 *  | sub_batch            | MSMs that go from their scalars to their results together, before the next ones |
 *  | modules_per_pass     | modules, of a sub-batch's MSMs together, that are in memory at once             |
 *  | passes               | passes over each chunk of a sub-batch                                           |
 *  | in_flight_passes     | passes that a device works on at the same time, each with arrays of its own     |
 *  | chunks               | slices of the input                                                             |
 *  | keeps_buckets        | 1: chunks add into the same buckets, which are reduced once; 0: each has its own |
 *  | copy_slices          | parts of a chunk, with keeps_buckets of the first alone, whose copy to a device overlaps the work on the part before |
 *  | copy_slice_growth    | how many times as large as the one before a copy slice is                       |
 *  | threads              | at most those of the context: little work is not worth sharing                  |
 *  | task_entries         | bases that one thread adds up at a time; 0 on a GPU                             |
 *  | accumulate_additions | expected additions for uniform scalars                                          |
 *  | reduce_additions     | the same of the stage reduce                                                    |
 *  | combine_additions    | the same of combine, doublings included                                         |
 *  | milliseconds         | the cost model's prediction                                                     |
 *  | devices              | devices that share the call out; if more than one, the plan is that of the one with the most work: n and batch are those of its calls |
 *  | device_calls         | calls that it makes                                                             |
 */
SUMAC_API const char *sumac_plan_number_name(const sumac_plan *plan, size_t index);

/** The number of a name, exact below 2^53; 0 where there is no such number. */
SUMAC_API double sumac_plan_number(const sumac_plan *plan, const char *name);

/** The name of the stage at an index, in the order in which they run: "recode", "sort", "accumulate",
 * "reduce", "combine"; null past the end. Other versions may have others. */
SUMAC_API const char *sumac_plan_stage(const sumac_plan *plan, size_t index);

/** The kind that the plan chose for the stage of a name, a constant: of combine "horner" on the CPU,
 * "horner-host" or "horner-device" on a GPU; docs/internals/pipeline.md has all. Null where there is no such stage. */
SUMAC_API const char *sumac_plan_kind(const sumac_plan *plan, const char *stage);

/** The name of the row at an index of the plan's memory; null past the end. "bases" (with multiples) and
 * "scalars" are the inputs; then comes the workspace, stage by stage: "staging", scalars on their way to a
 * device; "host_resident", only in plans that have it: bases on their way, where they are too large for the
 * device; what the stages write, "digits", "entries" and "buckets"; and their "scratch". "workspace" is their
 * sum, aligned: exactly what a call allocates. "total" is bases, scalars and workspace. "pinned" is beside
 * them, of the host's memory, page-locked: what a call takes when a GPU's scalars, or bases that stay on the
 * host, lie in pageable memory. "bases", "scalars", "staging", "host_resident", "workspace", "total" and "pinned"
 * have their meaning in all versions; the others may change. */
SUMAC_API const char *sumac_plan_row(const sumac_plan *plan, size_t index);

/** The bytes of the row of a name; 0 where there is no such row. */
SUMAC_API uint64_t sumac_plan_bytes(const sumac_plan *plan, const char *row);

/** The name of the context's named plan at an index, a constant, for sumac_tuning.plan; null past the end. The first is "auto", the planner's choice of every kind. */
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
