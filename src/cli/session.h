/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Nearly every command begins with a session: the group that the options name, a context with the options' settings,
 * and the trace. The functions here turn options into the library's configurations, so that an option has the same
 * meaning in all commands.
 */
#ifndef SUMAC_CLI_SESSION_H
#define SUMAC_CLI_SESSION_H

#include <jansson.h>

#include "base/try.h"
#include "files.h"
#include "options.h"
#include "sumac/experimental.h"

/*
 * A trace has spans of work of all threads. It is written as Chrome trace events, which Perfetto and chrome://tracing
 * can open. Each span is one complete event ("ph": "X"), whose times are microseconds since the start of the first
 * span.
 */
typedef struct trace_log trace_log;

/* Begin a log that will be written to `path`. The file is created at once, under a temporary name, so that a path that
 * can't be written is reported before the work. Report failures and return an exit status. */
int trace_log_open(trace_log **log, const char *path);

/* Add a span; `log` is a trace_log *. Several threads may call this at once. */
void trace_log_add(void *log, const sumac_trace_event *event);

/* Write the file. */
int trace_log_write(trace_log *log);

/* Free a log, which may be null. If its file was not written, discard that. */
void trace_log_free(trace_log *log);

/* ---- Sessions ---- */

typedef struct session {
    const sumac_group *group; /* null if the command has none */
    const sumac_group *info;
    sumac_context *context;
    trace_log *trace; /* null without --trace */
} session;

/* Open a session for a command. Report failures and return an exit status. The caller must call session_close() in any
 * case. */
int session_open(session *opened, const options *given);

/* Write the trace, if there is one. Call this before the command's other outputs are renamed and its result is printed,
 * so that a trace that can't be written is reported first. Spans that are added later are lost. */
int session_write_trace(const session *opened);

/* Write the trace. Then finish the output files of a command, and rename them. */
int session_commit(const session *opened, result_file *const files[], size_t count);

/* Unless the trace was written already or `status` is a failure, write the trace. Then free everything, and return the
 * final status. */
int session_close(session *opened, int status);

/* A call with the session's context returned this status. If it failed, report that; otherwise return STATUS_DONE.
 * CALL() returns a failure from the calling function. */
int session_check(const session *opened, sumac_status status);
#define CALL(opened, call) MUST(session_check(opened, call))

/* progress_begin() began a step, and a call of the library did its work. End the step: add a span to the trace and, if
 * the call failed, report that.
 *     progress_begin("proving");
 *     MUST(session_step(opened, "prove", sumac_...()));
 * session_save() does this for a call that writes to file->library_path, and finishes the file. */
int session_step(const session *opened, const char *span, sumac_status status);
int session_save(const session *opened, const char *span, result_file *file, sumac_status status);

/* A call of the library returned this status and, on success, bytes that it has allocated. Write them to a file, and free them. */
int session_put(const session *opened, sumac_status status, void *bytes, size_t count, result_file *file);

/* Add a span of the program to the trace. It lasts from `start`, a time by clock_seconds(), to now. */
void session_span(const session *opened, const char *name, double start);

/* ---- Cleanup functions for CLEANUP() ---- */

void close_bases(sumac_bases **bases);
void close_context(sumac_context **context);
void close_json(json_t **object);

/* ---- Options to configurations ---- */

/* These are the names of all variants of the CPU's code, from the fastest to the slowest one, and then null. Which of
 * them work here is found out by creating contexts. */
enum { VARIANTS = 4 };
extern const char *const variant_names[VARIANTS + 1];

/* Create a context with the options' settings. If `shows_progress` is true, the terminal shows the progress of each
 * call. */
int create_context(const options *given, trace_log *trace, bool shows_progress, sumac_context **context);

/* Find a group by the name of its curve and its own name. If this build does not have it, report which curves it
 * has. */
int find_group(const char *curve, const char *name, const sumac_group **group);

/* Check that a format exists and can be read or, if to_write is true, written. If it can't, report that, and list the
 * formats that can. Null is a valid format. */
int check_format(const char *option, const char *name, bool to_write);

/* Parse a text of the library, and free it. If the call that wrote the text failed, report that instead. */
int take_json(sumac_context *context, sumac_status status, char *text, json_t **object);

/* Describe a context. */
sumac_context_info context_info(const sumac_context *context);

/* Get what sumac_context_plans() says about a group. */
int open_plans(sumac_context *context, const sumac_group *group, json_t **plans);

/* Find a plan's name, which has `length` bytes, among these plans. If none has this name, report the plans that there
 * are. */
int check_plan(const sumac_context *context, const json_t *plans, const char *name, size_t length,
               const char **plan);

/* This is the text for the field `tuning` of each configuration. If a name is too long, it is cut off, and then no plan
 * or variant has this name. */
typedef struct tuning_text {
    char text[256];
} tuning_text;

tuning_text tuning_of(const options *given);

/* Return configurations for the options. The caller must keep the text while they are used. */
sumac_context_config context_config(const options *given, const tuning_text *tuning);
sumac_msm_config msm_config(const options *given, const tuning_text *tuning);
sumac_bases_config bases_config(const options *given, const tuning_text *tuning);

/* Return how many bits scalars have by the options, not counting the sign. 0 means as many as the order has. */
uint64_t scalar_bits_of(const options *given);

/* Count the bases of a file. If the path names an open descriptor, such as /dev/stdin, its position is restored. */
sumac_status count_bases(const session *opened, const char *path, const char *format, size_t *count);

/* Read bases from a file. If the format is null, the file is a table or raw points, whichever it looks like. */
int read_bases(const session *opened, const options *given, const char *path, const char *format,
               sumac_bases **bases);

/* Read only bases [first, first + n), or all from `first` on if n is SUMAC_ALL. If files of this format can be read
 * only as a whole, read nothing and return SUMAC_NOT_SUPPORTED. */
sumac_status read_bases_part(const session *opened, const options *given, const char *path,
                             const char *format, uint64_t first, uint64_t n, sumac_bases **bases);

#endif
