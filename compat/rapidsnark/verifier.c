/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file implements rapidsnark's verifier.h: for each of its three texts there is one call of sumac/groth16.h. */
#include "verifier.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"

/* Say whether a status means that a proof or public inputs have impossible numbers or points. They are then invalid,
   which is not an error. */
static int is_of_no_meaning(sumac_status status)
{
    return status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP;
}

static sumac_status verify(sumac_context *context, const sumac_groth16_verifying_key *key, const char *proof,
                           const char *inputs, uint8_t *publics, size_t publics_bytes, int *ok)
{
    uint8_t points[SUMAC_RAPIDSNARK_PROOF_BYTES];
    sumac_status status = sumac_groth16_proof_decode(context, key, proof, strlen(proof), "snarkjs",
                                                     "the proof", points, sizeof points);
    if (status == SUMAC_OK) {
        status = sumac_groth16_publics_decode(context, key, inputs, strlen(inputs), "snarkjs", "the inputs",
                                              publics, publics_bytes);
    }
    return status == SUMAC_OK
               ? sumac_groth16_verify(context, key, publics, publics_bytes, points, sizeof points, 1, ok)
               : status;
}

static int verify_with(sumac_context *context, const sumac_groth16_verifying_key *key, const char *proof,
                       const char *inputs, const sumac_rapidsnark_sentence *sentence)
{
    int ok = 0;
    sumac_groth16_info info = {.size = sizeof info};
    if (!sumac_rapidsnark_is_bn254(key, &info, sentence)) {
        return VERIFIER_ERROR;
    }
    uint8_t *publics = malloc((size_t)info.publics_bytes + 1);
    if (publics == NULL) {
        sumac_rapidsnark_say(sentence, sumac_status_text(SUMAC_OUT_OF_MEMORY));
        return VERIFIER_ERROR;
    }
    const sumac_status status = verify(context, key, proof, inputs, publics, (size_t)info.publics_bytes, &ok);
    free(publics);
    if (status != SUMAC_OK && !is_of_no_meaning(status)) {
        sumac_rapidsnark_say(sentence, sumac_context_message(context));
        return VERIFIER_ERROR;
    }
    return ok ? VERIFIER_VALID_PROOF : VERIFIER_INVALID_PROOF;
}

int groth16_verify(const char *proof, const char *inputs, const char *verification_key, char *error_msg,
                   unsigned long error_msg_maxsize)
{
    const sumac_rapidsnark_sentence sentence = {error_msg, error_msg_maxsize};
    sumac_groth16_verifying_key *key;
    int result = VERIFIER_ERROR;
    if (proof == NULL || inputs == NULL || verification_key == NULL) {
        sumac_rapidsnark_say(&sentence, "proof, inputs and verification_key must not be null");
        return VERIFIER_ERROR;
    }
    sumac_context *context = sumac_rapidsnark_context(&sentence);
    if (context == NULL) {
        return VERIFIER_ERROR;
    }
    if (sumac_groth16_verifying_key_create(context, verification_key, strlen(verification_key), &key) ==
        SUMAC_OK) {
        result = verify_with(context, key, proof, inputs, &sentence);
    } else {
        sumac_rapidsnark_say(&sentence, sumac_context_message(context));
    }
    sumac_groth16_verifying_key_destroy(key);
    sumac_context_destroy(context);
    return result;
}
