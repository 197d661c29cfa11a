/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Numbers as the command line writes them, checked to the last character. */
#ifndef SUMAC_CLI_NUMBERS_H
#define SUMAC_CLI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most numbers of a list. */
enum { NUMBER_LIST_CAPACITY = 128 };

typedef struct number_list {
    uint64_t values[NUMBER_LIST_CAPACITY];
    size_t count;
} number_list;

/* "1000" or "2^10"; false if text is anything else or the number does not fit. */
bool parse_number(const char *text, uint64_t *number);

/* Parse a number as parse_number() does, or "64K", "200M", "3G": multiples of 1024, 1024^2, 1024^3. */
bool parse_bytes(const char *text, uint64_t *bytes);

/* How the numbers of a range follow each other. */
typedef enum number_step { STEP_DOUBLES, STEP_COUNTS } number_step;

/* "2^10,5000" and ranges "2^10..2^16" from the first number to the last. False for anything else and for more
 * than NUMBER_LIST_CAPACITY numbers. */
bool parse_number_list(const char *text, number_step step, number_list *list);

#endif
