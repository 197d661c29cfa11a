/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include "files.h"
#include "groth16_input.h"
#include "results.h"

enum { KEY, PUBLICS, PROOF /* operands */ };

enum { MOST_PROOF_BYTES = 1 << 16, MOST_PUBLICS_BYTES = 1 << 30 };

typedef struct claim {
    session opened;
    sumac_groth16_verifying_key *verifying;
    sumac_groth16_info info;
    unsigned char *publics, *proof;
} claim;

/* The library's way from a text to bytes. */
typedef sumac_status (*from_json)(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                  const char *text, size_t bytes, const char *name, void *result);

/* A text of at most so many bytes to `bytes` bytes, called `what`, which the caller frees. */
static int read_json(const claim *c, const char *path, size_t most, from_json decode, uint64_t bytes,
                     const char *what, unsigned char **result)
{
    unsigned char *text;
    size_t size;
    *result = allocate(bytes, what);
    const int read = *result == NULL ? STATUS_MACHINE_FAULT : read_small_file(path, most, &text, &size);
    if (read != STATUS_DONE) {
        return read;
    }
    const sumac_status status =
        decode(c->opened.context, c->verifying, (const char *)text, size, path, *result);
    free(text);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(&c->opened, status);
}

static int read_claim(claim *c, const options *given)
{
    c->info = sumac_groth16_info_default();
    sumac_status status =
        sumac_groth16_verifying_key_open(c->opened.context, given->operands[KEY], &c->verifying);
    if (status == SUMAC_OK) {
        status = sumac_groth16_verifying_key_describe(c->verifying, &c->info);
    }
    int read = status == SUMAC_OK ? STATUS_DONE : session_failure(&c->opened, status);
    if (read == STATUS_DONE) {
        read = read_json(c, given->operands[PUBLICS], MOST_PUBLICS_BYTES, sumac_groth16_publics_from_json,
                         c->info.publics_bytes, "public inputs", &c->publics);
    }
    if (read == STATUS_DONE) {
        read = read_json(c, given->operands[PROOF], MOST_PROOF_BYTES, sumac_groth16_proof_from_json,
                         c->info.proof_bytes, "a proof", &c->proof);
    }
    return read;
}

static int answer(const options *given, int holds)
{
    int status = STATUS_DONE;
    if (given->json) {
        status = print_json(json_pack("{s:b}", "holds", holds));
    } else if (holds) {
        print("OK: the proof holds\n");
    }
    if (status != STATUS_DONE || holds) {
        return status;
    }
    return given->json ? STATUS_DIFFERENT : found_different("the proof does not hold");
}

static int run_groth16_verify(const options *given)
{
    claim c = {.verifying = NULL};
    int holds = 0;
    int status = session_open(&c.opened, given);
    if (status == STATUS_DONE) {
        status = read_claim(&c, given);
    }
    if (status == STATUS_DONE) {
        const sumac_status verified =
            sumac_groth16_verify(c.opened.context, c.verifying, c.publics, c.proof, &holds);
        status = verified == SUMAC_OK ? session_write_trace(&c.opened) : session_failure(&c.opened, verified);
    }
    if (status == STATUS_DONE) {
        status = answer(given, holds);
    }
    sumac_groth16_verifying_key_destroy(c.verifying);
    free(c.publics);
    free(c.proof);
    return session_close(&c.opened, status);
}

static const option_id takes[] = {OPTION_BACKEND, OPTION_VARIANT, OPTION_DEVICE, OPTION_THREADS,
                                  OPTION_JSON,    OPTION_TRACE,   OPTION_END};

const command command_groth16_verify = {
    .name = "groth16 verify",
    .summary = "Verify a proof of snarkjs or of groth16 prove",
    .takes = takes,
    .operands = "KEY PUBLIC.json PROOF.json",
    .operands_minimum = 3,
    .operands_maximum = 3,
    .operands_read = 3,
    .notes = "KEY is a verification_key.json, or a .zkey. The exit status is 1 if the proof does not hold.\n",
    .run = run_groth16_verify,
};
