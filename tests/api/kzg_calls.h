/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The calls of sumac/kzg.h as rows like those of support/calls.h, over Ethereum's setup and a few blobs. */
#ifndef SUMAC_TESTS_API_KZG_CALLS_H
#define SUMAC_TESTS_API_KZG_CALLS_H

#include "kzg/test_kzg_support.h"

enum { KZG_BLOBS = 4 };

typedef struct kzg_scene {
    sumac_context *context;
    sumac_kzg_setup *setup;
    size_t size; /* blobs, or cells, of the next call */
    uint8_t blobs[KZG_BLOBS * BLOB], commitments[KZG_BLOBS * POINT], proofs[KZG_BLOBS * POINT],
        point_proofs[KZG_BLOBS * POINT];
    uint8_t zs[KZG_BLOBS * ELEMENT], ys[KZG_BLOBS * ELEMENT];
    uint8_t cells[CELLS * CELL_BYTES], cell_proofs[CELLS * POINT], cell_commitments[CELLS * POINT];
    uint64_t indices[CELLS], commitment_indices[CELLS];
    uint8_t *setup_bytes[3]; /* of the text file: the Lagrange points, those of G2, the monomial ones */
    char path[64];
    int ok;
} kzg_scene;

/* Null if the build lacks a group of BLS12-381. It has commitments, proofs and cells. */
kzg_scene *kzg_scene_open(void);
void kzg_scene_close(kzg_scene **s);

/* Slow ones take half a second; the slowest ones take longer, and the steps of others. */
typedef enum kzg_speed { FAST, SLOW, SLOWEST } kzg_speed;

typedef struct kzg_call {
    const char *name;
    sumac_status (*run)(kzg_scene *s);
    size_t most; /* blobs or cells; the least is 1 */
    kzg_speed speed;
} kzg_call;

extern const kzg_call kzg_calls[];
extern const size_t kzg_call_count;

#endif
