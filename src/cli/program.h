/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Running a command line: the command is found in the program's list, its options are parsed, and it runs. And printing
 * help about the commands. */
#ifndef SUMAC_CLI_PROGRAM_H
#define SUMAC_CLI_PROGRAM_H

#include "options.h"

/* Defined in the file of the program's main function, as is program_name (report.h). */
extern const char program_summary[];
extern const command *const program_commands[]; /* ends with null */

/* Declare a command, and name it in the list: for COMMANDS(DECLARE_COMMAND), where COMMANDS(each) is each(msm) ... */
#define DECLARE_COMMAND(name) extern const command command_##name;
#define COMMAND_IN_LIST(name) &command_##name,

/* Open closed standard streams and handle signals, before anything else. */
void program_prepare(void);

/* Run the command; returns an exit status. finish_standard_output() is due after it. */
int program_run(int count, char **arguments);

/* Tell whether a command line asks for a manual page or for completion, which builds and shells do where no job runs. */
bool asks_for_documents(int count, char **arguments);

/*
 * Check the files that a command line names, before anything is read: "-" becomes /dev/stdin or /dev/stdout; a file that
 * would be written twice, or read and written, and a pipe that would be read twice, are refused; words are sent to standard
 * error if data goes to standard output. Reports and returns an exit status.
 */
int check_paths(const command *used, options *parsed);

/* Tell whether a command's name is this word, or begins with it and a space: "kzg" for "kzg commit". */
bool command_begins_with(const command *candidate, const char *word);

/* The first word of the i-th command's name; false if a command before it has the same. */
enum { COMMAND_WORD_BYTES = 32 };
bool command_first_word(int i, char word[COMMAND_WORD_BYTES]);

/* How many arguments name this command: 0 if they name another. */
int command_words(const command *candidate, int count, char **arguments);

/* ---- Help ---- */

/* The help texts of --help and --tune. */
#define HELP_OF_HELP "print this"
#define HELP_OF_TUNE "override choices of the planner and of the engine; keys are"

/* Print what `sumac <command> --help` says, and what `sumac` alone does. */
void print_command_help(const command *shown);
void print_usage(void);

/* `help --man [WORD]`: the program's manual page, or the page of the commands that begin with a word. */
int print_manual(const char *word);

/* `help --completion SHELL`: a script for "bash", "zsh" or "fish" that asks `__complete`. */
int print_completion(const char *shell);

/* `__complete WORD...`: what the last word may become, a line each, with a tab and a description where there is one;
 * the line ":files" stands for the names of files. */
int print_candidates(int count, char **words);

#endif
