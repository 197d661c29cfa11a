/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file supraseal.h
 *  @brief The C functions of the crate supraseal-c2 0.1.2 (Apache-2.0), over sumac: Groth16 proofs over BLS12-381 for
 *  bellperson. They have the same names, arguments and layouts. docs/dropins.md describes how to use them. The crate in
 *  this folder declares them for Rust.
 *
 *  **Layouts.** A scalar has 32 bytes and a coordinate 48. They are in Montgomery form and little-endian, as blst holds
 *  them. Over Fp2 a coordinate is c0, then c1. A point is x, then y, and infinity is all zero. A density map has a bit
 *  for each variable: that of variable i is bit i % 64 of word i / 64.
 *
 *  **Errors.** A call that fails returns a code that is not 0, which is a sumac_status, and a sentence. It has then
 *  written nothing else, except that create_SRS() leaves a null handle. No call ends the process.
 *
 *  **Threads.** Any number of threads may make any calls at the same time, except that drop_SRS() must be the last call
 *  with its handle. Several calls with one handle, or with clones of it, compute at the same time.
 */
#ifndef SUMAC_SUPRASEAL_H
#define SUMAC_SUPRASEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SUMAC_SUPRASEAL_API __attribute__((visibility("default")))
#else
#define SUMAC_SUPRASEAL_API
#endif

/** The outcome of a call. */
typedef struct supraseal_error {
    int32_t code; /**< 0: the call succeeded; otherwise a sumac_status */
    char *
        message; /**< a sentence, which the caller frees with free(); null on success, or if there is no memory for it */
} supraseal_error;

/** A handle of loaded parameters. The parameters exist as long as a handle of them does. */
typedef struct supraseal_srs {
    struct supraseal_parameters *parameters; /**< null: no parameters */
} supraseal_srs;

/** One circuit's values, and the density maps of its variables. The caller keeps all memory. */
typedef struct supraseal_assignment {
    const uint64_t *a_aux_density; /**< the auxiliary variables that occur in A */
    size_t a_aux_bit_len;          /**< the number of auxiliary variables */
    size_t a_aux_popcount;         /**< how many bits of the map are set */
    const uint64_t *b_inp_density; /**< the inputs that occur in B */
    size_t b_inp_bit_len;          /**< the number of inputs */
    size_t b_inp_popcount;
    const uint64_t *b_aux_density; /**< the auxiliary variables that occur in B */
    size_t b_aux_bit_len;          /**< the number of auxiliary variables */
    size_t b_aux_popcount;
    const void *a, *b, *c; /**< the values of each constraint's A, B and C, abc_size scalars each */
    size_t abc_size;       /**< the number of constraints, at most one more than the parameters' points H */
    const void *inp_assignment_data; /**< the inputs' values, of which the first one is 1 */
    size_t inp_assignment_size;
    const void *aux_assignment_data; /**< the auxiliary variables' values */
    size_t aux_assignment_size;
} supraseal_assignment;

/** The bytes of a scalar, and of a proof: points A of the first group, B of the second and C of the first. */
enum { SUPRASEAL_SCALAR_BYTES = 32, SUPRASEAL_PROOF_BYTES = 384 };

/** Load a file of bellperson's parameters (Parameters::write()). It must be a regular file that is exactly as long as its
 *  counts say. The verifying key's points are checked to lie in their subgroups, and none of the first six may be
 *  infinity. All other points are checked to lie on the curve.
 *  @param srs receives a new handle, to be freed with drop_SRS(); null on failure
 *  @param cache true: a cache of four files, by their paths, is looked up first, and keeps a handle of the parameters. The
 *  one that was not used for longest is evicted. Threads that ask for one path wait for one load
 *  @return codes are as those of sumac_bases_open() and sumac_groth16_verifying_key_create() */
SUMAC_SUPRASEAL_API supraseal_error create_SRS(supraseal_srs *srs, const char *path, bool cache);

/** Remove the path with which parameters were loaded from the cache. Handles remain valid. Null does nothing. */
SUMAC_SUPRASEAL_API void evict_SRS(const supraseal_srs *srs);

/** Free a handle. Null, and a null handle, are allowed. */
SUMAC_SUPRASEAL_API void drop_SRS(supraseal_srs *srs);

/** Return another handle of the same parameters, to be freed with drop_SRS(). */
SUMAC_SUPRASEAL_API supraseal_srs clone_SRS(const supraseal_srs *srs);

/** Compute the proofs of circuits, and verify them with the parameters' verifying key. A proof that does not hold is
 *  computed once more. If the second one does not hold either, the call fails with SUMAC_NOT_SATISFIED or, if the two
 *  differ, with SUMAC_DEVICE_FAILED.
 *  @param assignments `num_circuits` circuits, which fit the parameters
 *  @param r_s, s_s the random numbers r and s of each proof, one scalar each
 *  @param proofs receives `num_circuits` proofs of SUPRASEAL_PROOF_BYTES; written only if all succeed
 *  @return codes are SUMAC_BAD_ARGUMENT (a null pointer, or a first input that is not 1), SUMAC_MISMATCH (counts that
 *  differ from the parameters' or from the density maps'), SUMAC_BAD_ENCODING (a scalar that is not less than r),
 *  SUMAC_NOT_SATISFIED, SUMAC_DEVICE_FAILED, or as sumac_msm() */
SUMAC_SUPRASEAL_API supraseal_error generate_groth16_proofs_c(const supraseal_assignment *assignments,
                                                              size_t num_circuits, const void *r_s,
                                                              const void *s_s, void *proofs,
                                                              const supraseal_srs *srs);

#ifdef __cplusplus
}
#endif

#endif
