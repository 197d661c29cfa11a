/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "groth16_input.h"

enum { KEY, WITNESS, PROOF, PUBLICS /* operands */ };

typedef struct proving {
    const session *opened;
    const options *given;
    proving_key key;
    proof_format format;
    void *witness;
    unsigned char *proof;
    result_file proof_file, publics_file;
    double open_seconds, prove_seconds;
} proving;

static void free_proving(proving *p)
{
    result_file_discard(&p->proof_file);
    result_file_discard(&p->publics_file);
    close_proving_key(&p->key);
    sumac_free(p->witness);
    free(p->proof);
}

static int read_inputs(proving *p)
{
    const options *given = p->given;
    sumac_context *context = p->opened->context;
    const double start = clock_seconds();
    MUST(open_proving_key(p->opened, given, given->operands[KEY], &p->key));
    p->open_seconds = clock_seconds() - start;
    p->format = given->given[OPTION_PROOF_FORMAT] ? (proof_format)given->proof_format
                : is_gnark_key(&p->key.info)      ? PROOF_GNARK
                                                  : PROOF_JSON;
    if (!p->key.info.has_verifying_key && !given->no_verify) {
        return bad_input(
            "%s: a key of gnark, which comes without its verifying key: give --verifying-key FILE, "
            "or --no-verify",
            given->operands[KEY]);
    }
    MUST(session_check(
        p->opened, sumac_groth16_witness_open(context, p->key.key, given->operands[WITNESS], &p->witness)));
    if (given->circuit == NULL) {
        return STATUS_DONE;
    }
    progress_begin("checking the witness");
    const sumac_status status = sumac_groth16_witness_check(context, p->key.key, p->witness, given->circuit);
    progress_end();
    return session_check(p->opened, status);
}

static int prove(proving *p)
{
    p->proof = allocate(p->key.info.proof_bytes, "a proof");
    if (p->proof == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_groth16_prove_config config = sumac_groth16_prove_config_default();
    config.unverified = p->given->no_verify;
    progress_begin("proving");
    const double start = clock_seconds();
    const sumac_status status =
        sumac_groth16_prove(p->opened->context, p->key.key, p->witness, 1, &config, p->proof);
    p->prove_seconds = clock_seconds() - start;
    progress_end();
    return session_check(p->opened, status);
}

/* Write bytes of the library to a file as they are, and free them. */
static int write_and_free(const proving *p, sumac_status status, void *bytes, size_t count, result_file *file)
{
    MUST(session_check(p->opened, status));
    const int written = result_file_put(file, bytes, count);
    sumac_free(bytes);
    return written;
}

static int write_json(proving *p, const sumac_groth16_verifying_key *verifying, const void *publics)
{
    sumac_context *context = p->opened->context;
    char *text = NULL;
    sumac_status status = sumac_groth16_proof_to_json(context, verifying, p->proof, &text);
    MUST(write_and_free(p, status, text, status == SUMAC_OK ? strlen(text) : 0, &p->proof_file));
    status = sumac_groth16_publics_to_json(context, verifying, publics, &text);
    return write_and_free(p, status, text, status == SUMAC_OK ? strlen(text) : 0, &p->publics_file);
}

static int write_gnark(proving *p, const sumac_groth16_verifying_key *verifying, const void *publics)
{
    sumac_context *context = p->opened->context;
    void *bytes = NULL;
    size_t count = 0;
    sumac_status status = sumac_groth16_proof_to_gnark(
        context, verifying, p->proof,
        p->format == PROOF_GNARK_RAW ? SUMAC_GROTH16_GNARK_RAW : SUMAC_GROTH16_GNARK_COMPRESSED, &bytes,
        &count);
    MUST(write_and_free(p, status, bytes, count, &p->proof_file));
    status = sumac_groth16_publics_to_gnark(context, verifying, publics, &bytes, &count);
    return write_and_free(p, status, bytes, count, &p->publics_file);
}

static int report(const proving *p)
{
    const sumac_context *context = p->opened->context;
    const sumac_groth16_info *info = &p->key.info;
    const bool verified = !p->given->no_verify;
    if (p->given->json) {
        return print_json(
            json_pack("{s:s, s:s, s:I, s:I, s:I, s:s, s:b, s:f, s:f}", "curve",
                      sumac_curve_describe(info->g1)->name, "backend", sumac_context_backend(context),
                      "wires", (json_int_t)info->wires, "public_inputs", (json_int_t)info->publics, "domain",
                      (json_int_t)info->domain, "variant", sumac_context_variant(context), "verified",
                      verified, "open_ms", 1e3 * p->open_seconds, "prove_ms", 1e3 * p->prove_seconds));
    }
    print_text(p->given->operands[PROOF]);
    print(verified ? ": a proof, verified\n" : ": a proof, not verified\n");
    print_text(p->given->operands[PUBLICS]);
    print(": its public inputs, %llu\n", (unsigned long long)info->publics);
    return STATUS_DONE;
}

static int run_groth16_prove(const session *opened, const options *given)
{
    CLEANUP(free_proving)
    proving p = {.opened = opened,
                 .given = given,
                 .proof_file = RESULT_FILE_CLOSED,
                 .publics_file = RESULT_FILE_CLOSED};
    result_file *const files[] = {&p.proof_file, &p.publics_file};
    MUST(result_file_open(&p.proof_file, given->operands[PROOF]));
    MUST(result_file_open(&p.publics_file, given->operands[PUBLICS]));
    MUST(read_inputs(&p));
    MUST(prove(&p));
    const sumac_groth16_verifying_key *verifying = sumac_groth16_key_verifying(p.key.key);
    const unsigned char *publics =
        (const unsigned char *)p.witness + sumac_curve_describe(p.key.info.g1)->scalar_bytes;
    MUST(p.format == PROOF_JSON ? write_json(&p, verifying, publics) : write_gnark(&p, verifying, publics));
    MUST(session_commit(opened, files, 2));
    return report(&p);
}

const command command_groth16_prove = {
    .name = "groth16 prove",
    .summary = "Prove with a key and a witness of snarkjs or gnark",
    .takes = OPTIONS(OPTION_VERIFYING_KEY, OPTION_NO_VERIFY, OPTION_PROOF_FORMAT, OPTION_CIRCUIT,
                     OPTION_VALIDATE, OPTION_PRECOMPUTE, OPTIONS_OF_MACHINE, OPTION_JSON, OPTION_TRACE),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .takes_devices = true,
    .operands = {"KEY WITNESS PROOF PUBLIC", 4, 4, 2},
    .example = "groth16 prove circuit.zkey witness.wtns proof.json public.json",
    .notes = "The proof is verified before it is written. The files are those of `snarkjs groth16 prove`; or "
             "KEY is gnark's, WITNESS what its solver made (R1CSSolution.WriteTo), and PROOF and PUBLIC are "
             "written as gnark writes them.",
    .run_in = run_groth16_prove,
};
