/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CUDA engine, which is a library of its own. */
#ifndef SUMAC_API_LOADER_H
#define SUMAC_API_LOADER_H

#include "pipeline/engine.h"

/* Load the CUDA engine's table from its library, which loader.c looks for; null, with a sentence, on failure. */
const backend *load_cuda(sumac_message *why);

#endif
