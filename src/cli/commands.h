/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The commands, each defined in the file of its name; and which of them a program has. */
#ifndef SUMAC_CLI_COMMANDS_H
#define SUMAC_CLI_COMMANDS_H

#include "options.h"

/* Defined in the file of the program's main function, as is program_name (report.h). */
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

/* Tell whether a command's name is this word, or begins with it and a space: "kzg" for "kzg commit". */
bool command_begins_with(const command *candidate, const char *word);

/* The first word of the i-th command's name; false if a command before it has the same. */
enum { COMMAND_WORD_BYTES = 32 };
bool command_first_word(int i, char word[COMMAND_WORD_BYTES]);

/* How many arguments name this command: 0 if they name another. */
int command_words(const command *candidate, int count, char **arguments);

/* Sentences about the whole program, for its help and its manual page. */
enum { USAGE_NOTES_BYTES = 512 };
void write_usage_notes(char text[USAGE_NOTES_BYTES]);

#endif
