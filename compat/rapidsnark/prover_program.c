/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* rapidsnark's program `prover`: the same operands, files and exit status. */
#include <stdio.h>
#include <stdlib.h>

#include "io/whole_file.h"
#include "program.h"
#include "prover.h"

enum { ZKEY = 1, WITNESS, PROOF, PUBLIC, OPERANDS_END };

static int prove(const char *zkey, const char *wtns, size_t wtns_size, char **paths)
{
    char sentence[1024];
    unsigned long long proof_size, public_size;
    int result = groth16_public_size_for_zkey_file(zkey, &public_size, sentence, sizeof sentence);
    if (result != PROVER_OK) {
        fprintf(stderr, "Error: %s\n", sentence);
        return EXIT_FAILURE;
    }
    groth16_proof_size(&proof_size);
    char *proof = malloc((size_t)proof_size), *publics = malloc((size_t)public_size);
    if (proof == NULL || publics == NULL) {
        fprintf(stderr, "Error: there is no memory for %llu bytes\n", proof_size + public_size);
        result = PROVER_ERROR;
    } else {
        result = groth16_prover_zkey_file(zkey, wtns, wtns_size, proof, &proof_size, publics, &public_size,
                                          sentence, sizeof sentence);
        if (result != PROVER_OK) {
            fprintf(stderr, "Error: %s\n", sentence);
        }
    }
    const int is_done =
        result == PROVER_OK && write_file(paths[PROOF], proof) && write_file(paths[PUBLIC], publics);
    free(proof);
    free(publics);
    return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A file that is written is no other operand, whatever links lead there; a device may be. */
static int outputs_are_others(char **paths)
{
    for (int i = PROOF; i <= PUBLIC; i++) {
        const path_identity output = path_identify(paths[i]);
        const int is_device = output.exists && S_ISCHR(output.type);
        for (int j = ZKEY; j < i && !is_device; j++) {
            const path_identity other = path_identify(paths[j]);
            if (path_identities_match(&output, &other)) {
                fprintf(stderr, "Error: %s: it is the same file as %s\n", paths[i], paths[j]);
                return 0;
            }
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    size_t size;
    if (argc != OPERANDS_END) {
        fputs("Invalid number of parameters\n"
              "Usage: prover <circuit.zkey> <witness.wtns> <proof.json> <public.json>\n",
              stderr);
        return EXIT_FAILURE;
    }
    if (!outputs_are_others(argv)) {
        return EXIT_FAILURE;
    }
    char *wtns = read_file(argv[WITNESS], &size);
    const int status = wtns == NULL ? EXIT_FAILURE : prove(argv[ZKEY], wtns, size, argv);
    free(wtns);
    return status;
}
