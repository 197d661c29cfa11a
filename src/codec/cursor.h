/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A cursor is a position in bytes, from which a reader takes one field after another. If the cursor fails, it reads
 * nothing more, and every number is 0. So the reader checks the status only once, before it uses what it has read.
 */
#ifndef SUMAC_CODEC_CURSOR_H
#define SUMAC_CODEC_CURSOR_H

#include "base/refusal.h"
#include "codec/byte_source.h"

/* Return a source that reads bytes in memory. */
byte_source memory_source(const void *bytes, uint64_t size);

typedef struct cursor {
    const byte_source *source;
    uint64_t at;
    sumac_status status;
    sumac_message *why; /* set if the cursor fails; if the source fails, the source has the message */
} cursor;

/* In these functions `what` is the name of the field in the message that the file is truncated. */

/* Take `count` bytes. If the cursor has failed, they become zeros. */
void cursor_take(cursor *c, const char *what, void *bytes, size_t count);

/* Take an integer of 4 or 8 bytes. */
uint32_t cursor_le32(cursor *c, const char *what);
uint64_t cursor_le64(cursor *c, const char *what);
uint32_t cursor_be32(cursor *c, const char *what);
uint64_t cursor_be64(cursor *c, const char *what);

/* Skip count * each bytes, and return the offset at which they begin. */
uint64_t cursor_skip(cursor *c, const char *what, uint64_t count, uint64_t each);

/* If `holds` is 0, the cursor fails with this status, unless it has failed already. */
void cursor_require(cursor *c, int holds, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Return a count that was read at byte `at`. If it is more than `most`, the cursor fails. After any failure the count is 0, so that it
 * can bound a loop over an array of `most` elements. Messages call what is counted `what`. */
uint32_t cursor_limit(cursor *c, uint64_t at, uint32_t count, uint32_t most, const char *what);

/* Require that all bytes of the source were taken. */
void cursor_end(cursor *c);

#endif
