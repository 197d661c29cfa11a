/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the native methods of ethereum.cryptography.LibEthKZG, a class of the jar java-eth-kzg, over
 * eth_kzg.h. It is compiled as libjava_eth_kzg.so into a folder that precedes the jar in the class path.
 * docs/dropins.md has the command. */
#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "eth_kzg.h"

enum { BLOB = 131072, CELL = 2048, POINT = 48, ELEMENT = 32, CELLS = 128, SENTENCE_BYTES = 160 };

/* Items that were copied from Java, one after another, and a pointer to each. */
typedef struct items {
    uint8_t *bytes;
    const uint8_t **each;
    uint64_t count;
} items;

/* The arguments of a method. free_arguments() frees them, even if reading them failed halfway. */
typedef struct arguments {
    items of[4];
    uint64_t *indices;
    uint64_t index_count;
} arguments;

/* All cells and proofs, and a pointer to each. */
typedef struct outputs {
    uint8_t cells[CELLS][CELL], proofs[CELLS][POINT];
    uint8_t *each_cell[CELLS], *each_proof[CELLS];
} outputs;

static DASContext *context_of(jlong pointer)
{
    return (DASContext *)(intptr_t)pointer;
}

/* Throw an exception with this sentence, unless an exception is already pending. */
static void throw(JNIEnv * env, const char *sentence)
{
    if (!(*env)->ExceptionCheck(env)) {
        jclass type = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
        if (type != NULL) {
            (*env)->ThrowNew(env, type, sentence);
        }
    }
}

/* Return true if a call succeeded. Otherwise throw its message. */
static bool succeeded(JNIEnv *env, CResult result)
{
    if (result.status != Ok) {
        throw(env, result.error_msg);
        eth_kzg_free_error_message(result.error_msg);
    }
    return result.status == Ok;
}

static bool copy(JNIEnv *env, jbyteArray from, const char *name, jsize bytes, uint8_t *to)
{
    char sentence[SENTENCE_BYTES];
    if (from == NULL) {
        snprintf(sentence, sizeof sentence, "%s is null", name);
        throw(env, sentence);
        return false;
    }
    const jsize length = (*env)->GetArrayLength(env, from);
    if (length != bytes) {
        /* Teku looks for these words. */
        snprintf(sentence, sizeof sentence, "%s is not the correct size. expected: %d\ngot: %d", name,
                 (int)bytes, (int)length);
        throw(env, sentence);
        return false;
    }
    (*env)->GetByteArrayRegion(env, from, 0, bytes, (jbyte *)to);
    return true;
}

static void free_arguments(arguments *a)
{
    for (size_t i = 0; i < sizeof a->of / sizeof *a->of; i++) {
        free(a->of[i].bytes);
        free(a->of[i].each);
    }
    free(a->indices);
}

static bool make_items(JNIEnv *env, items *to, jsize count, jsize bytes)
{
    to->count = (uint64_t)count;
    to->bytes = calloc((size_t)count + 1, (size_t)bytes);
    to->each = calloc((size_t)count + 1, sizeof *to->each);
    if (to->bytes == NULL || to->each == NULL) {
        throw(env, "out of memory");
        return false;
    }
    for (size_t i = 0; i < to->count; i++) {
        to->each[i] = to->bytes + i * (size_t)bytes;
    }
    return true;
}

static bool copy_one(JNIEnv *env, jbyteArray from, const char *name, jsize bytes, items *to)
{
    return make_items(env, to, 1, bytes) && copy(env, from, name, bytes, to->bytes);
}

static bool copy_all(JNIEnv *env, jobjectArray from, const char *name, jsize bytes, items *to)
{
    if (from == NULL) {
        throw(env, "an array is null");
        return false;
    }
    const jsize count = (*env)->GetArrayLength(env, from);
    bool copied = make_items(env, to, count, bytes);
    for (jsize i = 0; copied && i < count; i++) {
        jbyteArray item = (*env)->GetObjectArrayElement(env, from, i);
        copied = copy(env, item, name, bytes, to->bytes + (size_t)i * (size_t)bytes);
        (*env)->DeleteLocalRef(env, item);
    }
    return copied;
}

static bool copy_indices(JNIEnv *env, jlongArray from, arguments *to)
{
    const jsize length = from == NULL ? 0 : (*env)->GetArrayLength(env, from);
    to->index_count = (uint64_t)length;
    to->indices = from == NULL ? NULL : calloc((size_t)length + 1, sizeof *to->indices);
    if (to->indices == NULL) {
        throw(env, from == NULL ? "an array is null" : "out of memory");
        return false;
    }
    (*env)->GetLongArrayRegion(env, from, 0, length, (jlong *)to->indices);
    return true;
}

static jbyteArray to_java(JNIEnv *env, const uint8_t *bytes, jsize count)
{
    jbyteArray array = (*env)->NewByteArray(env, count);
    if (array != NULL) {
        (*env)->SetByteArrayRegion(env, array, 0, count, (const jbyte *)bytes);
    }
    return array;
}

static jobjectArray all_to_java(JNIEnv *env, uint8_t *const *each, jsize count, jsize bytes)
{
    jclass type = (*env)->FindClass(env, "[B");
    jobjectArray arrays = type == NULL ? NULL : (*env)->NewObjectArray(env, count, type, NULL);
    for (jsize i = 0; arrays != NULL && i < count; i++) {
        jbyteArray item = to_java(env, each[i], bytes);
        if (item == NULL) {
            return NULL;
        }
        (*env)->SetObjectArrayElement(env, arrays, i, item);
        (*env)->DeleteLocalRef(env, item);
    }
    return arrays;
}

static outputs *make_outputs(JNIEnv *env)
{
    outputs *o = malloc(sizeof *o);
    if (o == NULL) {
        throw(env, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < CELLS; i++) {
        o->each_cell[i] = o->cells[i];
        o->each_proof[i] = o->proofs[i];
    }
    return o;
}

static jobject make_object(JNIEnv *env, const char *name, const char *signature, jobjectArray cells,
                           jobjectArray proofs)
{
    jclass type = cells == NULL ? NULL : (*env)->FindClass(env, name);
    jmethodID constructor = type == NULL ? NULL : (*env)->GetMethodID(env, type, "<init>", signature);
    return constructor == NULL ? NULL : (*env)->NewObject(env, type, constructor, cells, proofs);
}

static jobject cells_and_proofs(JNIEnv *env, const outputs *o)
{
    jobjectArray cells = all_to_java(env, o->each_cell, CELLS, CELL);
    jobjectArray proofs = cells == NULL ? NULL : all_to_java(env, o->each_proof, CELLS, POINT);
    return proofs == NULL
               ? NULL
               : make_object(env, "ethereum/cryptography/CellsAndProofs", "([[B[[B)V", cells, proofs);
}

/* The methods are static, so their parameter `type` is the class. */
#define METHOD(type, name) JNIEXPORT type JNICALL Java_ethereum_cryptography_LibEthKZG_##name

METHOD(jlong, DASContextNew)(JNIEnv *env, jclass type, jboolean use_precomp)
{
    (void)type;
    DASContext *context = eth_kzg_das_context_new(use_precomp);
    if (context == NULL) {
        throw(env, "out of memory");
    }
    return (jlong)(intptr_t)context;
}

METHOD(void, DASContextDestroy)(JNIEnv *env, jclass type, jlong context)
{
    (void)env;
    (void)type;
    eth_kzg_das_context_free(context_of(context));
}

METHOD(jbyteArray, blobToKZGCommitment)(JNIEnv *env, jclass type, jlong context, jbyteArray blob)
{
    (void)type;
    uint8_t out[POINT];
    arguments a = {0};
    const bool done = copy_one(env, blob, "blob", BLOB, a.of) &&
                      succeeded(env, eth_kzg_blob_to_kzg_commitment(context_of(context), a.of[0].bytes, out));
    free_arguments(&a);
    return done ? to_java(env, out, POINT) : NULL;
}

METHOD(jobjectArray, computeKzgProof)(JNIEnv *env, jclass type, jlong context, jbyteArray blob, jbyteArray z)
{
    (void)type;
    uint8_t proof[POINT], y[ELEMENT];
    arguments a = {0};
    const bool done = copy_one(env, blob, "blob", BLOB, a.of) && copy_one(env, z, "z", ELEMENT, a.of + 1) &&
                      succeeded(env, eth_kzg_compute_kzg_proof(context_of(context), a.of[0].bytes,
                                                               a.of[1].bytes, proof, y));
    free_arguments(&a);
    jclass bytes = done ? (*env)->FindClass(env, "[B") : NULL;
    jobjectArray both = bytes == NULL ? NULL : (*env)->NewObjectArray(env, 2, bytes, NULL);
    if (both != NULL) {
        (*env)->SetObjectArrayElement(env, both, 0, to_java(env, proof, POINT));
        (*env)->SetObjectArrayElement(env, both, 1, to_java(env, y, ELEMENT));
    }
    return both;
}

METHOD(jbyteArray, computeBlobKzgProof)
(JNIEnv *env, jclass type, jlong context, jbyteArray blob, jbyteArray commitment)
{
    (void)type;
    uint8_t proof[POINT];
    arguments a = {0};
    const bool done =
        copy_one(env, blob, "blob", BLOB, a.of) && copy_one(env, commitment, "commitment", POINT, a.of + 1) &&
        succeeded(env,
                  eth_kzg_compute_blob_kzg_proof(context_of(context), a.of[0].bytes, a.of[1].bytes, proof));
    free_arguments(&a);
    return done ? to_java(env, proof, POINT) : NULL;
}

METHOD(jboolean, verifyKzgProof)
(JNIEnv *env, jclass type, jlong context, jbyteArray commitment, jbyteArray z, jbyteArray y, jbyteArray proof)
{
    (void)type;
    bool holds = false;
    arguments a = {0};
    const bool done =
        copy_one(env, commitment, "commitment", POINT, a.of) && copy_one(env, z, "z", ELEMENT, a.of + 1) &&
        copy_one(env, y, "y", ELEMENT, a.of + 2) && copy_one(env, proof, "proof", POINT, a.of + 3) &&
        succeeded(env, eth_kzg_verify_kzg_proof(context_of(context), a.of[0].bytes, a.of[1].bytes,
                                                a.of[2].bytes, a.of[3].bytes, &holds));
    free_arguments(&a);
    return done && holds;
}

METHOD(jboolean, verifyBlobKzgProof)
(JNIEnv *env, jclass type, jlong context, jbyteArray blob, jbyteArray commitment, jbyteArray proof)
{
    (void)type;
    bool holds = false;
    arguments a = {0};
    const bool done = copy_one(env, blob, "blob", BLOB, a.of) &&
                      copy_one(env, commitment, "commitment", POINT, a.of + 1) &&
                      copy_one(env, proof, "proof", POINT, a.of + 2) &&
                      succeeded(env, eth_kzg_verify_blob_kzg_proof(context_of(context), a.of[0].bytes,
                                                                   a.of[1].bytes, a.of[2].bytes, &holds));
    free_arguments(&a);
    return done && holds;
}

METHOD(jboolean, verifyBlobKzgProofBatch)
(JNIEnv *env, jclass type, jlong context, jobjectArray blobs, jobjectArray commitments, jobjectArray proofs)
{
    (void)type;
    bool holds = false;
    arguments a = {0};
    const items *b = a.of, *c = a.of + 1, *p = a.of + 2;
    const bool done =
        copy_all(env, blobs, "blob", BLOB, a.of) &&
        copy_all(env, commitments, "commitment", POINT, a.of + 1) &&
        copy_all(env, proofs, "proof", POINT, a.of + 2) &&
        succeeded(env, eth_kzg_verify_blob_kzg_proof_batch(context_of(context), b->count, b->each, c->count,
                                                           c->each, p->count, p->each, &holds));
    free_arguments(&a);
    return done && holds;
}

METHOD(jobject, computeCells)(JNIEnv *env, jclass type, jlong context, jbyteArray blob)
{
    (void)type;
    jobject cells = NULL;
    arguments a = {0};
    outputs *o = make_outputs(env);
    if (o != NULL && copy_one(env, blob, "blob", BLOB, a.of) &&
        succeeded(env, eth_kzg_compute_cells(context_of(context), a.of[0].bytes, o->each_cell))) {
        cells = make_object(env, "ethereum/cryptography/Cells", "([[B)V",
                            all_to_java(env, o->each_cell, CELLS, CELL), NULL);
    }
    free(o);
    free_arguments(&a);
    return cells;
}

METHOD(jobject, computeCellsAndKZGProofs)(JNIEnv *env, jclass type, jlong context, jbyteArray blob)
{
    (void)type;
    jobject both = NULL;
    arguments a = {0};
    outputs *o = make_outputs(env);
    if (o != NULL && copy_one(env, blob, "blob", BLOB, a.of) &&
        succeeded(env, eth_kzg_compute_cells_and_kzg_proofs(context_of(context), a.of[0].bytes, o->each_cell,
                                                            o->each_proof))) {
        both = cells_and_proofs(env, o);
    }
    free(o);
    free_arguments(&a);
    return both;
}

METHOD(jobject, recoverCellsAndKZGProofs)
(JNIEnv *env, jclass type, jlong context, jlongArray indices, jobjectArray cells)
{
    (void)type;
    jobject both = NULL;
    arguments a = {0};
    outputs *o = make_outputs(env);
    if (o != NULL && copy_indices(env, indices, &a) && copy_all(env, cells, "cell", CELL, a.of) &&
        succeeded(env,
                  eth_kzg_recover_cells_and_proofs(context_of(context), a.of[0].count, a.of[0].each,
                                                   a.index_count, a.indices, o->each_cell, o->each_proof))) {
        both = cells_and_proofs(env, o);
    }
    free(o);
    free_arguments(&a);
    return both;
}

METHOD(jboolean, verifyCellKZGProofBatch)
(JNIEnv *env, jclass type, jlong context, jobjectArray commitments, jlongArray indices, jobjectArray cells,
 jobjectArray proofs)
{
    (void)type;
    bool holds = false;
    arguments a = {0};
    const items *c = a.of, *d = a.of + 1, *p = a.of + 2;
    const bool done =
        copy_all(env, commitments, "commitment", POINT, a.of) && copy_indices(env, indices, &a) &&
        copy_all(env, cells, "cell", CELL, a.of + 1) && copy_all(env, proofs, "proof", POINT, a.of + 2) &&
        succeeded(env, eth_kzg_verify_cell_kzg_proof_batch(context_of(context), c->count, c->each,
                                                           a.index_count, a.indices, d->count, d->each,
                                                           p->count, p->each, &holds));
    free_arguments(&a);
    return done && holds;
}
