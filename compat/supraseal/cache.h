/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A process has one cache of parameters, by the paths with which they were loaded. Its lock is held for look-ups, and not
 * while a file is loaded. */
#ifndef SUMAC_SUPRASEAL_CACHE_H
#define SUMAC_SUPRASEAL_CACHE_H

#include "parameters.h"

/* Take a handle of parameters from the cache, or load them as sumac_supraseal_load() does. If another thread loads the same
 * path, wait for it. */
sumac_status sumac_supraseal_cached(const char *path, supraseal_parameters **parameters, sumac_message *why);

/* Remove a path from the cache. */
void sumac_supraseal_evict(const char *path);

#endif
