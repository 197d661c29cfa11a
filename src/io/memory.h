/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Memory whose size follows the numbers of a file or of a caller: a file of a few bytes may say that it holds billions of
 * points, and Linux promises what it does not have (base/memory_left.h). Every such allocation is made here, or asks here
 * first. A message begins with `what`, which needs the memory: the path of the file, or a noun.
 */
#ifndef SUMAC_IO_MEMORY_H
#define SUMAC_IO_MEMORY_H

#include "base/try.h"
#include "sumac/sumac.h"

/* Refuse, with SUMAC_OUT_OF_MEMORY and how many bytes are left, unless `bytes` more can be used. */
sumac_status memory_require(sumac_context *context, const char *what, uint64_t bytes);

/* Report that an allocation of this size failed all the same. */
sumac_status memory_failed(sumac_context *context, const char *what, uint64_t bytes);

/* Allocate memory, which the caller frees; an empty block has an address, too. Null: SUMAC_OUT_OF_MEMORY, whose sentence is
 * stored. */
void *memory_allocate(sumac_context *context, const char *what, uint64_t bytes);

/* Allocate memory that is all zeros. */
void *memory_zeros(sumac_context *context, const char *what, uint64_t bytes);

/* Reallocate `memory`, which may be null and stays as it is after a failure. */
void *memory_grow(sumac_context *context, const char *what, void *memory, uint64_t bytes);

/* TRY(memory_got(memory)) ends the calling function where there is none. */
static inline sumac_status memory_got(const void *memory)
{
    return memory == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): names that are declared stand alone. */
/* Declare such memory, which lives until the block ends. The calling function returns where there is none. */
#define TAKE_MEMORY(type, name, context, what, bytes)                                                        \
    AUTO_FREE type *name = memory_allocate(context, what, bytes);                                            \
    TRY(memory_got(name))
#define TAKE_ZEROS(type, name, context, what, bytes)                                                         \
    AUTO_FREE type *name = memory_zeros(context, what, bytes);                                               \
    TRY(memory_got(name))
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
