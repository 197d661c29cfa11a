/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/refusal.h"

#include <stdio.h>
#include <string.h>

/* A message has at most SENTENCE_MOST characters, so that callers can prefix it with words like "rank 3: ". If its
 * first string is shortened, at least FIRST_LEAST characters of the string are left. */
enum { SENTENCE_MOST = 480, FIRST_LEAST = 64 };

/* Return whether a byte continues a UTF-8 character, so that a cut before it would split the character. */
static int goes_on(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Shorten a string to `most` bytes, a quarter of them from its beginning. Returns how many bytes are written. */
static size_t shorten(char *to, size_t most, const char *text, size_t length)
{
    static const char gap[] = "...";
    size_t head = most / 4, tail = length - (most - head - strlen(gap));
    while (head > 0 && goes_on(text[head])) {
        head--;
    }
    while (tail < length && goes_on(text[tail])) {
        tail++;
    }
    memcpy(to, text, head);
    memcpy(to + head, gap, strlen(gap));
    memcpy(to + head + strlen(gap), text + tail, length - tail);
    return head + strlen(gap) + length - tail;
}

sumac_status refuse_with(sumac_message *why, sumac_status status, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(why->text, sizeof why->text, format, again);
    va_end(again);
    if (length <= SENTENCE_MOST || strncmp(format, "%s", 2) != 0) {
        return status;
    }
    const char *first = va_arg(arguments, const char *);
    const size_t first_length = strlen(first), rest_length = (size_t)length - first_length;
    const size_t most =
        rest_length + FIRST_LEAST < SENTENCE_MOST ? SENTENCE_MOST - rest_length : (size_t)FIRST_LEAST;
    if (first_length > most) {
        const size_t kept = shorten(why->text, most, first, first_length);
        (void)vsnprintf(why->text + kept, sizeof why->text - kept, format + 2, arguments);
    }
    return status;
}

sumac_status refuse(sumac_message *why, sumac_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)refuse_with(why, status, format, arguments);
    va_end(arguments);
    return status;
}

sumac_status refuse_in(sumac_message *why, sumac_status status, const char *format, ...)
{
    sumac_message words;
    const sumac_message reason = *why;
    va_list arguments;
    va_start(arguments, format);
    (void)refuse_with(&words, status, format, arguments);
    va_end(arguments);
    return refuse(why, status, "%s: %s", words.text, reason.text);
}
