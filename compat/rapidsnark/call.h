/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The calls of the prover and of the verifier share these helpers. */
#ifndef SUMAC_RAPIDSNARK_CALL_H
#define SUMAC_RAPIDSNARK_CALL_H

#include "sumac/groth16.h"

/* The size of a proof over BN254, which consists of the points A, B and C. */
enum { SUMAC_RAPIDSNARK_PROOF_BYTES = 64 + 128 + 64 };

/* The memory to which a call writes the message of its failure. */
typedef struct sumac_rapidsnark_sentence {
    char *text; /* null if no message is wanted */
    unsigned long long bytes;
} sumac_rapidsnark_sentence;

/* Write a message, truncated to the buffer. */
void sumac_rapidsnark_say(const sumac_rapidsnark_sentence *sentence, const char *text);

/* Create a context with only the calling thread. On failure, return null and write a message. */
sumac_context *sumac_rapidsnark_context(const sumac_rapidsnark_sentence *sentence);

/* Describe a key. If it is not over BN254, return 0 and write a message. */
int sumac_rapidsnark_is_bn254(const sumac_groth16_verifying_key *key, sumac_groth16_info *info,
                              const sumac_rapidsnark_sentence *sentence);

#endif
