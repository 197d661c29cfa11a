/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The character that begins here: its code point, and how many bytes it has, 0 if this is not UTF-8. */
static size_t decode_utf8(const unsigned char *text, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = text[0];
    const size_t length = first < 0x80             ? 1
                          : (first & 0xe0) == 0xc0 ? 2
                          : (first & 0xf0) == 0xe0 ? 3
                          : (first & 0xf8) == 0xf0 ? 4
                                                   : 0;
    if (length < 2) {
        *point = first;
        return length;
    }
    *point = first & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) { /* the end of the text, too */
            return 0;
        }
        *point = *point << 6 | (text[i] & 0x3fU);
    }
    const bool surrogate = *point >= 0xd800 && *point <= 0xdfff;
    return *point < least[length] || *point > 0x10ffff || surrogate ? 0 : length;
}

/* Control characters, and those that change the direction or the lines of the text around them. */
static bool is_visible(uint32_t point)
{
    return point >= 0x20 && (point < 0x7f || point >= 0xa0) && point != 0x61c && point != 0xfeff &&
           (point < 0x200b || point > 0x200f) && (point < 0x2028 || point > 0x202e) &&
           (point < 0x2060 || point > 0x206f);
}

static void write_byte_escaped(FILE *stream, unsigned char byte)
{
    switch (byte) {
    case '\n':
        (void)fputs("\\n", stream);
        break;
    case '\t':
        (void)fputs("\\t", stream);
        break;
    case '\r':
        (void)fputs("\\r", stream);
        break;
    default:
        (void)fprintf(stream, "\\x%02x", byte);
    }
}

void write_escaped(FILE *stream, const char *text)
{
    const unsigned char *next = (const unsigned char *)text;
    while (*next != '\0') {
        uint32_t point;
        const size_t length = decode_utf8(next, &point);
        if (length > 0 && is_visible(point)) {
            (void)fwrite(next, 1, length, stream);
            next += length;
            continue;
        }
        for (size_t i = 0; i < (length > 0 ? length : 1); i++) {
            write_byte_escaped(stream, *next++);
        }
    }
}

json_t *text_to_json(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *next = (const unsigned char *)text;
    char *valid = malloc(4 * strlen(text) + 1), *end = valid;
    if (valid == NULL) {
        return NULL;
    }
    while (*next != '\0') {
        uint32_t point;
        const size_t length = decode_utf8(next, &point);
        if (length > 0) {
            memcpy(end, next, length);
            end += length;
            next += length;
        } else {
            *end++ = '\\';
            *end++ = 'x';
            *end++ = digits[*next >> 4];
            *end++ = digits[*next++ & 15];
        }
    }
    *end = '\0';
    json_t *string = json_string(valid);
    free(valid);
    return string;
}
