/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Readers ask here before they allocate for a file: base/memory_left.h says why. */
#ifndef SUMAC_IO_MEMORY_H
#define SUMAC_IO_MEMORY_H

#include "sumac/sumac.h"

/* SUMAC_OUT_OF_MEMORY, with the number of bytes missing, unless `bytes` more can be used to read the file. */
sumac_status memory_require(sumac_context *context, const char *path, uint64_t bytes);

/* What to return when an allocation of this size failed all the same. */
sumac_status memory_failed(sumac_context *context, const char *path, uint64_t bytes);

/* Memory of so many bytes to read the file to, which the caller frees: asked for, and allocated. On failure null, with the
 * status of one of both. */
void *memory_allocate(sumac_context *context, const char *path, uint64_t bytes, sumac_status *status);

#endif
