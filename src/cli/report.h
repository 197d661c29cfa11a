/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The program's output and its end. Results are words or JSON on standard output, or on standard error if standard output is
 * for data. A failure is one sentence on standard error, which begins with "sumac: ", and an exit status. Functions that
 * report a failure return the status, so that callers write: return bad_input("...").
 */
#ifndef SUMAC_CLI_REPORT_H
#define SUMAC_CLI_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sumac/sumac.h"

/* The compiler checks the arguments after such a format. */
#define PRINTF_LIKE(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))

/* ---- Text from files and arguments, which may hold any bytes: what a terminal obeys, line ends, what is not UTF-8 ---- */

/* Write text with everything that is not plainly visible as \n, \t, \r or \xNN, and a backslash as two. */
void write_escaped(FILE *stream, const char *text);

/* A JSON string of the text; bytes that are not UTF-8 become \xNN, all else stays as it is. Null if memory is
 * short. */
json_t *text_to_json(const char *text);

/* ---- Reports ---- */

enum {
    STATUS_DONE = 0,
    STATUS_DIFFERENT = 1,    /* a comparison that was asked for found a difference */
    STATUS_BAD_INPUT = 2,    /* options, files, values */
    STATUS_MACHINE_FAULT = 3 /* memory, disk, device, a closed pipe */
};

/* Defined in the file of the program's main function. */
extern const char program_name[];

/* The meaning of each exit status, in words. */
enum { EXIT_STATUSES = 4 };
extern const char *const exit_statuses[EXIT_STATUSES];

/* Standard output, or standard error after report_to_standard_error(). */
FILE *report_stream(void);

/* Standard output is for data: words go to standard error. */
void report_to_standard_error(void);

/* printf to report_stream(). Text from files or arguments goes through print_text(). */
void print(const char *format, ...) PRINTF_LIKE(1, 2);
void print_text(const char *text);

/* Print words in lines of 96 columns, each of which begins with so many spaces; an empty line ends a paragraph. */
void print_wrapped(const char *words, int indent);

/* Report a sentence, escaped as write_escaped() does, and return the status. */
int report_failure(int status, const char *format, ...) PRINTF_LIKE(2, 3);
#define bad_input(...) report_failure(STATUS_BAD_INPUT, __VA_ARGS__)
#define machine_fault(...) report_failure(STATUS_MACHINE_FAULT, __VA_ARGS__)
#define found_different(...) report_failure(STATUS_DIFFERENT, __VA_ARGS__)

/* Pass on what a function returns unless it is STATUS_DONE. */
#define MUST(call)                                                                                           \
    do {                                                                                                     \
        const int must_status_ = (call);                                                                     \
        if (must_status_ != STATUS_DONE) {                                                                   \
            return must_status_;                                                                             \
        }                                                                                                    \
    } while (0)

/* The exit status that blames the same as a status of the library. */
int exit_status_of(sumac_status status);

/* Report a failed call of the library: the context's sentence, or that of the status if there is none, or no context. */
int library_failure(const sumac_context *context, sumac_status status);

/* STATUS_DONE for SUMAC_OK; else as library_failure(). */
int library_check(const sumac_context *context, sumac_status status);

/* Report a failed system call on a path: "<path>: cannot <action>: <reason>". Wrong paths are bad input, all else is the
 * machine's fault. */
int system_failure(const char *action, const char *path, int error_number);

/* malloc() that reports: null after a sentence that says how many bytes were wanted for what. Never null for 0
 * bytes. ALLOCATE() returns from the function instead. */
void *allocate(uint64_t bytes, const char *what);
int cannot_allocate(uint64_t bytes, const char *what);
#define ALLOCATE(pointer, bytes, what)                                                                       \
    MUST(((pointer) = allocate(bytes, what)) != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT)

/* From now on keep the last sentence for report_kept_sentence() instead of printing it; or no longer. */
void report_keep_sentences(bool keep);
const char *report_kept_sentence(void);

/* From now on print() and print_text() do nothing: another process prints. */
void report_silence(void);
bool report_is_silent(void);

/* Call it before help is printed, whose reader may close the pipe when it has seen enough, as `head` does. */
void report_reader_may_leave(void);

/* Before the program ends: hand all of standard output to the system. A full disk or a closed pipe turns any status
 * that is no failure into a machine's fault. */
int finish_standard_output(int status);

#endif
