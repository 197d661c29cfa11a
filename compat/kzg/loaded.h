/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The drop-ins for other KZG libraries share this code. It has a loaded setup, with contexts for its calls. Each
 * context serves one call at a time. */
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
    sumac_context_config config; /* the configuration of each context */
} loaded_setup;

/* Load points that must not be trusted.
 *  @param threads the number of threads of each context; 0: all processors
 *  @param kept the number of contexts that are kept between calls. If there are more calls at once, they create
 *  contexts and free them again, so that no call waits
 *  @param table_bytes as in sumac_kzg_config */
sumac_status sumac_loaded_create(const setup_bytes *bytes, uint32_t threads, size_t kept,
                                 uint64_t table_bytes, loaded_setup **loaded);

/* Free a loaded setup. Null is allowed. */
void sumac_loaded_destroy(loaded_setup *loaded);

/* A running call. If no context could be created, `context` is null, which sumac's calls refuse. */
typedef struct loaded_call {
    sumac_pool *pool; /* the pool of the context; null: there is none */
    const sumac_kzg_setup *setup;
    sumac_context *context;
    sumac_status status; /* the reason why there is no context */
} loaded_call;

/* Begin a call. `loaded` may be null. */
loaded_call sumac_loaded_begin(const loaded_setup *loaded);

/* End a call. Return the status of sumac's call or, if no context could be created, the reason. */
sumac_status sumac_loaded_end(const loaded_call *call, sumac_status status);

#endif
