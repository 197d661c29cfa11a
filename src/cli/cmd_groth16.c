/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the commands `groth16 ...`. */
#include "cli.h"

#include "codec/file_kinds.h"
#include "groth16.h"

/* ---- Keys ---- */

#define MOST_WIRES_BYTES ((size_t)1 << 30)

/* This is a proving key, with the verifying key of --verifying-key, which must live as long as the proving key. */
typedef struct proving_key {
    sumac_groth16_verifying_key *verifying; /* null if --verifying-key was not given */
    sumac_groth16_key *key;
    sumac_groth16_info info;
} proving_key;

/* Open a proving key with the options' settings, and describe it. The caller must call close_proving_key() in any case. */
static int open_proving_key(const session *opened, const options *given, const char *path, proving_key *key)
{
    key->info = (sumac_groth16_info){.size = sizeof(sumac_groth16_info)};
    if (given->verifying_key != NULL) {
        CALL(opened,
             sumac_groth16_verifying_key_open(opened->context, given->verifying_key, &key->verifying));
    }
    AUTO_FREE unsigned char *wires = NULL;
    sumac_groth16_key_config config = {.size = sizeof config};
    if (given->commitment_wires != NULL) {
        MUST(read_small_file(given->commitment_wires, MOST_WIRES_BYTES, &wires,
                             &config.commitment_wires_bytes));
        config.commitment_wires = wires;
    }
    config.check = (sumac_check)given->check;
    config.precompute_factor = (uint32_t)given->precompute;
    config.verifying = key->verifying;
    progress_begin("reading %s", path);
    MUST(session_step(opened, "read key", sumac_groth16_key_open(opened->context, path, &config, &key->key)));
    return session_check(opened, sumac_groth16_key_describe(key->key, &key->info));
}

static void close_proving_key(proving_key *key)
{
    sumac_groth16_key_destroy(key->key);
    sumac_groth16_verifying_key_destroy(key->verifying);
}

int toy_check(const char *path, sumac_status status, const sumac_message *why)
{
    return status == SUMAC_OK || status == SUMAC_WRITE_FAILED
               ? STATUS_DONE
               : report_failure(exit_status_of(status), "%s%s%s", path, path[0] != '\0' ? ": " : "",
                                why->text);
}

/* ---- groth16 info ---- */

static int run_groth16_info(const session *opened, const options *given)
{
    CLEANUP(close_proving_key) proving_key key = {.key = NULL};
    MUST(open_proving_key(opened, given, given->operands[0], &key));
    const sumac_groth16_info *info = &key.info;
    const char *name = info->g1->curve;
    if (given->json) {
        return print_json(json_pack(
            "{s:s, s:I, s:I, s:I, s:I, s:I}", "curve", name, "wires", (json_int_t)info->wires,
            "public_inputs", (json_int_t)info->publics, "domain", (json_int_t)info->domain, "coefficients",
            (json_int_t)info->coefficients, "key_bytes", (json_int_t)info->key_bytes));
    }
    print("curve          %s\nwires          %llu\npublic inputs  %llu\ndomain         %llu\n"
          "coefficients   %llu\nin memory      %.1f MiB\n",
          name, (unsigned long long)info->wires, (unsigned long long)info->publics,
          (unsigned long long)info->domain, (unsigned long long)info->coefficients,
          (double)info->key_bytes / (1 << 20));
    return STATUS_DONE;
}

const command command_groth16_info = {
    .name = "groth16 info",
    .summary = "Open a proving key of snarkjs or gnark, check it, and print what it is for",
    .takes = OPTIONS(OPTION_COMMITMENT_WIRES, OPTION_VALIDATE, OPTION_PRECOMPUTE, OPTION_BACKEND,
                     OPTION_DEVICES, OPTION_THREADS, TUNE_VARIANT, OPTION_JSON),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .operands = {"KEY", 1, 1, 1},
    .example = "groth16 info circuit.zkey",
    .run_in = run_groth16_info,
};

/* ---- groth16 prepare ---- */

static int run_groth16_prepare(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    CLEANUP(close_proving_key) proving_key key = {.key = NULL};
    result_file *const files[] = {&file};
    MUST(result_file_open(&file, given->operands[1]));
    MUST(open_proving_key(opened, given, given->operands[0], &key));
    MUST(result_file_begin(&file));
    progress_begin("writing %s", file.path);
    MUST(session_save(opened, "save key", &file,
                      sumac_groth16_key_save(opened->context, key.key, file.library_path)));
    MUST(session_commit(opened, files, 1));
    print_text(given->operands[1]);
    print(": a prepared key; --validate none opens it fastest\n");
    return STATUS_DONE;
}

const command command_groth16_prepare = {
    .name = "groth16 prepare",
    .summary = "Check a proving key of snarkjs or gnark and save it prepared, so that it is opened faster",
    .takes = OPTIONS(OPTION_VERIFYING_KEY, OPTION_COMMITMENT_WIRES, OPTION_VALIDATE, OPTION_PRECOMPUTE,
                     OPTIONS_OF_MACHINE, OPTION_TRACE),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .takes_devices = true,
    .operands = {"KEY OUT", 2, 2, 1},
    .example = "groth16 prepare circuit.zkey circuit.prepared",
    .notes = "With --precompute F its multiples are saved, too, and with --verifying-key a key of gnark's "
             "has its verifying key. Opening the file with --validate none trusts that nobody has forged it.",
    .run_in = run_groth16_prepare,
};

/* ---- groth16 prove ---- */

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

static int write_proof(const session *opened, proving *p, const char *format)
{
    sumac_context *context = opened->context;
    const sumac_groth16_verifying_key *verifying = sumac_groth16_key_verifying(p->key.key);
    const size_t proof_bytes = (size_t)p->key.info.proof_bytes,
                 publics_bytes = (size_t)p->key.info.publics_bytes;
    void *bytes = NULL;
    size_t count = 0;
    sumac_status status =
        sumac_groth16_proof_encode(context, verifying, p->proof, proof_bytes, format, &bytes, &count);
    MUST(session_put(opened, status, bytes, count, &p->files[PROOF]));
    ALLOCATE(p->publics, publics_bytes, "public inputs");
    CALL(opened, sumac_groth16_witness_publics(context, p->key.key, p->witness, p->witness_bytes, p->publics,
                                               publics_bytes));
    status =
        sumac_groth16_publics_encode(context, verifying, p->publics, publics_bytes, format, &bytes, &count);
    return session_put(opened, status, bytes, count, &p->files[PUBLICS]);
}

/* These are the library's names of the formats, in the order of the words of --proof-format. */
static const char *const proof_formats[] = {"snarkjs", "gnark", "gnark-raw"};

static int run_groth16_prove(const session *opened, const options *given)
{
    CLEANUP(free_proving) proving p = {.key.key = NULL};
    sumac_context *context = opened->context;
    const sumac_groth16_info *info = &p.key.info;
    result_file *const files[] = {&p.files[PROOF], &p.files[PUBLICS]};
    MUST(result_file_open(&p.files[PROOF], given->operands[PROOF]));
    MUST(result_file_open(&p.files[PUBLICS], given->operands[PUBLICS]));
    double start = clock_seconds();
    MUST(open_proving_key(opened, given, given->operands[PROVING_KEY], &p.key));
    const double open_seconds = clock_seconds() - start;
    if (!info->has_verifying_key && !given->no_verify) {
        return bad_input(
            "%s: a key of gnark, which comes without its verifying key: give --verifying-key FILE, "
            "or --no-verify",
            given->operands[PROVING_KEY]);
    }
    CALL(opened, sumac_groth16_witness_open(context, p.key.key, given->operands[WITNESS], &p.witness,
                                            &p.witness_bytes));
    if (given->circuit != NULL) {
        progress_begin("checking the witness");
        CALL(opened,
             sumac_groth16_witness_check(context, p.key.key, p.witness, p.witness_bytes, given->circuit));
    }
    ALLOCATE(p.proof, info->proof_bytes, "a proof");
    sumac_groth16_prove_config config = {.size = sizeof config};
    config.unverified = given->no_verify;
    progress_begin("proving");
    start = clock_seconds();
    CALL(opened, sumac_groth16_prove(context, p.key.key, p.witness, p.witness_bytes, 1, &config, p.proof,
                                     (size_t)info->proof_bytes));
    const double prove_seconds = clock_seconds() - start;
    progress_end();
    /* A witness of gnark has products in addition to its wires. */
    const sumac_group *group = info->g1;
    const bool is_gnark_key = info->witness_bytes > info->wires * group->scalar_bytes;
    MUST(write_proof(opened, &p,
                     given->given[OPTION_PROOF_FORMAT] ? proof_formats[given->proof_format]
                     : is_gnark_key                    ? "gnark"
                                                       : "snarkjs"));
    MUST(session_commit(opened, files, 2));
    if (given->json) {
        return print_json(json_pack("{s:s, s:s, s:I, s:I, s:I, s:s, s:b, s:f, s:f}", "curve", group->curve,
                                    "backend", context_info(context).backend, "wires",
                                    (json_int_t)info->wires, "public_inputs", (json_int_t)info->publics,
                                    "domain", (json_int_t)info->domain, "variant",
                                    context_info(context).variant, "verified", (int)!given->no_verify,
                                    "open_ms", 1e3 * open_seconds, "prove_ms", 1e3 * prove_seconds));
    }
    print_text(given->operands[PROOF]);
    print(given->no_verify ? ": a proof, not verified\n" : ": a proof, verified\n");
    print_text(given->operands[PUBLICS]);
    print(": its public inputs, %llu\n", (unsigned long long)info->publics);
    return STATUS_DONE;
}

const command command_groth16_prove = {
    .name = "groth16 prove",
    .summary = "Prove with a key and a witness of snarkjs or gnark",
    .takes = OPTIONS(OPTION_VERIFYING_KEY, OPTION_COMMITMENT_WIRES, OPTION_NO_VERIFY, OPTION_PROOF_FORMAT,
                     OPTION_CIRCUIT, OPTION_VALIDATE, OPTION_PRECOMPUTE, OPTIONS_OF_MACHINE, OPTION_JSON,
                     OPTION_TRACE),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .takes_devices = true,
    .operands = {"KEY WITNESS PROOF PUBLIC", OPERANDS, OPERANDS, PROOF},
    .example = "groth16 prove circuit.zkey witness.wtns proof.json public.json",
    .notes = "The proof is verified before it is written. The files are those of `snarkjs groth16 prove`; or "
             "KEY is gnark's, WITNESS what its solver made (R1CSSolution.WriteTo), and PROOF and PUBLIC are "
             "written as gnark writes them.",
    .run_in = run_groth16_prove,
};

/* ---- groth16 verify ---- */

typedef struct claim {
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

/* A reader has the function that decodes public inputs, or a proof. */
typedef struct reader {
    const char *what;
    size_t most_bytes; /* the largest file that is read */
    sumac_status (*decode)(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                           const void *encoded, size_t encoded_bytes, const char *format, const char *name,
                           void *result, size_t result_bytes);
} reader;

static const reader publics_reader = {"public inputs", (size_t)1 << 30, sumac_groth16_publics_decode};
static const reader proof_reader = {"a proof", 1 << 16, sumac_groth16_proof_decode};

/* Return true if a file is a text. Its first byte decides. gnark's public inputs do not begin with the first byte of a
 * text, because their number would be at least 2^29. A proof of gnark may begin with it; this is recognized by its
 * length. */
static bool is_text(const claim *c, const reader *from, const unsigned char *bytes, size_t size)
{
    const size_t g1 = c->info.g1->point_bytes; /* without commitments gnark writes infinity in addition */
    const size_t raw = c->info.proof_bytes + (c->info.commitments == 0 ? g1 : 0);
    const bool is_gnark = from == &proof_reader && (size == raw + 4 || size == raw / 2 + 4);
    return size == 0 || (!is_gnark && bytes[0] != 0 && strchr("[{ \t\r\n", bytes[0]) != NULL);
}

/* Read a file in either form. The result has `bytes` bytes, which the caller frees. */
static int read_either(const session *opened, const claim *c, const char *path, const reader *from,
                       uint64_t bytes, unsigned char **result)
{
    AUTO_FREE unsigned char *file = NULL;
    size_t size;
    *result = allocate(bytes, from->what);
    MUST(*result == NULL ? STATUS_MACHINE_FAULT : read_small_file(path, from->most_bytes, &file, &size));
    const bool text = is_text(c, from, file, size);
    const file_kind *kind = file_kind_find(&(file_head){file, size, size});
    if (!text && kind != NULL && kind->magic != NULL) {
        return bad_input("%s: %s, and not %s", path, kind->name, from->what);
    }
    return session_check(opened, from->decode(opened->context, c->verifying, file, size,
                                              text ? "snarkjs" : "gnark", path, *result, (size_t)bytes));
}

static int run_groth16_verify(const session *opened, const options *given)
{
    enum { KEY_FILE, PUBLICS_FILE, PROOF_FILE };
    CLEANUP(free_claim) claim c = {.info = (sumac_groth16_info){.size = sizeof(sumac_groth16_info)}};
    int ok = 0;
    CALL(opened, sumac_groth16_verifying_key_open(opened->context, given->operands[KEY_FILE], &c.verifying));
    CALL(opened, sumac_groth16_verifying_key_describe(c.verifying, &c.info));
    MUST(read_either(opened, &c, given->operands[PUBLICS_FILE], &publics_reader, c.info.publics_bytes,
                     &c.publics));
    MUST(read_either(opened, &c, given->operands[PROOF_FILE], &proof_reader, c.info.proof_bytes, &c.proof));
    CALL(opened, sumac_groth16_verify(opened->context, c.verifying, c.publics, (size_t)c.info.publics_bytes,
                                      c.proof, (size_t)c.info.proof_bytes, 1, &ok));
    MUST(session_write_trace(opened));
    return print_verdict(given, ok, "the proof holds", "proof invalid");
}

const command command_groth16_verify = {
    .name = "groth16 verify",
    .summary = "Verify a proof of snarkjs, gnark or groth16 prove",
    .takes = OPTIONS(OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS, TUNE_VARIANT, OPTION_JSON, OPTION_TRACE),
    .operands = {"KEY PUBLIC PROOF", 3, 3, 3},
    .example = "groth16 verify verification_key.json public.json proof.json",
    .notes = "KEY is a verification_key.json, a .zkey, or gnark's. The exit status is 1 if the proof is "
             "invalid.",
    .run_in = run_groth16_verify,
};

/* ---- groth16 generate ---- */

static int run_groth16_generate(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file r1cs = RESULT_FILE_CLOSED;
    CLEANUP(result_file_discard) result_file wtns = RESULT_FILE_CLOSED;
    result_file *const files[] = {&r1cs, &wtns};
    sumac_message why;
    for (int i = 0; i < 2; i++) {
        MUST(result_file_open(files[i], given->operands[i]));
    }
    for (int i = 0; i < 2; i++) {
        MUST(result_file_begin(files[i]));
    }
    progress_begin("making a circuit");
    const sumac_status status =
        toy_circuit(opened->context, opened->group, given->n, bits_percent_of((witness_kind)given->kind),
                    given->seed, r1cs.stream, wtns.stream, &why);
    progress_end();
    result_file_note_error(&r1cs);
    result_file_note_error(&wtns);
    MUST(toy_check("", status, &why));
    MUST(session_commit(opened, files, 2));
    print_text(given->operands[0]);
    print(": a circuit of %llu constraints over %s\n", (unsigned long long)given->n, opened->info->curve);
    print_text(given->operands[1]);
    print(": a witness that satisfies it\n");
    return STATUS_DONE;
}

const command command_groth16_generate = {
    .name = "groth16 generate",
    .summary = "Make a circuit of so many constraints, and a witness, for benchmarks",
    .takes = OPTIONS(OPTION_CURVE, OPTION_N, OPTION_WITNESS_KIND, OPTION_SEED, OPTION_BACKEND, TUNE_VARIANT,
                     OPTION_THREADS),
    .needs = OPTIONS(OPTION_CURVE, OPTION_N),
    .operands = {"CIRCUIT.r1cs WITNESS.wtns", 2, 2, 0},
    .notes = "-n is the number of constraints, as 1000 or 2^16.",
    .example = "groth16 generate --curve bn254 -n 2^16 circuit.r1cs witness.wtns",
    .run_in = run_groth16_generate,
};

/* ---- groth16 setup ---- */

static void close_stream(FILE **stream)
{
    if (*stream != NULL) {
        fclose(*stream);
    }
}

static int run_groth16_setup(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    CLEANUP(close_stream) FILE *circuit = fopen(given->operands[0], "rb");
    result_file *const files[] = {&file};
    sumac_message why;
    if (circuit == NULL) {
        return system_failure("read", given->operands[0], errno);
    }
    MUST(result_file_open(&file, given->operands[1]));
    MUST(result_file_begin(&file));
    progress_begin("making %s", file.path);
    /* A seed of 0 makes toy_setup() use the system's random numbers. */
    const sumac_status status =
        toy_setup(opened->context, circuit, given->given[OPTION_SEED] ? given->seed : 0, file.stream, &why);
    session_span(opened, "setup", progress_start());
    progress_end();
    result_file_note_error(&file);
    MUST(toy_check(given->operands[0], status, &why));
    MUST(session_commit(opened, files, 1));
    print_text(given->operands[1]);
    print(": an INSECURE key, for tests and benchmarks only: who made it could prove anything\n");
    return STATUS_DONE;
}

const command command_groth16_setup = {
    .name = "groth16 setup",
    .summary = "Make an INSECURE proving key for a circuit, for tests and benchmarks",
    .takes = OPTIONS(OPTION_SEED, OPTION_BACKEND, TUNE_VARIANT, OPTION_DEVICES, OPTION_THREADS,
                     OPTION_MEMORY_LIMIT, OPTION_TRACE),
    .operands = {"CIRCUIT.r1cs KEY.zkey", 2, 2, 1},
    .notes = "Without a ceremony: who makes the key could prove anything. Without --seed its numbers are the "
             "system's random ones; with it anyone can repeat them.",
    .example = "groth16 setup circuit.r1cs circuit.zkey",
    .run_in = run_groth16_setup,
};
