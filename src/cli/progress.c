/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>

#define FIRST_DRAW_SECONDS 1.0
#define REDRAW_SECONDS 0.2

/* This is the state of the line. The library calls back in the calling thread, so nothing here is shared. */
static struct {
    bool on_terminal;
    bool is_drawn;
    char label[80];
    char next[80]; /* the label of the next step; if it is empty, the label stays */
    double done;   /* negative if not known */
    double start, last_draw;
} line;

/* The signal handler reads and writes is_asked and is_interrupted. */
static bool in_step;
static atomic_bool is_asked, is_interrupted;

static void draw(void)
{
    const double now = clock_seconds();
    if (!line.on_terminal || now - line.start < FIRST_DRAW_SECONDS || now - line.last_draw < REDRAW_SECONDS) {
        return;
    }
    fputs("\r\033[K", stderr);
    write_escaped(stderr, line.label);
    if (line.done >= 0) {
        fprintf(stderr, ": %3.0f %%, %.1f s", 100 * line.done, now - line.start);
    } else {
        fprintf(stderr, ": %.1f s", now - line.start);
    }
    fflush(stderr);
    line.is_drawn = true;
    line.last_draw = now;
}

void progress_begin(const char *format, ...)
{
    progress_end();
    in_step = true;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line.label, sizeof line.label, format, arguments);
    va_end(arguments);
    line.on_terminal = isatty(STDERR_FILENO) != 0;
    line.next[0] = '\0';
    line.done = -1;
    line.is_drawn = false;
    line.start = clock_seconds();
    line.last_draw = 0;
}

double progress_start(void)
{
    return line.start;
}

void progress_update(double done)
{
    line.done = done < 1 ? done : -1; /* how far the work is after the last report is not known */
    if (done >= 1 && line.next[0] != '\0') {
        memcpy(line.label, line.next, sizeof line.label);
        line.next[0] = '\0';
    }
    draw();
}

void progress_then(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line.next, sizeof line.next, format, arguments);
    va_end(arguments);
}

int progress_ask(void)
{
    if (in_step) {
        atomic_store(&is_asked, true);
        draw();
    }
    return atomic_load(&is_interrupted);
}

bool progress_defers_interrupt(void)
{
    return atomic_load(&is_asked) && !atomic_exchange(&is_interrupted, true);
}

void progress_end(void)
{
    if (line.is_drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    in_step = line.is_drawn = line.on_terminal = false;
    atomic_store(&is_asked, false);
    if (atomic_load(&is_interrupted)) {
        (void)raise(SIGINT);
    }
}
