/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file prints help on the terminal and manual pages, both from the same texts. */
#include "cli.h"

#include <ctype.h>

#include "commit.h"

/* Print plain text as roff. Special characters are escaped, so that no line is a request. */
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

/* Print the sentences about the whole program. */
static void print_notes(void (*print_sentences)(const char *text))
{
    char text[512];
    snprintf(
        text, sizeof text,
        "`%s COMMAND --help` or `%s help COMMAND` lists a command's options. `%s help --man [COMMAND]` "
        "prints "
        "a manual page, `%s help --completion SHELL` completion for bash, zsh or fish, and `%s version` the "
        "version. A file named - is standard input or output.",
        program_name, program_name, program_name, program_name, program_name);
    print_sentences(text);
}

/* ---- Options, for help and for manual pages ---- */

typedef struct help_form {
    void (*title)(const char *text); /* prints a title; called with "" before --help */
    /* This prints an option, or a key of --tune. For a key of --tune `sign` is "=". */
    void (*entry)(const char *dashes, const char *name, const char *sign, const char *value,
                  const char *about, const char *preset);
} help_form;

static void print_options(const command *shown, const help_form *form)
{
    for (int section = 0; section < SECTIONS; section++) {
        bool is_begun = false;
        for (const option_id *id = shown->takes; *id != OPTION_END; id++) {
            const option_spec *spec = &option_table[*id];
            const bool is_key = section == SECTION_TUNING;
            if ((int)spec->section != section) {
                continue;
            }
            if (!is_begun) {
                form->title(option_sections[section]);
            }
            if (!is_begun && is_key) {
                form->entry("--", "tune", " ", "KEY=VALUE,...", HELP_OF_TUNE, NULL);
            }
            is_begun = true;
            form->entry(option_dashes(spec), spec->name, is_key ? "=" : " ", spec->value_name, spec->help,
                        option_preset_of(shown, *id));
        }
    }
    form->title("");
    form->entry("--", "help", " ", NULL, HELP_OF_HELP, NULL);
}

/* ---- Help ---- */

static void print_help_title(const char *text)
{
    print(text[0] != '\0' ? "\n%s:\n" : "\n", text);
}

static void print_help_entry(const char *dashes, const char *name, const char *sign, const char *value,
                             const char *about, const char *preset)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s%s", sign[0] == '=' ? "  " : "", dashes, name,
             value != NULL ? sign : "", value != NULL ? value : "");
    print("  %-22s %s", left, about);
    print(preset != NULL ? " (%s)\n" : "\n", preset);
}

void print_command_help(const command *shown)
{
    static const help_form form = {print_help_title, print_help_entry};
    print("Usage: %s %s", program_name, shown->name);
    for (const option_id *id = shown->needs; id != NULL && *id != OPTION_END; id++) {
        print(" %s%s %s", option_dashes(&option_table[*id]), option_table[*id].name,
              option_table[*id].value_name);
    }
    print(" [OPTION]...%s%s\n%s.\n", shown->operands.text != NULL ? " " : "",
          shown->operands.text != NULL ? shown->operands.text : "", shown->summary);
    print_options(shown, &form);
    if (shown->notes != NULL) {
        print("\n");
        print_wrapped(shown->notes, 0);
    }
    if (shown->example != NULL) {
        print("\nExample: %s %s\n", program_name, shown->example);
    }
}

static void print_help_notes(const char *text)
{
    print_wrapped(text, 0);
}

void print_usage(void)
{
    print("Usage: %s COMMAND [OPTION]...\n%s.\n\n", program_name, program_summary);
    for (int i = 0; program_commands[i] != NULL; i++) {
        print("  %-16s %s\n", program_commands[i]->name, program_commands[i]->summary);
    }
    print("\n");
    print_notes(print_help_notes);
    for (int status = 0; status < EXIT_STATUSES; status++) {
        print("%s %d %s", status > 0 ? "," : "Exit status:", status, exit_statuses[status]);
    }
    print(".\n");
}

/* ---- Manual pages ---- */

/* Print the name of a page, for example `sumac-kzg`. If the word is empty, it is `sumac`. */
static void print_page_name(const char *word, int (*change)(int))
{
    char name[2 * COMMAND_WORD_BYTES];
    snprintf(name, sizeof name, "%s%s%s", program_name, word[0] != '\0' ? "-" : "", word);
    for (char *letter = name; change != NULL && *letter != '\0'; letter++) {
        *letter = (char)change((unsigned char)*letter);
    }
    print_roff(name);
}

static void print_manual_head(const char *word)
{
    print(".TH ");
    print_page_name(word, toupper);
    print(" 1 \"" SUMAC_COMMIT_DATE "\" \"sumac %s\" \"User Commands\"\n.SH NAME\n", sumac_version());
    print_page_name(word, NULL);
    print(" \\- ");
}

static void print_manual_title(const char *text)
{
    if (text[0] != '\0') {
        print(".SS %s\n", text);
    }
}

/* Print a name in bold and its value in italics. */
static void print_manual_name(const char *dashes, const char *name, const char *sign, const char *value)
{
    print(value != NULL ? ".BI " : ".B ");
    print_roff(dashes);
    print_roff(name);
    print(value != NULL ? " \"%s%s\"\n" : "\n", sign, value);
}

static void print_manual_entry(const char *dashes, const char *name, const char *sign, const char *value,
                               const char *about, const char *preset)
{
    print(".TP\n");
    print_manual_name(dashes, name, sign, value);
    print_roff(about);
    print(preset != NULL ? " (%s)\n" : "\n", preset);
}

static void print_synopsis(const command *shown)
{
    print(".B ");
    print_roff(program_name);
    print(" %s\n", shown->name);
    for (const option_id *id = shown->needs; id != NULL && *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        print_manual_name(option_dashes(spec), spec->name, " ", spec->value_name);
    }
    print(".RI [ OPTION ]...\\&\n");
    if (shown->operands.text != NULL) {
        print(".I ");
        print_roff(shown->operands.text);
        print("\n");
    }
}

static void print_description(const command *shown)
{
    static const help_form form = {print_manual_title, print_manual_entry};
    print_roff(shown->summary);
    print(".\n");
    if (shown->notes != NULL) {
        print(".PP\n");
        print_roff(shown->notes);
        print("\n");
    }
    print_options(shown, &form);
    if (shown->example != NULL) {
        print(".SS Example\n.nf\n");
        print_roff(program_name);
        print(" ");
        print_roff(shown->example);
        print("\n.fi\n");
    }
}

static int print_page_of_commands(const char *word)
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
    print_manual_head(word);
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print("%s", before++ > 0 ? ", " : "");
            print_roff(several ? program_commands[i]->name : program_commands[i]->summary);
        }
    }
    before = 0;
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print("%s", before++ > 0 ? ".br\n" : "\n.SH SYNOPSIS\n");
            print_synopsis(program_commands[i]);
        }
    }
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], word)) {
            print(several ? ".SH \"%s\"\n" : ".SH DESCRIPTION\n", program_commands[i]->name);
            print_description(program_commands[i]);
        }
    }
    print(".SH SEE ALSO\n.BR ");
    print_roff(program_name);
    print(" (1)\n");
    return STATUS_DONE;
}

int print_manual(const char *word)
{
    if (word != NULL) {
        return print_page_of_commands(word);
    }
    print_manual_head("");
    print_roff(program_summary);
    print("\n.SH SYNOPSIS\n.B ");
    print_roff(program_name);
    print("\n.I COMMAND\n.RI [ OPTION ]...\n.SH DESCRIPTION\n");
    print_notes(print_roff);
    print("\n.SH COMMANDS\n");
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
    for (int i = 0; program_commands[i] != NULL; i++) {
        char first[COMMAND_WORD_BYTES];
        if (command_first_word(i, first)) {
            print(i > 0 ? " (1),\n.BR " : ".SH SEE ALSO\n.BR ");
            print_page_name(first, NULL);
        }
    }
    print(" (1)\n");
    return STATUS_DONE;
}
