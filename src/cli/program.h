/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions run a command line: they find the command in the program's list, parse its options, and run it. They
 * also print help about commands. */
#ifndef SUMAC_CLI_PROGRAM_H
#define SUMAC_CLI_PROGRAM_H

#include "options.h"

/* The file of the program's main function defines these, and program_name (report.h). */
extern const char program_summary[];
extern const command *const program_commands[]; /* the list ends with null */

/* DECLARE_COMMAND declares a command, and the second macro names it in the list. They are used as
 * COMMANDS(DECLARE_COMMAND), where COMMANDS(each) is each(msm) ... */
#define DECLARE_COMMAND(name) extern const command command_##name;
#define COMMAND_IN_LIST(name) &command_##name,

/* Open standard streams that are closed, and set how signals are handled. Call this first. */
void program_prepare(void);

/* Run the command and return an exit status. Call finish_standard_output() after it. */
int program_run(int count, char **arguments);

/* Return true if a command line asks for a manual page or for completion. Builds and shells ask for these outside of an
 * MPI job. */
bool asks_for_documents(int count, char **arguments);

/*
 * Check the files that a command line names, before anything is read. "-" becomes /dev/stdin or /dev/stdout. Refuse a
 * file that would be written twice, or both read and written, and a pipe that would be read twice. If data is written
 * to standard output, words are written to standard error. Report failures and return an exit status.
 */
int check_paths(const command *used, options *parsed);

/* Return true if a command's name is this word, or begins with it and a space: "kzg" for "kzg commit". */
bool command_begins_with(const command *candidate, const char *word);

/* Get the first word of the i-th command's name. If an earlier command has the same first word, return false. */
enum { COMMAND_WORD_BYTES = 32 };
bool command_first_word(int i, char word[COMMAND_WORD_BYTES]);

/* Return how many arguments name this command. If they name another one, return 0. */
int command_words(const command *candidate, int count, char **arguments);

/* ---- Help ---- */

/* These are the help texts of --help and --tune. */
#define HELP_OF_HELP "print this"
#define HELP_OF_TUNE "override choices of the planner and of the engine; keys are"

/* Print the output of `sumac <command> --help`, and that of `sumac` without arguments. */
void print_command_help(const command *shown);
void print_usage(void);

/* Run `help --man [WORD]`: print the program's manual page, or the page of the commands that begin with a word. */
int print_manual(const char *word);

/* Run `help --completion SHELL`: print a script for "bash", "zsh" or "fish" that calls `__complete`. */
int print_completion(const char *shell);

/* Run `__complete WORD...`: print the candidates for the last word, one per line, followed by a tab and a description
 * if there is one. The line ":files" stands for file names. */
int print_candidates(int count, char **words);

#endif
