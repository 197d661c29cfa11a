/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions draw a line on standard error that shows the label of the current step, its progress if that is
 * known, and the seconds. The line is drawn only on a terminal, and only after the first second. It is drawn whenever
 * the library reports progress, and erased at the end.
 */
#ifndef SUMAC_CLI_PROGRESS_H
#define SUMAC_CLI_PROGRESS_H

#include "report.h"

/* Begin a step, and end the previous one. The label is formatted like printf's and copied. */
void progress_begin(const char *format, ...) PRINTF_LIKE(1, 2);

/* Return the time by clock_seconds() at which the step began. */
double progress_start(void);

/* Report the step's progress, from 0 to 1. */
void progress_update(double done);

/* Set the label that is shown when the current step has reached 1, for the next step of the same call. */
void progress_then(const char *format, ...) PRINTF_LIKE(1, 2);

/* End the step and erase the line. If there is no step, do nothing. */
void progress_end(void);

/* This is the library's progress callback. Draw the line. After an interrupt, return a number other than 0, which ends
 * the call. */
int progress_ask(void);

/* The handler of SIGINT calls this. Return true if the current call will notice the interrupt and end by itself;
 * progress_end() then raises SIGINT again. A second interrupt is not deferred. */
bool progress_defers_interrupt(void);

#endif
