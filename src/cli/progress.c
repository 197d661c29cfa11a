/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

enum { FIRST_DRAW_MILLISECONDS = 1000, REDRAW_MILLISECONDS = 200 };

static struct {
    pthread_mutex_t mutex; /* guards everything below while the thread runs */
    pthread_cond_t ended;
    pthread_t thread;
    bool running; /* only the calling thread reads and writes it */
    bool ending;
    bool drawn;
    char label[80];
    char next[80]; /* the label when all is done; empty: the same */
    double done;   /* negative: not known */
    double start;
} line = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* A handler reads and writes the last two. */
static bool in_step;
static atomic_bool is_asked, is_interrupted;

static void draw(void)
{
    double seconds = seconds_now() - line.start;
    fputs("\r\033[K", stderr);
    write_escaped(stderr, line.label);
    if (line.done >= 0) {
        fprintf(stderr, ": %3.0f %%, %.1f s", 100 * line.done, seconds);
    } else {
        fprintf(stderr, ": %.1f s", seconds);
    }
    fflush(stderr);
    line.drawn = true;
}

/* A condition of macOS waits by the time of day. */
#ifdef __APPLE__
#define DRAW_CLOCK CLOCK_REALTIME
#else
#define DRAW_CLOCK CLOCK_MONOTONIC
#endif

static struct timespec later(unsigned milliseconds)
{
    struct timespec moment;
    clock_gettime(DRAW_CLOCK, &moment);
    long nanoseconds = moment.tv_nsec + (long)(milliseconds % 1000) * 1000000;
    moment.tv_sec += (time_t)(milliseconds / 1000) + nanoseconds / 1000000000;
    moment.tv_nsec = nanoseconds % 1000000000;
    return moment;
}

static void *draw_until_ended(void *unused)
{
    pthread_mutex_lock(&line.mutex);
    struct timespec moment = later(FIRST_DRAW_MILLISECONDS);
    while (!line.ending) {
        if (pthread_cond_timedwait(&line.ended, &line.mutex, &moment) == 0) {
            continue; /* ended, or woken for nothing */
        }
        draw();
        moment = later(REDRAW_MILLISECONDS);
    }
    pthread_mutex_unlock(&line.mutex);
    return unused;
}

void progress_begin(const char *format, ...)
{
    progress_end();
    in_step = true;
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line.label, sizeof line.label, format, arguments);
    va_end(arguments);
    line.next[0] = '\0';
    line.done = -1;
    line.ending = line.drawn = false;
    line.start = seconds_now();

    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifndef __APPLE__
    pthread_condattr_setclock(&attributes, DRAW_CLOCK);
#endif
    pthread_cond_init(&line.ended, &attributes);
    pthread_condattr_destroy(&attributes);
    /* Without a thread the work goes on, only unseen. */
    line.running = pthread_create(&line.thread, NULL, draw_until_ended, NULL) == 0;
    if (!line.running) {
        pthread_cond_destroy(&line.ended);
    }
}

void progress_update(double done)
{
    if (!line.running) {
        return;
    }
    pthread_mutex_lock(&line.mutex);
    line.done = done;
    if (done >= 1 && line.next[0] != '\0') {
        memcpy(line.label, line.next, sizeof line.label);
        line.next[0] = '\0';
        line.done = -1;
        line.start = seconds_now();
    }
    pthread_mutex_unlock(&line.mutex);
}

void progress_then(const char *format, ...)
{
    if (!line.running) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&line.mutex);
    vsnprintf(line.next, sizeof line.next, format, arguments);
    pthread_mutex_unlock(&line.mutex);
    va_end(arguments);
}

int progress_ask(void)
{
    if (in_step) {
        atomic_store(&is_asked, true);
    }
    return atomic_load(&is_interrupted);
}

bool progress_defers_interrupt(void)
{
    return atomic_load(&is_asked) && !atomic_exchange(&is_interrupted, true);
}

static void end_line(void)
{
    if (!line.running) {
        return;
    }
    pthread_mutex_lock(&line.mutex);
    line.ending = true;
    pthread_cond_signal(&line.ended);
    pthread_mutex_unlock(&line.mutex);
    pthread_join(line.thread, NULL);
    pthread_cond_destroy(&line.ended);
    line.running = false;
    if (line.drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}

void progress_end(void)
{
    end_line();
    in_step = false;
    atomic_store(&is_asked, false);
    if (atomic_load(&is_interrupted)) {
        (void)raise(SIGINT);
    }
}
