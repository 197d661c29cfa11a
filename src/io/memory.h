/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Memory whose size follows the numbers of a file or of a caller: a file of a few bytes may say that it holds billions of
 * points, and Linux promises what it does not have (base/memory_left.h). Every such allocation is made here, or asks here
 * first. `what` is what needs the memory, as a sentence begins with it: the path of the file, or a noun.
 */
#ifndef SUMAC_IO_MEMORY_H
#define SUMAC_IO_MEMORY_H

#include "sumac/sumac.h"

/* SUMAC_OUT_OF_MEMORY, with how many bytes are needed and how many are left, unless `bytes` more can be used. */
sumac_status memory_require(sumac_context *context, const char *what, uint64_t bytes);

/* What to return when an allocation of this size failed all the same. */
sumac_status memory_failed(sumac_context *context, const char *what, uint64_t bytes);

/* Memory of so many bytes, which the caller frees. On failure null, with the status of memory_require() or
 * memory_failed(). */
void *memory_allocate(sumac_context *context, const char *what, uint64_t bytes, sumac_status *status);

/* The same, all zeros. */
void *memory_zeros(sumac_context *context, const char *what, uint64_t bytes, sumac_status *status);

/* The same, with what `memory` holds, which is freed; null: nothing. On failure null, and `memory` stays as it is. */
void *memory_grow(sumac_context *context, const char *what, void *memory, uint64_t bytes,
                  sumac_status *status);

#endif
