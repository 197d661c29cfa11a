/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Memory whose size follows the numbers of a file or of a caller: a file of a few bytes may say that it holds billions of
 * points, and Linux promises what it does not have (base/memory_left.h). Every such allocation is made here, or asks here
 * first. A message begins with `what`, which needs the memory: the path of the file, or a noun.
 */
#ifndef SUMAC_IO_MEMORY_H
#define SUMAC_IO_MEMORY_H

#include "sumac/sumac.h"

/* Refuse, with SUMAC_OUT_OF_MEMORY and how many bytes are left, unless `bytes` more can be used. */
sumac_status memory_require(sumac_context *context, const char *what, uint64_t bytes);

/* Report that an allocation of this size failed all the same. */
sumac_status memory_failed(sumac_context *context, const char *what, uint64_t bytes);

/* Allocate memory, which the caller frees. Returns null on failure, with the status of memory_require() or
 * memory_failed(). */
void *memory_allocate(sumac_context *context, const char *what, uint64_t bytes, sumac_status *status);

/* Allocate memory that is all zeros. */
void *memory_zeros(sumac_context *context, const char *what, uint64_t bytes, sumac_status *status);

/* Reallocate `memory`, which may be null. Returns null on failure, and `memory` stays as it is. */
void *memory_grow(sumac_context *context, const char *what, void *memory, uint64_t bytes,
                  sumac_status *status);

#endif
