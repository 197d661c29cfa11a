/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is rapidsnark's program `verifier`, with the same operands, output and exit status. */
#include <stdio.h>
#include <stdlib.h>

#include "program.h"
#include "verifier.h"

enum { KEY = 1, INPUTS, PROOF, OPERANDS_END };

static int verify(const char *proof, const char *inputs, const char *key)
{
    char sentence[1024];
    switch (groth16_verify(proof, inputs, key, sentence, sizeof sentence)) {
    case VERIFIER_VALID_PROOF:
        fputs("Result: Valid proof\n", stderr);
        return EXIT_SUCCESS;
    case VERIFIER_INVALID_PROOF:
        fputs("Result: Invalid proof\n", stderr);
        return EXIT_FAILURE;
    default:
        fprintf(stderr, "Error: %s\n", sentence);
        return EXIT_FAILURE;
    }
}

int main(int argc, char **argv)
{
    char *texts[OPERANDS_END] = {NULL};
    size_t size;
    if (argc != OPERANDS_END) {
        fputs("Invalid number of parameters:\n"
              "Usage: verifier <verification_key.json> <inputs.json> <proof.json>\n",
              stderr);
        return EXIT_FAILURE;
    }
    int is_read = 1;
    for (int i = KEY; i < OPERANDS_END && is_read; i++) {
        texts[i] = read_file(argv[i], &size);
        is_read = texts[i] != NULL;
    }
    const int status = is_read ? verify(texts[PROOF], texts[INPUTS], texts[KEY]) : EXIT_FAILURE;
    for (int i = KEY; i < OPERANDS_END; i++) {
        free(texts[i]);
    }
    return status;
}
