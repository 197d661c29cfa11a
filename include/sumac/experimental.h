/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file experimental.h
 *  @brief Functions that may change or vanish in any version: choices by hand, plans, known answers, MSMs of files,
 *  measured weights, values of pairings, hashes, parts of provers, and steps of other calls.
 *
 *  The frozen binary interface does not include these functions, and no other header includes this one. A program that uses
 *  this header must be built again for each version of the library.
 *
 *  **Tuning.** sumac_context_config, sumac_bases_config and sumac_msm_config have a field `tuning`, a text such as
 *  "c=16,chunks=4" that makes choices instead of the library. Only time and memory depend on it, and no result does. It
 *  consists of items WORD=VALUE with commas between them. If a word occurs twice, its last value counts. Null and "" choose
 *  nothing. One text may serve all three structs, because each struct uses only its own words:
 *
 *  | word                | used by    | value                                                                     |
 *  |---------------------|------------|---------------------------------------------------------------------------|
 *  | c                   | bases, MSM | bits of a window, at most 24; 0: the planner's choice. For bases, multiples or tables are made for this window |
 *  | chunks              | MSM        | slices of the input; 0: the planner's choice                              |
 *  | copy_slices         | MSM        | on a GPU, the number of slices, at most 4, in which a chunk is copied. Each is copied while the GPU works on the one before. If chunks add into the same buckets, only the first chunk has several. 0: the planner's choice; 1: no overlap |
 *  | large_bucket_factor | MSM        | on a GPU, all threads together add up all buckets, round by round, until no bucket has more than this many times the bases that equal buckets would have left. Then separate threads finish each bucket. In calls with few bases they do so from the start. The CPU never does. 0: the engine's choice |
 *  | reduction           | MSM        | how the buckets of a window are summed up: "auto"; "running-sum", with two additions for each bucket; "halving", with a sum for each bit of the buckets' numbers |
 *  | plan                | MSM        | a named plan of sumac_context_plans(), which is a published strategy to compare with (docs/plans.md). "auto": the planner chooses every kind. A library that was built with SUMAC_NAMED_PLANS=OFF has only "auto" |
 *  | variant             | context    | which CPU code runs: "portable", "adx", "avx2" or "avx512". Without this word, it is the fastest that the machine runs |
 *
 *  A text with another word, or with a value that is no such number or choice, is refused with SUMAC_BAD_ARGUMENT. An unknown
 *  plan is SUMAC_UNKNOWN_PLAN. Only the call that gets the struct reads the text.
 */
#ifndef SUMAC_EXPERIMENTAL_H
#define SUMAC_EXPERIMENTAL_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/groth16.h"
#include "sumac/kzg.h"
#include "sumac/msm.h"
#include "sumac/srs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Plans: the choices for a call, with its memory ---- */

/** Make the plan that a call would use. It depends only on the group, sizes, machine and options.
 *
 *  The plan is one JSON object: {"name": text, "milliseconds": number, "numbers": {name: number}, "kinds": {stage: kind},
 *  "bytes": {row: number}}. "name" is one of sumac_context_plans(), and "milliseconds" is the prediction of the cost model.
 *  Other versions may use other names.
 *
 *  "kinds" has the kind of each stage, in the order in which the stages run: "recode", "sort", "accumulate", "reduce",
 *  "combine". docs/internals/pipeline.md has all kinds.
 *
 *  "bytes" describes the memory. "bases" (with multiples) and "scalars" are the inputs. The workspace follows, stage by
 *  stage. "staging" is for scalars on their way to a device. "host_resident" is for bases on their way, if they are too large
 *  for the device; other plans do not have it. "digits", "entries" and "buckets" are the outputs of stages, and "scratch" is
 *  what stages use meanwhile. "workspace" is the sum of these, aligned, and exactly what a call allocates. "total" is bases,
 *  scalars and workspace. "pinned" is page-locked host memory, which none of the others includes. A call uses it if a GPU's
 *  scalars, or bases that stay on the host, lie in pageable memory.
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
 *  | glv_terms            | 2: lambda*P is used beside each base P, and each of them is multiplied by half of a scalar's bits (GLV); 1: it is not |
 *  | negate_large_scalars | 1: if k > r/2, -(r - k) is used instead, which saves a bit                      |
 *  | top_window_balancing | added multiples of r spread large scalars over [0, this*r/2). With two GLV terms, lattice vectors spread each term over so many intervals. The top digit then has more values, and no bucket is much larger than the others. 1: scalars are not spread |
 *  | modules              | bucket modules of one MSM, ceil(windows/(f*glv_terms))                          |
 *  | buckets              | buckets of one module, 2^(c-1), or one with fixed-base window tables            |
 *  | table_digits         | points kept for each multiple of a base: one, or 2^(c-1) with such tables       |
 *  | module_parts         | points of each module that "reduce" leaves to "combine"                         |
 *  | sub_batch            | MSMs that go from their scalars to their results together, before the next ones |
 *  | modules_per_pass     | modules, of all MSMs of a sub-batch, that are in memory at once                 |
 *  | passes               | passes over each chunk of a sub-batch                                           |
 *  | in_flight_passes     | passes that a device works on at the same time, each with arrays of its own     |
 *  | chunks               | slices of the input                                                             |
 *  | keeps_buckets        | 1: chunks add into the same buckets, which are reduced once; 0: each has its own |
 *  | copy_slices          | slices of a chunk, of which each is copied to a device while it works on the one before; with keeps_buckets, slices of the first chunk |
 *  | copy_slice_growth    | the size of a copy slice divided by the size of the one before                  |
 *  | threads              | threads that work on the call: fewer than the context's if there is little work |
 *  | task_entries         | bases that one thread adds up at a time; 0 on a GPU                             |
 *  | accumulate_additions | additions that "accumulate" is expected to need for uniform scalars             |
 *  | reduce_additions     | additions that "reduce" is expected to need                                     |
 *  | combine_additions    | additions and doublings that "combine" is expected to need                      |
 *  | devices              | devices that divide the call. With several, this is the plan of the one with the most work, whose calls have n and batch |
 *  | device_calls         | calls that this device runs                                                     |
 *
 *  @param n the number of bases of each MSM
 *  @param bases_config null for the defaults. If it asks for multiples, the plan uses them
 *  @param msm_config null for the defaults
 *  @param json the plan, a text that ends with 0; the caller frees it with sumac_free(). Null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_UNKNOWN_PLAN, SUMAC_MEMORY_LIMIT,
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plan_create(sumac_context *context, const sumac_group *group,
                                                        size_t n, const sumac_bases_config *bases_config,
                                                        const sumac_msm_config *msm_config, char **json);

/** Make the plan that sumac_msm() would use for existing bases, with the window for which their multiples were
 *  computed. That window may have more buckets than the call has points for them. If such buckets take more than 16 MiB of
 *  memory (on a GPU 128 MiB), the call chooses another window and does not use the multiples, and precompute_factor is 1. It
 *  keeps the window if config's tuning asks for it.
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
 *  without its full stop, whose subject is the stage. A text is "" if there is none.
 *  @param json a text that ends with 0; the caller frees it with sumac_free(). Null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_plans(sumac_context *context, const sumac_group *group,
                                                          char **json);

/* ---- Bases of known discrete logarithms, so that tests and benchmarks of any size know their answer ---- */

/** Create bases with known discrete logarithms: B_i = (u_(i mod m) + v_(i div m))*G with pseudo-random u and v from `seed`.
 *  Each base takes one batched affine addition.
 *  @param config null for the defaults
 *  @param bases the new bases, to be freed with sumac_bases_destroy(); null on failure
 *  @return as sumac_bases_create() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_bases_create(sumac_context *context,
                                                               const sumac_group *group, size_t count,
                                                               uint64_t seed,
                                                               const sumac_bases_config *config,
                                                               sumac_bases **bases);

/** Compute the discrete logarithms of the bases that sumac_known_bases_create() creates for this count and seed.
 *  @param logarithms receives count canonical scalars of scalar_bytes
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH, SUMAC_NOT_SUPPORTED (count is more than 2^31, the most bases) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_logarithms(sumac_context *context, const sumac_group *group,
                                                             size_t count, uint64_t seed, void *logarithms,
                                                             size_t logarithms_bytes);

/** Compute the answer to an MSM over n bases with the given discrete logarithms: (sum of k_i*d_i mod r)*G. One plain scalar
 *  multiplication does this, without the pipeline's code.
 *  @param scalars, logarithms n raw scalars k_i and d_i each
 *  @param result receives a raw canonical point of point_bytes
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH, SUMAC_NOT_SUPPORTED (n is more than 2^31),
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_answer(sumac_context *context, const sumac_group *group,
                                                         const void *scalars, size_t scalars_bytes,
                                                         const void *logarithms, size_t logarithms_bytes,
                                                         size_t n, void *result, size_t result_bytes);

/* ---- Devices ---- */

/** Measure the relative speeds of a context's devices, for the device_weights of another context. All devices compute
 *  MSMs of n bases at the same time, and the fastest of three runs counts. This context's weights do not change.
 *  @param n about as many bases as a device will have, at least 1
 *  @param weights receives one weight for each device: 1000 for the fastest, at least 1; written only on success
 *  @param weight_count the length of weights, at least the number of devices
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH, and as sumac_known_bases_create() and sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_measure_weights(sumac_context *context,
                                                                    const sumac_group *group, size_t n,
                                                                    uint32_t *weights, size_t weight_count);

/* ---- Files ---- */

/** Read a file of raw scalars. A pipe or a device is read to its end. On the CPU, it is SUMAC_MEMORY_LIMIT if it is longer
 *  than the context's memory_limit.
 *  @param scalars the new scalars of scalar_bytes each, which the caller frees with sumac_free()
 *  @param scalars_bytes receives their length, a multiple of scalar_bytes
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_BAD_LENGTH, SUMAC_READ_FAILED, SUMAC_OUT_OF_MEMORY, SUMAC_MEMORY_LIMIT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_scalars_read(sumac_context *context, const sumac_group *group,
                                                         const char *path, void **scalars,
                                                         size_t *scalars_bytes);

/** How sumac_msm_files() reads and computes. */
typedef struct sumac_files_config {
    size_t size;
    /** The format of the bases, as for sumac_bases_open(), but not a trusted setup or a table with multiples; null: a table
     *  if the file begins like one, otherwise raw. */
    const char *format;
    uint32_t check;            /**< how far the bases are checked; by default that they lie on the curve */
    uint32_t outside_subgroup; /**< 1: bases may lie outside the subgroup */
    /** The first base and scalar that are used. For a table it must be 0, because the checksum is that of all points. */
    uint64_t first;
    uint64_t n; /**< how many bases and scalars are used; 0: all from `first` on, and both files must have
                             equally many */
    /** The most bytes of host memory that the call uses for a chunk's bases and scalars, buffers and the workspace.
     *  0: the context's memory_limit or, if that is 0, half of the free memory. A GPU also holds a chunk's bases and
     *  scalars if they need at most half of its memory. The context's memory_limit bounds the GPU's workspace. */
    uint64_t memory_limit;
    uint64_t chunk; /**< bases of a chunk; 0: what the planner predicts to be fastest within the limit */
    /** A checkpoint file, from which interrupted work continues; null: none. If the file exists, it must be a
     *  checkpoint of this MSM. Otherwise it is created, and removed again if the call fails before a chunk is in it.
     *  It is always replaced as a whole. After the call it remains until the caller removes it, and a repeated call returns
     *  the same result from it. A descriptor, a device or a pipe is SUMAC_NOT_SUPPORTED. */
    const char *checkpoint;
    /** How many milliseconds must have passed since the last checkpoint for another one after a chunk; 0: 2000. The time is
     *  rounded up, so that 1 means a checkpoint after each chunk. If the last checkpoint, which has the result, cannot be
     *  written, that is no failure: the one before it leads to the same result. */
    uint64_t checkpoint_milliseconds;
} sumac_files_config;

/** The outcome of a call of sumac_msm_files(). */
typedef struct sumac_files_report {
    size_t size;
    uint64_t n;            /**< bases and scalars of the MSM */
    uint64_t resumed;      /**< how many of them the checkpoint had */
    uint64_t chunk;        /**< bases of a chunk, at most */
    uint64_t memory_bytes; /**< how much of memory_limit was planned for, in the host's memory */
    double load_seconds;   /**< how long the call waited for bytes and imported bases from them */
    double msm_seconds;    /**< how long the call multiplied */
} sumac_files_report;

/** Compute one MSM of the bases in one file and the scalars in another, within bounded memory. The result is that of
 *  sumac_msm(), whatever the chunks. Example: examples/files.c.
 *
 *  Both must be regular files. A separate thread, with a GPU up to 16 threads, reads them while the context's threads
 *  or the GPU import and multiply. The context's progress() covers the whole call. If it ends the call, the last
 *  checkpoint remains. The call fails if a table's checksum does not match, or if a file is truncated, grows or is written
 *  to meanwhile, as its length and time of modification show.
 *
 *  @param context its workspace is released if it exceeds what the limit allows
 *  @param bases_path, scalars_path scalars are raw, as for sumac_scalars_read()
 *  @param config null for the defaults
 *  @param msm_config null for the defaults. There is one MSM on the host: batch is 0 or 1, and first is 0. scalar_bytes and
 *  scalar_signed are SUMAC_NOT_SUPPORTED
 *  @param result receives a raw affine point of point_bytes; written only on success
 *  @param report the caller sets its size, or passes null; written only on success
 *  @return as sumac_bases_open() and sumac_msm(), and SUMAC_NOT_SUPPORTED (a pipe, another format, a table
 *  with multiples), SUMAC_BAD_LENGTH (not as many scalars as bases, or fewer than first + n),
 *  SUMAC_MEMORY_LIMIT (the message says how many bytes were missing), SUMAC_BAD_FILE (a file that changed),
 *  SUMAC_BAD_CHECKSUM; with a checkpoint SUMAC_MISMATCH (a checkpoint of another MSM), SUMAC_BAD_FILE (no checkpoint,
 *  or one of another version), SUMAC_WRITE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_files(sumac_context *context, const sumac_group *group,
                                                      const char *bases_path, const char *scalars_path,
                                                      const sumac_files_config *config,
                                                      const sumac_msm_config *msm_config, void *result,
                                                      size_t result_bytes, sumac_files_report *report);

/* ---- Values of sumac/pairing.h ---- */

/** Compute the value e(P_0, Q_0) * e(P_1, Q_1) * ..., for which sumac_pairing_check() only says if it is one.
 *
 *  e is the pairing of gnark-crypto, with the same final exponentiation. Other libraries may compute a fixed power of it.
 *  The value lies in Gt, in Fp12 = Fp2[v, w] with w^2 = v. The coefficients of 1, v, v^2, w, v*w, v^2*w follow each other.
 *  Each has c0, then c1, of c0 + c1*u in Fp2, as canonical integers of field_bytes, little-endian. For bw6-761 the field is
 *  Fp6 = Fp[v, w], and each coefficient is one integer. These are the bytes of GT.Bytes() of gnark-crypto in reverse.
 *  @param group, g1_points, g2_points, count, check as for sumac_pairing_check()
 *  @param value receives the 12 * field_bytes bytes of the value, for bw6-761 6 * field_bytes; written only on success. If count is 0, the value is one
 *  @return as sumac_pairing_check(); SUMAC_BAD_LENGTH also if value_bytes is less than that */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pairing_value(sumac_context *context, const sumac_group *group,
                                                          const void *g1_points, size_t g1_points_bytes,
                                                          const void *g2_points, size_t g2_points_bytes,
                                                          size_t count, sumac_check check, void *value,
                                                          size_t value_bytes);

/* ---- Parts of provers of one's own, with sumac/vector.h and sumac/srs.h. Example: examples/plonk_prover.c ---- */

/** Compute a challenge by Fiat and Shamir: the hash of what the verifier knows, as a big-endian integer modulo r.
 *
 *  A transcript is bytes in the caller's memory. Each message of the prover is appended, and each challenge or, as for snarkjs
 *  and gnark, what takes its place there. sumac_vector_get() writes raw scalars and points, and sumac_points_encode() the
 *  formats of other libraries.
 *  @param group whose scalars challenges are
 *  @param hash "keccak256", which is Ethereum's, or "sha256"
 *  @param transcript may be null if it has no bytes
 *  @param challenge receives one raw scalar of scalar_bytes
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (also an unknown hash), SUMAC_BAD_LENGTH */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_challenge(sumac_context *context, const sumac_group *group,
                                                      const char *hash, const void *transcript,
                                                      size_t transcript_bytes, void *challenge,
                                                      size_t challenge_bytes);

/** Open several polynomials, each at several points of its own, by a proof of two points, whatever their numbers (shplonk,
 *  eprint 2020/081, section 4). This is the first of three calls. It computes
 *
 *      h = sum_i factor_i * (f_i - r_i) / Z_i
 *
 *  where Z_i has a simple zero at each point at which f_i is opened, and r_i is the polynomial of the lowest degree that
 *  has the values of f_i there. sumac_srs_open() without proofs computes values.
 *
 *  The proof is sound if the factors are powers of a challenge that depends on the commitments, points and values, and if
 *  the evaluation point of the next two calls is a challenge that also depends on the commitment to h.
 *  @param srs at least n - 1 points
 *  @param polynomials count*n scalars: at least one polynomial
 *  @param n the number of coefficients of each polynomial, at least 1
 *  @param points 1 to 64 different scalars
 *  @param opened count * count(points) bytes in host memory, a row for each polynomial: 1 if it is opened at that point,
 *  otherwise 0. Each polynomial must be opened at some point. Null: each is opened at all points
 *  @param factors count scalars
 *  @param quotient receives n scalars: the coefficients of h, for sumac_shplonk_open()
 *  @param commitment receives a point: the commitment to h, which is the first point of the proof
 *  @return as sumac_srs_commit(), and SUMAC_BAD_LENGTH if opened_bytes is not that number */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_shplonk_quotient(sumac_context *context, const sumac_bases *srs,
                                                             const sumac_vector *polynomials, size_t n,
                                                             const sumac_vector *points, const void *opened,
                                                             size_t opened_bytes, const sumac_vector *factors,
                                                             sumac_vector *quotient,
                                                             sumac_vector *commitment);

/** Compute the second point of the proof that sumac_shplonk_quotient() began, the commitment to the quotient by X - z of
 *
 *      sum_i factor_i * Z(z)/Z_i(z) * (f_i - r_i(z)) - Z(z) * h
 *
 *  where Z has a simple zero at each of the points. Other libraries may divide by Z(z) or a factor of it.
 *  @param srs, polynomials, n, points, opened, factors, quotient as they were, and as it became, in that call
 *  @param evaluation_point one scalar, z
 *  @param proof receives a point
 *  @return as sumac_shplonk_quotient() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_shplonk_open(
    sumac_context *context, const sumac_bases *srs, const sumac_vector *polynomials, size_t n,
    const sumac_vector *points, const void *opened, size_t opened_bytes, const sumac_vector *factors,
    const sumac_vector *quotient, const sumac_vector *evaluation_point, sumac_vector *proof);

/** Verify such a proof by two pairings: check that the polynomial of each commitment has the given values at the points at
 *  which it is opened.
 *  @param group, g1_point, g2_points as for sumac_srs_verify()
 *  @param commitments one point for each polynomial; these and the proof are checked to lie in the subgroup
 *  @param points, opened, factors, evaluation_point as for sumac_shplonk_open(); the caller computes the challenges again
 *  @param values count(commitments) * count(points) scalars, a row for each polynomial. Those where it is not opened are not used
 *  @param proof two points, of sumac_shplonk_quotient() and sumac_shplonk_open()
 *  @param ok 1 if the proof holds, otherwise 0; written only on success
 *  @return as sumac_srs_verify(), and SUMAC_BAD_LENGTH if opened_bytes is not that number */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_shplonk_verify(
    sumac_context *context, const sumac_group *group, const void *g1_point, size_t g1_point_bytes,
    const void *g2_points, size_t g2_points_bytes, const sumac_vector *commitments,
    const sumac_vector *points, const void *opened, size_t opened_bytes, const sumac_vector *values,
    const sumac_vector *factors, const sumac_vector *evaluation_point, const sumac_vector *proof, int *ok);

/* ---- Steps of sumac/kzg.h ---- */

/** Compute the evaluation point of sumac_kzg_compute_blob_proof(): compute_challenge of the consensus specification.
 *  @param blob, commitment bytes, which are hashed without a check
 *  @param challenge receives one element
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_UNKNOWN_CURVE (this build lacks bls12-381) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_blob_challenge(sumac_context *context, const sumac_blob *blob,
                                                               const sumac_bytes48 *commitment,
                                                               sumac_bytes32 *challenge);

/** Compute the factor whose powers combine the cells of sumac_kzg_verify_cells():
 *  compute_verify_cell_kzg_proof_batch_challenge.
 *  @param commitments commitment_count different commitments
 *  @param commitment_indices the index in `commitments` of each cell's commitment
 *  @param cell_indices, cells, proofs one for each cell. All bytes are hashed without a check
 *  @param count the number of cells
 *  @param challenge receives one element
 *  @return as sumac_kzg_blob_challenge() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_cell_challenge(
    sumac_context *context, const sumac_bytes48 *commitments, size_t commitment_count,
    const uint64_t *commitment_indices, const uint64_t *cell_indices, const sumac_cell *cells,
    const sumac_bytes48 *proofs, size_t count, sumac_bytes32 *challenge);

/* ---- Verifying keys of sumac/groth16.h ---- */

/** Create a verifying key like sumac_groth16_verifying_key_create(), for proofs of gnark whose commitments have another hash
 *  than the default (backend.WithProverHashToFieldFunction, for example for a verifier in Solidity). A proving key that is
 *  opened with this verifying key has that hash, too.
 *  @param hash "xmd-sha256", the default, is hash_to_field() of RFC 9380 with SHA-256; "sha256" and
 *  "keccak256" are SHA-256 and Ethereum's Keccak-256 of the same bytes, as a big-endian integer modulo r. Null: the default. A
 *  prepared key has its own hash, and this is not used
 *  @param verifying as for sumac_groth16_verifying_key_create()
 *  @return as sumac_groth16_verifying_key_create(); SUMAC_BAD_ARGUMENT (also an unknown hash) */
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_groth16_verifying_key_create_hashing(sumac_context *context, const void *data, size_t data_bytes,
                                           const char *hash, sumac_groth16_verifying_key **verifying);

#ifdef __cplusplus
}
#endif

#endif
