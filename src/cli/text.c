/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <stdint.h>

/* Decode the character at the beginning of `text`. Return how many bytes it has, or 0 if it is not UTF-8. */
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
        if ((text[i] & 0xc0) != 0x80) { /* this is also true for the final zero byte */
            return 0;
        }
        *point = *point << 6 | (text[i] & 0x3fU);
    }
    const bool surrogate = *point >= 0xd800 && *point <= 0xdfff;
    return *point < least[length] || *point > 0x10ffff || surrogate ? 0 : length;
}

/* Return false for control characters, for characters that change the direction or the lines of the surrounding text,
 * and for characters that show nothing. These are Unicode's Cc, Zl, Zp and Default_Ignorable_Code_Point, and annotation
 * marks. */
static bool is_visible(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } invisible[] = {{0, 0x1f},          {0x7f, 0x9f},       {0xad, 0xad},      {0x34f, 0x34f},
                     {0x61c, 0x61c},     {0x115f, 0x1160},   {0x17b4, 0x17b5},  {0x180b, 0x180f},
                     {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},  {0x3164, 0x3164},
                     {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb},
                     {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof invisible / sizeof *invisible; i++) {
        if (point >= invisible[i].first && point <= invisible[i].last) {
            return false;
        }
    }
    return true;
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
        for (size_t i = 0; i < (length > 0 ? length : 1); i++, next++) {
            static const char bytes[] = "\n\t\r", letters[] = "ntr";
            const char *known = strchr(bytes, *next);
            if (known != NULL) {
                (void)fprintf(stream, "\\%c", letters[known - bytes]);
            } else {
                (void)fprintf(stream, "\\x%02x", *next);
            }
        }
    }
}

json_t *text_to_json(const char *text)
{
    const unsigned char *next = (const unsigned char *)text;
    AUTO_FREE char *valid = malloc(4 * strlen(text) + 1);
    char *end = valid;
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
            end += sprintf(end, "\\x%02x", *next++);
        }
    }
    *end = '\0';
    return json_string(valid);
}
