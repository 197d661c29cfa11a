/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/printable.h"

const char *printable(char *text, const char *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    char *end = text;
    for (size_t i = 0; i < length && bytes[i] != '\0'; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (byte < 0x20 || byte > 0x7e) {
            *end++ = '\\';
            *end++ = 'x';
            *end++ = digits[byte / 16];
            *end++ = digits[byte % 16];
        } else {
            if (byte == '\\') {
                *end++ = '\\';
            }
            *end++ = (char)byte;
        }
    }
    *end = '\0';
    return text;
}
