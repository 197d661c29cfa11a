/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file prover.h
 *  @brief The functions, codes and sizes of rapidsnark's prover.h over sumac: programs that were made for that library
 * are linked to this one instead. docs/groth16.md says how, and what differs; new programs are better off with
 * sumac/groth16.h.
 *
 *  Keys are .zkey of BN254, witnesses .wtns. Proofs are verified before they are returned.
 *
 *  **Errors.** Where a call does not return PROVER_OK, error_msg gets one sentence, cut to error_msg_maxsize bytes with
 * its final 0; null or 0: nowhere. Nothing else is written, but the sizes with PROVER_ERROR_SHORT_BUFFER. A null pointer
 * is PROVER_ERROR.
 *
 *  **Threads.** Any number of threads may prove with one prover at once. No call may be running when it is destroyed.
 */
#ifndef SUMAC_RAPIDSNARK_PROVER_H
#define SUMAC_RAPIDSNARK_PROVER_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SUMAC_RAPIDSNARK_API
#if defined(__GNUC__)
#define SUMAC_RAPIDSNARK_API __attribute__((visibility("default")))
#else
#define SUMAC_RAPIDSNARK_API
#endif
#endif

/* The status of a call. */
#define PROVER_OK 0
#define PROVER_ERROR 1
#define PROVER_ERROR_SHORT_BUFFER 2 /* proof_size and public_size are enough for any proof of this witness */
#define PROVER_INVALID_WITNESS_LENGTH 3 /* a witness of another number of wires than the key's */

/** Compute a sufficient size for the JSON of a key's public inputs, including its final 0.
 *  @param zkey_buffer zkey_size bytes, of which the part that verifies is read
 *  @return PROVER_OK, PROVER_ERROR */
SUMAC_RAPIDSNARK_API int groth16_public_size_for_zkey_buf(const void *zkey_buffer,
                                                          unsigned long long zkey_size,
                                                          unsigned long long *public_size, char *error_msg,
                                                          unsigned long long error_msg_maxsize);

/** Compute this size for a key in a file. */
SUMAC_RAPIDSNARK_API int groth16_public_size_for_zkey_file(const char *zkey_fname,
                                                           unsigned long long *public_size, char *error_msg,
                                                           unsigned long long error_msg_maxsize);

/** Get a sufficient size for a proof's JSON, including its final 0: 810. Null is allowed. */
SUMAC_RAPIDSNARK_API void groth16_proof_size(unsigned long long *proof_size);

/** Open a key, which stays in memory: on a GPU where sumac finds one and the key has room there, else on the CPU.
 *  @param prover_object to be freed with groth16_prover_destroy(); untouched on failure
 *  @param zkey_buffer zkey_size bytes, which are not kept
 *  @return PROVER_OK, PROVER_ERROR */
SUMAC_RAPIDSNARK_API int groth16_prover_create(void **prover_object, const void *zkey_buffer,
                                               unsigned long long zkey_size, char *error_msg,
                                               unsigned long long error_msg_maxsize);

/** Open a key from a file, as groth16_prover_create() does. */
SUMAC_RAPIDSNARK_API int groth16_prover_create_zkey_file(void **prover_object, const char *zkey_file_path,
                                                         char *error_msg,
                                                         unsigned long long error_msg_maxsize);

/** Prove.
 *  @param wtns_buffer a .wtns of wtns_size bytes
 *  @param proof_buffer gets the proof's JSON, with a final 0
 *  @param proof_size in: bytes of the buffer; out: bytes of the JSON, its final 0 not counted. With
 * PROVER_ERROR_SHORT_BUFFER: bytes that are enough, the final 0 counted
 *  @param public_buffer, public_size the same for the public inputs
 *  @return PROVER_OK; PROVER_ERROR_SHORT_BUFFER, PROVER_INVALID_WITNESS_LENGTH, both before anything is computed;
 * PROVER_ERROR, also for a witness that does not satisfy the circuit */
SUMAC_RAPIDSNARK_API int groth16_prover_prove(void *prover_object, const void *wtns_buffer,
                                              unsigned long long wtns_size, char *proof_buffer,
                                              unsigned long long *proof_size, char *public_buffer,
                                              unsigned long long *public_size, char *error_msg,
                                              unsigned long long error_msg_maxsize);

/** Free a prover; null is allowed. */
SUMAC_RAPIDSNARK_API void groth16_prover_destroy(void *prover_object);

/** Open a key on the CPU, prove, and free it: parameters and codes are those of the calls above. */
SUMAC_RAPIDSNARK_API int groth16_prover(const void *zkey_buffer, unsigned long long zkey_size,
                                        const void *wtns_buffer, unsigned long long wtns_size,
                                        char *proof_buffer, unsigned long long *proof_size,
                                        char *public_buffer, unsigned long long *public_size, char *error_msg,
                                        unsigned long long error_msg_maxsize);

/** Open a key from a file on the CPU, prove, and free it, as groth16_prover() does. */
SUMAC_RAPIDSNARK_API int groth16_prover_zkey_file(const char *zkey_file_path, const void *wtns_buffer,
                                                  unsigned long long wtns_size, char *proof_buffer,
                                                  unsigned long long *proof_size, char *public_buffer,
                                                  unsigned long long *public_size, char *error_msg,
                                                  unsigned long long error_msg_maxsize);

#ifdef __cplusplus
}
#endif

#endif
