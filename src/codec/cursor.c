/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/cursor.h"

#include <inttypes.h>

#include "codec/bytes.h"

static sumac_status read_memory(void *owner, uint64_t offset, uint8_t *bytes, size_t count)
{
    memcpy(bytes, (const uint8_t *)owner + offset, count);
    return SUMAC_OK;
}

byte_source memory_source(const void *bytes, uint64_t size)
{
    return (byte_source){.size = size, .owner = (void *)(uintptr_t)bytes, .read = read_memory};
}

void cursor_require(cursor *c, int holds, sumac_status status, const char *format, ...)
{
    va_list arguments;
    if (c->status == SUMAC_OK && !holds) {
        va_start(arguments, format);
        c->status = refuse_with(c->why, status, format, arguments);
        va_end(arguments);
    }
}

uint32_t cursor_limit(cursor *c, uint64_t at, uint32_t count, uint32_t most, const char *what)
{
    cursor_require(c, count <= most, SUMAC_NOT_SUPPORTED,
                   "at byte %" PRIu64 ": %" PRIu32 " %s, and at most %" PRIu32 " are supported", at, count,
                   what, most);
    return c->status == SUMAC_OK ? count : 0;
}

/* Check that at least count * each bytes remain. */
static int has(cursor *c, const char *what, uint64_t count, uint64_t each)
{
    if (c->status != SUMAC_OK) {
        return 0;
    }
    cursor_require(c, c->at <= c->source->size && (c->source->size - c->at) / each >= count, SUMAC_BAD_FILE,
                   "truncated: it ends at byte %" PRIu64 ", within %s from byte %" PRIu64 " on",
                   c->source->size, what, c->at);
    return c->status == SUMAC_OK;
}

void cursor_take(cursor *c, const char *what, void *bytes, size_t count)
{
    memset(bytes, 0, count);
    if (has(c, what, count, 1)) {
        c->status = c->source->read(c->source->owner, c->at, bytes, count);
        c->at += count;
    }
}

uint32_t cursor_le32(cursor *c, const char *what)
{
    uint8_t bytes[4];
    cursor_take(c, what, bytes, sizeof bytes);
    return c->status == SUMAC_OK ? load_le32(bytes) : 0;
}

uint64_t cursor_le64(cursor *c, const char *what)
{
    uint8_t bytes[8];
    cursor_take(c, what, bytes, sizeof bytes);
    return c->status == SUMAC_OK ? load_le64(bytes) : 0;
}

uint32_t cursor_be32(cursor *c, const char *what)
{
    return __builtin_bswap32(cursor_le32(c, what));
}

uint64_t cursor_be64(cursor *c, const char *what)
{
    return __builtin_bswap64(cursor_le64(c, what));
}

uint64_t cursor_skip(cursor *c, const char *what, uint64_t count, uint64_t each)
{
    const uint64_t at = c->at;
    c->at += has(c, what, count, each) ? count * each : 0;
    return at;
}

void cursor_end(cursor *c)
{
    cursor_require(c, c->at == c->source->size, SUMAC_BAD_FILE, "too long: it should end at byte %" PRIu64,
                   c->at);
}
