/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A line on standard error that shows the current step's label, its progress if known, and the seconds. It is drawn
 * only on a terminal, after the first second, whenever the library reports progress, and erased at the end.
 */
#ifndef SUMAC_CLI_PROGRESS_H
#define SUMAC_CLI_PROGRESS_H

#include "report.h"

/* Begin a step, and end the previous one. The label is formatted like printf's and copied. */
void progress_begin(const char *format, ...) PRINTF_LIKE(1, 2);

/* Return when the step began, by clock_seconds(). */
double progress_start(void);

/* Report the step's progress, from 0 to 1. */
void progress_update(double done);

/* Set the label to show after the current step of the same call has reached 1. */
void progress_then(const char *format, ...) PRINTF_LIKE(1, 2);

/* End the step and erase the line. Without a step, this does nothing. */
void progress_end(void);

/* Draw the line, as the library's progress callback. Return a number other than 0 after an interrupt, which ends the
 * call. */
int progress_ask(void);

/* For the handler of SIGINT: return true if the current call will notice the interrupt and end by itself;
 * progress_end() then raises SIGINT again. A second interrupt is not deferred. */
bool progress_defers_interrupt(void);

#endif
