/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Text that came from a file or an argument, on its way to a terminal, a log or JSON. It may hold any bytes:
 * escape sequences that a terminal obeys, line ends that would make a second message, what is not UTF-8.
 */
#ifndef SUMAC_CLI_TEXT_H
#define SUMAC_CLI_TEXT_H

#include <jansson.h>
#include <stdio.h>

/* The compiler checks the arguments after such a format. */
#define PRINTF_LIKE(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))

/* Write text with everything that is not plainly visible as \n, \t, \r or \xNN, and a backslash as two. */
void write_escaped(FILE *stream, const char *text);

/* A JSON string of the text; bytes that are not UTF-8 become \xNN, all else stays as it is. Null if memory is
 * short. */
json_t *text_to_json(const char *text);

#endif
