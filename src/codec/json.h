/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading JSON that is in memory: values are found where they stand in the text, and nothing is copied. */
#ifndef SUMAC_CODEC_JSON_H
#define SUMAC_CODEC_JSON_H

#include <stddef.h>
#include <stdint.h>

/* A value in a text that json_read() has accepted, by its first character. */
typedef struct json_value {
    const char *at, *end; /* of the text */
} json_value;

/* Check that a text is one value. Returns 0 if it is not; *bad is then the first wrong character. */
int json_read(json_value *value, const char *text, size_t bytes, size_t *bad);

/* Find an object's member, the last one of that name. Returns 0 if there is none, or the value is no object. */
int json_member(json_value object, const char *name, json_value *member);

/* Go through an array's items. Returns 0 behind the last one, or if the value is no array. */
json_value json_items_of(json_value array);
int json_next_item(json_value *left, json_value *item);
int json_is_array(json_value value);

/* The characters of a string without escapes, or of a number that has nothing but digits. Returns 0 for other values. */
int json_characters(json_value value, const char **characters, size_t *count);

/* Returns 1 if a value is this string. */
int json_is(json_value value, const char *text);

/* Parse a decimal number without a sign into a little-endian integer of `bytes` bytes, at most 64. Return 0 if it is no
 * number, or too large. */
int decimal_read(const char *digits, size_t count, uint8_t *integer, size_t bytes);

/* Write an integer as decimal digits and a final 0. Returns the number of digits. */
enum { DECIMAL_MOST_BYTES = 64, DECIMAL_CHARACTERS = 156 };
size_t decimal_write(char text[DECIMAL_CHARACTERS], const uint8_t *integer, size_t bytes);

#endif
