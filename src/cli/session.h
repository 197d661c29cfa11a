/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The state with which nearly every command begins: the named group, a context with the options' settings, and the
 * trace. The functions here turn options into the library's configurations, so that all commands interpret them alike.
 */
#ifndef SUMAC_CLI_SESSION_H
#define SUMAC_CLI_SESSION_H

#include <jansson.h>

#include "base/try.h"
#include "files.h"
#include "options.h"
#include "sumac/experimental.h"

/*
 * A trace: spans of work from any thread, written as Chrome trace events, which Perfetto and chrome://tracing open.
 * Each span is one complete event ("ph": "X"), in microseconds from the first span's start.
 */
typedef struct trace_log trace_log;

/* Begin a log that will be written to `path`. The file is created under a temporary name at once, so that a path that
 * cannot be written is reported before the work. Report failures and return an exit status. */
int trace_log_open(trace_log **log, const char *path);

/* Add a span; `log` is a trace_log *. Several threads may call this at once. */
void trace_log_add(void *log, const sumac_trace_event *event);

/* Write the file. */
int trace_log_write(trace_log *log);

/* Free a log, and discard its file unless it was written. Null is allowed. */
void trace_log_free(trace_log *log);

/* ---- Sessions ---- */

typedef struct session {
    const sumac_group *group; /* null if the command has none */
    const sumac_group *info;
    sumac_context *context;
    trace_log *trace; /* null without --trace */
} session;

/* Open a session for a command. Report failures and return an exit status. Call session_close() in any case. */
int session_open(session *opened, const options *given);

/* Write the trace, if there is one. Call this before the command's other outputs are renamed and its result is printed,
 * so that a trace that cannot be written is reported first. Spans added later are lost. */
int session_write_trace(const session *opened);

/* Write the trace, then finish a command's output files and rename them. */
int session_commit(const session *opened, result_file *const files[], size_t count);

/* Write the trace, unless that has been done or `status` is a failure; free everything; return the final status. */
int session_close(session *opened, int status);

/* Report a failed call with the session's context. Return STATUS_DONE for SUMAC_OK. CALL() returns a failure. */
int session_check(const session *opened, sumac_status status);
#define CALL(opened, call) MUST(session_check(opened, call))

/* End the step that progress_begin() began by a call of the library: add a span to the trace, and report a failure.
 *     progress_begin("proving");
 *     MUST(session_step(opened, "prove", sumac_...()));
 * session_save() does this for a call that writes to file->library_path, and finishes the file. */
int session_step(const session *opened, const char *span, sumac_status status);
int session_save(const session *opened, const char *span, result_file *file, sumac_status status);

/* Add a span of the program to the trace, from `start` (clock_seconds()) to now. */
void session_span(const session *opened, const char *name, double start);

/* ---- Cleanup functions for CLEANUP() ---- */

void close_bases(sumac_bases **bases);
void close_context(sumac_context **context);
void close_json(json_t **object);

/* ---- Options to configurations ---- */

/* The names of all variants of the CPU's code, fastest first, then null. Creating a context shows which of them work
 * here. */
enum { VARIANTS = 4 };
extern const char *const variant_names[VARIANTS + 1];

/* Create a context with the options' settings. With `shows_progress`, the terminal shows the progress of each call. */
int create_context(const options *given, trace_log *trace, bool shows_progress, sumac_context **context);

/* Find a group by the names of its curve and of the group, or report the curves of this build. */
int find_group(const char *curve, const char *name, const sumac_group **group);

/* Report a format that does not exist or cannot be read (or written), and list those that can. Null is a valid
 * format. */
int check_format(const char *option, const char *name, bool to_write);

/* Parse a text of the library, and free it. Report failures of the call that wrote the text, too. */
int take_json(sumac_context *context, sumac_status status, char *text, json_t **object);

/* Describe a context. */
sumac_context_info context_info(const sumac_context *context);

/* Get what sumac_context_plans() says of a group. */
int open_plans(sumac_context *context, const sumac_group *group, json_t **plans);

/* Find a plan's name, of `length` bytes, among these plans, or report them. */
int check_plan(const sumac_context *context, const json_t *plans, const char *name, size_t length,
               const char **plan);

/* The text for the field `tuning` of each configuration. Names that are too long are cut off, and then unknown. */
typedef struct tuning_text {
    char text[256];
} tuning_text;

tuning_text tuning_of(const options *given);

/* Return configurations for the options. The caller keeps the text alive. */
sumac_context_config context_config(const options *given, const tuning_text *tuning);
sumac_msm_config msm_config(const options *given, const tuning_text *tuning);
sumac_bases_config bases_config(const options *given, const tuning_text *tuning);

/* Return the bits of scalars that the options give, without the sign; 0 means as many as the order has. */
uint64_t scalar_bits_of(const options *given);

/* Count the bases of a file. If the path names an open descriptor, such as /dev/stdin, its position is restored. */
sumac_status count_bases(const session *opened, const char *path, const char *format, size_t *count);

/* Read bases from a file. A null format means a table if the file is one, otherwise raw. */
int read_bases(const session *opened, const options *given, const char *path, const char *format,
               sumac_bases **bases);

/* Read only bases [first, first + n), or all from `first` on if n is SUMAC_ALL. SUMAC_NOT_SUPPORTED means that files of this format are read whole; nothing was
 * read then. */
sumac_status read_bases_part(const session *opened, const options *given, const char *path,
                             const char *format, uint64_t first, uint64_t n, sumac_bases **bases);

#endif
