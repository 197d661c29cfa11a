/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file groth16.h
 *  @brief Groth16 proofs with the keys and witnesses of snarkjs (from .zkey and .wtns to proof.json) and of gnark.
 *
 *  A *circuit* is a system of constraints over *wires*: values modulo r, of which wire 0 is the constant one, and the
 *  next ones are its *public inputs* (circom's outputs come first among them). A *witness* is the value of every wire. A
 *  *proving key* is made for one circuit; a proof shows that its maker knew a witness with the given public inputs.
 *
 *  **Never a bad proof.** Each proof is verified with the key before it is returned. One that does not hold is computed
 *  once more; if that one does not hold either, the call fails and says what the two had in common:
 *  SUMAC_NOT_SATISFIED where they are the same, so that the witness or the key is to blame, SUMAC_DEVICE_FAILED where
 *  they differ, and the machine is.
 *
 *  **Randomness.** A proof has two random numbers, r and s, which hide the witness. They come from the system
 *  (getrandom()). Tests give their own, and then the proof is the same bytes on every backend and number of threads. Two
 *  proofs of different witnesses with the same r and s are not zero-knowledge.
 *
 *  **Layout.** Wires and public inputs are raw scalars, and must be less than r. A proof is the points A of the first
 *  group, B of the second, C of the first, raw and canonical, one behind the other: proof_bytes. Curves are BN254 and
 *  BLS12-381; with gnark's keys BLS12-377 and BW6-761, too, which have no pairing here: their proofs can't be verified,
 *  and are made only with sumac_groth16_prove_config.unverified.
 *
 *  **gnark.** Its proving keys do not have the constraints' matrices A and B: gnark's solver multiplies them with the
 *  wires. A witness is the wires, then A times them and B times them, `domain` scalars each, in the order of the
 *  constraints and 0 behind the last one: what its R1CSSolution has as W, A and B. Its verifying keys are files of their
 *  own. Files are those of gnark 0.11 to 0.16; circuits with commitments are not supported.
 *
 *  **Threads.** Keys are immutable. Any number of threads may prove and verify with one key at the same time, each with a
 *  context of its own, of the backend and device of the one that opened it; pool.h has contexts for them. sumac_..._destroy()
 *  waits for nobody: no call that uses the key may be going on. Proving takes time that depends on the witness.
 *
 *  Errors, sizes and raw layout are as in sumac.h.
 */
#ifndef SUMAC_GROTH16_H
#define SUMAC_GROTH16_H

#include "sumac/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A proving key, resident on a backend, with its verifying key. Immutable. */
typedef struct sumac_groth16_key sumac_groth16_key;

/** A key that verifies proofs of one circuit. It is immutable. */
typedef struct sumac_groth16_verifying_key sumac_groth16_verifying_key;

typedef struct sumac_groth16_key_config {
    size_t size;
    sumac_check check; /**< of the key's points; by default SUMAC_CHECK_SUBGROUP */
    /** Multiples kept of each base, as sumac_bases_config has it; 1: none. 0: on a GPU and for a domain of 2^16 or more as
     * many, and 4 at most, as take no more than a quarter of its free memory; else none. A prepared key has those that it
     * was saved with, and 2 or more that are not as many are SUMAC_MISMATCH. */
    uint32_t precompute_factor;
    /** gnark's proving keys come without: what proofs of this one are verified with. It stays the caller's and must
     * live as long as the key. Null: they are not verified, and only prove_config.unverified proves. */
    const sumac_groth16_verifying_key *verifying;
} sumac_groth16_key_config;

/** Write the defaults that sumac_groth16_key_config_default() returns to a struct of `size` bytes. Bindings call it. */
SUMAC_API void sumac_groth16_key_config_init(sumac_groth16_key_config *config, size_t size);

/** The defaults: every point is checked to lie in its subgroup; multiples are chosen. */
static inline sumac_groth16_key_config sumac_groth16_key_config_default(void)
{
    sumac_groth16_key_config config;
    sumac_groth16_key_config_init(&config, sizeof config);
    return config;
}

/** Open a proving key of snarkjs (.zkey, Groth16), or of gnark: WriteTo(), WriteRawTo() or WriteDump(); or a prepared one of
 * sumac_groth16_key_save(), whose verifying key config's does not replace.
 *  @param path a file; what is not a regular file is read into memory
 *  @param config null for the defaults
 *  @param key freed with sumac_groth16_key_destroy(); null on failure
 *  @return SUMAC_OK; SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED (also where the system has no randomness, without which a .zkey
 * could be made to take a quadratic time); SUMAC_BAD_FILE (no .zkey, one of another proof system, a section
 * that is missing, there twice or of a wrong size, a coefficient of a wire or row that there is not, a count that does not
 * fit the others, as that of section 4, a file that is too short or too long), SUMAC_BAD_CHECKSUM (a prepared key that is damaged), SUMAC_UNKNOWN_CURVE (other primes than those of this build's curves), SUMAC_BAD_ENCODING (a coordinate or
 * coefficient that is not less than its prime), SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, each with file, section and
 * byte in the message; SUMAC_NOT_SUPPORTED (a domain for which r has no root of unity, a circuit with
 * gnark's commitments), SUMAC_MISMATCH (config's verifying key is another circuit's), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY,
 * SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_key_open(sumac_context *context, const char *path,
                                                             const sumac_groth16_key_config *config,
                                                             sumac_groth16_key **key);

/** The same from a file's bytes in memory.
 *  @param bytes `count` bytes, which are not kept
 *  @return as sumac_groth16_key_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_key_create(sumac_context *context, const void *bytes,
                                                               size_t count,
                                                               const sumac_groth16_key_config *config,
                                                               sumac_groth16_key **key);

/** Save a key as it is resident, with its multiples and the verifying key, so that it is opened in the time of a copy, with
 * SUMAC_CHECK_NONE: on any backend and device, also another one than it was saved from. Checksums find damage and are no
 * protection against forgery: as of any proving key, its maker can have proofs tell the witness.
 *  @param context that can prove with the key
 *  @param path written whole or not at all
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_key_save(sumac_context *context,
                                                             const sumac_groth16_key *key, const char *path);

/** Free a key and its verifying key; null is allowed. */
SUMAC_API void sumac_groth16_key_destroy(sumac_groth16_key *key);

/** What a key is for. */
typedef struct sumac_groth16_info {
    size_t size;
    const sumac_curve *g1; /**< whose scalars the wires are */
    const sumac_curve *g2;
    uint64_t wires;        /**< scalars of a witness; of one for gnark's keys the first ones */
    uint64_t publics;      /**< public inputs, wires 1 .. publics */
    uint64_t domain;       /**< a power of two: at least the constraints */
    uint64_t coefficients; /**< that are not 0, in A and B together; 0 with gnark's keys */
    uint64_t witness_bytes;
    uint64_t publics_bytes;
    uint64_t proof_bytes;
    uint64_t key_bytes;         /**< that the key takes where it is resident */
    uint64_t has_verifying_key; /**< 0: a key of gnark that was opened without one, else 1 */
} sumac_groth16_info;

SUMAC_API void sumac_groth16_info_init(sumac_groth16_info *info, size_t size);

/** An empty one, to be filled. */
static inline sumac_groth16_info sumac_groth16_info_default(void)
{
    sumac_groth16_info info;
    sumac_groth16_info_init(&info, sizeof info);
    return info;
}

/** Describe a key: all that the caller's struct has room for is written. Of a verifying key alone wires, domain,
 * coefficients, witness_bytes and key_bytes are 0.
 *  @param info its size is set
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_key_describe(const sumac_groth16_key *key,
                                                                 sumac_groth16_info *info);
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_groth16_verifying_key_describe(const sumac_groth16_verifying_key *verifying, sumac_groth16_info *info);

/** A witness from a file of circom (.wtns), or for gnark's keys of what its solver made (R1CSSolution.WriteTo()).
 *  @param witness malloc'd, witness_bytes of the key; the caller frees it with sumac_free()
 *  @return SUMAC_OK; SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_LENGTH (another number of wires, or more
 * constraints than the domain has room for), SUMAC_MISMATCH (another prime), SUMAC_BAD_ENCODING (a value that is not less than r), SUMAC_BAD_ARGUMENT,
 * SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_witness_open(sumac_context *context,
                                                                 const sumac_groth16_key *key,
                                                                 const char *path, void **witness);

/** The same from a file's bytes in memory.
 *  @param bytes `count` bytes, which are not kept
 *  @return as sumac_groth16_witness_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_witness_create(sumac_context *context,
                                                                   const sumac_groth16_key *key,
                                                                   const void *bytes, size_t count,
                                                                   void **witness);

/** Whether a witness satisfies the constraints of a circuit (.r1cs), which a key does not have.
 *  @param witness witness_bytes of the key
 *  @param r1cs_path the circuit that the key was made for: as many wires and public inputs
 *  @return SUMAC_OK; SUMAC_NOT_SATISFIED, with the first constraint that does not hold in the message; SUMAC_CANNOT_OPEN,
 * SUMAC_READ_FAILED (also where the system has no randomness), SUMAC_BAD_FILE, SUMAC_MISMATCH (another prime, other numbers of wires), SUMAC_BAD_ENCODING,
 * SUMAC_BAD_ARGUMENT (wire 0 is not 1), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_witness_check(sumac_context *context,
                                                                  const sumac_groth16_key *key,
                                                                  const void *witness, const char *r1cs_path);

typedef struct sumac_groth16_prove_config {
    size_t size;
    /** For tests: r and s of each proof, raw and less than the order; null: the system's. */
    const void *randomness;
    uint32_t unverified; /**< 1: proofs are returned as they are computed, without verifying them */
    uint32_t reserved;   /**< 0 */
} sumac_groth16_prove_config;

/** Write the defaults that sumac_groth16_prove_config_default() returns to a struct of `size` bytes. Bindings call it. */
SUMAC_API void sumac_groth16_prove_config_init(sumac_groth16_prove_config *config, size_t size);

/** The defaults: randomness of the system, verified before they are returned. */
static inline sumac_groth16_prove_config sumac_groth16_prove_config_default(void)
{
    sumac_groth16_prove_config config;
    sumac_groth16_prove_config_init(&config, sizeof config);
    return config;
}

/** Prove: a proof for each of `count` witnesses.
 *  @param witnesses count times witness_bytes, one witness behind the other
 *  @param count any number. Small circuits share sums and transforms, as many at once as is fast; memory does not grow
 * with the count
 *  @param config null for the defaults
 *  @param proofs count times proof_bytes; written only if all are there
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING (a value that is not less than r), SUMAC_BAD_ARGUMENT (wire 0 of a witness is not 1; a
 * key of another device), SUMAC_NOT_SATISFIED, SUMAC_DEVICE_FAILED, each with the witness in the message;
 * SUMAC_NOT_SUPPORTED (proofs of this key can't be verified, and config does not say unverified), SUMAC_READ_FAILED (the system has no randomness), or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_prove(sumac_context *context,
                                                          const sumac_groth16_key *key, const void *witnesses,
                                                          size_t count,
                                                          const sumac_groth16_prove_config *config,
                                                          void *proofs);

/** The same with witnesses that lie where the context computes, as those that are made on a GPU.
 *  @param witnesses scalars of the key's first group, `wires` of each witness, one witness behind the other
 *  @return as sumac_groth16_prove(); SUMAC_BAD_LENGTH (a vector that is too short), SUMAC_BAD_ARGUMENT (other elements, or a
 * vector of another device), SUMAC_NOT_SUPPORTED (gnark's key, whose witnesses are solved ones) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_prove_vector(sumac_context *context,
                                                                 const sumac_groth16_key *key,
                                                                 const sumac_vector *witnesses, size_t count,
                                                                 const sumac_groth16_prove_config *config,
                                                                 void *proofs);

/** The verifying key of a proving key, with which it lives: the caller's, if config had one. Of a key of gnark without it
 * all that is known is the curve and the number of public inputs. */
SUMAC_API const sumac_groth16_verifying_key *sumac_groth16_key_verifying(const sumac_groth16_key *key);

/** Open a verifying key alone: a verification_key.json of snarkjs; a .zkey, or a prepared key, of which no more is read; or one of gnark.
 * Its points are checked to lie in their subgroups. Nothing shows that a ceremony made them: a verifying key is trusted. One
 * with alpha, beta, gamma or delta at infinity is opened and verifies by the equation as it stands, which lacks a factor then,
 * so that proofs may be made without a witness. A caller who takes keys from others must refuse those.
 *  @param verifying freed with sumac_groth16_verifying_key_destroy(); null on failure
 *  @return as sumac_groth16_key_open(); SUMAC_BAD_FILE (also JSON whose nPublic is not the number of IC's points less one;
 * without nPublic IC's points count), SUMAC_MISMATCH (JSON of another protocol), SUMAC_NOT_SUPPORTED (of a circuit with
 * gnark's commitments) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_verifying_key_open(
    sumac_context *context, const char *path, sumac_groth16_verifying_key **verifying);

/** The same from a file's bytes in memory.
 *  @param bytes `count` bytes, which are not kept
 *  @return as sumac_groth16_verifying_key_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_verifying_key_create(
    sumac_context *context, const void *bytes, size_t count, sumac_groth16_verifying_key **verifying);

/** Free a verifying key of sumac_groth16_verifying_key_open() or _create(); null is allowed. */
SUMAC_API void sumac_groth16_verifying_key_destroy(sumac_groth16_verifying_key *verifying);

/** Whether a proof holds: e(A, B) = e(alpha, beta) e(IC_0 + x_1*IC_1 + ..., gamma) e(C, delta).
 *  @param publics publics_bytes: the public inputs x_i
 *  @param proof proof_bytes; its points are checked
 *  @param holds 1 or 0; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING (a public input that is not less than r, a coordinate that is not less than p),
 * SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, SUMAC_NOT_SUPPORTED (no pairing of the curve, or a key of a proving key that
 * came without it), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_verify(sumac_context *context,
                                                           const sumac_groth16_verifying_key *verifying,
                                                           const void *publics, const void *proof,
                                                           int *holds);

/** Whether all of `count` proofs hold: several times as fast as each alone, by random numbers of the system, which a
 * proof that does not hold passes with a probability of 2^-128.
 *  @param publics count times publics_bytes
 *  @param proofs count times proof_bytes
 *  @param hold 1, or 0 if one does not; written only on success
 *  @return as sumac_groth16_verify(); SUMAC_READ_FAILED (the system has no randomness) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_verify_batch(sumac_context *context,
                                                                 const sumac_groth16_verifying_key *verifying,
                                                                 const void *publics, const void *proofs,
                                                                 size_t count, int *hold);

/** The text of proof.json and of public.json as snarkjs writes them, without a line's end.
 *  @param text malloc'd, with a final 0; the caller frees it with sumac_free()
 *  @return SUMAC_OK, SUMAC_NOT_SUPPORTED (a curve that snarkjs does not have), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_proof_to_json(
    sumac_context *context, const sumac_groth16_verifying_key *verifying, const void *proof, char **text);
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_publics_to_json(
    sumac_context *context, const sumac_groth16_verifying_key *verifying, const void *publics, char **text);

/** The way back; `name` is what messages call the text, as its file's path.
 *  @param proof proof_bytes, written only on success
 *  @return SUMAC_OK; SUMAC_BAD_FILE (no such JSON), SUMAC_BAD_LENGTH (another number of public inputs), SUMAC_MISMATCH (another
 * protocol or curve), SUMAC_BAD_ENCODING (a number that is not less than its prime), SUMAC_NOT_SUPPORTED (a curve that
 * snarkjs does not have), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_groth16_proof_from_json(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                              const char *text, size_t bytes, const char *name, void *proof);
/** The same for public inputs.
 *  @param publics publics_bytes, written only on success */
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_groth16_publics_from_json(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                const char *text, size_t bytes, const char *name, void *publics);

/** How gnark writes points: WriteTo() and WriteRawTo(). It reads both. */
typedef enum sumac_groth16_gnark_encoding {
    SUMAC_GROTH16_GNARK_COMPRESSED = 0,
    SUMAC_GROTH16_GNARK_RAW
} sumac_groth16_gnark_encoding;

/** A proof's bytes as gnark writes them, and the witness of its public inputs.
 *  @param bytes malloc'd, *count of them; the caller frees it with sumac_free()
 *  @return SUMAC_OK, SUMAC_BAD_ENCODING (a coordinate that is not less than p), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_proof_to_gnark(
    sumac_context *context, const sumac_groth16_verifying_key *verifying, const void *proof,
    sumac_groth16_gnark_encoding encoding, void **bytes, size_t *count);
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_groth16_publics_to_gnark(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                               const void *publics, void **bytes, size_t *count);

/** The way back, of both encodings; `name` is what messages call the bytes, as their file's path.
 *  @param proof proof_bytes, written only on success; its points are checked
 *  @return SUMAC_OK; SUMAC_BAD_FILE (too few bytes, or too many), SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE,
 * SUMAC_NOT_IN_SUBGROUP, SUMAC_NOT_SUPPORTED (a proof with commitments), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_groth16_proof_from_gnark(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                               const void *bytes, size_t count, const char *name, void *proof);
/** The same for public inputs.
 *  @param publics publics_bytes, written only on success
 *  @return SUMAC_OK; SUMAC_BAD_FILE (another length, or secret inputs too), SUMAC_BAD_LENGTH (another number of public
 * inputs), SUMAC_BAD_ENCODING (one that is not less than r), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_groth16_publics_from_gnark(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const void *bytes, size_t count, const char *name, void *publics);

#ifdef __cplusplus
}
#endif

#endif
