/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A proof system that `sumac bench` measures is a row of functions, which bench_systems.c has. The functions with a status leave a
 * message in the context. */
#ifndef SUMAC_CLI_BENCH_PROOFS_H
#define SUMAC_CLI_BENCH_PROOFS_H

#include "cli.h"

#include "bench.h"
#include "scratch.h"

enum { SCRATCH_R1CS, SCRATCH_WTNS, SCRATCH_PTAU, SCRATCH_ZKEY, SCRATCH_FILES };

/* These are the properties of a key that rows need. */
typedef struct proof_facts {
    const char *curve;
    uint64_t domain, wires, witness_bytes, publics_bytes, proof_bytes, key_bytes;
    uint64_t workspace_bytes; /* of a proof; 0 if the library does not state it */
} proof_facts;

typedef struct proof_system {
    const char *option; /* without dashes */
    const char *name;   /* in results */
    uint64_t least;     /* the least size, from which there is a circuit with a constraint */
    /* Return how many constraints a circuit has that nearly fills a domain of `size` rows. */
    uint64_t (*constraints)(uint64_t size);
    /* Make an insecure key for the circuit in a scratch file. Its message is in *why. */
    sumac_status (*setup)(sumac_context *context, const sumac_group *g1, uint64_t size, uint64_t seed,
                          const scratch_file *files, sumac_message *why);
    /* Open a key with the options' settings. The caller calls close(). */
    sumac_status (*open)(sumac_context *context, const options *given, const char *path, void **key,
                         proof_facts *facts);
    void (*close)(void *key);
    sumac_status (*witness)(sumac_context *context, const void *key, const char *path, void **witness);
    sumac_status (*prove)(sumac_context *context, const void *key, const proof_facts *facts,
                          const void *witnesses, size_t count, void *proofs);
    /* Verify one proof with the public inputs of its witness, which are copied to `publics`. */
    sumac_status (*verify)(sumac_context *context, const void *key, const proof_facts *facts,
                           const void *witness, void *publics, const void *proof, int *ok);
} proof_system;

/* Return the proof system that the options name, or null. */
const proof_system *bench_proof_system(const options *given);

#endif
