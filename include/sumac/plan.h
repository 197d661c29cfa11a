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

/** All the choices for one call. A plan is a pure function of curve, sizes, machine and options. It is immutable and
 *  shared by threads; it needs no context, and outlives the one that created it. Queries of a null plan return 0 or
 *  null. */
typedef struct sumac_plan sumac_plan;

/** Create the plan that a call would use.
 *  @param bases_config null for the defaults; with f > 1, its multiples are planned for
 *  @param msm_config null for the defaults
 *  @param plan freed with sumac_plan_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_UNKNOWN_PLAN, SUMAC_MEMORY_LIMIT,
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plan_create(sumac_context *context, const sumac_group *group,
                                                        size_t n, const sumac_bases_config *bases_config,
                                                        const sumac_msm_config *msm_config,
                                                        sumac_plan **plan);

/** Create the plan that sumac_msm() would use for existing bases, with the window for which their multiples were
 *  computed. If that window has more buckets than the call has points for them, and they take more than 16 MiB of
 *  memory (on a GPU 128 MiB), the call does not use the multiples (the precompute factor is then 1) and chooses
 *  another window, unless config->c asks for that one.
 *  @return as sumac_plan_create(), and SUMAC_BAD_LENGTH if sumac_msm() would return it */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases,
                                                     size_t n, const sumac_msm_config *config,
                                                     sumac_plan **plan);

/** Copy the plan of a prepared call to a separate object, without waiting.
 *  @param plan freed with sumac_plan_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_plan(const sumac_call *call, sumac_plan **plan);

/** Free a plan; null is allowed. */
SUMAC_API void sumac_plan_destroy(sumac_plan *plan);

/** Return the plan's name, one of sumac_context_plan_name(), a constant. */
SUMAC_API const char *sumac_plan_name(const sumac_plan *plan);

/** Return the cost model's prediction; the bits of a window, c; the number of multiples used of each base, f; the
 *  bytes of workspace that the call takes. */
SUMAC_API double sumac_plan_milliseconds(const sumac_plan *plan);
SUMAC_API uint32_t sumac_plan_window_bits(const sumac_plan *plan);
SUMAC_API uint32_t sumac_plan_precompute_factor(const sumac_plan *plan);
SUMAC_API uint64_t sumac_plan_workspace_bytes(const sumac_plan *plan);

/** Return the name of the plan's number at an index; null past the end. Other versions may have other numbers:
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

/** Return the number with a name, exact below 2^53; 0 if there is none. */
SUMAC_API double sumac_plan_number(const sumac_plan *plan, const char *name);

/** Return the name of the stage at an index, in the order in which they run: "recode", "sort", "accumulate",
 *  "reduce", "combine"; null past the end. Other versions may have other stages. */
SUMAC_API const char *sumac_plan_stage(const sumac_plan *plan, size_t index);

/** Return the kind that the plan chose for a stage, a constant; for example, for combine "horner" on the CPU,
 *  "horner-host" or "horner-device" on a GPU. docs/internals/pipeline.md has all kinds. Null if there is no such
 *  stage. */
SUMAC_API const char *sumac_plan_kind(const sumac_plan *plan, const char *stage);

/** Return the name of the row at an index of the plan's memory; null past the end. "bases" (with multiples) and
 *  "scalars" are the inputs. The workspace follows, stage by stage: "staging", scalars on their way to a device;
 *  "host_resident", only in plans that have it: bases on their way, if they are too large for the device; the outputs
 *  of stages, "digits", "entries" and "buckets"; and their "scratch". "workspace" is the sum of these, aligned:
 *  exactly the bytes that a call allocates. "total" is bases, scalars and workspace. "pinned" is separate,
 *  page-locked host memory, which a call uses if a GPU's scalars, or bases that stay on the host, lie in pageable
 *  memory. "bases", "scalars", "staging", "host_resident", "workspace", "total" and "pinned" keep their meaning in
 *  all versions; the others may change. */
SUMAC_API const char *sumac_plan_row(const sumac_plan *plan, size_t index);

/** Return the bytes of the row with a name; 0 if there is none. */
SUMAC_API uint64_t sumac_plan_bytes(const sumac_plan *plan, const char *row);

/** Return the name of the context's named plan at an index, a constant, for sumac_tuning.plan; null past the end. The
 *  first is "auto", for which the planner chooses every kind. */
SUMAC_API const char *sumac_context_plan_name(const sumac_context *context, size_t index);

/** Describe a named plan for people, in sentences; "" if it has no description; null if there is no such plan. */
SUMAC_API const char *sumac_context_plan_about(const sumac_context *context, const char *name);

/** Describe a kind of a stage for people: a sentence without its end, whose subject is the stage; "" if it has no
 *  description; null if there is no such kind. `stage` and `kind` are those of sumac_plan_stage() and
 *  sumac_plan_kind(). */
SUMAC_API const char *sumac_context_kind_about(const sumac_context *context, const sumac_group *group,
                                               const char *stage, const char *kind);

#ifdef __cplusplus
}
#endif
#endif
