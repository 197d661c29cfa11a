/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>

static int unknown_command(int count, char **arguments)
{
    char seconds[256] = "", written[2 * WORD_BYTES + 4];
    size_t end = 0;
    const char *first = arguments[0], *second = "";
    for (int i = 0; program_commands[i] != NULL && end < sizeof seconds; i++) {
        if (command_begins_with(program_commands[i], first)) {
            end += (size_t)snprintf(seconds + end, sizeof seconds - end, "%s%s", end > 0 ? "," : "",
                                    program_commands[i]->name + strlen(first) + 1);
        }
    }
    if (end > 0 && count == 1) {
        return bad_input("usage: %s %s {%s}", program_name, first, seconds);
    }
    second = end > 0 ? arguments[1] : "";
    (void)snprintf(written, sizeof written, "%.*s%s%.*s", WORD_BYTES + 1, first, end > 0 ? " " : "",
                   WORD_BYTES, second);
    word_list words = words_begin(written, strlen(written));
    for (int i = 0; program_commands[i] != NULL; i++) {
        words_add(&words, program_commands[i]->name);
    }
    return bad_input("'%s%s%s' is no command%s; see '%s --help'", first, end > 0 ? " " : "", second,
                     words_likely(&words), program_name);
}

/* ---- Help ---- */

#define MANUAL "--man"
#define COMPLETION "--completion"

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

bool asks_for_documents(int count, char **arguments)
{
    return (count > 1 && strcmp(arguments[1], "__complete") == 0) ||
           (count > 2 && strcmp(arguments[1], "help") == 0 && strncmp(arguments[2], "--", 2) == 0);
}

/* Run `help [COMMAND]`, `help --man [WORD]` or `help --completion SHELL`. COMMAND may be the first word of several
 * commands, for example "kzg"; then it means all these commands. */
static int print_help(int count, char **arguments)
{
    report_reader_may_leave();
    if (count == 0) {
        print_usage();
        return STATUS_DONE;
    }
    if (strcmp(arguments[0], MANUAL) == 0 || strcmp(arguments[0], COMPLETION) == 0) {
        if (count > 2) {
            return bad_input("'help %s' takes one word, so '%s' is one too many", arguments[0], arguments[2]);
        }
        if (strcmp(arguments[0], MANUAL) == 0) {
            return print_manual(count > 1 ? arguments[1] : NULL);
        }
        return count > 1 ? print_completion(arguments[1])
                         : bad_input("'help " COMPLETION "' needs a SHELL: bash, zsh or fish");
    }
    int shown = 0;
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_words(program_commands[i], count, arguments) == count ||
            (count == 1 && command_begins_with(program_commands[i], arguments[0]))) {
            print("%s", shown++ > 0 ? "\n" : "");
            print_command_help(program_commands[i]);
        }
    }
    return shown > 0 ? STATUS_DONE : unknown_command(count, arguments);
}

/* ---- Running ---- */

static int run_in_session(const command *used, options *given)
{
    session opened = {.context = NULL};
    int status = ranks_open(used, given, &opened);
    if (status == STATUS_DONE) {
        status = used->run_in(&opened, given);
    }
    ranks_close();
    return session_close(&opened, status);
}

static int run_command(int count, char **arguments, const char *command_line)
{
    for (int i = 0; program_commands[i] != NULL; i++) {
        const command *used = program_commands[i];
        const int words = command_words(used, count, arguments);
        if (words == 0) {
            continue;
        }
        options given;
        bool help;
        /* The parser skips the first argument, which is the last word of the command here. */
        MUST(options_parse(used, count - words + 1, arguments + words - 1, &given, &help));
        if (help) {
            report_reader_may_leave();
            print_command_help(used);
            return STATUS_DONE;
        }
        MUST(check_paths(used, &given));
        given.command_line = command_line;
        return used->run != NULL ? used->run(&given) : run_in_session(used, &given);
    }
    /* Handle `kzg --help`: "kzg" alone is not a command, but the first word of several. */
    return count == 2 && is_help(arguments[1]) ? print_help(1, arguments) : unknown_command(count, arguments);
}

/* Join the arguments with spaces. Return null if memory is short. */
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

/* If standard streams are closed, open them. Otherwise a file that is opened later would get the number of such a
 * stream, and output would be written to the file. */
static void occupy_standard_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0) {
            /* open() returns the lowest free number, which is this one. The file is opened in a mode in which every use
             * of the stream fails. */
            (void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
        }
    }
}

void program_prepare(void)
{
    occupy_standard_streams();
    /* Ignore these signals, so that a write to a closed pipe, or beyond the size limit, fails and is reported. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    remove_outputs_on_signals();
}

int program_run(int count, char **arguments)
{
    if (count <= 1 || is_help(arguments[1])) {
        const bool with_words = count > 1 && strcmp(arguments[1], "help") == 0;
        return print_help(with_words ? count - 2 : 0, arguments + 2);
    }
    if (strcmp(arguments[1], "version") == 0 || strcmp(arguments[1], "--version") == 0) {
        print("%s %s\n", program_name, sumac_version());
        return STATUS_DONE;
    }
    if (strcmp(arguments[1], "__complete") == 0) {
        return print_candidates(count - 2, arguments + 2);
    }
    /* Join the arguments before the parser changes their order. */
    AUTO_FREE char *command_line = join(count, arguments);
    return command_line == NULL ? STATUS_MACHINE_FAULT : run_command(count - 1, arguments + 1, command_line);
}
