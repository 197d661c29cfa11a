/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read JSON in memory. A value is a position in the text; nothing is copied. */
#ifndef SUMAC_CODEC_JSON_H
#define SUMAC_CODEC_JSON_H

#include <stddef.h>
#include <stdint.h>

/* This is a value in a text that json_read() has accepted. */
typedef struct json_value {
    const char *at, *end; /* positions in the text */
} json_value;

/* Check that a text is exactly one value. If it is not, return 0 and set *bad to the position of the first wrong
 * character. */
int json_read(json_value *value, const char *text, size_t bytes, size_t *bad);

/* Find a member of an object. If several have this name, find the last one. Return 0 if there is none, or the value is
 * not an object. */
int json_member(json_value object, const char *name, json_value *member);

/* These functions iterate over the items of an array. json_next_item() returns 0 after the last item, or if the value
 * is not an array. */
json_value json_items_of(json_value array);
int json_next_item(json_value *left, json_value *item);
int json_is_array(json_value value);

/* Get the characters of a string without escapes, or of a number that has only digits. Return 0 for other values. */
int json_characters(json_value value, const char **characters, size_t *count);

/* Return 1 if the value is this string. */
int json_is(json_value value, const char *text);

/* Parse a decimal number without a sign into a little-endian integer of `bytes` bytes, at most 64. Return 0 if the text
 * is not such a number, or the number is too large. */
int decimal_read(const char *digits, size_t count, uint8_t *integer, size_t bytes);

/* Write an integer as decimal digits and a final 0. Return the number of digits. */
enum { DECIMAL_MOST_BYTES = 64, DECIMAL_CHARACTERS = 156 };
size_t decimal_write(char text[DECIMAL_CHARACTERS], const uint8_t *integer, size_t bytes);

#endif
