/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "groth16_input.h"

static int run_groth16_info(const session *opened, const options *given)
{
    CLEANUP(close_proving_key) proving_key key = {.key = NULL};
    MUST(open_proving_key(opened, given, given->operands[0], &key));
    const sumac_groth16_info *info = &key.info;
    const char *name = sumac_curve_describe(info->g1)->name;
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
    .takes = OPTIONS(OPTION_VALIDATE, OPTION_PRECOMPUTE, OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS,
                     TUNE_VARIANT, OPTION_JSON),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .operands = {"KEY", 1, 1, 1},
    .example = "groth16 info circuit.zkey",
    .run_in = run_groth16_info,
};
