/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include "clock.h"
#include "files.h"
#include "groth16_input.h"
#include "progress.h"

enum { KEY, OUT /* operands */ };

static int save(const session *opened, const sumac_groth16_key *key, result_file *file)
{
    const int begun = result_file_begin(file);
    if (begun != STATUS_DONE) {
        return begun;
    }
    progress_begin("writing %s", file->path);
    const double start = seconds_now();
    const sumac_status status = sumac_groth16_key_save(opened->context, key, file->library_path);
    progress_end();
    session_span(opened, "save key", start);
    return status == SUMAC_OK ? result_file_finish(file)
                              : result_file_library_failure(file, opened->context, status);
}

/* The verifying key of --verifying-key must live as long as the key. */
static int prepare(const session *opened, const options *given, result_file *file)
{
    sumac_groth16_verifying_key *verifying = NULL;
    sumac_groth16_key *key = NULL;
    sumac_groth16_info info;
    const sumac_status found =
        given->verifying_key == NULL
            ? SUMAC_OK
            : sumac_groth16_verifying_key_open(opened->context, given->verifying_key, &verifying);
    int status = found == SUMAC_OK
                     ? open_groth16_key(opened, given, given->operands[KEY], verifying, &key, &info)
                     : session_failure(opened, found);
    if (status == STATUS_DONE) {
        status = save(opened, key, file);
    }
    sumac_groth16_key_destroy(key);
    sumac_groth16_verifying_key_destroy(verifying);
    return status;
}

static int run_groth16_prepare(const options *given)
{
    session opened;
    result_file file = RESULT_FILE_CLOSED;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = result_file_open(&file, given->operands[OUT]);
    }
    if (status == STATUS_DONE) {
        status = prepare(&opened, given, &file);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(&opened);
    }
    if (status == STATUS_DONE) {
        status = result_file_commit(&file);
    }
    if (status == STATUS_DONE) {
        print_text(given->operands[OUT]);
        print(": a prepared key; --check none opens it fastest\n");
    }
    result_file_discard(&file);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_VERIFYING_KEY, OPTION_CHECK,  OPTION_PRECOMPUTE, OPTION_BACKEND,
                                  OPTION_VARIANT,       OPTION_DEVICE, OPTION_DEVICES,    OPTION_THREADS,
                                  OPTION_MEMORY_LIMIT,  OPTION_TRACE,  OPTION_END};

const command command_groth16_prepare = {
    .name = "groth16 prepare",
    .summary = "Check a proving key of snarkjs or gnark and save it prepared, so that it is opened faster",
    .takes = takes,
    .operands = "KEY OUT",
    .operands_minimum = 2,
    .operands_maximum = 2,
    .operands_read = 1,
    .check = SUMAC_CHECK_SUBGROUP,
    .notes =
        "With --precompute F its multiples are saved, too. A key of gnark is saved with its verifying key, "
        "where\n"
        "--verifying-key has it. Who opens the file with --check none trusts that nobody has forged it.\n",
    .run = run_groth16_prepare,
};
