/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The program's output and its exit status. Results are words or JSON on standard output, or on standard error if
 * standard output is for data. A failure is one message on standard error that begins with "sumac: ", and an exit
 * status. Functions that report a failure return the status, so that callers can write: return bad_input("...").
 */
#ifndef SUMAC_CLI_REPORT_H
#define SUMAC_CLI_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sumac/sumac.h"

/* Let the compiler check the arguments of such a format. */
#define PRINTF_LIKE(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))

/* ---- Text from files and arguments, which may contain terminal controls, line ends and invalid UTF-8 ---- */

/* Write text so that everything is visible: as \n, \t, \r or \xNN if it is not, and a backslash as two. */
void write_escaped(FILE *stream, const char *text);

/* Make a JSON string of the text. Bytes that are not UTF-8 become \xNN; everything else is kept. Return null if memory
 * is short. */
json_t *text_to_json(const char *text);

/* ---- Reports ---- */

enum {
    STATUS_DONE = 0,
    STATUS_DIFFERENT = 1,    /* a requested comparison found a difference */
    STATUS_BAD_INPUT = 2,    /* wrong options, files or values */
    STATUS_MACHINE_FAULT = 3 /* failure of memory, disk or device; a closed pipe */
};

/* The file of the program's main function defines this. */
extern const char program_name[];

/* The meanings of the exit statuses, in words. */
enum { EXIT_STATUSES = 4 };
extern const char *const exit_statuses[EXIT_STATUSES];

/* Return standard output, or standard error after report_to_standard_error(). */
FILE *report_stream(void);

/* Send words to standard error, because standard output is for data. */
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

/* Return from the calling function if a function returns anything but STATUS_DONE. */
#define MUST(call)                                                                                           \
    do {                                                                                                     \
        const int must_status_ = (call);                                                                     \
        if (must_status_ != STATUS_DONE) {                                                                   \
            return must_status_;                                                                             \
        }                                                                                                    \
    } while (0)

/* Return the exit status for a status of the library. */
int exit_status_of(sumac_status status);

/* Report a failed call of the library: the context's message or, without one or without a context, the status' text. */
int library_failure(const sumac_context *context, sumac_status status);

/* Return STATUS_DONE for SUMAC_OK; otherwise report like library_failure(). */
int library_check(const sumac_context *context, sumac_status status);

/* Report a failed system call on a path: "<path>: cannot <action>: <reason>". Wrong paths are bad input; everything
 * else is the machine's fault. */
int system_failure(const char *action, const char *path, int error_number);

/* Allocate memory like malloc(), but never return null for 0 bytes. On failure, report how many bytes were wanted for
 * what, and return null; ALLOCATE() returns from the calling function instead. */
void *allocate(uint64_t bytes, const char *what);
int cannot_allocate(uint64_t bytes, const char *what);
#define ALLOCATE(pointer, bytes, what)                                                                       \
    MUST(((pointer) = allocate(bytes, what)) != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT)

/* From now on, keep the last message for report_kept_sentence() instead of printing it; or stop doing so. */
void report_keep_sentences(bool keep);
const char *report_kept_sentence(void);

/* From now on, print() and print_text() do nothing, because another process prints. */
void report_silence(void);
bool report_is_silent(void);

/* Call this before printing help, whose reader may close the pipe early, as `head` does. */
void report_reader_may_leave(void);

/* Before the program ends, pass all of standard output to the system. A full disk or a closed pipe turns a status that
 * is no failure into a machine's fault. */
int finish_standard_output(int status);

#endif
