/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file prover.h
 *  @brief The functions, codes and sizes of rapidsnark's prover.h over sumac. Programs that were made for rapidsnark
 *  are linked to this library instead. docs/groth16.md describes how, and the differences. New programs should use
 *  sumac/groth16.h.
 *
 *  Keys are .zkey of BN254, and witnesses are .wtns. Proofs are verified before they are returned.
 *
 *  **Errors.** If a call does not return PROVER_OK, error_msg gets one sentence, which is cut to error_msg_maxsize
 *  bytes with its final 0. If either of the two is null or 0, the sentence is not written. Nothing else is written,
 *  except that PROVER_ERROR_SHORT_BUFFER comes with the sizes. A null pointer causes PROVER_ERROR.
 *
 *  **Threads.** Any number of threads may prove with one prover at once. When it is destroyed, no call may be
 *  running.
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
#define PROVER_INVALID_WITNESS_LENGTH 3 /* the witness and the key have different numbers of wires */

/** Compute a sufficient size for the JSON of a key's public inputs, including its final 0.
 *  @param zkey_buffer zkey_size bytes, of which the verifying part is read
 *  @return PROVER_OK, PROVER_ERROR */
SUMAC_RAPIDSNARK_API int groth16_public_size_for_zkey_buf(const void *zkey_buffer,
                                                          unsigned long long zkey_size,
                                                          unsigned long long *public_size, char *error_msg,
                                                          unsigned long long error_msg_maxsize);

/** Compute a sufficient size for the JSON of the public inputs, as groth16_public_size_for_zkey_buf() does, for a key
 * in a file. */
SUMAC_RAPIDSNARK_API int groth16_public_size_for_zkey_file(const char *zkey_fname,
                                                           unsigned long long *public_size, char *error_msg,
                                                           unsigned long long error_msg_maxsize);

/** Get a size that is sufficient for the JSON of any proof, including its final 0: 810. Null is allowed. */
SUMAC_RAPIDSNARK_API void groth16_proof_size(unsigned long long *proof_size);

/** Open a key, which stays in memory. If sumac finds a GPU that has enough memory for the key, it is opened there,
 * and otherwise on the CPU.
 *  @param prover_object the new prover, to be freed with groth16_prover_destroy(); not changed on failure
 *  @param zkey_buffer zkey_size bytes, which are not kept
 *  @return PROVER_OK, PROVER_ERROR */
SUMAC_RAPIDSNARK_API int groth16_prover_create(void **prover_object, const void *zkey_buffer,
                                               unsigned long long zkey_size, char *error_msg,
                                               unsigned long long error_msg_maxsize);

/** Open a key from a file, as groth16_prover_create() does. */
SUMAC_RAPIDSNARK_API int groth16_prover_create_zkey_file(void **prover_object, const char *zkey_file_path,
                                                         char *error_msg,
                                                         unsigned long long error_msg_maxsize);

/** Compute a proof.
 *  @param wtns_buffer a .wtns of wtns_size bytes
 *  @param proof_buffer gets the proof's JSON, with a final 0
 *  @param proof_size in: the size of the buffer; out: the length of the JSON without its final 0. With
 *  PROVER_ERROR_SHORT_BUFFER: a sufficient size, including the final 0
 *  @param public_buffer, public_size the same for the public inputs
 *  @return PROVER_OK; PROVER_ERROR_SHORT_BUFFER and PROVER_INVALID_WITNESS_LENGTH, both before anything is computed;
 *  PROVER_ERROR, also for a witness that does not satisfy the circuit */
SUMAC_RAPIDSNARK_API int groth16_prover_prove(void *prover_object, const void *wtns_buffer,
                                              unsigned long long wtns_size, char *proof_buffer,
                                              unsigned long long *proof_size, char *public_buffer,
                                              unsigned long long *public_size, char *error_msg,
                                              unsigned long long error_msg_maxsize);

/** Free a prover. Null is allowed. */
SUMAC_RAPIDSNARK_API void groth16_prover_destroy(void *prover_object);

/** Open a key on the CPU, compute a proof, and free the key. The parameters and codes are those of the calls
 * above. */
SUMAC_RAPIDSNARK_API int groth16_prover(const void *zkey_buffer, unsigned long long zkey_size,
                                        const void *wtns_buffer, unsigned long long wtns_size,
                                        char *proof_buffer, unsigned long long *proof_size,
                                        char *public_buffer, unsigned long long *public_size, char *error_msg,
                                        unsigned long long error_msg_maxsize);

/** Open a key from a file on the CPU, compute a proof, and free the key, as groth16_prover() does. */
SUMAC_RAPIDSNARK_API int groth16_prover_zkey_file(const char *zkey_file_path, const void *wtns_buffer,
                                                  unsigned long long wtns_size, char *proof_buffer,
                                                  unsigned long long *proof_size, char *public_buffer,
                                                  unsigned long long *public_size, char *error_msg,
                                                  unsigned long long error_msg_maxsize);

#ifdef __cplusplus
}
#endif

#endif
