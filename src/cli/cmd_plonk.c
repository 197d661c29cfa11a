/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the commands `plonk ...`. */
#include "cli.h"

#include "session.h"
#include "sumac/plonk.h"

/* ---- Keys ---- */

typedef struct proving_key {
    sumac_plonk_key *key;
    sumac_plonk_info info;
} proving_key;

static void close_proving_key(proving_key *key)
{
    sumac_plonk_key_destroy(key->key);
}

/* Open a proving key with the options' settings, and describe it. A single proof is not faster if values are kept for it, so that its
 * key is compact. */
static int open_proving_key(const session *opened, const options *given, const char *path, bool is_compact,
                            proving_key *key)
{
    sumac_plonk_key_config config = {.size = sizeof config};
    key->info = (sumac_plonk_info){.size = sizeof key->info};
    config.check = (sumac_check)given->check;
    config.precompute_factor = (uint32_t)given->precompute;
    config.compact = is_compact;
    progress_begin("reading %s", path);
    MUST(session_step(opened, "read key", sumac_plonk_key_open(opened->context, path, &config, &key->key)));
    return session_check(opened, sumac_plonk_key_describe(key->key, &key->info));
}

/* ---- plonk info ---- */

static int run_plonk_info(const session *opened, const options *given)
{
    CLEANUP(close_proving_key) proving_key key = {.key = NULL};
    MUST(open_proving_key(opened, given, given->operands[0], false, &key));
    const sumac_plonk_info *info = &key.info;
    const char *name = info->g1->curve;
    if (given->json) {
        return print_json(
            json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "protocol", info->protocol,
                      "curve", name, "format", info->format, "wires", (json_int_t)info->wires,
                      "public_inputs", (json_int_t)info->publics, "gates", (json_int_t)info->gates,
                      "additions", (json_int_t)info->additions, "commitments", (json_int_t)info->commitments,
                      "domain", (json_int_t)info->domain, "key_bytes", (json_int_t)info->key_bytes,
                      "workspace_bytes", (json_int_t)info->workspace_bytes));
    }
    print("protocol       %s\ncurve          %s\nwires          %llu\npublic inputs  %llu\ngates          "
          "%llu\n"
          "additions      %llu\ndomain         %llu\nin memory      %.1f MiB\na proof takes  %.1f MiB\n",
          info->protocol, name, (unsigned long long)info->wires, (unsigned long long)info->publics,
          (unsigned long long)info->gates, (unsigned long long)info->additions,
          (unsigned long long)info->domain, (double)info->key_bytes / (1 << 20),
          (double)info->workspace_bytes / (1 << 20));
    return STATUS_DONE;
}

const command command_plonk_info = {
    .name = "plonk info",
    .summary = "Open a PLONK proving key of snarkjs or gnark, check it, and print what it is for",
    .takes = OPTIONS(OPTION_VALIDATE, OPTION_PRECOMPUTE, OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS,
                     TUNE_VARIANT, OPTION_JSON),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .operands = {"KEY", 1, 1, 1},
    .example = "plonk info circuit.zkey",
    .run_in = run_plonk_info,
};

/* ---- plonk prepare ---- */

static int run_plonk_prepare(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    CLEANUP(close_proving_key) proving_key key = {.key = NULL};
    result_file *const files[] = {&file};
    MUST(result_file_open(&file, given->operands[1]));
    MUST(open_proving_key(opened, given, given->operands[0], true, &key));
    MUST(result_file_begin(&file));
    progress_begin("writing %s", file.path);
    MUST(session_save(opened, "save key", &file,
                      sumac_plonk_key_save(opened->context, key.key, file.library_path)));
    MUST(session_commit(opened, files, 1));
    print_text(given->operands[1]);
    print(": a prepared key; --validate none opens it fastest\n");
    return STATUS_DONE;
}

const command command_plonk_prepare = {
    .name = "plonk prepare",
    .summary =
        "Check a PLONK proving key of snarkjs or gnark, and save it prepared, so that it is opened faster",
    .takes = OPTIONS(OPTION_VALIDATE, OPTION_PRECOMPUTE, OPTIONS_OF_MACHINE, OPTION_TRACE),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .takes_devices = true,
    .operands = {"KEY OUT", 2, 2, 1},
    .example = "plonk prepare circuit.zkey circuit.prepared",
    .notes =
        "With --precompute F its multiples are saved, too. Opening the file with --validate none trusts that "
        "nobody has forged it.",
    .run_in = run_plonk_prepare,
};

/* ---- plonk prove ---- */

enum { PROVING_KEY, WITNESS, PROOF, PUBLICS, OPERANDS };

typedef struct proving {
    proving_key key;
    void *witness;
    size_t witness_bytes;
    unsigned char *proof, *publics;
    result_file files[OPERANDS];
} proving;

static void free_proving(proving *p)
{
    result_file_discard(&p->files[PROOF]);
    result_file_discard(&p->files[PUBLICS]);
    close_proving_key(&p->key);
    sumac_free(p->witness);
    free(p->proof);
    free(p->publics);
}

static int write_proof(const session *opened, proving *p)
{
    sumac_context *context = opened->context;
    const sumac_plonk_verifying_key *verifying = sumac_plonk_key_verifying(p->key.key);
    const size_t publics_bytes = (size_t)p->key.info.publics_bytes;
    void *text = NULL;
    size_t count = 0;
    sumac_status status = sumac_plonk_proof_encode(
        context, verifying, p->proof, (size_t)p->key.info.proof_bytes, p->key.info.format, &text, &count);
    MUST(session_put(opened, status, text, count, &p->files[PROOF]));
    ALLOCATE(p->publics, publics_bytes, "public inputs");
    CALL(opened, sumac_plonk_witness_publics(context, p->key.key, p->witness, p->witness_bytes, p->publics,
                                             publics_bytes));
    status = sumac_plonk_publics_encode(context, verifying, p->publics, publics_bytes, p->key.info.format,
                                        &text, &count);
    return session_put(opened, status, text, count, &p->files[PUBLICS]);
}

static int run_plonk_prove(const session *opened, const options *given)
{
    CLEANUP(free_proving) proving p = {.key.key = NULL};
    sumac_context *context = opened->context;
    const sumac_plonk_info *info = &p.key.info;
    result_file *const files[] = {&p.files[PROOF], &p.files[PUBLICS]};
    MUST(result_file_open(&p.files[PROOF], given->operands[PROOF]));
    MUST(result_file_open(&p.files[PUBLICS], given->operands[PUBLICS]));
    double start = clock_seconds();
    MUST(open_proving_key(opened, given, given->operands[PROVING_KEY], true, &p.key));
    const double open_seconds = clock_seconds() - start;
    CALL(opened, sumac_plonk_witness_open(context, p.key.key, given->operands[WITNESS], &p.witness,
                                          &p.witness_bytes));
    ALLOCATE(p.proof, info->proof_bytes, "a proof");
    sumac_plonk_prove_config config = {.size = sizeof config};
    config.unverified = given->no_verify;
    progress_begin("proving");
    start = clock_seconds();
    CALL(opened, sumac_plonk_prove(context, p.key.key, p.witness, p.witness_bytes, 1, &config, p.proof,
                                   (size_t)info->proof_bytes));
    const double prove_seconds = clock_seconds() - start;
    progress_end();
    MUST(write_proof(opened, &p));
    MUST(session_commit(opened, files, 2));
    if (given->json) {
        return print_json(json_pack(
            "{s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:b, s:f, s:f}", "curve", info->g1->curve, "backend",
            context_info(context).backend, "wires", (json_int_t)info->wires, "public_inputs",
            (json_int_t)info->publics, "gates", (json_int_t)info->gates, "domain", (json_int_t)info->domain,
            "variant", context_info(context).variant, "verified", (int)!given->no_verify, "open_ms",
            1e3 * open_seconds, "prove_ms", 1e3 * prove_seconds));
    }
    print_text(given->operands[PROOF]);
    print(given->no_verify ? ": a proof, not verified\n" : ": a proof, verified\n");
    print_text(given->operands[PUBLICS]);
    print(": its public inputs, %llu\n", (unsigned long long)info->publics);
    return STATUS_DONE;
}

const command command_plonk_prove = {
    .name = "plonk prove",
    .summary = "Prove with a PLONK key and a witness of snarkjs or gnark",
    .takes = OPTIONS(OPTION_NO_VERIFY, OPTION_VALIDATE, OPTION_PRECOMPUTE, OPTIONS_OF_MACHINE, OPTION_JSON,
                     OPTION_TRACE),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .takes_devices = true,
    .operands = {"KEY WITNESS PROOF PUBLIC", OPERANDS, OPERANDS, PROOF},
    .example = "plonk prove circuit.zkey witness.wtns proof.json public.json",
    .notes =
        "The proof is verified before it is written. The files are those of `snarkjs plonk prove`; or KEY is "
        "gnark's with the circuit's trace, WITNESS what its solver made (SparseR1CSSolution.WriteTo), and "
        "PROOF "
        "and PUBLIC are written as gnark writes them.",
    .run_in = run_plonk_prove,
};

/* ---- plonk verify ---- */

typedef struct claim {
    sumac_plonk_verifying_key *verifying;
    sumac_plonk_info info;
    unsigned char *publics, *proof;
} claim;

static void free_claim(claim *c)
{
    sumac_plonk_verifying_key_destroy(c->verifying);
    free(c->publics);
    free(c->proof);
}

/* A reader has the function that decodes public inputs, or a proof. */
typedef struct reader {
    const char *what;
    size_t most_bytes; /* the largest file that is read */
    sumac_status (*decode)(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                           const void *encoded, size_t encoded_bytes, const char *format, const char *name,
                           void *result, size_t result_bytes);
} reader;

static const reader publics_reader = {"public inputs", (size_t)1 << 30, sumac_plonk_publics_decode};
static const reader proof_reader = {"a proof", 1 << 16, sumac_plonk_proof_decode};

/* Read a file. The result has `bytes` bytes, which the caller frees. */
static int read_text(const session *opened, const claim *c, const char *path, const reader *from,
                     uint64_t bytes, unsigned char **result)
{
    AUTO_FREE unsigned char *file = NULL;
    size_t size;
    *result = allocate(bytes, from->what);
    MUST(*result == NULL ? STATUS_MACHINE_FAULT : read_small_file(path, from->most_bytes, &file, &size));
    return session_check(opened, from->decode(opened->context, c->verifying, file, size, c->info.format, path,
                                              *result, (size_t)bytes));
}

static int run_plonk_verify(const session *opened, const options *given)
{
    enum { KEY_FILE, PUBLICS_FILE, PROOF_FILE };
    CLEANUP(free_claim) claim c = {.info = (sumac_plonk_info){.size = sizeof(sumac_plonk_info)}};
    int ok = 0;
    CALL(opened, sumac_plonk_verifying_key_open(opened->context, given->operands[KEY_FILE], &c.verifying));
    CALL(opened, sumac_plonk_verifying_key_describe(c.verifying, &c.info));
    MUST(read_text(opened, &c, given->operands[PUBLICS_FILE], &publics_reader, c.info.publics_bytes,
                   &c.publics));
    MUST(read_text(opened, &c, given->operands[PROOF_FILE], &proof_reader, c.info.proof_bytes, &c.proof));
    CALL(opened, sumac_plonk_verify(opened->context, c.verifying, c.publics, (size_t)c.info.publics_bytes,
                                    c.proof, (size_t)c.info.proof_bytes, 1, &ok));
    MUST(session_write_trace(opened));
    return print_verdict(given, ok, "the proof holds", "proof invalid");
}

const command command_plonk_verify = {
    .name = "plonk verify",
    .summary = "Verify a PLONK proof of snarkjs, gnark or plonk prove",
    .takes = OPTIONS(OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS, TUNE_VARIANT, OPTION_JSON, OPTION_TRACE),
    .operands = {"KEY PUBLIC PROOF", 3, 3, 3},
    .example = "plonk verify verification_key.json public.json proof.json",
    .notes =
        "KEY is a verification_key.json, a .zkey, or gnark's. The exit status is 1 if the proof is invalid.",
    .run_in = run_plonk_verify,
};

/* ---- plonk setup ---- */

static int run_plonk_setup(const session *opened, const options *given)
{
    enum { CIRCUIT, POWERS, KEY };
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    result_file *const files[] = {&file};
    sumac_plonk_setup_config config = {.size = sizeof config};
    config.protocol = option_choice(OPTION_PROTOCOL, given->protocol);
    MUST(result_file_open(&file, given->operands[KEY]));
    MUST(result_file_begin(&file));
    progress_begin("making %s", file.path);
    MUST(session_save(opened, "setup", &file,
                      sumac_plonk_setup(opened->context, given->operands[CIRCUIT], given->operands[POWERS],
                                        &config, file.library_path)));
    MUST(session_commit(opened, files, 1));
    print_text(given->operands[KEY]);
    print(": a proving key, with the same bytes as snarkjs makes\n");
    return STATUS_DONE;
}

const command command_plonk_setup = {
    .name = "plonk setup",
    .summary = "Make the PLONK or FFLONK proving key of a circuit from powers of tau",
    .takes = OPTIONS(OPTION_PROTOCOL, OPTION_BACKEND, TUNE_VARIANT, OPTION_DEVICES, OPTION_THREADS,
                     OPTION_MEMORY_LIMIT, OPTION_TRACE),
    .operands = {"CIRCUIT.r1cs POWERS.ptau KEY.zkey", 3, 3, 1},
    .notes = "The key is as safe as the powers of tau; there is no ceremony for the circuit.",
    .example = "plonk setup circuit.r1cs powers.ptau circuit.zkey",
    .run_in = run_plonk_setup,
};
