/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A word that is not known, and the known ones: for sentences that list these and name the nearest. */
#ifndef SUMAC_CLI_WORDS_H
#define SUMAC_CLI_WORDS_H

#include <stddef.h>

enum { WORD_BYTES = 64 /* longer words are like no other */ };

typedef struct word_list {
    const char *written; /* not copied, and neither is `nearest` */
    size_t length;
    const char *nearest; /* null: no word is near enough */
    size_t distance;
    char known[4096]; /* "a, b, c" */
    size_t end;
    char likely[WORD_BYTES + 32];
} word_list;

/* Begin with what was written, `length` bytes of it. */
word_list words_begin(const char *written, size_t length);

/* Add a known word. It is near enough if a letter or two make the written word of it: left out, added, changed, or
 * exchanged with the next one; case does not matter. Of several nearest words the first one stays. */
void words_add(word_list *list, const char *word);

/* " (did you mean 'word'?)", for the middle of a sentence; "" if no word is near enough. */
const char *words_likely(word_list *list);

#endif
