/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "groth16_input.h"

enum { CIRCUIT, KEY /* operands */ };

static void close_stream(FILE **stream)
{
    if (*stream != NULL) {
        fclose(*stream);
    }
}

static int run_groth16_setup(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    CLEANUP(close_stream) FILE *circuit = fopen(given->operands[CIRCUIT], "rb");
    result_file *const files[] = {&file};
    sumac_message why;
    if (circuit == NULL) {
        return system_failure("read", given->operands[CIRCUIT], errno);
    }
    MUST(result_file_open(&file, given->operands[KEY]));
    MUST(result_file_begin(&file));
    progress_begin("making %s", file.path);
    const double start = clock_seconds();
    /* A seed of 0 asks for the system's random numbers. */
    const sumac_status status =
        toy_setup(opened->context, circuit, given->given[OPTION_SEED] ? given->seed : 0, file.stream, &why);
    progress_end();
    session_span(opened, "setup", start);
    result_file_note_error(&file);
    MUST(toy_check(given->operands[CIRCUIT], status, &why));
    MUST(session_commit(opened, files, 1));
    print_text(given->operands[KEY]);
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
