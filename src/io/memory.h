/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions allocate memory whose size depends on numbers in a file or from a caller. A file of a few bytes may
 * claim to hold billions of points, and Linux promises memory that it does not have (base/memory_left.h), so every such
 * allocation is made or checked here. A message begins with `what`, which needs the memory: a file's path, or a noun.
 */
#ifndef SUMAC_IO_MEMORY_H
#define SUMAC_IO_MEMORY_H

#include "base/try.h"
#include "sumac/sumac.h"

/* Unless `bytes` more bytes can be used, fail with SUMAC_OUT_OF_MEMORY, and report how many bytes are left. */
sumac_status memory_require(sumac_context *context, const char *what, uint64_t bytes);

/* Report that an allocation of this size failed although memory_require() had allowed it. */
sumac_status memory_failed(sumac_context *context, const char *what, uint64_t bytes);

/* Allocate memory, which the caller frees. Even for 0 bytes the result is an address. If memory is short, the result is
 * null, and the context has the status SUMAC_OUT_OF_MEMORY and a message. */
void *memory_allocate(sumac_context *context, const char *what, uint64_t bytes);

/* Allocate zeroed memory. */
void *memory_zeros(sumac_context *context, const char *what, uint64_t bytes);

/* Reallocate `memory`, which may be null. If that fails, `memory` stays valid and unchanged. */
void *memory_grow(sumac_context *context, const char *what, void *memory, uint64_t bytes);

/* Convert a pointer to a status: TRY(memory_got(memory)) returns from the calling function if the pointer is null. */
static inline sumac_status memory_got(const void *memory)
{
    return memory == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): declared names cannot be in parentheses. */
/* Declare allocated memory that is freed at the end of the block. If allocation fails, the calling function returns. */
#define TAKE_MEMORY(type, name, context, what, bytes)                                                        \
    AUTO_FREE type *name = memory_allocate(context, what, bytes);                                            \
    TRY(memory_got(name))
#define TAKE_ZEROS(type, name, context, what, bytes)                                                         \
    AUTO_FREE type *name = memory_zeros(context, what, bytes);                                               \
    TRY(memory_got(name))
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
