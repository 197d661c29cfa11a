/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include "groth16_input.h"
#include "results.h"

static int print_key(const options *given, const sumac_groth16_info *info)
{
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

static int run_groth16_info(const options *given)
{
    session opened;
    sumac_groth16_key *key = NULL;
    sumac_groth16_info info;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = open_groth16_key(&opened, given, given->operands[0], NULL, &key, &info);
    }
    if (status == STATUS_DONE) {
        status = print_key(given, &info);
    }
    sumac_groth16_key_destroy(key);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_CHECK,  OPTION_PRECOMPUTE, OPTION_BACKEND, OPTION_VARIANT,
                                  OPTION_DEVICE, OPTION_THREADS,    OPTION_JSON,    OPTION_END};

const command command_groth16_info = {
    .name = "groth16 info",
    .summary = "Open a proving key of snarkjs or gnark, check it, and print what it is for",
    .takes = takes,
    .operands = "KEY",
    .operands_minimum = 1,
    .operands_maximum = 1,
    .operands_read = 1,
    .check = SUMAC_CHECK_SUBGROUP,
    .run = run_groth16_info,
};
