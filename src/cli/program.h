/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a program does with its command line: finds the command in its table (commands.h), has its options
 * parsed and runs it. */
#ifndef SUMAC_CLI_PROGRAM_H
#define SUMAC_CLI_PROGRAM_H

/* What comes before anything else: standard streams that are open, signals. */
void program_prepare(void);

/* Run the command; returns an exit status. finish_standard_output() is due after it. */
int program_run(int count, char **arguments);

#endif
