/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The state that nearly every command begins with: the curve that was named, a context with the options' settings, the
 * trace. The functions here turn options into the library's configurations, so that all commands read them alike.
 */
#ifndef SUMAC_CLI_SESSION_H
#define SUMAC_CLI_SESSION_H

#include "base/try.h"
#include "files.h"
#include "options.h"

/*
 * A trace: spans of work from any thread, written as Chrome trace events, which Perfetto and chrome://tracing open: one
 * complete event ("ph": "X") a span, microseconds from the first span's start.
 */
typedef struct trace_log trace_log;

/* Begin a log that is to lie at `path`; the file is created under a temporary name at once, so that a path
 * that cannot be written is found before the work is done. Reports and returns an exit status. */
int trace_log_open(trace_log **log, const char *path);

/* Keep a span; `log` is a trace_log *. May be called from several threads at once. */
void trace_log_add(void *log, const sumac_trace_event *event);

/* Write the file. */
int trace_log_write(trace_log *log);

/* Free a log, and what is not written of its file; null is allowed. */
void trace_log_free(trace_log *log);

/* ---- Sessions ---- */

typedef struct session {
    const sumac_curve *curve; /* null if the command was given none */
    const sumac_curve_info *info;
    sumac_context *context;
    trace_log *trace; /* null: no trace */
} session;

/* Open for a command; reports and returns an exit status. session_close() is due in any case. */
int session_open(session *opened, const options *given);

/* Write the trace, if there is one: before the command's other outputs get their names and its result is printed, so
 * that a trace that cannot be written is found before. What is added later is lost. */
int session_write_trace(const session *opened);

/* Write the trace, then complete a command's output files: what the files still hold is written, and they get their
 * names. */
int session_commit(const session *opened, result_file *const files[], size_t count);

/* Write the trace, if that has not been done and `status` is no failure, free everything, return the status to end
 * with. */
int session_close(session *opened, int status);

/* Report a failed call with the session's context; STATUS_DONE for SUMAC_OK. CALL() passes a failure on. */
int session_check(const session *opened, sumac_status status);
#define CALL(opened, call) MUST(session_check(opened, call))

/* End the step that progress_begin() began, with a call of the library: a span of the trace, and a report of a failure.
 *     progress_begin("proving");
 *     MUST(session_step(opened, "prove", sumac_...()));
 * session_save() is the same for a call that writes to file->library_path, and finishes the file. */
int session_step(const session *opened, const char *span, sumac_status status);
int session_save(const session *opened, const char *span, result_file *file, sumac_status status);

/* Put a span of the program into the trace, from `start` (clock_seconds()) to now. */
void session_span(const session *opened, const char *name, double start);

/* ---- Handles that end with their block ---- */

void close_bases(sumac_bases **bases);
void close_context(sumac_context **context);
void close_plan(sumac_plan **plan);

/* ---- Options to configurations ---- */

/* The names of all variants of the CPU's code, the fastest first, and null; contexts tell which of them work here. */
enum { VARIANTS = 4 };
extern const char *const variant_names[VARIANTS + 1];

/* A context as the options want it; `shows_progress` if the terminal shows the progress of each call. */
int create_context(const options *given, trace_log *trace, bool shows_progress, sumac_context **context);

/* Find the curve, or report which ones this build has. */
int find_curve(const char *name, const char *group, const sumac_curve **curve);

/* Report a format that does not exist or cannot be read (or written) and which ones can; null is a format. */
int check_format(const char *option, const char *name, bool to_write);

/* Find the name of a plan, `length` bytes, among the context's constants, or report which ones it has. */
int check_plan(const sumac_context *context, const char *name, size_t length, const char **plan);

/* Configurations as the options want them; the caller keeps the tuning. */
sumac_context_config context_config(const options *given, sumac_tuning *tuning);
sumac_msm_config msm_config(const options *given, sumac_tuning *tuning);
sumac_bases_config bases_config(const options *given);

/* The bits of scalars by the options, beside their sign: 0 means as many as the order has. */
uint64_t scalar_bits_of(const options *given);

/* Count the bases of a file. An open descriptor that the path names, as /dev/stdin, stands afterwards where it stood. */
sumac_status count_bases(const session *opened, const char *path, const char *format, size_t *count);

/* Read bases from a file; a null format means raw, or a table if the file is one. */
int read_bases(const session *opened, const options *given, const char *path, const char *format,
               sumac_bases **bases);

/* Read bases [first, first + n) alone. SUMAC_NOT_SUPPORTED, where nothing was read, means that files of the format are
 * read whole. */
sumac_status read_bases_part(const session *opened, const options *given, const char *path,
                             const char *format, uint64_t first, uint64_t n, sumac_bases **bases);

#endif
