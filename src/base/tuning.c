/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/tuning.h"

#include <stddef.h>
#include <string.h>

#include "base/integers.h"
#include "base/printable.h"
#include "base/refusal.h"
#include "base/try.h"

/* If `most` is not 0, the value of a word is a number up to `most`. If there are choices, the value is one of these.
 * Otherwise it is a name. */
typedef struct tuning_word {
    const char *name;
    size_t offset;
    uint32_t most;
    const char *choices[4];
} tuning_word;

static const tuning_word words[] = {
    {"c", offsetof(tuning_values, c), 24, {NULL}},
    {"chunks", offsetof(tuning_values, chunks), UINT32_MAX, {NULL}},
    {"copy_slices", offsetof(tuning_values, copy_slices), 4, {NULL}},
    {"large_bucket_factor", offsetof(tuning_values, large_bucket_factor), UINT32_MAX, {NULL}},
    {"reduction", offsetof(tuning_values, reduction), 0, {"auto", "running-sum", "halving"}},
    {"plan", offsetof(tuning_values, plan), 0, {NULL}},
    {"variant", offsetof(tuning_values, variant), 0, {NULL}},
};

/* This is a part of the caller's text. */
typedef struct span {
    const char *text;
    size_t length;
} span;

static int equals(span part, const char *name)
{
    return strlen(name) == part.length && memcmp(part.text, name, part.length) == 0;
}

/* Read a number that has only digits. */
static int read_number(span digits, uint32_t most, uint32_t *number)
{
    uint64_t n = 0;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.text[i] < '0' || digits.text[i] > '9' ||
            (n = 10 * n + (uint64_t)(digits.text[i] - '0')) > most) {
            return 0;
        }
    }
    *number = (uint32_t)n;
    return digits.length > 0;
}

static int read_choice(span value, const char *const *choices, uint32_t *index)
{
    for (*index = 0; choices[*index] != NULL; ++*index) {
        if (equals(value, choices[*index])) {
            return 1;
        }
    }
    return 0;
}

/* Read a name. If it is too long, its end is cut off. */
static int read_name(span value, char *name)
{
    memset(name, 0, TUNING_NAME_BYTES);
    memcpy(name, value.text, (size_t)smaller(value.length, TUNING_NAME_BYTES - 1));
    return value.length > 0;
}

static sumac_status read_item(span item, tuning_values *values, sumac_message *message)
{
    char shown[PRINTABLE_BYTES(TUNING_NAME_BYTES)];
    const char *sign = memchr(item.text, '=', item.length);
    const size_t length = sign == NULL ? 0 : (size_t)(sign - item.text);
    const tuning_word *word = words, *const end = words + sizeof words / sizeof *words;
    while (word < end && !equals((span){item.text, length}, word->name)) {
        word++;
    }
    printable(shown, item.text, (size_t)smaller(item.length, TUNING_NAME_BYTES));
    if (word == end) {
        return refuse(message, SUMAC_BAD_ARGUMENT,
                      "the tuning '%s' is no WORD=VALUE; the words are c, chunks, copy_slices, "
                      "large_bucket_factor, reduction, plan and variant",
                      shown);
    }
    void *field = (char *)values + word->offset;
    const span value = {sign + 1, item.length - length - 1};
    if (word->most != 0) {
        return read_number(value, word->most, field)
                   ? SUMAC_OK
                   : refuse(message, SUMAC_BAD_ARGUMENT, "the tuning '%s' has no number from 0 to %u", shown,
                            word->most);
    }
    if (word->choices[0] != NULL) {
        return read_choice(value, word->choices, field)
                   ? SUMAC_OK
                   : refuse(message, SUMAC_BAD_ARGUMENT, "the tuning '%s' is none of %s, %s and %s", shown,
                            word->choices[0], word->choices[1], word->choices[2]);
    }
    return read_name(value, field)
               ? SUMAC_OK
               : refuse(message, SUMAC_BAD_ARGUMENT, "the tuning '%s' has no name", shown);
}

sumac_status tuning_read(const char *text, tuning_values *values, sumac_message *message)
{
    memset(values, 0, sizeof *values);
    if (text == NULL) {
        return SUMAC_OK;
    }
    while (*text != '\0') {
        const span item = {text, strcspn(text, ",")};
        TRY(read_item(item, values, message));
        text += item.length;
        if (*text == ',' && *++text == '\0') {
            return refuse(message, SUMAC_BAD_ARGUMENT, "the tuning ends with a comma");
        }
    }
    return SUMAC_OK;
}

uint32_t tuning_window(const char *text)
{
    tuning_values values;
    sumac_message unread;
    return tuning_read(text, &values, &unread) == SUMAC_OK ? values.c : 0;
}
