/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <string.h>

#include "codec/file_kinds.h"
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

/* The library's ways from a text and from gnark's bytes. */
typedef struct reader {
    sumac_status (*from_json)(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                              const char *text, size_t bytes, const char *name, void *result);
    sumac_status (*from_gnark)(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                               const void *bytes, size_t count, const char *name, void *result);
} reader;

static const reader publics_reader = {sumac_groth16_publics_from_json, sumac_groth16_publics_from_gnark};
static const reader proof_reader = {sumac_groth16_proof_from_json, sumac_groth16_proof_from_gnark};

/* Whether a file is a text, by its first byte. gnark's public inputs do not begin so, as there would be 2^29 of them; a proof of
 * gnark may, and is told by its length. */
static bool is_text(const claim *c, const reader *from, const unsigned char *bytes, size_t size)
{
    const size_t g1 = sumac_curve_describe(c->info.g1)->point_bytes, raw = c->info.proof_bytes + g1;
    const bool is_gnark = from == &proof_reader && (size == raw + 4 || size == raw / 2 + 4);
    return size == 0 || (!is_gnark && bytes[0] != 0 && strchr("[{ \t\r\n", bytes[0]) != NULL);
}

/* A file of at most so many bytes to `bytes` bytes, called `what`, which the caller frees. */
static int read_either(const claim *c, const char *path, size_t most, const reader *from, uint64_t bytes,
                       const char *what, unsigned char **result)
{
    unsigned char *read_bytes;
    size_t size;
    *result = allocate(bytes, what);
    const int read = *result == NULL ? STATUS_MACHINE_FAULT : read_small_file(path, most, &read_bytes, &size);
    if (read != STATUS_DONE) {
        return read;
    }
    const bool text = is_text(c, from, read_bytes, size);
    const file_kind *kind = file_kind_find(&(file_head){read_bytes, size, size});
    if (!text && kind != NULL && kind->magic != NULL) {
        free(read_bytes);
        return bad_input("%s: %s, and not %s", path, kind->name, what);
    }
    const sumac_status status =
        text ? from->from_json(c->opened.context, c->verifying, (const char *)read_bytes, size, path, *result)
             : from->from_gnark(c->opened.context, c->verifying, read_bytes, size, path, *result);
    free(read_bytes);
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
        read = read_either(c, given->operands[PUBLICS], MOST_PUBLICS_BYTES, &publics_reader,
                           c->info.publics_bytes, "public inputs", &c->publics);
    }
    if (read == STATUS_DONE) {
        read = read_either(c, given->operands[PROOF], MOST_PROOF_BYTES, &proof_reader, c->info.proof_bytes,
                           "a proof", &c->proof);
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
    .summary = "Verify a proof of snarkjs, gnark or groth16 prove",
    .takes = takes,
    .operands = "KEY PUBLIC PROOF",
    .operands_minimum = 3,
    .operands_maximum = 3,
    .operands_read = 3,
    .notes = "KEY is a verification_key.json, a .zkey, or gnark's. The exit status is 1 if the proof does "
             "not hold.\n",
    .run = run_groth16_verify,
};
