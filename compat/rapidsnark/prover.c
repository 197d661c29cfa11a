/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file implements rapidsnark's prover.h with sumac/groth16.h, which has keys, witnesses and proofs. It limits
 * the number of proofs that are computed at once, and writes JSON in rapidsnark's form. */
#include "prover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "sumac/pool.h"

_Static_assert(sizeof(size_t) == sizeof(unsigned long long), "lengths are passed on as they are");

/* This many proofs are computed at the same time, each with all threads, so that one proof keeps threads busy while
 * another cannot. Further callers wait, so that memory does not grow with their number. */
enum { CONCURRENT_PROOFS = 4 };

/* The object to which prover_object points. It does not change. */
typedef struct prover {
    sumac_pool *pool;
    sumac_groth16_key *key;
} prover;

/* A .zkey, which is given as a file or as bytes. */
typedef struct zkey_source {
    const char *path;
    const void *bytes;
    size_t size;
} zkey_source;

/* The buffers for a proof and its public inputs. */
typedef struct json_output {
    char *proof;
    unsigned long long *proof_size;
    char *publics;
    unsigned long long *publics_size;
} json_output;

/* ---- Sizes ---- */

static int find_public_size(const zkey_source *zkey, unsigned long long *size,
                            const sumac_rapidsnark_sentence *sentence)
{
    sumac_groth16_verifying_key *key;
    sumac_groth16_info info = {.size = sizeof info};
    if (size == NULL) {
        sumac_rapidsnark_say(sentence, "public_size must not be null");
        return PROVER_ERROR;
    }
    sumac_context *context = sumac_rapidsnark_context(sentence);
    if (context == NULL) {
        return PROVER_ERROR;
    }
    sumac_status status = zkey->path != NULL
                              ? sumac_groth16_verifying_key_open(context, zkey->path, &key)
                              : sumac_groth16_verifying_key_create(context, zkey->bytes, zkey->size, &key);
    if (status != SUMAC_OK) {
        sumac_rapidsnark_say(sentence, sumac_context_message(context));
    } else {
        status = sumac_groth16_verifying_key_describe(key, &info);
        *size = 82 * info.publics + 4;
    }
    sumac_groth16_verifying_key_destroy(key);
    sumac_context_destroy(context);
    return status == SUMAC_OK ? PROVER_OK : PROVER_ERROR;
}

int groth16_public_size_for_zkey_buf(const void *zkey_buffer, unsigned long long zkey_size,
                                     unsigned long long *public_size, char *error_msg,
                                     unsigned long long error_msg_maxsize)
{
    const zkey_source zkey = {.bytes = zkey_buffer, .size = zkey_size};
    return find_public_size(&zkey, public_size, &(sumac_rapidsnark_sentence){error_msg, error_msg_maxsize});
}

int groth16_public_size_for_zkey_file(const char *zkey_fname, unsigned long long *public_size,
                                      char *error_msg, unsigned long long error_msg_maxsize)
{
    const zkey_source zkey = {.path = zkey_fname};
    return find_public_size(&zkey, public_size, &(sumac_rapidsnark_sentence){error_msg, error_msg_maxsize});
}

void groth16_proof_size(unsigned long long *proof_size)
{
    if (proof_size != NULL) {
        *proof_size = 810;
    }
}

/* ---- Provers ---- */

static void destroy(prover *p)
{
    if (p != NULL) {
        sumac_groth16_key_destroy(p->key);
        sumac_pool_destroy(p->pool);
        free(p);
    }
}

static sumac_status open_key(prover *p, const zkey_source *zkey, const sumac_rapidsnark_sentence *sentence)
{
    sumac_context *context;
    sumac_message reason;
    sumac_groth16_info info = {.size = sizeof info};
    sumac_groth16_key_config config = {.size = sizeof config};
    /* Points are not checked to lie in the subgroup, because the check takes longer than a proof. If they lie outside
     * it, the proof does not verify. */
    config.check = SUMAC_CHECK_CURVE;
    sumac_status status = sumac_pool_take(p->pool, &context, &reason);
    if (status != SUMAC_OK) {
        sumac_rapidsnark_say(sentence, reason.text);
        return status;
    }
    status = zkey->path != NULL
                 ? sumac_groth16_key_open(context, zkey->path, &config, &p->key)
                 : sumac_groth16_key_create(context, zkey->bytes, zkey->size, &config, &p->key);
    if (status != SUMAC_OK) {
        sumac_rapidsnark_say(sentence, sumac_context_message(context));
    } else if (!sumac_rapidsnark_is_bn254(sumac_groth16_key_verifying(p->key), &info, sentence)) {
        status = SUMAC_MISMATCH;
    }
    sumac_pool_give(p->pool, context);
    return status;
}

static sumac_status create(const zkey_source *zkey, const char *backend,
                           const sumac_rapidsnark_sentence *sentence, prover **made)
{
    sumac_message reason;
    sumac_context_config config = {.size = sizeof config};
    prover *p = calloc(1, sizeof *p);
    *made = NULL;
    if (p == NULL) {
        sumac_rapidsnark_say(sentence, sumac_status_text(SUMAC_OUT_OF_MEMORY));
        return SUMAC_OUT_OF_MEMORY;
    }
    config.backend = backend;
    sumac_status status = sumac_pool_create(&config, CONCURRENT_PROOFS, &p->pool, &reason);
    if (status != SUMAC_OK) {
        sumac_rapidsnark_say(sentence, reason.text);
    } else {
        status = open_key(p, zkey, sentence);
    }
    if (status != SUMAC_OK) {
        destroy(p);
        return status;
    }
    *made = p;
    return SUMAC_OK;
}

/* Open a key on a device. If this fails, or the device lacks memory for the key, open it on the CPU. */
static int create_resident(void **prover_object, const zkey_source *zkey,
                           const sumac_rapidsnark_sentence *sentence)
{
    prover *p;
    if (prover_object == NULL) {
        sumac_rapidsnark_say(sentence, "prover_object must not be null");
        return PROVER_ERROR;
    }
    sumac_status status = create(zkey, "auto", sentence, &p);
    if (sumac_status_is_machine_fault(status)) {
        status = create(zkey, "cpu", sentence, &p);
    }
    if (status != SUMAC_OK) {
        return PROVER_ERROR;
    }
    *prover_object = p;
    return PROVER_OK;
}

int groth16_prover_create(void **prover_object, const void *zkey_buffer, unsigned long long zkey_size,
                          char *error_msg, unsigned long long error_msg_maxsize)
{
    const zkey_source zkey = {.bytes = zkey_buffer, .size = zkey_size};
    return create_resident(prover_object, &zkey, &(sumac_rapidsnark_sentence){error_msg, error_msg_maxsize});
}

int groth16_prover_create_zkey_file(void **prover_object, const char *zkey_file_path, char *error_msg,
                                    unsigned long long error_msg_maxsize)
{
    const zkey_source zkey = {.path = zkey_file_path};
    return create_resident(prover_object, &zkey, &(sumac_rapidsnark_sentence){error_msg, error_msg_maxsize});
}

void groth16_prover_destroy(void *prover_object)
{
    destroy(prover_object);
}

/* ---- Proofs ---- */

/* Shorten snarkjs' text to rapidsnark's form, which has no spaces. It also lacks the curve, which is the last
 * member. */
static void shorten(char *text)
{
    char *end = text;
    for (const char *at = text; *at != 0; at++) {
        if (*at != ' ' && *at != '\n') {
            *end++ = *at;
        }
    }
    *end = 0;
    char *curve = strstr(text, ",\"curve\":");
    if (curve != NULL) {
        memcpy(curve, "}", 2);
    }
}

/* This is the largest size of a proof, including its final 0. Numbers modulo p have at most 77 digits. */
enum {
    MOST_PROOF_BYTES = sizeof "{\"pi_a\":[\"\",\"\",\"1\"],\"pi_b\":[[\"\",\"\"],[\"\",\"\"],[\"1\",\"0\"]],"
                              "\"pi_c\":[\"\",\"\",\"1\"],\"protocol\":\"groth16\"}" +
                       8 * 77
};

/* Check the size of the caller's buffers before the proof is computed. The required size for a proof is enough for
 * any proof. Thus, if a caller allocates the size that was required, and proves again with other random numbers, the
 * buffers are always large enough. */
static int has_room(const json_output *out, const char *publics, const sumac_rapidsnark_sentence *sentence)
{
    char text[SUMAC_MESSAGE_BYTES];
    const unsigned long long proof_size = *out->proof_size, publics_size = *out->publics_size,
                             needed = strlen(publics) + 1;
    if (proof_size >= MOST_PROOF_BYTES && publics_size >= needed) {
        return 1;
    }
    *out->proof_size = MOST_PROOF_BYTES;
    *out->publics_size = needed;
    (void)snprintf(text, sizeof text,
                   "buffers of %llu and %llu bytes for a proof and its public inputs, which need %d and %llu",
                   proof_size, publics_size, MOST_PROOF_BYTES, needed);
    sumac_rapidsnark_say(sentence, text);
    return 0;
}

static void put(const char *text, char *buffer, unsigned long long *size)
{
    *size = strlen(text);
    memcpy(buffer, text, (size_t)*size + 1);
}

/* Prove a witness, whose public inputs have this text. */
static int prove_witness(sumac_context *context, const sumac_groth16_key *key, const void *witness,
                         size_t witness_bytes, const char *publics, const json_output *out,
                         const sumac_rapidsnark_sentence *sentence)
{
    uint8_t proof[SUMAC_RAPIDSNARK_PROOF_BYTES];
    void *text = NULL;
    size_t text_bytes;
    if (!has_room(out, publics, sentence)) {
        return PROVER_ERROR_SHORT_BUFFER;
    }
    sumac_status status =
        sumac_groth16_prove(context, key, witness, witness_bytes, 1, NULL, proof, sizeof proof);
    if (status == SUMAC_OK) {
        status = sumac_groth16_proof_encode(context, sumac_groth16_key_verifying(key), proof, sizeof proof,
                                            "snarkjs", &text, &text_bytes);
    }
    if (status != SUMAC_OK) {
        sumac_rapidsnark_say(sentence, sumac_context_message(context));
        return PROVER_ERROR;
    }
    shorten(text);
    put(text, out->proof, out->proof_size);
    put(publics, out->publics, out->publics_size);
    sumac_free(text);
    return PROVER_OK;
}

/* Encode the public inputs of a witness as snarkjs' JSON. */
static sumac_status encode_publics(sumac_context *context, const sumac_groth16_key *key, const void *witness,
                                   size_t witness_bytes, void **text)
{
    sumac_groth16_info info = {.size = sizeof info};
    size_t text_bytes;
    sumac_status status = sumac_groth16_key_describe(key, &info);
    const size_t bytes = (size_t)info.publics_bytes;
    void *publics = malloc(bytes + 1);
    if (publics == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    if (status == SUMAC_OK) {
        status = sumac_groth16_witness_publics(context, key, witness, witness_bytes, publics, bytes);
    }
    if (status == SUMAC_OK) {
        status = sumac_groth16_publics_encode(context, sumac_groth16_key_verifying(key), publics, bytes,
                                              "snarkjs", text, &text_bytes);
    }
    free(publics);
    return status;
}

static int prove_with(sumac_context *context, const sumac_groth16_key *key, const void *wtns, size_t size,
                      const json_output *out, const sumac_rapidsnark_sentence *sentence)
{
    void *witness, *text = NULL;
    size_t witness_bytes;
    int result;
    sumac_status status = sumac_groth16_witness_create(context, key, wtns, size, &witness, &witness_bytes);
    if (status == SUMAC_OK) {
        status = encode_publics(context, key, witness, witness_bytes, &text);
    }
    if (status == SUMAC_OK) {
        shorten(text);
        /* If there are no public inputs, rapidsnark writes null. */
        const char *publics = strcmp(text, "[]") == 0 ? "null" : text;
        result = prove_witness(context, key, witness, witness_bytes, publics, out, sentence);
    } else {
        const char *message = sumac_context_message(context);
        sumac_rapidsnark_say(sentence, message[0] != 0 ? message : sumac_status_text(status));
        result = status == SUMAC_BAD_LENGTH ? PROVER_INVALID_WITNESS_LENGTH : PROVER_ERROR;
    }
    sumac_free(text);
    sumac_free(witness);
    return result;
}

static int prove(const prover *p, const void *wtns, unsigned long long wtns_size, const json_output *out,
                 const sumac_rapidsnark_sentence *sentence)
{
    sumac_context *context;
    sumac_message reason;
    if (p == NULL || wtns == NULL || out->proof == NULL || out->proof_size == NULL || out->publics == NULL ||
        out->publics_size == NULL) {
        sumac_rapidsnark_say(sentence,
                             "the prover, the witness, and buffers and their sizes must not be null");
        return PROVER_ERROR;
    }
    if (sumac_pool_take(p->pool, &context, &reason) != SUMAC_OK) {
        sumac_rapidsnark_say(sentence, reason.text);
        return PROVER_ERROR;
    }
    const int result = prove_with(context, p->key, wtns, wtns_size, out, sentence);
    if (result == PROVER_ERROR && sumac_context_check(context) != SUMAC_OK) {
        sumac_pool_discard(p->pool, context);
    } else {
        sumac_pool_give(p->pool, context);
    }
    return result;
}

int groth16_prover_prove(void *prover_object, const void *wtns_buffer, unsigned long long wtns_size,
                         char *proof_buffer, unsigned long long *proof_size, char *public_buffer,
                         unsigned long long *public_size, char *error_msg,
                         unsigned long long error_msg_maxsize)
{
    const json_output out = {proof_buffer, proof_size, public_buffer, public_size};
    return prove(prover_object, wtns_buffer, wtns_size, &out,
                 &(sumac_rapidsnark_sentence){error_msg, error_msg_maxsize});
}

/* Compute small proofs on the CPU, because starting a GPU takes longer than most proofs. */
static int prove_once(const zkey_source *zkey, const void *wtns, unsigned long long wtns_size,
                      const json_output *out, const sumac_rapidsnark_sentence *sentence)
{
    prover *p;
    if (create(zkey, "cpu", sentence, &p) != SUMAC_OK) {
        return PROVER_ERROR;
    }
    const int result = prove(p, wtns, wtns_size, out, sentence);
    destroy(p);
    return result;
}

int groth16_prover(const void *zkey_buffer, unsigned long long zkey_size, const void *wtns_buffer,
                   unsigned long long wtns_size, char *proof_buffer, unsigned long long *proof_size,
                   char *public_buffer, unsigned long long *public_size, char *error_msg,
                   unsigned long long error_msg_maxsize)
{
    const zkey_source zkey = {.bytes = zkey_buffer, .size = zkey_size};
    const json_output out = {proof_buffer, proof_size, public_buffer, public_size};
    return prove_once(&zkey, wtns_buffer, wtns_size, &out,
                      &(sumac_rapidsnark_sentence){error_msg, error_msg_maxsize});
}

int groth16_prover_zkey_file(const char *zkey_file_path, const void *wtns_buffer,
                             unsigned long long wtns_size, char *proof_buffer, unsigned long long *proof_size,
                             char *public_buffer, unsigned long long *public_size, char *error_msg,
                             unsigned long long error_msg_maxsize)
{
    const zkey_source zkey = {.path = zkey_file_path};
    const json_output out = {proof_buffer, proof_size, public_buffer, public_size};
    return prove_once(&zkey, wtns_buffer, wtns_size, &out,
                      &(sumac_rapidsnark_sentence){error_msg, error_msg_maxsize});
}
