/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions make texts for the field `tuning` of configurations. */
#ifndef SUMAC_TESTS_TUNING_H
#define SUMAC_TESTS_TUNING_H

#include <stdarg.h>
#include <stdio.h>

#include "base/tuning.h"

/* These are the words for the values of bucket_reduction. */
static const char *const test_reductions[] __attribute__((unused)) = {"auto", "running-sum", "halving"};

/* Return a formatted text. It lives until its thread has made 15 other texts. */
__attribute__((format(printf, 1, 2), unused)) static const char *test_tuning(const char *format, ...)
{
    static _Thread_local char texts[16][160];
    static _Thread_local unsigned next;
    char *text = texts[next++ % 16];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof texts[0], format, arguments);
    va_end(arguments);
    return text;
}

/* Return the window c of a configuration's text. */
#define TEST_WINDOW(config) tuning_window((config)->tuning)

#endif
