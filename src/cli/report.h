/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file declares the program's output and its exit status. Results are words or JSON. They are written to standard
 * output or, if that is for data, to standard error. A failure is one message on standard error, which begins with
 * "sumac: ", and an exit status. Functions that report a failure return the status, so that callers can write: return
 * bad_input("...").
 */
#ifndef SUMAC_CLI_REPORT_H
#define SUMAC_CLI_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sumac/sumac.h"

/* By this attribute the compiler checks the arguments of a format like that of printf. */
#define PRINTF_LIKE(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))

/* ---- Text from files and arguments, which may contain terminal controls, line ends and invalid UTF-8 ---- */

/* Write text so that everything is visible. What is not visible is written as \n, \t, \r or \xNN, and a backslash is
 * written twice. */
void write_escaped(FILE *stream, const char *text);

/* Make a JSON string of the text. Bytes that are not UTF-8 become \xNN, and everything else stays. Return null if
 * memory is short. */
json_t *text_to_json(const char *text);

/* ---- Reports ---- */

enum {
    STATUS_DONE = 0,
    STATUS_DIFFERENT = 1,    /* a comparison that was asked for found a difference */
    STATUS_BAD_INPUT = 2,    /* wrong options, files or values */
    STATUS_MACHINE_FAULT = 3 /* memory, a disk or a device failed, or a pipe was closed */
};

/* The file of the program's main function defines this. */
extern const char program_name[];

/* These are the meanings of the exit statuses, in words. */
enum { EXIT_STATUSES = 4 };
extern const char *const exit_statuses[EXIT_STATUSES];

/* Return standard output or, after report_to_standard_error(), standard error. */
FILE *report_stream(void);

/* From now on, write words to standard error, because standard output is for data. */
void report_to_standard_error(void);

/* Print to report_stream() like printf. Print text from files or arguments by print_text(). */
void print(const char *format, ...) PRINTF_LIKE(1, 2);
void print_text(const char *text);

/* Print words in lines of 96 columns, indented by `indent` spaces. An empty line ends a paragraph. */
void print_wrapped(const char *words, int indent);

/* Report a message, escaped as by write_escaped(), and return the status. */
int report_failure(int status, const char *format, ...) PRINTF_LIKE(2, 3);
#define bad_input(...) report_failure(STATUS_BAD_INPUT, __VA_ARGS__)
#define machine_fault(...) report_failure(STATUS_MACHINE_FAULT, __VA_ARGS__)
#define found_different(...) report_failure(STATUS_DIFFERENT, __VA_ARGS__)

/* If a call returns anything other than STATUS_DONE, return it from the calling function. */
#define MUST(call)                                                                                           \
    do {                                                                                                     \
        const int must_status_ = (call);                                                                     \
        if (must_status_ != STATUS_DONE) {                                                                   \
            return must_status_;                                                                             \
        }                                                                                                    \
    } while (0)

/* Return the exit status for a status of the library. */
int exit_status_of(sumac_status status);

/* Report a call of the library that failed. The report is the context's message. If there is no message or no context,
 * it is the text of the status. */
int library_failure(const sumac_context *context, sumac_status status);

/* If the status is SUMAC_OK, return STATUS_DONE. Otherwise report it as library_failure() does. */
int library_check(const sumac_context *context, sumac_status status);

/* Report that a system call on a path failed: "<path>: cannot <action>: <reason>". A wrong path is bad input, and
 * everything else is the machine's fault. */
int system_failure(const char *action, const char *path, int error_number);

/* Allocate memory as malloc() does, but never return null for 0 bytes. On failure report how many bytes were wanted,
 * and for what. Then allocate() returns null, and ALLOCATE() returns from the calling function. */
void *allocate(uint64_t bytes, const char *what);
int cannot_allocate(uint64_t bytes, const char *what);
#define ALLOCATE(pointer, bytes, what)                                                                       \
    MUST(((pointer) = allocate(bytes, what)) != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT)

/* If `keep` is true, from now on keep the last message for report_kept_sentence() instead of printing it. If it is
 * false, print messages again. */
void report_keep_sentences(bool keep);
const char *report_kept_sentence(void);

/* From now on, print() and print_text() do nothing, because another process prints. */
void report_silence(void);
bool report_is_silent(void);

/* Call this before printing help, whose reader may close the pipe early, as `head` does. */
void report_reader_may_leave(void);

/* Call this before the program ends. It writes everything in the buffer of standard output. If that fails, for example
 * because a disk is full or a pipe is closed, a status that is not a failure becomes STATUS_MACHINE_FAULT. */
int finish_standard_output(int status);

#endif
