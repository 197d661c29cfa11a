/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file experimental.h
 *  @brief Functions that may change or vanish in any version: choices by hand, plans, known answers, MSMs of files,
 * measured weights, steps of other calls.
 *
 *  They are not in the list of the frozen binary interface. Only programs include this header, and no other header does:
 * a program that uses it is built again for each version of the library.
 *
 *  **Tuning.** sumac_context_config, sumac_bases_config and sumac_msm_config have a field `tuning`, a text that makes
 *  choices in place of the library: "c=16,chunks=4". No result depends on it, only time and memory do. It consists of
 *  items WORD=VALUE with commas between them. If a word occurs twice, its last value counts. Null and "" choose nothing.
 *  One text may serve all three structs, because each uses its own words alone:
 *
 *  | word                | used by    | value                                                                     |
 *  |---------------------|------------|---------------------------------------------------------------------------|
 *  | c                   | bases, MSM | bits of a window, at most 24; 0: the planner's choice. For bases: the window for which multiples or tables are made |
 *  | chunks              | MSM        | slices of the input; 0: the planner's choice                              |
 *  | copy_slices         | MSM        | at most 4: on a GPU, the parts in which a chunk is copied, each while the part before is worked on; where chunks add into the same buckets, only the first chunk has parts. 0: the planner's choice; 1: no overlap |
 *  | large_bucket_factor | MSM        | on a GPU, all threads together add up all buckets, round by round, until no bucket has more than this many times the bases that equal buckets would have left; then separate threads finish each bucket. 0: the engine's choice. In calls with few bases every bucket has separate threads from the start; on the CPU none has |
 *  | reduction           | MSM        | how the buckets of a window are summed up: "auto"; "running-sum", two additions a bucket; "halving", a sum for each bit of the buckets' numbers |
 *  | plan                | MSM        | a named plan of sumac_context_plans(), a published strategy to compare with (docs/plans.md); "auto": the planner chooses every kind. A library that was built with SUMAC_NAMED_PLANS=OFF has "auto" alone |
 *  | variant             | context    | CPU code: "portable", "adx", "avx2" or "avx512"; without this word the fastest that the machine runs |
 *
 *  A text with another word, or with a value that is no such number or choice, is refused: SUMAC_BAD_ARGUMENT. An unknown
 *  plan is SUMAC_UNKNOWN_PLAN. The text is read by the call alone that gets the struct.
 */
#ifndef SUMAC_EXPERIMENTAL_H
#define SUMAC_EXPERIMENTAL_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/kzg.h"
#include "sumac/msm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Plans: the choices for a call, with its memory ---- */

/** Make the plan that a call would use. It is a pure function of group, sizes, machine and options.
 *
 *  The plan is one JSON object: {"name": text, "milliseconds": number, "numbers": {name: number}, "kinds": {stage: kind},
 *  "bytes": {row: number}}. "name" is one of sumac_context_plans(), and "milliseconds" is the prediction of the cost model.
 *  Other versions may have other names.
 *
 *  "kinds" has the kind of each stage, in the order in which the stages run: "recode", "sort", "accumulate", "reduce",
 *  "combine". docs/internals/pipeline.md has all kinds.
 *
 *  "bytes" describes the memory. "bases" (with multiples) and "scalars" are the inputs. The workspace follows, stage by
 *  stage: "staging", scalars on their way to a device; "host_resident", only in plans that have it: bases on their way, if
 *  they are too large for the device; the outputs of stages, "digits", "entries" and "buckets"; and their "scratch".
 *  "workspace" is the sum of these, aligned: exactly the bytes that a call allocates. "total" is bases, scalars and
 *  workspace. "pinned" is separate, page-locked host memory, which a call uses if a GPU's scalars, or bases that stay on
 *  the host, lie in pageable memory.
 *
 *  "numbers" has these names:
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
 *  | devices              | devices that share the call out; if more than one, the plan is that of the one with the most work: n and batch are those of its calls |
 *  | device_calls         | calls that it makes                                                             |
 *
 *  @param bases_config null for the defaults; with f > 1, its multiples are planned for
 *  @param msm_config null for the defaults
 *  @param json the plan, a text that ends with 0; free it with sumac_free(). Null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_UNKNOWN_PLAN, SUMAC_MEMORY_LIMIT,
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plan_create(sumac_context *context, const sumac_group *group,
                                                        size_t n, const sumac_bases_config *bases_config,
                                                        const sumac_msm_config *msm_config, char **json);

/** Make the plan that sumac_msm() would use for existing bases, with the window for which their multiples were
 *  computed. If that window has more buckets than the call has points for them, and they take more than 16 MiB of
 *  memory (on a GPU 128 MiB), the call does not use the multiples (the precompute factor is then 1) and chooses
 *  another window, unless the config's tuning asks for that one.
 *  @param json as sumac_plan_create() writes it
 *  @return as sumac_plan_create(), and SUMAC_BAD_LENGTH if sumac_msm() would return it */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases,
                                                     size_t n, const sumac_msm_config *config, char **json);

/** Describe the plan of a prepared call.
 *  @param json as sumac_plan_create() writes it
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_plan(const sumac_call *call, char **json);

/** Describe the named plans of a context, and the kinds that plans for a group may have, for people.
 *
 *  The description is one JSON object: {"plans": {name: about}, "kinds": {stage: {kind: about}}}. The first plan is "auto",
 *  for which the planner chooses every kind. The text about a plan is sentences. The text about a kind is a sentence
 *  without its end, whose subject is the stage. Either is "" if there is none.
 *  @param json a text that ends with 0; free it with sumac_free(). Null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_plans(sumac_context *context, const sumac_group *group,
                                                          char **json);

/* ---- Bases of known discrete logarithms, so that tests and benchmarks of any size know their answer ---- */

/** Create bases with known discrete logarithms, B_i = (u_(i mod m) + v_(i div m))*G with u and v from `seed`, by one
 *  batched affine addition for each base.
 *  @return as sumac_bases_create() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_bases_create(sumac_context *context,
                                                               const sumac_group *group, size_t count,
                                                               uint64_t seed,
                                                               const sumac_bases_config *config,
                                                               sumac_bases **bases);

/** Compute the discrete logarithms of sumac_known_bases_create().
 *  @param logarithms count canonical scalars of scalar_bytes
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH, SUMAC_NOT_SUPPORTED (count is more than 2^31, the most bases) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_logarithms(sumac_context *context, const sumac_group *group,
                                                             size_t count, uint64_t seed, void *logarithms,
                                                             size_t logarithms_bytes);

/** Compute the answer to an MSM over n bases with the given discrete logarithms: (sum of k_i*d_i mod r)*G, by one plain
 *  scalar multiplication that shares no code with the pipeline.
 *  @param scalars, logarithms n of scalar_bytes each
 *  @param result a raw affine point of point_bytes
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH, SUMAC_NOT_SUPPORTED (n is more than 2^31),
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_answer(sumac_context *context, const sumac_group *group,
                                                         const void *scalars, size_t scalars_bytes,
                                                         const void *logarithms, size_t logarithms_bytes,
                                                         size_t n, void *result, size_t result_bytes);

/* ---- Devices ---- */

/** Measure the relative speeds of a context's devices, for the device_weights of another context: all devices compute
 *  MSMs of n bases at the same time, and the fastest of three runs counts. This context's weights do not change.
 *  @param n about as many bases as a device will have, at least 1
 *  @param weights one for each device: 1000 for the fastest, at least 1; written only on success
 *  @param weight_count the length of weights, at least the number of devices
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH, and as sumac_known_bases_create() and sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_measure_weights(sumac_context *context,
                                                                    const sumac_group *group, size_t n,
                                                                    uint32_t *weights, size_t weight_count);

/* ---- Files ---- */

/** Read a file of raw scalars. A pipe or a device is read to its end; on the CPU, one that is longer than the
 *  context's memory_limit is SUMAC_MEMORY_LIMIT.
 *  @param scalars scalars of scalar_bytes each, malloc'd; free them with sumac_free()
 *  @param scalars_bytes their length, a multiple of scalar_bytes
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_BAD_LENGTH, SUMAC_READ_FAILED, SUMAC_OUT_OF_MEMORY, SUMAC_MEMORY_LIMIT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_scalars_read(sumac_context *context, const sumac_group *group,
                                                         const char *path, void **scalars,
                                                         size_t *scalars_bytes);

typedef struct sumac_files_config {
    size_t size;
    const char *format;        /**< of the bases, as for sumac_bases_open(): any but a trusted
                             setup, and a table without multiples; null: a table if the file begins like one, else
                             raw */
    uint32_t check;            /**< of the bases; by default that they lie on the curve */
    uint32_t outside_subgroup; /**< 1: bases may lie outside the subgroup */
    uint64_t first; /**< the first base and scalar that are used; of a table, whose checksum is that of
                             all points, 0 */
    uint64_t n;     /**< how many; 0: all that follow `first`, of which the files must have equally many */
    /** The most bytes of host memory that the call uses for a chunk's bases and scalars, buffers and the workspace.
     *  0: the context's memory_limit or, if that is 0, half of the free memory. A GPU also holds a chunk's bases and
     *  scalars if they need at most half of its memory; the context's memory_limit bounds its workspace. */
    uint64_t memory_limit;
    uint64_t chunk; /**< bases of a chunk; 0: what the planner predicts to be fastest within the limit */
    /** A checkpoint file, from which interrupted work continues; null: none. If the file exists, it must be a
     *  checkpoint of this MSM. Otherwise it is created, and removed again if the call fails before a chunk is in it.
     *  It is always replaced as a whole, and remains after the call: a repeated call returns the same result from it,
     *  until the caller removes it. A descriptor, a device or a pipe is SUMAC_NOT_SUPPORTED. */
    const char *checkpoint;
    /** The least number of milliseconds from one checkpoint to the next, of which a part counts as a whole, so that 1 writes
     *  a checkpoint after each chunk; 0: 2000. The last checkpoint, with the result, is
     *  written if possible: the one before it leads to the same result. */
    uint64_t checkpoint_milliseconds;
} sumac_files_config;

/** The outcome of a call of sumac_msm_files(). */
typedef struct sumac_files_report {
    size_t size;
    uint64_t n;            /**< bases and scalars of the MSM */
    uint64_t resumed;      /**< how many of them the checkpoint had */
    uint64_t chunk;        /**< bases of a chunk, at most */
    uint64_t memory_bytes; /**< of the host's memory, of memory_limit: what was planned for */
    double load_seconds;   /**< seconds of waiting for bytes and importing bases from them */
    double msm_seconds;    /**< seconds of multiplying */
} sumac_files_report;

/**
 * Compute one MSM of the bases in one file and the scalars in another, within bounded memory. The result is that of
 * sumac_msm(), whatever the chunks.
 *
 * Both must be regular files. A separate thread, with a GPU up to 16 threads, reads them while the context's threads
 * or the GPU import and multiply. The context's progress() covers the whole call; if it ends the call, the last
 * checkpoint remains. The call fails if a file is truncated, grows or is written to meanwhile, as its length and time
 * of modification show, or if a table's checksum does not match.
 *
 * @param context      its workspace is released if it exceeds what the limit allows
 * @param bases_path, scalars_path  scalars are raw, as for sumac_scalars_read()
 * @param config       null for the defaults
 * @param msm_config   null for the defaults; batch 1, first 0, on the host
 * @param result       a raw affine point of point_bytes, written on success
 * @param result_bytes the length of result, at least point_bytes
 * @param report       whose size is set, or null; written on success
 * @return as sumac_bases_open() and sumac_msm(), and SUMAC_NOT_SUPPORTED (a pipe, another format, a table
 * with multiples), SUMAC_BAD_LENGTH (not as many scalars as bases, or fewer than first + n),
 * SUMAC_MEMORY_LIMIT (the message says how many bytes were missing), SUMAC_BAD_FILE (a file that changed),
 * SUMAC_BAD_CHECKSUM; with a checkpoint SUMAC_MISMATCH (one of another MSM), SUMAC_BAD_FILE (no checkpoint,
 * or one of another version), SUMAC_WRITE_FAILED
 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_files(sumac_context *context, const sumac_group *group,
                                                      const char *bases_path, const char *scalars_path,
                                                      const sumac_files_config *config,
                                                      const sumac_msm_config *msm_config, void *result,
                                                      size_t result_bytes, sumac_files_report *report);

/* ---- Steps of sumac/kzg.h ---- */

/** Compute the evaluation point of sumac_kzg_compute_blob_proof(): compute_challenge of the consensus specification.
 *  @param blob, commitment bytes, which are hashed unchecked
 *  @param challenge one element */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_blob_challenge(sumac_context *context, const sumac_blob *blob,
                                                               const sumac_bytes48 *commitment,
                                                               sumac_bytes32 *challenge);

/** Compute the factor whose powers combine the cells of sumac_kzg_verify_cells():
 *  compute_verify_cell_kzg_proof_batch_challenge.
 *  @param commitments commitment_count different ones
 *  @param commitment_indices, cell_indices, cells, proofs count of each; bytes are hashed unchecked
 *  @param challenge one element */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_cell_challenge(
    sumac_context *context, const sumac_bytes48 *commitments, size_t commitment_count,
    const uint64_t *commitment_indices, const uint64_t *cell_indices, const sumac_cell *cells,
    const sumac_bytes48 *proofs, size_t count, sumac_bytes32 *challenge);

#ifdef __cplusplus
}
#endif

#endif
