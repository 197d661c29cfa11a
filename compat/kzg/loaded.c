/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "loaded.h"

#include <stdlib.h>

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "lengths are passed on as they are");

/* Return the number of points in so many bytes. If the length is wrong, return 0, because no setup has 0 points. */
static size_t points_of(size_t bytes, size_t point_bytes)
{
    return bytes % point_bytes == 0 ? bytes / point_bytes : 0;
}

static sumac_status load(loaded_setup *loaded, sumac_context *context, const setup_bytes *bytes,
                         uint64_t table_bytes)
{
    const sumac_kzg_config config = {.size = sizeof config, .cells = 1, .table_bytes = table_bytes};
    return sumac_kzg_create(
        context, (const sumac_bytes48 *)bytes->g1_monomial,
        points_of(bytes->g1_monomial_bytes, sizeof(sumac_bytes48)), (const sumac_bytes48 *)bytes->g1_lagrange,
        points_of(bytes->g1_lagrange_bytes, sizeof(sumac_bytes48)), (const sumac_bytes96 *)bytes->g2_monomial,
        points_of(bytes->g2_monomial_bytes, sizeof(sumac_bytes96)), &config, &loaded->setup);
}

sumac_status sumac_loaded_create(const setup_bytes *bytes, uint32_t threads, size_t kept,
                                 uint64_t table_bytes, loaded_setup **loaded)
{
    sumac_context *context = NULL;
    loaded_setup *l = calloc(1, sizeof *l);
    *loaded = NULL;
    if (l == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    l->config = (sumac_context_config){.size = sizeof(sumac_context_config)};
    l->config.backend = "cpu";
    l->config.threads = threads;
    sumac_status status = sumac_pool_create(&l->config, kept, &l->pool, NULL);
    if (status == SUMAC_OK) {
        status = sumac_pool_take(l->pool, &context, NULL);
    }
    if (status == SUMAC_OK) {
        status = load(l, context, bytes, table_bytes);
        sumac_pool_give(l->pool, context);
    }
    if (status == SUMAC_OK) {
        *loaded = l;
    } else {
        sumac_loaded_destroy(l);
    }
    return status;
}

void sumac_loaded_destroy(loaded_setup *loaded)
{
    if (loaded != NULL) {
        sumac_pool_destroy(loaded->pool);
        sumac_kzg_destroy(loaded->setup);
        free(loaded);
    }
}

loaded_call sumac_loaded_begin(const loaded_setup *loaded)
{
    loaded_call call = {.status = SUMAC_BAD_ARGUMENT};
    if (loaded == NULL) {
        return call;
    }
    call.setup = loaded->setup;
    call.pool = loaded->pool;
    call.status = sumac_pool_try(call.pool, &call.context, NULL);
    if (call.status == SUMAC_BUSY) {
        call.pool = NULL;
        call.status = sumac_context_create(&loaded->config, &call.context, NULL);
    }
    return call;
}

sumac_status sumac_loaded_end(const loaded_call *call, sumac_status status)
{
    if (call->context == NULL) {
        return call->status;
    }
    if (call->pool != NULL) {
        sumac_pool_give(call->pool, call->context);
    } else {
        sumac_context_destroy(call->context);
    }
    return status;
}
