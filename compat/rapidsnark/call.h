/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Helpers that the prover's and the verifier's calls share. */
#ifndef SUMAC_RAPIDSNARK_CALL_H
#define SUMAC_RAPIDSNARK_CALL_H

#include "sumac/groth16.h"

/* Over BN254: A, B, C, and a wire. */
enum { SUMAC_RAPIDSNARK_PROOF_BYTES = 64 + 128 + 64, SUMAC_RAPIDSNARK_SCALAR_BYTES = 32 };

/* Where a call writes the message of its failure. */
typedef struct sumac_rapidsnark_sentence {
    char *text; /* null: nowhere */
    unsigned long long bytes;
} sumac_rapidsnark_sentence;

/* Write it, as much as fits. */
void sumac_rapidsnark_say(const sumac_rapidsnark_sentence *sentence, const char *text);

/* A context on the calling thread alone; null, with a sentence, on failure. */
sumac_context *sumac_rapidsnark_context(const sumac_rapidsnark_sentence *sentence);

/* Describe a key; 0, with a sentence, if it is not over BN254. */
int sumac_rapidsnark_is_bn254(const sumac_groth16_verifying_key *key, sumac_groth16_info *info,
                              const sumac_rapidsnark_sentence *sentence);

#endif
