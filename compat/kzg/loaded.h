/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the interfaces of other KZG libraries share: a setup that is loaded, and contexts for its calls, each of which serves
 * one call at a time. */
#ifndef SUMAC_COMPAT_LOADED_H
#define SUMAC_COMPAT_LOADED_H

#include "sumac/kzg.h"
#include "sumac/pool.h"

/* Compressed points, and how many bytes of them there are. */
typedef struct setup_bytes {
    const uint8_t *g1_monomial;
    const uint8_t *g1_lagrange;
    const uint8_t *g2_monomial;
    size_t g1_monomial_bytes;
    size_t g1_lagrange_bytes;
    size_t g2_monomial_bytes;
} setup_bytes;

/* Immutable. */
typedef struct loaded_setup {
    sumac_kzg_setup *setup;
    sumac_pool *pool;
    sumac_context_config config; /* of each context */
} loaded_setup;

/* Load points that are not to be trusted.
 *  @param threads of each context; 0: all processors
 *  @param kept contexts are kept between calls; more calls at once make theirs and free them again, so that none waits
 *  @param table_bytes as for sumac_kzg_setup_make_tables() */
sumac_status sumac_loaded_create(const setup_bytes *bytes, uint32_t threads, size_t kept,
                                 uint64_t table_bytes, loaded_setup **loaded);

/* Null is allowed. */
void sumac_loaded_destroy(loaded_setup *loaded);

/* A call that runs. Without a context it has failed already, and sumac's calls refuse the null pointer. */
typedef struct loaded_call {
    sumac_pool *pool; /* that the context is taken from; null: from none */
    const sumac_kzg_setup *setup;
    sumac_context *context;
    sumac_status status; /* why there is no context */
} loaded_call;

/* Begin a call; `loaded` may be null. */
loaded_call sumac_loaded_begin(const loaded_setup *loaded);

/* End it: what the call of sumac came to, or why there was none. */
sumac_status sumac_loaded_end(const loaded_call *call, sumac_status status);

#endif
