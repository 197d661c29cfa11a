/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is the main file of the program `sumac`. */
#include "cli.h"

const char program_name[] = "sumac";
const char program_summary[] = "Multi-scalar multiplication on elliptic curves";

#define COMMANDS(each)                                                                                       \
    each(msm) each(combine) each(generate) each(convert) each(plan) each(bench) each(compare) each(report)   \
        each(info) each(kzg_commit) each(kzg_prove) each(kzg_verify) each(kzg_cells) each(kzg_recover)       \
            each(kzg_setup) each(srs_commit) each(srs_open) each(srs_verify) each(groth16_prove)             \
                each(groth16_verify) each(groth16_info) each(groth16_prepare) each(groth16_setup)            \
                    each(groth16_generate) each(plonk_prove) each(plonk_verify) each(plonk_info)             \
                        each(plonk_prepare) each(plonk_setup)
COMMANDS(DECLARE_COMMAND)
const command *const program_commands[] = {COMMANDS(COMMAND_IN_LIST) NULL};

int main(int count, char **arguments)
{
    program_prepare();
    return finish_standard_output(program_run(count, arguments));
}
