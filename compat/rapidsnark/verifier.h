/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file verifier.h
 *  @brief The function and codes of rapidsnark's verifier.h over sumac. prover.h describes the rest of the interface.
 */
#ifndef SUMAC_RAPIDSNARK_VERIFIER_H
#define SUMAC_RAPIDSNARK_VERIFIER_H

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
#define VERIFIER_VALID_PROOF 0
#define VERIFIER_INVALID_PROOF                                                                               \
    1                    /* also numbers that are not less than their prime, and points off the curve */
#define VERIFIER_ERROR 2 /* a text is not a proof, a list of public inputs or a key */

/** Verify a proof over BN254, on the calling thread.
 *  @param proof, inputs, verification_key JSON of snarkjs, with a final 0
 *  @param error_msg with VERIFIER_ERROR gets one sentence, which is cut to error_msg_maxsize bytes with its final 0.
 *  If either is null or 0, the sentence is not written
 *  @return VERIFIER_VALID_PROOF, VERIFIER_INVALID_PROOF, VERIFIER_ERROR */
SUMAC_RAPIDSNARK_API int groth16_verify(const char *proof, const char *inputs, const char *verification_key,
                                        char *error_msg, unsigned long error_msg_maxsize);

#ifdef __cplusplus
}
#endif

#endif
