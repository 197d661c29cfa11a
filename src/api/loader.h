/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* load_cuda() loads the CUDA engine, which is a separate library. */
#ifndef SUMAC_API_LOADER_H
#define SUMAC_API_LOADER_H

#include "pipeline/engine.h"

/* Search for the engine's library as loader.c describes, load it, and return its table. On failure return null, with a
 * message. */
const backend *load_cuda(sumac_message *why);

#endif
