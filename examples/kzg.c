/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This program has a node's steps with a blob: it commits, proves and verifies, extends the blob to cells with
   proofs, and recovers the cells from half of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sumac/kzg.h>

static sumac_blob blob;
static sumac_cell cells[SUMAC_KZG_CELLS], recovered[SUMAC_KZG_CELLS];
static sumac_bytes48 commitments[SUMAC_KZG_CELLS], proofs[SUMAC_KZG_CELLS];

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    sumac_bytes48 commitment, proof;
    uint64_t indices[SUMAC_KZG_CELLS];
    sumac_context *context;
    sumac_kzg_setup *setup;
    int blob_holds, cells_hold;
    /* Small tables are computed quickly. With table_bytes 0 the tables have up to 64 MiB, and proofs are faster. */
    const sumac_kzg_config config = {.size = sizeof config, .cells = 1, .table_bytes = 1 << 20};
    for (size_t i = 0; i < sizeof blob.bytes; i++) {
        blob.bytes[i] = (unsigned char)(i % 32 == 0 ? 0 : i * i); /* each element is below r */
    }
    check(NULL, sumac_context_create(NULL, &context, NULL));
    check(context, sumac_kzg_open(context, argc > 1 ? argv[1] : "trusted_setup.txt", &config, &setup));

    check(context, sumac_kzg_commit(context, setup, &blob, 1, &commitment));
    check(context, sumac_kzg_compute_blob_proof(context, setup, &blob, &commitment, 1, &proof));
    check(context, sumac_kzg_verify_blob_proof(context, setup, &blob, &commitment, &proof, 1, &blob_holds));

    check(context, sumac_kzg_cells(context, setup, &blob, 1, cells, proofs));
    for (size_t i = 0; i < SUMAC_KZG_CELLS; i++) {
        indices[i] = i;
        commitments[i] = commitment;
    }
    check(context, sumac_kzg_verify_cells(context, setup, commitments, indices, cells, proofs,
                                          SUMAC_KZG_CELLS, &cells_hold));
    /* Recover all cells from the first half of them. */
    check(context,
          sumac_kzg_recover(context, setup, indices, SUMAC_KZG_CELLS / 2, cells, 1, recovered, NULL, NULL));
    const int same = memcmp(cells, recovered, sizeof cells) == 0;
    printf("the blob's proof %s, the cells' proofs %s, recovered cells are %s\n",
           blob_holds ? "holds" : "fails", cells_hold ? "hold" : "fail", same ? "the same" : "others");
    sumac_kzg_destroy(setup);
    sumac_context_destroy(context);
    return !(blob_holds && cells_hold && same);
}
