/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "codec/file_kinds.h"
#include "groth16_input.h"

enum { KEY, PUBLICS, PROOF /* operands */ };

enum { MOST_PROOF_BYTES = 1 << 16, MOST_PUBLICS_BYTES = 1 << 30 };

typedef struct claim {
    const session *opened;
    sumac_groth16_verifying_key *verifying;
    sumac_groth16_info info;
    unsigned char *publics, *proof;
} claim;

static void free_claim(claim *c)
{
    sumac_groth16_verifying_key_destroy(c->verifying);
    free(c->publics);
    free(c->proof);
}

/* The library's ways from a text and from gnark's bytes. */
typedef struct reader {
    sumac_status (*from_json)(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                              const char *text, size_t bytes, const char *name, void *result);
    sumac_status (*from_gnark)(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                               const void *bytes, size_t count, const char *name, void *result);
} reader;

static const reader publics_reader = {sumac_groth16_publics_from_json, sumac_groth16_publics_from_gnark};
static const reader proof_reader = {sumac_groth16_proof_from_json, sumac_groth16_proof_from_gnark};

/* Whether a file is a text, by its first byte. gnark's public inputs do not begin so, as there would be 2^29 of them; a proof
 * of gnark may, and is recognised by its length. */
static bool is_text(const claim *c, const reader *from, const unsigned char *bytes, size_t size)
{
    const size_t g1 = sumac_curve_describe(c->info.g1)->point_bytes, raw = c->info.proof_bytes + g1;
    const bool is_gnark = from == &proof_reader && (size == raw + 4 || size == raw / 2 + 4);
    return size == 0 || (!is_gnark && bytes[0] != 0 && strchr("[{ \t\r\n", bytes[0]) != NULL);
}

/* Read a file of at most so many bytes to `bytes` bytes, called `what`, which the caller frees. */
static int read_either(const claim *c, const char *path, size_t most, const reader *from, uint64_t bytes,
                       const char *what, unsigned char **result)
{
    sumac_context *context = c->opened->context;
    AUTO_FREE unsigned char *file = NULL;
    size_t size;
    *result = allocate(bytes, what);
    MUST(*result == NULL ? STATUS_MACHINE_FAULT : read_small_file(path, most, &file, &size));
    const bool text = is_text(c, from, file, size);
    const file_kind *kind = file_kind_find(&(file_head){file, size, size});
    if (!text && kind != NULL && kind->magic != NULL) {
        return bad_input("%s: %s, and not %s", path, kind->name, what);
    }
    return session_check(
        c->opened, text ? from->from_json(context, c->verifying, (const char *)file, size, path, *result)
                        : from->from_gnark(context, c->verifying, file, size, path, *result));
}

static int run_groth16_verify(const session *opened, const options *given)
{
    CLEANUP(free_claim) claim c = {.opened = opened, .info = sumac_groth16_info_default()};
    int holds = 0;
    MUST(session_check(
        opened, sumac_groth16_verifying_key_open(opened->context, given->operands[KEY], &c.verifying)));
    MUST(session_check(opened, sumac_groth16_verifying_key_describe(c.verifying, &c.info)));
    MUST(read_either(&c, given->operands[PUBLICS], MOST_PUBLICS_BYTES, &publics_reader, c.info.publics_bytes,
                     "public inputs", &c.publics));
    MUST(read_either(&c, given->operands[PROOF], MOST_PROOF_BYTES, &proof_reader, c.info.proof_bytes,
                     "a proof", &c.proof));
    MUST(session_check(opened,
                       sumac_groth16_verify(opened->context, c.verifying, c.publics, c.proof, &holds)));
    MUST(session_write_trace(opened));
    return print_verdict(given, holds, "the proof holds", "proof invalid");
}

const command command_groth16_verify = {
    .name = "groth16 verify",
    .summary = "Verify a proof of snarkjs, gnark or groth16 prove",
    .takes = OPTIONS(OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS, TUNE_VARIANT, OPTION_JSON, OPTION_TRACE),
    .operands = {"KEY PUBLIC PROOF", 3, 3, 3},
    .example = "groth16 verify verification_key.json public.json proof.json",
    .notes =
        "KEY is a verification_key.json, a .zkey, or gnark's. The exit status is 1 if the proof is invalid.",
    .run_in = run_groth16_verify,
};
