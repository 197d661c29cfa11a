/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "groth16_input.h"

enum { CIRCUIT, WITNESS /* operands */ };

static int run_groth16_generate(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file r1cs = RESULT_FILE_CLOSED;
    CLEANUP(result_file_discard) result_file wtns = RESULT_FILE_CLOSED;
    result_file *const files[] = {&r1cs, &wtns};
    sumac_message why;
    MUST(result_file_open(&r1cs, given->operands[CIRCUIT]));
    MUST(result_file_open(&wtns, given->operands[WITNESS]));
    MUST(result_file_begin(&r1cs));
    MUST(result_file_begin(&wtns));
    progress_begin("making a circuit");
    const sumac_status status =
        toy_circuit(opened->context, opened->curve, given->n, bits_percent_of((witness_kind)given->kind),
                    given->seed, r1cs.stream, wtns.stream, &why);
    progress_end();
    result_file_note_error(&r1cs);
    result_file_note_error(&wtns);
    MUST(toy_check(NULL, status, &why));
    MUST(session_commit(opened, files, 2));
    print_text(given->operands[CIRCUIT]);
    print(": a circuit of %llu constraints over %s\n", (unsigned long long)given->n, opened->info->name);
    print_text(given->operands[WITNESS]);
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
