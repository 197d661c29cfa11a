/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Times of four calls of eth_kzg.h: the least of 20. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "eth_kzg.h"

enum { BLOB = 131072, CELL = 2048, POINT = 48, CELLS = 128, ROUNDS = 20 };

static DASContext *context;
static uint8_t blob[BLOB], commitment[POINT], proof[POINT], cells[CELLS][CELL], proofs[CELLS][POINT];
static uint8_t *cell_places[CELLS], *proof_places[CELLS];
static const uint8_t *given_cells[CELLS], *given_proofs[CELLS], *commitments[CELLS];
static uint64_t indices[CELLS];
static bool holds = true;

static CResult commit(void)
{
    return eth_kzg_blob_to_kzg_commitment(context, blob, commitment);
}

static CResult verify_blob(void)
{
    return eth_kzg_verify_blob_kzg_proof(context, blob, commitment, proof, &holds);
}

static CResult compute_cells(void)
{
    return eth_kzg_compute_cells_and_kzg_proofs(context, blob, cell_places, proof_places);
}

static CResult verify_cells(void)
{
    return eth_kzg_verify_cell_kzg_proof_batch(context, CELLS, commitments, CELLS, indices, CELLS,
                                               given_cells, CELLS, given_proofs, &holds);
}

static void expect(CResult result)
{
    if (result.status != Ok || !holds) {
        fprintf(stderr, "%s\n", result.status == Ok ? "a proof does not hold" : result.error_msg);
        exit(1);
    }
}

static void print_time(const char *name, CResult (*call)(void))
{
    double least = 1e9;
    for (int i = 0; i <= ROUNDS; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        expect(call());
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double ms =
            1e3 * (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_nsec - from.tv_nsec);
        least = ms < least ? ms : least;
    }
    printf("%s %.1f ms\n", name, least);
}

int main(void)
{
    context = eth_kzg_das_context_new(true);
    for (int i = 0; i < BLOB; i++) {
        blob[i] = (uint8_t)(i % 32 == 0 ? 0 : rand() >> 7);
    }
    for (uint64_t i = 0; i < CELLS; i++) {
        given_cells[i] = cell_places[i] = cells[i];
        given_proofs[i] = proof_places[i] = proofs[i];
        commitments[i] = commitment;
        indices[i] = i;
    }
    print_time("blob_to_kzg_commitment", commit);
    expect(eth_kzg_compute_blob_kzg_proof(context, blob, commitment, proof));
    print_time("verify_blob_kzg_proof", verify_blob);
    print_time("compute_cells_and_kzg_proofs", compute_cells);
    print_time("verify_cell_kzg_proof_batch", verify_cells);
    eth_kzg_das_context_free(context);
    return 0;
}
