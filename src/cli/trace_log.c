/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <pthread.h>

/* A span has a copy of its name, because the library's names exist only during the call. */
typedef struct span {
    char name[24];
    uint32_t thread;
    uint32_t pass;
    double start;
    double end;
} span;

struct trace_log {
    pthread_mutex_t mutex; /* guards everything below */
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
    const int status = result_file_open(&opened->file, path);
    if (status != STATUS_DONE) {
        free(opened);
        return status;
    }
    pthread_mutex_init(&opened->mutex, NULL);
    *log = opened;
    return STATUS_DONE;
}

void trace_log_add(void *user, const sumac_trace_event *event)
{
    trace_log *log = user;
    pthread_mutex_lock(&log->mutex);
    if (log->count == log->capacity) {
        const size_t capacity = 2 * log->capacity + 1024;
        span *spans = realloc(log->spans, capacity * sizeof *spans);
        log->spans = spans != NULL ? spans : log->spans;
        log->capacity = spans != NULL ? capacity : log->capacity;
    }
    if (log->count < log->capacity) {
        span added = {.thread = event->thread, .pass = event->pass, .start = event->start, .end = event->end};
        strncpy(added.name, event->name, sizeof added.name - 1);
        log->spans[log->count++] = added;
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

/* Convert seconds to microseconds with three decimals, which is the resolution of the clock. */
static double microseconds(double seconds)
{
    return (double)(long long)(1e9 * seconds + 0.5) / 1000;
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
    MUST(result_file_begin(&log->file));
    /* The names need no escaping, because they are constants of the library and of the program, and have only letters
     * and spaces. */
    FILE *stream = log->file.stream;
    (void)fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
                "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"sumac\"}}",
                stream);
    for (uint32_t thread = 0; thread < threads; thread++) {
        (void)fprintf(stream,
                      ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":"
                      "{\"name\":\"thread %u\"}}",
                      (unsigned)thread, (unsigned)thread);
    }
    for (size_t i = 0; i < log->count; i++) {
        const span *written = &log->spans[i];
        (void)fprintf(stream,
                      ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,"
                      "\"args\":{\"pass\":%u}}",
                      written->name, (unsigned)written->thread,
                      microseconds(written->start - log->spans[0].start),
                      microseconds(written->end - written->start), (unsigned)written->pass);
    }
    (void)fputs("\n]}\n", stream);
    result_file_note_error(&log->file);
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
