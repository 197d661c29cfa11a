/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What a program of these sources does with its command line: finds the command in its table, has its options
 * parsed and runs it. A program is the file with its main function, which defines these constants.
 */
#ifndef SUMAC_CLI_PROGRAM_H
#define SUMAC_CLI_PROGRAM_H

#include "options.h"

extern const char program_name[];
extern const char program_summary[];
extern const command *const program_commands[]; /* ends with null */

/* What comes before anything else: standard streams that are open, signals. */
void program_prepare(void);

/* Run the command; returns an exit status. finish_standard_output() is due after it. */
int program_run(int count, char **arguments);

#endif
