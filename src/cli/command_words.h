/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The words that name commands, and sentences about all of them: what help, manual pages and completions
 * share. */
#ifndef SUMAC_CLI_COMMAND_WORDS_H
#define SUMAC_CLI_COMMAND_WORDS_H

#include "commands.h"

/* Whether a command's name is this word, or begins with it and a space: "kzg" for "kzg commit". */
bool command_begins_with(const command *candidate, const char *word);

/* The first word of the i-th command's name; false if a command before it has the same. */
enum { COMMAND_WORD_BYTES = 32 };
bool command_first_word(int i, char word[COMMAND_WORD_BYTES]);

/* Sentences about the whole program, for its help and its manual page: how to ask for more. */
enum { USAGE_NOTES_BYTES = 512 };
void write_usage_notes(char text[USAGE_NOTES_BYTES]);

#endif
