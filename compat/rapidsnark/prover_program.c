/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is rapidsnark's program `prover`, with the same operands, files and exit status. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "program.h"
#include "prover.h"

enum { ZKEY = 1, WITNESS, PROOF, PUBLIC, OPERANDS_END };

/* Return whether an output file already exists and is the same file as an earlier operand, whatever links lead to it.
 * If it is, report this on stderr. A device may be named twice. */
static int is_other_operand(char **paths, int output)
{
    struct stat own, other;
    if (stat(paths[output], &own) != 0 || S_ISCHR(own.st_mode)) {
        return 0;
    }
    for (int i = ZKEY; i < output; i++) {
        if (stat(paths[i], &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino) {
            fprintf(stderr, "Error: %s: it is the same file as %s\n", paths[output], paths[i]);
            return 1;
        }
    }
    return 0;
}

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
    /* When the proof's file exists, this check shows whether the other output is the same file. */
    const int is_done = result == PROVER_OK && write_file(paths[PROOF], proof) &&
                        !is_other_operand(paths, PUBLIC) && write_file(paths[PUBLIC], publics);
    free(proof);
    free(publics);
    return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
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
    if (is_other_operand(argv, PROOF) || is_other_operand(argv, PUBLIC)) {
        return EXIT_FAILURE;
    }
    char *wtns = read_file(argv[WITNESS], &size);
    const int status = wtns == NULL ? EXIT_FAILURE : prove(argv[ZKEY], wtns, size, argv);
    free(wtns);
    return status;
}
