/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CUDA engine, which is a library of its own. */
#ifndef SUMAC_API_LOADER_H
#define SUMAC_API_LOADER_H

#include "pipeline/engine.h"

/* The CUDA engine's table, from its library beside this one; null with a sentence when it can't be loaded:
 * loader.c. */
const backend *load_cuda(char *message, size_t bytes);

#endif
