/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <string.h>

#include "clock.h"
#include "files.h"
#include "groth16_input.h"
#include "progress.h"
#include "results.h"

enum { KEY, WITNESS, PROOF, PUBLICS /* operands */ };

typedef struct proving {
    session opened;
    const options *given;
    sumac_groth16_verifying_key *verifying; /* --verifying-key */
    sumac_groth16_key *key;
    sumac_groth16_info info;
    proof_format format;
    void *witness;
    unsigned char *proof;
    result_file proof_file, publics_file;
    double open_seconds, prove_seconds;
} proving;

static int read_inputs(proving *p)
{
    const double start = seconds_now();
    sumac_status status =
        p->given->verifying_key == NULL
            ? SUMAC_OK
            : sumac_groth16_verifying_key_open(p->opened.context, p->given->verifying_key, &p->verifying);
    const int read = status == SUMAC_OK ? open_groth16_key(&p->opened, p->given, p->given->operands[KEY],
                                                           p->verifying, &p->key, &p->info)
                                        : session_failure(&p->opened, status);
    p->open_seconds = seconds_now() - start;
    if (read != STATUS_DONE) {
        return read;
    }
    p->format = p->given->given[OPTION_PROOF_FORMAT] ? (proof_format)p->given->proof_format
                : is_gnark_key(&p->info)             ? PROOF_GNARK
                                                     : PROOF_JSON;
    if (is_gnark_key(&p->info) && p->verifying == NULL && !p->given->unverified) {
        return bad_input(
            "%s: a key of gnark, which comes without its verifying key: --verifying-key FILE, or "
            "--unverified",
            p->given->operands[KEY]);
    }
    status = sumac_groth16_witness_open(p->opened.context, p->key, p->given->operands[WITNESS], &p->witness);
    if (status == SUMAC_OK && p->given->circuit != NULL) {
        progress_begin("checking the witness");
        status = sumac_groth16_witness_check(p->opened.context, p->key, p->witness, p->given->circuit);
        progress_end();
    }
    return status == SUMAC_OK ? STATUS_DONE : session_failure(&p->opened, status);
}

static int prove(proving *p)
{
    p->proof = allocate(p->info.proof_bytes, "a proof");
    if (p->proof == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    sumac_groth16_prove_config config = sumac_groth16_prove_config_default();
    config.unverified = p->given->unverified;
    progress_begin("proving");
    const double start = seconds_now();
    const sumac_status status =
        sumac_groth16_prove(p->opened.context, p->key, p->witness, 1, &config, p->proof);
    p->prove_seconds = seconds_now() - start;
    progress_end();
    return status == SUMAC_OK ? STATUS_DONE : session_failure(&p->opened, status);
}

/* What the library made of it goes to the file as it is. */
static int write_made(const proving *p, sumac_status status, void *bytes, size_t count, result_file *file)
{
    if (status != SUMAC_OK) {
        return session_failure(&p->opened, status);
    }
    const int begun = result_file_begin(file);
    if (begun == STATUS_DONE) {
        result_file_write(file, bytes, count);
    }
    sumac_free(bytes);
    return begun == STATUS_DONE ? result_file_finish(file) : begun;
}

static int write_text(const proving *p, sumac_status status, char *text, result_file *file)
{
    return write_made(p, status, text, status == SUMAC_OK ? strlen(text) : 0, file);
}

static int write_json(proving *p, const sumac_groth16_verifying_key *verifying, const void *publics)
{
    char *text = NULL;
    sumac_status made = sumac_groth16_proof_to_json(p->opened.context, verifying, p->proof, &text);
    const int status = write_text(p, made, text, &p->proof_file);
    if (status != STATUS_DONE) {
        return status;
    }
    made = sumac_groth16_publics_to_json(p->opened.context, verifying, publics, &text);
    return write_text(p, made, text, &p->publics_file);
}

static int write_gnark(proving *p, const sumac_groth16_verifying_key *verifying, const void *publics)
{
    void *bytes = NULL;
    size_t count = 0;
    sumac_status made = sumac_groth16_proof_to_gnark(
        p->opened.context, verifying, p->proof,
        p->format == PROOF_GNARK_RAW ? SUMAC_GROTH16_GNARK_RAW : SUMAC_GROTH16_GNARK_COMPRESSED, &bytes,
        &count);
    const int status = write_made(p, made, bytes, count, &p->proof_file);
    if (status != STATUS_DONE) {
        return status;
    }
    made = sumac_groth16_publics_to_gnark(p->opened.context, verifying, publics, &bytes, &count);
    return write_made(p, made, bytes, count, &p->publics_file);
}

static int write_outputs(proving *p)
{
    const sumac_groth16_verifying_key *verifying = sumac_groth16_key_verifying(p->key);
    const unsigned char *publics =
        (const unsigned char *)p->witness + sumac_curve_describe(p->info.g1)->scalar_bytes;
    int status =
        p->format == PROOF_JSON ? write_json(p, verifying, publics) : write_gnark(p, verifying, publics);
    if (status == STATUS_DONE) {
        status = session_write_trace(&p->opened);
    }
    result_file *const all[] = {&p->proof_file, &p->publics_file};
    return status == STATUS_DONE ? result_files_commit(all, sizeof all / sizeof *all) : status;
}

static int report(const proving *p)
{
    if (p->given->json) {
        return print_json(json_pack(
            "{s:s, s:s, s:I, s:I, s:I, s:s, s:b, s:f, s:f}", "curve", sumac_curve_describe(p->info.g1)->name,
            "backend", sumac_context_backend(p->opened.context), "wires", (json_int_t)p->info.wires,
            "public_inputs", (json_int_t)p->info.publics, "domain", (json_int_t)p->info.domain, "variant",
            sumac_context_variant(p->opened.context), "verified", !p->given->unverified, "open_ms",
            1e3 * p->open_seconds, "prove_ms", 1e3 * p->prove_seconds));
    }
    print_text(p->given->operands[PROOF]);
    print(p->given->unverified ? ": a proof, not verified\n" : ": a proof, verified\n");
    print_text(p->given->operands[PUBLICS]);
    print(": its public inputs, %llu\n", (unsigned long long)p->info.publics);
    return STATUS_DONE;
}

static int run_groth16_prove(const options *given)
{
    proving p = {.given = given, .proof_file = RESULT_FILE_CLOSED, .publics_file = RESULT_FILE_CLOSED};
    int status = session_open(&p.opened, given);
    if (status == STATUS_DONE) {
        status = result_file_open(&p.proof_file, given->operands[PROOF]);
    }
    if (status == STATUS_DONE) {
        status = result_file_open(&p.publics_file, given->operands[PUBLICS]);
    }
    if (status == STATUS_DONE) {
        status = read_inputs(&p);
    }
    if (status == STATUS_DONE) {
        status = prove(&p);
    }
    if (status == STATUS_DONE) {
        status = write_outputs(&p);
    }
    if (status == STATUS_DONE) {
        status = report(&p);
    }
    result_file_discard(&p.proof_file);
    result_file_discard(&p.publics_file);
    sumac_groth16_key_destroy(p.key);
    sumac_groth16_verifying_key_destroy(p.verifying);
    sumac_free(p.witness);
    free(p.proof);
    return session_close(&p.opened, status);
}

static const option_id takes[] = {
    OPTION_VERIFYING_KEY, OPTION_UNVERIFIED,   OPTION_PROOF_FORMAT, OPTION_CIRCUIT, OPTION_CHECK,
    OPTION_PRECOMPUTE,    OPTION_BACKEND,      OPTION_VARIANT,      OPTION_DEVICE,  OPTION_DEVICES,
    OPTION_THREADS,       OPTION_MEMORY_LIMIT, OPTION_JSON,         OPTION_TRACE,   OPTION_END};

const command command_groth16_prove = {
    .name = "groth16 prove",
    .summary = "Prove with a key and a witness of snarkjs or gnark",
    .takes = takes,
    .operands = "KEY WITNESS PROOF PUBLIC",
    .operands_minimum = 4,
    .operands_maximum = 4,
    .operands_read = 2,
    .check = SUMAC_CHECK_SUBGROUP,
    .notes = "The proof is verified before it is written. The files are those of snarkjs groth16 prove; or "
             "KEY is gnark's,\n"
             "WITNESS what its solver made (R1CSSolution.WriteTo), and PROOF and PUBLIC are as gnark writes "
             "them.\n",
    .run = run_groth16_prove,
};
