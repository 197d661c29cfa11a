/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Each function makes one call of sumac/kzg.h, with one blob or with many cells. Callers pass arrays of pointers. The
 * data to which they point are copied into contiguous memory for sumac's calls. */
#include "eth_kzg.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../kzg/loaded.h"
#include "ethereum_setup.h"

enum {
    KEPT_CONTEXTS = 4, /* the number of threads in Node's pool */
    ALL_PROCESSORS = 0,
    TABLE_BYTES = 96 << 20, /* this limit is that of c-kzg-4844's precompute 8 */
    NO_TABLES = 1
};

struct DASContext {
    loaded_setup *loaded;
};

/* If a call has no memory for a message, it has this one, which is not freed. */
static const char OUT_OF_MEMORY[] = "out of memory";

static CResult failed(const char *sentence)
{
    const size_t bytes = strlen(sentence) + 1;
    char *copy = malloc(bytes);
    return (CResult){Err, copy != NULL ? memcpy(copy, sentence, bytes) : (char *)(uintptr_t)OUT_OF_MEMORY};
}

static loaded_call begin(const DASContext *ctx)
{
    return sumac_loaded_begin(ctx == NULL ? NULL : ctx->loaded);
}

static CResult end(const loaded_call *call, sumac_status status)
{
    CResult result = {Ok, NULL};
    if (call->context == NULL) {
        result = failed(call->status == SUMAC_BAD_ARGUMENT ? "the context is null"
                                                           : sumac_status_text(call->status));
    } else if (status != SUMAC_OK) {
        result = failed(sumac_context_message(call->context));
    }
    sumac_loaded_end(call, status);
    return result;
}

/* End a call that verifies. */
static CResult answer(const loaded_call *call, sumac_status status, int holds, bool *verified)
{
    CResult result = end(call, status);
    if (verified != NULL) {
        *verified = result.status == Ok && holds;
    } else if (result.status == Ok) {
        result = failed("the pointer to the answer is null");
    }
    return result;
}

static CResult refuse(bool *verified, const char *sentence)
{
    if (verified != NULL) {
        *verified = false;
    }
    return failed(sentence);
}

static const char NULL_POINTER[] = "a pointer is null";
static const char LENGTHS_DIFFER[] = "the lengths differ";

/* Copy the bytes to which `count` pointers point, one after another, to *packed, which the caller frees. If count is
 * 0, *packed is null. Return a message on failure, and null otherwise. */
static const char *pack(const uint8_t *const *pointers, uint64_t count, size_t bytes, uint8_t **packed)
{
    *packed = NULL;
    if (count == 0) {
        return NULL;
    }
    uint8_t *copy = pointers == NULL ? NULL : calloc(count, bytes);
    if (copy == NULL) {
        return pointers == NULL ? NULL_POINTER : OUT_OF_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (pointers[i] == NULL) {
            free(copy);
            return NULL_POINTER;
        }
        memcpy(copy + i * bytes, pointers[i], bytes);
    }
    *packed = copy;
    return NULL;
}

/* Contiguous commitments and proofs, and the blobs or cells that belong to them. */
typedef struct packed_batch {
    uint8_t *commitments, *proofs, *data;
} packed_batch;

static void free_batch(const packed_batch *batch)
{
    free(batch->commitments);
    free(batch->proofs);
    free(batch->data);
}

static const char *pack_batch(const uint8_t *const *commitments, const uint8_t *const *proofs,
                              const uint8_t *const *data, size_t data_bytes, uint64_t count,
                              packed_batch *batch)
{
    *batch = (packed_batch){NULL, NULL, NULL};
    const char *sentence = pack(commitments, count, SUMAC_KZG_COMMITMENT_BYTES, &batch->commitments);
    if (sentence == NULL) {
        sentence = pack(proofs, count, SUMAC_KZG_PROOF_BYTES, &batch->proofs);
    }
    return sentence != NULL ? sentence : pack(data, count, data_bytes, &batch->data);
}

/* All cells of a blob and their proofs. */
typedef struct cells_and_proofs {
    sumac_cell cells[SUMAC_KZG_CELLS];
    sumac_bytes48 proofs[SUMAC_KZG_CELLS];
} cells_and_proofs;

static bool has_null(uint8_t *const *pointers)
{
    bool found = pointers == NULL;
    for (size_t i = 0; i < SUMAC_KZG_CELLS && !found; i++) {
        found = pointers[i] == NULL;
    }
    return found;
}

/* If a call succeeded, copy its outputs to the caller's arrays. `proofs` may be null. */
static void unpack(const CResult *result, const cells_and_proofs *from, uint8_t **cells, uint8_t **proofs)
{
    for (size_t i = 0; i < SUMAC_KZG_CELLS && result->status == Ok; i++) {
        memcpy(cells[i], from->cells + i, sizeof *from->cells);
        if (proofs != NULL) {
            memcpy(proofs[i], from->proofs + i, sizeof *from->proofs);
        }
    }
}

DASContext *eth_kzg_das_context_new(bool use_precomp)
{
    const uint8_t *points = sumac_ethereum_setup;
    const setup_bytes bytes = {
        .g1_lagrange = points + offsetof(ethereum_setup, g1_lagrange),
        .g1_lagrange_bytes = sizeof((ethereum_setup *)NULL)->g1_lagrange,
        .g2_monomial = points + offsetof(ethereum_setup, g2_monomial),
        .g2_monomial_bytes = sizeof((ethereum_setup *)NULL)->g2_monomial,
        .g1_monomial = points + offsetof(ethereum_setup, g1_monomial),
        .g1_monomial_bytes = sizeof((ethereum_setup *)NULL)->g1_monomial,
    };
    DASContext *ctx = calloc(1, sizeof *ctx);
    if (ctx != NULL && sumac_loaded_create(&bytes, ALL_PROCESSORS, KEPT_CONTEXTS,
                                           use_precomp ? TABLE_BYTES : NO_TABLES, &ctx->loaded) != SUMAC_OK) {
        free(ctx);
        ctx = NULL;
    }
    return ctx;
}

void eth_kzg_das_context_free(DASContext *ctx)
{
    if (ctx != NULL) {
        sumac_loaded_destroy(ctx->loaded);
        free(ctx);
    }
}

void eth_kzg_free_error_message(char *c_message)
{
    if (c_message != OUT_OF_MEMORY) {
        free(c_message);
    }
}

uint64_t eth_kzg_constant_bytes_per_cell(void)
{
    return SUMAC_KZG_CELL_BYTES;
}

uint64_t eth_kzg_constant_bytes_per_proof(void)
{
    return SUMAC_KZG_PROOF_BYTES;
}

uint64_t eth_kzg_constant_cells_per_ext_blob(void)
{
    return SUMAC_KZG_CELLS;
}

CResult eth_kzg_blob_to_kzg_commitment(const DASContext *ctx, const uint8_t *blob, uint8_t *out)
{
    const loaded_call call = begin(ctx);
    return end(&call,
               sumac_kzg_commit(call.context, call.setup, (const sumac_blob *)blob, 1, (sumac_bytes48 *)out));
}

CResult eth_kzg_compute_kzg_proof(const DASContext *ctx, const uint8_t *blob, const uint8_t *z,
                                  uint8_t *out_proof, uint8_t *out_y)
{
    if (out_y == NULL) {
        return failed(NULL_POINTER);
    }
    const loaded_call call = begin(ctx);
    return end(&call, sumac_kzg_compute_proof(call.context, call.setup, (const sumac_blob *)blob,
                                              (const sumac_bytes32 *)z, 1, (sumac_bytes48 *)out_proof,
                                              (sumac_bytes32 *)out_y));
}

CResult eth_kzg_compute_blob_kzg_proof(const DASContext *ctx, const uint8_t *blob, const uint8_t *commitment,
                                       uint8_t *out_proof)
{
    const loaded_call call = begin(ctx);
    return end(&call, sumac_kzg_compute_blob_proof(call.context, call.setup, (const sumac_blob *)blob,
                                                   (const sumac_bytes48 *)commitment, 1,
                                                   (sumac_bytes48 *)out_proof));
}

CResult eth_kzg_verify_kzg_proof(const DASContext *ctx, const uint8_t *commitment, const uint8_t *z,
                                 const uint8_t *y, const uint8_t *proof, bool *verified)
{
    int holds = 0;
    const loaded_call call = begin(ctx);
    const sumac_status status = sumac_kzg_verify_proof(
        call.context, call.setup, (const sumac_bytes48 *)commitment, (const sumac_bytes32 *)z,
        (const sumac_bytes32 *)y, (const sumac_bytes48 *)proof, 1, &holds);
    return answer(&call, status, holds, verified);
}

CResult eth_kzg_verify_blob_kzg_proof(const DASContext *ctx, const uint8_t *blob, const uint8_t *commitment,
                                      const uint8_t *proof, bool *verified)
{
    int holds = 0;
    const loaded_call call = begin(ctx);
    const sumac_status status = sumac_kzg_verify_blob_proof(
        call.context, call.setup, (const sumac_blob *)blob, (const sumac_bytes48 *)commitment,
        (const sumac_bytes48 *)proof, 1, &holds);
    return answer(&call, status, holds, verified);
}

CResult eth_kzg_verify_blob_kzg_proof_batch(const DASContext *ctx, uint64_t blobs_length,
                                            const uint8_t *const *blobs, uint64_t commitments_length,
                                            const uint8_t *const *commitments, uint64_t proofs_length,
                                            const uint8_t *const *proofs, bool *verified)
{
    int holds = 0;
    packed_batch batch;
    if (commitments_length != blobs_length || proofs_length != blobs_length) {
        return refuse(verified, LENGTHS_DIFFER);
    }
    const char *sentence = pack_batch(commitments, proofs, blobs, SUMAC_KZG_BLOB_BYTES, blobs_length, &batch);
    CResult result;
    if (sentence == NULL) {
        const loaded_call call = begin(ctx);
        const sumac_status status =
            sumac_kzg_verify_blob_proof(call.context, call.setup, (const sumac_blob *)batch.data,
                                        (const sumac_bytes48 *)batch.commitments,
                                        (const sumac_bytes48 *)batch.proofs, blobs_length, &holds);
        result = answer(&call, status, holds, verified);
    } else {
        result = refuse(verified, sentence);
    }
    free_batch(&batch);
    return result;
}

/* Compute the cells of a blob. If proofs are wanted, compute them, too. */
static CResult compute_cells(const DASContext *ctx, const uint8_t *blob, uint8_t **out_cells,
                             uint8_t **out_proofs)
{
    cells_and_proofs *both = malloc(sizeof *both);
    if (both == NULL) {
        return failed(OUT_OF_MEMORY);
    }
    const loaded_call call = begin(ctx);
    const CResult result = end(&call, sumac_kzg_cells(call.context, call.setup, (const sumac_blob *)blob, 1,
                                                      both->cells, out_proofs == NULL ? NULL : both->proofs));
    unpack(&result, both, out_cells, out_proofs);
    free(both);
    return result;
}

CResult eth_kzg_compute_cells_and_kzg_proofs(const DASContext *ctx, const uint8_t *blob, uint8_t **out_cells,
                                             uint8_t **out_proofs)
{
    return has_null(out_cells) || has_null(out_proofs) ? failed(NULL_POINTER)
                                                       : compute_cells(ctx, blob, out_cells, out_proofs);
}

CResult eth_kzg_compute_cells(const DASContext *ctx, const uint8_t *blob, uint8_t **out_cells)
{
    return has_null(out_cells) ? failed(NULL_POINTER) : compute_cells(ctx, blob, out_cells, NULL);
}

CResult eth_kzg_recover_cells_and_proofs(const DASContext *ctx, uint64_t cells_length,
                                         const uint8_t *const *cells, uint64_t cell_indices_length,
                                         const uint64_t *cell_indices, uint8_t **out_cells,
                                         uint8_t **out_proofs)
{
    uint8_t *given;
    if (has_null(out_cells) || has_null(out_proofs)) {
        return failed(NULL_POINTER);
    }
    if (cells_length != cell_indices_length) {
        return failed(LENGTHS_DIFFER);
    }
    const char *sentence = pack(cells, cells_length, SUMAC_KZG_CELL_BYTES, &given);
    cells_and_proofs *both = sentence == NULL ? malloc(sizeof *both) : NULL;
    CResult result;
    if (both != NULL) {
        const loaded_call call = begin(ctx);
        result = end(&call, sumac_kzg_recover(call.context, call.setup, cell_indices, cells_length,
                                              (const sumac_cell *)given, 1, both->cells, both->proofs, NULL));
        unpack(&result, both, out_cells, out_proofs);
    } else {
        result = failed(sentence != NULL ? sentence : OUT_OF_MEMORY);
    }
    free(both);
    free(given);
    return result;
}

CResult eth_kzg_verify_cell_kzg_proof_batch(const DASContext *ctx, uint64_t commitments_length,
                                            const uint8_t *const *commitments, uint64_t cell_indices_length,
                                            const uint64_t *cell_indices, uint64_t cells_length,
                                            const uint8_t *const *cells, uint64_t proofs_length,
                                            const uint8_t *const *proofs, bool *verified)
{
    int holds = 0;
    packed_batch batch;
    if (commitments_length != cells_length || cell_indices_length != cells_length ||
        proofs_length != cells_length) {
        return refuse(verified, LENGTHS_DIFFER);
    }
    const char *sentence = pack_batch(commitments, proofs, cells, SUMAC_KZG_CELL_BYTES, cells_length, &batch);
    CResult result;
    if (sentence == NULL) {
        const loaded_call call = begin(ctx);
        const sumac_status status = sumac_kzg_verify_cells(
            call.context, call.setup, (const sumac_bytes48 *)batch.commitments, cell_indices,
            (const sumac_cell *)batch.data, (const sumac_bytes48 *)batch.proofs, cells_length, &holds);
        result = answer(&call, status, holds, verified);
    } else {
        result = refuse(verified, sentence);
    }
    free_batch(&batch);
    return result;
}
