/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Helpers that the prover's and the verifier's calls share. */
#ifndef SUMAC_RAPIDSNARK_CALL_H
#define SUMAC_RAPIDSNARK_CALL_H

#include "sumac/groth16.h"

/* The bytes of a proof over BN254, the points A, B, C. */
enum { SUMAC_RAPIDSNARK_PROOF_BYTES = 64 + 128 + 64 };

/* Where a call writes the message of its failure. */
typedef struct sumac_rapidsnark_sentence {
    char *text; /* null if no message is wanted */
    unsigned long long bytes;
} sumac_rapidsnark_sentence;

/* Write a message, truncated to the buffer. */
void sumac_rapidsnark_say(const sumac_rapidsnark_sentence *sentence, const char *text);

/* Create a context with the calling thread only; on failure return null and write a message. */
sumac_context *sumac_rapidsnark_context(const sumac_rapidsnark_sentence *sentence);

/* Describe a key; return 0 and write a message if it is not over BN254. */
int sumac_rapidsnark_is_bn254(const sumac_groth16_verifying_key *key, sumac_groth16_info *info,
                              const sumac_rapidsnark_sentence *sentence);

#endif
