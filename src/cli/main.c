/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The program `sumac`. */
#include "program.h"

const char program_name[] = "sumac";
const char program_summary[] = "Multi-scalar multiplication on elliptic curves";

const command *const program_commands[] = {&command_msm,
                                           &command_combine,
                                           &command_generate,
                                           &command_convert,
                                           &command_plan,
                                           &command_bench,
                                           &command_compare,
                                           &command_report,
                                           &command_info,
                                           &command_kzg_commit,
                                           &command_kzg_prove,
                                           &command_kzg_verify,
                                           &command_kzg_cells,
                                           &command_kzg_recover,
                                           &command_kzg_setup,
                                           &command_srs_commit,
                                           &command_srs_open,
                                           &command_srs_verify,
                                           &command_groth16_prove,
                                           &command_groth16_verify,
                                           &command_groth16_info,
                                           &command_groth16_prepare,
                                           &command_groth16_setup,
                                           &command_groth16_generate,
                                           NULL};

int main(int count, char **arguments)
{
    program_prepare();
    return finish_standard_output(program_run(count, arguments));
}
