/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Code that the drop-ins for other KZG libraries share: a loaded setup, with contexts for its calls, each of which serves one
 * call at a time. */
#ifndef SUMAC_COMPAT_LOADED_H
#define SUMAC_COMPAT_LOADED_H

#include "sumac/kzg.h"
#include "sumac/pool.h"

/* Compressed points, and their numbers of bytes. */
typedef struct setup_bytes {
    const uint8_t *g1_monomial;
    const uint8_t *g1_lagrange;
    const uint8_t *g2_monomial;
    size_t g1_monomial_bytes;
    size_t g1_lagrange_bytes;
    size_t g2_monomial_bytes;
} setup_bytes;

/* A loaded setup, which does not change. */
typedef struct loaded_setup {
    sumac_kzg_setup *setup;
    sumac_pool *pool;
    sumac_context_config config; /* of each context */
} loaded_setup;

/* Load points that are not to be trusted.
 *  @param threads of each context; 0: all processors
 *  @param kept contexts are kept between calls; more calls at once make theirs and free them again, so that none waits
 *  @param table_bytes as in sumac_kzg_config */
sumac_status sumac_loaded_create(const setup_bytes *bytes, uint32_t threads, size_t kept,
                                 uint64_t table_bytes, loaded_setup **loaded);

/* Null is allowed. */
void sumac_loaded_destroy(loaded_setup *loaded);

/* A running call. If no context could be created, `context` is null, which sumac's calls refuse. */
typedef struct loaded_call {
    sumac_pool *pool; /* that the context is taken from; null: from none */
    const sumac_kzg_setup *setup;
    sumac_context *context;
    sumac_status status; /* why there is no context */
} loaded_call;

/* Begin a call; `loaded` may be null. */
loaded_call sumac_loaded_begin(const loaded_setup *loaded);

/* End a call. Return the status of sumac's call, or why no context could be created. */
sumac_status sumac_loaded_end(const loaded_call *call, sumac_status status);

#endif
