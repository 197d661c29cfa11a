/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

bool command_begins_with(const command *candidate, const char *word)
{
    const size_t length = strlen(word);
    return length > 0 && strncmp(candidate->name, word, length) == 0 &&
           (candidate->name[length] == '\0' || candidate->name[length] == ' ');
}

bool command_first_word(int i, char word[COMMAND_WORD_BYTES])
{
    const char *name = program_commands[i]->name;
    snprintf(word, COMMAND_WORD_BYTES, "%.*s", (int)strcspn(name, " "), name);
    for (int before = 0; before < i; before++) {
        if (command_begins_with(program_commands[before], word)) {
            return false;
        }
    }
    return true;
}

int command_words(const command *candidate, int count, char **arguments)
{
    const char *rest = candidate->name;
    for (int words = 0; words < count; words++) {
        const size_t length = strcspn(rest, " ");
        if (strlen(arguments[words]) != length || memcmp(arguments[words], rest, length) != 0) {
            return 0;
        }
        if (rest[length] == '\0') {
            return words + 1;
        }
        rest += length + 1;
    }
    return 0;
}
