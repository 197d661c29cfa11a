/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One line on standard error that says what takes so long: label, share that is done where it is known, seconds. It is
 * drawn only on a terminal, after the first second, whenever the library reports progress, and erased at the end.
 */
#ifndef SUMAC_CLI_PROGRESS_H
#define SUMAC_CLI_PROGRESS_H

#include "report.h"

/* Begin a step; ends the one before it. The label is printf's and copied. */
void progress_begin(const char *format, ...) PRINTF_LIKE(1, 2);

/* When the step began, by clock_seconds(). */
double progress_start(void);

/* Report how much of the step is done, 0..1. */
void progress_update(double done);

/* The label that follows in the same call when all is done of what was begun. */
void progress_then(const char *format, ...) PRINTF_LIKE(1, 2);

/* End the step and erase the line; without a step nothing happens. */
void progress_end(void);

/* The library's progress callback: it draws the line, and returns a number other than 0 after an interrupt, which ends the
 * call. */
int progress_ask(void);

/* For the handler of SIGINT: return whether the current call will notice the interrupt by itself, so that it ends in its own
 * way; progress_end() then raises SIGINT again. A second interrupt is not deferred. */
bool progress_defers_interrupt(void);

#endif
