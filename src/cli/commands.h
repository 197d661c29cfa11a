/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The commands, each defined in the file of its name; and which of them a program has. */
#ifndef SUMAC_CLI_COMMANDS_H
#define SUMAC_CLI_COMMANDS_H

#include "options.h"

/* Defined in the file of the program's main function. */
extern const char program_name[];
extern const char program_summary[];
extern const command *const program_commands[]; /* ends with null */

extern const command command_msm;
extern const command command_combine;
extern const command command_generate;
extern const command command_convert;
extern const command command_plan;
extern const command command_bench;
extern const command command_compare;
extern const command command_report;
extern const command command_info;
extern const command command_kzg_commit;
extern const command command_kzg_prove;
extern const command command_kzg_verify;
extern const command command_kzg_cells;
extern const command command_kzg_recover;
extern const command command_kzg_setup;
extern const command command_srs_commit;
extern const command command_srs_open;
extern const command command_srs_verify;
extern const command command_groth16_prove;
extern const command command_groth16_verify;
extern const command command_groth16_info;
extern const command command_groth16_prepare;
extern const command command_groth16_setup;
extern const command command_groth16_generate;
/* sumac-mpi's, which has kzg commit, cells and recover, too */
extern const command command_msm_over_ranks;

#endif
