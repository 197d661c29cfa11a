/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program computes a Groth16 proof with the key and the witness of a circuit: groth16 KEY.zkey WITNESS.wtns
 * prints proof.json. circom and snarkjs, which npm has, make such files:
 *
 *     npx circom2 circuit.circom --r1cs --wasm
 *     node circuit_js/generate_witness.js circuit_js/circuit.wasm input.json witness.wtns
 *     npx snarkjs groth16 setup circuit.r1cs powers.ptau key.zkey
 */
#include <stdio.h>
#include <stdlib.h>

#include <sumac/groth16.h>

static sumac_context *context;

static void check(sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    sumac_groth16_key *key;
    sumac_groth16_info info = {.size = sizeof info};
    void *witness, *text;
    size_t witness_bytes, text_bytes;
    int ok;
    if (argc != 3) {
        fprintf(stderr, "usage: groth16 KEY.zkey WITNESS.wtns\n");
        return 2;
    }
    check(sumac_context_create(NULL, &context, NULL));
    check(sumac_groth16_key_open(context, argv[1], NULL, &key));
    check(sumac_groth16_key_describe(key, &info));
    check(sumac_groth16_witness_open(context, key, argv[2], &witness, &witness_bytes));

    const sumac_groth16_verifying_key *verifying = sumac_groth16_key_verifying(key);
    const size_t proof_bytes = info.proof_bytes, publics_bytes = info.publics_bytes;
    unsigned char *proof = malloc(proof_bytes), *publics = malloc(publics_bytes + 1);
    if (proof == NULL || publics == NULL) {
        return 1;
    }
    /* The proof is verified before the call returns. */
    check(sumac_groth16_prove(context, key, witness, witness_bytes, 1, NULL, proof, proof_bytes));
    check(sumac_groth16_proof_encode(context, verifying, proof, proof_bytes, "snarkjs", &text, &text_bytes));
    puts(text);

    /* A verifier has the public inputs, and verifies the proof with them. */
    check(sumac_groth16_witness_publics(context, key, witness, witness_bytes, publics, publics_bytes));
    check(sumac_groth16_verify(context, verifying, publics, publics_bytes, proof, proof_bytes, 1, &ok));
    printf("the proof of %llu public inputs %s\n", (unsigned long long)info.publics,
           ok ? "holds" : "does not hold");
    sumac_free(text);
    sumac_free(witness);
    free(publics);
    free(proof);
    sumac_groth16_key_destroy(key);
    sumac_context_destroy(context);
    return ok ? 0 : 1;
}
