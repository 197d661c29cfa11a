/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <ctype.h>

static int lower(char letter)
{
    return tolower((unsigned char)letter);
}

/* Return the distance of two words: how many times a letter must be left out, added, changed or exchanged with the next
 * one, at least, to turn one word into the other. This is the Damerau-Levenshtein distance in which no letter is edited
 * twice. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][WORD_BYTES + 1]; /* distances from a's first i letters to b's first j; rows i - 2 to i */
    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        const size_t *before = rows[(i + 1) % 3], *last = rows[(i - 1) % 3];
        size_t *row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t changed = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = smaller(smaller(last[j], row[j - 1]) + 1, last[j - 1] + changed);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = smaller(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

word_list words_begin(const char *written, size_t length)
{
    return (word_list){.written = written, .length = length};
}

void words_add(word_list *list, const char *word)
{
    const size_t length = strlen(word), left = sizeof list->known - list->end;
    const int added = snprintf(list->known + list->end, left, "%s%s", list->end > 0 ? ", " : "", word);
    list->end += added > 0 && (size_t)added < left ? (size_t)added : 0;
    if (list->length == 0 || list->length > WORD_BYTES || length > WORD_BYTES) {
        return;
    }
    const size_t away = distance(list->written, list->length, word, length);
    /* One letter in five may differ. In any word of two or more letters at least one may. */
    const size_t longer = list->length > length ? list->length : length;
    if (longer > 1 && away <= 1 + longer / 5 && (list->nearest == NULL || away < list->distance)) {
        list->nearest = word;
        list->distance = away;
    }
}

const char *words_likely(word_list *list)
{
    list->likely[0] = '\0';
    if (list->nearest != NULL) {
        (void)snprintf(list->likely, sizeof list->likely, " (did you mean '%s'?)", list->nearest);
    }
    return list->likely;
}
