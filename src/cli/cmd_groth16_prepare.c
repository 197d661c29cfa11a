/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "groth16_input.h"

enum { KEY, OUT /* operands */ };

static int run_groth16_prepare(const session *opened, const options *given)
{
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    CLEANUP(close_proving_key) proving_key key = {.key = NULL};
    result_file *const files[] = {&file};
    MUST(result_file_open(&file, given->operands[OUT]));
    MUST(open_proving_key(opened, given, given->operands[KEY], &key));
    MUST(result_file_begin(&file));
    progress_begin("writing %s", file.path);
    MUST(session_save(opened, "save key", &file,
                      sumac_groth16_key_save(opened->context, key.key, file.library_path)));
    MUST(session_commit(opened, files, 1));
    print_text(given->operands[OUT]);
    print(": a prepared key; --validate none opens it fastest\n");
    return STATUS_DONE;
}

const command command_groth16_prepare = {
    .name = "groth16 prepare",
    .summary = "Check a proving key of snarkjs or gnark and save it prepared, so that it is opened faster",
    .takes =
        OPTIONS(OPTION_VERIFYING_KEY, OPTION_VALIDATE, OPTION_PRECOMPUTE, OPTIONS_OF_MACHINE, OPTION_TRACE),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .takes_devices = true,
    .operands = {"KEY OUT", 2, 2, 1},
    .example = "groth16 prepare circuit.zkey circuit.prepared",
    .notes = "With --precompute F its multiples are saved, too, and with --verifying-key a key of gnark's "
             "has its verifying key. Opening the file with --validate none trusts that nobody has forged it.",
    .run_in = run_groth16_prepare,
};
