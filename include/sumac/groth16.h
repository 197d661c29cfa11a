/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file groth16.h
 *  @brief Groth16 proofs with the keys and witnesses of snarkjs (from .zkey and .wtns to proof.json) and of gnark.
 *
 *  A *circuit* is a system of constraints over *wires*, which are values modulo r. Wire 0 is the constant one. The next wires
 *  are the *public inputs*, of which circom's outputs come first. A *witness* is the value of every wire. A *proving key* is
 *  made for one circuit. A proof shows that its maker knew a witness with the given public inputs. Example:
 *  examples/groth16.c.
 *
 *  **Never a bad proof.** Each proof is verified with the key before it is returned. If it does not hold, it is
 *  computed again. If the second one does not hold either, the call fails. If both are equal, the status is
 *  SUMAC_NOT_SATISFIED, because the witness or the key is the likely cause. If they differ, it is SUMAC_DEVICE_FAILED,
 *  because the machine is the likely cause.
 *
 *  **Randomness.** A proof has two random numbers, r and s, which hide the witness. They come from the system
 *  (getrandom()). Tests pass r and s, so that the proof has the same bytes on every backend and for any number of
 *  threads. Two proofs of different witnesses with the same r and s are not zero-knowledge.
 *
 *  **Layout.** Wires and public inputs are raw scalars, and must be less than r. A proof is the points A of the first
 *  group, B of the second, C of the first, and those of commitments, raw and canonical, one after another.
 *  sumac_groth16_info has the lengths of witnesses, public inputs and proofs. Curves are BN254 and BLS12-381, with gnark's keys
 *  also BLS12-377 and BW6-761.
 *
 *  **Formats.** sumac_groth16_proof_encode(), _proof_decode(), _publics_encode() and _publics_decode() convert proofs and
 *  public inputs to and from the formats of other programs:
 *
 *  | name        | a proof                                   | public inputs                         |
 *  |-------------|-------------------------------------------|---------------------------------------|
 *  | "snarkjs"   | the text of proof.json                    | the text of public.json               |
 *  | "gnark"     | as WriteTo() writes it: compressed points | a witness of public inputs, in binary |
 *  | "gnark-raw" | as WriteRawTo() writes it                 | the same                              |
 *
 *  The first byte of a proof of gnark shows which of its two encodings it has, so that either name decodes both.
 *
 *  **gnark.** Proving keys of gnark do not have the constraints' matrices A and B, because gnark's solver multiplies them
 *  by the wires. A witness for such a key is the wires, then A times the wires and B times the wires, `domain` scalars each,
 *  in the order of the constraints and padded with 0. R1CSSolution has these as W, A and B. gnark's verifying keys are
 *  separate files. Files must be those of gnark 0.11 to 0.16.
 *
 *  **Commitments.** A circuit of gnark may commit to some of its wires (Commit(); its range checks and other gadgets do).
 *  Each commitment is a point, and one wire has its value: a hash of this point and of public inputs and earlier values
 *  that the circuit commits to as well. So the solver needs values while it solves, which sumac_groth16_commit() computes:
 *  the answer to gnark's hint. Proofs of such a circuit have after C the commitments and their proof of knowledge, points of
 *  the first group. Proving keys do not name the committed wires, which sumac_groth16_key_config.commitment_wires has.
 *
 *  **Threads.** Keys are immutable. Any number of threads may prove and verify with one key at the same time, each with a
 *  separate context of the backend and device on which the key was opened. pool.h provides such contexts. sumac_..._destroy()
 *  does not wait: no call that uses the key may be running. Proving takes time that depends on the witness.
 *
 *  Errors, lengths, null pointers, sizes of structs and raw layout are as in sumac.h.
 */
#ifndef SUMAC_GROTH16_H
#define SUMAC_GROTH16_H

#include "sumac/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A proving key, resident on a backend, with its verifying key. It is immutable. */
typedef struct sumac_groth16_key sumac_groth16_key;

/** A key that verifies proofs of one circuit. It is immutable. */
typedef struct sumac_groth16_verifying_key sumac_groth16_verifying_key;

/** How a proving key is opened. */
typedef struct sumac_groth16_key_config {
    size_t size;
    uint32_t check; /**< how far the key's points are checked; by default SUMAC_CHECK_SUBGROUP */
    /** How many multiples of each base are kept, as in sumac_bases_config; 1: none. 0: on a GPU and for a domain of 2^16 or
     *  more, as many (at most 4) as take at most a quarter of the GPU's free memory; otherwise none. A prepared key has the
     *  multiples with which it was saved. If this field is 2 or more and differs from them, that is SUMAC_MISMATCH. */
    uint32_t precompute_factor;
    /** The verifying key for a proving key of gnark, which has none in its file. It stays the caller's, and must exist as
     *  long as the proving key. Null: proofs of such a key cannot be verified, and proving requires
     *  sumac_groth16_prove_config.unverified. */
    const sumac_groth16_verifying_key *verifying;
    /** For a proving key of gnark with commitments: numbers of wires, each a uint32_t, in the order of the commitments. Of
     *  each one the wire that has its value comes first (Groth16Commitment.CommitmentIndex), then its committed private wires
     *  ascending (PrivateCommitted). Null without commitments; not used for keys of snarkjs and prepared keys. */
    const void *commitment_wires;
    size_t commitment_wires_bytes; /**< the length of `commitment_wires`, 4 bytes for each number */
} sumac_groth16_key_config;

/** Open a proving key from a file of snarkjs (.zkey, Groth16), of gnark (WriteTo(), WriteRawTo() or WriteDump()), or of
 *  sumac_groth16_key_save(). The last one is a prepared key; if it has a verifying key, config's is not used.
 *  @param path a file; anything but a regular file is read into memory
 *  @param config null for the defaults
 *  @param key the new key, to be freed with sumac_groth16_key_destroy(); null on failure
 *  @return SUMAC_OK; SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED (also if the system provides no randomness, without which a
 *  .zkey could be crafted to take quadratic time); SUMAC_BAD_FILE (no such key, another proof system, a section that is
 *  missing, duplicate or of a wrong size, a coefficient of a wire or row that does not exist, a count that
 *  contradicts others, a file that is too short or too long), SUMAC_BAD_CHECKSUM (a damaged prepared key),
 *  SUMAC_UNKNOWN_CURVE (primes that differ from those of this build's curves),
 *  SUMAC_BAD_ENCODING (a coordinate or coefficient that is not less than its prime), SUMAC_NOT_ON_CURVE,
 *  SUMAC_NOT_IN_SUBGROUP, each with file, section and byte in the message; SUMAC_NOT_SUPPORTED (a domain for which r
 *  has no root of unity, more than 64 commitments), SUMAC_MISMATCH (config's verifying key is another circuit's),
 *  SUMAC_BAD_LENGTH (commitment_wires has not as many numbers as the key has commitments and committed wires),
 *  SUMAC_BAD_ARGUMENT (also commitment_wires that are no private wires, not ascending or not distinct),
 *  SUMAC_OUT_OF_MEMORY, SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_key_open(sumac_context *context, const char *path,
                                                             const sumac_groth16_key_config *config,
                                                             sumac_groth16_key **key);

/** Create a proving key from the bytes, in memory, of a file that sumac_groth16_key_open() opens.
 *  @param data the bytes, which are not kept
 *  @param config, key as for sumac_groth16_key_open()
 *  @return as sumac_groth16_key_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_key_create(sumac_context *context, const void *data,
                                                               size_t data_bytes,
                                                               const sumac_groth16_key_config *config,
                                                               sumac_groth16_key **key);

/** Save a key as a prepared key: in the form in which it is in memory, with its multiples and its verifying key. Opening it
 *  with SUMAC_CHECK_NONE takes only the time of a copy, on any backend and device. Checksums find damage but no forgery: as
 *  with any proving key, whoever makes the file can make proofs reveal the witness.
 *  @param context a context that can prove with the key
 *  @param path the file, which is written as a whole or not at all
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY,
 *  SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_key_save(sumac_context *context,
                                                             const sumac_groth16_key *key, const char *path);

/** Free a key; null is allowed. Its verifying key is freed, too, unless it is the caller's. */
SUMAC_API void sumac_groth16_key_destroy(sumac_groth16_key *key);

/** The properties of a key. */
typedef struct sumac_groth16_info {
    size_t size;
    const sumac_group *g1;  /**< the first group; wires are scalars of it */
    const sumac_group *g2;  /**< the second group */
    uint64_t wires;         /**< the number of wires; a witness begins with their values */
    uint64_t publics;       /**< the number of public inputs, which are wires 1 .. publics */
    uint64_t domain;        /**< a power of two, at least the number of constraints */
    uint64_t coefficients;  /**< how many coefficients of A and B together are not 0; 0 for gnark's keys */
    uint64_t witness_bytes; /**< the bytes of one witness */
    uint64_t publics_bytes; /**< the bytes of one proof's public inputs */
    uint64_t proof_bytes;   /**< the bytes of one proof */
    uint64_t key_bytes;     /**< the bytes that the key takes where it is resident */
    uint64_t has_verifying_key; /**< 0: a key of gnark that was opened without one; otherwise 1 */
    uint64_t commitments;       /**< the number of gnark's commitments that a proof has */
} sumac_groth16_info;

/** Describe a key: write all fields that the caller's struct has. For a verifying key, wires, domain, coefficients,
 *  witness_bytes and key_bytes are 0.
 *  @param info the caller sets its size
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_key_describe(const sumac_groth16_key *key,
                                                                 sumac_groth16_info *info);
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_groth16_verifying_key_describe(const sumac_groth16_verifying_key *verifying, sumac_groth16_info *info);

/** Read a witness from a file of circom (.wtns) or, for gnark's keys, from the output of gnark's solver
 *  (R1CSSolution.WriteTo()).
 *  @param witness the new witness, which the caller frees with sumac_free(); null on failure
 *  @param witness_bytes receives the witness's length, sumac_groth16_info.witness_bytes; written only on success
 *  @return SUMAC_OK; SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_LENGTH (another number of wires,
 *  or more constraints than the domain holds), SUMAC_MISMATCH (another prime), SUMAC_BAD_ENCODING (a value that is
 *  not less than r), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_witness_open(sumac_context *context,
                                                                 const sumac_groth16_key *key,
                                                                 const char *path, void **witness,
                                                                 size_t *witness_bytes);

/** Read a witness from the bytes, in memory, of a file that sumac_groth16_witness_open() reads.
 *  @param data the bytes, which are not kept
 *  @param witness, witness_bytes as for sumac_groth16_witness_open()
 *  @return as sumac_groth16_witness_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_witness_create(sumac_context *context,
                                                                   const sumac_groth16_key *key,
                                                                   const void *data, size_t data_bytes,
                                                                   void **witness, size_t *witness_bytes);

/** Check if a witness satisfies the constraints of a circuit (.r1cs), which a key does not contain.
 *  @param r1cs_path the file of the circuit for which the key was created
 *  @return SUMAC_OK; SUMAC_NOT_SATISFIED, with the first constraint that does not hold in the message;
 *  SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED (also if the system provides no randomness), SUMAC_BAD_FILE, SUMAC_MISMATCH
 *  (another prime, other numbers of wires), SUMAC_BAD_ENCODING, SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT (wire 0 is not 1),
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_witness_check(sumac_context *context,
                                                                  const sumac_groth16_key *key,
                                                                  const void *witness, size_t witness_bytes,
                                                                  const char *r1cs_path);

/** Copy the public inputs out of a witness, for those who verify its proof.
 *  @param publics receives sumac_groth16_info.publics_bytes bytes; may be null if the circuit has no public inputs
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_witness_publics(sumac_context *context,
                                                                    const sumac_groth16_key *key,
                                                                    const void *witness, size_t witness_bytes,
                                                                    void *publics, size_t publics_bytes);

/** Compute a commitment of gnark and its value while a circuit is being solved. For gnark's hint of a commitment, `which` is
 *  the first input, `values` are the other ones in their order, and `hash` is the output.
 *  @param key a key with commitments; it needs no verifying key
 *  @param which the commitment's index, less than sumac_groth16_info.commitments
 *  @param values raw scalars: first the values that are only hashed (PublicAndCommitmentCommitted), then the values of the
 *  committed private wires, as many as the key has for this commitment
 *  @param values_bytes the length of `values`, a multiple of the scalars' bytes
 *  @param commitment receives a raw point of the first group; written only on success
 *  @param hash receives the commitment's value, a raw scalar; written only on success. The hash is that of the key's
 *  verifying key; without one it is gnark's default, hash_to_field() of RFC 9380 with SHA-256 and the domain
 *  "bsb22-commitment"
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING (a value that is not less than r), SUMAC_BAD_LENGTH (also fewer values than the
 *  commitment has wires), SUMAC_BAD_ARGUMENT (no such commitment; a key of another device), or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_commit(sumac_context *context,
                                                           const sumac_groth16_key *key, size_t which,
                                                           const void *values, size_t values_bytes,
                                                           void *commitment, size_t commitment_bytes,
                                                           void *hash, size_t hash_bytes);

/** How proofs are computed. */
typedef struct sumac_groth16_prove_config {
    size_t size;
    /** For tests: r and s of each proof, one proof after another, as raw scalars less than the order. Null: random numbers of
     *  the system. */
    const void *randomness;
    size_t randomness_bytes; /**< the length of `randomness`; ignored if that is null */
    uint32_t unverified;     /**< 1: proofs are returned without being verified */
    uint32_t reserved;       /**< 0 */
} sumac_groth16_prove_config;

/** Compute a proof for each of `count` witnesses.
 *  @param witnesses `count` witnesses of witness_bytes, one after another
 *  @param count any number. Proofs of small circuits have sums and transforms in common. Memory does not grow with the count
 *  @param config null for the defaults
 *  @param proofs receives `count` proofs of proof_bytes, one after another; written only if all succeed
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING (a value that is not less than r), SUMAC_BAD_ARGUMENT (wire 0 of a witness is
 *  not 1; a key of another device), SUMAC_NOT_SATISFIED (also a wire that is not the value of its commitment, which is not
 *  checked without a verifying key), SUMAC_DEVICE_FAILED, each with the witness's index in the message;
 *  SUMAC_BAD_LENGTH, SUMAC_NOT_SUPPORTED (proofs of this key cannot be verified, and config.unverified is not set),
 *  SUMAC_READ_FAILED (the system provides no randomness), or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_prove(sumac_context *context,
                                                          const sumac_groth16_key *key, const void *witnesses,
                                                          size_t witnesses_bytes, size_t count,
                                                          const sumac_groth16_prove_config *config,
                                                          void *proofs, size_t proofs_bytes);

/** Compute proofs as sumac_groth16_prove() does, for witnesses that lie where the context computes, such as those that a
 *  GPU has generated.
 *  @param witnesses scalars of the key's first group, `wires` for each witness, one witness after another
 *  @param count, config, proofs as for sumac_groth16_prove()
 *  @return as sumac_groth16_prove(); SUMAC_BAD_LENGTH (also a vector that is too short), SUMAC_BAD_ARGUMENT (other
 *  elements, or a vector of another device), SUMAC_NOT_SUPPORTED (gnark's keys, which need solved witnesses) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_prove_vector(sumac_context *context,
                                                                 const sumac_groth16_key *key,
                                                                 const sumac_vector *witnesses, size_t count,
                                                                 const sumac_groth16_prove_config *config,
                                                                 void *proofs, size_t proofs_bytes);

/** Return the verifying key of a proving key. It belongs to the proving key, unless it is the caller's, which config had. If a
 *  key of gnark was opened without a verifying key, the returned one has only the curve and the numbers of public inputs and
 *  commitments. */
SUMAC_API const sumac_groth16_verifying_key *sumac_groth16_key_verifying(const sumac_groth16_key *key);

/** Open a verifying key from a verification_key.json of snarkjs, from a .zkey or a prepared key, of which only the verifying
 *  key is read, or from a file of gnark. Its points are checked to lie in their subgroups. Nothing shows that a ceremony
 *  created them, so that a verifying key must be trusted. A key with alpha, beta, gamma or delta at infinity is opened, too.
 *  Its equation lacks a factor, so that proofs can be computed without a witness: a caller who accepts keys from others
 *  must refuse such keys.
 *  @param verifying the new key, to be freed with sumac_groth16_verifying_key_destroy(); null on failure
 *  @return as sumac_groth16_key_open(); SUMAC_BAD_FILE (also JSON with an nPublic that is not the number of IC's
 *  points minus one; JSON may lack it), SUMAC_MISMATCH (JSON of another protocol), SUMAC_NOT_SUPPORTED (more than 64
 *  commitments) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_verifying_key_open(
    sumac_context *context, const char *path, sumac_groth16_verifying_key **verifying);

/** Create a verifying key from the bytes, in memory, of a file that sumac_groth16_verifying_key_open() opens.
 *  @param data the bytes, which are not kept
 *  @param verifying as for sumac_groth16_verifying_key_open()
 *  @return as sumac_groth16_verifying_key_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_verifying_key_create(
    sumac_context *context, const void *data, size_t data_bytes, sumac_groth16_verifying_key **verifying);

/** Free a verifying key of sumac_groth16_verifying_key_open() or _create(); null is allowed. */
SUMAC_API void sumac_groth16_verifying_key_destroy(sumac_groth16_verifying_key *verifying);

/** Verify `count` proofs: check that e(A, B) = e(alpha, beta) e(IC_0 + x_1*IC_1 + ..., gamma) e(C, delta), and with
 *  commitments also their proofs of knowledge. Several proofs
 *  are combined with random numbers of the system, and verified several times as fast as one by one. A proof that does not
 *  hold then passes with a probability of 2^-128. A single proof is verified without random numbers.
 *  @param publics the public inputs x_1, x_2, ... of each proof, publics_bytes each, one proof after another
 *  @param proofs `count` proofs of proof_bytes, one after another; their points are checked
 *  @param ok 1 if all proofs hold, also if there are none, otherwise 0; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING (a public input that is not less than r, a coordinate that is not less than
 *  p), SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, SUMAC_NOT_SUPPORTED (the proving key came
 *  without a verifying key), SUMAC_READ_FAILED (the system provides no randomness), SUMAC_BAD_LENGTH,
 *  SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_verify(sumac_context *context,
                                                           const sumac_groth16_verifying_key *verifying,
                                                           const void *publics, size_t publics_bytes,
                                                           const void *proofs, size_t proofs_bytes,
                                                           size_t count, int *ok);

/** Encode one proof, or its public inputs, in another program's format.
 *  @param verifying the proof's verifying key, from which the curve and the number of public inputs are known
 *  @param format "snarkjs", "gnark" or "gnark-raw"
 *  @param encoded the new bytes, which the caller frees with sumac_free(); null on failure. A text of snarkjs is as snarkjs
 *  writes it, without a newline at its end, and a 0 follows its last byte
 *  @param encoded_bytes receives the number of bytes, without that 0; written only on success
 *  @return SUMAC_OK, SUMAC_UNKNOWN_FORMAT, SUMAC_NOT_SUPPORTED (for snarkjs a curve that it does not have, or a
 *  proof with commitments), SUMAC_BAD_ENCODING (a coordinate that is not less than p), SUMAC_BAD_LENGTH,
 *  SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_proof_encode(sumac_context *context,
                                                                 const sumac_groth16_verifying_key *verifying,
                                                                 const void *proof, size_t proof_bytes,
                                                                 const char *format, void **encoded,
                                                                 size_t *encoded_bytes);
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_publics_encode(
    sumac_context *context, const sumac_groth16_verifying_key *verifying, const void *publics,
    size_t publics_bytes, const char *format, void **encoded, size_t *encoded_bytes);

/** Decode one proof from another program's format.
 *  @param verifying as for sumac_groth16_proof_encode()
 *  @param format "snarkjs", "gnark" or "gnark-raw"
 *  @param name a name for the bytes in messages, for example their file's path
 *  @param proof receives proof_bytes of sumac_groth16_info; written only on success. Points of gnark are checked; those of
 *  snarkjs are checked when the proof is verified
 *  @return SUMAC_OK; SUMAC_UNKNOWN_FORMAT; SUMAC_BAD_FILE (no such JSON; too few or too many bytes), SUMAC_MISMATCH
 *  (another protocol, curve or number of commitments), SUMAC_BAD_ENCODING (a number that is not less than its prime),
 *  SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, SUMAC_NOT_SUPPORTED (for snarkjs a curve that it does not have, or a key with
 *  commitments),
 *  SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_proof_decode(sumac_context *context,
                                                                 const sumac_groth16_verifying_key *verifying,
                                                                 const void *encoded, size_t encoded_bytes,
                                                                 const char *format, const char *name,
                                                                 void *proof, size_t proof_bytes);

/** Decode the public inputs of one proof, as sumac_groth16_proof_decode() decodes a proof.
 *  @param publics receives publics_bytes of sumac_groth16_info; written only on success
 *  @return as sumac_groth16_proof_decode(); SUMAC_BAD_LENGTH (also another number of public inputs), SUMAC_BAD_FILE
 *  (also a witness of gnark with secret inputs) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_groth16_publics_decode(
    sumac_context *context, const sumac_groth16_verifying_key *verifying, const void *encoded,
    size_t encoded_bytes, const char *format, const char *name, void *publics, size_t publics_bytes);

#ifdef __cplusplus
}
#endif

#endif
