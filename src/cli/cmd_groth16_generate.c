/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include "files.h"
#include "groth16_input.h"
#include "progress.h"

static int write_both(const session *opened, const options *given, result_file *r1cs, result_file *wtns)
{
    int status = result_file_begin(r1cs);
    if (status == STATUS_DONE) {
        status = result_file_begin(wtns);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    sumac_message why;
    progress_begin("making a circuit");
    const sumac_status made =
        toy_circuit(opened->context, opened->curve, given->n, bits_percent_of((witness_kind)given->kind),
                    given->seed, r1cs->stream, wtns->stream, &why);
    progress_end();
    result_file_note_error(r1cs);
    result_file_note_error(wtns);
    if (made != SUMAC_OK && made != SUMAC_WRITE_FAILED) {
        return toy_failure(NULL, made, &why);
    }
    result_file *const all[] = {r1cs, wtns};
    return result_files_commit(all, sizeof all / sizeof *all);
}

static int run_groth16_generate(const options *given)
{
    session opened;
    result_file r1cs = RESULT_FILE_CLOSED, wtns = RESULT_FILE_CLOSED;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = result_file_open(&r1cs, given->operands[0]);
    }
    if (status == STATUS_DONE) {
        status = result_file_open(&wtns, given->operands[1]);
    }
    if (status == STATUS_DONE) {
        status = write_both(&opened, given, &r1cs, &wtns);
    }
    if (status == STATUS_DONE) {
        print_text(given->operands[0]);
        print(": a circuit of %llu constraints over %s\n", (unsigned long long)given->n, opened.info->name);
        print_text(given->operands[1]);
        print(": a witness that satisfies it\n");
    }
    result_file_discard(&r1cs);
    result_file_discard(&wtns);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_CURVE,   OPTION_N,       OPTION_WITNESS_KIND, OPTION_SEED,
                                  OPTION_BACKEND, OPTION_VARIANT, OPTION_THREADS,      OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_N, OPTION_END};

const command command_groth16_generate = {
    .name = "groth16 generate",
    .summary = "Make a circuit of so many constraints, and a witness, for benchmarks",
    .takes = takes,
    .needs = needs,
    .operands = "CIRCUIT.r1cs WITNESS.wtns",
    .operands_minimum = 2,
    .operands_maximum = 2,
    .operands_read = 0,
    .notes = "-n is the number of constraints, as 1000 or 2^16.\n",
    .run = run_groth16_generate,
};
