/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_words.h"
#include "completion.h"
#include "default_setup.h"
#include "files.h"
#include "manual.h"
#include "paths.h"
#include "words.h"

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* What `help` prints instead of words. */
#define MANUAL "--man"
#define COMPLETION "--completion"

static bool is_document(const char *word)
{
    return strcmp(word, MANUAL) == 0 || strcmp(word, COMPLETION) == 0;
}

bool asks_for_documents(int count, char **arguments)
{
    return count > 2 && strcmp(arguments[1], "help") == 0 && is_document(arguments[2]);
}

static int print_usage(void)
{
    char notes[USAGE_NOTES_BYTES];
    print("Usage: %s COMMAND [OPTION]...\n%s.\n\n", program_name, program_summary);
    for (int i = 0; program_commands[i] != NULL; i++) {
        print("  %-16s %s\n", program_commands[i]->name, program_commands[i]->summary);
    }
    write_usage_notes(notes);
    print("\n%sExit status:", notes);
    for (int status = 0; status < EXIT_STATUSES; status++) {
        print("%s %d %s", status > 0 ? "," : "", status, exit_statuses[status]);
    }
    print(".\n");
    return STATUS_DONE;
}

static int print_version(void)
{
    print("%s %s\n", program_name, sumac_version());
    return STATUS_DONE;
}

/* How many arguments name this command: 0 if they name another. */
static int words_matched(const command *candidate, int count, char **arguments)
{
    const char *rest = candidate->name;
    for (int words = 0; words < count; words++) {
        size_t length = strcspn(rest, " ");
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

/* Whether a command of two words begins with this one. */
static bool is_first_word(const char *word)
{
    bool begins = false;
    for (int i = 0; program_commands[i] != NULL; i++) {
        begins |= command_begins_with(program_commands[i], word);
    }
    return begins;
}

static int unknown_command(int count, char **arguments)
{
    char known[512] = "";
    size_t length = 0;
    const bool begins = count > 0 && is_first_word(arguments[0]);
    for (int i = 0; program_commands[i] != NULL && length < sizeof known; i++) {
        if (!begins || command_begins_with(program_commands[i], arguments[0])) {
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", length > 0 ? ", " : "",
                                       program_commands[i]->name);
        }
    }
    if (count == 0) {
        return bad_input("no command; the commands are %s", known);
    }
    /* "kzg" alone begins a command: what follows it is to blame. */
    if (begins && count == 1) {
        return bad_input("'%s' is no command alone; the commands that begin so are %s", arguments[0], known);
    }
    char likely[LIKELY_BYTES], written[2 * WORD_BYTES + 2];
    const char *second = begins ? arguments[1] : "";
    (void)snprintf(written, sizeof written, "%.*s%s%.*s", WORD_BYTES + 1, arguments[0], begins ? " " : "",
                   WORD_BYTES, second);
    likely_word meant = likely_begin(written, strlen(written));
    for (int i = 0; program_commands[i] != NULL; i++) {
        likely_consider(&meant, program_commands[i]->name);
    }
    return bad_input("'%s%s%s' is no command%s; the commands are %s", arguments[0], begins ? " " : "", second,
                     likely_text(&meant, likely), known);
}

/* `help --man [COMMAND]`, of which a first word is enough, as "kzg", and `help --completion SHELL`. */
static int print_document(int count, char **arguments)
{
    const bool manual = strcmp(arguments[0], MANUAL) == 0;
    const char *value = count > 1 ? arguments[1] : NULL;
    if (count > 2) {
        return bad_input("'help %s' takes one word, so '%s' is one too many", arguments[0], arguments[2]);
    }
    if (manual) {
        return print_manual(value);
    }
    return value != NULL ? print_completion(value)
                         : bad_input("'help " COMPLETION "' needs a SHELL: bash, zsh or fish");
}

/* `sumac help [COMMAND]`; one word of two, as "kzg", names all that begin with it. */
static int print_help(int count, char **arguments)
{
    if (count == 0) {
        return print_usage();
    }
    if (is_document(arguments[0])) {
        return print_document(count, arguments);
    }
    int shown = 0;
    for (int i = 0; program_commands[i] != NULL; i++) {
        int words = words_matched(program_commands[i], count, arguments);
        bool begins = count == 1 && command_begins_with(program_commands[i], arguments[0]);
        if ((words > 0 && words == count) || begins) {
            print("%s", shown++ > 0 ? "\n" : "");
            print_command_help(program_commands[i]);
        }
    }
    return shown > 0 ? STATUS_DONE : unknown_command(count, arguments);
}

static int run_command(int count, char **arguments, const char *command_line)
{
    for (int i = 0; program_commands[i] != NULL; i++) {
        int words = words_matched(program_commands[i], count, arguments);
        if (words == 0) {
            continue;
        }
        options given;
        bool help;
        /* The parser takes the command's last word for the program's name. */
        int status =
            options_parse(program_commands[i], count - words + 1, arguments + words - 1, &given, &help);
        if (status != STATUS_DONE) {
            return status;
        }
        if (help) {
            print_command_help(program_commands[i]);
            return STATUS_DONE;
        }
        char setup[PATH_MAX];
        status = choose_setup(program_commands[i], &given, setup);
        if (status == STATUS_DONE) {
            status = check_paths(program_commands[i], &given);
        }
        given.command_line = command_line;
        return status == STATUS_DONE ? program_commands[i]->run(&given) : status;
    }
    /* What is left of "kzg --help" when no command begins with both words. */
    if (count == 2 && is_help(arguments[1])) {
        return print_help(1, arguments);
    }
    return unknown_command(count, arguments);
}

/* The arguments with spaces between them; null if memory is short. Made before the parser puts them in its
 * own order. */
static char *join(int count, char **arguments)
{
    size_t size = 1;
    for (int i = 0; i < count; i++) {
        size += strlen(arguments[i]) + 1;
    }
    char *text = allocate(size, "the command line"), *end = text;
    for (int i = 0; i < count && text != NULL; i++) {
        end += sprintf(end, "%s%s", i > 0 ? " " : "", arguments[i]);
    }
    return text;
}

static int join_and_run(int count, char **arguments)
{
    char *command_line = join(count, arguments);
    if (command_line == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    int status = run_command(count - 1, arguments + 1, command_line);
    free(command_line);
    return status;
}

/* If a standard stream is closed, a file that is opened later would get its number, and output would go
 * there. */
static void occupy_standard_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0) {
            /* Gets the lowest free number, which is this one. Opened so that using it fails. */
            (void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
        }
    }
}

void program_prepare(void)
{
    occupy_standard_streams();
    /* A closed pipe and a file beyond the size limit are writes that fail, and are reported as such. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    remove_outputs_on_signals();
}

int program_run(int count, char **arguments)
{
    const char *first = count > 1 ? arguments[1] : "";
    if (is_help(first) || strcmp(first, "help") == 0) {
        return print_help(is_help(first) ? 0 : count - 2, arguments + 2);
    }
    if (strcmp(first, "--version") == 0) {
        return print_version();
    }
    return join_and_run(count, arguments);
}
