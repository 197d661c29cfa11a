/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Collects spans of work from any thread and writes them as Chrome trace events, which Perfetto and
 * chrome://tracing open: one complete event ("ph": "X") a span, microseconds from the first span's start.
 */
#ifndef SUMAC_CLI_TRACE_LOG_H
#define SUMAC_CLI_TRACE_LOG_H

#include "report.h"

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

#endif
