/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/json.h"

#include <string.h>

enum { MOST_DEPTH = 32 };

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && is_space(*at)) {
        at++;
    }
    return at;
}

/* Each function skip_..() returns the end of what it skips. If a character is not allowed, it returns null, and *bad
 * points to that character. */
static const char *refuse_at(const char *at, const char **bad)
{
    *bad = at;
    return NULL;
}

static const char *skip_string(const char *at, const char *end, const char **bad)
{
    for (at++; at < end && (unsigned char)*at >= ' '; at++) {
        if (*at == '"') {
            return at + 1;
        }
        at += *at == '\\' && end - at > 1;
    }
    return refuse_at(at, bad);
}

static const char *skip_number(const char *at, const char *end, const char **bad)
{
    const char *first = at;
    at += *at == '-';
    while (at < end && (is_digit(*at) || memchr(".eE+-", *at, 5) != NULL)) {
        at++;
    }
    return at > first && is_digit(at[-1]) ? at : refuse_at(at, bad);
}

static const char *skip_word(const char *at, const char *end, const char **bad)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(end - at) >= length && memcmp(at, words[i], length) == 0) {
            return at + length;
        }
    }
    return refuse_at(at, bad);
}

static const char *skip_value(const char *at, const char *end, int depth, const char **bad);

/* Skip a member's name and the colon. */
static const char *skip_name(const char *at, const char *end, const char **bad)
{
    if (at == end || *at != '"') {
        return refuse_at(at, bad);
    }
    at = skip_string(at, end, bad);
    if (at == NULL) {
        return NULL;
    }
    at = skip_space(at, end);
    return at < end && *at == ':' ? skip_space(at + 1, end) : refuse_at(at, bad);
}

/* Skip an array or an object. */
static const char *skip_list(const char *at, const char *end, int depth, const char **bad)
{
    const int is_object = *at == '{';
    const char closing = is_object ? '}' : ']';
    at = skip_space(at + 1, end);
    if (at < end && *at == closing) {
        return at + 1;
    }
    while (depth < MOST_DEPTH) {
        at = is_object ? skip_name(at, end, bad) : at;
        at = at == NULL ? NULL : skip_value(at, end, depth + 1, bad);
        if (at == NULL) {
            return NULL;
        }
        at = skip_space(at, end);
        if (at < end && *at == closing) {
            return at + 1;
        }
        if (at == end || *at != ',') {
            break;
        }
        at = skip_space(at + 1, end);
    }
    return refuse_at(at, bad);
}

static const char *skip_value(const char *at, const char *end, int depth, const char **bad)
{
    if (at == end) {
        return refuse_at(at, bad);
    }
    return *at == '{' || *at == '['      ? skip_list(at, end, depth, bad)
           : *at == '"'                  ? skip_string(at, end, bad)
           : *at == '-' || is_digit(*at) ? skip_number(at, end, bad)
                                         : skip_word(at, end, bad);
}

int json_read(json_value *value, const char *text, size_t bytes, size_t *bad)
{
    const char *end = text + bytes, *at = skip_space(text, end), *wrong = at;
    *value = (json_value){at, end};
    at = skip_value(at, end, 0, &wrong);
    at = at == NULL ? NULL : skip_space(at, end);
    *bad = (size_t)((at == NULL ? wrong : at) - text);
    return at == end;
}

/* ---- Reading a text that json_read() has accepted ---- */

static const char *behind(const char *at, const char *end)
{
    const char *bad;
    return skip_space(skip_value(at, end, 0, &bad), end);
}

int json_member(json_value object, const char *name, json_value *member)
{
    const size_t length = strlen(name);
    const char *bad, *at = object.at, *end = object.end;
    int found = 0;
    if (*at != '{') {
        return 0;
    }
    for (at = skip_space(at + 1, end); *at != '}'; at = *at == ',' ? skip_space(at + 1, end) : at) {
        const char *value = skip_name(at, end, &bad);
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '"') {
            *member = (json_value){value, end};
            found = 1;
        }
        at = behind(value, end);
    }
    return found;
}

int json_is_array(json_value value)
{
    return *value.at == '[';
}

json_value json_items_of(json_value array)
{
    return json_is_array(array) ? (json_value){skip_space(array.at + 1, array.end), array.end}
                                : (json_value){NULL, NULL};
}

int json_next_item(json_value *left, json_value *item)
{
    if (left->at == NULL || *left->at == ']') {
        return 0;
    }
    *item = (json_value){left->at, left->end};
    left->at = behind(left->at, left->end);
    left->at = *left->at == ',' ? skip_space(left->at + 1, left->end) : left->at;
    return 1;
}

int json_characters(json_value value, const char **characters, size_t *count)
{
    const int is_string = *value.at == '"';
    const char *at = value.at + is_string;
    *characters = at;
    while (is_string ? *at != '"' && *at != '\\' : at < value.end && is_digit(*at)) {
        at++;
    }
    *count = (size_t)(at - *characters);
    const int ends = is_string ? *at == '"' : at == value.end || memchr(".eE+-", *at, 5) == NULL;
    return ends && (is_string || *count > 0);
}

int json_is(json_value value, const char *text)
{
    const char *characters;
    size_t count;
    return *value.at == '"' && json_characters(value, &characters, &count) && count == strlen(text) &&
           memcmp(characters, text, count) == 0;
}

/* ---- Decimal numbers ---- */

int decimal_read(const char *digits, size_t count, uint8_t *integer, size_t bytes)
{
    memset(integer, 0, bytes);
    for (size_t i = 0; i < count; i++) {
        if (!is_digit(digits[i])) {
            return 0;
        }
        uint32_t carry = (uint32_t)(digits[i] - '0');
        for (size_t j = 0; j < bytes; j++) {
            carry += 10 * (uint32_t)integer[j];
            integer[j] = (uint8_t)carry;
            carry >>= 8;
        }
        if (carry != 0) {
            return 0;
        }
    }
    return count > 0;
}

size_t decimal_write(char text[DECIMAL_CHARACTERS], const uint8_t *integer, size_t bytes)
{
    uint8_t rest[DECIMAL_MOST_BYTES];
    char digits[DECIMAL_CHARACTERS];
    size_t count = 0;
    memcpy(rest, integer, bytes);
    do {
        uint32_t remainder = 0;
        for (size_t i = bytes; i-- > 0;) {
            remainder = remainder << 8 | rest[i];
            rest[i] = (uint8_t)(remainder / 10);
            remainder %= 10;
        }
        digits[count++] = (char)('0' + remainder);
        while (bytes > 0 && rest[bytes - 1] == 0) {
            bytes--;
        }
    } while (bytes > 0);
    for (size_t i = 0; i < count; i++) {
        text[i] = digits[count - 1 - i];
    }
    text[count] = '\0';
    return count;
}
