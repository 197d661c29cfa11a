/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header has the circuits of tests/data/groth16.tar.xz, which circom compiled, with keys and proofs by snarkjs. */
#ifndef SUMAC_TESTS_GROTH16_CIRCUITS_H
#define SUMAC_TESTS_GROTH16_CIRCUITS_H

#include "support/container.h"
#include "support/files.h"
#include "support/harness.h"
#include "sumac/groth16.h"

/* These are the random numbers of expected.bin, which tests/reference/groth16.py has computed. */
#define REFERENCE_R "123456789abcdef0fedcba9876543210"
#define REFERENCE_S "2468ace13579bdf"

typedef struct circuit {
    const char *name;
    const char *curve;
    sumac_context *context;
    sumac_groth16_key *key;
    const sumac_groth16_verifying_key *verifying;
    sumac_groth16_info info;
    size_t scalar; /* bytes of a scalar */
    uint8_t *witness;
    uint8_t *publics; /* points into the witness */
    uint8_t randomness[2 * 32];
} circuit;

/* These are the number of circuits, a circuit's name, and whether this build has its curve. */
enum { CIRCUITS = 4 };
const char *circuit_name(int i);
int circuit_is_built(int i);
/* Run a check for every circuit whose curve is built. With step 2, run it only for the tiny ones. */
void circuit_for_each(int step, void (*check)(int i));
/* Return the number of a tiny circuit whose curve is built, or skip the test. */
int circuit_first(void);

/* Open circuit i with its key, in a context with `threads` threads. */
void circuit_open(circuit *c, int i, uint32_t threads);
/* Open circuit i with its key in a context, which circuit_close() destroys. */
void circuit_open_in(circuit *c, int i, sumac_context *context);
void circuit_close(circuit *c);

/* Write the path of one of a circuit's files to `path`, and return `path`. */
#define CIRCUIT_PATH_BYTES 512
const char *circuit_path(const char *name, const char *file, char path[CIRCUIT_PATH_BYTES]);
/* Read a circuit's file to memory that the caller frees. A zero follows the bytes. */
uint8_t *circuit_read(const char *name, const char *file, size_t *size);

/* Make a circuit and its witness, and an insecure key of a circuit, as src/cli/toy_groth16 does. */
void circuit_make(sumac_context *context, const sumac_group *group, uint64_t constraints,
                  uint32_t bits_percent, const char *r1cs_path, const char *wtns_path);
void circuit_set_up(sumac_context *context, const char *r1cs_path, uint64_t seed, const char *zkey_path);

/* These make calls of the library whose lengths are those of the key. */
sumac_status test_witness_open(sumac_context *context, const sumac_groth16_key *key, const char *path,
                               void **witness);
sumac_status test_witness_check(sumac_context *context, const sumac_groth16_key *key, const void *witness,
                                const char *r1cs_path);
sumac_status test_prove(sumac_context *context, const sumac_groth16_key *key, const void *witnesses,
                        size_t count, const sumac_groth16_prove_config *config, void *proofs);
sumac_status test_prove_vector(sumac_context *context, const sumac_groth16_key *key,
                               const sumac_vector *witnesses, size_t count,
                               const sumac_groth16_prove_config *config, void *proofs);
sumac_status test_verify(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                         const void *publics, const void *proofs, size_t count, int *ok);

/* Make a proof with the reference's randomness. */
sumac_status circuit_prove(const circuit *c, const void *witness, uint8_t *proof);

/* These are copies of the circuit's witness with different randomness, where the first copy has that of the circuit,
 * and memory for the proofs. */
typedef struct many_proofs {
    size_t count;
    uint8_t *witnesses, *randomness, *proofs;
    sumac_groth16_prove_config config; /* config.randomness is `randomness` */
} many_proofs;
many_proofs many_make(const circuit *c, size_t count);
void many_free(many_proofs *many);

/* Define a function that makes a call with a scene `s`. It checks that `made` is set exactly if the call succeeds, and
 * frees `made`. */
#define MAKES(function, scene_type, type, destroy, call)                                                     \
    static sumac_status function(void *argument)                                                             \
    {                                                                                                        \
        scene_type *s = argument;                                                                            \
        type *created = NULL;                                                                                \
        const sumac_status status = call;                                                                    \
        assert_int_equal(status == SUMAC_OK, created != NULL);                                               \
        destroy(created);                                                                                    \
        return status;                                                                                       \
    }

/* This is a call whose allocations fail one by one. The call then fails, and the next call succeeds. */
typedef struct memory_call {
    const char *name;
    sumac_status (*run)(void *argument);
} memory_call;

/* A section of iden3's container begins with a head. find_section() returns the head's offset. */
enum { SECTION_HEAD = 12 /* bytes; the file's own head has as many */ };
size_t find_section(const uint8_t *bytes, size_t size, uint32_t type);

/* Store a point of the curve outside the group, if such points exist, in the CPU's Montgomery form. */
void store_outside_point(const sumac_group *group, uint8_t *at);

/* Create a vector of the circuit's scalars. */
sumac_vector *circuit_vector(sumac_context *context, const sumac_groth16_info *info, const uint8_t *scalars,
                             size_t count);

#endif
