/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sentences of errors. Most begin with a path, which may be longer than all there is for a sentence; the reason comes behind
 * it and must not be cut off. Where a format begins with "%s" and the sentence is too long, the middle of that first string
 * is left out.
 */
#ifndef SUMAC_BASE_SENTENCE_H
#define SUMAC_BASE_SENTENCE_H

#include <stdarg.h>

#include "sumac/status.h"

/* A sentence in `message`, as printf() formats it. */
void sentence_write(char message[SUMAC_MESSAGE_BYTES], const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
void sentence_format(char message[SUMAC_MESSAGE_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
