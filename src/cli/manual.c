/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <ctype.h>
#include <string.h>

#include "commit.h"
#include "program.h"

/* Print plain text as roff: escape what roff would read otherwise, so that no line begins with a request. */
static void print_roff(const char *text)
{
    static const char special[] = "\\-`'^~";
    static const char *const escapes[] = {"\\e", "\\-", "\\(ga", "\\(aq", "\\(ha", "\\(ti"};
    for (const char *next = text; *next != '\0'; next++) {
        const char *found = strchr(special, *next);
        if (found != NULL) {
            print("%s", escapes[found - special]);
        } else {
            print("%s%c", *next == '.' && (next == text || next[-1] == '\n') ? "\\&" : "", *next);
        }
    }
}

/* `sumac-kzg`; for a null word `sumac`. */
static void print_page_name(const char *word, int (*change)(int))
{
    char name[2 * COMMAND_WORD_BYTES];
    snprintf(name, sizeof name, "%s%s%s", program_name, word != NULL ? "-" : "", word != NULL ? word : "");
    for (char *letter = name; change != NULL && *letter != '\0'; letter++) {
        *letter = (char)change((unsigned char)*letter);
    }
    print_roff(name);
}

static void print_title(const char *word)
{
    print(".TH ");
    print_page_name(word, toupper);
    print(" 1 \"" SUMAC_COMMIT_DATE "\" \"sumac %s\" \"User Commands\"\n.SH NAME\n", sumac_version());
    print_page_name(word, NULL);
    print(" \\- ");
}

/* A name in bold and its value in italics. */
static void print_name(const char *dashes, const char *name, const char *sign, const char *value)
{
    print(value != NULL ? ".BI " : ".B ");
    print_roff(dashes);
    print_roff(name);
    if (value != NULL) {
        print(" \"%s%s\"", sign, value);
    }
    print("\n");
}

static void print_synopsis(const command *shown)
{
    print(".B ");
    print_roff(program_name);
    print(" %s\n", shown->name);
    for (const option_id *id = shown->needs; id != NULL && *id != OPTION_END; id++) {
        print_name(option_dashes(&option_table[*id]), option_table[*id].name, " ",
                   option_table[*id].value_name);
    }
    print(".RI [ OPTION ]...\\&\n");
    if (shown->operands != NULL) {
        print(".I ");
        print_roff(shown->operands);
        print("\n");
    }
}

/* Summary, notes, options under their headings, and the example, as --help has them. */
static void print_command(const command *shown)
{
    print_roff(shown->summary);
    print(".\n");
    if (shown->notes != NULL) {
        print(".PP\n");
        print_roff(shown->notes);
    }
    for (int section = 0; section < SECTIONS; section++) {
        bool is_begun = false;
        for (const option_id *id = shown->takes; *id != OPTION_END; id++) {
            const option_spec *spec = &option_table[*id];
            const char *preset = option_preset_of(shown, *id);
            if ((int)spec->section != section) {
                continue;
            }
            if (!is_begun) {
                print(".SS %s\n", option_sections[section]);
            }
            if (!is_begun && section == SECTION_TUNING) {
                print(".TP\n.BI \\-\\-tune \" KEY=VALUE,...\"\n" HELP_OF_TUNE "\n");
            }
            is_begun = true;
            print(".TP\n");
            print_name(option_dashes(spec), spec->name, section == SECTION_TUNING ? "=" : " ",
                       spec->value_name);
            print_roff(spec->help);
            print(preset != NULL ? " (%s)\n" : "\n", preset);
        }
    }
    print(".TP\n.B \\-\\-help\n" HELP_OF_HELP "\n");
    if (shown->example != NULL) {
        print(".SS Example\n.nf\n");
        print_roff(program_name);
        print(" ");
        print_roff(shown->example);
        print("\n.fi\n");
    }
}

static int print_commands_page(const char *word)
{
    int count = 0, before = 0;
    bool is_whole = false;
    for (int i = 0; program_commands[i] != NULL; i++) {
        count += command_begins_with(program_commands[i], word);
        is_whole |= strcmp(program_commands[i]->name, word) == 0;
    }
    if (count == 0) {
        return bad_input("'%s' begins no command, so it has no manual page", word);
    }
    const bool several = count > 1 || !is_whole;
    print_title(word);
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print("%s", before++ > 0 ? ", " : "");
            print_roff(several ? program_commands[i]->name : program_commands[i]->summary);
        }
    }
    print("\n.SH SYNOPSIS\n");
    before = 0;
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print("%s", before++ > 0 ? ".br\n" : "");
            print_synopsis(program_commands[i]);
        }
    }
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print(several ? ".SH \"%s\"\n" : ".SH DESCRIPTION\n", program_commands[i]->name);
            print_command(program_commands[i]);
        }
    }
    print(".SH SEE ALSO\n.BR ");
    print_roff(program_name);
    print(" (1)\n");
    return STATUS_DONE;
}

int print_manual(const char *word)
{
    char notes[USAGE_NOTES_BYTES];
    if (word != NULL) {
        return print_commands_page(word);
    }
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
        char first[COMMAND_WORD_BYTES];
        if (command_first_word(i, first)) {
            print("%s.BR ", before);
            print_page_name(first, NULL);
            before = " (1),\n";
        }
    }
    print(" (1)\n");
    return STATUS_DONE;
}
