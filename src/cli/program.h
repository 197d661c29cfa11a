/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Running a command line: the command is found in the program's table (commands.h), its options are parsed, and it runs.
 * And printing help about the commands. */
#ifndef SUMAC_CLI_PROGRAM_H
#define SUMAC_CLI_PROGRAM_H

#include "commands.h"

/* Tell whether a command line asks for a manual page or for completion, which builds and shells do where no job runs. */
bool asks_for_documents(int count, char **arguments);

/* Open closed standard streams and handle signals, before anything else. */
void program_prepare(void);

/* Run the command; returns an exit status. finish_standard_output() is due after it. */
int program_run(int count, char **arguments);

/* `help --man [WORD]`: the program's manual page, or the page of the commands that begin with a word. */
int print_manual(const char *word);

/* `help --completion SHELL`: a script for "bash", "zsh" or "fish" that asks `__complete`. */
int print_completion(const char *shell);

/* `__complete WORD...`: what the last word may become, a line each, with a tab and a description where there is one;
 * the line ":files" stands for the names of files. */
int print_candidates(int count, char **words);

#endif
