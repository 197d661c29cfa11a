/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What completes the program's commands and options in a shell, made of commands.h's tables: `sumac help
 * --completion`. */
#ifndef SUMAC_CLI_COMPLETION_H
#define SUMAC_CLI_COMPLETION_H

/* Print the script for "bash", "zsh" or "fish". Reports another shell and returns an exit status. */
int print_completion(const char *shell);

#endif
