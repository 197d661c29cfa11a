/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The word that someone may have meant who wrote one that there is not: of a curve, a command, an option ...
 */
#ifndef SUMAC_CLI_WORDS_H
#define SUMAC_CLI_WORDS_H

#include <stddef.h>

enum { WORD_BYTES = 64 /* longer ones are like no other */ };

typedef struct likely_word {
    const char *written; /* not copied, and neither is `nearest` */
    size_t length;
    const char *nearest; /* null: none is near enough */
    size_t distance;     /* of the nearest one */
} likely_word;

/* What was written; `length` bytes of it. */
likely_word likely_begin(const char *written, size_t length);

/* One of the words that there are. Near enough is what a letter or two make of it: left out, added, changed,
 * or in each other's place, and in any case. The first of the nearest ones stays. */
void likely_consider(likely_word *found, const char *word);

/* Room for likely_text(). */
#define LIKELY_BYTES (WORD_BYTES + 32)

/* " (did you mean 'word'?)", for the middle of a sentence; "" where none is near enough. */
const char *likely_text(const likely_word *found, char text[LIKELY_BYTES]);

#endif
