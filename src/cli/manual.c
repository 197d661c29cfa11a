/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "manual.h"

#include <ctype.h>
#include <string.h>

#include "command_words.h"
#include "commit.h"

/* Plain text as roff: what it would read otherwise is escaped, and a line begins with no request. */
static void print_roff(const char *text)
{
    static const char *const escapes[][2] = {{"\\", "\\e"},  {"-", "\\-"},   {"`", "\\(ga"},
                                             {"'", "\\(aq"}, {"^", "\\(ha"}, {"~", "\\(ti"}};
    for (const char *next = text; *next != '\0'; next++) {
        const char *shown = NULL;
        for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
            shown = *next == escapes[i][0][0] ? escapes[i][1] : shown;
        }
        if (shown != NULL) {
            print("%s", shown);
        } else {
            print("%s%c", *next == '.' && (next == text || next[-1] == '\n') ? "\\&" : "", *next);
        }
    }
}

/* `sumac-kzg`; a null word: `sumac`. */
static void print_page_name(const char *word)
{
    print_roff(program_name);
    if (word != NULL) {
        print("\\-%s", word);
    }
}

static void print_title(const char *word)
{
    print(".TH ");
    for (const char *letter = program_name; *letter != '\0'; letter++) {
        print("%c", toupper((unsigned char)*letter));
    }
    if (word != NULL) {
        print("\\-");
        for (const char *letter = word; *letter != '\0'; letter++) {
            print("%c", toupper((unsigned char)*letter));
        }
    }
    print(" 1 \"" SUMAC_COMMIT_DATE "\" \"sumac %s\" \"User Commands\"\n.SH NAME\n", sumac_version());
    print_page_name(word);
    print(" \\- ");
}

static void print_option(const option_spec *spec)
{
    print(spec->value_name != NULL ? ".BI " : ".B ");
    print_roff(option_dashes(spec));
    print_roff(spec->name);
    if (spec->value_name != NULL) {
        print(" \" %s\"", spec->value_name);
    }
    print("\n");
}

static void print_synopsis(const command *shown)
{
    print(".B ");
    print_roff(program_name);
    print(" %s\n", shown->name);
    for (const option_id *id = shown->needs; id != NULL && *id != OPTION_END; id++) {
        print_option(&option_table[*id]);
    }
    print(".RI [ OPTION ]...\\&\n");
    if (shown->operands != NULL) {
        print(".I ");
        print_roff(shown->operands);
        print("\n");
    }
}

static void print_description(const command *shown)
{
    print_roff(shown->summary);
    print(".\n");
    if (shown->notes != NULL) {
        print(".PP\n");
        print_roff(shown->notes);
    }
}

static void print_options(const command *shown)
{
    for (const option_id *id = shown->takes; *id != OPTION_END; id++) {
        print(".TP\n");
        print_option(&option_table[*id]);
        print_roff(option_table[*id].help);
        print("\n");
    }
    print(".TP\n.B \\-\\-help\n" HELP_OF_HELP "\n");
}

/* How many commands begin with this word; *first is the first of them. */
static int count_commands(const char *word, const command **first)
{
    int count = 0;
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            *first = count == 0 ? program_commands[i] : *first;
            count++;
        }
    }
    return count;
}

/* The page of a command, or of several with a section for each, as `sumac kzg`'s. */
static void print_commands_page(const char *word, bool several)
{
    const char *before = "";
    print_title(word);
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print("%s", before);
            print_roff(several ? program_commands[i]->name : program_commands[i]->summary);
            before = ", ";
        }
    }
    print("\n.SH SYNOPSIS\n");
    before = "";
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print("%s", before);
            print_synopsis(program_commands[i]);
            before = ".br\n";
        }
    }
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print(several ? ".SH \"%s\"\n" : ".SH DESCRIPTION\n", program_commands[i]->name);
            print_description(program_commands[i]);
            print("%s", several ? "" : ".SH OPTIONS\n");
            print_options(program_commands[i]);
        }
    }
    print(".SH SEE ALSO\n.BR ");
    print_roff(program_name);
    print(" (1)\n");
}

static void print_program_page(void)
{
    char notes[USAGE_NOTES_BYTES];
    print_title(NULL);
    print_roff(program_summary);
    print("\n.SH SYNOPSIS\n.B ");
    print_roff(program_name);
    print("\n.I COMMAND\n.RI [ OPTION ]...\n.SH DESCRIPTION\n");
    write_usage_notes(notes);
    print_roff(notes);
    print(".SH COMMANDS\n");
    for (int i = 0; program_commands[i] != NULL; i++) {
        print(".TP\n.B %s\n", program_commands[i]->name);
        print_roff(program_commands[i]->summary);
        print(".\n");
    }
    print(".SH EXIT STATUS\n");
    for (int status = 0; status < EXIT_STATUSES; status++) {
        print(".TP\n.B %d\n", status);
        print_roff(exit_statuses[status]);
        print(".\n");
    }
    print(".SH SEE ALSO\n");
    const char *before = "";
    for (int i = 0; program_commands[i] != NULL; i++) {
        char word[COMMAND_WORD_BYTES];
        if (command_first_word(i, word)) {
            print("%s.BR ", before);
            print_page_name(word);
            before = " (1),\n";
        }
    }
    print(" (1)\n");
}

int print_manual(const char *word)
{
    if (word == NULL) {
        print_program_page();
        return STATUS_DONE;
    }
    const command *first = NULL;
    const int count = count_commands(word, &first);
    if (count == 0) {
        return bad_input("'%s' begins no command, so it has no manual page", word);
    }
    print_commands_page(word, count > 1 || strcmp(first->name, word) != 0);
    return STATUS_DONE;
}
