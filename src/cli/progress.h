/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One line on standard error that tells what takes so long: label, share done where it is known, seconds. It
 * is drawn only on a terminal, only after the first second, and erased at the end. There is one terminal,
 * hence one line and no handle. A thread of its own draws it, so that steps that report nothing are shown
 * too.
 */
#ifndef SUMAC_CLI_PROGRESS_H
#define SUMAC_CLI_PROGRESS_H

#include <stdbool.h>

#include "text.h"

/* Begin a step; ends the one before it. The label is printf's and copied. */
void progress_begin(const char *format, ...) PRINTF_LIKE(1, 2);

/* How much of the step is done, 0..1. */
void progress_update(double done);

/* What comes next in the same call, once all is done of what was begun. */
void progress_then(const char *format, ...) PRINTF_LIKE(1, 2);

/* End the step and erase the line; without a step nothing happens. */
void progress_end(void);

/* In a library's call that asks again and again whether to go on: not 0 after an interrupt. */
int progress_ask(void);

/* For the handler of SIGINT: whether a call of the step that goes on asks, and is told. It ends then in its own way, and
 * progress_end() raises SIGINT again. A second one is not deferred. */
bool progress_defers_interrupt(void);

#endif
