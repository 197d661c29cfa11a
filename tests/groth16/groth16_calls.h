/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header has the calls of sumac/groth16.h as rows like those of support/calls.h, for a small circuit of snarkjs. */
#ifndef SUMAC_TESTS_GROTH16_CALLS_H
#define SUMAC_TESTS_GROTH16_CALLS_H

#include "groth16/circuits.h"

enum { GROTH16_PROOFS = 3 };

/* A call writes its results to `out`, and frees what it creates. */
typedef struct groth16_scene {
    circuit c;
    many_proofs many;        /* GROTH16_PROOFS witnesses and their randomness */
    sumac_vector *witnesses; /* the witnesses where the context computes */
    uint8_t *publics;        /* GROTH16_PROOFS times the circuit's public inputs */
    uint8_t *zkey, *out;
    size_t zkey_bytes, out_bytes;
    char zkey_path[CIRCUIT_PATH_BYTES], r1cs_path[CIRCUIT_PATH_BYTES], wtns_path[CIRCUIT_PATH_BYTES],
        json_path[CIRCUIT_PATH_BYTES], prepared_path[64];
} groth16_scene;

/* Make a scene with proofs in a context, which groth16_scene_close() destroys. */
void groth16_scene_open(groth16_scene *s, int which, sumac_context *context);
void groth16_scene_close(groth16_scene *s);

typedef struct groth16_call {
    const char *name;
    sumac_status (*run)(groth16_scene *s);
} groth16_call;

extern const groth16_call groth16_calls[];
extern const size_t groth16_call_count;

#endif
