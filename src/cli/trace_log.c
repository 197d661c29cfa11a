/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "trace_log.h"

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

/* A span with a copy of its name: the library's names live only as long as the call. */
typedef struct span {
    char name[24];
    uint32_t thread;
    uint32_t pass;
    double start;
    double end;
} span;

struct trace_log {
    pthread_mutex_t mutex; /* guards all below */
    span *spans;
    size_t count;
    size_t capacity;
    bool incomplete; /* memory ran out */
    bool written;
    result_file file;
};

int trace_log_open(trace_log **log, const char *path)
{
    *log = NULL;
    trace_log *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return machine_fault("out of memory: no log for the trace");
    }
    int status = result_file_open(&opened->file, path);
    if (status != STATUS_DONE) {
        free(opened);
        return status;
    }
    pthread_mutex_init(&opened->mutex, NULL);
    *log = opened;
    return STATUS_DONE;
}

static bool make_room(trace_log *log)
{
    if (log->count < log->capacity) {
        return true;
    }
    size_t capacity = log->capacity > 0 ? 2 * log->capacity : 1024;
    span *spans = realloc(log->spans, capacity * sizeof *spans);
    if (spans == NULL) {
        return false;
    }
    log->spans = spans;
    log->capacity = capacity;
    return true;
}

void trace_log_add(void *user, const sumac_trace_event *event)
{
    trace_log *log = user;
    pthread_mutex_lock(&log->mutex);
    if (make_room(log)) {
        span *added = &log->spans[log->count++];
        memset(added->name, 0, sizeof added->name);
        strncpy(added->name, event->name, sizeof added->name - 1);
        added->thread = event->thread;
        added->pass = event->pass;
        added->start = event->start;
        added->end = event->end;
    } else {
        log->incomplete = true;
    }
    pthread_mutex_unlock(&log->mutex);
}

static int by_start(const void *left, const void *right)
{
    const span *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

static bool write_event(FILE *stream, json_t *event)
{
    bool written = event != NULL && json_dumpf(event, stream, JSON_COMPACT | JSON_REAL_PRECISION(12)) == 0;
    json_decref(event);
    return written;
}

/* The rows of the viewer get names instead of numbers. */
static bool write_names(FILE *stream, uint32_t threads)
{
    bool written = write_event(stream, json_pack("{s:s, s:s, s:i, s:{s:s}}", "name", "process_name", "ph",
                                                 "M", "pid", 1, "args", "name", "sumac"));
    for (uint32_t thread = 0; thread < threads && written; thread++) {
        char name[32];
        snprintf(name, sizeof name, "thread %u", (unsigned)thread);
        written =
            fputs(",\n", stream) >= 0 &&
            write_event(stream, json_pack("{s:s, s:s, s:i, s:I, s:{s:s}}", "name", "thread_name", "ph", "M",
                                          "pid", 1, "tid", (json_int_t)thread, "args", "name", name));
    }
    return written;
}

/* Microseconds to three decimals: the clock has no more. */
static double microseconds(double seconds)
{
    return (double)(long long)(1e9 * seconds + 0.5) / 1000;
}

static bool write_spans(const trace_log *log, FILE *stream)
{
    for (size_t i = 0; i < log->count; i++) {
        const span *written = &log->spans[i];
        double begin = microseconds(written->start - log->spans[0].start);
        if (fputs(",\n", stream) < 0 ||
            !write_event(stream, json_pack("{s:s, s:s, s:i, s:I, s:f, s:f, s:{s:I}}", "name", written->name,
                                           "ph", "X", "pid", 1, "tid", (json_int_t)written->thread, "ts",
                                           begin, "dur", microseconds(written->end - written->start), "args",
                                           "pass", (json_int_t)written->pass))) {
            return false;
        }
    }
    return true;
}

int trace_log_write(trace_log *log)
{
    if (log->written) {
        return STATUS_DONE;
    }
    if (log->incomplete) {
        return machine_fault("out of memory: the trace has more spans than memory holds");
    }
    qsort(log->spans, log->count, sizeof *log->spans, by_start);
    uint32_t threads = 0;
    for (size_t i = 0; i < log->count; i++) {
        if (log->spans[i].thread >= threads) {
            threads = log->spans[i].thread + 1;
        }
    }
    int begun = result_file_begin(&log->file);
    if (begun != STATUS_DONE) {
        return begun;
    }
    FILE *stream = log->file.stream;
    bool written = fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", stream) >= 0 &&
                   write_names(stream, threads) && write_spans(log, stream) && fputs("\n]}\n", stream) >= 0;
    result_file_note_error(&log->file);
    if (!written && !ferror(stream)) {
        return machine_fault("out of memory: a trace event could not be written");
    }
    const int status = result_file_commit(&log->file);
    log->written = status == STATUS_DONE;
    return status;
}

void trace_log_free(trace_log *log)
{
    if (log == NULL) {
        return;
    }
    result_file_discard(&log->file);
    pthread_mutex_destroy(&log->mutex);
    free(log->spans);
    free(log);
}
