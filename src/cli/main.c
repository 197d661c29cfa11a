/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The program `sumac`: finds the command in the table, has its options parsed and runs it.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "files.h"
#include "paths.h"

static const command *const commands[] = {
    &command_msm,        &command_combine,   &command_generate,    &command_convert,    &command_plan,
    &command_bench,      &command_compare,   &command_info,        &command_kzg_commit, &command_kzg_prove,
    &command_kzg_verify, &command_kzg_cells, &command_kzg_recover, &command_kzg_setup};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int print_usage(void)
{
    print("Usage: sumac COMMAND [OPTION]...\n"
          "Multi-scalar multiplication on elliptic curves.\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        print("  %-12s %s\n", commands[i]->name, commands[i]->summary);
    }
    print("\n`sumac COMMAND --help` or `sumac help COMMAND` lists a command's options;\n"
          "`sumac --version` prints the version. A file named - is standard input or output.\n"
          "Exit status: 0 done, 1 a comparison found a difference, 2 bad input, 3 the machine failed.\n");
    return STATUS_DONE;
}

static int print_version(void)
{
    print("sumac %s\n", sumac_version());
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

/* "kzg" for "kzg commit". */
static bool begins_with_word(const command *candidate, const char *word)
{
    size_t length = strlen(word);
    return length > 0 && strncmp(candidate->name, word, length) == 0 && candidate->name[length] == ' ';
}

static int unknown_command(int count, char **arguments)
{
    char known[256] = "";
    size_t length = 0;
    for (int i = 0; i < COMMAND_COUNT && length < sizeof known; i++) {
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "",
                                   commands[i]->name);
    }
    if (count == 0) {
        return bad_input("no command; the commands are %s", known);
    }
    /* "kzg" alone begins a command: what follows it is to blame. */
    bool begins = false;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        begins |= begins_with_word(commands[i], arguments[0]);
    }
    bool two_words = begins && count > 1;
    return bad_input("'%s%s%s' is no command; the commands are %s", arguments[0], two_words ? " " : "",
                     two_words ? arguments[1] : "", known);
}

/* `sumac help [COMMAND]`; one word of two, as "kzg", names all that begin with it. */
static int print_help(int count, char **arguments)
{
    if (count == 0) {
        return print_usage();
    }
    int shown = 0;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        int words = words_matched(commands[i], count, arguments);
        bool begins = count == 1 && begins_with_word(commands[i], arguments[0]);
        if ((words > 0 && words == count) || begins) {
            print("%s", shown++ > 0 ? "\n" : "");
            print_command_help(commands[i]);
        }
    }
    return shown > 0 ? STATUS_DONE : unknown_command(count, arguments);
}

static int run_command(int count, char **arguments, const char *command_line)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        int words = words_matched(commands[i], count, arguments);
        if (words == 0) {
            continue;
        }
        options given;
        bool help;
        /* The parser takes the command's last word for the program's name. */
        int status = options_parse(commands[i], count - words + 1, arguments + words - 1, &given, &help);
        if (status != STATUS_DONE) {
            return status;
        }
        if (help) {
            print_command_help(commands[i]);
            return STATUS_DONE;
        }
        status = check_paths(commands[i], &given);
        given.command_line = command_line;
        return status == STATUS_DONE ? commands[i]->run(&given) : status;
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

int main(int count, char **arguments)
{
    occupy_standard_streams();
    /* A closed pipe and a file beyond the size limit are writes that fail, and are reported as such. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    remove_outputs_on_signals();
    const char *first = count > 1 ? arguments[1] : "";
    int status;
    if (is_help(first) || strcmp(first, "help") == 0) {
        status = print_help(is_help(first) ? 0 : count - 2, arguments + 2);
    } else if (strcmp(first, "--version") == 0) {
        status = print_version();
    } else {
        status = join_and_run(count, arguments);
    }
    return finish_standard_output(status);
}
