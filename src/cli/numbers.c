/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

/* Parse decimal digits up to *end. strtoull() is not enough, because it also accepts signs, spaces and octal zeros. */
static bool parse_digits(const char *text, const char **end, uint64_t *number)
{
    if (*text < '0' || *text > '9') {
        return false;
    }
    char *stop;
    errno = 0;
    unsigned long long value = strtoull(text, &stop, 10);
    if (errno != 0 || value > UINT64_MAX) {
        return false;
    }
    *end = stop;
    *number = value;
    return true;
}

static bool parse_prefix(const char *text, const char **end, uint64_t *number)
{
    if (!parse_digits(text, end, number)) {
        return false;
    }
    if (**end != '^') {
        return true;
    }
    uint64_t exponent;
    if (*number != 2 || !parse_digits(*end + 1, end, &exponent) || exponent > 63) {
        return false;
    }
    *number = (uint64_t)1 << exponent;
    return true;
}

bool parse_number(const char *text, uint64_t *number)
{
    const char *end;
    return parse_prefix(text, &end, number) && *end == '\0';
}

bool parse_bytes(const char *text, uint64_t *bytes)
{
    const char *end;
    if (!parse_prefix(text, &end, bytes)) {
        return false;
    }
    if (*end == '\0') {
        return true;
    }
    const char *suffixes = "KMG";
    const char *suffix = strchr(suffixes, *end);
    if (suffix == NULL || end[1] != '\0') {
        return false;
    }
    unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);
    if (*bytes > UINT64_MAX >> shift) {
        return false;
    }
    *bytes <<= shift;
    return true;
}

/* Append the numbers from the first to the last one. */
static bool append_range(number_list *list, number_step step, uint64_t first, uint64_t last)
{
    if (last < first || (step == STEP_DOUBLES && first == 0 && last != 0)) {
        return false;
    }
    for (uint64_t number = first;; number += step == STEP_DOUBLES ? number : 1) {
        if (list->count == NUMBER_LIST_CAPACITY) {
            return false;
        }
        list->values[list->count++] = number;
        if (step == STEP_DOUBLES ? number > last / 2 || first == last : number == last) {
            return true;
        }
    }
}

bool parse_number_list(const char *text, number_step step, number_list *list)
{
    list->count = 0;
    for (;;) {
        uint64_t first, last;
        if (!parse_prefix(text, &text, &first)) {
            return false;
        }
        last = first;
        if ((strncmp(text, "..", 2) == 0 && !parse_prefix(text + 2, &text, &last)) ||
            !append_range(list, step, first, last)) {
            return false;
        }
        if (*text == '\0') {
            return true;
        }
        if (*text++ != ',') {
            return false;
        }
    }
}
