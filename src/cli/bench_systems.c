/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the proof systems that `sumac bench` measures. */
#include <string.h>

#include "bench_proofs.h"
#include "groth16.h"
#include "sumac/plonk.h"

/* The calls of proof systems differ only in their names and in the types of keys, and only PLONK states the memory of a proof. */
#define CALLS(system, stated)                                                                                \
    static sumac_status system##_open(sumac_context *context, const options *given, const char *path,        \
                                      void **key, proof_facts *facts)                                        \
    {                                                                                                        \
        sumac_##system##_key_config config = {.size = sizeof config};                                        \
        sumac_##system##_info info = {.size = sizeof info};                                                  \
        sumac_##system##_key *opened;                                                                        \
        config.check = (sumac_check)given->check;                                                            \
        config.precompute_factor = (uint32_t)given->precompute;                                              \
        TRY(sumac_##system##_key_open(context, path, &config, &opened));                                     \
        *key = opened;                                                                                       \
        TRY(sumac_##system##_key_describe(opened, &info));                                                   \
        *facts = (proof_facts){.curve = info.g1->curve,                                                      \
                               .domain = info.domain,                                                        \
                               .wires = info.wires,                                                          \
                               .witness_bytes = info.witness_bytes,                                          \
                               .publics_bytes = info.publics_bytes,                                          \
                               .proof_bytes = info.proof_bytes,                                              \
                               .key_bytes = info.key_bytes,                                                  \
                               .workspace_bytes = (stated)};                                                 \
        return SUMAC_OK;                                                                                     \
    }                                                                                                        \
    static void system##_close(void *key)                                                                    \
    {                                                                                                        \
        sumac_##system##_key_destroy(key);                                                                   \
    }                                                                                                        \
    static sumac_status system##_witness(sumac_context *context, const void *key, const char *path,          \
                                         void **witness)                                                     \
    {                                                                                                        \
        size_t bytes;                                                                                        \
        return sumac_##system##_witness_open(context, key, path, witness, &bytes);                           \
    }                                                                                                        \
    static sumac_status system##_prove(sumac_context *context, const void *key, const proof_facts *facts,    \
                                       const void *witnesses, size_t count, void *proofs)                    \
    {                                                                                                        \
        return sumac_##system##_prove(context, key, witnesses, count * (size_t)facts->witness_bytes, count,  \
                                      NULL, proofs, count * (size_t)facts->proof_bytes);                     \
    }                                                                                                        \
    static sumac_status system##_verify(sumac_context *context, const void *key, const proof_facts *facts,   \
                                        const void *witness, void *publics, const void *proof, int *ok)      \
    {                                                                                                        \
        const size_t publics_bytes = (size_t)facts->publics_bytes;                                           \
        TRY(sumac_##system##_witness_publics(context, key, witness, (size_t)facts->witness_bytes, publics,   \
                                             publics_bytes));                                                \
        return sumac_##system##_verify(context, sumac_##system##_key_verifying(key), publics, publics_bytes, \
                                       proof, (size_t)facts->proof_bytes, 1, ok);                            \
    }

CALLS(groth16, 0)
CALLS(plonk, info.workspace_bytes)

/* ---- Groth16 ---- */

/* The domain of a circuit has a row for each constraint, and one each for the constant wire and the public output. */
enum { GROTH16_OTHER_ROWS = 2 };

static uint64_t groth16_constraints(uint64_t size)
{
    return size - GROTH16_OTHER_ROWS;
}

static sumac_status groth16_setup(sumac_context *context, const sumac_group *g1, uint64_t size, uint64_t seed,
                                  const scratch_file *files, sumac_message *why)
{
    (void)g1;
    (void)size;
    /* A seed of 0 would mean the system's randomness. */
    return toy_setup(context, files[SCRATCH_R1CS].stream, seed == 0 ? 1 : seed, files[SCRATCH_ZKEY].stream,
                     why);
}

/* ---- PLONK ---- */

/* A constraint takes two gates for its sums and one for its product, and the public output one. A circuit of fewer constraints
 * than PLONK_LEAST has a wire twice in a sum, of which snarkjs, and a key with its bytes, keep only one. */
enum { PLONK_GATES = 3, PLONK_OTHER_GATES = 4, PLONK_LEAST = 3 };

static uint64_t plonk_constraints(uint64_t size)
{
    return (size - PLONK_OTHER_GATES) / PLONK_GATES;
}

/* Make a key of a protocol, which has of_domain*n + more powers of tau for a domain of n. */
static sumac_status set_up(sumac_context *context, const sumac_group *g1, uint64_t size, uint64_t seed,
                           const scratch_file *files, const char *protocol, size_t of_domain, size_t more,
                           sumac_message *why)
{
    uint32_t log2 = 3;
    sumac_plonk_setup_config config = {.size = sizeof config};
    config.protocol = protocol;
    while (log2 < 31 && (UINT64_C(1) << log2) < size) {
        log2++;
    }
    TRY(toy_powers(context, g1, (of_domain << log2) + more, seed, files[SCRATCH_PTAU].stream, why));
    const sumac_status status = sumac_plonk_setup(context, scratch_rewound(&files[SCRATCH_R1CS]),
                                                  scratch_rewound(&files[SCRATCH_PTAU]), &config,
                                                  scratch_rewound(&files[SCRATCH_ZKEY]));
    snprintf(why->text, sizeof why->text, "%s", sumac_context_message(context));
    return status;
}

static sumac_status plonk_setup(sumac_context *context, const sumac_group *g1, uint64_t size, uint64_t seed,
                                const scratch_file *files, sumac_message *why)
{
    return set_up(context, g1, size, seed, files, "plonk", 1, 6, why);
}

/* ---- FFLONK ---- */

/* A domain has two rows without gates. */
enum { FFLONK_BLIND_ROWS = 2 };

static uint64_t fflonk_constraints(uint64_t size)
{
    return plonk_constraints(size - FFLONK_BLIND_ROWS);
}

static sumac_status fflonk_setup(sumac_context *context, const sumac_group *g1, uint64_t size, uint64_t seed,
                                 const scratch_file *files, sumac_message *why)
{
    return set_up(context, g1, size, seed, files, "fflonk", 9, 18, why);
}

/* ---- The table ---- */

const proof_system *bench_proof_system(const options *given)
{
    static const proof_system groth16 = {.option = "groth16",
                                         .name = "Groth16",
                                         .least = GROTH16_OTHER_ROWS + 1,
                                         .constraints = groth16_constraints,
                                         .setup = groth16_setup,
                                         .open = groth16_open,
                                         .close = groth16_close,
                                         .witness = groth16_witness,
                                         .prove = groth16_prove,
                                         .verify = groth16_verify};
    static const proof_system plonk = {.option = "plonk",
                                       .name = "PLONK",
                                       .least = PLONK_OTHER_GATES + PLONK_LEAST * PLONK_GATES,
                                       .constraints = plonk_constraints,
                                       .setup = plonk_setup,
                                       .open = plonk_open,
                                       .close = plonk_close,
                                       .witness = plonk_witness,
                                       .prove = plonk_prove,
                                       .verify = plonk_verify};
    static const proof_system fflonk = {.option = "plonk",
                                        .name = "FFLONK",
                                        .least =
                                            FFLONK_BLIND_ROWS + PLONK_OTHER_GATES + PLONK_LEAST * PLONK_GATES,
                                        .constraints = fflonk_constraints,
                                        .setup = fflonk_setup,
                                        .open = plonk_open,
                                        .close = plonk_close,
                                        .witness = plonk_witness,
                                        .prove = plonk_prove,
                                        .verify = plonk_verify};
    const int is_fflonk = strcmp(option_choice(OPTION_PROTOCOL, given->protocol), "fflonk") == 0;
    return given->groth16 ? &groth16 : !given->plonk ? NULL : is_fflonk ? &fflonk : &plonk;
}
