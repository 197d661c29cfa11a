/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file plonk.h
 *  @brief PLONK proofs with the keys and witnesses of snarkjs (from .zkey and .wtns to proof.json) and of gnark, and FFLONK proofs
 *  with those of snarkjs (experimental).
 *
 *  The functions of this header may change or vanish in any version, as those of experimental.h.
 *
 *  A *circuit* is a system of *gates* over *wires*, which are values modulo r. A gate has three wires a, b and c, and requires
 *  qM*a*b + qL*a + qR*b + qO*c + qC = 0. Wire 0 of a witness is the constant one, which PLONK does not use. The next wires are
 *  the *public inputs*, of which circom's outputs come first. A *witness* is the value of every wire of the circuit (.r1cs). A
 *  *proving key* is made for one circuit from powers of tau (.ptau), without a ceremony of its own: sumac_plonk_setup(). A proof
 *  shows that its maker knew a witness with the given public inputs.
 *
 *  **Protocols.** A key is of PLONK or of FFLONK (eprint 2021/1167), which has the same gates, fewer points in a proof, and a
 *  slower prover. Every function takes keys of both. sumac_plonk_info has the protocol.
 *
 *  **Never a bad proof.** Each proof is verified with the key before it is returned. If it does not hold, it is computed again.
 *  If the second one does not hold either, the call fails. If both are equal, the status is SUMAC_NOT_SATISFIED, and the message
 *  has the first gate that the witness does not satisfy. If they differ, it is SUMAC_DEVICE_FAILED, because the machine is the
 *  likely cause.
 *
 *  **Randomness.** A proof has random numbers, which hide the witness: 11, or 9 for FFLONK. They come from the system (getrandom()).
 *  Tests pass them, so that the proof has the same bytes on every backend and for any number of threads. With a key of gnark, the last
 *  two hide the parts of the quotient, as with its WithStatisticalZeroKnowledge(); without that option, they are 0 in gnark.
 *
 *  **Layout.** Wires and public inputs are raw scalars, and must be less than r. A proof has raw and canonical points, and then
 *  scalars, in snarkjs' order. For PLONK these are A, B, C, Z, T1, T2, T3, Wxi and Wxiw, then a, b, c, s1, s2 and zw; for FFLONK C1,
 *  C2, W1 and W2, then ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, zw, t1w, t2w and inv. sumac_plonk_info has the lengths of
 *  witnesses, public inputs and proofs. Curves are BN254 and, for PLONK, BLS12-381, with gnark's keys also BLS12-377 and BW6-761.
 *
 *  **Formats.** sumac_plonk_proof_encode(), _proof_decode(), _publics_encode() and _publics_decode() convert proofs and public
 *  inputs to and from the format of the program whose key it is:
 *
 *  | name        | a proof                                   | public inputs                         |
 *  |-------------|-------------------------------------------|---------------------------------------|
 *  | "snarkjs"   | the text of proof.json                    | the text of public.json               |
 *  | "gnark"     | as WriteTo() writes it: compressed points | a witness of public inputs, in binary |
 *  | "gnark-raw" | as WriteRawTo() writes it                 | the same                              |
 *
 *  **gnark.** A key of gnark 0.16 is what its WriteTo() or WriteRawTo() writes, and behind it the trace of the circuit, which gnark
 *  computes anew for each proof (plonk.NewTrace) and has no format for. src/codec/gnark_plonk.h describes it; WritePlonkKey() of the
 *  Go module bindings/go/gnark writes it. A witness is what gnark's solver makes, SparseR1CSSolution: L, R and O, `domain`
 *  scalars each, and then two random numbers for each commitment of the circuit. Its public inputs are the first values of L. A
 *  proof has the points of the circuit's commitments after the other nine, and after the six scalars the value of the
 *  linearisation and those of the commitments' selectors. Challenges have gnark's default hash, SHA-256.
 *
 *  **Commitments.** A circuit of gnark may commit to some of its wires (Commit(); its range checks and other gadgets do). The solver
 *  needs the commitments' values while it solves, which sumac_plonk_commit() computes.
 *
 *  **Threads.** Keys are immutable. Any number of threads may prove and verify with one key at the same time, each with a
 *  separate context of the backend and device on which the key was opened. pool.h provides such contexts. sumac_..._destroy()
 *  does not wait: no call that uses the key may be running. Proving takes time that depends on the witness.
 *
 *  **Devices.** With a context of several devices, sums are divided among them, and the first one does all other work.
 *
 *  Errors, lengths, null pointers, sizes of structs and raw layout are as in sumac.h.
 */
#ifndef SUMAC_PLONK_H
#define SUMAC_PLONK_H

#include "sumac/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A proving key, resident on a backend, with its verifying key. It is immutable. */
typedef struct sumac_plonk_key sumac_plonk_key;

/** A key that verifies proofs of one circuit. It is immutable. */
typedef struct sumac_plonk_verifying_key sumac_plonk_verifying_key;

/** How a proving key is opened. */
typedef struct sumac_plonk_key_config {
    size_t size;
    uint32_t check; /**< how far the key's points are checked; by default SUMAC_CHECK_SUBGROUP */
    /** How many multiples of each power of tau are kept, as in sumac_bases_config; 0 or 1: none. */
    uint32_t precompute_factor;
    /** 1: the values of the circuit's polynomials on the quotient's cosets are not kept, which saves 21 scalars for each gate of
     *  the domain, or 17 for FFLONK, and are computed for each proof. 0: they are kept if they take at most a quarter of the free
     *  memory. */
    uint32_t compact;
    uint32_t reserved; /**< 0 */
} sumac_plonk_key_config;

/** Open a proving key from a file of snarkjs (.zkey, PLONK or FFLONK), or of gnark with the circuit's trace.
 *  @param path a file; anything but a regular file is read into memory
 *  @param config null for the defaults
 *  @param key the new key, to be freed with sumac_plonk_key_destroy(); null on failure
 *  @return SUMAC_OK; SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED (also if the system provides no randomness, without which a .zkey
 *  could be crafted to take quadratic time); SUMAC_BAD_FILE (no such key, another proof system, a section that is missing,
 *  duplicate or of a wrong size, a gate or an addition of a wire that does not exist, a count that contradicts others, a file
 *  that is too short or too long), SUMAC_UNKNOWN_CURVE (primes that differ from those of this build's curves),
 *  SUMAC_BAD_ENCODING (a coordinate or coefficient that is not less than its prime), SUMAC_NOT_ON_CURVE,
 *  SUMAC_NOT_IN_SUBGROUP, each with file, section and byte in the message; SUMAC_NOT_SUPPORTED (a domain for which r has no
 *  root of unity, a curve that the protocol does not have; of gnark, a domain of less than 8, more than 16 commitments, or another
 *  generator than the group's), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_key_open(sumac_context *context, const char *path,
                                                           const sumac_plonk_key_config *config,
                                                           sumac_plonk_key **key);

/** Create a proving key from the bytes, in memory, of a file that sumac_plonk_key_open() opens.
 *  @param data the bytes, which are not kept
 *  @param config, key as for sumac_plonk_key_open()
 *  @return as sumac_plonk_key_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_key_create(sumac_context *context, const void *data,
                                                             size_t data_bytes,
                                                             const sumac_plonk_key_config *config,
                                                             sumac_plonk_key **key);

/** Save a key as a prepared key: in the form in which it is in memory, with its multiples and its verifying key, but
 *  without values on cosets. The file is a quarter as long as a .zkey, or as long as a key of gnark, and sumac_plonk_key_open() opens it on any backend and
 *  device; with SUMAC_CHECK_NONE that takes only the time of a copy. Checksums find damage but no forgery: as with any proving key,
 *  whoever makes the file can make proofs reveal the witness.
 *  @param context a context that can prove with the key
 *  @param path the file, which is written as a whole or not at all
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_key_save(sumac_context *context, const sumac_plonk_key *key,
                                                           const char *path);

/** Free a key; null is allowed. Its verifying key is freed, too. */
SUMAC_API void sumac_plonk_key_destroy(sumac_plonk_key *key);

/** The properties of a key. */
typedef struct sumac_plonk_info {
    size_t size;
    const sumac_group *g1; /**< the first group; wires are scalars of it */
    const sumac_group *g2; /**< the second group */
    uint64_t wires;        /**< the number of wires of a witness, which for gnark are its scalars */
    uint64_t
        publics; /**< the number of public inputs, which are wires 1 .. publics, and for gnark 0 .. publics - 1 */
    uint64_t gates;     /**< the number of gates */
    uint64_t additions; /**< how many wires the key adds to those of a witness, each a sum of two others */
    uint64_t domain;    /**< a power of two, at least the number of gates */
    uint64_t witness_bytes;  /**< the bytes of one witness */
    uint64_t publics_bytes;  /**< the bytes of one proof's public inputs */
    uint64_t proof_bytes;    /**< the bytes of one proof */
    uint64_t blinding_bytes; /**< the bytes of one proof's random numbers */
    uint64_t key_bytes;      /**< the bytes that the key takes where it is resident */
    /** The bytes that a proof takes there in addition: vectors, and the workspace of sums, which the memory_limit of the
     *  context that opened the key bounds */
    uint64_t workspace_bytes;
    uint64_t commitments; /**< how many commitments a circuit of gnark has; otherwise 0 */
    const char *format;   /**< the format of the key's proofs: "snarkjs" or "gnark" */
    const char *protocol; /**< "plonk" or "fflonk" */
} sumac_plonk_info;

/** Describe a key: write all fields that the caller's struct has. For a verifying key, wires, gates, additions, witness_bytes,
 *  key_bytes and workspace_bytes are 0.
 *  @param info the caller sets its size
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_key_describe(const sumac_plonk_key *key,
                                                               sumac_plonk_info *info);
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_plonk_verifying_key_describe(const sumac_plonk_verifying_key *verifying, sumac_plonk_info *info);

/** Read a witness from a file of circom (.wtns) or, for a key of gnark, from what SparseR1CSSolution.WriteTo() writes. If the circuit
 *  has commitments, a vector of their random numbers follows: their count (4 bytes) and the numbers, big-endian.
 *  @param witness the new witness, which the caller frees with sumac_free(); null on failure
 *  @param witness_bytes receives the witness's length, sumac_plonk_info.witness_bytes; written only on success
 *  @return SUMAC_OK; SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_LENGTH (another number of wires),
 *  SUMAC_MISMATCH (another prime), SUMAC_BAD_ENCODING (a value that is not less than r), SUMAC_BAD_ARGUMENT,
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_witness_open(sumac_context *context,
                                                               const sumac_plonk_key *key, const char *path,
                                                               void **witness, size_t *witness_bytes);

/** Read a witness from the bytes, in memory, of a file that sumac_plonk_witness_open() reads.
 *  @param data the bytes, which are not kept
 *  @param witness, witness_bytes as for sumac_plonk_witness_open()
 *  @return as sumac_plonk_witness_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_witness_create(sumac_context *context,
                                                                 const sumac_plonk_key *key, const void *data,
                                                                 size_t data_bytes, void **witness,
                                                                 size_t *witness_bytes);

/** Copy the public inputs out of a witness, for those who verify its proof.
 *  @param publics receives sumac_plonk_info.publics_bytes bytes; may be null if the circuit has no public inputs
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_witness_publics(sumac_context *context,
                                                                  const sumac_plonk_key *key,
                                                                  const void *witness, size_t witness_bytes,
                                                                  void *publics, size_t publics_bytes);

/** Compute the value of a commitment of gnark while a circuit is being solved. For gnark's hint of a commitment, `which` is the first
 *  input, `values` are the other ones in their order, and `hash` is the output.
 *  @param key a key of gnark with commitments
 *  @param which the commitment's index, less than sumac_plonk_info.commitments
 *  @param values raw scalars, one for each wire that the circuit commits to
 *  @param numbers receives two random numbers of the system, raw scalars, which hide the wires and belong to the witness; written
 *  only on success
 *  @param hash receives the commitment's value, a raw scalar: hash_to_field() of RFC 9380 with SHA-256 and the domain "BSB22-Plonk",
 *  of the commitment; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING (a value that is not less than r), SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT (no such commitment;
 *  a key of another device), SUMAC_READ_FAILED (the system provides no randomness), or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_commit(sumac_context *context, const sumac_plonk_key *key,
                                                         size_t which, const void *values,
                                                         size_t values_bytes, void *numbers,
                                                         size_t numbers_bytes, void *hash, size_t hash_bytes);

/** How proofs are computed. */
typedef struct sumac_plonk_prove_config {
    size_t size;
    /** For tests: the numbers b_1, b_2, .. of each proof, one proof after another, as raw scalars less than the order. Null: random
     *  numbers of the system. */
    const void *blinding;
    size_t blinding_bytes; /**< the length of `blinding`; ignored if that is null */
    uint32_t unverified;   /**< 1: proofs are returned without being verified */
    uint32_t reserved;     /**< 0 */
} sumac_plonk_prove_config;

/** Compute a proof for each of `count` witnesses.
 *  @param witnesses `count` witnesses of witness_bytes, one after another
 *  @param count any number; memory does not grow with the count
 *  @param config null for the defaults
 *  @param proofs receives `count` proofs of proof_bytes, one after another; written only if all succeed
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING (a value that is not less than r), SUMAC_BAD_ARGUMENT (wire 0 of a witness is not 1; a
 *  key of another device), SUMAC_NOT_SATISFIED, SUMAC_DEVICE_FAILED, each with the witness's index in the message;
 *  SUMAC_BAD_LENGTH, SUMAC_READ_FAILED (the system provides no randomness), or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_prove(sumac_context *context, const sumac_plonk_key *key,
                                                        const void *witnesses, size_t witnesses_bytes,
                                                        size_t count, const sumac_plonk_prove_config *config,
                                                        void *proofs, size_t proofs_bytes);

/** Return the verifying key of a proving key, to which it belongs. */
SUMAC_API const sumac_plonk_verifying_key *sumac_plonk_key_verifying(const sumac_plonk_key *key);

/** Open a verifying key from a verification_key.json of snarkjs, from a .zkey, of which only the header is read, or from a verifying
 *  or proving key of gnark. Its points are checked to lie in their subgroups. A verifying key must be trusted: nothing shows for which circuit it was made.
 *  @param verifying the new key, to be freed with sumac_plonk_verifying_key_destroy(); null on failure
 *  @return as sumac_plonk_key_open(); SUMAC_MISMATCH (JSON of another protocol) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_verifying_key_open(sumac_context *context, const char *path,
                                                                     sumac_plonk_verifying_key **verifying);

/** Create a verifying key from the bytes, in memory, of a file that sumac_plonk_verifying_key_open() opens.
 *  @param data the bytes, which are not kept
 *  @param verifying as for sumac_plonk_verifying_key_open()
 *  @return as sumac_plonk_verifying_key_open() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_verifying_key_create(sumac_context *context,
                                                                       const void *data, size_t data_bytes,
                                                                       sumac_plonk_verifying_key **verifying);

/** Free a verifying key of sumac_plonk_verifying_key_open() or _create(); null is allowed. */
SUMAC_API void sumac_plonk_verifying_key_destroy(sumac_plonk_verifying_key *verifying);

/** Verify `count` proofs. Several proofs are combined with random numbers of the system, so that they have one pairing check in
 *  common. A proof that does not hold then passes with a probability of 2^-128. A single proof is verified without random numbers.
 *  @param publics the public inputs of each proof, publics_bytes each, one proof after another
 *  @param proofs `count` proofs of proof_bytes, one after another; their points are checked
 *  @param ok 1 if all proofs hold, also if there are none, otherwise 0; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING (a public input or scalar that is not less than r, a coordinate that is not less than
 *  p), SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, SUMAC_READ_FAILED (the system provides no randomness), SUMAC_BAD_LENGTH,
 *  SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_verify(sumac_context *context,
                                                         const sumac_plonk_verifying_key *verifying,
                                                         const void *publics, size_t publics_bytes,
                                                         const void *proofs, size_t proofs_bytes,
                                                         size_t count, int *ok);

/** Encode one proof, or its public inputs, in another program's format.
 *  @param verifying the proof's verifying key, from which the curve and the number of public inputs are known
 *  @param format a format of the key
 *  @param encoded the new bytes, which the caller frees with sumac_free(); null on failure. A text of snarkjs is as snarkjs
 *  writes it, without a newline at its end, and a 0 follows its last byte
 *  @param encoded_bytes receives the number of bytes, without that 0; written only on success
 *  @return SUMAC_OK, SUMAC_UNKNOWN_FORMAT, SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_proof_encode(sumac_context *context,
                                                               const sumac_plonk_verifying_key *verifying,
                                                               const void *proof, size_t proof_bytes,
                                                               const char *format, void **encoded,
                                                               size_t *encoded_bytes);
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_publics_encode(sumac_context *context,
                                                                 const sumac_plonk_verifying_key *verifying,
                                                                 const void *publics, size_t publics_bytes,
                                                                 const char *format, void **encoded,
                                                                 size_t *encoded_bytes);

/** Decode one proof from another program's format.
 *  @param verifying as for sumac_plonk_proof_encode()
 *  @param format a format of the key
 *  @param name a name for the bytes in messages, for example their file's path
 *  @param proof receives proof_bytes of sumac_plonk_info; written only on success. Its points are checked when the proof is
 *  verified
 *  @return SUMAC_OK; SUMAC_UNKNOWN_FORMAT; SUMAC_BAD_FILE (no such JSON), SUMAC_MISMATCH (another protocol or curve),
 *  SUMAC_BAD_ENCODING (a number that is not less than its prime), SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_proof_decode(sumac_context *context,
                                                               const sumac_plonk_verifying_key *verifying,
                                                               const void *encoded, size_t encoded_bytes,
                                                               const char *format, const char *name,
                                                               void *proof, size_t proof_bytes);

/** Decode the public inputs of one proof, as sumac_plonk_proof_decode() decodes a proof.
 *  @param publics receives publics_bytes of sumac_plonk_info; written only on success
 *  @return as sumac_plonk_proof_decode(); SUMAC_BAD_LENGTH (also another number of public inputs) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_publics_decode(sumac_context *context,
                                                                 const sumac_plonk_verifying_key *verifying,
                                                                 const void *encoded, size_t encoded_bytes,
                                                                 const char *format, const char *name,
                                                                 void *publics, size_t publics_bytes);

/** What a setup makes. */
typedef struct sumac_plonk_setup_config {
    size_t size;
    /** The protocol of the key: "plonk", or "fflonk", which is only for BN254; null: "plonk" */
    const char *protocol;
} sumac_plonk_setup_config;

/** Make the proving key of a circuit (.zkey) from a circuit (.r1cs) and powers of tau (.ptau). The bytes are those of `snarkjs
 *  plonk setup` or `snarkjs fflonk setup`. Everyone who trusts the powers of tau can repeat the setup, so that there is no ceremony
 *  for the circuit.
 *  @param r1cs_path the circuit, as circom writes it. Custom gates are ignored, as snarkjs does. Circuits of gnark are set up in Go,
 *  with PlonkSetup() of the module bindings/go/gnark
 *  @param ptau_path powers of tau of snarkjs, with at least as many points as the key has: n + 6 for PLONK and 9n + 18 for FFLONK,
 *  where n is the domain; they need not be prepared for phase 2. Of its points the first of both groups are read, and checked to
 *  lie in their subgroups
 *  @param config null for the defaults
 *  @param zkey_path the file, which is written as a whole or not at all
 *  @return SUMAC_OK; SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_UNKNOWN_CURVE (a prime that differs from those of
 *  this build's curves), SUMAC_MISMATCH (powers of tau of another curve), SUMAC_BAD_LENGTH (too few powers of tau),
 *  SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, SUMAC_NOT_SUPPORTED (a domain for which r has no root of unity, a
 *  curve that the protocol does not have), SUMAC_WRITE_FAILED, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plonk_setup(sumac_context *context, const char *r1cs_path,
                                                        const char *ptau_path,
                                                        const sumac_plonk_setup_config *config,
                                                        const char *zkey_path);

#ifdef __cplusplus
}
#endif

#endif
