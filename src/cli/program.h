/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a program does with its command line: finds the command in its table (commands.h), has its options
 * parsed and runs it. */
#ifndef SUMAC_CLI_PROGRAM_H
#define SUMAC_CLI_PROGRAM_H

#include <stdbool.h>

/* Whether a command line asks for a manual page or a completion, which the build does where no job can run.
 */
bool asks_for_documents(int count, char **arguments);

/* What comes before anything else: standard streams that are open, signals. */
void program_prepare(void);

/* Run the command; returns an exit status. finish_standard_output() is due after it. */
int program_run(int count, char **arguments);

#endif
