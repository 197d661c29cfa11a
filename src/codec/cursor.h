/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A position in bytes from which a reader takes one field after another. A failure sticks: after it nothing is read and every
 * number is 0, so that a reader asks for the status once, where it would act on what it read.
 */
#ifndef SUMAC_CODEC_CURSOR_H
#define SUMAC_CODEC_CURSOR_H

#include "base/refusal.h"
#include "codec/byte_source.h"

/* Bytes that are in memory, as a source. */
byte_source memory_source(const void *bytes, uint64_t size);

typedef struct cursor {
    const byte_source *source;
    uint64_t at;
    sumac_status status;
    sumac_message *why; /* set by a failure of the cursor; one of the source's has its sentence */
} cursor;

/* `what` is what is taken, in the sentence on a file that is truncated. */

/* Read so many bytes; after a failure, zeros. */
void cursor_take(cursor *c, const char *what, void *bytes, size_t count);

/* Take an integer of 4 or 8 bytes. */
uint32_t cursor_le32(cursor *c, const char *what);
uint64_t cursor_le64(cursor *c, const char *what);
uint32_t cursor_be32(cursor *c, const char *what);
uint64_t cursor_be64(cursor *c, const char *what);

/* Skip so many bytes, and return the offset at which they begin. */
uint64_t cursor_skip(cursor *c, const char *what, uint64_t count, uint64_t each);

/* Fail, unless the cursor has failed or `holds`. */
void cursor_require(cursor *c, int holds, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Require the end of the source. */
void cursor_end(cursor *c);

#endif
