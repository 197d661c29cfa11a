/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header has the calls of sumac/plonk.h as rows like those of support/calls.h, for a small circuit of each flavour. */
#ifndef SUMAC_TESTS_PLONK_CALLS_H
#define SUMAC_TESTS_PLONK_CALLS_H

#include "plonk/plonk_circuits.h"

enum { PLONK_PROOFS = 3, PLONK_SCENES = 3 };

/* A call writes its results to `out`, and frees what it creates. */
typedef struct plonk_scene {
    plonk_circuit c;
    uint8_t *witnesses, *blinding, *proofs, *publics; /* PLONK_PROOFS of each; the random numbers are equal */
    uint8_t *bad_witness;                             /* gate 2 does not hold */
    uint8_t *out;
    size_t out_bytes;
    char key_path[64], made_path[64], witness_path[PLONK_PATH_BYTES], verifying_path[PLONK_PATH_BYTES];
} plonk_scene;

/* Run a function for each flavour, by its number, whose curve is built: snarkjs' PLONK, FFLONK, and gnark's PLONK with commitments. The
 * test is skipped if there is none. */
void plonk_for_scenes(void (*run)(int which));

/* Make the scene of a flavour in a context, which plonk_scene_close() destroys. */
void plonk_scene_open(plonk_scene *s, int which, sumac_context *context);
void plonk_scene_close(plonk_scene *s);

/* Some calls are only for circuits of snarkjs, or for circuits with commitments. */
typedef enum plonk_call_of {
    PLONK_CALL_OF_ALL,
    PLONK_CALL_OF_SNARKJS,
    PLONK_CALL_OF_COMMITMENTS
} plonk_call_of;

/* A call computes something. Or it only converts bytes, and reports no progress; or it does several times what another one does; or it
 * writes the file at made_path. */
typedef enum plonk_call_kind { PLONK_COMPUTES, PLONK_CONVERTS, PLONK_REPEATS, PLONK_WRITES } plonk_call_kind;

typedef struct plonk_call {
    const char *name;
    sumac_status (*run)(plonk_scene *s);
    plonk_call_of of;
    plonk_call_kind kind;
} plonk_call;

extern const plonk_call plonk_calls[];
extern const size_t plonk_call_count;

/* Return 1 if a scene has a call. */
int plonk_scene_has(const plonk_scene *s, const plonk_call *call);

#endif
