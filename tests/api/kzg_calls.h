/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header has the calls of sumac/kzg.h as rows like those of support/calls.h. They use Ethereum's setup and a few
 * blobs. */
#ifndef SUMAC_TESTS_API_KZG_CALLS_H
#define SUMAC_TESTS_API_KZG_CALLS_H

#include "kzg/test_kzg_support.h"

enum { KZG_BLOBS = 4 };

typedef struct kzg_scene {
    sumac_context *context;
    sumac_kzg_setup *setup;
    size_t size; /* number of blobs or cells in the next call */
    uint8_t blobs[KZG_BLOBS * BLOB], commitments[KZG_BLOBS * POINT], proofs[KZG_BLOBS * POINT],
        point_proofs[KZG_BLOBS * POINT];
    uint8_t zs[KZG_BLOBS * ELEMENT], ys[KZG_BLOBS * ELEMENT];
    uint8_t cells[CELLS * CELL_BYTES], cell_proofs[CELLS * POINT], cell_commitments[CELLS * POINT];
    uint64_t indices[CELLS], commitment_indices[CELLS];
    uint8_t *setup_bytes[3]; /* the text file's Lagrange points, points of G2, and monomial points */
    char path[64];
    int ok;
} kzg_scene;

/* Make a scene with commitments, proofs and cells, or return null if the build lacks a group of BLS12-381. */
kzg_scene *kzg_scene_open(void);
void kzg_scene_close(kzg_scene **s);

/* Slow calls take half a second. The slowest calls take longer, and consist of steps that other calls have, too. */
typedef enum kzg_speed { FAST, SLOW, SLOWEST } kzg_speed;

typedef struct kzg_call {
    const char *name;
    sumac_status (*run)(kzg_scene *s);
    size_t most; /* it takes 1 to `most` blobs or cells */
    kzg_speed speed;
} kzg_call;

extern const kzg_call kzg_calls[];
extern const size_t kzg_call_count;

#endif
