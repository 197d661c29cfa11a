/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <errno.h>

#include "clock.h"
#include "files.h"
#include "groth16_input.h"
#include "progress.h"

/* With a seed of 0 toy_setup() takes the system's random numbers. */
static int write_key(const session *opened, const options *given, result_file *file)
{
    sumac_message why;
    FILE *circuit = fopen(given->operands[0], "rb");
    if (circuit == NULL) {
        return system_failure("read", given->operands[0], errno);
    }
    int status = result_file_begin(file);
    if (status == STATUS_DONE) {
        progress_begin("making %s", file->path);
        const double start = seconds_now();
        const sumac_status made = toy_setup(opened->context, circuit,
                                            given->given[OPTION_SEED] ? given->seed : 0, file->stream, &why);
        progress_end();
        session_span(opened, "setup", start);
        result_file_note_error(file);
        status = made == SUMAC_OK || made == SUMAC_WRITE_FAILED ? result_file_finish(file)
                                                                : toy_failure(given->operands[0], made, &why);
    }
    fclose(circuit);
    return status;
}

static int run_groth16_setup(const options *given)
{
    session opened;
    result_file file = RESULT_FILE_CLOSED;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = result_file_open(&file, given->operands[1]);
    }
    if (status == STATUS_DONE) {
        status = write_key(&opened, given, &file);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(&opened);
    }
    if (status == STATUS_DONE) {
        status = result_file_commit(&file);
    }
    if (status == STATUS_DONE) {
        print_text(given->operands[1]);
        print(": an INSECURE key, for tests and benchmarks only: who made it could prove anything\n");
    }
    result_file_discard(&file);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_SEED,    OPTION_BACKEND,      OPTION_VARIANT, OPTION_DEVICE,
                                  OPTION_THREADS, OPTION_MEMORY_LIMIT, OPTION_TRACE,   OPTION_END};

const command command_groth16_setup = {
    .name = "groth16 setup",
    .summary = "Make an INSECURE proving key for a circuit, for tests and benchmarks",
    .takes = takes,
    .operands = "CIRCUIT.r1cs KEY.zkey",
    .operands_minimum = 2,
    .operands_maximum = 2,
    .operands_read = 1,
    .notes =
        "Without a ceremony: who makes the key could prove anything. Without --seed its numbers are the\n"
        "system's random ones; with it anyone can repeat them.\n",
    .run = run_groth16_setup,
};
