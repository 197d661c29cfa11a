/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <stdarg.h>

const char *const exit_statuses[EXIT_STATUSES] = {"done", "a comparison found a difference", "bad input",
                                                  "the machine failed: memory, disk, device, a closed pipe"};

static bool data_on_standard_output;
static bool silent;
static bool reader_may_leave, reader_has_left;
static bool keeps_sentences;
static char kept_sentence[SUMAC_MESSAGE_BYTES];

void report_keep_sentences(bool keep)
{
    keeps_sentences = keep;
}

const char *report_kept_sentence(void)
{
    return kept_sentence;
}

void report_silence(void)
{
    silent = true;
}

void report_reader_may_leave(void)
{
    reader_may_leave = true;
}

bool report_is_silent(void)
{
    return silent;
}

FILE *report_stream(void)
{
    return data_on_standard_output ? stderr : stdout;
}

void report_to_standard_error(void)
{
    data_on_standard_output = true;
}

void print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!silent && vfprintf(report_stream(), format, arguments) < 0) {
        reader_has_left |= errno == EPIPE;
    }
    va_end(arguments);
}

void print_text(const char *text)
{
    if (!silent) {
        write_escaped(report_stream(), text);
    }
}

void print_wrapped(const char *words, int indent)
{
    enum { WIDTH = 96 };
    int column = 0;
    while (*words != '\0') {
        const int length = (int)strcspn(words, " \n");
        if (column == 0 || column + 1 + length > WIDTH) {
            print("%s%*s", column == 0 ? "" : "\n", indent, "");
            column = indent;
        } else {
            print(" ");
            column++;
        }
        print("%.*s", length, words);
        column += length;
        words += length + (words[length] == ' ');
        if (strncmp(words, "\n\n", 2) == 0) {
            print("\n\n");
            column = 0;
            words += 2;
        }
    }
    print("\n");
}

int report_failure(int status, const char *format, ...)
{
    char sentence[8192]; /* nothing is allocated, because memory may be short */
    va_list arguments;
    va_start(arguments, format);
    if (keeps_sentences) {
        (void)vsnprintf(kept_sentence, sizeof kept_sentence, format, arguments);
    } else {
        const int length = vsnprintf(sentence, sizeof sentence, format, arguments);
        progress_end();
        fputs("sumac: ", stderr);
        write_escaped(stderr, sentence);
        fputs(length >= (int)sizeof sentence ? "...\n" : "\n", stderr);
    }
    va_end(arguments);
    return status;
}

int exit_status_of(sumac_status status)
{
    return status == SUMAC_OK                      ? STATUS_DONE
           : sumac_status_is_machine_fault(status) ? STATUS_MACHINE_FAULT
                                                   : STATUS_BAD_INPUT;
}

int library_failure(const sumac_context *context, sumac_status status)
{
    const char *sentence = context != NULL ? sumac_context_message(context) : "";
    if (sentence[0] == '\0') {
        sentence = sumac_status_text(status);
    }
    return report_failure(exit_status_of(status), "%s", sentence);
}

int library_check(const sumac_context *context, sumac_status status)
{
    return status == SUMAC_OK ? STATUS_DONE : library_failure(context, status);
}

int system_failure(const char *action, const char *path, int error_number)
{
    static const int of_paths[] = {ENOENT, EISDIR, ENOTDIR, EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG};
    int status = STATUS_MACHINE_FAULT;
    for (size_t i = 0; i < sizeof of_paths / sizeof *of_paths; i++) {
        status = of_paths[i] == error_number ? STATUS_BAD_INPUT : status;
    }
    return report_failure(status, "%s: cannot %s: %s", path, action, strerror(error_number));
}

int cannot_allocate(uint64_t bytes, const char *what)
{
    return machine_fault("out of memory: cannot allocate %llu bytes for %s", (unsigned long long)bytes, what);
}

void *allocate(uint64_t bytes, const char *what)
{
    void *memory = bytes <= SIZE_MAX ? malloc(bytes > 0 ? (size_t)bytes : 1) : NULL;
    if (memory == NULL) {
        (void)cannot_allocate(bytes, what);
    }
    return memory;
}

int finish_standard_output(int status)
{
    errno = 0;
    int failed = ferror(stdout);
    failed |= fclose(stdout) != 0;
    reader_has_left |= errno == EPIPE;
    if (!failed || status >= STATUS_BAD_INPUT || (reader_has_left && reader_may_leave)) {
        return status;
    }
    return machine_fault("cannot write to standard output: %s",
                         errno != 0 ? strerror(errno) : "a write failed");
}
